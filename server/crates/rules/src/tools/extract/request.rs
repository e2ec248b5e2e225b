//! What is asked, taken apart once for all tools it is held against: tokens, sentences, and the pieces that could fill a
//! parameter.

use std::ops::Range;
use std::rc::Rc;

use jiff::civil::Date as Day;

use super::marked::marked;
use super::mention::Mention;
use super::stems::stem;
use crate::tools::lexer::{Kind, Token, lex};

/// A request.
pub(crate) struct Request {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    /// The stem of each token, empty for what is quoted.
    pub(super) stems: Vec<Rc<str>>,
    /// Which sentence each token is in.
    pub(super) numbers: Vec<usize>,
    /// What could fill a parameter, in order; some overlap.
    pub(super) mentions: Vec<Mention>,
    /// What day it is, where the clock is not asked.
    pub(super) today: Option<Day>,
    /// Which tokens only mark what stands behind them.
    framing: Vec<bool>,
    /// Words such as `it` stand for what came before.
    pub(super) points: bool,
}

impl Request {
    /// A request whose pieces are not looked for yet.
    pub(super) fn of(text: &str, today: Option<Day>) -> Self {
        Self::made_of(unwrapped(text), today, |tokens, _| (tokens, Vec::new()))
    }

    /// A request whose marked text is taken as if it were quoted.
    pub(super) fn of_marked(text: &str) -> Self {
        Self { points: true, ..Self::made_of(unwrapped(text), None, |tokens, text| marked(&tokens, text)) }
    }

    fn made_of(unquoted: &str, today: Option<Day>, mark: impl Fn(Vec<Token>, &str) -> (Vec<Token>, Vec<bool>)) -> Self {
        let (tokens, framing) = mark(lex(unquoted).tokens, unquoted);
        let stems =
            tokens.iter().map(|token| if token.is_literal() { "".into() } else { stem(&token.lower) }).collect();
        let numbers = sentences(&tokens);
        Self { text: unquoted.to_owned(), tokens, stems, numbers, mentions: Vec::new(), today, framing, points: false }
    }

    /// The different stems of some tokens, quotations left out.
    pub(crate) fn words(&self, range: &Range<usize>) -> Vec<Rc<str>> {
        let mut words: Vec<Rc<str>> = Vec::new();
        for stem in self.stems.get(range.clone()).unwrap_or_default() {
            if !stem.is_empty() && !words.contains(stem) {
                words.push(Rc::clone(stem));
            }
        }
        words
    }

    /// The tokens of each sentence.
    pub(crate) fn parts(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for place in 0..self.tokens.len() {
            match ranges.last_mut() {
                Some(range) if self.numbers[range.start] == self.numbers[place] => range.end = place + 1,
                _ => ranges.push(place..place + 1),
            }
        }
        ranges
    }

    /// All tokens.
    pub(crate) fn whole(&self) -> Range<usize> {
        0..self.tokens.len()
    }

    /// The text of some tokens, as it was written.
    pub(super) fn written(&self, from: usize, to: usize) -> &str {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) => self.text.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The text of some tokens, as it was written.
    pub(crate) fn span(&self, range: &Range<usize>) -> &str {
        self.written(range.start, range.end)
    }

    /// Whether the token only marks what stands behind it.
    pub(crate) fn is_framing(&self, place: usize) -> bool {
        self.framing.get(place).copied().unwrap_or_default()
    }

    /// Its words, as they were written.
    pub(crate) fn plain_words(&self) -> Vec<String> {
        self.tokens.iter().filter(|token| token.kind == Kind::Word).map(|token| token.text.clone()).collect()
    }

    /// The token, if it is there.
    pub(crate) fn token(&self, place: usize) -> Option<&Token> {
        self.tokens.get(place)
    }

    /// Whether the token is of this kind.
    pub(crate) fn is_of(&self, place: usize, kind: Kind) -> bool {
        self.tokens.get(place).is_some_and(|token| token.kind == kind)
    }

    /// Whether the token is one of these words.
    pub(crate) fn is(&self, place: usize, words: &[&str]) -> bool {
        self.tokens.get(place).is_some_and(|token| token.is(words))
    }

    /// Whether the token is one of these marks.
    pub(crate) fn is_mark(&self, place: usize, marks: &str) -> bool {
        self.tokens.get(place).is_some_and(|token| token.is_mark(marks))
    }
}

/// A message that is one quotation as a whole is not quoted.
fn unwrapped(text: &str) -> &str {
    let trimmed = text.trim();
    let inside = |mark: char| trimmed.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    let whole = |mark: char| inside(mark).filter(|inside| !inside.contains(mark) && inside.contains(' '));
    whole('"').or_else(|| whole('\'')).unwrap_or(text)
}

fn sentences(tokens: &[Token]) -> Vec<usize> {
    let mut number = 0;
    let mut sentences = Vec::with_capacity(tokens.len());
    for token in tokens {
        sentences.push(number);
        if token.kind == Kind::Mark && matches!(token.text.as_str(), "." | "!" | "?" | ";" | "\n") {
            number += 1;
        }
    }
    sentences
}
