//! The running turn: started when its message is durable, canceled, and ended in exactly one frame.

use std::collections::HashSet;

use switchboard_protocol::{Decision, MessageId, Mode, ServerMessage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::work::{Cause, RunningTurn};
use super::{ChatServerToolAgent, Phase};
use crate::host::SessionHost;
use crate::parked;
use crate::recovery::{self, Cut};
use crate::state::{OpenTurn, QueuedMessage};
use crate::turn::Turn;
use switchboard_agent::{CutTurn, UserMessage};
use switchboard_events::{ChatMessage, ChatRole, NewEvent, ServerOnly};

impl ChatServerToolAgent {
    /// Starts the next message's turn, if nothing runs and the message is durable.
    pub(super) fn start_next_turn(&mut self) {
        // A turn that was cut off and waits for the user's word stands before all others.
        if self.work.turn.is_some() || self.state.messages.turn.is_some() || !matches!(self.phase, Phase::Open) {
            return;
        }
        let durable = self.outbox.durable();
        let Some(next) = self.state.messages.waiting.front().filter(|next| next.seq <= durable) else { return };
        self.start_turn(vec![next.message()], None);
    }

    /// Starts a message's turn, or goes on with one that a restart cut off and that has taken up these messages.
    fn start_turn(&mut self, messages: Vec<UserMessage>, cut: Option<CutTurn>) {
        let Some(first) = messages.first() else { return };
        self.state.conversation.configure(self.services.chat_config());
        self.view = None;
        let (agent, tools) = (self.services.agent.clone(), self.tools.clone());
        self.run_turn(first.id.clone(), |host, cancellation| {
            Turn { agent, tools, messages, cut, host, cancellation }.run()
        });
    }

    /// Goes on with the open turn. Its calls hear what the user has said meanwhile.
    pub(super) fn go_on(&mut self) {
        let Some(turn) = &self.state.messages.turn else { return };
        let answers = std::mem::take(&mut self.questions.answers);
        let calls = parked::calls_of_turn(&self.state, &answers.0);
        let cut = CutTurn { done: turn.done.clone(), calls, continuation: turn.continuation.clone() };
        self.start_turn(turn.messages.clone(), Some(cut));
        if let Some(turn) = &mut self.work.turn {
            turn.answers = answers;
        }
    }

    /// Runs something as the turn of this message.
    pub(super) fn run_turn<F>(&mut self, id: MessageId, work: impl FnOnce(SessionHost, CancellationToken) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let cancellation = CancellationToken::new();
        let host = self.work.host(Some(id.clone()), self.values.clone());
        let (number, running) = (host.work, work(host, cancellation.clone()));
        let task = self.services.shutdown.spawn(running).abort_handle();
        let (ends_by, cause, answers, handed) = (None, None, Box::default(), HashSet::new());
        self.work.turn = Some(RunningTurn { work: number, id, ends_by, cancellation, cause, answers, handed, task });
    }

    /// Whether this message's turn runs or waits for the user's word, or the message has joined it.
    pub(super) fn runs(&self, id: &MessageId) -> bool {
        let open =
            self.state.messages.turn.as_ref().is_some_and(|turn| turn.messages.iter().any(|message| message.id == *id));
        open || self.work.turn.as_ref().is_some_and(|turn| turn.id == *id)
    }

    /// Messages that joined the running turn and are durable.
    pub(super) fn steered(&mut self) -> Vec<UserMessage> {
        let durable = self.outbox.durable();
        let Some(turn) = &mut self.work.turn else { return Vec::new() };
        let joins = self.state.messages.waiting.iter().filter(|waiting| {
            waiting.mode == Mode::Steer
                && waiting.seq <= durable
                && waiting.id != turn.id
                && !turn.handed.contains(&waiting.id)
        });
        let joins: Vec<UserMessage> = joins.map(QueuedMessage::message).collect();
        turn.handed.extend(joins.iter().map(|message| message.id.clone()));
        joins
    }

    /// Tells the running turn to end; if it does not, it is ended from outside after a while.
    pub(super) fn cancel_turn(&mut self, cause: Cause) {
        self.stop_summarizing();
        // A turn that has no task gets one by the answer, and is canceled like any other.
        self.close_parked(|turn| turn.is_some());
        let Some(turn) = &mut self.work.turn else { return self.give_up_outcomes() };
        turn.cancellation.cancel();
        if turn.cause.is_none() {
            turn.cause = Some(cause);
            turn.ends_by = Some(Instant::now() + self.services.config.cancel_grace);
        }
        let work = turn.work;
        self.close_approvals(work, Decision::Cancelled, "cancel");
        self.close_queries(work);
    }

    /// The turn's task has ended: here its one end frame is made.
    pub(super) fn end_turn(&mut self, message: ServerMessage) {
        self.close_unheard();
        let Some(turn) = self.work.turn.take() else { return };
        self.close_approvals(turn.work, Decision::Cancelled, "turn ended");
        self.close_queries(turn.work);
        for event in recovery::end_calls(&self.state, Cut::Stuck, |call| call.turn.as_ref() == Some(&turn.id)) {
            self.append(event);
        }
        let message = self.end_frame(&turn, message);
        let reply = match &message {
            ServerMessage::AgentResponse { text, .. } | ServerMessage::AgentError { text, .. } => text.clone(),
            _ => String::new(),
        };
        let messages = vec![ChatMessage::new(ChatRole::Assistant, reply)];
        let private = ServerOnly { messages, ..ServerOnly::default() };
        self.append_urgent(NewEvent::of_turn(&turn.id, message).with_private(private));
        self.measure_context();
        self.summarize();
    }

    /// Ends work from outside that was canceled and goes on.
    pub(super) fn end_stuck_work(&mut self, now: Instant) {
        if let Some(turn) = self.work.turn.take_if(|turn| turn.ends_by.is_some_and(|end| end <= now)) {
            turn.task.abort();
            self.cut_turn(&turn, Cut::Stuck);
        }
        self.end_stuck_calls(now);
    }

    /// Ends the running turn from outside; what it was doing is written down as cut off.
    pub(super) fn cut_running_turn(&mut self, cut: Cut) {
        self.close_unheard();
        if let Some(turn) = self.work.turn.take() {
            turn.cut();
            self.cut_turn(&turn, cut);
        }
    }

    fn cut_turn(&mut self, turn: &RunningTurn, cut: Cut) {
        let end = recovery::end_turn(&self.state, &turn.id, cut);
        self.close_approvals(turn.work, Decision::Cancelled, cut.by());
        self.close_queries(turn.work);
        for event in recovery::end_calls(&self.state, cut, |call| call.turn.as_ref() == Some(&turn.id)) {
            self.append(event);
        }
        self.append_urgent(end);
    }

    /// The end frame answers exactly the messages that the log says the turn took up.
    fn end_frame(&self, turn: &RunningTurn, mut message: ServerMessage) -> ServerMessage {
        let open = self.state.messages.turn.as_ref().filter(|open| open.id == turn.id);
        let ids = open.map_or_else(|| vec![turn.id.clone()], OpenTurn::message_ids);
        match &mut message {
            ServerMessage::AgentResponse { message_ids, .. } => *message_ids = ids,
            ServerMessage::AgentError { message_ids, text, code, .. } => {
                *message_ids = Some(ids);
                if turn.cause == Some(Cause::Replaced) && code == "cancelled" {
                    *text = format!("Your newer message replaces this one. {text}");
                }
            }
            _ => {}
        }
        message
    }
}
