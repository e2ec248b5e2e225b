//! Words and meaning together: the ranking, and how sure a match is.
//!
//! The weights were chosen on public data, see `docs/search.md`: those that helped on every source stayed.

use super::keyword::Match;

/// What the words count for: the best match of a search has all of it …
const WORDS: f64 = 0.5;

/// … what the words of the description count for beside it …
const DESCRIBED: f64 = 0.25;

/// … the meaning of the whole request …
const MEANING: f64 = 0.25;

/// … and the meaning of that sentence of it that fits best.
const BEST_SENTENCE: f64 = 0.5;

/// From here on a likeness is a reason: a tool without a common word must be so alike to be found at all.
pub(super) const ALIKE: f64 = 0.45;

/// A tool without a common word that is so alike to the whole request may be more alike to a sentence of it.
const HOPEFUL: f64 = 0.2;

/// What a likeness is worth as a confidence when no word matched.
const ALIKE_TRUST: f64 = 0.5;

/// How alike a request and a tool are in meaning, from -1 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Likeness {
    /// The request as a whole.
    pub whole: f64,
    /// The whole or that sentence of it that is most like the tool.
    pub best: f64,
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
    /// What its words say; nothing without a common word.
    matched: Match,
}

impl Hit {
    /// Takes that sentence of the request that is most like the tool, in place of the whole.
    pub(super) fn take_sentence(&mut self, alike: f32) {
        let alike = f64::from(alike);
        self.score += BEST_SENTENCE * (alike - self.likeness.whole);
        self.likeness.best = self.likeness.whole.max(alike);
        self.confidence = confidence(&self.matched, self.likeness.best);
    }

    /// Whether it is found: by a word, or because it is so alike.
    pub(super) fn is_found(&self) -> bool {
        self.matched.score > 0.0 || self.likeness.best >= ALIKE
    }
}

/// The tools that may be found, in no order, by their words and by how alike each slot is to the whole request, as if it
/// were one sentence.
pub(super) fn fuse(matches: &[Match], whole: &[f32]) -> Vec<Hit> {
    let best = matches.iter().map(|found| found.score).fold(f64::MIN_POSITIVE, f64::max);
    let hit = |(slot, matched): (usize, &Match)| {
        let whole = whole.get(slot).copied().map_or(0.0, f64::from);
        let score = WORDS * matched.score / best + DESCRIBED * matched.described + (MEANING + BEST_SENTENCE) * whole;
        let confidence = confidence(matched, whole);
        (matched.score > 0.0 || whole >= HOPEFUL).then_some(Hit {
            slot,
            score,
            confidence,
            likeness: Likeness { whole, best: whole },
            matched: *matched,
        })
    };
    matches.iter().enumerate().filter_map(hit).collect()
}

/// The coverage of the words is right about as often as it says; the likeness alone is right half as often.
fn confidence(found: &Match, alike: f64) -> f64 {
    match found.score > 0.0 {
        true => found.coverage,
        false => (ALIKE_TRUST * alike).clamp(0.0, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_meaning_both_count_and_a_tool_with_neither_is_not_found() {
        let word = Match { score: 2.0, described: 0.5, coverage: 0.7 };
        let none = Match::default();

        let mut hits = fuse(&[word, none, none, none], &[0.25, 0.5, 0.25, 0.125]);
        hits[1].take_sentence(0.75);

        let found: Vec<_> = hits.iter().map(|hit| (hit.slot, hit.is_found(), hit.confidence)).collect();
        assert_eq!(found, [(0, true, 0.7), (1, true, 0.375), (2, false, 0.125)]);
        assert!(hits[0].score > hits[1].score && hits[1].score > hits[2].score);
    }

    #[test]
    fn a_sentence_may_fit_better_or_worse_than_the_whole() {
        let mut hits = fuse(&[Match::default(); 2], &[0.5, 0.5]);

        hits[0].take_sentence(0.25);
        hits[1].take_sentence(0.75);

        assert_eq!(hits.iter().map(|hit| hit.likeness.best).collect::<Vec<_>>(), [0.5, 0.75]);
        assert_eq!(hits.iter().map(|hit| hit.score).collect::<Vec<_>>(), [0.25, 0.5]);
    }

    #[test]
    fn words_alone_order_where_nothing_has_a_meaning() {
        let tools = [1.0, 3.0, 2.0].map(|score| Match { score, described: 0.0, coverage: 0.5 });
        let mut hits = fuse(&tools, &[]);
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        assert_eq!(hits.iter().map(|hit| hit.slot).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
