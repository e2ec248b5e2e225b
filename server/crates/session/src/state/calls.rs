//! The calls of a session: those that run, what the others came to, and what they did to files.

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, MessageId, Operation, ServerFrame, ServerMessage};

use switchboard_agent::{AGENTS_MODULE, CallPictures, DoneCall};
use switchboard_events::{CallRecord, FileHistory, FileImage, FileSeen, InsideRecord, Picture, ServerOnly};
use switchboard_runtime::Pages;

/// How many operations the history keeps.
const MAX_OPERATIONS: usize = 1000;

/// What became of the calls so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Calls {
    /// Calls that were started and have no end, in order.
    pub(crate) open: Vec<OpenCall>,
    pub(crate) operations: Pages<Arc<Operation>>,
    /// What calls did to files, for putting it back.
    pub(crate) files: FileHistory,
    pub(crate) pictures: Pages<Arc<CallPictures>>,
}

/// A call that has not ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenCall {
    pub(crate) call_id: CallId,
    pub(crate) turn: Option<MessageId>,
    pub(crate) tool: String,
    pub(crate) started_at: String,
    /// The call in full; missing only if the event that started it had nothing private.
    pub(crate) fact: Option<CallRecord>,
    /// What its files were when it was started, as far as that was kept.
    pub(crate) files: Vec<FileSeen>,
    /// Whether it keeps what its files were, so that it can be undone.
    pub(crate) undoable: bool,
    /// The call of the specialist that makes it.
    pub(crate) parent: Option<CallId>,
    /// Whether it does nothing itself: all that it does are calls inside it.
    specialist: bool,
    /// Whether a call inside it has begun that may not be run again without harm.
    changed_something: bool,
    /// What it has taken note of as a specialist.
    pub(crate) records: Vec<Arc<InsideRecord>>,
    /// The calls inside it that have ended.
    pub(crate) done: Vec<DoneCall>,
}

impl OpenCall {
    /// What it was called with.
    pub(super) fn into_arguments(self) -> Map<String, Value> {
        self.fact.map(|fact| fact.arguments).unwrap_or_default()
    }

    /// Whether the call may run again from its beginning without harm: a specialist, if it has changed nothing.
    pub(crate) fn repeatable(&self) -> bool {
        let said = self.fact.as_ref().is_some_and(|fact| fact.repeatable);
        said || (self.specialist && !self.changed_something)
    }

    /// Whether the call does no harm when what it belongs to goes on: a specialist then goes on from what it has written down.
    pub(crate) fn can_go_on(&self) -> bool {
        self.repeatable() || (self.specialist && !self.records.is_empty())
    }
}

impl Calls {
    /// The calls of which nobody knows what they did, when all goes on that can.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &OpenCall> {
        self.unknown_but(OpenCall::can_go_on)
    }

    /// The calls of which nobody knows what they did, but for harmless ones. Of a specialist that is the call inside it, if one
    /// was running.
    pub(crate) fn unknown_but(&self, harmless: impl Fn(&OpenCall) -> bool) -> impl Iterator<Item = &OpenCall> {
        self.open.iter().filter(move |call| {
            let inside = self.open.iter().any(|inner| inner.parent.as_ref() == Some(&call.call_id) && !harmless(inner));
            !harmless(call) && !inside
        })
    }

    /// The calls of a turn in which no other one runs.
    pub(crate) fn innermost(&self, turn: &MessageId) -> impl Iterator<Item = &OpenCall> {
        let holds = |call: &OpenCall| self.open.iter().any(|inner| inner.parent.as_ref() == Some(&call.call_id));
        self.open.iter().filter(move |call| call.turn.as_ref() == Some(turn) && !holds(call))
    }

    /// Takes note of a frame about a call; the call that it ends.
    pub(super) fn apply(&mut self, frame: &ServerFrame, private: Option<&ServerOnly>, seq: u64) -> Option<OpenCall> {
        match &frame.message {
            ServerMessage::ToolCallStart { .. } => {
                self.start(frame, private, seq);
                None
            }
            ServerMessage::ToolCallEnd { call_id, undid, .. } => {
                let changes = private.and_then(|private| private.changes.as_deref());
                let checkpoint = private.and_then(|private| private.checkpoint.as_ref());
                self.files.ended(call_id, changes, checkpoint, undid.as_deref().unwrap_or_default());
                let pictures = private.map(given_pictures).unwrap_or_default();
                if !pictures.is_empty() {
                    self.pictures.push(Arc::new(CallPictures { call_id: call_id.clone(), pictures }));
                }
                let place = self.open.iter().position(|call| call.call_id == *call_id)?;
                Some(self.open.remove(place))
            }
            _ => None,
        }
    }

    /// Keeps what a call came to; the history forgets the oldest ones.
    pub(super) fn keep(&mut self, operation: Operation) {
        self.operations.push(Arc::new(operation));
        if self.operations.len() > MAX_OPERATIONS {
            self.operations.drop_first();
        }
    }

    /// A call that is run again has one end all the same.
    fn start(&mut self, frame: &ServerFrame, private: Option<&ServerOnly>, seq: u64) {
        let ServerMessage::ToolCallStart { call_id, parent_call_id, tool, module, .. } = &frame.message else { return };
        let images = private.and_then(|private| private.images.as_deref());
        let seen =
            |image: &FileImage| Some(FileSeen { path: image.path.clone(), hash: image.before.as_ref()?.hash.clone() });
        let checkpoint = private.and_then(|private| private.checkpoint.as_ref());
        // A specialist that goes on has what it had.
        let before = self.open.iter().position(|call| call.call_id == *call_id).map(|place| self.open.remove(place));
        let (changed_something, records, done) =
            before.map(|call| (call.changed_something, call.records, call.done)).unwrap_or_default();
        let call = OpenCall {
            call_id: call_id.clone(),
            turn: frame.turn_id.clone(),
            tool: tool.clone(),
            started_at: frame.timestamp.clone(),
            fact: private.and_then(|private| private.call.clone()),
            files: images.into_iter().flatten().filter_map(seen).collect(),
            undoable: images.is_some() || checkpoint.is_some(),
            parent: parent_call_id.clone(),
            specialist: module == AGENTS_MODULE,
            changed_something,
            records,
            done,
        };
        if !call.repeatable() {
            self.note_change_within(parent_call_id.as_ref());
        }
        self.open.push(call);
        self.files.started(call_id, tool, seq, images.is_some(), checkpoint);
    }

    /// A specialist has written down what it has taken note of.
    pub(super) fn note(&mut self, record: &InsideRecord) {
        if let Some(call) = self.open.iter_mut().find(|call| call.call_id == record.call_id) {
            call.records.push(Arc::new(record.clone()));
        }
    }

    /// A call inside a specialist has ended.
    pub(super) fn ended_inside(&mut self, specialist: &CallId, done: DoneCall) {
        if let Some(call) = self.open.iter_mut().find(|call| call.call_id == *specialist) {
            call.done.push(done);
        }
    }

    /// Whether this is a specialist that had begun before the server's end, and so was allowed then.
    pub(crate) fn goes_on_as_specialist(&self, call: &CallRecord) -> bool {
        let began = self.open.iter().find(|open| open.call_id == call.call_id && open.specialist);
        began.and_then(|open| open.fact.as_ref()).is_some_and(|fact| fact.arguments == call.arguments)
    }

    /// The call under which this one runs: itself, or the outermost specialist around it.
    pub(crate) fn root<'a>(&'a self, call: &'a CallId) -> &'a CallId {
        let mut root = call;
        while let Some(above) =
            self.open.iter().find(|open| open.call_id == *root).and_then(|open| open.parent.as_ref())
        {
            root = above;
        }
        root
    }

    /// What a call may change, those that it is part of may have changed.
    fn note_change_within(&mut self, parent: Option<&CallId>) {
        let mut above = parent.cloned();
        while let Some(id) = above.take() {
            let Some(call) = self.open.iter_mut().find(|call| call.call_id == id) else { return };
            call.changed_something = true;
            above.clone_from(&call.parent);
        }
    }
}

/// The pictures that a call gave. Events of earlier versions, and imported ones, have them only in what was said of the call.
fn given_pictures(private: &ServerOnly) -> Vec<Picture> {
    let said = || private.messages.iter().flat_map(|message| message.content.pictures()).cloned().collect();
    if private.pictures.is_empty() { said() } else { private.pictures.clone() }
}
