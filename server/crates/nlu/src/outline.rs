//! What the shortlist must know of a sentence. It is found without making the automaton, which few sentences ever need.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::corpus::{Node, Parts, SlotNode};
use crate::lexicon::{Lexicon, Weight};
use crate::slots::SlotType;
use crate::vocabulary::{Vocabulary, WordId};

/// What is in a sentence or a phrase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// All its words, perhaps more than once.
    pub(crate) words: Vec<WordId>,
    /// The words that it can begin with.
    pub(crate) starts: Vec<WordId>,
    /// The types of its slots.
    pub(crate) kinds: Vec<SlotType>,
    /// How many states its automaton has at most.
    pub(crate) states: usize,
    /// What it costs to have none of its words, as it is reckoned: operands, then what is done with them.
    lacks: Vec<Lack>,
}

#[derive(Clone, Copy, Debug)]
enum Lack {
    /// What the word costs.
    Word(WordId),
    /// The sum, or the least, of so many before it.
    Sum(u16),
    Least(u16),
}

impl Outline {
    fn add_word(&mut self, word: WordId, begins: bool) {
        self.words.push(word);
        self.states += 1;
        if begins {
            self.starts.push(word);
        }
    }

    /// What it costs at least to have none of its words, where slots cost nothing.
    pub(crate) fn cheapest(&self, lacking: impl Fn(WordId) -> f32) -> f32 {
        let mut stack: Vec<f32> = Vec::new();
        for lack in &self.lacks {
            let value = match lack {
                Lack::Word(id) => lacking(*id),
                Lack::Sum(count) => stack.drain(stack.len().saturating_sub(usize::from(*count))..).sum(),
                Lack::Least(count) => {
                    stack.drain(stack.len().saturating_sub(usize::from(*count))..).fold(f32::INFINITY, f32::min)
                }
            };
            stack.push(value);
        }
        stack.iter().sum()
    }
}

/// A phrase that sentences share: its outline, whether one may begin behind it, how many operands are left of it.
struct Phrase {
    outline: Outline,
    skips: bool,
    left: usize,
}

/// Outlines sentences; each phrase that they share is looked at once.
#[derive(Default)]
pub(crate) struct Outliner {
    phrases: HashMap<*const Parts, Rc<Phrase>>,
}

impl Outliner {
    /// The outline of these parts. The words of their choices are in the vocabulary then.
    pub(crate) fn outline(&mut self, parts: &Parts, vocabulary: &mut Vocabulary, lexicon: &Lexicon) -> Outline {
        let mut outline = Outline { states: 1, ..Outline::default() };
        Outlining { phrases: &mut self.phrases, vocabulary, lexicon }.parts(parts, &mut outline, true);
        outline.words.sort_unstable();
        outline.words.dedup();
        outline
    }
}

struct Outlining<'o> {
    phrases: &'o mut HashMap<*const Parts, Rc<Phrase>>,
    vocabulary: &'o mut Vocabulary,
    lexicon: &'o Lexicon,
}

impl Outlining<'_> {
    /// Adds parts that the sentence may begin with if it `begins`: whether it may begin with what follows them, and how many
    /// operands they are.
    fn parts(&mut self, parts: &Parts, outline: &mut Outline, mut begins: bool) -> (bool, usize) {
        let mut operands = 0;
        for part in parts {
            begins = match part {
                Node::Word(id) => {
                    outline.add_word(*id, begins);
                    outline.lacks.push(Lack::Word(*id));
                    operands += 1;
                    begins && self.may_lack(*id)
                }
                Node::Slot(slot) => self.slot(slot, outline, begins),
                Node::OneOf(ways) => {
                    operands += 1;
                    self.ways(ways, outline, begins)
                }
                Node::Perhaps(ways) => {
                    let lacks = outline.lacks.len();
                    self.ways(ways, outline, begins);
                    outline.lacks.truncate(lacks);
                    begins
                }
                Node::Shared(shared) => {
                    let phrase = self.phrase(shared);
                    let other = &phrase.outline;
                    outline.words.extend(&other.words);
                    outline.kinds.extend(&other.kinds);
                    outline.lacks.extend(&other.lacks);
                    outline.states += other.states;
                    operands += phrase.left;
                    if begins {
                        outline.starts.extend(&other.starts);
                    }
                    begins && phrase.skips
                }
                Node::Phrase(_) => false,
            };
        }
        (begins, operands)
    }

    fn phrase(&mut self, shared: &Arc<Parts>) -> Rc<Phrase> {
        let at = Arc::as_ptr(shared);
        if let Some(known) = self.phrases.get(&at) {
            return Rc::clone(known);
        }
        let mut outline = Outline::default();
        let (skips, left) = self.parts(shared, &mut outline, true);
        let phrase = Rc::new(Phrase { outline, skips, left });
        self.phrases.insert(at, Rc::clone(&phrase));
        phrase
    }

    /// One of these: one operand.
    fn ways(&mut self, ways: &[Parts], outline: &mut Outline, begins: bool) -> bool {
        outline.states += 1;
        let mut any = false;
        for way in ways {
            let (behind, operands) = self.parts(way, outline, begins);
            any |= behind;
            if operands != 1 {
                outline.lacks.push(Lack::Sum(count(operands)));
            }
        }
        outline.lacks.push(Lack::Least(count(ways.len())));
        any
    }

    fn slot(&mut self, slot: &SlotNode, outline: &mut Outline, begins: bool) -> bool {
        outline.kinds.push(slot.kind);
        outline.states += 1;
        for (said, _) in &slot.choices {
            let mut begins = begins;
            for word in said.split_whitespace() {
                let id = self.vocabulary.add(word, self.lexicon);
                outline.add_word(id, begins);
                begins &= self.may_lack(id);
            }
        }
        begins && slot.kind == SlotType::Choice
    }

    fn may_lack(&self, word: WordId) -> bool {
        self.vocabulary.word(word).weight != Weight::Plain
    }
}

fn count(operands: usize) -> u16 {
    u16::try_from(operands).unwrap_or(u16::MAX)
}
