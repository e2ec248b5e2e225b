//! Putting files back: which calls an undo means, and what every file must be and becomes.
//!
//! The plan is made of the session's history before anybody is asked, so that the question names the calls themselves.

use std::collections::BTreeMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, ErrorType};

use super::checkpoints::{LeftAlone, Restore, SessionCheckpoints};
use super::diff::unified;
use super::host::CallHost;
use super::result::ToolFailure;
use super::text::counted;
use switchboard_events::{ArtifactValue, BlobHash, ChangingCall, FileBefore, FileHistory, FileImage, MAX_VALUE_BYTES};
use switchboard_workspace::Workspace;
use switchboard_workspace::checkpoint::{ContentHash, Left, Loaded, Node, Unkept, Wanted};

/// How many calls are put back at once, at most.
pub(super) const MAX_UNDONE: usize = 20;

/// How many bytes of the log one undo puts back.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Which calls are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndoTarget {
    /// The last ones whose changes are still there.
    Last(usize),
    /// These.
    Calls(Vec<CallId>),
}

/// A file that is put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutBack {
    /// Where it is in the workspace.
    pub path: String,
    /// Its bytes and permissions; `None`: it is removed.
    pub content: Option<(Bytes, u32)>,
}

impl PutBack {
    /// How that differs from what is there now.
    pub async fn diff(&self, workspace: &Workspace) -> String {
        let now = workspace.read(&self.path, MAX_VALUE_BYTES as u64).await.ok();
        unified(&self.path, now.as_deref(), self.content.as_ref().map(|(bytes, _)| bytes.as_ref()))
    }
}

/// What a tool that undoes puts back.
#[derive(Debug, Clone, Default)]
pub struct UndoWork {
    /// The files, where there are no checkpoints.
    pub files: Vec<PutBack>,
    /// Where there are: all of it as one.
    pub restore: Option<Restore>,
}

/// What an undo will do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UndoPlan {
    /// The calls, newest first.
    pub(super) calls: Vec<CallId>,
    files: BTreeMap<String, Step>,
    /// Where checkpoints have their contents; with none, programs changed nothing of it.
    contents: Vec<PathBuf>,
    /// What stays as it is.
    left_alone: LeftAlone,
}

#[derive(Debug, Clone, PartialEq)]
struct Step {
    then: Then,
    must_be: MustBe,
}

/// What a path becomes.
#[derive(Debug, Clone, PartialEq)]
enum Then {
    Nothing,
    /// A file of the log.
    Logged(FileBefore),
    /// Something of a checkpoint.
    Kept(Node),
}

/// What a path must be for being put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MustBe {
    /// What the call left: a file of this content, or nothing.
    Left(Option<BlobHash>),
    /// What the program left.
    Node(Option<Node>),
    /// The call was cut off, so that nobody knows.
    Anything,
}

impl UndoPlan {
    /// The plan for these calls.
    pub(super) async fn new(
        target: UndoTarget,
        host: &dyn CallHost,
        checkpoints: Option<&SessionCheckpoints>,
        workspace: &Arc<Workspace>,
    ) -> Result<Self, ToolFailure> {
        let history = host.file_history().await.map_err(|error| system(&error))?;
        let meant = meant(&history, target)?;
        let mut plan = Self {
            calls: meant.iter().map(|call| call.call_id.clone()).collect(),
            files: BTreeMap::new(),
            contents: Vec::new(),
            left_alone: LeftAlone::default(),
        };
        for call in meant {
            // The log has all of a call that it has images of, wherever the session is now.
            if call.images {
                let images = host.file_images(call.started).await.map_err(|error| system(&error))?;
                plan.put_back(call, images)?;
                continue;
            }
            for checkpoint in call.checkpoints.iter().rev() {
                let Some(checkpoints) = checkpoints else { return Err(no_checkpoints(call)) };
                plan.put_back_program(checkpoints.load(workspace, &checkpoint.id).await?)?;
            }
        }
        plan.leave_alone();
        Ok(plan)
    }

    /// As arguments that name the calls.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        let calls: Vec<&str> = self.calls.iter().map(CallId::as_str).collect();
        [("call_ids".to_owned(), json!(calls))].into_iter().collect()
    }

    /// Whether programs changed something of it.
    pub(super) fn has_checkpoints(&self) -> bool {
        !self.contents.is_empty()
    }

    /// The files that change; with checkpoints, those are looked after by the restore.
    pub(super) fn paths(&self) -> Vec<String> {
        if self.has_checkpoints() { Vec::new() } else { self.files.keys().cloned().collect() }
    }

    /// What of it cannot be undone in its turn: what is too large to be kept, and goes.
    pub(super) fn not_kept(&self) -> Option<String> {
        let count = self.files.values().filter(|step| step.is_too_large_now()).count() as u64;
        (count > 0).then(|| format!("{} too large to be kept", counted(count, "file")))
    }

    /// What this file must be.
    pub(super) fn must_be(&self, path: &str) -> MustBe {
        self.files.get(path).map_or(MustBe::Anything, |step| step.must_be.clone())
    }

    /// The files with what they become.
    pub(super) async fn load(
        &self,
        host: &dyn CallHost,
        checkpoints: Option<&SessionCheckpoints>,
        workspace: &Arc<Workspace>,
    ) -> Result<UndoWork, ToolFailure> {
        let (mut files, mut wanted) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        for (path, step) in &self.files {
            let content = match &step.then {
                Then::Nothing | Then::Kept(_) => None,
                Then::Logged(before) => {
                    let value = host.values().load(&before.content).await.map_err(|error| system(&error))?;
                    let content = content(&value);
                    bytes += content.len();
                    Some((content, before.mode))
                }
            };
            if bytes > MAX_BYTES {
                let message = format!("the files have more than {MAX_BYTES} bytes in total");
                return Err(ToolFailure::new(ErrorType::User, message).suggesting("Undo fewer changes at once."));
            }
            match checkpoints {
                Some(_) => wanted.push(step.wanted(path, content, self.has_checkpoints())),
                None => files.push(PutBack { path: path.clone(), content }),
            }
        }
        let restore = match checkpoints {
            Some(checkpoints) => {
                let prepared = checkpoints.prepare(workspace, wanted, self.contents.clone()).await?;
                let (checkpoints, workspace) = (checkpoints.clone(), Arc::clone(workspace));
                Some(Restore::new(checkpoints, workspace, prepared, self.left_alone.clone()))
            }
            None => None,
        };
        Ok(UndoWork { files, restore })
    }

    /// What it would do to the files, for the user who is asked; none if it will be refused.
    pub(super) async fn foreseen_diff(
        &self,
        host: &dyn CallHost,
        checkpoints: Option<&SessionCheckpoints>,
        workspace: &Arc<Workspace>,
    ) -> Option<String> {
        let work = self.load(host, checkpoints, workspace).await.ok()?;
        let mut diff = match &work.restore {
            Some(restore) => restore.foreseen_diff().await?,
            None => String::new(),
        };
        for file in &work.files {
            diff.push_str(&file.diff(workspace).await);
        }
        (!diff.is_empty()).then_some(diff)
    }

    /// Calls come newest first: what the one before must have left is what this one began with.
    fn put_back(&mut self, call: &ChangingCall, images: Vec<FileImage>) -> Result<(), ToolFailure> {
        for FileImage { path, before } in images {
            let left = match &call.changes {
                None => MustBe::Anything,
                Some(changes) => match changes.iter().find(|change| change.path == path) {
                    Some(change) => MustBe::Left(change.after.clone()),
                    None => continue,
                },
            };
            self.add(path, before.map_or(Then::Nothing, Then::Logged), left)?;
        }
        Ok(())
    }

    fn put_back_program(&mut self, loaded: Loaded) -> Result<(), ToolFailure> {
        self.contents.push(loaded.contents);
        for change in loaded.changes {
            self.add(change.path, change.before.map_or(Then::Nothing, Then::Kept), MustBe::Node(change.after))?;
        }
        Ok(())
    }

    fn leave_alone(&mut self) {
        self.left_alone.not_kept = self.take_out(|step| matches!(step.then, Then::Kept(Node::Unkept { .. })));
        if !self.left_alone.not_kept.is_empty() {
            self.left_alone.too_large = self.take_out(Step::is_too_large_now);
        }
    }

    /// The paths of the steps that are not taken.
    fn take_out(&mut self, is_out: impl Fn(&Step) -> bool) -> Vec<String> {
        let (out, stay) = mem::take(&mut self.files).into_iter().partition(|(_, step)| is_out(step));
        self.files = stay;
        BTreeMap::into_keys(out).collect()
    }

    fn add(&mut self, path: String, then: Then, left: MustBe) -> Result<(), ToolFailure> {
        let Some(step) = self.files.get_mut(&path) else {
            self.files.insert(path, Step { then, must_be: left });
            return Ok(());
        };
        if step.then.is_what_was_left(&left) {
            step.then = then;
            return Ok(());
        }
        let message = format!("somebody else changed {path} between the calls, so only the last change can be undone");
        Err(ToolFailure::new(ErrorType::User, message).suggesting("Undo one change at a time."))
    }
}

impl Step {
    /// Whether what the call left could not be kept, so that it is lost when it goes.
    fn is_too_large_now(&self) -> bool {
        matches!(&self.must_be, MustBe::Node(Some(Node::Unkept { why: Unkept::TooLarge | Unkept::Unreadable, .. })))
    }

    /// The same for a restore, which looks whether the path is what it must be unless somebody has.
    fn wanted(&self, path: &str, content: Option<(Bytes, u32)>, looks: bool) -> Wanted {
        let becomes = match (&self.then, &content) {
            (Then::Kept(node), _) => Some(node.clone()),
            (Then::Logged(_), Some((content, mode))) => {
                Some(Node::File { hash: ContentHash::of(content), mode: *mode, same_as: None })
            }
            (Then::Logged(_) | Then::Nothing, _) => None,
        };
        let left = match &self.must_be {
            _ if !looks => Left::Anything,
            MustBe::Anything => Left::Anything,
            MustBe::Node(node) => Left::Node(node.clone()),
            MustBe::Left(hash) => match hash.as_ref().map(|hash| hash.to_string().parse()) {
                None => Left::Content(None),
                Some(Ok(hash)) => Left::Content(Some(hash)),
                Some(Err(_)) => Left::Anything,
            },
        };
        Wanted { path: path.to_owned(), becomes, left, content: content.map(|(content, _)| content.to_vec()) }
    }
}

impl Then {
    /// Whether a newer call began with what an older one left.
    fn is_what_was_left(&self, left: &MustBe) -> bool {
        let is_kept_as =
            |hash: &BlobHash, node: &Node| node.hash().is_some_and(|kept| kept.to_string() == hash.to_string());
        match (self, left) {
            (_, MustBe::Anything) | (Self::Nothing, MustBe::Left(None) | MustBe::Node(None)) => true,
            (Self::Logged(before), MustBe::Left(Some(left))) => before.hash == *left,
            (Self::Logged(before), MustBe::Node(Some(left))) => is_kept_as(&before.hash, left),
            (Self::Kept(before), MustBe::Left(Some(left))) => is_kept_as(left, before),
            (Self::Kept(before), MustBe::Node(Some(left))) => before.is_like(left),
            _ => false,
        }
    }
}

fn no_checkpoints(call: &ChangingCall) -> ToolFailure {
    let message = format!("what {} changed cannot be put back, because checkpoints are off", call.tool);
    ToolFailure::new(ErrorType::User, message)
        .suggesting("Whoever runs the server can start it with `--checkpoints on`.")
}

fn meant(history: &FileHistory, target: UndoTarget) -> Result<Vec<&ChangingCall>, ToolFailure> {
    let refuse = |message: String, next: &str| Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
    match target {
        UndoTarget::Last(count) => {
            let calls: Vec<&ChangingCall> = history.to_undo().take(count.min(MAX_UNDONE)).collect();
            match calls.is_empty() {
                true => refuse(
                    "there is nothing to undo: no file was changed by a tool that can be undone".to_owned(),
                    "What other programs change has to be put back by hand.",
                ),
                false => Ok(calls),
            }
        }
        UndoTarget::Calls(ids) => {
            for id in &ids {
                if history.get(id).is_none() {
                    let message = format!("the call {id} changed no file that can be restored");
                    return refuse(message, "Leave `call_ids` out to undo the last change.");
                }
                if let Some(by) = history.undone_by(id) {
                    let message = format!("the call {id} has already been undone by the call {}", by.call_id);
                    return refuse(message, "To bring the change back, undo that call.");
                }
            }
            let mut calls: Vec<&ChangingCall> = ids.iter().filter_map(|id| history.get(id)).collect();
            calls.sort_by_key(|call| std::cmp::Reverse(call.started));
            calls.dedup_by(|left, right| left.call_id == right.call_id);
            Ok(calls)
        }
    }
}

fn content(value: &ArtifactValue) -> Bytes {
    match value {
        ArtifactValue::Bytes(bytes) => bytes.clone(),
        ArtifactValue::Text(text) => Bytes::copy_from_slice(text.as_bytes()),
        ArtifactValue::Json(json) => Bytes::from(json.to_string()),
    }
}

fn system(error: &dyn std::fmt::Display) -> ToolFailure {
    ToolFailure::new(ErrorType::System, format!("failed to {error}"))
}
