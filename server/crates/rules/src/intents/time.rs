//! The time and the date, here or elsewhere.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use crate::zones::zone_of;

const TIMES: &[&str] = &["time", "date", "day", "month", "year", "clock", "weekday", "today", "hour", "o'clock"];

/// Words around the time that say nothing more.
const AROUND: &[&str] = &[
    "what",
    "is",
    "the",
    "it",
    "now",
    "current",
    "currently",
    "right",
    "today",
    "today's",
    "tell",
    "me",
    "give",
    "show",
    "get",
    "do",
    "we",
    "have",
    "of",
    "and",
    "week",
    "a",
    "this",
    "please",
    "exact",
    "local",
    "see",
    "you",
    "know",
    "which",
    "at",
    "moment",
    "check",
    "in",
    "are",
    "be",
    "would",
    "print",
];

/// The time: a clause that has a word for it, and a place at most.
pub(super) fn time(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    if !clause.has(TIMES) || clause.starts("how").is_some() {
        return None;
    }
    let place = clause
        .tokens
        .iter()
        .position(|token| token.is(&["in", "for", "at"]))
        .filter(|&place| clause.tokens[place + 1..].iter().any(|token| !token.is(AROUND) && !token.is(TIMES)));
    let (before, where_) = match place {
        Some(place) => (&clause.tokens[..place], clause.tokens.get(place + 1..)?),
        None => (&clause.tokens[..], &[][..]),
    };
    let nothing_else = before.iter().all(|token| token.is(TIMES) || token.is(AROUND) || is_zone(token));
    if !nothing_else
        || where_.len() > 4
        || where_.iter().any(|token| !matches!(token.kind, Kind::Word | Kind::Path | Kind::Quoted))
    {
        return None;
    }
    let wanted = Act::new(Skill::Time, clause);
    let named: Vec<&str> = match place {
        Some(_) => {
            where_.iter().filter(|token| !token.is(&["the", "now", "right"])).map(|token| token.text.as_str()).collect()
        }
        None => before.iter().filter(|token| is_zone(token)).map(|token| token.text.as_str()).collect(),
    };
    if named.is_empty() {
        return act(wanted);
    }
    act(wanted.with_text(Role::Zone, &zone_of(&named.join(" "))))
}

/// `UTC`, `GMT`, `Europe/Berlin`, standing anywhere.
fn is_zone(token: &Token) -> bool {
    token.is(&["utc", "gmt"]) || (token.kind == Kind::Path && jiff::tz::db().get(&token.text).is_ok())
}
