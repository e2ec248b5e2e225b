//! Which servers the user has switched off, kept in the data folder over restarts of the program. All others are on.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::error::McpError;
use super::saved::{read, save};

/// The names of the servers that are switched off.
#[derive(Debug, Default)]
pub(super) struct SwitchedOff {
    /// Absent: they are forgotten at the end.
    file: Option<PathBuf>,
    /// Held while the file is written, so that the two never differ.
    names: Mutex<BTreeSet<String>>,
}

impl SwitchedOff {
    /// Reads them.
    ///
    /// # Errors
    /// When the file is there and cannot be read: then nobody knows what was switched off.
    pub(super) fn read(file: Option<PathBuf>) -> Result<Self, McpError> {
        let Some(path) = file else { return Ok(Self::default()) };
        let wrong = |problem: String| McpError::SwitchedOff { path: path.display().to_string(), problem };
        let names = read(&path).map_err(wrong)?;
        Ok(Self { file: Some(path), names: Mutex::new(names) })
    }

    /// Whether this server is switched off.
    pub(super) fn contains(&self, server: &str) -> bool {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).contains(server)
    }

    /// Switches a server on or off: waits for the disk, then runs `switched`. Of two switches at once the second waits for
    /// the first's `switched`, so that what runs and what is kept never differ.
    ///
    /// # Errors
    /// When it cannot be saved; then it is as it was.
    pub(super) fn switch(&self, server: &str, on: bool, switched: impl FnOnce()) -> io::Result<()> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = names.clone();
        let is_new = if on { changed.remove(server) } else { changed.insert(server.to_owned()) };
        if is_new {
            if let Some(file) = &self.file {
                save(file, &serde_json::to_string_pretty(&changed)?)?;
            }
            *names = changed;
        }
        switched();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_switched_off_stays_so_after_a_new_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("off.json");
        let switched_off = SwitchedOff::read(Some(file.clone())).expect("there is none yet");
        for (name, on) in [("one", false), ("two", false), ("one", true)] {
            switched_off.switch(name, on, || ()).expect("it is saved");
        }

        let switched_off = SwitchedOff::read(Some(file.clone())).expect("it was written");

        assert_eq!((switched_off.contains("one"), switched_off.contains("two")), (false, true));
        fs::write(&file, "{").expect("it is written");
        let error = SwitchedOff::read(Some(file)).expect_err("it is damaged").to_string();
        assert!(error.contains("delete it"), "{error}");
    }

    #[test]
    fn what_cannot_be_saved_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let switched_off = SwitchedOff::read(Some(folder.path().join("gone/off.json"))).expect("there is none");

        switched_off.switch("one", false, || panic!("it is not switched")).expect_err("there is no such folder");

        assert!(!switched_off.contains("one"));
    }

    #[test]
    fn nobody_else_switches_between_the_file_and_the_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("off.json");
        let switched_off = SwitchedOff::read(Some(file.clone())).expect("there is none yet");

        for on in [false, false, true] {
            switched_off
                .switch("one", on, || {
                    let kept = fs::read_to_string(&file).expect("it is saved already");
                    assert_eq!(kept.contains("one"), !on);
                    assert!(switched_off.names.try_lock().is_err(), "another switch would get in between");
                })
                .expect("it is saved");
        }
    }
}
