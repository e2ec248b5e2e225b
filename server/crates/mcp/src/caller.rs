//! One call to a server: sent once, watched while it runs, ended by an answer, a cancellation, a time limit or the end of
//! the connection. When the server is gone before it answers, what it did is unknown, and the failure says so.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::ServiceError;
use rmcp::model::{
    ClientRequest, ElicitResult, ElicitationAction, ErrorCode, InputRequest, InputRequests, InputResponses,
    ProgressNotificationParam, ServerResult,
};
use rmcp::service::{RequestHandle, RoleClient};
use switchboard_protocol::{ErrorType, Stream};
use tokio::time::{Instant, sleep_until, timeout};

use super::client::{Connection, Limits};
use super::elicit::Form;
use super::fault_text::{ends_connection, error_text};
use super::file::ServerConfig;
use super::names::sanitized;
use switchboard_tools::{ToolContext, ToolFailure};

/// How long telling a server that a call is canceled may take.
const CANCEL_LIMIT: Duration = Duration::from_secs(1);

/// How often a server may ask for more before it answers a call.
const MAX_ROUNDS: usize = 10;

/// What the manager gives beyond the limits that are kept here, so that the better message wins.
const SLACK: Duration = Duration::from_secs(5);

/// Makes calls to one server over one connection.
#[derive(Clone)]
pub(super) struct Caller {
    server: String,
    connection: Arc<Connection>,
    /// Without a sign of life.
    timeout: Duration,
    /// In all.
    total: Duration,
}

impl Caller {
    pub(super) fn new(server: &ServerConfig, limits: &Limits, connection: &Arc<Connection>) -> Self {
        let timeout = server.timeout.unwrap_or(limits.timeout);
        let total = limits.total.max(timeout);
        Self { server: server.name.clone(), connection: Arc::clone(connection), timeout, total }
    }

    /// How long a call may take for the manager.
    pub(super) fn time_limit(&self) -> Duration {
        self.total + SLACK
    }

    /// Sends a request and waits for its answer, passing progress on and answering what the server must know first.
    /// `harmless`: doing it twice would do no harm.
    ///
    /// # Errors
    /// Why there is no answer.
    pub(super) async fn call(
        &self,
        mut request: ClientRequest,
        harmless: bool,
        context: &ToolContext,
    ) -> Result<ServerResult, ToolFailure> {
        for _ in 0..MAX_ROUNDS {
            match self.send(request.clone(), harmless, context).await? {
                ServerResult::InputRequiredResult(wanted) => {
                    let inputs = self.inputs(wanted.input_requests.unwrap_or_default(), context).await?;
                    resume(&mut request, inputs, wanted.request_state);
                }
                answer => return Ok(answer),
            }
        }
        let message = format!("asked for more {MAX_ROUNDS} times without an answer");
        Err(ToolFailure::new(ErrorType::System, message).suggesting("Try again, or without this server."))
    }

    /// What the server wants to know before it answers.
    async fn inputs(&self, wanted: InputRequests, context: &ToolContext) -> Result<InputResponses, ToolFailure> {
        let mut inputs = InputResponses::new();
        for (key, request) in wanted {
            let InputRequest::Elicitation(request) = request else {
                let message = "the server asks for roots or for a language model, which it does not get here";
                return Err(ToolFailure::new(ErrorType::System, message).suggesting("Try without this server."));
            };
            let heard = match Form::of(request.params) {
                Some(form) => tokio::select! {
                    heard = form.ask(&self.server, &context.user) => heard,
                    () = context.cancellation.cancelled() => return Err(cancelled()),
                },
                None => ElicitResult::new(ElicitationAction::Decline),
            };
            inputs.insert(key, serde_json::to_value(heard).unwrap_or_default());
        }
        Ok(inputs)
    }

    async fn send(
        &self,
        request: ClientRequest,
        harmless: bool,
        context: &ToolContext,
    ) -> Result<ServerResult, ToolFailure> {
        let handle = self.connection.send_call(request).await.map_err(|reason| {
            let message = format!("the MCP server {} is not available ({reason}); nothing was sent", self.server);
            ToolFailure::new(ErrorType::System, message)
                .suggesting("It is restarted automatically; try again in a moment. `/mcp` shows its state.")
        })?;
        self.answer(handle, harmless, context).await
    }

    async fn answer(
        &self,
        mut handle: RequestHandle<RoleClient>,
        harmless: bool,
        context: &ToolContext,
    ) -> Result<ServerResult, ToolFailure> {
        let watch = &self.connection.watch;
        let mut progress = watch.progress(&handle.progress_token);
        let mut guard = self.connection.elicitations.register(&context.principal);
        let mut asking: Option<BoxFuture<'_, Instant>> = None;
        let mut until = Instant::now() + self.total;
        let mut silent_until = Instant::now() + self.timeout;
        let failure = loop {
            tokio::select! {
                biased;
                answer = &mut handle.rx => {
                    while let Ok(report) = progress.reports.try_recv() {
                        context.output.chunk(Stream::Progress, &line(&report));
                    }
                    return answer.unwrap_or(Err(ServiceError::TransportClosed)).map_err(|error| self.failed(&error, harmless));
                }
                Some(report) = progress.reports.recv() => {
                    context.output.chunk(Stream::Progress, &line(&report));
                    silent_until = Instant::now() + self.timeout;
                }
                began = maybe(&mut asking) => {
                    // Nobody counts the time that the user takes to answer.
                    asking = None;
                    until += began.elapsed();
                    silent_until = Instant::now() + self.timeout;
                }
                Some(form) = guard.forms.recv(), if asking.is_none() => {
                    let began = Instant::now();
                    asking = Some(Box::pin(async move {
                        form.ask(&self.server, &context.user).await;
                        began
                    }));
                }
                () = context.cancellation.cancelled() => break cancelled(),
                () = watch.ended() => return Err(self.lost(&watch.reason().unwrap_or_default(), harmless)),
                () = sleep_until(until.min(silent_until)), if asking.is_none() => break self.too_slow(until <= silent_until),
            }
        };
        let reason = Some(failure.message.clone());
        if timeout(CANCEL_LIMIT, handle.cancel(reason)).await.is_err() {
            tracing::debug!("MCP server {} could not be told that a call was cancelled", self.server);
        }
        Err(failure)
    }

    fn failed(&self, error: &ServiceError, harmless: bool) -> ToolFailure {
        if let ServiceError::McpError(error) = error {
            return refused(error);
        }
        let watch = &self.connection.watch;
        if ends_connection(error) {
            watch.end(&error_text(error));
        }
        self.lost(&watch.reason().unwrap_or_else(|| error_text(error)), harmless)
    }

    /// No answer comes any more, and nobody knows what the server did.
    fn lost(&self, why: &str, harmless: bool) -> ToolFailure {
        let message = format!("the MCP server {} did not answer: {why}", self.server);
        if harmless {
            let next = "If it has stopped, it is restarted automatically; try again in a moment.";
            return ToolFailure::new(ErrorType::System, message).suggesting(next);
        }
        let message = format!("{message}; the outcome is unknown");
        let next = "Check what happened before this is done again, or ask the user. Nothing is sent again \
                    automatically.";
        ToolFailure::new(ErrorType::System, message).suggesting(next)
    }

    fn too_slow(&self, in_all: bool) -> ToolFailure {
        let message = if in_all {
            format!("took longer than {} s", self.total.as_secs_f64())
        } else {
            format!("gave no sign of life for {} s", self.timeout.as_secs_f64())
        };
        let next = "Ask for less at once, or give the server a longer \"timeout\" in the file of MCP servers.";
        ToolFailure::new(ErrorType::Timeout, message).suggesting(next)
    }
}

/// The same request with what the server wanted to know, and what it gave to be given back.
fn resume(request: &mut ClientRequest, inputs: InputResponses, state: Option<String>) {
    let inputs = (!inputs.is_empty()).then_some(inputs);
    match request {
        ClientRequest::CallToolRequest(request) => {
            (request.params.input_responses, request.params.request_state) = (inputs, state);
        }
        ClientRequest::ReadResourceRequest(request) => {
            (request.params.input_responses, request.params.request_state) = (inputs, state);
        }
        _ => {}
    }
}

fn cancelled() -> ToolFailure {
    ToolFailure::new(ErrorType::User, "was cancelled")
}

/// What becomes of it, if there is one.
async fn maybe<T>(future: &mut Option<BoxFuture<'_, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

/// The server understood, and says no.
fn refused(error: &rmcp::ErrorData) -> ToolFailure {
    let (message, _) = sanitized(&error.message);
    let message = if message.is_empty() { format!("the server answered with error {}", error.code.0) } else { message };
    let wrong_arguments = error.code == ErrorCode::INVALID_PARAMS;
    ToolFailure::new(if wrong_arguments { ErrorType::Validation } else { ErrorType::System }, message)
}

/// A report of progress, as a line.
fn line(report: &ProgressNotificationParam) -> String {
    let how_far = match report.total {
        Some(total) => format!("{} of {total}", report.progress),
        None => report.progress.to_string(),
    };
    match report.message.as_deref().map(|message| sanitized(message).0).filter(|message| !message.is_empty()) {
        Some(message) => format!("{message} ({how_far})\n"),
        None => format!("{how_far}\n"),
    }
}

#[cfg(test)]
#[path = "caller_tests.rs"]
mod tests;
