//! The token that clients must show: which texts are accepted, and the file that stores a generated one.
//!
//! The file appears whole or not at all, readable by its owner only; what is in it is never replaced.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use uuid::Uuid;

use switchboard_runtime::Secret;

/// The shortest token, in characters.
const SHORTEST: usize = 16;

/// The longest token file that is read, in bytes.
const MAX_BYTES: u64 = 4096;

/// Whether this will do as a token.
///
/// # Errors
/// Says what would be right.
pub fn check_token(text: &str) -> Result<(), String> {
    if text.chars().count() < SHORTEST || text.chars().any(|sign| sign.is_whitespace() || sign.is_control()) {
        return Err("a token has at least 16 characters and no spaces; `openssl rand -hex 32` makes one".to_owned());
    }
    Ok(())
}

/// The token in this file, if there is the file.
///
/// # Errors
/// When the file cannot be read or holds no token, naming it.
pub(super) fn read_token(path: &Path) -> Result<Option<Secret>, String> {
    let unreadable = |problem: &dyn std::fmt::Display| format!("the token file {}: {problem}", path.display());
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(|error| unreadable(&error))?,
    };
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(|error| unreadable(&error))?;
    let token = text.trim();
    check_token(token).map_err(|problem| {
        unreadable(&format!("{problem}; if you delete the file, a new one is created at the next start"))
    })?;
    Ok(Some(Secret::new(token)))
}

/// Makes a token and keeps it in this file, which must not be there yet.
///
/// # Errors
/// When the file cannot be made, naming it.
pub(super) fn make_token(path: &Path) -> Result<Secret, String> {
    let token = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    keep(path, &token).map_err(|error| format!("the token file {} cannot be created: {error}", path.display()))?;
    Ok(Secret::new(token))
}

fn keep(path: &Path, token: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{token}")?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;
