//! [`ToolManager`]: the one way to run a tool. One per session; what it remembers between calls is here.
//!
//! A call is prepared (looked up, resolved, validated, allowed), run, and finished (stored, recorded). Whatever happens
//! on the way is a result that the agent hears; only an event that cannot be recorded is an error.

mod asking;
mod call;
mod changes;
mod delegation;
mod ending;
mod fields;
mod finish;
mod prepare;
mod run;
mod said;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, MessageId, Operation};
use tokio_util::sync::CancellationToken;

pub use self::delegation::Delegation;
use super::checkpoints::SessionCheckpoints;
use super::files::FileTracker;
use super::host::CallHost;
use super::network_policy::NetworkPolicy;
use super::permissions::RuleSet;
use super::policy::Policy;
use super::registry::ToolRegistry;
use super::repeats::Repeats;
use super::result::ToolResult;
use switchboard_accounts::Principal;
use switchboard_context::ContextManager;
use switchboard_events::{FileSeen, RecordError, ReplyPart};
use switchboard_runtime::Shutdown;
use switchboard_workspace::{DeniedPaths, Workspace};

/// What a manager works with; all of it is shared.
#[derive(Clone)]
pub struct ToolManagerConfig {
    /// The tools there are.
    pub registry: Arc<ToolRegistry>,
    /// Which calls run.
    pub policy: Arc<Policy>,
    /// The folder that tools work in.
    pub workspace: Arc<Workspace>,
    /// For whom calls run.
    pub principal: Principal,
    /// Where calls run as tasks.
    pub shutdown: Shutdown,
    /// The session's checkpoints; without them, what programs change cannot be put back.
    pub checkpoints: Option<SessionCheckpoints>,
}

/// Runs the tools of one session.
pub struct ToolManager {
    config: ToolManagerConfig,
    repeats: Mutex<Repeats>,
    files: FileTracker,
    /// The session's own rules.
    rules: Arc<RwLock<Arc<RuleSet>>>,
    /// Names for results are taken one call at a time.
    naming: tokio::sync::Mutex<()>,
}

/// A call to be made.
pub struct Invocation<'a> {
    /// The call.
    pub call_id: CallId,
    /// The call of the specialist that makes it.
    pub parent: Option<CallId>,
    /// The turn; absent for a call of the user's own.
    pub turn_id: Option<&'a MessageId>,
    /// The tool.
    pub tool: &'a str,
    /// The tools that this call may be of; without them, all of the manager's.
    pub within: Option<&'a ToolRegistry>,
    /// The arguments, references unresolved.
    pub arguments: Map<String, Value>,
    /// The variable that takes the value, if somebody named one on purpose.
    pub output: Option<String>,
    /// The reply of a model that it is made in.
    pub reply: Option<&'a ReplyPart>,
    /// What was asked for.
    pub request: &'a str,
    /// The user makes the call: there is no approval, and it is not part of the conversation.
    pub by_user: bool,
    /// Set if it was asked about before a restart: the files that it changes as they were known then. The answer is heard
    /// also if it would run unasked now.
    pub answered: Option<&'a [FileSeen]>,
    /// Whether a model that can be shown pictures reads the result.
    pub sees_pictures: bool,
    /// The variables that references stand for.
    pub context: &'a ContextManager,
    /// Canceled when the call must end.
    pub cancellation: CancellationToken,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// The result; a failure's message begins with the call: `tool(param="value"): …`.
    pub result: ToolResult,
    /// Whether the tool ran.
    pub started: bool,
    /// Whether the result is that of the same call earlier in the turn.
    pub repeated: bool,
    /// The variable that took the value.
    pub variable: Option<String>,
    /// For the history; recorded only if the tool ran.
    pub operation: Operation,
    /// The result for the reasoner.
    pub view: String,
}

impl ToolManager {
    /// The manager of a session.
    #[must_use]
    pub fn new(config: ToolManagerConfig) -> Self {
        Self {
            config,
            repeats: Mutex::default(),
            files: FileTracker::default(),
            rules: Arc::default(),
            naming: tokio::sync::Mutex::default(),
        }
    }

    /// Makes a call and records it.
    ///
    /// # Errors
    /// When an event cannot be recorded; a tool that fails is a [`CallOutcome`].
    pub async fn call(&self, invocation: Invocation<'_>, host: &dyn CallHost) -> Result<CallOutcome, RecordError> {
        let call = match self.prepare(&invocation, host).await {
            Ok(call) => call,
            Err(stopped) => return self.finish_unstarted(&invocation, *stopped, host).await,
        };
        let held = match self.take_files(&invocation, &call, host).await {
            Ok(held) => held,
            Err(stopped) => return self.finish_unstarted(&invocation, *stopped, host).await,
        };
        self.start(&invocation, &call, &held, host).await?;
        let ran = self.run(&invocation, &call, &held, host).await;
        self.finish(&invocation, call, ran, held, host).await
    }

    /// Takes files for read that were read before a restart; those that are not what they were have changed since.
    pub async fn recall_files(&self, files: &[FileSeen]) {
        self.files.recall(&self.workspace(), files).await;
    }

    /// The turn is over: the same call may run again.
    pub fn clear_current_turn(&self) {
        self.repeats().clear();
    }

    /// The session begins again: files count as never read.
    pub fn clear_state(&self) {
        self.clear_current_turn();
        self.files.clear();
    }

    /// Other rules of the session's own, from the next call on.
    pub fn set_rules(&self, rules: RuleSet) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
    }

    /// What commands may reach of the network, from now on too.
    fn network_policy(&self) -> NetworkPolicy {
        NetworkPolicy::new(Arc::clone(&self.config.policy), Arc::clone(&self.rules))
    }

    /// The rules in force: the server's and the session's own.
    fn rules(&self) -> RuleSet {
        self.network_policy().rules()
    }

    /// The workspace without what rules close.
    #[must_use]
    pub fn workspace(&self) -> Arc<Workspace> {
        let rules = self.rules();
        let denied_paths =
            if rules.denies_paths() { rules.denied_paths(&self.config.registry.all()) } else { DeniedPaths::default() };
        match denied_paths.is_empty() {
            true => Arc::clone(&self.config.workspace),
            false => Arc::new(self.config.workspace.denying(denied_paths)),
        }
    }

    fn repeats(&self) -> MutexGuard<'_, Repeats> {
        self.repeats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod approval_tests;
#[cfg(test)]
mod limits_tests;
#[cfg(test)]
mod questions_tests;
#[cfg(test)]
#[path = "manager_tests.rs"]
mod tests;
