//! A turn that waits for nothing but its user needs no task: its log says which call waits, and what makes it.

use switchboard_protocol::{CallId, Decision, QueryKind, ServerFrame, ServerMessage};

use super::state::SessionState;
use switchboard_tools::{Approval, ApprovalAsk, QueryAnswer, QueryAsk};

/// The one request on which the open turn waits: whether its call may run, or what a call asks that can be run again. Of a
/// turn that waits for several answers at once, or inside a specialist, there is none.
pub(super) fn parked(state: &SessionState) -> Option<&ServerFrame> {
    let turn = Some(&state.messages.turn.as_ref()?.id);
    let mut requests = state.pending.iter().filter(|asked| asked.turn_id.as_ref() == turn);
    let (Some(asked), None) = (requests.next(), requests.next()) else { return None };
    let mut open = state.calls.open.iter().filter(|call| call.turn.as_ref() == turn);
    let waits = match (&asked.message, open.next(), open.next()) {
        (ServerMessage::ApprovalRequest { call_id, .. }, None, None) => {
            state.asked.iter().any(|asked| asked.call.call_id == *call_id)
        }
        (ServerMessage::UserQuery { kind: QueryKind::Query, call_id, .. }, Some(call), None) => {
            call_id.as_ref() == Some(&call.call_id) && call.fact.as_ref().is_some_and(|fact| fact.repeatable)
        }
        _ => false,
    };
    waits.then_some(asked)
}

/// What the user said while the turn had no task; its call hears it when it asks the same again.
pub(super) enum Answered {
    /// Whether this may run.
    Approval(ApprovalAsk, Approval),
    /// What was asked, and the answer.
    Query(ServerFrame, QueryAnswer),
    /// This call runs again.
    Retry(CallId),
}

impl Answered {
    /// What it says of exactly this. A denial is one whatever has changed.
    pub(super) fn to_approval(&self, ask: &ApprovalAsk) -> Option<Approval> {
        match self {
            Self::Approval(asked, approval) => {
                let allows = matches!(approval.decision, Decision::AllowOnce | Decision::AllowSession);
                let same = asked.grant == ask.grant && asked.whole == ask.whole;
                (asked.call_id == ask.call_id && (same || !allows)).then(|| approval.clone())
            }
            Self::Retry(call_id) => (*call_id == ask.call_id).then(|| Approval {
                decision: Decision::AllowOnce,
                arguments: None,
                reason: None,
            }),
            Self::Query(..) => None,
        }
    }

    /// What it says to this question.
    pub(super) fn to_query(&self, ask: &QueryAsk) -> Option<QueryAnswer> {
        let Self::Query(asked, answer) = self else { return None };
        let same = matches!(&asked.message, ServerMessage::UserQuery { call_id: Some(call_id), message, .. }
            if *call_id == ask.call_id && message == ask.question.message());
        same.then(|| answer.clone())
    }
}
