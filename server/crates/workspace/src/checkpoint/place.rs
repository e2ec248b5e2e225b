//! Where a checkpoint is in the data folder, and its files there.
//!
//! `before.json` is there while the call runs, `changes.json` when it has ended, `objects/` has the contents, `journal`
//! is there while it is put back.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

/// A checkpoint's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
}

impl Place {
    /// A new one among those of a session.
    pub(super) fn new(calls: &Path, session: &str, id: Uuid) -> io::Result<Self> {
        let is_name = !session.is_empty() && session.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-');
        if !is_name {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let place = Self { folder: calls.join(session).join(id.to_string()) };
        fs::create_dir_all(place.objects())?;
        Ok(place)
    }

    /// The one of this id, whichever session it was made in: forks have those of their origin.
    pub(super) fn find(calls: &Path, session: &str, id: Uuid) -> Option<Self> {
        let own = calls.join(session);
        let others = fs::read_dir(calls).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut folders = std::iter::once(own).chain(others).map(|session| session.join(id.to_string()));
        folders.find(|folder| folder.is_dir()).map(|folder| Self { folder })
    }

    /// All of them.
    pub(super) fn all(calls: &Path) -> Vec<Self> {
        let sessions = fs::read_dir(calls).into_iter().flatten().flatten();
        sessions.flat_map(|session| Self::of_session(&session.path())).collect()
    }

    /// Those in the folder of a session.
    pub(super) fn of_session(folder: &Path) -> Vec<Self> {
        let folders = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        folders.filter(|folder| folder.is_dir()).map(|folder| Self { folder }).collect()
    }

    pub(super) fn id(&self) -> Option<Uuid> {
        self.folder.file_name()?.to_str()?.parse().ok()
    }

    pub(super) fn objects(&self) -> PathBuf {
        self.folder.join("objects")
    }

    pub(super) fn before(&self) -> PathBuf {
        self.folder.join("before.json")
    }

    pub(super) fn changes(&self) -> PathBuf {
        self.folder.join("changes.json")
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// How many bytes its contents have.
    pub(super) fn bytes(&self) -> u64 {
        let entries = fs::read_dir(self.objects()).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
    }

    pub(super) fn remove(&self) {
        self.end_journal();
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// A restore is done, or taken back: nothing is left for the next start.
    pub(super) fn end_journal(&self) {
        if fs::remove_file(self.journal()).is_ok() {
            let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        }
    }
}

/// Writes a value as a whole file, durable if it must be.
pub(super) fn write(path: &Path, value: &impl Serialize, durable: bool) -> io::Result<()> {
    let unfinished = path.with_extension("part");
    let mut writer = BufWriter::new(File::create(&unfinished)?);
    serde_json::to_writer(&mut writer, value)?;
    writer.flush()?;
    if durable {
        writer.get_ref().sync_all()?;
    }
    fs::rename(&unfinished, path)?;
    match path.parent() {
        Some(folder) if durable => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// The value of a file; none if it is not there.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match File::open(path) {
        Ok(file) => Ok(Some(serde_json::from_reader(BufReader::new(file))?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
