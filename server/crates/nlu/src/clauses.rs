//! A text as several requests: divided at "then", "and", ";" only where that makes the parts easier to read than the whole.

use std::ops::Range;

use crate::lexicon::Lexicon;
use crate::text::{Kind, Token};

/// A place where a text may be divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joint {
    /// The tokens that join.
    pub(crate) words: Range<usize>,
}

/// The most places that are tried.
const MOST: usize = 4;
/// What a division costs, so that the whole is preferred where it reads as well.
const DIVISION: f32 = 0.05;
/// What a part costs at most: one that cannot be read is not worse than that.
const WORST: f32 = 1.2;

/// Where the text may be divided; the words that surely divide before those that may not.
pub(crate) fn joints(tokens: &[Token], lexicon: &Lexicon) -> Vec<Joint> {
    let mut joints = Vec::new();
    let mut at = 1;
    while at + 1 < tokens.len() {
        let end = joint_end(tokens, at, lexicon);
        let number = |token: &Token| token.text.starts_with(|first: char| first.is_ascii_digit());
        let in_a_list = end > at && end < tokens.len() && number(&tokens[at - 1]) && number(&tokens[end]);
        if end > at && end < tokens.len() && !in_a_list {
            let sure = tokens[at..end].iter().any(|token| lexicon.lists("divisions", &token.lower));
            joints.push((sure, Joint { words: at..end }));
        }
        at = end.max(at + 1);
    }
    joints.sort_by_key(|(sure, joint)| (!sure, joint.words.start));
    joints.truncate(MOST);
    joints.sort_by_key(|(_, joint)| joint.words.start);
    joints.into_iter().map(|(_, joint)| joint).collect()
}

/// Where the joining words that begin at a token end.
fn joint_end(tokens: &[Token], at: usize, lexicon: &Lexicon) -> usize {
    let mut end = at;
    while end < tokens.len() {
        let mark =
            tokens[end].kind == Kind::Mark && matches!(tokens[end].text.as_str(), "." | "," | ";" | "\n" | "!" | "?");
        let words = (1..=3).rev().find(|length| {
            let words: Option<Vec<_>> =
                tokens.get(end..end + length).map(|tokens| tokens.iter().map(|token| token.lower.as_str()).collect());
            words.is_some_and(|words| lexicon.lists("joints", &words.join(" ")))
        });
        match (mark, words) {
            (true, _) => end += 1,
            (false, Some(length)) => end += length,
            (false, None) => break,
        }
    }
    end
}

/// How a text is divided: the parts without their joints, and the number of the joint before each but the first.
///
/// `cost` tells what reading such a part costs; it is asked at most once for each pair of joints.
pub(crate) fn divide(
    length: usize,
    joints: &[Joint],
    mut cost: impl FnMut(Range<usize>, Option<&Joint>) -> f32,
) -> Vec<(Range<usize>, Option<usize>)> {
    let ends: Vec<usize> = joints.iter().map(|joint| joint.words.start).chain([length]).collect();
    let share = |part: &Range<usize>| crate::align::small(part.len()) / crate::align::small(length.max(1));
    let mut best: Vec<(f32, usize)> = Vec::new();
    for (end, last) in ends.iter().enumerate() {
        let ways = (0..=end).map(|begin| {
            let joint = begin.checked_sub(1);
            let part = joint.map_or(0, |joint| joints[joint].words.end)..*last;
            let before = joint.map_or(0.0, |joint| best[joint].0 + DIVISION);
            if part.is_empty() {
                return (f32::INFINITY, begin);
            }
            let price = cost(part.clone(), joint.map(|joint| &joints[joint])).min(WORST);
            (before + price * share(&part), begin)
        });
        let least = ways.min_by(|left, right| left.0.total_cmp(&right.0)).unwrap_or((0.0, 0));
        best.push(least);
    }
    let mut parts = Vec::new();
    let mut end = Some(ends.len() - 1);
    while let Some(last) = end {
        let begin = best[last].1;
        let joint = begin.checked_sub(1);
        parts.push((joint.map_or(0, |joint| joints[joint].words.end)..ends[last], joint));
        end = joint;
    }
    parts.reverse();
    parts
}
