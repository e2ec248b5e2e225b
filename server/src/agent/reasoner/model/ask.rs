//! Asking the model: what it costs is added up, and why it does not answer becomes an error that people understand.

use std::sync::Arc;

use switchboard_protocol::Usage;
use tokio::sync::Notify;

use crate::agent::reasoner::ReasonerError;
use crate::agent::reply::ReplyStream;
use crate::llm::{LlmClient, LlmError, LlmReply, LlmRequest, TextSink};

/// What a model can charge for beyond the text of a request: its template and the definitions' format.
const OVERHEAD_TOKENS: u64 = 16 * 1024;

/// The most that a reply may cost beyond its text, for thoughts that are not shown.
const THOUGHT_TOKENS: u64 = 256 * 1024;

/// The longest text of a reply: so many bytes for each token that it may have, and never less than this. A model that
/// goes on is stopped, whatever its provider counts.
const BYTES_PER_TOKEN: usize = 32;
const LEAST_BYTES: usize = 64 * 1024;

/// Why the model gave no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub(in crate::agent::reasoner) enum AskError {
    /// The model could not be asked, or did not come to an end.
    #[error(transparent)]
    Llm(#[from] LlmError),
    /// The reply is longer than any that was asked for.
    #[error("get a reply of a sensible length: it was stopped after {0} bytes")]
    Endless(usize),
}

/// One model, and what it has cost in this turn.
pub(in crate::agent::reasoner) struct Asker {
    client: Arc<dyn LlmClient>,
    usage: Option<Usage>,
}

impl Asker {
    pub(in crate::agent::reasoner) fn new(client: Arc<dyn LlmClient>) -> Self {
        Self { client, usage: None }
    }

    pub(in crate::agent::reasoner) fn usage(&self) -> Option<Usage> {
        self.usage.clone()
    }

    /// Asks, and gives each piece of the text to `take` as it comes.
    ///
    /// # Errors
    /// As [`LlmClient::stream`], and when the reply has no end.
    pub(in crate::agent::reasoner) async fn stream(
        &mut self,
        request: &LlmRequest,
        take: &mut (dyn FnMut(&str) + Send),
    ) -> Result<LlmReply, AskError> {
        let room = LEAST_BYTES.max(BYTES_PER_TOKEN * usize::try_from(request.max_tokens).unwrap_or(usize::MAX / 64));
        let full = Notify::new();
        let mut pieces = Pieces { take, room, full: &full };
        let reply = tokio::select! {
            biased;
            () = full.notified() => return Err(AskError::Endless(room)),
            reply = self.client.stream(request, &mut pieces) => reply?,
        };
        self.add(request, &reply);
        Ok(reply)
    }

    /// What the provider says it cost, as far as that can be true.
    fn add(&mut self, request: &LlmRequest, reply: &LlmReply) {
        let Some(usage) = &reply.usage else { return };
        let calls: usize = reply.tool_calls.iter().map(|call| call.name.len() + length(&call.arguments)).sum();
        let input = usage.input_tokens.min(bytes(request) + OVERHEAD_TOKENS);
        let output = usage.output_tokens.min((reply.text.len() + calls) as u64 + THOUGHT_TOKENS);
        let sum = self.usage.get_or_insert(Usage { input_tokens: 0, output_tokens: 0 });
        sum.input_tokens = sum.input_tokens.saturating_add(input);
        sum.output_tokens = sum.output_tokens.saturating_add(output);
    }
}

/// Passes pieces on until there is no room for more.
struct Pieces<'a> {
    take: &'a mut (dyn FnMut(&str) + Send),
    room: usize,
    full: &'a Notify,
}

impl TextSink for Pieces<'_> {
    fn text(&mut self, piece: &str) {
        match self.room.checked_sub(piece.len()) {
            Some(left) => {
                self.room = left;
                (self.take)(piece);
            }
            None => self.full.notify_one(),
        }
    }
}

/// No text has more tokens than bytes.
fn bytes(request: &LlmRequest) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| {
            let calls: usize = message.tool_calls.iter().map(|call| call.name.len() + length(&call.arguments)).sum();
            message.content.len() + calls
        })
        .sum();
    let tools: usize =
        request.tools.iter().map(|tool| tool.name.len() + tool.description.len() + length(&tool.parameters)).sum();
    let schema = request.schema.as_ref().map_or(0, |schema| length(&schema.schema));
    (request.system.len() + messages + tools + schema) as u64
}

fn length(json: &impl serde::Serialize) -> usize {
    serde_json::to_string(json).map_or(0, |text| text.len())
}

/// The turn's error. What had come of the reply is kept, and marked as incomplete.
pub(in crate::agent::reasoner) fn failed(error: &AskError, reply: &ReplyStream) -> ReasonerError {
    let (code, suggestion, retryable, retry_after) = match error {
        AskError::Llm(error) => (error.code(), error.suggestion(), error.is_retryable(), error.retry_after()),
        AskError::Endless(_) => ("budget-exceeded", "Ask for less at once, or choose another model.", true, None),
    };
    ReasonerError::Model {
        code,
        message: error.to_string(),
        suggestion: suggestion.to_owned(),
        retryable,
        retry_after_ms: retry_after.map(|after| u64::try_from(after.as_millis()).unwrap_or(u64::MAX)),
        partial: Some(reply.so_far()).filter(|text| !text.trim().is_empty()),
    }
}
