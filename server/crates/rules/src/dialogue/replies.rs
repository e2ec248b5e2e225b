//! The reply to a plan whose steps are done: by the operation that its intent names, or by the intent's own words.

use jiff::Zoned;
use serde_json::Value;

use super::charts;
use super::plan::filled_text;
use super::running::Running;
use super::tabular::Heard;
use crate::ops::{Stepped, block, inline, reply, sentence, text_of};
use switchboard_agent::TurnContext;
use switchboard_events::ArtifactValue;

/// What it is that answers.
const WHO: &str = "I am Switchboard, an agent that uses tools. I am not a language model: I read requests by example \
                   sentences, and what I have not understood I do not do. Ask \"what can you do\" for examples.";

/// What can be asked, one line each.
const EXAMPLES: &str = include_str!("examples.txt");

/// What the user is told, or what was lacking.
pub(super) fn told(
    running: &Running,
    scene: &TurnContext<'_>,
    earlier: &[Heard],
    now: &Zoned,
) -> Result<String, String> {
    let plan = &running.plan;
    if let Some(say) = &plan.say {
        let mut values = plan.values.clone();
        if let Some(value) = running.steps.last().and_then(|step| step.value.as_ref()) {
            values.insert("result".to_owned(), text_of(value).unwrap_or_default().trim_end().into());
        }
        return filled_text(say, &values).ok_or_else(|| "I could not work that out.".to_owned());
    }
    let done = running.done(now, scene);
    match plan.reply.as_deref() {
        Some("table" | "log") => {
            if let Some((chart, answer)) = charts::drawn(plan, &running.steps) {
                return Ok(format!("{}\n\n{answer}", charts::told(chart)));
            }
            Ok(charts::answered(plan, &done, earlier)?.markdown())
        }
        Some("help" | "abilities") => Ok(help()),
        Some("who") => Ok(WHO.to_owned()),
        Some("greeting") => {
            Ok(format!("Hello! What shall I do? For example: {}", EXAMPLES.lines().next().unwrap_or_default()))
        }
        Some(name) => match reply(name) {
            Some(operation) => operation(&done),
            None => running.steps.last().map(of_tool).ok_or_else(|| format!("I do not know how to tell `{name}`.")),
        },
        None => running.steps.last().map(of_tool).ok_or_else(|| "There is nothing to tell.".to_owned()),
    }
}

fn help() -> String {
    let lines: Vec<String> = EXAMPLES.lines().map(|example| format!("- {example}")).collect();
    format!("You can ask, for example:\n\n{}", lines.join("\n"))
}

/// What any tool gave.
pub(super) fn of_tool(step: &Stepped) -> String {
    let Some(value) = &step.value else {
        return match step.view.trim() {
            "" => format!("`{}` is done.", step.tool),
            view => view.to_owned(),
        };
    };
    match value {
        ArtifactValue::Json(Value::Array(_) | Value::Object(_)) if step.is_shown() => {
            format!("`{}` gives:\n\n{}", step.tool, block(step.view.trim_end(), "text"))
        }
        ArtifactValue::Json(json @ (Value::Bool(_) | Value::Number(_) | Value::Null)) => {
            format!("`{}` gives {}.", step.tool, inline(json))
        }
        value => {
            let gives = format!("`{}` gives", step.tool);
            sentence(value, &gives, &gives)
        }
    }
}
