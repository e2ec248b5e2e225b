//! One value found by what people call it: words of its key or column, of the groups above it, of what stands beside it in
//! its row or group, and of the file's path. A word that none of these has means another value.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::Value;
use switchboard_nlu::Engine;
use switchboard_search::is_stop_word;

use super::outline::{divided, word_stems};
use super::settings::{Settings, plain};
use super::show::cut_line;
use super::slots::{Slots, as_text};
use super::unmade::Unmade;

/// How many places are named when several fit.
const MAX_NAMED: usize = 5;

/// What is longer says nothing about which row or group it stands in.
const LONGEST_NAME: usize = 40;

/// A value and all that it can be called by.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The key or column.
    pub(super) own: String,
    /// The groups that it stands in.
    pub(super) above: String,
    /// The values of the same row or group.
    pub(super) beside: Vec<String>,
    /// What the first of them is called: people name the kind of thing before its name.
    pub(super) kind: String,
    pub(super) value: String,
    /// How it is told.
    pub(super) name: String,
}

/// The places of a settings file, each with the number of its entry.
pub(super) fn of_settings(settings: &Settings<'_>) -> Vec<(usize, Place)> {
    let entries = &settings.entries;
    let single = |(at, entry): &(usize, &super::entries::Entry)| {
        !entry.group && !entry.key.is_empty() && settings.shown(entries.get(*at).unwrap_or(entry)).len() < 1000
    };
    let place = |(at, entry): (usize, &super::entries::Entry)| {
        let (own, above) = entry.path.split_last()?;
        let same = |other: &&super::entries::Entry| {
            !above.is_empty() && !other.group && other.path.split_last().is_some_and(|(_, groups)| groups == above)
        };
        let near = &entries[at.saturating_sub(MAX_GROUP)..(at + MAX_GROUP).min(entries.len())];
        let group: Vec<_> = near.iter().filter(same).collect();
        let beside = group.iter().filter(|other| other.key != entry.key);
        let place = Place {
            own: own.clone(),
            above: above.join(" "),
            beside: beside.map(|other| as_text(&settings.value(other))).collect(),
            kind: group.first().and_then(|first| first.path.last().cloned()).unwrap_or_default(),
            value: as_text(&settings.value(entry)),
            name: entry.name(),
        };
        Some((at, place))
    };
    entries.iter().enumerate().filter(single).filter_map(place).collect()
}

/// A group's members stand within so many entries.
const MAX_GROUP: usize = 40;

/// The words of a name: `maxRetries`, `max-retries` and `max_retries` have the same.
fn words(text: &str) -> BTreeSet<String> {
    word_stems(&divided(text).replace('-', " "))
}

/// The words of a value; a number and a date are one each: 37.6 is not called "6".
fn words_of_value(text: &str) -> BTreeSet<String> {
    match text.contains(char::is_alphabetic) {
        true => words(text),
        false => BTreeSet::from([text.trim().to_lowercase()]),
    }
}

/// Whether one of the words is this one, or begins with most of it.
fn has(words: &BTreeSet<String>, wanted: &str) -> bool {
    words.iter().any(|word| alike(word, wanted))
}

fn alike(word: &str, wanted: &str) -> bool {
    let (short, long) = if word.len() < wanted.len() { (word, wanted) } else { (wanted, word) };
    short == long || (short.len() > 3 && short.len() * 2 > long.len() && long.starts_with(short))
}

/// Whether a text is one side of a switch.
fn is_switch(text: &str) -> bool {
    ["true", "false", "on", "off", "yes", "no", "enabled", "disabled"].contains(&text.to_lowercase().as_str())
}

/// Whether a value is the old one that the request tells.
pub(super) fn is_said(value: &str, old: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    plain(value) == plain(old) && (value.contains(char::is_alphabetic) || number(value) == number(old))
}

/// How well a place fits; less is better.
type Rank = (usize, bool, bool, usize, bool, Reverse<usize>);

/// The one place that the request calls so. Slots: `value`, which it is to get; `where`: the file or group in other words;
/// `nouns`: words that may be no part of any name; `switch`: what switches of groups are called.
pub(super) fn chosen(path: &str, places: &[Place], called: &str, slots: &Slots<'_>) -> Result<usize, Unmade> {
    let file = words(path);
    let new = slots.get("value");
    let switches = new.is_some_and(Value::is_boolean);
    let is_chosen = slots.text("file").is_some();
    let nouns: BTreeSet<String> = slots.texts("nouns").into_iter().flat_map(words).collect();
    let asked = |text: &str| -> BTreeSet<String> {
        let spoken = text.split_whitespace().filter(|word| !is_stop_word(&word.to_lowercase()));
        words(&spoken.collect::<Vec<_>>().join(" "))
    };
    let kind = |word: &&str| Engine::shipped().lists("kinds-of-place", &word.to_lowercase());
    let place = slots.text("where").unwrap_or_default().split_whitespace().filter(|word| !kind(word));
    let (wanted, there) = (asked(called), asked(&place.collect::<Vec<_>>().join(" ")));
    let spared = asked(slots.text("spared").unwrap_or_default());
    let in_column = |own: &str| {
        let new = new.map(as_text).map(|new| plain(&new)).unwrap_or_default();
        places.iter().any(|place| place.own == own && plain(&place.value) == new)
    };
    let rank = |place: &Place| -> Option<Rank> {
        let (own, above, kind) = (words(&place.own), words(&place.above), words(&place.kind));
        let beside: Vec<BTreeSet<String>> =
            place.beside.iter().filter(|text| text.len() <= LONGEST_NAME).map(|text| words_of_value(text)).collect();
        let image = place.value.split_once(':').map(|(name, _)| words(name)).unwrap_or_default();
        let is_near = |word: &String| {
            has(&above, word) || has(&image, word) || beside.iter().any(|text| text.contains(word.as_str()))
        };
        let named = wanted.iter().any(|word| has(&own, word));
        let waived = match switches {
            true => slots.texts("switch").contains(&place.own.to_lowercase().as_str()),
            false => wanted.iter().any(|word| has(&image, word)) || (!place.beside.is_empty() && in_column(&place.own)),
        };
        let unknown = |word: &&String| !(has(&own, word) || is_near(word) || has(&file, word) || has(&kind, word));
        let extra = wanted.iter().filter(unknown).any(|word| !nouns.contains(word));
        let missing: Vec<&String> = there.iter().filter(|word| !(has(&file, word) || is_near(word))).collect();
        let all_missing = !there.is_empty() && missing.len() == there.len();
        let elsewhere = all_missing || missing.iter().any(|word| !nouns.contains(*word));
        let fits = (named || (waived && wanted.iter().any(is_near))) && (!switches || is_switch(&place.value));
        let other = slots.told("old").is_some_and(|old| !is_said(&place.value, &old));
        let is_spared = spared.iter().any(|word| has(&own, word) || is_near(word) || has(&file, word));
        if !fits || extra || elsewhere || other || is_spared || wanted.is_empty() {
            return None;
        }
        let by_row = |word: &String| !has(&own, word) && !has(&above, word) && !has(&file, word);
        let whole = |text: &&BTreeSet<String>| {
            !text.is_empty() && text.iter().all(|word| wanted.contains(word) || there.contains(word))
        };
        let row = beside.iter().filter(whole).map(BTreeSet::len).max().unwrap_or(0);
        let unsaid = own.iter().filter(|word| !wanted.iter().any(|asked| alike(word, asked))).count();
        // In a file that was named, `port` is the outer one before that of a group which nobody spoke of.
        let inner = is_chosen && !above.is_empty() && !wanted.iter().any(|word| has(&above, word));
        Some((missing.len(), wanted.iter().any(by_row) && row == 0, !named, unsaid, inner, Reverse(row)))
    };
    let ranked: Vec<(Rank, usize)> =
        places.iter().enumerate().filter_map(|(at, place)| Some((rank(place)?, at))).collect();
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    let found: Vec<usize> = ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, at)| at).collect();
    match found.as_slice() {
        [] => Err(slots.told("old").map_or_else(
            || Unmade::not_in(path, called),
            |old| {
                let (called, old) = (cut_line(called), cut_line(&old));
                Unmade::Absent(format!("There is no `{called}` in `{path}` that is `{old}`."))
            },
        )),
        [only] => Ok(*only),
        several => {
            let names: Vec<String> =
                several.iter().take(MAX_NAMED).map(|at| format!("`{}`", places[*at].name)).collect();
            Err(format!(
                "`{}` stands at several places in `{path}`: {}. Which one?",
                cut_line(called),
                names.join(", ")
            )
            .into())
        }
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
