//! Which of the found tools a request asks for, and with what: by the words that the request and the tool share, by how
//! sure the search is, and by how well the request fills what the tool requires.
//!
//! A request for several things is divided among the tools sentence by sentence.

use std::ops::Range;
use std::rc::Rc;

use serde_json::{Map, Value};
use switchboard_protocol::ToolDefinition;

use super::extract::{Filled, Request, calls_in, is_empty_stem, stems};

/// A tool without this score is not meant.
pub(super) const THRESHOLD: f64 = 0.3;

/// A part of a request that is this sure of another tool is for that tool.
const PART: f64 = 0.34;

/// A tool that a request, or a part of it, asks for.
pub(super) struct Picked {
    /// Its place among the candidates.
    pub(super) tool: usize,
    /// The arguments of its calls; none if something is missing.
    pub(super) calls: Vec<Map<String, Value>>,
    /// What the request does not say.
    pub(super) missing: Vec<String>,
    /// How sure it is.
    pub(super) score: f64,
}

/// What a tool says of itself, in stems.
struct Vocabulary {
    name: Vec<Rc<str>>,
    about: Vec<Rc<str>>,
    parameters: Vec<Rc<str>>,
    notes: Vec<Rc<str>>,
}

impl Vocabulary {
    fn of(tool: &ToolDefinition) -> Self {
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
        Self { name: stems(&tool.name), about: stems(&tool.description), parameters, notes }
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

/// The tools that the request asks for, in its order; the first one with the surest score if it asks for one.
pub(super) fn pick(request: &Request, candidates: &[(&ToolDefinition, f64)]) -> Vec<Picked> {
    let vocabularies: Vec<Vocabulary> = candidates.iter().map(|(tool, _)| Vocabulary::of(tool)).collect();
    let shares = shares(request, &request.parts(), &vocabularies);
    if shares.len() > 1 {
        let picked = shares.into_iter().map(|(tool, range)| judged(request, range, tool, candidates, &vocabularies));
        return picked.collect();
    }
    let judge = |tool: usize| judged(request, request.whole(), tool, candidates, &vocabularies);
    let best = (0..candidates.len()).map(judge).max_by(|one, other| one.score.total_cmp(&other.score));
    best.into_iter().collect()
}

/// Which tools the parts are for, if they are for several: each with the parts that follow up to the next one's.
fn shares(request: &Request, parts: &[Range<usize>], vocabularies: &[Vocabulary]) -> Vec<(usize, Range<usize>)> {
    let mut shares: Vec<(usize, Range<usize>)> = Vec::new();
    if parts.len() < 2 || vocabularies.len() < 2 {
        return shares;
    }
    for part in parts {
        let scores: Vec<f64> = vocabularies.iter().map(|vocabulary| coverage(request, part, vocabulary)).collect();
        let best = (0..scores.len()).max_by(|one, other| scores[*one].total_cmp(&scores[*other])).unwrap_or(0);
        match shares.last_mut() {
            Some((tool, range)) if *tool == best || scores[best] < PART || scores[best] < scores[*tool] + 0.1 => {
                range.end = part.end;
            }
            None if scores[best] < PART => {}
            _ => shares.push((best, part.clone())),
        }
    }
    shares
}

/// The share of the words that the tool speaks of.
fn coverage(request: &Request, range: &Range<usize>, vocabulary: &Vocabulary) -> f64 {
    let (mut spoken, mut all) = (0.0, 0.0);
    for stem in request.words(range) {
        if is_empty_stem(&stem) {
            continue;
        }
        spoken += vocabulary.weight(&stem);
        all += 1.0;
    }
    if all == 0.0 { 0.0 } else { spoken / all }
}

fn judged(
    request: &Request,
    range: Range<usize>,
    tool: usize,
    candidates: &[(&ToolDefinition, f64)],
    vocabularies: &[Vocabulary],
) -> Picked {
    let (definition, confidence) = candidates[tool];
    let Filled { calls, missing } = calls_in(request, range.clone(), definition);
    let vocabulary = &vocabularies[tool];
    let covered = coverage(request, &range, vocabulary);
    let words: Vec<Rc<str>> = request.words(&range);
    let count = |own: &[Rc<str>]| {
        let named = own.iter().filter(|stem| words.contains(stem)).count();
        #[expect(clippy::cast_precision_loss, reason = "a name has a few words")]
        let share = named as f64 / own.len().max(1) as f64;
        share
    };
    let named = count(&vocabulary.name);
    let about = count(&vocabulary.about);
    let filled = if calls.is_empty() { 0.0 } else { 1.0 };
    let features = [confidence, covered, named, about, filled];
    let score = WEIGHTS.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    Picked { tool, calls, missing, score }
}

/// What the search's confidence, the words covered, the words of the name, and what is filled count for.
const WEIGHTS: [f64; 5] = [0.35, 0.25, 0.25, 0.1, 0.1];
