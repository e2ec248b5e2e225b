//! `/agents [on|off id]`: the agents there are, and switching specialists.

use super::{Command, CommandContext, Outcome, short};
use switchboard_agent::AgentStatus;

pub(super) const COMMAND: Command = Command {
    name: "agents",
    usage: "/agents [on|off <id>]",
    about: "lists the agents, or switches a specialist on or off until the server stops",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let agents = &context.services.agents;
    let mut words = arguments.split_whitespace();
    let enabled = match (words.next(), words.next(), words.next()) {
        (None, ..) => return Outcome::Say(list(agents.list())),
        (Some("on" | "enable"), Some(_), None) => true,
        (Some("off" | "disable"), Some(_), None) => false,
        _ => {
            return Outcome::Wrong(
                "Give `on` or `off` and the id of a specialist, or nothing for the list.".to_owned(),
            );
        }
    };
    let id = arguments.split_whitespace().nth(1).unwrap_or_default();
    match agents.switch(id, enabled) {
        Ok(()) => Outcome::Say(list(agents.list())),
        Err(why) => Outcome::Wrong(format!("Not switched: {}.", short(&why, 200))),
    }
}

fn list((agents, problems): (Vec<AgentStatus>, Vec<String>)) -> String {
    let mut lines: Vec<String> = agents.iter().map(line).collect();
    if !agents.iter().any(|agent| agent.definition.is_primary && agent.enabled) {
        lines.insert(0, "- the built-in primary agent runs the sessions".to_owned());
    }
    lines.extend(problems.iter().map(|problem| format!("- **skipped**: {}", short(problem, 300))));
    lines.join("\n")
}

fn line(agent: &AgentStatus) -> String {
    let state = match (&agent.problem, agent.enabled, agent.available) {
        _ if agent.definition.is_primary && agent.enabled => "runs the sessions".to_owned(),
        (Some(problem), ..) => format!("not available: {problem}"),
        (None, _, true) => "on".to_owned(),
        (None, ..) => "off".to_owned(),
    };
    let definition = &agent.definition;
    let own = [definition.model.as_deref(), definition.provider.as_deref()].into_iter().flatten().collect::<Vec<_>>();
    let model = if own.is_empty() { String::new() } else { format!(", with {}", short(&own.join(" of "), 120)) };
    let (name, file) = (short(&definition.name, 60), short(&agent.file, 60));
    let warnings = agent.warnings.iter().filter(|_| agent.problem.is_none());
    let warnings: String = warnings.map(|warning| format!("; {}", short(warning, 300))).collect();
    format!("- `{}` ({name}, {file}{model}): {state}{warnings}", definition.id)
}
