//! What each tool's definition was when the user last agreed to it. A server that the file names is agreed to with the
//! tools that it has when it is first seen; a definition that changes later is held back until the user agrees to the
//! new one, however long ago and in whichever run of the program that was.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::error::McpError;
use super::names::sanitized;
use super::saved::{read, save};

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
#[derive(Debug, Default, Serialize, Deserialize)]
struct Known {
    /// The command or the address: behind another one is another server.
    #[serde(alias = "door")]
    address: String,
    tools: BTreeMap<String, ApprovedDefinition>,
}

/// All definitions that were agreed to, kept in a file.
#[derive(Debug, Default)]
pub(super) struct ToolApprovals {
    /// Absent: they are forgotten at the end.
    file: Option<PathBuf>,
    known: Mutex<ApprovalState>,
    /// The file is written once at a time.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct ApprovalState {
    servers: BTreeMap<String, Known>,
    is_new: bool,
}

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
    /// When the file is there and cannot be read: then nobody knows what was agreed to.
    pub(super) fn read(file: Option<PathBuf>) -> Result<Self, McpError> {
        let Some(path) = file else { return Ok(Self::default()) };
        let wrong = |problem: String| McpError::Definitions { path: path.display().to_string(), problem };
        let servers = read(&path).map_err(wrong)?;
        let known = Mutex::new(ApprovalState { servers, is_new: false });
        Ok(Self { file: Some(path), known, writing: Mutex::default() })
    }

    /// Whether this definition of a server's tool is agreed to; the first of its name is, from now on.
    pub(super) fn judge(&self, server: &str, address: &str, tool: &str, approved: &ApprovedDefinition) -> Verdict {
        let mut state = self.state();
        let ApprovalState { servers, is_new } = &mut *state;
        let known = servers.entry(server.to_owned()).or_default();
        let address = hash(&Value::from(address));
        if known.address != address {
            *known = Known { address, tools: BTreeMap::new() };
            *is_new = true;
        }
        match known.tools.get(tool) {
            Some(agreed) if agreed.sha256 == approved.sha256 => Verdict::Agreed,
            Some(agreed) => Verdict::Changed(agreed.clone()),
            None if known.tools.len() >= MAX_TOOLS => Verdict::TooMany,
            None => {
                known.tools.insert(tool.to_owned(), approved.clone());
                *is_new = true;
                Verdict::Agreed
            }
        }
    }

    /// The user agrees to this definition.
    pub(super) fn agree(&self, server: &str, tool: &str, approved: ApprovedDefinition) {
        let mut state = self.state();
        if let Some(known) = state.servers.get_mut(server) {
            known.tools.insert(tool.to_owned(), approved);
            state.is_new = true;
        }
    }

    /// Writes the file, if there is anything new; waits for the disk.
    pub(super) fn save(&self) {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else { return };
        let text = {
            let mut state = self.state();
            if !std::mem::take(&mut state.is_new) {
                return;
            }
            serde_json::to_string_pretty(&state.servers).unwrap_or_default()
        };
        if let Err(error) = save(file, &text) {
            self.state().is_new = true;
            tracing::warn!("the approved tool definitions could not be saved in {}: {error}", file.display());
        }
    }

    fn state(&self) -> MutexGuard<'_, ApprovalState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(value: &Value) -> String {
    Sha256::digest(value.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approved(description: &str) -> ApprovedDefinition {
        let tool = json!({"name": "echo", "description": description, "inputSchema": {"type": "object"}});
        ApprovedDefinition::of(&serde_json::from_value(tool).expect("a tool"))
    }

    #[test]
    fn i07_what_was_agreed_to_stands_after_a_new_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("definitions.json");
        let tool_approvals = ToolApprovals::read(Some(file.clone())).expect("there is none yet");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Agreed);
        tool_approvals.save();

        let tool_approvals = ToolApprovals::read(Some(file.clone())).expect("it was written");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Agreed);
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("two")), Verdict::Changed(approved("one")));
        tool_approvals.agree("s", "echo", approved("two"));
        tool_approvals.save();

        let tool_approvals = ToolApprovals::read(Some(file)).expect("it was written");
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("two")), Verdict::Agreed);
        assert_eq!(tool_approvals.judge("s", "cmd", "echo", &approved("one")), Verdict::Changed(approved("two")));
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
        let file = folder.path().join("definitions.json");
        std::fs::write(&file, "{").expect("it is written");

        let error = ToolApprovals::read(Some(file)).expect_err("it is damaged").to_string();

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
