//! Files, folders and patterns of them, by what people call them.

use super::context::{Context, Found};
use crate::slots::{Given, SlotType, SlotValue};
use crate::text::{Kind, is_mail_address};
use crate::world::{Named, month_key};

const FILE: &[SlotType] = &[SlotType::File, SlotType::Files, SlotType::NewPath];
const FOLDER: &[SlotType] = &[SlotType::Folder, SlotType::NewPath];

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    // The point at the end of a sentence is no folder.
    let before = context.text.get(..context.tokens[at].span.start).unwrap_or_default();
    if context.tokens[at].kind == Kind::Mark && before.ends_with(|last: char| !last.is_whitespace()) {
        return;
    }
    if let Some(length) = context.listed("here", at) {
        let here = SlotValue::Path { path: ".".to_owned(), exists: true, folder: true, said: String::new() };
        found.push(Found::new(length, FOLDER, here));
    }
    glob(context, at, found);
    by_extension(context, at, found);
    let word = &context.tokens[at].text;
    let is_its_name = word.contains(['_', '-']) && context.world.paths().named(word).is_some();
    if looks_like_path(word) || is_its_name {
        typed(context, word, 1, found);
    } else {
        called(context, at, found);
        named_in_part(context, at, found);
    }
    described(context, at, found);
    several(context, at, found);
}

/// A quoted text that is a path or shall be one.
pub(super) fn in_quotes(context: &Context, text: &str, found: &mut Vec<Found>) {
    if text.contains('*') {
        found.push(
            Found::new(1, &[SlotType::Glob, SlotType::Files], SlotValue::Glob { pattern: text.to_owned() }).costs(0.01),
        );
    }
    match context.world.paths().named(text) {
        Some(named) => add(named, text, 1, 0.0, found),
        None if !text.contains('\n') && text.len() < 200 => missing(text, 1, 0.05, found),
        None => {}
    }
}

/// Whether a word can only be a path: it has a slash or an extension.
fn looks_like_path(word: &str) -> bool {
    let trimmed = word.trim_end_matches('/');
    if word.contains("://")
        || is_mail_address(word)
        || word.starts_with(['@', '-', '$', '#'])
        || word.contains(['*', '(', '=', '<', '>', '|'])
    {
        return false;
    }
    let (stem, extension) = trimmed.rsplit_once('.').unwrap_or((trimmed, ""));
    let named = |text: &str| text.chars().any(char::is_alphabetic);
    let extension_like = (1..=8).contains(&extension.len())
        && extension.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && named(extension);
    let number = stem.chars().next_back().is_some_and(|character| character.is_ascii_digit())
        && !named(stem)
        && !stem.is_empty();
    (extension_like && !number)
        || (word.contains('/') && (named(word) || word.starts_with('.')))
        || matches!(word, "." | "..")
}

/// A word that is a path by its looks.
fn typed(context: &Context, word: &str, length: usize, found: &mut Vec<Found>) {
    if matches!(word, "." | "./") {
        let here = SlotValue::Path { path: ".".to_owned(), exists: true, folder: true, said: word.to_owned() };
        return found.push(Found::new(length, FOLDER, here));
    }
    if let Some(named) = context.world.paths().named(word) {
        return add(named, word, length, 0.0, found);
    }
    if let Some(path) = context.world.paths().nearest(word) {
        let value = SlotValue::Path { path: path.to_owned(), exists: true, folder: false, said: word.to_owned() };
        found.push(Found::new(length, &[SlotType::File, SlotType::Files], value).costs(0.2).strong());
        let new = SlotValue::Path { path: word.to_owned(), exists: false, folder: false, said: word.to_owned() };
        return found.push(Found::new(length, &[SlotType::NewPath], new).strong());
    }
    missing(word, length, 0.0, found);
}

/// A path that is not there.
fn missing(word: &str, length: usize, cost: f32, found: &mut Vec<Found>) {
    let path = word.trim_end_matches('/').to_owned();
    let folder = word.ends_with('/');
    let value = SlotValue::Path { path, exists: false, folder, said: word.to_owned() };
    let kinds: &[SlotType] = if folder { FOLDER } else { FILE };
    let found_here = Found::new(length, kinds, value.clone()).costs(cost);
    found.push(if cost == 0.0 { found_here.strong() } else { found_here });
    // `console.log` looks like one, and may be any text.
    if cost == 0.0 && length == 1 && !word.contains('/') {
        let text = SlotValue::Text { text: word.to_owned(), how: Given::Plain };
        found.push(Found::new(length, &[SlotType::Text], text).costs(0.2));
    }
    if !folder && word.contains('/') {
        found.push(Found::new(length, &[SlotType::Folder], value).costs(cost + 0.1));
    }
}

fn add(named: Named, word: &str, length: usize, cost: f32, found: &mut Vec<Found>) {
    match named {
        Named::One { path, folder } => {
            let value = SlotValue::Path { path: path.to_owned(), exists: true, folder, said: word.to_owned() };
            found.push(Found::new(length, if folder { FOLDER } else { FILE }, value).costs(cost).strong());
        }
        Named::Many(paths) => {
            let value = SlotValue::Ambiguous { said: word.to_owned(), paths };
            found.push(Found::new(length, &[SlotType::File, SlotType::Folder], value).costs(cost + 0.02).strong());
            let new = SlotValue::Path { path: word.to_owned(), exists: false, folder: false, said: word.to_owned() };
            found.push(Found::new(length, &[SlotType::NewPath], new).costs(cost));
        }
    }
}

/// `*.md`, "all python files", "md files".
fn glob(context: &Context, at: usize, found: &mut Vec<Found>) {
    const KINDS: &[SlotType] = &[SlotType::Glob, SlotType::Files];
    let word = &context.tokens[at].text;
    if word.contains('*') && word.len() > 1 && !word.starts_with(|first: char| first.is_ascii_digit()) {
        found.push(Found::new(1, KINDS, SlotValue::Glob { pattern: word.clone() }).strong());
    }
    let all = usize::from(context.is_in("all", at));
    let all = all + usize::from(all == 1 && context.is_in("filler", at + all));
    let Some((first, length)) = extension(context, at + all) else { return };
    let mut noun = at + all + length;
    let mut extensions = vec![first];
    // ".c and .h files".
    while matches!(context.lower(noun), "and" | "or" | ",")
        && let Some((next, length)) = extension(context, noun + 1)
    {
        extensions.push(next);
        noun += 1 + length;
    }
    let length = noun - at - all;
    if context.one_means("nouns", noun) == Some("file") {
        let single = context.lower(noun) == "file" && all == 0;
        let pattern = match extensions.as_slice() {
            [only] => format!("**/*{only}"),
            several => format!("**/*{{{}}}", several.join(",")),
        };
        let value = SlotValue::Glob { pattern };
        let kinds: &[SlotType] = if single { &[] } else { KINDS };
        if !kinds.is_empty() {
            found.push(Found::new(all + length + 1, kinds, value));
        }
    }
}

/// The extension that a word stands for, with its dot: `python`, `.md`, `md`.
pub(super) fn extension<'a>(context: &'a Context, at: usize) -> Option<(&'a str, usize)> {
    if let Some((extension, length)) = context.means("extensions", at) {
        return Some((extension, length));
    }
    let word = context.lower(at);
    let short =
        word.len() > 1 && word.len() <= 8 && word.starts_with('.') && word[1..].chars().all(char::is_alphanumeric);
    short.then_some((word, 1))
}

/// "the json file", "the csv": the only file of that kind.
fn by_extension(context: &Context, at: usize, found: &mut Vec<Found>) {
    let Some((extension, length)) = extension(context, at) else { return };
    let noun = context.lower(at + length) == "file";
    let definite = at > 0 && context.lower(at - 1) == "the";
    if !noun && !definite {
        return;
    }
    if let Some(named) = context.world.paths().only_one_of(extension) {
        let length = length + usize::from(noun);
        let said = context.words(at, length).unwrap_or_default();
        add(named, said, length, if noun && definite { 0.05 } else { 0.1 }, found);
    }
}

/// Files and folders called by their names without extensions: "the readme", "shopping list", "config file".
fn called(context: &Context, at: usize, found: &mut Vec<Found>) {
    for length in (1..=3).rev() {
        let Some(words) = context.words(at, length) else { continue };
        let known = length == 1 && (context.vocabulary.has(words) || crate::text::is_stop_word(words));
        if words.chars().count() < 2 || (length == 1 && context.is_in("filler", at)) {
            continue;
        }
        let noun = context.one_means("nouns", at + length);
        if let Some(named) = context
            .world
            .paths()
            .called(words, false)
            .filter(|_| noun == Some("file") || !crate::text::is_stop_word(words))
        {
            let base = if known { 0.15 + 0.3 * context.vocabulary.commonness(words) } else { 0.08 };
            if noun == Some("file") {
                add(named.clone(), words, length + 1, 0.02, found);
            } else if context.is_in("kinds-of-file", at + length) {
                weak(named.clone(), words, length + 1, 0.05, found);
            }
            weak(named, words, length, base, found);
        } else if !known
            && words.len() > 4
            && (length == 1 || words.split(' ').any(|word| !context.vocabulary.has(word)))
            && let Some(path) = context.world.paths().nearly_called(words)
        {
            weak(Named::One { path, folder: false }, words, length, 0.25, found);
        }
        if let Some(named) = context.world.paths().called(words, true) {
            // A folder is called just that; a file of that name has an ending, too.
            if length == 1 && matches!(&named, Named::One { path, .. } if *path == context.tokens[at].text) {
                found.retain(|found| {
                    !(found.length == 1 && matches!(found.value, SlotValue::Path { folder: false, .. }))
                });
            }
            if noun == Some("folder") {
                add(named.clone(), words, length + 1, 0.0, found);
            }
            weak(named, words, length, if known { 0.1 } else { 0.05 }, found);
        } else if noun == Some("folder") && length == 1 && !known {
            let value = SlotValue::Path { path: words.to_owned(), exists: false, folder: true, said: words.to_owned() };
            found.push(Found::new(2, FOLDER, value).costs(0.05));
        }
    }
    if context.one_means("nouns", at) == Some("folder") {
        let name = &context.tokens.get(at + 1).map(|token| token.text.clone()).unwrap_or_default();
        if let Some(named) = context.world.paths().called(&name.to_lowercase(), true) {
            add(named, name, 2, 0.0, found);
        }
    }
}

/// A file called by some words of its path: "the gym letter draft", "the message to Bram".
fn described(context: &Context, at: usize, found: &mut Vec<Found>) {
    const LONGEST: usize = 4;
    let says = |word: &&str| !context.lexicon.lists("joining", word) && !context.lexicon.lists("filler", word);
    for length in (2..=LONGEST).rev() {
        let Some(words) = context.words(at, length) else { continue };
        let spoken: Vec<&str> = words.split(' ').collect();
        // "the server from the inventory" is something in a file.
        let leads =
            |word: &&str| context.lexicon.lists("joining", word) && !matches!(*word, "to" | "for" | "about" | "of");
        if spoken.iter().any(leads) {
            continue;
        }
        let ends = [spoken.first(), spoken.last()].into_iter().flatten().all(&says);
        let is_noun = |place: &usize| context.one_means("nouns", at + place) == Some("file");
        let parts = spoken.into_iter().enumerate().filter(|(place, _)| !is_noun(place)).map(|(_, word)| word);
        let parts: Vec<&str> = parts.filter(says).collect();
        // The words of one name are known as that name.
        if !ends || parts.len() < 2 || context.world.paths().called(words, false).is_some() {
            continue;
        }
        // "The february minutes" are `minutes/2025-02-11.md`.
        let month =
            |word: &str| context.lexicon.means("months", word).and_then(|month| month.parse().ok()).map(month_key);
        let by_month: Vec<String> =
            parts.iter().map(|word| month(word).unwrap_or_else(|| (*word).to_owned())).collect();
        let described = |words: &[&str]| context.world.paths().described(words.iter().copied());
        let by_month: Vec<&str> = by_month.iter().map(String::as_str).collect();
        if let Some(path) = described(&parts).or_else(|| described(&by_month)) {
            let common = parts.iter().map(|word| context.vocabulary.commonness(word)).fold(1.0, f32::min);
            weak(Named::One { path, folder: false }, words, length, 0.1 + 0.3 * common, found);
        }
    }
}

/// The only file whose name has a word of its own: "the abstract" is `abstract-draft.txt`. What is changed so is asked about.
fn named_in_part(context: &Context, at: usize, found: &mut Vec<Found>) {
    const LEAST: usize = 5;
    let definite = at > 0 && context.is_in("determiners", at - 1);
    let Some(word) = context.words(at, 1).filter(|word| definite && word.chars().count() >= LEAST) else { return };
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let known =
        crate::text::is_stop_word(word) || context.one_means("nouns", at).is_some() || context.is_in("filler", at);
    if let Some(path) = context.world.paths().described([word]).filter(|path| !known && base(path).contains(word)) {
        let cost = 0.3 + 0.3 * context.vocabulary.commonness(word);
        weak(Named::One { path, folder: false }, word, 1, cost, found);
    }
}

/// As [`add`], for names that are words too.
fn weak(named: Named, word: &str, length: usize, cost: f32, found: &mut Vec<Found>) {
    let before = found.len();
    add(named, word, length, cost, found);
    found[before..].iter_mut().for_each(|found| found.strong = false);
}

/// "a.txt, b.txt and c.txt".
fn several(context: &Context, at: usize, found: &mut Vec<Found>) {
    const MOST: usize = 16;
    let mut paths = Vec::new();
    let mut end = at;
    while let Some(token) = context.tokens.get(end).filter(|token| token.kind != Kind::Mark && paths.len() < MOST) {
        let known = context.world.paths().named(&token.text).filter(|_| looks_like_path(&token.text));
        match known {
            Some(Named::One { path, folder: false }) => paths.push(path.to_owned()),
            None if looks_like_path(&token.text) => paths.push(token.text.clone()),
            _ => break,
        }
        end += 1;
        if paths.len() > 1 {
            found.push(Found::new(end - at, &[SlotType::Files], SlotValue::Paths { paths: paths.clone() }).strong());
        }
        while context.tokens.get(end).is_some_and(|token| matches!(token.text.as_str(), "," | "and" | "&")) {
            end += 1;
        }
    }
}
