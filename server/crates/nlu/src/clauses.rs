//! A text as several requests: divided at "then", "and", ";" only where that makes the parts easier to read than the whole.

use std::ops::Range;

use crate::runs::Runs;
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
pub(crate) fn joints(tokens: &[Token], runs: &Runs) -> Vec<Joint> {
    let colon = tokens.iter().position(|token| token.kind == Kind::Mark && token.text == ":").unwrap_or(tokens.len());
    let mut joints = Vec::new();
    let mut at = 1;
    while at + 1 < tokens.len() {
        let end = joint_end(tokens, at, runs);
        // What stands behind a colon may be a command line or code: its signs divide no request.
        if at > colon && end > at && (at..end).all(|at| is_sign(&tokens[at])) {
            at = end;
            continue;
        }
        let number = |token: &Token| token.text.starts_with(|first: char| first.is_ascii_digit());
        let in_a_list = end > at && end < tokens.len() && number(&tokens[at - 1]) && number(&tokens[end]);
        let joins_words = tokens[at].kind != Kind::Mark;
        let in_a_phrase = joins_words && (runs.is_in("determiners", at - 1, 1) || joins_asked(at, end, runs));
        if end > at && end < tokens.len() && !in_a_list && !in_a_phrase && !in_a_name(tokens, at, end) {
            let sure = (at..end).any(|at| runs.is_in("divisions", at, 1));
            joints.push((sure, Joint { words: at..end }));
        }
        at = end.max(at + 1);
    }
    joints.sort_by_key(|(sure, joint)| (!sure, joint.words.start));
    joints.truncate(MOST);
    joints.sort_by_key(|(_, joint)| joint.words.start);
    joints.into_iter().map(|(_, joint)| joint).collect()
}

/// Whether it is the sign within a name: "Kettle & Cog".
fn in_a_name(tokens: &[Token], at: usize, end: usize) -> bool {
    let is_name = |token: &Token| token.text.starts_with(char::is_uppercase);
    end == at + 1 && tokens[at].text == "&" && is_name(&tokens[at - 1]) && is_name(&tokens[end])
}

/// Whether it joins two things that are asked for: "what day and time is it", but not "what day and who".
fn joins_asked(at: usize, end: usize, runs: &Runs) -> bool {
    at == 2 && runs.is_in("asking", 0, 1) && !runs.is_in("asking", 1, 1) && !runs.is_in("asking", end, 1)
}

/// Whether it is a sign of a shell or of code, rather than a word or the end of a sentence.
fn is_sign(token: &Token) -> bool {
    matches!(token.text.as_str(), "&" | "&&" | ";")
}

/// Where the joining words that begin at a token end.
fn joint_end(tokens: &[Token], at: usize, runs: &Runs) -> usize {
    let mut end = at;
    while end < tokens.len() {
        let mark =
            tokens[end].kind == Kind::Mark && matches!(tokens[end].text.as_str(), "." | "," | ";" | "\n" | "!" | "?");
        match (mark, runs.listed("joints", end, 3)) {
            (true, _) => end += 1,
            (false, Some(length)) => end += length,
            (false, None) => break,
        }
    }
    end
}

/// What reading a part costs, as far as it is known.
#[derive(Clone, Copy)]
enum Cost {
    /// At least so much.
    AtLeast(f32),
    /// Just so much.
    Exact(f32),
}

/// How a text is divided: the parts without their joints, and the number of the joint before each but the first.
///
/// `bound` tells what reading a part costs at least, and is asked for each pair of joints. `exact` reads it; it is asked
/// only for parts of a division that may be the cheapest.
pub(crate) fn divide(
    length: usize,
    joints: &[Joint],
    mut bound: impl FnMut(&Range<usize>, Option<&Joint>) -> f32,
    mut exact: impl FnMut(&Range<usize>, Option<&Joint>) -> f32,
) -> Vec<(Range<usize>, Option<usize>)> {
    let ends: Vec<usize> = joints.iter().map(|joint| joint.words.start).chain([length]).collect();
    let part = |begin: usize, end: usize| begin.checked_sub(1).map_or(0, |joint| joints[joint].words.end)..ends[end];
    let joint = |begin: usize| begin.checked_sub(1).map(|joint| &joints[joint]);
    let mut ways = |end: usize, begin: usize| match part(begin, end) {
        part if part.is_empty() => Cost::Exact(f32::INFINITY),
        part => Cost::AtLeast(bound(&part, joint(begin)).min(WORST)),
    };
    let mut costs: Vec<Vec<Cost>> =
        (0..ends.len()).map(|end| (0..=end).map(|begin| ways(end, begin)).collect()).collect();
    loop {
        let begins = cheapest(&costs, |begin, end| share(&part(begin, end), length));
        let open = begins.iter().find(|(begin, end)| matches!(costs[*end][*begin], Cost::AtLeast(_)));
        let Some((begin, end)) = open.copied() else {
            return begins.iter().map(|(begin, end)| (part(*begin, *end), begin.checked_sub(1))).collect();
        };
        costs[end][begin] = Cost::Exact(exact(&part(begin, end), joint(begin)).min(WORST));
    }
}

/// How much of the text a part is.
fn share(part: &Range<usize>, length: usize) -> f32 {
    crate::align::small(part.len()) / crate::align::small(length.max(1))
}

/// The cheapest way through the joints, in order: where each part begins and ends. `costs` is by end, then beginning.
fn cheapest(costs: &[Vec<Cost>], share: impl Fn(usize, usize) -> f32) -> Vec<(usize, usize)> {
    let mut best: Vec<(f32, usize)> = Vec::with_capacity(costs.len());
    for (end, ways) in costs.iter().enumerate() {
        let way = |(begin, cost): (usize, &Cost)| {
            let (Cost::AtLeast(price) | Cost::Exact(price)) = *cost;
            let before = begin.checked_sub(1).map_or(0.0, |joint| best[joint].0 + DIVISION);
            (before + price * share(begin, end), begin)
        };
        let least = ways.iter().enumerate().map(way).min_by(|left, right| left.0.total_cmp(&right.0));
        best.push(least.unwrap_or((0.0, 0)));
    }
    let mut parts = Vec::new();
    let mut end = Some(best.len() - 1);
    while let Some(last) = end {
        parts.push((best[last].1, last));
        end = best[last].1.checked_sub(1);
    }
    parts.reverse();
    parts
}
