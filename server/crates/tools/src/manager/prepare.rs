//! Before a call: is there such a tool, are its arguments right, was it made already, may it run?

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::{Decision, ErrorType};

use super::asking::{AskReason, ask};
use super::call::{Call, FilesCheck, Instead, Stopped};
use super::{Invocation, ToolManager};
use crate::deletion::deletes_most;
use crate::host::{Approval, CallHost};
use crate::permissions::CallTraits;
use crate::policy::{ApproveMode, Verdict};
use crate::registry::{Absence, RegisteredTool};
use crate::repeats::{CallKey, Earlier, stop_message};
use crate::result::ToolFailure;
use crate::text::sanitize_line;
use crate::undo::{UndoPlan, UndoTarget};
use crate::validator::Problem;
use switchboard_context::{ContextError, Resolved, UnresolvedReference, references};

impl ToolManager {
    /// Looks up, resolves, validates, recognizes repeats, asks.
    pub(super) async fn prepare(&self, invocation: &Invocation<'_>, host: &dyn CallHost) -> Result<Call, Box<Stopped>> {
        let tool = self.look_up(invocation)?;
        if let Some(files) = invocation.answered {
            self.files.recall(&self.config.workspace, files).await;
        }
        let call = self.checked(invocation, &tool, &invocation.arguments, host).await?;
        self.stop_repeats(invocation, &call)?;
        match self.verdict(invocation, &call) {
            Verdict::Allow if invocation.answered.is_some() => {
                self.ask(invocation, call, ASKED_BEFORE.to_owned(), host).await
            }
            Verdict::Allow => match self.deletes_most(invocation, &call).await {
                Some(reason) => self.ask(invocation, call, reason, host).await,
                None => Ok(call),
            },
            Verdict::Deny { reason, suggestion, refused } => Err(call.stopped(denied(reason, &suggestion, refused))),
            Verdict::Ask(reason) => self.ask(invocation, call, reason, host).await,
        }
    }

    /// Why a call is asked about that runs otherwise: it deletes most of the workspace. Where nobody is asked anything,
    /// a rule has allowed it.
    async fn deletes_most(&self, invocation: &Invocation<'_>, call: &Call) -> Option<String> {
        if invocation.by_user || !call.runs_program() || self.config.policy.mode() == ApproveMode::Deny {
            return None;
        }
        let (tool, arguments, workspace) = (invocation.tool.to_owned(), call.arguments.clone(), self.workspace());
        let looked = tokio::task::spawn_blocking(move || deletes_most(&tool, &arguments, &workspace));
        looked.await.ok().flatten()
    }

    fn verdict(&self, invocation: &Invocation<'_>, call: &Call) -> Verdict {
        let spec = call.tool.spec();
        let facts = self.traits(invocation, call).always_confirming(self.config.policy.always_confirms(spec));
        self.config.policy.decide(spec, &facts, &self.rules())
    }

    fn traits<'c>(&self, invocation: &Invocation<'_>, call: &'c Call) -> CallTraits<'c> {
        let tool = call.tool.tool().as_ref();
        let facts = CallTraits::new(tool, &call.arguments, invocation.by_user, &self.config.workspace);
        facts.changing(call.claims.iter().map(|claim| claim.path.as_str()))
    }

    fn look_up(&self, invocation: &Invocation<'_>) -> Result<Arc<RegisteredTool>, Box<Stopped>> {
        let name = invocation.tool;
        let there = invocation.within.unwrap_or(&self.config.registry);
        if let Some(tool) = there.get(name) {
            return Ok(tool);
        }
        let unknown = |failure| {
            let arguments = invocation.arguments.clone();
            Err(Box::new(Stopped { tool: None, arguments, instead: Instead::Failure(failure) }))
        };
        if self.config.registry.is_withheld(name) {
            let message = "it is held back, because its definition is no longer what was approved";
            let next = format!("`/mcp` shows what it says now; the user can approve it with `/mcp approve {name}`.");
            return unknown(ToolFailure::new(ErrorType::Permission, message).suggesting(next));
        }
        if let Some(Absence { why, next }) = self.config.registry.absence(name) {
            return unknown(ToolFailure::new(ErrorType::Permission, why).suggesting(next));
        }
        if self.config.registry.get(name).is_some() {
            let next = "Use one of the tools that are offered, or tell the user that this one is needed.";
            return unknown(ToolFailure::new(ErrorType::Permission, NOT_ITS_TOOL).suggesting(next));
        }
        let near = there.near(name);
        let hint = match near.as_slice() {
            [] => "Search the tools with `/tools <words>`.".to_owned(),
            near => format!("Did you mean {}?", near.join(" or ")),
        };
        unknown(ToolFailure::new(ErrorType::Validation, "there is no tool with this name").suggesting(hint))
    }

    /// The call with these arguments, once they are known to be right and to do no plain harm.
    async fn checked(
        &self,
        invocation: &Invocation<'_>,
        tool: &Arc<RegisteredTool>,
        arguments: &Map<String, Value>,
        host: &dyn CallHost,
    ) -> Result<Call, Box<Stopped>> {
        let mut given = arguments.clone();
        tool.tool().normalise(&mut given);
        let stopped = |arguments: &Map<String, Value>, failure| {
            let instead = Instead::Failure(failure);
            Box::new(Stopped { tool: Some(Arc::clone(tool)), arguments: arguments.clone(), instead })
        };
        let resolved = match invocation.context.resolve_params(host.values(), &given).await {
            Ok(resolved) => resolved,
            Err(error) => return Err(stopped(&given, unresolved(tool, &given, error))),
        };
        let Resolved { mut arguments, references, inputs } = resolved;
        tool.tool().normalise(&mut arguments);
        let problems = tool.validator().problems(&arguments);
        if let Some(failure) = tool.validator().failure(&problems) {
            return Err(stopped(&arguments, failure));
        }
        if let Err(failure) = tool.tool().guard(&arguments) {
            return Err(stopped(&arguments, failure));
        }
        let undo = match tool.tool().undoes(&arguments) {
            Some(target) => match self.undo_plan(target, host).await {
                Ok(plan) => Some(plan),
                Err(failure) => return Err(stopped(&arguments, failure)),
            },
            None => None,
        };
        // Whoever is asked, and whoever looks at the call, sees which calls are meant.
        let changes = undo.as_ref().map_or_else(|| tool.tool().changes(&arguments), UndoPlan::paths);
        let arguments = undo.as_ref().map_or(arguments, UndoPlan::arguments);
        let claims = match self.files.claim(&self.config.workspace, &changes).await {
            Ok(claims) => claims,
            Err(failure) => return Err(stopped(&arguments, failure)),
        };
        let key = CallKey::new(invocation.tool, &arguments);
        Ok(Call { tool: Arc::clone(tool), given, arguments, references, inputs, key, claims, undo })
    }

    async fn undo_plan(&self, target: UndoTarget, host: &dyn CallHost) -> Result<UndoPlan, ToolFailure> {
        UndoPlan::new(target, host, self.config.checkpoints.as_ref(), &self.workspace()).await
    }

    /// Within a turn, the same call is made once.
    fn stop_repeats(&self, invocation: &Invocation<'_>, call: &Call) -> Result<(), Box<Stopped>> {
        if invocation.by_user {
            return Ok(());
        }
        let instead = match self.repeats().earlier(&call.key) {
            Earlier::Nothing => return Ok(()),
            Earlier::Result(result, variable) => Instead::Earlier(result, variable),
            Earlier::Failures(failures, result) => {
                let failure = result.failure.as_ref();
                let error = failure.map(|failure| failure.message.as_str()).unwrap_or_default();
                let error_type = failure.map_or(ErrorType::System, |failure| failure.error_type);
                Instead::Failure(ToolFailure::new(error_type, stop_message(failures, error)))
            }
        };
        Err(call.stopped(instead))
    }

    /// Asks until the answer is about what will run: a tool whose definition changed meanwhile is asked about anew, and
    /// edited arguments are checked like any others.
    async fn ask(
        &self,
        invocation: &Invocation<'_>,
        mut call: Call,
        mut reason: String,
        host: &dyn CallHost,
    ) -> Result<Call, Box<Stopped>> {
        for _ in 0..MOST_QUESTIONS {
            let FilesCheck { undoable, not_kept } = self.check_files(invocation, &call).await?;
            let told = not_kept.map(|what| format!("{reason} This cannot be undone: {what}."));
            let exactly = self.traits(invocation, &call).start_file().is_some();
            let (checkpoints, workspace) = (self.config.checkpoints.as_ref(), self.workspace());
            let diff = match &call.undo {
                Some(plan) => plan.foreseen_diff(host, checkpoints, &workspace).await,
                None => call.tool.tool().foreseen_diff(&workspace, &call.arguments).await,
            };
            let asked = ask(invocation, &call, AskReason { reason: told.unwrap_or(reason), undoable, diff, exactly });
            let shown = asked.arguments.clone();
            let mut approval = host.ask_approval(asked).await;
            let edited = approval.arguments.take();
            if let Some(instead) = refused(&approval) {
                return Err(call.stopped(instead));
            }
            let now = self.look_up(invocation)?;
            let changed = now.fingerprint() != call.tool.fingerprint();
            if edited.is_some() || changed {
                let given = call.given.clone();
                let arguments = edited.map_or(given, |edited| with_what_was_left(edited, &shown, &call));
                call = self.checked(invocation, &now, &arguments, host).await?;
            }
            // A rule may have come meanwhile, and the edited arguments may be denied.
            match self.verdict(invocation, &call) {
                Verdict::Deny { reason, suggestion, refused } => {
                    return Err(call.stopped(denied(reason, &suggestion, refused)));
                }
                Verdict::Ask(again) if changed => {
                    reason = format!("{again} The tool has changed since you were asked.");
                }
                Verdict::Allow | Verdict::Ask(_) => return Ok(call),
            }
        }
        let changing = "its definition changes faster than it can be approved".to_owned();
        Err(call.stopped(denied(changing, "Call it again when its server has stopped changing it.", false)))
    }
}

/// What an agent is told that calls a tool which its file leaves out.
const NOT_ITS_TOOL: &str = "the file of the primary agent names the tools that it may use, and this is none of them";

/// Why a call is asked about that would run unasked by now, where the answer was about something else.
const ASKED_BEFORE: &str = "You were asked about this call before the server stopped, and something of it has changed.";

/// How often one call asks, at most.
const MOST_QUESTIONS: usize = 3;

/// What a call gets that was not allowed.
fn refused(approval: &Approval) -> Option<Instead> {
    let said = approval.reason.as_deref().map(sanitize_line).filter(|reason| !reason.is_empty());
    match approval.decision {
        Decision::AllowOnce | Decision::AllowSession => None,
        Decision::Deny => {
            let what = "the user did not allow it";
            Some(denied(said.map_or_else(|| what.to_owned(), |said| format!("{what}: {said}")), DENIED_BY_USER, true))
        }
        Decision::Expired => Some(denied("nobody allowed it in time".to_owned(), EXPIRED, false)),
        Decision::Cancelled => Some(denied("it was cancelled before it was allowed".to_owned(), CANCELLED, false)),
    }
}

/// The edited arguments; what the user left as it was shown stays what it was, also where it was shown cut or stood for
/// a variable.
fn with_what_was_left(edited: Map<String, Value>, shown: &Map<String, Value>, call: &Call) -> Map<String, Value> {
    let whole = |(name, value): (String, Value)| {
        let given = call.given.get(&name).filter(|_| shown.get(&name) == Some(&value));
        let value = given.cloned().unwrap_or(value);
        (name, value)
    };
    edited.into_iter().map(whole).collect()
}

const DENIED_BY_USER: &str = "Say what to do instead.";
const EXPIRED: &str = "Send the request again and answer the question in time. If you run this server, you can also \
                       start it with `--approve auto`.";
const CANCELLED: &str = "Send the message again to try again.";

fn denied(message: String, suggestion: &str, refused: bool) -> Instead {
    let failure = ToolFailure::new(ErrorType::Permission, message).suggesting(suggestion);
    Instead::Failure(if refused { failure.refused() } else { failure })
}

/// One failure for every reference that does not resolve and everything else that is wrong with the arguments.
fn unresolved(tool: &RegisteredTool, given: &Map<String, Value>, error: ContextError) -> ToolFailure {
    let (unresolved, available) = match error {
        ContextError::Unresolved { unresolved, available } => (unresolved, available),
        ContextError::ArgumentsTooLarge { .. } => {
            return ToolFailure::new(ErrorType::Validation, error.to_string());
        }
        other => return ToolFailure::new(ErrorType::System, other.to_string()),
    };
    let referring: Vec<String> = references(given).into_iter().map(|reference| reference.path).collect();
    // What is in place of a reference is not known, so it is not judged.
    let known = |problem: &Problem| !problem.of_value || !referring.iter().any(|path| is_within(path, &problem.path));
    let mut problems: Vec<Problem> = unresolved.into_iter().map(described).collect();
    problems.extend(tool.validator().problems(given).into_iter().filter(known));
    let failure = tool
        .validator()
        .failure(&problems)
        .unwrap_or_else(|| ToolFailure::new(ErrorType::Validation, "a reference does not resolve"));
    ToolFailure { message: format!("{}. {}", failure.message, variables_there_are(&available)), ..failure }
}

/// Whether `inner` is `outer` or a place inside it: `files[0].name` in `files`.
fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

fn described(unresolved: UnresolvedReference) -> Problem {
    let UnresolvedReference { path, reference, reason } = unresolved;
    Problem { path, message: format!("is {reference}: {reason}"), of_value: true }
}

fn variables_there_are(available: &[String]) -> String {
    const SHOWN: usize = 30;
    match available {
        [] => "There are no variables yet".to_owned(),
        names if names.len() <= SHOWN => format!("The variables are: @{}", names.join(", @")),
        names => format!("The variables are: @{} and {} more", names[..SHOWN].join(", @"), names.len() - SHOWN),
    }
}
