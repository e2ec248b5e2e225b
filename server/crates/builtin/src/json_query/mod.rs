//! `json_query`: asks a value in the jq language.
//!
//! A filter may run forever or grow without bound, and its engine cannot be stopped from outside; so it runs in a
//! worker of our own binary (`switchboard __json-query`) with limits of its own, and the worker is ended with the call.

mod engine;
mod worker;

use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use self::engine::{QueryJob, QueryResult};
pub use self::worker::{WORKER_ARGUMENT, run_worker};
use super::helper;
use super::paths::text;
use super::schema;
use switchboard_context::get_variable_preview;
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};
use switchboard_sandbox::WorkerProgram;
use switchboard_tools::text::{counted, cut};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// The longest answer of a worker.
const MAX_ANSWER_BYTES: u64 = 2 * MAX_VALUE_BYTES as u64;

/// Asks values.
pub(super) struct JsonQuery {
    spec: ToolSpec,
    /// What is started for each; on a thread without one: tests of the language need no binary.
    worker: Option<WorkerProgram>,
}

impl JsonQuery {
    pub(super) fn new(worker: Option<WorkerProgram>) -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.time_limit = Duration::from_secs(10);
        Self { spec, worker }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "json_query".to_owned(),
        description: "Query JSON data with a jq filter: pick fields, filter, count, sort, group, map and transform \
                      arrays and objects. Extract a value such as .server.port from structured data."
            .to_owned(),
        module: "data".to_owned(),
        parameters: schema::arguments(
            &["data", "query"],
            json!({
                "data": {"description": "The value to ask, usually a reference such as @parsed_data; JSON text \
                                         works too."},
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 10_000,
                    "description": "The filter in the jq language, such as \".users[] | .name\".",
                },
            }),
        ),
        output: Some(json!({
            "description": "The result; if the filter gives several or none, an array of its results.",
        })),
        example: json!({"data": {"users": [{"name": "Ada"}]}, "query": ".users[0].name"}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for JsonQuery {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Query {}", text(arguments, "query")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let data = structured(arguments.get("data").cloned().unwrap_or_default());
        let question = QueryJob { data, query: text(arguments, "query").to_owned() };
        let answer = match &self.worker {
            Some(worker) => ask_worker(worker, context, &question).await,
            None => super::blocking::on_thread("json_query", move || Ok(engine::answer(question))).await,
        };
        answer.and_then(told).into()
    }
}

/// Text that holds an object or an array is meant as what it holds.
fn structured(data: Value) -> Value {
    match &data {
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => serde_json::from_str(text).unwrap_or(data),
        _ => data,
    }
}

async fn ask_worker(
    worker: &WorkerProgram,
    context: &ToolContext,
    question: &QueryJob,
) -> Result<QueryResult, ToolFailure> {
    let broken = |error: std::io::Error| {
        ToolFailure::new(ErrorType::System, format!("the query could not be run: {error}"))
            .suggesting("Try again; if this keeps happening, restart the server.")
    };
    let text = serde_json::to_vec(question).map_err(|error| broken(error.into()))?;
    let answer = helper::ask(worker, WORKER_ARGUMENT, &text, MAX_ANSWER_BYTES, &context.cancellation);
    let answer = answer.await.map_err(broken)?;
    let Some(answer) = answer else {
        let failure = ToolFailure::new(ErrorType::Timeout, "the query was stopped before it finished");
        return Err(failure.suggesting("Ask for less: narrow the data down first, and make sure that the filter ends."));
    };
    serde_json::from_slice(&answer).map_err(|_| {
        let message = "the query exceeded its limit of memory, time or depth";
        ToolFailure::new(ErrorType::User, message).suggesting("Ask for less, and make sure that the filter ends.")
    })
}

fn told(answer: QueryResult) -> Result<ToolResult, ToolFailure> {
    match answer {
        QueryResult::Results { values, more } => Ok(results(values, more)),
        QueryResult::BadQuery(what) => {
            let message = format!("the query is not valid jq: {}", cut(&what, 300));
            let next = "Example: .users[] | select(.age > 30) | .name";
            Err(ToolFailure::new(ErrorType::User, message).suggesting(next))
        }
        QueryResult::Failed(what) => {
            let next = "To see what the data is, use the query \"type\" or \"keys\".";
            Err(ToolFailure::new(ErrorType::User, format!("the query failed: {}", cut(&what, 300))).suggesting(next))
        }
        QueryResult::TooLarge => {
            let message = format!("the results have more than {MAX_VALUE_BYTES} bytes");
            Err(ToolFailure::new(ErrorType::User, message).suggesting("Ask for fewer fields or items."))
        }
    }
}

fn results(mut values: Vec<Value>, more: bool) -> ToolResult {
    let count = values.len();
    let one = if count == 1 && !more { values.pop() } else { None };
    let value = ArtifactValue::Json(one.unwrap_or(Value::Array(values)));
    let shown = get_variable_preview(&value, 4000);
    let view = match count {
        0 => "The query returns no result.".to_owned(),
        1 => shown,
        _ if more => format!("The first {}; there are more:\n{shown}", counted(count as u64, "result")),
        _ => format!("{}:\n{shown}", counted(count as u64, "result")),
    };
    ToolResult::success(value).with_view(view).with_field("results", count)
}

#[cfg(test)]
mod tests;
