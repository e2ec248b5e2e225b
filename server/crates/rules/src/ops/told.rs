//! A change of one value by what a request tells: of all places in the files that were read the one whose words fit and whose
//! value may be the one that is meant. Each word must have a part; two places that fit are named, and neither is changed.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::Value;

use super::along::along;
use super::amounts::{Form, Kind, in_form};
use super::edited::Edited;
use super::entries::Format;
use super::fits::{Found, fit};
use super::outline::kin_stems;
use super::rows::as_cell;
use super::said::{Role, Said};
use super::settings::Settings;
use super::show::cut_line;
use super::spots::{Spot, Style, spots};
use super::told_ways::Ways;
use super::wishes::{Reading, Wish, Word, joined};
use switchboard_search::is_stop_word;

/// How many places are named when several fit.
const MAX_NAMED: usize = 4;
/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) path: String,
    pub(crate) text: String,
    /// What was changed, as a sentence.
    pub(crate) said: String,
    /// The same before it is done.
    pub(crate) would: String,
    /// The words that have no part in it.
    pub(crate) left: Vec<String>,
    /// Whether it was asked for, rather than stated.
    pub(crate) asked: bool,
}

/// Why nothing is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Untold {
    /// Nothing fits.
    Nowhere,
    /// Something does, and why it is not done.
    Stays(String),
}

/// A place that may be meant, and where it is.
struct Fit<'s> {
    found: Found,
    /// Whether the old value was told.
    certain: bool,
    file: usize,
    spot: &'s Spot,
    asked: bool,
}

impl<'s> Fit<'s> {
    /// A place in the only file that was read, which was shown to the user.
    fn shown(spot: &'s Spot, written: String) -> Self {
        let rank = (0, false, 0, Reverse(0), false, 0, false, Reverse(0), 0);
        let (left, strong) = (Vec::new(), BTreeSet::new());
        let found = Found { rank, written, left, strong, implied: false, shows: true };
        Self { found, certain: true, file: 0, spot, asked: true }
    }
}

/// Whether a request may ask for such a change.
pub(crate) fn wishes(request: &str) -> bool {
    Wish::read(request).is_some()
}

/// What tells a change.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Telling<'t> {
    pub(crate) request: &'t str,
    /// The request that it goes on with.
    pub(crate) about: Option<&'t str>,
    /// The file that was spoken of last.
    pub(crate) latest: Option<&'t str>,
    /// Whether only what is called by its own name is meant.
    pub(crate) by_name: bool,
    /// What is to stay as it is.
    pub(crate) spared: &'t str,
}

/// The change of one value that a request tells.
pub(crate) fn change_told(texts: &[(String, String)], telling: Telling<'_>) -> Result<Told, Untold> {
    let wish = Wish::read(&joined(telling.request, texts)).ok_or(Untold::Nowhere)?;
    let about = telling.about;
    let change = |wish: &Wish| change(texts, wish, telling);
    let alone = || change(&wish);
    let telling = wish.words.iter().filter(|word| !word.optional).count();
    match wish.going_on_with(about).map(|wish| change(&wish)) {
        Some(Err(Untold::Nowhere)) if telling > 0 => alone(),
        Some(told) => told,
        None => alone(),
    }
}

/// The change of the value that was changed last to another one: its file, its name and what it is now are told.
pub(crate) fn change_again(texts: &[(String, String)], request: &str, name: &str, now: &str) -> Result<Told, Untold> {
    let wish = Wish::read(request).ok_or(Untold::Nowhere)?;
    let ([new], [file]) = (wish.values.as_slice(), texts) else { return Err(Untold::Nowhere) };
    let (found, _) = spots(&file.0, &file.1, None);
    let spot = found.iter().find(|spot| spot.name == name && spot.value == now).ok_or(Untold::Nowhere)?;
    write(file, &Fit::shown(spot, in_its_place(spot, new).ok_or(Untold::Nowhere)?))
}

/// The change of the one value in the lines that were shown which is of the same kind: "make it 27".
pub(crate) fn change_shown(texts: &[(String, String)], request: &str, lines: &[usize]) -> Result<Told, Untold> {
    let wish = Wish::read(request).ok_or(Untold::Nowhere)?;
    let ([new], [file]) = (wish.values.as_slice(), texts) else { return Err(Untold::Nowhere) };
    let (found, _) = spots(&file.0, &file.1, None);
    let line = |spot: &Spot| file.1[..spot.span.start].matches('\n').count() + 1;
    let shown = found.iter().filter(|spot| !spot.names_row && new.kind != Kind::Word && lines.contains(&line(spot)));
    let fits: Vec<Fit<'_>> = shown.filter_map(|spot| Some(Fit::shown(spot, in_its_place(spot, new)?))).collect();
    match fits.as_slice() {
        [] => Err(Untold::Nowhere),
        [only] => write(file, only),
        several => Err(Untold::Stays(which(several.iter().map(|fit| named(&file.0, fit.spot)).collect()))),
    }
}

/// A value as it is written in this place, if it may stand there and is another one.
fn in_its_place(spot: &Spot, new: &Said) -> Option<String> {
    let form = Form { text: &spot.value, kind: &spot.kind, unit: spot.unit.as_deref(), sign: spot.sign() };
    let both = new.kind == Kind::Word && spot.kind == Kind::Word;
    let written =
        if both { Some(new.text.clone()) } else { in_form(&new.text, &new.kind, new.unit.as_deref(), &form, true) };
    written.filter(|written| *written != spot.value)
}

/// Whether a request asks for a change, rather than only stating what is so.
pub(crate) fn wants(request: &str) -> bool {
    Wish::read(request).is_some_and(|wish| wish.commands)
}

/// Whether a request tells a value that is no plain word: a number, a day, an address, a switch.
pub(crate) fn tells_more_than_words(request: &str) -> bool {
    Wish::read(request).is_some_and(|wish| wish.values.iter().any(|said| said.kind != Kind::Word))
}

/// Whether a request is only another value: "no wait, 5502", "make it 30".
pub(crate) fn is_only_a_value(request: &str) -> bool {
    Wish::read(request).is_some_and(|wish| {
        wish.values.len() == 1
            && !matches!(wish.values[0].role, Role::Step(_))
            && wish.words.iter().all(|word| word.optional && !word.weighty)
    })
}

/// The one change that a wish is for.
fn change(texts: &[(String, String)], wish: &Wish, telling: Telling<'_>) -> Result<Told, Untold> {
    let latest = telling.latest;
    let spared = kin_stems(telling.spared);
    let old = wish.values.iter().find(|said| said.role == Role::Old && said.kind == Kind::Word);
    let all: Vec<(Vec<Spot>, BTreeSet<String>)> =
        texts.iter().map(|(path, text)| spots(path, text, old.map(|old| old.text.as_str()))).collect();
    let states = wish.states();
    let readings: Vec<Reading<'_>> = wish.readings();
    let by_state = states.iter().map(|(new, words)| Reading { new, old: None, words: words.clone(), adds: wish.adds });
    let readings: Vec<Reading<'_>> = readings.into_iter().chain(by_state).collect();
    let mut fits: Vec<Fit<'_>> = Vec::new();
    for (file, (found, over)) in all.iter().enumerate() {
        if texts.len() > 1 && is_aside(&texts[file].0, telling.request) {
            continue;
        }
        // By its name alone what code holds may be another one, or one of several that belong together.
        let is_code = Format::of(&texts[file].0, &texts[file].1) == Some(Format::Code);
        let is_latest = latest == Some(texts[file].0.as_str());
        for spot in found {
            let is_typed = wish.names(spot);
            let is_spared =
                !spared.is_empty() && spared.iter().all(|word| spot.own.contains(word) || spot.near.contains(word));
            if (telling.by_name && !is_typed) || is_spared {
                continue;
            }
            let is_named = !is_code || is_typed || wish.says_all_of(spot);
            for reading in readings.iter().filter(|reading| is_named || reading.old.is_some()) {
                let Some(found) = fit(spot, reading, over, is_latest) else { continue };
                let sure = wish.commands && !found.implied && (!is_code || is_typed);
                let asked = sure || reading.old.is_some();
                fits.push(Fit { found, certain: reading.old.is_some(), file, spot, asked });
            }
        }
    }
    // What is left may tell another place; what stands in no file tells none, and the change is shown first.
    let (mut fits, others): (Vec<Fit<'_>>, Vec<Fit<'_>>) = fits.into_iter().partition(|fit| fit.found.left.is_empty());
    let others: Vec<Fit<'_>> = others.into_iter().filter(|fit| fit.found.shows).collect();
    if fits.is_empty() && !others.is_empty() {
        let lower: Vec<String> = texts.iter().map(|(path, text)| format!("{path}\n{text}").to_lowercase()).collect();
        let stands =
            |word: &String| kin_stems(word).iter().any(|stem| lower.iter().any(|text| text.contains(stem.as_str())));
        let shows = |fit: &Fit<'_>| !fit.found.left.iter().any(stands);
        fits = others.into_iter().filter(shows).collect();
    }
    let best = fits.iter().map(|fit| fit.found.rank).min().ok_or(Untold::Nowhere)?;
    let found: Vec<&Fit<'_>> = fits.iter().filter(|fit| fit.found.rank == best).collect();
    let first = found[0];
    let same = |fit: &&Fit<'_>| {
        fit.file == first.file && fit.spot.span == first.spot.span && fit.found.written == first.found.written
    };
    // A place that has a word which the best one only has by its file may be the one that is meant.
    let elsewhere = |fit: &&Fit<'_>| {
        fit.file != first.file
            || fit.spot.span.end <= first.spot.span.start
            || first.spot.span.end <= fit.spot.span.start
    };
    let rival = fits.iter().filter(elsewhere).find(|fit| {
        // What stands at two places is to be changed at both, or nobody knows at which.
        let twice = first.certain
            && fit.certain
            && first.found.rank.2 == 0
            && fit.found.left.len() < 2
            && fit.file != first.file;
        twice || fit.found.left.len() == first.found.left.len() && !fit.found.strong.is_subset(&first.found.strong)
    });
    let several: Vec<&Fit<'_>> = match rival {
        _ if !found.iter().all(same) => found,
        Some(rival) => vec![first, rival],
        None => match twin(first, &all, |file| {
            latest.is_some()
                || is_aside(&texts[file].0, telling.request)
                || wish.tells_apart(&all[first.file].1, &all[file].1)
        }) {
            Some((file, twin)) if !wish.names(first.spot) || wish.names(twin) => {
                let name = |file: usize, spot: &Spot| format!("`{}` in `{}`", spot.name, texts[file].0);
                return Err(Untold::Stays(format!(
                    "{} and {} are both `{}`. Say which of them is to change.",
                    name(first.file, first.spot),
                    name(file, twin),
                    cut_line(&first.spot.value)
                )));
            }
            _ => return write(&texts[first.file], first),
        },
    };
    // What is only stated may be about something else.
    if !first.asked {
        return Err(Untold::Nowhere);
    }
    Err(Untold::Stays(which(several.iter().map(|fit| named(&texts[fit.file].0, fit.spot)).collect())))
}

/// A place as it is named where several fit.
fn named(path: &str, spot: &Spot) -> String {
    format!("`{}` in `{path}` (now `{}`)", spot.name, cut_line(&spot.value))
}

/// The question which of several places is meant.
fn which(names: Vec<String>) -> String {
    let mut apart: Vec<String> = Vec::new();
    for name in names {
        if !apart.contains(&name) {
            apart.push(name);
        }
    }
    let more = if apart.len() > MAX_NAMED { ", …" } else { "" };
    apart.truncate(MAX_NAMED);
    format!("That may mean several places: {}{more}. Which one?", apart.join(", "))
}

/// A setting of another file that is called alike and has the same value: it may say the same once more.
fn twin<'s>(
    fit: &Fit<'_>,
    all: &'s [(Vec<Spot>, BTreeSet<String>)],
    is_aside: impl Fn(usize) -> bool,
) -> Option<(usize, &'s Spot)> {
    let is_setting = |spot: &Spot| spot.style == Style::Setting;
    let alike = |spot: &&Spot| is_setting(spot) && spot.value == fit.spot.value && !spot.own.is_disjoint(&fit.spot.own);
    let others =
        all.iter().enumerate().filter(|(file, _)| *file != fit.file && is_setting(fit.spot) && !is_aside(*file));
    others.flat_map(|(file, (spots, _))| spots.iter().filter(alike).map(move |spot| (file, spot))).next()
}

/// Whether a file is only kept, as `port.old` is, and the request does not speak of it.
pub(crate) fn is_aside(path: &str, request: &str) -> bool {
    let (lower, request) = (path.to_lowercase(), request.to_lowercase());
    let parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| Ways::get().aside.contains(*part));
    let spoken = |part: &str| request.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(part));
    parts.into_iter().any(|part| !spoken(part))
}

impl Wish {
    /// Whether a place's own name was typed as it is written.
    fn names(&self, spot: &Spot) -> bool {
        let name = spot.name.rsplit('.').next().map(|name| name.trim_start_matches('-'));
        self.words.iter().any(|word| name == Some(word.text.as_str()))
    }

    /// Whether a word names one file by what stands over it, and not the other one.
    fn tells_apart(&self, over: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
        let telling = self.words.iter().filter(|word| !word.optional).flat_map(|word| &word.stems);
        telling.into_iter().any(|stem| over.contains(stem) && !other.contains(stem))
    }

    /// Whether all words of a place's own name were said.
    fn says_all_of(&self, spot: &Spot) -> bool {
        let said = |own: &String| self.words.iter().any(|word| word.stems.contains(own) || word.others.contains(own));
        !spot.own.is_empty() && spot.own.iter().all(|own| is_stop_word(own) || said(own))
    }

    /// A message that hardly names a place goes on with the request before it: its words tell where.
    fn going_on_with(&self, about: Option<&str>) -> Option<Self> {
        let telling = self.words.iter().filter(|word| !word.optional).count();
        (self.commands && self.points).then_some(())?;
        let known: BTreeSet<&String> = self.words.iter().flat_map(|word| &word.stems).collect();
        let more = Self::words_of(about.filter(|_| telling < 2)?);
        let more = more.into_iter().filter(|word| !word.stems.iter().all(|stem| known.contains(stem)));
        let mut wish = self.clone();
        wish.words.extend(more.filter(|word| !word.optional).collect::<Vec<_>>());
        (wish.words.len() > self.words.len()).then_some(wish)
    }

    /// The words of a request that may themselves be what something is to be: "R6 is paid now".
    fn states(&self) -> Vec<(Said, Vec<Word>)> {
        if self.values.iter().any(|said| said.role != Role::Any) {
            return Vec::new();
        }
        let others = |at: usize| {
            let mut words: Vec<Word> =
                self.words.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, word)| word.clone()).collect();
            words.extend(self.values.iter().map(|said| Word::of(&said.text, false)));
            words
        };
        let plain = |word: &Word| !word.optional && word.text.chars().all(char::is_alphabetic);
        let each = self.words.iter().enumerate().filter(|(_, word)| plain(word));
        each.map(|(at, word)| (Said::state(&word.text), others(at))).collect()
    }
}
/// The text with the new value.
fn write((path, text): &(String, String), fit: &Fit<'_>) -> Result<Told, Untold> {
    let (spot, new) = (fit.spot, &fit.found.written);
    let (mut span, mut written) = (spot.span.clone(), new.clone());
    match spot.style {
        Style::Cell(sign) => written = as_cell(new, sign),
        Style::Column => {
            // The columns stay under each other.
            let room = text[span.end..].bytes().take_while(|byte| *byte == b' ').count();
            let (had, has) = (spot.value.chars().count(), new.chars().count());
            let wide = room > 1 || has < had;
            let pad = (had + room).saturating_sub(has).max(1);
            if wide {
                span.end += room;
                written = format!("{new}{}", " ".repeat(pad));
            }
        }
        Style::Setting if spot.kind == Kind::Word => {
            let settings = Settings::of(path, text).map_err(|why| Untold::Stays(why.into()))?;
            let entry = settings
                .entries
                .iter()
                .find(|entry| entry.value.start <= span.start && span.end <= entry.value.end && !entry.group);
            let entry = entry.ok_or(Untold::Nowhere)?;
            let value = Value::String(new.clone());
            written = settings
                .written(&entry.name(), settings.shown(entry), &settings.value(entry), &value)
                .map_err(Untold::Stays)?;
            span = entry.value.clone();
        }
        Style::Clock => {
            let (hour, minute) = new.split_once(':').ok_or(Untold::Nowhere)?;
            let plain = |part: &str| part.parse::<u32>().map_err(|_| Untold::Nowhere);
            written = format!("{} {}", plain(minute)?, plain(hour)?);
        }
        Style::Setting | Style::Part | Style::Labelled => {}
    }
    let said = format!("I changed `{}` in `{path}` from `{}` to `{new}`.", spot.name, cut_line(&spot.value));
    let start = span.start;
    let edited = Edited::put(text, span, &written, said);
    let edited = if spot.value.is_empty() { along(path, edited, start) } else { edited };
    let Edited { text: changed, said } = edited;
    let would = said.trim_end_matches('.').replacen("I changed", "change", 1);
    let said = if matches!(spot.kind, Kind::Ticked(_)) {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[line..].lines().next().unwrap_or_default();
        format!("I ticked off `{}` in `{path}`.", cut_line(line.trim_start_matches(['-', '*', ' ', '[', ']'])))
    } else {
        said
    };
    Ok(Told { path: path.clone(), text: changed, said, would, left: fit.found.left.clone(), asked: fit.asked })
}

#[cfg(test)]
#[path = "told_tests.rs"]
mod tests;
