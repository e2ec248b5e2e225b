//! A request in clauses, each of which asks for one thing: sentences, `and` and `then` before a verb or a question.
//!
//! Only words outside quotations divide. A clause keeps the text that it was cut from, for what must stay as written.

use super::courtesies::{CLOSINGS, COURTESIES};
use super::lexer::{Kind, Lexed, Token, lex};
use super::words::{ACTIONS, QUESTIONS};

/// How many clauses of a message are looked at.
pub(super) const MAX_CLAUSES: usize = 40;

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Clause {
    /// Without courtesies and the mark at its end.
    pub(super) tokens: Vec<Token>,
    /// As it was written, from the first token to the last.
    pub(super) text: String,
    /// Where `text` is in the message.
    offset: usize,
    /// It ends in a question mark.
    pub(super) question: bool,
    /// It ends in an exclamation mark, which may belong to what is quoted without quotation marks.
    pub(super) shouted: bool,
}

/// A message in clauses.
pub(super) struct Split {
    pub(super) clauses: Vec<Clause>,
    /// There was more than the rules look at.
    pub(super) cut: bool,
}

/// Divides a message.
pub(super) fn split(message: &str) -> Split {
    let Lexed { tokens, cut } = lex(message);
    let mut clauses = Vec::new();
    let mut start = 0;
    for place in 0..tokens.len() {
        let Some(skip) = boundary(&tokens, start, place) else { continue };
        push(&mut clauses, message, &tokens[start..place], Some(&tokens[place]));
        start = place + skip;
    }
    push(&mut clauses, message, tokens.get(start..).unwrap_or_default(), None);
    let cut = cut || clauses.len() > MAX_CLAUSES;
    clauses.truncate(MAX_CLAUSES);
    Split { clauses, cut }
}

fn push(clauses: &mut Vec<Clause>, message: &str, tokens: &[Token], end: Option<&Token>) {
    let mut clause = Clause::new(message, tokens, end.is_some_and(|mark| mark.is_mark("?")));
    clause.shouted |= end.is_some_and(|mark| mark.is_mark("!"));
    if !clause.tokens.is_empty() {
        clauses.push(clause);
    }
}

/// How many tokens from `place` on stand between two clauses, if a clause ends here.
fn boundary(tokens: &[Token], start: usize, place: usize) -> Option<usize> {
    if place < start {
        return None;
    }
    let token = &tokens[place];
    let shell = is_shell(&tokens[start..place]);
    if token.kind == Kind::Mark {
        return match token.text.as_str() {
            "\n" => Some(1),
            "." | "!" | "?" if !shell || ends_here(tokens, place) => Some(1),
            ";" if !shell => Some(1),
            "," if is_greeting(&tokens[start..place]) => Some(1),
            "," if begins_clause(tokens, place + 1) && has_verb(&tokens[start..place]) => Some(1),
            ":" if announces(&tokens[start..place]) && begins_clause(tokens, place + 1) => Some(1),
            _ => None,
        };
    }
    if token.is(&["then"]) && place > start && begins_clause(tokens, place + 1) {
        return Some(1);
    }
    if token.is(&["and", "&", "but", "plus"]) && place > start && begins_clause(tokens, place + 1) {
        return Some(1);
    }
    None
}

/// Whether a clause begins at this place: a verb, a question, or words that lead to one.
fn begins_clause(tokens: &[Token], place: usize) -> bool {
    let Some(token) = tokens.get(place) else { return false };
    if token.kind == Kind::Mark {
        return false;
    }
    if token.is(&["then", "also", "please", "now", "afterwards", "finally", "and"]) {
        return tokens.get(place + 1).is_some();
    }
    if token.is(&["call", "name", "label"]) {
        return tokens.get(place + 1).is_some_and(|next| next.is(&["it", "that", "this", "the", "them"]));
    }
    if token.is(&["let"]) {
        return tokens.get(place + 1).is_some_and(|next| next.is(&["me", "us"]));
    }
    if token.is(&["my"]) {
        return tokens[place..].iter().take(6).any(|word| word.is(&["is", "are", "was"]));
    }
    if token.is(&["i", "we", "you"]) {
        return true;
    }
    token.is(ACTIONS) || token.is(QUESTIONS)
}

fn has_verb(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is(ACTIONS) || token.is(QUESTIONS) || token.is(&["my", "i"]))
}

/// `Hello,` and `Hi there,`
fn is_greeting(tokens: &[Token]) -> bool {
    let greets =
        ["hi", "hello", "hey", "hiya", "thanks", "greetings", "good", "there", "morning", "afternoon", "evening"];
    !tokens.is_empty() && tokens.len() <= 3 && tokens.iter().all(|token| token.is(&greets))
}

/// `Please do this:` and the like before what is asked for.
fn announces(tokens: &[Token]) -> bool {
    tokens.len() <= 6 && !has_verb(tokens)
}

fn is_shell(tokens: &[Token]) -> bool {
    let first = tokens.iter().find(|token| !COURTESIES.iter().any(|words| token.is(&[words[0]])));
    first.is_some_and(|token| token.is(&["run", "execute", "bash", "$"]))
}

fn ends_here(tokens: &[Token], place: usize) -> bool {
    tokens.get(place + 1).is_none_or(|next| next.is_mark("\n") || begins_clause(tokens, place + 1))
}

impl Clause {
    pub(super) fn new(message: &str, tokens: &[Token], question: bool) -> Self {
        let shouted = tokens.last().is_some_and(|token| token.is_mark("!"));
        let (mut tokens, mut question) = (tokens, question);
        while let Some(rest) = without_ends(tokens, &mut question) {
            tokens = rest;
        }
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Self::default() };
        let text = message[first.start..last.end].to_owned();
        Self { tokens: tokens.to_vec(), text, offset: first.start, question, shouted }
    }

    /// The clause from one token to another, the end not included.
    pub(super) fn part(&self, from: usize, to: usize) -> &str {
        let Some(tokens) = self.tokens.get(from..to.min(self.tokens.len())) else { return "" };
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
        &self.text[first.start - self.offset..last.end - self.offset]
    }

    /// What follows as a text of the user's own: with its exclamation mark.
    pub(super) fn verbatim(&self, from: usize) -> String {
        let mark = if self.shouted && !self.question { "!" } else { "" };
        format!("{}{mark}", self.from(from))
    }

    /// What follows, as it was written.
    pub(super) fn from(&self, from: usize) -> &str {
        self.part(from, self.tokens.len())
    }

    /// The same clause without the tokens before `from`.
    pub(super) fn tail(&self, from: usize) -> Self {
        self.range(from, self.tokens.len())
    }

    /// The clause of these tokens.
    pub(super) fn range(&self, from: usize, to: usize) -> Self {
        let tokens = self.tokens.get(from..to).unwrap_or_default().to_vec();
        let (question, shouted) = (self.question, self.shouted);
        let Some(first) = tokens.first() else { return Self { question, ..Self::default() } };
        let (offset, text) = (first.start, self.part(from, to).to_owned());
        Self { tokens, text, offset, question, shouted }
    }

    /// The same clause without the tokens from one place to another.
    pub(super) fn without(&self, from: usize, to: usize) -> Self {
        let mut clause = self.clone();
        clause.tokens.drain(from.min(self.tokens.len())..to.min(self.tokens.len()));
        clause
    }

    /// Whether it begins with these words; a word with `|` is one of several.
    pub(super) fn starts(&self, words: &str) -> Option<usize> {
        self.matches_at(0, words)
    }

    /// Where these words stand first, and where they end.
    pub(super) fn find(&self, words: &str) -> Option<(usize, usize)> {
        (0..self.tokens.len()).find_map(|place| Some((place, self.matches_at(place, words)?)))
    }

    /// Where these words end when they stand at this place; `word?` may be missing.
    pub(super) fn matches_at(&self, place: usize, words: &str) -> Option<usize> {
        let mut at = place;
        for word in words.split(' ') {
            let (word, optional) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
            let fits = self.tokens.get(at).is_some_and(|token| {
                !token.is_literal() && word.split('|').any(|alternative| token.lower == alternative)
            });
            match (fits, optional) {
                (true, _) => at += 1,
                (false, true) => {}
                (false, false) => return None,
            }
        }
        Some(at)
    }

    /// Whether one of these words is in it, outside quotations.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.tokens.iter().any(|token| token.is(words))
    }

    /// The first token of this kind.
    pub(super) fn first(&self, kind: Kind) -> Option<&Token> {
        self.tokens.iter().find(|token| token.kind == kind)
    }

    /// Whether it asks something.
    pub(super) fn asks(&self) -> bool {
        self.question || self.tokens.first().is_some_and(|token| token.is(QUESTIONS))
    }
}

/// The tokens without a courtesy, closing or mark at one of their ends, if there is one.
fn without_ends<'t>(tokens: &'t [Token], question: &mut bool) -> Option<&'t [Token]> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    if last.kind == Kind::Mark && last.text != ")" {
        *question |= last.text == "?";
        return Some(&tokens[..tokens.len() - 1]);
    }
    if first.kind == Kind::Mark && first.text != "(" {
        return Some(&tokens[1..]);
    }
    let begins =
        |words: &&[&str]| words.len() < tokens.len() && tokens.iter().zip(words.iter()).all(|(t, w)| t.is(&[w]));
    if let Some(words) = COURTESIES.iter().find(|words| begins(words)) {
        return Some(&tokens[words.len()..]);
    }
    let ends = |words: &&[&str]| {
        words.len() < tokens.len()
            && tokens[tokens.len() - words.len()..].iter().zip(words.iter()).all(|(t, w)| t.is(&[w]))
    };
    let words = CLOSINGS.iter().find(|words| ends(words))?;
    Some(&tokens[..tokens.len() - words.len()])
}

#[cfg(test)]
#[path = "clause_tests.rs"]
mod tests;
