//! Questions of running calls: asked, answered once by whoever is attached, or ended by time or with their call.

use std::time::Duration;

use jiff::SignedDuration;
use serde_json::Value;
use switchboard_protocol::{Choice, MessageId, QueryId, ServerFrame, ServerMessage};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ChatServerToolAgent;
use crate::host::WorkId;
use crate::parked::is_asked;
use crate::pending::{PARKED, PendingAsk, Query};
use crate::refusal::Refusal;
use crate::slash;
use switchboard_events::{NewEvent, RuleRecord, ServerOnly};
use switchboard_runtime as runtime;
use switchboard_tools::{Effect, QueryAnswer, QueryAsk, SessionRule};

/// How many of the choices a refusal names.
const NAMED_CHOICES: usize = 10;

impl ChatServerToolAgent {
    pub(super) fn ask_query(
        &mut self,
        work: WorkId,
        turn_id: Option<&MessageId>,
        ask: QueryAsk,
        withdrawn: CancellationToken,
        reply: oneshot::Sender<QueryAnswer>,
    ) {
        // Work that was told to end asks nobody any more.
        if self.work.is_cancelled(work) {
            let _ = reply.send(QueryAnswer::Cancelled);
            return;
        }
        if let Some(answer) = self.work.take_answer(work, |answered| answered.to_query(&ask)) {
            let _ = reply.send(answer);
            return;
        }
        let reply = match self.adopt_query(work, &ask, &withdrawn, reply) {
            Ok(()) => return,
            Err(reply) => reply,
        };
        let QueryAsk { call_id, question } = ask;
        let limit = self.services.config.approval_limit;
        let (id, choices, fields) = (QueryId::random(), question.choices().to_vec(), question.fields().to_vec());
        let is_form = !fields.is_empty();
        let (kind, session_rule) = (question.kind(), question.session_rule().cloned());
        let message = ServerMessage::UserQuery {
            query_id: id.clone(),
            call_id: Some(call_id),
            kind,
            message: question.message().to_owned(),
            choices: (!choices.is_empty()).then(|| choices.clone()),
            fields: is_form.then_some(fields),
            expires_at: limit.map(|limit| self.expiry_in(limit)),
        };
        let turn_id = turn_id.cloned();
        self.append_urgent(NewEvent { turn_id: turn_id.clone(), message, private: None, blobs: Vec::new() });
        let query = PendingAsk {
            ask: Query { id, choices, kind, session_rule, is_form },
            work,
            turn_id,
            ends_at: limit.map(|limit| Instant::now() + limit),
            reply,
        };
        self.questions.add_query(query, withdrawn);
        self.park_what_waits();
    }

    /// The call had asked the same before a restart, and nobody has answered.
    fn adopt_query(
        &mut self,
        work: WorkId,
        ask: &QueryAsk,
        withdrawn: &CancellationToken,
        reply: oneshot::Sender<QueryAnswer>,
    ) -> Result<(), oneshot::Sender<QueryAnswer>> {
        let same = self.state.pending.iter().find_map(|asked| match &asked.message {
            ServerMessage::UserQuery { query_id, .. } => is_asked(asked, ask).then(|| query_id.clone()),
            _ => None,
        });
        let Some(id) = same else { return Err(reply) };
        self.questions.adopt_query(&id, work, withdrawn.clone(), reply)
    }

    /// An answer that is none of the choices leaves the question waiting.
    pub(super) fn answer_query(&mut self, id: &QueryId, answer: Option<Value>) -> Result<(), Refusal> {
        if self.questions.outcomes.contains_key(id) {
            return self.answer_outcome(id, answer);
        }
        if self.asks_plan(id) {
            return self.answer_plan(id, answer);
        }
        let Some(asked) = self.questions.queries.get(id) else { return Err(unknown_query(id)) };
        if let Some(answer) = &answer {
            check_answer(asked, answer)?;
        }
        let heard = answer.map_or(QueryAnswer::Dismissed, QueryAnswer::Given);
        if let Some(asked) = self.questions.queries.take(id) {
            self.resolve_query(asked, heard);
        }
        Ok(())
    }

    pub(super) fn expire_queries(&mut self, now: Instant) {
        for asked in self.questions.queries.take_expired(now) {
            self.resolve_query(asked, QueryAnswer::Expired);
        }
    }

    /// Whoever asked does not wait for the answer any more.
    pub(super) fn withdraw_query(&mut self, id: &QueryId) {
        if let Some(asked) = self.questions.queries.take(id) {
            self.resolve_query(asked, QueryAnswer::Cancelled);
        }
    }

    /// Resolves the questions of work that ends.
    pub(super) fn close_queries(&mut self, work: WorkId) {
        for asked in self.questions.queries.take_of(work) {
            self.resolve_query(asked, QueryAnswer::Cancelled);
        }
    }

    /// The time so long from now, as frames carry it.
    pub(super) fn expiry_in(&self, limit: Duration) -> String {
        let limit = SignedDuration::try_from(limit).unwrap_or(SignedDuration::MAX);
        runtime::now().saturating_add(limit).map_or_else(|_| runtime::timestamp(), runtime::rfc3339)
    }

    pub(super) fn resolve_query(&mut self, asked: PendingAsk<Query>, heard: QueryAnswer) {
        let PendingAsk { ask, work, turn_id, reply, .. } = asked;
        let parked = self.state.pending.iter().find(|asked| work == PARKED && asks(asked, &ask.id)).cloned();
        let answer = match &heard {
            QueryAnswer::Given(answer) => Some(answer.clone()),
            QueryAnswer::Dismissed | QueryAnswer::Expired | QueryAnswer::Cancelled => None,
        };
        let message = ServerMessage::QueryResolved { query_id: ask.id, answer };
        let event = NewEvent { turn_id, message, private: None, blobs: Vec::new() };
        // Before the call goes on, so that its next question finds the rule.
        self.append_urgent(match self.rule_of(ask.session_rule.as_ref(), &heard) {
            Some(rule) => event.with_private(ServerOnly { rule: Some(rule), ..ServerOnly::default() }),
            None => event,
        });
        match parked {
            Some(asked) => self.resume_asker(asked, heard),
            // Work that ended meanwhile does not hear the answer any more.
            None => drop(reply.send(heard)),
        }
    }

    /// The rule that an answer makes, unless the session has it already or has no room for more.
    fn rule_of(&self, session_rule: Option<&SessionRule>, heard: &QueryAnswer) -> Option<RuleRecord> {
        let SessionRule { rule, .. } = session_rule.filter(|made| *heard == QueryAnswer::Given(made.answer.clone()))?;
        let rule = RuleRecord { effect: Effect::Allow.word().to_owned(), rule: rule.clone() };
        let rules = &self.state.permissions.rules;
        (rules.len() < slash::MAX_RULES && !rules.contains(&rule)).then_some(rule)
    }
}

/// Whether this is the question of that id.
fn asks(asked: &ServerFrame, id: &QueryId) -> bool {
    matches!(&asked.message, ServerMessage::UserQuery { query_id, .. } if query_id == id)
}

/// A form's fields are checked by whoever asked.
fn check_answer(asked: &Query, answer: &Value) -> Result<(), Refusal> {
    let is_choice = asked.choices.iter().any(|choice| choice.value == *answer);
    if !asked.is_form || is_choice {
        return check_choice(&asked.choices, answer);
    }
    if answer["action"] == "accept" && answer["content"].is_object() {
        return Ok(());
    }
    let text = "This question is a form, so its answer has the fields in `content`; it is still waiting.";
    Err(Refusal::field("wrong-answer", "answer", text).suggesting(
        "Answer with {\"action\": \"accept\", \"content\": {…}}, or with the value of one of its `choices`.",
    ))
}

/// Where there are choices, the answer is the value of one.
pub(super) fn check_choice(choices: &[Choice], answer: &Value) -> Result<(), Refusal> {
    if choices.is_empty() || choices.iter().any(|choice| choice.value == *answer) {
        return Ok(());
    }
    let text = "This is not one of the answers that the question offers, so it is still waiting.";
    let values: Vec<String> = choices.iter().take(NAMED_CHOICES).map(|choice| choice.value.to_string()).collect();
    Err(Refusal::field("wrong-answer", "answer", text).suggesting(format!(
        "Answer with one of {}, or leave `answer` out to dismiss the question.",
        values.join(", ")
    )))
}

pub(super) fn unknown_query(id: &QueryId) -> Refusal {
    let text = format!("No question `{id}` is waiting for an answer: it was answered, has expired or never existed.");
    Refusal::field("unknown-query", "queryId", text).suggesting("`pending` in `session-ready` lists what is waiting.")
}
