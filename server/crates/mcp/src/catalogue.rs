//! What a server says that it has, brought into the form that the registry and people take: tools that are offered,
//! tools that are held back because their definitions changed, prompts, and notes about what was left out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use tokio::time::timeout;

use super::adapter::McpTool;
use super::caller::Caller;
use super::client::{Connection, Limits, MAX_TOOLS};
use super::error::ServerFault;
use super::file::ServerConfig;
use super::prompts::{self, Prompt};
use super::resources;
use super::status::ChangedTool;
use super::tool_approvals::{ApprovedDefinition, ToolApprovals, Verdict};
use switchboard_tools::Tool;

/// What a server has now.
#[derive(Default)]
pub(super) struct Catalogue {
    /// What is offered, by name.
    pub(super) tools: BTreeMap<String, Arc<dyn Tool>>,
    /// What is held back until the user agrees to it.
    pub(super) changed: Vec<ChangedTool>,
    pub(super) prompts: Vec<Prompt>,
    /// What was left out, and why.
    pub(super) notes: Vec<String>,
}

impl Catalogue {
    /// Asks the server for all of it.
    pub(super) async fn ask(
        server: &ServerConfig,
        connection: &Arc<Connection>,
        limits: &Limits,
        tool_approvals: &ToolApprovals,
    ) -> Result<Self, ServerFault> {
        let listed = timeout(limits.list, connection.list_tools(limits)).await;
        let listed = listed
            .map_err(|_| ServerFault::NoTools(format!("that took more than {} s", limits.list.as_secs_f64())))??;
        let caller = Caller::new(server, limits, connection);
        let mut catalogue = Self { notes: listed.skipped, ..Self::default() };
        for tool in listed.tools.into_iter().take(MAX_TOOLS) {
            catalogue.take(server, &caller, tool, tool_approvals);
        }
        if connection.has_resources() {
            for tool in resources::tools(server, &caller) {
                catalogue.tools.entry(tool.spec().definition.name.clone()).or_insert(tool);
            }
        }
        let (prompts, notes) = prompts::list(server, connection, limits.answer).await;
        catalogue.prompts = prompts;
        catalogue.notes.extend(notes);
        Ok(catalogue)
    }

    fn take(
        &mut self,
        server: &ServerConfig,
        caller: &Caller,
        tool: rmcp::model::Tool,
        tool_approvals: &ToolApprovals,
    ) {
        let called = tool.name.chars().take(80).collect::<String>();
        let approved = ApprovedDefinition::of(&tool);
        let (tool, hidden) = match McpTool::new(server, caller, tool) {
            Ok(taken) => taken,
            Err(problem) => return self.notes.push(format!("{called:?} is skipped: {problem}")),
        };
        let name = tool.spec().definition.name.clone();
        if hidden {
            self.notes.push(format!("{name}: invisible characters were removed from its description"));
        }
        if self.changed.iter().any(|changed| changed.tool == name) {
            return self.notes.push(format!("{called:?} is skipped: there is another tool named {name}"));
        }
        match (tool_approvals.judge(&server.name, &server.shown, &name, &approved), self.tools.entry(name)) {
            (_, Entry::Occupied(entry)) => {
                let name = entry.key();
                self.notes.push(format!("{called:?} is skipped: there is another tool named {name}"));
            }
            (Verdict::Agreed, Entry::Vacant(entry)) => {
                entry.insert(Arc::new(tool));
            }
            (Verdict::Changed(agreed), Entry::Vacant(entry)) => {
                let (before, now) = (agreed.description, approved.description.clone());
                self.changed.push(ChangedTool { tool: entry.into_key(), before, now, approved });
            }
            (Verdict::TooMany, Entry::Vacant(_)) => {
                self.notes.push(format!("{called:?} is skipped: the server has offered too many different tools"));
            }
        }
    }
}
