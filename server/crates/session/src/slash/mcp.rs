//! `/mcp [server]`, `/mcp on|off|restart <server>`, `/mcp approve <server or tool>`: the MCP servers, and what they need
//! a person for.

use std::fmt::Write;
use std::io;

use super::{Command, CommandContext, Outcome, short};
use switchboard_mcp::{ServerState, ServerStatus};
use switchboard_runtime::nearest;

/// How many lines of a server's standard error are shown.
const LAST_WORDS: usize = 5;

/// The longest foreign text that is shown, in characters.
const MAX_CHARS: usize = 300;

/// What can be done to a server.
const VERBS: &[&str] = &["on", "off", "restart", "approve"];

/// How many servers are named to whoever misnames one.
const MAX_NAMES: usize = 10;

pub(super) const COMMAND: Command = Command {
    name: "mcp",
    usage: "/mcp [server | on|off|restart <server> | approve <server or tool>]",
    about: "shows the MCP servers, switches one on or off for all sessions, restarts one, or approves tools that changed",
    run,
};

fn run(context: &CommandContext<'_>, arguments: &str) -> Outcome {
    let servers = context.services.mcp.list();
    match arguments.split_once(char::is_whitespace).map(|(verb, name)| (verb, name.trim())) {
        None if arguments.is_empty() => Outcome::Say(all(&servers)),
        None => match servers.iter().find(|server| server.name == arguments) {
            Some(server) => Outcome::Say(in_full(server)),
            None if VERBS.contains(&arguments) => Outcome::Wrong(format!("Which server? `/mcp {arguments} <server>`.")),
            None => Outcome::Wrong(unknown(arguments, &servers)),
        },
        Some(("on", name)) => switch(name, true, &servers),
        Some(("off", name)) => switch(name, false, &servers),
        Some(("restart", name)) => restart(context, name, &servers),
        Some(("approve", name)) => approve(context, name, &servers),
        Some((verb, _)) => Outcome::Wrong(format!("`{}` is not `on`, `off`, `restart` or `approve`.", code(verb))),
    }
}

fn switch(name: &str, on: bool, servers: &[ServerStatus]) -> Outcome {
    match servers.iter().find(|server| server.name == name).map(|server| server.state) {
        Some(ServerState::Disabled) => Outcome::Wrong(disabled(name)),
        Some(_) => Outcome::SwitchMcp { server: name.to_owned(), on },
        None => Outcome::Wrong(unknown(name, servers)),
    }
}

/// What came of [`Outcome::SwitchMcp`], with the servers as they are then.
pub(crate) fn switched(
    name: &str,
    on: bool,
    done: io::Result<bool>,
    servers: &[ServerStatus],
) -> Result<String, String> {
    match done {
        Err(error) => Err(format!("`{name}` was not switched: that could not be saved ({error}).")),
        Ok(false) => Err(disabled(name)),
        Ok(true) if on => Ok(format!("`{name}` is switched on for all sessions; `/mcp {name}` shows its state.")),
        Ok(true) if servers.iter().any(|server| server.name == name && server.state == ServerState::Off) => {
            Ok(format!(
                "`{name}` is switched off for all sessions, also after a restart. It has ended, and its tools are gone. \
                 `/mcp on {name}` switches it on again."
            ))
        }
        Ok(true) => Ok(format!(
            "`{name}` was switched off, but has not ended, or was switched on again meanwhile; `/mcp {name}` shows its state."
        )),
    }
}

fn disabled(name: &str) -> String {
    format!("`{name}` is turned off in the file of MCP servers; only the file turns it on.")
}

fn restart(context: &CommandContext<'_>, name: &str, servers: &[ServerStatus]) -> Outcome {
    match servers.iter().find(|server| server.name == name).map(|server| server.state) {
        Some(ServerState::Disabled) => Outcome::Wrong(disabled(name)),
        Some(ServerState::Off) => Outcome::Wrong(format!("`{name}` is switched off. `/mcp on {name}` switches it on.")),
        Some(_) if context.services.mcp.restart(name) => {
            Outcome::Say(format!("`{name}` is restarting; `/mcp {name}` shows its state."))
        }
        _ => Outcome::Wrong(unknown(name, servers)),
    }
}

fn approve(context: &CommandContext<'_>, name: &str, servers: &[ServerStatus]) -> Outcome {
    let agreed = context.services.mcp.approve(name);
    if !agreed.is_empty() {
        let names: Vec<_> = agreed.iter().map(|tool| format!("`{tool}`")).collect();
        return Outcome::Say(format!(
            "You approved {} as shown; it will be offered again in a moment.",
            names.join(", ")
        ));
    }
    let is_there = servers.iter().any(|server| server.name == name || server.tools.iter().any(|tool| tool == name));
    match is_there {
        true => Outcome::Wrong(format!("No tool of `{}` is held back.", code(name))),
        false => Outcome::Wrong(unknown(name, servers)),
    }
}

fn all(servers: &[ServerStatus]) -> String {
    if servers.is_empty() {
        let how = "To add some, start the server with `--mcp FILE`, where FILE contains `{\"mcpServers\": {\"name\": \
                   {\"command\": \"…\"}}}`";
        return format!("There are no MCP servers. {how}.");
    }
    let mut text = format!("{}; `/mcp <server>` shows more about one:\n", count(servers.len(), "MCP server"));
    for server in servers {
        let _ = write!(text, "\n- **{}** {}", code(&server.name), state(server));
        if !server.changed.is_empty() {
            let _ = write!(text, "; {} held back: `/mcp {}`", count(server.changed.len(), "tool"), server.name);
        }
        if let Some(fault) = &server.fault {
            let _ = write!(text, ": {}", quoted(fault));
        }
    }
    text
}

fn in_full(server: &ServerStatus) -> String {
    let mut text = format!("**{}** {}", code(&server.name), state(server));
    let transport = if server.by_http { "streamable HTTP" } else { "stdio" };
    let _ = write!(text, "\n\n- {transport}: {}", quoted(&server.address));
    if let Some(about) = &server.about {
        let _ = write!(text, "\n- calls itself {}", quoted(about));
    }
    if let Some(fault) = &server.fault {
        let _ = write!(text, "\n- failed: {}", quoted(fault));
    }
    if server.starts > 1 {
        let _ = write!(text, "\n- started {} times", server.starts);
    }
    list(&mut text, "tools", server.tools.iter().map(|tool| format!("`{tool}`")));
    list(&mut text, "prompts", server.prompts.iter().map(|prompt| format!("`{}`", prompt.usage())));
    for changed in &server.changed {
        let (before, now) = (quoted(&changed.before), quoted(&changed.now));
        let _ = write!(text, "\n- **held back**: `{}` is no longer what you approved", changed.tool);
        match before == now {
            true => text.push_str("; its description is the same, but its parameters or annotations are not"),
            false => drop(write!(text, ". Its description was {before}, and is now {now}")),
        }
        let _ = write!(text, ". `/mcp approve {}` approves it", changed.tool);
    }
    for note in &server.notes {
        let _ = write!(text, "\n- note: {}", quoted(note));
    }
    let words = server.last_words();
    let last = words.iter().skip(words.len().saturating_sub(LAST_WORDS)).map(|line| quoted(line));
    list(&mut text, "last lines of its standard error", last);
    text
}

fn state(server: &ServerStatus) -> String {
    match server.state {
        ServerState::Starting => "is starting".to_owned(),
        ServerState::Ready => {
            let prompts = match server.prompts.len() {
                0 => String::new(),
                n => format!(" and {}", count(n, "prompt")),
            };
            format!("is ready with {}{prompts}", count(server.tools.len(), "tool"))
        }
        ServerState::Waiting => {
            let again = server.again_in().unwrap_or_default().as_secs_f64().ceil();
            format!("failed and will be restarted in {again} s")
        }
        ServerState::Stopped => "was stopped".to_owned(),
        ServerState::Off => "is switched off".to_owned(),
        ServerState::Disabled => "is turned off in the file".to_owned(),
    }
}

fn list(text: &mut String, what: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    if !items.is_empty() {
        let _ = write!(text, "\n- {what}: {}", items.join(", "));
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Foreign text, which must not look like ours.
fn quoted(text: &str) -> String {
    match code(text).trim() {
        "" => "nothing".to_owned(),
        text => format!("`{text}`"),
    }
}

fn code(text: &str) -> String {
    short(text, MAX_CHARS).replace('`', "'")
}

fn unknown(name: &str, servers: &[ServerStatus]) -> String {
    let name = code(name);
    if servers.is_empty() {
        return format!("There are no MCP servers, so there is no `{name}`. `/mcp` says how to add some.");
    }
    match nearest(&name, servers.iter().map(|server| server.name.as_str()), 1).first() {
        Some(near) => format!("There is no MCP server `{name}`. Did you mean `{near}`?"),
        None if servers.len() > MAX_NAMES => format!("There is no MCP server `{name}`. `/mcp` lists them all."),
        None => {
            let names: Vec<_> = servers.iter().map(|server| format!("`{}`", code(&server.name))).collect();
            format!("There is no MCP server `{name}`, only {}.", names.join(", "))
        }
    }
}
