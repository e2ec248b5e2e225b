//! The cheapest way to read some words as a sentence.
//!
//! The sentence's automaton has no loops, so one pass over tokens and states finds it. The work is bounded by tokens times
//! arcs times what begins at a token, each of which has a limit.

use std::ops::Range;

use crate::automaton::{Automaton, Label};
use crate::costs;
use crate::free::free;
use crate::scan::Scan;
use crate::slots::SlotType;
use crate::vocabulary::WordId;

/// What the words cost for one intent.
pub(crate) struct Prices<'a> {
    /// Leaving each token of the clause unread.
    pub(crate) unread: &'a [f32],
    /// Each word of sentences that is lacking.
    pub(crate) lacking: &'a [f32],
}

/// What a slot took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Filling {
    /// What was found at that token, and its number there.
    Found { at: usize, number: usize },
    /// Plain words.
    Plain { from: usize, to: usize },
    /// Text to be written: its words begin at `inner`.
    Content { from: usize, inner: usize, to: usize },
    /// One of the sentence's words.
    Choice(usize),
    /// Nothing.
    Nothing,
}

/// How the words read as a sentence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    pub(crate) cost: f32,
    /// The slots by their numbers in the automaton, in order.
    pub(crate) fillings: Vec<(u8, Filling)>,
    /// The tokens that had no part.
    pub(crate) unread: Vec<usize>,
    /// How many words of the sentence the request has.
    pub(crate) said: usize,
    /// What the words that the request has would cost if it lacked them.
    pub(crate) worth: f32,
}

#[derive(Clone, Copy)]
enum Move {
    Start,
    Skip,
    Free,
    Said(WordId),
    Lacked,
    Filled(u8, Filling),
}

#[derive(Clone, Copy)]
struct Cell {
    cost: f32,
    before: u32,
    how: Move,
}

/// The tables, kept from sentence to sentence.
#[derive(Default)]
pub(crate) struct Aligner {
    cells: Vec<Cell>,
}

impl Aligner {
    /// The cheapest reading of these tokens, if it costs at most `limit`.
    pub(crate) fn align(
        &mut self,
        scan: &Scan,
        range: &Range<usize>,
        automaton: &Automaton,
        prices: &Prices,
        limit: f32,
    ) -> Option<Match> {
        let begin = prices.unread.iter().take_while(|unread| **unread <= costs::SLIGHT).count();
        let mut pass = Pass { scan, range, automaton, prices, cells: &mut self.cells, begin, limit };
        pass.fill();
        pass.result()
    }
}

struct Pass<'a> {
    scan: &'a Scan<'a>,
    range: &'a Range<usize>,
    automaton: &'a Automaton,
    prices: &'a Prices<'a>,
    cells: &'a mut Vec<Cell>,
    /// The place where the request begins, after what introduces it.
    begin: usize,
    limit: f32,
}

impl Pass<'_> {
    fn fill(&mut self) {
        let empty = Cell { cost: f32::INFINITY, before: 0, how: Move::Start };
        self.cells.clear();
        self.cells.resize((self.range.len() + 1) * self.automaton.states(), empty);
        self.cells[0].cost = 0.0;
        for place in 0..=self.range.len() {
            for state in 0..self.automaton.states() {
                let cost = self.cells[self.cell(place, state)].cost;
                if cost <= self.limit {
                    self.leave(place, state, cost);
                }
            }
        }
    }

    /// All ways on from a state before a token.
    fn leave(&mut self, place: usize, state: usize, cost: f32) {
        let here = self.cell(place, state);
        let automaton = self.automaton;
        if place < self.range.len() {
            self.reach(here, place + 1, state, cost + self.prices.unread[place], Move::Skip);
        }
        for arc in automaton.arcs_of(state) {
            let to = usize::from(arc.to);
            match arc.label {
                Label::Free => self.reach(here, place, to, cost, Move::Free),
                Label::Word(id) => {
                    self.reach(here, place, to, cost + self.prices.lacking[id as usize], Move::Lacked);
                    self.say(here, place, to, cost, id);
                }
                Label::Strict(id) => self.say(here, place, to, cost, id),
                Label::Slot(slot) => self.take(here, place, to, cost, slot),
                Label::Chosen { slot, choice } => {
                    let how = Move::Filled(slot, Filling::Choice(usize::from(choice)));
                    self.reach(here, place, to, cost, how);
                }
                Label::Unchosen(slot) => self.leave_out(here, place, to, cost, slot),
            }
        }
    }

    /// A word of the sentence that the request has here.
    fn say(&mut self, here: usize, place: usize, to: usize, cost: f32, id: WordId) {
        let readings = self.scan.readings[self.range.clone()].get(place);
        let reading = readings.and_then(|readings| readings.iter().find(|(reading, _)| *reading == id));
        if let Some((_, price)) = reading {
            self.reach(here, place + 1, to, cost + price, Move::Said(id));
        }
    }

    /// All that a slot can take here, or nothing.
    fn take(&mut self, here: usize, place: usize, to: usize, cost: f32, slot: u8) {
        self.leave_out(here, place, to, cost, slot);
        let kind = self.automaton.slots[usize::from(slot)].kind;
        let (scan, at, left) = (self.scan, self.range.start + place, self.range.len() - place);
        if left == 0 {
            return;
        }
        for (number, found) in scan.found[at].iter().enumerate() {
            if found.length <= left && found.kinds.has(kind) {
                let how = Move::Filled(slot, Filling::Found { at, number });
                self.reach(here, place + found.length, to, cost + found.cost, how);
            }
        }
        if kind == SlotType::Content {
            self.take_content(here, place, to, cost, slot);
        }
        let Some(free) = free(kind) else { return };
        let begins = place <= self.begin && scan.is_start(at);
        let starting = if begins { costs::STARTING } else { 0.0 };
        for length in 1..=left.min(free.most) {
            let words = at..at + length;
            let shunned = free.shuns * (scan.shunned(&words) + starting);
            let price = free.cost + free.each * small(length) + shunned;
            let how = Move::Filled(slot, Filling::Plain { from: words.start, to: words.end });
            self.reach(here, place + length, to, cost + price, how);
        }
    }

    /// Text to be written, where something says that it begins here.
    fn take_content(&mut self, here: usize, place: usize, to: usize, cost: f32, slot: u8) {
        let at = self.range.start + place;
        let Some((inner, _)) = self.scan.content[at] else { return };
        for end in inner + 1..=self.range.end {
            let price = if end == self.range.end { 0.0 } else { 0.05 };
            let how = Move::Filled(slot, Filling::Content { from: at, inner, to: end });
            self.reach(here, end - self.range.start, to, cost + price, how);
        }
    }

    fn leave_out(&mut self, here: usize, place: usize, to: usize, cost: f32, slot: u8) {
        let price = self.automaton.unfilled[usize::from(slot)];
        self.reach(here, place, to, cost + price, Move::Filled(slot, Filling::Nothing));
    }

    fn reach(&mut self, before: usize, place: usize, state: usize, cost: f32, how: Move) {
        let cell = self.cell(place, state);
        let limit = self.limit;
        let cell = &mut self.cells[cell];
        if cost < cell.cost && cost <= limit {
            *cell = Cell { cost, before: u32::try_from(before).unwrap_or(u32::MAX), how };
        }
    }

    fn cell(&self, place: usize, state: usize) -> usize {
        place * self.automaton.states() + state
    }

    fn result(&self) -> Option<Match> {
        let last = self.cells.len() - 1;
        let cost = self.cells[last].cost;
        if cost > self.limit {
            return None;
        }
        let mut found = Match { cost, ..Match::default() };
        let mut at = last;
        while at != 0 {
            let cell = self.cells[at];
            match cell.how {
                Move::Skip => found.unread.push(self.range.start + at / self.automaton.states() - 1),
                Move::Said(id) => {
                    found.said += 1;
                    found.worth += self.prices.lacking[id as usize];
                }
                Move::Filled(slot, filling) => found.fillings.push((slot, filling)),
                Move::Start | Move::Free | Move::Lacked => {}
            }
            at = cell.before as usize;
        }
        found.fillings.reverse();
        found.unread.reverse();
        Some(found)
    }
}

/// A count of words as a number to reckon with.
pub(crate) fn small(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}
