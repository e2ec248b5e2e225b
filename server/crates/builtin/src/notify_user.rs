//! `notify_user`: shows a notification, progress, or a question (seed 003).

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Level, Notification, QueryKind, Risk, ToolDefinition};

use super::ask_user::ask;
use super::paths::{rename, text};
use super::schema;
use switchboard_tools::text::{cut, sanitize};
use switchboard_tools::{Question, Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// How long a notification is shown, in milliseconds.
const DURATION: u64 = 3000;

/// The longest time that a notification is shown.
const MAX_DURATION: u64 = 24 * 60 * 60 * 1000;

/// The id of progress that was given none: later progress replaces it.
const PROGRESS: &str = "progress";

/// Notifies the user.
pub(super) struct NotifyUser {
    spec: ToolSpec,
}

impl NotifyUser {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.repeatable = true;
        spec.quiet = true;
        spec.for_viewers = true;
        spec.default_variable = Some("user_answer");
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "notify_user".to_owned(),
        description:
            "Show notifications, progress updates, or user queries. A short message that appears on the user's \
                      screen. The type query asks the user and returns the response."
                .to_owned(),
        module: "agent-tools".to_owned(),
        parameters: schema::arguments(
            &["message"],
            json!({
                "message": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 4000,
                    "description": "What the user is told or asked, in plain text.",
                },
                "type": {
                    "type": "string",
                    "enum": ["info", "success", "error", "progress", "query"],
                    "default": "info",
                    "description": "progress stays until the work ends; query waits for the user's answer.",
                },
                "duration": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": MAX_DURATION,
                    "default": DURATION,
                    "description": "How long it is shown, in milliseconds; 0 until the user dismisses it.",
                },
                "notification_id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 128,
                    "description": "The same id again replaces the notification.",
                },
                "progress": {
                    "type": "number",
                    "minimum": 0,
                    "maximum": 1,
                    "description": "How much is done, from 0 to 1.",
                },
            }),
        ),
        output: Some(json!({"description": "The user's answer to a query."})),
        example: json!({"message": "Report ready for review", "type": "success"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for NotifyUser {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        rename(arguments, &["notificationId"], "notification_id");
        rename(arguments, &["durationMs", "duration_ms"], "duration");
        arguments.retain(|_, value| !value.is_null());
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let verb = if text(arguments, "type") == "query" { "Ask" } else { "Notify" };
        Some(format!("{verb}: {}", cut(text(arguments, "message"), 80)))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        if text(arguments, "type") == "query" {
            return match Question::new(QueryKind::Query, text(arguments, "message"), Vec::new()) {
                Ok(question) => ask(context, question).await,
                Err(failure) => failure.into(),
            };
        }
        notify(context, arguments).await.into()
    }
}

async fn notify(context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
    let level = match text(arguments, "type") {
        "success" => Level::Success,
        "error" => Level::Error,
        "progress" => Level::Progress,
        _ => Level::Info,
    };
    let id = match text(arguments, "notification_id") {
        "" if level == Level::Progress => PROGRESS.to_owned(),
        "" => context.call_id.to_string(),
        id => id.to_owned(),
    };
    let message = sanitize(text(arguments, "message"));
    let notification = Notification {
        notification_id: id.clone(),
        level,
        message: message.clone(),
        duration_ms: arguments.get("duration").and_then(Value::as_u64).unwrap_or(DURATION),
        progress: arguments.get("progress").and_then(Value::as_f64),
        turn_id: None,
    };
    let viewers = context.resource_service.show_notification(notification).await?;
    let unseen = if viewers == 0 { " No attached client shows notifications (viewers: 0)." } else { "" };
    let result = ToolResult { view: Some(format!("Told the user: {message}{unseen}")), ..ToolResult::default() };
    Ok(result.with_field("notificationId", id).with_field("viewers", viewers))
}
