//! What there is: metadata, fingerprints, directories and near misses.

use std::os::unix::fs::MetadataExt;

use cap_std::fs::FileType;
use sha2::{Digest, Sha256};

use super::error::WorkspaceError;
use super::path::RelativePath;
use super::root::Inner;
use switchboard_runtime as runtime;

/// How many entries of one directory are looked at.
const MAX_ENTRIES: usize = 10_000;

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// What there is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: EntryKind,
    /// How large it is.
    pub bytes: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub modified: i128,
}

/// What a file was like when it was read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// How large it was.
    pub bytes: u64,
    /// When it had been changed, in nanoseconds since 1970.
    pub modified: i128,
    /// Its permissions, the lower nine bits.
    pub mode: u32,
    /// SHA-256 of its content.
    pub hash: [u8; 32],
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// Its name; what is no UTF-8 in it is replaced.
    pub name: String,
    /// What it is like; of a link, the link itself.
    pub metadata: Metadata,
}

/// What is in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its entries by name, 10,000 at most.
    pub entries: Vec<DirEntry>,
    /// Whether there are more.
    pub more: bool,
}

impl Fingerprint {
    pub(super) fn new(metadata: &std::fs::Metadata, bytes: u64, hash: [u8; 32]) -> Self {
        let modified = nanoseconds(metadata.mtime(), metadata.mtime_nsec());
        Self { bytes, modified, mode: metadata.mode() & 0o777, hash }
    }

    /// Whether the content is the same, whenever it was written.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        (self.bytes, self.hash) == (other.bytes, other.hash)
    }
}

impl Inner {
    pub(super) fn metadata(&self, path: &RelativePath) -> Result<Metadata, WorkspaceError> {
        let place = self.locate(path).map_err(|error| self.with_near(path, error))?;
        let found = place.metadata().map_err(self.failed(path))?;
        let kind = match found.file_type() {
            kind if kind.is_file() => EntryKind::File,
            kind if kind.is_dir() => EntryKind::Directory,
            kind if kind.is_symlink() => EntryKind::Link,
            _ => EntryKind::Other,
        };
        Ok(Metadata { kind, bytes: found.len(), modified: nanoseconds(found.mtime(), found.mtime_nsec()) })
    }

    pub(super) fn fingerprint(&self, path: &RelativePath) -> Result<Fingerprint, WorkspaceError> {
        let (mut file, metadata) = self.open_file(path)?;
        let mut hasher = Sha256::new();
        let bytes = std::io::copy(&mut file, &mut hasher).map_err(self.failed(path))?;
        Ok(Fingerprint::new(&metadata, bytes, hasher.finalize().into()))
    }

    pub(super) fn unchanged(&self, path: &RelativePath, before: &Fingerprint) -> Result<bool, WorkspaceError> {
        let now = self.metadata(path)?;
        if (now.kind, now.bytes, now.modified) == (EntryKind::File, before.bytes, before.modified) {
            return Ok(true);
        }
        Ok(self.fingerprint(path)?.same_content(before))
    }

    pub(super) fn list(&self, path: &RelativePath) -> Result<Listing, WorkspaceError> {
        let dir = self.open_dir(path).map_err(|error| self.with_near(path, error))?;
        let mut entries = Vec::new();
        let mut more = false;
        for entry in dir.entries().map_err(self.failed(path))? {
            if entries.len() == MAX_ENTRIES {
                more = true;
                break;
            }
            let entry = entry.map_err(self.failed(path))?;
            // Whoever is removed meanwhile is not there.
            let Ok(metadata) = entry.metadata() else { continue };
            entries.push(DirEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                metadata: Metadata {
                    kind: kind_of(metadata.file_type()),
                    bytes: metadata.len(),
                    modified: {
                        use cap_std::fs::MetadataExt;
                        nanoseconds(metadata.mtime(), metadata.mtime_nsec())
                    },
                },
            });
        }
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(Listing { entries, more })
    }

    /// The deepest folder of the path that is there, and names in it that are like the one that is not.
    pub(super) fn nearest(&self, path: &RelativePath) -> Vec<String> {
        let mut path = path.clone();
        while let (Some(folder), Some(wanted)) = (path.parent(), path.name()) {
            if let Ok(listing) = self.open_dir(&folder).and_then(|_| self.list(&folder)) {
                let names = listing.entries.iter().map(|entry| entry.name.as_str()).filter(|name| *name != wanted);
                let near = runtime::nearest(wanted, names, 3);
                return near.into_iter().map(|name| folder.child(name).to_string()).collect();
            }
            path = folder;
        }
        Vec::new()
    }
}

pub(super) fn kind_of(kind: FileType) -> EntryKind {
    match () {
        () if kind.is_file() => EntryKind::File,
        () if kind.is_dir() => EntryKind::Directory,
        () if kind.is_symlink() => EntryKind::Link,
        () => EntryKind::Other,
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}
