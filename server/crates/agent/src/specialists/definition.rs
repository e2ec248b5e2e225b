//! One agent as its file says it, checked against `protocol/agent.schema.json`.

use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::reach::Reach;
use switchboard_tools::{ToolSpec, ToolValidator, example_arguments};

/// The JSON Schema of a file.
const SCHEMA: &str = include_str!("../../../../../protocol/agent.schema.json");

/// The module of specialists in the registry.
pub const MODULE: &str = "agents";

/// A specialist's own clock ends it; this is for the time that it waits for the user.
const MANAGER_LIMIT: Duration = Duration::from_secs(24 * 3600);

/// An agent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentDefinition {
    /// Its name as a tool.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// What other agents read to choose it.
    pub tool_description: Option<String>,
    /// What a model is told before everything else.
    pub instructions: String,
    /// The model that it thinks with; without it, the provider's usual one.
    pub model: Option<String>,
    /// The provider of its model; without it, the one in use.
    pub provider: Option<String>,
    /// JSON Schema of its arguments.
    pub parameters: Option<Value>,
    /// JSON Schema that its answer has to fit.
    pub output: Option<Value>,
    /// The tools that it may use.
    pub tools: Option<Vec<String>>,
    /// Whether it is there.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Whether it runs the sessions.
    #[serde(default)]
    pub is_primary: bool,
    /// Whether it is of use only with a language model.
    #[serde(default)]
    pub needs_model: bool,
    /// What it cannot do, for people who look why it did not.
    pub limits: Option<String>,
    /// How long one call may work, in seconds.
    #[serde(default = "usual_timeout")]
    pub timeout_secs: u64,
    /// How many specialists may stand below it.
    #[serde(default = "usual_depth")]
    pub max_depth: u32,
}

fn yes() -> bool {
    true
}

fn usual_timeout() -> u64 {
    30
}

fn usual_depth() -> u32 {
    2
}

impl AgentDefinition {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Every problem, with its place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = checker()?.read_file(text)?;
        let definition: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if definition.is_primary && definition.has_own_model() {
            return Err(
                "`model` and `provider` are for specialists: the primary agent thinks with the server's model, \
                        which --llm-model and --llm-provider choose"
                    .to_owned(),
            );
        }
        // Its schemas must be ones that a tool can have.
        ToolValidator::new(&definition.tool())
            .map_err(|error| format!("it cannot become a tool: failed to {error}"))?;
        Ok(definition)
    }

    /// The tool that it is for other agents.
    #[must_use]
    pub fn tool(&self) -> ToolDefinition {
        let description = [self.tool_description.as_deref(), Some(self.description.as_str())].into_iter().flatten();
        ToolDefinition {
            name: self.id.clone(),
            description: description.into_iter().find(|text| !text.trim().is_empty()).unwrap_or(&self.name).to_owned(),
            module: MODULE.to_owned(),
            parameters: self.parameters.clone().unwrap_or_else(|| {
                json!({
                    "type": "object",
                    "properties": {"message": {"type": "string", "description": "The message to send to the agent"}},
                    "required": ["message"],
                    "additionalProperties": false,
                })
            }),
            output: self.output.clone(),
            example: self.parameters.as_ref().map_or_else(|| json!({"message": "…"}), example_arguments),
            risk: Risk::Read,
            examples: Vec::new(),
        }
    }

    /// What the registry is told of it: its risk is that of its tools.
    pub(super) fn spec(&self, reach: Reach) -> ToolSpec {
        let definition = ToolDefinition { risk: reach.risk, ..self.tool() };
        ToolSpec { time_limit: MANAGER_LIMIT, repeatable: reach.repeatable, ..ToolSpec::new(definition) }
    }

    /// Whether it thinks with a model of its own.
    pub(super) fn has_own_model(&self) -> bool {
        self.model.is_some() || self.provider.is_some()
    }

    /// What it is asked by a call: the one text among the arguments, or all of them by name.
    pub(super) fn message(arguments: &Map<String, Value>) -> String {
        let mut values = arguments.values();
        match (values.next(), values.next()) {
            (Some(Value::String(text)), None) => text.clone(),
            _ => {
                arguments.iter().map(|(name, value)| format!("{name}: {}", plain(value))).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// Whether it may use this tool.
    pub(super) fn may_use(&self, tool: &ToolDefinition) -> bool {
        match &self.tools {
            Some(names) => tool.name != self.id && names.contains(&tool.name),
            None => tool.module != MODULE,
        }
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

fn checker() -> Result<&'static ToolValidator, String> {
    static CHECKER: OnceLock<Result<ToolValidator, String>> = OnceLock::new();
    let made = CHECKER.get_or_init(|| ToolValidator::of_files(SCHEMA));
    made.as_ref().map_err(Clone::clone)
}
