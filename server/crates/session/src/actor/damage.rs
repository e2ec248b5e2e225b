//! A session that is read-only: its log is damaged, and it shows what stands in front of the damage; or its workspace is one that
//! no server offers now. It says so, and writes nothing. What only reads goes on, and so do forks, for they are how the
//! conversation goes on.

use switchboard_protocol::{MessageId, ServerMessage};

use super::{ChatServerToolAgent, Phase};
use crate::frames;
use crate::message::Message;
use crate::refusal::Refusal;
use crate::slash::{self, CommandContext, Outcome, Text};
use crate::state::{Damage, ReadOnly, command_key};
use crate::subscriber::{CloseReason, Outgoing, SubscriberId};
use switchboard_events::NewEvent;

impl ChatServerToolAgent {
    pub(super) fn is_read_only(&self) -> bool {
        matches!(self.phase, Phase::ReadOnly(_))
    }

    /// A client read something that is damaged. The session comes back from its log, as far as that goes.
    pub(super) fn found_damaged(&mut self) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        tracing::error!(session = %self.id, "the session's log is damaged; it is read anew, up to the damage");
        self.forget_work();
        self.phase = self.gone(CloseReason::Restarted);
    }

    /// What a client hears when it has all that can be read.
    pub(super) fn log_damaged(&self) -> Option<Outgoing> {
        let Phase::ReadOnly(ReadOnly::Damaged(Damage { from_seq, detail })) = &self.phase else { return None };
        let text = format!(
            "This conversation is damaged from event {from_seq} on ({detail}). What is shown is all that can be read, and \
             nothing can be added. Use /fork to go on from here in a new conversation, or export it."
        );
        let message = ServerMessage::LogDamaged { from_seq: *from_seq, text };
        Some(Outgoing { seq: None, text: frames::text(&frames::frame(None, None, message)).into() })
    }

    /// What is said to a session that is read-only: commands that only read, forks, and messages that it has already.
    pub(super) fn listen_read_only(&mut self, subscriber: SubscriberId, message: Message) -> Result<(), Refusal> {
        let answered = self.state.answers.contains_key(&command_key(&message.id));
        if answered || self.state.messages.taken.contains_key(&message.id) {
            return self.take_text(subscriber, message);
        }
        let refused = self.refuse_unless_open(Some(&message.id));
        let Text::Command(command, arguments) = slash::parse(&message.text, Vec::new) else { return refused };
        let context = CommandContext {
            session: self.id,
            state: &self.state,
            services: &self.services,
            running: None,
            clients: self.clients.count(),
        };
        let id = message.id.clone();
        match (command.run)(&context, arguments.trim()) {
            Outcome::Say(text) => {
                let command = command.name.to_owned();
                let said = ServerMessage::CommandResponse { command, text, session_id: None, usage: None };
                self.answer_command(subscriber, &id, said);
            }
            Outcome::Wrong(text) => {
                let (command, usage) = (command.name.to_owned(), Some(command.usage.to_owned()));
                self.answer_command(subscriber, &id, ServerMessage::CommandError { command, text, usage });
            }
            Outcome::Fork { upto, message: rerun } => {
                let rerun = self.attaching(rerun, message.attachments, &id)?;
                self.fork(subscriber, id, command, upto, rerun);
            }
            _ => return refused,
        }
        Ok(())
    }

    /// Answers a command: with an event, or in a session that is read-only with a frame for the client who sent it.
    pub(super) fn answer_command(&mut self, subscriber: SubscriberId, id: &MessageId, said: ServerMessage) {
        if self.is_read_only() {
            let text = frames::text(&frames::frame(None, Some(id.clone()), said));
            self.answer_now(subscriber, text);
        } else {
            self.append_urgent(NewEvent::of_turn(id, said));
        }
    }
}

/// What a client hears that wants to add something.
pub(super) fn read_only(why: &ReadOnly) -> Refusal {
    match why {
        ReadOnly::Damaged(Damage { from_seq, .. }) => {
            let text = format!(
                "This conversation is damaged from event {from_seq} on, so nothing can be added to it, and this was not \
                 accepted."
            );
            Refusal::new("log-damaged", text)
                .suggesting("Use /fork to go on from what can be read, in a new conversation.")
                .suggesting("Or export it.")
        }
        ReadOnly::OtherWorkspace(workspace) => {
            let text = format!(
                "This conversation belongs to the workspace \"{workspace}\", which no server offers now, so this was not \
                 accepted."
            );
            Refusal::new("no-workspace", text)
                .suggesting(format!(
                    "Start a server on that folder with --workspace-id {workspace}, and send it again."
                ))
                .suggesting("Or use /fork to go on in this server's workspace, in a new conversation.")
                .retry_after(10_000)
        }
    }
}
