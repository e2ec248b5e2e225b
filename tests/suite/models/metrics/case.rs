//! The cases, as they are written down: `*.toml` beside this file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One metric.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sheet {
    pub(super) name: String,
    /// Whether each turn must say what it used and why.
    #[serde(default)]
    pub(super) told: bool,
    /// The workspace at the beginning of each case.
    pub(super) files: BTreeMap<String, String>,
    pub(super) case: Vec<Case>,
}

/// A conversation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) about: String,
    /// What the user has stored before.
    #[serde(default)]
    pub(super) variables: Map<String, Value>,
    /// Files that are not text.
    #[serde(default)]
    pub(super) bytes: BTreeMap<String, Vec<u8>>,
    /// Files of about so many bytes, no two lines alike.
    #[serde(default)]
    pub(super) large: BTreeMap<String, usize>,
    pub(super) turn: Vec<Exchange>,
}

/// What is said, what an honest model does then, and how one sees that it is right.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Exchange {
    pub(super) say: String,

    /// The calls of the honest model, in order.
    pub(super) steps: Vec<Step>,
    /// What it looks for a tool for, and finds none.
    pub(super) lacks: Option<String>,
    /// What must stand in what it is given before it gives this reply.
    pub(super) knows: Vec<String>,
    pub(super) reply: String,

    /// What the reply says: each of these, or one of `a|b`.
    pub(super) says: Vec<String>,
    /// Tools that ran and worked, in this order; others may stand between them.
    pub(super) used: Vec<String>,
    /// Tools that failed.
    pub(super) failed: Vec<String>,
    /// Tools that must not run.
    pub(super) avoids: Vec<String>,
    /// How many calls there are at most.
    pub(super) calls: Option<usize>,
    pub(super) ends: End,
    /// References that the calls were made with, and what stood in the arguments for them.
    pub(super) refers: Vec<String>,
    pub(super) resolved: Vec<String>,
    /// Variables that are there afterwards.
    pub(super) stored: Vec<String>,
    /// Files that contain this, are this, are the same as another, or are not there.
    pub(super) files: BTreeMap<String, String>,
    pub(super) exactly: BTreeMap<String, String>,
    pub(super) same: BTreeMap<String, String>,
    pub(super) missing: Vec<String>,
}

/// A call.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) tool: String,
    pub(super) with: Map<String, Value>,
    /// The variable for its result.
    #[serde(rename = "as")]
    pub(super) output: Option<String>,
    /// What the model says it does next, if it is not the first.
    #[serde(default)]
    pub(super) next: String,
}

/// How a turn ends.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum End {
    /// With a complete reply.
    #[default]
    Answered,
    /// With an error, or with a reply that says it is not complete.
    Failed,
    /// With a reply or an error.
    Any,
}

/// All of them.
pub(super) fn sheets() -> Vec<Sheet> {
    let texts = [
        include_str!("context.toml"),
        include_str!("chains.toml"),
        include_str!("recovery.toml"),
        include_str!("parameters.toml"),
        include_str!("communication.toml"),
    ];
    texts.into_iter().map(|text| toml::from_str(text).unwrap_or_else(|error| panic!("{error}"))).collect()
}
