//! Writing and copying files.

use super::pieces::{FILE_WORDS, bare_name, is_path, is_pronoun};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use switchboard_context::literal;

const VERBS: &str =
    "write|save|put|create|make|store|produce|generate|export|dump|output|touch|copy|duplicate|place|add|insert";

/// What leads from the file's name to its content.
const CONTENT_LEADS: &[&str] = &[
    "containing the? text|words|word|line|content|contents|string?",
    "with the? content|contents|text|words|word|line|message|string of?",
    "with the? following? content|contents|text",
    "that|which says|contains|reads|has",
    "that|which should? say|contain|read|have",
    "saying|reading|having",
    "with in it",
    "with",
];

/// `write "Hello" to file x.txt`, `create a file x.txt containing Hello`, `save that to copy.txt`, `copy a.txt to b.txt`.
pub(super) fn write(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let verb_end = clause.starts(VERBS)?;
    if clause.starts("copy|duplicate").is_some() || clause.find("contents|content of").is_some() {
        return copy(clause, verb_end);
    }
    let target = target(clause, verb_end)?;
    let writing = Act::new(Skill::Write, clause).with_text(Role::Path, &clause.tokens[target].text);
    act(match content(clause, verb_end, target) {
        Some(content) => writing.with(Role::Content, content),
        None => writing,
    })
}

/// What leads to a file that is to be replaced as a whole.
const REPLACING: &[&str] = &[
    "overwrite the? whole|entire|old|current? contents|content|text? of|in? the|my? file?",
    "replace the? whole|entire|old|current? contents|content|text of|in the|my? file?",
    "replace the|my? whole|entire? file",
];

/// `overwrite a.txt with "x"`, `replace the contents of a.txt with: x`.
pub(super) fn replace(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let target = REPLACING
        .iter()
        .find_map(|words| clause.starts(words).filter(|at| clause.tokens.get(*at).is_some_and(is_path)))?;
    let writing = Act::new(Skill::Write, clause).with_text(Role::Path, &clause.tokens[target].text);
    let mark = clause.tokens.get(target + 1).is_some_and(|token| token.is_mark(":"));
    let lead = clause.matches_at(target + 1, "with|by the? following? text|content|contents|words?");
    let Some(from) = lead.or(mark.then_some(target + 1)) else {
        // Instead of a file a text of it may be meant, as in `replace "a.b" in notes.txt`.
        return if clause.tokens.len() == target + 1 { act(writing) } else { None };
    };
    let from = from + usize::from(clause.tokens.get(from).is_some_and(|token| token.is_mark(":")));
    let content = match clause.tokens.get(from..)? {
        [] => return act(writing),
        [token] => as_content(token),
        rest if is_pronoun(rest) => Given::That,
        _ => Given::text(&literal(&clause.verbatim(from))),
    };
    act(writing.with(Role::Content, content))
}

/// The contents of one file into another: two steps.
fn copy(clause: &Clause, from: usize) -> Option<Vec<Goal>> {
    let places: Vec<usize> = (from..clause.tokens.len()).filter(|&place| is_path(&clause.tokens[place])).collect();
    let to =
        |place: usize| clause.tokens[..place].iter().rev().take(3).any(|token| token.is(&["to", "into", "as", "in"]));
    match places.as_slice() {
        [source, target] if to(*target) => {
            let read = Act::new(Skill::Read, clause).with_text(Role::Path, &clause.tokens[*source].text);
            let write = Act::new(Skill::Write, clause).with_text(Role::Path, &clause.tokens[*target].text);
            Some(vec![Goal::Act(read), Goal::Act(write.with(Role::Content, Given::That))])
        }
        [target] if to(*target) => {
            let source = clause.first(Kind::Reference).map_or(Given::That, |token| Given::text(&token.text));
            let write = Act::new(Skill::Write, clause).with_text(Role::Path, &clause.tokens[*target].text);
            act(write.with(Role::Content, source))
        }
        _ => None,
    }
}

/// Where the file's name stands: after `to`, `into`, `file`, `called`; else the only path.
fn target(clause: &Clause, from: usize) -> Option<usize> {
    let lead = |place: usize| {
        place > 0
            && clause.tokens[place - 1]
                .is(&["to", "into", "in", "as", "file", "called", "named", "at", "under", "onto"])
    };
    let led_path = (from..clause.tokens.len()).rev().find(|&place| lead(place) && is_path(&clause.tokens[place]));
    let path =
        led_path.or_else(|| (from..clause.tokens.len()).rev().find(|&place| clause.tokens[place].kind == Kind::Path));
    path.or_else(|| {
        // A name without extension must be said to be a file's.
        (from..clause.tokens.len()).find(|&place| {
            let before = place.checked_sub(1).map(|before| &clause.tokens[before]);
            let named = before.is_some_and(|before| before.is(FILE_WORDS) || before.is(&["called", "named"]));
            named
                && clause.has(FILE_WORDS)
                && (bare_name(&clause.tokens[place]).is_some() || clause.tokens[place].is_literal())
        })
    })
}

fn content(clause: &Clause, verb_end: usize, target: usize) -> Option<Given> {
    if let Some(found) = after_lead(clause, target) {
        return Some(found);
    }
    let others = |token: &&Token| token.is_literal() || token.kind == Kind::Reference;
    let before = clause.tokens[verb_end..target].iter().find(others);
    let after = clause.tokens[target + 1..].iter().find(others);
    if let Some(token) = before.or(after) {
        return Some(as_content(token));
    }
    // What stands between the verb and `to file x`.
    let mut to = target;
    while to > verb_end
        && clause.tokens[to - 1]
            .is(&["to", "into", "in", "as", "file", "the", "a", "new", "called", "named", "text", "at", "onto"])
    {
        to -= 1;
    }
    let mut from = verb_end;
    while from < to
        && clause.tokens[from]
            .is(&["the", "a", "text", "words", "word", "line", "string", "number", "message", "new", "value"])
        && to > from + 1
    {
        from += 1;
    }
    let between = &clause.tokens[from..to];
    let empty = between.iter().all(|token| token.is(&["empty", "blank", "new", "a", "an", "the", "file", "text"]));
    if !between.is_empty() && !empty {
        return Some(if is_pronoun(between) { Given::That } else { Given::text(&literal(clause.part(from, to))) });
    }
    let makes = clause.starts("create|make|touch|generate|produce").is_some();
    if makes && target + 1 >= clause.tokens.len() {
        return Some(Given::text(""));
    }
    let behind = clause.tokens.get(target + 1).filter(|token| token.is_mark(":"));
    behind.map(|_| Given::text(&literal(&clause.verbatim(target + 2)))).filter(|_| target + 2 < clause.tokens.len())
}

/// What follows `containing` and the like, as it was written.
fn after_lead(clause: &Clause, target: usize) -> Option<Given> {
    let lead = (target + 1..clause.tokens.len()).take(6).find_map(|place| {
        CONTENT_LEADS
            .iter()
            .find_map(|phrase| clause.matches_at(place, phrase))
            .filter(|end| *end < clause.tokens.len())
    })?;
    let from = if clause.tokens[lead].is_mark(":") { lead + 1 } else { lead };
    let rest = clause.tokens.get(from..).filter(|rest| !rest.is_empty())?;
    Some(match rest {
        [token] => as_content(token),
        rest if is_pronoun(rest) => Given::That,
        _ => Given::text(&literal(&clause.verbatim(from))),
    })
}

fn as_content(token: &Token) -> Given {
    match token.kind {
        Kind::Reference => Given::text(&token.text),
        _ if is_pronoun(std::slice::from_ref(token)) => Given::That,
        _ => Given::text(&literal(&token.text)),
    }
}
