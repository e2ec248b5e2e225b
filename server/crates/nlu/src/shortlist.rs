//! The sentences that a clause may be: those whose cost can be low, by the words that they share with it.
//!
//! Each word leads to the sentences that have it. What a sentence must cost at least follows from the words of the clause
//! that it has not and its own words that the clause has not, rare words weighing more. That orders sentences as the
//! reading itself does, for a hundredth of its work.

use std::ops::Range;

use crate::automaton::Automaton;
use crate::costs;
use crate::free::free;
use crate::kinds::Kinds;
use crate::scan::{MAX_WORDS, Scan};
use crate::slots::SlotType;
use crate::vocabulary::WordId;

/// How many sentences are read in full.
const MOST: usize = 48;

/// A sentence whose own words cost less than this needs none of them to be tried.
const EASY: f32 = 0.25;

/// Which sentences have a word.
#[derive(Default)]
pub(crate) struct Shortlist {
    by_word: Vec<Vec<u32>>,
    sentences: Vec<Outline>,
    /// Sentences that no word of theirs needs to lead to.
    bare: Vec<u32>,
}

/// What is compared of a sentence.
struct Outline {
    intent: u32,
    /// What its words cost if the request has none of them.
    lacking: f32,
    /// The types of slots that it may fill, and those that take plain words.
    kinds: Kinds,
    takes_plain: bool,
    /// The types of the slots that each of its readings fills, without those that take plain words.
    needs: Vec<SlotType>,
}

impl Shortlist {
    /// Adds the next sentence.
    pub(crate) fn add(
        &mut self,
        intent: u32,
        automaton: &Automaton,
        needs: Vec<SlotType>,
        lacking: impl Fn(WordId) -> f32,
    ) {
        let number = u32::try_from(self.sentences.len()).unwrap_or(u32::MAX);
        let mut words: Vec<_> = automaton.words().collect();
        words.sort_unstable();
        words.dedup();
        for id in words {
            let id = id as usize;
            if self.by_word.len() <= id {
                self.by_word.resize(id + 1, Vec::new());
            }
            self.by_word[id].push(number);
        }
        let kinds: Vec<_> = automaton.slots.iter().map(|slot| slot.kind).collect();
        let lacking = automaton.cheapest(lacking, |_| 0.0);
        if lacking < EASY {
            self.bare.push(number);
        }
        let takes_plain = kinds.iter().any(|kind| free(*kind).is_some());
        let needs = needs.into_iter().filter(|kind| free(*kind).is_none() && *kind != SlotType::Choice).collect();
        self.sentences.push(Outline { intent, lacking, kinds: Kinds::of(&kinds), takes_plain, needs });
    }

    /// The sentences that may read the clause cheapest, each after what it costs at least, best first, and the tokens, as bits, that any sentence of each intent
    /// has.
    pub(crate) fn nearest(
        &self,
        clause: &Words,
        intents: usize,
        lacking: impl Fn(WordId) -> f32,
    ) -> (Vec<(f32, u32)>, Vec<u64>) {
        let mut shared = Shared::new(self.sentences.len(), intents);
        for place in 0..clause.range.len().min(MAX_WORDS) {
            self.share(clause, place, &mut shared, &lacking);
        }
        self.bare.iter().for_each(|number| shared.touch(*number));
        let slots = slots_by_place(clause.scan, clause.range);
        let present = clause.scan.kinds(clause.range);
        let least = |number: &u32| (self.least(*number, clause, &shared, &slots, present), *number);
        let mut nearest: Vec<_> = shared.touched.iter().map(least).filter(|(least, _)| *least <= costs::MOST).collect();
        let order = |left: &(f32, u32), right: &(f32, u32)| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1));
        if nearest.len() > MOST {
            nearest.select_nth_unstable_by(MOST, order);
            nearest.truncate(MOST);
        }
        nearest.sort_by(order);
        (nearest, shared.own)
    }

    /// Notes the sentences that have what this token may be.
    fn share(&self, clause: &Words, place: usize, shared: &mut Shared, lacking: impl Fn(WordId) -> f32) {
        let telling = clause.unread[place] >= costs::POINTING;
        for (id, _) in &clause.scan.readings[clause.range.start + place] {
            let worth = lacking(*id);
            for number in self.by_word.get(*id as usize).into_iter().flatten() {
                let outline = &self.sentences[*number as usize];
                shared.add(*number, outline.intent as usize, place, worth);
                if telling || outline.lacking < EASY {
                    shared.touch(*number);
                }
            }
        }
    }

    /// What the sentence costs at least, roughly.
    fn least(&self, number: u32, clause: &Words, shared: &Shared, slots: &[Kinds], present: Kinds) -> f32 {
        let outline = &self.sentences[number as usize];
        let (bits, own) = (shared.bits[number as usize], shared.own[outline.intent as usize]);
        let mut least = (outline.lacking - shared.worth[number as usize]).max(0.0);
        for place in (0..clause.range.len().min(MAX_WORDS)).filter(|place| bits & (1 << place) == 0) {
            let mut price = clause.unread[place];
            if own & (1 << place) != 0 {
                price = price.min(costs::OWN);
            }
            if outline.kinds.meets(slots[place]) {
                price = 0.0;
            } else if outline.takes_plain {
                let at = clause.range.start + place;
                price = price.min(costs::FREE_WORD + clause.scan.shunned(&(at..at + 1)));
            }
            least += price;
        }
        let missing = outline.needs.iter().filter(|kind| !present.has(**kind)).count();
        least + costs::MISSING * crate::align::small(missing)
    }
}

/// The words of a clause and what it costs to leave each unread.
pub(crate) struct Words<'a> {
    pub(crate) scan: &'a Scan<'a>,
    pub(crate) range: &'a Range<usize>,
    pub(crate) unread: &'a [f32],
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

/// What each sentence shares with the clause.
struct Shared {
    /// The tokens, as bits, that a sentence has.
    bits: Vec<u64>,
    /// The tokens, as bits, that any sentence of an intent has.
    own: Vec<u64>,
    /// What the words that it has would cost if it had them not.
    worth: Vec<f32>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
}

impl Shared {
    fn new(sentences: usize, intents: usize) -> Self {
        Self {
            bits: vec![0; sentences],
            own: vec![0; intents],
            worth: vec![0.0; sentences],
            is_touched: vec![false; sentences],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, number: u32, intent: usize, place: usize, worth: f32) {
        let number = number as usize;
        if self.bits[number] & (1 << place) == 0 {
            self.bits[number] |= 1 << place;
            self.worth[number] += worth;
        }
        self.own[intent] |= 1 << place;
    }

    fn touch(&mut self, number: u32) {
        if !std::mem::replace(&mut self.is_touched[number as usize], true) {
            self.touched.push(number);
        }
    }
}
