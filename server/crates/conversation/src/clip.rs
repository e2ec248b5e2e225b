//! Short forms of messages. Every cut is at a character's boundary and says how much was left out; head and tail stay,
//! for the tail of a result names the variable that has all of it.

use serde_json::{Map, Value, json};

use super::tokens;
use switchboard_events::{ChatMessage, ToolCall};

/// A result of a tool up to this many bytes is whole in a window, as values are in prompts.
const WHOLE_RESULT: usize = 2048;
/// Other messages up to this many bytes are.
const WHOLE_MESSAGE: usize = 16 * 1024;
/// The least that a text is cut to, in tokens.
const LEAST: u64 = 16;

/// The preview of a tool's result; none when it is small enough to be whole.
pub(super) fn preview(message: &ChatMessage) -> Option<ChatMessage> {
    shortened(message, WHOLE_RESULT)
}

/// The form of a long message, or of one that calls with long arguments; none when it is whole.
pub(super) fn usual_form(message: &ChatMessage) -> Option<ChatMessage> {
    let long = |call: &ToolCall| serde_json::to_string(&call.arguments).map_or(0, |text| text.len()) > WHOLE_RESULT;
    let content = shortened(message, WHOLE_MESSAGE);
    if !message.tool_calls.iter().any(long) {
        return content;
    }
    let mut short = content.unwrap_or_else(|| message.clone());
    for call in &mut short.tool_calls {
        call.arguments = short_arguments(&call.arguments, WHOLE_RESULT);
    }
    Some(short)
}

/// The message in at most about `limit` tokens; calls keep their names and lose their arguments last.
pub(super) fn clip(message: &ChatMessage, limit: u64) -> ChatMessage {
    let mut short = message.clone();
    // A picture is shown whole or told in words.
    let mut for_pictures = limit / 4 * 3;
    let content =
        message.content.with_pictures_in_words(|picture| match for_pictures.checked_sub(tokens::picture(picture)) {
            Some(left) => {
                for_pictures = left;
                true
            }
            None => false,
        });
    short.content = content.with_text(String::new());
    let mut bytes = usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(2);
    for call in &mut short.tool_calls {
        call.arguments = short_arguments(&call.arguments, bytes / message.tool_calls.len().max(1) / 2);
    }
    let room = limit.saturating_sub(tokens::estimate(&short)).max(LEAST);
    bytes = usize::try_from(room).unwrap_or(usize::MAX).saturating_mul(4);
    loop {
        let text = head_and_tail(content.text(), bytes);
        if tokens::text(&text) <= room || bytes < 32 {
            short.content = if text == content.text() { content } else { content.with_text(text) };
            return short;
        }
        bytes = bytes / 4 * 3;
    }
}

fn shortened(message: &ChatMessage, bytes: usize) -> Option<ChatMessage> {
    let text = message.content.text();
    (text.len() > bytes)
        .then(|| ChatMessage { content: message.content.with_text(head_and_tail(text, bytes)), ..message.clone() })
}

/// Head and tail of a text of more than `bytes` bytes, and between them how much is missing.
fn head_and_tail(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(bytes * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - bytes / 4);
    let missing = tail - head;
    format!("{}\n[… {missing} bytes left out …]\n{}", &text[..head], &text[tail..])
}

/// Arguments in about `bytes` bytes: long texts in them are cut, and if that is not enough all of them go.
fn short_arguments(arguments: &Map<String, Value>, bytes: usize) -> Map<String, Value> {
    let mut short = Value::Object(arguments.clone());
    cut_texts(&mut short, bytes / 8);
    match short {
        Value::Object(short) if Value::Object(short.clone()).to_string().len() <= bytes => short,
        _ => Map::from_iter([("left_out".to_owned(), json!("the arguments of this earlier call were too long"))]),
    }
}

fn cut_texts(value: &mut Value, bytes: usize) {
    match value {
        Value::String(text) if text.len() > bytes => *text = head_and_tail(text, bytes),
        Value::Array(items) => items.iter_mut().for_each(|item| cut_texts(item, bytes)),
        Value::Object(fields) => fields.values_mut().for_each(|field| cut_texts(field, bytes)),
        _ => {}
    }
}

/// At most `chars` characters of a text, on one line; a result's last line, which names its variable, stays.
pub(super) fn one_line(text: &str, chars: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((at, _)) = line.char_indices().nth(chars) else { return line };
    let stored = text.trim_end().lines().next_back().filter(|last| last.starts_with("(stored as @"));
    match stored {
        Some(stored) => format!("{}… {stored}", &line[..at]),
        None => format!("{}…", &line[..at]),
    }
}
