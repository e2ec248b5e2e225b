//! The runs of words of a text, joined and looked up once for all that asks what `words.toml` says of them.

use crate::lexicon::{Known, Lexicon, Weight};
use crate::text::Token;

/// The words of the longest run that is looked up.
pub(crate) const LONGEST: usize = 5;

/// The runs of a text's words.
pub(crate) struct Runs<'l> {
    /// The words in lower case with single spaces between them.
    joined: String,
    /// Where each word begins there and ends.
    spans: Vec<(usize, usize)>,
    /// What is known of the runs that begin at each word, by their lengths.
    known: Vec<[Run<'l>; LONGEST]>,
}

/// A run as it is, and without its plural.
#[derive(Clone, Copy, Default)]
struct Run<'l> {
    exact: Option<&'l Known>,
    single: Option<&'l Known>,
}

impl<'l> Runs<'l> {
    pub(crate) fn new(tokens: &[Token], lexicon: &'l Lexicon) -> Self {
        let mut joined = String::new();
        let mut spans = Vec::with_capacity(tokens.len());
        for token in tokens {
            if !spans.is_empty() {
                joined.push(' ');
            }
            let begin = joined.len();
            joined.push_str(&token.lower);
            spans.push((begin, joined.len()));
        }
        let mut runs = Self { joined, spans, known: Vec::new() };
        let known = (0..tokens.len()).map(|at| runs.looked_up(at, lexicon)).collect();
        runs.known = known;
        runs
    }

    /// The words there with spaces between them, in lower case; nothing if there are not so many.
    pub(crate) fn words(&self, at: usize, length: usize) -> Option<&str> {
        let (begin, _) = self.spans.get(at)?;
        let (_, end) = self.spans.get(at + length - 1)?;
        self.joined.get(*begin..*end)
    }

    /// Whether a list has that many words there.
    pub(crate) fn is_in(&self, list: &str, at: usize, length: usize) -> bool {
        self.run(at, length).exact.is_some_and(|known| known.is_in(list))
    }

    /// The longest run of up to so many words there that a list has.
    pub(crate) fn listed(&self, list: &str, at: usize, most: usize) -> Option<usize> {
        (1..=most).rev().find(|length| self.is_in(list, at, *length))
    }

    /// What a table says of that many words there, as they are or without their plural.
    pub(crate) fn means(&self, table: &str, at: usize, length: usize) -> Option<&'l str> {
        let Run { exact, single } = self.run(at, length);
        let said = |known: &'l Known| known.means(table);
        exact.and_then(said).or_else(|| single.and_then(said))
    }

    pub(crate) fn weight(&self, at: usize) -> Weight {
        self.run(at, 1).exact.map_or(Weight::Plain, |known| known.weight)
    }

    fn run(&self, at: usize, length: usize) -> Run<'l> {
        self.known.get(at).and_then(|runs| runs.get(length - 1)).copied().unwrap_or_default()
    }

    fn looked_up(&self, at: usize, lexicon: &'l Lexicon) -> [Run<'l>; LONGEST] {
        let mut runs = [Run::default(); LONGEST];
        let mut longest = 1;
        for length in 1..=LONGEST {
            let Some(words) = self.words(at, length).filter(|_| length <= longest) else { break };
            let exact = lexicon.known(words);
            runs[length - 1] = Run { exact, single: lexicon.single(words) };
            if length == 1 {
                longest = exact.map_or(1, |known| known.longest.max(1));
            }
        }
        runs
    }
}
