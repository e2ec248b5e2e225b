//! What a client says, and messages among it: taken, repeated, refused, canceled.

use std::collections::HashSet;

use switchboard_protocol::{Attachment, ClientFrame, MessageId, Mode, ServerFrame, ServerMessage};
use uuid::Uuid;

use super::damage::read_only;
use super::work::Cause;
use super::{ChatServerToolAgent, Phase};
use crate::archive::Attached;
use crate::frames;
use crate::message::{Message, attachment};
use crate::outbox::Outbound;
use crate::refusal::Refusal;
use crate::slash::{self, Text};
use crate::state::{Taken, command_key};
use crate::subscriber::{Outgoing, SubscriberId};
use crate::title::title_of;
use switchboard_events::{ChatMessage, ChatRole, LogError, NewEvent, ServerOnly};
use switchboard_runtime::nearest;

impl ChatServerToolAgent {
    pub(super) fn try_listen(&mut self, subscriber: SubscriberId, frame: ClientFrame) -> Result<(), Refusal> {
        match frame {
            ClientFrame::Ping {} => {
                self.answer_now(subscriber, frames::text(&frames::frame(None, None, ServerMessage::Pong {})));
                Ok(())
            }
            ClientFrame::GetContext {} => {
                let outgoing = Outgoing { seq: None, text: self.context_state() };
                self.answer_when_durable(subscriber, outgoing);
                Ok(())
            }
            ClientFrame::SendMessage { text, timestamp, message_id, mode, attachments } => {
                // The next server to have the session goes on with what waits.
                let is_taken = matches!(self.phase, Phase::Stopping) && self.services.shutdown.is_handing_over();
                if !self.is_read_only() && !is_taken {
                    self.refuse_unless_open(message_id.as_ref())?;
                }
                let id = message_id.unwrap_or_else(|| Uuid::new_v4().to_string());
                let mode = mode.unwrap_or_default();
                let (prompt, tool, attachments) = (None, None, attachments.map(once_each));
                let message = Message { id, text, mode, client_timestamp: timestamp, prompt, tool, attachments };
                match self.is_read_only() {
                    true => self.listen_read_only(subscriber, message),
                    false => self.take_text(subscriber, message),
                }
            }
            other => {
                self.refuse_unless_open(None)?;
                self.obey_client(subscriber, other)
            }
        }
    }

    fn obey_client(&mut self, subscriber: SubscriberId, frame: ClientFrame) -> Result<(), Refusal> {
        match frame {
            ClientFrame::Cancel { message_id } => return self.cancel(message_id),
            ClientFrame::ApproveTool { call_id, decision, arguments, reason } => {
                return self.answer_approval(&call_id, decision, arguments, reason);
            }
            ClientFrame::AnswerQuery { query_id, answer } => return self.answer_query(&query_id, answer),
            ClientFrame::CallTool { call_id, tool, arguments } => {
                return self.call_tool(subscriber, call_id, tool, arguments);
            }
            ClientFrame::SetVariable { name, value } => return self.set_variable(&name, value),
            ClientFrame::RenameVariable { name, new_name } => return self.rename_variable(&name, &new_name),
            ClientFrame::DeleteVariable { name } => return self.delete_variable(&name),
            ClientFrame::ClearContext {} => self.clear_context(),
            ClientFrame::SetTitle { title } => self.set_title(title.trim().to_owned()),
            ClientFrame::WindowClosed { window_id } => self.close_window(window_id),
            ClientFrame::SendMessage { .. } | ClientFrame::GetContext {} | ClientFrame::Ping {} => {}
        }
        Ok(())
    }

    pub(super) fn refuse_unless_open(&self, about: Option<&MessageId>) -> Result<(), Refusal> {
        match &self.phase {
            Phase::Open => Ok(()),
            Phase::ReadOnly(why) => Err(read_only(why).about(about.cloned())),
            Phase::Broken { error, .. } => Err(Refusal::store(error).about(about.cloned())),
            Phase::Stopping | Phase::Over(_) => {
                let refusal = Refusal::new("stopping", "The server is stopping, so it accepts nothing new.");
                Err(refusal
                    .suggesting("Connect again in a few seconds and send it again.")
                    .retry_after(5_000)
                    .about(about.cloned()))
            }
        }
    }

    pub(super) fn take_text(&mut self, subscriber: SubscriberId, mut message: Message) -> Result<(), Refusal> {
        let answered = self.state.answers.get(&command_key(&message.id)).copied();
        match slash::parse(&message.text, || self.services.mcp.prompts()) {
            Text::Command(command, arguments) => match (self.state.messages.taken.get(&message.id), answered) {
                (Some(taken), _) if slash::is_again(command, &arguments, taken) => {
                    let seq = taken.seq;
                    self.answer_from_log(subscriber, seq);
                    Ok(())
                }
                (Some(_), _) => Err(conflict(&message.id)),
                (None, Some(seq)) => {
                    self.answer_from_log(subscriber, seq);
                    Ok(())
                }
                (None, None) if !message.attached().is_empty() && !command.takes_attachments() => {
                    Err(takes_none(command.name).about(Some(message.id)))
                }
                (None, None) => self.run_command(subscriber, message, command, &arguments),
            },
            Text::Prompt(prompt, written) => {
                self.take_prompt(subscriber, message, prompt, &written);
                Ok(())
            }
            _ if answered.is_some() => Err(conflict(&message.id)),
            Text::Escaped => {
                message.text.remove(0);
                self.take_message(subscriber, message)
            }
            Text::Message => self.take_message(subscriber, message),
        }
    }

    /// Takes a message. What the session says in its user's name has no subscriber, who would hear that it was not taken.
    pub(super) fn take_message(
        &mut self,
        subscriber: impl Into<Option<SubscriberId>>,
        message: Message,
    ) -> Result<(), Refusal> {
        let subscriber = subscriber.into();
        if let Some(taken) = self.state.messages.taken.get(&message.id) {
            if taken.digest != Taken::digest(&message.text) || !taken.has_attached(message.attached()) {
                return Err(conflict(&message.id));
            }
            let outgoing = repeated(taken, message);
            if let Some(subscriber) = subscriber {
                self.answer_when_durable(subscriber, outgoing);
            }
            return Ok(());
        }
        if self.waiting_ids().len() + usize::from(self.work.turn.is_some()) > self.services.config.queue {
            return Err(busy(message.id, self.services.config.queue));
        }
        // As an append that fails it would take the running turn with it.
        if self.services.log.is_crowded(message.text.len()) {
            return Err(Refusal::store(&LogError::Busy).about(Some(message.id)));
        }
        let attachments = self.attachments(&message)?;
        let replaces = message.mode == Mode::Interrupt;
        let title = self.state.shown.title.is_none().then(|| title_of(&message.text));
        let event = NewEvent::of_turn(
            &message.id,
            ServerMessage::UserMessage {
                message_id: message.id.clone(),
                text: message.text,
                mode: message.mode,
                client_timestamp: message.client_timestamp,
                prompt: message.prompt,
                tool: message.tool,
                attachments: Some(attachments).filter(|attachments| !attachments.is_empty()),
                repeated: None,
            },
        );
        self.push(Outbound {
            with: None,
            event,
            urgent: true,
            receipt: None,
            sender: subscriber.map(|subscriber| (subscriber, message.id)),
        });
        if let Some(title) = title {
            self.set_title(title);
        }
        if replaces {
            self.cancel_turn(Cause::Replaced);
        }
        Ok(())
    }

    /// The variables that the message names, as they are now.
    fn attachments(&self, message: &Message) -> Result<Vec<Attachment>, Refusal> {
        let attached = message.attached().iter().enumerate().map(|(place, name)| match self.state.context.get(name) {
            Some(entry) => Ok(attachment(&entry.variable)),
            None => Err(self.not_attached(place, name, &message.id)),
        });
        attached.collect()
    }

    /// What belongs to a message in the place of another one, if that was said: what belonged to the other one, and
    /// variables of this session.
    pub(super) fn attached_instead(
        &self,
        replaced: &MessageId,
        names: Option<Vec<String>>,
        id: &MessageId,
    ) -> Result<Option<Vec<Attached>>, Refusal> {
        let Some(names) = names else { return Ok(None) };
        let before = self.state.messages.taken.get(replaced).map_or(&[][..], |taken| &taken.attachments);
        let attached = names.iter().enumerate().map(|(place, name)| {
            if let Some(same) = before.iter().find(|attachment| attachment.name == *name) {
                return Ok(Attached::Before(same.clone()));
            }
            let entry = self.state.context.get(name);
            entry.cloned().map(Attached::Now).ok_or_else(|| self.not_attached(place, name, id))
        });
        attached.collect::<Result<_, _>>().map(Some)
    }

    fn not_attached(&self, place: usize, name: &str, id: &MessageId) -> Refusal {
        not_attached(place, name, &self.state.context.names()).about(Some(id.clone()))
    }

    fn cancel(&mut self, message: Option<MessageId>) -> Result<(), Refusal> {
        let Some(id) = message else {
            self.cancel_turn(Cause::Cancelled);
            self.give_up_outcomes();
            self.leave_plan();
            self.cancel_calls();
            for id in self.waiting_ids() {
                self.end_waiting(&id);
            }
            return Ok(());
        };
        if self.runs(&id) {
            self.cancel_turn(Cause::Cancelled);
        } else if self.waiting_ids().contains(&id) {
            self.end_waiting(&id);
        } else if !self.state.messages.taken.contains_key(&id) {
            let text = format!("There is no message `{id}` in this session, so there is nothing to stop.");
            return Err(Refusal::field("unknown-message", "messageId", text)
                .suggesting("Send `cancel` without `messageId` to stop everything."));
        }
        Ok(())
    }

    /// Ends a message that no turn has taken up.
    fn end_waiting(&mut self, id: &MessageId) {
        let text = "Stopped before it began, as you asked.";
        let message = ServerMessage::AgentError {
            message_ids: Some(vec![id.clone()]),
            text: text.to_owned(),
            error: "the message was cancelled while it waited".to_owned(),
            code: "cancelled".to_owned(),
            path: None,
            attempted_tools: Vec::new(),
            suggestions: vec!["Send the message again to start it.".to_owned()],
            retryable: true,
            retry_after_ms: None,
        };
        let said =
            self.state.messages.waiting.iter().find(|waiting| waiting.id == *id).map(|waiting| waiting.text.as_str());
        let said = said.into_iter().map(|said| ChatMessage::new(ChatRole::User, said));
        let messages = said.chain([ChatMessage::new(ChatRole::Assistant, text)]).collect();
        let private = ServerOnly { messages, ..ServerOnly::default() };
        self.append_urgent(NewEvent::of_turn(id, message).with_private(private));
    }

    /// Messages that wait, without the one whose turn runs already.
    fn waiting_ids(&self) -> Vec<MessageId> {
        let waiting = self.state.messages.waiting.iter().map(|waiting| &waiting.id);
        waiting.filter(|id| !self.runs(id)).cloned().collect()
    }
}

/// The acknowledgement again, as it was.
fn repeated(taken: &Taken, message: Message) -> Outgoing {
    let frame = ServerFrame {
        message: ServerMessage::UserMessage {
            message_id: message.id.clone(),
            text: message.text,
            mode: taken.mode,
            client_timestamp: taken.client_timestamp.clone(),
            prompt: message.prompt,
            tool: taken.tool.clone(),
            attachments: Some(taken.attachments.clone()).filter(|attachments| !attachments.is_empty()),
            repeated: Some(true),
        },
        seq: Some(taken.seq),
        timestamp: taken.timestamp.clone(),
        turn_id: Some(message.id),
    };
    Outgoing { seq: None, text: frames::text(&frame).into() }
}

fn takes_none(command: &str) -> Refusal {
    let text = format!("`/{command}` takes no attachments, so it was not run.");
    Refusal::field("protocol-wrong-field", "attachments", text).suggesting("Send it without `attachments`.")
}

/// Without those that were named before.
fn once_each(mut names: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn not_attached(place: usize, name: &str, known: &[&str]) -> Refusal {
    let shown: String = name.chars().take(64).collect();
    let text = format!("There is no variable `{shown}` in this session, so the message was not accepted.");
    let refusal = Refusal::field("unknown-variable", &format!("attachments[{place}]"), text);
    match nearest(name, known.iter().copied(), 1).first() {
        Some(near) => refusal.suggesting(format!("Did you mean `{near}`?")),
        None => refusal.suggesting("Upload the file or set the variable first, then send the message again."),
    }
}

fn conflict(id: &MessageId) -> Refusal {
    let text = format!(
        "A message with the id `{id}` but different content was accepted before, so this one was not accepted."
    );
    Refusal::field("message-id-conflict", "messageId", text)
        .suggesting("Send it with a new messageId.")
        .about(Some(id.clone()))
}

fn busy(id: MessageId, queue: usize) -> Refusal {
    Refusal::new("busy", format!("{queue} messages are already waiting, so this one was not accepted."))
        .suggesting("Send it again when one of them has been answered, or stop one with `cancel`.")
        .retry_after(5_000)
        .about(Some(id))
}
