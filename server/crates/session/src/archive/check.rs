//! What an event from a file must be before it may be in a log: what this server could have written itself.

use switchboard_protocol::{ServerFrame, ServerMessage};

use crate::frame_limits::{MAX_ATTACHMENTS, MAX_ID_CHARS, MAX_TEXT_BYTES, MAX_TITLE_CHARS};
use switchboard_context::{MAX_VARIABLES, valid_name};
use switchboard_conversation::MAX_SUMMARY_BYTES;
use switchboard_events::{ForkRecord, MAX_VERSIONS};

/// Checks a frame that should be event `seq`.
pub(super) fn check(frame: &ServerFrame, seq: u64, at: &str) -> Result<(), String> {
    if frame.seq != Some(seq) {
        return Err(format!("the frame of event {seq} has another seq"));
    }
    for time in [at, &frame.timestamp] {
        if time.len() > 64 || time.parse::<jiff::Timestamp>().is_err() {
            return Err(format!("event {seq} has no time in RFC 3339 format"));
        }
    }
    if frame.turn_id.as_ref().is_some_and(|id| id.chars().count() > MAX_ID_CHARS) {
        return Err(format!("event {seq} has a turnId of more than {MAX_ID_CHARS} characters"));
    }
    check_message(&frame.message, seq).map_err(|problem| format!("event {seq} {problem}"))
}

fn check_message(message: &ServerMessage, seq: u64) -> Result<(), String> {
    match message {
        ServerMessage::SessionReady { .. }
        | ServerMessage::AgentDelta { .. }
        | ServerMessage::ToolOutputChunk { .. }
        | ServerMessage::ContextState { .. }
        | ServerMessage::SessionsUpdate { .. }
        | ServerMessage::LogDamaged { .. }
        | ServerMessage::AgentError { message_ids: None, .. }
        | ServerMessage::Pong {} => Err("is of a type that is never kept in a log".to_owned()),
        ServerMessage::UserMessage { message_id, text, attachments, .. } => {
            let attachments = attachments.as_deref().unwrap_or_default();
            if attachments.len() > MAX_ATTACHMENTS || attachments.iter().any(|one| valid_name(&one.name).is_err()) {
                return Err(format!("has more than {MAX_ATTACHMENTS} attachments, or one that is no variable"));
            }
            if message_id.chars().count() > MAX_ID_CHARS || text.len() > MAX_TEXT_BYTES {
                return Err(format!("has a message of more than {MAX_TEXT_BYTES} bytes, or a long messageId"));
            }
            Ok(())
        }
        ServerMessage::SessionUpdate { title: Some(title), .. } if title.chars().count() > MAX_TITLE_CHARS => {
            Err(format!("has a title of more than {MAX_TITLE_CHARS} characters"))
        }
        ServerMessage::ConversationSummary(summary) => {
            let order = summary.from_seq <= summary.to_seq && summary.to_seq < seq;
            if !order || summary.text.len() > MAX_SUMMARY_BYTES * 2 {
                return Err("has a summary that is too long, or that does not cover the events before it".to_owned());
            }
            Ok(())
        }
        ServerMessage::ContextUpdate { set, .. } => {
            if set.len() > MAX_VARIABLES {
                return Err(format!("sets more than {MAX_VARIABLES} variables"));
            }
            set.iter().try_for_each(|variable| valid_name(&variable.name)).map_err(|error| format!("cannot {error}"))
        }
        _ => Ok(()),
    }
}

/// Checks what an event says of the session's origin.
pub(super) fn check_fork(fork: &ForkRecord) -> Result<(), String> {
    let long = |id: &str| id.chars().count() > MAX_ID_CHARS;
    let ids = fork.versions.iter().flat_map(|version| [&version.message, &version.first]);
    if fork.versions.len() > MAX_VERSIONS || ids.into_iter().any(|id| long(id)) {
        return Err(format!("says of its origin more than {MAX_VERSIONS} messages, or has a long messageId there"));
    }
    Ok(())
}
