//! What every session is given by the process it lives in.

use std::sync::Arc;

use switchboard_protocol::{SandboxState, SessionId};

use super::config::SessionConfig;
use switchboard_accounts::Principal;
use switchboard_agent::{Specialists, ToolUsingChatAgent};
use switchboard_conversation::{ChatConfig, Summarizer};
use switchboard_events::EventLog;
use switchboard_llm::Models;
use switchboard_mcp::McpServers;
use switchboard_runtime::{Live, Shutdown};
use switchboard_search::ToolIndex;
use switchboard_tools::{Policy, SessionCheckpoints, ToolManager, ToolManagerConfig, ToolRegistry};
use switchboard_workspace::Workspace;
use switchboard_workspace::checkpoint::Checkpoints;

/// What exists once per process and is used by every session.
pub struct SessionServices {
    /// Where events are kept.
    pub log: Arc<dyn EventLog>,
    /// Who thinks.
    pub agent: Arc<ToolUsingChatAgent>,
    /// The tools.
    pub registry: Arc<ToolRegistry>,
    /// Where tools are found, for `/tools`.
    pub index: Arc<ToolIndex>,
    /// The MCP servers, for `/mcp` and their prompts.
    pub mcp: McpServers,
    /// The language model, for `/model` and the dialog.
    pub models: Models,
    /// The agents, for `/agents`.
    pub agents: Specialists,
    /// What runs without asking.
    pub policy: Arc<Policy>,
    /// Where the tools live.
    pub workspace: Arc<Workspace>,
    /// Where it is noted what programs change there; none: that cannot be put back.
    pub checkpoints: Option<Arc<Checkpoints>>,
    /// How the commands that tools run are confined.
    pub sandbox: SandboxState,
    /// Knows every task.
    pub shutdown: Shutdown,
    /// How conversations are held from their next turn on.
    pub chat: Live<Arc<ChatConfig>>,
    /// Who writes summaries of what falls out of the window.
    pub summarizer: Arc<dyn Summarizer>,
    /// The limits.
    pub config: SessionConfig,
}

impl SessionServices {
    /// How conversations are held now: with the window of the model in use, unless one was set; and with the
    /// instructions of a primary agent, unless a system prompt was set.
    pub(super) fn chat_config(&self) -> Arc<ChatConfig> {
        let base = self.chat.get();
        let model = self.models.current();
        let instructions = self.agents.primary_instructions();
        if model.is_none() && instructions.is_none() {
            return base;
        }
        let with_model = (*base).clone().with_model(model.as_ref().map(|client| client.model()));
        Arc::new(ChatConfig { system_prompt: with_model.system_prompt.clone().or(instructions), ..with_model })
    }

    /// The one way to run tools, for one session.
    pub(super) fn tool_manager(&self, owner: &Principal, id: SessionId) -> ToolManager {
        let store = self.checkpoints.clone();
        ToolManager::new(ToolManagerConfig {
            registry: Arc::clone(&self.registry),
            policy: Arc::clone(&self.policy),
            workspace: Arc::clone(&self.workspace),
            principal: owner.clone(),
            shutdown: self.shutdown.clone(),
            checkpoints: store.map(|store| SessionCheckpoints::new(store, id)),
        })
    }
}
