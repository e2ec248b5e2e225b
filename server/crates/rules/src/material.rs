//! What a clause offers for parameters that no intent has filled. Each piece is used once.

use serde_json::Value;
use switchboard_protocol::ToolDefinition;

use super::clause::Clause;
use super::goal::Role;
use super::intents::number;
use super::lexer::{Kind, Token};
use super::numbers::number_word;
use super::roles::{is_reference, takes, types_of};
use super::words::{STOP, name_words, stem};

/// Prepositions, and the parameters that they lead to.
const LEADS: &[(&[&str], &[&str])] = &[
    (&["to"], &["to", "recipient", "target", "destination", "receiver", "addressee", "end", "language"]),
    (&["from"], &["from", "source", "origin", "sender", "start"]),
    (&["about", "on", "regarding"], &["subject", "topic", "about", "theme"]),
    (&["named", "called", "titled"], &["name", "title", "label"]),
    (&["by"], &["author", "by", "artist", "user"]),
    (&["with"], &["with", "participant", "attendee"]),
    (&["as"], &["as", "format", "type", "role"]),
    (&["on", "at"], &["date", "day", "time", "when"]),
];

const PREPOSITIONS: &[&str] = &[
    "to",
    "from",
    "in",
    "on",
    "at",
    "for",
    "with",
    "about",
    "by",
    "of",
    "into",
    "near",
    "as",
    "saying",
    "that",
    "named",
    "called",
    "titled",
    "regarding",
    "using",
    "and",
    "via",
    "between",
    "within",
    "during",
    "over",
];

/// The pieces of a clause.
pub(super) struct Material<'c> {
    clause: &'c Clause,
    used: Vec<bool>,
    /// Stems of the tool's name and its parameters' names: they say what is wanted, not with what.
    tool_words: Vec<String>,
}

impl<'c> Material<'c> {
    pub(super) fn new(clause: &'c Clause, tool: &ToolDefinition) -> Self {
        let parameters = tool.parameters.get("properties").and_then(Value::as_object);
        let names = parameters.into_iter().flat_map(|parameters| parameters.keys());
        let words = name_words(&tool.name).into_iter().chain(names.flat_map(|name| name_words(name)));
        let tool_words = words.map(|word| stem(&word)).collect();
        Self { clause, used: vec![false; clause.tokens.len()], tool_words }
    }

    /// What is said for the parameter by its name: `limit 5`, `recursive: true`, a value of its enum, a flag.
    pub(super) fn said(&mut self, name: &str, schema: &Value) -> Option<Value> {
        if let Some(options) = schema.get("enum").and_then(Value::as_array) {
            return self.option(options).filter(|option| schema.get("default") != Some(option));
        }
        let words = name_words(name);
        if types_of(schema) == ["boolean"] {
            return self.flag(&words);
        }
        let (start, end) = self.find_words(&words)?;
        let sign = self
            .clause
            .tokens
            .get(end)
            .is_some_and(|token| token.is_mark(":") || token.is(&["=", "is", "of", "to", "as"]));
        let place = if sign { end + 1 } else { end };
        let token = self.clause.tokens.get(place).filter(|token| token.kind != Kind::Mark)?;
        let numeric = types_of(schema).iter().any(|kind| matches!(*kind, "number" | "integer"));
        let value = if numeric { number_in(token)? } else { literal_value(token, sign)? };
        self.used[start..=place].iter_mut().for_each(|used| *used = true);
        Some(value)
    }

    /// A piece that suits the parameter.
    pub(super) fn take(&mut self, name: &str, schema: &Value, role: Role, needed: bool) -> Option<Value> {
        let by_kind = match role {
            Role::Path | Role::Folder => self.token(&[Kind::Path]),
            Role::Glob => self.token(&[Kind::Glob]),
            Role::Url => self.token(&[Kind::Url]),
            Role::Email => self.token(&[Kind::Email]),
            Role::Command | Role::Expression | Role::Filter => return None,
            _ => None,
        };
        if by_kind.is_some() {
            return by_kind;
        }
        if types_of(schema).iter().any(|kind| matches!(*kind, "number" | "integer")) {
            return if needed { self.number() } else { None };
        }
        if takes(schema, "object") && !takes(schema, "string") {
            return self.json();
        }
        let led = self.led_to(name, role);
        if led.is_some() || !needed {
            return led;
        }
        match role {
            Role::Path | Role::Folder | Role::Glob | Role::Url => None,
            Role::Query => self.token(&[Kind::Quoted, Kind::Code]).or_else(|| self.subject()),
            _ => {
                self.token(&[Kind::Quoted, Kind::Code, Kind::Reference]).or_else(|| self.proper_name()).or_else(|| {
                    match role {
                        Role::Place | Role::Content => self.subject(),
                        _ => None,
                    }
                })
            }
        }
    }

    fn option(&mut self, options: &[Value]) -> Option<Value> {
        let found = options.iter().find_map(|option| {
            let words = name_words(option.as_str()?);
            let (start, end) = self.find_words(&words)?;
            Some((option.clone(), start, end))
        });
        let (option, start, end) = found?;
        self.used[start..end].iter_mut().for_each(|used| *used = true);
        Some(option)
    }

    fn flag(&self, words: &[String]) -> Option<Value> {
        let (start, end) = self.find_words(words)?;
        let tokens = &self.clause.tokens;
        let denied = start > 0 && tokens[start - 1].is(&["not", "no", "without", "non", "never"]);
        let said_false = (end..tokens.len().min(end + 2)).any(|place| tokens[place].is(&["false", "off", "no"]));
        Some(Value::Bool(!(denied || said_false)))
    }

    /// Where these words stand one after the other, by their stems.
    fn find_words(&self, words: &[String]) -> Option<(usize, usize)> {
        if words.is_empty() || words.iter().all(|word| STOP.contains(&word.as_str())) {
            return None;
        }
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        let fits = |start: usize| {
            self.clause.tokens.get(start..start + stems.len()).is_some_and(|tokens| {
                tokens.iter().zip(&stems).all(|(token, wanted)| !token.is_literal() && stem(&token.lower) == *wanted)
            })
        };
        (0..self.clause.tokens.len())
            .find(|&start| !self.used[start] && fits(start))
            .map(|start| (start, start + stems.len()))
    }

    fn token(&mut self, kinds: &[Kind]) -> Option<Value> {
        let place =
            (0..self.clause.tokens.len()).find(|&at| !self.used[at] && kinds.contains(&self.clause.tokens[at].kind))?;
        self.used[place] = true;
        let token = &self.clause.tokens[place];
        Some(Value::String(match token.kind {
            Kind::Reference if is_reference(&token.text) => token.text.clone(),
            _ => switchboard_context::literal(&token.text),
        }))
    }

    fn json(&mut self) -> Option<Value> {
        let place =
            (0..self.clause.tokens.len()).find(|&at| !self.used[at] && self.clause.tokens[at].kind == Kind::Json)?;
        self.used[place] = true;
        serde_json::from_str(&self.clause.tokens[place].text).ok()
    }

    fn number(&mut self) -> Option<Value> {
        let place =
            (0..self.clause.tokens.len()).find(|&at| !self.used[at] && number_in(&self.clause.tokens[at]).is_some())?;
        self.used[place] = true;
        number_in(&self.clause.tokens[place])
    }

    /// What follows a preposition that leads to this parameter, up to the next preposition.
    fn led_to(&mut self, name: &str, role: Role) -> Option<Value> {
        let words = name_words(name);
        let by_role: &[&str] = match role {
            Role::Place | Role::Zone => &["in", "for", "at", "near", "of", "to"],
            Role::Content => &["saying", "that", ":"],
            Role::Query => &["for", "about", "on"],
            Role::Name => &["named", "called", "titled"],
            _ => &[],
        };
        let by_name = LEADS.iter().filter(|(_, names)| words.iter().any(|word| names.contains(&word.as_str())));
        let leads: Vec<&str> =
            by_role.iter().copied().chain(by_name.flat_map(|(leads, _)| leads.iter().copied())).collect();
        let tokens = &self.clause.tokens;
        let named = matches!(role, Role::Place | Role::Zone | Role::Name);
        let start = (1..=tokens.len()).find(|&place| {
            let lead = &tokens[place - 1];
            leads.iter().any(|word| lead.is(&[word]) || lead.is_mark(word))
                && tokens.get(place).is_some_and(|token| !named || token.kind != Kind::Number)
                && !self.used[place]
        })?;
        let own = |token: &Token| words.contains(&token.lower) || token.is(&["the", "a", "an", "my"]);
        let start = (start..tokens.len()).find(|&at| !own(&tokens[at])).unwrap_or(start);
        let whole = matches!(role, Role::Content);
        let stop = (start + 1..tokens.len())
            .find(|&at| !whole && (tokens[at].is(PREPOSITIONS) || tokens[at].kind == Kind::Mark));
        self.phrase(start, stop.unwrap_or(tokens.len()))
    }

    fn phrase(&mut self, start: usize, end: usize) -> Option<Value> {
        let tokens = &self.clause.tokens;
        let mut from = start;
        while from + 1 < end && tokens[from].is(&["the", "a", "an", "my", "me"]) {
            from += 1;
        }
        if self.used.get(from..end)?.iter().any(|used| *used) || from >= end {
            return None;
        }
        self.used[from..end].iter_mut().for_each(|used| *used = true);
        let text = match &tokens[from..end] {
            [only] => only.text.as_str(),
            _ => self.clause.part(from, end),
        };
        Some(Value::String(if is_reference(text) { text.to_owned() } else { switchboard_context::literal(text) }))
    }

    /// Words with capital letters in the middle of the sentence.
    fn proper_name(&mut self) -> Option<Value> {
        let tokens = &self.clause.tokens;
        let capital = |at: usize| {
            at > 0
                && tokens[at].kind == Kind::Word
                && tokens[at].text.starts_with(char::is_uppercase)
                && !tokens[at].is(&["i"])
        };
        let start = (0..tokens.len()).find(|&at| !self.used[at] && capital(at))?;
        let end = (start..tokens.len()).find(|&at| self.used[at] || !capital(at)).unwrap_or(tokens.len());
        self.phrase(start, end)
    }

    /// What is left when the verb, the tool's own words and small words are taken away.
    fn subject(&mut self) -> Option<Value> {
        let tokens = &self.clause.tokens;
        let says = |at: usize| {
            let token = &tokens[at];
            let own = self.tool_words.contains(&stem(&token.lower));
            !self.used[at] && !matches!(token.kind, Kind::Mark | Kind::Number) && !token.is(STOP) && !own && at > 0
        };
        let start = (0..tokens.len()).find(|&at| says(at))?;
        let end = (start..tokens.len()).rev().find(|&at| says(at))? + 1;
        self.phrase(start, end)
    }
}

fn number_in(token: &Token) -> Option<Value> {
    match token.kind {
        Kind::Number => number(token.text.trim_matches(['$', '€', '£', '#', '%'])),
        Kind::Word => number_word(&token.lower).map(Value::from),
        _ => None,
    }
}

/// A value that stands right behind the parameter's name; a plain word only behind a sign.
fn literal_value(token: &Token, sign: bool) -> Option<Value> {
    match token.kind {
        Kind::Word if !sign || token.is(STOP) => None,
        Kind::Json => serde_json::from_str(&token.text).ok(),
        Kind::Number => number(&token.text),
        Kind::Reference => Some(Value::String(token.text.clone())),
        _ => Some(Value::String(switchboard_context::literal(&token.text))),
    }
}
