//! What was said in a session, as other programs take it: OpenAI's `{"messages": […]}`.

use serde_json::{Value, json};
use switchboard_protocol::SessionId;

use crate::state;
use switchboard_conversation::to_transcript;
use switchboard_events::{EventLog, LogError};

/// The session's conversation since the last `/new`: every message, calls only with all their results.
///
/// # Errors
/// When the log cannot be read or is damaged.
pub async fn transcript(log: &dyn EventLog, session: SessionId) -> Result<Value, LogError> {
    let state = state::load(log, session, u64::MAX).await?;
    Ok(json!({"messages": to_transcript(state.conversation.valid_messages())}))
}
