//! What a frame from a client may contain, beyond its shape; every way into a session passes here.

use switchboard_protocol::ClientFrame;

use super::refusal::Refusal;

/// The longest text of a message, in bytes.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// The longest id that a client may choose, in characters.
pub(super) const MAX_ID_CHARS: usize = 128;
/// How many variables can belong to a message.
pub(super) const MAX_ATTACHMENTS: usize = 16;
/// The longest name of one of them, in bytes.
const MAX_NAME_BYTES: usize = 64;
/// The longest title, in characters.
pub(super) const MAX_TITLE_CHARS: usize = 200;
/// The longest client timestamp, in characters.
const MAX_TIMESTAMP_CHARS: usize = 64;
/// The longest reason of an approval, in characters.
const MAX_REASON_CHARS: usize = 1024;
/// The longest answer to a question, in bytes of JSON.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Checks the fields of a frame.
///
/// # Errors
/// The refusal that names the field.
pub(super) fn check(frame: &ClientFrame) -> Result<(), Refusal> {
    match frame {
        ClientFrame::SendMessage { text, timestamp, message_id, attachments, .. } => {
            filled("text", text)?;
            if text.len() > MAX_TEXT_BYTES {
                return Err(too_large("text", text.len(), "bytes", MAX_TEXT_BYTES));
            }
            optional("messageId", message_id.as_deref(), MAX_ID_CHARS)?;
            optional("timestamp", timestamp.as_deref(), MAX_TIMESTAMP_CHARS)?;
            attached(attachments.as_deref().unwrap_or_default())
        }
        ClientFrame::Cancel { message_id } => optional("messageId", message_id.as_deref(), MAX_ID_CHARS),
        ClientFrame::ApproveTool { call_id, reason, .. } => {
            optional("callId", Some(call_id.as_str()), MAX_ID_CHARS)?;
            optional("reason", reason.as_deref().filter(|reason| !reason.is_empty()), MAX_REASON_CHARS)
        }
        ClientFrame::AnswerQuery { query_id, answer } => {
            optional("queryId", Some(query_id.as_str()), MAX_ID_CHARS)?;
            match answer.as_ref().map(|answer| answer.to_string().len()) {
                Some(bytes) if bytes > MAX_ANSWER_BYTES => Err(too_large("answer", bytes, "bytes", MAX_ANSWER_BYTES)),
                _ => Ok(()),
            }
        }
        ClientFrame::CallTool { call_id, tool, .. } => {
            optional("callId", Some(call_id.as_str()), MAX_ID_CHARS)?;
            optional("tool", Some(tool), MAX_ID_CHARS)
        }
        ClientFrame::SetTitle { title } => {
            filled("title", title)?;
            let length = title.chars().count();
            if length > MAX_TITLE_CHARS {
                let text = format!("The title has {length} characters; at most {MAX_TITLE_CHARS} are allowed.");
                return Err(Refusal::field("protocol-wrong-field", "title", text).suggesting("Shorten the title."));
            }
            Ok(())
        }
        ClientFrame::WindowClosed { window_id } => optional("windowId", Some(window_id), MAX_ID_CHARS),
        ClientFrame::SetVariable { .. }
        | ClientFrame::RenameVariable { .. }
        | ClientFrame::DeleteVariable { .. }
        | ClientFrame::GetContext {}
        | ClientFrame::ClearContext {}
        | ClientFrame::Ping {} => Ok(()),
    }
}

/// Few names, none of them longer than a variable's can be.
fn attached(names: &[String]) -> Result<(), Refusal> {
    if names.len() > MAX_ATTACHMENTS {
        return Err(too_large("attachments", names.len(), "names", MAX_ATTACHMENTS));
    }
    let too_long = names.iter().position(|name| name.len() > MAX_NAME_BYTES);
    match too_long {
        Some(at) => Err(too_large(&format!("attachments[{at}]"), names[at].len(), "bytes", MAX_NAME_BYTES)),
        None => Ok(()),
    }
}

fn filled(path: &str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        let refusal = Refusal::field("protocol-wrong-field", path, format!("`{path}` is empty."));
        return Err(refusal.suggesting(format!("Send `{path}` with some content.")));
    }
    Ok(())
}

/// Text of at most so many characters, counted as a JSON Schema counts them.
fn optional(path: &str, text: Option<&str>, limit: usize) -> Result<(), Refusal> {
    match text {
        Some("") => filled(path, ""),
        Some(text) if text.len() > limit && text.chars().count() > limit => {
            Err(too_large(path, text.chars().count(), "characters", limit))
        }
        _ => Ok(()),
    }
}

fn too_large(path: &str, length: usize, unit: &str, limit: usize) -> Refusal {
    let text = format!("`{path}` has {length} {unit}; at most {limit} are allowed.");
    Refusal::field("protocol-too-large", path, text)
        .suggesting("Send less, or put the content into a file in the workspace and refer to the file.")
}
