//! Clients that come, catch up and go, and what is sent to them.

use std::sync::Arc;

use switchboard_protocol::{Busy, ClientFrame, Operation, PROTOCOL_VERSION, SandboxInfo, ServerMessage, Snapshot};

use super::ChatServerToolAgent;
use crate::command::{AttachFrom, Attached, GoLive};
use crate::error::SessionError;
use crate::frames;
use crate::in_flight;
use crate::outbox::Released;
use crate::refusal::Refusal;
use crate::subscriber::{Outgoing, SubscriberId};
use switchboard_accounts::Rights;

/// The most events that `tail` gives.
const MAX_TAIL: u64 = 1000;
/// As much of each stream's output a client gets after a gap: little enough that what comes then finds room behind it.
const AFTER_A_GAP: usize = 16 * 1024;

impl ChatServerToolAgent {
    pub(super) fn attach(&mut self, from: AttachFrom, viewer: bool) -> Result<Attached, SessionError> {
        let last = self.outbox.durable();
        let before_tail = |events: u64| last.saturating_sub(events.min(MAX_TAIL));
        let (have, tail) = match from {
            AttachFrom::New => (0, false),
            AttachFrom::After(after) if after > last => return Err(SessionError::Beyond { after, last }),
            AttachFrom::After(after) => (after, false),
            AttachFrom::Tail(events) => (before_tail(events), true),
            AttachFrom::LastMessages { messages, events } => {
                let first = self.state.messages.nth_last(messages).unwrap_or(0);
                (first.saturating_sub(1).clamp(before_tail(events), last), true)
            }
        };
        let ready = self.session_ready(from != AttachFrom::New, tail.then(|| self.snapshot(have + 1)));
        let (subscriber, reader) = self.clients.attach(self.services.config.client_queue_bytes, viewer);
        self.view = None;
        self.go_live(subscriber, have);
        Ok(Attached { subscriber, reader, ready, have, upto: last })
    }

    /// From here on the client gets new events as they come, if it has all that there are. One that gets them already
    /// finds in its queue whatever it does not have, but for live output that there was no room for.
    pub(super) fn go_live(&mut self, id: SubscriberId, have: u64) -> GoLive {
        let durable = self.outbox.durable();
        let Some(subscriber) = self.clients.get_mut(id) else { return GoLive::Live };
        if subscriber.is_live() {
            if subscriber.take_starved() {
                self.bring_up_to_date(id, AFTER_A_GAP);
            }
        } else if have < durable {
            return GoLive::ReadTo(durable);
        } else {
            subscriber.go_live();
            self.bring_up_to_date(id, in_flight::KEPT);
        }
        GoLive::Live
    }

    /// What a client says.
    pub(super) fn listen(&mut self, subscriber: SubscriberId, rights: Rights, frame: ClientFrame) {
        let heard = self.refuse_unless_entitled(rights, &frame).and_then(|()| self.try_listen(subscriber, frame));
        if let Err(refusal) = heard {
            self.refuse(subscriber, refusal);
        }
    }

    pub(super) fn refuse(&mut self, subscriber: SubscriberId, refusal: Refusal) {
        self.answer_now(subscriber, refusal.into_text());
    }

    /// Sends a frame to one client at once.
    pub(super) fn answer_now(&mut self, subscriber: SubscriberId, text: String) {
        self.clients.send_to(subscriber, Outgoing { seq: None, text: text.into() });
    }

    /// Sends a frame to one client when all that happened until now is durable.
    pub(super) fn answer_when_durable(&mut self, subscriber: SubscriberId, outgoing: Outgoing) {
        self.outbox.push_answer(subscriber, outgoing);
    }

    pub(super) fn send_what_can_be_sent(&mut self) {
        while let Some(released) = self.outbox.release() {
            self.send(released);
        }
    }

    pub(super) fn send(&mut self, released: Released) {
        match released {
            Released::Answer(subscriber, outgoing) => self.clients.send_to(subscriber, outgoing),
            Released::Frame(frame, text) => {
                self.in_flight.observe(&frame);
                self.clients.broadcast(&Outgoing { seq: frame.seq, text });
            }
        }
    }

    /// The running reply and the end of the running calls' output, once; and that there was more, if the log is damaged.
    fn bring_up_to_date(&mut self, id: SubscriberId, most: usize) {
        for outgoing in self.in_flight.frames(most) {
            self.clients.send_to(id, outgoing);
        }
        if let Some(outgoing) = self.log_damaged() {
            self.clients.send_to(id, outgoing);
        }
    }

    fn session_ready(&self, resumed: bool, snapshot: Option<Snapshot>) -> String {
        let durable = self.outbox.durable();
        let pending = self.state.pending.iter().filter(|asked| asked.seq.is_some_and(|seq| seq <= durable));
        let message = ServerMessage::SessionReady {
            session_id: self.id,
            last_seq: durable,
            generation: Some(self.services.log.generation().to_string()),
            resumed,
            protocol_version: PROTOCOL_VERSION,
            forked_from: self.state.shown.fork.as_ref().map(|fork| fork.from),
            reasoner: self.services.agent.info(),
            sandbox: Some(SandboxInfo { mode: self.services.sandbox }),
            workspace: self.services.workspace.name(),
            busy: self.busy(),
            pending: pending.cloned().collect(),
            snapshot,
        };
        frames::text(&frames::frame(None, None, message))
    }

    fn busy(&self) -> Option<Busy> {
        let turn = self.state.messages.turn.as_ref()?;
        let tool = self.state.calls.open.iter().rev().find(|call| call.turn.as_ref() == Some(&turn.id));
        Some(Busy { message_id: turn.id.clone(), step: turn.step, tool: tool.map(|call| call.tool.clone()) })
    }

    fn snapshot(&self, first_seq: u64) -> Snapshot {
        Snapshot {
            variables: self.state.context.variables().cloned().collect(),
            title: self.state.shown.title.clone(),
            context_tokens: self.state.shown.context_tokens.clone(),
            open_windows: self.state.shown.windows.clone(),
            notifications: Some(self.state.shown.notifications.clone()).filter(|kept| !kept.is_empty()),
            first_seq,
        }
    }

    /// `context-state`, as JSON text.
    pub(super) fn context_state(&self) -> Arc<str> {
        let operations = self.state.calls.operations.iter();
        let message = ServerMessage::ContextState {
            variables: self.state.context.variables().cloned().collect(),
            operation_history: operations.map(|operation| Operation::clone(operation)).collect(),
            chat_history_length: self.state.conversation.len() as u64,
            open_windows: self.state.shown.windows.clone(),
        };
        frames::text(&frames::frame(None, None, message)).into()
    }
}
