//! What waits for its user outlives the server: a turn, or a call of the user's own, without a task, until it is answered or
//! canceled.

use std::sync::Arc;

use switchboard_protocol::{CallId, MessageId, ServerFrame, ServerMessage};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::work::RunningCall;
use super::{ChatServerToolAgent, Phase};
use crate::host::WorkId;
use crate::outcome;
use crate::parked::{self, Answered};
use crate::pending::{PARKED, PendingAsk, Query};
use crate::recovery::Cut;
use crate::state::OpenCall;
use switchboard_runtime as runtime;
use switchboard_tools::{ApprovalAsk, QueryAnswer};

impl ChatServerToolAgent {
    /// Takes note of the requests on which a turn, or a call of the user's own, waits that was running before a restart. They keep
    /// their ends.
    pub(super) fn note_parked(&mut self) {
        let all: Vec<ServerFrame> = parked::kept(&self.state).cloned().collect();
        all.into_iter().for_each(|asked| self.note_request(asked));
    }

    fn note_request(&mut self, asked: ServerFrame) {
        let ends_at = outcome::time_left(&asked, runtime::now()).map(|left| Instant::now() + left);
        let turn_id = asked.turn_id;
        match asked.message {
            ServerMessage::ApprovalRequest {
                call_id,
                tool,
                module,
                arguments,
                risk,
                reason,
                undoable,
                diff,
                covers,
                ..
            } => {
                let Some(asked) = parked::asked_call(&self.state, &call_id) else { return };
                let ask = ApprovalAsk {
                    call_id,
                    call: asked.call.clone(),
                    parent: asked.parent.clone(),
                    files: asked.files.clone(),
                    tool,
                    module,
                    arguments,
                    whole: Arc::new(asked.arguments().clone()),
                    risk,
                    reason,
                    undoable,
                    diff,
                    covers: covers.unwrap_or_default(),
                    grant: asked.grant.clone(),
                };
                // Nobody hears the answer: the turn is started with it.
                let reply = oneshot::channel().0;
                self.questions.approvals.add(PendingAsk { ask, work: PARKED, turn_id, ends_at, reply });
            }
            ServerMessage::UserQuery { query_id: id, kind, choices, fields, .. } => {
                let (choices, is_form) = (choices.unwrap_or_default(), fields.is_some());
                let ask = Query { id, choices, kind, session_rule: None, is_form };
                let reply = oneshot::channel().0;
                self.questions.queries.add(PendingAsk { ask, work: PARKED, turn_id, ends_at, reply });
            }
            _ => {}
        }
    }

    /// A server that stops does not wait for its user: what does is there again with its request when the server is.
    pub(super) fn park_what_waits(&mut self) {
        if !matches!(self.phase, Phase::Stopping) {
            return;
        }
        self.let_go_of_requests(PARKED);
        if parked::waits_alone(&self.state) {
            self.leave_or_cut_turn();
        }
        let waiting: Vec<CallId> = parked::kept(&self.state)
            .filter(|asked| asked.turn_id.is_none())
            .filter_map(|asked| parked::waiting_call(&self.state, asked))
            .map(|call| self.state.calls.root(call).clone())
            .collect();
        let waits = |call: &RunningCall| call.command.is_none() && waiting.contains(&call.call_id);
        let (left, running) = std::mem::take(&mut self.work.calls).into_iter().partition::<Vec<_>, _>(waits);
        self.work.calls = running;
        for call in left {
            call.cut();
            self.let_go_of_requests(call.work);
        }
    }

    /// A turn that waits for its user, or can go on, stays open without its task, unless the user has stopped it: the next
    /// start takes it up. Another one ends, and says so.
    pub(super) fn leave_or_cut_turn(&mut self) {
        // One that has not taken up its message begins at the next start.
        let stays = self.state.messages.turn.is_none()
            || parked::waits(&self.state)
            || outcome::goes_on(&self.state, Cut::ServerStopped);
        match self.work.turn.take_if(|turn| stays && turn.cause.is_none()) {
            Some(turn) => {
                turn.cut();
                self.let_go_of_requests(turn.work);
            }
            None => self.cut_running_turn(Cut::ServerStopped),
        }
    }

    /// What waits for its user has an answer: it goes on, and hears it.
    pub(super) fn resume(&mut self, turn: Option<&MessageId>, waits: &CallId, answered: Answered) {
        if turn.is_none() {
            return self.resume_call(waits, answered);
        }
        if let Some(running) = &mut self.work.turn {
            return running.answers.0.push(answered);
        }
        self.questions.answers.0.push(answered);
        let is_retried = |call: &OpenCall| {
            self.questions.answers.0.iter().any(|said| matches!(said, Answered::Retry(id) if *id == call.call_id))
        };
        if !self.state.calls.unknown().any(|call| call.turn.as_ref() == turn && !is_retried(call)) {
            self.go_on();
        }
    }

    /// The call that asked this goes on.
    pub(super) fn resume_asker(&mut self, asked: ServerFrame, heard: QueryAnswer) {
        let Some(waits) = parked::waiting_call(&self.state, &asked).cloned() else { return };
        let turn = asked.turn_id.clone();
        self.resume(turn.as_ref(), &waits, Answered::Query(asked, heard));
    }

    /// Resolves what a turn waits for, or calls of the user's own, that have no task: they get one by that, and are canceled like
    /// any other.
    pub(super) fn close_parked(&mut self, fits: impl Fn(Option<&MessageId>) -> bool) {
        let cancelled = |turn: &Option<MessageId>, work: WorkId| work == PARKED && fits(turn.as_ref());
        for asked in self.questions.approvals.take_if(|waiting| cancelled(&waiting.turn_id, waiting.work)) {
            self.cancel_approval(asked);
        }
        for asked in self.questions.queries.take_if(|waiting| cancelled(&waiting.turn_id, waiting.work)) {
            self.resolve_query(asked, QueryAnswer::Cancelled);
        }
    }

    /// The running turn ends without having asked again what it had asked before a restart: nobody hears an answer any more.
    pub(super) fn close_unheard(&mut self) {
        let Some(id) = self.work.turn.as_ref().map(|turn| turn.id.clone()) else { return };
        self.close_parked(|turn| turn == Some(&id));
    }

    /// The same of calls of the user's own that have ended.
    pub(super) fn close_unheard_of_calls(&mut self) {
        let is_open = |call: &CallId| self.state.calls.open.iter().any(|open| open.call_id == *call);
        let is_heard = |asked: &ServerFrame| {
            parked::waiting_call(&self.state, asked).is_some_and(|waits| is_open(self.state.calls.root(waits)))
        };
        let unheard = |turn: Option<&MessageId>, work: WorkId, is_it: &dyn Fn(&ServerMessage) -> bool| {
            turn.is_none()
                && work == PARKED
                && !self.state.pending.iter().any(|asked| is_it(&asked.message) && is_heard(asked))
        };
        let approvals = self.questions.approvals.take_if(|waiting| {
            unheard(waiting.turn_id.as_ref(), waiting.work, &|asked| {
                matches!(asked, ServerMessage::ApprovalRequest { call_id, .. } if *call_id == waiting.ask.call_id)
            })
        });
        let queries = self.questions.queries.take_if(|waiting| {
            unheard(
                waiting.turn_id.as_ref(),
                waiting.work,
                &|asked| matches!(asked, ServerMessage::UserQuery { query_id, .. } if *query_id == waiting.ask.id),
            )
        });
        approvals.into_iter().for_each(|asked| self.cancel_approval(asked));
        queries.into_iter().for_each(|asked| self.resolve_query(asked, QueryAnswer::Cancelled));
    }

    /// The call of the user's own in which this one waits is made again, once.
    fn resume_call(&mut self, waits: &CallId, answered: Answered) {
        let root = self.state.calls.root(waits).clone();
        if !self.work.calls.iter().any(|call| call.call_id == root) {
            let Some(open) = self.state.calls.open.iter().find(|call| call.call_id == root) else { return };
            let (tool, arguments) = (open.tool.clone(), open.fact.clone().map(|fact| fact.arguments));
            self.start_call(root.clone(), tool, arguments.unwrap_or_default(), None);
        }
        if let Some(call) = self.work.calls.iter_mut().find(|call| call.call_id == root) {
            call.answers.push(answered);
        }
    }

    /// What this work has asked is not asked here any more; the log has it.
    fn let_go_of_requests(&mut self, work: WorkId) {
        self.questions.approvals.take_of(work);
        self.questions.queries.take_of(work);
    }
}
