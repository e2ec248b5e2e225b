//! `switchboard config`: each setting, its value and its source; `--init` writes a file to start from.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};

use anyhow::anyhow;

use crate::config::{ConfigError, Loader, list, sample_file};

/// Prints each setting.
pub(super) fn show(loader: &Loader) -> anyhow::Result<()> {
    let loaded = loader.load()?;
    for warning in &loaded.warnings {
        eprintln!("switchboard: {warning}");
    }
    print(&list(&loaded))
}

/// Writes the commented file, unless there is one.
pub(super) fn init(loader: &Loader) -> anyhow::Result<()> {
    let path = loader.file().0.ok_or_else(|| anyhow!("there is no home folder to put it in; use --config FILE"))?;
    let unwritable = |error: &io::Error| {
        let problem = match error.kind() {
            io::ErrorKind::AlreadyExists => "it already exists; edit it, or move it away first".to_owned(),
            _ => error.to_string(),
        };
        ConfigError::Unwritable { path: path.display().to_string(), problem }
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| unwritable(&error))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // It may come to hold a token.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).map_err(|error| unwritable(&error))?;
    file.write_all(sample_file().as_bytes()).map_err(|error| unwritable(&error))?;
    print(&format!("wrote {}\n", path.display()))
}

/// Prints to standard output; a reader that went away (`| head`) is not an error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
