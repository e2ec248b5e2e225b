//! Which models a provider says it has.

use std::time::Duration;

use serde_json::Value;

use super::config::LlmLimits;
use super::error::LlmError;
use super::providers::{Endpoint, dialect};
use super::transport::Transport;

/// The most models that are listed; some providers have hundreds.
const MAX_MODELS: usize = 1000;

/// The longest name of a model.
const MAX_NAME_BYTES: usize = 200;

/// The names of the provider's models, in its order.
///
/// # Errors
/// When it cannot be asked, or does not answer as an OpenAI-shaped API does.
pub async fn models(endpoint: &Endpoint, limits: LlmLimits, limit: Duration) -> Result<Vec<String>, LlmError> {
    let transport = Transport::new(&endpoint.base_url, limits);
    let list = transport.get("models", dialect(endpoint, "").headers(), limit).await?;
    let Some(models) = list.get("data").or_else(|| list.get("models")).and_then(Value::as_array) else {
        return Err(LlmError::Malformed("it is JSON, but no list of models".to_owned()));
    };
    let name =
        |model: &Value| ["id", "name"].iter().find_map(|&field| model.get(field)?.as_str().map(ToOwned::to_owned));
    let named = models.iter().filter_map(name).filter(|name| name.len() <= MAX_NAME_BYTES);
    // Gemini's names have its own folder before them, which requests do not need.
    Ok(named.map(|name| name.trim_start_matches("models/").to_owned()).take(MAX_MODELS).collect())
}
