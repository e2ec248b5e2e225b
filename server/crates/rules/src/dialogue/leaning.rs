//! What speaks for one reading and against another, beside the words that they take.

use switchboard_nlu::{Anaphor, Candidate, Risk, SlotType, SlotValue, Slots};

use super::charts;
use super::mind::Mind;
use super::tabular;
use super::tool_sentences::{PREFERRED, TOPIC};

impl Mind<'_> {
    /// What a reading costs more than its words, or less.
    pub(super) fn leaning(&self, candidate: &Candidate, slots: &Slots) -> f32 {
        let own = if candidate.intent.topic == TOPIC { PREFERRED } else { 0.0 };
        by_kind(candidate, slots) + self.strained(candidate) - own
    }

    /// What speaks against a reading: `it` as a text, where a file was spoken of last.
    fn strained(&self, candidate: &Candidate) -> f32 {
        let is_text = |name: &String| {
            let kind = candidate.intent.slots.get(name).map(|slot| slot.kind);
            !matches!(kind, Some(SlotType::File | SlotType::Files)) && candidate.intent.risk <= Risk::Read
        };
        let refers = |slot: &SlotValue| matches!(slot, SlotValue::Reference { anaphor: Anaphor::It { .. }, .. });
        let of_file = !self.recent.files.is_empty() && !self.recent.value_is_newer();
        let strained = of_file && candidate.slots.iter().any(|(name, slot)| refers(slot) && is_text(name));
        if strained { 0.1 } else { 0.0 }
    }
}

/// What speaks for a reading, or against it, beside its words: a file of settings is rather asked for a key than searched,
/// and a question to a table that names none takes any words.
fn by_kind(candidate: &Candidate, slots: &Slots) -> f32 {
    let path = slots.values().find_map(|slot| match slot {
        SlotValue::Path { path, .. } => Some(path.as_str()),
        _ => None,
    });
    match candidate.intent.reply.as_deref() {
        // What asks for a chart is answered with one where it can be drawn; "draw a cat" is none.
        Some("table") if candidate.intent.steps.iter().any(charts::is_step) => {
            if candidate.intent.constants.get(charts::ASKS) == Some(&"".into()) {
                return -0.02;
            }
            let refers = candidate.slots.values().any(|slot| matches!(slot, SlotValue::Reference { .. }));
            match path {
                // "plot it" is said of the answer before rather than of its file.
                Some(_) if refers => 0.1,
                None if !slots.contains_key(charts::KIND) => 0.05,
                _ => -0.05,
            }
        }
        // Where a client shows windows, what is asked to be shown is shown there.
        Some("window" | "closed_window") => -0.12,
        Some("value_at") if path.is_some_and(tabular::is_settings) => -0.05,
        Some("table" | "log") if path.is_none_or(|path| tabular::is_settings(path) || tabular::is_text(path)) => 0.1,
        // A reference alone is what it holds, rather than a number to reckon with.
        Some("recall") if slots.values().any(|slot| matches!(slot, SlotValue::Variable { .. })) => -0.1,
        // A value by its words is meant only if nothing is called just that.
        Some("changed") if candidate.intent.constants.contains_key("tables") => 0.1,
        // What is counted in a table is rather its rows than words.
        Some("count" | "count_matches" | "matching_lines") if path.is_some_and(tabular::is_table) => 0.15,
        // What can be done goes before saying that it cannot.
        None if candidate.intent.constants.get("complete") == Some(&false.into()) => 0.01,
        _ => 0.0,
    }
}
