//! Replies about commands that ran.

use serde_json::{Map, Value};

use super::done::{Done, Reply};
use super::shape::counted;
use super::show::{block, cut_line};
use super::slots::text_of;
use switchboard_events::ArtifactValue;

/// The replies about commands.
pub(super) const REPLIES: &[(&str, Reply)] =
    &[("command_output", command_output), ("yes_no", yes_no), ("count_output", count_output), ("failure", failure)];

/// How many of the last lines of a failed command are shown.
const MAX_TAIL: usize = 40;

/// Whether a reply answers from a command's exit code, so that a failed command is an answer: `failed` says so of what it
/// put out, `none` of a search that found nothing.
pub(crate) fn takes_failures(reply: &str, values: &Map<String, Value>) -> bool {
    let answers = ["failed", "none"].iter().any(|name| values.contains_key(*name));
    reply == "yes_no" || (reply == "command_output" && answers)
}

/// `command_output`.
fn command_output(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let command = last.given(&["command"]).concat();
    let shown = cut_line(&command);
    let Some(ArtifactValue::Json(json)) = &last.value else {
        // The user has said so, after the server had stopped while it ran.
        return Ok(format!("`{shown}` ran, as you say; its output is lost."));
    };
    let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default();
    let (output, error) = (text("output"), text("error"));
    let mut heading = done.slots.told("what").unwrap_or_else(|| format!("`{shown}`"));
    if last.failed {
        let code = json.get("return_code").and_then(Value::as_i64);
        let code = code.ok_or_else(|| format!("`{shown}` did not end by itself.\n\n{}", block(output, "text")))?;
        match (done.slots.told("none"), done.slots.told("failed")) {
            (Some(none), _) if code == 1 && output.trim().is_empty() && error.trim().is_empty() => {
                // Where it was looked for need not be the only place where it can stand.
                return if done.slots.flag("elsewhere") { Err(none) } else { Ok(none) };
            }
            (_, Some(failed)) => heading = format!("{failed} (exit code {code})"),
            _ => return Err(format!("`{shown}` failed with exit code {code}.\n\n{}", block(error, "text"))),
        }
        if output.trim().is_empty() && error.trim().is_empty() {
            return Ok(format!("{heading}. It printed nothing."));
        }
        if output.trim().is_empty() {
            return Ok(format!("{heading}:\n\n{}", block(error, "text")));
        }
    }
    let mut parts = Vec::new();
    match (output.trim().is_empty(), done.slots.told("empty")) {
        (true, Some(empty)) if error.trim().is_empty() => return Ok(empty),
        (true, _) if error.trim().is_empty() => {
            return Ok(match done.slots.told("done") {
                Some(said) => said,
                None => format!("`{shown}` ran and printed nothing."),
            });
        }
        (true, _) => parts.push(format!("`{shown}` ran.")),
        (false, _) => parts.push(format!("{heading}:\n\n{}", block(output, "text"))),
    }
    if !error.trim().is_empty() {
        parts.push(format!("On its error output:\n\n{}", block(error, "text")));
    }
    Ok(parts.join("\n\n"))
}

/// `yes_no`: by the exit code.
fn yes_no(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let output = last.value.as_ref().and_then(text_of).unwrap_or_default();
    let said = match last.failed {
        true => done.slots.told("no").unwrap_or_else(|| "No.".to_owned()),
        false => done.slots.told("yes").unwrap_or_else(|| "Yes.".to_owned()),
    };
    Ok(if output.trim().is_empty() { said } else { format!("{said}\n\n{}", block(&output, "text")) })
}

/// `failure`: the end of what a command put out that failed.
fn failure(done: &Done<'_>) -> Result<String, String> {
    let ArtifactValue::Json(json) = done.value()? else { return Err("I do not know why.".to_owned()) };
    let tail = |key: &str| {
        let lines: Vec<&str> = json.get(key).and_then(Value::as_str).unwrap_or_default().trim_end().lines().collect();
        lines[lines.len().saturating_sub(MAX_TAIL)..].join("\n")
    };
    let code = json.get("return_code").and_then(Value::as_i64).unwrap_or_default();
    let parts = [("It ended with exit code", tail("output")), ("On its error output", tail("error"))];
    let told = parts.iter().filter(|(_, text)| !text.is_empty()).map(|(what, text)| match what.ends_with("code") {
        true => format!("{what} {code}:\n\n{}", block(text, "text")),
        false => format!("{what}:\n\n{}", block(text, "text")),
    });
    let told: Vec<String> = told.collect();
    Ok(if told.is_empty() { format!("It ended with exit code {code} and printed nothing.") } else { told.join("\n\n") })
}

/// `count_output`: how many lines a command printed.
fn count_output(done: &Done<'_>) -> Result<String, String> {
    let lines = done.text()?.lines().filter(|line| !line.trim().is_empty()).count();
    let what = done.slots.told("what").unwrap_or_else(|| "lines".to_owned());
    Ok(format!("**{}**.", counted(lines, what.strip_suffix('s').unwrap_or(&what))))
}
