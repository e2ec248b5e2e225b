//! What it costs to read words as something else than what they are. Calibrated together: see `docs/rules.md`.

use crate::lexicon::Weight;

/// "line" for "lines".
pub(crate) const INFLECTED: f32 = 0.06;
/// Words that `words.toml` has as alike.
pub(crate) const ALIKE: f32 = 0.05;
/// A word of the intent's other sentences.
pub(crate) const OWN: f32 = 0.3;
/// A required slot that was not said.
pub(crate) const MISSING: f32 = 1.0;
/// A slot with a default that the sentence has and the words have not.
pub(crate) const LEFT_OUT: f32 = 0.4;
/// A slot filled with plain words, and each of the words.
pub(crate) const FREE: f32 = 0.06;
pub(crate) const FREE_WORD: f32 = 0.02;
/// The least part of its price that a slot of plain words pays for words that sentences are made of.
pub(crate) const LEAST_SHUNNED: f32 = 0.35;
/// The same where something is told first.
pub(crate) const TOLD_WORD: f32 = 0.01;
pub(crate) const TOLD_SHUNNED: f32 = 0.1;
/// A word of the request that has no part, if it is none of the cheaper kinds.
pub(crate) const UNREAD: f32 = 1.2;
/// "it" that no slot took.
pub(crate) const POINTING: f32 = 0.4;
/// A question read as a demand for a change or a command: "should i delete line 3".
pub(crate) const ASKED: f32 = 0.4;
/// A word that requests are introduced with: "can you".
pub(crate) const INTRODUCING: f32 = 0.01;
/// What costs no more than this unread is no beginning of a request.
pub(crate) const SLIGHT: f32 = 0.03;
/// Plain words taken from where the request begins, if sentences begin with them.
pub(crate) const STARTING: f32 = 0.3;
/// A common word of sentences taken as plain text.
pub(crate) const COMMON: f32 = 0.3;
/// No word of a sentence was said, only what a slot takes: a name, or plain words.
pub(crate) const BARE: f32 = 0.15;
pub(crate) const BARE_PLAIN: f32 = 1.0;
/// A sentence that takes plain words must share words worth so much with the request, as [`lacking`] prices them; what is
/// lacking of it is paid. Else a few words that any sentence has would let it take whatever else was said.
pub(crate) const ANCHORED: f32 = 0.55;
/// An article between the words of a key.
pub(crate) const DIVIDED: f32 = 0.4;
/// "its lines" read as "lines of it", "a.txt should be deleted" as "delete a.txt".
pub(crate) const REWORDED: f32 = 0.03;
/// The same of what changes something: where more is unsure, its plan is shown first.
pub(crate) const REWORDED_CHANGE: f32 = 0.1;
/// Sentences that cost so much more than the best are not read to the end.
pub(crate) const FARTHER: f32 = 0.8;
/// Reading gives up beyond this.
pub(crate) const MOST: f32 = 4.0;

/// A word with that many wrong letters.
pub(crate) fn typo(wrong: usize) -> f32 {
    if wrong > 1 { 0.25 } else { 0.15 }
}

/// A word of the request that has no part.
pub(crate) fn unread(weight: Weight) -> f32 {
    match weight {
        Weight::Filler => 0.03,
        Weight::Light => 0.12,
        Weight::Joining => 0.25,
        Weight::Weighty => 1.5,
        Weight::Plain => UNREAD,
    }
}

/// A word of the sentence that the request has not. `rarity` is 1 for a word of one intent, 0 for one of all.
pub(crate) fn lacking(weight: Weight, rarity: f32) -> f32 {
    match weight {
        Weight::Filler => 0.01,
        Weight::Light => 0.05,
        Weight::Joining => 0.1,
        Weight::Weighty => 1.5,
        Weight::Plain => 0.1 + 0.5 * rarity,
    }
}
