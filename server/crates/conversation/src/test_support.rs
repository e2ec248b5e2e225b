//! What every provider asks of a request's messages.

use std::sync::Arc;

use switchboard_protocol::CallId;

use switchboard_events::{ChatMessage, ChatRole};

/// Panics unless each result stands right behind its call, no call is without one, and every message says something.
pub fn assert_valid(messages: &[Arc<ChatMessage>]) {
    let mut open: Vec<&CallId> = Vec::new();
    for message in messages {
        if message.role == ChatRole::Tool {
            let id = message.tool_call_id.as_ref().expect("a result names its call");
            let at = open.iter().position(|open| *open == id).expect("a result comes right behind its call");
            open.remove(at);
            continue;
        }
        assert!(open.is_empty(), "calls without result: {open:?}");
        assert!(!message.content.is_blank() || !message.tool_calls.is_empty(), "a message says nothing");
        open = message.tool_calls.iter().map(|call| &call.id).collect();
    }
    assert!(open.is_empty(), "calls without result: {open:?}");
}
