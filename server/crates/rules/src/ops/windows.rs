//! Replies about windows and questions to the user.

use serde_json::Value;

use super::done::{Done, Reply};
use super::show::cut_line;
use switchboard_context::get_variable_preview;
use switchboard_events::ArtifactValue;

/// The longest answer that is repeated, in characters.
const MAX_ANSWER: usize = 200;

/// The replies about windows.
pub(super) const REPLIES: &[(&str, Reply)] = &[("window", window), ("closed_window", closed_window), ("asked", asked)];

/// `window`: what is shown where.
fn window(done: &Done<'_>) -> Result<String, String> {
    let ArtifactValue::Json(value) = done.value()? else { return Err("It could not be shown.".to_owned()) };
    let path = value.get("resourcePath").and_then(Value::as_str).unwrap_or_default();
    let shown = match path.strip_prefix("var:") {
        Some(variable) => variable.split('@').next().unwrap_or(variable),
        None if path == "." => "the workspace",
        None => path,
    };
    let shown = cut_line(shown);
    let view = &done.last()?.view;
    // What the tool says beyond that: a window that was closed for it, nobody who sees it.
    let more = view.split_once(". ").map(|(_, more)| format!(" {more}")).unwrap_or_default();
    Ok(match view.contains(", in place of ") {
        true => format!("The window shows `{shown}` now.{more}"),
        false => format!("`{shown}` is open in a window.{more}"),
    })
}

/// `closed_window`.
fn closed_window(done: &Done<'_>) -> Result<String, String> {
    Ok(done.last()?.view.clone())
}

/// `asked`: what the user answered, and where it is kept.
fn asked(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    match (&last.value, &last.variable) {
        (Some(value), Some(name)) => {
            let answer = cut_line(&get_variable_preview(value, MAX_ANSWER));
            Ok(format!("You said `{answer}`. It is stored as `{name}`."))
        }
        _ => Err("The question was not answered, so nothing is stored.".to_owned()),
    }
}
