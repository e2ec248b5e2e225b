//! Calls that the user makes: in parallel with the turn, without approval, a few at once, each id once.

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Decision, ErrorType, MessageId, ServerMessage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ChatServerToolAgent;
use super::work::RunningCall;
use crate::host::{CallEnd, WorkId};
use crate::recovery::{self, Cut};
use crate::refusal::Refusal;
use crate::slash::Command;
use crate::state::call_key;
use crate::subscriber::SubscriberId;
use crate::turn::UserCall;
use switchboard_events::{NewEvent, ServerOnly};

impl ChatServerToolAgent {
    pub(super) fn call_tool(
        &mut self,
        subscriber: SubscriberId,
        call_id: CallId,
        tool: String,
        arguments: Map<String, Value>,
    ) -> Result<(), Refusal> {
        if self.work.calls.iter().any(|call| call.call_id == call_id) {
            return Ok(());
        }
        if let Some(seq) = self.state.answers.get(&call_key(&call_id)).copied() {
            self.answer_from_log(subscriber, seq);
            return Ok(());
        }
        if self.is_of_a_turn(&call_id) {
            let text = format!("`{call_id}` is the id of a call made by a turn.");
            return Err(Refusal::field("unknown-call", "callId", text).suggesting("Send it with a new callId."));
        }
        let limit = self.services.config.user_calls;
        if self.work.calls.len() >= limit {
            let refusal = Refusal::field("busy", "callId", format!("{limit} of your calls are already running."));
            return Err(refusal.suggesting("Call again when one of them has ended.").retry_after(2_000));
        }
        self.start_call(call_id, tool, arguments, None);
        Ok(())
    }

    /// Makes a call for a slash command, which is answered when the call ends.
    pub(super) fn call_for_command(&mut self, id: MessageId, command: &'static Command, tool: &str, count: u64) {
        let asked = |call: &RunningCall| call.command.as_ref().is_some_and(|(asked, _)| *asked == id);
        if self.work.calls.iter().any(asked) {
            return;
        }
        let limit = self.services.config.user_calls;
        if self.work.calls.len() >= limit {
            let text = format!("{limit} of your calls are already running. Try again when one of them has ended.");
            return self.command_error(&id, command, text);
        }
        let arguments = [("count".to_owned(), Value::from(count))].into_iter().collect();
        self.start_call(CallId::random(), tool.to_owned(), arguments, Some((id, command)));
    }

    /// The call's task has ended; one that broke down could not say so itself.
    pub(super) fn end_call(&mut self, work: WorkId, end: CallEnd) {
        let Some(at) = self.work.calls.iter().position(|call| call.work == work) else { return };
        let mut call = self.work.calls.remove(at);
        self.close_approvals(call.work, Decision::Cancelled, "call ended");
        self.close_queries(call.work);
        if matches!(end, CallEnd::BrokeDown) && !self.state.answers.contains_key(&call_key(&call.call_id)) {
            self.append_urgent(never_started(&call));
        }
        self.close_call(&call, Cut::Stuck);
        if let Some((id, command)) = call.command.take() {
            match end {
                CallEnd::Told(text) => self.respond(&id, command, text, ServerOnly::default()),
                CallEnd::Failed(text) => self.command_error(&id, command, text),
                CallEnd::BrokeDown => {
                    self.command_error(&id, command, "Something went wrong inside the server.".to_owned());
                }
            }
        }
    }

    /// Tells all calls of the user's own to end.
    pub(super) fn cancel_calls(&mut self) {
        self.close_parked(|turn| turn.is_none());
        let ends_by = Instant::now() + self.services.config.cancel_grace;
        for call in &mut self.work.calls {
            call.cancellation.cancel();
            call.ends_by.get_or_insert(ends_by);
        }
    }

    pub(super) fn end_stuck_calls(&mut self, now: Instant) {
        let stuck = |call: &RunningCall| call.ends_by.is_some_and(|end| end <= now);
        let (stuck, running) = std::mem::take(&mut self.work.calls).into_iter().partition(stuck);
        self.work.calls = running;
        self.cut_calls(stuck, Cut::Stuck);
    }

    /// Ends all calls of the user's own from outside.
    pub(super) fn cut_running_calls(&mut self, cut: Cut) {
        let calls = std::mem::take(&mut self.work.calls);
        self.cut_calls(calls, cut);
    }

    pub(super) fn start_call(
        &mut self,
        call_id: CallId,
        tool: String,
        arguments: Map<String, Value>,
        command: Option<(MessageId, &'static Command)>,
    ) {
        let host = self.work.host(None, self.values.clone());
        let (work, cancellation) = (host.work, CancellationToken::new());
        let call = UserCall {
            tools: self.tools.clone(),
            call_id: call_id.clone(),
            tool: tool.clone(),
            arguments,
            context: self.state.context.clone(),
            host,
            cancellation: cancellation.clone(),
        };
        let task = self.services.shutdown.spawn(call.run()).abort_handle();
        let (ends_by, answers) = (None, Vec::new());
        self.work.calls.push(RunningCall { work, ends_by, call_id, tool, cancellation, task, answers, command });
    }

    fn is_of_a_turn(&self, call_id: &CallId) -> bool {
        self.state.calls.open.iter().any(|call| call.call_id == *call_id)
            || self.state.calls.operations.iter().any(|operation| operation.call_id == *call_id)
    }

    fn cut_calls(&mut self, calls: Vec<RunningCall>, cut: Cut) {
        for call in calls {
            call.cut();
            self.close_approvals(call.work, Decision::Cancelled, cut.by());
            self.close_queries(call.work);
            self.close_call(&call, cut);
            if let Some((id, command)) = &call.command {
                self.command_error(id, command, "It was cut off; check the files before you try again.".to_owned());
            }
        }
    }

    /// A call that was started and has no end gets one.
    fn close_call(&mut self, call: &RunningCall, cut: Cut) {
        for event in recovery::end_calls(&self.state, cut, |open| open.call_id == call.call_id && open.turn.is_none()) {
            self.append_urgent(event);
        }
        self.close_unheard_of_calls();
    }
}

fn never_started(call: &RunningCall) -> NewEvent {
    let error = format!("{}: something went wrong inside the server before the call began", call.tool);
    NewEvent::of_session(ServerMessage::ToolCallEnd {
        call_id: call.call_id.clone(),
        tool: call.tool.clone(),
        started: false,
        success: false,
        preview: vec![error.clone()],
        output_variable: None,
        duration_ms: 0,
        undoable: false,
        error,
        error_type: Some(ErrorType::System),
        suggestion: Some("Call the tool again with a new callId.".to_owned()),
        diff: None,
        undid: None,
        pictures: None,
        fields: None,
    })
}
