//! The files of the corpus, read and checked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::intent::{Intent, Slot};
use super::template::{self, Node, Parts};
use crate::automaton::{MAX_SLOTS, MAX_STATES};
use crate::lexicon::Lexicon;
use crate::outline::{Outline, Outliner};
use crate::slots::SlotType;
use crate::vocabulary::{Vocabulary, WordId};

/// What is wrong with the data.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// A file is no TOML, or has a key that it must not have.
    #[error("{file}: {problem}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// An intent does not hold together.
    #[error("{file}, intent {intent}: {problem}")]
    Intent {
        /// The file.
        file: String,
        /// The intent.
        intent: String,
        /// What is wrong.
        problem: String,
    },
    /// A sentence cannot be read.
    #[error("{file}, intent {intent}, sentence \"{sentence}\": {problem}")]
    Sentence {
        /// The file.
        file: String,
        /// The intent.
        intent: String,
        /// The sentence.
        sentence: String,
        /// What is wrong.
        problem: String,
    },
}

/// All intents and the words that they share.
#[derive(Clone, Default)]
pub(crate) struct Corpus {
    pub(crate) lexicon: Lexicon,
    pub(crate) vocabulary: Vocabulary,
    phrases: Phrases,
    pub(crate) intents: Vec<Arc<Intent>>,
    pub(crate) sentences: Vec<Sentence>,
    by_name: HashMap<String, usize>,
    /// Where each intent's sentences begin.
    first_of: Vec<usize>,
}

/// A sentence of an intent. Its parts are read again where they are needed: kept, they would take 40 MB.
#[derive(Clone)]
pub(crate) struct Sentence {
    /// The intent's number in [`Corpus::intents`].
    pub(crate) intent: usize,
    /// The sentence's number in its intent.
    pub(crate) number: usize,
    /// The types of the slots without which it costs more.
    pub(crate) needs: Vec<SlotType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    intent: Vec<Intent>,
}

impl Corpus {
    /// Reads the files; with an outline of each sentence.
    pub(crate) fn parse<'a>(
        sources: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(Self, Vec<Outline>), CorpusError> {
        let mut corpus = Self::default();
        let mut outlines = Outlines::default();
        let mut topics = Vec::new();
        for (name, text) in sources {
            if name == "words.toml" {
                corpus.lexicon = Lexicon::parse(text).map_err(|error| in_file(name, &error))?;
            } else {
                topics.push((name, toml::from_str::<File>(text).map_err(|error| in_file(name, &error))?));
            }
        }
        corpus.phrases = Phrases::new(&corpus.lexicon, &mut corpus.vocabulary)?;
        for (file, topic) in topics {
            topic.intent.into_iter().try_for_each(|intent| corpus.add(file, intent, &mut outlines))?;
        }
        Ok((corpus, outlines.all))
    }

    pub(crate) fn intent(&self, name: &str) -> Option<&Arc<Intent>> {
        self.by_name.get(name).map(|number| &self.intents[*number])
    }

    /// This corpus and more intents.
    pub(crate) fn with(&self, topic: &str, intents: Vec<Intent>) -> Result<(Self, Vec<Outline>), CorpusError> {
        let mut corpus = self.clone();
        let mut outlines = Outlines::default();
        for sentence in &self.sentences {
            let parts = self.parts(sentence).unwrap_or_default();
            outlines.add(&parts, &mut corpus.vocabulary, &corpus.lexicon);
        }
        intents.into_iter().try_for_each(|intent| corpus.add(topic, intent, &mut outlines))?;
        Ok((corpus, outlines.all))
    }

    /// What is wrong with an intent's sentences, if something is.
    pub(crate) fn problem_with(&self, intent: &Intent) -> Option<CorpusError> {
        let mut lone = Self {
            lexicon: self.lexicon.clone(),
            vocabulary: self.vocabulary.clone(),
            phrases: self.phrases.clone(),
            ..Self::default()
        };
        lone.add("", intent.clone(), &mut Outlines::default()).err()
    }

    /// A sentence of an intent.
    pub(crate) fn sentence(&self, intent: &str, number: usize) -> Option<&Sentence> {
        let intent = *self.by_name.get(intent)?;
        self.sentences.get(self.first_of[intent] + number).filter(|sentence| sentence.intent == intent)
    }

    /// The parts of a sentence, its phrases put in.
    pub(crate) fn parts(&self, sentence: &Sentence) -> Option<Parts> {
        let text = &self.intents[sentence.intent].sentences[sentence.number];
        let mut word = |word: &str| self.vocabulary.id(word).unwrap_or_default();
        let mut parts = template::parse(text, &mut word).ok()?;
        self.phrases.put_in(&mut parts).ok()?;
        Some(parts)
    }

    /// Where the sentence stands among all.
    pub(crate) fn position(&self, sentence: &Sentence) -> usize {
        self.first_of[sentence.intent] + sentence.number
    }

    fn add(&mut self, file: &str, mut intent: Intent, outlines: &mut Outlines) -> Result<(), CorpusError> {
        let name = intent.name.clone();
        let wrong = |problem: String| CorpusError::Intent { file: file.to_owned(), intent: name.clone(), problem };
        if self.by_name.contains_key(&name) {
            return Err(wrong("another intent has this name".to_owned()));
        }
        if intent.sentences.is_empty() {
            return Err(wrong("it has no sentences".to_owned()));
        }
        intent.topic = file.trim_end_matches(".toml").to_owned();
        let number = self.intents.len();
        self.first_of.push(self.sentences.len());
        let mut everywhere: Option<BTreeSet<String>> = None;
        let mut all_certain = Vec::new();
        for text in &intent.sentences {
            let at = |problem| CorpusError::Sentence {
                file: file.to_owned(),
                intent: name.clone(),
                sentence: text.clone(),
                problem,
            };
            let mut word = |word: &str| self.vocabulary.add(word, &self.lexicon);
            let mut parts = template::parse(text, &mut word).map_err(at)?;
            self.phrases.put_in(&mut parts).map_err(at)?;
            if parts.is_empty() {
                return Err(at("it has no words".to_owned()));
            }
            collect_slots(&parts, &mut intent.slots);
            let certain = certain_slots(&parts);
            everywhere = Some(match everywhere {
                None => certain.clone(),
                Some(before) => before.intersection(&certain).cloned().collect(),
            });
            let outline = outlines.add(&parts, &mut self.vocabulary, &self.lexicon);
            for (count, most, what) in
                [(outline.states, usize::from(MAX_STATES), "parts"), (outline.kinds.len(), MAX_SLOTS, "slots")]
            {
                if count > most {
                    return Err(at(format!(
                        "it has more than {most} {what} with its phrases put in; make it two sentences"
                    )));
                }
            }
            all_certain.push(certain);
        }
        for (place, certain) in all_certain.into_iter().enumerate() {
            let certain = certain.iter().filter(|slot| !intent.has_otherwise(slot));
            let needs = certain.filter_map(|slot| Some(intent.slots.get(slot)?.kind)).collect();
            self.sentences.push(Sentence { intent: number, number: place, needs });
        }
        let mut used = everywhere.unwrap_or_default();
        used_slots(&intent, &mut used);
        used.extend(intent.required.iter().cloned());
        for (name, slot) in &mut intent.slots {
            let given = intent.defaults.contains_key(name) || intent.constants.contains_key(name);
            slot.required = used.contains(name) && !given;
        }
        self.by_name.insert(name, number);
        self.intents.push(Arc::new(intent));
        Ok(())
    }
}

/// The outlines of all sentences.
#[derive(Default)]
struct Outlines {
    outliner: Outliner,
    all: Vec<Outline>,
}

impl Outlines {
    fn add(&mut self, parts: &Parts, vocabulary: &mut Vocabulary, lexicon: &Lexicon) -> &Outline {
        let place = self.all.len();
        self.all.push(self.outliner.outline(parts, vocabulary, lexicon));
        &self.all[place]
    }
}

fn in_file(file: &str, error: &toml::de::Error) -> CorpusError {
    CorpusError::File { file: file.to_owned(), problem: error.to_string() }
}

/// The shared phrases, read, with those that they use put in.
#[derive(Clone, Default)]
struct Phrases(HashMap<String, Arc<Parts>>);

impl Phrases {
    fn new(lexicon: &Lexicon, vocabulary: &mut Vocabulary) -> Result<Self, CorpusError> {
        let wrong = |name: &str, problem| {
            let problem = format!("phrase {name}: {problem}");
            CorpusError::File { file: "words.toml".to_owned(), problem }
        };
        let mut word = |word: &str| -> WordId { vocabulary.add(word, lexicon) };
        let mut waiting = Vec::new();
        for (name, text) in &lexicon.phrases {
            waiting.push((name, template::parse(text, &mut word).map_err(|problem| wrong(name, problem))?));
        }
        let mut phrases = Self::default();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut stuck = None;
            waiting.retain_mut(|(name, parts)| match phrases.put_in(parts) {
                Ok(()) => phrases.0.insert((*name).clone(), Arc::new(std::mem::take(parts))).is_some(),
                Err(problem) => {
                    stuck = Some(wrong(name, problem));
                    true
                }
            });
            if let Some(stuck) = stuck.filter(|_| waiting.len() == before) {
                return Err(stuck);
            }
        }
        Ok(phrases)
    }

    /// Puts in the phrases that the parts name.
    fn put_in(&self, parts: &mut Parts) -> Result<(), String> {
        for part in parts {
            match part {
                Node::OneOf(ways) | Node::Perhaps(ways) => ways.iter_mut().try_for_each(|way| self.put_in(way))?,
                Node::Phrase(name) => {
                    let phrase = self
                        .0
                        .get(name)
                        .ok_or_else(|| format!("words.toml has no phrase <{name}>, or one that uses itself"))?;
                    *part = Node::Shared(Arc::clone(phrase));
                }
                Node::Word(_) | Node::Slot(_) | Node::Shared(_) => {}
            }
        }
        Ok(())
    }
}

/// The slots of the parts, each with the type of its first sentence.
fn collect_slots(parts: &Parts, slots: &mut BTreeMap<String, Slot>) {
    for part in parts {
        match part {
            Node::Slot(node) => {
                slots.entry(node.name.clone()).or_insert(Slot { kind: node.kind, required: false });
            }
            Node::OneOf(ways) | Node::Perhaps(ways) => ways.iter().for_each(|way| collect_slots(way, slots)),
            Node::Shared(shared) => collect_slots(shared, slots),
            Node::Word(_) | Node::Phrase(_) => {}
        }
    }
}

/// The slots that every reading of the sentence fills.
fn certain_slots(parts: &Parts) -> BTreeSet<String> {
    let mut certain = BTreeSet::new();
    for part in parts {
        match part {
            Node::Slot(node) => {
                certain.insert(node.name.clone());
            }
            Node::OneOf(ways) => {
                let each = ways.iter().map(certain_slots);
                certain.extend(
                    each.reduce(|left, right| left.intersection(&right).cloned().collect()).unwrap_or_default(),
                );
            }
            Node::Shared(shared) => certain.append(&mut certain_slots(shared)),
            Node::Perhaps(_) | Node::Word(_) | Node::Phrase(_) => {}
        }
    }
    certain
}

/// The slots that steps and reply name.
fn used_slots(intent: &Intent, used: &mut BTreeSet<String>) {
    for step in intent.steps.iter().filter(|step| step.only_if.is_none()) {
        step.arguments.values().for_each(|value| used_in(value, used));
    }
    if let Some(say) = &intent.say {
        names_in(say, used);
    }
}

fn used_in(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => names_in(text, used),
        Value::Array(items) => items.iter().for_each(|item| used_in(item, used)),
        Value::Object(fields) => fields.values().for_each(|field| used_in(field, used)),
        _ => {}
    }
}

/// The names in `{…}`.
fn names_in(text: &str, names: &mut BTreeSet<String>) {
    for after in text.split('{').skip(1) {
        if let Some((name, _)) = after.split_once('}') {
            // As the dialogue fills them: other braces are a script's own.
            let name = name.trim_end_matches("...");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(plain) {
                names.insert(name.to_owned());
            }
        }
    }
}
