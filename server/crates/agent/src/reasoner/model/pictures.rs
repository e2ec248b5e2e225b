//! The pictures that a model is shown. A picture that is not shown is told in words.

use std::collections::HashSet;
use std::sync::Arc;

use crate::reasoner::TurnContext;
use switchboard_conversation::{ToolAwareChatEngine, estimate_picture_tokens};
use switchboard_events::{ChatMessage, ChatRole, Content, Values};
use switchboard_llm::{LlmRequest, ModelInfo};

/// How many pictures are in one request, and how many bytes they have together: Anthropic takes 32 MB in all, and large
/// pictures only up to 20 of them.
const MAX_PICTURES: usize = 20;
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// What a model that sees is told beside its instructions: the descriptions of tools speak of text.
const SEES: &str = "You can see pictures: a tool that reads a PNG, JPEG, GIF or WebP file or page, such as file_read, shows it to you.";

/// The instructions, with [`SEES`] behind them if it holds.
pub(in crate::reasoner) fn with_sight(parts: &[&str], model: &ModelInfo) -> String {
    let sees = Some(SEES).filter(|_| model.sees_pictures);
    let parts: Vec<&str> = parts.iter().copied().chain(sees).collect();
    parts.join("\n\n").trim().to_owned()
}

/// Loads the newest pictures of the request's messages, if the model sees any.
pub(in crate::reasoner) async fn load_pictures(request: &mut LlmRequest, values: &Values, model: &ModelInfo) {
    if !model.sees_pictures {
        return;
    }
    let mut room = MAX_BYTES;
    let messages = request.messages.clone();
    for picture in messages.iter().rev().flat_map(|message| message.content.pictures().rev()) {
        if request.pictures.len() == MAX_PICTURES || picture.bytes > room {
            return;
        }
        if !picture.can_be_shown() || request.pictures.contains_key(&picture.hash) {
            continue;
        }
        match values.picture(picture).await {
            Ok(bytes) => {
                room -= picture.bytes;
                request.pictures.insert(picture.hash.clone(), bytes);
            }
            Err(error) => tracing::warn!("a picture of the conversation is not shown: failed to {error}"),
        }
    }
}

/// A prompt as the user's message, with the newest pictures of the conversation behind it, if the model sees any: in a
/// quarter of its window at most.
pub(in crate::reasoner) fn with_pictures(
    prompt: &str,
    context: &TurnContext<'_>,
    model: &ModelInfo,
) -> Arc<ChatMessage> {
    let mut content = Content::from(prompt);
    if model.sees_pictures {
        add_pictures(&mut content, &context.view.conversation);
    }
    Arc::new(ChatMessage::new(ChatRole::User, content))
}

fn add_pictures(content: &mut Content, conversation: &ToolAwareChatEngine) {
    let window = conversation.window();
    let mut room = conversation.config().context_limit() / 4;
    let mut seen = HashSet::new();
    let mut newest = Vec::new();
    for picture in window.iter().rev().flat_map(|message| message.content.pictures().rev()) {
        let Some(left) = room.checked_sub(estimate_picture_tokens(picture)) else { break };
        if seen.insert(&picture.hash) && picture.can_be_shown() {
            room = left;
            newest.push(picture);
        }
    }
    if !newest.is_empty() {
        content.push_text("\n\n## Pictures of the conversation, the newest last\n");
        newest.into_iter().rev().for_each(|picture| content.push_picture(picture.clone()));
    }
}
