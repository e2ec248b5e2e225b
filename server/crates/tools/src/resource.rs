//! What windows can show, by handle, and [`ResourceService`]: the way from a tool to the windows and notifications of its
//! session (seed 003).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use switchboard_protocol::{CallId, ErrorType, Notification, OpenWindow, Resource, ViewerType};

use super::result::ToolFailure;
use switchboard_context::valid_name;
use switchboard_events::ArtifactValue;

/// Names something that can be shown. It names no session, so that forks and imports show their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceHandle {
    /// A file or folder of the workspace: `file:<path>`.
    File(String),
    /// A version of a variable: `var:<name>@<version>`; without a version the one there is now.
    Variable {
        /// The variable.
        name: String,
        /// Its version.
        version: Option<u32>,
    },
    /// What a call showed beside its result: `call:<id>/<n>`, counted from 0.
    Call {
        /// The call.
        id: CallId,
        /// Which of the things that it showed.
        index: usize,
    },
}

/// What a handle of a variable or a call stands for.
#[derive(Debug, Clone)]
pub struct FoundResource {
    /// The handle, with the version.
    pub handle: ResourceHandle,
    /// What people call it.
    pub name: String,
    /// The value.
    pub value: Arc<ArtifactValue>,
}

/// What is to be shown, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayRequest {
    /// What.
    pub resource: Resource,
    /// How.
    pub viewer_type: ViewerType,
    /// The window's title.
    pub title: String,
    /// The window that shows it from now on, by its id or by what it shows; without one, the window that shows it
    /// already, or a new one.
    pub window: Option<String>,
}

/// Where something is shown now.
#[derive(Debug, Clone, PartialEq)]
pub struct Displayed {
    /// The window.
    pub window_id: String,
    /// What the window showed before, if it was open.
    pub replaced: Option<String>,
    /// The title of a window that was closed to make room.
    pub closed: Option<String>,
    /// How many clients show windows.
    pub viewers: usize,
}

/// The windows and notifications of a session.
#[async_trait]
pub trait ResourceService: Send + Sync {
    /// What a handle of a variable or a call stands for; files are read from the workspace.
    ///
    /// # Errors
    /// A `user_error` when there is no such thing.
    async fn find(&self, handle: &ResourceHandle) -> Result<FoundResource, ToolFailure>;

    /// Shows something in a window.
    ///
    /// # Errors
    /// When the session has ended.
    async fn display_resource(&self, request: DisplayRequest) -> Result<Displayed, ToolFailure>;

    /// Shows a notification; how many clients show it.
    ///
    /// # Errors
    /// When the session has ended.
    async fn show_notification(&self, notification: Notification) -> Result<usize, ToolFailure>;

    /// Closes a window, named by its id or by what it shows; the window that was closed.
    ///
    /// # Errors
    /// When the session has ended.
    async fn close_window(&self, window: &str) -> Result<Option<OpenWindow>, ToolFailure>;

    /// The windows that are open, the one used last at the end.
    ///
    /// # Errors
    /// When the session has ended.
    async fn open_windows(&self) -> Result<Vec<OpenWindow>, ToolFailure>;
}

/// Where nothing can be shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWindows;

#[async_trait]
impl ResourceService for NoWindows {
    async fn find(&self, handle: &ResourceHandle) -> Result<FoundResource, ToolFailure> {
        Err(not_found(handle))
    }

    async fn display_resource(&self, _request: DisplayRequest) -> Result<Displayed, ToolFailure> {
        Err(nowhere())
    }

    async fn show_notification(&self, _notification: Notification) -> Result<usize, ToolFailure> {
        Err(nowhere())
    }

    async fn close_window(&self, _window: &str) -> Result<Option<OpenWindow>, ToolFailure> {
        Ok(None)
    }

    async fn open_windows(&self) -> Result<Vec<OpenWindow>, ToolFailure> {
        Ok(Vec::new())
    }
}

fn nowhere() -> ToolFailure {
    ToolFailure::new(ErrorType::System, "there is no session here that could show it")
}

/// There is no such thing.
#[must_use]
pub fn not_found(handle: &ResourceHandle) -> ToolFailure {
    let message = match handle {
        ResourceHandle::File(path) => format!("there is no file `{path}`"),
        ResourceHandle::Variable { name, version: None } => format!("there is no variable `{name}`"),
        ResourceHandle::Variable { name, version: Some(version) } => {
            format!("there is no version {version} of a variable `{name}` any more")
        }
        ResourceHandle::Call { id, index } => format!("the call `{id}` showed nothing with the number {index}"),
    };
    let next =
        "A resource is `file:<path>`, `var:<name>` or `call:<id>/<n>`; a path alone is a file, and `@name` a variable.";
    ToolFailure::new(ErrorType::User, message).suggesting(next)
}

impl fmt::Display for ResourceHandle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "file:{path}"),
            Self::Variable { name, version: None } => write!(formatter, "var:{name}"),
            Self::Variable { name, version: Some(version) } => write!(formatter, "var:{name}@{version}"),
            Self::Call { id, index } => write!(formatter, "call:{id}/{index}"),
        }
    }
}

/// A text that is no handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHandle;

impl FromStr for ResourceHandle {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        if let Some(path) = text.strip_prefix("file:").filter(|path| !path.is_empty()) {
            return Ok(Self::File(path.to_owned()));
        }
        if let Some(variable) = text.strip_prefix("var:") {
            let (name, version) = match variable.split_once('@') {
                Some((name, version)) => (name, Some(version.parse().map_err(|_| NotAHandle)?)),
                None => (variable, None),
            };
            let name = valid_name(name).map(|()| name.to_owned()).map_err(|_| NotAHandle)?;
            return Ok(Self::Variable { name, version });
        }
        let (id, index) = text.strip_prefix("call:").and_then(|call| call.rsplit_once('/')).ok_or(NotAHandle)?;
        let index = index.parse().map_err(|_| NotAHandle)?;
        match id.is_empty() {
            true => Err(NotAHandle),
            false => Ok(Self::Call { id: CallId::from(id), index }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_written_as_it_is_read() {
        for text in ["file:src/main.rs", "file:a@b", "var:report", "var:report@3", "call:call-1/0", "call:a/b/12"] {
            let handle: ResourceHandle = text.parse().expect("it is a handle");

            assert_eq!(handle.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_no_handles() {
        for text in ["", "README.md", "file:", "var:", "var:a b", "var:a@", "var:a@x", "call:a", "call:/1", "call:a/x"]
        {
            assert_eq!(text.parse::<ResourceHandle>(), Err(NotAHandle), "{text}");
        }
    }
}
