//! The mark beside the database: which history it has and how far that has come. A database that falls behind its mark has
//! lost something, whoever did that to it.
//!
//! It is one line of a fixed length, written in place without waiting for the disk: a second after something was committed,
//! and at the end. So it never says more than the database had, and after a kill it may say a second less.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use switchboard_events::LogError;

use super::history::History;

/// Its file in the data folder.
pub(super) const FILE: &str = "switchboard.mark";

/// How long what was committed waits to be marked.
const LAZY: Duration = Duration::from_secs(1);

/// What the line begins with: what it is, and of which form.
const FORM: &str = "switchboard-mark-1";

/// No mark is longer.
const MAX_BYTES: u64 = 256;

/// What is found in a data folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// There is none.
    Nothing,
    /// There is something that is not a mark.
    Damaged,
    /// The last one that was written.
    Mark(History),
}

/// The mark of a database.
#[derive(Debug)]
pub(super) struct Mark {
    path: PathBuf,
    /// What is to be written, and since when.
    due: Option<(History, Instant)>,
}

impl Mark {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self { path: folder.join(FILE), due: None }
    }

    /// The mark that is there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&self) -> Result<Found, LogError> {
        let mut bytes = Vec::new();
        match File::open(&self.path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)) {
            Ok(_) => Ok(parse(&bytes).map_or(Found::Damaged, Found::Mark)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(LogError::Store(format!("{} cannot be read: {error}", self.path.display()))),
        }
    }

    /// Something was committed: it is marked soon.
    pub(super) fn note(&mut self, history: History) {
        let since = self.due.take().map_or_else(Instant::now, |(_, since)| since);
        self.due = Some((history, since));
    }

    /// When it is to be written next.
    pub(super) fn due_at(&self) -> Option<Instant> {
        self.due.as_ref().map(|(_, since)| *since + LAZY)
    }

    /// Writes it if its time has come.
    pub(super) fn write_if_due(&mut self) {
        if self.due_at().is_some_and(|at| at <= Instant::now()) {
            self.write_what_is_due(false);
        }
    }

    /// Writes what has not been written yet, and waits for the disk.
    pub(super) fn finish(&mut self) {
        self.write_what_is_due(true);
    }

    /// Writes this, and waits for the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn set(&mut self, history: &History) -> Result<(), LogError> {
        self.due = None;
        let failed = |error| LogError::Store(format!("{} cannot be written: {error}", self.path.display()));
        write(&self.path, history, true).map_err(failed)?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
    }

    fn write_what_is_due(&mut self, sync: bool) {
        let Some((history, _)) = self.due.take() else { return };
        if let Err(error) = write(&self.path, &history, sync) {
            tracing::warn!(%error, "the mark beside the database could not be written; damage may go unnoticed");
        }
    }
}

/// Overwrites it: a line that is as long as the one before is there whole or not at all.
fn write(path: &Path, history: &History, sync: bool) -> std::io::Result<()> {
    let line = line(history);
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
    file.write_all_at(line.as_bytes(), 0)?;
    let length = line.len() as u64;
    if file.metadata()?.len() != length {
        file.set_len(length)?;
    }
    if sync { file.sync_data() } else { Ok(()) }
}

fn line(history: &History) -> String {
    let History { generation, entries, chain } = history;
    let text = format!("{FORM} {generation} {entries:020} {chain:08x}");
    let crc = crc32fast::hash(text.as_bytes());
    format!("{text} {crc:08x}\n")
}

fn parse(bytes: &[u8]) -> Option<History> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut words = text.strip_suffix('\n')?.split(' ');
    let (_, generation, entries, chain) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let history = History {
        generation: generation.into(),
        entries: entries.parse().ok()?,
        chain: u32::from_str_radix(chain, 16).ok()?,
    };
    // Byte for byte what would be written: so the checksum is right, and nothing is beside it.
    (line(&history) == text).then_some(history)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(entries: u64) -> History {
        History { generation: "0f4b8a1e-5d3c-4c1a-9f0e-3a7c5d2e8b61".into(), entries, chain: 0xab }
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mark = Mark::in_folder(folder.path());
        assert_eq!(mark.read().expect("read"), Found::Nothing);

        mark.set(&history(7)).expect("written");
        assert_eq!(mark.read().expect("read"), Found::Mark(history(7)));

        mark.note(history(8));
        mark.write_if_due();
        assert_eq!(mark.read().expect("read"), Found::Mark(history(7)), "a second has not passed");
        mark.finish();
        assert_eq!(mark.read().expect("read"), Found::Mark(history(8)));
    }

    #[test]
    fn no_byte_of_it_can_change_unseen() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mark = Mark::in_folder(folder.path());
        mark.set(&history(u64::MAX)).expect("written");
        let path = folder.path().join(FILE);
        let whole = std::fs::read(&path).expect("the mark");

        for place in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[place] ^= 1 << bit;
                std::fs::write(&path, &changed).expect("written");
                assert_eq!(mark.read().expect("read"), Found::Damaged, "bit {bit} of byte {place}");
            }
            std::fs::write(&path, &whole[..place]).expect("written");
            assert_eq!(mark.read().expect("read"), Found::Damaged, "{place} bytes");
        }
    }
}
