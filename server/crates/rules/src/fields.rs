//! Finds a value by words for its key: `port number` is `port`, `database host` is `db.host`.
//!
//! Every word that is more than a word for a kind of value must be part of the way to the value, and the value's own key
//! must have one of them. Among those that fit, the ones nearest to the words, then to the root, are found.

use serde_json::Value;

use super::words::{TYPE_WORDS, name_words, stem};

/// How many values are looked at.
const MAX_NODES: usize = 20_000;

/// How deep.
const MAX_DEPTH: usize = 64;

/// Words for the same thing.
const SYNONYMS: &[&[&str]] = &[
    &["db", "database"],
    &["dir", "directory", "folder"],
    &["addr", "address"],
    &["user", "username", "login"],
    &["password", "pwd", "pass", "passwd"],
    &["host", "hostname"],
    &["color", "colour"],
    &["favorite", "favourite"],
    &["config", "configuration", "cfg"],
    &["msg", "message"],
    &["id", "identifier"],
    &["url", "uri", "link", "address"],
    &["dependencies", "deps"],
    &["env", "environment"],
    &["max", "maximum"],
    &["min", "minimum"],
    &["phone", "telephone"],
    &["mail", "email"],
    &["timeout", "time-out"],
    &["author", "authors"],
    &["licence", "license"],
    &["repo", "repository"],
];

/// A value that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit<'v> {
    /// The way to it, as `.a.b[0]` without the first point.
    pub(super) path: String,
    pub(super) value: &'v Value,
    /// Words that were matched, and words of its key that were not asked for: the more and the fewer, the better.
    rank: (usize, usize, usize),
}

/// The values that these words describe, all equally well; `root` are the words for the whole.
pub(super) fn find<'v>(json: &'v Value, words: &[String], root: &[String]) -> Vec<Hit<'v>> {
    let wanted: Vec<Wanted> = words.iter().flat_map(|word| name_words(word)).map(Wanted::new).collect();
    let strict = wanted.iter().any(|word| !word.optional);
    let wanted: Vec<Wanted> =
        wanted.into_iter().map(|word| Wanted { optional: word.optional && strict, ..word }).collect();
    let plural = wanted.iter().any(|word| {
        word.word.len() > 3
            && word.word.ends_with('s')
            && word.stem.len() + 1 == word.word.len()
            && !word.word.ends_with("ss")
    });
    let mut search = Search { wanted, plural, hits: Vec::new(), nodes: 0 };
    let root: Vec<String> = root.iter().flat_map(|name| name_words(name)).collect();
    search.walk(json, &mut String::new(), &mut vec![root], 0);
    let Some(best) = search.hits.iter().map(|hit| hit.rank).min() else { return Vec::new() };
    search.hits.retain(|hit| hit.rank == best);
    search.hits
}

/// Whether these words describe this name.
pub(super) fn describes(words: &[String], name: &str) -> bool {
    let wanted: Vec<Wanted> = words.iter().flat_map(|word| name_words(word)).map(Wanted::new).collect();
    let strict = wanted.iter().any(|word| !word.optional);
    let name = name_words(name);
    !wanted.is_empty()
        && wanted.iter().all(|word| (word.optional && strict) || name.iter().any(|other| word.is(other)))
        && wanted.iter().any(|word| name.iter().any(|other| word.is(other)))
}

struct Wanted {
    word: String,
    stem: String,
    optional: bool,
}

impl Wanted {
    fn new(word: String) -> Self {
        Self { stem: stem(&word), optional: TYPE_WORDS.contains(&word.as_str()), word }
    }

    fn is(&self, other: &str) -> bool {
        if self.word == other || self.stem == stem(other) {
            return true;
        }
        SYNONYMS.iter().any(|words| words.contains(&self.word.as_str()) && words.contains(&other))
            || (self.word.len() >= 6 && other.len() >= 6 && strsim::damerau_levenshtein(&self.word, other) <= 1)
    }
}

struct Search<'v> {
    wanted: Vec<Wanted>,
    plural: bool,
    hits: Vec<Hit<'v>>,
    nodes: usize,
}

impl<'v> Search<'v> {
    fn walk(&mut self, value: &'v Value, path: &mut String, way: &mut Vec<Vec<String>>, depth: usize) {
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH {
            return;
        }
        if let Some(rank) = self.rank(way, depth) {
            self.hits.push(Hit { path: path.clone(), value, rank });
        }
        let length = path.len();
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    if length > 0 {
                        path.push('.');
                    }
                    path.push_str(key);
                    way.push(name_words(key));
                    self.walk(value, path, way, depth + 1);
                    way.pop();
                    path.truncate(length);
                }
            }
            Value::Array(items) => {
                for (place, value) in items.iter().enumerate() {
                    path.push_str(&format!("[{place}]"));
                    way.push(Vec::new());
                    self.walk(value, path, way, depth + 1);
                    way.pop();
                    path.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn rank(&self, way: &[Vec<String>], depth: usize) -> Option<(usize, usize, usize)> {
        let own = way.last()?;
        let known = |word: &Wanted| way.iter().flatten().any(|other| word.is(other));
        let own_asked = own.iter().filter(|other| self.wanted.iter().any(|word| word.is(other))).count();
        if own_asked == 0 || !self.wanted.iter().all(|word| word.optional || known(word)) {
            return None;
        }
        let missed = self.wanted.iter().filter(|word| !known(word)).count();
        // Who asks for ports wants all of them.
        let depth = if self.plural { 0 } else { depth };
        Some((missed, own.len() - own_asked, depth))
    }
}

/// `key = value` and `key: value` lines as JSON, sections as objects: enough to look something up in them.
pub(super) fn from_lines(text: &str) -> Value {
    let mut root = serde_json::Map::new();
    let mut section = String::new();
    for line in text.lines().take(5000) {
        let line = line.trim();
        if line.starts_with(['#', ';']) || line.starts_with("//") || line.len() > 2000 {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim_matches(['[', ']', '"', ' ']).to_owned();
            continue;
        }
        let Some(at) = line.find(['=', ':']) else { continue };
        let key = line[..at].trim().trim_start_matches("export ").trim_start_matches("- ").trim_matches('"');
        let value = line[at + 1..].trim().trim_end_matches(',').trim();
        if key.is_empty() || key.split_whitespace().count() > 3 || value.is_empty() || value.starts_with("//") {
            continue;
        }
        let value =
            serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.trim_matches(['"', '\'']).to_owned()));
        let place = match section.as_str() {
            "" => &mut root,
            name => match root.entry(name.to_owned()).or_insert_with(|| Value::Object(serde_json::Map::new())) {
                Value::Object(map) => map,
                _ => continue,
            },
        };
        place.entry(key.to_owned()).or_insert(value);
    }
    Value::Object(root)
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
