//! Summaries without a model: the sentences of a text that say most of what it speaks of, in its own words and order.
//!
//! A sentence counts for its frequent words, less for its length, more at the beginning of the text and of a paragraph;
//! one that repeats what was taken counts less.

use std::collections::{BTreeMap, BTreeSet};

use switchboard_search::{is_stop_word, stem};

use super::show::escaped;

/// How much of a text is read.
const MAX_BYTES: usize = 256 * 1024;
const MAX_SENTENCES: usize = 1500;

/// What a summary says of itself.
pub(crate) const IN_SHORT: &str = "sentences in its own words";

/// How many words a sentence has that can be taken.
const WORDS: std::ops::RangeInclusive<usize> = 4..=60;

/// A text with fewer sentences needs no summary.
const LEAST: usize = 4;

/// A summary.
pub(super) struct Digest {
    sentences: Vec<String>,
    all: usize,
    cut: bool,
}

struct Sentence<'t> {
    text: &'t str,
    stems: BTreeSet<String>,
    words: usize,
    /// The first one of its paragraph.
    opens: bool,
}

/// The best sentences of a text, if it has sentences enough.
pub(super) fn summary(text: &str, length: Option<usize>) -> Option<Digest> {
    let read = &text[..text.floor_char_boundary(MAX_BYTES)];
    let sentences = sentences(read);
    let wanted = length.unwrap_or(match sentences.len() {
        0..=12 => 3,
        13..=40 => 4,
        _ => 6,
    });
    if sentences.len() < LEAST.max(wanted + 1) {
        return None;
    }
    let mut chosen = best(&sentences, wanted);
    chosen.sort_unstable();
    let taken = chosen.iter().map(|at| sentences[*at].text.split_whitespace().collect::<Vec<_>>().join(" "));
    Some(Digest { sentences: taken.collect(), all: sentences.len(), cut: read.len() < text.len() })
}

impl Digest {
    /// The summary with where it comes from.
    pub(super) fn told(&self, label: &str) -> String {
        let lines: Vec<String> = self.sentences.iter().map(|line| format!("- {}", plain(line))).collect();
        let cut = if self.cut { " of its beginning; it is longer than what I read" } else { "" };
        format!("{label} in short, {} of {} {IN_SHORT}{cut}:\n\n{}", self.sentences.len(), self.all, lines.join("\n"))
    }
}

/// The places of the best sentences.
#[expect(clippy::cast_precision_loss, reason = "there are at most 1,500 sentences of 60 words")]
fn best(sentences: &[Sentence<'_>], wanted: usize) -> Vec<usize> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for stem in sentences.iter().flat_map(|sentence| &sentence.stems) {
        *counts.entry(stem).or_default() += 1.0;
    }
    let weight =
        |stem: &String| counts.get(stem.as_str()).map_or(0.0, |count| (1.0 + count).ln() - std::f64::consts::LN_2);
    let worth: Vec<f64> = sentences
        .iter()
        .enumerate()
        .map(|(at, sentence)| {
            let words: f64 = sentence.stems.iter().map(weight).sum();
            let place = if at == 0 {
                1.4
            } else if sentence.opens {
                1.15
            } else {
                1.0
            };
            place * words / (sentence.words as f64).sqrt()
        })
        .collect();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < wanted {
        let value = |at: &usize| {
            let stems = &sentences[*at].stems;
            let said =
                chosen.iter().map(|other| stems.intersection(&sentences[*other].stems).count()).max().unwrap_or(0);
            worth[*at] * (1.0 - said as f64 / stems.len().max(1) as f64)
        };
        let next = (0..sentences.len())
            .filter(|at| !chosen.contains(at))
            .max_by(|one, other| value(one).total_cmp(&value(other)));
        match next {
            Some(at) => chosen.push(at),
            None => break,
        }
    }
    chosen
}

/// The sentences of prose; code, tables and headings are none.
fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let (mut code, mut opens) = (false, true);
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            code = !code;
        }
        if line.is_empty() {
            opens = true;
        }
        if line.is_empty() || code || line.starts_with(['#', '|', '`', '~', '<', '{', '}', '[']) {
            continue;
        }
        for part in parts(line.trim_start_matches(['-', '*', '+', '>', ' '])) {
            found.extend(sentence(part, opens));
            opens = false;
            if found.len() >= MAX_SENTENCES {
                return found;
            }
        }
    }
    found
}

/// A line cut behind each mark that ends a sentence before a space and a capital.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, letter) in line.char_indices() {
        let ends = matches!(letter, '.' | '!' | '?' | '…');
        let rest = line.get(at + letter.len_utf8()..).unwrap_or_default();
        let spaced = rest.starts_with(' ');
        let begins = rest
            .trim_start()
            .chars()
            .next()
            .is_some_and(|next| next.is_uppercase() || next.is_numeric() || "\"'“(".contains(next));
        if ends && spaced && begins {
            parts.push(&line[start..at + letter.len_utf8()]);
            start = at + letter.len_utf8();
        }
    }
    parts.push(&line[start..]);
    parts
}

fn sentence(text: &str, opens: bool) -> Option<Sentence<'_>> {
    let text = text.trim();
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .take(WORDS.end() + 1)
        .map(str::to_lowercase)
        .collect();
    let stems = words.iter().filter(|word| word.len() > 2 && !is_stop_word(word)).map(|word| stem(word)).collect();
    WORDS.contains(&words.len()).then_some(Sentence { text, stems, words: words.len(), opens })
}

fn plain(line: &str) -> String {
    escaped(line).replace('<', "&lt;")
}
