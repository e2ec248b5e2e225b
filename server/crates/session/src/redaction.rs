//! Every event on its way into the log: secrets in what clients and prompts get become marks. The values that tools
//! work with, and the arguments of a call that may have to run again, stay as they are; only the server sees them.

use serde::Serialize;
use serde::de::DeserializeOwned;
use switchboard_protocol::ServerMessage;

use switchboard_events::{ChatMessage, ChatRole, NewEvent};
use switchboard_runtime::{may_hold_secret, redact, redact_json};

/// Marks the secrets in an event. What the user wrote stays as it was written.
pub(super) fn redact_event(event: &mut NewEvent) {
    if !matches!(event.message, ServerMessage::UserMessage { .. }) {
        redact_strings(&mut event.message);
    }
    let Some(private) = &mut event.private else { return };
    if let Some(operation) = &mut private.operation {
        redact_strings(operation);
    }
    if let Some(inside) = &mut private.inside {
        inside.operations.iter_mut().for_each(redact_strings);
    }
    let inside = private.inside.iter_mut().flat_map(|inside| &mut inside.messages);
    for message in private.messages.iter_mut().chain(inside).filter(|message| message.role != ChatRole::User) {
        redact_message(message);
    }
}

fn redact_message(message: &mut ChatMessage) {
    message.content = message.content.with_each_text(|text| redact(text).into_owned());
    for call in &mut message.tool_calls {
        call.arguments.values_mut().for_each(|value| {
            redact_json(value);
        });
    }
}

/// Marks the secrets in every string of a frame, whatever kind of frame it is. Most hold nothing that is even worth a
/// look, which their text tells at once.
fn redact_strings<T: Serialize + DeserializeOwned>(whole: &mut T) {
    if serde_json::to_string(&*whole).is_ok_and(|text| !may_hold_secret(&text)) {
        return;
    }
    let Ok(mut json) = serde_json::to_value(&*whole) else { return };
    if redact_json(&mut json)
        && let Ok(redacted) = serde_json::from_value(json)
    {
        *whole = redacted;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn h04_a_frame_of_any_kind_is_redacted_but_what_the_user_wrote() {
        let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2");
        let frames = [
            json!({"type": "tool-call-end", "callId": "c", "tool": "t", "started": true, "success": false,
                "preview": [format!("it is {token}")], "durationMs": 1, "undoable": false, "error": token}),
            json!({"type": "agent-response", "messageIds": ["m"], "text": format!("`{token}`"), "toolsUsed": [],
                "contextUpdated": [], "reasoning": "", "operationCount": 1, "complete": true}),
            json!({"type": "user-message", "messageId": "m", "text": token, "mode": "queue"}),
        ];
        let redacted = frames.map(|frame| {
            let message = serde_json::from_value(frame).expect("a frame");
            let mut event = NewEvent { turn_id: None, message, private: None, blobs: Vec::new() };
            // Baseline: as it comes, it shows the secret.
            assert!(serde_json::to_string(&event.message).is_ok_and(|shown| shown.contains(&token)));
            redact_event(&mut event);
            serde_json::to_string(&event.message).expect("JSON")
        });

        assert!(!redacted[0].contains(&token) && redacted[0].contains("it is [redacted: GitHub token]"));
        assert!(!redacted[1].contains(&token));
        assert!(redacted[2].contains(&token));
    }
}
