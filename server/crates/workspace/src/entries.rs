//! What there is at a path: metadata, fingerprints, directories.

use std::os::unix::fs::MetadataExt;

use cap_std::fs::FileType;
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

impl EntryKind {
    /// Its name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Link => "link",
            Self::Other => "other",
        }
    }
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
    /// Its name; what is not UTF-8 in it is replaced.
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

pub(super) fn kind_of(kind: FileType) -> EntryKind {
    match () {
        () if kind.is_file() => EntryKind::File,
        () if kind.is_dir() => EntryKind::Directory,
        () if kind.is_symlink() => EntryKind::Link,
        () => EntryKind::Other,
    }
}

pub(super) fn nanoseconds(seconds: i64, rest: i64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}
