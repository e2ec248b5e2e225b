//! Several files changed as one: all of them, or none.

use switchboard_protocol::ErrorType;

use switchboard_events::MAX_VALUE_BYTES;
use switchboard_tools::{SeenFile, ToolContext, ToolFailure};
use switchboard_workspace::{RelativePath, Workspace, WorkspaceError, WorkspaceErrorKind, Written};

/// What a file becomes.
pub(super) struct Becomes {
    pub(super) path: RelativePath,
    /// Its bytes; `None`: it is removed.
    pub(super) content: Option<Vec<u8>>,
    /// Its permissions, if they are not to stay as they are.
    pub(super) mode: Option<u32>,
}

/// A file before it was changed.
struct Was {
    path: RelativePath,
    content: Option<(Vec<u8>, u32)>,
}

/// Changes all files; if one of them cannot be changed, those before it are put back.
pub(super) async fn change_in_transaction(
    context: &ToolContext,
    changes: Vec<Becomes>,
) -> Result<Vec<SeenFile>, ToolFailure> {
    let workspace = &context.workspace;
    let mut done = Vec::new();
    let mut written = Vec::new();
    for change in changes {
        match change_one(workspace, &change).await {
            Ok((was, file)) => {
                done.push(was);
                written.extend(file);
            }
            Err(error) => return Err(put_back(workspace, done, error.into()).await),
        }
    }
    Ok(written)
}

async fn change_one(workspace: &Workspace, change: &Becomes) -> Result<(Was, Option<SeenFile>), WorkspaceError> {
    let was = before(workspace, &change.path).await?;
    let path = workspace.unlinked(change.path.as_str()).await?;
    let written = become_so(workspace, change).await?;
    Ok((was, written.map(|file| SeenFile { path, fingerprint: file.fingerprint })))
}

async fn before(workspace: &Workspace, path: &RelativePath) -> Result<Was, WorkspaceError> {
    let content = match workspace.read_tracked(path.as_str(), MAX_VALUE_BYTES as u64).await {
        Ok((bytes, fingerprint)) => Some((bytes, fingerprint.mode)),
        Err(error) if error.kind() == WorkspaceErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    Ok(Was { path: path.clone(), content })
}

async fn become_so(workspace: &Workspace, change: &Becomes) -> Result<Option<Written>, WorkspaceError> {
    let path = change.path.as_str();
    match (&change.content, change.mode) {
        (Some(bytes), Some(mode)) => workspace.write_with_mode(path, bytes.clone(), mode).await.map(Some),
        (Some(bytes), None) => workspace.write_atomic(path, bytes.clone()).await.map(Some),
        (None, _) => match workspace.remove(path).await {
            Err(error) if error.kind() == WorkspaceErrorKind::NotFound => Ok(None),
            removed => removed.map(|()| None),
        },
    }
}

async fn put_back(workspace: &Workspace, done: Vec<Was>, failure: ToolFailure) -> ToolFailure {
    let mut lost = Vec::new();
    for Was { path, content } in done.into_iter().rev() {
        let (content, mode) = content.unzip();
        if become_so(workspace, &Becomes { path: path.clone(), content, mode }).await.is_err() {
            lost.push(path.to_string());
        }
    }
    if lost.is_empty() {
        let message = format!("{}; no file was changed", failure.message);
        return ToolFailure { message, ..failure };
    }
    let message = format!("{}; these files could not be restored: {}", failure.message, lost.join(", "));
    ToolFailure::new(ErrorType::System, message).suggesting("Check these files before you continue.")
}
