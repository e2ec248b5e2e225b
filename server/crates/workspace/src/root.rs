//! [`Workspace`]: the folder's handle, and what tools may ask of it; the work itself is done on threads for blocking work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::denied_paths::DeniedPaths;
use super::entries::{Fingerprint, Listing, Metadata};
use super::error::WorkspaceError;
use super::inner::Inner;
use super::locks::FileLocks;
use super::path::RelativePath;
use super::pending::Notes;
use super::reserved_folders::ReservedFolders;
use super::walk::{Walk, WalkOptions};
use super::write::Written;

/// The folder that tools live in; cheap to clone.
///
/// A path may be relative to the folder, or absolute and inside it.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) inner: Arc<Inner>,
}

impl Workspace {
    /// Opens the folder; `denied` are the server's own folders and files.
    ///
    /// # Errors
    /// When the folder does not exist, is no directory, cannot be read, or lies inside one of `denied`.
    pub fn open(folder: &Path, denied: &[PathBuf]) -> Result<Self, WorkspaceError> {
        let unusable = |reason: String| WorkspaceError::Unusable { folder: folder.display().to_string(), reason };
        let failed = |error: std::io::Error| unusable(error.to_string());
        let root = folder.canonicalize().map_err(failed)?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).map_err(failed)?;
        let denied = ReservedFolders::new(denied).map_err(failed)?;
        if let Some(around) = denied.around(&root) {
            return Err(unusable(format!("it lies inside the server's own folder {}", around.display())));
        }
        let given = std::path::absolute(folder).map_err(failed)?;
        let inner = Inner {
            dir: Arc::new(dir),
            denied: Arc::new(denied),
            locks: Arc::default(),
            denied_paths: DeniedPaths::default(),
            notes: Arc::default(),
            roots: vec![root, given],
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The same folder, with these files closed to whoever gets it.
    #[must_use]
    pub fn denying(&self, denied_paths: DeniedPaths) -> Self {
        self.with(denied_paths, Arc::clone(&self.inner.notes))
    }

    /// The same folder; the names of files on their way to their places are noted in the server's data folder, so that
    /// [`Self::remove_left_behind`] finds them after a crash.
    ///
    /// # Errors
    /// When the notes' folder cannot be made.
    pub fn noting_writes_in(&self, data: &Path) -> std::io::Result<Self> {
        Ok(self.with(self.inner.denied_paths.clone(), Arc::new(Notes::in_data(data)?)))
    }

    fn with(&self, denied_paths: DeniedPaths, notes: Arc<Notes>) -> Self {
        let Inner { dir, denied, locks, roots, .. } = self.inner.as_ref();
        let (dir, denied, locks) = (Arc::clone(dir), Arc::clone(denied), Arc::clone(locks));
        Self { inner: Arc::new(Inner { dir, denied, locks, denied_paths, notes, roots: roots.clone() }) }
    }

    /// Removes the files that an earlier run left behind when it was killed in the middle of a write, and answers how
    /// many there were. Only the owner of the data folder may ask for it; waits for the disk.
    #[must_use]
    pub fn remove_left_behind(&self) -> usize {
        self.inner.remove_left_behind()
    }

    /// What is closed here.
    #[must_use]
    pub fn denied_paths(&self) -> &DeniedPaths {
        &self.inner.denied_paths
    }

    /// Where a path leads when its links are followed; `None` if there is nothing there, or it leads out.
    #[must_use]
    pub fn real(&self, path: &RelativePath) -> Option<RelativePath> {
        let real = self.inner.dir.canonicalize(path).ok()?;
        self.relative(real.to_str()?).ok()
    }

    /// The folder, without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.inner.root()
    }

    /// The folder's own name; the root of all folders has none.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.root().file_name().map(|name| name.to_string_lossy().into_owned())
    }

    /// The path inside the workspace that a text names; nothing is opened.
    ///
    /// # Errors
    /// When the text is not a path, or names something outside.
    pub fn relative(&self, path: &str) -> Result<RelativePath, WorkspaceError> {
        RelativePath::parse(path, &self.inner.roots)
    }

    /// The bytes of a file of at most `max_bytes`.
    ///
    /// # Errors
    /// When there is no such file, with similar names in the error, or it is too large.
    pub async fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, WorkspaceError> {
        Ok(self.read_tracked(path, max_bytes).await?.0)
    }

    /// At most `length` bytes of a file, from the byte `start` on.
    ///
    /// # Errors
    /// When there is no such file.
    pub async fn read_range(&self, path: &str, start: u64, length: u64) -> Result<Vec<u8>, WorkspaceError> {
        self.blocking(path, move |inner, path| inner.read_range(path, start, length)).await
    }

    /// The bytes of a file as [`Self::read`] gives them, with the fingerprint of exactly what was read.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_tracked(&self, path: &str, max_bytes: u64) -> Result<(Vec<u8>, Fingerprint), WorkspaceError> {
        self.blocking(path, move |inner, path| inner.read(path, max_bytes)).await
    }

    /// The text of a file of at most `max_bytes`.
    ///
    /// # Errors
    /// As [`Self::read`], and when it is not UTF-8 or has NUL bytes in it.
    pub async fn read_text(&self, path: &str, max_bytes: u64) -> Result<String, WorkspaceError> {
        let bytes = self.read(path, max_bytes).await?;
        super::files::text(path, bytes)
    }

    /// Writes a file as a whole: whoever reads it, also after a crash, sees the old content or the new. Folders that are
    /// missing are made, and an existing file keeps its mode.
    ///
    /// # Errors
    /// When it is not a regular file, has other names, or cannot be written; then it is as it was.
    pub async fn write_atomic(&self, path: &str, bytes: Vec<u8>) -> Result<Written, WorkspaceError> {
        self.blocking(path, move |inner, path| inner.write(path, &bytes, None)).await
    }

    /// The same, and gives the file these permissions (the lower nine bits).
    ///
    /// # Errors
    /// As [`Self::write_atomic`].
    pub async fn write_with_mode(&self, path: &str, bytes: Vec<u8>, mode: u32) -> Result<Written, WorkspaceError> {
        self.blocking(path, move |inner, path| inner.write(path, &bytes, Some(mode))).await
    }

    /// The path of a file without links: the same for all its names, hard links excepted. It need not be there.
    ///
    /// # Errors
    /// When it leads out.
    pub async fn unlinked(&self, path: &str) -> Result<RelativePath, WorkspaceError> {
        self.blocking(path, Inner::unlinked).await
    }

    /// Removes a file, or a link itself.
    ///
    /// # Errors
    /// When there is none, or it is a directory.
    pub async fn remove(&self, path: &str) -> Result<(), WorkspaceError> {
        self.blocking(path, Inner::remove).await
    }

    /// What there is at a path, links followed; nothing of it is read.
    ///
    /// # Errors
    /// When there is nothing, or it leads out.
    pub async fn metadata(&self, path: &str) -> Result<Metadata, WorkspaceError> {
        self.blocking(path, Inner::metadata).await
    }

    /// What a file is like now, to know later whether it has changed.
    ///
    /// # Errors
    /// When there is no such file.
    pub async fn fingerprint(&self, path: &str) -> Result<Fingerprint, WorkspaceError> {
        self.blocking(path, Inner::fingerprint).await
    }

    /// Whether a file is still what it was; it is read only if its time or size differ.
    ///
    /// # Errors
    /// When there is no such file.
    pub async fn unchanged(&self, path: &str, before: &Fingerprint) -> Result<bool, WorkspaceError> {
        let before = before.clone();
        self.blocking(path, move |inner, path| inner.unchanged(path, &before)).await
    }

    /// What is in a directory, sorted by name.
    ///
    /// # Errors
    /// When there is no such directory.
    pub async fn list(&self, path: &str) -> Result<Listing, WorkspaceError> {
        self.blocking(path, Inner::list).await
    }

    /// Names in the same folder that are nearly the same, as paths; for "did you mean".
    pub async fn nearest(&self, path: &str) -> Vec<String> {
        self.blocking(path, |inner, path| Ok(inner.nearest(path))).await.unwrap_or_default()
    }

    /// Everything below a directory, in order, without what `.gitignore` names; links are shown and not followed.
    ///
    /// The walk does its work when it is asked for the next entry: use it on a thread for blocking work.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn walk(&self, path: &str, options: WalkOptions) -> Result<Walk, WorkspaceError> {
        let path = self.relative(path)?;
        Walk::new(Arc::clone(&self.inner), &path, options)
    }

    /// Waits until nobody else holds one of these files, and holds them. It does not keep programs outside from them.
    pub async fn lock(&self, paths: &[RelativePath]) -> FileLocks {
        self.inner.locks.lock(paths).await
    }

    async fn blocking<T, F>(&self, path: &str, work: F) -> Result<T, WorkspaceError>
    where
        T: Send + 'static,
        F: FnOnce(&Inner, &RelativePath) -> Result<T, WorkspaceError> + Send + 'static,
    {
        let inner = Arc::clone(&self.inner);
        let path = self.relative(path)?;
        let text = path.to_string();
        let done = tokio::task::spawn_blocking(move || work(&inner, &path)).await;
        done.unwrap_or_else(|error| Err(WorkspaceError::Io { path: text, reason: error.to_string() }))
    }
}
