//! The one way into the log: what happens is put into the line, and the state takes note of it.

use std::sync::Arc;

use switchboard_protocol::{ServerFrame, ServerMessage};

use super::ChatServerToolAgent;
use crate::frames;
use crate::host::{FromWork, WorkRequest};
use crate::outbox::Outbound;
use crate::parked;
use crate::redaction::redact_event;
use crate::subscriber::{Outgoing, SubscriberId};
use switchboard_agent::TurnView;
use switchboard_events::{NewEvent, ServerOnly};

impl ChatServerToolAgent {
    /// Records something that nobody waits for.
    pub(super) fn append(&mut self, event: NewEvent) {
        self.push(Outbound { event, with: None, urgent: false, receipt: None, sender: None });
    }

    /// Records something whose frame should come soon.
    pub(super) fn append_urgent(&mut self, event: NewEvent) {
        self.push(Outbound { event, with: None, urgent: true, receipt: None, sender: None });
    }

    pub(super) fn push(&mut self, mut outbound: Outbound) {
        for event in std::iter::once(&mut outbound.event).chain(outbound.with.as_mut()) {
            self.settle(event);
            redact_event(event);
        }
        self.view = None;
        let rules = outbound.event.private.as_ref().is_some_and(|private| private.changes_rules());
        self.outbox.push(outbound, &mut self.state);
        if rules {
            self.take_up_rules();
        }
    }

    /// The session's own rules hold from the next call on.
    pub(super) fn take_up_rules(&self) {
        self.tools.set_rules(self.state.permissions.rule_set());
    }

    /// Fulfils a request, unless the work that has it belongs to the past.
    pub(super) fn handle_work(&mut self, FromWork { work, request }: FromWork) {
        let turn = self.work.turn_of(work).map(|turn| turn.id.clone());
        let current = turn.is_some() || self.work.call_of(work).is_some();
        match *request {
            WorkRequest::Loaded(loaded) => self.loaded(*loaded),
            WorkRequest::McpSwitched(switched) => self.mcp_switched(*switched),
            WorkRequest::Prompted(prompted) => self.prompted(*prompted),
            WorkRequest::Forked(forked) => self.forked(*forked),
            WorkRequest::Summarized(summary) => self.summarized(summary),
            WorkRequest::Answer(subscriber, outgoing) => self.answer_when_durable(subscriber, outgoing),
            _ if !current => {}
            WorkRequest::Record { event, with, urgent, receipt, room } => {
                let with = with.map(|with| *with);
                self.push(Outbound { event, with, urgent, receipt: Some(receipt), sender: None });
                drop(room);
            }
            WorkRequest::Transient(message) => self.outbox.push_transient(turn, message),
            WorkRequest::View(reply) => {
                let _ = reply.send(self.view());
            }
            WorkRequest::Files(reply) => {
                let _ = reply.send(self.state.calls.files.clone());
            }
            WorkRequest::CutSpecialist(call, reply) => {
                let answers = self.work.answers_of(work).map_or(&[][..], |answers| answers);
                let _ = reply.send(parked::specialist(&self.state, &call, answers));
            }
            WorkRequest::Steered(reply) => {
                let _ = reply.send(self.steered());
            }
            WorkRequest::Ask(ask, reply) => self.ask_user(work, turn.as_ref(), ask, reply),
            WorkRequest::AskQuery(ask, withdrawn, reply) => self.ask_query(work, turn.as_ref(), ask, withdrawn, reply),
            WorkRequest::AskPlan(ask) => self.ask_plan(turn, ask),
            WorkRequest::Display(request, reply) => {
                let _ = reply.send(self.display(turn, request));
            }
            WorkRequest::Notify(notification, reply) => {
                self.notify(turn, notification);
                let _ = reply.send(self.clients.viewers());
            }
            WorkRequest::CloseWindow(window, reply) => {
                let _ = reply.send(self.close_named_window(turn, &window));
            }
            WorkRequest::TurnEnded(message) => self.end_turn(message),
            WorkRequest::CallEnded(end) => self.end_call(work, end),
        }
    }

    /// The session as a stage reads it; made once for all that read between two events.
    pub(super) fn view(&mut self) -> Arc<TurnView> {
        let (state, clients) = (&self.state, &self.clients);
        let view = self.view.get_or_insert_with(|| {
            Arc::new(TurnView {
                context: state.context.clone(),
                conversation: state.conversation.clone(),
                operations: state.calls.operations.clone(),
                plan: state.plan.clone(),
                windows: state.shown.windows.clone(),
                pictures: state.calls.pictures.clone(),
                viewers: clients.viewers(),
            })
        });
        Arc::clone(view)
    }

    /// Answers a command or call that came again by the frame that answered it, without `seq`: it is not a new event. A
    /// client that still reads what it missed finds the event itself there.
    pub(super) fn answer_from_log(&mut self, subscriber: SubscriberId, seq: u64) {
        if !self.clients.is_live(subscriber) {
            return;
        }
        let log = Arc::clone(&self.services.log);
        let (session, errand) = (self.id, self.work.errand());
        self.services.shutdown.spawn(async move {
            // What cannot be read is not sent: the client gets it when it resumes.
            let events = log.read(session, seq.saturating_sub(1), 1).await.unwrap_or_default();
            let frame = events.first().and_then(|event| serde_json::from_str::<ServerFrame>(&event.frame).ok());
            if let Some(mut frame) = frame {
                if let ServerMessage::UserMessage { repeated, .. } = &mut frame.message {
                    *repeated = Some(true);
                }
                let text = frames::text(&ServerFrame { seq: None, ..frame }).into();
                errand.bring(WorkRequest::Answer(subscriber, Outgoing { seq: None, text })).await;
            }
        });
    }

    /// A change of the context that was planned a moment ago follows on what there is now.
    fn settle(&self, event: &mut NewEvent) {
        let none = ServerOnly::default();
        if let ServerMessage::ContextUpdate { set, .. } = &mut event.message {
            let private = event.private.as_deref().unwrap_or(&none);
            self.state.context.settle(set, &private.values);
        }
    }
}
