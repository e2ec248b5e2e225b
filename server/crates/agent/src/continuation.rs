//! From where a turn that is decided stage by stage goes on after the server's end. It is written to the log with each decision,
//! so that nobody is asked again for what was said, and nothing is decided anew in a world that has changed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use switchboard_protocol::CallId;

use super::reasoner::{NextAction, Reply, ToolSelection};

/// How it is written. What has another number is not read.
const SCHEMA: u32 = 1;

/// Where a turn stands, and what its reasoner keeps in mind.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Continuation {
    schema: u32,
    /// Nothing where more would have to be kept than the log takes: then nobody can go on.
    pub(super) place: Option<Place>,
    /// How many searches it has made in the reasoner's words.
    #[serde(default)]
    pub(super) searches: u32,
    #[serde(default)]
    pub(super) mind: Value,
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

    /// As it was written; nothing of one that another version of Switchboard wrote.
    pub(super) fn read(written: &Value) -> Option<Self> {
        Self::deserialize(written).ok().filter(|read| read.schema == SCHEMA)
    }
}
