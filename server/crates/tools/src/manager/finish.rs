//! After a call: what the user, the reasoner and the log get of its result, and the variable that takes its value.
//!
//! Frames carry short forms only; the value itself travels with `context-update`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ErrorType, Operation, Origin, Resource, Risk, ServerMessage};

use super::call::{Call, Instead, Stopped};
use super::changes::Held;
use super::ending::{Ending, MAX_OUTPUT_CHARS, MAX_VIEW_BYTES};
use super::fields::fields;
use super::run::Ran;
use super::said::{picture_note, said, told_diff};
use super::{CallOutcome, Invocation, ToolManager};
use crate::host::CallHost;
use crate::registry::RegisteredTool;
use crate::resource::ResourceHandle;
use crate::result::{MAX_PICTURES, ToolFailure, ToolResult, VariableChange};
use crate::text::{call_text, counted, cut, head_and_tail, preview_lines, sanitize, sanitize_line};
use switchboard_context::{ContextChange, OutputName, corrected_name, get_variable_preview, preview_arguments};
use switchboard_events::{ArtifactValue, LoadedPicture, NewEvent, RecordError, ServerOnly};
use switchboard_runtime::{self, redact};

/// Lines of a result in `tool-call-end`.
const PREVIEW_LINES: usize = 3;

/// The longest error in a frame, in characters.
const MAX_ERROR_CHARS: usize = 2000;

impl ToolManager {
    /// Records a call that did not run.
    pub(super) async fn finish_unstarted(
        &self,
        invocation: &Invocation<'_>,
        stopped: Stopped,
        host: &dyn CallHost,
    ) -> Result<CallOutcome, RecordError> {
        let (result, variable, repeated) = match stopped.instead {
            Instead::Failure(failure) => (named(invocation.tool, &stopped.arguments, failure.into()), None, false),
            Instead::Earlier(result, variable) => (ToolResult::clone(&result), variable, true),
        };
        let ending = Ending {
            tool: stopped.tool.as_deref(),
            given: &invocation.arguments,
            result,
            started: false,
            repeated,
            took: Duration::ZERO,
            variable,
            changes: None,
            undid: Vec::new(),
            program: None,
        };
        record_end(invocation, ending, None, host).await
    }

    /// Stores the value of a call that ran, and records its end.
    pub(super) async fn finish(
        &self,
        invocation: &Invocation<'_>,
        call: Call,
        ran: Ran,
        mut held: Held,
        host: &dyn CallHost,
    ) -> Result<CallOutcome, RecordError> {
        let mut result = fitting(&call.tool, named(invocation.tool, &call.arguments, ran.result)).await;
        let program = self.end_checkpoint(&mut held, &result).await;
        let naming = self.naming.lock().await;
        let (variable, change) = match result.variables.take() {
            Some(wanted) => (None, changed(invocation, &call, wanted, &mut result, host).await?),
            None => {
                let stored = plan(invocation, &call, &mut result, host).await?;
                stored.map_or((None, None), |(name, change)| (Some(name), Some(change)))
            }
        };
        let risk = call.worst_risk();
        self.files.saw(&result);
        let changes = self.note_changes(&held, &result).await;
        let undid = call.undo.filter(|_| result.is_success()).map(|plan| plan.calls).unwrap_or_default();
        if !invocation.by_user {
            self.repeats().ran(call.key, risk, Arc::new(result.clone()), variable.clone());
        }
        let ending = Ending {
            tool: Some(&call.tool),
            given: &call.given,
            result,
            started: true,
            repeated: false,
            took: ran.took,
            variable,
            changes: held.images.is_some().then_some(changes),
            undid,
            program,
        };
        let stored = change.map(|change| change.into_event(invocation.turn_id));
        let outcome = record_end(invocation, ending, stored, host).await?;
        drop(naming);
        Ok(outcome)
    }
}

/// The result with the call before a failure's message (seed 004).
fn named(tool: &str, arguments: &Map<String, Value>, mut result: ToolResult) -> ToolResult {
    if let Some(failure) = &mut result.failure {
        let shown = preview_arguments(arguments);
        let message = format!("{}: {}", call_text(&sanitize_line(tool), &shown), sanitize(&failure.message));
        failure.message = cut(&redact(&message), MAX_ERROR_CHARS).into_owned();
        failure.suggestion = failure.suggestion.take().map(|next| redact(&next).into_owned());
    }
    // The view is for eyes and prompts only; what tools work with is the value.
    result.view = result.view.map(|view| redact(&head_and_tail(&view, 2 * MAX_VIEW_BYTES)).into_owned());
    result
}

/// The result as it is, or marked and passed on as mere text when it is not what the tool says it gives: nothing then
/// takes it for more than text.
async fn fitting(tool: &Arc<RegisteredTool>, mut result: ToolResult) -> ToolResult {
    let known = tool.spec().definition.output.is_some() && result.is_success();
    let (true, Some(value)) = (known, &result.value) else { return result };
    if matches!(value, ArtifactValue::Bytes(_)) {
        return result;
    }
    let json = value.to_json();
    let mismatch = if is_scalar(&json) {
        tool.validator().output_mismatch(&json).map(|why| (why, json))
    } else {
        let tool = Arc::clone(tool);
        let checked =
            tokio::task::spawn_blocking(move || tool.validator().output_mismatch(&json).map(|why| (why, json)));
        checked.await.ok().flatten()
    };
    if let Some((why, json)) = mismatch {
        let text = json.as_str().map_or_else(|| json.to_string(), ToOwned::to_owned);
        result.value = Some(ArtifactValue::Text(text));
        result.fields.insert("schema_mismatch".to_owned(), why.into());
    }
    result
}

/// Whether a value is compared with a schema sooner than a thread is woken for it.
fn is_scalar(json: &Value) -> bool {
    match json {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => text.len() <= 1024,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The variable that takes the value, and the change that gives it to it.
async fn plan(
    invocation: &Invocation<'_>,
    call: &Call,
    result: &mut ToolResult,
    host: &dyn CallHost,
) -> Result<Option<(String, ContextChange)>, RecordError> {
    let Some(value) = &result.value else { return Ok(None) };
    let Some(name) = output_name(invocation, call, result) else { return Ok(None) };
    let origin = Origin {
        call_id: Some(invocation.call_id.clone()),
        tool: invocation.tool.to_owned(),
        inputs: call.inputs.clone(),
        default_name: None,
    };
    let context = host.context().await?;
    match context.plan_set(host.values(), &name, value.clone(), origin) {
        Ok(stored) => Ok(Some(stored)),
        Err(error) => {
            result.fields.insert("not_stored".to_owned(), error.to_string().into());
            Ok(None)
        }
    }
}

/// The change of variables that a tool asked for; without one the call has failed, and says why.
async fn changed(
    invocation: &Invocation<'_>,
    call: &Call,
    wanted: VariableChange,
    result: &mut ToolResult,
    host: &dyn CallHost,
) -> Result<Option<ContextChange>, RecordError> {
    let context = host.context().await?;
    let planned = match &wanted {
        VariableChange::Delete { name } => context.plan_delete(name).map(|change| (change, format!("Forgot {name}."))),
        VariableChange::Rename { name, new_name } => {
            context.plan_rename(name, new_name).map(|change| (change, format!("{name} is now called {new_name}.")))
        }
        VariableChange::DeleteStored => {
            let change = context.plan_delete_stored();
            let said = match change.removed.len() as u64 {
                0 => "Nothing was remembered.".to_owned(),
                count => format!("Forgot all {} that were remembered.", counted(count, "value")),
            };
            Ok((change, said))
        }
    };
    match planned {
        Ok((change, said)) => {
            result.view = Some(said);
            Ok(Some(change).filter(|change| !change.is_empty()))
        }
        Err(error) => {
            let failure = ToolFailure::new(ErrorType::User, format!("failed to {error}"));
            *result = named(invocation.tool, &call.arguments, failure.into());
            Ok(None)
        }
    }
}

fn output_name(invocation: &Invocation<'_>, call: &Call, result: &ToolResult) -> Option<OutputName> {
    let given = result.store_as.as_ref().or(invocation.output.as_ref());
    if let Some(name) = given {
        return Some(OutputName::Given(corrected_name(name)));
    }
    let spec = call.tool.spec();
    if invocation.by_user && spec.definition.risk == Risk::Write {
        // The user saves files again and again; that is not worth a variable each time.
        return None;
    }
    if spec.only_named {
        return None;
    }
    let name = spec.default_variable.map_or_else(|| format!("{}_result", spec.definition.name), ToOwned::to_owned);
    Some(OutputName::Default(corrected_name(&name)))
}

/// Records `tool-call-end`, and within a turn the call and its result in the conversation; with it what it stored, for whoever goes
/// on from there takes that for granted.
async fn record_end(
    invocation: &Invocation<'_>,
    ending: Ending<'_>,
    stored: Option<NewEvent>,
    host: &dyn CallHost,
) -> Result<CallOutcome, RecordError> {
    if let Some(tool) = ending.tool.filter(|_| ending.started) {
        tool.count(&ending.result, ending.took);
    }
    let said = said(invocation, &ending);
    let operation = operation(invocation, &ending);
    let private = ServerOnly {
        operation: ending.started.then(|| operation.clone()),
        changes: ending.changes.clone(),
        seen: ending.result.seen_files().filter(|_| !invocation.by_user).collect(),
        checkpoint: ending.program.as_ref().map(|program| program.record.clone()),
        pictures: given_pictures(&ending).map(|given| given.picture.clone()).collect(),
        messages: said.messages,
        ..ServerOnly::default()
    };
    let event = NewEvent {
        turn_id: invocation.turn_id.cloned(),
        message: end_frame(invocation, &ending),
        private: None,
        blobs: pictures_once(&said.pictures, &ending).map(|picture| host.values().keep_picture(picture)).collect(),
    };
    host.record_with(event.with_private(private), stored).await?;
    let Ending { result, started, repeated, variable, .. } = ending;
    Ok(CallOutcome { result, started, repeated, variable, operation, view: said.view })
}

fn end_frame(invocation: &Invocation<'_>, ending: &Ending<'_>) -> ServerMessage {
    let failure = ending.result.failure.as_ref();
    ServerMessage::ToolCallEnd {
        call_id: invocation.call_id.clone(),
        tool: sanitize_line(invocation.tool),
        started: ending.started,
        success: failure.is_none(),
        preview: preview(invocation, ending),
        output_variable: ending.variable.clone(),
        duration_ms: u64::try_from(ending.took.as_millis()).unwrap_or(u64::MAX),
        undoable: ending.changes.as_ref().is_some_and(|changes| !changes.is_empty())
            || ending.program.as_ref().is_some_and(|program| program.undoable),
        error: failure.map(|failure| failure.message.clone()).unwrap_or_default(),
        error_type: failure.map(|failure| failure.error_type),
        suggestion: failure.and_then(|failure| failure.suggestion.clone()),
        diff: diff(ending),
        undid: (!ending.undid.is_empty()).then(|| ending.undid.clone()),
        pictures: pictures(&invocation.call_id, ending),
        fields: Some(fields(&ending.result)).filter(|fields| !fields.is_empty()),
    }
}

/// The pictures that the call gave, whoever can see them; the same call made again gives none.
fn given_pictures<'e>(ending: &'e Ending<'_>) -> impl Iterator<Item = &'e LoadedPicture> {
    let most = if ending.repeated { 0 } else { MAX_PICTURES };
    ending.result.pictures.iter().take(most)
}

/// The pictures that a model sees and those that the call gave, each once: commonly they are the same.
fn pictures_once<'e>(seen: &'e [LoadedPicture], ending: &'e Ending<'_>) -> impl Iterator<Item = &'e LoadedPicture> {
    let mut kept = HashSet::new();
    seen.iter().chain(given_pictures(ending)).filter(move |loaded| kept.insert(&loaded.picture.hash))
}

fn pictures(call: &CallId, ending: &Ending<'_>) -> Option<Vec<Resource>> {
    let pictures: Vec<Resource> = given_pictures(ending)
        .enumerate()
        .map(|(index, given)| Resource {
            handle: ResourceHandle::Call { id: call.clone(), index }.to_string(),
            mime_type: given.picture.format.media_type().to_owned(),
            bytes: given.picture.bytes,
        })
        .collect();
    (!pictures.is_empty()).then_some(pictures)
}

/// The diff that a tool gave as its field `diff`, or of what its program did.
fn diff(ending: &Ending<'_>) -> Option<String> {
    let given = ending.result.fields.get("diff").and_then(Value::as_str);
    let found = ending.program.as_ref().map(|program| program.diff.as_str());
    let diff = given.or(found).filter(|diff| !diff.is_empty())?;
    Some(told_diff(diff))
}

fn preview(invocation: &Invocation<'_>, ending: &Ending<'_>) -> Vec<String> {
    let lines = match (&ending.result.failure, ending.tool) {
        (Some(failure), _) => preview_lines(&failure.message, PREVIEW_LINES),
        (None, Some(tool)) => tool.tool().preview(&ending.result, PREVIEW_LINES),
        (None, None) => Vec::new(),
    };
    let lines = lines.into_iter().take(PREVIEW_LINES).collect::<Vec<_>>().join("\n");
    let mut lines: Vec<String> = redact(&lines).lines().take(PREVIEW_LINES).map(sanitize_line).collect();
    if ending.result.fields.contains_key("schema_mismatch") {
        lines.insert(0, "Does not match the tool's output schema (schema mismatch); taken as text.".to_owned());
    }
    lines.extend(picture_note(invocation, &ending.result).map(ToOwned::to_owned));
    if ending.repeated {
        lines.insert(0, "The same call was made earlier in this turn; this is its result.".to_owned());
    }
    lines
}

fn operation(invocation: &Invocation<'_>, ending: &Ending<'_>) -> Operation {
    let outputs = match (&ending.result.failure, &ending.result.value) {
        (Some(failure), _) => cut(&failure.message, MAX_OUTPUT_CHARS).into_owned(),
        (None, Some(value)) => get_variable_preview(value, MAX_OUTPUT_CHARS),
        (None, None) => sanitize_line(ending.result.view.as_deref().unwrap_or("done")),
    };
    Operation {
        call_id: invocation.call_id.clone(),
        tool: sanitize_line(invocation.tool),
        request: (!invocation.by_user).then(|| cut(invocation.request, MAX_ERROR_CHARS).into_owned()),
        inputs: preview_arguments(ending.given),
        outputs,
        output_variable: ending.variable.clone(),
        timestamp: switchboard_runtime::timestamp(),
        success: ending.result.is_success(),
    }
}
