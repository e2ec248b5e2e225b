//! What the user wants kept: `remember that my favorite color is blue`, `store 42 as my_number`, `set x to 5`.

use serde_json::Value;

use super::compute::expression_act;
use super::naming::variable_name;
use super::pieces::{is_path, is_pronoun, value_of};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use crate::words::STOP;
use switchboard_context::{corrected_name, literal};

/// Words for keeping something in mind.
const KEEP: &[&str] = &[
    "remember that?",
    "keep in mind that?",
    "bear in mind that?",
    "note that?",
    "take note that?",
    "make a note that?",
    "don't forget that?",
    "do not forget that?",
    "memorize that?",
    "memorise that?",
    "know that",
    "for the record",
];

/// Words that say only what kind of value follows.
const KINDS: &[&str] =
    &["the", "a", "an", "number", "value", "text", "string", "word", "this", "list", "object", "json"];

/// What a clause asks to be kept.
pub(super) fn store(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    assignment(clause, known)
        .or_else(|| under_a_name(clause, known))
        .or_else(|| kept(clause))
        .or_else(|| told(clause))
        .and_then(act)
}

fn storing(clause: &Clause, name: &str, value: Given) -> Act {
    Act::new(Skill::Store, clause).with_text(Role::Name, name).with(Role::Value, value)
}

/// `set x to 5`, `let x = 5`, `x = 5`, `define x as 5`.
fn assignment(clause: &Clause, known: &Known<'_>) -> Option<Act> {
    let verb = clause.starts("set|let|define|assign the? variable?");
    let name_place = verb.unwrap_or(0);
    let name = clause.tokens.get(name_place).filter(|token| token.kind != Kind::Quoted).and_then(variable_name)?;
    let sign = clause.tokens.get(name_place + 1)?;
    let signs: &[&str] = if verb.is_some() { &["to", "=", ":=", "be", "as", "equal"] } else { &["=", ":="] };
    if !sign.is(signs) {
        return None;
    }
    let from = name_place + if sign.is(&["equal"]) { 3 } else { 2 };
    let value = clause.tokens.get(from..)?;
    if let Some(computed) = expression_act(clause, from, clause.tokens.len(), known) {
        return Some(Act { output: Some(name), ..computed });
    }
    let single = is_pronoun(value)
        || value.len() == 1
        || (value.len() == 2 && value[0].kind == Kind::Number && value[1].is(&["%"]));
    // `set timer to 5 minutes` is something else, unless there is such a variable.
    if !single && !known.is_variable(&name) && verb.is_some_and(|_| clause.starts("set").is_some()) {
        return None;
    }
    Some(storing(clause, &name, value_of(clause, from, clause.tokens.len())?))
}

/// `store the number 42 as my_number`.
fn under_a_name(clause: &Clause, known: &Known<'_>) -> Option<Act> {
    let from = clause.starts("store|save|remember|keep|memorize|memorise|record|put|note")?;
    let (last, before) = clause.tokens.split_last()?;
    let name = variable_name(last).filter(|_| !is_path(last))?;
    let mut end = before.len();
    let mut explicit = false;
    while end > from && before[end - 1].is(&["variable", "the", "a", "name"]) {
        explicit |= before[end - 1].is(&["variable", "name"]);
        end -= 1;
    }
    let end = end.checked_sub(1).filter(|end| *end > from)?;
    let as_name = before[end].is(&["as"]) || (explicit && before[end].is(&["to"]));
    let into = before[end].is(&["in", "into", "under"]);
    let start = after_kinds(clause, from, end);
    let value = &before[start..end];
    let plain_value =
        value.len() == 1 && (value[0].is_literal() || matches!(value[0].kind, Kind::Number | Kind::Reference));
    let willing = clause.starts("store|save|remember").is_some();
    let fits = (as_name && (willing || plain_value)) || (into && (explicit || plain_value));
    if let (true, Some(computed)) = (as_name || into, expression_act(clause, start, end, known)) {
        return Some(Act { output: Some(name), ..computed });
    }
    if let (Some(path), true) = (value.last().filter(|token| token.kind == Kind::Path), as_name || into) {
        // `store the content of notes.txt as notes`; `save notes.txt as backup` speaks of a file.
        let contents = value.iter().any(|token| token.is(&["content", "contents", "text"]));
        let reading = Act::new(Skill::Read, clause).with_text(Role::Path, &path.text);
        return contents.then_some(Act { output: Some(name), ..reading });
    }
    if !fits {
        return None;
    }
    Some(storing(clause, &name, value_of(clause, start, end)?))
}

fn after_kinds(clause: &Clause, from: usize, end: usize) -> usize {
    let mut start = from;
    while start + 1 < end && clause.tokens[start].is(KINDS) {
        start += 1;
    }
    start
}

/// `remember that my favorite color is blue`, `keep in mind that we deploy on Fridays`, `remember 42`.
fn kept(clause: &Clause) -> Option<Act> {
    let from = KEEP.iter().find_map(|phrase| clause.starts(phrase))?;
    let from = clause
        .matches_at(from, "this|these|following")
        .filter(|end| clause.tokens.get(*end).is_some_and(|token| token.is_mark(":")))
        .unwrap_or(from);
    let from = if clause.tokens.get(from)?.is_mark(":,") { from + 1 } else { from };
    let rest = clause.tokens.get(from..).filter(|rest| !rest.is_empty())?;
    // `do you remember …` asks; `remember when …` does, too.
    if clause.question || rest[0].is(&["when", "how", "what", "who", "where", "me"]) {
        return None;
    }
    if let Some(fact) = fact(clause, from) {
        return Some(fact);
    }
    let start = after_kinds(clause, from, clause.tokens.len());
    let value = value_of(clause, start, clause.tokens.len())?;
    let name = match &value {
        Given::Value(Value::Number(_)) => "number",
        Given::That => "remembered",
        _ => "note",
    };
    Some(storing(clause, name, value))
}

/// `my name is Ada`, `call me Ada`.
fn told(clause: &Clause) -> Option<Act> {
    if clause.asks() {
        return None;
    }
    if let Some(from) =
        clause.starts("call me").or_else(|| clause.starts("i am|'m called")).or_else(|| clause.starts("i'm called"))
    {
        return Some(storing(clause, "user_name", value_of(clause, from, clause.tokens.len())?));
    }
    clause.starts("my|our").and_then(|_| fact(clause, 0))
}

/// `<subject> is <value>`, with the subject as the variable's name.
fn fact(clause: &Clause, from: usize) -> Option<Act> {
    let is =
        (from + 1..clause.tokens.len()).find(|&place| clause.tokens[place].is(&["is", "are", "=", "was", "equals"]))?;
    let subject: Vec<&Token> = clause.tokens[from..is].iter().filter(|token| !token.is(STOP)).collect();
    if subject.is_empty() || subject.len() > 5 || subject.iter().any(|token| token.kind != Kind::Word) {
        return None;
    }
    let words: Vec<&str> = subject.iter().map(|token| token.lower.as_str()).collect();
    let mine = clause.tokens[from..is].iter().any(|token| token.is(&["my"]));
    let name = match words.as_slice() {
        ["name"] if mine => "user_name".to_owned(),
        words => corrected_name(&words.join("_")),
    };
    let value = clause.tokens.get(is + 1..).filter(|value| !value.is_empty())?;
    let value = match value {
        [called, _] if called.is(&["called", "named"]) => value_of(clause, is + 2, clause.tokens.len())?,
        [_] => value_of(clause, is + 1, clause.tokens.len())?,
        _ => Given::text(&literal(clause.from(is + 1))),
    };
    Some(storing(clause, &name, value))
}
