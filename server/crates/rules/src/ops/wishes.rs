//! What a request wants changed: the value that is to come, the one that is there now, by how much, and the words that tell
//! where.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use switchboard_nlu::Engine;
use switchboard_search::{is_stop_word, stem};

use super::amounts::{Kind, measure};
use super::kin::kin_of;
use super::outline::kin_stems;
use super::said::{Role, Said, by_enumeration, by_switch, by_words, typed};
use super::told_ways::Ways;

/// A request with more values is no change of one.
const MAX_VALUES: usize = 4;
/// A word that tells where.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) stems: BTreeSet<String>,
    /// What may be meant by it, too.
    pub(super) others: BTreeSet<String>,
    /// Whether it may have no part.
    pub(super) optional: bool,
    /// Whether it makes all that is said doubtful, unless it has a part.
    pub(super) weighty: bool,
}

/// What a request wants.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) values: Vec<Said>,
    pub(super) words: Vec<Word>,
    /// Whether it asks for it, rather than only stating what is so.
    pub(super) commands: bool,
    /// Whether something may be to come beside what is there.
    pub(super) adds: bool,
    /// Whether it points to what was spoken of.
    pub(super) points: bool,
}

/// A request with the names of one word that files give to what it says in two: `test3` for "test 3".
pub(super) fn joined<'t>(request: &'t str, texts: &[(String, String)]) -> Cow<'t, str> {
    static NUMBERED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\b(\p{L}{2,}) (\d{1,2})\b").unwrap_or_else(|error| panic!("{error}")));
    let stands = |name: &str| {
        let name = Regex::new(&format!(r"(?i)\b{}\b", regex::escape(name)));
        name.is_ok_and(|name| texts.iter().any(|(_, text)| name.is_match(text)))
    };
    NUMBERED.replace_all(request, |found: &Captures<'_>| {
        let name = format!("{}{}", &found[1], &found[2]);
        if stands(&name) && !stands(&found[0]) { name } else { found[0].to_owned() }
    })
}

/// One way to take the values.
#[derive(Debug)]
pub(super) struct Reading<'w> {
    pub(super) new: &'w Said,
    pub(super) old: Option<&'w Said>,
    /// The words, and what is said beside: other values name a row.
    pub(super) words: Vec<Word>,
    /// Whether something may be to come beside what is there.
    pub(super) adds: bool,
}

impl Wish {
    /// What a request wants, if it wants a change.
    pub(super) fn read(request: &str) -> Option<Self> {
        let ways = Ways::get();
        let text = Engine::shipped().spelled(request.trim()).replace(['’', '‘'], "'").replace(['“', '”'], "\"");
        let text = ways.polite.replace(&text, "").into_owned();
        let text = ways.demands.replace(&text, ". $1.").into_owned();
        let commands = ways.commands.is_match(&text) || ways.adverbs.is_match(&text);
        let blank = |found: &Captures<'_>| " ".repeat(found[0].len());
        let text = ways.adverbs.replace_all(&text, blank).into_owned();
        let text = ways.asides.replace_all(&text, blank).into_owned();
        if ways.questions.is_match(&text) {
            return None;
        }
        let mut values = typed(&text, ways);
        if values.iter().filter(|said| said.role == Role::Any).count() > 0
            && let Some(at) = values
                .iter()
                .position(|said| said.role == Role::Old && ways.from_before.is_match(&text[..said.span.start]))
            && !values.iter().any(|said| said.role == Role::New)
            && let Some(other) =
                values.iter_mut().enumerate().find(|(other, said)| *other != at && said.role == Role::Any)
        {
            other.1.role = Role::New;
        }
        by_words(&text, ways, &mut values);
        by_switch(&text, ways, &mut values);
        by_enumeration(&text, ways, &mut values);
        let ticks = values.iter().any(|said| matches!(said.kind, Kind::Ticked(_)));
        // "from 9 to 5" is a range unless something moves; several places are not one.
        let ranges = values.iter().any(|said| ways.from_before.is_match(&text[..said.span.start]))
            && !ways.shifts.is_match(&text);
        let mut pairs = values.windows(2).filter(|pair| pair[0].span.end <= pair[1].span.start);
        let ranges = ranges
            || pairs.any(|pair| {
                let between = text[pair[0].span.end..pair[1].span.start].trim();
                pair[0].role != Role::Old && matches!(between, "to" | "-" | "–" | "until")
            });
        if ranges || (!ticks && is_many(&text, ways)) {
            return None;
        }
        let says_nothing = values.is_empty() && !ways.signals.is_match(&text);
        if says_nothing || values.len() > MAX_VALUES {
            return None;
        }
        let mut rest = text.clone();
        // What marks a value has its part with it.
        let marks = values.iter().filter_map(|said| {
            let before = match said.role {
                Role::Old => &ways.old_before,
                Role::Step(sign) if sign > 0.0 => &ways.more_before,
                Role::Step(_) => &ways.less_before,
                _ => return None,
            };
            Some(before.find(&text[..said.span.start])?.range())
        });
        let spans = marks.chain(values.iter().map(|said| said.span.clone()));
        for span in spans.collect::<Vec<_>>() {
            rest.replace_range(span.clone(), &" ".repeat(span.len()));
        }
        let rest = ways.frames.replace_all(&rest, " ").into_owned();
        Some(Self {
            words: told(&rest, ways),
            values,
            commands,
            adds: ways.adds.is_match(&text),
            points: ways.points.is_match(&text),
        })
    }

    /// The words of another request.
    pub(super) fn words_of(request: &str) -> Vec<Word> {
        let text = Engine::shipped().spelled(request);
        told(&Ways::get().frames.replace_all(&text, " "), Ways::get())
    }

    /// The ways to take the values: those without a role may be either, or name a row.
    pub(super) fn readings(&self) -> Vec<Reading<'_>> {
        let said_old: Vec<usize> = (0..self.values.len()).filter(|at| self.values[*at].role == Role::Old).collect();
        let said_new = self.values.iter().any(|said| matches!(said.role, Role::New | Role::Step(_)));
        let mut found = Vec::new();
        for (at, new) in self.values.iter().enumerate() {
            if new.role == Role::Old || (said_new && new.role == Role::Any) {
                continue;
            }
            let olds: Vec<Option<usize>> = match (said_old.as_slice(), new.role) {
                ([], Role::Step(_)) => vec![None],
                ([], _) => vec![None],
                // "Cone 6 is wrong, 1222 instead of 1232": the first tells the place.
                ([.., last], _) => vec![Some(*last)],
            };
            for old in olds {
                let apart = |said: &Said| said.span.end <= new.span.start || new.span.end <= said.span.start;
                let others = self.values.iter().enumerate();
                let others = others.filter(|(other, said)| *other != at && Some(*other) != old && apart(said));
                let mut words = self.words.clone();
                words.extend(others.map(|(_, said)| Word::of(&said.text, matches!(said.kind, Kind::Ticked(_)))));
                if matches!(new.role, Role::Step(_)) {
                    // On which day it was tells nothing of the place.
                    let is_day = |word: &Word| Engine::shipped().means("weekdays", &word.text.to_lowercase()).is_some();
                    words.iter_mut().filter(|word| is_day(word)).for_each(|word| word.optional = true);
                }
                found.push(Reading { new, old: old.map(|old| &self.values[old]), words, adds: self.adds });
            }
        }
        found
    }
}

impl Word {
    pub(super) fn of(text: &str, optional: bool) -> Self {
        let lower = text.to_lowercase();
        let engine = Engine::shipped();
        let means = Ways::get().means.iter().filter(|group| group.contains(&lower));
        Self {
            stems: kin_stems(text),
            others: means.flatten().map(|word| stem(kin_of(word))).collect(),
            optional,
            weighty: !Ways::get().optional.contains(&lower)
                && ["weighty", "doubtful"].iter().any(|list| engine.lists(list, &lower)),
            text: text.to_owned(),
        }
    }
}

/// Whether a request speaks of several places; "every week" and "every 5 minutes" are times.
fn is_many(text: &str, ways: &Ways) -> bool {
    let is_time = |word: &str| {
        let lower = word.to_lowercase();
        let day = lower.strip_suffix('s').unwrap_or(&lower);
        let means = |table: &str| Engine::shipped().means(table, day).is_some();
        measure(word).is_some() || means("weekdays") || means("numbers") || means("months")
    };
    ways.many.captures_iter(text).any(|found| found.get(1).is_none_or(|word| !is_time(word.as_str())))
}
/// The words that tell where.
fn told(rest: &str, ways: &Ways) -> Vec<Word> {
    let parts = rest.split(|c: char| !(c.is_alphanumeric() || "_-./'".contains(c)));
    let parts = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    let parts = parts.map(|part| part.strip_suffix("'s").unwrap_or(part)).filter(|part| !part.is_empty());
    let engine = Engine::shipped();
    let says_nothing = |word: &str| {
        is_stop_word(word) && !engine.lists("weighty", word) && !engine.lists("doubtful", word)
            || ways.optional.contains(word)
            || ["filler", "light", "joining", "determiners"].iter().any(|list| engine.lists(list, word))
                && !engine.lists("doubtful", word)
    };
    // "May" may be a month, too.
    let months: Vec<&str> = ways.months.captures_iter(rest).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    parts.map(|part| Word::of(part, says_nothing(&part.to_lowercase()) && !months.contains(&part))).collect()
}

#[cfg(test)]
#[path = "wishes_tests.rs"]
mod tests;
