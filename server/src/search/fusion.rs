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

/// What a likeness is worth as a confidence when no word matched.
const ALIKE_TRUST: f64 = 0.5;

/// A tool as a search sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// Where it is.
    pub(super) slot: usize,
    /// For the order.
    pub(super) score: f64,
    /// How sure it is, from 0 to 1.
    pub(super) confidence: f64,
    /// How alike request and tool are, from -1 to 1.
    pub(super) alike: f64,
}

/// How alike a request and the tools are, by slot: all of it, and that sentence of it that fits best.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    /// All of it.
    pub(super) whole: Vec<f32>,
    /// The best sentence.
    pub(super) best: Vec<f32>,
}

/// All tools that were found, in no order.
pub(super) fn fuse(matches: &[Match], meaning: &Meaning) -> Vec<Hit> {
    let best = matches.iter().map(|found| found.score).fold(f64::MIN_POSITIVE, f64::max);
    let at = |figures: &[f32], slot: usize| figures.get(slot).copied().map_or(0.0, f64::from);
    let hit = |(slot, found): (usize, &Match)| {
        let (whole, part) = (at(&meaning.whole, slot), at(&meaning.best, slot));
        let alike = whole.max(part);
        let words = WORDS * found.score / best + DESCRIBED * found.described;
        (found.score > 0.0 || alike >= ALIKE).then(|| Hit {
            slot,
            score: words + MEANING * whole + BEST_SENTENCE * part,
            confidence: confidence(found, alike),
            alike,
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
        let meaning = Meaning { whole: vec![0.25, 0.5, 0.125], best: vec![0.25, 0.75, 0.125] };

        let hits = fuse(&[word, none, none], &meaning);

        let found: Vec<_> = hits.iter().map(|hit| (hit.slot, hit.confidence)).collect();
        assert_eq!(found, [(0, 0.7), (1, 0.375)]);
        assert!(hits[0].score > hits[1].score);
    }

    #[test]
    fn words_alone_order_where_nothing_has_a_meaning() {
        let tools = [1.0, 3.0, 2.0].map(|score| Match { score, described: 0.0, coverage: 0.5 });
        let mut hits = fuse(&tools, &Meaning::default());
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        assert_eq!(hits.iter().map(|hit| hit.slot).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
