//! `ask_user`: asks the user a question and takes the answer as its value.

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Choice, ErrorType, QueryKind, Risk, ToolDefinition};

use super::paths::text;
use super::schema;
use switchboard_context::get_variable_preview;
use switchboard_events::ArtifactValue;
use switchboard_tools::text::sanitize_line;
use switchboard_tools::{QueryAnswer, Question, Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// How much of an answer the view shows, in characters; the variable has the whole.
const SHOWN_CHARS: usize = 4000;

/// Asks the user.
pub(super) struct AskUser {
    spec: ToolSpec,
}

impl AskUser {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.repeatable = true;
        spec.quiet = true;
        spec.default_variable = Some("user_answer");
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "ask_user".to_owned(),
        description: "Ask the user a question and wait for the answer: to clarify what is meant, to let the user \
                      choose between several possibilities, or to get information that only the user has."
            .to_owned(),
        module: "agent-tools".to_owned(),
        parameters: schema::arguments(
            &["question"],
            json!({
                "question": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 4000,
                    "description": "What the user is asked, in plain text.",
                },
                "choices": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 20,
                    "uniqueItems": true,
                    "items": {"type": "string", "minLength": 1, "maxLength": 200},
                    "description": "The answers to choose from; without them the user answers in their own words.",
                },
            }),
        ),
        output: Some(json!({"type": "string", "description": "The answer; for choices, the chosen one."})),
        example: json!({"question": "Which environment is this for?", "choices": ["staging", "production"]}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for AskUser {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Ask: {}", text(arguments, "question")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        match question(arguments) {
            Ok(question) => ask(context, question).await,
            Err(failure) => failure.into(),
        }
    }
}

/// Asks, and takes the answer as the result.
pub(super) async fn ask(context: &ToolContext, question: Question) -> ToolResult {
    match context.user.ask(question).await {
        QueryAnswer::Given(answer) => answered(answer),
        QueryAnswer::Dismissed => unanswered("The user dismissed the question without an answer."),
        QueryAnswer::Expired => unanswered("Nobody answered the question in time."),
        QueryAnswer::Cancelled => ToolResult::failure(ErrorType::User, "was cancelled before it was answered"),
    }
}

fn question(arguments: &Map<String, Value>) -> Result<Question, ToolFailure> {
    let choices = arguments.get("choices").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let choices = choices.iter().filter_map(Value::as_str);
    let choices = choices.map(|choice| Choice { value: choice.into(), label: sanitize_line(choice) });
    Question::new(QueryKind::Query, text(arguments, "question"), choices.collect())
}

fn answered(answer: Value) -> ToolResult {
    let value = match answer {
        Value::String(text) => ArtifactValue::Text(text),
        other => ArtifactValue::Json(other),
    };
    let view = format!("The user answered: {}", get_variable_preview(&value, SHOWN_CHARS));
    ToolResult::success(value).with_view(view)
}

/// A missing answer is not a failure of the tool: the agent is told, and nothing is stored.
fn unanswered(view: &str) -> ToolResult {
    let answer = ToolResult { view: Some(view.to_owned()), ..ToolResult::default() };
    answer.with_field("answered", false)
}

#[cfg(test)]
#[path = "ask_user_tests.rs"]
mod tests;
