//! How many: lines, words, files, keys.

use super::Known;
use super::find::{by_name, by_text, escaped};
use super::pieces::{folder_at, is_path};
use crate::clause::Clause;
use crate::goal::{About, Act, Given, Goal, Question, Role, Skill, Source, Unit};
use crate::lexer::Kind;
use crate::words::{PRONOUNS, STOP};

const LEADS: &[&str] = &[
    "how many",
    "count",
    "what is|'s the? number of",
    "the? number of",
    "tell|give|show me? how many",
    "tell|give|show me? the number of",
    "how long is|are",
    "how big|large is|are",
    "what is|'s the? size|length of",
];

const UNITS: &[(&[&str], Unit)] = &[
    (&["line", "lines", "rows", "long"], Unit::Lines),
    (&["word", "words"], Unit::Words),
    (&["character", "characters", "chars", "letters"], Unit::Characters),
    (&["byte", "bytes", "big", "large", "size", "length"], Unit::Bytes),
];

const ITEMS: &[&str] = &[
    "file",
    "files",
    "folder",
    "folders",
    "key",
    "keys",
    "entry",
    "entries",
    "item",
    "items",
    "element",
    "elements",
    "field",
    "fields",
    "match",
    "matches",
    "results",
    "directories",
    "things",
    "times",
    "occurrences",
    "section",
    "sections",
    "of",
];

/// A question for a number of something.
pub(super) fn count(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let lead = LEADS.iter().find_map(|lead| clause.starts(lead))?;
    let from = lead.saturating_sub(1).max(1);
    let unit = UNITS
        .iter()
        .find(|(words, _)| clause.tokens[from.min(1)..].iter().any(|token| token.is(words)))
        .map(|(_, unit)| *unit);
    let ask = |about, source| Goal::Ask(Question { about, source, clause: clause.clone() });
    if let Some(unit) = unit {
        let source = source(clause, lead, known)?;
        return Some(vec![ask(About::Count(unit), source)]);
    }
    let noun = clause.tokens[from..].iter().find(|token| token.is(ITEMS));
    let files = noun.is_some_and(|token| {
        token.is(&["file", "files", "folder", "folders", "directories", "entries", "things", "items"])
    });
    let count_of =
        |goals: Vec<Goal>| Some(goals.into_iter().chain([ask(About::Count(Unit::Items), Source::That)]).collect());
    if let Some(goals) = by_name(clause, known).filter(|_| noun.is_some()) {
        return count_of(goals);
    }
    if let Some(goals) = occurrences(clause, lead, known) {
        return count_of(goals);
    }
    if files && let Some(folder) = folder(clause) {
        return count_of(vec![Goal::Act(Act::new(Skill::List, clause).with(Role::Folder, folder))]);
    }
    let rest = clause.tokens.get(lead..).unwrap_or_default();
    let only_points = !rest.is_empty() && rest.iter().all(|token| token.is(STOP) || token.is(PRONOUNS));
    if noun.is_none() && !only_points {
        return None;
    }
    let source = source(clause, lead, known).or_else(|| known.follows.then_some(Source::That))?;
    Some(vec![ask(About::Count(Unit::Items), source)])
}

/// `how many TODOs are in src`, `how many times does foo appear in src`, `how many files contain foo`.
fn occurrences(clause: &Clause, lead: usize, known: &Known<'_>) -> Option<Vec<Goal>> {
    if let Some((_, end)) = clause.find("files|lines contain|contains|containing|mention|with") {
        return by_text(&clause.tail(end.saturating_sub(2)), known).map(counting);
    }
    let (start, stop) = match clause.find("times|occurrences|instances do|does|is|of?") {
        Some((_, end)) => (end, clause.find("appear|appears|occur|occurs|used|mentioned|in")?.0),
        None => {
            let shouted = clause.tokens.get(lead).filter(|token| {
                let text = token.text.trim_end_matches('s');
                text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            });
            shouted?;
            (lead, lead + 1)
        }
    };
    let word = clause.tokens.get(start).filter(|_| stop > start)?;
    let text = if word.is_literal() {
        clause.part(start, stop).trim_matches(['"', '\'', '`'])
    } else {
        clause.part(start, stop)
    };
    let text = if stop == start + 1 && word.kind == Kind::Word {
        text.strip_suffix('s').filter(|stem| stem.chars().all(char::is_uppercase)).unwrap_or(text)
    } else {
        text
    };
    let search = Act::new(Skill::Grep, clause).with_text(Role::Pattern, &switchboard_context::literal(&escaped(text)));
    Some(vec![Goal::Act(match folder(clause) {
        Some(folder) => search.with(Role::Path, folder),
        None => search,
    })])
}

fn counting(goals: Vec<Goal>) -> Vec<Goal> {
    goals
}

fn folder(clause: &Clause) -> Option<Given> {
    let place = (0..clause.tokens.len()).find_map(|place| clause.matches_at(place, "in|inside|under|within"));
    match place {
        Some(end) => folder_at(clause, end).map(|(folder, _)| folder),
        None => Some(Given::text(".")),
    }
}

/// What is counted in: a file, a variable, the last result.
fn source(clause: &Clause, from: usize, known: &Known<'_>) -> Option<Source> {
    let rest = clause.tokens.get(from..).unwrap_or_default();
    if let Some(token) = rest.iter().find(|token| is_path(token)) {
        return Some(Source::File(Given::text(&token.text)));
    }
    if let Some(token) = rest.iter().find(|token| token.kind == Kind::Reference) {
        return Some(Source::Variable(token.text[1..].to_owned()));
    }
    if let Some(token) = rest.iter().find(|token| known.is_variable(&token.text)) {
        return Some(Source::Variable(token.text.clone()));
    }
    let points = rest.iter().any(|token| {
        token.is(&["it", "that", "this", "there", "them", "file", "result", "output", "text", "list", "array", "these"])
    });
    (points || known.follows).then_some(Source::That)
}
