//! Fragments: "and until 1 may?", "hall 3?", "same for giftWrap", "rice too". A fragment takes the place of what is like it in
//! the request before, and the whole is read anew. It is taken only if that is understood as the request before was, and if
//! one place only comes into question.

use std::ops::Range;

use switchboard_nlu::{Risk, SlotType, SlotValue};

use super::meaning::{Meaning, Unknown, read_as};
use super::mind::Mind;
use super::plan::Plan;
use super::roles::Roles;
use super::tabular;
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
    /// "and", "what about": it is joined to what was said.
    joined: bool,
}

impl Mind<'_> {
    /// The request before with this fragment in the place of what is like it.
    pub(super) fn substituted(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let fragment = self.fragment(text)?;
        let pair = || {
            let before = self.before(earlier)?;
            self.other_pair(fragment.what, before.iter().rev().find_map(Meaning::planned)?)
        };
        let meanings = pair().or_else(|| self.put_in_place(fragment.what, fragment.bare, fragment.beside, earlier))?;
        // What no table answered before is not asked once more with a word of it changed.
        let asks = |meaning: &Meaning| {
            meaning
                .planned()
                .is_some_and(|plan| plan.risk <= Risk::Read && tabular::is_about_tables(plan.reply.as_deref()))
        };
        let answered =
            || self.said.is_none_or(|said| said.split('`').skip(1).step_by(2).any(|part| self.world.is_file(part)));
        (answered() || !meanings.iter().any(asks)).then_some(meanings)
    }

    /// The last request with another file, if the fragment says in what that is called otherwise: "and staging?".
    pub(super) fn in_the_file_beside(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let fragment = self.fragment(text).filter(|_| !earlier.is_empty() && !self.whole.get())?;
        let base = self.last_plan(earlier)?;
        let places = self.beside_its_file(&base.request, fragment.bare);
        if places.is_empty() {
            return None;
        }
        self.put_in_place(fragment.what, fragment.bare, fragment.beside, earlier)
    }

    /// What is to be done with another thing, too: "rice too", "do the same for the stairs".
    pub(super) fn beside(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        if self.whole.get() || earlier.is_empty() {
            return None;
        }
        let fragment = self.fragment(text)?;
        // "and 20%?" is rather put in the place of the other percentage than reckoned with what that came to.
        let typed = || {
            let base = self.last_plan(earlier).filter(|base| base.risk <= Risk::Read)?;
            let words = fragment.bare.split_whitespace().count();
            let alike = !self.of_its_type(&base.request, fragment.bare).is_empty();
            (fragment.joined && words <= 2 && alike && !tabular::is_about_tables(base.reply.as_deref())).then_some(())
        };
        if !fragment.beside && typed().is_none() {
            return None;
        }
        let meanings = self.substituted(text, earlier)?;
        self.to_the_table(text, earlier, false).is_none().then_some(meanings)
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
        let looked_up = self.said_before(earlier).is_some_and(|said| said.starts_with(FOUND));
        // What the tables did not know was not told.
        let told = |meaning: &Meaning| match meaning {
            Meaning::Tables { plan, .. } => self.said_before(earlier).is_none_or(|said| names_one_of(plan, said)),
            _ => true,
        };
        let told = before.iter().rev().filter(|meaning| told(meaning));
        let base = told.filter_map(Meaning::planned).next().filter(|_| !looked_up);
        let there = |value: &SlotValue, is_there: bool| matches!(value, SlotValue::Path { exists, folder: false, .. } if *exists == is_there);
        let names = |text: &str, is_there| {
            self.engine.entities(text, self.world).iter().any(|entity| there(&entity.value, is_there))
        };
        // "read envs/prod.env", which is not there; "sorry, env/prod.env".
        let missed = base.is_none() && !looked_up && names(last, false) && names(bare, true);
        let said = match base {
            Some(base) => base.request.as_str(),
            None if looked_up => before.iter().rev().find_map(Meaning::request).unwrap_or(last),
            None if missed => last,
            None => return None,
        };
        let reads = base.is_none_or(|base| base.risk <= Risk::Read);
        if !reads && Roles::get().paired(what).is_some() {
            return None;
        }
        let words = words(said);
        let put =
            |places: Vec<Range<usize>>, put: &str| places.into_iter().map(|place| (place, put.to_owned())).collect();
        let mut ways: Vec<Vec<(Range<usize>, String)>> = vec![self.beside_its_file(said, bare)];
        // A program is not run on what is none: a file of another kind is what it is to work on.
        let runs = base.is_some_and(|base| base.risk == Risk::Execute) && names(bare, true);
        if runs {
            let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
            let alike = |place: &Range<usize>| ending(&said[place.clone()]) == ending(bare);
            let alike: Vec<Range<usize>> = self.of_its_type(said, bare).into_iter().filter(alike).collect();
            let end = words.last().map_or(said.len(), |word| word.end);
            ways.push(if alike.is_empty() { vec![(end..end, format!(" {bare}"))] } else { put(alike, bare) });
        } else {
            ways.push(put(self.of_its_type(said, bare), bare));
            ways.push(put(self.of_its_shape(said, &words, bare), bare));
            ways.push(put(beside_its_head(said, &words, bare), bare));
        }
        if beside && !runs {
            ways.push(put(self.object(said, &words).into_iter().collect(), bare));
        }
        if reads {
            ways.push(put(self.behind_its_joint(said, &words, what), what));
            ways.push(put(self.at_the_end(said, &words).into_iter().collect(), bare));
        }
        let mut tried = 0;
        for places in ways {
            let mut taken: Vec<Vec<Meaning>> = Vec::new();
            for (place, put) in places {
                let request = format!("{}{put}{}", &said[..place.start], &said[place.end..]);
                tried += 1;
                if tried > MAX_TRIED {
                    return None;
                }
                let meanings = if said[place] == put { continue } else { self.understand(&request, rest) };
                let about_tables = |plan: &Plan| tabular::is_about_tables(plan.reply.as_deref());
                let of_file = |plan: &Plan| plan.slots.values().any(|slot| there(slot, true));
                let alike = |plan: &Plan| {
                    let same = |base: &Plan| plan.intent == base.intent;
                    base.is_some_and(|base| same(base) || (about_tables(base) && about_tables(plan) && of_file(plan)))
                };
                let alike = meanings.len() == 1 && meanings[0].planned().is_some_and(alike);
                let sure = match &meanings[0] {
                    Meaning::Ask(_) => true,
                    Meaning::Tables { .. } => reads,
                    meaning => meaning.is_sure(),
                };
                if missed {
                    taken.extend((meanings.len() == 1 && meanings[0].is_sure()).then_some(meanings));
                } else if base.is_none() {
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
        let found = Roles::get().fragment.captures(text)?;
        let part = |name: &str| found.name(name).map_or("", |found| found.as_str().trim());
        let (lead, what) = (part("lead"), found.name("what")?.as_str().trim());
        // "…, the older log, logs/app.log.1": the file itself.
        let named = what.rsplit_once(", ").map(|(_, path)| path).filter(|path| self.world.is_path(path));
        let what = named.unwrap_or(what);
        let count = what.split_whitespace().count();
        let asks = text.trim_end().ends_with('?') && count <= 3;
        if count > MAX_WORDS || Roles::get().commands(what) || (lead.is_empty() && part("tail").is_empty() && !asks) {
            return None;
        }
        let joined = what.split_once(' ').filter(|(first, _)| self.joins(first));
        let bare = joined.map_or(what, |(_, bare)| bare);
        let beside = !part("tail").is_empty() || !part("same").is_empty();
        let joins = |word: &str| self.engine.lists("going-on", &word.to_lowercase());
        let joined = !lead.is_empty() && lead.split_whitespace().all(|word| joins(word.trim_end_matches(',')));
        Some(Fragment { what, bare, beside, joined })
    }

    fn joins(&self, word: &str) -> bool {
        self.engine.lists("joining", &word.to_lowercase())
    }

    /// Files beside those that are named, whose paths are other in just this: "Q2" for `2026-q1.csv`, "dev" for
    /// `config/staging.yaml`, "the other one" where there are two.
    fn beside_its_file(&self, said: &str, bare: &str) -> Vec<(Range<usize>, String)> {
        let lower = bare.to_lowercase();
        let wanted = lower.strip_prefix("the ").unwrap_or(&lower);
        let month = self.engine.means("months", wanted).and_then(|month| month.parse::<u8>().ok());
        let month = month.map(|month| format!("{month:02}"));
        let other = self.engine.means("which", wanted) == Some("other");
        let mut found = Vec::new();
        for entity in self.engine.entities(said, self.world) {
            let SlotValue::Path { path, exists: true, folder: false, .. } = &entity.value else { continue };
            let mut files: Vec<String> = match other {
                true => self.alone_with(path).into_iter().collect(),
                false => {
                    let parts = words_of(path);
                    let put = |new: &str| {
                        let with = |part: &Range<usize>| format!("{}{new}{}", &path[..part.start], &path[part.end..]);
                        parts.iter().map(with).collect::<Vec<_>>()
                    };
                    put(wanted).into_iter().chain(month.iter().flat_map(|month| put(month))).collect()
                }
            };
            files.retain(|file| file != path && self.world.is_file(file));
            files.dedup();
            found.extend(files.into_iter().map(|file| (entity.span.clone(), file)));
        }
        found
    }

    /// The file that is alone with this one in its folder, of those that end like it.
    fn alone_with(&self, path: &str) -> Option<String> {
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        let beside = |file: &&str| folder(file) == folder(path) && ending(file) == ending(path) && *file != path;
        let mut beside = self.world.paths.files().filter(beside);
        let only = beside.next()?.to_owned();
        beside.next().is_none().then_some(only)
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

/// Whether a reply names one of the files that a plan reads.
fn names_one_of(plan: &Plan, said: &str) -> bool {
    let files = plan.values.get("files").and_then(serde_json::Value::as_array).into_iter().flatten();
    files.filter_map(serde_json::Value::as_str).any(|file| said.contains(file))
}

/// Where the words of a path stand: `config`, `staging` and `yaml`.
fn words_of(path: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut words = Vec::new();
    for part in path.split(|c: char| !c.is_alphanumeric()) {
        if !part.is_empty() {
            words.push(at..at + part.len());
        }
        at += part.len() + path[at + part.len()..].chars().next().map_or(0, char::len_utf8);
    }
    words
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
