//! `/context`: the variables.

use switchboard_protocol::Variable;

use super::{Command, CommandContext, Outcome, no_arguments, short};

pub(super) const COMMAND: Command =
    Command { name: "context", usage: "/context", about: "shows the variables and where they come from", run };

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    no_arguments(arguments, || {
        let lines: Vec<String> = context.state.context.variables().map(line).collect();
        if lines.is_empty() {
            return Outcome::Say(
                "There are no variables yet. The results of tools are stored here as `@name`.".to_owned(),
            );
        }
        Outcome::Say(lines.join("\n"))
    })
}

fn line(variable: &Variable) -> String {
    let kind = serde_json::to_value(variable.value_type).unwrap_or_default();
    let stale = if variable.stale { ", made from something that has since changed" } else { "" };
    format!(
        "- **@{}** ({}, {} bytes, version {}, from `{}`{stale}): {}",
        variable.name,
        kind.as_str().unwrap_or("value"),
        variable.bytes,
        variable.version,
        variable.origin.tool,
        short(&variable.preview, 200),
    )
}
