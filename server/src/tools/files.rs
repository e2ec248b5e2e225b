//! What the session knows of the workspace's files: a file that it has seen is changed only while it is still what it
//! was, and by one call at a time. A file that it has never seen may be written: the user may have asked for just that.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use switchboard_protocol::ErrorType;

use super::result::{SeenFile, ToolFailure, ToolResult};
use crate::workspace::{FileLocks, Fingerprint, RelativePath, Workspace, WorkspaceError, WorkspaceErrorKind};

/// The files that a session has seen.
#[derive(Debug, Default)]
pub(super) struct FileTracker {
    seen: Mutex<BTreeMap<RelativePath, Fingerprint>>,
}

impl FileTracker {
    /// Takes these files for one call, until the locks are dropped.
    pub(super) async fn take(&self, workspace: &Workspace, paths: &[String]) -> Result<FileLocks, ToolFailure> {
        let paths: Result<Vec<RelativePath>, _> = paths.iter().map(|path| workspace.relative(path)).collect();
        let paths = paths?;
        let locks = workspace.lock(&paths).await;
        for path in &paths {
            self.is_as_seen(workspace, path).await?;
        }
        Ok(locks)
    }

    /// Remembers the files that a call has read and written.
    pub(super) fn saw(&self, result: &ToolResult) {
        let mut seen = self.seen();
        for SeenFile { path, fingerprint } in result.read_files.iter().chain(&result.written_files) {
            seen.insert(path.clone(), fingerprint.clone());
        }
    }

    /// Forgets them all.
    pub(super) fn clear(&self) {
        self.seen().clear();
    }

    async fn is_as_seen(&self, workspace: &Workspace, path: &RelativePath) -> Result<(), ToolFailure> {
        let Some(before) = self.seen().get(path).cloned() else { return Ok(()) };
        match workspace.unchanged(path.as_str(), &before).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message = format!("{path} has changed since it was last read or written here");
                let next = format!("Read it again with file_read(path={:?}), then decide.", path.as_str());
                Err(ToolFailure::new(ErrorType::User, message).suggesting(next))
            }
            // It is gone: writing it again loses nothing.
            Err(error) if error.kind() == WorkspaceErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<RelativePath, Fingerprint>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<WorkspaceError> for ToolFailure {
    fn from(error: WorkspaceError) -> Self {
        let error_type = match error.kind() {
            WorkspaceErrorKind::Outside => ErrorType::Security,
            WorkspaceErrorKind::Denied | WorkspaceErrorKind::Permission => ErrorType::Permission,
            WorkspaceErrorKind::Full | WorkspaceErrorKind::Other => ErrorType::System,
            WorkspaceErrorKind::NotFound
            | WorkspaceErrorKind::IsADirectory
            | WorkspaceErrorKind::NotADirectory
            | WorkspaceErrorKind::NotAFile
            | WorkspaceErrorKind::BadPath
            | WorkspaceErrorKind::TooLarge
            | WorkspaceErrorKind::Binary => ErrorType::User,
        };
        let text = error.to_string();
        // The workspace says what happened and, behind a semicolon, what to do next.
        let (message, next) = text.rsplit_once("; ").unwrap_or((&text, ""));
        let next = match &error {
            WorkspaceError::IsADirectory { path } => format!("Use list_directory(path={path:?}) to see what is in it."),
            _ => sentence(next),
        };
        let failure = ToolFailure::new(error_type, message);
        if next.is_empty() { failure } else { failure.suggesting(next) }
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
