//! The key that signs login cookies: who logged in stays logged in when the server starts anew.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;

use crate::config::Config;

/// The key that signs login cookies: made at the first start, kept beside the sessions, read by the owner only.
pub(super) fn login_key(config: &Config) -> anyhow::Result<[u8; 32]> {
    let mut key = [0; 32];
    if config.http.token().is_none() {
        return Ok(key);
    }
    let path = config.paths.data.join("login.key");
    let what = || format!("cannot read or create {}", path.display());
    if !path.exists() {
        make_key(&path).with_context(what)?;
    }
    fs::File::open(&path).and_then(|mut file| file.read_exact(&mut key)).with_context(what)?;
    Ok(key)
}

fn make_key(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let key: Vec<u8> = (0..2).flat_map(|_| uuid::Uuid::new_v4().into_bytes()).collect();
    options.open(path)?.write_all(&key)
}
