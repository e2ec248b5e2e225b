//! What may be a value where a call would change something: what is marked as a text, an address that is one, a name that is
//! said to be one. What merely remains of a request is none.

use std::rc::Rc;

use super::assign::{Filling, SPOKEN};
use super::mention::{Mention, Piece};
use super::param::{Param, Takes, Wants};
use super::stems::stem;
use crate::tools::heed::Heed;
use crate::tools::words::name_words;

/// What is held against a heading as the place of a text.
const HEADING: f64 = 0.5;

/// A telephone number has so many digits.
const MIN_DIGITS: usize = 5;

/// A name that is not written like one has so many words at most.
const MAX_NAME: usize = 4;

impl Filling<'_, '_> {
    /// Whether the piece may be the parameter's value where something would be changed by it: text is only what is marked as
    /// such, an address is one, and some words are a name only if they are said to be.
    pub(super) fn may_take(&self, param: &Param<'_>, mention: &Mention, spoken: f64) -> bool {
        if !self.heedful {
            return true;
        }
        match (param.wants, &mention.piece) {
            (_, Piece::Reference) | (Wants::Email, Piece::Email) => true,
            (Wants::Email, Piece::Quoted) => mention.text.contains('@'),
            (Wants::Email, _) => false,
            (Wants::Telephone, Piece::Number(_) | Piece::Code | Piece::Quoted) => {
                mention.text.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS
            }
            (Wants::Telephone, _) => false,
            (_, Piece::Quoted) if !self.is_for(param, mention) => false,
            (_, Piece::Quoted | Piece::Earlier) => true,
            (Wants::Id, Piece::Name | Piece::Place | Piece::Phrase | Piece::Date(_) | Piece::Time(_)) => {
                mention.text.contains(|c: char| c.is_ascii_digit())
            }
            (Wants::Words, Piece::Json(_)) => true,
            (Wants::Words, _) => false,
            (_, Piece::Phrase) => spoken >= SPOKEN && mention.to - mention.from <= MAX_NAME,
            _ => true,
        }
    }

    /// Whether a text that is marked as one is for the parameter: it takes texts, or the mark names it.
    fn is_for(&self, param: &Param<'_>, mention: &Mention) -> bool {
        let mut mark = (0..mention.from).rev().take_while(|place| self.request.is_framing(*place)).peekable();
        let is_marked = mark.peek().is_some();
        !is_marked || param.wants == Wants::Words || mark.any(|place| param.words.contains(&self.request.stems[place]))
    }

    /// What is held against a heading where a text could stand.
    pub(super) fn second(&self, param: &Param<'_>) -> f64 {
        let heads = || name_words(param.name).iter().any(|word| Heed::get().headings.contains(word));
        if self.heedful && heads() { HEADING } else { 0.0 }
    }
}

impl Param<'_> {
    /// What a text is for where its name alone does not tell: who a mail goes to is an address. `own`: the words of the tool.
    pub(super) fn wanted(&self, own: &[Rc<str>]) -> Wants {
        let heed = Heed::get();
        let names = name_words(self.name);
        let has = |words: &[String]| names.iter().any(|name| words.contains(name));
        let mails = || heed.mail.iter().any(|word| own.contains(&stem(word)));
        match self.wants {
            Wants::Email | Wants::Url => self.wants,
            _ if self.takes == Takes::Text && has(&heed.telephones) => Wants::Telephone,
            _ if has(&heed.addressees) && mails() => Wants::Email,
            Wants::Anything if has(&heed.contents) => Wants::Words,
            wants => wants,
        }
    }
}
