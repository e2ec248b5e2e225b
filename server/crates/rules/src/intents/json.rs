//! JSON: parsing it, and asking it with a jq filter.

use super::pieces::{is_path, is_pronoun};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use switchboard_context::literal;

/// `parse @file_content as JSON`, `parse config.json`, `decode {"a": 1}`.
pub(super) fn parse(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    if clause.starts("is").is_some()
        && clause.tokens.last().is_some_and(|last| last.is(&["json"]))
        && clause.has(&["valid"])
    {
        return validity(clause);
    }
    let verb = clause.starts("parse|decode|deserialize|deserialise|interpret|convert|turn|treat|load|read")?;
    let plain = clause.starts("parse|decode|deserialize|deserialise").is_some();
    let about_json = clause.has(&["json"]) || clause.first(Kind::Json).is_some();
    if !plain && !clause.has(&["json"]) {
        return None;
    }
    // `read config.json` is not a request to parse; `read x as json` is.
    if !plain && clause.find("as|into|to json").is_none_or(|(_, end)| end < clause.tokens.len()) {
        return None;
    }
    let subject: Vec<&Token> = clause.tokens[verb..].iter().filter(|token| !is_around(token)).collect();
    let subject_part = &clause.tokens[verb..];
    let parsing = Act::new(Skill::Parse, clause);
    let source = subject.iter().find(|token| token.is_literal() || token.kind == Kind::Reference || is_path(token));
    match source {
        Some(token) if is_path(token) && token.kind != Kind::Reference => {
            let read = Act::new(Skill::Read, clause).with_text(Role::Path, &token.text);
            Some(vec![Goal::Act(read), Goal::Act(parsing.with(Role::Content, Given::That))])
        }
        Some(token) if token.kind == Kind::Reference => act(parsing.with_text(Role::Content, &token.text)),
        Some(token) => act(parsing.with_text(Role::Content, &literal(&token.text))),
        None if subject.is_empty() || is_pronoun(subject_part) || about_json => {
            act(parsing.with(Role::Content, Given::That))
        }
        None => None,
    }
}

/// `is it valid JSON?`: parsing it tells.
fn validity(clause: &Clause) -> Option<Vec<Goal>> {
    let parsing = Act::new(Skill::Parse, clause);
    let Some(path) = clause.tokens.iter().find(|token| is_path(token)) else {
        let source = clause.first(Kind::Reference).map_or(Given::That, |token| Given::text(&token.text));
        return act(parsing.with(Role::Content, source));
    };
    let read = Act::new(Skill::Read, clause).with_text(Role::Path, &path.text);
    Some(vec![Goal::Act(read), Goal::Act(parsing.with(Role::Content, Given::That))])
}

/// A filter goes on behind a `|`, up to the words for what it is applied to.
fn filter_end(clause: &Clause, place: usize) -> usize {
    if clause.tokens[place].is_literal() || clause.tokens.get(place + 1).is_none_or(|next| next.text != "|") {
        return place + 1;
    }
    let stops = |token: &Token| token.is(&["in", "of", "from", "on"]) || token.kind == Kind::Path;
    (place + 1..clause.tokens.len()).find(|&at| stops(&clause.tokens[at])).unwrap_or(clause.tokens.len())
}

fn is_around(token: &Token) -> bool {
    token.is(&[
        "as", "json", "the", "it", "that", "this", "into", "to", "file", "content", "contents", "of", "result", "text",
        "from", "string", "output",
    ]) || token.kind == Kind::Mark
}

/// `what is .db.host in config.json`, `run jq '.port' on config.json`, `query @parsed_data with .users[0]`.
pub(super) fn query(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let jq = clause.find("jq|jsonpath");
    let (place, filter) = clause.tokens.iter().enumerate().find_map(|(place, token)| {
        let marked = jq.is_some_and(|(_, end)| place >= end);
        let is_filter = match token.kind {
            Kind::Filter => {
                let of_files = clause.starts("read|open|cat|show|write|create|find|where").is_some();
                jq.is_some() || !of_files || !is_path(token)
            }
            Kind::Quoted | Kind::Code => {
                let filter = token.text.starts_with('.') && !token.text.contains('/');
                marked || (filter && clause.has(&["filter", "query", "json"]))
            }
            _ => false,
        };
        is_filter.then_some((place, token))
    })?;
    let end = filter_end(clause, place);
    let text = if end == place + 1 { filter.text.as_str() } else { clause.part(place, end) };
    let querying = Act::new(Skill::Query, clause).with_text(Role::Filter, &literal(text));
    let others = clause.tokens.iter().enumerate().filter(|(at, _)| !(place..end).contains(at)).map(|(_, token)| token);
    let source = others
        .clone()
        .find(|token| token.kind == Kind::Reference || token.kind == Kind::Json || token.kind == Kind::Path);
    match source {
        Some(token) if token.kind == Kind::Path => {
            let read = Act::new(Skill::Read, clause).with_text(Role::Path, &token.text);
            Some(vec![Goal::Act(read), Goal::Act(querying.with(Role::Content, Given::That))])
        }
        Some(token) => act(querying.with_text(Role::Content, &token.text)),
        None => act(querying.with(Role::Content, Given::That)),
    }
}
