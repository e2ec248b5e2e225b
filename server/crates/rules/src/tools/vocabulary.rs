//! What a tool says of itself, and how much of some words that is.

use std::rc::Rc;

use serde_json::Value;
use switchboard_protocol::ToolDefinition;

use super::extract::{is_empty_stem, stems};

/// What a tool says of itself, in stems.
pub(super) struct Vocabulary {
    pub(super) name: Vec<Rc<str>>,
    about: Vec<Rc<str>>,
    parameters: Vec<Rc<str>>,
    notes: Vec<Rc<str>>,
    /// How many parameters are required.
    pub(super) required: usize,
}

impl Vocabulary {
    pub(super) fn of(tool: &ToolDefinition) -> Self {
        let mut parameters = Vec::new();
        let mut notes = Vec::new();
        let properties = tool.parameters.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten().take(60) {
            parameters.extend(stems(name));
            notes.extend(stems(schema.get("description").and_then(Value::as_str).unwrap_or_default()));
            for option in schema.get("enum").and_then(Value::as_array).into_iter().flatten().take(40) {
                notes.extend(stems(option.as_str().unwrap_or_default()));
            }
        }
        Self {
            name: stems(&tool.name),
            about: stems(&tool.description),
            parameters,
            notes,
            required: tool.parameters.get("required").and_then(Value::as_array).map_or(0, Vec::len),
        }
    }

    /// How much of some words it speaks of, and how much they have of its name, description and parameters.
    pub(super) fn features(&self, words: &[Rc<str>]) -> [f64; 4] {
        let of = |own: &[Rc<str>]| share_of(own, words);
        [coverage(words, &self.weights(words)), of(&self.name), of(&self.about), of(&self.parameters)]
    }

    /// How much it speaks of each word.
    pub(super) fn weights(&self, words: &[Rc<str>]) -> Vec<f64> {
        words.iter().map(|stem| self.weight(stem)).collect()
    }

    /// How much it speaks of a word.
    fn weight(&self, stem: &Rc<str>) -> f64 {
        if self.name.contains(stem) {
            1.0
        } else if self.about.contains(stem) {
            0.8
        } else if self.parameters.contains(stem) {
            0.6
        } else if self.notes.contains(stem) {
            0.35
        } else {
            0.0
        }
    }
}

/// The share of the words that a tool speaks of, by how much it speaks of each.
pub(super) fn coverage(words: &[Rc<str>], weights: &[f64]) -> f64 {
    let says = words.iter().zip(weights).filter(|(stem, _)| !is_empty_stem(stem));
    share(says.map(|(_, weight)| (*weight, 1.0)))
}

/// How much of a tool's own words some words have.
pub(super) fn share_of(own: &[Rc<str>], words: &[Rc<str>]) -> f64 {
    counted(own.iter().filter(|stem| words.contains(stem)).count()) / counted(own.len().max(1))
}

/// The mean of figures, each with how much it counts.
pub(super) fn share(figures: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, all) = figures.fold((0.0, 0.0), |(sum, all), (figure, counts)| (sum + figure * counts, all + counts));
    if all == 0.0 { 0.0 } else { sum / all }
}

#[expect(clippy::cast_precision_loss, reason = "a few words, tools or parameters")]
pub(super) fn counted(number: usize) -> f64 {
    number as f64
}
