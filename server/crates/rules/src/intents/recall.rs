//! Questions about what is kept and what was said: answered from the context and the conversation, never by a tool.

use switchboard_protocol::ValueType;

use super::Known;
use crate::clause::Clause;
use crate::goal::{About, Goal, Question, Source};
use crate::lexer::{Kind, Token};

const STORED: &[&str] = &[
    "did i store|save|give|tell|keep|set|mention|note",
    "did i ask|tell you to remember|store|save|keep",
    "i stored|saved|gave|told|asked",
    "have i stored|saved|told",
    "was stored|saved",
    "do you remember",
];

const VARIABLES: &[&str] = &[
    "what|which variables|artifacts",
    "list|show me? all? the? my? your? stored? variables|artifacts",
    "list|show me? the? context",
    "what is in the|your|my context|memory",
    "what do you know|remember",
    "what have you stored|saved|remembered",
    "what did you store|save|remember",
    "what is stored",
    "what do you have",
];

const SAID: &[&str] = &[
    "what did i just? say|ask|write|type",
    "what have i just? said|asked|written",
    "what was my last|previous question|message|request",
    "what was my first question|message|request",
    "repeat what i said|asked|wrote",
];

const DONE: &[&str] = &[
    "what did you just? do|run|use|change",
    "what have you done",
    "which|what tool|tools did you use|run|call",
    "what happened",
    "what was the last thing you did",
    "what files did you write|change|create",
];

/// A question about what is kept.
pub(super) fn recall(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| clause.starts(phrase).is_some());
    let ask = |about, source| Some(vec![Goal::Ask(Question { about, source, clause: clause.clone() })]);
    if clause.asks() && STORED.iter().any(|phrase| clause.find(phrase).is_some()) {
        return match kind(clause) {
            Ok(kind) => ask(About::Stored(kind), Source::Context),
            Err(words) => ask(About::Field(words), Source::Context),
        };
    }
    if starts(SAID) {
        return ask(About::Said, Source::Context);
    }
    if starts(DONE) {
        return ask(About::Done, Source::Context);
    }
    if starts(VARIABLES) && clause.tokens.len() <= 8 {
        return ask(About::Variables, Source::Context);
    }
    let name = variable(clause, known)?;
    ask(About::Whole, Source::Variable(name))
}

/// What kind of value was stored; or, when it is more than a kind, the words for it: `what color did I tell you`.
fn kind(clause: &Clause) -> Result<Option<ValueType>, Vec<String>> {
    let words: Vec<String> =
        clause.tokens.iter().filter(|token| !is_around(token)).map(|token| token.lower.clone()).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | ["value" | "variable" | "thing"] => Ok(None),
        ["number"] => Ok(Some(ValueType::Number)),
        ["text" | "string" | "word" | "note"] => Ok(Some(ValueType::Text)),
        ["list" | "array"] => Ok(Some(ValueType::Array)),
        ["object"] => Ok(Some(ValueType::Object)),
        _ => Err(words),
    }
}

fn is_around(token: &Token) -> bool {
    token.kind != Kind::Word || token.is(crate::words::STOP) || token.is(&["number's"])
}

/// The variable that is asked for by its name: `@answer`, `what is cfg`, `show my_number`.
fn variable(clause: &Clause, known: &Known<'_>) -> Option<String> {
    const ASKS: &[&str] = &[
        "what is|was the? value? of?",
        "what is in|inside",
        "what does",
        "show|print|display|give|tell|get|read|see|cat|recall me? the? value|content|contents? of?",
        "show|print|display|view|recall me?",
        "the? value of",
    ];
    let (last, before) = clause.tokens.split_last()?;
    let (token, before) = match last.is(&["contain", "hold", "say", "have", "now", "again"]) {
        true => before.split_last()?,
        false => (last, before),
    };
    let name = match token.kind {
        Kind::Reference => &token.text[1..],
        Kind::Word if known.is_variable(&token.text) => &token.text,
        // `conf.port`, when there is a variable `conf`.
        Kind::Path if known.is_variable(token.text.split(['.', '[']).next().unwrap_or_default()) => &token.text,
        _ => return None,
    };
    let place = before.len();
    let asked = place == 0 || ASKS.iter().any(|phrase| clause.starts(phrase) == Some(place));
    asked.then(|| name.to_owned())
}
