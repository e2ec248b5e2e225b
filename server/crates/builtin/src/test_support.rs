//! What the tests of all built-in tools need: a workspace of their own, a call as the manager makes it, and what holds
//! for every definition.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ErrorType, Notification, OpenWindow, Stream};
use tokio_util::sync::CancellationToken;

use switchboard_accounts::Principal;
use switchboard_events::ArtifactValue;
use switchboard_tools::test_support::workspace;
use switchboard_tools::{
    DisplayRequest, Displayed, FoundResource, NetworkPolicy, OutputSink, ResourceHandle, ResourceService, Tool,
    ToolContext, ToolFailure, ToolResult, ToolValidator, not_found,
};
use switchboard_tools::{UserAsks, UserLine};
use switchboard_workspace::Workspace;

/// A tool in a workspace of its own.
pub(super) struct Bench<T> {
    pub(super) tool: T,
    pub(super) cancellation: CancellationToken,
    pub(super) output: Arc<Output>,
    /// The other end of the line to the user.
    pub(super) asks: tokio::sync::Mutex<UserAsks>,
    user: UserLine,
    /// Which domains commands may reach.
    pub(super) network_policy: NetworkPolicy,
    /// The windows of the session.
    pub(super) resource_service: Arc<Windows>,
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
}

/// What a tool has put out so far.
#[derive(Default)]
pub(super) struct Output(Mutex<Vec<(Stream, String)>>, tokio::sync::Notify);

impl OutputSink for Output {
    fn chunk(&self, stream: Stream, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((stream, text.to_owned()));
        self.1.notify_one();
    }
}

impl Output {
    /// All of a stream.
    pub(super) fn text(&self, wanted: Stream) -> String {
        let chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.iter().filter(|(stream, _)| *stream == wanted).map(|(_, text)| text.as_str()).collect()
    }

    /// Waits until a stream has this text in it.
    pub(super) async fn has(&self, stream: Stream, text: &str) {
        while !self.text(stream).contains(text) {
            self.1.notified().await;
        }
    }
}

impl<T: Tool> Bench<T> {
    pub(super) fn new(tool: T) -> Self {
        let (folder, workspace) = workspace();
        let (user, asks) = UserLine::open();
        let (cancellation, asks) = (CancellationToken::new(), tokio::sync::Mutex::new(asks));
        Self {
            tool,
            cancellation,
            output: Arc::default(),
            asks,
            user,
            network_policy: NetworkPolicy::default(),
            resource_service: Arc::default(),
            folder,
            workspace,
        }
    }

    /// The workspace's folder.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the workspace, with the folders above it.
    pub(super) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.folder().join(path);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders can be made");
        std::fs::write(path, content).expect("a file can be written");
        self
    }

    /// A call as the manager makes it.
    pub(super) async fn run(&self, arguments: Value) -> ToolResult {
        let mut arguments = map(arguments);
        self.tool.normalise(&mut arguments);
        let validator = ToolValidator::new(&self.tool.spec().definition).expect("a usable schema");
        if let Some(failure) = validator.failure(&validator.problems(&arguments)) {
            return failure.into();
        }
        if let Err(failure) = self.tool.guard(&arguments) {
            return failure.into();
        }
        let context = ToolContext {
            call_id: CallId::random(),
            principal: Principal::local(),
            workspace: Arc::clone(&self.workspace),
            cancellation: self.cancellation.clone(),
            output: Arc::clone(&self.output) as _,
            user: self.user.clone(),
            domain_policy: Arc::new(self.network_policy.clone()),
            resource_service: Arc::clone(&self.resource_service) as _,
            delegation: None,
            undo: Arc::default(),
        };
        let result = self.tool.execute(&context, &arguments).await;
        if let (None, Some(value)) = (&result.failure, &result.value) {
            assert_eq!(validator.output_mismatch(&value.to_json()), None, "its value is not what its definition says");
        }
        result
    }

    /// A call that works, and its value.
    pub(super) async fn value(&self, arguments: Value) -> ArtifactValue {
        let result = self.run(arguments).await;
        assert_eq!(result.failure, None);
        result.value.expect("it has a value")
    }

    /// A call that works, and its value as JSON.
    pub(super) async fn json(&self, arguments: Value) -> Value {
        self.value(arguments).await.to_json()
    }

    /// A call that fails: how, and what it says to do next.
    pub(super) async fn failure(&self, arguments: Value) -> (ErrorType, String, String) {
        let failure = self.run(arguments).await.failure.expect("it fails");
        (failure.error_type, failure.message, failure.suggestion.unwrap_or_default())
    }

    /// A call whose arguments do not fit, and what is said of them.
    pub(super) async fn problems(&self, arguments: Value) -> String {
        let (error_type, message, suggestion) = self.failure(arguments).await;
        assert_eq!(error_type, ErrorType::Validation, "{message}");
        assert!(suggestion.starts_with("Example: "), "{suggestion}");
        message
    }

    /// What holds for every definition.
    pub(super) fn definition_is_whole(&self) {
        let definition = &self.tool.spec().definition;
        let is_snake =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        assert!(is_snake(&definition.name) && definition.description.len() > 40);
        let properties = definition.parameters["properties"].as_object().expect("it has parameters");
        for (name, property) in properties {
            assert!(is_snake(name), "{name} is not snake_case");
            assert!(property["description"].as_str().is_some_and(|text| text.len() > 10), "{name} is not described");
        }
        assert_eq!(definition.parameters["additionalProperties"], false);
        let validator = ToolValidator::new(definition).expect("a usable schema");
        assert_eq!(validator.problems(&map(definition.example.clone())), []);
        assert!(definition.output.is_some(), "its value is not described");
    }

    /// What the user who is asked about a call sees that it would do to files.
    pub(super) async fn foreseen(&self, arguments: Value) -> Option<String> {
        let mut arguments = map(arguments);
        self.tool.normalise(&mut arguments);
        self.tool.foreseen_diff(&self.workspace, &arguments).await
    }

    /// The preview of a call that works.
    pub(super) async fn preview(&self, arguments: Value) -> Vec<String> {
        let result = self.run(arguments).await;
        assert_eq!(result.failure, None);
        self.tool.preview(&result, 3)
    }
}

pub(super) fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

/// The windows of a session in memory.
#[derive(Default)]
pub(super) struct Windows {
    /// Its variables.
    pub(super) variables: Mutex<Vec<(String, ArtifactValue)>>,
    /// What was shown.
    pub(super) shown: Mutex<Vec<DisplayRequest>>,
    /// What the user was told.
    pub(super) told: Mutex<Vec<Notification>>,
}

#[async_trait]
impl ResourceService for Windows {
    async fn find(&self, handle: &ResourceHandle) -> Result<FoundResource, ToolFailure> {
        let ResourceHandle::Variable { name, .. } = handle else { return Err(not_found(handle)) };
        let variables = self.variables.lock().expect("no test panics with it");
        let found = variables.iter().find(|(known, _)| known == name).map(|(_, value)| Arc::new(value.clone()));
        let handle = ResourceHandle::Variable { name: name.clone(), version: Some(1) };
        found.map(|value| FoundResource { handle: handle.clone(), name: name.clone(), value }).ok_or(not_found(&handle))
    }

    async fn display_resource(&self, request: DisplayRequest) -> Result<Displayed, ToolFailure> {
        self.shown.lock().expect("no test panics with it").push(request);
        Ok(Displayed { window_id: "w1".to_owned(), replaced: None, closed: None, viewers: 1 })
    }

    async fn show_notification(&self, notification: Notification) -> Result<usize, ToolFailure> {
        self.told.lock().expect("no test panics with it").push(notification);
        Ok(1)
    }

    async fn close_window(&self, _window: &str) -> Result<Option<OpenWindow>, ToolFailure> {
        Ok(None)
    }

    async fn open_windows(&self) -> Result<Vec<OpenWindow>, ToolFailure> {
        Ok(Vec::new())
    }
}
