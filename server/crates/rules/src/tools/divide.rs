//! A request for several things, divided among the tools: clause by clause, each clause to the tool that it speaks of,
//! or to the one before.

use std::ops::Range;

use switchboard_protocol::ToolDefinition;

use super::extract::Request;
use super::lexer::Kind;
use super::vocabulary::Vocabulary;
use super::words::{ACTIONS, QUESTIONS, name_words};
use switchboard_agent::CandidateTool;
use switchboard_search::Meaning;

/// How many clauses of a request are looked at on their own.
pub(super) const MAX_CLAUSES: usize = 10;

/// What a clause's worth to a tool has of the share of its words that the tool speaks of, of how alike they are, and of the
/// shares of the tool's name, description and parameters that the clause has.
const WEIGHTS: [f64; 5] = [0.9, 0.8, 0.25, 0.5, 0.25];

/// What is held against a tool that only a clause led to.
const OF_PART: f64 = 0.3;

/// How much of a description is compared, in bytes.
const MAX_DESCRIPTION: usize = 600;

/// Verbs that ask for something, beside those that the server's own tools know.
const VERBS: &[&str] = &[
    "access",
    "activate",
    "adjust",
    "arrange",
    "assess",
    "assist",
    "block",
    "cancel",
    "choose",
    "compare",
    "collect",
    "conduct",
    "design",
    "detect",
    "determine",
    "discover",
    "engage",
    "enroll",
    "estimate",
    "explore",
    "gather",
    "help",
    "identify",
    "log",
    "make",
    "measure",
    "modify",
    "monitor",
    "obtain",
    "optimize",
    "order",
    "pay",
    "perform",
    "plan",
    "predict",
    "provide",
    "publish",
    "purchase",
    "recommend",
    "register",
    "request",
    "reserve",
    "retrieve",
    "review",
    "schedule",
    "share",
    "simulate",
    "submit",
    "suggest",
    "track",
    "train",
    "transfer",
    "validate",
    "verify",
    "withdraw",
];

/// Words that stand before a verb that goes on.
const LINKS: &[&str] = &[
    "also",
    "then",
    "please",
    "finally",
    "lastly",
    "afterwards",
    "additionally",
    "next",
    "later",
    "subsequently",
    "kindly",
    "to",
    "i",
    "i'd",
    "i'm",
    "can",
    "could",
    "would",
    "you",
    "want",
    "need",
    "like",
    "me",
    "let",
    "know",
];

/// Begins a clause that asks for something new.
const NEW: &[&str] = &[
    "then",
    "next",
    "after",
    "afterwards",
    "afterward",
    "finally",
    "lastly",
    "last",
    "additionally",
    "also",
    "furthermore",
    "moreover",
    "second",
    "secondly",
    "third",
    "thirdly",
    "moving",
    "once",
    "first",
    "firstly",
    "subsequently",
    "followed",
    "later",
    "besides",
    "plus",
    "following",
];

/// Begins a clause that says more of what went before.
const MORE: &[&str] = &[
    "the",
    "my",
    "it",
    "its",
    "it's",
    "this",
    "these",
    "those",
    "they",
    "he",
    "she",
    "his",
    "her",
    "their",
    "there",
    "specifically",
    "preferably",
    "you",
    "make",
    "ensure",
    "use",
    "using",
    "include",
    "including",
    "note",
    "consider",
    "specify",
    "set",
    "keep",
    "if",
    "which",
    "for",
    "that",
    "thank",
    "thanks",
    "here",
    "both",
];

/// What a first clause tells of, that only says what all of it is about.
const PREFACE: &[&str] = &[
    "help",
    "assistance",
    "assist",
    "information",
    "research",
    "project",
    "working",
    "conducting",
    "planning",
    "doing",
    "gather",
    "tasks",
    "interested",
    "curious",
];

/// How a clause stands to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stance {
    /// It only says what all of it is about.
    Preface,
    /// It says of itself that it asks for something new.
    New,
    /// It says more of what went before.
    More,
    Open,
}

impl Stance {
    fn of(request: &Request, clauses: &[Range<usize>], place: usize) -> Self {
        let clause = &clauses[place];
        let skip = |at: &usize| request.is_mark(*at, ",;\n") || request.is(*at, &["and", "but"]);
        let first = clause.clone().find(|at| !skip(at)).unwrap_or(clause.start);
        let bare = if request.is(first, &["please"]) { first + 1 } else { first };
        let numbered = |clause: &Range<usize>| request.is(clause.start, &["first", "firstly"]);
        let prefaces = || {
            let begins = request.is(first, &["i", "i'm", "we", "with", "gather"]);
            begins && (first..clause.end.min(first + 8)).any(|at| request.is(at, PREFACE))
        };
        if place == 0 && clauses.len() > 1 && (prefaces() || numbered(&clauses[1])) {
            Self::Preface
        } else if request.is(first, NEW) || request.is(first, &["in"]) && request.is(first + 1, &["addition"]) {
            Self::New
        } else if request.is(bare, MORE) {
            Self::More
        } else {
            Self::Open
        }
    }

    /// How much the clause counts.
    fn weight(self) -> f64 {
        match self {
            Self::Preface => 0.25,
            Self::More => 0.5,
            Self::New | Self::Open => 1.0,
        }
    }

    /// How much better another tool must fit than the one before.
    fn turn(self) -> f64 {
        match self {
            Self::New => 0.3,
            Self::More => 0.7,
            Self::Preface | Self::Open => 0.85,
        }
    }
}

/// Which tools a request is for, in its order, and what of it is for each.
pub(super) fn shares(
    request: &Request,
    candidates: &[&CandidateTool],
    tools: &[Vocabulary],
) -> Vec<(usize, Range<usize>)> {
    let clauses = clauses(request);
    if clauses.len() < 2 || tools.len() < 2 {
        return Vec::new();
    }
    let stances: Vec<Stance> = (0..clauses.len()).map(|place| Stance::of(request, &clauses, place)).collect();
    let meanings: Vec<Meaning> = candidates.iter().map(|tool| meaning(&tool.definition)).collect();
    let worth = |(clause, stance): (&Range<usize>, &Stance)| {
        let (own, words) = (Meaning::of(request.span(clause)), request.words(clause));
        let of = |tool: usize| {
            let [covered, name, about, parameters] = tools[tool].features(&words);
            let features = [covered, own.alike(&meanings[tool]), name, about, parameters];
            let held = if candidates[tool].of_part { OF_PART } else { 0.0 };
            stance.weight() * (WEIGHTS.iter().zip(features).map(|(weight, share)| weight * share).sum::<f64>() - held)
        };
        (0..tools.len()).map(of).collect()
    };
    let worth: Vec<Vec<f64>> = clauses.iter().zip(&stances).map(worth).collect();
    let turns: Vec<f64> = stances.iter().map(|stance| stance.turn()).collect();
    let mut shares: Vec<(usize, Range<usize>)> = Vec::new();
    for (tool, clause) in best_path(&worth, &turns).into_iter().zip(&clauses) {
        match shares.last_mut() {
            Some((last, range)) if *last == tool => range.end = clause.end,
            _ => shares.push((tool, clause.clone())),
        }
    }
    shares
}

fn meaning(tool: &ToolDefinition) -> Meaning {
    let description = &tool.description[..tool.description.floor_char_boundary(MAX_DESCRIPTION)];
    Meaning::of(&format!("{}: {description}", name_words(&tool.name).join(" ")))
}

/// The tool of each clause, so that the sum of what they are worth is largest; each turn to another tool costs.
fn best_path(worth: &[Vec<f64>], turns: &[f64]) -> Vec<usize> {
    let best = |sums: &[f64]| (0..sums.len()).max_by(|one, other| sums[*one].total_cmp(&sums[*other])).unwrap_or(0);
    let mut sums = worth[0].clone();
    let mut before: Vec<Vec<usize>> = Vec::new();
    for (row, turn) in worth.iter().zip(turns).skip(1) {
        let other = best(&sums);
        let from: Vec<usize> =
            (0..sums.len()).map(|tool| if sums[tool] >= sums[other] - turn { tool } else { other }).collect();
        sums = from
            .iter()
            .enumerate()
            .map(|(tool, &from)| row[tool] + sums[from] - if from == tool { 0.0 } else { *turn })
            .collect();
        before.push(from);
    }
    let mut path = vec![best(&sums)];
    for from in before.iter().rev() {
        path.push(from[path[path.len() - 1]]);
    }
    path.reverse();
    path
}

/// What a request asks for, clause by clause; nothing if it is one.
pub(crate) fn parts(text: &str) -> Vec<String> {
    let request = Request::new(text);
    let clauses = clauses(&request);
    if clauses.len() < 2 {
        return Vec::new();
    }
    clauses.iter().map(|clause| request.span(clause).to_owned()).collect()
}

/// The clauses of a request: its sentences, and what `and` or a comma adds to them with a verb of its own.
pub(super) fn clauses(request: &Request) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    for sentence in request.parts() {
        let mut start = sentence.start;
        for place in sentence.clone() {
            if place > start && divides(request, place, sentence.end) && has_words(request, &(start..place)) {
                clauses.push(start..place);
                start = place;
            }
        }
        clauses.push(start..sentence.end);
    }
    clauses.retain(|clause| has_words(request, clause));
    clauses.truncate(MAX_CLAUSES);
    clauses
}

/// Whether a clause begins here: at `and`, `then` or a comma before a verb.
fn divides(request: &Request, place: usize, end: usize) -> bool {
    if !(request.is_mark(place, ",;\n") || request.is(place, &["and", "then", "but", "while", "plus", "followed"])) {
        return false;
    }
    // The comma before `and` divides, and `and` not once more.
    let led = place > 0 && (request.is_mark(place - 1, ",;\n") || request.is(place - 1, &["and", "but"]));
    let mut next = place + 1;
    let mut links = 0;
    while next < end && links < 5 && (request.is(next, LINKS) || request.is(next, &["and", "but", "while"])) {
        links += 1;
        next += 1;
    }
    !led && (request.is(next, ACTIONS) || request.is(next, VERBS) || request.is(next, QUESTIONS) || links > 2)
}

fn has_words(request: &Request, range: &Range<usize>) -> bool {
    range.clone().filter(|place| request.is_of(*place, Kind::Word)).count() > 2
}

#[cfg(test)]
#[path = "divide_tests.rs"]
mod tests;
