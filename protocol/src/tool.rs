//! What a tool says of itself; here because model, server and browser all say it.

use serde_json::Value;

words! {
    /// What running a tool may do; the policy decides by it.
    pub enum Risk {
        /// Reads, changes nothing.
        Read,
        /// Changes files.
        Write,
        /// Runs programs.
        Execute,
        /// Uses the network.
        Network,
        /// Changes what the user sees.
        Ui,
    }
}

words! {
    /// What kind of error a failed tool call is, and who can do something about it.
    pub enum ErrorType {
        /// Wrong arguments or usage.
        #[serde(rename = "validation_error")]
        Validation,
        /// Something the user can correct, such as a file that does not exist.
        #[serde(rename = "user_error")]
        User,
        /// Something inside the server or the machine.
        #[serde(rename = "system_error")]
        System,
        /// Not allowed by the user or the policy.
        #[serde(rename = "permission_error")]
        Permission,
        /// Refused because it would do harm.
        #[serde(rename = "security_error")]
        Security,
        /// It took longer than its time limit.
        #[serde(rename = "timeout_error")]
        Timeout,
    }
}

wire! {
    /// A tool as the catalogue shows it.
    pub struct ToolDefinition {
        /// snake_case, unique in the registry.
        pub name: String,
        /// What it does, in a sentence or two.
        pub description: String,
        /// The module it belongs to, such as `files`.
        pub module: String,
        /// JSON Schema of its arguments: an object.
        pub parameters: Value,
        /// JSON Schema of its value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub output: Option<Value>,
        /// Arguments of an example call.
        pub example: Value,
        /// What running it may do.
        pub risk: Risk,
        /// Sentences that ask for it, `{place}` standing for an argument: by them it is understood without a model.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub examples: Vec<String>,
    }
}

wire! {
    /// A tool as providers take it.
    pub struct FunctionTool {
        /// Always `function`.
        #[serde(rename = "type")]
        pub kind: String,
        /// The function.
        pub function: FunctionDefinition,
    }
}

wire! {
    /// Name, description and parameters of a function.
    pub struct FunctionDefinition {
        /// The tool's name.
        pub name: String,
        /// What it does.
        pub description: String,
        /// JSON Schema of its arguments.
        pub parameters: Value,
    }
}

impl From<&ToolDefinition> for FunctionTool {
    fn from(tool: &ToolDefinition) -> Self {
        Self {
            kind: "function".to_owned(),
            function: FunctionDefinition {
                name: tool.name.clone(),
                description: tool.description.clone(),
                parameters: tool.parameters.clone(),
            },
        }
    }
}
