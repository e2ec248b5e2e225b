//! From a text to what it may mean.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use crate::clauses::{self, Joint};
use crate::commands::{self, TypedCommand};
use crate::corpus::{self, Corpus, CorpusError, Intent, Risk};
use crate::costs;
use crate::lexicon::Weight;
use crate::reader::{Candidate, Reader};
use crate::rewording::rewordings;
use crate::scan::{MAX_WORDS, Scan};
use crate::slots::{SlotType, SlotValue};
use crate::text::{Kind, Token, tokens};
use crate::workbench::Workbench;
use crate::world::World;

/// What the sentences say, ready to read with.
pub struct Engine {
    corpus: Corpus,
    reader: Reader,
}

/// What a text may mean.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The text's words.
    pub tokens: Vec<Token>,
    /// Its parts, each a request of its own.
    pub clauses: Vec<Clause>,
    /// The text as a command line, if it begins with a program.
    pub command: Option<TypedCommand>,
}

/// A request of its own.
#[derive(Clone, Debug, Default)]
pub struct Clause {
    /// As it was typed.
    pub text: String,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// What joins it to the clause before: "then", "and"; empty for the first.
    pub joint: String,
    /// What it may mean, best first; one for each intent.
    pub candidates: Vec<Candidate>,
    /// What its words may name.
    pub entities: Vec<Entity>,
}

/// What some words may name.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// What: the first of the types that it may be.
    pub kind: SlotType,
    /// Its value.
    pub value: SlotValue,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// How far the words are from the name: 0 is exact.
    pub cost: f32,
}

impl Engine {
    /// The engine with the sentences of this crate.
    ///
    /// # Panics
    /// If the data of this build is wrong, which its tests rule out.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Engine> = LazyLock::new(|| {
            let sources: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
            Engine::from_sources(sources.iter().copied()).unwrap_or_else(|error| panic!("{error}"))
        });
        &SHIPPED
    }

    /// An engine with these files: their names and texts. `words.toml` must be among them.
    ///
    /// # Errors
    /// The first thing that is wrong with them: file, intent and sentence.
    pub fn from_sources<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, CorpusError> {
        let (mut corpus, outlines) = Corpus::parse(sources)?;
        let reader = Reader::new(&mut corpus, outlines);
        Ok(Self { corpus, reader })
    }

    /// This engine and more intents, such as those that tools bring.
    ///
    /// # Errors
    /// The first thing that is wrong with them; `topic` stands for the file.
    pub fn with_intents(&self, topic: &str, intents: Vec<Intent>) -> Result<Self, CorpusError> {
        let (mut corpus, outlines) = self.corpus.with(topic, intents)?;
        let reader = Reader::new(&mut corpus, outlines);
        Ok(Self { corpus, reader })
    }

    /// What is wrong with an intent's sentences, if something is.
    #[must_use]
    pub fn problem_with(&self, intent: &Intent) -> Option<CorpusError> {
        self.corpus.problem_with(intent)
    }

    /// What a table of `words.toml` says of a word, as it is or without its plural.
    #[must_use]
    pub fn means(&self, table: &str, word: &str) -> Option<&str> {
        self.corpus.lexicon.means(table, word)
    }

    /// The intent of that name.
    #[must_use]
    pub fn intent(&self, name: &str) -> Option<&Arc<Intent>> {
        self.corpus.intent(name)
    }

    /// All intents, in the order of their files.
    pub fn intents(&self) -> impl Iterator<Item = &Arc<Intent>> {
        self.corpus.intents.iter()
    }

    /// What the text may mean.
    #[must_use]
    pub fn read(&self, text: &str, world: &dyn World) -> Reading {
        let scan = self.scan(text, world);
        let joints = clauses::joints(&scan.tokens, &scan.runs);
        let mut bench = self.reader.benches.take();
        let whole = self.clause(&scan, 0..scan.tokens.len(), None, &mut bench);
        let whole = self.reworded(&scan, whole, world, &mut bench);
        let command = commands::typed(text, &scan.tokens, world, &self.corpus.lexicon);
        let clauses = if joints.is_empty() || whole.cost() <= READS_WELL {
            vec![whole]
        } else {
            let parts = self.divided(&scan, &joints, whole.clone(), &mut bench);
            if tells_first(&scan, &whole, &parts) { vec![whole] } else { parts }
        };
        let clauses = clauses.into_iter().filter(|clause| !clause.range.is_empty());
        let all = 0..scan.tokens.len();
        let reworded =
            |part: Part| if part.range == all { part } else { self.reworded(&scan, part, world, &mut bench) };
        let clauses = clauses.map(reworded).map(|part| part.told(&scan)).collect();
        Reading { clauses, command, tokens: scan.tokens }
    }

    /// As [`read`](Self::read) for a single request, without one sentence of an intent: how well the others stand in for it.
    #[must_use]
    pub fn read_without(&self, text: &str, world: &dyn World, intent: &str, sentence: usize) -> Vec<Candidate> {
        let scan = self.scan(text, world);
        let left_out = self.corpus.intent(intent).map(|intent| (intent.name.clone(), sentence));
        self.reader.candidates(
            &self.corpus,
            &scan,
            &(0..scan.tokens.len()),
            &mut self.reader.benches.take(),
            left_out.as_ref(),
        )
    }

    /// One of the texts that a sentence stands for. `choose` picks one of that many ways, `fill` what stands for a slot.
    #[must_use]
    pub fn sample(
        &self,
        intent: &Intent,
        sentence: usize,
        choose: &mut dyn FnMut(usize) -> usize,
        fill: &dyn Fn(SlotType) -> String,
    ) -> String {
        let parts = self.corpus.sentence(&intent.name, sentence).and_then(|sentence| self.corpus.parts(sentence));
        parts.map(|parts| corpus::sample(&parts, &self.corpus.vocabulary, choose, fill)).unwrap_or_default()
    }

    /// What the words of a text may name.
    #[must_use]
    pub fn entities(&self, text: &str, world: &dyn World) -> Vec<Entity> {
        let scan = self.scan(text, world);
        entities(&scan, &(0..scan.tokens.len()))
    }

    /// What the text as a whole names as that type, by its words alone: what a question is answered with.
    #[must_use]
    pub fn named(&self, text: &str, world: &dyn World, kind: SlotType) -> Option<SlotValue> {
        let scan = self.scan(text, world);
        let end = scan.tokens.iter().rposition(|token| token.kind != Kind::Mark)? + 1;
        let begin = scan.weights.iter().take_while(|weight| **weight == Weight::Filler).count();
        let places = (0..=begin.min(end - 1)).flat_map(|at| scan.found[at].iter().map(move |found| (at, found)));
        let whole = places
            .map(|(at, found)| (at + found.length, found))
            .filter(|(last, found)| *last >= end && found.kinds.has(kind));
        whole.min_by(|left, right| left.1.cost.total_cmp(&right.1.cost)).map(|(_, found)| found.value.clone())
    }

    /// Whether that list of `words.toml` has the word, in lower case.
    #[must_use]
    pub fn lists(&self, list: &str, word: &str) -> bool {
        self.corpus.lexicon.lists(list, word)
    }

    /// A text whose misspelled words are written as they are read: `wich` as `which`.
    #[must_use]
    pub fn spelled(&self, text: &str) -> String {
        let spellings = &self.corpus.lexicon.spellings;
        let word = |word: &str| spellings.get(&word.to_lowercase()).cloned().unwrap_or_else(|| word.to_owned());
        text.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    fn scan<'a>(&'a self, text: &'a str, world: &dyn World) -> Scan<'a> {
        let lexicon = &self.corpus.lexicon;
        let tokens = with_rest(tokens(text, &lexicon.spellings), text);
        Scan::new(text, tokens, &self.corpus.vocabulary, lexicon, world)
    }

    fn clause(&self, scan: &Scan, range: Range<usize>, joint: Option<&Joint>, bench: &mut Workbench) -> Part {
        let candidates = self.reader.candidates(&self.corpus, scan, &range, bench, None);
        let joint = joint.map_or(0..0, |joint| joint.words.clone());
        Part { range, joint, candidates }
    }

    /// The text's parts, where they read better than the whole.
    fn divided(&self, scan: &Scan, joints: &[Joint], whole: Part, bench: &mut Workbench) -> Vec<Part> {
        let whole_range = whole.range.clone();
        let mut bounding = self.reader.benches.take();
        let bound = |range: &Range<usize>, joint: Option<&Joint>| {
            let without = self.reader.least(scan, range, &mut bounding);
            joint.map_or(without, |joint| {
                without.min(self.reader.least(scan, &(joint.words.end - 1..range.end), &mut bounding))
            })
        };
        let mut read: Vec<Part> = vec![whole];
        let parts = clauses::divide(scan.tokens.len(), joints, bound, |range, joint| {
            if *range == whole_range {
                return read[0].cost();
            }
            let part = self.with_or_without(scan, range.clone(), joint, bench);
            let cost = part.cost();
            read.push(part);
            cost
        });
        let taken = |range: &Range<usize>| read.iter().find(|part| part.range == *range).cloned();
        parts.iter().filter_map(|(range, _)| taken(range)).collect()
    }

    /// A part in other words, if it reads better so.
    fn reworded(&self, scan: &Scan, part: Part, world: &dyn World, bench: &mut Workbench) -> Part {
        let mut best = part;
        if best.cost() <= READS_WELL || best.range.is_empty() {
            return best;
        }
        for (text, change) in rewordings(scan, &best.range, &self.corpus.lexicon) {
            let other = self.scan(&text, world);
            let mut candidates = self.reader.candidates(&self.corpus, &other, &(0..other.tokens.len()), bench, None);
            // Nothing is changed with words that have no part.
            candidates.retain(|candidate| candidate.intent.risk <= Risk::Read || candidate.unread.is_empty());
            let price = |intent: &Intent| if intent.risk > Risk::Read { change } else { costs::REWORDED };
            candidates.iter_mut().for_each(|candidate| candidate.score += price(&candidate.intent));
            candidates.sort_by(|one, other| one.score.total_cmp(&other.score));
            if candidates.first().is_some_and(|candidate| candidate.score < best.cost()) {
                best.candidates = candidates;
            }
        }
        best
    }

    /// A part with the word that joins it ("and b.txt") or without, whichever reads better.
    fn with_or_without(&self, scan: &Scan, range: Range<usize>, joint: Option<&Joint>, bench: &mut Workbench) -> Part {
        let without = self.clause(scan, range.clone(), joint, bench);
        let Some(last) = joint.map(|joint| joint.words.end - 1).filter(|_| without.cost() > 0.1) else {
            return without;
        };
        let with = self.clause(scan, last..range.end, joint, bench);
        if with.cost() < without.cost() { Part { candidates: with.candidates, ..without } } else { without }
    }
}

/// Whether a text is one request that tells something first ("box 4 was sold, delete it"): a sentence for such has all of
/// it, and its parts read no better by themselves.
fn tells_first(scan: &Scan, whole: &Part, parts: &[Part]) -> bool {
    let story = |candidate: &Candidate| match candidate.intent.constants.get("whole").and_then(|whole| whole.as_str()) {
        // What comes behind a comma says where.
        Some("behind commas") => {
            candidate.score <= BEHIND_COMMAS && parts.iter().all(|part| is_marks(scan, &part.joint))
        }
        Some(_) => candidate.score <= STORY,
        None => false,
    };
    let divides = |at: usize| scan.tokens[at].kind == Kind::Word && scan.runs.is_in("divisions", at, 1);
    let points = |part: &Part| part.range.clone().any(|at| scan.runs.is_in("pointing", at, 1));
    let read = |part: &Part| part.cost() <= READS_WELL && !points(part);
    whole.candidates.first().is_some_and(story)
        && parts.len() > 1
        && !parts.iter().all(read)
        && !whole.range.clone().any(divides)
}

fn is_marks(scan: &Scan, range: &Range<usize>) -> bool {
    range.clone().all(|at| scan.tokens[at].kind == Kind::Mark)
}

/// A text whose part behind a comma only says where costs no more than this as a whole.
const BEHIND_COMMAS: f32 = 0.3;

/// A text that tells something first costs no more than this as a whole.
const STORY: f32 = 0.5;

/// A text that costs no more than this as a whole is not divided.
const READS_WELL: f32 = 0.15;

/// A part of a text while it is read.
#[derive(Clone)]
struct Part {
    range: Range<usize>,
    joint: Range<usize>,
    candidates: Vec<Candidate>,
}

impl Part {
    fn cost(&self) -> f32 {
        self.candidates.first().map_or(f32::INFINITY, |best| best.score)
    }

    fn told(self, scan: &Scan) -> Clause {
        let span = scan.tokens[self.range.start].span.start..scan.tokens[self.range.end - 1].span.end;
        let joint = scan.typed(self.joint).trim().to_owned();
        let entities = entities(scan, &self.range);
        Clause { text: scan.typed(self.range).to_owned(), span, joint, candidates: self.candidates, entities }
    }
}

fn entities(scan: &Scan, range: &Range<usize>) -> Vec<Entity> {
    let mut entities = Vec::new();
    for at in range.clone() {
        for found in scan.found[at].iter().filter(|found| at + found.length <= range.end) {
            let span = scan.tokens[at].span.start..scan.tokens[at + found.length - 1].span.end;
            let value = found.value.clone();
            entities.extend(found.kinds.first().map(|kind| Entity { kind, value, span, cost: found.cost }));
        }
    }
    entities
}

/// A long text with all after its first words as one: as text to be written it has a part, as words it has none.
fn with_rest(mut tokens: Vec<Token>, text: &str) -> Vec<Token> {
    if tokens.len() > MAX_WORDS {
        let start = tokens[MAX_WORDS - 1].span.start;
        // The last of them may be line ends and nothing else.
        let rest = start..text.trim_end().len().max(start);
        tokens.truncate(MAX_WORDS - 1);
        let text = text.get(rest.clone()).unwrap_or_default().to_owned();
        tokens.push(Token { span: rest, lower: String::new(), text, kind: Kind::Word });
    }
    tokens
}
