//! A new row that a message tells: "new member: Tom Varga, junior, hasn't paid yet". What the row is called, or where it
//! belongs, says which table; each value finds its column in `row_places`. How people say so is data: `row_told.toml`.

use std::sync::LazyLock;

use regex::Regex;

use super::edited::{Edit, Edited};
use super::outline::kin_stems;
use super::records::records;
use super::row_places::{placed, with_row};
use super::row_ways::{RowWays, read, told_values};
use super::rows::is_table;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits that add rows which are told, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("add_told_row", add_told_row)];

/// A message with fewer values tells no row.
const LEAST_VALUES: usize = 2;

/// The patterns of the data.
struct Patterns {
    opens: Vec<Regex>,
    closes: Regex,
    thanks: Regex,
}

impl Patterns {
    fn get() -> &'static Self {
        static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
            let ways = RowWays::get();
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
        let ways = RowWays::get();
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

/// Whether a message tells a new row.
pub(crate) fn tells_row(request: &str) -> bool {
    !request.trim_end().ends_with('?') && Row::read(request).is_some()
}

/// `add_told_row`: request.
fn add_told_row(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let request = slots.need("request")?;
    let row = Row::read(&request).ok_or("You did not say what the row is to hold.")?;
    let rows = records(path, text);
    if !is_table(path) || rows.is_empty() || !row.is_of(path) {
        return Err(Unmade::not_in(path, &row.kind));
    }
    let columns: Vec<&str> = rows[0].fields.iter().map(|field| field.name.as_str()).collect();
    with_row(path, text, &placed(&columns, &rows, &row.values)?)
}

#[cfg(test)]
#[path = "row_told_tests.rs"]
mod tests;
