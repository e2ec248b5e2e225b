//! What was stored, said and done before, told from the context, the conversation and the operations.

use switchboard_protocol::{ValueType, Variable};

use super::ask::{Answer, said as answered, unanswered};
use super::goal::Question;
use super::show::shown;
use super::source::load;
use switchboard_agent::{ReasonerError, TurnContext};
use switchboard_events::ChatRole;

/// How many variables and operations are listed.
const MAX_LISTED: usize = 20;

/// What the user stored last, of this type if one is asked for.
pub(super) async fn stored(kind: Option<ValueType>, scene: &TurnContext<'_>) -> Result<Answer, ReasonerError> {
    let of_kind = |variable: &&Variable| kind.is_none_or(|kind| variable.value_type == kind);
    let by_user = |variable: &&Variable| matches!(variable.origin.tool.as_str(), "store_variable" | "user");
    let all: Vec<&Variable> = scene.view.context.variables().rev().filter(of_kind).collect();
    let own: Vec<&Variable> = all.iter().copied().filter(|variable| by_user(variable)).collect();
    let found = if own.is_empty() { all } else { own };
    let Some(latest) = found.first() else {
        return Ok(unanswered(match kind {
            Some(kind) => {
                format!("You have not stored {} yet. Say, for example: Store 42 as my_number", with_article(kind))
            }
            None => {
                "You have not stored anything yet. Say, for example: Remember that my favorite color is blue".to_owned()
            }
        }));
    };
    let value = load(&latest.name, scene).await?;
    let shown = shown(&value, None);
    let mut text = match shown.contains('\n') {
        true => format!("You stored this as `{}`:\n\n{shown}", latest.name),
        false => format!("You stored {shown} as `{}`.", latest.name),
    };
    if found.len() > 1 {
        let others: Vec<String> = found[1..].iter().take(MAX_LISTED).map(|variable| listed(variable)).collect();
        text.push_str(&format!("\n\nBefore that:\n\n{}", others.join("\n")));
    }
    Ok(answered(text, format!("What you stored is already available in context: `{}`.", latest.name)))
}

/// All variables.
pub(super) fn variables(scene: &TurnContext<'_>) -> Answer {
    let all: Vec<&Variable> = scene.view.context.variables().rev().collect();
    let why = "The variables are already available in context.".to_owned();
    if all.is_empty() {
        return answered("Nothing is stored yet. Results of tools are stored by themselves; or say, for example: Store 42 as my_number".to_owned(), why);
    }
    let mut lines: Vec<String> = all.iter().take(MAX_LISTED).map(|variable| listed(variable)).collect();
    if all.len() > MAX_LISTED {
        lines.push(format!("- … and {} more", all.len() - MAX_LISTED));
    }
    answered(format!("This is what I know, the newest first:\n\n{}", lines.join("\n")), why)
}

fn listed(variable: &Variable) -> String {
    let preview: String = variable.preview.lines().next().unwrap_or_default().chars().take(80).collect();
    let stale = if variable.stale { ", out of date" } else { "" };
    format!("- `{}` ({}{stale}): {preview}", variable.name, type_name(variable.value_type))
}

/// What the user said before this message.
pub(super) fn said_before(scene: &TurnContext<'_>, first: bool) -> Option<String> {
    let messages = scene.view.conversation.messages().filter(|message| message.role == ChatRole::User);
    let mut texts: Vec<&str> = messages.map(|message| message.content.as_str()).collect();
    // The messages of this turn are in the conversation, too.
    texts.truncate(texts.len().saturating_sub(scene.messages.len()));
    let text = if first { texts.first() } else { texts.last() };
    text.map(|text| text.chars().take(500).collect())
}

/// Repeats what the user said.
pub(super) fn said(question: &Question, scene: &TurnContext<'_>) -> Answer {
    match said_before(scene, question.clause.has(&["first"])) {
        Some(text) => answered(
            format!("You said:\n\n> {}", text.replace('\n', "\n> ")),
            "It is already available in the conversation.".to_owned(),
        ),
        None => unanswered("This is the first thing that you say here.".to_owned()),
    }
}

/// What the tools did.
pub(super) fn done(scene: &TurnContext<'_>) -> Answer {
    let operations = &scene.view.operations;
    if operations.is_empty() {
        return unanswered("I have not used a tool yet.".to_owned());
    }
    let lines = operations.iter().rev().take(5).map(|operation| {
        let result = if operation.success { "" } else { " (it failed)" };
        let stored = operation.output_variable.as_ref().map(|name| format!(", stored as `{name}`")).unwrap_or_default();
        let output: String = operation.outputs.lines().next().unwrap_or_default().chars().take(80).collect();
        format!("- `{}`{result}{stored}: {output}", operation.tool)
    });
    let text = format!("What I did last, the newest first:\n\n{}", lines.collect::<Vec<_>>().join("\n"));
    answered(text, "The operations are already available in context.".to_owned())
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

fn with_article(kind: ValueType) -> String {
    let name = type_name(kind);
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}
