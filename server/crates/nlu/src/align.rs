//! The cheapest way to read some words as a sentence.
//!
//! The sentence's automaton has no loops, so one pass over tokens and states finds it. The work is bounded by tokens times
//! arcs times what begins at a token, each of which has a limit; what cannot lead to a reading within the limit is passed over.

use std::ops::Range;

use crate::automaton::{Automaton, Label};
use crate::costs;
use crate::free::free;
use crate::kinds::Kinds;
use crate::lexicon::Weight;
use crate::scan::Scan;
use crate::slots::SlotType;
use crate::vocabulary::WordId;

/// What the words cost for one intent.
pub(crate) struct Prices<'a> {
    /// Leaving each token of the clause unread.
    pub(crate) unread: &'a [f32],
    /// Each word of sentences that is lacking.
    pub(crate) lacking: &'a [f32],
    /// What each token of the clause costs at least, whatever part it has.
    pub(crate) least: &'a [f32],
}

/// What a slot took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Filling {
    /// What was found at that token, and its number there.
    Found { at: u16, number: u16 },
    /// Plain words.
    Plain { from: u16, to: u16 },
    /// Text to be written: its words begin at `inner`.
    Content { from: u16, inner: u16, to: u16 },
    /// One of the sentence's words.
    Choice(u8),
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

/// How a cell was reached, and from which.
#[derive(Clone, Copy)]
struct Way {
    before: u32,
    how: Move,
}

/// Sums of costs differ by their order; by so much a bound may be wrong.
const SLACK: f32 = 0.001;

/// The tables, kept from sentence to sentence.
#[derive(Default)]
pub(crate) struct Aligner {
    words: Readings,
    /// The types of what the clause names.
    present: Kinds,
    /// What each cell costs, by place and then by state, and how it was reached.
    costs: Vec<f32>,
    ways: Vec<Way>,
    /// What it costs at least to go on to the end: from each place, and from each state.
    ahead: Vec<f32>,
    rest: Vec<f32>,
    /// The arcs of the sentence whose words the clause has, from the last state to the first, and how many there are with
    /// those of each state.
    said: Vec<Said>,
    first_said: Vec<usize>,
}

/// An arc whose word the clause has.
#[derive(Clone, Copy)]
struct Said {
    to: u16,
    /// The row of the word's prices.
    row: u16,
    word: WordId,
}

impl Aligner {
    /// Makes ready for these tokens, of which the sentences have `words` words.
    pub(crate) fn prepare(&mut self, scan: &Scan, range: &Range<usize>, words: usize) {
        self.words.note(&scan.readings[range.clone()], words);
        self.present = scan.kinds(range);
    }

    /// The cheapest reading of the tokens that it was made ready for, if it costs at most `limit`.
    pub(crate) fn align(
        &mut self,
        scan: &Scan,
        range: &Range<usize>,
        automaton: &Automaton,
        prices: &Prices,
        limit: f32,
    ) -> Option<Match> {
        self.look_ahead(automaton, prices);
        if self.ahead[0] + self.rest[0] > limit + SLACK {
            return None;
        }
        let begin = prices.unread.iter().take_while(|unread| **unread <= costs::SLIGHT).count();
        let mut pass = Pass { scan, range, automaton, prices, tables: self, begin, limit };
        pass.fill();
        pass.result()
    }

    /// What it costs at least to go on. The tokens and the sentence's parts are paid for apart from each other, so that both
    /// sums hold together.
    fn look_ahead(&mut self, automaton: &Automaton, prices: &Prices) {
        self.ahead.clear();
        self.ahead.resize(prices.least.len() + 1, 0.0);
        for place in (0..prices.least.len()).rev() {
            self.ahead[place] = self.ahead[place + 1] + prices.least[place];
        }
        let states = automaton.states();
        self.rest.clear();
        self.rest.resize(states, f32::INFINITY);
        self.rest[states - 1] = 0.0;
        self.said.clear();
        self.first_said.clear();
        self.first_said.resize(states + 1, 0);
        let mut says = automaton.says.iter().rev().peekable();
        for state in (0..states).rev() {
            let mut least = self.rest[state];
            while let Some(say) = says.next_if(|say| usize::from(say.from) == state) {
                let row = self.words.row_of[say.word as usize];
                if row != 0 {
                    self.said.push(Said { to: say.to, row, word: say.word });
                    least = least.min(self.rest[usize::from(say.to)]);
                }
            }
            for arc in automaton.arcs_of(state) {
                let step = match arc.label {
                    Label::Free | Label::Chosen { .. } => 0.0,
                    Label::Lack(cost) => cost,
                    Label::Slot(slot) => self.filled(automaton, slot),
                    Label::Unchosen(slot) => automaton.unfilled[usize::from(slot)],
                };
                least = least.min(step + self.rest[usize::from(arc.to)]);
            }
            self.rest[state] = least;
            self.first_said[state] = self.said.len();
        }
    }

    /// What a slot costs at least, the words that it takes apart.
    fn filled(&self, automaton: &Automaton, slot: u8) -> f32 {
        let kind = automaton.slots[usize::from(slot)].kind;
        if self.present.has(kind) {
            return 0.0;
        }
        let plain = free(kind).map_or(f32::INFINITY, |free| free.cost);
        automaton.unfilled[usize::from(slot)].min(plain)
    }
}

/// What reading each token as a word of sentences costs.
#[derive(Default)]
struct Readings {
    /// Which row each word has, and 0 if no token reads as it.
    row_of: Vec<u16>,
    /// By row and then by place; the first row is of no word.
    prices: Vec<f32>,
    noted: Vec<WordId>,
    places: usize,
}

impl Readings {
    fn note(&mut self, readings: &[Vec<(WordId, f32)>], words: usize) {
        self.noted.drain(..).for_each(|id| self.row_of[id as usize] = 0);
        self.row_of.resize(words, 0);
        self.places = readings.len() + 1;
        self.prices.clear();
        self.prices.resize(self.places, f32::INFINITY);
        for (place, readings) in readings.iter().enumerate() {
            for (id, price) in readings {
                if self.row_of[*id as usize] == 0 {
                    self.noted.push(*id);
                    self.row_of[*id as usize] = narrow(self.noted.len());
                    self.prices.resize(self.prices.len() + self.places, f32::INFINITY);
                }
                self.prices[usize::from(self.row_of[*id as usize]) * self.places + place] = *price;
            }
        }
    }

    /// What reading the token there as the word of that row costs; infinity if it cannot be that, or there is no more.
    fn price(&self, row: u16, place: usize) -> f32 {
        self.prices[usize::from(row) * self.places + place]
    }
}

struct Pass<'a> {
    scan: &'a Scan<'a>,
    range: &'a Range<usize>,
    automaton: &'a Automaton,
    prices: &'a Prices<'a>,
    tables: &'a mut Aligner,
    /// The place where the request begins, after what introduces it.
    begin: usize,
    limit: f32,
}

impl Pass<'_> {
    fn fill(&mut self) {
        let states = self.automaton.states();
        let cells = (self.range.len() + 1) * states;
        self.tables.costs.clear();
        self.tables.costs.resize(cells, f32::INFINITY);
        if self.tables.ways.len() < cells {
            self.tables.ways.resize(cells, Way { before: 0, how: Move::Start });
        }
        self.tables.costs[0] = 0.0;
        self.tables.ways[0] = Way { before: 0, how: Move::Start };
        for place in 0..=self.range.len() {
            let most = self.limit + SLACK - self.tables.ahead[place];
            for state in 0..states {
                let cost = self.tables.costs[place * states + state];
                if cost + self.tables.rest[state] <= most {
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
                Label::Lack(price) => self.reach(here, place, to, cost + price, Move::Lacked),
                Label::Slot(slot) => self.take(here, place, to, cost, slot),
                Label::Chosen { slot, choice } => {
                    self.reach(here, place, to, cost, Move::Filled(slot, Filling::Choice(choice)));
                }
                Label::Unchosen(slot) => self.leave_out(here, place, to, cost, slot),
            }
        }
        for said in (self.tables.first_said[state + 1]..self.tables.first_said[state]).rev() {
            let Said { to, row, word } = self.tables.said[said];
            let price = self.tables.words.price(row, place);
            if price < f32::INFINITY {
                self.reach(here, place + 1, usize::from(to), cost + price, Move::Said(word));
            }
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
                let how = Move::Filled(slot, Filling::Found { at: narrow(at), number: narrow(number) });
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
            let articles = words.clone().skip(1).filter(|at| scan.weights[*at] == Weight::Filler).count();
            let price = free.cost + free.each * small(length) + shunned + free.divided * small(articles);
            let how = Move::Filled(slot, Filling::Plain { from: narrow(words.start), to: narrow(words.end) });
            self.reach(here, place + length, to, cost + price, how);
        }
    }

    /// Text to be written, where something says that it begins here.
    fn take_content(&mut self, here: usize, place: usize, to: usize, cost: f32, slot: u8) {
        let at = self.range.start + place;
        let Some((inner, _)) = self.scan.content[at] else { return };
        for end in inner + 1..=self.range.end {
            let price = if end == self.range.end { 0.0 } else { 0.05 };
            let filling = Filling::Content { from: narrow(at), inner: narrow(inner), to: narrow(end) };
            self.reach(here, end - self.range.start, to, cost + price, Move::Filled(slot, filling));
        }
    }

    fn leave_out(&mut self, here: usize, place: usize, to: usize, cost: f32, slot: u8) {
        let price = self.automaton.unfilled[usize::from(slot)];
        self.reach(here, place, to, cost + price, Move::Filled(slot, Filling::Nothing));
    }

    fn reach(&mut self, before: usize, place: usize, state: usize, cost: f32, how: Move) {
        let cell = self.cell(place, state);
        let best = &mut self.tables.costs[cell];
        if cost < *best && cost <= self.limit {
            *best = cost;
            self.tables.ways[cell] = Way { before: u32::try_from(before).unwrap_or(u32::MAX), how };
        }
    }

    fn cell(&self, place: usize, state: usize) -> usize {
        place * self.automaton.states() + state
    }

    fn result(&self) -> Option<Match> {
        let last = self.tables.costs.len() - 1;
        let cost = self.tables.costs[last];
        if cost > self.limit {
            return None;
        }
        let mut found = Match { cost, ..Match::default() };
        let mut at = last;
        while at != 0 {
            let way = self.tables.ways[at];
            match way.how {
                Move::Skip => found.unread.push(self.range.start + at / self.automaton.states() - 1),
                Move::Said(id) => {
                    found.said += 1;
                    found.worth += self.prices.lacking[id as usize];
                }
                Move::Filled(slot, filling) => found.fillings.push((slot, filling)),
                Move::Start | Move::Free | Move::Lacked => {}
            }
            at = way.before as usize;
        }
        found.fillings.reverse();
        found.unread.reverse();
        Some(found)
    }
}

/// A count of words as a number to reckon with.
pub(crate) fn small(count: usize) -> f32 {
    f32::from(narrow(count))
}

/// A count of words in fewer bits: a text has far less than they hold.
pub(crate) fn narrow(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
