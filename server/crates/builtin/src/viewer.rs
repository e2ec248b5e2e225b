//! Which viewer shows what (seed 003, "Resource Type Detection").

use serde_json::Value;
use switchboard_protocol::ViewerType;

use super::make_chart;
use switchboard_context::byte_length;
use switchboard_events::{ArtifactValue, PictureFormat};

/// The viewers by their names.
pub(super) const VIEWERS: &[(&str, ViewerType)] = &[
    ("editor", ViewerType::Editor),
    ("image", ViewerType::Image),
    ("directory", ViewerType::Directory),
    ("table", ViewerType::Table),
    ("markdown", ViewerType::Markdown),
    ("pdf", ViewerType::Pdf),
    ("diff", ViewerType::Diff),
    ("chart", ViewerType::Chart),
];

/// Other names that people and models give them.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("picture", "image"),
    ("folder", "directory"),
    ("browser", "directory"),
    ("spreadsheet", "table"),
    ("md", "markdown"),
];

/// The media type of a folder.
pub(super) const FOLDER: &str = "inode/directory";

/// The name of the viewer that is meant; an unknown one means the editor.
pub(super) fn known(name: &str) -> &'static str {
    let name = name.trim().to_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, known)| *known);
    let known = || VIEWERS.iter().map(|(known, _)| *known).chain(["auto"]).find(|known| *known == name);
    other.or_else(known).unwrap_or("editor")
}

/// The viewer of that name; none for `auto`.
pub(super) fn named(name: &str) -> Option<ViewerType> {
    VIEWERS.iter().find(|(known, _)| *known == name).map(|(_, viewer)| *viewer)
}

pub(super) fn name_of(viewer: ViewerType) -> &'static str {
    VIEWERS.iter().find(|(_, known)| *known == viewer).map_or("editor", |(name, _)| *name)
}

/// The viewer of a file, by its ending.
pub(super) fn of_path(path: &str) -> ViewerType {
    match ending(path).as_str() {
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "svg" | "bmp" | "ico" | "avif" => ViewerType::Image,
        "csv" | "tsv" => ViewerType::Table,
        "md" | "markdown" => ViewerType::Markdown,
        "pdf" => ViewerType::Pdf,
        "diff" | "patch" => ViewerType::Diff,
        _ => ViewerType::Editor,
    }
}

/// The media type of a file; what no viewer treats in its own way is text.
pub(super) fn media_type(path: &str) -> String {
    let guessed = mime_guess::from_path(path).first_or_text_plain();
    let own = matches!(of_path(path), ViewerType::Image | ViewerType::Pdf);
    let is_text = guessed.type_() == "text" || guessed.essence_str() == "application/json";
    if own || is_text { guessed.essence_str().to_owned() } else { "text/plain".to_owned() }
}

fn ending(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default()
}

/// Viewer, media type and size of a value.
pub(super) fn of_value(value: &ArtifactValue) -> (ViewerType, &'static str, u64) {
    let (viewer, kind) = match value {
        ArtifactValue::Json(json) => {
            let viewer = match json {
                Value::Array(rows) if !rows.is_empty() && rows.iter().all(Value::is_object) => ViewerType::Table,
                Value::Object(spec) if is_chart(spec) => ViewerType::Chart,
                Value::String(text) => of_text(text),
                _ => ViewerType::Editor,
            };
            (viewer, "application/json")
        }
        ArtifactValue::Text(text) => {
            let viewer = of_text(text);
            let kind = if viewer == ViewerType::Markdown { "text/markdown" } else { "text/plain" };
            (viewer, kind)
        }
        ArtifactValue::Bytes(bytes) => match PictureFormat::of(bytes) {
            Some(format) => (ViewerType::Image, format.media_type()),
            None if bytes.starts_with(b"%PDF-") => (ViewerType::Pdf, "application/pdf"),
            None => (ViewerType::Editor, "application/octet-stream"),
        },
    };
    (viewer, kind, byte_length(value))
}

fn is_chart(spec: &serde_json::Map<String, Value>) -> bool {
    let kind = spec.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| make_chart::TYPES.contains(&kind)) && spec.get("rows").is_some_and(Value::is_array)
}

/// What a text reads like.
fn of_text(text: &str) -> ViewerType {
    let mut lines = text.lines().take(200);
    if text.starts_with("diff --git ") || text.starts_with("--- ") && text.contains("\n+++ ") {
        return ViewerType::Diff;
    }
    let marks = |line: &str| {
        let line = line.trim_start();
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len() && heading.starts_with(' ')) || line.starts_with("|-") || line.starts_with("| -")
    };
    if lines.any(marks) { ViewerType::Markdown } else { ViewerType::Editor }
}
