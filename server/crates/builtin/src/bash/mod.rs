//! `bash`: runs a shell command in the sandbox, with its output as it comes, and ends it with all that it started.

mod guard;
mod places;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, ToolDefinition};

use super::command::{Command, ShellConfig, WantedNetwork};
use super::schema;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::EntryKind;

const MAX_SECONDS: f64 = 60.0;
const MAX_COMMAND_CHARS: usize = 32 * 1024;

/// Runs commands.
pub(super) struct Bash {
    spec: ToolSpec,
    config: ShellConfig,
}

impl Bash {
    pub(super) fn new(config: ShellConfig) -> Self {
        let mut spec = ToolSpec::new(definition(config.timeout));
        spec.time_limit = Duration::from_secs_f64(MAX_SECONDS);
        Self { spec, config }
    }

    async fn run(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let command = text("command").unwrap_or_default();
        let folder = text("working_dir").unwrap_or(".");
        let working_dir = working_dir(context, folder).await?;
        let network = network(arguments);
        let argv = vec!["/bin/bash".to_owned(), "-c".to_owned(), command.to_owned()];
        self.config
            .run(context, Command { argv, folder: working_dir, writes: true, network, ..Command::default() })
            .await
    }
}

async fn working_dir(context: &ToolContext, folder: &str) -> Result<PathBuf, ToolFailure> {
    let workspace = &context.workspace;
    let relative = workspace.relative(folder).map_err(ToolFailure::from)?;
    if workspace.metadata(folder).await.map_err(ToolFailure::from)?.kind != EntryKind::Directory {
        let refused = ToolFailure::new(ErrorType::User, format!("working_dir {folder} is not a folder"));
        return Err(refused.suggesting("Name a folder in the workspace; list_directory shows them."));
    }
    Ok(workspace.root().join(relative.as_str()))
}

fn definition(timeout: Duration) -> ToolDefinition {
    ToolDefinition {
        name: "bash".to_owned(),
        description: "Run a shell command in the workspace with bash and return its output and exit code. Execute \
                      programs, scripts, builds, tests, git. No network unless asked for, no input from the keyboard."
            .to_owned(),
        module: "shell".to_owned(),
        parameters: schema::arguments(
            &["command"],
            json!({
                "command": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MAX_COMMAND_CHARS,
                    "description": "The command line, such as \"ls -la\" or \"npm test\".",
                },
                "description": {
                    "type": "string",
                    "maxLength": 200,
                    "description": "What it does, in 5 to 10 words.",
                },
                "timeout": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": MAX_SECONDS,
                    "default": timeout.as_secs_f64(),
                    "description": "Seconds after which it is ended, at most 60.",
                },
                "working_dir": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The folder it runs in, relative to the workspace.",
                },
                "network": {
                    "type": "boolean",
                    "default": false,
                    "description": "Whether it may reach the network; the user is asked about that.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "output": {"type": "string", "description": "Standard output."},
            "error": {"type": "string", "description": "Standard error."},
            "return_code": {"type": "integer", "description": "The exit code; 128 and the number of the signal that ended it."},
            "network": {"type": "array", "description": "Where it connected to, and what was denied; absent if it did not try.", "items": {"type": "object"}},
            "signal": {"type": "string", "description": "The signal that ended it, such as SIGKILL; absent if none did."},
            "output_base64": {"type": "string", "description": "The exact bytes of the output, if they are not UTF-8."},
            "error_base64": {"type": "string", "description": "The exact bytes of standard error, if they are not UTF-8."},
        }))),
        example: json!({"command": "npm test", "description": "Run the test suite", "timeout": 30}),
        risk: Risk::Execute,
        examples: Vec::new(),
    }
}

fn wants_network(arguments: &Map<String, Value>) -> bool {
    arguments.get("network").and_then(Value::as_bool).unwrap_or_default()
}

fn network(arguments: &Map<String, Value>) -> WantedNetwork {
    if wants_network(arguments) { WantedNetwork::AsSet } else { WantedNetwork::None }
}

#[async_trait]
impl Tool for Bash {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn risk(&self, arguments: &Map<String, Value>) -> Risk {
        if wants_network(arguments) { Risk::Network } else { Risk::Execute }
    }

    fn time_limit(&self, arguments: &Map<String, Value>) -> Duration {
        let seconds = arguments.get("timeout").and_then(Value::as_f64);
        seconds.map_or(self.config.timeout, |seconds| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)))
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        let command = arguments.get("command").and_then(Value::as_str).unwrap_or_default();
        guard::refuse(command).or_else(|| self.config.refusal(network(arguments))).map_or(Ok(()), Err)
    }

    fn runs_program(&self, _arguments: &Map<String, Value>) -> bool {
        true
    }

    fn network_reach(&self) -> Option<&'static str> {
        self.config.network_reach(WantedNetwork::AsSet)
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let description = arguments.get("description").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        Some(description.or_else(|| arguments.get("command")?.as_str())?.to_owned())
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.run(context, arguments).await.into()
    }
}
