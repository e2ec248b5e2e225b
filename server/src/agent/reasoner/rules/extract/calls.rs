//! The calls of a tool that a request asks for: mostly one; several where it has several of a kind.
//!
//! `for Berlin and Paris` are two, and so are two sentences each of which says all that the tool needs.

use std::ops::Range;

use serde_json::{Map, Value};
use switchboard_protocol::ToolDefinition;

use super::assign::{Filling, Form, own_words};
use super::check;
use super::lists::runs;
use super::param::Takes;
use super::piece::{Mention, Piece};
use super::request::Request;
use super::value::value;

/// How many calls one request makes of a tool.
const MOST_CALLS: usize = 12;

/// Words that say that something comes once more.
const AGAIN: &[&str] = &[
    "also",
    "another",
    "same",
    "again",
    "second",
    "third",
    "other",
    "next",
    "similarly",
    "likewise",
    "lastly",
    "finally",
];

/// A tool's calls.
pub(crate) struct Filled {
    /// The arguments of each; none if something is missing.
    pub(crate) calls: Vec<Map<String, Value>>,
    /// The required parameters that the request says nothing for.
    pub(crate) missing: Vec<String>,
    /// What the request says, when something is missing.
    pub(crate) said: Map<String, Value>,
}

/// What some of the request asks of the tool.
pub(crate) fn calls_in(request: &Request, range: Range<usize>, tool: &ToolDefinition) -> Filled {
    let form = Form::new(&tool.parameters, own_words(&tool.name, &tool.description));
    let mut filling = Filling::new(request, range.clone(), &form);
    filling.run();
    let missing = filling.missing();
    let by_part = by_part(request, &range, &form);
    let calls = match missing.is_empty() {
        _ if by_part.len() > 1 => by_part,
        true => by_list(&filling),
        false => Vec::new(),
    };
    match calls.is_empty() {
        true => Filled { calls, missing, said: filling.arguments() },
        false => Filled { calls, missing: Vec::new(), said: Map::new() },
    }
}

/// One call for each sentence, or each part of one, that says all that is needed.
fn by_part(request: &Request, range: &Range<usize>, form: &Form<'_>) -> Vec<Map<String, Value>> {
    let inside = |part: &Range<usize>| part.start >= range.start && part.end <= range.end;
    let sentences: Vec<Range<usize>> = request.parts().into_iter().filter(inside).collect();
    if sentences.len() > 1 {
        let calls = of_parts(request, &sentences, form);
        if calls.len() > 1 {
            return calls;
        }
    }
    let parts: Vec<Range<usize>> = sentences.iter().flat_map(|sentence| parts(request, sentence)).collect();
    if parts.len() > sentences.len() { of_parts(request, &parts, form) } else { Vec::new() }
}

/// A sentence in parts, at `and`, `then` and semicolons.
fn parts(request: &Request, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    for place in sentence.clone() {
        if request.is(place, &["and", "then", "while", "also"]) || request.is_mark(place, ";") {
            parts.push(start..place);
            start = place + 1;
        }
    }
    parts.push(start..sentence.end);
    parts.retain(|part| part.len() > 1);
    parts
}

fn of_parts(request: &Request, parts: &[Range<usize>], form: &Form<'_>) -> Vec<Map<String, Value>> {
    let mut calls: Vec<Map<String, Value>> = Vec::new();
    let mut full = 0;
    for part in parts.iter().take(2 * MOST_CALLS) {
        let mut filling = Filling::new(request, part.clone(), form);
        filling.strict = true;
        filling.run();
        let said = filling.found.iter().filter(|found| filling.params[found.param].required).count();
        if said == 0 {
            continue;
        }
        let mut arguments = filling.arguments();
        let missing = filling.missing();
        let again = part.clone().any(|place| request.is(place, AGAIN));
        if !missing.is_empty() {
            let Some(before) = calls.last().filter(|_| again) else { continue };
            for name in missing {
                if let Some(value) = before.get(&name) {
                    arguments.insert(name, value.clone());
                }
            }
        } else {
            full += 1;
        }
        if !calls.contains(&arguments) && calls.len() < MOST_CALLS {
            calls.push(arguments);
        }
    }
    if full == 0 { Vec::new() } else { calls }
}

/// One call, or one for each item of the lists that its values stand in.
fn by_list(filling: &Filling<'_, '_>) -> Vec<Map<String, Value>> {
    let first = filling.arguments();
    let free = filling.disjoint();
    let runs = runs(filling.request, &free);
    let mut lists: Vec<(&str, Vec<Value>)> = Vec::new();
    for run in &runs {
        let items: Vec<&Mention> = run.iter().map(|&at| &free[at]).collect();
        let within = |mention: &Mention| items.iter().any(|item| item.from <= mention.from && mention.to <= item.to);
        let holders: Vec<_> = filling
            .found
            .iter()
            .filter(|found| found.mention.is_some_and(|at| within(&filling.mentions[at])))
            .collect();
        let [holder] = holders.as_slice() else { continue };
        let worded = |item: &&Mention| item.piece == Piece::Phrase && item.to - item.from > 1;
        if items.iter().any(worded) {
            continue;
        }
        let param = &filling.params[holder.param];
        if !matches!(param.takes, Takes::Text | Takes::Integer | Takes::Number) {
            continue;
        }
        let values: Option<Vec<Value>> = items
            .iter()
            .map(|item| {
                value(filling.request, param, param.takes, item).filter(|value| check::takes(param.schema, value))
            })
            .collect();
        if let Some(values) = values.filter(|values| values.len() <= MOST_CALLS) {
            lists.push((param.name, values));
        }
    }
    let Some(count) = lists.iter().map(|(_, values)| values.len()).max() else { return vec![first] };
    let call = |place: usize| {
        let mut call = first.clone();
        for (name, values) in lists.iter().filter(|(_, values)| values.len() == count) {
            call.insert((*name).to_owned(), values[place].clone());
        }
        call
    };
    (0..count).map(call).collect()
}
