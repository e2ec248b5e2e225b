//! The words that are heeded of a request for a tool that changes something: data, `heed.toml`.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Deserialize;
use switchboard_protocol::{Risk, ToolDefinition};

use crate::data;

/// The words of such requests.
#[derive(Debug, Deserialize)]
pub(super) struct Heed {
    leads: Vec<String>,
    before_labels: Vec<String>,
    labels: HashSet<String>,
    pub(super) headings: Vec<String>,
    pub(super) addressees: Vec<String>,
    pub(super) mail: Vec<String>,
    pub(super) telephones: Vec<String>,
    pub(super) contents: Vec<String>,
    pub(super) changing: HashSet<String>,
    pub(super) framing: HashSet<String>,
    pub(super) questions: HashSet<String>,
    pub(super) asking: HashSet<String>,
    pub(super) against: HashSet<String>,
}

impl Heed {
    pub(super) fn get() -> &'static Self {
        static HEED: LazyLock<Heed> = LazyLock::new(|| data::read(include_str!("heed.toml")));
        &HEED
    }

    /// Whether text stands behind these words.
    pub(super) fn leads(&self, words: &str) -> bool {
        let labels = |before: &String| {
            let label = words.strip_prefix(before.as_str()).and_then(|rest| rest.strip_prefix(' '));
            label.is_some_and(|label| self.labels.contains(label))
        };
        self.leads.iter().any(|lead| lead == words) || self.before_labels.iter().any(labels)
    }
}

/// Whether a call of the tool may change something.
pub(super) fn changes(tool: &ToolDefinition) -> bool {
    !matches!(tool.risk, Risk::Read | Risk::Ui)
}
