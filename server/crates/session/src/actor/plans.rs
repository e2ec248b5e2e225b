//! A plan that is shown and asked about. The turn that asks ends with its reply; the question waits beyond it, across restarts
//! too, until the next message takes the plan, leaves it, or takes its place. An answer by a button is a message like one
//! that is typed.

use serde_json::{Value, json};
use switchboard_protocol::{Choice, MessageId, Mode, QueryId, QueryKind, ServerMessage};
use tokio::time::Instant;
use uuid::Uuid;

use super::ChatServerToolAgent;
use super::queries::{check_choice, unknown_query};
use super::questions::PendingPlan;
use crate::message::Message;
use crate::outcome;
use crate::refusal::Refusal;
use switchboard_agent::{NO, PlanAsk, YES};
use switchboard_events::{NewEvent, ServerOnly};
use switchboard_runtime as runtime;

impl ChatServerToolAgent {
    /// Shows a plan and writes down what carries it out.
    pub(super) fn ask_plan(&mut self, turn_id: Option<MessageId>, ask: PlanAsk) {
        let message = ServerMessage::UserQuery {
            query_id: QueryId::random(),
            call_id: None,
            kind: QueryKind::Plan,
            message: ask.message,
            choices: Some(choices()),
            fields: None,
            expires_at: self.services.config.approval_limit.map(|limit| self.expiry_in(limit)),
        };
        let event = NewEvent { turn_id, message, private: None, blobs: Vec::new() };
        self.append_urgent(event.with_private(ServerOnly { plan: Some(ask.plan), ..ServerOnly::default() }));
        self.note_plan();
    }

    /// Takes note of the plan that waits. One that was shown before a restart keeps its end.
    pub(super) fn note_plan(&mut self) {
        let (now, wall) = (Instant::now(), runtime::now());
        let asked = outcome::open_questions(&self.state, QueryKind::Plan).find(|(id, _)| self.asks_plan(id));
        let ends_at = |frame| outcome::time_left(frame, wall).map(|left| now + left);
        self.questions.plan = asked.map(|(_, frame)| PendingPlan { ends_at: ends_at(frame) });
    }

    /// Whether this question is about the plan that waits.
    pub(super) fn asks_plan(&self, id: &QueryId) -> bool {
        self.state.plan.as_ref().is_some_and(|asked| asked.query_id == *id)
    }

    /// The answer is said as a message, whose turn takes the plan or leaves it; without one the plan is left.
    pub(super) fn answer_plan(&mut self, id: &QueryId, answer: Option<Value>) -> Result<(), Refusal> {
        let Some(answer) = answer else {
            self.leave_plan();
            return Ok(());
        };
        check_choice(&choices(), &answer)?;
        // It is answered once, though its turn has not begun yet.
        let Some(plan) = self.questions.plan.take() else { return Err(unknown_query(id)) };
        let text = answer.as_str().unwrap_or_default().to_owned();
        let id = Uuid::new_v4().to_string();
        let (mode, attachments) = (Mode::default(), None);
        let message = Message { id, text, mode, client_timestamp: None, prompt: None, tool: None, attachments };
        self.take_message(None, message).inspect_err(|_| self.questions.plan = Some(plan))
    }

    /// Nothing is done of the plan that waits.
    pub(super) fn leave_plan(&mut self) {
        self.questions.plan = None;
        let Some(asked) = &self.state.plan else { return };
        let message = ServerMessage::QueryResolved { query_id: asked.query_id.clone(), answer: None };
        self.append_urgent(NewEvent::of_session(message));
    }

    pub(super) fn plan_deadline(&self) -> Option<Instant> {
        self.questions.plan.and_then(|plan| plan.ends_at)
    }

    pub(super) fn expire_plan(&mut self, now: Instant) {
        if self.plan_deadline().is_some_and(|ends| ends <= now) {
            self.leave_plan();
        }
    }
}

fn choices() -> Vec<Choice> {
    [(YES, "Yes, do it"), (NO, "No")]
        .map(|(value, label)| Choice { value: json!(value), label: label.to_owned() })
        .into()
}
