//! What a body is, by what is said of it and by what it looks like, and the value that it becomes.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::html;
use switchboard_events::ArtifactValue;
use switchboard_net::Page;
use switchboard_sandbox::WorkerProgram;
use switchboard_tools::{ToolContext, ToolFailure};

/// As many bytes at the beginning tell what it is.
const SNIFFED_BYTES: usize = 4096;

/// A page's content.
pub(super) struct Content {
    pub(super) value: ArtifactValue,
    pub(super) title: Option<String>,
    /// In a word or two: `HTML`, `JSON`, `image/png`.
    pub(super) kind: String,
    /// What is odd about it.
    pub(super) note: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    Json,
    Text,
    Other,
}

/// Makes a value of the body.
///
/// # Errors
/// When the worker that reads HTML cannot be started, or the call is canceled.
pub(super) async fn read(
    page: &Page,
    raw: bool,
    worker: &WorkerProgram,
    context: &ToolContext,
) -> Result<Content, ToolFailure> {
    let said = page.content_type.as_deref().unwrap_or_default();
    let essence = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let kind = kind(&essence, &page.body);
    let plain = |value, name: &str, note| Content { value, title: None, kind: name.to_owned(), note };
    if kind == Kind::Other || looks_binary(said, &page.body) {
        let note = (kind != Kind::Other).then_some("not the text that it claims to be");
        let name = if essence.is_empty() { "bytes" } else { &essence };
        return Ok(plain(ArtifactValue::Bytes(page.body.clone().into()), name, note));
    }
    let text = decode(said, &page.body, kind);
    match kind {
        Kind::Html if !raw => {
            let html::Markdown { title, text, plain } = html::markdown(&text, &page.url, worker, context).await?;
            let note = plain.then_some("too complex to convert, so only its text");
            Ok(Content { value: ArtifactValue::Text(text), title, kind: "HTML".to_owned(), note })
        }
        Kind::Json if !raw => Ok(match serde_json::from_str(&text) {
            Ok(json) => plain(ArtifactValue::Json(json), "JSON", None),
            Err(_) => plain(ArtifactValue::Text(text), "text", Some("not the JSON that it claims to be")),
        }),
        _ => Ok(plain(ArtifactValue::Text(text), if kind == Kind::Html { "HTML" } else { "text" }, None)),
    }
}

fn kind(essence: &str, body: &[u8]) -> Kind {
    let (kind, subtype) = essence.split_once('/').unwrap_or((essence, ""));
    match (kind, subtype) {
        ("text", "html") | ("application", "xhtml+xml") => Kind::Html,
        (_, "json") => Kind::Json,
        (_, subtype) if subtype.ends_with("+json") => Kind::Json,
        ("text", _) => Kind::Text,
        (_, subtype) if subtype.ends_with("+xml") && kind != "image" => Kind::Text,
        (
            "application",
            "xml"
            | "javascript"
            | "ecmascript"
            | "x-javascript"
            | "typescript"
            | "yaml"
            | "x-yaml"
            | "toml"
            | "x-sh"
            | "sql"
            | "x-ndjson"
            | "ndjson"
            | "jsonl"
            | "x-www-form-urlencoded"
            | "graphql",
        ) => Kind::Text,
        ("", "") | ("application", "octet-stream" | "unknown") => sniffed(body),
        _ => Kind::Other,
    }
}

/// What nothing is said of.
fn sniffed(body: &[u8]) -> Kind {
    if looks_binary("", body) || std::str::from_utf8(body).is_err() {
        return Kind::Other;
    }
    let head = String::from_utf8_lossy(&body[..body.len().min(SNIFFED_BYTES)]).trim_start().to_ascii_lowercase();
    if ["<!doctype html", "<html", "<head", "<body"].iter().any(|start| head.starts_with(start)) {
        Kind::Html
    } else if head.starts_with(['{', '[']) && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() {
        Kind::Json
    } else {
        Kind::Text
    }
}

/// Whether there are bytes that no text has.
fn looks_binary(said: &str, body: &[u8]) -> bool {
    let head = &body[..body.len().min(SNIFFED_BYTES)];
    let wide = Encoding::for_bom(head).is_some() || said.to_ascii_lowercase().contains("utf-16");
    !wide && head.iter().any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31))
}

/// The text, by its mark, by what is said of it, by what HTML says of itself, else UTF-8 if it is that.
fn decode(said: &str, body: &[u8], kind: Kind) -> String {
    let encoding = Encoding::for_bom(body).map(|(encoding, _)| encoding);
    let encoding = encoding.or_else(|| charset(said.as_bytes()));
    let own = || if kind == Kind::Html { charset(&body[..body.len().min(1024)]) } else { None };
    let encoding =
        encoding.or_else(own).unwrap_or_else(|| if std::str::from_utf8(body).is_ok() { UTF_8 } else { WINDOWS_1252 });
    encoding.decode(body).0.into_owned()
}

/// What follows `charset=`.
fn charset(text: &[u8]) -> Option<&'static Encoding> {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let (_, rest) = text.split_once("charset")?;
    let label = rest.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end = label.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')));
    Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_is_is_told_by_its_type_else_by_its_looks() {
        assert_eq!(kind("text/html", b""), Kind::Html);
        assert_eq!(kind("application/problem+json", b""), Kind::Json);
        assert_eq!(kind("text/csv", b""), Kind::Text);
        assert_eq!(kind("application/atom+xml", b""), Kind::Text);
        assert_eq!(kind("image/svg+xml", b""), Kind::Other);
        assert_eq!(kind("application/zip", b""), Kind::Other);
        assert_eq!(kind("", b" <!DOCTYPE html><p>x"), Kind::Html);
        assert_eq!(kind("", b"{\"a\": 1}"), Kind::Json);
        assert_eq!(kind("", b"{not json"), Kind::Text);
        assert_eq!(kind("application/octet-stream", b"PK\x03\x04"), Kind::Other);
    }

    #[test]
    fn text_is_read_in_its_own_encoding() {
        assert_eq!(decode("text/plain; charset=ISO-8859-1", b"gr\xfcn", Kind::Text), "grün");
        assert_eq!(
            decode("text/html", b"<meta charset='windows-1251'>\xcf", Kind::Html),
            "<meta charset='windows-1251'>П"
        );
        assert_eq!(decode("text/plain", "grün".as_bytes(), Kind::Text), "grün");
        assert_eq!(decode("text/plain", b"gr\xfcn", Kind::Text), "grün");
        assert_eq!(decode("text/plain", b"\xff\xfeg\0r\0", Kind::Text), "gr");
        assert_eq!(decode("text/plain; charset=nonsense", "grün".as_bytes(), Kind::Text), "grün");
    }

    #[test]
    fn bytes_that_no_text_has_are_seen() {
        assert!(looks_binary("text/html", b"\x89PNG\r\n\x1a\n"));
        assert!(looks_binary("text/plain", b"MZ\x90\0"));
        assert!(!looks_binary("text/plain", "a\tb\r\nc \u{1b}[1m grün".as_bytes()));
        assert!(!looks_binary("text/plain; charset=utf-16", b"a\0"));
    }
}
