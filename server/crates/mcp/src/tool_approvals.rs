//! What each tool's definition was when the user last agreed to it. A server that the file names is agreed to with the
//! tools that it has when it is first seen; a definition that changes later is held back until the user agrees to the
//! new one, however long ago and in whichever run of the program that was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::error::McpError;
use super::names::sanitized;
use super::saved::Saved;

/// How many definitions are remembered of one server; it could have a new name for each tool in each list.
const MAX_TOOLS: usize = 5000;

/// How much of a description is kept, so that a person can compare, in bytes.
const MAX_DESCRIPTION: usize = 1000;

/// A definition, as a server gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ApprovedDefinition {
    /// SHA-256 of name, title, description, schemas and annotations.
    pub(super) sha256: String,
    /// The beginning of the description, without what nobody sees.
    pub(super) description: String,
}

/// What is known of a definition.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The user agreed to it, or it is the first of its name.
    Agreed,
    /// It differs from the one that the user agreed to, which was this.
    Changed(ApprovedDefinition),
    /// The server has had too many definitions.
    TooMany,
}

/// The definitions of one server.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Known {
    /// The command or the address: behind another one is another server.
    #[serde(alias = "door")]
    address: String,
    tools: BTreeMap<String, ApprovedDefinition>,
}

/// All definitions that were agreed to, kept over restarts.
#[derive(Debug, Default)]
pub(super) struct ToolApprovals {
    /// Absent: they are forgotten at the end.
    saved: Option<Saved>,
    known: Mutex<ApprovalState>,
    /// They are written once at a time.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct ApprovalState {
    servers: Servers,
    /// What is not written yet: the tools, by server.
    new: BTreeMap<String, BTreeSet<String>>,
}

type Servers = BTreeMap<String, Known>;

impl ApprovedDefinition {
    /// What is remembered of a tool's definition, taken before anything is cleaned.
    pub(super) fn of(tool: &rmcp::model::Tool) -> Self {
        let mut said = json!([tool.name, tool.title, tool.description, tool.input_schema, tool.output_schema]);
        let annotations = serde_json::to_value(&tool.annotations).unwrap_or_default();
        said.as_array_mut().into_iter().for_each(|said| said.push(annotations.clone()));
        said.sort_all_objects();
        let (mut description, _) = sanitized(tool.description.as_deref().unwrap_or_default());
        description.truncate(description.floor_char_boundary(MAX_DESCRIPTION));
        Self { sha256: hash(&said), description }
    }
}

impl ToolApprovals {
    /// Reads them.
    ///
    /// # Errors
    /// When they are there and cannot be read: then nobody knows what was agreed to.
    pub(super) fn read(saved: Option<Saved>) -> Result<Self, McpError> {
        let Some(saved) = saved else { return Ok(Self::default()) };
        let servers = saved.read().map_err(|problem| McpError::Definitions { path: saved.place(), problem })?;
        let known = Mutex::new(ApprovalState { servers, new: BTreeMap::new() });
        Ok(Self { saved: Some(saved), known, writing: Mutex::default() })
    }

    /// Takes what was agreed to at other servers.
    pub(super) fn take_up(&self) {
        match self.saved.as_ref().map(Saved::read::<Servers>) {
            Some(Ok(mut servers)) => {
                let mut state = self.state();
                state.add_new_to(&mut servers);
                state.servers = servers;
            }
            Some(Err(problem)) => tracing::error!("the approved tool definitions cannot be read: {problem}"),
            None => {}
        }
    }

    /// Whether this definition of a server's tool is agreed to; the first of its name is, from now on.
    pub(super) fn judge(&self, server: &str, address: &str, tool: &str, approved: &ApprovedDefinition) -> Verdict {
        let mut state = self.state();
        let ApprovalState { servers, new } = &mut *state;
        let known = servers.entry(server.to_owned()).or_default();
        let address = hash(&Value::from(address));
        if known.address != address {
            *known = Known { address, tools: BTreeMap::new() };
            new.entry(server.to_owned()).or_default();
        }
        match known.tools.get(tool) {
            Some(agreed) if agreed.sha256 == approved.sha256 => Verdict::Agreed,
            Some(agreed) => Verdict::Changed(agreed.clone()),
            None if known.tools.len() >= MAX_TOOLS => Verdict::TooMany,
            None => {
                known.tools.insert(tool.to_owned(), approved.clone());
                new.entry(server.to_owned()).or_default().insert(tool.to_owned());
                Verdict::Agreed
            }
        }
    }

    /// The user agrees to this definition.
    pub(super) fn agree(&self, server: &str, tool: &str, approved: ApprovedDefinition) {
        let mut state = self.state();
        if let Some(known) = state.servers.get_mut(server) {
            known.tools.insert(tool.to_owned(), approved);
            state.new.entry(server.to_owned()).or_default().insert(tool.to_owned());
        }
    }

    /// Writes what is new; waits for the disk.
    pub(super) fn save(&self) {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(saved) = &self.saved else { return };
        let new = {
            let mut state = self.state();
            let servers = state.servers.clone();
            ApprovalState { servers, new: std::mem::take(&mut state.new) }
        };
        if new.new.is_empty() {
            return;
        }
        if let Err(error) = saved.update(|servers: &mut Servers| new.add_new_to(servers)) {
            tracing::warn!("the approved tool definitions could not be saved in {}: {error}", saved.place());
            let mut state = self.state();
            for (server, tools) in new.new {
                state.new.entry(server).or_default().extend(tools);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, ApprovalState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ApprovalState {
    /// Adds what is not written yet to what is.
    fn add_new_to(&self, servers: &mut Servers) {
        for (server, tools) in &self.new {
            let Some(ours) = self.servers.get(server) else { continue };
            let known = servers.entry(server.clone()).or_default();
            if known.address != ours.address {
                *known = Known { address: ours.address.clone(), tools: BTreeMap::new() };
            }
            let new = tools.iter().filter_map(|tool| Some((tool.clone(), ours.tools.get(tool)?.clone())));
            known.tools.extend(new);
        }
    }
}

fn hash(value: &Value) -> String {
    Sha256::digest(value.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use switchboard_runtime::FileValues;
    use tempfile::TempDir;

    use super::*;

    /// A value in this folder.
    fn saved(folder: &TempDir) -> Option<Saved> {
        Some(Saved::new(Arc::new(FileValues::new(folder.path())), "definitions.json"))
    }

    fn approved(description: &str) -> ApprovedDefinition {
        let tool = json!({"name": "echo", "description": description, "inputSchema": {"type": "object"}});
        ApprovedDefinition::of(&serde_json::from_value(tool).expect("a tool"))
    }

    #[test]
    fn i07_what_was_agreed_to_stands_after_a_new_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let tool_approvals = ToolApprovals::read(saved(&folder)).expect("there is none yet");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Agreed);
        tool_approvals.save();

        let tool_approvals = ToolApprovals::read(saved(&folder)).expect("it was written");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Agreed);
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("two")), Verdict::Changed(approved("one")));
        tool_approvals.agree("s", "echo", approved("two"));
        tool_approvals.save();

        let tool_approvals = ToolApprovals::read(saved(&folder)).expect("it was written");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("two")), Verdict::Agreed);
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Changed(approved("two")));
    }

    #[test]
    fn what_was_agreed_to_elsewhere_counts_and_is_not_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let both = [saved(&folder), saved(&folder)].map(|saved| ToolApprovals::read(saved).expect("there is none yet"));
        for approvals in &both {
            assert_eq!(approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Agreed);
        }
        both[0].save();
        both[0].agree("s", "echo", approved("two"));
        both[0].save();
        assert_eq!(both[1].judge("s", "cmd", "add", &approved("one")), Verdict::Agreed);
        assert_eq!(both[1].judge("s", "cmd", "echo", &approved("two")), Verdict::Changed(approved("one")));

        let again = ToolApprovals::read(saved(&folder)).expect("it was written");
        again.judge("t", "cmd", "echo", &approved("one"));
        again.save();
        again.take_up();
        both[0].take_up();

        for approvals in [&again, &both[0]] {
            assert_eq!(approvals.judge("s", "cmd", "echo", &approved("two")), Verdict::Agreed);
            assert_eq!(approvals.judge("t", "cmd", "echo", &approved("two")), Verdict::Changed(approved("one")));
        }
    }

    #[test]
    fn another_command_in_the_file_is_another_server() {
        let tool_approvals = ToolApprovals::default();
        tool_approvals.judge("s", "cmd", "echo", &approved("one"));

        assert_eq!(tool_approvals.judge("s", "cmd --new", "echo", &approved("two")), Verdict::Agreed);
        assert_eq!(tool_approvals.judge("s", "cmd --new", "echo", &approved("one")), Verdict::Changed(approved("two")));
    }

    #[test]
    fn i07_every_part_of_a_definition_counts_and_their_order_does_not() {
        let of = |tool: Value| ApprovedDefinition::of(&serde_json::from_value(tool).expect("a tool"));
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let turned = json!({"properties": {"a": {"type": "string"}}, "type": "object"});
        let plain = of(json!({"name": "echo", "inputSchema": schema}));

        assert_eq!(of(json!({"inputSchema": turned, "name": "echo"})), plain);
        assert_ne!(of(json!({"name": "echo", "inputSchema": {"type": "object"}})), plain);
        assert_ne!(of(json!({"name": "echo", "inputSchema": schema, "annotations": {"readOnlyHint": true}})), plain);
        assert_ne!(approved("Adds.\u{200b}").sha256, approved("Adds.").sha256, "what nobody sees counts, too");
    }

    #[test]
    fn a_damaged_file_is_told_and_not_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("definitions.json"), "{").expect("it is written");

        let error = ToolApprovals::read(saved(&folder)).expect_err("it is damaged").to_string();

        assert!(error.contains("delete it"), "{error}");
    }

    #[test]
    fn a_server_cannot_fill_the_memory_with_names() {
        let tool_approvals = ToolApprovals::default();
        for n in 0..MAX_TOOLS {
            tool_approvals.judge("s", "cmd", &n.to_string(), &approved("one"));
        }

        assert_eq!(tool_approvals.judge("s", "cmd", "more", &approved("one")), Verdict::TooMany);
        assert_eq!(tool_approvals.judge("s", "cmd", "0", &approved("one")), Verdict::Agreed);
    }
}
