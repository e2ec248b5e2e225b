//! Small JSON files in the data folder that are read at the start and written as a whole.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

/// What the file holds; nothing yet, if it is not there.
///
/// # Errors
/// Why it cannot be read, in words.
pub(super) fn read<T: DeserializeOwned + Default>(file: &Path) -> Result<T, String> {
    match fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| error.to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error.to_string()),
    }
}

/// Writes a file as a whole: after a crash it is the old one or the new one.
pub(super) fn save(file: &Path, text: &str) -> io::Result<()> {
    let new = file.with_extension("new");
    fs::write(&new, text)?;
    fs::File::open(&new)?.sync_all()?;
    fs::rename(&new, file)
}
