//! `/tools [query]`: what the agent can do, or which tools fit a request.

use super::{Command, CommandContext, Outcome, short};

/// How many tools a search shows, and from which confidence on; as in the pipeline's search.
const LIMIT: usize = 10;
const THRESHOLD: f64 = 0.3;

pub(super) const COMMAND: Command =
    Command { name: "tools", usage: "/tools [query]", about: "lists the tools, or searches them", run };

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let definitions = context.services.registry.definitions();
    let line = |name: &str, about: &str| {
        let definition = definitions.iter().find(|definition| definition.name == name);
        let text = definition.map_or_else(String::new, |definition| short(&definition.description, 120));
        let module = definition.map_or("", |definition| definition.module.as_str());
        format!("- `{name}` ({module}{about}): {text}")
    };
    if arguments.is_empty() {
        let lines: Vec<String> = definitions.iter().map(|definition| line(&definition.name, "")).collect();
        let problems = context.services.registry.problems();
        let skipped = problems.iter().map(|problem| format!("\n- **skipped**: {}", short(problem, 300)));
        return Outcome::Say(format!("{} tools:\n{}{}", lines.len(), lines.join("\n"), skipped.collect::<String>()));
    }
    let found = context.services.index.search(arguments, LIMIT, THRESHOLD);
    if found.is_empty() {
        return Outcome::Say("No tool fits that. `/tools` lists them all.".to_owned());
    }
    let lines = found.iter().map(|found| line(&found.name, &format!(", {:.0} %", found.confidence * 100.0)));
    Outcome::Say(lines.collect::<Vec<_>>().join("\n"))
}
