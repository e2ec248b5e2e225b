//! What was said in a session, as other programs take it: OpenAI's `{"messages": […]}`, pictures included.

use serde_json::{Value, json};
use switchboard_protocol::SessionId;

use crate::state;
use switchboard_conversation::to_transcript;
use switchboard_events::{BlobHash, ChatMessage, LogError, SessionLog};
use switchboard_llm::Pictures;

/// How many bytes of pictures a transcript has, which is held in memory; older ones are told in words.
const MAX_PICTURES: u64 = 64 * 1024 * 1024;

/// The session's conversation since the last `/new`: every message, calls only with all their results. Where the log is
/// damaged it ends, and says so in `damagedFromSeq`.
///
/// # Errors
/// When the log cannot be read.
pub async fn transcript(log: &dyn SessionLog, session: SessionId) -> Result<Value, LogError> {
    let (state, damage) = state::load_sound(log, session, u64::MAX).await?;
    let messages: Vec<&ChatMessage> = state.conversation.valid_messages().collect();
    let mut pictures = Pictures::new();
    let mut room = MAX_PICTURES;
    for picture in messages.iter().rev().flat_map(|message| message.content.pictures().rev()) {
        let Some(left) = room.checked_sub(picture.bytes) else { break };
        if !pictures.contains_key(&picture.hash)
            && let Some(bytes) = log.blob(session, &picture.hash).await?
            && BlobHash::of(&bytes) == picture.hash
        {
            room = left;
            pictures.insert(picture.hash.clone(), bytes);
        }
    }
    let mut transcript = json!({"messages": to_transcript(messages, &pictures)});
    if let Some(damage) = damage {
        transcript["damagedFromSeq"] = damage.from_seq.into();
    }
    Ok(transcript)
}
