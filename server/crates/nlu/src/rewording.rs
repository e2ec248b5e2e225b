//! Requests in the order in which sentences say them: "in a.txt, how many lines" is "how many lines in a.txt", "a.txt should
//! be deleted" is "delete a.txt". The words that are moved stay as they were typed; which words demand something, and what,
//! is data (`words.toml`).

use std::ops::Range;

use crate::entities::Found;
use crate::lexicon::{Lexicon, Weight};
use crate::possessive;
use crate::scan::Scan;
use crate::slots::SlotType;
use crate::text::Kind;

/// The most words of an expression that the tables have.
const MOST_WORDS: usize = 5;

/// Other ways to say what these tokens say.
pub(crate) fn rewordings(scan: &Scan, range: &Range<usize>, lexicon: &Lexicon) -> Vec<String> {
    let words = Words { scan, range: without_ends(scan, range), lexicon };
    if words.range.is_empty() {
        return Vec::new();
    }
    let mut texts: Vec<String> = possessive::turned(scan, range, lexicon).into_iter().collect();
    texts.extend(words.place_first());
    texts.extend(words.asked_last());
    texts.extend(words.after_statement());
    texts.extend(words.before_remark());
    texts.extend(words.demanded());
    texts.extend(words.wanted());
    texts.extend(words.may_be());
    texts.dedup();
    texts
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
    /// "a.txt: how many lines", "in a.txt delete the last line".
    fn place_first(&self) -> Vec<String> {
        let begin = self.after_fillers(self.range.start);
        let led = begin < self.range.end && self.lexicon.lists("fronting", self.lower(begin));
        let name = (begin + usize::from(led)..self.range.end).take(4).find(|at| self.named(*at, led).is_some());
        let Some(name) = name.filter(|name| (begin + usize::from(led)..*name).all(|at| self.is_noun(at))) else {
            return self.led_first(begin, led).into_iter().collect();
        };
        let mut end = name + self.named(name, led).unwrap_or(1);
        if led && end < self.range.end && self.lexicon.means("nouns", self.lower(end)).is_some() {
            end += 1;
        }
        let mut rest = end;
        while rest < self.range.end && self.divides(rest) {
            rest += 1;
        }
        if rest == self.range.end || (rest == end && !led) {
            return Vec::new();
        }
        let (place, rest) = (self.scan.typed(begin + usize::from(led)..end), rest..self.range.end);
        let it = rest.clone().find(|at| self.lexicon.lists("fronted", self.lower(*at)));
        if let Some(it) = it {
            return vec![join([self.scan.typed(rest.start..it), place, self.scan.typed(it + 1..rest.end)])];
        }
        let rest = self.scan.typed(rest);
        let lead = if led { self.scan.typed(begin..begin + 1) } else { "in" };
        vec![join([rest, lead, place]), join([rest, place])]
    }

    /// "in berlin, what time is it": whatever is led, if it is set off.
    fn led_first(&self, begin: usize, led: bool) -> Option<String> {
        let end = (begin + 2..self.range.end - 1).take(MOST_WORDS).find(|at| led && self.divides(*at))?;
        let (place, rest) = (self.scan.typed(begin..end), self.scan.typed(end + 1..self.range.end));
        Some(join([rest, place]))
    }

    /// "the headings of a.md, how many", "all *.md files - list them".
    fn asked_last(&self) -> Option<String> {
        let mut end = self.range.end;
        while end > self.range.start && self.scan.weights[end - 1] == Weight::Filler {
            end -= 1;
        }
        let (asked, length) = (1..=MOST_WORDS).rev().find_map(|length| {
            let begin = end.checked_sub(length).filter(|begin| *begin > self.range.start)?;
            let asked = self.lexicon.means("asked_last", &self.joined(begin..end))?;
            (length > 1 || self.divides(begin - 1)).then_some((asked, length))
        })?;
        let mut front = self.range.start..end - length;
        while !front.is_empty() && self.divides(front.end - 1) {
            front.end -= 1;
        }
        (!front.is_empty()).then(|| join([asked, self.scan.typed(front)]))
    }

    /// "i messed up a.txt, restore it", "the branch x is finished, merge it".
    fn after_statement(&self) -> Option<String> {
        let end = (self.range.start + 1..self.range.end - 1).find(|at| self.ends_clause(*at))?;
        let begin = (end + 1..self.range.end).find(|at| !self.ends_clause(*at))?;
        let (statement, request) = (self.range.start..end, begin..self.range.end);
        let first = self.after_fillers(statement.start);
        let states = self.lexicon.lists("stating", self.lower(first));
        let asks = (2..=3).any(|length| {
            first + length <= end && self.lexicon.lists("requesting", &self.joined(first..first + length))
        });
        if asks || self.lexicon.lists("asking", self.lower(first)) {
            return None;
        }
        let it = request.clone().find(|at| self.lexicon.lists("fronted", self.lower(*at)));
        let named = statement.clone().find_map(|at| Some(at..at + self.named(at, false)?));
        let Some(it) = it else {
            // What it names is perhaps what the request must spare.
            let plain = |at: usize| {
                let token = &self.scan.tokens[at];
                token.kind == Kind::Word && !token.text.contains(|c: char| c.is_ascii_digit())
            };
            let names = named.is_some() || !statement.clone().all(plain);
            return (states && !names && statement.len() > 2 && request.len() > 1)
                .then(|| self.scan.typed(request).to_owned());
        };
        let subject = || {
            let verb = statement.clone().skip(1).find(|at| self.lexicon.lists("copulas", self.lower(*at)))?;
            (!states && verb > first).then_some(first..verb)
        };
        let place = self.scan.typed(named.map(|named| self.with_noun(named, first)).or_else(subject)?);
        Some(join([self.scan.typed(request.start..it), place, self.scan.typed(it + 1..request.end)]))
    }

    /// "delete a.txt, because nobody uses it".
    fn before_remark(&self) -> Option<String> {
        let remark = (self.range.start + 2..self.range.end).find(|at| {
            let begins = |length: usize| {
                at + length <= self.range.end && self.lexicon.lists("remarking", &self.joined(*at..at + length))
            };
            (self.ends_clause(at - 1) || self.lower(*at) == "because") && (1..=MOST_WORDS).any(begins)
        })?;
        let names = (remark..self.range.end).any(|at| {
            self.named(at, false).is_some() || matches!(self.scan.tokens[at].kind, Kind::Quoted | Kind::Code)
        });
        let mut request = self.range.start..remark;
        while !request.is_empty() && self.ends_clause(request.end - 1) {
            request.end -= 1;
        }
        let goes_on = (remark..self.range.end).any(|at| self.ends_clause(at));
        (!names && !goes_on && request.len() > 1).then(|| self.scan.typed(request).to_owned())
    }

    /// What is named with the word for it before: "the folder x".
    fn with_noun(&self, named: Range<usize>, first: usize) -> Range<usize> {
        let noun = named.start > first && self.lexicon.means("nouns", self.lower(named.start - 1)).is_some();
        named.start - usize::from(noun)..named.end
    }

    fn ends_clause(&self, at: usize) -> bool {
        self.divides(at) || matches!(self.lower(at), "," | "." | ";" | "!" | ":")
    }

    /// "a.txt should be deleted", "line 3 can go", "a.txt should be called b.txt".
    fn demanded(&self) -> Vec<String> {
        let begin = self.after_introduction();
        if begin == self.range.end || self.lexicon.lists("asking", self.lower(begin)) {
            return Vec::new();
        }
        let mut texts = Vec::new();
        for at in begin + 1..self.range.end {
            // What follows a colon may be text to be written.
            if self.scan.tokens[at].text == ":" {
                break;
            }
            let subject = self.scan.typed(begin..at);
            for length in (1..=MOST_WORDS.min(self.range.end - at)).rev() {
                let said = self.joined(at..at + length);
                let behind = at + length;
                if self.lexicon.lists("passive", &said)
                    && let Some((verb, end)) = self.participle(behind)
                {
                    texts.push(join([verb.as_str(), subject, self.scan.typed(end..self.range.end)]));
                    break;
                }
                if let Some(meant) = self.lexicon.means("demands", &said) {
                    let (verb, joint) = meant.split_once('…').unwrap_or((meant, ""));
                    let parts = [verb.trim(), subject, joint.trim(), self.scan.typed(behind..self.range.end)];
                    texts.push(join(parts));
                    break;
                }
            }
            if texts.len() > 1 {
                break;
            }
        }
        texts
    }

    /// "i want line 3 removed", "i need a.txt copied to b.txt".
    fn wanted(&self) -> Vec<String> {
        let begin = self.after_fillers(self.range.start);
        let wanting = (1..=MOST_WORDS).rev().find(|length| {
            begin + length < self.range.end && self.lexicon.lists("wanting", &self.joined(begin..begin + length))
        });
        let Some(subject) = wanting.map(|length| begin + length) else { return Vec::new() };
        let verbs = (subject + 1..self.range.end).filter_map(|at| {
            let (verb, end) = self.participle(at)?;
            Some(join([verb.as_str(), self.scan.typed(subject..at), self.scan.typed(end..self.range.end)]))
        });
        verbs.take(2).collect()
    }

    /// "can the folder x be deleted".
    fn may_be(&self) -> Option<String> {
        let begin = self.after_fillers(self.range.start);
        if !self.lexicon.lists("may", self.lower(begin)) {
            return None;
        }
        let be = (begin + 2..self.range.end).find(|at| self.lexicon.lists("be", self.lower(*at)))?;
        let (verb, end) = self.participle(be + 1)?;
        Some(join([verb.as_str(), self.scan.typed(begin + 1..be), self.scan.typed(end..self.range.end)]))
    }

    /// The verb of a participle there, with the word that belongs to it, and where it ends: "backed up".
    fn participle(&self, at: usize) -> Option<(String, usize)> {
        if at >= self.range.end || self.scan.tokens[at].kind != Kind::Word {
            return None;
        }
        let word = self.lower(at);
        let verb = match self.lexicon.means("participles", word) {
            Some(verb) => verb,
            None if word.ends_with("ed") && word.len() > 3 => word,
            None => return None,
        };
        match at + 1 < self.range.end && self.lexicon.lists("particles", self.lower(at + 1)) {
            true => Some((format!("{verb} {}", self.lower(at + 1)), at + 2)),
            false => Some((verb.to_owned(), at + 1)),
        }
    }

    /// How many tokens name a path from here on; `led` if a word before them says that one follows: "in config, …".
    fn named(&self, at: usize, led: bool) -> Option<usize> {
        let paths = [SlotType::File, SlotType::Folder, SlotType::NewPath, SlotType::Glob];
        let is_path = |kind: &SlotType| paths.contains(kind);
        let ends = |length: usize| at + length == self.range.end || self.divides(at + length);
        let sure = |found: &&Found| found.strong || (led && at + found.length <= self.range.end && ends(found.length));
        let named = self.scan.found[at].iter().filter(sure);
        let named = named.filter(|found| found.kinds.first().as_ref().is_some_and(is_path));
        named.map(|found| found.length).filter(|length| at + length <= self.range.end).max()
    }

    fn is_noun(&self, at: usize) -> bool {
        self.scan.weights[at] == Weight::Filler || self.lexicon.means("nouns", self.lower(at)).is_some()
    }

    /// Whether what stands before this token is set off by it: a comma, a colon, a dash.
    fn divides(&self, at: usize) -> bool {
        let token = &self.scan.tokens[at];
        token.kind == Kind::Mark || !token.text.chars().any(char::is_alphanumeric) && token.text.starts_with(['-', '–'])
    }

    fn after_fillers(&self, mut at: usize) -> usize {
        while at + 1 < self.range.end && self.scan.weights[at] == Weight::Filler {
            at += 1;
        }
        at
    }

    fn after_introduction(&self) -> usize {
        self.range.start + self.scan.introduction(&self.range, self.lexicon)
    }

    fn lower(&self, at: usize) -> &str {
        &self.scan.tokens[at].lower
    }

    fn joined(&self, range: Range<usize>) -> String {
        self.scan.tokens[range].iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
