//! A turn that waits for its user alone outlives the server: without a task, until it is answered or canceled.

use std::sync::Arc;

use switchboard_protocol::{ServerFrame, ServerMessage};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{ChatServerToolAgent, Phase};
use crate::outcome;
use crate::parked::{Answered, parked};
use crate::pending::{PARKED, PendingAsk, Query};
use crate::recovery::Cut;
use crate::state::OpenCall;
use switchboard_agent::ParkedCall;
use switchboard_runtime as runtime;
use switchboard_tools::ApprovalAsk;

impl ChatServerToolAgent {
    /// Takes note of the request on which a turn waits that was running before a restart. It keeps its end.
    pub(super) fn note_parked(&mut self) {
        let Some(asked) = parked(&self.state).cloned() else { return };
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
                let Some(asked) = self.state.asked.iter().find(|asked| asked.call.call_id == call_id) else { return };
                let ask = ApprovalAsk {
                    call_id,
                    call: asked.call.clone(),
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

    /// A server that stops does not wait for its user: a turn that does is there again with its request when the server
    /// is. One whose request cannot be kept ends now, and says so.
    pub(super) fn park_what_waits(&mut self) {
        if !matches!(self.phase, Phase::Stopping) {
            return;
        }
        self.questions.approvals.take_of(PARKED);
        self.questions.queries.take_of(PARKED);
        let Some(turn) = &self.work.turn else { return };
        // A specialist works only through its calls, unless it waits for its user, or for its model.
        let working = self.state.calls.innermost(&turn.id).map(OpenCall::is_specialist);
        let (specialists, others): (Vec<bool>, Vec<bool>) = working.partition(|is_specialist| *is_specialist);
        let asks = self.questions.approvals.count_of(turn.work);
        if parked(&self.state).is_some() || (others.is_empty() && asks > 0 && asks >= specialists.len()) {
            self.leave_or_cut_turn();
        }
    }

    /// A turn that waits for its user, or can go on, stays open without its task, unless the user has stopped it: the next
    /// start takes it up. Another one ends, and says so.
    pub(super) fn leave_or_cut_turn(&mut self) {
        // One that has not taken up its message begins at the next start.
        let stays = self.state.messages.turn.is_none()
            || parked(&self.state).is_some()
            || outcome::goes_on(&self.state, Cut::ServerStopped).is_some();
        match self.work.turn.take_if(|turn| stays && turn.cause.is_none()) {
            Some(turn) => {
                turn.cut();
                self.questions.approvals.take_of(turn.work);
                self.questions.queries.take_of(turn.work);
            }
            None => self.cut_running_turn(Cut::ServerStopped),
        }
    }

    /// The open turn goes on with its call, which hears what the user said.
    pub(super) fn resume(&mut self, call: ParkedCall, answered: Answered) {
        self.go_on(vec![call]);
        if let Some(turn) = &mut self.work.turn {
            turn.answered = Some(Box::new(answered));
        }
    }

    /// The question on which the open turn waits, and the call that asks it.
    pub(super) fn parked_query(&self) -> Option<(ServerFrame, ParkedCall)> {
        let asked = parked(&self.state)?;
        let call = outcome::call_of(&self.state, asked)?;
        Some((asked.clone(), ParkedCall { tool: call.tool.clone(), call: call.fact.clone()?, files: None }))
    }
}
