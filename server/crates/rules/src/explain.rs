//! When no tool fits: why, what is missing, what could be asked instead, what in the context could help.

use super::clause::Clause;
use super::goal::{Act, Skill};
use super::intents::{is_path, is_program};
use super::words::STOP;
use super::words_for::examples;
use switchboard_agent::{CandidateTool, TurnContext};

/// What stands in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// No tool does this.
    NoTool,
    /// A tool would, but the request does not say these of its parameters.
    Missing { tool: String, parameters: Vec<String> },
    /// The request leaves open what is to be written; what to ask the user.
    Asks(String),
    /// What something refers to is unclear.
    Unclear(String),
}

/// The explanation.
pub(super) fn explain(
    trouble: &Trouble,
    act: Option<&Act>,
    scene: &TurnContext<'_>,
    candidates: &[CandidateTool],
) -> String {
    let request = act.map_or_else(|| scene.request().to_owned(), |act| act.clause.text.clone());
    let request = super::show::cut_line(&request);
    if let (Trouble::NoTool, true) = (trouble, act.is_some_and(|act| is_statement(&act.clause))) {
        return format!(
            "That sounds like something to know rather than to do. To have me keep it, say: *Remember that {request}*"
        );
    }
    let mut paragraphs = match trouble {
        Trouble::Asks(question) => return question.clone(),
        Trouble::NoTool => no_tool(&request, act, candidates),
        Trouble::Missing { tool, parameters } => missing(&request, tool, parameters, scene),
        Trouble::Unclear(what) => vec![format!("I cannot do \"{request}\" yet: I do not know {what}.")],
    };
    paragraphs.extend(context_help(scene));
    paragraphs.join("\n\n")
}

fn no_tool(request: &str, act: Option<&Act>, candidates: &[CandidateTool]) -> Vec<String> {
    let mut paragraphs = vec![format!("I have no suitable tool for \"{request}\".")];
    if candidates.is_empty() {
        paragraphs.push("**Why:** none of my tools is described by the words of your request.".to_owned());
    } else {
        let near = candidates.iter().take(3).map(|tool| {
            let what = tool.definition.description.split(['.', ':', ';', '\n']).next().unwrap_or_default();
            format!("- `{}` ({:.0} %): {}", tool.definition.name, tool.confidence * 100.0, super::show::cut_line(what))
        });
        paragraphs
            .push(format!("**Why:** the nearest ones do something else:\n\n{}", near.collect::<Vec<_>>().join("\n")));
    }
    let what = act.map_or("do that", |act| what_is_missing(act));
    paragraphs.push(format!(
        "**What is missing:** {what}. I am not a language model, only rules: other words may help, too."
    ));
    match act.and_then(as_command) {
        Some(command) => {
            paragraphs.push(format!("**Instead:** if you mean a command of the shell, write: Run `{command}`"));
        }
        None => paragraphs.push(format!("**Instead**, you can ask, for example:\n\n{}", examples(4))),
    }
    paragraphs
}

/// `I live in Berlin`: nothing is asked for.
fn is_statement(clause: &Clause) -> bool {
    let first = clause
        .tokens
        .first()
        .is_some_and(|token| token.is(&["i", "we", "my", "our", "i'm", "he", "she", "they", "it", "this", "that"]));
    first && !clause.asks() && !clause.has(&["want", "need", "like", "would", "wish"])
}

fn what_is_missing(act: &Act) -> &'static str {
    match act.skill {
        Skill::Other => "a tool that does this, such as one of an MCP server",
        Skill::Search => {
            "a service that searches the web. Start the server with `--web-search searxng --web-search-url URL`, or with \
             `--web-search brave` or `tavily` and `--web-search-key KEY`; then I have `web_search`"
        }
        _ => "the built-in tool for this kind of work, which is switched off here",
    }
}

/// Words that could be a command: only offered, never run.
fn as_command(act: &Act) -> Option<String> {
    let first = act.clause.tokens.first()?;
    let runs = first.is(&["run", "execute"]);
    let words = if runs { act.clause.from(1) } else { act.clause.text.as_str() };
    let changes = [("delete", "rm"), ("remove", "rm"), ("rename", "mv"), ("move", "mv"), ("mkdir", "mkdir")];
    let paths = act.clause.tokens.iter().filter(|token| is_path(token));
    let paths: Vec<&str> = paths.map(|token| token.text.as_str()).collect();
    if let Some((_, command)) = changes.iter().find(|(verb, _)| first.is(&[verb]))
        && !paths.is_empty()
    {
        return Some(format!("{command} {}", paths.join(" ")));
    }
    let folder = act.clause.starts("create|make|add a? new? folder|directory called|named?");
    if let Some(name) = folder.and_then(|end| act.clause.tokens.get(end)) {
        return Some(format!("mkdir -p {}", name.text));
    }
    let runners = [(".sh", "sh"), (".py", "python3"), (".js", "node")];
    if let (true, [path]) = (runs, paths.as_slice()) {
        let runner = runners.iter().find(|(ending, _)| path.ends_with(ending));
        return Some(runner.map_or_else(|| (*path).to_owned(), |(_, runner)| format!("{runner} {path}")));
    }
    let program = act.clause.tokens.get(usize::from(runs))?;
    let short = words.len() <= 100 && !words.contains(['`', '\n']);
    let command = (runs && !program.is(STOP)) || is_program(&program.text);
    (command && short).then(|| words.to_owned())
}

fn missing(request: &str, tool: &str, parameters: &[String], scene: &TurnContext<'_>) -> Vec<String> {
    let definition = scene.registry.get(tool).map(|tool| tool.spec().definition.clone());
    let described = parameters.iter().map(|name| {
        let schema = definition.as_ref().and_then(|tool| tool.parameters.get("properties")?.get(name).cloned());
        let text = schema.as_ref().and_then(|schema| schema.get("description")?.as_str()).unwrap_or("required");
        format!("- `{name}`: {}", super::show::cut_line(text))
    });
    let first = match scene.bound_to() {
        Some(_) => format!("`{tool}`, which you asked for, cannot do \"{request}\" as it stands."),
        None => format!("I cannot do \"{request}\" yet: `{tool}` fits, but needs to know more."),
    };
    let mut paragraphs = vec![
        first,
        format!("**What is missing:** your request does not say\n\n{}", described.collect::<Vec<_>>().join("\n")),
    ];
    if let Some(definition) = definition {
        paragraphs.push(format!(
            "**Instead**, name it in your request. An example of what `{tool}` takes:\n\n{}",
            super::show::block(&definition.example.to_string(), "json")
        ));
    }
    paragraphs
}

fn context_help(scene: &TurnContext<'_>) -> Option<String> {
    let names = scene.view.context.names().into_iter().rev().filter(|name| !name.ends_with("_error")).take(5);
    let names: Vec<String> = names.map(|name| format!("`@{name}`")).collect();
    (!names.is_empty())
        .then(|| format!("**In the context** there is {}, which you can use in a request.", names.join(", ")))
}
