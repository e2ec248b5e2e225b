//! What calls gave, in words worth reading.

use serde_json::Value;

use super::goal::{Act, Skill};
use super::listing::entries;
use super::shape::{counted, describe};
use super::show::{block, cut_line, inline, language_of, shown};
use switchboard_agent::{Attempt, Reply, TurnContext};
use switchboard_events::ArtifactValue;

/// How many names a list shows.
const MAX_NAMES: usize = 100;

/// A part of the reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) text: String,
    pub(super) weight: Weight,
    /// Whether it is what was asked for, rather than why not.
    pub(super) complete: bool,
}

/// How much a section matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// The user asked for it.
    Result,
    /// It only served another part.
    Aside,
}

/// The sections as one reply.
pub(super) fn together(sections: &[Section], _: &TurnContext<'_>) -> Reply {
    let results: Vec<&str> = sections
        .iter()
        .filter(|section| section.weight == Weight::Result)
        .map(|section| section.text.as_str())
        .collect();
    let text = match results.is_empty() {
        true => sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n\n"),
        false => results.join("\n\n"),
    };
    Reply { text, complete: sections.iter().all(|section| section.complete) }
}

/// What a call gave; `serves`: it only serves what comes next.
pub(super) fn section_of(act: &Act, attempt: &Attempt, serves: bool) -> Section {
    let mut text = told(act, attempt);
    if let (Some(_), Some(name)) = (&act.output, &attempt.outcome.variable) {
        text.push_str(&format!("\n\nIt is stored as `{name}`."));
    }
    Section { text, weight: if serves { Weight::Aside } else { Weight::Result }, complete: true }
}

fn told(act: &Act, attempt: &Attempt) -> String {
    let Some(value) = &attempt.outcome.result.value else {
        return without_value(act, attempt);
    };
    // The tool that ran tells how to read its result; a tool that took another's place has its own way.
    let skill = if act.skill.tool() == Some(attempt.tool.as_str()) { act.skill } else { Skill::of_tool(&attempt.tool) };
    match skill {
        Skill::Read => read(attempt, value),
        Skill::Write => wrote(attempt),
        Skill::Edit => edited(attempt, value),
        Skill::Undo => undone(attempt),
        Skill::List => listed(attempt, value),
        Skill::Glob => globbed(attempt, value),
        Skill::Grep => matched(attempt, value),
        Skill::Run => ran(attempt, value),
        Skill::Compute => computed(attempt, value),
        Skill::Time => clock(value, act).unwrap_or_else(|| shown(value, None)),
        Skill::Parse => describe("The parsed value", value),
        Skill::Query => {
            format!("`{}` gives {}", text_of(attempt, &["filter", "query"]), after_colon(&shown(value, None)))
        }
        Skill::Store => stored(attempt, value),
        Skill::Fetch => fetched(act, attempt, value),
        Skill::Search => as_block(attempt.outcome.result.view.as_deref().unwrap_or_default()),
        Skill::Other => other(attempt, value),
    }
}

fn without_value(act: &Act, attempt: &Attempt) -> String {
    match (act.skill, attempt.outcome.view.trim()) {
        (Skill::Write, _) => wrote(attempt),
        (_, "") => format!("Done: `{}` finished.", attempt.tool),
        (_, view) => as_block(view),
    }
}

fn as_block(text: &str) -> String {
    if text.contains('\n') { block(text, "text") } else { text.to_owned() }
}

fn text_of(attempt: &Attempt, names: &[&str]) -> String {
    let value = names.iter().find_map(|name| attempt.arguments.get(*name));
    let text = value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    cut_line(&text.unwrap_or_default())
}

fn paths(attempt: &Attempt) -> Vec<String> {
    let keys = ["file_paths", "paths", "path", "filePath", "file_path"];
    let values = keys.iter().filter_map(|key| attempt.arguments.get(*key)).flat_map(|value| match value {
        Value::Array(items) => items.clone(),
        other => vec![other.clone()],
    });
    values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

fn read(attempt: &Attempt, value: &ArtifactValue) -> String {
    match value {
        ArtifactValue::Json(Value::Object(files)) if paths(attempt).len() > 1 => {
            let parts = files.iter().map(|(path, text)| match text {
                Value::String(text) => one_file(path, text),
                other => format!("`{path}`: {}", inline(other)),
            });
            parts.collect::<Vec<_>>().join("\n\n")
        }
        ArtifactValue::Text(text) => one_file(&paths(attempt).concat(), text),
        other => format!("`{}` holds {}", paths(attempt).concat(), after_colon(&shown(other, None))),
    }
}

fn one_file(path: &str, text: &str) -> String {
    match text.is_empty() {
        true => format!("`{path}` is empty."),
        false => format!("`{path}` ({}):\n\n{}", counted(text.lines().count(), "line"), block(text, language_of(path))),
    }
}

fn wrote(attempt: &Attempt) -> String {
    let path = paths(attempt).concat();
    let view = attempt.outcome.view.trim();
    let literal = attempt
        .arguments
        .get("content")
        .and_then(Value::as_str)
        .filter(|text| switchboard_context::reference(text).is_none());
    match literal {
        Some(text) => format!("I wrote {} to `{path}`.", counted(text.len(), "byte")),
        None if !view.is_empty() && !view.contains('\n') => format!("I wrote to `{path}`: {view}"),
        None => format!("I wrote it to `{path}`."),
    }
}

fn edited(attempt: &Attempt, value: &ArtifactValue) -> String {
    let ArtifactValue::Json(json) = value else { return as_block(&attempt.outcome.view) };
    let places = json["replacements"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(1);
    let diff = block(json["diff"].as_str().unwrap_or_default(), "diff");
    format!("I replaced {} in `{}`:\n\n{diff}", counted(places, "place"), paths(attempt).concat())
}

/// Without the line that says where the value is stored.
fn undone(attempt: &Attempt) -> String {
    let view = attempt.outcome.result.view.as_deref().unwrap_or_default();
    format!("{view} To have the change back, undo this.")
}

fn listed(attempt: &Attempt, value: &ArtifactValue) -> String {
    let names = entries(value);
    let path = paths(attempt).concat();
    let place = if path.is_empty() || path == "." { "The current directory".to_owned() } else { format!("`{path}`") };
    if names.is_empty() {
        return match attempt.outcome.view.trim() {
            "" => format!("{place} is empty."),
            view => format!("{place}:\n\n{}", as_block(view)),
        };
    }
    let folders = names.iter().filter(|name| name.ends_with('/')).count();
    let files = counted(names.len() - folders, "file");
    let what = if folders == 0 { files } else { format!("{} and {files}", counted(folders, "folder")) };
    format!("{place} has {what}:\n\n{}", bullets(&names))
}

fn bullets(names: &[String]) -> String {
    let mut lines: Vec<String> =
        names.iter().take(MAX_NAMES).map(|name| format!("- `{}`", name.replace('`', "'"))).collect();
    if names.len() > MAX_NAMES {
        lines.push(format!("- … and {} more", names.len() - MAX_NAMES));
    }
    lines.join("\n")
}

fn globbed(attempt: &Attempt, value: &ArtifactValue) -> String {
    let names = entries(value);
    let pattern = text_of(attempt, &["pattern", "glob"]);
    match names.len() {
        0 => format!("No file matches `{pattern}`."),
        1 => format!("1 file matches `{pattern}`:\n\n{}", bullets(&names)),
        count => format!("{count} files match `{pattern}`:\n\n{}", bullets(&names)),
    }
}

fn matched(attempt: &Attempt, value: &ArtifactValue) -> String {
    let pattern = unescaped(&text_of(attempt, &["pattern", "query"]));
    let place = paths(attempt).concat();
    let place = if place.is_empty() || place == "." { String::new() } else { format!(" in `{place}`") };
    let lines = match_lines(value);
    if lines.is_empty() {
        return format!("I found no `{pattern}`{place}.");
    }
    let files = lines.iter().filter_map(|(file, _)| file.as_deref()).collect::<std::collections::BTreeSet<_>>().len();
    let spread = if files > 1 { format!(" in {}", counted(files, "file")) } else { String::new() };
    let text = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
    format!("I found `{pattern}` in {}{spread}{place}:\n\n{}", counted(lines.len(), "line"), block(&text, "text"))
}

/// A pattern without the signs that only made it literal.
fn unescaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut signs = pattern.chars().peekable();
    while let Some(c) = signs.next() {
        if c != '\\' || signs.peek().is_some_and(|next| next.is_alphanumeric()) {
            out.push(c);
        }
    }
    out
}

/// Each match with its file, as a line.
fn match_lines(value: &ArtifactValue) -> Vec<(Option<String>, String)> {
    let json = match value {
        ArtifactValue::Json(json) => json,
        ArtifactValue::Text(text) => {
            return text.lines().map(|line| (line.split(':').next().map(str::to_owned), line.to_owned())).collect();
        }
        ArtifactValue::Bytes(_) => return Vec::new(),
    };
    let list = json.as_array().or_else(|| json.get("matches").and_then(Value::as_array));
    let line = |item: &Value| match item {
        Value::Object(_) => {
            let text = |keys: &[&str]| keys.iter().find_map(|key| item.get(*key));
            let file = text(&["path", "file"]).and_then(Value::as_str).map(str::to_owned);
            let number = text(&["line", "line_number"]).map(|number| format!("{number}:")).unwrap_or_default();
            let said = text(&["text", "content", "match"]).and_then(Value::as_str).unwrap_or_default();
            (file.clone(), format!("{}:{number} {}", file.unwrap_or_default(), said.trim()))
        }
        other => (None, other.as_str().map_or_else(|| other.to_string(), str::to_owned)),
    };
    list.into_iter().flatten().map(line).collect()
}

fn ran(attempt: &Attempt, value: &ArtifactValue) -> String {
    let command = text_of(attempt, &["command"]);
    let ArtifactValue::Json(json) = value else { return format!("`{command}`:\n\n{}", shown(value, None)) };
    let output = json.get("output").and_then(Value::as_str).unwrap_or_default();
    let error = json.get("error").and_then(Value::as_str).unwrap_or_default();
    let code = json.get("return_code").and_then(Value::as_i64);
    let ending = match code {
        Some(0) | None => format!("`{command}` ran (exit code 0)"),
        Some(code) => format!("`{command}` ended with exit code **{code}**"),
    };
    let mut parts = match output.trim().is_empty() {
        true if error.trim().is_empty() => return format!("{ending} and printed nothing."),
        true => vec![format!("{ending}.")],
        false => vec![format!("{ending}:"), block(output, "text")],
    };
    if !error.trim().is_empty() {
        parts.push("On its error output:".to_owned());
        parts.push(block(error, "text"));
    }
    parts.join("\n\n")
}

fn computed(attempt: &Attempt, value: &ArtifactValue) -> String {
    let expression = text_of(attempt, &["expression"]);
    let result = match value {
        ArtifactValue::Text(text) => Value::String(text.clone()),
        ArtifactValue::Json(json) => json.clone(),
        ArtifactValue::Bytes(_) => Value::Null,
    };
    format!("`{expression}` = {}", inline(&result))
}

/// `It is 14:05 on Thursday, 5 March 2026 (Asia/Tokyo).`
fn clock(value: &ArtifactValue, act: &Act) -> Option<String> {
    let ArtifactValue::Json(json) = value else { return None };
    let text = |key: &str| json.get(key).and_then(Value::as_str);
    let time = text("time")?;
    let date: jiff::civil::Date = text("date")?.parse().ok()?;
    let zone = text("timezone").unwrap_or("local time").replace('_', " ");
    let minutes = time.get(..5).unwrap_or(time);
    let day = date.strftime("%A, %-d %B %Y");
    let asks_day =
        act.clause.has(&["day", "date", "today", "year", "month", "weekday", "week"]) && !act.clause.has(&["time"]);
    Some(match asks_day {
        true => format!("It is **{day}** ({minutes}, {zone})."),
        false => format!("It is **{minutes}** on {day} ({zone})."),
    })
}

fn stored(attempt: &Attempt, value: &ArtifactValue) -> String {
    let name = attempt.outcome.variable.clone().unwrap_or_else(|| text_of(attempt, &["name"]));
    match shown(value, None) {
        long if long.contains('\n') => format!("I will remember this as `{name}`:\n\n{long}"),
        short => format!("I will remember that `{name}` is {short}."),
    }
}

/// Where the page came from, and its beginning; what others wrote stays in a block.
fn fetched(act: &Act, attempt: &Attempt, value: &ArtifactValue) -> String {
    let field = |name: &str| attempt.outcome.result.fields.get(name).and_then(Value::as_str);
    let place = format!("`{}`", cut_line(field("url").unwrap_or_default()));
    let from = match field("title") {
        Some(title) => format!("\"{}\" ({place})", cut_line(title).replace(['*', '_', '[', ']', '<'], " ")),
        None => place,
    };
    let content = match value {
        ArtifactValue::Text(text) => block(text, "text"),
        other => shown(other, None),
    };
    match act.clause.has(&["summarise", "summarize", "summary", "explain", "describe"]) {
        true => format!("I am not a language model and cannot sum it up, but this is what {from} says:\n\n{content}"),
        false => format!("{from}:\n\n{content}"),
    }
}

fn other(attempt: &Attempt, value: &ArtifactValue) -> String {
    let value = shown(value, None);
    if value.contains('\n') {
        format!("`{}` gives:\n\n{value}", attempt.tool)
    } else {
        format!("`{}` gives {value}.", attempt.tool)
    }
}

fn after_colon(text: &str) -> String {
    if text.contains('\n') { format!("this:\n\n{text}") } else { format!("{text}.") }
}
