//! An intent: what can be asked for, how it is said, what is done then.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::slots::SlotType;

/// The most that an intent's steps do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Only talk.
    #[default]
    None,
    /// Something is read.
    Read,
    /// Something is changed.
    Write,
    /// A program runs.
    Execute,
}

/// Something that can be asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// Its name, unique in all topics.
    pub name: String,
    /// The file that it stands in, without `.toml`.
    #[serde(skip)]
    pub topic: String,
    /// The most that its steps do.
    pub risk: Risk,
    /// How it is said.
    pub sentences: Vec<String>,
    /// Values of the plan that no word gives.
    #[serde(default)]
    pub constants: BTreeMap<String, Value>,
    /// What slots are that were not said.
    #[serde(default)]
    pub defaults: BTreeMap<String, Value>,
    /// Slots that are required although neither all sentences nor the steps' arguments have them.
    #[serde(default)]
    pub required: Vec<String>,
    /// What is asked when a required slot is missing.
    #[serde(default)]
    pub ask: BTreeMap<String, String>,
    /// What is done.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// The operation that makes the reply.
    #[serde(default)]
    pub reply: Option<String>,
    /// The reply itself.
    #[serde(default)]
    pub say: Option<String>,
    /// How the plan is told: an imperative that is understood as this intent.
    #[serde(default)]
    pub summary: String,
    /// Its slots, found in the sentences.
    #[serde(skip)]
    pub slots: BTreeMap<String, Slot>,
}

impl Intent {
    /// Whether the data says what the slot is if no word does.
    #[must_use]
    pub fn has_otherwise(&self, slot: &str) -> bool {
        self.defaults.contains_key(slot) || self.constants.contains_key(slot)
    }
}

/// A slot of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What it holds.
    pub kind: SlotType,
    /// Whether nothing can be done without it.
    pub required: bool,
}

/// A step of an intent's plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The tool that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its arguments, with `{slots}`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
    /// Or a program and its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<String>,
    /// The operation of `rules` that computes the arguments from what was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<String>,
    /// Only if this slot is filled.
    #[serde(default, rename = "if", skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// Only if this slot is not filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// Only if the step before gave the text of JSON.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub if_json: bool,
    /// The name of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}
