//! The files that a call changes: held for it, kept as they were before it, and compared after it.

use std::sync::Arc;

use switchboard_protocol::ErrorType;

use super::call::{Call, FilesCheck, Instead, Stopped};
use super::{Invocation, ToolManager};
use crate::checkpoints::CallChanges;
use crate::files::Rule;
use crate::host::CallHost;
use crate::result::{ToolFailure, ToolResult};
use crate::undo::{UndoPlan, UndoWork};
use switchboard_context::ContextManager;
use switchboard_events::{
    ArtifactValue, Blob, BlobHash, CheckpointRecord, FileBefore, FileChange, FileImage, MAX_VALUE_BYTES, Values,
};
use switchboard_workspace::checkpoint::{Begun, Note};
use switchboard_workspace::{FileLocks, Fingerprint, RelativePath, Workspace, WorkspaceErrorKind};

/// The files of a call while it runs.
pub(super) struct Held {
    _locks: FileLocks,
    files: Vec<HeldFile>,
    /// The files as they were; `None` when they are too large to keep, or the tool cannot be undone.
    pub(super) images: Option<Vec<FileImage>>,
    /// Large contents of the images.
    pub(super) blobs: Vec<Blob>,
    /// What a tool that undoes puts back.
    pub(super) undo: Arc<UndoWork>,
    /// The workspace before a program that the call runs.
    pub(super) checkpoint: Option<Begun>,
}

struct HeldFile {
    path: RelativePath,
    before: Option<Fingerprint>,
}

impl ToolManager {
    /// Whether the call's files may be changed, and if so, whether that can be undone; asked before the user is. A call
    /// that is changing them comes to its end first: what it leaves is known only then.
    pub(super) async fn check_files(
        &self,
        invocation: &Invocation<'_>,
        call: &Call,
    ) -> Result<FilesCheck, Box<Stopped>> {
        if let Some(checkpoints) = self.config.checkpoints.as_ref().filter(|_| call.runs_program()) {
            let note = checkpoints.note(&self.workspace()).await;
            let undoable = note.as_ref().is_some_and(Note::is_whole);
            return Ok(FilesCheck { undoable, not_kept: note.and_then(|note| note.not_kept()) });
        }
        let check = async {
            let workspace = &self.config.workspace;
            let _locks = self.files.lock(workspace, &call.claims).await;
            self.files.check(workspace, &call.claims, rule(invocation, call)).await
        };
        let fits = unless_cancelled(invocation, check).await;
        let fits = fits.map_err(|failure| call.stopped(Instead::Failure(failure)))?;
        let not_kept = call.undo.as_ref().and_then(UndoPlan::not_kept);
        Ok(FilesCheck { undoable: fits && call.tool.spec().undoable, not_kept })
    }

    /// Takes the files that the call will change for itself, once they are what they must be.
    pub(super) async fn take_files(
        &self,
        invocation: &Invocation<'_>,
        call: &Call,
        host: &dyn CallHost,
    ) -> Result<Held, Box<Stopped>> {
        let taken = unless_cancelled(invocation, self.take(invocation, call, host)).await;
        taken.map_err(|failure| call.stopped(Instead::Failure(failure)))
    }

    async fn take(&self, invocation: &Invocation<'_>, call: &Call, host: &dyn CallHost) -> Result<Held, ToolFailure> {
        let workspace = &self.config.workspace;
        let locks = self.files.lock(workspace, &call.claims).await;
        let fits = self.files.check(workspace, &call.claims, rule(invocation, call)).await?;
        let mut held = Held {
            _locks: locks,
            files: Vec::new(),
            images: (fits && call.tool.spec().undoable && !call.claims.is_empty()).then(Vec::new),
            blobs: Vec::new(),
            undo: Arc::default(),
            checkpoint: None,
        };
        for claim in &call.claims {
            held.keep(workspace, &claim.path, host.values()).await?;
        }
        let checkpoints = self.config.checkpoints.as_ref();
        if let Some(plan) = &call.undo {
            held.undo = Arc::new(plan.load(host, checkpoints, &self.workspace()).await?);
        }
        if let Some(checkpoints) = checkpoints.filter(|_| call.runs_program()) {
            held.checkpoint = checkpoints.begin(&self.workspace()).await;
        }
        Ok(held)
    }

    /// What the program of a call has changed, or the restore of an undo.
    pub(super) async fn end_checkpoint(&self, held: &mut Held, result: &ToolResult) -> Option<CallChanges> {
        if let Some(restore) = &held.undo.restore {
            if held.images.is_some() {
                restore.forget(result.is_success()).await;
                return None;
            }
            let record = restore.record(result.is_success());
            return Some(CallChanges { undoable: record.paths != Some(0), record, diff: String::new() });
        }
        let begun = held.checkpoint.take()?;
        Some(self.config.checkpoints.as_ref()?.end(&self.workspace(), begun).await)
    }

    /// What the call has done to its files, whether it worked or not; the session has seen them now.
    pub(super) async fn note_changes(&self, held: &Held, result: &ToolResult) -> Vec<FileChange> {
        let mut changes = Vec::new();
        for file in &held.files {
            let written = result.written_files.iter().find(|written| written.path == file.path);
            let now = match written {
                Some(written) => Some(written.fingerprint.clone()),
                None => fingerprint(&self.config.workspace, &file.path).await,
            };
            if now == file.before || same(now.as_ref(), file.before.as_ref()) {
                continue;
            }
            self.files.left(&file.path, now.as_ref());
            let after = now.map(|now| BlobHash::of_digest(&now.hash));
            changes.push(FileChange { path: file.path.to_string(), after });
        }
        if let Some(checkpoints) = self.config.checkpoints.as_ref().filter(|_| !changes.is_empty()) {
            let paths = changes.iter().map(|change| change.path.clone()).collect();
            checkpoints.changed_by_others(&self.workspace(), paths).await;
        }
        changes
    }

    /// Those of the files which the call would change that are there and were never read in this session; none if it
    /// leaves alone what is there.
    pub async fn unread_files(
        &self,
        tool: &str,
        arguments: &serde_json::Map<String, serde_json::Value>,
        context: &ContextManager,
        values: &Values,
    ) -> Vec<String> {
        let Some(tool) = self.config.registry.get(tool) else { return Vec::new() };
        let mut given = arguments.clone();
        tool.tool().normalise(&mut given);
        let Ok(resolved) = context.resolve_params(values, &given).await else { return Vec::new() };
        let mut arguments = resolved.arguments;
        tool.tool().normalise(&mut arguments);
        if !tool.validator().problems(&arguments).is_empty() || tool.tool().only_creates(&arguments) {
            return Vec::new();
        }
        let workspace = &self.config.workspace;
        match self.files.claim(workspace, &tool.tool().changes(&arguments)).await {
            Ok(claims) => self.files.unread(workspace, &claims).await,
            Err(_) => Vec::new(),
        }
    }
}

/// What the work comes to, unless the call is canceled meanwhile.
async fn unless_cancelled<T>(
    invocation: &Invocation<'_>,
    work: impl Future<Output = Result<T, ToolFailure>>,
) -> Result<T, ToolFailure> {
    tokio::select! {
        biased;
        done = work => done,
        () = invocation.cancellation.cancelled() => Err(ToolFailure::new(ErrorType::User, "was cancelled")),
    }
}

impl Held {
    /// The checkpoint that the call begins with.
    pub(super) fn checkpoint(&self) -> Option<CheckpointRecord> {
        let program = self.checkpoint.as_ref().map(|begun| begun.id.to_string());
        // What the log has images of, it needs no checkpoint for.
        let restore = self.undo.restore.as_ref().filter(|_| self.images.is_none());
        let restore = restore.map(|restore| restore.record(false).id);
        program.or(restore).map(|id| CheckpointRecord { id, paths: None })
    }

    async fn keep(&mut self, workspace: &Workspace, path: &RelativePath, values: &Values) -> Result<(), ToolFailure> {
        let Some(images) = &mut self.images else {
            let before = fingerprint(workspace, path).await;
            self.files.push(HeldFile { path: path.clone(), before });
            return Ok(());
        };
        let before = match workspace.read_tracked(path.as_str(), MAX_VALUE_BYTES as u64).await {
            Ok((bytes, fingerprint)) => {
                let hash = BlobHash::of_digest(&fingerprint.hash);
                let value = match String::from_utf8(bytes) {
                    Ok(text) => ArtifactValue::Text(text),
                    Err(error) => ArtifactValue::Bytes(error.into_bytes().into()),
                };
                let (content, blob) = values.store(value);
                self.blobs.extend(blob);
                Some((FileBefore { content, hash, mode: fingerprint.mode }, fingerprint))
            }
            Err(error) if error.kind() == WorkspaceErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let (before, fingerprint) = before.unzip();
        images.push(FileImage { path: path.to_string(), before });
        self.files.push(HeldFile { path: path.clone(), before: fingerprint });
        Ok(())
    }
}

fn rule<'a>(invocation: &Invocation<'_>, call: &'a Call) -> Rule<'a> {
    match &call.undo {
        Some(plan) => Rule::PutBack(plan),
        None if call.tool.tool().only_creates(&call.arguments) => Rule::New,
        None if invocation.by_user && call.tool.tool().names_base(&call.arguments) => Rule::NamedBase,
        None if invocation.by_user => Rule::ByUser,
        None if call.tool.tool().overwrites() => Rule::Overwrite,
        None => Rule::Read,
    }
}

async fn fingerprint(workspace: &Workspace, path: &RelativePath) -> Option<Fingerprint> {
    workspace.fingerprint(path.as_str()).await.ok()
}

fn same(now: Option<&Fingerprint>, before: Option<&Fingerprint>) -> bool {
    now.zip(before).is_some_and(|(now, before)| now.same_content(before) && now.mode == before.mode)
}
