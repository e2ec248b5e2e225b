//! Values in markdown: scalars in the sentence, text and JSON in code blocks, long ones cut with a word about the rest.

use serde_json::Value;

use super::shape::counted;
use switchboard_context::preview_json;
use switchboard_events::{ArtifactValue, LoadedPicture, NOT_SEEN, PictureFormat};

/// The longest block in a reply, in bytes.
const MAX_BLOCK_BYTES: usize = 8 * 1024;

/// The most lines of a block in a reply.
const MAX_BLOCK_LINES: usize = 200;

/// The longest value in a sentence, in characters.
const MAX_INLINE_CHARS: usize = 200;

/// The value: within a sentence if it is short, in bold, else as a block. `language`: for the block's colours.
pub(crate) fn shown(value: &ArtifactValue, language: Option<&str>) -> String {
    match value {
        ArtifactValue::Json(json @ (Value::Object(_) | Value::Array(_))) => {
            block(&serde_json::to_string_pretty(json).unwrap_or_else(|_| preview_json(json, 2000)), "json")
        }
        ArtifactValue::Json(Value::String(text)) | ArtifactValue::Text(text) => match is_short(text) {
            true => format!("**{}**", escaped(text.trim())),
            false => block(text, language.unwrap_or_default()),
        },
        ArtifactValue::Json(json) => inline(json),
        ArtifactValue::Bytes(bytes) => match LoadedPicture::of(bytes.clone()) {
            Some(shown) => format!("a {}", shown.picture),
            None => format!("{} bytes that are not text", bytes.len()),
        },
    }
}

/// A sentence that begins with `short` and ends with the value; a long one stands below `long`.
pub(crate) fn sentence(value: &ArtifactValue, short: &str, long: &str) -> String {
    let is_picture = matches!(value, ArtifactValue::Bytes(bytes) if PictureFormat::of(bytes).is_some());
    match shown(value, None) {
        block if block.contains('\n') => format!("{long}:\n\n{block}"),
        picture if is_picture => format!("{short} {picture}. {NOT_SEEN}"),
        phrase => format!("{short} {phrase}."),
    }
}

fn is_short(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= MAX_INLINE_CHARS && !text.contains(['\n', '`', '<', '|'])
}

/// The value in a sentence.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) if is_short(text) => format!("**{}**", escaped(text.trim())),
        Value::String(text) if text.is_empty() => "an empty text".to_owned(),
        Value::String(text) => format!("`{}`", cut_line(text)),
        Value::Null => "**null**".to_owned(),
        Value::Object(_) | Value::Array(_) => format!("`{}`", preview_json(value, MAX_INLINE_CHARS).replace('`', "'")),
        other => format!("**{other}**"),
    }
}

/// The beginning of a text, on one line.
pub(crate) fn cut_line(text: &str) -> String {
    let line = text.replace(['\n', '\r', '\t'], " ").replace('`', "'");
    match line.char_indices().nth(MAX_INLINE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Marks of markdown made harmless.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '[' | ']' | '\\' | '#' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A code block whose fence does not occur in it; cut when it is long.
pub(crate) fn block(text: &str, language: &str) -> String {
    let (shown, rest) = cut(text);
    let mut fence = "```".to_owned();
    while shown.contains(&fence) {
        fence.push('`');
    }
    let more = if rest == 0 { String::new() } else { format!("\n\n… and {} more.", counted(rest, "line")) };
    format!("{fence}{language}\n{}\n{fence}{more}", shown.trim_end_matches('\n'))
}

/// The beginning, and how many lines were left out.
fn cut(text: &str) -> (&str, usize) {
    let by_lines = text.match_indices('\n').nth(MAX_BLOCK_LINES - 1).map_or(text.len(), |(end, _)| end);
    let end = text.floor_char_boundary(by_lines.min(MAX_BLOCK_BYTES));
    let rest = &text[end..];
    let left = rest.trim_matches('\n');
    (&text[..end], if left.is_empty() { 0 } else { left.lines().count() })
}

/// What a code block of this file is called.
pub(crate) fn language_of(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "rs" => "rust",
        "py" => "python",
        "js" | "mjs" => "javascript",
        "ts" => "typescript",
        "json" => "json",
        "toml" => "toml",
        "yaml" | "yml" => "yaml",
        "html" => "html",
        "css" => "css",
        "sh" => "sh",
        "sql" => "sql",
        "xml" => "xml",
        "go" => "go",
        "c" | "h" => "c",
        "cpp" | "hpp" => "cpp",
        "java" => "java",
        // Markdown within markdown is clearer as plain text.
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_told_in_whole_sentences() {
        let gif = ArtifactValue::Bytes(b"GIF89a\x02\0\x05\0\0\0\0".as_slice().into());

        let told = sentence(&gif, "`logo` is", "`logo`");

        assert_eq!(told, format!("`logo` is a GIF picture of 2 × 5 pixels, 13 bytes. {NOT_SEEN}"));
    }
}
