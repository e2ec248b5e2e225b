//! The kinds of frames that a server sends, by name: what a client subscribes to with `types=`.

/// The `type` of every [`ServerMessage`](crate::ServerMessage).
pub const SERVER_FRAME_TYPES: [&str; 26] = [
    "session-ready",
    "session-update",
    "user-message",
    "agent-thinking",
    "agent-delta",
    "tool-call-start",
    "tool-output-chunk",
    "tool-call-end",
    "approval-request",
    "approval-resolved",
    "context-update",
    "context-state",
    "context-cleared",
    "display-resource",
    "close-window",
    "notification",
    "user-query",
    "query-resolved",
    "agent-response",
    "agent-error",
    "command-response",
    "command-error",
    "conversation-summary",
    "sessions-update",
    "log-damaged",
    "pong",
];

/// The `type` of a frame, read from its JSON text without parsing it; none if it does not stand first, where servers write it.
#[must_use]
pub fn frame_type(text: &str) -> Option<&str> {
    text.strip_prefix(r#"{"type":""#)?.split('"').next()
}
