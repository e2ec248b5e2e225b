//! Texts that a sentence stands for, to try the sentences on each other.

use super::template::{Node, Parts, SlotNode};
use crate::slots::SlotType;
use crate::vocabulary::Vocabulary;

/// One of the texts: `choose` picks one of that many ways, `fill` what stands for a slot.
pub(crate) fn sample(
    parts: &Parts,
    vocabulary: &Vocabulary,
    choose: &mut dyn FnMut(usize) -> usize,
    fill: &dyn Fn(SlotType) -> String,
) -> String {
    let mut sampler = Sampler { vocabulary, choose, fill, words: Vec::new() };
    sampler.walk(parts);
    sampler.words.join(" ")
}

struct Sampler<'a> {
    vocabulary: &'a Vocabulary,
    choose: &'a mut dyn FnMut(usize) -> usize,
    fill: &'a dyn Fn(SlotType) -> String,
    words: Vec<String>,
}

impl Sampler<'_> {
    fn walk(&mut self, parts: &Parts) {
        for part in parts {
            match part {
                Node::Word(id) => self.words.push(self.vocabulary.word(*id).text.clone()),
                Node::Slot(SlotNode { kind: SlotType::Choice, choices, .. }) => {
                    let choice = choices.get((self.choose)(choices.len().max(1)));
                    self.words.extend(choice.map(|(said, _)| said.clone()));
                }
                Node::Slot(slot) => self.words.push((self.fill)(slot.kind)),
                Node::OneOf(ways) => {
                    let way = (self.choose)(ways.len());
                    self.walk(&ways[way]);
                }
                Node::Perhaps(ways) => {
                    if let Some(way) = ways.get((self.choose)(ways.len() + 1)) {
                        self.walk(way);
                    }
                }
                Node::Shared(shared) => self.walk(shared),
                Node::Phrase(_) => {}
            }
        }
    }
}
