//! JSON: parsing it, and asking it with a jq filter.

use super::pieces::{is_path, is_pronoun};
use super::{Known, act};
use crate::agent::reasoner::rules::clause::Clause;
use crate::agent::reasoner::rules::goal::{Act, Given, Goal, Role, Skill};
use crate::agent::reasoner::rules::lexer::{Kind, Token};
use crate::context::literal;

/// `parse @file_content as JSON`, `parse config.json`, `decode {"a": 1}`.
pub(super) fn parse(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let verb = clause.starts("parse|decode|deserialize|deserialise|interpret|convert|turn|treat|load|read")?;
    let plain = clause.starts("parse|decode|deserialize|deserialise").is_some();
    let about_json = clause.has(&["json"]) || clause.first(Kind::Json).is_some();
    if !plain && !clause.has(&["json"]) {
        return None;
    }
    // `read config.json` is no request to parse; `read x as json` is.
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
    let querying = Act::new(Skill::Query, clause).with_text(Role::Filter, &literal(&filter.text));
    let others = clause.tokens.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, token)| token);
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
