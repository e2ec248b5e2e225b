//! [`Embeddings`]: vectors of texts from an OpenAI-compatible `/embeddings`.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use super::config::LlmLimits;
use super::error::LlmError;
use super::transport::{Connections, Transport};
use switchboard_runtime::Secret;

/// The most figures that a vector may have.
const MAX_FIGURES: usize = 8192;

/// Where embeddings come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbeddingsConfig {
    /// The API's address, before `/embeddings`; none: nothing is asked.
    pub url: Option<Url>,
    /// The model, for servers that have several.
    pub model: Option<String>,
    /// The key, sent as a bearer.
    pub key: Option<Secret>,
}

/// Asks for embeddings.
pub struct Embeddings {
    transport: Transport,
    config: EmbeddingsConfig,
    headers: HeaderMap,
}

impl Embeddings {
    /// At the address of the settings, if there is one; nothing is asked yet.
    #[must_use]
    pub fn new(config: EmbeddingsConfig) -> Option<Self> {
        let transport = Transport::new(config.url.as_ref()?, LlmLimits::default(), Arc::new(Connections::new()));
        let mut headers = HeaderMap::new();
        let bearer =
            config.key.as_ref().and_then(|key| HeaderValue::from_str(&format!("Bearer {}", key.reveal())).ok());
        if let Some(mut bearer) = bearer {
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        Some(Self { transport, config, headers })
    }

    /// One vector per text, in the same order.
    ///
    /// # Errors
    /// When the server cannot be asked in time, refuses, or answers with something else; says why, without the key.
    pub async fn embed(&self, texts: &[String], limit: Duration) -> Result<Vec<Vec<f32>>, String> {
        // OpenAI wants a model; llama.cpp and others take any name.
        let model = self.config.model.as_deref().unwrap_or("default");
        let question = json!({"model": model, "input": texts, "encoding_format": "float"});
        let answer = self.transport.ask("embeddings", Some(&question), self.headers.clone(), limit).await;
        let vectors = answer.and_then(|answer| vectors(&answer, texts.len()));
        vectors.map_err(|error| self.scrub(format!("failed to {error}")))
    }

    /// Takes the key out of what the server said: some repeat it.
    fn scrub(&self, text: String) -> String {
        match self.config.key.as_ref().map(Secret::reveal).filter(|key| key.len() >= 4 && text.contains(key)) {
            Some(key) => text.replace(key, "[redacted: the key]"),
            None => text,
        }
    }
}

/// The vectors of an answer, each in the place that its `index` names.
fn vectors(answer: &Value, count: usize) -> Result<Vec<Vec<f32>>, LlmError> {
    let wrong = |why: &str| LlmError::Malformed(format!("it is JSON, but {why}"));
    let data = answer.get("data").and_then(Value::as_array).ok_or_else(|| wrong("it has no list `data`"))?;
    let mut vectors = vec![Vec::new(); count];
    for (place, item) in data.iter().enumerate() {
        let place = item.get("index").and_then(Value::as_u64).map_or(Some(place), |index| usize::try_from(index).ok());
        let figures = item.get("embedding").and_then(Value::as_array).filter(|figures| figures.len() <= MAX_FIGURES);
        let figures: Option<Vec<f32>> = figures.and_then(|figures| figures.iter().map(figure).collect());
        match (place.and_then(|place| vectors.get_mut(place)), figures) {
            (Some(vector), Some(figures)) => *vector = figures,
            _ => return Err(wrong("an `embedding` in it is not a list of numbers, or belongs to no text")),
        }
    }
    match vectors.iter().all(|vector| !vector.is_empty()) {
        true => Ok(vectors),
        false => Err(wrong("it has no `embedding` for one of the texts")),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "vectors are kept with this precision")]
fn figure(value: &Value) -> Option<f32> {
    value.as_f64().map(|figure| figure as f32)
}

#[cfg(test)]
#[path = "embeddings_tests.rs"]
mod tests;
