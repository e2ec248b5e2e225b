//! Putting files back: which calls an undo means, and what every file must be and becomes.
//!
//! The plan is made of the session's history before anybody is asked, so that the question names the calls themselves.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, ErrorType};

use super::host::CallHost;
use super::result::ToolFailure;
use switchboard_events::{ArtifactValue, BlobHash, ChangingCall, FileBefore, FileHistory, FileImage};

/// How many calls are put back at once, at most.
pub(super) const MAX_UNDONE: usize = 20;

/// How many bytes one undo puts back.
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

/// What an undo will do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UndoPlan {
    /// The calls, newest first.
    pub(super) calls: Vec<CallId>,
    files: BTreeMap<String, Step>,
}

#[derive(Debug, Clone, PartialEq)]
struct Step {
    /// What the file becomes.
    then: Option<FileBefore>,
    must_be: MustBe,
}

/// What a file must be for being put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MustBe {
    /// What the call left: this content, or no file.
    Left(Option<BlobHash>),
    /// The call was cut off, so that nobody knows.
    Anything,
}

impl UndoPlan {
    /// The plan for these calls.
    pub(super) async fn new(target: UndoTarget, host: &dyn CallHost) -> Result<Self, ToolFailure> {
        let history = host.file_history().await.map_err(|error| system(&error))?;
        let meant = meant(&history, target)?;
        let mut plan = Self { calls: meant.iter().map(|call| call.call_id.clone()).collect(), files: BTreeMap::new() };
        for call in meant {
            let images = host.file_images(call.started).await.map_err(|error| system(&error))?;
            plan.put_back(call, images)?;
        }
        Ok(plan)
    }

    /// As arguments that name the calls.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        let calls: Vec<&str> = self.calls.iter().map(CallId::as_str).collect();
        [("call_ids".to_owned(), json!(calls))].into_iter().collect()
    }

    /// The files that change.
    pub(super) fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    /// What this file must be.
    pub(super) fn must_be(&self, path: &str) -> MustBe {
        self.files.get(path).map_or(MustBe::Anything, |step| step.must_be.clone())
    }

    /// The files with what they become.
    pub(super) async fn load(&self, host: &dyn CallHost) -> Result<Vec<PutBack>, ToolFailure> {
        let mut files = Vec::new();
        let mut bytes = 0;
        for (path, step) in &self.files {
            let content = match &step.then {
                None => None,
                Some(before) => {
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
            files.push(PutBack { path: path.clone(), content });
        }
        Ok(files)
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
            let Some(step) = self.files.get_mut(&path) else {
                self.files.insert(path, Step { then: before, must_be: left });
                continue;
            };
            let began_with = step.then.as_ref().map(|before| before.hash.clone());
            if !matches!(&left, MustBe::Left(after) if *after != began_with) {
                step.then = before;
                continue;
            }
            let message =
                format!("somebody else changed {path} between the calls, so only the last change can be undone");
            return Err(ToolFailure::new(ErrorType::User, message).suggesting("Undo one change at a time."));
        }
        Ok(())
    }
}

fn meant(history: &FileHistory, target: UndoTarget) -> Result<Vec<&ChangingCall>, ToolFailure> {
    let refuse = |message: String, next: &str| Err(ToolFailure::new(ErrorType::User, message).suggesting(next));
    match target {
        UndoTarget::Last(count) => {
            let calls: Vec<&ChangingCall> = history.to_undo().take(count.min(MAX_UNDONE)).collect();
            match calls.is_empty() {
                true => refuse(
                    "there is nothing to undo: no file was changed by a tool that can be undone".to_owned(),
                    "What bash or other programs change has to be put back by hand.",
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
