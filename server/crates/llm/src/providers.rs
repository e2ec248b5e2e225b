//! The providers that are known by name: where they are, how they speak, and where their keys are looked for. Anything
//! else that is OpenAI-compatible is `compatible`, by its address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use url::Url;

use super::anthropic::Anthropic;
use super::client::{LlmClient, ModelInfo};
use super::config::LlmLimits;
use super::dialect::Dialect;
use super::openai::OpenAi;
use super::provider::ProviderClient;
use super::rate_limiter::RateLimiter;
use super::transport::{Connections, Transport};
use switchboard_runtime::Secret;

/// A provider.
#[derive(Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its name in settings.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Where its API is, when nobody says otherwise.
    pub base_url: Option<&'static str>,
    /// The variables of the environment that hold its key; the first is the one to name.
    pub key_variables: &'static [&'static str],
    /// Whether it takes nothing without a key.
    pub needs_key: bool,
    /// The model that is taken when nobody names one.
    pub default_model: Option<&'static str>,
    /// Whether its models call functions; of others it is found out.
    pub calls_functions: bool,
}

/// All providers, in the order in which keys are looked for.
pub static PROVIDERS: &[Provider] = &[
    Provider {
        id: "openai",
        name: "OpenAI",
        base_url: Some("https://api.openai.com/v1/"),
        key_variables: &["OPENAI_API_KEY"],
        needs_key: true,
        default_model: Some("gpt-4.1-mini"),
        calls_functions: true,
    },
    Provider {
        id: "anthropic",
        name: "Anthropic",
        base_url: Some("https://api.anthropic.com/v1/"),
        key_variables: &["ANTHROPIC_API_KEY"],
        needs_key: true,
        default_model: Some("claude-sonnet-4-5"),
        calls_functions: true,
    },
    Provider {
        id: "gemini",
        name: "Google Gemini",
        base_url: Some("https://generativelanguage.googleapis.com/v1beta/openai/"),
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        needs_key: true,
        default_model: Some("gemini-2.5-flash"),
        calls_functions: true,
    },
    Provider {
        id: "openrouter",
        name: "OpenRouter",
        base_url: Some("https://openrouter.ai/api/v1/"),
        key_variables: &["OPENROUTER_API_KEY"],
        needs_key: true,
        default_model: Some("openrouter/auto"),
        calls_functions: true,
    },
    Provider {
        id: "ollama",
        name: "Ollama",
        base_url: Some("http://127.0.0.1:11434/v1/"),
        key_variables: &["OLLAMA_API_KEY"],
        needs_key: false,
        default_model: None,
        calls_functions: false,
    },
    Provider {
        id: "llamacpp",
        name: "llama.cpp",
        base_url: Some("http://127.0.0.1:8080/v1/"),
        key_variables: &["LLAMACPP_API_KEY"],
        needs_key: false,
        default_model: None,
        calls_functions: false,
    },
    Provider {
        id: "vllm",
        name: "vLLM",
        base_url: Some("http://127.0.0.1:8000/v1/"),
        key_variables: &["VLLM_API_KEY"],
        needs_key: false,
        default_model: None,
        calls_functions: false,
    },
    Provider {
        id: "compatible",
        name: "OpenAI-compatible",
        base_url: None,
        key_variables: &["LLM_API_KEY"],
        needs_key: false,
        default_model: None,
        calls_functions: true,
    },
];

/// A provider by its name in settings.
#[must_use]
pub fn provider(id: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.id == id)
}

/// Where a model is, and with which key.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// The provider.
    pub provider: &'static Provider,
    /// Where its API is.
    pub base_url: Url,
    /// The key.
    pub key: Option<Secret>,
}

/// What all who use a key share: the limiter before it, and the connections while somebody has them.
#[derive(Debug, Default)]
pub struct RateLimiters {
    limiters: Mutex<HashMap<String, Arc<RateLimiter>>>,
    connections: Mutex<HashMap<String, Weak<Connections>>>,
}

impl RateLimiters {
    /// A client for a model at an endpoint.
    #[must_use]
    pub fn client(&self, endpoint: &Endpoint, model: ModelInfo, limits: LlmLimits) -> Arc<dyn LlmClient> {
        let dialect = dialect(endpoint, &model.name);
        let limiter = self.limiter(endpoint, limits.parallel);
        let transport = self.transport(endpoint, limits);
        Arc::new(ProviderClient::new(model, dialect, transport, limiter, limits, endpoint.key.clone()))
    }

    /// For what is asked past the limiter, such as the list of models.
    pub(super) fn transport(&self, endpoint: &Endpoint, limits: LlmLimits) -> Transport {
        let mut all = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, connections| connections.strong_count() > 0);
        let name = name(endpoint);
        let connections = all.get(&name).and_then(Weak::upgrade).unwrap_or_default();
        all.insert(name, Arc::downgrade(&connections));
        Transport::new(&endpoint.base_url, limits, connections)
    }

    pub(super) fn limiter(&self, endpoint: &Endpoint, parallel: usize) -> Arc<RateLimiter> {
        let mut limiters = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(limiters.entry(name(endpoint)).or_insert_with(|| RateLimiter::new(parallel)))
    }
}

/// An address with one key.
fn name(endpoint: &Endpoint) -> String {
    format!("{} {}", endpoint.base_url, endpoint.key.as_ref().map(Secret::reveal).unwrap_or_default())
}

/// How to speak with it.
pub(super) fn dialect(endpoint: &Endpoint, model: &str) -> Box<dyn Dialect> {
    let key = endpoint.key.clone();
    match endpoint.provider.id {
        "anthropic" => Box::new(Anthropic::new(model, key)),
        id => Box::new(OpenAi::new(model, key, id)),
    }
}
