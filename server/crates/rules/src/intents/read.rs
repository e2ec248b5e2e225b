//! Reading files: `read config.json`, `show me the contents of notes.txt`, `cat README`, `what does it say`.

use super::pieces::{FILE_WORDS, bare_name, is_path, number};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{About, Act, Given, Goal, Question, Role, Skill, Source};
use crate::lexer::{Kind, Token};
use crate::numbers::number_word;
use crate::words::PRONOUNS;

const LEADS: &str = "read|open|cat|show|print|display|view|load|dump|see|output|type|fetch|get|give|look|check|inspect|what|contents|content|the|let|head|tail|less|more|tell|examine|review|access|return|list|retrieve|peek|skim|study";

/// Words around a file's name that say nothing more than that it is to be read.
const AROUND: &[&str] = &[
    "the",
    "a",
    "file",
    "files",
    "contents",
    "content",
    "text",
    "of",
    "me",
    "whole",
    "entire",
    "full",
    "all",
    "out",
    "in",
    "inside",
    "from",
    "at",
    "what",
    "is",
    "does",
    "say",
    "says",
    "contain",
    "contains",
    "have",
    "has",
    "to",
    "us",
    "let",
    "see",
    "into",
    "up",
    "my",
    "our",
    "this",
    "both",
    "and",
    "named",
    "called",
    "there",
    "written",
    "it",
    "again",
    "data",
    "document",
    "documents",
    "complete",
    "with",
    "line",
    "numbers",
    "on",
    "screen",
    "stored",
    "tell",
    "one",
    "here",
    "-n",
];

/// The files that the clause asks to see, and nothing else; or a file's name alone.
pub(super) fn read(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    if let Some(goals) = ending(clause) {
        return Some(goals);
    }
    let alone = clause.tokens.iter().all(|token| token.kind == Kind::Path);
    if !alone {
        clause.starts(LEADS)?;
    }
    let (lines, clause_without) = lines(clause);
    let rest = clause_without.tokens.get(usize::from(!alone)..)?;
    let files: Vec<&Token> = rest.iter().filter(|token| is_path(token) || token.kind == Kind::Reference).collect();
    // `what is db.host in config.json` asks for a key of the second, not for two files.
    let key_of = |pair: &[Token]| is_path(&pair[0]) && !pair[0].text.contains('/') && pair[1].is(&["in", "of", "from"]);
    if files.len() == 2 && rest.windows(2).any(key_of) {
        return None;
    }
    let others =
        rest.iter().filter(|token| !is_path(token) && token.kind != Kind::Reference && token.kind != Kind::Mark);
    let others: Vec<&Token> = others.filter(|token| !token.is(AROUND)).collect();
    let reading = lines
        .into_iter()
        .fold(Act::new(Skill::Read, clause), |act, (role, number)| act.with(role, Given::Value(number.into())));

    if !files.is_empty() {
        let written =
            files.iter().all(|token| token.kind != Kind::Reference) || clause.has(FILE_WORDS) || files.len() > 1;
        if !others.is_empty() || !written {
            return None;
        }
        return act(files.iter().fold(reading, |act, file| act.with_text(Role::Path, &file.text)));
    }
    let verb = clause.starts("read|open|cat|view|load|head|tail|less|more|show|print|display").is_some();
    let points = rest.iter().any(|token| token.is(PRONOUNS));
    if others.is_empty() && points && clause.starts("what does").is_some() {
        let question = Question { about: About::Whole, source: Source::That, clause: clause.clone() };
        return Some(vec![Goal::Ask(question)]);
    }
    match others.as_slice() {
        [] if verb && (points || rest.iter().any(|token| token.is(FILE_WORDS))) => {
            act(reading.with(Role::Path, Given::ThatFile))
        }
        names if verb && !names.is_empty() && names.iter().all(|name| is_bare_file(name, clause)) => {
            act(names.iter().fold(reading, |act, name| act.with_text(Role::Path, &name.text)))
        }
        _ => None,
    }
}

/// `Makefile`, `README`, or any single word after `the file`, `read`, `cat` or `open`.
fn is_bare_file(token: &Token, clause: &Clause) -> bool {
    let Some(name) = bare_name(token) else { return false };
    let well_known =
        ["makefile", "readme", "license", "dockerfile", "changelog", "justfile", "procfile", "authors", "todo"];
    let single = clause.tokens.len() <= 3;
    well_known.contains(&token.lower.as_str())
        || clause.has(FILE_WORDS)
        || (single && clause.starts("read|cat|open|less|head|tail|load").is_some() && !name.is_empty())
}

/// `the last 3 lines of x`, `tail -n 3 x`.
fn ending(clause: &Clause) -> Option<Vec<Goal>> {
    let file = clause.tokens.iter().find(|token| is_path(token))?;
    let tail = clause.starts("tail").is_some();
    let place = if tail { 1 } else { clause.find("last")?.1 };
    let number = clause.tokens[place..].iter().find_map(count);
    if !tail && !clause.tokens[place..].iter().any(|token| token.is(&["line", "lines"])) {
        return None;
    }
    let lines = number.unwrap_or(if tail { 10 } else { 1 });
    let source = Source::File(Given::text(&file.text));
    Some(vec![Goal::Ask(Question { about: About::Ending(lines), source, clause: clause.clone() })])
}

/// A number of lines: `3`, `three`, `-3`.
fn count(token: &Token) -> Option<u64> {
    let digits = token.text.trim_start_matches(['-', 'n']);
    number(digits).and_then(|number| number.as_u64()).or_else(|| number_word(&token.lower).map(u64::from))
}

/// `the first 20 lines of x`, `lines 5 to 10 of x`: limit and offset, and the clause without them.
fn lines(clause: &Clause) -> (Vec<(Role, u64)>, Clause) {
    let count = |place: usize| clause.tokens.get(place).and_then(count);
    if clause.starts("head").is_some()
        && let Some((place, limit)) = (1..clause.tokens.len()).find_map(|place| Some((place, count(place)?)))
    {
        return (vec![(Role::Limit, limit)], clause.without(1, place + 1));
    }
    if let Some((start, end)) = clause.find("first|top")
        && let Some(limit) = count(end)
        && let Some(to) = clause.matches_at(end + 1, "lines|line of?")
    {
        return (vec![(Role::Limit, limit)], clause.without(start, to));
    }
    if let Some((start, end)) = clause.find("lines|line")
        && let Some(first) = count(end)
    {
        let last = clause.matches_at(end + 1, "to|-|until|through|and").and_then(|to| Some((to + 1, count(to)?)));
        let (to, last) = last.unwrap_or((end + 1, first));
        let to = clause.matches_at(to, "of|from|in").unwrap_or(to);
        let limit = last.saturating_sub(first) + 1;
        return (vec![(Role::Limit, limit), (Role::Offset, first)], clause.without(start, to));
    }
    (Vec::new(), clause.clone())
}
