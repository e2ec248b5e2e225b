//! Which of the found tools a request asks for, and with what: by the words that the request and the tool share, by how
//! alike they are in meaning, by how sure the search is, and by how much of what the tool requires the request says.
//!
//! A request for several things is divided among the tools first ([`super::divide`]). The weights were chosen on one half of
//! public data and tried on the other, see `docs/search.md`.

use std::ops::Range;
use std::rc::Rc;

use serde_json::{Map, Value};
use switchboard_protocol::ToolDefinition;

use super::divide::shares;
use super::extract::{Filled, Request, calls_in, is_empty_stem, stems};
use crate::agent::reasoner::CandidateTool;
use crate::search::Likeness;

/// A tool without this score is not meant.
const THRESHOLD: f64 = 0.28;

/// What a request that rather needs no tool asks more of one, where many tools were found.
const DOUBT: f64 = 0.6;

/// So many tools are many: among them one or the other shares some words with any request.
const MANY: usize = 10;

/// What the score has of the search's confidence, of the share of the request's words that the tool speaks of, of the
/// shares of its name's and its description's words that the request has, and of how alike the whole request and its best
/// sentence are …
const WEIGHTS: [f64; 6] = [0.4, 0.2, 0.05, 0.05, 0.1, 0.15];

/// … and what it has if a call can be made.
const CALLED: f64 = 0.05;

/// What is held against a tool if nothing is said of what it requires, and for each parameter of the first few.
const UNSAID: f64 = 0.15;
const UNSAID_EACH: f64 = 0.05;
const UNSAID_MOST: usize = 3;

/// A tool that a request, or a part of it, asks for.
pub(super) struct Picked {
    /// Its place among the candidates.
    pub(super) tool: usize,
    /// The arguments of its calls; none if something is missing.
    pub(super) calls: Vec<Map<String, Value>>,
    /// What the request does not say.
    pub(super) missing: Vec<String>,
    /// What it says, when something is missing.
    pub(super) said: Map<String, Value>,
    /// How sure it is.
    pub(super) score: f64,
}

/// What a tool says of itself, in stems.
pub(super) struct Vocabulary {
    name: Vec<Rc<str>>,
    about: Vec<Rc<str>>,
    parameters: Vec<Rc<str>>,
    notes: Vec<Rc<str>>,
    /// How many parameters are required.
    required: usize,
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
        let share = |own: &[Rc<str>]| share_of(own, words);
        [self.coverage(words), share(&self.name), share(&self.about), share(&self.parameters)]
    }

    /// The share of the words that it speaks of.
    fn coverage(&self, words: &[Rc<str>]) -> f64 {
        let (mut spoken, mut all) = (0.0, 0.0);
        for stem in words.iter().filter(|stem| !is_empty_stem(stem)) {
            spoken += self.weight(stem);
            all += 1.0;
        }
        if all == 0.0 { 0.0 } else { spoken / all }
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

/// The score from which on a tool is meant: more, if the request rather needs none and there are many to choose from.
/// `need`: how much the request's words speak for a tool, as log odds.
pub(super) fn bar(need: f64, candidates: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most ten")]
    let crowd = candidates.min(MANY) as f64 / MANY as f64;
    THRESHOLD + DOUBT * crowd * (-need).max(0.0)
}

/// The tools that the request asks for, in its order; the first one with the surest score if it asks for one.
pub(super) fn pick(request: &Request, candidates: &[&CandidateTool]) -> Vec<Picked> {
    let vocabularies: Vec<Vocabulary> = candidates.iter().map(|tool| Vocabulary::of(&tool.definition)).collect();
    let shares = shares(request, candidates, &vocabularies);
    if shares.len() > 1 {
        let picked = shares.into_iter().map(|(tool, range)| {
            let asked = Asked::of(request, range);
            let likeness = asked.likeness(candidates[tool], &vocabularies[tool]);
            asked.filled(tool, &candidates[tool].definition, likeness, vocabularies[tool].required)
        });
        return picked.collect();
    }
    let whole = candidates.iter().take_while(|tool| !tool.of_part).count();
    best(&Asked::of(request, request.whole()), &candidates[..whole], &vocabularies).into_iter().collect()
}

/// The tool with the surest score. What a call would say is only looked at while it may still change which one that is.
fn best(asked: &Asked<'_>, candidates: &[&CandidateTool], vocabularies: &[Vocabulary]) -> Option<Picked> {
    let likeness = |tool: usize| (tool, asked.likeness(candidates[tool], &vocabularies[tool]));
    let mut ordered: Vec<(usize, f64)> = (0..candidates.len()).map(likeness).collect();
    ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut best: Option<Picked> = None;
    for (tool, likeness) in ordered {
        if best.as_ref().is_some_and(|best| best.score >= likeness + CALLED) {
            break;
        }
        let picked = asked.filled(tool, &candidates[tool].definition, likeness, vocabularies[tool].required);
        if best.as_ref().is_none_or(|best| picked.score > best.score) {
            best = Some(picked);
        }
    }
    best
}

/// How much of a tool's own words some words have.
fn share_of(own: &[Rc<str>], words: &[Rc<str>]) -> f64 {
    let named = own.iter().filter(|stem| words.contains(stem)).count();
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let share = named as f64 / own.len().max(1) as f64;
    share
}

/// A request, or a part of it, to be held against tools.
struct Asked<'r> {
    request: &'r Request,
    range: Range<usize>,
    words: Vec<Rc<str>>,
}

impl<'r> Asked<'r> {
    fn of(request: &'r Request, range: Range<usize>) -> Self {
        Self { request, words: request.words(&range), range }
    }

    /// How much it is about the tool, before anything is filled in.
    fn likeness(&self, candidate: &CandidateTool, tool: &Vocabulary) -> f64 {
        let share = |own: &[Rc<str>]| share_of(own, &self.words);
        // Of a part of a request this is the whole's: the search has compared no other.
        let Likeness { whole, best } = candidate.likeness;
        let covered = tool.coverage(&self.words);
        let features = [candidate.confidence, covered, share(&tool.name), share(&tool.about), whole, best];
        WEIGHTS.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }

    /// What the tool's calls would be.
    fn filled(&self, tool: usize, definition: &ToolDefinition, likeness: f64, required: usize) -> Picked {
        let Filled { calls, missing, said } = calls_in(self.request, self.range.clone(), definition);
        let called = if calls.is_empty() { 0.0 } else { CALLED };
        Picked { tool, score: likeness + called - unsaid(missing.len(), required), calls, missing, said }
    }
}

/// What is held against a tool of whose required parameters some are not said.
fn unsaid(missing: usize, required: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few parameters")]
    let (share, some) = (missing as f64 / required.max(1) as f64, missing.min(UNSAID_MOST) as f64);
    UNSAID * share + UNSAID_EACH * some
}

#[cfg(test)]
#[path = "pick_tests.rs"]
mod tests;
