//! Calls whose outcome nobody knows: neither read nor repeatable, started, and without an end when the session came
//! back from its log. Nothing is run again automatically: the user is asked, the answer is recorded, and only if it
//! says so the call is made once more.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_protocol::{
    CallId, Choice, ErrorType, MessageId, Mode, QueryId, QueryKind, ServerFrame, ServerMessage,
};

use super::parked::{kept, waiting_call, waits};
use super::recovery::{Cut, end_call, end_pending, end_turn, private_end};
use super::state::{Messages, OpenCall, OpenTurn, SessionState};
use switchboard_context::preview_arguments;
use switchboard_events::{ChatMessage, ChatRole, NewEvent, ServerOnly};
use switchboard_tools::{CallOutcome, call_text, head_and_tail};

/// How much of a result the reply to a retry shows, in bytes.
const MAX_SHOWN_BYTES: usize = 4 * 1024;

/// What the user says of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// It did its work.
    Done,
    /// It did not.
    NotDone,
    /// Nobody knows, or nobody says.
    Unknown,
    /// It is to be run again.
    Retry,
}

impl Word {
    fn value(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::NotDone => "not-done",
            Self::Unknown => "unknown",
            Self::Retry => "retry",
        }
    }

    fn choice(self) -> Choice {
        let label = match self {
            Self::Done => "It happened",
            Self::NotDone => "It did not happen",
            Self::Unknown => "I don't know",
            Self::Retry => "Run it again",
        };
        Choice { value: json!(self.value()), label: label.to_owned() }
    }

    /// What an answer means; none is as good as `unknown`.
    pub(super) fn of(answer: Option<&Value>) -> Self {
        let all = [Self::Done, Self::NotDone, Self::Retry];
        let said = all.into_iter().find(|word| answer.and_then(Value::as_str) == Some(word.value()));
        said.unwrap_or(Self::Unknown)
    }
}

/// How often a turn goes on without getting further: one that ends the server each time is not to do so for ever.
const MAX_RESUMED: u32 = 3;

/// Whether the open turn goes on after the server's end, at once or when its user has answered: nothing that it did is unknown, and no
/// message replaces it. Calls that can be run again are, and a specialist goes on from what it has written down.
pub(super) fn goes_on(state: &SessionState, cut: Cut) -> bool {
    let of_turn = |call: &OpenCall| call.turn.is_some();
    may_go_on(state, cut) && !state.calls.unknown().any(of_turn)
}

/// Whether the open turn goes on once nothing is unknown.
fn may_go_on(state: &SessionState, cut: Cut) -> bool {
    let turn = state.messages.turn.as_ref().filter(|turn| cut == Cut::ServerStopped && turn.resumed < MAX_RESUMED);
    turn.is_some_and(|turn| {
        let mut own = state.calls.open.iter().filter(|call| call.turn.as_ref() == Some(&turn.id));
        !is_replaced(state) && own.all(|call| call.fact.is_some())
    })
}

/// Whether a message that came after the open turn's own takes its place.
pub(super) fn is_replaced(state: &SessionState) -> bool {
    let Messages { turn: Some(turn), taken, waiting, .. } = &state.messages else { return false };
    let began = taken.get(&turn.id).map_or(0, |taken| taken.seq);
    waiting.iter().any(|waiting| waiting.mode == Mode::Interrupt && waiting.seq > began)
}

/// The events with which a session that was cut off goes on: what is certain is ended, what is not is asked about. A
/// turn in which something is asked, or that waits for its user, or [goes on](goes_on), stays open with its calls.
pub(super) fn take_up(state: &SessionState, cut: Cut, expires_at: Option<&str>) -> Vec<NewEvent> {
    // Of calls of the user's own, those in which something waits.
    let waiting: Vec<&CallId> =
        kept(state).filter_map(|asked| waiting_call(state, asked)).map(|call| state.calls.root(call)).collect();
    let waits_itself = |call: &OpenCall| call.turn.is_none() && waiting.contains(&state.calls.root(&call.call_id));
    // A specialist that has changed something is known only where it goes on.
    let turn_stays = may_go_on(state, cut) || waits(state);
    let harmless = |call: &OpenCall| match waits_itself(call) || (call.turn.is_some() && turn_stays) {
        true => call.can_go_on(),
        false => call.repeatable(),
    };
    let unknown: Vec<&OpenCall> = state.calls.unknown_but(harmless).collect();
    let is_unknown = |id: &CallId| unknown.iter().any(|call| call.call_id == *id);
    let turn = state.messages.turn.as_ref();
    let asks = |turn: &OpenTurn| unknown.iter().any(|call| call.turn.as_ref() == Some(&turn.id));
    let ended = turn.filter(|turn| !asks(turn) && !waits(state) && !goes_on(state, cut));
    let stays = |of: Option<&MessageId>| of.is_some_and(|of| ended.is_none_or(|ended| ended.id != *of));

    let is_kept = |asked: &ServerFrame| kept(state).any(|kept| std::ptr::eq(kept, asked));
    let settled = state.pending.iter().filter(|asked| !is_about(asked, &unknown) && !is_kept(asked));
    let mut events: Vec<NewEvent> = settled.filter_map(|asked| end_pending(asked, cut)).collect();
    let known = state.calls.open.iter().filter(|call| !is_unknown(&call.call_id) && !waits_itself(call));
    let over = known.filter(|call| !stays(call.turn.as_ref()) || !call.can_go_on());
    events.extend(over.map(|call| end_call(call, cut)));
    events.extend(ended.map(|turn| end_turn(state, &turn.id, cut)));
    let asked = |call: &OpenCall| state.pending.iter().any(|asked| is_about(asked, &[call]));
    events.extend(unknown.iter().filter(|call| !asked(call)).map(|call| {
        let alone = call.turn.is_none() || unknown.iter().filter(|other| other.turn == call.turn).count() == 1;
        let heard = state.pending.iter().any(|asked| waiting_call(state, asked) == Some(&call.call_id));
        question(call, (cut, heard), alone && call.fact.is_some(), expires_at)
    }));
    events
}

/// The questions of that kind that wait.
pub(super) fn open_questions(
    state: &SessionState,
    wanted: QueryKind,
) -> impl Iterator<Item = (&QueryId, &ServerFrame)> {
    state.pending.iter().filter_map(move |asked| match &asked.message {
        ServerMessage::UserQuery { kind, query_id, .. } if *kind == wanted => Some((query_id, asked)),
        _ => None,
    })
}

/// How long a request still waits, if it has an end.
pub(super) fn time_left(asked: &ServerFrame, now: jiff::Timestamp) -> Option<Duration> {
    let (ServerMessage::UserQuery { expires_at, .. } | ServerMessage::ApprovalRequest { expires_at, .. }) =
        &asked.message
    else {
        return None;
    };
    let end = expires_at.as_ref()?.parse::<jiff::Timestamp>().unwrap_or(now);
    Some(Duration::try_from(end.duration_since(now)).unwrap_or_default())
}

/// The call that a question is about.
pub(super) fn call_of<'a>(state: &'a SessionState, asked: &ServerFrame) -> Option<&'a OpenCall> {
    let ServerMessage::UserQuery { call_id, .. } = &asked.message else { return None };
    state.calls.open.iter().find(|call| Some(&call.call_id) == call_id.as_ref())
}

/// What cut the call off, as the question says it.
pub(super) fn cut_of(asked: &ServerFrame) -> Cut {
    match &asked.message {
        ServerMessage::UserQuery { message, .. } if message.starts_with(Cut::StoreFailed.sentence()) => {
            Cut::StoreFailed
        }
        _ => Cut::ServerStopped,
    }
}

/// The call's one end, as the user says it was.
pub(super) fn settled_call(call: &OpenCall, cut: Cut, word: Word) -> NewEvent {
    if word == Word::Unknown {
        return end_call(call, cut);
    }
    let (success, error, preview) = match word {
        Word::Done => (true, String::new(), "You said that it happened; its output is lost.".to_owned()),
        _ => {
            let error = format!("{}: it was cut off before it did its work, as the user says", call.tool);
            (false, error.clone(), error)
        }
    };
    let message = ServerMessage::ToolCallEnd {
        call_id: call.call_id.clone(),
        tool: call.tool.clone(),
        started: true,
        success,
        preview: vec![preview.clone()],
        output_variable: None,
        duration_ms: 0,
        undoable: call.undoable,
        error,
        error_type: (!success).then_some(ErrorType::System),
        suggestion: (!success).then(|| "Run it again.".to_owned()),
        diff: None,
        undid: None,
        pictures: None,
        fields: None,
    };
    let event = NewEvent { turn_id: call.turn.clone(), message, private: None, blobs: Vec::new() };
    event.with_private(private_end(call, &preview, success))
}

/// The turn's one end, after the user has said what became of its call.
pub(super) fn settled_turn(
    state: &SessionState,
    turn_id: &MessageId,
    call: &OpenCall,
    cut: Cut,
    word: Word,
) -> NewEvent {
    if word == Word::Unknown {
        return end_turn(state, turn_id, cut);
    }
    let open = state.messages.turn.as_ref().filter(|turn| turn.id == *turn_id);
    let message_ids = open.map_or_else(|| vec![turn_id.clone()], OpenTurn::message_ids);
    let tool = &call.tool;
    let text = match word {
        Word::Done => format!(
            "`{tool}` did its work before I was interrupted, as you say; its output is lost. I did not continue from \
             there. Tell me if there is more to do."
        ),
        _ => format!(
            "I was interrupted, and `{tool}` did not do its work, as you say. Send the message again to run it."
        ),
    };
    let message = match word {
        Word::Done => ServerMessage::AgentResponse {
            message_ids,
            text: text.clone(),
            tools_used: vec![tool.clone()],
            context_updated: Vec::new(),
            reasoning: "The turn was interrupted; the user said what happened to its call.".to_owned(),
            operation_count: 1,
            complete: false,
            usage: None,
        },
        _ => ServerMessage::AgentError {
            message_ids: Some(message_ids),
            text: text.clone(),
            error: "the turn was interrupted: its call did not do its work, as the user says".to_owned(),
            code: "interrupted".to_owned(),
            path: None,
            attempted_tools: vec![tool.clone()],
            suggestions: vec!["Send the message again.".to_owned()],
            retryable: true,
            retry_after_ms: None,
        },
    };
    let private = ServerOnly { messages: vec![ChatMessage::new(ChatRole::Assistant, text)], ..ServerOnly::default() };
    NewEvent::of_turn(turn_id, message).with_private(private)
}

/// The turn's one end, after its call was made once more at the user's word.
pub(super) fn retried(tool: &str, outcome: &CallOutcome, cancelled: bool) -> ServerMessage {
    let view = head_and_tail(&outcome.view, MAX_SHOWN_BYTES);
    let Some(failure) = &outcome.result.failure else {
        return ServerMessage::AgentResponse {
            message_ids: Vec::new(),
            text: format!(
                "I ran `{tool}` again, as you said:\n\n{}\n\nI did not continue from there. Tell me if there is more \
                 to do.",
                fenced(&view)
            ),
            tools_used: vec![tool.to_owned()],
            context_updated: outcome.variable.clone().into_iter().collect(),
            reasoning: "The turn was interrupted; the user said to run its call again.".to_owned(),
            operation_count: 1,
            complete: false,
            usage: None,
        };
    };
    let (code, text) = match cancelled {
        true => ("cancelled", format!("I ran `{tool}` again, as you said, and stopped it.")),
        false => ("tool-failed", format!("I ran `{tool}` again, as you said, and it failed: {}", failure.message)),
    };
    ServerMessage::AgentError {
        message_ids: None,
        text,
        error: failure.message.clone(),
        code: code.to_owned(),
        path: None,
        attempted_tools: vec![tool.to_owned()],
        suggestions: failure.suggestion.clone().into_iter().collect(),
        retryable: true,
        retry_after_ms: None,
    }
}

/// As a block of code that nothing in it ends.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// `asked` is whether the call itself had asked something whose answer cannot reach it any more.
fn question(call: &OpenCall, (cut, asked): (Cut, bool), may_retry: bool, expires_at: Option<&str>) -> NewEvent {
    let arguments = call.fact.as_ref().map(|fact| preview_arguments(&fact.arguments)).unwrap_or_default();
    let what = call_text(&call.tool, &arguments);
    let words: &[Word] = match may_retry {
        true => &[Word::Done, Word::NotDone, Word::Unknown, Word::Retry],
        false => &[Word::Done, Word::NotDone, Word::Unknown],
    };
    let message = ServerMessage::UserQuery {
        query_id: QueryId::random(),
        call_id: Some(call.call_id.clone()),
        kind: QueryKind::Outcome,
        message: format!(
            "{} while this {}, so I do not know whether it did its work: {what}. Did it happen?",
            cut.sentence(),
            if asked { "waited for your answer, which cannot reach it any more" } else { "ran" }
        ),
        choices: Some(words.iter().map(|word| word.choice()).collect()),
        fields: None,
        expires_at: expires_at.map(ToOwned::to_owned),
    };
    NewEvent { turn_id: call.turn.clone(), message, private: None, blobs: Vec::new() }
}

/// Whether this question is about the outcome of one of these calls.
fn is_about(asked: &ServerFrame, calls: &[&OpenCall]) -> bool {
    match &asked.message {
        ServerMessage::UserQuery { kind: QueryKind::Outcome, call_id: Some(call_id), .. } => {
            calls.iter().any(|call| call.call_id == *call_id)
        }
        _ => false,
    }
}
