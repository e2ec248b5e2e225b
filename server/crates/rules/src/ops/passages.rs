//! Passages: the parts of texts that answer a question best.
//!
//! Each word of a question weighs more the fewer lines have it. A line has a word that stands in it, one that means the same
//! or is near to it, and, a little less, what it stands under, what its file is called, and what stands beside it. What has
//! most of the question is the answer if it has nearly all of it, or much of it and nothing else comes near; words that must
//! not lack, and what the answer must look like, are told by whoever asks. Light words only tell passages apart that have as
//! much of the others. If none is the answer, the nearest lines are told as such.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use regex::Regex;
use serde::{Deserialize, Serialize};
use switchboard_context::is_stored;
use switchboard_protocol::Variable;
use switchboard_search::{similarity, stem};

use super::done::{Done, Reply};
use super::kin::{is_apart, kin_of};
use super::outline::{Outline, is_form, kin_words};
use super::show::{block, cut_line};

/// The reply that shows passages.
pub(super) const REPLIES: &[(&str, Reply)] = &[("passages", passages)];

/// How passages are led in.
pub(crate) const FOUND: &str = "This is what I found:";

/// How lines are led in that may be no answer.
pub(crate) const UNSURE: &str = "I am not sure what answers that. The nearest that I found:";

/// More passages than this are no answer.
const MAX_PASSAGES: usize = 8;

/// A longer part of a text is no answer.
const MAX_LINES: usize = 40;

/// How many lines are told that may be no answer.
const MAX_NEAREST: usize = 3;

/// What of a word's weight counts where it stands above the line, in the path, and beside the line.
const ABOVE: f64 = 0.92;
const IN_PATH: f64 = 0.85;
const BESIDE: f64 = 0.4;

/// What stands in the file that was spoken of last is rather meant: "what was step 3 again".
const RECENT_ADD: f64 = 0.1;

/// A passage with so much of a question has it all.
const ALL: f64 = 0.88;

/// One with so much of it answers it if the next one has less by the margin, and it is short.
const MUCH: f64 = 0.6;
const MARGIN: f64 = 0.3;
const SHORT: usize = 8;

/// The same where it is known what an answer looks like.
const ENOUGH: f64 = 0.5;
const WIDE_MARGIN: f64 = 0.5;

/// A part that is no longer than this and has as much is taken rather than a part of it.
const WHOLE: usize = 12;

/// A word of at most this weight is light; all that there are of them add so much.
pub(crate) const LIGHT: f64 = 0.25;
const LIGHT_ADD: f64 = 0.15;

/// Passages that differ by less have as much.
const SAME: f64 = 0.08;

/// What has less of a word that is needed lacks it.
const NEEDED: f64 = 0.6;

/// From this on it is the word itself, not only something near.
const HAS: f64 = 0.9;

/// What has less is not near.
const NEAR: f64 = 0.45;

/// A word of a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sought {
    pub(crate) word: String,
    /// What it weighs, at most 1.
    pub(crate) weight: f64,
    /// What lacks it is no answer.
    pub(crate) needed: bool,
}

/// `passages`: of the texts that were read and what the user told, those that have most of `sought`; `has`: what an answer has; `code`: which files
/// are code, of which only lines like `constant` answer; `recent`: the file that was spoken of last; `typed`: `has` tells an answer; `single`: several are none;
/// `whole`: only what has all is one.
fn passages(done: &Done<'_>) -> Result<String, String> {
    let sought = done.slots.get("sought").cloned().unwrap_or_default();
    let sought: Vec<Sought> = serde_json::from_value(sought).map_err(|error| error.to_string())?;
    let patterns = |slot: &str| -> Vec<Regex> {
        done.slots.texts(slot).into_iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    };
    let (has, code, constant) = (patterns("has"), patterns("code"), patterns("constant"));
    let fits = |patterns: &[Regex], text: &str| patterns.iter().all(|pattern| pattern.is_match(text));
    let mut texts = if done.steps.is_empty() { Vec::new() } else { done.texts()? };
    texts.extend(remembered(done).map(|told| ("memory".to_owned(), told)));
    let outlines: Vec<Outline<'_>> = texts.iter().map(|(path, text)| Outline::of(path, text)).collect();
    let search = Search::of(&sought, &outlines);
    let mut found = search.found();
    let is_recent = |passage: &&mut Passage| done.slots.is("recent", outlines[passage.of].path);
    found.iter_mut().filter(is_recent).for_each(|passage| passage.rank += RECENT_ADD);
    found.retain(|passage| {
        let (outline, lines) = (&outlines[passage.of], &passage.lines);
        let text = lines.iter().map(|line| outline.lines[*line].text).collect::<Vec<_>>().join("\n");
        let is_code = code.iter().any(|code| code.is_match(outline.path));
        let is_told = !is_code || (lines.len() == 1 && fits(&constant, &text));
        is_told && fits(&has, &text)
    });
    let demands =
        Demands { typed: done.slots.flag("typed"), single: done.slots.flag("single"), whole: done.slots.flag("whole") };
    let several = |passages: &[Passage]| {
        passages
            .chunk_by(|one, other| one.of == other.of)
            .any(|of_file| of_file.len() > 1 && outlines[of_file[0].of].is_data())
    };
    match demands.chosen(found) {
        // Which members a list has is for a table to tell.
        Ok(passages) if several(&passages) => Err(unsure(&outlines, &passages[..passages.len().min(MAX_NEAREST)])),
        Ok(passages) => Ok(told(&search, &passages, demands.whole)),
        Err(nearest) => Err(unsure(&outlines, &nearest)),
    }
}

/// What the user has told, a line each.
fn remembered(done: &Done<'_>) -> Option<String> {
    let stored = done.view.context.variables().filter(|variable| is_stored(variable));
    let line = |variable: &Variable| {
        let told = variable.preview.lines().next().unwrap_or_default();
        format!("{}: {}", variable.name.replace('_', " "), told.trim_matches('"'))
    };
    Some(stored.map(line).collect::<Vec<_>>().join("\n")).filter(|told| !told.is_empty())
}

/// What is asked of an answer.
#[derive(Debug, Clone, Copy, Default)]
struct Demands {
    /// It looks in a certain way.
    typed: bool,
    /// There is only one.
    single: bool,
    /// It has all of the question.
    whole: bool,
}

impl Demands {
    /// The passages that answer, or those that are near.
    fn chosen(self, found: Vec<Passage>) -> Result<Vec<Passage>, Vec<Passage>> {
        let mut apart = apart(found);
        let Some(best) = apart.first() else { return Err(Vec::new()) };
        let (rank, lacks) = (best.rank, best.lacks);
        let of_best = |passage: &Passage| passage.rank >= rank - SAME && passage.lacks == lacks;
        let next = apart.iter().skip(1).filter(|passage| !passage.lacks).map(|next| next.rank).fold(0.0, f64::max);
        let sure = match best.has >= ALL {
            true => {
                let count = apart.iter().filter(|passage| of_best(passage)).count();
                count <= if self.single { 1 } else { MAX_PASSAGES } && !(self.typed && best.lines.len() > SHORT)
            }
            false => {
                let by = |least: f64, margin: f64| best.has >= least && rank - next >= margin;
                let much = by(MUCH, MARGIN) || (self.typed && by(ENOUGH, WIDE_MARGIN));
                much && !self.whole && best.lines.len() <= SHORT
            }
        };
        if sure && !lacks {
            apart.retain(of_best);
            apart.sort_by_key(|passage| (passage.of, passage.lines[0]));
            return Ok(apart);
        }
        apart.retain(|passage| passage.rank >= NEAR);
        apart.truncate(MAX_NEAREST);
        Err(apart)
    }
}

/// The best passages of which none is a part of another, those that lack something last.
fn apart(mut found: Vec<Passage>) -> Vec<Passage> {
    found.sort_by(Passage::by_worth);
    let mut apart: Vec<Passage> = Vec::new();
    for passage in found {
        let overlapping: Vec<usize> = (0..apart.len()).filter(|at| apart[*at].overlaps(&passage)).collect();
        match overlapping.as_slice() {
            [] if apart.len() <= MAX_PASSAGES => apart.push(passage),
            [at] if passage.is_whole_of(&apart[*at]) => apart[*at] = passage,
            _ => {}
        }
    }
    apart.sort_by_key(|passage| passage.lacks);
    apart
}

/// Passages as they are shown; of rows only what was asked for, or `all` of them.
fn told(search: &Search<'_>, passages: &[Passage], all: bool) -> String {
    let outlines = search.outlines;
    let parts = passages.chunk_by(|one, other| one.of == other.of).map(|of_file| {
        let outline = &outlines[of_file[0].of];
        let one = |passage: &Passage| {
            let cells = outline.cells(passage.lines[0], all, |text| search.has_any(text));
            cells.unwrap_or_else(|| outline.told(&passage.lines))
        };
        let told: Vec<String> = of_file.iter().map(one).collect();
        format!("`{}`:\n\n{}", outline.path, block(&told.join("\n"), "text"))
    });
    format!("{FOUND}\n\n{}", parts.collect::<Vec<_>>().join("\n\n"))
}

fn unsure(outlines: &[Outline<'_>], nearest: &[Passage]) -> String {
    let line = |passage: &Passage| {
        let (outline, line) = (&outlines[passage.of], passage.lines[0]);
        format!("- `{}:{}`: {}", outline.path, line + 1, cut_line(outline.lines[line].text.trim()))
    };
    match nearest.is_empty() {
        true => "I found no place that has it all.".to_owned(),
        false => format!("{UNSURE}\n\n{}", nearest.iter().map(line).collect::<Vec<_>>().join("\n")),
    }
}

/// The one file whose lines a reply shows, and the numbers of these lines.
pub(crate) fn lines_shown(reply: &str) -> Option<(&str, Vec<usize>)> {
    if let Some(near) = reply.strip_prefix(UNSURE) {
        let (place, rest) = near.trim_start().strip_prefix("- `")?.split_once("`: ")?;
        let (path, line) = place.rsplit_once(':')?;
        return (!rest.contains("\n- `")).then_some((path, vec![line.parse().ok()?]));
    }
    let files: Vec<&str> =
        reply.strip_prefix(FOUND)?.lines().filter_map(|line| line.strip_prefix('`')?.strip_suffix("`:")).collect();
    let [path] = files.as_slice() else { return None };
    let numbers = reply.lines().filter_map(|line| line.split_once(": ")?.0.parse().ok());
    Some((path, numbers.collect()))
}

/// A part of a text.
#[derive(Debug)]
struct Passage {
    /// Which outline it is of.
    of: usize,
    lines: Vec<usize>,
    /// How much of the question it has; at most 1.
    has: f64,
    /// The same with the light words, and by itself.
    rank: f64,
    own: f64,
    /// Whether it lacks a word that is needed.
    lacks: bool,
}

impl Passage {
    /// The best first; of two that are as good, the smaller one.
    fn by_worth(one: &Self, other: &Self) -> Ordering {
        let worth = other.rank.total_cmp(&one.rank).then(other.own.total_cmp(&one.own));
        worth.then(one.lines.len().cmp(&other.lines.len()))
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.of == other.of && self.lines.iter().any(|line| other.lines.contains(line))
    }

    /// Whether the other one is a part of it, and it has nearly as much.
    fn is_whole_of(&self, part: &Self) -> bool {
        let contains = part.lines.len() < self.lines.len() && part.lines.iter().all(|line| self.lines.contains(line));
        contains && self.lines.len() <= WHOLE && self.rank >= part.rank - SAME && self.lacks == part.lacks
    }
}

/// How much texts have of the words of a question.
struct Search<'o> {
    sought: &'o [Sought],
    outlines: &'o [Outline<'o>],
    stems: Vec<String>,
    /// How near a word of the texts is to each sought one.
    near: HashMap<&'o str, Vec<f64>>,
}

impl<'o> Search<'o> {
    fn of(sought: &'o [Sought], outlines: &'o [Outline<'o>]) -> Self {
        let stems = sought.iter().map(|sought| stem(kin_of(&sought.word))).collect();
        let mut search = Self { sought, outlines, stems, near: HashMap::new() };
        let words = |outline: &'o Outline<'o>| outline.lines.iter().map(|line| &line.words).chain([&outline.about]);
        for (stem, word) in outlines.iter().flat_map(words).flatten() {
            if !search.near.contains_key(stem.as_str()) {
                let near = (0..sought.len()).map(|at| search.nearness(at, stem, word)).collect();
                search.near.insert(stem, near);
            }
        }
        search
    }

    /// How near a word of a text is to a sought one: 1 is the same.
    fn nearness(&self, at: usize, found: &str, word: &str) -> f64 {
        /// So much longer is a word that another one is a part of, which has a root of its own.
        const COMPOUND: usize = 2;
        const ROOT: usize = 5;
        /// Below this words have only to do with each other.
        const ALIKE: f64 = 0.5;
        let (own, sought) = (self.stems[at].as_str(), self.sought[at].word.as_str());
        let is_part = || sought.len() >= ROOT && word.len() >= sought.len() + COMPOUND && word.ends_with(sought);
        match () {
            () if own == found => 1.0,
            () if is_form(own, found) => 0.95,
            () if is_part() => 0.8,
            // Days of the week are all alike.
            () if is_apart(sought) || is_apart(word) => 0.0,
            () => match f64::from(similarity(sought, word)) {
                alike if alike >= ALIKE => ((alike - 0.3) * 1.6).min(0.8),
                _ => 0.0,
            },
        }
    }

    /// How much of each sought word these words have.
    fn had_by(&self, words: &BTreeMap<String, String>) -> Vec<f64> {
        let near = |at: usize| words.keys().filter_map(move |word| Some(self.near.get(word.as_str())?[at]));
        (0..self.sought.len()).map(|at| near(at).fold(0.0, f64::max)).collect()
    }

    /// Whether a text has a sought word.
    fn has_any(&self, text: &str) -> bool {
        self.had_by(&kin_words(text)).into_iter().any(|had| had >= HAS)
    }

    /// The parts of the texts that have something of the question.
    fn found(&self) -> Vec<Passage> {
        let own = |outline: &Outline<'_>| outline.lines.iter().map(|line| self.had_by(&line.words)).collect();
        let own: Vec<Vec<Vec<f64>>> = self.outlines.iter().map(own).collect();
        let about: Vec<Vec<f64>> = self.outlines.iter().map(|outline| self.had_by(&outline.about)).collect();
        let (heavy, light) = self.weights(&own.iter().flatten().chain(&about).collect::<Vec<_>>());
        let sum = |had: &[f64], by: &[f64]| had.iter().zip(by).map(|(had, weight)| had * weight).sum::<f64>();
        let passage = |of: usize, lines: Vec<usize>, had: &[f64], own: f64| {
            let has = sum(had, &heavy);
            let lacks = self.sought.iter().zip(had).any(|(sought, had)| sought.needed && *had < NEEDED);
            Passage { of, lines, has, rank: has + sum(had, &light), own, lacks }
        };
        let mut found = Vec::new();
        for (of, outline) in self.outlines.iter().enumerate() {
            let mut above: Vec<Vec<f64>> = Vec::with_capacity(outline.lines.len());
            for (number, line) in outline.lines.iter().enumerate() {
                let mut had: Vec<f64> = about[of].iter().map(|had| had * IN_PATH).collect();
                line.under.into_iter().for_each(|under| raise(&mut had, &above[under], 1.0));
                let mut for_below = had.clone();
                raise(&mut for_below, &own[of][number], ABOVE);
                above.push(for_below);
                raise(&mut had, &own[of][number], 1.0);
                outline.beside(number).for_each(|beside| raise(&mut had, &own[of][beside], BESIDE));
                let (lines, by_itself) = (outline.below(number), &own[of][number]);
                let by_itself = sum(by_itself, &heavy) + sum(by_itself, &light);
                // The heading of rows is no row: what stands only there is not asked of any.
                let is_head = outline.rows && number == 0;
                if by_itself > 0.0 && !is_head && lines.len() <= MAX_LINES {
                    found.push(passage(of, lines, &had, by_itself));
                }
            }
            let lines = outline.all();
            let called: Vec<f64> = about[of].iter().map(|had| had * ABOVE).collect();
            if sum(&called, &heavy) > 0.0 && !outline.rows && (1..=MAX_LINES).contains(&lines.len()) {
                found.push(passage(of, lines, &called, 0.0));
            }
        }
        found
    }

    /// What each sought word weighs, together 1, and what each light one adds. `texts`: what lines and paths have of each.
    fn weights(&self, texts: &[&Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
        /// What a word weighs that all lines have, of one that none has.
        const LEAST: f64 = 0.35;
        #[expect(clippy::cast_precision_loss, reason = "numbers of lines")]
        let rarity = |count: usize| (1.0 + texts.len() as f64 / (count as f64 + 0.5)).ln();
        let weight = |at: usize| {
            let count = texts.iter().filter(|had| had[at] >= HAS).count();
            self.sought[at].weight * (LEAST + (1.0 - LEAST) * rarity(count) / rarity(0))
        };
        let all_light = self.sought.iter().all(|sought| sought.weight <= LIGHT);
        let shares = |light: bool| {
            let is_of = |at: usize| (self.sought[at].weight <= LIGHT && !all_light) == light;
            let weights: Vec<f64> = (0..self.sought.len()).map(|at| if is_of(at) { weight(at) } else { 0.0 }).collect();
            let all = weights.iter().sum::<f64>().max(f64::EPSILON);
            weights.into_iter().map(|weight| weight / all).collect::<Vec<f64>>()
        };
        (shares(false), shares(true).into_iter().map(|share| share * LIGHT_ADD).collect())
    }
}

/// Raises what was had to what this has, times a factor.
fn raise(had: &mut [f64], by: &[f64], factor: f64) {
    for (had, by) in had.iter_mut().zip(by) {
        *had = had.max(by * factor);
    }
}

#[cfg(test)]
#[path = "passages_tests.rs"]
mod tests;
