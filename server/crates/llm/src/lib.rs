//! Language models: one trait, whoever serves them ([`LlmClient`]), with retries, deadlines and a gate a key.
//!
//! A stream that breaks off is an error, never a short reply; no key is in any error, log or listing.

mod anthropic;
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
mod gate;
mod models;
mod openai;
mod other;
mod prove;
mod provider;
mod providers;
mod refusal;
mod reply;
mod request;
mod sse;
mod store;
mod transport;
mod wait;

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
pub use prove::{NotProved, Proposal, Proved};
pub use providers::{Endpoint, Gates, PROVIDERS, Provider, provider};
pub use reply::{FinishReason, LlmReply};
pub use request::{LlmRequest, ResponseSchema};
