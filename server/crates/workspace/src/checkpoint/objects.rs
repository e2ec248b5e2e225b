//! Contents by their hash, as files in the data folder. A content that a checkpoint needs has a further name in that
//! checkpoint's own folder, so that the file system counts who needs it.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

use super::node::ContentHash;

/// The contents of the workspace as it was noted last.
#[derive(Debug)]
pub(super) struct Objects {
    folder: PathBuf,
    /// How many bytes all contents have, once they were counted.
    bytes: OnceLock<AtomicU64>,
}

impl Objects {
    pub(super) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let entries = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
        for unfinished in entries.filter(|path| path.extension().is_some_and(|extension| extension == "part")) {
            let _ = fs::remove_file(unfinished);
        }
        Ok(Self { folder, bytes: OnceLock::new() })
    }

    /// How many bytes all contents have.
    pub(super) fn bytes(&self) -> u64 {
        let count = || AtomicU64::new(self.all().map(|(_, bytes)| bytes).sum());
        self.bytes.get_or_init(count).load(Ordering::Relaxed)
    }

    /// Keeps a content; who is killed meanwhile leaves none that is not whole.
    pub(super) fn put(&self, hash: &ContentHash, content: &[u8]) -> io::Result<()> {
        let path = self.path(hash);
        // A machine that lost its power may have left an empty file of this name.
        if fs::metadata(&path).is_ok_and(|found| found.len() == content.len() as u64) {
            return Ok(());
        }
        let unfinished = self.folder.join(format!("{}.part", Uuid::new_v4()));
        let named = || match fs::rename(&unfinished, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
                fs::rename(&unfinished, &path)
            }
            named => named,
        };
        let written = fs::write(&unfinished, content).and_then(|()| named());
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        } else if let Some(bytes) = self.bytes.get() {
            bytes.fetch_add(content.len() as u64, Ordering::Relaxed);
        }
        written
    }

    /// Gives a content a further name, in `folder`; whether it is there.
    pub(super) fn link(&self, hash: &ContentHash, folder: &Path) -> io::Result<()> {
        link(&self.path(hash), &folder.join(hash.to_string()))
    }

    /// The content, from the first of these folders that has it, or from here.
    pub(super) fn read(&self, hash: &ContentHash, folders: &[PathBuf]) -> io::Result<Vec<u8>> {
        let mut error = io::Error::from(io::ErrorKind::NotFound);
        let named = folders.iter().map(|folder| folder.join(hash.to_string()));
        for path in named.chain([self.path(hash)]) {
            match read_whole(&path, hash) {
                Ok(content) => return Ok(content),
                Err(failed) => error = failed,
            }
        }
        Err(error)
    }

    /// Removes what none of these is, and what an earlier run left unfinished.
    pub(super) fn sweep(&self, needed: &HashSet<ContentHash>) {
        for (path, bytes) in self.all() {
            let hash = path.file_name().and_then(|name| name.to_str()?.parse().ok());
            if hash.is_none_or(|hash| !needed.contains(&hash)) && fs::remove_file(&path).is_ok() {
                self.bytes.get_or_init(AtomicU64::default).fetch_sub(bytes, Ordering::Relaxed);
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        let shelves = (0..=u8::MAX).map(|shelf| self.folder.join(format!("{shelf:02x}")));
        let entries = shelves.flat_map(|shelf| fs::read_dir(shelf).into_iter().flatten().flatten());
        entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())))
    }

    fn path(&self, hash: &ContentHash) -> PathBuf {
        let name = hash.to_string();
        self.folder.join(&name[..2]).join(name)
    }
}

/// Gives a file a further name; where the file system knows no such thing it is copied.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(_) => fs::copy(from, to).map(|_| ()),
        Ok(()) => Ok(()),
    }
}

/// A content is given only if it is what its name says: nobody gets back half of a file.
fn read_whole(path: &Path, hash: &ContentHash) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    fs::File::open(path)?.read_to_end(&mut content)?;
    match ContentHash::of(&content) == *hash {
        true => Ok(content),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "a kept content is damaged")),
    }
}
