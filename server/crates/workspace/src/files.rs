//! Opening and reading files. A file is opened without waiting and looked at before it is used, so that a pipe or a
//! device cannot hold anybody up.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};

use super::denied_paths::Access;
use super::entries::Fingerprint;
use super::error::{WorkspaceError, shown};
use super::inner::Inner;
use super::path::RelativePath;
use super::reserved_folders::{DenyCache, place_of};

impl Inner {
    /// The bytes of a file, and what they were like.
    pub(super) fn read(&self, path: &RelativePath, max: u64) -> Result<(Vec<u8>, Fingerprint), WorkspaceError> {
        let (mut file, metadata) = self.open_file(path).map_err(|error| self.with_near(path, error))?;
        let too_large = |bytes| WorkspaceError::TooLarge { path: path.to_string(), bytes, limit: max };
        if metadata.len() > max {
            return Err(too_large(metadata.len()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        // It may have grown since.
        (&mut file).take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(self.failed(path))?;
        let length = bytes.len() as u64;
        if length > max {
            return Err(too_large(length));
        }
        let fingerprint = Fingerprint::new(&metadata, length, Sha256::digest(&bytes).into());
        Ok((bytes, fingerprint))
    }

    /// At most `length` bytes of a file, from the byte `start` on.
    pub(super) fn read_range(&self, path: &RelativePath, start: u64, length: u64) -> Result<Vec<u8>, WorkspaceError> {
        let (mut file, _) = self.open_file(path).map_err(|error| self.with_near(path, error))?;
        file.seek(SeekFrom::Start(start)).map_err(self.failed(path))?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).map_err(self.failed(path))?;
        Ok(bytes)
    }

    /// A regular file, opened for reading; what it was like when it was opened.
    pub(super) fn open_file(&self, path: &RelativePath) -> Result<(File, std::fs::Metadata), WorkspaceError> {
        let file = self.dir.open_with(path, &waitless()).map_err(self.failed(path))?.into_std();
        self.allowed(&file, None, path)?;
        let metadata = file.metadata().map_err(self.failed(path))?;
        regular(path, &metadata)?;
        Ok((file, metadata))
    }

    /// Anything, to be looked at only.
    pub(super) fn locate(&self, path: &RelativePath) -> Result<File, WorkspaceError> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(OFlags::PATH.bits().cast_signed());
        let file = self.dir.open_with(path, &options).map_err(self.failed(path))?.into_std();
        self.allowed(&file, None, path)?;
        Ok(file)
    }

    /// A directory.
    pub(super) fn open_dir(&self, path: &RelativePath) -> Result<Dir, WorkspaceError> {
        let dir = self.dir.open_dir(path).map_err(self.failed(path))?;
        self.allowed(&dir, None, path)?;
        Ok(dir)
    }

    /// Refuses what is the server's own: the opened thing, or the entry `name` in it.
    pub(super) fn allowed(
        &self,
        opened: impl std::os::fd::AsFd,
        name: Option<&str>,
        path: &RelativePath,
    ) -> Result<(), WorkspaceError> {
        if self.denied.covers(&opened, name).map_err(self.failed(path))? {
            return Err(WorkspaceError::Denied { path: shown(path.as_str()) });
        }
        self.open_to_tools(opened, name, path, Access::Read)
    }

    /// Refuses what rules close.
    pub(super) fn open_to_tools(
        &self,
        opened: impl std::os::fd::AsFd,
        name: Option<&str>,
        path: &RelativePath,
        access: Access,
    ) -> Result<(), WorkspaceError> {
        if self.denied_paths.is_empty() {
            return Ok(());
        }
        let mut place = place_of(opened).map_err(self.failed(path))?;
        place.extend(name);
        match self.closes(&place, access) {
            true => Err(WorkspaceError::Closed { path: shown(path.as_str()), access }),
            false => Ok(()),
        }
    }

    /// Whether an entry of an opened folder may be shown.
    pub(super) fn shows(&self, folder: &DenyCache, name: &str) -> bool {
        !folder.covers(name) && (self.denied_paths.is_empty() || !self.closes(&folder.place.join(name), Access::Read))
    }

    fn closes(&self, place: &std::path::Path, access: Access) -> bool {
        let inside = place.strip_prefix(self.root()).ok().and_then(std::path::Path::to_str);
        inside.is_some_and(|inside| self.denied_paths.covers(inside, access))
    }

    /// The same error; if nothing was found, with names that could have been meant.
    pub(super) fn with_near(&self, path: &RelativePath, error: WorkspaceError) -> WorkspaceError {
        match error {
            WorkspaceError::NotFound { path: text, .. } => {
                WorkspaceError::NotFound { path: text, near: self.nearest(path) }
            }
            other => other,
        }
    }
}

/// Opening for reading without waiting for anybody at the other end, and without becoming a terminal's process.
pub(super) fn waitless() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    options
}

/// Refuses what is not a regular file.
pub(super) fn regular(path: &RelativePath, metadata: &std::fs::Metadata) -> Result<(), WorkspaceError> {
    let kind = metadata.file_type();
    let what = match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => return Err(WorkspaceError::IsADirectory { path: shown(path.as_str()) }),
        () if kind.is_fifo() => "pipe",
        () if kind.is_socket() => "socket",
        () if kind.is_symlink() => "symbolic link",
        () => "device",
    };
    Err(WorkspaceError::NotAFile { path: shown(path.as_str()), what })
}

/// Refuses to change what may be somebody else's file as well.
pub(super) fn only_name(path: &RelativePath, metadata: &std::fs::Metadata) -> Result<(), WorkspaceError> {
    if metadata.nlink() > 1 {
        return Err(WorkspaceError::HardLinked { path: shown(path.as_str()) });
    }
    Ok(())
}

/// The bytes as text.
pub(super) fn text(path: &str, bytes: Vec<u8>) -> Result<String, WorkspaceError> {
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(WorkspaceError::Binary { path: shown(path) }),
    }
}
