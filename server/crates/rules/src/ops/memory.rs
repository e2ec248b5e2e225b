//! Replies about what was remembered, said and done.

use switchboard_protocol::{ValueType, Variable};

use super::done::{Done, Reply};
use super::show::{cut_line, sentence};
use switchboard_agent::without_attachments;
use switchboard_context::is_stored;
use switchboard_events::{ChatMessage, ChatRole};

/// How many are listed.
const MAX_LISTED: usize = 20;

/// The replies about memory.
pub(super) const REPLIES: &[(&str, Reply)] = &[
    ("remembered", remembered),
    ("recall", recall),
    ("memories", memories),
    ("forgotten", forgotten),
    ("renamed_memory", renamed),
    ("history", history),
    ("said", said),
];

/// `remembered`.
fn remembered(done: &Done<'_>) -> Result<String, String> {
    let last = done.last()?;
    let name = last.variable.clone().unwrap_or_else(|| last.given(&["name"]).concat());
    let (short, long) = (format!("I will remember that `{name}` is"), format!("I will remember this as `{name}`"));
    Ok(sentence(&done.value()?, &short, &long))
}

/// `recall`: the value that was looked up.
fn recall(done: &Done<'_>) -> Result<String, String> {
    let label = done.label();
    Ok(sentence(&done.value()?, &format!("{label} is"), &label))
}

/// `memories`: what is known.
fn memories(done: &Done<'_>) -> Result<String, String> {
    let own = done.slots.is("kind", "remembered");
    let all: Vec<&Variable> =
        done.view.context.variables().rev().filter(|variable| !own || is_stored(variable)).collect();
    if all.is_empty() {
        return Ok("Nothing is remembered yet. Say, for example: remember that my favorite color is blue".to_owned());
    }
    let line = |variable: &&Variable| {
        let stale = if variable.stale { ", out of date" } else { "" };
        let preview = cut_line(variable.preview.lines().next().unwrap_or_default());
        format!("- `{}` ({}{stale}): {preview}", variable.name, type_name(variable.value_type))
    };
    let mut lines: Vec<String> = all.iter().take(MAX_LISTED).map(line).collect();
    if all.len() > MAX_LISTED {
        lines.push(format!("- … and {} more", all.len() - MAX_LISTED));
    }
    Ok(format!("This is what I know, the newest first:\n\n{}", lines.join("\n")))
}

/// `forgotten`.
fn forgotten(done: &Done<'_>) -> Result<String, String> {
    Ok(done.last()?.view.clone())
}

/// `renamed_memory`.
fn renamed(done: &Done<'_>) -> Result<String, String> {
    Ok(done.last()?.view.clone())
}

/// `history`: what the tools did.
fn history(done: &Done<'_>) -> Result<String, String> {
    let operations = &done.view.operations;
    if operations.is_empty() {
        return Ok("I have not used a tool yet.".to_owned());
    }
    let lines = operations.iter().rev().take(5).map(|operation| {
        let result = if operation.success { "" } else { " (it failed)" };
        let stored = operation.output_variable.as_ref().map(|name| format!(", stored as `{name}`")).unwrap_or_default();
        format!(
            "- `{}`{result}{stored}: {}",
            operation.tool,
            cut_line(operation.outputs.lines().next().unwrap_or_default())
        )
    });
    Ok(format!("What I did last, the newest first:\n\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// `said`: what the user said before this message.
fn said(done: &Done<'_>) -> Result<String, String> {
    let of_user = |message: &&ChatMessage| message.role == ChatRole::User;
    let texts: Vec<&str> = done
        .view
        .conversation
        .messages()
        .filter(of_user)
        .map(|message| without_attachments(message.content.text()))
        .collect();
    // This message is the last of them.
    let before = &texts[..texts.len().saturating_sub(1)];
    let text = if done.slots.is("which", "first") { before.first() } else { before.last() };
    Ok(match text {
        Some(text) => {
            let text: String = text.chars().take(500).collect();
            format!("You said:\n\n> {}", text.replace('\n', "\n> "))
        }
        None => "This is the first thing that you say here.".to_owned(),
    })
}

fn type_name(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Object => "object",
        ValueType::Array => "list",
        ValueType::Number => "number",
        ValueType::Boolean => "true or false",
        ValueType::Null => "nothing",
        ValueType::Text => "text",
        ValueType::Bytes => "bytes",
    }
}
