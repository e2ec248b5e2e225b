//! Which servers the user has switched off, kept over restarts of the program. All others are on.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use super::error::McpError;
use super::saved::Saved;

/// The names of the servers that are switched off.
#[derive(Debug, Default)]
pub(super) struct SwitchedOff {
    /// Absent: they are forgotten at the end.
    saved: Option<Saved>,
    /// Held while they are written, so that the two never differ.
    names: Mutex<BTreeSet<String>>,
}

impl SwitchedOff {
    /// Reads them.
    ///
    /// # Errors
    /// When they are there and cannot be read: then nobody knows what was switched off.
    pub(super) fn read(saved: Option<Saved>) -> Result<Self, McpError> {
        let Some(saved) = saved else { return Ok(Self::default()) };
        let names = saved.read().map_err(|problem| McpError::SwitchedOff { path: saved.place(), problem })?;
        Ok(Self { saved: Some(saved), names: Mutex::new(names) })
    }

    /// Takes what other servers have switched; tells each server of these whether it is on now.
    pub(super) fn take_up<'a>(&self, servers: impl Iterator<Item = (&'a String, &'a watch::Sender<bool>)>) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        match self.saved.as_ref().map(Saved::read) {
            Some(Ok(read)) => *names = read,
            Some(Err(problem)) => tracing::error!("which MCP servers are switched off cannot be read: {problem}"),
            None => {}
        }
        for (server, is_on) in servers {
            let on = !names.contains(server);
            is_on.send_if_modified(|is_on| std::mem::replace(is_on, on) != on);
        }
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
        let change = |names: &mut BTreeSet<String>| {
            if on { names.remove(server) } else { names.insert(server.to_owned()) }
        };
        if names.contains(server) == on {
            match &self.saved {
                Some(saved) => *names = saved.update(|names| _ = change(names))?,
                None => _ = change(&mut names),
            }
        }
        switched();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::path::Path;
    use std::sync::Arc;

    use switchboard_runtime::FileValues;

    use super::*;

    fn saved(folder: &Path) -> Option<Saved> {
        Some(Saved::new(Arc::new(FileValues::new(folder)), "off.json"))
    }

    #[test]
    fn what_was_switched_off_stays_so_after_a_new_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("off.json");
        let switched_off = SwitchedOff::read(saved(folder.path())).expect("there is none yet");
        for (name, on) in [("one", false), ("two", false), ("one", true)] {
            switched_off.switch(name, on, || ()).expect("it is saved");
        }

        let switched_off = SwitchedOff::read(saved(folder.path())).expect("it was written");

        assert_eq!((switched_off.contains("one"), switched_off.contains("two")), (false, true));
        fs::write(&file, "{").expect("it is written");
        let error = SwitchedOff::read(saved(folder.path())).expect_err("it is damaged").to_string();
        assert!(error.contains("delete it"), "{error}");
    }

    #[test]
    fn what_cannot_be_saved_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let switched_off = SwitchedOff::read(saved(&folder.path().join("gone"))).expect("there is none");

        switched_off.switch("one", false, || panic!("it is not switched")).expect_err("there is no such folder");

        assert!(!switched_off.contains("one"));
    }

    #[test]
    fn nobody_else_switches_between_the_file_and_the_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("off.json");
        let switched_off = SwitchedOff::read(saved(folder.path())).expect("there is none yet");

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
