//! A sentence as an automaton without loops: its states are in the order in which words pass them.

use crate::corpus::{Node, Parts, SlotNode};
use crate::slots::SlotType;
use crate::vocabulary::{Vocabulary, WordId};

/// What an arc needs to be passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Label {
    /// Nothing.
    Free,
    /// That a word is lacking, at this cost.
    Lack(f32),
    /// What a slot takes.
    Slot(u8),
    /// Nothing: the choice that leads here was made.
    Chosen { slot: u8, choice: u8 },
    /// Nothing: no choice was made.
    Unchosen(u8),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) label: Label,
}

/// An arc that needs a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Say {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) word: WordId,
    /// Whether the word may be left out at a cost.
    may_lack: bool,
}

/// A sentence, ready to be matched.
#[derive(Debug, Default)]
pub(crate) struct Automaton {
    /// Sorted by the state that they leave.
    pub(crate) arcs: Vec<Arc>,
    /// Where each state's arcs begin in `arcs`, and their end.
    first: Vec<u32>,
    /// The arcs that need words, sorted in the same way.
    pub(crate) says: Vec<Say>,
    pub(crate) slots: Vec<SlotNode>,
    /// What it costs to leave each slot unfilled.
    pub(crate) unfilled: Vec<f32>,
}

/// The most states of a sentence; the parser's limits keep far below.
pub(crate) const MAX_STATES: u16 = 4000;

/// The most slots of a sentence.
pub(crate) const MAX_SLOTS: usize = 255;

impl Automaton {
    /// The automaton of a sentence; `lacking` tells what it costs to leave a word out. The corpus has
    /// made sure that there are no more states and slots than these numbers hold.
    pub(crate) fn new(
        parts: &Parts,
        vocabulary: &Vocabulary,
        unfilled: impl Fn(&str) -> f32,
        lacking: impl Fn(WordId) -> f32,
    ) -> Self {
        let mut builder =
            Builder { vocabulary, states: 1, arcs: Vec::new(), says: Vec::with_capacity(128), slots: Vec::new() };
        builder.parts(parts, 0);
        let states = builder.renumber();
        let Builder { mut arcs, mut says, slots, .. } = builder;
        says.sort_by_key(|say| say.from);
        // Of words that stand for each other, the cheapest counts.
        let mut lacks: Vec<Arc> = Vec::new();
        for say in says.iter().filter(|say| say.may_lack) {
            let cost = lacking(say.word);
            let same = lacks.iter_mut().rev().take_while(|arc| arc.from == say.from).find(|arc| arc.to == say.to);
            match same {
                Some(Arc { label: Label::Lack(least), .. }) => *least = least.min(cost),
                _ => lacks.push(Arc { from: say.from, to: say.to, label: Label::Lack(cost) }),
            }
        }
        lacks.append(&mut arcs);
        lacks.sort_by_key(|arc| arc.from);
        let first = first_of(&lacks, states);
        let unfilled = slots.iter().map(|slot| unfilled(&slot.name)).collect();
        says.shrink_to_fit();
        Self { arcs: lacks, first, says, slots, unfilled }
    }

    pub(crate) fn states(&self) -> usize {
        self.first.len() - 1
    }

    pub(crate) fn arcs_of(&self, state: usize) -> &[Arc] {
        &self.arcs[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

/// Where each state's arcs begin among those sorted by the state that they leave; one more for the end.
fn first_of(arcs: &[Arc], states: usize) -> Vec<u32> {
    let mut first = vec![0_u32; states + 1];
    arcs.iter().for_each(|arc| first[usize::from(arc.from) + 1] += 1);
    for state in 0..states {
        first[state + 1] += first[state];
    }
    first
}

struct Builder<'a> {
    vocabulary: &'a Vocabulary,
    states: u16,
    arcs: Vec<Arc>,
    says: Vec<Say>,
    slots: Vec<SlotNode>,
}

impl Builder<'_> {
    /// Adds the parts after that state; gives the state after them.
    fn parts(&mut self, parts: &Parts, mut from: u16) -> u16 {
        for part in parts {
            from = match part {
                Node::Word(id) => self.word(*id, true, from),
                Node::Shared(shared) => self.parts(shared, from),
                Node::Slot(slot) => self.slot(slot, from),
                Node::OneOf(ways) => self.ways(ways, from, false),
                Node::Perhaps(ways) => self.ways(ways, from, true),
                Node::Phrase(_) => from,
            };
        }
        from
    }

    fn word(&mut self, word: WordId, may_lack: bool, from: u16) -> u16 {
        let to = self.state();
        self.says.push(Say { from, to, word, may_lack });
        to
    }

    /// One of these: they all lead to the same state.
    fn ways(&mut self, ways: &[Parts], from: u16, or_none: bool) -> u16 {
        let (arcs, says) = (self.arcs.len(), self.says.len());
        let ends = ways.iter().map(|way| self.parts(way, from)).collect::<Vec<_>>();
        let to = self.state();
        let is_end = |state: u16| state != from && ends.contains(&state);
        self.arcs[arcs..].iter_mut().filter(|arc| is_end(arc.to)).for_each(|arc| arc.to = to);
        self.says[says..].iter_mut().filter(|say| is_end(say.to)).for_each(|say| say.to = to);
        if or_none || ends.contains(&from) {
            self.arcs.push(Arc { from, to, label: Label::Free });
        }
        to
    }

    fn slot(&mut self, slot: &SlotNode, from: u16) -> u16 {
        let number = u8::try_from(self.slots.len()).unwrap_or(u8::MAX);
        self.slots.push(slot.clone());
        if slot.kind != SlotType::Choice {
            let to = self.state();
            self.arcs.push(Arc { from, to, label: Label::Slot(number) });
            return to;
        }
        let mut ends = Vec::new();
        for (choice, (said, _)) in (0_u8..=u8::MAX).zip(&slot.choices) {
            let mut end = from;
            for word in said.split_whitespace() {
                let id = self.vocabulary.id(word).unwrap_or_default();
                end = self.word(id, false, end);
            }
            ends.push((end, choice));
        }
        let to = self.state();
        let chosen = |(from, choice)| Arc { from, to, label: Label::Chosen { slot: number, choice } };
        self.arcs.extend(ends.into_iter().map(chosen));
        self.arcs.push(Arc { from, to, label: Label::Unchosen(number) });
        to
    }

    /// Takes away the numbers of states that nothing leads to; gives how many are left.
    fn renumber(&mut self) -> usize {
        let mut is_used = vec![false; usize::from(self.states)];
        is_used[0] = true;
        let targets = self.arcs.iter().map(|arc| arc.to).chain(self.says.iter().map(|say| say.to));
        targets.for_each(|to| is_used[usize::from(to)] = true);
        let mut numbers = vec![0_u16; is_used.len()];
        let mut next = 0;
        for (number, is_used) in numbers.iter_mut().zip(is_used) {
            *number = next;
            next += u16::from(is_used);
        }
        let ends = self.arcs.iter_mut().map(|arc| (&mut arc.from, &mut arc.to));
        for (from, to) in ends.chain(self.says.iter_mut().map(|say| (&mut say.from, &mut say.to))) {
            (*from, *to) = (numbers[usize::from(*from)], numbers[usize::from(*to)]);
        }
        usize::from(next)
    }

    fn state(&mut self) -> u16 {
        let state = self.states;
        self.states += 1;
        state
    }
}
