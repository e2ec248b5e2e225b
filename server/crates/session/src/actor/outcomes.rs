//! Calls whose outcome is unknown after the session came back from its log: the user's word ends them, or runs them once
//! more. Until then their turn stays open and nothing runs before it.

use serde_json::Value;
use switchboard_protocol::{MessageId, QueryId, QueryKind, ServerFrame, ServerMessage};
use tokio::time::Instant;

use super::ChatServerToolAgent;
use super::queries::{check_choice, unknown_query};
use crate::outcome::{self, Word};
use crate::parked::{self, Answered};
use crate::recovery::{self, Cut};
use crate::refusal::Refusal;
use crate::state::OpenCall;
use crate::turn::Retry;
use switchboard_events::NewEvent;
use switchboard_runtime as runtime;

impl ChatServerToolAgent {
    /// Takes note of the questions that wait. One that was asked before a restart keeps its end.
    pub(super) fn note_outcomes(&mut self) {
        let (now, wall) = (Instant::now(), runtime::now());
        let open = outcome::open_questions(&self.state, QueryKind::Outcome);
        self.questions.outcomes =
            open.map(|(id, asked)| (id.clone(), outcome::time_left(asked, wall).map(|left| now + left))).collect();
    }

    pub(super) fn answer_outcome(&mut self, id: &QueryId, answer: Option<Value>) -> Result<(), Refusal> {
        let Some(asked) = self.asked_outcome(id) else { return Err(unknown_query(id)) };
        if let (Some(answer), ServerMessage::UserQuery { choices: Some(choices), .. }) = (&answer, &asked.message) {
            check_choice(choices, answer)?;
        }
        self.settle_outcome(id, answer, true);
        Ok(())
    }

    pub(super) fn outcome_deadline(&self) -> Option<Instant> {
        self.questions.outcomes.values().flatten().min().copied()
    }

    pub(super) fn expire_outcomes(&mut self, now: Instant) {
        let is_over = |end: &Option<Instant>| end.is_some_and(|end| end <= now);
        let over: Vec<QueryId> =
            self.questions.outcomes.iter().filter(|(_, end)| is_over(end)).map(|(id, _)| id.clone()).collect();
        over.iter().for_each(|id| self.settle_outcome(id, None, false));
    }

    /// Nobody will say what became of the calls: they are written down as unknown.
    pub(super) fn give_up_outcomes(&mut self) {
        for id in self.questions.outcomes.keys().cloned().collect::<Vec<_>>() {
            self.settle_outcome(&id, None, false);
        }
    }

    fn asked_outcome(&self, id: &QueryId) -> Option<ServerFrame> {
        outcome::open_questions(&self.state, QueryKind::Outcome)
            .find(|(open, _)| *open == id)
            .map(|(_, asked)| asked.clone())
    }

    /// The word is an event; what follows from it are others.
    fn settle_outcome(&mut self, id: &QueryId, answer: Option<Value>, said: bool) {
        self.questions.outcomes.remove(id);
        let Some(asked) = self.asked_outcome(id) else { return };
        let call = outcome::call_of(&self.state, &asked).cloned();
        let (cut, word) = (outcome::cut_of(&asked), Word::of(answer.as_ref()));
        let message = ServerMessage::QueryResolved { query_id: id.clone(), answer };
        self.append_urgent(NewEvent { turn_id: asked.turn_id, message, private: None, blobs: Vec::new() });
        let Some(call) = call else { return };
        let goes_on = said && self.goes_on_after(&call, word);
        match word == Word::Retry && call.fact.is_some() {
            true => self.run_again(call, goes_on),
            false => self.end_as_told(&call, (cut, word), goes_on),
        }
    }

    /// Whether the turn goes on after its user's word about this call: it has written down where it stands, or who decides
    /// finds all that it did in the conversation; no message replaces it; and a specialist that made the call can go on.
    /// A plan made in stages does not go on from a call that nobody knows to have worked: what it did must not be done in
    /// another way.
    fn goes_on_after(&self, call: &OpenCall, word: Word) -> bool {
        let stands = self.state.messages.turn.as_ref().is_some_and(|turn| turn.continuation.is_some());
        let stands = stands && matches!(word, Word::Done | Word::Retry);
        let remembers = stands || self.services.agent.remembers_calls();
        let inside = call.parent.as_ref().is_none_or(|specialist| parked::can_go_on(&self.state, specialist));
        remembers && inside && call.turn.is_some() && !outcome::is_replaced(&self.state)
    }

    fn end_as_told(&mut self, call: &OpenCall, (cut, word): (Cut, Word), goes_on: bool) {
        let others = self.state.calls.unknown().any(|other| other.turn == call.turn && other.call_id != call.call_id);
        let turn = call.turn.as_ref().filter(|_| !others);
        let end = turn.filter(|_| !goes_on).map(|turn| outcome::settled_turn(&self.state, turn, call, cut, word));
        self.append_urgent(outcome::settled_call(call, cut, word));
        match (end, turn) {
            (Some(end), Some(turn)) => {
                self.end_rest(turn, call, cut);
                self.append_urgent(end);
            }
            (None, Some(_)) => self.go_on(),
            (_, None) => {}
        }
    }

    /// Ends what else is open in the turn: it does not go on with that.
    fn end_rest(&mut self, turn: &MessageId, but: &OpenCall, cut: Cut) {
        let of_turn = |asked: &&ServerFrame| asked.turn_id.as_ref() == Some(turn);
        let mut events: Vec<NewEvent> =
            self.state.pending.iter().filter(of_turn).filter_map(|asked| recovery::end_pending(asked, cut)).collect();
        events.extend(recovery::end_calls(&self.state, cut, |call| {
            call.turn.as_ref() == Some(turn) && call.call_id != but.call_id
        }));
        self.questions.approvals.take_if(|waiting| waiting.turn_id.as_ref() == Some(turn));
        self.questions.queries.take_if(|waiting| waiting.turn_id.as_ref() == Some(turn));
        self.questions.answers.0.clear();
        events.into_iter().for_each(|event| self.append(event));
    }

    /// The same call once more, as the user says, under its id: it has one end.
    fn run_again(&mut self, call: OpenCall, goes_on: bool) {
        let Some(fact) = call.fact.clone() else { return };
        match call.turn.clone() {
            None => self.start_call(call.call_id, call.tool, fact.arguments, None),
            Some(turn) if goes_on => {
                let call_id = call.call_id;
                self.resume(Some(&turn), &call_id, Answered::Retry(call_id.clone()));
            }
            Some(turn) => {
                self.end_rest(&turn, &call, Cut::ServerStopped);
                let (tools, tool, context) = (self.tools.clone(), call.tool, self.state.context.clone());
                self.run_turn(turn, |host, cancellation| {
                    Retry { tools, tool, fact, context, host, cancellation }.run()
                });
            }
        }
    }
}
