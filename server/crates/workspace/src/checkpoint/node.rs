//! What there is at a path, so that it can be told from what is there later, and made again.

use std::fmt;
use std::str::FromStr;

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Its bytes.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // By hand: a note of a large workspace writes tens of thousands of them.
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let text: String = self
            .0
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .map(|digit| char::from(DIGITS[usize::from(digit)]))
            .collect();
        formatter.write_str(&text)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl FromStr for ContentHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a SHA-256 in hexadecimal");
        let mut hash = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        for (at, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Self(hash))
    }
}

impl TryFrom<String> for ContentHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// What there is at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Node {
    /// A file whose content is kept.
    File {
        /// Its content.
        hash: ContentHash,
        /// Its permissions, the lower nine bits.
        mode: u32,
        /// The first path of the workspace that is the same file, if it has several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same_as: Option<String>,
    },
    /// A symbolic link.
    Link {
        /// Where it leads to, as it is written.
        target: String,
    },
    /// A folder.
    Folder {
        /// Its permissions, without the bit that gives its user away.
        mode: u32,
    },
    /// A file whose content is not kept.
    Unkept {
        /// By what it is recognized.
        stamp: Stamp,
        /// Why it is not kept.
        why: Unkept,
    },
}

impl Node {
    /// Whether there is the same here, whatever other names a file has, and whatever kept it from being kept.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { hash, mode, .. }, Self::File { hash: others, mode: other_mode, .. }) => {
                (hash, mode) == (others, other_mode)
            }
            (Self::Unkept { stamp, .. }, Self::Unkept { stamp: others, .. }) => stamp.is_of_same_content(others),
            _ => self == other,
        }
    }

    /// Its content, if it is a file that is kept.
    #[must_use]
    pub fn hash(&self) -> Option<&ContentHash> {
        match self {
            Self::File { hash, .. } => Some(hash),
            Self::Link { .. } | Self::Folder { .. } | Self::Unkept { .. } => None,
        }
    }
}

/// Why a content is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unkept {
    /// The file is too large.
    TooLarge,
    /// All files together are too large.
    NoRoom,
    /// There was no time to read it.
    TooLate,
    /// It cannot be read, or changes all the time.
    Unreadable,
}

/// By what a file is recognized without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its inode.
    pub(super) inode: u64,
    /// How large it is.
    pub(super) bytes: u64,
    /// Its permissions.
    pub(super) mode: u32,
    /// When its content was changed, in nanoseconds since 1970.
    pub(super) modified: i64,
    /// When anything of it was changed, in nanoseconds since 1970.
    pub(super) changed: i64,
    /// How many names it has.
    pub(super) names: u64,
}

impl Stamp {
    #[expect(clippy::useless_conversion, reason = "the types differ between machines")]
    pub(super) fn new(stat: &Stat) -> Self {
        let time = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            inode: stat.st_ino.into(),
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            mode: stat.st_mode,
            modified: time(stat.st_mtime.into(), i64::try_from(stat.st_mtime_nsec).unwrap_or_default()),
            changed: time(stat.st_ctime.into(), i64::try_from(stat.st_ctime_nsec).unwrap_or_default()),
            names: u64::try_from(stat.st_nlink).unwrap_or(u64::MAX),
        }
    }

    /// Whether a file is most likely what it was: a further name, a new name or another owner do not change it.
    pub(super) fn is_of_same_content(&self, other: &Self) -> bool {
        let known = |stamp: &Self| (stamp.inode, stamp.bytes, stamp.mode, stamp.modified);
        known(self) == known(other)
    }

    /// What it is.
    pub(super) fn file_type(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    /// Whether it is neither a file nor a folder nor a link: such things are not noted.
    pub(super) fn is_special(&self) -> bool {
        !matches!(self.file_type(), FileType::RegularFile | FileType::Directory | FileType::Symlink)
    }

    /// The permissions of a file: never those that lend somebody's rights.
    pub(super) fn file_mode(&self) -> u32 {
        self.mode & 0o777
    }

    pub(super) fn folder_mode(&self) -> u32 {
        self.mode & 0o3777
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_written_and_read() {
        let hash = ContentHash::of(b"x");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert!("../../etc".parse::<ContentHash>().is_err() && "é".repeat(32).parse::<ContentHash>().is_err());
    }
}
