//! Looking without changing: metadata, fingerprints, directories and similar names.

use std::os::unix::fs::MetadataExt;

use sha2::{Digest, Sha256};

use super::entries::{DirEntry, EntryKind, Fingerprint, Listing, Metadata, kind_of, nanoseconds};
use super::error::WorkspaceError;
use super::inner::Inner;
use super::path::RelativePath;
use switchboard_runtime as runtime;

/// How many entries of one directory are looked at.
const MAX_ENTRIES: usize = 10_000;

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
