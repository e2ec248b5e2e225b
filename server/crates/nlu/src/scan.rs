//! The words of a text with all that they may be, looked up once and shared by all sentences that are tried.

use std::ops::Range;

use crate::costs;
use crate::entities::{self, Found};
use crate::free;
use crate::kinds::Kinds;
use crate::lexicon::{Lexicon, Weight};
use crate::runs::{LONGEST, Runs};
use crate::slots::{Given, SlotType};
use crate::text::{APOSTROPHE_S, Kind, Token};
use crate::vocabulary::{Vocabulary, WordId};
use crate::world::World;

/// The words of a text and what they may be.
pub(crate) struct Scan<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    /// The words of sentences that each token may be.
    pub(crate) readings: Vec<Vec<(WordId, f32)>>,
    /// What it costs to leave each token unread.
    pub(crate) unread: Vec<f32>,
    pub(crate) weights: Vec<Weight>,
    /// What may be named, by the token at which it begins.
    pub(crate) found: Vec<Vec<Found>>,
    /// Where content begins if it is taken from this token on, and how it was given.
    pub(crate) content: Vec<Option<(usize, Given)>>,
    /// What picky slots pay for the tokens before each.
    shunned: Vec<f32>,
    starts: Vec<bool>,
    /// What is known of the runs of its words.
    pub(crate) runs: Runs<'a>,
}

/// The most words of a clause that are read; each of those after them is left unread.
pub(crate) const MAX_WORDS: usize = 64;

impl<'a> Scan<'a> {
    pub(crate) fn new(
        text: &'a str,
        tokens: Vec<Token>,
        vocabulary: &Vocabulary,
        lexicon: &'a Lexicon,
        world: &dyn World,
    ) -> Self {
        let runs = Runs::new(&tokens, lexicon);
        let readings: Vec<_> = tokens.iter().map(|token| vocabulary.readings(token, lexicon)).collect();
        let weights: Vec<_> = (0..tokens.len()).map(|at| runs.weight(at)).collect();
        let found = {
            let today = world.now().date();
            entities::find(&entities::Context { text, tokens: &tokens, vocabulary, lexicon, runs: &runs, world, today })
        };
        let content = entities::content_starts(&tokens, &runs);
        let unread = (0..tokens.len()).map(|at| unread(&tokens[at], weights[at], runs.is_in("pointing", at, 1)));
        let unread = unread.collect();
        let is_start = |readings: &Vec<(WordId, f32)>| {
            readings.iter().any(|(id, cost)| *cost == 0.0 && vocabulary.word(*id).starts)
        };
        let starts = readings.iter().map(is_start).collect();
        let mut scan =
            Self { text, tokens, readings, unread, weights, found, content, shunned: Vec::new(), starts, runs };
        scan.weigh(vocabulary);
        scan
    }

    /// What a picky slot pays for these tokens.
    pub(crate) fn shunned(&self, range: &Range<usize>) -> f32 {
        self.shunned[range.end] - self.shunned[range.start]
    }

    /// The text of these tokens as it was typed.
    pub(crate) fn typed(&self, range: Range<usize>) -> &'a str {
        let tokens = &self.tokens[range];
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => &self.text[first.span.start..last.span.end.max(first.span.start)],
            _ => "",
        }
    }

    /// The types of what is named within these tokens.
    pub(crate) fn kinds(&self, range: &Range<usize>) -> Kinds {
        let within = self.found[range.clone()].iter().enumerate().flat_map(|(place, found)| {
            found.iter().filter(move |found| range.start + place + found.length <= range.end)
        });
        let content = self.content[range.clone()].iter().flatten().next().map(|_| Kinds::of(&[SlotType::Content]));
        within.fold(content.unwrap_or_default(), |kinds, found| kinds.and(found.kinds))
    }

    /// The word that a request begins with behind its introduction, if it asks: "should i delete line 3".
    pub(crate) fn question(&self, range: &Range<usize>) -> Option<usize> {
        let first = range.start + self.introduction(range);
        let asks = |list: &&str| self.runs.is_in(list, first, 1);
        (first < range.end && ["asking", "whether", "demanding"].iter().any(asks)).then_some(first)
    }

    /// How many of the first tokens only introduce what is asked for: "can you please".
    pub(crate) fn introduction(&self, range: &Range<usize>) -> usize {
        let mut end = range.start;
        while end < range.end {
            match self.runs.listed("introductions", end, LONGEST.min(range.end - end)) {
                Some(length) => end += length,
                None if self.weights[end] == Weight::Filler || self.tokens[end].kind == Kind::Mark => end += 1,
                None => break,
            }
        }
        end - range.start
    }

    /// Whether sentences begin with the token's word.
    pub(crate) fn is_start(&self, at: usize) -> bool {
        self.starts[at]
    }

    /// Tokens that surely name something are not passed over lightly, nor swallowed by a slot of plain words, which shuns
    /// the words that sentences are made of, too.
    fn weigh(&mut self, vocabulary: &Vocabulary) {
        let mut strong = vec![false; self.tokens.len()];
        for (at, found) in self.found.iter().enumerate() {
            for found in found.iter().filter(|found| found.strong) {
                strong[at..at + found.length].fill(true);
            }
        }
        let mut sum = 0.0;
        self.shunned.push(sum);
        for (at, token) in self.tokens.iter().enumerate() {
            let quoted = matches!(token.kind, Kind::Quoted | Kind::Code);
            sum += match token.kind {
                _ if strong[at] || quoted => 0.3,
                Kind::Mark => 0.2,
                _ if self.weights[at] == Weight::Plain => costs::COMMON * vocabulary.commonness(&token.lower),
                _ => free::shunned(self.weights[at]),
            };
            self.shunned.push(sum);
            if quoted || (strong[at] && self.weights[at] == Weight::Plain) {
                self.unread[at] = costs::UNREAD;
            }
        }
    }
}

fn unread(token: &Token, weight: Weight, points: bool) -> f32 {
    match token.kind {
        Kind::Mark => 0.0,
        _ if token.lower == APOSTROPHE_S => 0.0,
        _ if points => costs::POINTING,
        Kind::Word if !token.lower.chars().any(char::is_alphanumeric) => 0.05,
        _ => costs::unread(weight),
    }
}
