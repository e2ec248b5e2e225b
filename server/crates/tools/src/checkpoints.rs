//! The checkpoints of one session: around calls that run programs, and for putting back what those changed. The work
//! waits for the disk, so it is done on threads for that.

use std::path::PathBuf;
use std::sync::Arc;

use switchboard_protocol::{ErrorType, SessionId};

use super::checkpoint_diff::{diff, is_folder};
use super::result::ToolFailure;
use super::text::{counted, sanitize_line};
use switchboard_events::CheckpointRecord;
use switchboard_workspace::Workspace;
use switchboard_workspace::checkpoint::{
    Begun, Checkpoints, Ended, Loaded, Note, PathChange, Prepared, RestoreError, Wanted,
};

/// How many paths a result names.
const MAX_NAMED: usize = 1000;

/// The checkpoints of a session.
#[derive(Debug, Clone)]
pub struct SessionCheckpoints {
    store: Arc<Checkpoints>,
    session: Arc<str>,
}

/// What a call changed.
pub(super) struct CallChanges {
    pub(super) record: CheckpointRecord,
    /// Whether something of it can be put back.
    pub(super) undoable: bool,
    pub(super) diff: String,
}

impl SessionCheckpoints {
    /// Those of this session.
    #[must_use]
    pub fn new(store: Arc<Checkpoints>, session: SessionId) -> Self {
        Self { store, session: session.to_string().into() }
    }

    /// The workspace as it is.
    pub(super) async fn note(&self, workspace: &Arc<Workspace>) -> Option<Note> {
        let workspace = Arc::clone(workspace);
        self.blocking(move |store, _| Ok(store.note(&workspace))).await.ok()
    }

    /// Notes the workspace before a call; none where that cannot be done, and then the call cannot be undone.
    pub(super) async fn begin(&self, workspace: &Arc<Workspace>) -> Option<Begun> {
        let workspace = Arc::clone(workspace);
        match self.blocking(move |store, session| store.begin(&workspace, session)).await {
            Ok(begun) => begun,
            Err(error) => {
                tracing::warn!("a command cannot be undone, because the workspace cannot be noted: {error}");
                None
            }
        }
    }

    /// What the call has changed since.
    pub(super) async fn end(&self, workspace: &Arc<Workspace>, begun: Begun) -> CallChanges {
        let workspace = Arc::clone(workspace);
        let id = begun.id.to_string();
        let ended = self.blocking(move |store, _| {
            let ended = store.end(&workspace, &begun)?;
            let diff = diff(store, &ended.changes, &[ended.contents()]);
            Ok((ended, diff))
        });
        match ended.await {
            Ok((Ended { changes, .. }, diff)) => CallChanges {
                record: CheckpointRecord { id, paths: Some(changes.len() as u64) },
                undoable: changes.iter().any(PathChange::is_undoable),
                diff,
            },
            Err(error) => {
                tracing::warn!("what a command changed cannot be told: {error}");
                let diff =
                    format!("What changed is not known yet: {error}. An undo takes back what came later, too.\n");
                CallChanges { record: CheckpointRecord { id, paths: None }, undoable: true, diff }
            }
        }
    }

    /// Somebody else than the commands that run now has changed these paths.
    pub(super) async fn changed_by_others(&self, workspace: &Arc<Workspace>, paths: Vec<String>) {
        if !self.store.has_open_calls() {
            return;
        }
        let workspace = Arc::clone(workspace);
        let told = self.blocking(move |store, _| {
            store.changed_by_others(&workspace, paths.iter().map(String::as_str));
            Ok(())
        });
        // Who cannot be told takes the change for its own.
        let _ = told.await;
    }

    /// What a call changed.
    pub(super) async fn load(&self, workspace: &Arc<Workspace>, id: &str) -> Result<Loaded, ToolFailure> {
        let (workspace, id) = (Arc::clone(workspace), id.to_owned());
        let loaded = self.blocking(move |store, session| store.load(&workspace, session, &id)).await;
        loaded.map_err(|error| {
            let message = match error.kind() {
                std::io::ErrorKind::NotFound => "what this command changed is no longer kept".to_owned(),
                _ => format!("what this command changed cannot be read: {error}"),
            };
            let next = "A session keeps 512 MB; the oldest changes go first, and an imported session has none.";
            ToolFailure::new(ErrorType::User, message).suggesting(next)
        })
    }

    /// A restore that can be done.
    pub(super) async fn prepare(
        &self,
        workspace: &Arc<Workspace>,
        wanted: Vec<Wanted>,
        contents: Vec<PathBuf>,
    ) -> Result<Prepared, ToolFailure> {
        let place = Arc::clone(workspace);
        let prepared = self.blocking(move |store, session| Ok(store.prepare(&place, session, wanted, &contents)));
        prepared.await.map_err(|error| refused(RestoreError::Failed(error)))?.map_err(refused)
    }

    async fn apply(&self, workspace: &Arc<Workspace>, prepared: &Prepared) -> Result<Applied, ToolFailure> {
        let (workspace, prepared) = (Arc::clone(workspace), prepared.clone());
        let applied = self.blocking(move |store, _| {
            let diff = diff(store, &prepared.changes, &[prepared.contents()]);
            Ok(store.apply(&workspace, &prepared).map(|stays| Applied { stays, diff }))
        });
        applied.await.map_err(|error| refused(RestoreError::Failed(error)))?.map_err(refused)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Checkpoints, &str) -> std::io::Result<T> + Send + 'static,
    ) -> std::io::Result<T> {
        let (store, session) = (Arc::clone(&self.store), Arc::clone(&self.session));
        tokio::task::spawn_blocking(move || work(&store, &session)).await.map_err(std::io::Error::other)?
    }
}

struct Applied {
    stays: Vec<String>,
    diff: String,
}

/// A restore for the tool that does it.
#[derive(Debug, Clone)]
pub struct Restore {
    checkpoints: SessionCheckpoints,
    workspace: Arc<Workspace>,
    prepared: Prepared,
    left_alone: LeftAlone,
}

/// What an undo leaves as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LeftAlone {
    /// Paths whose earlier content was not kept.
    pub(super) not_kept: Vec<String>,
    /// Then also those that are too large to be kept now: the missing content may be in them, packed or renamed.
    pub(super) too_large: Vec<String>,
}

/// What a restore did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// Paths that are as before.
    pub restored: Vec<String>,
    /// Paths that are gone.
    pub removed: Vec<String>,
    /// What stays as it is, in sentences.
    pub notes: Vec<String>,
    /// What changed.
    pub diff: String,
}

impl Restore {
    pub(super) fn new(
        checkpoints: SessionCheckpoints,
        workspace: Arc<Workspace>,
        prepared: Prepared,
        left_alone: LeftAlone,
    ) -> Self {
        Self { checkpoints, workspace, prepared, left_alone }
    }

    /// Its own checkpoint: a restore can be undone.
    pub(super) fn record(&self, done: bool) -> CheckpointRecord {
        let changed = self.prepared.changes.len() as u64;
        // Taken back as a whole, it leaves nothing; cut short, nobody knows.
        let paths = if done { Some(changed) } else { (!self.prepared.contents().exists()).then_some(0) };
        CheckpointRecord { id: self.prepared.id.to_string(), paths }
    }

    /// Its checkpoint is not needed, once it is done; one that was cut short may still be at work.
    pub(super) async fn forget(&self, done: bool) {
        if done {
            let prepared = self.prepared.clone();
            let left = self.checkpoints.blocking(move |store, _| {
                store.leave(&prepared);
                Ok(())
            });
            // What stays behind is only a waste of room.
            let _ = left.await;
        }
    }

    /// What it would change. It was only prepared for that, and is not done.
    pub(super) async fn foreseen_diff(&self) -> Option<String> {
        let prepared = self.prepared.clone();
        let told = self.checkpoints.blocking(move |store, _| {
            let diff = diff(store, &prepared.changes, &[prepared.contents()]);
            store.leave(&prepared);
            Ok(diff)
        });
        told.await.ok()
    }

    /// Does it: all of it, or nothing.
    ///
    /// # Errors
    /// When the system refuses.
    pub async fn apply(&self) -> Result<Restored, ToolFailure> {
        let Applied { stays, diff } = self.checkpoints.apply(&self.workspace, &self.prepared).await?;
        let (mut restored, mut removed) = (Vec::new(), Vec::new());
        let only_folders = self.prepared.changes.iter().all(is_folder);
        for change in &self.prepared.changes {
            if change.is_of_git() || stays.contains(&change.path) || is_folder(change) && !only_folders {
                continue;
            }
            let list = if change.after.is_some() { &mut restored } else { &mut removed };
            list.push(change.path.clone());
        }
        let mut notes = Vec::new();
        let gits = self.prepared.changes.iter().filter(|change| change.is_of_git()).count();
        if gits > 0 {
            notes.push(format!("Put back {} of git's own.", counted(gits as u64, "file")));
        }
        if !stays.is_empty() {
            notes.push(format!("These folders stay, because there is something in them: {}.", named(&stays)));
        }
        let LeftAlone { not_kept, too_large } = &self.left_alone;
        if !not_kept.is_empty() {
            notes.push(format!("Not put back, because the earlier content was not kept: {}.", named(not_kept)));
        }
        if !too_large.is_empty() {
            let stay = named(too_large);
            notes.push(format!(
                "These stay, because they are too large to be kept, and may hold what is missing: {stay}."
            ));
        }
        restored.truncate(MAX_NAMED);
        removed.truncate(MAX_NAMED);
        Ok(Restored { restored, removed, notes, diff })
    }
}

/// The first of many paths.
fn named(paths: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| sanitize_line(path)).collect();
    match paths.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn refused(error: RestoreError) -> ToolFailure {
    let message = format!("nothing was put back, because {error}");
    match error {
        RestoreError::Changed(_) => {
            let next = "Undo the changes that came later first, or edit the file by hand.";
            ToolFailure::new(ErrorType::User, message).suggesting(next)
        }
        RestoreError::Closed(_) => {
            ToolFailure::new(ErrorType::Permission, message).suggesting("`/permissions` shows the rules.").refused()
        }
        RestoreError::NotKept(_) => ToolFailure::new(ErrorType::User, message).suggesting("Put it back by hand."),
        RestoreError::Failed(_) => ToolFailure::new(ErrorType::System, message).suggesting("Everything is as it was."),
        RestoreError::Mixed(error) => {
            let message = format!("not everything was put back: {error}");
            let next = "Check the files before you continue. What is missing may be in a hidden folder of the workspace, \
                        `.switchboard-….undo`.";
            ToolFailure::new(ErrorType::System, message).suggesting(next)
        }
    }
}
