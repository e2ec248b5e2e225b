//! What a model is asked, in nobody's dialect.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;
use switchboard_protocol::FunctionDefinition;

use switchboard_events::{BlobHash, ChatMessage};

/// The bytes of pictures.
pub type Pictures = HashMap<BlobHash, Bytes>;

/// One question to a model.
#[derive(Debug, Clone, Default)]
pub struct LlmRequest {
    /// The instructions. The same text at each call lets the provider reuse its prompt cache.
    pub system: Arc<str>,
    /// What holds at this moment only, such as the variables there are; may be empty. It stands behind what the provider
    /// can reuse.
    pub situation: Arc<str>,
    /// The conversation, oldest first; results follow their calls.
    pub messages: Vec<Arc<ChatMessage>>,
    /// The pictures of the messages that the model is shown; it is told in words of all others.
    pub pictures: Pictures,
    /// The functions that may be called; the model chooses (`tool_choice: auto`).
    pub tools: Vec<FunctionDefinition>,
    /// Whether the provider may search the web for the reply, if it can.
    pub web_search: bool,
    /// What the text of the reply must look like. Providers keep to it as well as they can: check it.
    pub schema: Option<ResponseSchema>,
    /// How freely it writes, from 0 to 2.
    pub temperature: f64,
    /// How long the reply may be, in tokens.
    pub max_tokens: u32,
}

/// The shape of a structured reply.
#[derive(Debug, Clone)]
pub struct ResponseSchema {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// JSON Schema of an object.
    pub schema: Value,
}
