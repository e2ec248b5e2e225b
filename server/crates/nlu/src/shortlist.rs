//! The sentences that a clause may be: those whose cost can be low, by the words that they share with it.
//!
//! Each word leads to the sentences that have it. What a sentence must cost at least follows from the words of the clause
//! that it has not and its own words that the clause has not, rare words weighing more. That orders sentences as the
//! reading itself does, for a hundredth of its work.

use std::ops::Range;

use crate::costs;
use crate::free::free;
use crate::kinds::Kinds;
use crate::outline::Outline;
use crate::scan::{MAX_WORDS, Scan};
use crate::slots::SlotType;
use crate::vocabulary::WordId;

/// How many sentences are read in full.
pub(crate) const MOST: usize = 80;

/// A sentence whose own words cost less than this needs none of them to be tried.
const EASY: f32 = 0.25;

/// Which sentences have a word.
#[derive(Default)]
pub(crate) struct Shortlist {
    by_word: Vec<Uses>,
    sentences: Vec<Compared>,
    /// Sentences that no word of theirs needs to lead to.
    bare: Vec<u32>,
}

/// Who has a word.
#[derive(Clone, Default)]
struct Uses {
    sentences: Vec<u32>,
    intents: Vec<u32>,
}

/// What is compared of a sentence.
struct Compared {
    intent: u32,
    /// What its words cost if the request has none of them.
    lacking: f32,
    /// The types of slots that it may fill, and those that take plain words.
    kinds: Kinds,
    takes_plain: bool,
    /// The types of the slots that each of its readings fills, without those that take plain words.
    needs: Vec<SlotType>,
}

/// A sentence that may read a clause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// What it costs at least, roughly.
    pub(crate) least: f32,
    pub(crate) number: u32,
    /// The tokens, as bits, that it has.
    bits: u64,
}

impl Shortlist {
    /// Adds the next sentence: its intent, what is in it, the types of the slots that it needs, and what it costs if the
    /// request has none of its words.
    pub(crate) fn add(&mut self, intent: u32, outline: &Outline, needs: &[SlotType], lacking: f32) {
        let number = u32::try_from(self.sentences.len()).unwrap_or(u32::MAX);
        for id in &outline.words {
            let id = *id as usize;
            if self.by_word.len() <= id {
                self.by_word.resize(id + 1, Uses::default());
            }
            let uses = &mut self.by_word[id];
            uses.sentences.push(number);
            if uses.intents.last() != Some(&intent) {
                uses.intents.push(intent);
            }
        }
        if lacking < EASY {
            self.bare.push(number);
        }
        let takes_plain = outline.kinds.iter().any(|kind| free(*kind).is_some());
        let needs = needs.iter().filter(|kind| free(**kind).is_none() && **kind != SlotType::Choice).copied().collect();
        self.sentences.push(Compared { intent, lacking, kinds: Kinds::of(&outline.kinds), takes_plain, needs });
    }

    /// At most so many sentences that may read the clause cheapest, best first. `shared` then knows the tokens that any
    /// sentence of each intent has.
    pub(crate) fn nearest(
        &self,
        clause: &Words,
        most: usize,
        shared: &mut Shared,
        lacking: impl Fn(WordId) -> f32,
    ) -> Vec<Near> {
        shared.clear(self.sentences.len());
        for place in 0..clause.range.len().min(MAX_WORDS) {
            self.share(clause, place, shared, &lacking);
        }
        self.bare.iter().for_each(|number| shared.touch(*number));
        let present = clause.scan.kinds(clause.range);
        let order = |one: &Near, other: &Near| one.least.total_cmp(&other.least).then(one.number.cmp(&other.number));
        let mut nearest: Vec<Near> = Vec::with_capacity(2 * most);
        let mut limit = costs::MOST;
        for number in &shared.touched {
            let record = shared.records[*number as usize];
            let least = self.least(
                *number,
                clause,
                record,
                shared.own(self.sentences[*number as usize].intent),
                present,
                limit,
            );
            if least > limit {
                continue;
            }
            nearest.push(Near { least, number: *number, bits: record.bits });
            if nearest.len() == 2 * most {
                nearest.select_nth_unstable_by(most - 1, order);
                nearest.truncate(most);
                limit = nearest[most - 1].least;
            }
        }
        nearest.sort_by(order);
        nearest.truncate(most);
        nearest
    }

    /// What each token of the clause costs at least, read as that sentence.
    pub(crate) fn by_place(&self, near: &Near, clause: &Words, unread: &[f32], least: &mut Vec<f32>) {
        let outline = &self.sentences[near.number as usize];
        let of_place = |(place, unread): (usize, &f32)| match place {
            place
                if place >= MAX_WORDS || near.bits & (1 << place) != 0 || outline.kinds.meets(clause.slots[place]) =>
            {
                0.0
            }
            place if outline.takes_plain => unread.min(costs::FREE_WORD + costs::LEAST_SHUNNED * clause.shunned(place)),
            _ => *unread,
        };
        least.clear();
        least.extend(unread.iter().enumerate().map(of_place));
    }

    /// Notes the sentences that have what this token may be.
    fn share(&self, clause: &Words, place: usize, shared: &mut Shared, lacking: impl Fn(WordId) -> f32) {
        let telling = clause.unread[place] >= costs::POINTING;
        for (id, _) in &clause.scan.readings[clause.range.start + place] {
            let worth = lacking(*id);
            let Some(uses) = self.by_word.get(*id as usize) else { continue };
            for number in &uses.sentences {
                shared.add(*number, place, worth);
                if telling || self.sentences[*number as usize].lacking < EASY {
                    shared.touch(*number);
                }
            }
            uses.intents.iter().for_each(|intent| shared.note_own(*intent, place));
        }
    }

    /// What the sentence costs at least, roughly; more than `limit` if it is more than that.
    fn least(&self, number: u32, clause: &Words, record: Record, own: u64, present: Kinds, limit: f32) -> f32 {
        let outline = &self.sentences[number as usize];
        let mut least = (outline.lacking - record.worth).max(0.0);
        for place in 0..clause.range.len().min(MAX_WORDS) {
            if record.bits & (1 << place) != 0 || outline.kinds.meets(clause.slots[place]) {
                continue;
            }
            let mut price = clause.unread[place];
            if own & (1 << place) != 0 {
                price = price.min(costs::OWN);
            }
            if outline.takes_plain {
                price = price.min(costs::FREE_WORD + clause.shunned(place));
            }
            least += price;
            if least > limit {
                return least;
            }
        }
        let missing = outline.needs.iter().filter(|kind| !present.has(**kind)).count();
        least + costs::MISSING * crate::align::small(missing)
    }
}

/// The words of a clause and what it costs to leave each unread.
pub(crate) struct Words<'a> {
    scan: &'a Scan<'a>,
    range: &'a Range<usize>,
    pub(crate) unread: Vec<f32>,
    /// The types of what each token may be part of.
    slots: Vec<Kinds>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(scan: &'a Scan<'a>, range: &'a Range<usize>, unread: Vec<f32>) -> Self {
        Self { scan, range, unread, slots: slots_by_place(scan, range) }
    }

    /// What a picky slot pays for the token there.
    fn shunned(&self, place: usize) -> f32 {
        let at = self.range.start + place;
        self.scan.shunned(&(at..at + 1))
    }
}

/// The types of what each token may be part of.
fn slots_by_place(scan: &Scan, range: &Range<usize>) -> Vec<Kinds> {
    let mut kinds = vec![Kinds::default(); range.len()];
    for (place, at) in range.clone().enumerate() {
        for found in &scan.found[at] {
            let end = (place + found.length).min(kinds.len());
            kinds[place..end].iter_mut().for_each(|kinds| *kinds = kinds.and(found.kinds));
        }
        if scan.content[at].is_some() {
            kinds[place..].iter_mut().for_each(|kinds| *kinds = kinds.with(SlotType::Content));
        }
    }
    kinds
}

/// What each sentence shares with a clause; kept from clause to clause.
#[derive(Default)]
pub(crate) struct Shared {
    records: Vec<Record>,
    /// The sentences that have a record, and those that are looked at.
    noted: Vec<u32>,
    touched: Vec<u32>,
    /// The tokens, as bits, that any sentence of an intent has.
    own: Vec<u64>,
}

#[derive(Clone, Copy, Default)]
struct Record {
    /// The tokens, as bits, that the sentence has.
    bits: u64,
    /// What the words that it has would cost if it had them not.
    worth: f32,
    is_touched: bool,
}

impl Shared {
    /// The tokens, as bits, that any sentence of the intent has.
    pub(crate) fn own(&self, intent: u32) -> u64 {
        self.own.get(intent as usize).copied().unwrap_or_default()
    }

    fn clear(&mut self, sentences: usize) {
        for number in self.noted.drain(..).chain(self.touched.drain(..)) {
            self.records[number as usize] = Record::default();
        }
        self.records.resize(sentences, Record::default());
        self.own.clear();
    }

    fn add(&mut self, number: u32, place: usize, worth: f32) {
        let record = &mut self.records[number as usize];
        if record.bits & (1 << place) == 0 {
            if record.bits == 0 {
                self.noted.push(number);
            }
            record.bits |= 1 << place;
            record.worth += worth;
        }
    }

    fn note_own(&mut self, intent: u32, place: usize) {
        let intent = intent as usize;
        if self.own.len() <= intent {
            self.own.resize(intent + 1, 0);
        }
        self.own[intent] |= 1 << place;
    }

    fn touch(&mut self, number: u32) {
        if !std::mem::replace(&mut self.records[number as usize].is_touched, true) {
            self.touched.push(number);
        }
    }
}
