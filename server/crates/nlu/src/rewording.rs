//! Requests in the order in which sentences say them: "in a.txt, how many lines" is "how many lines in a.txt", "a.txt should
//! be deleted" is "delete a.txt". Every word is kept, or stands for one that is put in its place: which words demand
//! something, and what, is data (`words.toml`).

use std::ops::Range;

use crate::costs;
use crate::entities::Found;
use crate::lexicon::{Lexicon, Weight};
use crate::possessive;
use crate::runs::LONGEST;
use crate::scan::Scan;
use crate::slots::SlotType;
use crate::text::{Kind, join};

/// Other ways to say what these tokens say, and what they cost for what changes something.
pub(crate) fn rewordings(scan: &Scan, range: &Range<usize>, lexicon: &Lexicon) -> Vec<(String, f32)> {
    let words = Words { scan, range: without_ends(scan, range), lexicon };
    let possessive = possessive::turned(scan, range, lexicon).map(|text| (text, costs::REWORDED));
    let mut texts = Vec::new();
    // Text to be written would take in what is put behind it.
    let writes = words.range.clone().any(|at| scan.content[at].is_some());
    if words.range.len() > 2 && !writes {
        texts.extend(words.place_first());
        texts.extend(words.asked_last());
        texts.extend(words.demanded());
        texts.extend(words.wanted());
    }
    possessive.into_iter().chain(texts.into_iter().map(|text| (text, costs::REWORDED_CHANGE))).collect()
}

/// The tokens without marks at either end.
fn without_ends(scan: &Scan, range: &Range<usize>) -> Range<usize> {
    let mut range = range.clone();
    let mark = |at: usize| scan.tokens[at].kind == Kind::Mark;
    while !range.is_empty() && mark(range.end - 1) {
        range.end -= 1;
    }
    while !range.is_empty() && mark(range.start) {
        range.start += 1;
    }
    range
}

struct Words<'a> {
    scan: &'a Scan<'a>,
    range: Range<usize>,
    lexicon: &'a Lexicon,
}

impl Words<'_> {
    /// "a.txt: how many lines", "in a.txt delete the last line", "in berlin, what time is it".
    fn place_first(&self) -> Vec<String> {
        let begin = self.after_fillers();
        let led = self.scan.runs.is_in("fronting", begin, 1);
        let front = begin + usize::from(led);
        let name = (front..self.range.end).take(4).find(|at| self.named(*at, led).is_some());
        let Some(name) = name.filter(|name| (front..*name).all(|at| self.is_noun(at))) else {
            return self.led_first(begin, led).into_iter().collect();
        };
        let mut end = name + self.named(name, led).unwrap_or(1);
        if led && end < self.range.end && self.is_named_by_noun(end) {
            end += 1;
        }
        let rest = (end..self.range.end).find(|at| !self.divides(*at)).unwrap_or(self.range.end);
        if rest == self.range.end || (rest == end && !led) {
            return Vec::new();
        }
        let (place, rest) = (self.scan.typed(front..end), rest..self.range.end);
        if let Some(it) = rest.clone().find(|at| self.scan.runs.is_in("fronted", *at, 1)) {
            return vec![join([self.scan.typed(rest.start..it), place, self.scan.typed(it + 1..rest.end)])];
        }
        let lead = if led { self.scan.typed(begin..front) } else { "in" };
        vec![join([self.scan.typed(rest), lead, place])]
    }

    /// Whatever is led, if it is set off.
    fn led_first(&self, begin: usize, led: bool) -> Option<String> {
        let end = (begin + 2..self.range.end.saturating_sub(1)).take(LONGEST).find(|at| led && self.divides(*at))?;
        Some(join([self.scan.typed(end + 1..self.range.end), self.scan.typed(begin..end)]))
    }

    /// "the headings of a.md, how many", "a.txt has how many lines".
    fn asked_last(&self) -> Option<String> {
        let mut end = self.range.end;
        while end > self.range.start + 1 && self.scan.weights[end - 1] == Weight::Filler {
            end -= 1;
        }
        let asked = |length: usize| {
            let begin = end.checked_sub(length).filter(|begin| *begin > self.range.start)?;
            let asked = self.scan.runs.means("asked_last", begin, length)?;
            (length > 1 || self.divides(begin - 1)).then_some((asked, begin))
        };
        let (asked, mut last) = (1..=LONGEST).rev().find_map(asked)?;
        while last > self.range.start && self.divides(last - 1) {
            last -= 1;
        }
        (last > self.range.start).then(|| join([asked, self.scan.typed(self.range.start..last)]))
    }

    /// "a.txt should be deleted", "line 3 can go", "a.txt should be called b.txt".
    fn demanded(&self) -> Option<String> {
        let begin = self.range.start + self.scan.introduction(&self.range);
        if begin >= self.range.end || self.scan.runs.is_in("asking", begin, 1) {
            return None;
        }
        let ways = (begin + 1..self.range.end).flat_map(|at| (1..=LONGEST).rev().map(move |length| (at, length)));
        let mut ways = ways.filter(|(at, length)| at + length <= self.range.end);
        ways.find_map(|(at, length)| {
            let (subject, behind) = (self.scan.typed(begin..at), at + length);
            if self.scan.runs.is_in("passive", at, length)
                && let Some((verb, end)) = self.participle(behind)
            {
                return Some(join([verb.as_str(), subject, self.scan.typed(end..self.range.end)]));
            }
            let meant = self.scan.runs.means("demands", at, length)?;
            let (verb, joint) = meant.split_once('…').unwrap_or((meant, ""));
            Some(join([verb.trim(), subject, joint.trim(), self.scan.typed(behind..self.range.end)]))
        })
    }

    /// "i want line 3 removed", "i need a.txt copied to b.txt".
    fn wanted(&self) -> Option<String> {
        let begin = self.after_fillers();
        let subject = begin + self.scan.runs.listed("wanting", begin, LONGEST)?;
        let (at, (verb, end)) = (subject + 1..self.range.end).find_map(|at| Some((at, self.participle(at)?)))?;
        Some(join([verb.as_str(), self.scan.typed(subject..at), self.scan.typed(end..self.range.end)]))
    }

    /// The verb of a participle there, with the word that belongs to it, and where it ends: "backed up".
    fn participle(&self, at: usize) -> Option<(String, usize)> {
        let is_verb = |at: usize| self.scan.tokens[at].kind == Kind::Word && !self.scan.runs.is_in("describing", at, 1);
        if at >= self.range.end || !is_verb(at) {
            return None;
        }
        let word = self.scan.tokens[at].lower.as_str();
        let regular = || Some(word).filter(|word| word.ends_with("ed") && word.len() > 3);
        let verb = self.lexicon.means("participles", word).or_else(regular)?;
        match at + 1 < self.range.end && self.scan.runs.is_in("particles", at + 1, 1) {
            true => Some((join([verb, self.scan.typed(at + 1..at + 2)]), at + 2)),
            false => Some((verb.to_owned(), at + 1)),
        }
    }

    /// How many tokens name a path from here on; `led` if a word before them says that one follows: "in config, …".
    fn named(&self, at: usize, led: bool) -> Option<usize> {
        let paths = [SlotType::File, SlotType::Folder, SlotType::NewPath, SlotType::Glob];
        let fits = |found: &&Found| {
            let end = at + found.length;
            let is_set_off = end == self.range.end || (end < self.range.end && self.divides(end));
            let is_path = found.kinds.first().is_some_and(|kind| paths.contains(&kind));
            end <= self.range.end && is_path && (found.strong || (led && is_set_off))
        };
        self.scan.found[at].iter().filter(fits).map(|found| found.length).max()
    }

    fn is_noun(&self, at: usize) -> bool {
        self.scan.weights[at] == Weight::Filler || self.is_named_by_noun(at)
    }

    fn is_named_by_noun(&self, at: usize) -> bool {
        self.scan.runs.means("nouns", at, 1).is_some()
    }

    /// Whether what stands before this token is set off by it: a comma, a colon, a dash.
    fn divides(&self, at: usize) -> bool {
        let token = &self.scan.tokens[at];
        token.kind == Kind::Mark || !token.text.chars().any(char::is_alphanumeric) && token.text.starts_with(['-', '–'])
    }

    /// The first token that is no filler.
    fn after_fillers(&self) -> usize {
        let fillers = self.range.clone().take_while(|at| self.scan.weights[*at] == Weight::Filler).count();
        (self.range.start + fillers).min(self.range.end - 1)
    }
}
