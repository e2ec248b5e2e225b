//! [`ToolIndex`]: the index as the rest of the server sees it, shared and locked inside.

use std::sync::{PoisonError, RwLock};

use serde_json::Value;
use switchboard_protocol::ToolDefinition;

use super::keyword::{Field, KeywordIndex};

/// How deep parameters inside parameters are read.
const MAX_DEPTH: usize = 3;

/// A tool that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// How sure the match is, from 0 to 1.
    pub confidence: f64,
    /// The words that matched, and where.
    pub reasons: Vec<String>,
}

/// Finds tools by words. Shared by all sessions; a change holds searches up for microseconds.
#[derive(Debug, Default)]
pub struct ToolIndex {
    keywords: RwLock<KeywordIndex>,
}

impl ToolIndex {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a tool in; one of the same name is replaced.
    pub fn insert(&self, tool: &ToolDefinition) {
        let mut parameters = String::new();
        describe(&tool.parameters, MAX_DEPTH, &mut parameters);
        let (summary, details) = clauses(&tool.description);
        let texts = [
            (Field::Name, tool.name.clone()),
            (Field::Module, tool.module.clone()),
            (Field::Summary, summary.to_owned()),
            (Field::Details, details.to_owned()),
            (Field::Parameters, parameters),
        ];
        self.keywords.write().unwrap_or_else(PoisonError::into_inner).insert(&tool.name, &texts);
    }

    /// Takes a tool out; whether it was there.
    pub fn remove(&self, name: &str) -> bool {
        self.keywords.write().unwrap_or_else(PoisonError::into_inner).remove(name)
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keywords.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there is no tool.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// At most `limit` tools that fit with a confidence of at least `threshold`, the best first.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize, threshold: f64) -> Vec<Found> {
        let hits = self.keywords.read().unwrap_or_else(PoisonError::into_inner).search(query, limit, threshold);
        hits.into_iter().map(|hit| Found { name: hit.name, confidence: hit.confidence, reasons: hit.reasons }).collect()
    }
}

/// What a tool does, and what else is said about it: the rest begins with the first mark that ends a clause.
fn clauses(text: &str) -> (&str, &str) {
    let is_end = |pair: &[u8]| matches!(pair, [b'.' | b',' | b';' | b':', b' ' | b'\n'] | [b'\n' | b'(', _]);
    let end = text.as_bytes().windows(2).position(is_end).unwrap_or(text.len());
    text.split_at(end)
}

/// Names and descriptions of the parameters, and of the parameters inside them.
fn describe(schema: &Value, depth: usize, text: &mut String) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            text.push_str(name);
            text.push(' ');
            if let Some(description) = property.get("description").and_then(Value::as_str) {
                text.push_str(description);
                text.push(' ');
            }
            describe(property, depth, text);
        }
    }
    if let Some(items) = schema.get("items") {
        describe(items, depth, text);
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
