//! The call itself: a task of its own, so that a tool that hangs, panics or does not listen cannot hold up the session.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use switchboard_protocol::{CallId, ErrorType, ServerMessage};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call::Call;
use super::changes::Held;
use super::{Invocation, ToolManager};
use crate::host::CallHost;
use crate::output::LiveOutput;
use crate::question::{AskedQuestion, QueryAsk, UserAsks, UserLine};
use crate::result::{ToolFailure, ToolResult};
use crate::text::sanitize_line;
use crate::tool::ToolContext;
use switchboard_context::preview_arguments;
use switchboard_events::{NewEvent, RecordError, ServerOnly};

/// How long a tool that was told to end may take to do so.
const GRACE: Duration = Duration::from_secs(5);

/// A result and how long it took.
pub(super) struct Ran {
    pub(super) result: ToolResult,
    pub(super) took: Duration,
}

/// Why a call had to end before its tool was done.
#[derive(Clone, Copy)]
enum Cut {
    Limit(Duration),
    Cancelled,
}

impl ToolManager {
    /// Records that the call starts; if running it twice could do harm, waits until that is durable.
    pub(super) async fn start(
        &self,
        invocation: &Invocation<'_>,
        call: &Call,
        held: &Held,
        host: &dyn CallHost,
    ) -> Result<(), RecordError> {
        let spec = call.tool.spec();
        let repeatable = call.tool.tool().repeatable();
        let message = ServerMessage::ToolCallStart {
            call_id: invocation.call_id.clone(),
            parent_call_id: invocation.parent.clone(),
            tool: spec.definition.name.clone(),
            module: spec.definition.module.clone(),
            title: call.tool.tool().title(&call.arguments).map(|title| sanitize_line(&title)),
            quiet: spec.quiet.then_some(true),
            arguments: preview_arguments(&call.arguments),
            references: (!call.references.is_empty()).then(|| call.references.clone()),
        };
        let event = NewEvent { turn_id: invocation.turn_id.cloned(), message, private: None, blobs: Vec::new() };
        let event = event.with_private(ServerOnly {
            call: Some(call.record(invocation)),
            images: held.images.clone(),
            checkpoint: held.checkpoint(),
            ..ServerOnly::default()
        });
        let event = event.with_blobs(held.blobs.iter().cloned());
        let receipt = host.record(event, !repeatable).await?;
        if repeatable { Ok(()) } else { receipt.durable().await }
    }

    /// Runs the tool to its end, its limit or its cancellation, and sends its output meanwhile.
    pub(super) async fn run(&self, invocation: &Invocation<'_>, call: &Call, held: &Held, host: &dyn CallHost) -> Ran {
        let began = Instant::now();
        let output = Arc::new(LiveOutput::default());
        let running = async {
            let result = self.run_task(invocation, call, held, &output, host).await;
            output.end();
            (result, began.elapsed())
        };
        let ((result, took), ()) = tokio::join!(running, output.send_to(host, &invocation.call_id));
        Ran { result, took }
    }

    async fn run_task(
        &self,
        invocation: &Invocation<'_>,
        call: &Call,
        held: &Held,
        output: &Arc<LiveOutput>,
        host: &dyn CallHost,
    ) -> ToolResult {
        let cancellation = invocation.cancellation.child_token();
        // A call that nobody waits for any more ends too.
        let _cancel_when_dropped = cancellation.clone().drop_guard();
        let (user, asks) = UserLine::open();
        let context = ToolContext {
            call_id: invocation.call_id.clone(),
            principal: self.config.principal.clone(),
            workspace: self.workspace(),
            cancellation: cancellation.clone(),
            output: Arc::clone(output) as _,
            user,
            domain_policy: Arc::new(self.network_policy()),
            resource_service: host.resource_service(),
            delegation: self.delegation(host),
            undo: Arc::clone(&held.undo),
        };
        let tool = Arc::clone(call.tool.tool());
        let arguments = call.arguments.clone();
        let limit = tool.time_limit(&arguments);
        let mut task = self.config.shutdown.spawn(async move { tool.execute(&context, &arguments).await });
        let cut = tokio::select! {
            biased;
            result = &mut task => return unless_cancelled(ended(result), &invocation.cancellation),
            () = invocation.cancellation.cancelled() => Cut::Cancelled,
            () = answer_until(limit, asks, &invocation.call_id, host) => Cut::Limit(limit),
        };
        cancellation.cancel();
        let result = end_soon(task).await;
        cut_short(cut, result)
    }
}

/// Takes a call's questions to the session until its time is over; the clock stands still while the user thinks.
async fn answer_until(limit: Duration, mut asks: UserAsks, call_id: &CallId, host: &dyn CallHost) {
    let mut left = limit;
    loop {
        let since = Instant::now();
        let asked = tokio::select! {
            biased;
            Some(asked) = asks.recv() => asked,
            () = tokio::time::sleep(left) => return,
        };
        left = left.saturating_sub(since.elapsed());
        let AskedQuestion { question, mut reply } = asked;
        let ask = QueryAsk { call_id: call_id.clone(), question };
        tokio::select! {
            // A tool that does not wait for its answer any more withdraws the question.
            () = reply.closed() => continue,
            answer = host.ask_query(ask) => {
                let _ = reply.send(answer);
            }
        }
    }
}

/// Waits for a tool that was told to end; one that does not listen is left behind.
async fn end_soon(mut task: JoinHandle<ToolResult>) -> Option<ToolResult> {
    match tokio::time::timeout(GRACE, &mut task).await {
        Ok(result) => Some(ended(result)),
        Err(_) => {
            task.abort();
            None
        }
    }
}

/// A tool that failed because its call was canceled says only that.
fn unless_cancelled(result: ToolResult, cancellation: &CancellationToken) -> ToolResult {
    if cancellation.is_cancelled() && !result.is_success() {
        return cut_short(Cut::Cancelled, Some(result));
    }
    result
}

fn ended(result: Result<ToolResult, JoinError>) -> ToolResult {
    result.unwrap_or_else(|error| {
        let what = match error.try_into_panic() {
            Ok(panic) => format!("the tool crashed: {}", panic_text(panic.as_ref())),
            Err(_) => "the tool was stopped from outside".to_owned(),
        };
        let next = "This is a bug in the tool; try other arguments or another tool.";
        ToolFailure::new(ErrorType::System, what).suggesting(next).into()
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    sanitize_line(text.unwrap_or("it did not say why"))
}

/// The result of a call that had to end: what it has done so far stays, but it has failed.
fn cut_short(cut: Cut, result: Option<ToolResult>) -> ToolResult {
    let stopped = if result.is_some() { "" } else { "; it did not stop when told to and may still be running" };
    let failure = match cut {
        Cut::Limit(limit) => {
            let message = format!("took longer than its limit of {} s{stopped}", limit.as_secs_f64());
            let next = "Ask for less at once, or give it more time if it accepts a time limit.";
            ToolFailure::new(ErrorType::Timeout, message).suggesting(next)
        }
        Cut::Cancelled => ToolFailure::new(ErrorType::User, format!("was cancelled{stopped}")),
    };
    ToolResult { failure: Some(failure), ..result.unwrap_or_default() }
}
