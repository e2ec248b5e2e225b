//! The places of a text that hold a value each, with the words by which people find them: a setting by its key, what stands
//! above and beside it; a cell by its row and column; a number, day or version in a line by the words about it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::amounts::{Kind, decimal_sign, kind_of, measure, tokens};
use super::kin::month_in;
use super::outline::{Outline, divided, kin_stems};
use super::places::of_settings;
use super::records::{Field, Record, column, records};
use super::rows::{is_table, placed_lines, sign_of};
use super::said::first_word;
use super::settings::Settings;
use super::show::cut_line;

/// A text has no more places than this, and none that is longer has any.
const MAX_SPOTS: usize = 6_000;
const MAX_TEXT: usize = 300_000;

/// What is longer names no row or group.
const LONGEST_NAME: usize = 40;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// The value of a setting.
    Setting,
    /// A cell of a table with this sign between cells.
    Cell(char),
    /// A cell of a table in markdown.
    Column,
    /// A part of a line.
    Part,
    /// What a label stands before.
    Labelled,
    /// Minute and hour of a crontab.
    Clock,
}

/// A place that holds a value.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) span: Range<usize>,
    pub(super) value: String,
    pub(super) kind: Kind,
    pub(super) unit: Option<String>,
    pub(super) style: Style,
    /// The words of its key or column, or those just before it in a line.
    pub(super) own: Rc<BTreeSet<String>>,
    /// Those of what stands above and beside it.
    pub(super) near: Rc<BTreeSet<String>>,
    /// The columns of its row with what each holds: "plot A2" names a row by both.
    pub(super) beside: Rc<Vec<(BTreeSet<String>, BTreeSet<String>)>>,
    /// What else the same column or key holds.
    pub(super) column: Rc<Vec<String>>,
    /// How it is told.
    pub(super) name: String,
    /// Whether it is what its row is called by.
    pub(super) names_row: bool,
    /// Whether it is only a part of a value, or of a line.
    pub(super) inner: bool,
    /// Whether it stands in a running text.
    pub(super) in_text: bool,
    /// The word behind it.
    pub(super) behind: String,
}

impl Spot {
    /// The sign before decimal places here.
    pub(super) fn sign(&self) -> char {
        let mut signs = std::iter::once(&self.value).chain(self.column.iter()).filter_map(|value| decimal_sign(value));
        let own = if self.style == Style::Part { decimal_sign(&self.value) } else { signs.next() };
        own.unwrap_or('.')
    }
}

/// A text's places, and the words that stand over all of them; `old`: a word that may stand in a line.
pub(super) fn spots(path: &str, text: &str, old: Option<&str>) -> (Vec<Spot>, BTreeSet<String>) {
    let outline = Outline::of(path, text);
    let mut over = kin_stems(path);
    let title = text.lines().find_map(|line| line.strip_prefix("# "));
    over.extend(title.map(kin_stems).unwrap_or_default());
    if text.len() > MAX_TEXT {
        return (Vec::new(), over);
    }
    let rows = records(path, text);
    let is_table = is_table(path);
    let mut found = Vec::new();
    let mut is_data = false;
    if is_table || path.ends_with(".md") {
        found.extend(of_records(&rows, if is_table { Style::Cell(sign_of(text)) } else { Style::Column }));
    } else if let Ok(settings) = Settings::of(path, text) {
        found.extend(of_entries(&settings, &outline));
        is_data = settings.is_no_code().is_ok() && !found.is_empty();
    }
    if !is_table {
        let known: Vec<Range<usize>> = found.iter().map(|spot: &Spot| spot.span.clone()).collect();
        found.extend(of_lines(path, text, &outline, &found, &known, old, is_data));
    }
    found.truncate(MAX_SPOTS);
    (found, over)
}

fn words(text: &str) -> BTreeSet<String> {
    kin_stems(&divided(text).replace(['_', '.', '/'], " "))
}

/// The month by which a row is called, if all its days are of one: "the march reading".
fn month_of(row: &Record) -> BTreeSet<String> {
    let mut months: Vec<&str> = row.fields.iter().filter_map(|field| month_in(&field.value)).collect();
    months.dedup();
    if let [only] = months.as_slice() { kin_stems(only) } else { BTreeSet::new() }
}

/// The unit that a name ends in: `timeout_ms`, `keepDays`.
pub(super) fn unit_of(name: &str) -> Option<String> {
    let name = divided(name);
    let parts: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    // `hours_per_week` are hours.
    let per = parts.iter().position(|part| part.eq_ignore_ascii_case("per")).unwrap_or(parts.len());
    let parts = &parts[..per];
    let unit = |part: &&&str| measure(part).is_some();
    let last = parts.last().filter(|_| parts.len() > 1).filter(unit);
    last.or_else(|| parts.iter().filter(|part| part.len() > 3).find(unit)).map(|part| (*part).to_owned())
}

fn of_records(rows: &[Record], style: Style) -> Vec<Spot> {
    let columns = rows.iter().map(|row| row.fields.len()).max().unwrap_or_default();
    let held = |at: usize| Rc::new(column(rows, at).map(str::to_owned).collect());
    let held: Vec<Rc<Vec<String>>> = (0..columns).map(held).collect();
    let spot = |row: &Record, beside: &Rc<Vec<_>>, at: usize, field: &Field| {
        let others = row.fields.iter().enumerate().filter(|(other, _)| *other != at);
        let named = others.filter(|(_, other)| other.value.len() <= LONGEST_NAME);
        let mut near: BTreeSet<String> = named.flat_map(|(_, other)| kin_stems(&other.value)).collect();
        near.extend(row.fields.first().map(|first| words(&first.name)).unwrap_or_default());
        near.extend(month_of(row));
        let mut others = row.fields.iter().filter(|other| other.span != field.span).map(|other| other.value.as_str());
        // A number alone does not tell people which row it is.
        let first = others.next().unwrap_or_default();
        let name =
            others.find(|other| other.contains(char::is_alphabetic)).filter(|_| !first.contains(char::is_alphabetic));
        let called = [Some(first), name].into_iter().flatten().collect::<Vec<_>>().join(", ");
        Spot {
            span: field.span.clone(),
            value: field.value.clone(),
            kind: kind_of(&field.value),
            unit: unit_of(&field.name).or_else(|| {
                let unit = row.fields.iter().find(|other| other.name.eq_ignore_ascii_case("unit"))?;
                measure(&unit.value).map(|_| unit.value.clone())
            }),
            style,
            own: Rc::new(words(&field.name)),
            near: Rc::new(near),
            beside: Rc::clone(beside),
            column: held.get(at).cloned().unwrap_or_default(),
            name: format!("{} of {}", field.name, cut_line(&called)),
            names_row: at == 0,
            inner: false,
            in_text: false,
            behind: String::new(),
        }
    };
    let mut whole: Vec<Spot> = Vec::new();
    for row in rows.iter().take_while(|row| row.span.start < MAX_TEXT) {
        let named = row.fields.iter().filter(|field| field.value.len() <= LONGEST_NAME);
        let beside = Rc::new(named.map(|field| (words(&field.name), kin_stems(&field.value))).collect());
        whole.extend(row.fields.iter().enumerate().map(|(at, field)| spot(row, &beside, at, field)));
        if whole.len() > MAX_SPOTS {
            break;
        }
    }
    let inner: Vec<Spot> = whole.iter().flat_map(within).collect();
    whole.into_iter().chain(inner).collect()
}

/// The values within a cell of words: the 12 of `Debian 12`.
fn within(cell: &Spot) -> Vec<Spot> {
    if cell.kind != Kind::Word || cell.value.len() != cell.span.len() {
        return Vec::new();
    }
    let part = |token: super::amounts::Token| {
        let rest = format!("{} {}", &cell.value[..token.span.start], &cell.value[token.span.end..]);
        Spot {
            span: cell.span.start + token.span.start..cell.span.start + token.span.end,
            value: cell.value[token.span].to_owned(),
            kind: token.kind,
            style: Style::Part,
            own: Rc::new(cell.own.iter().cloned().chain(words(&rest)).collect()),
            column: Rc::default(),
            inner: true,
            ..cell.clone()
        }
    };
    tokens(&cell.value).into_iter().map(part).collect()
}

fn of_entries(settings: &Settings<'_>, outline: &Outline<'_>) -> Vec<Spot> {
    let places = of_settings(settings);
    let held = |own: &str| -> Vec<String> {
        places.iter().filter(|(_, place)| place.own == own).map(|(_, place)| place.value.clone()).collect()
    };
    let starts: Vec<usize> = placed_lines(settings.text).map(|(start, _)| start).collect();
    let spot = |(at, place): &(usize, super::places::Place)| {
        let entry = settings.entries.get(*at)?;
        let line = starts.partition_point(|start| *start <= entry.value.start).saturating_sub(1);
        let shown = settings.shown(entry);
        let quoted = shown.len() > 1 && shown.starts_with(['"', '\'']) && shown.ends_with(['"', '\'']);
        let span = if quoted { entry.value.start + 1..entry.value.end - 1 } else { entry.value.clone() };
        let beside = place.beside.iter().filter(|text| text.len() <= LONGEST_NAME).flat_map(|text| kin_stems(text));
        let mut near: BTreeSet<String> = words(&place.above).into_iter().chain(beside).collect();
        near.extend(outline.comment_on(line));
        Some(Spot {
            kind: kind_of(&place.value),
            value: settings.text[span.clone()].to_owned(),
            span,
            unit: unit_of(&place.own),
            style: Style::Setting,
            own: Rc::new(words(&place.own)),
            near: Rc::new(near),
            beside: Rc::default(),
            column: Rc::new(held(&place.own)),
            name: place.name.clone(),
            names_row: place.own == place.kind
                && entry.path.iter().any(|part| part.bytes().all(|byte| byte.is_ascii_digit())),
            inner: false,
            in_text: false,
            behind: String::new(),
        })
    };
    places.iter().take(MAX_SPOTS).filter_map(spot).collect()
}

/// What a word stands apart from others by in a line.
const APART: &[char] = &[',', ';', '"', '\'', '|', '(', ')', '[', ']'];

/// The values in lines that are no values of settings as a whole.
fn of_lines(
    path: &str,
    text: &str,
    outline: &Outline<'_>,
    settings: &[Spot],
    known: &[Range<usize>],
    old: Option<&str>,
    is_data: bool,
) -> Vec<Spot> {
    let is_crontab = path.to_lowercase().contains("cron");
    let is_text = path.ends_with(".md") || path.ends_with(".txt");
    let mut found = Vec::new();
    for (number, (start, line)) in placed_lines(text).enumerate() {
        let trimmed = line.trim_start();
        let is_comment =
            !is_text && (trimmed.starts_with("//") || trimmed.starts_with("# ") || trimmed.starts_with("; "));
        if is_comment || trimmed.is_empty() || found.len() > MAX_SPOTS {
            continue;
        }
        if is_crontab {
            found.extend(of_crontab(start, line, &outline.comment_on(number)));
            continue;
        }
        // The numbers of a list are none.
        let counts = |span: &Range<usize>| {
            line[..span.start].trim().is_empty()
                && (line[span.end..].starts_with(". ") || line[span.end..].starts_with(") "))
        };
        let mut parts: Vec<(Range<usize>, Kind)> =
            tokens(line).into_iter().map(|token| (token.span, token.kind)).collect();
        parts.retain(|(span, _)| !counts(span));
        parts.extend(old.into_iter().flat_map(|old| places_of(line, old)).map(|span| (span, Kind::Word)));
        if let Some(at) = line.find("[ ]") {
            parts.push((at + 1..at + 2, Kind::Ticked(false)));
        }
        if let Some(value) = text_value(line).filter(|value| is_text && kind_of(&line[value.clone()]) == Kind::Word) {
            parts.push((value, Kind::Word));
        }
        if parts.is_empty() {
            continue;
        }
        let above = outline.above(number);
        for (span, kind) in parts {
            let behind = span.end;
            let place = start + span.start..start + span.end;
            if known.contains(&place) {
                continue;
            }
            let holder = settings.iter().find(|spot| spot.span.start <= place.start && place.end <= spot.span.end);
            // What stands outside of a setting's value is a key, or part of how the file is built.
            if is_data && holder.is_none() {
                continue;
            }
            let from = line[..span.start].rfind(APART).map_or(0, |at| at + 1);
            let to = line[span.end..].find(APART).map_or(line.len(), |at| span.end + at);
            let label = label(line, &span);
            let chunk = if matches!(kind, Kind::Ticked(_)) { line } else { &line[from..to] };
            let mut own = words(&label.map_or_else(|| chunk.replacen(&line[span.clone()], " ", 1), str::to_owned));
            let mut near: BTreeSet<String> = above.iter().cloned().collect();
            near.extend(words(&line.replacen(&line[span.clone()], " ", 1)));
            if let Some(holder) = holder {
                own.extend(holder.own.iter().cloned());
                near.extend(holder.near.iter().cloned());
            }
            let unit_behind =
                line[span.end..].trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let unit = holder.and_then(|holder| holder.unit.clone());
            found.push(Spot {
                span: place,
                value: line[span].to_owned(),
                kind,
                unit: unit.or_else(|| measure(unit_behind).map(|_| unit_behind.to_owned())),
                style: if label.is_some() { Style::Labelled } else { Style::Part },
                own: Rc::new(own),
                near: Rc::new(near),
                beside: Rc::default(),
                column: Rc::default(),
                name: holder.map_or_else(|| format!("line {}", number + 1), |holder| holder.name.clone()),
                names_row: false,
                inner: label.is_none(),
                in_text: label.is_none() && holder.is_none(),
                behind: first_word(&line[behind..]),
            });
        }
    }
    found
}

/// When a line of a crontab runs: every so often, or at a time.
fn of_crontab(start: usize, line: &str, comment: &BTreeSet<String>) -> Vec<Spot> {
    let mut end = 0;
    let placed = |field: &'_ str| {
        let at = end + line[end..].find(field).unwrap_or_default();
        end = at + field.len();
        at
    };
    let places: Vec<usize> = line.split_whitespace().map(placed).collect();
    let fields: Vec<&str> = line.split_whitespace().collect();
    let ([minute, hour, _, _, _, command @ ..], true) = (fields.as_slice(), !line.starts_with('#')) else {
        return Vec::new();
    };
    let number = |field: &str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let (own, near) = (Rc::new(words(&command.join(" "))), Rc::new(comment.clone()));
    let spot = |at: usize, value: &str, text: String, unit: Option<&str>, style: Style| Spot {
        span: start + at..start + at + value.len(),
        kind: kind_of(&text),
        value: text,
        unit: unit.map(str::to_owned),
        style,
        own: Rc::clone(&own),
        near: Rc::clone(&near),
        beside: Rc::default(),
        column: Rc::default(),
        name: command.join(" "),
        names_row: false,
        inner: false,
        in_text: false,
        behind: String::new(),
    };
    let mut found = Vec::new();
    for (at, field, unit) in [(places[0], minute, "minutes"), (places[1], hour, "hours")] {
        if let Some(every) = field.strip_prefix("*/").filter(|every| number(every)) {
            found.push(spot(at + 2, every, every.to_owned(), Some(unit), Style::Part));
        }
    }
    if number(minute) && number(hour) {
        found.push(spot(places[1], hour, (*hour).to_owned(), None, Style::Part));
        let both = &line[places[0]..places[1] + hour.len()];
        found.push(spot(places[0], both, format!("{hour:0>2}:{minute:0>2}"), None, Style::Clock));
    }
    found
}

/// What a line calls the value that is first in it: `- rent: 1485 euros`, `maxconn 4000`.
fn label<'l>(line: &'l str, value: &Range<usize>) -> Option<&'l str> {
    let before = line[..value.start].trim_start().trim_start_matches(['-', '*', ' ']).trim_end();
    let before = before.trim_end_matches(['£', '$', '€']).trim_end();
    let words = |label: &str| label.split_whitespace().count();
    let is_name = |label: &str| (1..=4).contains(&words(label)) && label.starts_with(char::is_alphabetic);
    match before.strip_suffix(':') {
        Some(label) => Some(label).filter(|label| is_name(label) && !label.contains([',', '.', ':'])),
        None => Some(before).filter(|label| words(label) == 1 && is_name(label) && line[value.end..].trim().is_empty()),
    }
}

/// The text that a label stands before: `Status: draft`.
fn text_value(line: &str) -> Option<Range<usize>> {
    let (before, value) = line.split_once(": ")?;
    let start = before.len() + 2 + value.len() - value.trim_start().len();
    let span = start..line.trim_end().len();
    (span.len() <= LONGEST_NAME && label(line, &span).is_some()).then_some(span)
}

/// Where a word stands as a whole.
fn places_of(line: &str, word: &str) -> Vec<Range<usize>> {
    let pattern = format!(r"(?i)\b{}\b", regex::escape(word));
    let Ok(pattern) = regex::Regex::new(&pattern) else { return Vec::new() };
    pattern.find_iter(line).map(|found| found.range()).collect()
}
