//! What a server answers to a call, as a tool's result. All of it is foreign text: nothing in it is followed, and a link
//! to a resource stays a link.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};
use serde_json::{Value, json};
use switchboard_protocol::{CallId, ErrorType};

use super::names::sanitized;
use switchboard_events::{ArtifactValue, LoadedPicture, MAX_VALUE_BYTES};
use switchboard_tools::{MAX_PICTURES, ResourceHandle, ToolFailure, ToolResult};

/// The longest error of a server that is passed on.
const MAX_ERROR_BYTES: usize = 4 * 1024;

/// How many parts of an answer are shown one by one.
const MAX_PARTS: usize = 1000;

/// One part of an answer.
enum Part {
    Text(String),
    /// Anything else: what is shown instead, how it is called, and its bytes in base64.
    Blob {
        kind: &'static str,
        mime: String,
        base64: String,
    },
    /// A link: what it is called and where it leads.
    Link {
        name: String,
        uri: String,
    },
}

/// The result of this call.
pub(super) fn result_of(answer: ServerResult, call: &CallId) -> ToolResult {
    match answer {
        ServerResult::CallToolResult(result) => from_call(result, call),
        ServerResult::CustomResult(result) => lenient(&result.0, call),
        _ => failure(ErrorType::System, "the server answered with something that is not a tool's result"),
    }
}

/// What a resource holds that this call reads.
pub(super) fn of_contents(contents: Vec<ResourceContents>, call: &CallId) -> ToolResult {
    of_parts(contents.into_iter().map(Part::from).collect(), None, false, call)
}

fn from_call(result: CallToolResult, call: &CallId) -> ToolResult {
    let parts = result.content.into_iter().map(Part::from).collect();
    of_parts(parts, result.structured_content, result.is_error.unwrap_or_default(), call)
}

/// An answer that has a part of a kind we do not know.
fn lenient(answer: &Value, call: &CallId) -> ToolResult {
    let Some(Value::Array(content)) = answer.get("content") else {
        return failure(ErrorType::System, "the server answered with something that is not a tool's result");
    };
    let part = |value: &Value| {
        let known = serde_json::from_value::<ContentBlock>(value.clone());
        known.map_or_else(|_| Part::Text(value.to_string()), Part::from)
    };
    let is_error = answer.get("isError").and_then(Value::as_bool).unwrap_or_default();
    of_parts(content.iter().map(part).collect(), answer.get("structuredContent").cloned(), is_error, call)
}

fn of_parts(parts: Vec<Part>, structured: Option<Value>, is_error: bool, call: &CallId) -> ToolResult {
    if is_error {
        let (mut text, _) = sanitized(&shown(&parts));
        text.truncate(text.floor_char_boundary(MAX_ERROR_BYTES));
        let text = if text.is_empty() { "the server says that it failed, but not why".to_owned() } else { text };
        return failure(ErrorType::User, &text);
    }
    let view = shown(&parts);
    let pictures: Vec<LoadedPicture> = parts.iter().take(MAX_PARTS).filter_map(Part::picture).collect();
    let (value, has_view) = match structured {
        Some(value) => (Ok(ArtifactValue::Json(value)), !view.is_empty()),
        None => value_of(parts, call),
    };
    match value.and_then(within_limit) {
        Ok(value) if has_view => ToolResult::success(value).with_view(view).with_pictures(pictures),
        Ok(value) => ToolResult::success(value).with_pictures(pictures),
        Err(problem) => failure(ErrorType::System, &problem),
    }
}

/// The value, and whether it needs another view than itself.
fn value_of(mut parts: Vec<Part>, call: &CallId) -> (Result<ArtifactValue, String>, bool) {
    if parts.iter().all(|part| matches!(part, Part::Text(_) | Part::Link { .. })) {
        return (Ok(ArtifactValue::Text(shown(&parts))), false);
    }
    if parts.len() == 1
        && let Some(Part::Blob { base64, .. }) = parts.pop()
    {
        let bytes = STANDARD.decode(base64.trim()).map(|bytes| ArtifactValue::Bytes(Bytes::from(bytes)));
        return (bytes.map_err(|error| format!("the server sent bytes that are not base64: {error}")), true);
    }
    let mut pictures = 0;
    let values = parts.into_iter().take(MAX_PARTS).map(|part| part.into_json(call, &mut pictures)).collect();
    (Ok(ArtifactValue::Json(Value::Array(values))), true)
}

fn within_limit(value: ArtifactValue) -> Result<ArtifactValue, String> {
    let bytes = match &value {
        ArtifactValue::Text(text) => text.len(),
        ArtifactValue::Bytes(bytes) => bytes.len(),
        ArtifactValue::Json(value) => value.to_string().len(),
    };
    if bytes > MAX_VALUE_BYTES {
        return Err(format!("it ran, but its result of {bytes} bytes is larger than the limit of {MAX_VALUE_BYTES}"));
    }
    Ok(value)
}

/// The parts as text, one below the other.
fn shown(parts: &[Part]) -> String {
    let mut lines: Vec<String> = parts.iter().take(MAX_PARTS).map(Part::shown).collect();
    if parts.len() > MAX_PARTS {
        lines.push(format!("… {} more parts left out here", parts.len() - MAX_PARTS));
    }
    lines.join("\n")
}

fn failure(error_type: ErrorType, message: &str) -> ToolResult {
    ToolFailure::new(error_type, message).into()
}

impl Part {
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Blob { kind, mime, base64 } => match self.picture() {
                Some(shown) => format!("[{}]", shown.picture),
                None => format!("[{kind} {mime}, {} bytes]", base64.len() / 4 * 3),
            },
            Self::Link { name, uri } => format!("[resource {name}: {uri}]"),
        }
    }

    /// The picture that it is; what it claims to be does not count.
    fn picture(&self) -> Option<LoadedPicture> {
        let Self::Blob { base64, .. } = self else { return None };
        LoadedPicture::of(STANDARD.decode(base64.trim()).ok()?.into())
    }

    /// As part of the call's value. The pictures that are kept with the call are named there, by their handles.
    fn into_json(self, call: &CallId, pictures: &mut usize) -> Value {
        if *pictures < MAX_PICTURES
            && let Some(LoadedPicture { picture, .. }) = self.picture()
        {
            let handle = ResourceHandle::Call { id: call.clone(), index: *pictures }.to_string();
            *pictures += 1;
            let (mime, description) = (picture.format.media_type(), picture.to_string());
            return json!({"type": "image", "mimeType": mime, "description": description, "handle": handle});
        }
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::Blob { kind, mime, base64 } => json!({"type": kind, "mimeType": mime, "data": base64}),
            Self::Link { name, uri } => json!({"type": "resource_link", "name": name, "uri": uri}),
        }
    }
}

impl From<ContentBlock> for Part {
    fn from(block: ContentBlock) -> Self {
        match block {
            ContentBlock::Text(text) => Self::Text(text.text),
            ContentBlock::Image(image) => Self::Blob { kind: "image", mime: image.mime_type, base64: image.data },
            ContentBlock::Audio(audio) => Self::Blob { kind: "audio", mime: audio.mime_type, base64: audio.data },
            ContentBlock::Resource(resource) => resource.resource.into(),
            ContentBlock::ResourceLink(link) => Self::Link { name: link.name, uri: link.uri },
            other => Self::Text(serde_json::to_string(&other).unwrap_or_default()),
        }
    }
}

impl From<ResourceContents> for Part {
    fn from(contents: ResourceContents) -> Self {
        match contents {
            ResourceContents::TextResourceContents { text, .. } => Self::Text(text),
            ResourceContents::BlobResourceContents { mime_type, blob, .. } => Self::Blob {
                kind: "resource",
                mime: mime_type.unwrap_or_else(|| "of unknown type".to_owned()),
                base64: blob,
            },
            other => Self::Text(serde_json::to_string(&other).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
#[path = "result_tests.rs"]
mod tests;
