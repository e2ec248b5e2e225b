//! Summaries of what falls out of the window, written by the model in use; without one, extracts.

use std::sync::Arc;

use async_trait::async_trait;

use super::CurrentModel;
use super::model::{fence, spoken};
use switchboard_conversation::{Overflow, Summarizer, estimate_tokens, extract};
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_llm::{FinishReason, LlmReply, LlmRequest, ModelInfo, Pictures};

const INSTRUCTIONS: &str = include_str!("prompts/summary.md");

/// How long a summary may be, in tokens; what is stored of it is cut to its limit in bytes.
const MAX_TOKENS: u32 = 1000;

/// How freely it is written: as decisions are.
const TEMPERATURE: f64 = 0.1;

/// How many bytes of one message the model is shown.
const MESSAGE_BYTES: usize = 2048;

/// The window of a model that does not say how large its own is, and the largest that is filled, in tokens.
const USUAL_WINDOW: u64 = 8 * 1024;
const LARGEST_WINDOW: u64 = 64 * 1024;

/// Writes summaries with the model that is in use when one is due.
pub struct ModelSummaries {
    model: CurrentModel,
}

impl ModelSummaries {
    /// Summaries by this model.
    #[must_use]
    pub fn new(model: CurrentModel) -> Self {
        Self { model }
    }
}

#[async_trait]
impl Summarizer for ModelSummaries {
    async fn summarize(&self, overflow: &Overflow) -> Result<String, String> {
        let Some(model) = (self.model)() else { return Ok(extract(overflow)) };
        let reply = model.complete(&request(overflow, model.model())).await;
        text_of(&reply.map_err(|error| format!("failed to {error}"))?)
    }
}

fn request(overflow: &Overflow, model: &ModelInfo) -> LlmRequest {
    let window = model.context_tokens.unwrap_or(USUAL_WINDOW).min(LARGEST_WINDOW);
    let max_tokens = u32::try_from(window / 4).unwrap_or(MAX_TOKENS).min(MAX_TOKENS);
    LlmRequest {
        situation: "".into(),
        system: INSTRUCTIONS.trim().into(),
        messages: vec![Arc::new(ChatMessage::new(ChatRole::User, material(overflow, window / 2)))],
        pictures: Pictures::new(),
        web_search: false,
        tools: Vec::new(),
        schema: None,
        temperature: TEMPERATURE,
        max_tokens,
    }
}

/// The earlier notes and as many of the newest messages as have room in so many tokens.
fn material(overflow: &Overflow, room: u64) -> String {
    let mut text = String::new();
    if let Some(earlier) = &overflow.earlier {
        text = format!("The notes so far:\n{}\n\n", fence("notes", earlier));
    }
    let mut left = room.saturating_sub(estimate_tokens(&text));
    let mut lines: Vec<String> = Vec::new();
    for message in overflow.messages.iter().rev() {
        let line = line(message);
        let Some(rest) = left.checked_sub(estimate_tokens(&line)) else { break };
        left = rest;
        lines.push(line);
    }
    if lines.len() < overflow.messages.len() {
        lines.push("(earlier messages are left out)\n".to_owned());
    }
    lines.reverse();
    text + &format!("What was said and done after them:\n{}", fence("conversation", lines.concat().trim_end()))
}

fn line(message: &ChatMessage) -> String {
    let (who, calls) = spoken(message);
    let said = format!("{}{calls}", message.content.in_words());
    format!("{who}: {}\n", switchboard_tools::head_and_tail(&said, MESSAGE_BYTES))
}

/// A reply that is whole; one that was cut off lacks what happened last.
fn text_of(reply: &LlmReply) -> Result<String, String> {
    match reply.finish {
        FinishReason::Length => return Err("the model did not finish".to_owned()),
        FinishReason::Filtered => return Err("the provider withheld the model's reply".to_owned()),
        _ => {}
    }
    let text = reply.text.trim();
    if text.is_empty() { Err("the model wrote nothing".to_owned()) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{ScriptedModel, ends, says};
    use switchboard_llm::LlmError;

    fn overflow(messages: usize) -> Overflow {
        let said =
            |number| Arc::new(ChatMessage::new(ChatRole::User, format!("request {number} {}", "word ".repeat(500))));
        Overflow {
            earlier: Some("- The user is called Ada".to_owned()),
            messages: (0..messages).map(said).collect(),
            from_seq: 1,
            to_seq: 9,
        }
    }

    fn by(model: &Arc<ScriptedModel>) -> ModelSummaries {
        let model = Arc::clone(model);
        ModelSummaries::new(Box::new(move || Some(Arc::clone(&model) as _)))
    }

    #[tokio::test]
    async fn the_model_is_shown_the_notes_and_the_newest_messages_and_no_more_than_half_its_window() {
        let model = ScriptedModel::of([says("  - Ada wants it\n")]);

        let text = by(&model).summarize(&overflow(40)).await;

        assert_eq!(text.as_deref(), Ok("- Ada wants it"));
        let asked = model.asked().remove(0);
        let shown = asked.messages[0].content.text();
        assert!(shown.contains("The user is called Ada") && shown.contains("request 39"), "{shown}");
        assert!(!shown.contains("request 0 ") && shown.contains("earlier messages are left out"), "{shown}");
        assert!((3000..4200).contains(&estimate_tokens(shown)), "{}", estimate_tokens(shown));
        assert!(asked.tools.is_empty() && asked.max_tokens == MAX_TOKENS && asked.system.contains("notes"));
    }

    #[tokio::test]
    async fn what_is_no_whole_summary_is_none() {
        let unreachable = Err(LlmError::Unreachable("nobody is there".to_owned()));
        let script = [says(" "), ends("- half of", FinishReason::Length), unreachable];
        let model = ScriptedModel::of(script);
        let summaries = by(&model);

        for said in ["wrote nothing", "did not finish", "nobody is there"] {
            let error = summaries.summarize(&overflow(1)).await.expect_err("there is no summary");
            assert!(error.contains(said), "{error}");
        }
    }

    #[tokio::test]
    async fn without_a_model_there_are_extracts() {
        let summaries = ModelSummaries::new(Box::new(|| None));
        let text = summaries.summarize(&overflow(2)).await.expect("extracts");
        assert!(text.contains("- The user: request 1"), "{text}");
    }
}
