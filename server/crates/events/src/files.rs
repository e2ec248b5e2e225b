//! What calls did to files: before-images, changes, and the history from which a change can be put back.
//!
//! A call's images are on its start event, durable before it runs; what it changed is on its end event. So a call that
//! was cut off can be put back too.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use switchboard_protocol::CallId;

use super::value::{BlobHash, StoredValue};

/// How many calls that changed files are remembered.
const MAX_CALLS: usize = 200;

/// A file before a call that may change it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileImage {
    /// Where it is in the workspace, links resolved.
    pub path: String,
    /// What it was; absent: there was no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<FileBefore>,
}

/// What a file was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileBefore {
    /// Its bytes, or its text.
    pub content: StoredValue,
    /// SHA-256 of its bytes.
    pub hash: BlobHash,
    /// Its permissions, the lower nine bits.
    pub mode: u32,
}

/// A file as the session last read or left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileSeen {
    /// Where it is in the workspace, links resolved.
    pub path: String,
    /// SHA-256 of its bytes.
    pub hash: BlobHash,
}

/// A file after a call that changed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// Where it is in the workspace, links resolved.
    pub path: String,
    /// SHA-256 of what it became; absent: it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<BlobHash>,
}

/// What a call did to the workspace through a program: noted before and after it, with the contents in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckpointRecord {
    /// The checkpoint's name.
    pub id: String,
    /// On the call's end: at how many paths something else is than before. Missing: it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<u64>,
}

/// A call that changed files, or was cut off when it may have done so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangingCall {
    /// The call.
    pub call_id: CallId,
    /// Its tool.
    pub tool: String,
    /// The event that started it, which holds the images.
    pub started: u64,
    /// Whether that event holds images.
    pub images: bool,
    /// The files of those images that it changed; `None` when it was cut off.
    pub changes: Option<Vec<FileChange>>,
    /// The checkpoints around it, if it ran a program or put back what one had done: one for each time that it ran.
    pub checkpoints: Vec<CheckpointRecord>,
    /// The calls that it put back.
    pub undid: Vec<CallId>,
}

/// The calls of a session that changed files, oldest first; a pure function of the events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileHistory {
    calls: VecDeque<ChangingCall>,
    running: Vec<ChangingCall>,
}

impl FileHistory {
    /// A call started that keeps images, or has a checkpoint.
    pub fn started(
        &mut self,
        call_id: &CallId,
        tool: &str,
        seq: u64,
        images: bool,
        checkpoint: Option<&CheckpointRecord>,
    ) {
        // A call that was cut off and runs again has its images from before it ran first.
        if let Some(call) = self.running.iter_mut().find(|call| call.call_id == *call_id) {
            call.checkpoints.extend(checkpoint.cloned());
            return;
        }
        if !images && checkpoint.is_none() {
            return;
        }
        self.running.push(ChangingCall {
            call_id: call_id.clone(),
            tool: tool.to_owned(),
            started: seq,
            images,
            changes: None,
            checkpoints: checkpoint.cloned().into_iter().collect(),
            undid: Vec::new(),
        });
    }

    /// A call ended, having changed this.
    pub fn ended(
        &mut self,
        call_id: &CallId,
        changes: Option<&[FileChange]>,
        checkpoint: Option<&CheckpointRecord>,
        undid: &[CallId],
    ) {
        let Some(at) = self.running.iter().position(|call| call.call_id == *call_id) else { return };
        let mut call = self.running.remove(at);
        if let Some(known) = checkpoint {
            call.checkpoints.retain(|checkpoint| checkpoint.id != known.id);
            call.checkpoints.extend((known.paths != Some(0)).then(|| known.clone()));
        }
        let by_images = call.images && !changes.is_some_and(<[_]>::is_empty);
        // An undo that had nothing to do counts all the same, so that what it undid is not next in turn for ever.
        if !by_images && call.checkpoints.is_empty() && undid.is_empty() {
            return;
        }
        call.changes = changes.map(<[_]>::to_vec);
        call.undid = undid.to_vec();
        self.calls.push_back(call);
        if self.calls.len() > MAX_CALLS {
            self.calls.pop_front();
        }
    }

    /// Whether a call that runs keeps images.
    #[must_use]
    pub fn keeps_images(&self, call_id: &CallId) -> bool {
        self.running.iter().any(|call| call.call_id == *call_id)
    }

    /// A call that changed files.
    #[must_use]
    pub fn get(&self, call_id: &CallId) -> Option<&ChangingCall> {
        self.calls.iter().find(|call| call.call_id == *call_id)
    }

    /// The call that put this one back, unless that was put back itself.
    #[must_use]
    pub fn undone_by(&self, call_id: &CallId) -> Option<&ChangingCall> {
        let undid = |call: &&ChangingCall| call.undid.contains(call_id);
        self.calls.iter().rev().filter(undid).find(|call| self.undone_by(&call.call_id).is_none())
    }

    /// The last calls whose changes are still there, newest first; calls that put something back are not among them.
    pub fn to_undo(&self) -> impl Iterator<Item = &ChangingCall> {
        self.calls.iter().rev().filter(|call| call.undid.is_empty() && self.undone_by(&call.call_id).is_none())
    }

    /// The newest call after this one that changed the file too, and was not put back.
    #[must_use]
    pub fn later_change(&self, call_id: &CallId, path: &str) -> Option<&ChangingCall> {
        let newer = self.calls.iter().rev().take_while(|call| call.call_id != *call_id);
        let changed = |call: &&ChangingCall| call.changes.iter().flatten().any(|change| change.path == path);
        newer.filter(changed).find(|call| self.undone_by(&call.call_id).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str) -> Vec<FileChange> {
        vec![FileChange { path: path.to_owned(), after: None }]
    }

    fn call(history: &mut FileHistory, id: &str, path: &str, undid: &[&str]) {
        let undid: Vec<CallId> = undid.iter().map(|id| CallId::from(*id)).collect();
        history.started(&id.into(), "file_write", 1, true, None);
        history.ended(&id.into(), Some(&change(path)), None, &undid);
    }

    fn left(history: &FileHistory) -> Vec<&str> {
        history.to_undo().map(|call| call.call_id.as_str()).collect()
    }

    #[test]
    fn what_was_put_back_is_not_put_back_again_until_that_is_undone() {
        let mut history = FileHistory::default();
        call(&mut history, "a", "x", &[]);
        call(&mut history, "b", "y", &[]);
        let both = left(&history).join(" ");

        call(&mut history, "undo", "y", &["b"]);
        let after = left(&history).join(" ");
        call(&mut history, "redo", "y", &["undo"]);

        assert_eq!((both.as_str(), after.as_str()), ("b a", "a"));
        assert_eq!(left(&history), ["b", "a"]);
    }

    #[test]
    fn a_call_that_changed_nothing_is_forgotten_and_one_that_was_cut_off_is_not() {
        let mut history = FileHistory::default();
        history.started(&"nothing".into(), "file_edit", 1, true, None);
        history.started(&"cut".into(), "apply_patch", 2, true, None);

        history.ended(&"nothing".into(), Some(&[]), None, &[]);
        history.ended(&"cut".into(), None, None, &[]);

        assert_eq!(left(&history), ["cut"]);
    }

    #[test]
    fn a_command_is_remembered_if_it_changed_something_or_was_cut_off() {
        let mut history = FileHistory::default();
        let record = |paths| CheckpointRecord { id: "x".to_owned(), paths };
        for (id, end) in [("none", Some(record(Some(0)))), ("some", Some(record(Some(2)))), ("cut", None)] {
            history.started(&id.into(), "bash", 1, false, Some(&record(None)));
            history.ended(&id.into(), None, end.as_ref(), &[]);
        }

        assert_eq!(left(&history), ["cut", "some"]);
    }

    #[test]
    fn an_undo_that_had_nothing_to_do_counts() {
        let mut history = FileHistory::default();
        call(&mut history, "a", "x", &[]);
        history.started(&"cut".into(), "bash", 1, false, Some(&CheckpointRecord { id: "x".to_owned(), paths: None }));
        history.ended(&"cut".into(), None, None, &[]);
        let record = CheckpointRecord { id: "y".to_owned(), paths: Some(0) };
        history.started(&"undo".into(), "file_undo", 1, false, Some(&record));

        history.ended(&"undo".into(), None, Some(&record), &["cut".into()]);

        assert_eq!(left(&history), ["a"]);
    }

    #[test]
    fn only_the_last_calls_are_remembered() {
        let mut history = FileHistory::default();
        for number in 0..=MAX_CALLS {
            call(&mut history, &number.to_string(), "x", &[]);
        }

        assert_eq!(history.to_undo().count(), MAX_CALLS);
        assert_eq!(history.get(&"0".into()), None);
    }
}
