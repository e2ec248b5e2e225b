//! What some words of a text may mean: the sentences near them, read in full.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::align::{Filling, Match, Prices, small};
use crate::automaton::Automaton;
use crate::corpus::{Corpus, Intent, Risk, Sentence};
use crate::costs;
use crate::kinds::Kinds;
use crate::lexicon::Weight;
use crate::outline::Outline;
use crate::scan::Scan;
use crate::shortlist::{self, Near, Shortlist, Words};
use crate::slots::{Given, SlotType, SlotValue, Slots};
use crate::text::Kind;
use crate::vocabulary::{Word, WordId};
use crate::workbench::{Workbench, Workbenches};

/// One meaning of a clause.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What is asked for.
    pub intent: Arc<Intent>,
    /// What was said for its slots.
    pub slots: Slots,
    /// The cost: 0 is a sentence as it stands in the data. Each of the missing slots is 1 of it.
    pub score: f32,
    /// The required slots that were not said.
    pub missing: Vec<String>,
    /// The words that have no part in this meaning, fillers left out.
    pub unread: Vec<String>,
    /// The number of the sentence in the intent.
    pub sentence: usize,
    /// How many words the sentence and the request share.
    pub said: usize,
}

/// The sentences, ready to be read.
pub(crate) struct Reader {
    /// Those of the sentences that were read in full so far.
    automata: Vec<OnceLock<Box<Automaton>>>,
    shortlist: Shortlist,
    /// What each word costs where the request lacks it.
    lacking: Vec<f32>,
    /// Whether the sentences of each intent that take plain words need words that hold them.
    is_open: Vec<bool>,
    pub(crate) benches: Workbenches,
}

impl Reader {
    pub(crate) fn new(corpus: &mut Corpus, outlines: Vec<Outline>) -> Self {
        let rarity = rarity(corpus, &outlines);
        let starts = outlines.iter().flat_map(|outline| &outline.starts).copied();
        corpus.vocabulary.note_uses(&rarity, starts);
        let words = corpus.vocabulary.words();
        let lacking: Vec<_> = words.map(|word| costs::lacking(word.weight, word.rarity)).collect();
        let mut shortlist = Shortlist::default();
        for (sentence, outline) in corpus.sentences.iter().zip(outlines) {
            let intent = u32::try_from(sentence.intent).unwrap_or(u32::MAX);
            let cheapest = outline.cheapest(|id| lacking[id as usize]);
            shortlist.add(intent, &outline, &sentence.needs, cheapest);
        }
        let automata = corpus.sentences.iter().map(|_| OnceLock::new()).collect();
        let is_open = corpus.intents.iter().map(|intent| corpus.lexicon.lists("open-topics", &intent.topic)).collect();
        Self { automata, shortlist, lacking, is_open, benches: Workbenches::default() }
    }

    /// The automaton of a sentence, made when it is first needed.
    fn automaton(&self, corpus: &Corpus, number: usize) -> &Automaton {
        let make = || {
            let sentence = &corpus.sentences[number];
            let intent = &corpus.intents[sentence.intent];
            let unfilled = |slot: &str| if intent.has_otherwise(slot) { costs::LEFT_OUT } else { costs::MISSING };
            let lacking = |id: WordId| self.lacking[id as usize];
            let parts = corpus.parts(sentence).unwrap_or_default();
            Box::new(Automaton::new(&parts, &corpus.vocabulary, unfilled, lacking))
        };
        self.automata[number].get_or_init(make)
    }

    /// What reading these tokens costs at least.
    pub(crate) fn least(&self, scan: &Scan, range: &Range<usize>, bench: &mut Workbench) -> f32 {
        let clause = Words::new(scan, range, unread(scan, range));
        self.nearest(&clause, 1, bench).first().map_or(f32::INFINITY, |near| near.least)
    }

    /// What these tokens may mean, best first, one for each intent.
    pub(crate) fn candidates(
        &self,
        corpus: &Corpus,
        scan: &Scan,
        range: &Range<usize>,
        bench: &mut Workbench,
        left_out: Option<&(String, usize)>,
    ) -> Vec<Candidate> {
        /// The most meanings that are told.
        const MOST: usize = 8;
        let clause = Words::new(scan, range, unread(scan, range));
        let question = scan.question(range);
        let nearest = self.nearest(&clause, shortlist::MOST, bench);
        bench.aligner.prepare(scan, range, self.lacking.len());
        let mut best: Vec<(usize, f32, Match, &Sentence)> = Vec::new();
        let mut limit = costs::MOST;
        for near in nearest {
            if near.least > limit {
                break;
            }
            let sentence = &corpus.sentences[near.number as usize];
            if left_out.is_some_and(|(intent, left_out)| {
                corpus.intents[sentence.intent].name == *intent && sentence.number == *left_out
            }) {
                continue;
            }
            let automaton = self.automaton(corpus, near.number as usize);
            let own = bench.shared.own(u32::try_from(sentence.intent).unwrap_or(u32::MAX));
            let unread = unless_own(scan, range, &clause.unread, own);
            let intent = &corpus.intents[sentence.intent];
            self.shortlist.by_place(&near, &clause, &unread, &mut bench.least);
            let prices = Prices { unread: &unread, lacking: &self.lacking, least: &bench.least };
            let Some(found) = bench.aligner.align(scan, range, automaton, &prices, limit) else { continue };
            let anchoring = if self.is_open[sentence.intent] { 0.0 } else { unanchored(&found) };
            let asked = question.is_some_and(|at| intent.risk >= Risk::Write && found.unread.contains(&at));
            let asked = if asked { costs::ASKED } else { 0.0 };
            let cost = found.cost + hidden(intent, automaton, &found) + anchoring + asked;
            limit = limit.min(cost + costs::FARTHER);
            match best.iter_mut().find(|(intent, ..)| *intent == sentence.intent) {
                Some(before) if before.1 <= cost => {}
                Some(before) => *before = (sentence.intent, cost, found, sentence),
                None => best.push((sentence.intent, cost, found, sentence)),
            }
        }
        best.sort_by(|left, right| left.1.total_cmp(&right.1).then(right.2.said.cmp(&left.2.said)));
        best.truncate(MOST);
        let number = |sentence: &Sentence| corpus.position(sentence);
        best.into_iter()
            .map(|(intent, cost, found, sentence)| {
                let automaton = self.automaton(corpus, number(sentence));
                candidate(&corpus.intents[intent], automaton, scan, cost, &found, sentence)
            })
            .collect()
    }

    fn nearest(&self, clause: &Words, most: usize, bench: &mut Workbench) -> Vec<Near> {
        self.shortlist.nearest(clause, most, &mut bench.shared, |id| self.lacking[id as usize])
    }
}

/// How rare each word is: 1 for a word of one intent, 0 for one of all.
fn rarity(corpus: &Corpus, outlines: &[Outline]) -> Vec<f32> {
    let vocabulary = &corpus.vocabulary;
    let mut intents = vec![0_u32; vocabulary.len()];
    let mut last = vec![usize::MAX; vocabulary.len()];
    for (sentence, outline) in corpus.sentences.iter().zip(outlines) {
        for id in &outline.words {
            let stem = vocabulary.word(*id).stem as usize;
            if std::mem::replace(&mut last[stem], sentence.intent) != sentence.intent {
                intents[stem] += 1;
            }
        }
    }
    let all = small(corpus.intents.len().max(100));
    let rarity = |word: &Word| {
        let used = intents[word.stem as usize].max(1);
        ((all / small(used as usize)).ln() / all.ln()).clamp(0.0, 1.0)
    };
    vocabulary.words().map(rarity).collect()
}

/// What it costs to leave each token unread: next to nothing for what a request is introduced with.
fn unread(scan: &Scan, range: &Range<usize>) -> Vec<f32> {
    let mut unread = scan.unread[range.clone()].to_vec();
    let introduced = scan.introduction(range);
    unread[..introduced].iter_mut().for_each(|unread| *unread = unread.min(costs::INTRODUCING));
    unread
}

/// As that, less for those that another sentence of the intent has.
fn unless_own(scan: &Scan, range: &Range<usize>, unread: &[f32], own: u64) -> Vec<f32> {
    let cheaper = |(place, unread): (usize, &f32)| {
        let is_own = place < 64 && own & (1 << place) != 0 && scan.weights[range.start + place] != Weight::Weighty;
        if is_own { unread.min(costs::OWN) } else { *unread }
    };
    unread.iter().enumerate().map(cheaper).collect()
}

/// What the automaton does not see: slots filled twice, required slots that the sentence has not, no word shared at all.
fn hidden(intent: &Intent, automaton: &Automaton, found: &Match) -> f32 {
    let filled = |name: &str| {
        found
            .fillings
            .iter()
            .filter(|(slot, filling)| automaton.slots[usize::from(*slot)].name == name && *filling != Filling::Nothing)
            .count()
    };
    let has = |name: &str| found.fillings.iter().any(|(slot, _)| automaton.slots[usize::from(*slot)].name == name);
    let mut cost = 0.0;
    for (name, slot) in &intent.slots {
        cost += match filled(name) {
            0 if slot.required && !has(name) => costs::MISSING,
            0 | 1 => 0.0,
            _ => costs::UNREAD,
        };
    }
    let typed = |slot: u8| {
        Kinds::of(&[SlotType::Expression, SlotType::Command, SlotType::Quantity, SlotType::Choice])
            .has(automaton.slots[usize::from(slot)].kind)
    };
    let bare =
        found.said == 0 && !found.fillings.iter().any(|(slot, filling)| typed(*slot) && *filling != Filling::Nothing);
    let plain = found.fillings.iter().all(|(_, filling)| matches!(filling, Filling::Plain { .. } | Filling::Nothing));
    match (bare, plain) {
        (true, true) => cost + costs::BARE_PLAIN,
        (true, false) => cost + costs::BARE,
        (false, _) => cost,
    }
}

/// What a sentence lacks of the words that must hold it where it takes plain ones.
fn unanchored(found: &Match) -> f32 {
    let takes_plain = found.fillings.iter().any(|(_, filling)| matches!(filling, Filling::Plain { .. }));
    if takes_plain { (costs::ANCHORED - found.worth).max(0.0) } else { 0.0 }
}

fn candidate(
    intent: &Arc<Intent>,
    automaton: &Automaton,
    scan: &Scan,
    score: f32,
    found: &Match,
    sentence: &Sentence,
) -> Candidate {
    let mut slots = Slots::new();
    for (slot, filling) in &found.fillings {
        let node = &automaton.slots[usize::from(*slot)];
        let value = match *filling {
            Filling::Nothing => continue,
            Filling::Found { at, number } => scan.found[usize::from(at)][usize::from(number)].value.clone(),
            Filling::Choice(choice) => SlotValue::Word { word: node.choices[usize::from(choice)].1.clone() },
            Filling::Plain { from, to } => plain(scan, usize::from(from)..usize::from(to), node.kind),
            Filling::Content { from, inner, to } => {
                content(scan, usize::from(from), usize::from(inner)..usize::from(to))
            }
        };
        slots.insert(node.name.clone(), value);
    }
    let missing = intent.slots.iter().filter(|(name, slot)| slot.required && !slots.contains_key(*name));
    let missing = missing.map(|(name, _)| name.clone()).collect();
    let told = found.unread.iter().filter(|at| scan.unread[**at] > 0.1);
    let unread = told.map(|at| scan.tokens[*at].text.clone()).collect();
    Candidate { intent: Arc::clone(intent), slots, score, missing, unread, sentence: sentence.number, said: found.said }
}

/// Plain words as a value of that type.
fn plain(scan: &Scan, mut words: Range<usize>, kind: SlotType) -> SlotValue {
    while words.len() > 1 && scan.tokens[words.end - 1].kind == Kind::Mark {
        words.end -= 1;
    }
    while words.len() > 1 && scan.tokens[words.start].kind == Kind::Mark {
        words.start += 1;
    }
    let text = scan.typed(words).to_owned();
    match kind {
        SlotType::NewPath => SlotValue::Path { path: text.clone(), exists: false, folder: false, said: text },
        SlotType::Value => SlotValue::Value { value: text.into(), how: Given::Plain },
        SlotType::Key
        | SlotType::Memory
        | SlotType::Branch
        | SlotType::Host
        | SlotType::Program
        | SlotType::Tool
        | SlotType::Unit => SlotValue::Word { word: text },
        _ => SlotValue::Text { text, how: Given::Plain },
    }
}

/// Text to be written, and how it was given.
fn content(scan: &Scan, from: usize, words: Range<usize>) -> SlotValue {
    let how = scan.content[from].map_or(Given::Lead, |(_, how)| how);
    let quoted = |kind| if kind == Kind::Code { Given::Code } else { Given::Quoted };
    match &scan.tokens[words.clone()] {
        [only] if matches!(only.kind, Kind::Quoted | Kind::Code) => {
            SlotValue::Text { text: only.text.clone(), how: quoted(only.kind) }
        }
        _ => SlotValue::Text { text: scan.typed(words).to_owned(), how },
    }
}
