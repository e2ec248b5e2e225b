//! Fragments: "and until 1 may?", "hall 3?", "same for giftWrap", "rice too". A fragment takes the place of what is like it in
//! the request before, and the whole is read anew. It is taken only if that is understood as the request before was, and if
//! one place only comes into question.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use switchboard_nlu::{Risk, SlotType, SlotValue};

use super::meaning::{Meaning, Unknown, read_as};
use super::mind::Mind;
use super::plan::Plan;
use super::roles::Roles;
use crate::ops::FOUND;

/// A fragment has no more words than these.
const MAX_WORDS: usize = 6;

/// How many requests made with a fragment are read.
const MAX_TRIED: usize = 8;

/// A fragment of a request.
struct Fragment<'t> {
    /// What it names.
    what: &'t str,
    /// The same without the word that joins it: "f3" of "in f3".
    bare: &'t str,
    /// "too", or "same for": it is added beside what was said.
    beside: bool,
}

impl Mind<'_> {
    /// The request before with this fragment in the place of what is like it.
    pub(super) fn substituted(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let fragment = self.fragment(text)?;
        let pair = || {
            let before = self.before(earlier)?;
            self.other_pair(fragment.what, before.iter().rev().find_map(Meaning::planned)?)
        };
        pair().or_else(|| self.put_in_place(fragment.what, fragment.bare, fragment.beside, earlier))
    }

    /// A request whose place was told first, if it is understood with the place behind it.
    pub(super) fn in_the_place(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let meanings = self.understand(&Roles::get().placed(text)?, earlier);
        matches!(meanings.as_slice(), [Meaning::Do(_) | Meaning::Ask(_)]).then_some(meanings)
    }

    /// The request before with these words in the place of what is like them; `beside`: as an object of its verb, too.
    pub(super) fn put_in_place(
        &self,
        what: &str,
        bare: &str,
        beside: bool,
        earlier: &[String],
    ) -> Option<Vec<Meaning>> {
        let (last, rest) = earlier.split_last()?;
        let before = self.before(earlier)?;
        // What was looked up is looked up anew.
        let looked_up = self.said.is_some_and(|said| said.starts_with(FOUND));
        let base = before.iter().rev().find_map(Meaning::planned).filter(|_| !looked_up);
        let said = match base {
            Some(base) => base.request.as_str(),
            None if looked_up => before.iter().rev().find_map(Meaning::request).unwrap_or(last),
            None => return None,
        };
        let reads = base.is_none_or(|base| base.risk <= Risk::Read);
        if !reads && Roles::get().paired(what).is_some() {
            return None;
        }
        let words = words(said);
        let mut ways: Vec<(Vec<Range<usize>>, &str)> = vec![
            (self.of_its_type(said, bare), bare),
            (self.of_its_shape(said, &words, bare), bare),
            (beside_its_head(said, &words, bare), bare),
        ];
        if reads {
            ways.push((self.behind_its_joint(said, &words, what), what));
            ways.push((self.at_the_end(said, &words).into_iter().collect(), bare));
        }
        if beside {
            ways.push((self.object(said, &words).into_iter().collect(), bare));
        }
        let mut tried = 0;
        for (places, put) in ways {
            let mut taken: Vec<Vec<Meaning>> = Vec::new();
            for place in places {
                let request = format!("{}{put}{}", &said[..place.start], &said[place.end..]);
                tried += 1;
                if tried > MAX_TRIED {
                    return None;
                }
                let meanings = if said[place] == *put { continue } else { self.understand(&request, rest) };
                let alike = |plan: &Plan| base.is_some_and(|base| plan.intent == base.intent);
                let alike = meanings.len() == 1 && meanings[0].planned().is_some_and(alike);
                let sure = match &meanings[0] {
                    Meaning::Ask(_) => true,
                    Meaning::Tables { .. } => reads,
                    meaning => meaning.is_sure(),
                };
                if base.is_none() {
                    taken.push(vec![Meaning::Unknown(Unknown { request, ..Unknown::default() })]);
                } else if alike && sure {
                    taken.push(meanings);
                }
            }
            match taken.len() {
                0 => {}
                1 => return taken.pop(),
                _ => return None,
            }
        }
        None
    }

    fn fragment<'t>(&self, text: &'t str) -> Option<Fragment<'t>> {
        static FRAGMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&Roles::get().fragment).ok());
        let found = FRAGMENT.as_ref()?.captures(text)?;
        let part = |name: &str| found.name(name).map_or("", |found| found.as_str().trim());
        let (lead, what) = (part("lead"), found.name("what")?.as_str().trim());
        let count = what.split_whitespace().count();
        let asks = text.trim_end().ends_with('?') && count <= 3;
        if count > MAX_WORDS || (lead.is_empty() && part("tail").is_empty() && !asks) {
            return None;
        }
        let joined = what.split_once(' ').filter(|(first, _)| self.joins(first));
        let bare = joined.map_or(what, |(_, bare)| bare);
        let beside = !part("tail").is_empty() || !part("same").is_empty();
        Some(Fragment { what, bare, beside })
    }

    fn joins(&self, word: &str) -> bool {
        self.engine.lists("joining", &word.to_lowercase())
    }

    /// What names a thing of the same type: a file, a date, a number. Of a place within another the one as long as it.
    fn of_its_type(&self, said: &str, bare: &str) -> Vec<Range<usize>> {
        use SlotType::{Date, Duration, File, Folder, Host, Number, Percent, Quantity, Time, Url, Zone};
        let typed = [File, Folder, Date, Time, Duration, Zone, Quantity, Percent, Url, Host, Number];
        let entities = self.engine.entities(said, self.world);
        let is_there = |value: &SlotValue| !matches!(value, SlotValue::Path { exists: false, .. });
        for kind in typed {
            let mut places: Vec<Range<usize>> =
                entities.iter().filter(|entity| entity.kind == kind).map(|entity| entity.span.clone()).collect();
            if places.is_empty() || !read_as(self.engine, self.world, bare, kind).is_some_and(|value| is_there(&value))
            {
                continue;
            }
            let count = |place: &Range<usize>| said[place.clone()].split_whitespace().count();
            let long = bare.split_whitespace().count();
            if places.iter().any(|place| count(place) == long) {
                places.retain(|place| count(place) == long);
            }
            // The year that was said stays.
            for place in places.iter_mut().filter(|place| kind == Date && count(place) == long + 1) {
                let year = said[place.clone()]
                    .rsplit(' ')
                    .next()
                    .filter(|last| last.parse::<u16>().is_ok_and(|year| year > 31));
                place.end -= year.map_or(0, |year| year.len() + 1);
            }
            let all = places.clone();
            let within = |place: &Range<usize>, other: &Range<usize>| {
                other != place && other.start <= place.start && place.end <= other.end
            };
            places.retain(|place| !all.iter().any(|other| within(place, other)));
            return places;
        }
        Vec::new()
    }

    /// Words that are made alike: codes such as `HB-9`, numbers, names of months.
    fn of_its_shape(&self, said: &str, words: &[Range<usize>], bare: &str) -> Vec<Range<usize>> {
        let wanted = self.shape(bare);
        // A name of several words stands for a name.
        let is_name = |word: &Range<usize>| said[word.clone()].starts_with(char::is_uppercase);
        if bare.contains(' ') && bare.split(' ').all(|word| word.starts_with(char::is_uppercase)) {
            let runs = words.chunk_by(|one, other| is_name(one) && is_name(other));
            return runs.filter(|run| run.len() > 1).map(|run| run[0].start..run[run.len() - 1].end).collect();
        }
        if bare.contains(' ') || wanted == "a" {
            return Vec::new();
        }
        words.iter().filter(|word| self.shape(&said[(*word).clone()]) == wanted).cloned().collect()
    }

    /// How a word is made: `HB-9` is `A-0`.
    fn shape(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        if let Some(table) = ["months", "weekdays"].into_iter().find(|table| self.engine.means(table, &lower).is_some())
        {
            return table.to_owned();
        }
        let mut shape = String::new();
        for c in word.chars() {
            let class = match c {
                c if c.is_ascii_digit() => '0',
                c if c.is_uppercase() => 'A',
                c if c.is_alphabetic() => 'a',
                c => c,
            };
            if !shape.ends_with(class) {
                shape.push(class);
            }
        }
        shape
    }

    /// What stands behind the same joining word: "in F3" for "in box F1".
    fn behind_its_joint(&self, said: &str, words: &[Range<usize>], what: &str) -> Vec<Range<usize>> {
        let Some((joint, _)) = what.split_once(' ').filter(|(first, _)| self.joins(first)) else { return Vec::new() };
        let begins = words.iter().enumerate().filter(|(_, word)| said[(*word).clone()].eq_ignore_ascii_case(joint));
        let until = |at: usize| {
            let next = words[at + 1..].iter().position(|word| self.joins(&said[word.clone()]));
            words[next.map_or(words.len() - 1, |next| at + next)].end
        };
        begins.map(|(at, word)| word.start..until(at)).collect()
    }

    /// What the request ends with, behind its last joining word.
    fn at_the_end(&self, said: &str, words: &[Range<usize>]) -> Option<Range<usize>> {
        let joint = words.iter().rposition(|word| self.joins(&said[word.clone()]))?;
        let begin = words.get(joint + 1)?.start;
        Some(begin..words.last()?.end)
    }

    /// What a command is about: the words behind its verb.
    fn object(&self, said: &str, words: &[Range<usize>]) -> Option<Range<usize>> {
        let end = words.iter().position(|word| self.joins(&said[word.clone()]))?;
        (end >= 2).then(|| words[1].start..words[end - 1].end)
    }
}

/// As many words that begin or end alike: "hall 3" for "Hall 1".
fn beside_its_head(said: &str, words: &[Range<usize>], what: &str) -> Vec<Range<usize>> {
    let wanted: Vec<&str> = what.split_whitespace().collect();
    if wanted.len() < 2 {
        return Vec::new();
    }
    let alike = |window: &&[Range<usize>]| {
        let same = |at: usize| said[window[at].clone()].eq_ignore_ascii_case(wanted[at]);
        same(0) || same(wanted.len() - 1)
    };
    words.windows(wanted.len()).filter(alike).map(|window| window[0].start..window[window.len() - 1].end).collect()
}

/// Where the words stand, without the marks behind them.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split_whitespace() {
        let start = text[at..].find(word).map_or(at, |found| at + found);
        at = start + word.len();
        let end = start + word.trim_end_matches(['?', '!', ',', ';', ':', '.']).len();
        if end > start {
            words.push(start..end);
        }
    }
    words
}
