//! What points back to what was done or shown: `do it again`, `the second one`, `the last line`.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{About, Act, Given, Goal, Question, Role, Skill, Source};
use crate::lexer::Token;
use crate::numbers::ordinal as place_of;

const AGAIN: &[&str] = &[
    "do it|that|this again",
    "again",
    "once more",
    "one more time",
    "the? same again",
    "repeat",
    "redo",
    "run|try|execute|calculate|read it|that|this again",
    "try again",
    "do the same",
    "rerun",
];

/// Words that may follow without asking for anything else.
const NOTHING_MORE: &[&str] = &[
    "it", "that", "this", "again", "the", "last", "previous", "command", "thing", "call", "step", "one", "more", "time",
];

/// Words around an ordinal that say nothing.
const AROUND: &[&str] =
    &["the", "one", "me", "show", "of", "them", "it", "what", "is", "was", "give", "tell", "about", "that", "those"];

/// The last call, with the same arguments.
pub(super) fn again(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let end = AGAIN.iter().find_map(|phrase| clause.starts(phrase))?;
    if !clause.tokens[end..].iter().all(|token| token.is(NOTHING_MORE)) {
        return None;
    }
    act(Act { exactly: Some(serde_json::Map::new()), ..Act::new(Skill::Other, clause) })
}

/// One of a list, or a line of a text: `the second one`, `open the 3rd file`, `the last line of it`.
pub(super) fn ordinal(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let mut places = clause.tokens.iter().enumerate().filter(|(_, token)| !token.is_literal());
    let (place, number) = places.find_map(|(place, token)| Some((place, place_of(&token.lower)?)))?;
    let others = clause.tokens.iter().enumerate().filter(|(at, token)| *at != place && !token.is(AROUND));
    let rest: Vec<&Token> = others.map(|(_, token)| token).collect();
    let opens = |token: &&Token| {
        token.is(&["file", "read", "open", "cat", "print", "display", "view", "content", "contents", "in"])
    };
    if rest.iter().any(opens) && rest.iter().all(opens) {
        return act(Act::new(Skill::Read, clause).with(Role::Path, Given::Nth(number)));
    }
    let around_line = |token: &&Token| token.is(&["line", "in", "file", "text", "output", "does", "say", "read"]);
    if rest.iter().any(|token| token.is(&["line"])) && rest.iter().all(around_line) {
        let question = Question { about: About::Line(number), source: Source::That, clause: clause.clone() };
        return Some(vec![Goal::Ask(question)]);
    }
    let item = rest.iter().all(|token| token.is(&["item", "element", "entry", "result", "match", "option"]));
    let question = Question { about: About::Element(number), source: Source::That, clause: clause.clone() };
    item.then(|| vec![Goal::Ask(question)])
}
