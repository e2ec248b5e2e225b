//! Approvals: asked, answered once by whoever is attached, covered by a grant, or ended by time.

use serde_json::{Map, Value};
use switchboard_protocol::{ApprovalAnswer, CallId, Decision, MessageId, ServerMessage};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::ChatServerToolAgent;
use crate::host::WorkId;
use crate::parked::Answered;
use crate::pending::{PARKED, PendingAsk};
use crate::recovery;
use crate::refusal::Refusal;
use switchboard_events::{AskedCall, NewEvent, ServerOnly};
use switchboard_tools::{Approval, ApprovalAsk};

impl ChatServerToolAgent {
    pub(super) fn ask_user(
        &mut self,
        work: WorkId,
        turn_id: Option<&MessageId>,
        ask: ApprovalAsk,
        reply: oneshot::Sender<Approval>,
    ) {
        if let Some(approval) = self.work.take_answer(work, |answered| answered.to_approval(&ask)) {
            let _ = reply.send(approval);
            return;
        }
        // Its calls ask for themselves.
        if self.state.calls.goes_on_as_specialist(&ask.call) {
            let _ = reply.send(answer(Decision::AllowOnce));
            return;
        }
        let reply = match self.adopt_approval(work, &ask, reply) {
            Ok(()) => return,
            Err(reply) => reply,
        };
        if self.state.permissions.grants.keys().any(|grant| grant.covers(&ask.grant)) {
            let _ = reply.send(answer(Decision::AllowSession));
            return;
        }
        // Work that was told to end asks nobody any more.
        if self.work.is_cancelled(work) {
            let _ = reply.send(answer(Decision::Cancelled));
            return;
        }
        let limit = self.services.config.approval_limit;
        let message = ServerMessage::ApprovalRequest {
            call_id: ask.call_id.clone(),
            tool: ask.tool.clone(),
            module: ask.module.clone(),
            arguments: ask.arguments.clone(),
            risk: ask.risk,
            reason: ask.reason.clone(),
            undoable: ask.undoable,
            diff: ask.diff.clone(),
            covers: Some(ask.covers.clone()),
            expires_at: limit.map(|limit| self.expiry_in(limit)),
        };
        let event = NewEvent { turn_id: turn_id.cloned(), message, private: None, blobs: Vec::new() };
        let asked = AskedCall {
            resolved: (*ask.whole != ask.call.arguments).then(|| Map::clone(&ask.whole)),
            call: ask.call.clone(),
            files: ask.files.clone(),
            parent: ask.parent.clone(),
            grant: ask.grant.clone(),
        };
        self.append_urgent(event.with_private(ServerOnly { asked: Some(asked), ..ServerOnly::default() }));
        self.questions.approvals.add(PendingAsk {
            ask,
            work,
            turn_id: turn_id.cloned(),
            ends_at: limit.map(|limit| Instant::now() + limit),
            reply,
        });
        self.park_what_waits();
    }

    /// The call was asked about before a restart, and nobody has answered: it is not asked about twice, unless it is another one
    /// now.
    fn adopt_approval(
        &mut self,
        work: WorkId,
        ask: &ApprovalAsk,
        reply: oneshot::Sender<Approval>,
    ) -> Result<(), oneshot::Sender<Approval>> {
        let Some(asked) = self.questions.approvals.get(&ask.call_id) else { return Err(reply) };
        if asked.grant == ask.grant && asked.whole == ask.whole {
            return self.questions.approvals.adopt(&ask.call_id, work, reply);
        }
        let (turn_id, call_id) = (self.work.turn_of(work).map(|turn| turn.id.clone()), ask.call_id.clone());
        self.questions.approvals.take(&call_id);
        self.append_urgent(recovery::end_approval(turn_id.as_ref(), &call_id, Decision::Cancelled, "restart"));
        Err(reply)
    }

    pub(super) fn answer_approval(
        &mut self,
        call_id: &CallId,
        decision: ApprovalAnswer,
        arguments: Option<Map<String, Value>>,
        reason: Option<String>,
    ) -> Result<(), Refusal> {
        let Some(asked) = self.questions.approvals.take(call_id) else { return Err(unknown_call(call_id)) };
        let decision = bounded(decision, &asked.ask, arguments.is_some());
        let grant = (decision == Decision::AllowSession).then(|| asked.ask.grant.clone());
        let by = format!("call {call_id}");
        self.resolve(asked, Approval { decision, arguments, reason }, "user");
        if let Some(grant) = grant {
            for covered in self.questions.approvals.take_if(|waiting| grant.covers(&waiting.ask.grant)) {
                self.resolve(covered, answer(Decision::AllowSession), &by);
            }
        }
        Ok(())
    }

    pub(super) fn expire_approvals(&mut self, now: Instant) {
        for asked in self.questions.approvals.take_expired(now) {
            self.resolve(asked, answer(Decision::Expired), "time limit");
        }
    }

    /// Resolves the questions of work that ends.
    pub(super) fn close_approvals(&mut self, work: WorkId, decision: Decision, by: &str) {
        for asked in self.questions.approvals.take_of(work) {
            self.resolve(asked, answer(decision), by);
        }
    }

    /// The work that asked has ended.
    pub(super) fn cancel_approval(&mut self, asked: PendingAsk<ApprovalAsk>) {
        self.resolve(asked, answer(Decision::Cancelled), "cancel");
    }

    /// The resolution is an event, and what it allows for the session is in it.
    fn resolve(&mut self, asked: PendingAsk<ApprovalAsk>, approval: Approval, by: &str) {
        let PendingAsk { ask, work, turn_id, reply, .. } = asked;
        let decision = approval.decision;
        let message = ServerMessage::ApprovalResolved { call_id: ask.call_id.clone(), decision, by: by.to_owned() };
        let turn_of_parked = turn_id.clone();
        let mut event = NewEvent { turn_id, message, private: None, blobs: Vec::new() };
        if decision == Decision::AllowSession {
            event = event.with_private(ServerOnly {
                grant: Some(ask.grant.clone()),
                grant_covers: ask.covers.clone(),
                ..ServerOnly::default()
            });
        }
        self.append_urgent(event);
        if work == PARKED {
            let waits = ask.parent.clone().unwrap_or_else(|| ask.call_id.clone());
            return self.resume(turn_of_parked.as_ref(), &waits, Answered::Approval(ask, approval));
        }
        // Work that ended meanwhile does not hear the answer any more.
        let _ = reply.send(approval);
    }
}

/// Whoever allows other arguments than those asked about allows exactly these, once.
fn bounded(decision: ApprovalAnswer, ask: &ApprovalAsk, edited: bool) -> Decision {
    match decision {
        ApprovalAnswer::AllowSession if edited && ask.grant.arguments.is_some() => Decision::AllowOnce,
        other => other.into(),
    }
}

fn answer(decision: Decision) -> Approval {
    Approval { decision, arguments: None, reason: None }
}

fn unknown_call(call_id: &CallId) -> Refusal {
    let text =
        format!("No approval is waiting for the call `{call_id}`: it was answered, has expired or never existed.");
    Refusal::field("unknown-call", "callId", text).suggesting("`pending` in `session-ready` lists what is waiting.")
}
