//! A tool of the user's own as its file says it, checked against `protocol/tool.schema.json`.

use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::arguments::{Argument, parse};
use switchboard_tools::{ToolSpec, ToolValidator, example_arguments};

/// The JSON Schema of a file.
const SCHEMA: &str = include_str!("../../../../../protocol/tool.schema.json");

/// What such a tool puts out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    /// A text.
    #[default]
    Text,
    /// A list of texts.
    Lines,
    /// One JSON value.
    Json,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomDefinition {
    pub(super) name: String,
    description: String,
    #[serde(default = "usual_module")]
    module: String,
    #[serde(default = "no_parameters")]
    parameters: Value,
    command: Vec<Value>,
    #[serde(default = "usual_risk")]
    risk: Risk,
    #[serde(default)]
    pub(super) host_network: bool,
    #[serde(default)]
    pub(super) format: Format,
    output: Option<Value>,
    #[serde(default)]
    pub(super) environment: Vec<String>,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default = "usual_timeout")]
    timeout_secs: u64,
    #[serde(default)]
    always_confirm: bool,
    #[serde(default = "yes")]
    pub(super) enabled: bool,
}

fn usual_module() -> String {
    "own".to_owned()
}

fn no_parameters() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

fn usual_risk() -> Risk {
    Risk::Execute
}

fn usual_timeout() -> u64 {
    30
}

fn yes() -> bool {
    true
}

impl CustomDefinition {
    /// Reads a file's text: the definition, and its command as it is filled in.
    ///
    /// # Errors
    /// Every problem, with its field.
    pub(super) fn parse(text: &str) -> Result<(Self, Vec<Argument>), String> {
        let value = checker()?.read_file(text)?;
        let definition: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if definition.host_network && definition.risk != Risk::Network {
            return Err("`hostNetwork` needs the risk `network`".to_owned());
        }
        let no_names = Map::new();
        let names = definition.parameters.get("properties").and_then(Value::as_object).unwrap_or(&no_names);
        let command = parse(&definition.command, names)?;
        ToolValidator::new(&definition.tool())
            .map_err(|error| format!("it cannot become a tool: failed to {error}"))?;
        Ok((definition, command))
    }

    /// What the registry is told of it. `confined`: whether the sandbox holds it to its risk; else it may do all that a
    /// program can.
    pub(super) fn spec(&self, confined: bool) -> ToolSpec {
        let mut definition = self.tool();
        if !confined && self.risk != Risk::Network {
            definition.risk = Risk::Execute;
        }
        let time_limit = Duration::from_secs(self.timeout_secs);
        ToolSpec { time_limit, always_confirm: self.always_confirm, ..ToolSpec::new(definition) }
    }

    /// The tool, as the file says it.
    pub(super) fn tool(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name.clone(),
            description: self.description.clone(),
            module: self.module.clone(),
            parameters: self.parameters.clone(),
            output: self.output.clone(),
            example: example_arguments(&self.parameters),
            risk: self.risk,
            examples: self.examples.clone(),
        }
    }

    /// Whether it may change the workspace.
    pub(super) fn writes(&self) -> bool {
        self.risk != Risk::Read
    }

    /// Whether it may reach the network.
    pub(super) fn has_network(&self) -> bool {
        self.risk == Risk::Network
    }
}

fn checker() -> Result<&'static ToolValidator, String> {
    static CHECKER: OnceLock<Result<ToolValidator, String>> = OnceLock::new();
    let made = CHECKER.get_or_init(|| ToolValidator::of_files(SCHEMA));
    made.as_ref().map_err(Clone::clone)
}
