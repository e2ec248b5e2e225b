//! The calls of a tool that a request asks for: mostly one; several where it has several of a kind.
//!
//! `for Berlin and Paris` are two, and so are two sentences each of which says all that the tool needs.

use std::ops::Range;

use serde_json::{Map, Value};
use switchboard_protocol::ToolDefinition;

use super::assign::{Filling, Form};
use super::check;
use super::lists::{runs, same_kind};
use super::mention::{Mention, Piece};
use super::param::Takes;
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
    /// Which tokens of the request a value was made from.
    pub(crate) used: Vec<bool>,
}

/// What some of the request asks of the tool.
pub(crate) fn calls_in(request: &Request, range: Range<usize>, tool: &ToolDefinition) -> Filled {
    let form = Form::of(tool);
    let mut filling = Filling::new(request, range.clone(), &form);
    filling.run();
    let missing = filling.missing();
    let mut calls = by_part(&filling, &form, false);
    if calls.len() < 2 {
        calls = if missing.is_empty() { by_list(&filling) } else { Vec::new() };
    }
    if calls.len() < 2 && filling.has_more() {
        let carried = by_part(&filling, &form, true);
        calls = if carried.len() > 1 { carried } else { calls };
    }
    match calls.is_empty() {
        true => Filled { calls, missing, said: filling.arguments(), used: filling.used },
        false => Filled { calls, missing: Vec::new(), said: Map::new(), used: filling.used },
    }
}

/// One call for each sentence, or each part of one, that says all that is needed; or, where one part carries on what
/// another one says, that says something else of it.
fn by_part(whole: &Filling<'_, '_>, form: &Form<'_>, carries: bool) -> Vec<Map<String, Value>> {
    let (request, range) = (whole.request, &whole.range);
    let clipped = |part: Range<usize>| part.start.max(range.start)..part.end.min(range.end);
    let sentences: Vec<Range<usize>> =
        request.parts().into_iter().map(clipped).filter(|part| !part.is_empty()).collect();
    if sentences.len() > 1 {
        let calls = of_parts(whole, &sentences, form, carries);
        if calls.len() > 1 {
            return calls;
        }
    }
    let parts: Vec<Range<usize>> = sentences.iter().flat_map(|sentence| parts(request, sentence)).collect();
    if parts.len() > sentences.len() { of_parts(whole, &parts, form, carries) } else { Vec::new() }
}

/// A sentence in parts, at `and`, `then` and semicolons.
fn parts(request: &Request, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = sentence.start;
    for place in sentence.clone() {
        if request.is(place, &["and", "then", "while", "also", "followed", "well"]) || request.is_mark(place, ";") {
            parts.push(start..place);
            start = place + 1;
        }
    }
    parts.push(start..sentence.end);
    parts.retain(|part| part.len() > 1);
    parts
}

/// What a part of a request says of a call.
struct Said {
    arguments: Map<String, Value>,
    /// Some of it is more than words that may mean anything.
    certain: bool,
    /// It says all that is required.
    full: bool,
}

fn of_parts(
    whole: &Filling<'_, '_>,
    parts: &[Range<usize>],
    form: &Form<'_>,
    carries: bool,
) -> Vec<Map<String, Value>> {
    let request = whole.request;
    let mut calls: Vec<Said> = Vec::new();
    for part in parts.iter().take(2 * MOST_CALLS) {
        let mut filling = Filling::new(request, part.clone(), form);
        (filling.strict, filling.carries) = (true, carries);
        filling.run();
        if !filling.found.iter().any(|found| filling.params[found.param].required) {
            continue;
        }
        let missing = filling.missing();
        let said = Said { arguments: filling.arguments(), certain: filling.is_certain(), full: missing.is_empty() };
        let again = part.clone().any(|place| request.is(place, AGAIN));
        match calls.last_mut() {
            _ if said.full => calls.push(said),
            Some(last) if again => {
                let mut said = said;
                said.take_missing(&missing, &last.arguments);
                calls.push(said);
            }
            _ if !carries || !said.certain => {}
            Some(last) if !whole.differ(&last.arguments, &said.arguments) => {
                for (name, value) in said.arguments {
                    last.arguments.entry(name).or_insert(value);
                }
                last.certain = true;
            }
            Some(last) => {
                let mut said = said;
                said.take_missing(&missing, &last.arguments);
                calls.push(said);
            }
            None => calls.push(said),
        }
    }
    let certain = calls.iter().any(|call| call.certain);
    calls.retain(|call| call.certain || !certain);
    completed(&calls, whole, carries)
}

impl Said {
    fn take_missing(&mut self, missing: &[String], from: &Map<String, Value>) {
        for name in missing {
            if let Some(value) = from.get(name) {
                self.arguments.insert(name.clone(), value.clone());
            }
        }
    }
}

/// The calls, each once; where one carries on another, with what only a later one says, or the whole.
fn completed(calls: &[Said], whole: &Filling<'_, '_>, carries: bool) -> Vec<Map<String, Value>> {
    let all = whole.arguments();
    let mut complete: Vec<Map<String, Value>> = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        let mut arguments = call.arguments.clone();
        let required = || whole.params.iter().filter(|param| param.required).map(|param| param.name);
        for name in required().filter(|_| carries) {
            let later = calls[place..].iter().find_map(|call| call.arguments.get(name));
            if !arguments.contains_key(name)
                && let Some(value) = later.or_else(|| all.get(name))
            {
                arguments.insert(name.to_owned(), value.clone());
            }
        }
        let is_full = required().all(|name| arguments.contains_key(name));
        if is_full && !complete.contains(&arguments) && complete.len() < MOST_CALLS {
            complete.push(arguments);
        }
    }
    complete
}

impl Filling<'_, '_> {
    /// Whether a piece is left of a kind that a required parameter has taken, and says something else.
    fn has_more(&self) -> bool {
        let required = self.found.iter().filter(|found| self.params[found.param].required);
        let taken: Vec<&Mention> = required
            .filter_map(|found| found.mention.map(|at| &self.mentions[at]))
            .filter(|taken| is_plain(taken))
            .collect();
        let left = self.mentions.iter().filter(|mention| is_plain(mention) && self.is_free(mention));
        left.into_iter().any(|left| {
            let says_the_same = |taken: &&Mention| taken.text.contains(&left.text) || left.text.contains(&taken.text);
            taken.iter().any(|taken| same_kind(&taken.piece, &left.piece)) && !taken.iter().any(says_the_same)
        })
    }

    /// Whether the two calls have different values for a parameter.
    fn differ(&self, one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
        let single = self.params.iter().filter(|param| param.required && param.takes != Takes::List);
        single.into_iter().any(|param| match (one.get(param.name), other.get(param.name)) {
            (Some(Value::String(one)), Some(Value::String(other))) => {
                !one.contains(other.as_str()) && !other.contains(one.as_str())
            }
            (Some(one), Some(other)) => one != other,
            _ => false,
        })
    }

    /// Whether a required parameter has something that is more than words which may mean anything.
    fn is_certain(&self) -> bool {
        self.found.iter().filter(|found| self.params[found.param].required).any(|found| match found.mention {
            Some(at) => is_plain(&self.mentions[at]),
            None => !matches!(self.params[found.param].takes, Takes::Boolean | Takes::List),
        })
    }
}

/// Whether it is plainly a value: neither some words nor a number that is a word.
fn is_plain(mention: &Mention) -> bool {
    !matches!(&mention.piece, Piece::Phrase) && !matches!(&mention.piece, Piece::Number(number) if number.spelled)
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
