//! A new row that a message tells: "new member: Tom Varga, junior, hasn't paid yet". What the row is called, or where it
//! belongs, says which table; each value finds its column in `row_places`. How people say so is data: `row_told.toml`.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::edited::{Edit, Edited};
use super::outline::{kin_stems, word_stems};
use super::records::records;
use super::row_entry::with_row;
use super::row_places::placed;
use super::show::cut_line;
use super::slots::Slots;

/// The edits that add rows which are told, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("add_told_row", add_told_row)];

/// A message with fewer values tells no row.
const LEAST_VALUES: usize = 2;

/// How people tell rows.
#[derive(Deserialize)]
pub(super) struct Ways {
    opens: Vec<String>,
    words: String,
    asks: String,
    closes: String,
    thanks: String,
    pub(super) leads: String,
    pub(super) tells: String,
    nouns: Vec<String>,
    pub(super) light: Vec<String>,
    pub(super) denies: Vec<String>,
    pub(super) settled: Vec<String>,
    pub(super) denied: Vec<String>,
    pub(super) called: Vec<Vec<String>>,
    pub(super) money: Vec<String>,
}

impl Ways {
    pub(super) fn get() -> &'static Self {
        static WAYS: LazyLock<Ways> =
            LazyLock::new(|| toml::from_str(include_str!("row_told.toml")).unwrap_or_else(|error| panic!("{error}")));
        &WAYS
    }
}

/// The patterns of the data.
struct Patterns {
    opens: Vec<Regex>,
    closes: Regex,
    thanks: Regex,
}

impl Patterns {
    fn get() -> &'static Self {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
            let ways = Ways::get();
            let filled = |pattern: &str| {
                let pattern = pattern.replace(">K)", &format!(">{})", ways.words));
                let pattern = pattern.replace(">A)", &format!(">{})", ways.asks));
                read(&pattern.replace("(?:A)", &format!("(?:{})", ways.asks)))
            };
            Patterns {
                opens: ways.opens.iter().map(|pattern| filled(pattern)).collect(),
                closes: filled(&ways.closes),
                thanks: read(&ways.thanks),
            }
        });
        &PATTERNS
    }
}

/// A pattern of the data, which ignores case.
pub(super) fn read(pattern: &str) -> Regex {
    Regex::new(&format!("(?is){pattern}")).unwrap_or_else(|error| panic!("{error}"))
}

/// A row as it is told.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// What it is called.
    kind: String,
    /// Where it belongs, as it was said; all of it.
    places: Vec<String>,
    values: Vec<String>,
}

impl Row {
    fn read(request: &str) -> Option<Self> {
        let patterns = Patterns::get();
        let mut text = request.trim().replace(['’', '‘'], "'");
        let mut places = Vec::new();
        if let Some(found) = patterns.closes.captures(&text) {
            places.extend(found.name("place").map(|place| place.as_str().to_owned()));
            let at = found.get(0).map_or(text.len(), |whole| whole.start());
            text.truncate(at);
        } else if let Some(found) = patterns.thanks.find(&text) {
            let at = found.start();
            text.truncate(at);
        }
        let found = patterns.opens.iter().find_map(|pattern| pattern.captures(&text))?;
        let part = |name: &str| found.name(name).map(|part| part.as_str().trim().to_owned());
        places.extend(["over", "place"].iter().filter_map(|name| part(name)));
        let values = told_values(&part("list")?);
        (values.len() >= LEAST_VALUES).then_some(Self { kind: part("kind").unwrap_or_default(), places, values })
    }

    /// Whether the rows of a file are meant.
    fn is_of(&self, path: &str) -> bool {
        let there = kin_stems(&path.replace(['_', '.', '/'], " "));
        let ways = Ways::get();
        let says = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| c.is_whitespace() || "_./".contains(c)).filter(|word| !word.is_empty());
            let words = words.filter(|word| !ways.nouns.contains(&word.to_lowercase()));
            words.flat_map(kin_stems).collect()
        };
        let fits = |words: &[String]| words.iter().all(|word| there.contains(word));
        let places: Vec<String> = self.places.iter().flat_map(|place| says(place)).collect();
        match places.is_empty() {
            true => Some(says(&self.kind)).filter(|words| !words.is_empty()).is_some_and(|words| fits(&words)),
            false => fits(&places),
        }
    }
}

/// The values of a list: behind commas, and sentences of their own.
pub(super) fn told_values(list: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut letters = list.trim().trim_end_matches(['.', '!']).chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        quoted ^= letter == '"';
        let last = found.last().map(String::as_str).unwrap_or_default();
        // "Dr. Rossi".
        let word = last.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_title = word.len() < 4 && word.starts_with(char::is_uppercase);
        let ends = matches!(letter, ',' | ';' | '!') || letter == '.' && !is_title;
        if ends && !quoted && letters.peek().is_some_and(|next| next.is_whitespace()) {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.push(letter);
        }
    }
    let trimmed = found.iter().map(|value| value.trim().trim_matches('"').trim_end_matches(['.', '!']).to_owned());
    trimmed.filter(|value| !value.is_empty()).collect()
}

/// Whether a message tells a new row.
pub(crate) fn tells_row(request: &str) -> bool {
    !request.trim_end().ends_with('?') && Row::read(request).is_some()
}

/// `add_told_row`: request.
fn add_told_row(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, String> {
    let request = slots.need("request")?;
    let row = Row::read(&request).ok_or("You did not say what the row is to hold.")?;
    let rows = records(path, text);
    let is_table = path.ends_with(".csv") || path.ends_with(".tsv");
    if !is_table || rows.is_empty() || !row.is_of(path) {
        return Err(format!("There is no `{}` in `{path}`.", cut_line(&row.kind)));
    }
    let columns: Vec<&str> = rows[0].fields.iter().map(|field| field.name.as_str()).collect();
    with_row(path, text, &placed(&columns, &rows, &row.values)?)
}

/// The stems of a column's name, and of what it is called, too.
pub(super) fn names_of(column: &str) -> Vec<String> {
    let own = kin_stems(&super::outline::divided(column).replace('_', " "));
    let groups = Ways::get().called.iter();
    let groups = groups.filter(|group| group.iter().any(|word| kin_stems(word).is_subset(&own)));
    let called: Vec<String> = groups.flatten().flat_map(|word| kin_stems(word)).collect();
    own.into_iter().chain(word_stems(column)).chain(called).collect()
}

/// Whether a word only says that something is done: "paid", "has".
pub(super) fn is_said_so(word: &str) -> bool {
    let ways = Ways::get();
    [&ways.settled, &ways.light].into_iter().any(|list| list.iter().any(|own| own == word))
}

#[cfg(test)]
#[path = "row_told_tests.rs"]
mod tests;
