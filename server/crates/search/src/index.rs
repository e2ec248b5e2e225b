//! [`ToolIndex`]: the index as the rest of the server sees it, shared and locked inside.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::Value;
use switchboard_protocol::ToolDefinition;

use super::embedding::{EmbeddingIndex, Vector, Wide};
use super::encoder::{Encoder, Encodings, Likenesses};
use super::fusion::{ALIKE, Hit, Likeness, Scratch};
use super::keyword::{Field, KeywordIndex, QueryWords};
use super::query::Query;
use super::words::spaced;

/// How deep parameters inside parameters are read.
const MAX_DEPTH: usize = 3;

/// So many tools are compared with each sentence of a request; among fewer, all.
const REFINED: usize = 1000;

/// What so many searches at once gather in is kept.
const KEPT: usize = 4;

/// How sure a match is when the request names the tool.
const NAMED: f64 = 0.95;

/// A tool that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// How sure the match is, from 0 to 1.
    pub confidence: f64,
    /// How alike it and the request are in meaning.
    pub likeness: Likeness,
    /// The words that matched, and where; the meaning, where it is alike.
    pub reasons: Vec<String>,
}

/// Finds tools by words and by meaning. Shared by all sessions; a change holds searches up for microseconds.
#[derive(Debug, Default)]
pub struct ToolIndex {
    tools: RwLock<Tools>,
    /// In the place of the table of words, when there is an encoder.
    encodings: Option<Encodings>,
    /// What searches gathered in.
    scratches: Mutex<Vec<Scratch>>,
}

/// The tools, in the same slots of both.
#[derive(Debug, Default)]
struct Tools {
    keywords: KeywordIndex,
    meanings: EmbeddingIndex,
}

impl ToolIndex {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty index that asks an encoder what texts mean; [`Self::keep_reading`] must run beside it.
    #[must_use]
    pub fn with_encoder(encoder: Arc<dyn Encoder>) -> Self {
        Self { encodings: Some(Encodings::new(encoder)), ..Self::default() }
    }

    /// Lets the encoder, if there is one, read the tools as they come; does not end by itself.
    pub async fn keep_reading(&self) {
        if let Some(encodings) = &self.encodings {
            encodings.keep_reading().await;
        }
    }

    /// Lets the encoder, if there is one, read all tools; ends when it has.
    pub async fn read_all(&self) {
        if let Some(encodings) = &self.encodings {
            encodings.read_all().await;
        }
    }

    #[cfg(test)]
    pub(super) fn encodings(&self) -> &Encodings {
        self.encodings.as_ref().expect("an encoder")
    }

    /// Takes a tool in; one of the same name is replaced.
    pub fn insert(&self, tool: &ToolDefinition) {
        let (mut names, mut notes) = (String::new(), String::new());
        describe(&tool.parameters, MAX_DEPTH, &mut names, &mut notes);
        let (summary, details) = clauses(&tool.description);
        let texts = [
            (Field::Name, tool.name.clone()),
            (Field::Module, tool.module.clone()),
            (Field::Summary, summary.to_owned()),
            (Field::Details, details.to_owned()),
            (Field::Parameters, names),
            (Field::Notes, notes),
        ];
        let text = format!("{}: {}", spaced(&tool.name), tool.description);
        let meaning = Vector::of(&text);
        if let Some(encodings) = &self.encodings {
            encodings.insert(&tool.name, &text);
        }
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = tools.keywords.remove(&tool.name) {
            tools.meanings.set(slot, None);
        }
        let slot = tools.keywords.insert(&tool.name, &texts);
        tools.meanings.set(slot, meaning.as_ref());
    }

    /// Takes a tool out; whether it was there.
    pub fn remove(&self, name: &str) -> bool {
        if let Some(encodings) = &self.encodings {
            encodings.remove(name);
        }
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = tools.keywords.remove(name) else { return false };
        tools.meanings.set(slot, None);
        true
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).keywords.len()
    }

    /// Whether there is no tool.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// At most `limit` tools that fit with a confidence of at least `threshold`, the best first; those that fit equally
    /// by name. An encoder is asked what the text means; when it does not answer in time, the table is.
    pub async fn find(&self, text: &str, limit: usize, threshold: f64) -> Vec<Found> {
        let Some(encodings) = &self.encodings else { return self.search(text, limit, threshold) };
        let query = Query::from(text);
        let texts = std::iter::once(&query.request).chain(&query.sentences).cloned().collect();
        let Some(meaning) = encodings.meaning(texts).await else { return self.search(text, limit, threshold) };
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let Likenesses { whole, sentence } =
            encodings.likeness(&meaning, tools.meanings.slots(), |name| tools.keywords.slot(name));
        let mut scratch = self.scratch();
        scratch.whole = whole;
        let found = tools.ranked(&query, &mut scratch, |slot| sentence.get(slot).copied(), limit, threshold);
        self.keep(scratch);
        found
    }

    /// The same by the built-in table, without any encoder: at once.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize, threshold: f64) -> Vec<Found> {
        let query = Query::from(query);
        let wide = |text: &String| Vector::of(text).as_ref().map(Wide::from);
        let whole = wide(&query.request);
        let sentences: Vec<Wide> = query.sentences.iter().filter_map(wide).collect();
        let mut scratch = self.scratch();
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        scratch.whole.clear();
        if let Some(whole) = whole {
            tools.meanings.compare(&whole, &mut scratch.whole);
        }
        let alike = |slot| sentences.iter().map(|sentence| tools.meanings.alike(slot, sentence)).reduce(f32::max);
        let found = tools.ranked(&query, &mut scratch, alike, limit, threshold);
        self.keep(scratch);
        found
    }

    fn scratch(&self) -> Scratch {
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn keep(&self, scratch: Scratch) {
        let mut kept = self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT {
            kept.push(scratch);
        }
    }
}

impl Tools {
    /// The best of them, in order. `scratch` knows how alike they are to the whole request, `sentence` how alike to that
    /// sentence of it that fits best.
    fn ranked(
        &self,
        query: &Query,
        scratch: &mut Scratch,
        sentence: impl Fn(usize) -> Option<f32>,
        limit: usize,
        threshold: f64,
    ) -> Vec<Found> {
        let asked = self.keywords.asked(query);
        self.keywords.tally(&asked, &mut scratch.tallies);
        scratch.stand(&asked, REFINED);
        let (near, far) = scratch.standings().split_at(REFINED.min(scratch.standings().len()));
        let refined = near.iter().map(|standing| {
            let mut hit = scratch.hit(&asked, *standing);
            if let Some(alike) = sentence(hit.slot) {
                hit.take_sentence(alike);
            }
            hit
        });
        let mut hits: Vec<Hit> = refined.filter(Hit::is_found).collect();
        let named: Vec<usize> = query.identifiers.iter().filter_map(|name| self.keywords.slot(name)).collect();
        let is_named = |slot: u32| named.contains(&(slot as usize));
        let named_far = far.iter().filter(|far| is_named(far.slot)).map(|far| scratch.hit(&asked, *far));
        hits.extend(named_far.filter(Hit::is_found));
        raise(&named, &mut hits);
        hits.retain(|hit| hit.confidence >= threshold);
        self.cut(&mut hits, limit);
        // What stands far behind comes in only where there is room before the limit.
        let least =
            if hits.len() < limit { f64::NEG_INFINITY } else { hits.last().map_or(f64::INFINITY, |hit| hit.score) };
        let rest = far.iter().filter(|far| f64::from(far.score) >= least && !is_named(far.slot));
        let rest = rest.map(|far| scratch.hit(&asked, *far));
        hits.extend(rest.filter(|hit| hit.is_found() && hit.confidence >= threshold));
        self.cut(&mut hits, limit);
        level(&mut hits);
        hits.iter().map(|hit| self.found(&asked, hit)).collect()
    }

    /// Leaves so many of the best, in order.
    fn cut(&self, hits: &mut Vec<Hit>, limit: usize) {
        let order = |left: &Hit, right: &Hit| {
            let names = || self.keywords.name(left.slot).cmp(self.keywords.name(right.slot));
            right.score.total_cmp(&left.score).then_with(names)
        };
        if limit < hits.len() {
            hits.select_nth_unstable_by(limit, order);
            hits.truncate(limit);
        }
        hits.sort_unstable_by(order);
    }

    fn found(&self, asked: &QueryWords<'_>, hit: &Hit) -> Found {
        let mut reasons = asked.reasons(hit.slot);
        if hit.likeness.best >= ALIKE {
            reasons.push(format!("similar meaning ({:.0} %)", hit.likeness.best * 100.0));
        }
        Found {
            name: self.keywords.name(hit.slot).to_owned(),
            confidence: hit.confidence,
            likeness: hit.likeness,
            reasons,
        }
    }
}

/// A tool that the request names comes first.
fn raise(named: &[usize], hits: &mut [Hit]) {
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
    for hit in hits.iter_mut().filter(|hit| named.contains(&hit.slot)) {
        hit.score = best + 1.0;
        hit.confidence = hit.confidence.max(NAMED);
    }
}

/// What comes before is at least as sure as what follows it.
fn level(hits: &mut [Hit]) {
    let mut surest: f64 = 0.0;
    for hit in hits.iter_mut().rev() {
        surest = surest.max(hit.confidence);
        hit.confidence = surest;
    }
}

/// What a tool does, and what else is said about it: the rest begins with the first mark that ends a clause.
fn clauses(text: &str) -> (&str, &str) {
    let is_end = |pair: &[u8]| matches!(pair, [b'.' | b',' | b';' | b':', b' ' | b'\n'] | [b'\n' | b'(', _]);
    let end = text.as_bytes().windows(2).position(is_end).unwrap_or(text.len());
    text.split_at(end)
}

/// Names and descriptions of the parameters, and of the parameters inside them.
fn describe(schema: &Value, depth: usize, names: &mut String, notes: &mut String) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            names.push_str(name);
            names.push(' ');
            if let Some(description) = property.get("description").and_then(Value::as_str) {
                notes.push_str(description);
                notes.push(' ');
            }
            describe(property, depth, names, notes);
        }
    }
    if let Some(items) = schema.get("items") {
        describe(items, depth, names, notes);
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
pub(super) mod tests;
