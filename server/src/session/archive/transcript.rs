//! What was said in a session, as other programs take it: OpenAI's `{"messages": […]}`.

use serde_json::{Value, json};
use switchboard_protocol::SessionId;

use crate::conversation::to_transcript;
use crate::events::{EventLog, LogError};
use crate::session::state;

/// The session's conversation since the last `/new`: every message, calls only with all their results.
///
/// # Errors
/// When the log cannot be read or is damaged.
pub async fn transcript(log: &dyn EventLog, session: SessionId) -> Result<Value, LogError> {
    let state = state::load(log, session, u64::MAX).await?;
    Ok(json!({"messages": to_transcript(state.conversation.valid_messages())}))
}
