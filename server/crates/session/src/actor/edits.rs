//! What the user edits directly: variables and the title. Edits become events at once, even during a turn.

use serde_json::Value;
use switchboard_protocol::ServerMessage;

use super::{ChatServerToolAgent, Phase};
use crate::error::SessionError;
use crate::refusal::Refusal;
use crate::state::ReadOnly;
use switchboard_context::{ContextChange, ContextError, OutputName, corrected_name, user_origin};
use switchboard_events::{ArtifactValue, LogError, NewEvent};

impl ChatServerToolAgent {
    pub(super) fn set_variable(&mut self, name: &str, value: Value) -> Result<(), Refusal> {
        let value = match value {
            Value::String(text) => ArtifactValue::Text(text),
            json => ArtifactValue::Json(json),
        };
        let name = OutputName::Given(name.to_owned());
        let planned = self.state.context.plan_set(&self.values, &name, value, user_origin());
        let (_, change) = planned.map_err(|error| not_edited("name", &error))?;
        self.edit(change);
        Ok(())
    }

    /// Keeps what the user brings, under this name or one like it; the name.
    pub(super) fn keep(&mut self, name: &str, value: ArtifactValue) -> Result<String, SessionError> {
        self.can_be_added_to()?;
        let name = OutputName::Default(corrected_name(name));
        let (name, change) = self.state.context.plan_set(&self.values, &name, value, user_origin())?;
        self.edit(change);
        Ok(name)
    }

    /// Takes back what the user brought, unless a message has it.
    pub(super) fn discard(&mut self, name: &str) -> Result<(), SessionError> {
        self.can_be_added_to()?;
        let mut attached = self.state.messages.taken.values().flat_map(|taken| &taken.attachments);
        if attached.any(|attachment| attachment.name == name) {
            return Err(SessionError::Attached(name.to_owned()));
        }
        let change = self.state.context.plan_delete(name)?;
        self.edit(change);
        Ok(())
    }

    fn can_be_added_to(&self) -> Result<(), SessionError> {
        match &self.phase {
            Phase::ReadOnly(ReadOnly::Damaged(_)) => return Err(SessionError::ReadOnly(self.id)),
            Phase::ReadOnly(ReadOnly::OtherWorkspace(workspace)) => {
                let (session, workspace) = (self.id, workspace.clone());
                return Err(LogError::OtherWorkspace { session, workspace }.into());
            }
            _ => {}
        }
        self.refuse_unless_open(None).map_err(|_| SessionError::Stopping)
    }

    pub(super) fn rename_variable(&mut self, name: &str, new_name: &str) -> Result<(), Refusal> {
        let planned = self.state.context.plan_rename(name, new_name);
        let change = planned.map_err(|error| {
            let path = if self.state.context.get(name).is_some() { "newName" } else { "name" };
            not_edited(path, &error)
        })?;
        self.edit(change);
        Ok(())
    }

    pub(super) fn delete_variable(&mut self, name: &str) -> Result<(), Refusal> {
        let change = self.state.context.plan_delete(name).map_err(|error| not_edited("name", &error))?;
        self.edit(change);
        Ok(())
    }

    pub(super) fn edit(&mut self, change: ContextChange) {
        if !change.is_empty() {
            self.append_urgent(change.into_event(None));
        }
    }

    /// Variables and operations go; conversation and log stay.
    pub(super) fn clear_context(&mut self) {
        self.append_urgent(NewEvent::of_session(ServerMessage::ContextCleared {}));
    }

    pub(super) fn set_title(&mut self, title: String) {
        let update = ServerMessage::SessionUpdate { title: Some(title), reasoner: None, context_tokens: None };
        self.append(NewEvent::of_session(update));
    }

    /// Those who are here hear who decides now; those who come later hear it in `session-ready`.
    pub(super) fn tell_reasoner(&mut self) {
        if !self.clients.is_empty() && matches!(self.phase, Phase::Open) {
            let reasoner = Some(self.services.agent.info());
            let update = ServerMessage::SessionUpdate { title: None, reasoner, context_tokens: None };
            self.append_urgent(NewEvent::of_session(update));
        }
    }
}

/// The error says itself what to do next.
fn not_edited(path: &str, error: &ContextError) -> Refusal {
    Refusal::field("context-error", path, format!("Failed to {error}."))
}
