//! Which of the found tools a request asks for, and with what: by the words that the request and the tool share, most of all
//! those that tell it from the others, by how alike they are in meaning, by how much surer the search is of it, and by how
//! much of what the tool takes the request says. The scores are log odds.
//!
//! A request for several things is divided among the tools first ([`super::divide`]). The weights were chosen on one half of
//! public data and tried on the other, see `docs/search.md`.

use std::ops::Range;
use std::rc::Rc;

use switchboard_protocol::ToolDefinition;

use super::divide::shares;
use super::extract::{Filled, Request, calls_in};
use super::heed::changes;
use super::vocabulary::{Vocabulary, counted, coverage, share, share_of};
use switchboard_agent::CandidateTool;

/// A tool without this score is not meant …
const THRESHOLD: f64 = 1.9;

/// … nor without that much less of it, where so many were found that what stands out says more …
const CROWDED: f64 = 0.4;

/// … but a request that rather needs no tool asks more of one then.
const DOUBT: f64 = 6.0;

/// So many tools are many: among them one or the other shares some words with any request.
const MANY: usize = 10;

/// What the score has of the share of the request's words that the tool speaks of, of the same share where a word counts
/// the more, the fewer of the candidates speak of it, of the share of its name that the request has, and of how alike they
/// are in meaning …
const COVERED: f64 = 1.5;
const TELLING: f64 = 0.6;
const NAMED: f64 = 1.4;
const ALIKE: f64 = 1.7;

/// … for each of the first few words that it alone speaks of …
const ALONE_EACH: f64 = 0.6;
const ALONE_MOST: usize = 3;

/// … for how much surer the search is of it, and how much more alike it is, than of the candidates in the mean …
const SURER: f64 = 1.9;
const LIKER: f64 = 1.4;

/// … if a call can be made, and for each of the first few parameters that the request fills.
const CALLED: f64 = 0.3;
const SAID_EACH: f64 = 0.3;
const SAID_MOST: usize = 4;

/// What is held against a tool if nothing is said of what it requires, and for each parameter of the first few.
const UNSAID: f64 = 1.5;
const UNSAID_EACH: f64 = 0.8;
const UNSAID_MOST: usize = 3;

/// How much of that counts for a tool that may change something.
const ASKED_RATHER: f64 = 0.3;

/// A tool that a request, or a part of it, asks for.
pub(super) struct Picked {
    /// Its place among the candidates.
    pub(super) tool: usize,
    /// Its calls, or what is missing.
    pub(super) filled: Filled,
    /// How sure it is.
    pub(super) score: f64,
}

/// The score from which on a tool is meant: more, if the request rather needs none and there are many to choose from.
/// `need`: how much the request's words speak for a tool, as log odds.
pub(super) fn bar(need: f64, candidates: usize) -> f64 {
    let crowd = counted(candidates.min(MANY)) / counted(MANY);
    THRESHOLD + crowd * (DOUBT * (-need).max(0.0) - CROWDED)
}

/// The tools that the request asks for, in its order; the first one with the surest score if it asks for one.
pub(super) fn pick(request: &Request, candidates: &[&CandidateTool]) -> Vec<Picked> {
    let vocabularies: Vec<Vocabulary> = candidates.iter().map(|tool| Vocabulary::of(&tool.definition)).collect();
    let shares = shares(request, candidates, &vocabularies);
    if shares.len() > 1 {
        let picked = shares.into_iter().map(|(tool, range)| {
            let asked = Asked::of(request, range);
            let likeness = asked.likenesses(candidates, &vocabularies)[tool];
            asked.filled(tool, &candidates[tool].definition, likeness, vocabularies[tool].required)
        });
        return picked.collect();
    }
    let whole = candidates.iter().take_while(|tool| !tool.of_part).count();
    best(&Asked::of(request, request.whole()), &candidates[..whole], &vocabularies).into_iter().collect()
}

/// The tool with the surest score. What a call would say is only looked at while it may still change which one that is.
fn best(asked: &Asked<'_>, candidates: &[&CandidateTool], vocabularies: &[Vocabulary]) -> Option<Picked> {
    let mut ordered: Vec<(usize, f64)> =
        asked.likenesses(candidates, &vocabularies[..candidates.len()]).into_iter().enumerate().collect();
    ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
    let most = CALLED + SAID_EACH * counted(SAID_MOST);
    let mut best: Option<Picked> = None;
    for (tool, likeness) in ordered {
        if best.as_ref().is_some_and(|best| best.score >= likeness + most) {
            break;
        }
        let picked = asked.filled(tool, &candidates[tool].definition, likeness, vocabularies[tool].required);
        if best.as_ref().is_none_or(|best| picked.score > best.score) {
            best = Some(picked);
        }
    }
    best
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

    /// How much it is about each tool, before anything is filled in. Of a part of a request the meaning is the whole's: the
    /// search has compared no other.
    fn likenesses(&self, candidates: &[&CandidateTool], tools: &[Vocabulary]) -> Vec<f64> {
        let weights: Vec<Vec<f64>> = tools.iter().map(|tool| tool.weights(&self.words)).collect();
        let speak = |word: usize| weights.iter().filter(|own| own[word] > 0.0).count();
        let speakers: Vec<usize> = (0..self.words.len()).map(speak).collect();
        let telling = |speakers: usize| match speakers {
            0 => 0.0,
            speakers => (counted(tools.len() + 1) / (counted(speakers) + 0.5)).ln(),
        };
        let sure = mean(candidates.iter().map(|candidate| candidate.confidence));
        let alike = mean(candidates.iter().map(|candidate| candidate.likeness.whole));
        let likeness = |((candidate, tool), own): ((&&CandidateTool, &Vocabulary), &Vec<f64>)| {
            let alone =
                own.iter().zip(&speakers).filter(|(weight, speakers)| **weight > 0.0 && **speakers == 1).count();
            COVERED * coverage(&self.words, own)
                + TELLING * share(own.iter().zip(&speakers).map(|(weight, speakers)| (*weight, telling(*speakers))))
                + NAMED * share_of(&tool.name, &self.words)
                + ALIKE * candidate.likeness.whole
                + ALONE_EACH * counted(alone.min(ALONE_MOST))
                + SURER * (candidate.confidence - sure)
                + LIKER * (candidate.likeness.whole - alike)
        };
        candidates.iter().zip(tools).zip(&weights).map(likeness).collect()
    }

    /// What the tool's calls would be.
    fn filled(&self, tool: usize, definition: &ToolDefinition, likeness: f64, required: usize) -> Picked {
        let filled = calls_in(self.request, self.range.clone(), definition);
        let (called, said) = filled.calls.first().map_or((0.0, filled.said.len()), |call| (CALLED, call.len()));
        let said_of_it = called + SAID_EACH * counted(said.min(SAID_MOST)) - unsaid(definition, &filled, required);
        Picked { tool, score: likeness + said_of_it, filled }
    }
}

/// What is held against a tool of whose required parameters some are not said: less if it may change something, so that
/// what only reads does not take its place because it needs less.
fn unsaid(tool: &ToolDefinition, filled: &Filled, required: usize) -> f64 {
    let missing = filled.missing.len();
    let unsaid = UNSAID * counted(missing) / counted(required.max(1)) + UNSAID_EACH * counted(missing.min(UNSAID_MOST));
    if changes(tool) { unsaid * ASKED_RATHER } else { unsaid }
}

fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    share(figures.map(|figure| (figure, 1.0)))
}

#[cfg(test)]
#[path = "pick_tests.rs"]
mod tests;
