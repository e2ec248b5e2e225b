//! Asking the model: what it costs is added up, and why it does not answer becomes an error that people understand.

use std::sync::Arc;

use switchboard_protocol::Usage;

use crate::reasoner::ReasonerError;
use crate::reply::ReplyStream;
use switchboard_llm::{LlmClient, LlmError, LlmReply, LlmRequest, ModelInfo, TextSink};

/// What a model can charge for beyond the text of a request: its template and the definitions' format.
const OVERHEAD_TOKENS: u64 = 16 * 1024;

/// The most that a reply may cost beyond its text, for thoughts that are not shown.
const THOUGHT_TOKENS: u64 = 256 * 1024;

/// The most that one picture can cost.
const PICTURE_TOKENS: usize = 16 * 1024;

/// One model, and what it has cost in this turn.
pub(in crate::reasoner) struct Asker {
    client: Arc<dyn LlmClient>,
    usage: Option<Usage>,
}

impl Asker {
    pub(in crate::reasoner) fn new(client: Arc<dyn LlmClient>) -> Self {
        Self { client, usage: None }
    }

    /// The model that is asked.
    pub(in crate::reasoner) fn model(&self) -> &ModelInfo {
        self.client.model()
    }

    pub(in crate::reasoner) fn usage(&self) -> Option<Usage> {
        self.usage.clone()
    }

    /// Asks, and gives each piece of the text to `take` as it comes.
    ///
    /// # Errors
    /// As [`LlmClient::stream`].
    pub(in crate::reasoner) async fn stream(
        &mut self,
        request: &LlmRequest,
        take: &mut (dyn FnMut(&str) + Send),
    ) -> Result<LlmReply, LlmError> {
        let reply = self.client.stream(request, &mut Pieces(take)).await?;
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

struct Pieces<'a>(&'a mut (dyn FnMut(&str) + Send));

impl TextSink for Pieces<'_> {
    fn text(&mut self, piece: &str) {
        (self.0)(piece);
    }
}

/// No text has more tokens than bytes, and no picture more than [`PICTURE_TOKENS`].
fn bytes(request: &LlmRequest) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| {
            let calls: usize = message.tool_calls.iter().map(|call| call.name.len() + length(&call.arguments)).sum();
            message.content.text().len() + message.content.pictures().count() * PICTURE_TOKENS + calls
        })
        .sum();
    let tools: usize =
        request.tools.iter().map(|tool| tool.name.len() + tool.description.len() + length(&tool.parameters)).sum();
    let schema = request.schema.as_ref().map_or(0, |schema| length(&schema.schema));
    (request.system.len() + request.situation.len() + messages + tools + schema) as u64
}

fn length(json: &impl serde::Serialize) -> usize {
    serde_json::to_string(json).map_or(0, |text| text.len())
}

/// The turn's error. What had come of the reply is kept, and marked as incomplete.
pub(in crate::reasoner) fn failed(error: &LlmError, reply: &ReplyStream) -> ReasonerError {
    let retry_after_ms = error.retry_after().map(|after| u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
    ReasonerError::Model {
        code: error.code(),
        message: error.to_string(),
        suggestion: error.suggestion().to_owned(),
        retryable: error.is_retryable(),
        retry_after_ms,
        partial: Some(reply.so_far()).filter(|text| !text.trim().is_empty()),
    }
}
