//! Whether and how well a place fits a reading of a request, and what is written there.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::amounts::{Form, Kind, decimal_sign, in_case, in_form, is_old, kind_of, measure, switched};
use super::kin::kin_of;
use super::outline::{has_word, kin_stems};
use super::said::Role;
use super::spots::{Spot, Style};
use super::told_ways::Ways;
use super::wishes::{Reading, Word};
use switchboard_nlu::Engine;
use switchboard_search::stem;

/// A column that holds more than this holds no states.
const MAX_STATES: usize = 7;
/// So many words may have no part in what is shown before it is done.
const MAX_LEFT: usize = 2;
/// A place that may be meant.
pub(super) struct Found {
    pub(super) rank: Rank,
    pub(super) written: String,
    /// The words that have no part.
    pub(super) left: Vec<String>,
    /// Those that the place has itself.
    pub(super) strong: BTreeSet<String>,
    /// Whether its column is only implied.
    pub(super) implied: bool,
    /// Whether it is told well enough to be shown although words are left.
    pub(super) shows: bool,
}

/// How well a place fits; less is better.
pub(super) type Rank = (usize, bool, usize, Reverse<usize>, bool, usize, bool, Reverse<usize>, usize);
/// Whether and how well a place fits. `over`: the words over the whole file.
pub(super) fn fit(spot: &Spot, reading: &Reading<'_>, over: &BTreeSet<String>, is_latest: bool) -> Option<Found> {
    let sign = spot.sign();
    // What is empty takes what its column holds.
    let like = spot.column.iter().find(|value| !value.is_empty()).filter(|_| spot.value.is_empty());
    let kind = like.map_or_else(|| spot.kind.clone(), |like| kind_of(like));
    let text = like.map_or(spot.value.as_str(), String::as_str);
    let form = Form { text, kind: &kind, unit: spot.unit.as_deref(), sign };
    if let Some(old) = reading.old {
        let whole = spot.value.eq_ignore_ascii_case(&old.text);
        // "60 s, no longer 45" are seconds both.
        let unit = old.unit.as_deref().or(reading.new.unit.as_deref());
        (is_old(&old.text, &old.kind, unit, &form) || (whole && spot.kind == Kind::Word)).then_some(())?;
    }
    (reading.old.is_some() || !spot.names_row).then_some(())?;
    let written = written(spot, reading, &form)?;
    (written != spot.value && !is_taken(spot, reading, &written)).then_some(())?;
    let called = Ways::get().kinds.get(kind_name(&kind));
    let by_kind = |word: &Word| called.is_some_and(|called| called.contains(&word.text.to_lowercase()));
    let has = |words: &BTreeSet<String>, word: &Word| {
        let all = !word.stems.is_empty() && word.stems.iter().all(|stem| has_word(words, stem) || begins(words, stem));
        all || word.others.iter().any(|other| words.contains(other))
    };
    let told: BTreeSet<&String> = reading.words.iter().flat_map(|word| &word.stems).collect();
    // The column of a value that is told, too, tells the row: "flat 3".
    let names_row = |word: &Word| {
        spot.beside.iter().any(|(column, value)| {
            !value.is_empty()
                && value.iter().all(|stem| told.contains(stem))
                && word.stems.iter().all(|stem| column.contains(stem))
        })
    };
    let (mut own, mut near, mut weak) = (0, 0, 0);
    // Words that only stand there alike: of "Tom Hale" and "Tom Haley" one is meant.
    let mut alike = 0;
    let mut left = Vec::new();
    let mut strong = BTreeSet::new();
    for word in &reading.words {
        if has(&spot.own, word) {
            own += 1;
        } else if has(&spot.near, word) || (!word.stems.is_empty() && names_row(word)) {
            // A small word may stand in any text.
            near += usize::from(!word.optional);
        } else if !word.optional && has(over, word) {
            weak += 1;
            continue;
        } else {
            // What has a digit names something else.
            if word.weighty || (!word.optional && word.text.contains(|c: char| c.is_ascii_digit())) {
                return None;
            }
            if !word.optional && !by_kind(word) {
                left.push(word.text.clone());
            }
            continue;
        }
        if !word.optional {
            strong.insert(word.text.to_lowercase());
            alike += usize::from(!word.stems.iter().all(|stem| spot.own.contains(stem) || spot.near.contains(stem)));
        }
    }
    // "Rehearsal 19:45" is of the `time` of the rehearsal, a new number of the `phone`: the value tells its own key.
    let only_kind = called.is_some_and(|called| {
        !spot.own.is_empty() && spot.own.iter().all(|own| called.iter().any(|name| stem(kin_of(name)) == *own))
    });
    own += usize::from(own == 0 && only_kind && !spot.in_text);
    let unit_is_own = reading.new.unit.as_deref().is_some_and(|unit| {
        let unit = unit.to_lowercase();
        spot.unit.as_deref().is_some_and(|own| own.to_lowercase().trim_end_matches('s') == unit.trim_end_matches('s'))
    }) || (!spot.behind.is_empty() && spot.behind == reading.new.behind);
    // Days are no watts, though both are so many.
    let measured = reading.new.unit.as_deref().and_then(measure).is_some();
    if measured && spot.unit.is_none() && own == 0 && !spot.in_text {
        return None;
    }
    // By its row alone it is not sure which of its values is meant; and beside a row a new one may be to come.
    let implied =
        own == 0 && reading.old.is_none() && !matches!(reading.new.kind, Kind::Word | Kind::Ticked(_)) && !spot.in_text;
    if implied && (reading.adds || spot.style != Style::Setting || !unit_is_own) {
        return None;
    }
    // Where there are only whole numbers, there is no fraction.
    let fraction = |text: &str| decimal_sign(text).is_some();
    let whole = spot.column.iter().filter(|value| !value.is_empty()).all(|value| !fraction(value));
    if matches!(spot.kind, Kind::Number { .. }) && fraction(&reading.new.text) && whole && spot.column.len() > 1 {
        return None;
    }
    // By its file alone no value is meant, unless the old one was told.
    let certain = reading.old.is_some();
    let by_unit = unit_is_own && spot.style != Style::Part && (own > 0 || (certain && weak > 0));
    let found = !strong.is_empty() || by_unit;
    // A name that is not here names something else, and so does another kind of file.
    let names_a_file = |word: &str| Engine::shipped().lists("named-things", &word.to_lowercase());
    let plain = |word: &String| !word.starts_with(char::is_uppercase) && !names_a_file(word);
    let shows = (own > 0 || certain)
        && strong.len() + usize::from(certain) > 1
        && reading.new.kind != Kind::Word
        && !reading.adds
        && left.len() <= MAX_LEFT
        && left.iter().all(plain);
    if !found {
        return None;
    }
    // In a running text a value is meant by its unit, or by the old one.
    if spot.in_text && !certain && !matches!(spot.kind, Kind::Ticked(_)) {
        let of_its_kind = unit_is_own || !matches!(spot.kind, Kind::Number { .. } | Kind::Day { .. });
        of_its_kind.then_some(())?;
    }
    let unsaid = spot.own.iter().filter(|word| !told.contains(word)).count();
    // A row alone does not tell which of its values is meant.
    let unsaid = if spot.inner || own == 0 { 0 } else { unsaid };
    // A sentence is meant where nothing else is.
    let loose = spot.in_text && !certain;
    let rank = (left.len(), loose, weak, Reverse(own), spot.inner, unsaid, !is_latest, Reverse(near), alike);
    Some(Found { rank, written, left, strong, implied: implied && !unit_is_own, shows })
}

/// Whether what is to replace a value that was told is the number of another row, in a column that numbers them: "it was
/// 1048, not 1047" swaps no numbers.
fn is_taken(spot: &Spot, reading: &Reading<'_>, written: &str) -> bool {
    /// Numbers of rows lie no farther apart than this, on average.
    const MOST_APART: i64 = 2;
    let numbers: Option<BTreeSet<i64>> = spot.column.iter().map(|value| value.parse().ok()).collect();
    let numbers = numbers.unwrap_or_default();
    let close =
        numbers.last().zip(numbers.first()).is_some_and(|(last, first)| last - first < MOST_APART * count_of(&numbers));
    let apart = numbers.len() > 3 && numbers.len() + 1 >= spot.column.len();
    reading.old.is_some() && apart && close && written.parse().is_ok_and(|written| numbers.contains(&written))
}

fn count_of(numbers: &BTreeSet<i64>) -> i64 {
    i64::try_from(numbers.len()).unwrap_or(i64::MAX / 2)
}

/// What a kind is called in the data.
fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Colour => "colour",
        Kind::Address => "address",
        Kind::Mail => "mail",
        Kind::Day { .. } => "day",
        Kind::Time => "time",
        Kind::Version => "version",
        Kind::Url => "url",
        Kind::Phone => "phone",
        _ => "",
    }
}

/// Whether one of the words begins with most of this one, or the other way round; `web1` is not the beginning of `web12`.
fn begins(words: &BTreeSet<String>, wanted: &str) -> bool {
    let numbered = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    !numbered(wanted)
        && words.iter().filter(|word| !numbered(word)).any(|word| {
            let (short, long) =
                if word.len() < wanted.len() { (word.as_str(), wanted) } else { (wanted, word.as_str()) };
            short.len() > 3 && short.len() * 2 > long.len() && long.starts_with(short)
        })
}

/// What is written in the place, if the new value may take it.
fn written(spot: &Spot, reading: &Reading<'_>, form: &Form<'_>) -> Option<String> {
    let (new, certain) = (reading.new, reading.old.is_some());
    if let Role::Step(sign) = new.role {
        return stepped(spot, reading, form, sign);
    }
    match (&new.kind, &spot.kind) {
        (Kind::Ticked(_), Kind::Ticked(_)) => Some("x".to_owned()),
        (Kind::Ticked(_), _) | (_, Kind::Ticked(_)) => None,
        (Kind::Word, _) => worded(spot, reading, certain),
        (kind, _) => in_form(&new.text, kind, new.unit.as_deref(), form, certain),
    }
}

fn stepped(spot: &Spot, reading: &Reading<'_>, form: &Form<'_>, sign: f64) -> Option<String> {
    let (Kind::Number { amount: step, .. }, Kind::Number { amount, unit }) = (&reading.new.kind, &spot.kind) else {
        return None;
    };
    // What is counted is named.
    let is_said = reading
        .words
        .iter()
        .any(|word| !word.stems.is_empty() && word.stems.iter().all(|stem| spot.own.contains(stem)));
    if spot.style == Style::Part || !is_said {
        return None;
    }
    let own = reading.new.unit.as_deref();
    let one = Kind::Number { amount: *step, unit: String::new() };
    let zero = Form { text: "0", kind: &Kind::Number { amount: 0.0, unit: unit.clone() }, unit: form.unit, sign: '.' };
    let step: f64 =
        in_form(&reading.new.text, &one, own, &zero, false)?.trim_end_matches(unit.as_str()).parse().ok()?;
    let new = ((amount + sign * step) * 1e6).round() / 1e6;
    (new >= 0.0).then_some(())?;
    in_form(&format!("{new}"), &Kind::Number { amount: new, unit: String::new() }, None, form, false)
}

/// A word in the place of another: of the old one that was told, of one that may stand for it, of a name where it is named.
fn worded(spot: &Spot, reading: &Reading<'_>, certain: bool) -> Option<String> {
    let new = &reading.new.text;
    let lower = new.to_lowercase();
    let of_one = |one: &str, other: &str| {
        let listed = |word: &String| word == one;
        Ways::get().enumerations.iter().any(|list| list.iter().any(listed) && list.iter().any(|word| word == other))
    };
    if certain {
        return (spot.kind == Kind::Word).then(|| new.clone());
    }
    if spot.style == Style::Part {
        return None;
    }
    if let Kind::Switch(now) = spot.kind {
        // "paid" is yes in a column of that name.
        let stems = reading.new.stems();
        let named = (1..=2).contains(&spot.own.len()) && spot.own.iter().any(|word| stems.contains(word));
        return (named && !now).then(|| switched(&spot.value, true)).flatten();
    }
    let states: BTreeSet<&String> = spot.column.iter().filter(|value| !value.is_empty()).collect();
    let held = states.iter().find(|value| value.eq_ignore_ascii_case(&lower)).or_else(|| {
        let alike = |value: &&&String| reading.new.stems() == kin_stems(value);
        states.iter().find(|value| alike(value))
    });
    let repeats = spot.column.iter().filter(|value| !value.is_empty()).count() > states.len();
    let may_be =
        if reading.new.state { repeats && states.len() <= MAX_STATES } else { repeats || states.len() <= MAX_STATES };
    if let Some(held) = held.filter(|_| may_be)
        && spot.kind == Kind::Word
    {
        return Some((**held).clone());
    }
    if reading.new.state {
        return None;
    }
    // Where few states are, no other is.
    let is_state = states.len() > 1 && states.len() <= MAX_STATES && spot.column.len() > 2 * states.len();
    if of_one(&lower, &spot.value.to_lowercase()) {
        return Some(in_case(new, &spot.value));
    }
    // A name, or any text, where its key or column is named as a whole.
    let named = !spot.own.is_empty()
        && spot
            .own
            .iter()
            .all(|own| reading.words.iter().any(|word| word.stems.contains(own) || word.others.contains(own)));
    // A name takes the place of a name.
    let begins = |text: &str| text.starts_with(char::is_uppercase);
    let alike = begins(new) || !begins(&spot.value) || spot.value.is_empty();
    (named && alike && !is_state && spot.kind == Kind::Word).then(|| new.clone())
}
