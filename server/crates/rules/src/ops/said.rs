//! The values that a request says, each with what marks it as the old one, the new one, or a step. How requests look is data.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use switchboard_nlu::Engine;
use switchboard_search::{is_stop_word, stem};

use super::amounts::{Kind, kind_of, measure, tokens};
use super::outline::kin_stems;
use super::told_ways::Ways;

/// Which value it is that a request says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    Old,
    New,
    /// So much more or less.
    Step(f64),
    /// The place tells.
    Any,
}

/// A value that a request says.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) unit: Option<String>,
    pub(super) role: Role,
    /// The word behind it: what is counted.
    pub(super) behind: String,
    pub(super) span: Range<usize>,
    /// Whether it is a word of the request that only the place may take for a value.
    pub(super) state: bool,
}

impl Said {
    /// A word of the request as what something is to be.
    pub(super) fn state(word: &str) -> Self {
        Self {
            text: word.to_owned(),
            kind: Kind::Word,
            unit: None,
            role: Role::New,
            behind: String::new(),
            span: 0..0,
            state: true,
        }
    }

    pub(super) fn stems(&self) -> BTreeSet<String> {
        kin_stems(&self.text)
    }
}

/// The values that look like some: numbers, days, what is quoted.
pub(super) fn typed(text: &str, ways: &Ways) -> Vec<Said> {
    static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#""([^"]+)"|`([^`]+)`|(?:^|[\s(:=])'([^']+)'(?:$|[\s).,;:!])"#)
            .unwrap_or_else(|error| panic!("{error}"))
    });
    let mut values: Vec<Said> = Vec::new();
    for found in QUOTED.captures_iter(text) {
        let Some(inner) = found.iter().skip(1).flatten().next() else { continue };
        let whole = inner.start() - 1..inner.end() + 1;
        let kind = match kind_of(inner.as_str()) {
            Kind::Switch(_) => Kind::Word,
            kind => kind,
        };
        values.push(Said {
            text: inner.as_str().to_owned(),
            kind,
            unit: None,
            role: Role::Any,
            behind: String::new(),
            span: whole,
            state: false,
        });
    }
    let quoted: Vec<Range<usize>> = values.iter().map(|said| said.span.clone()).collect();
    for token in tokens(text)
        .into_iter()
        .filter(|token| !quoted.iter().any(|span| span.start <= token.span.start && token.span.end <= span.end))
    {
        let mut span = token.span.clone();
        let mut unit = None;
        if matches!(&token.kind, Kind::Number { unit, .. } if unit.is_empty()) {
            let behind = text[span.end..].strip_prefix(' ').unwrap_or_default();
            let word: String = behind.chars().take_while(|c| c.is_alphabetic() || *c == '%').collect();
            if !word.is_empty() && measure(&word).is_some() && word.to_lowercase() != "a" {
                span.end += 1 + word.len();
                unit = Some(word);
            }
        }
        values.push(Said {
            text: text[token.span].to_owned(),
            kind: token.kind,
            unit,
            role: Role::Any,
            behind: String::new(),
            span,
            state: false,
        });
    }
    values.extend(spelled_numbers(text));
    values.sort_by_key(|said| said.span.start);
    for at in 0..values.len() {
        let (before, after) = (&text[..values[at].span.start], &text[values[at].span.end..]);
        let behind = first_word(after);
        let step = matches!(values[at].kind, Kind::Number { .. });
        let from = values.len() > 1 && ways.from_before.is_match(before);
        values[at].role = if from || ways.old_before.is_match(before) || ways.old_after.is_match(after) {
            Role::Old
        } else if step && (ways.more_before.is_match(before) || ways.more_after.is_match(after)) {
            Role::Step(1.0)
        } else if step
            && (ways.less_before.is_match(before) || ways.less_after.is_match(after) || ways.taking.is_match(text))
        {
            Role::Step(-1.0)
        } else if ways.new_before.is_match(before) {
            Role::New
        } else {
            Role::Any
        };
        values[at].behind = behind;
    }
    values
}

/// The first word of what stands behind a value.
pub(super) fn first_word(behind: &str) -> String {
    let word = behind.trim_start_matches(' ').split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if word.starts_with(char::is_alphabetic) { stem(&word.to_lowercase()) } else { String::new() }
}

/// Numbers in letters, and "a week".
fn spelled_numbers(text: &str) -> Vec<Said> {
    static WORDS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\b(\p{L}+)(?:\s+(\p{L}+))?").unwrap_or_else(|error| panic!("{error}")));
    let ways = Ways::get();
    let steps = |before: &str| ways.more_before.is_match(before) || ways.less_before.is_match(before);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(words) = WORDS.captures_at(text, from) {
        let (Some(first), second) = (words.get(1), words.get(2)) else { break };
        from = first.end();
        let lower = first.as_str().to_lowercase();
        let unit = second.filter(|word| measure(word.as_str()).is_some());
        let number = match Engine::shipped().means("numbers", &lower) {
            Some(number) if lower != "one" => number,
            _ if matches!(lower.as_str(), "a" | "an" | "one") && unit.is_some() && steps(&text[..first.start()]) => "1",
            _ => continue,
        };
        let end = unit.map_or(first.end(), |unit| unit.end());
        found.push(Said {
            text: number.to_owned(),
            kind: kind_of(number),
            unit: unit.map(|unit| unit.as_str().to_owned()),
            role: Role::Any,
            behind: String::new(),
            span: first.start()..end,
            state: false,
        });
        from = end;
    }
    found
}

/// The values that are words, which only what stands about them marks as such.
pub(super) fn by_words(text: &str, ways: &Ways, values: &mut Vec<Said>) {
    let (pairs, single) = Ways::words();
    let plain = |word: &str| !is_stop_word(&word.to_lowercase()) && !ways.optional.contains(&word.to_lowercase());
    let free = |span: &Range<usize>, values: &[Said]| {
        values.iter().all(|said| said.span.end <= span.start || span.end <= said.span.start)
    };
    let said = |span: Range<usize>, role: Role| Said {
        text: text[span.clone()].to_owned(),
        kind: Kind::Word,
        unit: None,
        role,
        behind: String::new(),
        span,
        state: false,
    };
    for pair in pairs {
        let Some(found) = pair.captures(text) else { continue };
        let (Some(old), Some(new)) = (found.name("old"), found.name("new")) else { continue };
        let (old, new) = (names(text, old.range()), names(text, new.range()));
        if plain(&text[old.clone()]) && plain(&text[new.clone()]) && free(&old, values) && free(&new, values) {
            values.push(said(old, Role::Old));
            values.push(said(new, Role::New));
            return;
        }
    }
    if values.iter().any(|said| matches!(said.role, Role::New | Role::Step(_))) {
        return;
    }
    // Beside a number it may be only a word.
    let role = if values.iter().any(|said| said.role == Role::Any) { Role::Any } else { Role::New };
    let mut from = 0;
    while let Some(found) = single.captures_at(text, from) {
        let Some(new) = found.name("new") else { return };
        from = new.start();
        let new = names(text, new.range());
        if plain(&text[new.clone()]) && free(&new, values) {
            values.push(said(new, role));
            return;
        }
    }
}

/// A word at the end that is one of those that may stand for each other: "log level debug".
pub(super) fn by_enumeration(text: &str, ways: &Ways, values: &mut Vec<Said>) {
    let end =
        ways.frames.find_iter(text).filter(|found| text[found.end()..].trim_matches([' ', '.', '!']).is_empty()).last();
    let before = text[..end.map_or(text.len(), |found| found.start())].trim_end_matches([' ', '.', '!', ',']);
    let before = ["please", "pls", "now", "again"]
        .iter()
        .fold(before, |text, word| text.strip_suffix(word).unwrap_or(text).trim_end());
    let at = before.rfind(' ').map_or(0, |at| at + 1);
    let word = before[at..].to_lowercase();
    let is_one = ways.enumerations.iter().any(|list| list.contains(&word)) && !matches!(word.as_str(), "off" | "no");
    if values.is_empty() && at > 0 && is_one {
        values.push(Said {
            text: text[at..before.len()].to_owned(),
            kind: Kind::Word,
            unit: None,
            role: Role::Any,
            behind: String::new(),
            span: at..before.len(),
            state: false,
        });
    }
}

/// A name goes on as long as its words have capitals.
fn names(text: &str, span: Range<usize>) -> Range<usize> {
    let mut end = span.end;
    if text[span.clone()].starts_with(char::is_uppercase) {
        while let Some(rest) = text[end..].strip_prefix(' ').filter(|rest| rest.starts_with(char::is_uppercase)) {
            end += 1 + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        }
    }
    span.start..end
}

/// A switch, or a box that is ticked.
pub(super) fn by_switch(text: &str, ways: &Ways, values: &mut Vec<Said>) {
    if values.iter().any(|said| said.role == Role::New && said.kind != Kind::Word) {
        return;
    }
    let found = ways.switches.iter().find_map(|switch| {
        let found = switch.says.captures(text)?;
        let span = found.iter().skip(1).flatten().next().or_else(|| found.get(0))?.range();
        Some((span, Kind::Switch(switch.on)))
    });
    let ticked = || ways.ticks.find(text).map(|found| (found.range(), Kind::Ticked(true)));
    if let Some((span, kind)) = found.or_else(ticked) {
        values.push(Said {
            text: text[span.clone()].to_owned(),
            kind,
            unit: None,
            role: Role::New,
            behind: String::new(),
            span,
            state: false,
        });
    }
}
