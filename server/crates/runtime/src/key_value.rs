//! Small values that outlive the process, each under a name: in files of the data folder, or where all servers share them.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// Makes a value of the one that is there, if there is one.
pub type Change<'a> = dyn FnMut(Option<&[u8]>) -> io::Result<Vec<u8>> + 'a;

/// Keeps values.
pub trait KeyValueStore: Debug + Send + Sync + 'static {
    /// Where a value is, for people.
    fn place(&self, key: &str) -> String;

    /// A value, as it is known here; none if there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn get(&self, key: &str) -> io::Result<Option<Vec<u8>>>;

    /// Replaces a value, and waits until that is durable; what is there then. If another server was faster, the change is made
    /// once more, of the value that is there by then.
    ///
    /// # Errors
    /// When the change fails, or it cannot be written; then the value is as it was, as far as can be told.
    fn update(&self, key: &str, change: &mut Change<'_>) -> io::Result<Vec<u8>>;

    /// Counts what other servers change.
    fn changes(&self) -> watch::Receiver<u64>;
}

/// Values in files of a folder that no other server has; only its owner can read them.
#[derive(Debug)]
pub struct FileValues {
    folder: PathBuf,
    /// One is written at a time.
    writing: Mutex<()>,
    /// Nobody else changes them.
    changes: watch::Sender<u64>,
}

impl FileValues {
    /// Those of this folder, which is there when one is written.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), writing: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl KeyValueStore for FileValues {
    fn place(&self, key: &str) -> String {
        self.folder.join(key).display().to_string()
    }

    fn get(&self, key: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.folder.join(key)) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn update(&self, key: &str, change: &mut Change<'_>) -> io::Result<Vec<u8>> {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let value = change(self.get(key)?.as_deref())?;
        // As a whole: after a crash it is the old one or the new one.
        let new = self.folder.join(format!("{key}.new"));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.write_all(&value)?;
        File::sync_all(&file)?;
        fs::rename(&new, self.folder.join(key))?;
        Ok(value)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_value_comes_back_as_it_was_changed_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let values = FileValues::new(folder.path());
        assert_eq!(values.get("a").expect("read"), None);

        let mut longer = |there: Option<&[u8]>| Ok([there.unwrap_or(b"one"), b", two"].concat());
        values.update("a", &mut longer).expect("written");
        assert_eq!(values.update("a", &mut longer).expect("written"), b"one, two, two");

        let values = FileValues::new(folder.path());
        assert_eq!(values.get("a").expect("read").as_deref(), Some(&b"one, two, two"[..]));
        let mode = fs::metadata(values.place("a")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        values.update("a", &mut |_| Err(ErrorKind::InvalidData.into())).expect_err("refused");
        assert_eq!(values.get("a").expect("read").as_deref(), Some(&b"one, two, two"[..]));
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1, "nothing is left beside it");
    }
}
