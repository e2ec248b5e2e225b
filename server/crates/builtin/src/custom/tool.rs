//! A tool of the user's own: a call runs its program in the sandbox.

use std::collections::BTreeMap;
use std::path::PathBuf;

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{ErrorType, SandboxState};

use super::arguments::{Argument, filled};
use super::definition::{CustomDefinition, Format};
use crate::command::{Command, ShellConfig, WantedNetwork};
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// A tool of the user's own.
pub(super) struct CustomTool {
    spec: ToolSpec,
    definition: CustomDefinition,
    command: Vec<Argument>,
    /// Where its file is.
    folder: PathBuf,
    /// What it gets of the server's environment.
    environment: BTreeMap<String, String>,
    shell: ShellConfig,
}

impl CustomTool {
    pub(super) fn new(
        definition: CustomDefinition,
        command: Vec<Argument>,
        folder: PathBuf,
        environment: BTreeMap<String, String>,
        shell: ShellConfig,
    ) -> Self {
        let confined = !matches!(shell.sandbox.state(), SandboxState::Off);
        Self { spec: definition.spec(confined), definition, command, folder, environment, shell }
    }

    fn network(&self) -> WantedNetwork {
        match (self.definition.has_network(), self.definition.host_network) {
            (false, _) => WantedNetwork::None,
            (true, false) => WantedNetwork::AsSet,
            (true, true) => WantedNetwork::Host,
        }
    }

    async fn run(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let argv = filled(&self.command, arguments, &self.folder)
            .map_err(|why| ToolFailure::new(ErrorType::Validation, why))?;
        let command = Command {
            argv,
            folder: context.workspace.root().to_owned(),
            environment: self.environment.clone(),
            readable: Some(self.folder.clone()),
            writes: self.definition.writes(),
            network: self.network(),
        };
        let ran = self.shell.run(context, command).await?;
        if ran.failure.is_some() {
            return Ok(ran);
        }
        self.told(ran)
    }

    /// What a run that worked put out, in the format of the file.
    fn told(&self, ran: ToolResult) -> Result<ToolResult, ToolFailure> {
        let output = match &ran.value {
            Some(ArtifactValue::Json(value)) => value["output"].as_str().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        let text = output.strip_suffix('\n').unwrap_or(&output);
        let value = match self.definition.format {
            Format::Text => ArtifactValue::Text(text.to_owned()),
            Format::Lines => ArtifactValue::Json(text.lines().map(Value::from).collect()),
            Format::Json => ArtifactValue::Json(serde_json::from_str(text).map_err(|error| {
                let message = format!("the program ran, but its output is not JSON ({error})");
                ToolFailure::new(ErrorType::System, message)
                    .suggesting("Correct the program, or the `format` in the tool's file.")
            })?),
        };
        Ok(ToolResult { value: Some(value), ..ran })
    }
}

#[async_trait]
impl Tool for CustomTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        if let Err(why) = filled(&self.command, arguments, &self.folder) {
            return Err(ToolFailure::new(ErrorType::Security, why));
        }
        self.shell.refusal(self.network()).map_or(Ok(()), Err)
    }

    fn runs_program(&self, _arguments: &Map<String, Value>) -> bool {
        self.definition.writes()
    }

    fn network_reach(&self) -> Option<&'static str> {
        self.shell.network_reach(self.network())
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let given: Vec<String> = arguments
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => format!("{name}: {text}"),
                other => format!("{name}: {other}"),
            })
            .collect();
        (!given.is_empty()).then(|| given.join(", "))
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.run(context, arguments).await.into()
    }
}
