//! Where the server that has a data folder can be reached: a file in that folder, so that other programs of the same
//! user find it whatever port it took.
//!
//! The file may be left over from a server that was killed; only while somebody has the folder does it say anything.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The file's name.
const FILE: &str = "address";

/// The longest address that is read.
const MAX_BYTES: u64 = 1024;

/// Says that the server of this data folder is at `url`.
///
/// # Errors
/// When the file cannot be written.
pub fn announce(folder: &Path, url: &str) -> io::Result<()> {
    fs::write(folder.join(FILE), format!("{url}\n"))
}

/// Where the server that has this data folder said it is.
#[must_use]
pub fn discover(folder: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(folder.join(FILE)).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    let url = text.trim();
    (!url.is_empty()).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_announced_last_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(discover(folder.path()), None);
        for url in ["http://127.0.0.1:7878", "http://[::1]:1"] {
            announce(folder.path(), url).expect("it can be written");
            assert_eq!(discover(folder.path()).as_deref(), Some(url));
        }
    }
}
