//! Which models a provider says it has, and what is known of a model.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::ModelInfo;
use super::config::LlmConfig;
use super::error::LlmError;
use super::providers::{Endpoint, Provider, dialect};
use super::transport::Transport;
use super::vision;

/// The most models that are listed; some providers have hundreds.
const MAX_MODELS: usize = 1000;

/// The most pages of a list that are asked for.
const MAX_PAGES: usize = 5;

/// The longest name of a model.
const MAX_NAME_BYTES: usize = 200;

/// What Ollama gives a model when nobody says otherwise, however large the model's own window is.
const OLLAMA_CONTEXT: u64 = 4096;

/// Windows of well-known models, by how their names begin, without a maker's folder.
const WINDOWS: [(&str, u64); 12] = [
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-4", 8_192),
    ("gpt-5", 400_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude-", 200_000),
    ("gemini-", 1_048_576),
    ("mistral-large", 128_000),
    ("deepseek-", 64_000),
    ("grok-", 131_072),
];

/// A model, as its provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedModel {
    pub(super) name: String,
    /// Its window, if the provider says so.
    pub(super) context_tokens: Option<u64>,
    /// Whether it can be shown pictures, if the provider says so.
    pub(super) sees_pictures: Option<bool>,
}

/// The provider's models, in its order.
///
/// # Errors
/// When it cannot be asked, or does not answer with a list of models.
pub(super) async fn models(
    transport: &Transport,
    endpoint: &Endpoint,
    limit: Duration,
) -> Result<Vec<ListedModel>, LlmError> {
    let dialect = dialect(endpoint, "");
    let (mut path, mut all) = (dialect.models_path().to_owned(), Vec::new());
    for _ in 0..MAX_PAGES {
        let list = transport.ask(&path, None, dialect.headers(), limit).await?;
        let Some(models) = list.get("data").or_else(|| list.get("models")).and_then(Value::as_array) else {
            return Err(LlmError::Malformed("it is JSON, but not a list of models".to_owned()));
        };
        all.extend(models.iter().filter_map(listed).filter(|model| model.name.len() <= MAX_NAME_BYTES));
        match after(&list) {
            Some(last) if all.len() < MAX_MODELS => path = format!("{}&after_id={last}", dialect.models_path()),
            _ => break,
        }
    }
    all.truncate(MAX_MODELS);
    Ok(all)
}

/// The last model of this page, if another page follows: Anthropic's way to go on.
fn after(list: &Value) -> Option<String> {
    let last = list.get("last_id")?.as_str().filter(|last| last.len() <= MAX_NAME_BYTES)?;
    let more = list.get("has_more") == Some(&Value::Bool(true));
    more.then(|| url::form_urlencoded::byte_serialize(last.as_bytes()).collect())
}

fn listed(model: &Value) -> Option<ListedModel> {
    let name = ["id", "name"].iter().find_map(|&field| model.get(field)?.as_str())?;
    // Gemini's names have its own folder before them, which requests do not need.
    let name = name.trim_start_matches("models/").to_owned();
    // OpenRouter's field, vLLM's and Anthropic's.
    let context_tokens =
        ["context_length", "max_model_len", "max_input_tokens"].iter().find_map(|&field| model.get(field)?.as_u64());
    Some(ListedModel { name, context_tokens, sees_pictures: vision::listed(model) })
}

/// What is known of a model without asking for it, and what is set.
pub(super) fn info(provider: &Provider, name: &str, listed: Option<&ListedModel>, config: &LlmConfig) -> ModelInfo {
    let bare = name.rsplit('/').next().unwrap_or(name);
    let well_known = || WINDOWS.iter().find(|(beginning, _)| bare.starts_with(beginning)).map(|(_, tokens)| *tokens);
    ModelInfo {
        provider: provider.id.to_owned(),
        name: name.to_owned(),
        context_tokens: listed.and_then(|listed| listed.context_tokens).or_else(well_known),
        supports_tools: provider.calls_functions,
        sees_pictures: config
            .vision
            .or(listed.and_then(|listed| listed.sees_pictures))
            .unwrap_or_else(|| vision::known(provider.id, bare)),
        searches_web: config.web_search,
    }
}

/// The same with what the provider tells of the model by ways of its own; what it does not tell stays as it was.
pub(super) async fn learned(
    transport: &Transport,
    endpoint: &Endpoint,
    info: ModelInfo,
    config: &LlmConfig,
    limit: Duration,
) -> ModelInfo {
    let headers = dialect(endpoint, "").headers();
    match endpoint.provider.id {
        "ollama" => {
            let set = config.environment.get("OLLAMA_CONTEXT_LENGTH").and_then(|text| text.parse().ok());
            let context_tokens = Some(set.unwrap_or(OLLAMA_CONTEXT));
            let question = json!({"model": info.name});
            let told = transport.ask("../api/show", Some(&question), headers, limit).await.unwrap_or_default();
            let abilities = told.get("capabilities").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let able = |what: &str| abilities.iter().any(|ability| ability == what);
            // Older ones do not say what a model can do.
            let sees = config.vision.unwrap_or(able("vision") || abilities.is_empty() && info.sees_pictures);
            ModelInfo { context_tokens, supports_tools: able("tools"), sees_pictures: sees, ..info }
        }
        "llamacpp" => {
            let told = transport.ask("../props", None, headers, limit).await.unwrap_or_default();
            let window = told.pointer("/default_generation_settings/n_ctx").and_then(Value::as_u64);
            let calls = told.pointer("/chat_template_caps/supports_tool_calls").and_then(Value::as_bool);
            let supports_tools = calls.unwrap_or(info.supports_tools);
            let sees = told.pointer("/modalities/vision").and_then(Value::as_bool);
            let sees_pictures = config.vision.or(sees).unwrap_or(info.sees_pictures);
            ModelInfo { context_tokens: window.or(info.context_tokens), supports_tools, sees_pictures, ..info }
        }
        _ => info,
    }
}
