//! Language models: one trait for every provider ([`LlmClient`]), with retries, deadlines and one rate limiter per key.
//!
//! A stream that breaks off is an error, never a short reply. No error, log or listing contains a key.

mod anthropic;
mod backoff;
mod calls;
mod catalogue;
mod choose;
mod client;
mod client_cache;
mod config;
mod dialect;
mod embeddings;
mod error;
mod excerpt;
mod follow;
mod local;
mod models;
mod openai;
mod other;
mod probe;
mod provider;
mod providers;
mod rate_limiter;
mod refusal;
mod reply;
mod request;
mod sse;
mod store;
mod transport;
mod vision;
mod written;

#[cfg(test)]
#[expect(dead_code, unreachable_pub, reason = "the suite uses the same file, and other parts of it")]
#[path = "../../../../tests/src/llm/mod.rs"]
mod scripted;

pub use calls::UnreadableCall;
pub use choose::{ChooseError, KeyFrom};
pub use client::{LlmClient, ModelInfo, TextSink};
pub use config::{Environment, LlmConfig, LlmLimits};
pub use embeddings::{Embeddings, EmbeddingsConfig};
pub use error::{Deadline, LlmError};
pub use models::{Models, ProviderStatus};
pub use openai::{openai_messages, shown_with};
pub use probe::{ProbeError, Probed, Proposal};
pub use providers::{Endpoint, PROVIDERS, Provider, RateLimiters, provider};
pub use reply::{FinishReason, LlmReply, WebSource};
pub use request::{LlmRequest, Pictures, ResponseSchema};
pub use store::MODELS;
pub use written::{is_broken_off, object_in, objects_in};
