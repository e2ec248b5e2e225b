//! Frames in the making: the envelope around a message, and its JSON text.

use switchboard_protocol::{MessageId, ServerFrame, ServerMessage};

use switchboard_runtime as runtime;

/// A frame of now.
pub(super) fn frame(seq: Option<u64>, turn_id: Option<MessageId>, message: ServerMessage) -> ServerFrame {
    ServerFrame { message, seq, timestamp: runtime::timestamp(), turn_id }
}

/// A frame's JSON text.
pub(super) fn text(frame: &ServerFrame) -> String {
    serde_json::to_string(frame).expect("a frame has only text keys and numbers that JSON knows")
}

/// The JSON text of a frame of now that is in no log.
#[must_use]
pub fn frame_text(message: ServerMessage) -> String {
    text(&frame(None, None, message))
}
