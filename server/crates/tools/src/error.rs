//! Why the registry refuses a tool. What fails while a tool runs is a [`super::ToolFailure`], which the agent is told.

/// Why a tool was not taken; fragments finish "failed to …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The name is taken.
    #[error("register the tool {0}: there is already a tool with that name")]
    Taken(String),
    /// The name is none.
    #[error("register the tool {0:?}: a name has 1 to 128 letters, digits, `_`, `-` or `.`")]
    Name(String),
    /// The schema of its parameters cannot be used.
    #[error("register the tool {tool}: its parameters are not a usable JSON Schema of an object: {detail}")]
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong with the schema.
        detail: String,
    },
}
