//! From where a turn goes on after the server's end. It is written to the log with each decision and each reply of a model, so
//! that nobody is asked again for what was said, and nothing is decided anew in a world that has changed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use switchboard_protocol::CallId;

use super::reasoner::{Move, NextAction, Reply, ToolSelection};

/// How it is written. What has another number is not read.
const SCHEMA: u32 = 1;
/// How large a reply of a model that calls tools itself may be to be written down, in bytes; a larger one is asked for again.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// Where a turn stands, and what its reasoner keeps in mind.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Continuation {
    schema: u32,
    /// Nothing where more would have to be kept than the log takes: then nobody can go on.
    pub(super) place: Option<Place>,
    /// In its place, what a model answered that calls tools itself.
    pub(super) answered: Option<Answered>,
    /// How many searches it has made in the reasoner's words.
    #[serde(default)]
    pub(super) searches: u32,
    #[serde(default)]
    pub(super) mind: Value,
}

/// What a model that calls tools itself answered.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Answered {
    /// How many messages of the user it had seen.
    heard: usize,
    next: Move,
}

impl Answered {
    /// What is to be done then, if so many messages have been taken up: a reply that does not answer all of them is none.
    pub(super) fn next(self, messages: usize) -> Option<Move> {
        let is_late = matches!(self.next, Move::Reply(_)) && self.heard < messages;
        (!is_late).then_some(self.next)
    }
}

/// Where a turn stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Place {
    /// A tool is to be found for the next action.
    Search(Search),
    /// A tool has been chosen for it, or none fits.
    Run(Box<Chosen>),
    /// The turn is over: this is the reply.
    Reply(Reply),
}

/// The search for a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Search {
    pub(super) action: NextAction,
    /// What is searched for instead, in the reasoner's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) query: Option<String>,
}

/// The choice of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Chosen {
    /// What was searched for.
    pub(super) search: Search,
    pub(super) selection: ToolSelection,
    /// The call that it becomes.
    pub(super) call: CallId,
}

impl Place {
    /// A search in the action's own words.
    pub(super) fn search(action: NextAction) -> Self {
        Self::Search(Search { action, query: None })
    }
}

impl Continuation {
    /// As it is written; without a mind that can be kept, that there is no going on.
    pub(super) fn written(place: &Place, searches: u32, mind: Option<&Value>) -> Value {
        let place = mind.is_some().then_some(place);
        json!({"schema": SCHEMA, "place": place, "searches": searches, "mind": mind})
    }

    /// The same after an answer of a model that calls tools itself and has seen so many messages of the user.
    pub(super) fn written_after(next: &Move, heard: usize) -> Value {
        let answered = json!({"heard": heard, "next": next});
        let answered = Some(answered).filter(|answered| answered.to_string().len() <= MAX_ANSWER_BYTES);
        json!({"schema": SCHEMA, "answered": answered})
    }

    /// As it was written; nothing of one that another version of Switchboard wrote.
    pub(super) fn read(written: &Value) -> Option<Self> {
        Self::deserialize(written).ok().filter(|read| read.schema == SCHEMA)
    }
}
