//! A request as words: what is asked for, and what are only names, values and hints.

use super::words::{each_word, stem, stems};

/// How many different words of a query count.
const MAX_WORDS: usize = 128;

/// How stage 2 of the pipeline adds the names of the variables to a request (seed 000).
const HINTS: &str = "(available data:";

/// How many sentences of a request are looked at on their own.
const MAX_SENTENCES: usize = 4;

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    /// What is asked, without quotations and hints.
    pub(super) request: String,
    /// Its sentences, if it has several.
    pub(super) sentences: Vec<String>,
    /// Each word once, numbers left out: they are values.
    pub(super) words: Vec<Word>,
    /// Words written as identifiers are, such as `file_read`: perhaps the name of a tool.
    pub(super) identifiers: Vec<String>,
}

/// A word of a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// What is compared.
    pub(super) stem: String,
    /// As it was written, in lower case.
    pub(super) written: String,
    /// What it is there for.
    pub(super) kind: Kind,
}

/// What a word is there for; the weightier first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// It says what is wanted.
    Asked,
    /// A name or a value: quoted, or part of a path, of a reference, of an address.
    Data,
    /// The name of a variable that there is.
    Hint,
}

impl Kind {
    /// What it counts for the ranking.
    pub(super) fn weight(self) -> f64 {
        match self {
            Self::Asked => 1.0,
            Self::Data => 0.4,
            Self::Hint => 0.1,
        }
    }

    /// What it counts for the confidence: a hint that no tool takes up counts against none.
    pub(super) fn weight_if_missed(self) -> f64 {
        match self {
            Self::Asked | Self::Data => self.weight(),
            Self::Hint => 0.0,
        }
    }
}

impl From<&str> for Query {
    fn from(text: &str) -> Self {
        let mut query =
            Self { request: String::new(), sentences: Vec::new(), words: Vec::new(), identifiers: Vec::new() };
        let (request, hints) = text.split_once(HINTS).unwrap_or((text, ""));
        let mut rest = request;
        while let Some((before, inside, after)) = quoted(rest) {
            query.take_pieces(before);
            query.request.push_str(before);
            query.take(inside, Kind::Data);
            rest = after;
        }
        query.take_pieces(rest);
        query.request.push_str(rest);
        if stems(&query.request).len() < 2 {
            query.request = request.to_owned();
        }
        query.sentences = sentences(&query.request);
        query.take(hints, Kind::Hint);
        query
    }
}

impl Query {
    fn take_pieces(&mut self, text: &str) {
        for piece in text.split_whitespace() {
            let bare = piece.trim_matches(|character: char| !character.is_alphanumeric() && character != '@');
            self.take(piece, if is_data(piece, bare) { Kind::Data } else { Kind::Asked });
            if bare.contains(['_', '-', '.']) && self.identifiers.len() < MAX_WORDS {
                self.identifiers.push(bare.to_owned());
            }
        }
    }

    fn take(&mut self, text: &str, kind: Kind) {
        each_word(text, |written| {
            if written.bytes().all(|byte| byte.is_ascii_digit()) {
                return;
            }
            let stem = stem(written);
            if let Some(word) = self.words.iter_mut().find(|word| word.stem == stem) {
                word.kind = word.kind.min(kind);
            } else if self.words.len() < MAX_WORDS {
                self.words.push(Word { stem, written: written.to_owned(), kind });
            }
        });
    }
}

/// The sentences that say something; none if there are fewer than two.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut before = ".";
        for piece in line.split_whitespace() {
            let begins = before.ends_with(['.', '!', '?', ';']) || (before.ends_with(',') && piece == "and");
            if begins || matches!(piece, "then" | "Then") {
                sentences.push(String::new());
            }
            if let Some(sentence) = sentences.last_mut() {
                sentence.push_str(piece);
                sentence.push(' ');
            }
            before = piece;
        }
    }
    sentences.retain(|sentence| stems(sentence).len() > 1);
    sentences.truncate(MAX_SENTENCES);
    if sentences.len() < 2 { Vec::new() } else { sentences }
}

fn is_data(piece: &str, bare: &str) -> bool {
    piece.starts_with('-') || bare.contains(['.', '/', '\\', '=', ':', '@'])
}

/// What comes before, in and after the first pair of quotation marks.
fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    const MARKS: [(char, char); 3] = [('"', '"'), ('“', '”'), ('`', '`')];
    let closing_of = |opening: char| MARKS.iter().find(|(open, _)| *open == opening).map(|(_, close)| *close);
    let (start, opening) = text.char_indices().find(|(_, character)| closing_of(*character).is_some())?;
    let inside = start + opening.len_utf8();
    let closing = closing_of(opening)?;
    let end = inside + text[inside..].find(closing)?;
    Some((&text[..start], &text[inside..end], &text[end + closing.len_utf8()..]))
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
