//! `close_window`: closes a window of the session (seed 003).

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::display_resource::window_of;
use super::paths::{rename, text};
use super::schema;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// Closes windows.
pub(super) struct CloseWindow {
    spec: ToolSpec,
}

impl CloseWindow {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.repeatable = true;
        spec.quiet = true;
        spec.for_viewers = true;
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    ToolDefinition {
        name: "close_window".to_owned(),
        description:
            "Close floating windows programmatically. The window with this id, or the one that shows this file."
                .to_owned(),
        module: "agent-tools".to_owned(),
        parameters: schema::arguments(
            &["window_id"],
            json!({
                "window_id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1024,
                    "description": "The windowId that display_resource returned, or the path of the file that the \
                                    window shows.",
                },
            }),
        ),
        output: None,
        example: json!({"window_id": "w1"}),
        risk: Risk::Ui,
        examples: Vec::new(),
    }
}

#[async_trait]
impl Tool for CloseWindow {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        rename(arguments, &["windowId", "window", "path"], "window_id");
        window_of(arguments);
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Close window {}", text(arguments, "window_id")))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        close(context, text(arguments, "window_id")).await.into()
    }
}

/// A window that is not open is closed already: the user may have done it.
async fn close(context: &ToolContext, window: &str) -> Result<ToolResult, ToolFailure> {
    let closed = context.resource_service.close_window(window).await?;
    let view = match &closed {
        Some(closed) => format!("Closed window {} ({}).", closed.window_id, closed.title),
        None => {
            let open = context.resource_service.open_windows().await?;
            let open: Vec<String> = open.iter().map(|open| format!("{} ({})", open.window_id, open.title)).collect();
            let rest =
                if open.is_empty() { "No window is open".to_owned() } else { format!("Open are {}", open.join(", ")) };
            format!("No window `{window}` is open, so none was closed. {rest}.")
        }
    };
    let result = ToolResult { view: Some(view), ..ToolResult::default() };
    Ok(result.with_field("closed", closed.is_some()))
}
