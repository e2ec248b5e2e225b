//! What running a tool gives (seed 004, "Tool Result Format").

use serde_json::{Map, Value};
use switchboard_net::WebError;
use switchboard_protocol::{ErrorType, Usage};

use switchboard_events::{ArtifactValue, BlobHash, FileSeen, LoadedPicture};
use switchboard_workspace::{Fingerprint, RelativePath};

/// How many pictures of a call are kept for whoever looks at it: the first ones.
pub const MAX_PICTURES: usize = 16;

/// The result of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// Why it failed; `None` on success.
    pub failure: Option<ToolFailure>,
    /// The artifact: a file's exact text, a number, parsed JSON, `{output, error, return_code}`.
    pub value: Option<ArtifactValue>,
    /// What the model and the cards see: with line numbers and headings. Absent: a preview of the value.
    pub view: Option<String>,
    /// What a model that can see is shown beside the view.
    pub pictures: Vec<LoadedPicture>,
    /// The tool's own fields, such as `files_read`.
    pub fields: Map<String, Value>,
    /// The variable that the tool itself names for the value (`store_variable`).
    pub store_as: Option<String>,
    /// What the tool wants done with the session's variables.
    pub variables: Option<VariableChange>,
    /// Files of the workspace that the call read as a whole.
    pub read_files: Vec<SeenFile>,
    /// Files of the workspace that the call changed, as they are now.
    pub written_files: Vec<SeenFile>,
    /// The tokens that its models used.
    pub usage: Option<Usage>,
}

/// What a tool wants done with variables that are there; the manager does it, or says why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariableChange {
    /// This one goes.
    Delete {
        /// Its name.
        name: String,
    },
    /// All that the user stored goes; what tools found stays.
    DeleteStored,
    /// It gets another name.
    Rename {
        /// What it is called.
        name: String,
        /// What it is to be called.
        new_name: String,
    },
}

/// A file as a call saw or left it; tells later whether it has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenFile {
    /// Where it is in the workspace.
    pub path: RelativePath,
    /// What it was like.
    pub fingerprint: Fingerprint,
}

/// Why a tool failed, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    /// Whose fault it is.
    pub error_type: ErrorType,
    /// What happened, without the tool's name and arguments: the manager puts `tool(param="value"): ` before it.
    pub message: String,
    /// What to do next; for a validation error an example call.
    pub suggestion: Option<String>,
    /// Whether a user or a rule said no: the reasoner is told not to try the same in another way.
    pub refused: bool,
}

/// A file as the log has it.
pub(crate) fn file_seen(path: &RelativePath, fingerprint: &Fingerprint) -> FileSeen {
    FileSeen { path: path.to_string(), hash: BlobHash::of_digest(&fingerprint.hash) }
}

impl ToolResult {
    /// The files that it has read and written, for the log.
    pub(crate) fn seen_files(&self) -> impl Iterator<Item = FileSeen> {
        self.read_files.iter().chain(&self.written_files).map(|seen| file_seen(&seen.path, &seen.fingerprint))
    }

    /// It worked, with this value.
    #[must_use]
    pub fn success(value: ArtifactValue) -> Self {
        Self { value: Some(value), ..Self::default() }
    }

    /// It failed.
    #[must_use]
    pub fn failure(error_type: ErrorType, message: impl Into<String>) -> Self {
        ToolFailure::new(error_type, message).into()
    }

    /// The same result with a view.
    #[must_use]
    pub fn with_view(mut self, view: impl Into<String>) -> Self {
        self.view = Some(view.into());
        self
    }

    /// The same result with pictures.
    #[must_use]
    pub fn with_pictures(mut self, pictures: Vec<LoadedPicture>) -> Self {
        self.pictures = pictures;
        self
    }

    /// The same result with a field of the tool's own.
    #[must_use]
    pub fn with_field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Whether it worked.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.failure.is_none()
    }
}

impl ToolFailure {
    /// A failure without a suggestion.
    #[must_use]
    pub fn new(error_type: ErrorType, message: impl Into<String>) -> Self {
        Self { error_type, message: message.into(), suggestion: None, refused: false }
    }

    /// The same failure with what to do next.
    #[must_use]
    pub fn suggesting(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The same failure, as the no of a user or a rule.
    #[must_use]
    pub fn refused(mut self) -> Self {
        self.refused = true;
        self
    }
}

impl From<WebError> for ToolFailure {
    fn from(error: WebError) -> Self {
        Self { suggestion: error.suggestion, ..Self::new(error.error_type, error.message) }
    }
}

impl From<ToolFailure> for ToolResult {
    fn from(failure: ToolFailure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }
}

impl From<Result<ToolResult, ToolFailure>> for ToolResult {
    fn from(result: Result<ToolResult, ToolFailure>) -> Self {
        result.unwrap_or_else(Into::into)
    }
}
