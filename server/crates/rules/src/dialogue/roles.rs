//! The tools that the dialogue itself calls for: their names are data.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value};
use switchboard_nlu::{Risk, Slots, Step};
use switchboard_protocol::ToolDefinition;

use super::plan::Plan;
use crate::data::{self, Pattern};

/// Tools by what they are for.
#[derive(Debug, Deserialize)]
pub(super) struct Roles {
    /// Gives a file's text.
    pub(super) read: String,
    /// Writes a file as a whole, where there is nothing in it that could be edited.
    pub(super) write: String,
    /// Changes files by a patch.
    pub(super) patch: String,
    /// What stands for the last number in arithmetic.
    pub(super) it: Vec<String>,
    /// The end of a request that gives its result a name.
    pub(super) naming: Pattern,
    /// How a message looks that only says what is other than in the one before.
    pub(super) fragment: Pattern,
    leaning: Pattern,
    /// How the last change is asked back.
    pub(super) undo: String,
    /// How a day looks in a reply.
    pub(super) day: Pattern,
    pub(super) day_in_words: Pattern,
    commanding: Pattern,
    calling: Pattern,
    correcting: Pattern,
    leaving: Pattern,
    consenting: Pattern,
    pairing: Pattern,
    leading: Pattern,
    interjecting: Pattern,
    /// Words that an answer to "which one?" may have beside what it chooses by.
    pub(super) choosing: Vec<String>,
    purpose: Pattern,
    placing: Pattern,
    backing: Pattern,
    /// What is said for good manners, before a request and behind it.
    pub(super) courtesy: Pattern,
    pub(super) thanks: Pattern,
    /// The edits that set a value where the words for it tell.
    pub(super) sets: Vec<String>,
    /// What is over the rows of a table, and stays there whatever their order.
    pub(super) headings: Vec<String>,
    /// What tables are called beside their names.
    pub(super) table_nouns: Vec<String>,
    /// The modules of the server's own tools, which only intents call.
    pub(super) own_modules: Vec<String>,
    /// Tools that intents call only where a client shows windows.
    pub(super) windows: Vec<String>,
    /// The modules of tools that do anything in words: only a request that names one is for it.
    pub(super) specialists: Vec<String>,
    /// The endings of files that may hold tables, those of logs, and the names of files that hold none.
    pub(super) tables: Vec<String>,
    pub(super) logs: Vec<String>,
    /// The endings of texts that may hold a table; they are read for one only if they are named.
    pub(super) texts: Vec<String>,
    pub(super) no_tables: Vec<String>,
    /// The endings of files of settings.
    pub(super) settings: Vec<String>,
    /// The endings of source code.
    pub(super) code: Vec<String>,
    /// The endings of other files whose lines hold values.
    pub(super) lines: Vec<String>,
    pub(super) run: Run,
    pub(super) store: Store,
}

/// Runs a command line.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) tool: String,
    pub(super) argument: String,
}

/// Keeps a value under a name.
#[derive(Debug, Deserialize)]
pub(super) struct Store {
    pub(super) tool: String,
    pub(super) name: String,
    pub(super) value: String,
}

impl Roles {
    pub(super) fn get() -> &'static Self {
        static ROLES: LazyLock<Roles> = LazyLock::new(|| data::read(include_str!("roles.toml")));
        &ROLES
    }

    /// Whether it is one of the server's own; an MCP server may be called like one of their modules.
    pub(super) fn is_own(&self, tool: &ToolDefinition) -> bool {
        let of_server = tool.name.strip_prefix(&tool.module).is_some_and(|rest| rest.starts_with("__"));
        self.own_modules.contains(&tool.module) && !of_server
    }

    /// Whether a request may be for it: a specialist only if it is named.
    pub(super) fn is_open(&self, tool: &ToolDefinition, request: &str) -> bool {
        let same = |word: &str| word.trim_start_matches('@').eq_ignore_ascii_case(&tool.name);
        let named = || request.split(|c: char| !(c.is_alphanumeric() || "_-@".contains(c))).any(same);
        !self.is_own(tool) && (!self.specialists.contains(&tool.module) || named())
    }

    /// A request and the name that its end gives to its result.
    pub(super) fn named<'t>(&self, text: &'t str) -> Option<(&'t str, String)> {
        let found = self.naming.captures(text)?;
        let request = text[..found.get(0)?.start()].trim();
        (!request.is_empty()).then(|| Some((request, found.get(1)?.as_str().to_owned())))?
    }

    /// What is to take the place of something in the request before: "no, the second one".
    pub(super) fn corrected<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.correcting.captures(text)?.get(1).map(|found| found.as_str())
    }

    /// Whether it leans on what was said before.
    pub(super) fn leans(&self, text: &str) -> bool {
        self.leaning.is_match(text)
    }

    /// Whether it begins with a command of its own.
    pub(super) fn commands(&self, text: &str) -> bool {
        self.commanding.is_match(text)
    }

    /// Whether what was done last is to be as it was.
    pub(super) fn leaves(&self, text: &str) -> bool {
        self.leaving.is_match(text)
    }

    /// Whether it is nothing but a yes.
    pub(super) fn consents(&self, text: &str) -> bool {
        self.consenting.is_match(text)
    }

    /// A key and its value: "the time to 19:30".
    pub(super) fn paired<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let found = self.pairing.captures(text)?;
        Some((found.get(1)?.as_str(), found.get(2)?.as_str()))
    }

    /// What a message goes back to, and what it asks of that.
    pub(super) fn back<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let found = self.backing.captures(text)?;
        Some((found.get(1)?.as_str(), found.get(2)?.as_str()))
    }

    /// A request without what is only said before it.
    pub(super) fn led<'t>(&self, text: &'t str) -> Option<&'t str> {
        let behind = |pattern: &Regex| Some(pattern.captures(text)?.get(1)?.as_str());
        behind(&self.leading).or_else(|| behind(&self.interjecting).filter(|rest| self.commands(rest)))
    }

    /// A request without what it is for.
    pub(super) fn without_purpose<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.purpose.captures(text)?.get(1).map(|found| found.as_str())
    }

    /// A request with the place behind it that was told first.
    pub(super) fn placed(&self, text: &str) -> Option<String> {
        let found = self.placing.captures(text)?;
        Some(format!("{} {}", found.get(2)?.as_str(), found.get(1)?.as_str()))
    }

    /// The tool that a request names and the arguments that it gives as a JSON object.
    pub(super) fn called<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let found = self.calling.captures(text)?;
        let (tool, given) = (found.get(1)?.as_str(), found.get(2)?.as_str());
        serde_json::from_str::<Map<String, Value>>(given).ok().map(|_| (tool, given))
    }

    /// A plan that runs a command as it was typed.
    pub(super) fn command(&self, line: &str, request: &str) -> Plan {
        let arguments = Map::from_iter([(self.run.argument.clone(), "{command}".into())]);
        let step = Step { tool: Some(self.run.tool.clone()), arguments, ..Step::default() };
        let values = Map::from_iter([("command".to_owned(), line.into())]);
        let summary = format!("run `{line}`");
        plan("typed_command", request, Risk::Execute, step, values, "command_output", summary)
    }

    /// A plan that tells why the command failed whose result this is.
    pub(super) fn failure(&self, reference: &str) -> Plan {
        let summary = "tell why it failed".to_owned();
        let plan = plan("why", "why", Risk::None, Step::default(), Map::new(), "failure", summary);
        Plan { steps: Vec::new(), source: Some(reference.to_owned()), ..plan }
    }

    /// A plan that asks the tables of some files.
    pub(super) fn tables(&self, reply: &str, files: &[String], request: &str) -> Plan {
        let arguments = Map::from_iter([("file_paths".to_owned(), "{files}".into())]);
        let step = Step { tool: Some(self.read.clone()), arguments, ..Step::default() };
        let values = Map::from_iter([("files".to_owned(), files.into())]);
        plan("table_question", request, Risk::Read, step, values, reply, request.to_owned())
    }

    /// A plan that keeps what a reference stands for under a name.
    pub(super) fn keep(&self, name: &str, reference: &str) -> Plan {
        let mut plan = self.keep_value(name, reference.into());
        plan.values.insert("value_reference".to_owned(), true.into());
        plan
    }

    /// A plan that keeps a value under a name.
    pub(super) fn keep_value(&self, name: &str, value: Value) -> Plan {
        let given = [(self.store.name.clone(), "{name}".into()), (self.store.value.clone(), "{value}".into())];
        let step = Step { tool: Some(self.store.tool.clone()), arguments: Map::from_iter(given), ..Step::default() };
        let values = Map::from_iter([("name".to_owned(), name.into()), ("value".to_owned(), value)]);
        plan("name_it", name, Risk::Read, step, values, "remembered", format!("call it {name}"))
    }
}

/// A plan of one step that no intent of the data makes.
pub(super) fn plan(
    intent: &str,
    request: &str,
    risk: Risk,
    step: Step,
    values: Map<String, Value>,
    reply: &str,
    summary: String,
) -> Plan {
    Plan {
        intent: intent.to_owned(),
        request: request.to_owned(),
        risk,
        slots: Slots::new(),
        values,
        steps: vec![step],
        source: None,
        reply: Some(reply.to_owned()),
        say: None,
        output: None,
        summary,
        unread: Vec::new(),
    }
}
