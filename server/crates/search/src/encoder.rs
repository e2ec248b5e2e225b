//! Sentence encoders outside this program, by configuration: their vectors replace the table of words as soon as they
//! have read every tool. Until then, and whenever one does not answer in time, the table is used.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use async_trait::async_trait;
use switchboard_runtime::backoff;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// How long a search waits for the encoder.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// How long a batch of tools may take; an encoder on a small machine is slow.
const BATCH_TIME: Duration = Duration::from_secs(120);

/// How many tools are read at once.
const BATCH: usize = 32;

/// How much of a tool's description is read; encoders take some hundred tokens.
const MAX_TEXT_BYTES: usize = 2000;

/// How many requests are remembered: each stage of a turn asks for the same one.
const REMEMBERED: usize = 64;

/// What texts without anything in common are taken to be alike at most.
const MOST_USUAL: f32 = 0.9;

/// The first wait after a failure.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Turns texts into vectors.
#[async_trait]
pub trait Encoder: Send + Sync {
    /// One vector per text, in the same order, all of the same length.
    ///
    /// # Errors
    /// When it cannot be asked or answers with something else; says why, without any key.
    async fn encode(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String>;
}

/// The vectors of the tools by an encoder, and what it has still to read.
pub(super) struct Encodings {
    encoder: Arc<dyn Encoder>,
    tools: RwLock<Tools>,
    /// There is something to read.
    unread: Notify,
    /// What requests meant, the newest last.
    requests: Mutex<VecDeque<(Vec<String>, Meaning)>>,
}

/// A request's vector, and those of its sentences; each of length 1.
pub(super) type Meaning = Arc<[Vec<f32>]>;

#[derive(Default)]
struct Tools {
    /// Texts that are to be read, by the tools' names.
    unread: BTreeMap<String, String>,
    /// What has been read, by the tools' names; each of length 1.
    read: BTreeMap<String, Vec<f32>>,
}

/// How alike the tools are to a request, from -1 to 1, each in its slot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Likenesses {
    /// To the whole of it.
    pub(super) whole: Vec<f32>,
    /// To the sentence that fits best; empty if there is only one.
    pub(super) sentence: Vec<f32>,
}

impl Encodings {
    pub(super) fn new(encoder: Arc<dyn Encoder>) -> Self {
        Self { encoder, tools: RwLock::default(), unread: Notify::new(), requests: Mutex::default() }
    }

    /// A tool is new, or says something else of itself.
    pub(super) fn insert(&self, name: &str, text: &str) {
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.read.remove(name);
        tools.unread.insert(name.to_owned(), text[..text.floor_char_boundary(MAX_TEXT_BYTES)].to_owned());
        drop(tools);
        self.unread.notify_one();
    }

    /// A tool is gone.
    pub(super) fn remove(&self, name: &str) {
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        tools.read.remove(name);
        tools.unread.remove(name);
    }

    /// Lets the encoder read the tools, now and whenever there are others; never ends by itself.
    pub(super) async fn keep_reading(&self) {
        loop {
            self.read_all().await;
            self.unread.notified().await;
        }
    }

    /// Lets the encoder read the tools that it has not read; tries until it has.
    pub(super) async fn read_all(&self) {
        let mut failures = 0;
        loop {
            let batch: Vec<(String, String)> = {
                let tools = self.tools();
                tools.unread.iter().take(BATCH).map(|(name, text)| (name.clone(), text.clone())).collect()
            };
            if batch.is_empty() {
                return;
            }
            match self.read(batch).await {
                Ok(()) => failures = 0,
                Err(why) => {
                    tracing::warn!(
                        "tools are searched with the built-in table, because the embeddings are not available: {why}"
                    );
                    sleep(backoff(FIRST_WAIT, LONGEST_WAIT, failures)).await;
                    failures = failures.saturating_add(1);
                }
            }
        }
    }

    async fn read(&self, batch: Vec<(String, String)>) -> Result<(), String> {
        let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
        let vectors = self.encode(&texts, BATCH_TIME).await?;
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let length = |vector: &Vec<f32>| vector.len();
        if let (Some(before), Some(now)) = (tools.read.values().next().map(length), vectors.first().map(length))
            && before != now
        {
            return Err(format!("they have {now} numbers, and earlier ones had {before}"));
        }
        for ((name, text), vector) in batch.into_iter().zip(vectors) {
            // It may have changed meanwhile: then what was read is not what it says now.
            if tools.unread.get(&name) == Some(&text) {
                tools.unread.remove(&name);
                tools.read.insert(name, vector);
            }
        }
        Ok(())
    }

    /// What a request and its sentences mean; none if the tools are not read yet, or the encoder does not answer.
    pub(super) async fn meaning(&self, texts: Vec<String>) -> Option<Meaning> {
        if !self.tools().is_ready() {
            return None;
        }
        if let Some((_, meaning)) = self.requests().iter().find(|(known, _)| *known == texts) {
            return Some(Arc::clone(meaning));
        }
        match self.encode(&texts, SEARCH_TIME).await {
            Ok(vectors) => {
                let meaning: Meaning = vectors.into();
                let mut requests = self.requests();
                if requests.len() == REMEMBERED {
                    requests.pop_front();
                }
                requests.push_back((texts, Arc::clone(&meaning)));
                Some(meaning)
            }
            Err(why) => {
                tracing::warn!("a search uses the built-in table, because the embeddings are not available: {why}");
                None
            }
        }
    }

    /// How alike the tools are, whose names `slot` knows, in so many slots.
    pub(super) fn likeness(&self, meaning: &Meaning, slots: usize, slot: impl Fn(&str) -> Option<usize>) -> Likenesses {
        let tools = self.tools();
        let alike = |text: &Vec<f32>| {
            let mut alike = vec![0.0; slots];
            for (name, vector) in &tools.read {
                if let Some(alike) = slot(name).and_then(|slot| alike.get_mut(slot)) {
                    *alike = dot(vector, text);
                }
            }
            alike
        };
        let mut likeness = Likenesses { whole: meaning.first().map(alike).unwrap_or_default(), sentence: Vec::new() };
        likeness.sentence = meaning.iter().skip(1).map(alike).reduce(greater).unwrap_or_default();
        likeness.spread(tools.read.len());
        likeness
    }

    async fn encode(&self, texts: &[String], limit: Duration) -> Result<Vec<Vec<f32>>, String> {
        let asked = timeout(limit, self.encoder.encode(texts)).await;
        let vectors = asked.map_err(|_| format!("no answer within {} s", limit.as_secs()))??;
        if vectors.len() != texts.len() {
            return Err(format!("{} arrived for {} texts", vectors.len(), texts.len()));
        }
        let size = vectors.first().map_or(0, Vec::len);
        let vectors = vectors.into_iter().map(|vector| unit(vector).filter(|vector| vector.len() == size));
        vectors.collect::<Option<_>>().ok_or_else(|| "one is empty, has no length or a different size".to_owned())
    }

    fn tools(&self) -> RwLockReadGuard<'_, Tools> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> MutexGuard<'_, VecDeque<(Vec<String>, Meaning)>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tools {
    fn is_ready(&self) -> bool {
        self.unread.is_empty() && !self.read.is_empty()
    }
}

impl Likenesses {
    /// Encoders differ in how alike they find texts that have nothing in common: that much counts as nothing.
    fn spread(&mut self, tools: usize) {
        let count = u16::try_from(tools).map_or(f32::from(u16::MAX), f32::from).max(1.0);
        let usual = (self.whole.iter().sum::<f32>() / count).clamp(0.0, MOST_USUAL);
        for alike in self.whole.iter_mut().chain(&mut self.sentence) {
            *alike = (*alike - usual) / (1.0 - usual);
        }
    }
}

fn greater(mut left: Vec<f32>, right: Vec<f32>) -> Vec<f32> {
    left.iter_mut().zip(right).for_each(|(left, right)| *left = left.max(right));
    left
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The vector with length 1.
fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = dot(&vector, &vector).sqrt();
    if !length.is_finite() || length <= f32::EPSILON {
        return None;
    }
    vector.iter_mut().for_each(|figure| *figure /= length);
    Some(vector)
}

impl std::fmt::Debug for Encodings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Encodings(…)")
    }
}

#[cfg(test)]
#[path = "encoder_tests.rs"]
mod tests;
