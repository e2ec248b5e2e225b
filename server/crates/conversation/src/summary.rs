//! What fell out of the window, in short: asked for through [`Summarizer`], which a model may be; [`Extracts`] needs none.

use std::sync::Arc;

use async_trait::async_trait;

use super::clip::one_line;
use switchboard_events::{ChatMessage, ChatRole};

/// The longest summary, in bytes.
pub const MAX_SUMMARY_BYTES: usize = 4096;

/// A summary, and the events that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What was said and done.
    pub text: String,
    /// The first event that it stands for.
    pub from_seq: u64,
    /// The last event that it stands for.
    pub to_seq: u64,
}

/// What has to be summarized.
#[derive(Debug, Clone, PartialEq)]
pub struct Overflow {
    /// The summary that there is already; the new one takes its place.
    pub earlier: Option<String>,
    /// The messages, oldest first; large ones as previews.
    pub messages: Vec<Arc<ChatMessage>>,
    /// The events that the new summary stands for, those of the earlier one included.
    pub from_seq: u64,
    /// The last of them.
    pub to_seq: u64,
}

/// Who writes summaries.
#[async_trait]
pub trait Summarizer: Send + Sync {
    /// What the earlier summary and the messages say, in at most [`MAX_SUMMARY_BYTES`] bytes.
    ///
    /// # Errors
    /// Why there is none; the extracts are taken then.
    async fn summarize(&self, overflow: &Overflow) -> Result<String, String>;
}

/// Summaries without a model: what the user asked, which tools ran, what was answered, a line each. When there are too
/// many lines the oldest go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extracts;

#[async_trait]
impl Summarizer for Extracts {
    async fn summarize(&self, overflow: &Overflow) -> Result<String, String> {
        Ok(extract(overflow))
    }
}

const GONE: &str = "- (earlier lines are left out)";

/// The lines of a summary without a model.
#[must_use]
pub fn extract(overflow: &Overflow) -> String {
    let earlier = overflow.earlier.iter().flat_map(|text| text.lines()).filter(|line| *line != GONE);
    let lines = earlier.map(ToOwned::to_owned).chain(overflow.messages.iter().filter_map(|message| line(message)));
    let mut kept = Vec::new();
    let mut room = MAX_SUMMARY_BYTES - GONE.len() - 1;
    let mut whole = true;
    for line in lines.collect::<Vec<_>>().into_iter().rev() {
        whole = line.len() < room;
        if !whole {
            break;
        }
        room -= line.len() + 1;
        kept.push(line);
    }
    if !whole {
        kept.push(GONE.to_owned());
    }
    kept.reverse();
    kept.join("\n")
}

fn line(message: &ChatMessage) -> Option<String> {
    match message.role {
        ChatRole::User => Some(format!("- The user: {}", one_line(&message.content.in_words(), 200))),
        ChatRole::Assistant if !message.tool_calls.is_empty() => {
            let names: Vec<String> = message.tool_calls.iter().map(|call| format!("`{}`", call.name)).collect();
            Some(format!("- Called {}", names.join(", ")))
        }
        ChatRole::Assistant if !message.content.text().trim().is_empty() => {
            Some(format!("- The answer: {}", one_line(message.content.text(), 160)))
        }
        ChatRole::Tool => Some(format!("- Result: {}", one_line(&message.content.in_words(), 120))),
        ChatRole::Assistant | ChatRole::System => None,
    }
}
