//! A sentence as an automaton without loops: its states are in the order in which words pass them.

use crate::corpus::{Node, Parts, SlotNode};
use crate::lexicon::Lexicon;
use crate::slots::SlotType;
use crate::vocabulary::{Vocabulary, WordId};

/// What an arc needs to be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing.
    Free,
    /// A word, which may be left out at a cost.
    Word(WordId),
    /// A word of a choice, which may not.
    Strict(WordId),
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

/// A sentence, ready to be matched.
#[derive(Debug, Default)]
pub(crate) struct Automaton {
    /// Sorted by the state that they leave.
    pub(crate) arcs: Vec<Arc>,
    /// Where each state's arcs begin in `arcs`, and their end.
    pub(crate) first: Vec<u32>,
    pub(crate) slots: Vec<SlotNode>,
    /// What it costs to leave each slot unfilled.
    pub(crate) unfilled: Vec<f32>,
}

/// The most states of a sentence; the parser's limits keep far below.
const MAX_STATES: u16 = 4000;

impl Automaton {
    /// # Errors
    /// What makes the sentence too large.
    pub(crate) fn new(
        parts: &Parts,
        vocabulary: &mut Vocabulary,
        lexicon: &Lexicon,
        unfilled: impl Fn(&str) -> f32,
    ) -> Result<Self, String> {
        let mut builder = Builder { vocabulary, lexicon, states: 1, arcs: Vec::with_capacity(128), slots: Vec::new() };
        let last = builder.parts(parts, 0)?;
        let Builder { arcs, slots, .. } = builder;
        let (arcs, first) = by_state(&arcs, usize::from(last) + 1);
        let unfilled = slots.iter().map(|slot| unfilled(&slot.name)).collect();
        Ok(Self { arcs, first, slots, unfilled })
    }

    pub(crate) fn states(&self) -> usize {
        self.first.len() - 1
    }

    pub(crate) fn arcs_of(&self, state: usize) -> &[Arc] {
        &self.arcs[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// The words that it has anywhere.
    pub(crate) fn words(&self) -> impl Iterator<Item = WordId> {
        self.arcs.iter().filter_map(|arc| match arc.label {
            Label::Word(id) | Label::Strict(id) => Some(id),
            _ => None,
        })
    }

    /// The words that it can begin with, if those that `may_lack` says can be left out are.
    pub(crate) fn starts(&self, may_lack: impl Fn(WordId) -> bool) -> Vec<WordId> {
        let mut reached = vec![false; self.states()];
        reached[0] = true;
        let mut starts = Vec::new();
        for arc in &self.arcs {
            if !reached[usize::from(arc.from)] {
                continue;
            }
            match arc.label {
                Label::Word(id) | Label::Strict(id) => {
                    starts.push(id);
                    reached[usize::from(arc.to)] |= may_lack(id);
                }
                Label::Free | Label::Chosen { .. } | Label::Unchosen(_) => reached[usize::from(arc.to)] = true,
                Label::Slot(_) => {}
            }
        }
        starts
    }

    /// The cheapest way through it with no words at all, where `lacking` is what a word costs and `slot` what a slot does.
    pub(crate) fn cheapest(&self, lacking: impl Fn(WordId) -> f32, slot: impl Fn(&SlotNode) -> f32) -> f32 {
        let mut costs = vec![f32::INFINITY; self.states()];
        costs[0] = 0.0;
        for arc in &self.arcs {
            let step = match arc.label {
                Label::Free | Label::Chosen { .. } => 0.0,
                Label::Word(id) => lacking(id),
                Label::Strict(_) => f32::INFINITY,
                Label::Slot(number) | Label::Unchosen(number) => slot(&self.slots[usize::from(number)]),
            };
            let cost = costs[usize::from(arc.from)] + step;
            let to = &mut costs[usize::from(arc.to)];
            *to = to.min(cost);
        }
        costs.last().copied().unwrap_or_default()
    }
}

/// The arcs sorted by the state that they leave, and where each state's begin; one more for the end.
fn by_state(arcs: &[Arc], states: usize) -> (Vec<Arc>, Vec<u32>) {
    let mut first = vec![0_u32; states + 1];
    arcs.iter().for_each(|arc| first[usize::from(arc.from) + 1] += 1);
    for state in 0..states {
        first[state + 1] += first[state];
    }
    let mut next = first.clone();
    let mut sorted = arcs.to_vec();
    for arc in arcs {
        let place = &mut next[usize::from(arc.from)];
        sorted[*place as usize] = *arc;
        *place += 1;
    }
    (sorted, first)
}

struct Builder<'a> {
    vocabulary: &'a mut Vocabulary,
    lexicon: &'a Lexicon,
    states: u16,
    arcs: Vec<Arc>,
    slots: Vec<SlotNode>,
}

impl Builder<'_> {
    /// Adds the parts after that state; gives the state after them.
    fn parts(&mut self, parts: &Parts, mut from: u16) -> Result<u16, String> {
        for part in parts {
            from = match part {
                Node::Word(id) => self.word(Label::Word(*id), from)?,
                Node::Shared(shared) => self.parts(shared, from)?,
                Node::Slot(slot) => self.slot(slot, from)?,
                Node::OneOf(ways) => self.ways(ways, from, false)?,
                Node::Perhaps(ways) => self.ways(ways, from, true)?,
                Node::Phrase(name) => return Err(format!("the phrase <{name}> was not put in")),
            };
        }
        Ok(from)
    }

    fn word(&mut self, label: Label, from: u16) -> Result<u16, String> {
        let to = self.state()?;
        self.arcs.push(Arc { from, to, label });
        Ok(to)
    }

    fn ways(&mut self, ways: &[Parts], from: u16, or_none: bool) -> Result<u16, String> {
        let ends = ways.iter().map(|way| self.parts(way, from)).collect::<Result<Vec<_>, _>>()?;
        let to = self.state()?;
        let none = or_none.then_some(from);
        self.arcs.extend(ends.into_iter().chain(none).map(|end| Arc { from: end, to, label: Label::Free }));
        Ok(to)
    }

    fn slot(&mut self, slot: &SlotNode, from: u16) -> Result<u16, String> {
        let number = u8::try_from(self.slots.len()).map_err(|_| "it has too many slots".to_owned())?;
        self.slots.push(slot.clone());
        if slot.kind != SlotType::Choice {
            let to = self.state()?;
            self.arcs.push(Arc { from, to, label: Label::Slot(number) });
            return Ok(to);
        }
        let mut ends = Vec::new();
        for (choice, (said, _)) in (0_u8..=u8::MAX).zip(&slot.choices) {
            let mut end = from;
            for word in said.split_whitespace() {
                let id = self.vocabulary.add(word, self.lexicon);
                end = self.word(Label::Strict(id), end)?;
            }
            ends.push((end, choice));
        }
        let to = self.state()?;
        let chosen = |(from, choice)| Arc { from, to, label: Label::Chosen { slot: number, choice } };
        self.arcs.extend(ends.into_iter().map(chosen));
        self.arcs.push(Arc { from, to, label: Label::Unchosen(number) });
        Ok(to)
    }

    fn state(&mut self) -> Result<u16, String> {
        let state = self.states;
        self.states += 1;
        if state > MAX_STATES {
            return Err(format!("it has more than {MAX_STATES} parts with its phrases put in; make it two sentences"));
        }
        Ok(state)
    }
}
