//! What is set about models: which one, how it writes, how long anything may take.

use std::collections::BTreeMap;
use std::time::Duration;

use switchboard_runtime::Secret;

/// The settings of this room.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmConfig {
    /// The provider's id; none: it is found automatically.
    pub provider: Option<String>,
    /// Where its API is; none: the provider's own address.
    pub base_url: Option<String>,
    /// The model; none: the provider's usual one.
    pub model: Option<String>,
    /// The key; none: the provider's variable of the environment, or what was stored.
    pub api_key: Option<Secret>,
    /// Whether models are used at all.
    pub off: bool,
    /// Whether the model can be shown pictures; none: what is known of it.
    pub vision: Option<bool>,
    /// Whether the provider's own web search is used, where it has one.
    pub web_search: bool,
    /// How freely the model writes replies.
    pub temperature: f64,
    /// How long a reply may be, in tokens.
    pub max_tokens: u32,
    /// How long anything may take.
    pub limits: LlmLimits,
    /// The environment, for the providers' keys.
    pub environment: Environment,
}

/// The environment's variables; their values are never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment(pub BTreeMap<String, String>);

impl Environment {
    /// A variable; an empty one is not set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Environment(…)")
    }
}

impl Default for LlmConfig {
    fn default() -> Self {
        Self {
            provider: None,
            base_url: None,
            model: None,
            api_key: None,
            off: false,
            vision: None,
            web_search: false,
            temperature: 0.5,
            max_tokens: 1024,
            limits: LlmLimits::default(),
            environment: Environment::default(),
        }
    }
}

/// How long one request may take, how often it is tried, how many run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LlmLimits {
    /// Until the connection stands.
    pub connect: Duration,
    /// Until the first byte of a reply.
    pub first_byte: Duration,
    /// Between two pieces of a reply.
    pub idle: Duration,
    /// All of it, waits and retries included.
    pub total: Duration,
    /// The longest wait before a retry; a provider that asks for a longer one gets no retry.
    pub max_wait: Duration,
    /// How many retries.
    pub retries: u32,
    /// How many requests with one key run at once.
    pub parallel: usize,
}

impl Default for LlmLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(30),
            total: Duration::from_secs(300),
            max_wait: Duration::from_secs(30),
            retries: 3,
            parallel: 32,
        }
    }
}
