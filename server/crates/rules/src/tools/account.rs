//! What of a request a call of a tool that changes something accounts for. Words that no argument, no name of the tool and no
//! framing accounts for make the call doubtful; if they are most of the request, it is not for this tool at all.

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;
use switchboard_nlu::Engine;
use switchboard_protocol::ToolDefinition;

use super::extract::{Filled, Request, own_words, stems};
use super::heed::{Heed, changes};
use super::lexer::Kind;
use super::words::name_words;

/// How many words of an introduction belong together.
const MAX_INTRODUCTION: usize = 7;

/// How much of a request some calls account for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Account {
    /// All of it.
    Whole,
    /// All but these words.
    But(Vec<String>),
    /// Too little: it asks for something else, or for nothing to be done.
    Other,
}

/// How much of the request the tools account for, each with what it takes.
pub(super) fn account(request: &Request, tools: &[(&ToolDefinition, &Filled)]) -> Account {
    let (heed, engine) = (Heed::get(), Engine::shipped());
    let own: HashSet<Rc<str>> = tools.iter().flat_map(|(tool, filled)| vocabulary(tool, filled)).collect();
    let named: HashSet<String> = tools.iter().flat_map(|(tool, _)| name_words(&tool.name)).collect();
    let reads_too = tools.iter().any(|(tool, _)| !changes(tool));
    let words = words_of(request);
    let introduced = introduction(&words);
    let (mut all, mut left, mut begins) = (0, Vec::new(), true);
    for (place, word) in &words[introduced..] {
        let used = tools.iter().any(|(_, filled)| takes(request, filled, *place));
        let said = stems(word);
        let is_own = named.contains(word) || !said.is_empty() && said.iter().all(|stem| own.contains(stem));
        if !used && (request.is_framing(*place) || engine.lists("filler", word) || engine.lists("pointing", word)) {
            continue;
        }
        let first = std::mem::take(&mut begins);
        if first && reads_too && (heed.questions.contains(word) || heed.asking.contains(word)) {
            continue;
        }
        if !used && engine.lists("weighty", word) {
            return Account::Other;
        }
        if !used && (first && heed.questions.contains(word) || heed.against.contains(word) && !is_own) {
            return Account::Other;
        }
        let joins = engine.lists("light", word) || engine.lists("joining", word) || heed.framing.contains(word);
        if !used && joins && !first {
            continue;
        }
        all += 1;
        let said = request.token(*place).map(|token| token.text.clone()).unwrap_or_default();
        if !used && (!is_own || joins) && !left.contains(&said) {
            left.push(said);
        }
    }
    match left.len() {
        0 => Account::Whole,
        unread if unread * 2 > all => Account::Other,
        _ => Account::But(left),
    }
}

/// Whether a request begins with a word for a change that the picked tools do not say of themselves, or that another tool
/// says which changes something: "email" is a verb there.
pub(super) fn asks_for_a_change(request: &Request, picked: &[&ToolDefinition], others: &[&ToolDefinition]) -> bool {
    let words = words_of(request);
    let Some((_, first)) = words.get(introduction(&words)) else { return false };
    let says = |tool: &&ToolDefinition| {
        let own = [stems(&tool.name), stems(&tool.description)].concat();
        stems(first).iter().any(|stem| own.contains(stem))
    };
    let another = || others.iter().any(|tool| changes(tool) && says(tool));
    Heed::get().changing.contains(first) && (!picked.iter().any(says) || another())
}

/// The words of a request as they are read, each with its token; of what is quoted, or no word, an empty one.
fn words_of(request: &Request) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for place in request.whole() {
        match request.token(place) {
            Some(token) if token.kind == Kind::Mark => {}
            Some(token) if token.kind == Kind::Word => {
                let spelled = Engine::shipped().spelled(&token.lower).to_lowercase();
                words.extend(spelled.split(' ').map(|word| (place, word.to_owned())));
            }
            _ => words.push((place, String::new())),
        }
    }
    words
}

/// How many of the first words only introduce what is asked for: "could you please".
fn introduction(words: &[(usize, String)]) -> usize {
    let mut end = 0;
    let introduces = |from: usize, length: &usize| {
        let Some(words) = words.get(from..from + length) else { return false };
        let list = if *length > 1 { "introductions" } else { "filler" };
        let joined = words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
        Engine::shipped().lists(list, &joined)
    };
    while let Some(length) = (1..=MAX_INTRODUCTION).rev().find(|length| introduces(end, length)) {
        end += length;
    }
    end
}

/// The stems of what a tool does and of what it was given values for.
fn vocabulary(tool: &ToolDefinition, filled: &Filled) -> Vec<Rc<str>> {
    let mut words = own_words(&tool.name, &tool.description);
    let given = filled.calls.iter().chain([&filled.said]);
    for (name, value) in given.flatten() {
        words.extend(stems(name));
        if let Value::Object(fields) = value {
            words.extend(fields.keys().flat_map(|name| stems(name)));
        }
    }
    words
}

/// Whether a value was made from this token.
fn takes(request: &Request, filled: &Filled, place: usize) -> bool {
    if filled.used.get(place).copied().unwrap_or_default() {
        return true;
    }
    let Some(token) = request.token(place).filter(|_| filled.calls.len() > 1) else { return false };
    let text = token.text.as_str();
    let written = |value: &Value| match value {
        Value::String(value) => value.contains(text),
        Value::Number(number) => number.to_string() == text,
        _ => false,
    };
    filled.calls.iter().flat_map(|call| call.values()).any(written)
}
