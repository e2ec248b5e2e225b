//! The trait [`Tool`], what a tool says of itself, and what it is given.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Risk, Stream, ToolDefinition};
use tokio_util::sync::CancellationToken;

use super::domain_policy::DomainPolicy;
use super::question::UserLine;
use super::resource::ResourceService;
use super::result::{ToolFailure, ToolResult};
use super::text::preview_lines;
use super::undo::{UndoTarget, UndoWork};
use switchboard_accounts::Principal;
use switchboard_workspace::Workspace;

/// What a tool says of itself.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// Name, description, module, parameters, output, example, risk.
    pub definition: ToolDefinition,
    /// Running it twice does no more than running it once; implied by the risk `read`.
    pub repeatable: bool,
    /// It says that it only reads. Decides nothing about approval, unless its risk is `read`, too.
    pub says_it_reads: bool,
    /// What it changed can be put back.
    pub undoable: bool,
    /// It asks under every policy.
    pub always_confirm: bool,
    /// No running animation.
    pub quiet: bool,
    /// How long a call may take.
    pub time_limit: Duration,
    /// The variable that takes its value when nobody named one; absent: `<tool>_result`.
    pub default_variable: Option<&'static str>,
    /// Its value is kept only under a name that somebody gives it.
    pub only_named: bool,
    /// It is for clients that show windows: where a model has no room for all tools, it gives way first.
    pub for_viewers: bool,
}

impl ToolSpec {
    /// A tool that may not be repeated, does not always ask for confirmation, and may run for 30 s.
    #[must_use]
    pub fn new(definition: ToolDefinition) -> Self {
        Self {
            definition,
            repeatable: false,
            says_it_reads: false,
            undoable: false,
            always_confirm: false,
            quiet: false,
            time_limit: Duration::from_secs(30),
            default_variable: None,
            only_named: false,
            for_viewers: false,
        }
    }

    /// A tool that changes files, so that what it changed can be put back.
    #[must_use]
    pub fn undoable(definition: ToolDefinition) -> Self {
        Self { undoable: true, ..Self::new(definition) }
    }
}

/// Something the agent can do.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What it says of itself.
    fn spec(&self) -> &ToolSpec;

    /// What this call may do, where its arguments make that more than the definition says; the arguments are valid.
    /// What the definition says holds beside it.
    fn risk(&self, _arguments: &Map<String, Value>) -> Risk {
        self.spec().definition.risk
    }

    /// Whether running a call twice does no more than running it once.
    fn repeatable(&self) -> bool {
        self.spec().repeatable || self.spec().definition.risk == Risk::Read
    }

    /// How long this call may take; the arguments are valid.
    fn time_limit(&self, _arguments: &Map<String, Value>) -> Duration {
        self.spec().time_limit
    }

    /// Brings other ways to write the same arguments into the form that the schema has, such as `path` for one file of
    /// `file_paths`. Done before references are resolved and again after, so doing it twice must change nothing.
    fn normalise(&self, _arguments: &mut Map<String, Value>) {}

    /// Refuses arguments that would do plain harm, before anybody is asked and under every policy.
    ///
    /// # Errors
    /// The refusal, usually a `security_error`.
    fn guard(&self, _arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Ok(())
    }

    /// Paths of the files that this call will change, as far as the arguments say it: nobody else changes them
    /// meanwhile, and they must be what the session last saw of them.
    fn changes(&self, _arguments: &Map<String, Value>) -> Vec<String> {
        Vec::new()
    }

    /// What this call would do to files that are there, as a unified diff, for the user who is asked; or one line that
    /// says why that cannot be shown. None if it does nothing to them, or if that is not known beforehand.
    async fn foreseen_diff(&self, _workspace: &Workspace, _arguments: &Map<String, Value>) -> Option<String> {
        None
    }

    /// Whether it puts content of its own in place of whatever a file holds. Then no other call may have changed the
    /// file since this one was made; a tool that changes what it finds only waits for its turn.
    fn overwrites(&self) -> bool {
        false
    }

    /// Whether this call makes its files and leaves alone what is there: then it is refused when one of them is.
    fn only_creates(&self, _arguments: &Map<String, Value>) -> bool {
        false
    }

    /// Whether this call names the content that its own replaces, and refuses by itself to write over any other.
    fn names_base(&self, _arguments: &Map<String, Value>) -> bool {
        false
    }

    /// Whether this call runs a program that may write into the workspace: what that changes can be put back.
    fn runs_program(&self, _arguments: &Map<String, Value>) -> bool {
        false
    }

    /// The earlier calls whose changes of files this call puts back; [`ToolContext::undo`] has the files.
    fn undoes(&self, _arguments: &Map<String, Value>) -> Option<UndoTarget> {
        None
    }

    /// What an allowance for the session is narrowed to, in words that are the same for every call it then covers, such
    /// as the host that is fetched from; none if it covers every call.
    fn granted_within(&self, _arguments: &Map<String, Value>) -> Option<String> {
        None
    }

    /// How far programs that its calls run reach, to go on after "the network"; nothing if that is not known.
    fn network_reach(&self) -> Option<&'static str> {
        None
    }

    /// What a call does, in a few words, for the heading of its card.
    fn title(&self, _arguments: &Map<String, Value>) -> Option<String> {
        None
    }

    /// At most `max_lines` lines about a result that worked; the beginning of its view, if the tool knows no better.
    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        preview_lines(result.view.as_deref().unwrap_or_default(), max_lines)
    }

    /// Runs. References are resolved and the arguments fit the schema. Work over a second sends progress; a canceled
    /// token ends the work soon (the manager stops waiting anyway).
    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult;
}

/// What a tool is given beside its arguments.
#[derive(Clone)]
pub struct ToolContext {
    /// The call.
    pub call_id: CallId,
    /// For whom it runs.
    pub principal: Principal,
    /// The folder that tools work in.
    pub workspace: Arc<Workspace>,
    /// Canceled when the call must end.
    pub cancellation: CancellationToken,
    /// Takes live output.
    pub output: Arc<dyn OutputSink>,
    /// Asks the user.
    pub user: UserLine,
    /// Which domains a program that it runs may reach.
    pub domain_policy: Arc<dyn DomainPolicy>,
    /// The windows and notifications of the session.
    pub resource_service: Arc<dyn ResourceService>,
    /// For a tool that makes calls of its own: a [`Delegation`](crate::Delegation), which is found by `Delegation::of`.
    /// Its type is not said here, because a manager knows tools, and a tool does not know managers.
    pub delegation: Option<Arc<dyn Any + Send + Sync>>,
    /// What a call of a tool which undoes puts back.
    pub undo: Arc<UndoWork>,
}

/// Takes a tool's live output; it never blocks and never fails.
pub trait OutputSink: Send + Sync {
    /// Text as it comes; offsets are counted by the receiver.
    fn chunk(&self, stream: Stream, text: &str);
}
