//! A turn that waits for its user needs no task: its log says which calls wait, and what makes them.

use switchboard_protocol::{CallId, Decision, MessageId, QueryKind, ServerFrame, ServerMessage};

use super::state::{OpenCall, SessionState};
use switchboard_agent::ParkedCall;
use switchboard_events::AskedCall;
use switchboard_tools::{Approval, ApprovalAsk, CutSpecialist, CutTurn, QueryAnswer, QueryAsk};

/// The requests that outlive the server: whether a call may run, and what a call asks that can be run again; of the open turn, and
/// of calls of the user's own.
pub(super) fn kept(state: &SessionState) -> impl Iterator<Item = &ServerFrame> {
    state.pending.iter().filter(|asked| match &asked.message {
        ServerMessage::ApprovalRequest { call_id, .. } => {
            let asked_call = state.asked.iter().find(|asked| asked.call.call_id == *call_id);
            let can_begin = asked_call.is_some_and(|call| {
                call.parent.as_ref().map_or(asked.turn_id.is_some(), |parent| can_go_on(state, parent))
            });
            can_begin && is_open(state, asked.turn_id.as_ref())
        }
        ServerMessage::UserQuery {
            kind: QueryKind::Query | QueryKind::Elicitation, call_id: Some(call_id), ..
        } => {
            let call = state.calls.open.iter().find(|call| call.call_id == *call_id);
            let again = call.is_some_and(|call| call.fact.as_ref().is_some_and(|fact| fact.repeatable));
            again && can_go_on(state, call_id) && is_open(state, asked.turn_id.as_ref())
        }
        _ => false,
    })
}

/// Whether the turn waits for its user.
pub(super) fn waits(state: &SessionState) -> bool {
    let turn = state.messages.turn.as_ref().map(|turn| &turn.id);
    turn.is_some() && kept(state).any(|asked| asked.turn_id.as_ref() == turn)
}

/// Whether the turn waits for nothing but its user: each of its calls that runs asks something, or is a specialist in which a call
/// waits.
pub(super) fn waits_alone(state: &SessionState) -> bool {
    let Some(turn) = &state.messages.turn else { return false };
    let asks = |call: &OpenCall| {
        let inside = state.asked.iter().any(|asked| asked.parent.as_ref() == Some(&call.call_id));
        inside || kept(state).any(|asked| is_about(asked, &call.call_id))
    };
    waits(state) && state.calls.innermost(&turn.id).all(asks)
}

/// The calls with which the open turn goes on: those that run, and those that wait for an answer or have one of these.
pub(super) fn calls_of_turn(state: &SessionState, answers: &[Answered]) -> Vec<ParkedCall> {
    let turn = state.messages.turn.as_ref().map(|turn| &turn.id);
    let open = state.calls.open.iter().filter(|call| call.turn.as_ref() == turn);
    calls_under(state, open, None, answers)
}

/// How this specialist goes on, if it has written something down.
pub(super) fn specialist(state: &SessionState, call: &CallId, answers: &[Answered]) -> Option<CutSpecialist> {
    let open = state.calls.open.iter().find(|open| open.call_id == *call).filter(|open| !open.records.is_empty())?;
    let calls = calls_under(state, state.calls.open.iter(), Some(call), answers);
    let turn = CutTurn { done: open.done.clone(), calls, continuation: None };
    Some(CutSpecialist { records: open.records.clone(), turn })
}

/// The call that this approval is about, as it was asked.
pub(super) fn asked_call<'a>(state: &'a SessionState, call: &CallId) -> Option<&'a AskedCall> {
    state.asked.iter().find(|asked| asked.call.call_id == *call)
}

/// The call that runs and waits for this: the one that asks, or the specialist that wants to make one.
pub(super) fn waiting_call<'a>(state: &'a SessionState, asked: &'a ServerFrame) -> Option<&'a CallId> {
    match &asked.message {
        ServerMessage::UserQuery { call_id, .. } => call_id.as_ref(),
        ServerMessage::ApprovalRequest { call_id, .. } => asked_call(state, call_id)?.parent.as_ref(),
        _ => None,
    }
}

/// Those of the calls that this specialist makes, or none; and those that it has asked about.
fn calls_under<'a>(
    state: &'a SessionState,
    open: impl Iterator<Item = &'a OpenCall>,
    parent: Option<&CallId>,
    answers: &[Answered],
) -> Vec<ParkedCall> {
    let running = open.filter(|call| call.parent.as_ref() == parent).filter_map(|call| {
        // One that may not be run again is so only at the user's word.
        let files = (!call.can_go_on()).then(|| call.files.clone());
        Some(ParkedCall { tool: call.tool.clone(), call: call.fact.clone()?, files })
    });
    let waiting = kept(state).filter_map(|asked| {
        let ServerMessage::ApprovalRequest { call_id, tool, .. } = &asked.message else { return None };
        let AskedCall { call, files, .. } =
            asked_call(state, call_id).filter(|asked| asked.parent.as_ref() == parent)?;
        Some(ParkedCall { tool: tool.clone(), call: call.clone(), files: Some(files.clone()) })
    });
    let answered = answers.iter().filter_map(|answered| {
        let Answered::Approval(ApprovalAsk { tool, call, files, .. }, _) = answered else { return None };
        Some(ParkedCall { tool: tool.clone(), call: call.clone(), files: Some(files.clone()) })
            .filter(|_| answered.parent() == parent)
    });
    running.chain(answered).chain(waiting).collect()
}

/// Whether this call, and all that it runs under, is there and can go on.
pub(super) fn can_go_on(state: &SessionState, call: &CallId) -> bool {
    let open = state.calls.open.iter().find(|open| open.call_id == *call);
    open.is_some_and(|open| {
        open.fact.is_some() && open.can_go_on() && open.parent.as_ref().is_none_or(|parent| can_go_on(state, parent))
    })
}

/// Whether this is the open turn, or none, as of a call of the user's own.
fn is_open(state: &SessionState, turn: Option<&MessageId>) -> bool {
    turn.is_none() || turn == state.messages.turn.as_ref().map(|turn| &turn.id)
}

fn is_about(asked: &ServerFrame, call: &CallId) -> bool {
    matches!(&asked.message, ServerMessage::UserQuery { call_id: Some(about), .. } if about == call)
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

/// What the user said that no work has heard yet; seldom anything, so it is kept in a box.
#[derive(Default)]
pub(super) struct Answers(pub(super) Vec<Answered>);

impl Answered {
    /// The call of the specialist that asked.
    fn parent(&self) -> Option<&CallId> {
        match self {
            Self::Approval(asked, _) => asked.parent.as_ref(),
            Self::Query(..) | Self::Retry(_) => None,
        }
    }

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
        is_asked(asked, ask).then(|| answer.clone())
    }
}

/// Whether this is what the call asks.
pub(super) fn is_asked(asked: &ServerFrame, ask: &QueryAsk) -> bool {
    matches!(&asked.message, ServerMessage::UserQuery { call_id: Some(call_id), message, .. }
        if *call_id == ask.call_id && message == ask.question.message())
}
