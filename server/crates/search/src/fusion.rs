//! Words and meaning together: the ranking, and how sure a match is.
//!
//! The weights were chosen on public data, see `docs/search.md`: those that helped on every source stayed.

use super::keyword::{QueryWords, Tally};

/// What the words count for: the best match of a search has all of it …
const WORDS: f32 = 0.5;

/// … what the words of the description count for beside it …
const DESCRIBED: f32 = 0.25;

/// … the meaning of the whole request …
const MEANING: f32 = 0.25;

/// … and the meaning of that sentence of it that fits best.
const BEST_SENTENCE: f32 = 0.5;

/// From here on a likeness is a reason: a tool without a common word must be so alike to be found at all.
pub(super) const ALIKE: f64 = 0.45;

/// A tool without a common word that is so alike to the whole request may be more alike to a sentence of it.
const HOPEFUL: f32 = 0.2;

/// What a likeness is worth as a confidence, where the words are not worth more.
const ALIKE_TRUST: f64 = 2.0 / 3.0;

/// Words of which half are covered are right more often than half of the time: the power that the share is raised to.
const COVERED_POWER: f64 = 0.6;

/// How alike a request and a tool are in meaning, from -1 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Likeness {
    /// The request as a whole.
    pub whole: f64,
    /// The whole or that sentence of it that is most like the tool.
    pub best: f64,
}

/// What a search gathers of each tool; kept from one search to the next, for fresh memory is slow.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// What each slot's tool has of the words.
    pub(super) tallies: Vec<Tally>,
    /// How alike each slot is to the whole request; none if that means nothing.
    pub(super) whole: Vec<f32>,
    standings: Vec<Standing>,
}

/// How well a tool stands by its words and by how alike the whole request is, as if it were one sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    pub(super) slot: u32,
    pub(super) score: f32,
}

/// A tool as a search sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// Where it is.
    pub(super) slot: usize,
    /// For the order.
    pub(super) score: f64,
    /// How sure it is, from 0 to 1.
    pub(super) confidence: f64,
    pub(super) likeness: Likeness,
    /// How sure its words are; none if no word matched.
    by_words: Option<f64>,
}

impl Scratch {
    /// Looks which tools may be found; the `near` best before all others, else in no order.
    pub(super) fn stand(&mut self, asked: &QueryWords<'_>, near: usize) {
        let best = self.tallies.iter().map(|tally| tally.score).fold(f32::MIN_POSITIVE, f32::max);
        let (words, described) = (WORDS / best, DESCRIBED / asked.weight.max(f32::MIN_POSITIVE));
        self.whole.resize(self.tallies.len(), 0.0);
        self.standings.clear();
        for (slot, (tally, whole)) in (0..).zip(self.tallies.iter().zip(&self.whole)) {
            if tally.score > 0.0 || *whole >= HOPEFUL {
                let score = words * tally.score + described * tally.described + (MEANING + BEST_SENTENCE) * whole;
                self.standings.push(Standing { slot, score });
            }
        }
        if near < self.standings.len() {
            self.standings.select_nth_unstable_by(near, |left, right| right.score.total_cmp(&left.score));
        }
    }

    /// The tools that may be found.
    pub(super) fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// A tool that stands so.
    pub(super) fn hit(&self, asked: &QueryWords<'_>, standing: Standing) -> Hit {
        let (slot, score) = (standing.slot as usize, f64::from(standing.score));
        let (tally, whole) = (&self.tallies[slot], f64::from(self.whole[slot]));
        let likeness = Likeness { whole, best: whole };
        let by_words = (tally.score > 0.0).then(|| asked.coverage(tally).powf(COVERED_POWER));
        Hit { slot, score, confidence: trust(by_words, whole), likeness, by_words }
    }
}

impl Hit {
    /// Takes that sentence of the request that is most like the tool, in place of the whole.
    pub(super) fn take_sentence(&mut self, alike: f32) {
        let (whole, alike) = (self.likeness.whole, f64::from(alike));
        self.score += f64::from(BEST_SENTENCE) * (alike - whole);
        self.likeness.best = whole.max(alike);
        self.confidence = trust(self.by_words, self.likeness.best);
    }

    /// Whether it is found: by a word, or because it is so alike.
    pub(super) fn is_found(&self) -> bool {
        self.by_words.is_some() || self.likeness.best >= ALIKE
    }
}

/// How sure a match is: by its words or by its meaning, whichever says more.
fn trust(by_words: Option<f64>, alike: f64) -> f64 {
    (ALIKE_TRUST * alike).max(by_words.unwrap_or_default()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyword::{Field, KeywordIndex};
    use crate::query::Query;

    /// What a query finds among tools of these words, so alike to it, in the order of their slots.
    fn hits(tools: &[&str], query: &str, whole: &[f32]) -> Vec<Hit> {
        let mut index = KeywordIndex::default();
        for (number, words) in tools.iter().enumerate() {
            index.insert(&number.to_string(), &[(Field::Summary, (*words).to_owned())]);
        }
        let query = Query::from(query);
        let asked = index.asked(&query);
        let mut scratch = Scratch { whole: whole.to_vec(), ..Scratch::default() };
        index.tally(&asked, &mut scratch.tallies);
        scratch.stand(&asked, 10);
        scratch.standings().iter().map(|standing| scratch.hit(&asked, *standing)).collect()
    }

    #[test]
    fn words_and_meaning_both_count_and_a_tool_with_neither_is_not_found() {
        let mut hits = hits(&["rain", "wind", "sun", "snow"], "rain", &[0.25, 0.5, 0.25, 0.125]);
        hits[1].take_sentence(0.75);

        let found: Vec<_> = hits.iter().map(|hit| (hit.slot, hit.is_found(), hit.confidence >= 0.375)).collect();
        assert_eq!(found, [(0, true, true), (1, true, true), (2, false, false)]);
        assert!(hits[0].score > hits[1].score && hits[1].score > hits[2].score);
    }

    #[test]
    fn a_sentence_may_fit_better_or_worse_than_the_whole() {
        let mut hits = hits(&["wind", "snow"], "rain", &[0.5, 0.5]);

        hits[0].take_sentence(0.25);
        hits[1].take_sentence(0.75);

        assert_eq!(hits.iter().map(|hit| hit.likeness.best).collect::<Vec<_>>(), [0.5, 0.75]);
        assert_eq!(hits.iter().map(|hit| hit.score).collect::<Vec<_>>(), [0.25, 0.5]);
    }

    #[test]
    fn words_alone_order_where_nothing_has_a_meaning() {
        let mut hits = hits(&["cold rain today", "rain", "rain today"], "rain", &[]);
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        assert_eq!(hits.iter().map(|hit| hit.slot).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
