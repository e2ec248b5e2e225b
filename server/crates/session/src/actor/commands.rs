//! Slash commands: run at once, also during a turn, and answered by one event.

use std::sync::Arc;

use switchboard_protocol::{MessageId, ServerMessage};

use super::ChatServerToolAgent;
use crate::host::{Loaded, McpSwitched, WorkRequest};
use crate::message::Message;
use crate::refusal::Refusal;
use crate::slash::{Command, CommandContext, Outcome, mcp_switched};
use crate::state;
use crate::subscriber::SubscriberId;
use switchboard_events::{NewEvent, ServerOnly};

impl ChatServerToolAgent {
    pub(super) fn run_command(
        &mut self,
        subscriber: SubscriberId,
        message: Message,
        command: &'static Command,
        arguments: &str,
    ) -> Result<(), Refusal> {
        let context = CommandContext {
            session: self.id,
            state: &self.state,
            services: &self.services,
            running: self.work.turn.as_ref().map(|turn| &turn.id),
            clients: self.clients.count(),
        };
        let outcome = (command.run)(&context, arguments.trim());
        let id = message.id.clone();
        match outcome {
            Outcome::Try { tool, text } => {
                return self.take_message(subscriber, message.asking(tool, text));
            }
            Outcome::Say(text) => self.respond(&id, command, text, ServerOnly::default()),
            Outcome::Wrong(text) => self.command_error(&id, command, text),
            Outcome::Clear(text) => {
                self.clear_context();
                self.respond(&id, command, text, ServerOnly::default());
            }
            Outcome::NewConversation(text) => {
                self.tools.clear_state();
                self.leave_plan();
                self.close_all_windows();
                let private = ServerOnly { new_conversation: true, ..ServerOnly::default() };
                self.respond(&id, command, text, private);
            }
            Outcome::Permit(private, text) => self.respond(&id, command, text, *private),
            Outcome::Save(name, text) => {
                let private = ServerOnly { saved_as: Some(name), ..ServerOnly::default() };
                self.respond(&id, command, text, private);
            }
            Outcome::Undo(count) => self.call_for_command(id, command, "file_undo", count),
            Outcome::SwitchMcp { server, on } => self.switch_mcp(subscriber, id, command, server, on),
            Outcome::Fork { upto, message: rerun } => {
                let rerun = self.attaching(rerun, message.attachments, &id)?;
                self.fork(subscriber, id, command, upto, rerun);
            }
            Outcome::Load(name, seq) => self.load(subscriber, id, command, name, seq),
        }
        Ok(())
    }

    /// Reads the state of the past beside the actor; [`Self::loaded`] goes on with it.
    fn load(&mut self, subscriber: SubscriberId, id: MessageId, command: &'static Command, name: String, seq: u64) {
        let (log, session, errand) = (Arc::clone(&self.services.log), self.id, self.work.errand());
        self.services.shutdown.spawn(async move {
            let state = state::load(log.as_ref(), session, seq).await;
            let loaded = Loaded { subscriber, message_id: id, command, name, state };
            errand.bring(WorkRequest::Loaded(Box::new(loaded))).await;
        });
    }

    /// The variables become what they were.
    pub(super) fn loaded(&mut self, loaded: Loaded) {
        let Loaded { subscriber, message_id, command, name, state } = loaded;
        if let Err(refusal) = self.refuse_unless_open(Some(&message_id)) {
            return self.refuse(subscriber, refusal);
        }
        match state {
            Ok(then) => {
                let change = self.state.context.plan_restore(&then.context);
                let (set, removed) = (change.set.len(), change.removed.len());
                self.edit(change);
                let text = format!("Loaded `{name}`: {set} variables set, {removed} removed.");
                self.respond(&message_id, command, text, ServerOnly::default());
            }
            Err(error) => self.command_error(&message_id, command, format!("Failed to {error}.")),
        }
    }

    /// Switches an MCP server beside the actor, for its process may take its time to end; [`Self::mcp_switched`] says what
    /// came of it.
    fn switch_mcp(
        &mut self,
        subscriber: SubscriberId,
        message_id: MessageId,
        command: &'static Command,
        server: String,
        on: bool,
    ) {
        // A client that comes back sends what has no answer yet once more.
        if self.work.switching.contains(&message_id) {
            return;
        }
        self.work.switching.push(message_id.clone());
        let (mcp, errand) = (self.services.mcp.clone(), self.work.errand());
        self.services.shutdown.spawn(async move {
            let done = mcp.switch(&server, on).await;
            let said = mcp_switched(&server, on, done, &mcp.list());
            let switched = McpSwitched { subscriber, message_id, command, said };
            errand.bring(WorkRequest::McpSwitched(Box::new(switched))).await;
        });
    }

    /// Says what came of it.
    pub(super) fn mcp_switched(&mut self, switched: McpSwitched) {
        let McpSwitched { subscriber, message_id, command, said } = switched;
        self.work.switching.retain(|id| *id != message_id);
        if let Err(refusal) = self.refuse_unless_open(Some(&message_id)) {
            return self.refuse(subscriber, refusal);
        }
        match said {
            Ok(text) => self.respond(&message_id, command, text, ServerOnly::default()),
            Err(text) => self.command_error(&message_id, command, text),
        }
    }

    pub(super) fn respond(&mut self, id: &MessageId, command: &Command, text: String, private: ServerOnly) {
        let command = command.name.to_owned();
        let message = ServerMessage::CommandResponse { command, text, session_id: None, usage: None };
        self.append_urgent(NewEvent::of_turn(id, message).with_private(private));
    }

    pub(super) fn command_error(&mut self, id: &MessageId, command: &Command, text: String) {
        let usage = Some(command.usage.to_owned());
        let message = ServerMessage::CommandError { command: command.name.to_owned(), text, usage };
        self.append_urgent(NewEvent::of_turn(id, message));
    }
}
