//! Addresses, programs, variables, what is remembered, columns, keys, kinds of files.

use super::context::{BY_REFERENCE, Context, Found};
use super::paths;
use crate::kinds::Kinds;
use crate::slots::{Given, SlotType, SlotValue};
use crate::text::is_mail_address;

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    let text = context.tokens[at].text.as_str();
    variable(context, text, found);
    address(context, text, found);
    program(context, at, found);
    branch(text, found);
    commit(text, found);
    values(context, at, found);
    identifier(context, at, found);
    written(&context.tokens[at].text, found);
    known(context, at, found);
    if let Some((extension, length)) = paths::extension(context, at) {
        let value = SlotValue::Word { word: extension.to_owned() };
        found.push(Found::new(length, &[SlotType::Extension], value));
    }
}

/// `@name.path`, or a name that is known.
fn variable(context: &Context, text: &str, found: &mut Vec<Found>) {
    let Some(named) = text.strip_prefix('@').filter(|name| !name.is_empty()) else {
        if context.world.is_variable(text) {
            let value = SlotValue::Variable { name: text.to_owned(), path: String::new() };
            found.push(Found::new(1, &[SlotType::Variable], value).costs(0.02));
        }
        return;
    };
    let end = named
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '-')))
        .unwrap_or(named.len());
    if end == 0 {
        return;
    }
    let value = SlotValue::Variable { name: named[..end].to_owned(), path: named[end..].to_owned() };
    found.push(Found { kinds: Kinds::of(&BY_REFERENCE), ..Found::new(1, &[], value) }.costs(0.01).strong());
}

/// `https://…`, `example.com`, `localhost:8080`, `10.0.0.1`.
fn address(context: &Context, text: &str, found: &mut Vec<Found>) {
    let word = || SlotValue::Word { word: text.to_owned() };
    if text
        .split_once("://")
        .is_some_and(|(scheme, rest)| !rest.is_empty() && scheme.chars().all(char::is_alphanumeric))
    {
        return found.push(Found::new(1, &[SlotType::Url, SlotType::Host], word()).strong());
    }
    let (host, rest) = text.find([':', '/']).map_or((text, ""), |place| text.split_at(place));
    let parts: Vec<_> = host.split('.').collect();
    let label = |part: &&str| {
        !part.is_empty() && part.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
    };
    let numbers = parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok());
    let domain =
        parts.len() > 1 && parts.last().is_some_and(|last| context.lexicon.lists("domains", &last.to_lowercase()));
    let local = context.lexicon.lists("hosts", &host.to_lowercase());
    if parts.iter().all(label) && (numbers || domain || local) {
        found.push(Found::new(1, &[SlotType::Host], word()).strong());
        let cost = if rest.is_empty() { 0.05 } else { 0.0 };
        found.push(Found::new(1, &[SlotType::Url], word()).costs(cost));
    }
}

/// A program, and the command line that begins with it.
fn program(context: &Context, at: usize, found: &mut Vec<Found>) {
    let token = &context.tokens[at];
    let path = token.text.starts_with("./") && token.text.len() > 2;
    if !path && !context.world.is_program(&token.text) {
        return;
    }
    found.push(Found::new(1, &[SlotType::Program], SlotValue::Word { word: token.text.clone() }));
    let rest = context.tokens.len() - at;
    let line = context.text[token.span.start..].trim_end().to_owned();
    let is_talk = |token: &crate::text::Token| crate::text::is_stop_word(&token.lower) || token.text == "?";
    let goes_on = |token: &crate::text::Token| context.lexicon.lists("joints", &token.lower);
    let behind = &context.tokens[at + 1..];
    let is_path = |token: &crate::text::Token| context.world.paths().named(&token.text).is_some();
    let is_word = rest > 2 && context.lexicon.lists("programs_and_words", &token.lower);
    let cost = match rest == 1 || line.contains(" -") || line.contains('|') {
        true => 0.0,
        // Any words are fine behind `echo`, as far as a clause goes.
        false if context.lexicon.lists("programs_of_words", &token.lower) && !behind.iter().any(goes_on) => 0.06,
        false if behind.iter().any(is_talk) || (is_word && !behind.iter().any(is_path)) => 0.5,
        false => 0.06,
    };
    found.push(Found::new(rest, &[SlotType::Command], SlotValue::Command { line }).costs(cost));
}

/// `feature/login`: what looks like a path may be a branch.
fn branch(text: &str, found: &mut Vec<Found>) {
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '/' | '-' | '_' | '.');
    if text.contains(['/', '-']) && text.chars().all(plain) && text.starts_with(char::is_alphanumeric) {
        found.push(Found::new(1, &[SlotType::Branch], SlotValue::Word { word: text.to_owned() }).costs(0.01));
    }
}

/// A hash, or a place before the newest.
fn commit(text: &str, found: &mut Vec<Found>) {
    let hash = (7..=40).contains(&text.len())
        && text.chars().all(|character| character.is_ascii_hexdigit())
        && text.chars().any(|character| character.is_ascii_digit());
    if hash || text == "HEAD" || text.starts_with("HEAD~") || text.starts_with("HEAD^") {
        found.push(Found::new(1, &[SlotType::Commit], SlotValue::Word { word: text.to_owned() }));
    }
}

/// `max_qty`, `taxFor`, `__version__`: what is no word and no path.
fn identifier(context: &Context, at: usize, found: &mut Vec<Found>) {
    let text = context.tokens[at].text.trim_end_matches("()");
    let plain = text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let inner = text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let plain = plain && !context.world.is_variable(text);
    if plain && begins && (inner || text.trim_matches('_').contains('_') || text.starts_with("__")) {
        found.push(Found::new(1, &[SlotType::Identifier], SlotValue::Word { word: text.to_owned() }));
    }
}

/// `flask>=3.0`, `LOG_LEVEL=debug`, `ann@mail.example`: what is text to be written, as code is.
fn written(text: &str, found: &mut Vec<Found>) {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
    };
    if let Some((name, value)) = text.split_once('=')
        && is_name(name)
        && !value.is_empty()
        && !value.starts_with(['=', '~', '>'])
    {
        let content = SlotValue::Text { text: text.to_owned(), how: Given::Code };
        return found.push(Found::new(1, &[SlotType::Content], content));
    }
    if is_mail_address(text) {
        let given = SlotValue::Text { text: text.to_owned(), how: Given::Code };
        found.push(Found::new(1, &[SlotType::Content, SlotType::Text], given));
        return found.push(Found::new(
            1,
            &[SlotType::Value],
            SlotValue::Value { value: text.into(), how: Given::Code },
        ));
    }
    let signs = ["==", ">=", "<=", "~=", "!="];
    let Some((name, version)) = signs.iter().find_map(|sign| text.split_once(sign)) else { return };
    let plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || "._-[]*<>=~,".contains(c));
    if name.starts_with(|first: char| first.is_ascii_alphabetic())
        && version.starts_with(|first: char| first.is_ascii_digit())
        && plain(name)
        && plain(version)
    {
        let text = text.to_owned();
        let content = SlotValue::Text { text: text.clone(), how: Given::Code };
        found.push(Found::new(1, &[SlotType::Content, SlotType::Text], content));
        found.push(Found::new(1, &[SlotType::Value], SlotValue::Value { value: text.into(), how: Given::Code }));
    }
}

/// `90s`, `1.8.0`, `18:00`, `#8c4a1f`, `Europe/Madrid`: what can be a value as it is written.
fn is_literal(text: &str) -> bool {
    let starts_with_digit = text.starts_with(|first: char| first.is_ascii_digit());
    let measured = starts_with_digit && text.chars().all(|c| c.is_ascii_alphanumeric() || ".:/-%_".contains(c));
    let colour =
        text.strip_prefix('#').is_some_and(|rest| rest.len() >= 3 && rest.chars().all(|c| c.is_ascii_hexdigit()));
    let zone = text.split_once('/').is_some_and(|(region, city)| {
        let is_name = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_uppercase())
                && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        };
        is_name(region) && is_name(city)
    });
    measured || colour || zone
}

/// Literals: true, false, null, and values as they are written.
fn values(context: &Context, at: usize, found: &mut Vec<Found>) {
    let written = context.tokens[at].text.as_str();
    if is_literal(written) && written.parse::<f64>().is_err() && context.world.paths().named(written).is_none() {
        let value = SlotValue::Value { value: written.into(), how: Given::Plain };
        found.push(Found::new(1, &[SlotType::Value], value).costs(0.01));
    }
    // A telephone number.
    let digits = |at: usize| {
        context
            .tokens
            .get(at)
            .is_some_and(|token| token.text.len() > 1 && token.text.chars().all(|c| c.is_ascii_digit()))
    };
    let parts = (at..).take_while(|at| digits(*at)).count();
    if parts > 1
        && written.starts_with('0')
        && let (Some(first), Some(last)) = (context.tokens.get(at), context.tokens.get(at + parts - 1))
    {
        let text = context.text.get(first.span.start..last.span.end).unwrap_or_default();
        let value = SlotValue::Value { value: text.into(), how: Given::Plain };
        found.push(Found::new(parts, &[SlotType::Value], value).costs(0.01));
    }
    let literal = context.one_means("literals", at).and_then(|literal| serde_json::from_str(literal).ok());
    if let Some(value) = literal {
        found.push(Found::new(1, &[SlotType::Value], SlotValue::Value { value, how: Given::Plain }));
    }
}

/// What the workspace and the session know by name.
fn known(context: &Context, at: usize, found: &mut Vec<Found>) {
    let world = context.world;
    for length in (1..=4).rev() {
        let Some(words) = context.words(at, length) else { continue };
        let joined = || words.replace(' ', "_");
        let words_of = || words.to_owned();
        let mut add = |kind: SlotType, word: String, cost: f32| {
            found.push(Found::new(length, &[kind], SlotValue::Word { word }).costs(cost));
        };
        if world.is_memory(words) {
            add(SlotType::Memory, words_of(), 0.0);
        }
        if world.is_column(words) {
            add(SlotType::Column, words_of(), 0.0);
        }
        if world.is_cell(words) {
            add(SlotType::Cell, words_of(), 0.0);
        }
        if world.is_key(words) || (length > 1 && world.is_key(&joined())) {
            add(SlotType::Key, words_of(), 0.0);
        } else if length == 1 && dotted(words) {
            add(SlotType::Key, context.tokens[at].text.clone(), 0.02);
        }
        if world.is_tool(words) {
            add(SlotType::Tool, words_of(), 0.0);
        } else if length > 1 && world.is_tool(&joined()) {
            add(SlotType::Tool, joined(), 0.02);
        }
    }
}

/// `db.port`, `max_size`, `tags[0]`: what can only be a key.
fn dotted(word: &str) -> bool {
    let parts: Vec<_> = word.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
    let plain =
        |part: &&str| part.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'));
    let named = word.starts_with(char::is_alphabetic);
    named && parts.iter().all(plain) && (parts.len() > 1 || word.contains('_'))
}
