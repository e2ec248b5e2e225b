//! A call on its way to being run, or stopped.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::Risk;

use super::Invocation;
use crate::files::Claim;
use crate::registry::RegisteredTool;
use crate::repeats::CallKey;
use crate::result::{ToolFailure, ToolResult};
use crate::undo::UndoPlan;
use switchboard_events::CallRecord;

/// A call that may run.
pub(super) struct Call {
    pub(super) tool: Arc<RegisteredTool>,
    /// As given, references unresolved.
    pub(super) given: Map<String, Value>,
    /// As the tool gets them.
    pub(super) arguments: Map<String, Value>,
    /// Where references stood, and which.
    pub(super) references: BTreeMap<String, String>,
    /// The variables that were used.
    pub(super) inputs: Vec<String>,
    pub(super) key: CallKey,
    /// The files that it will change.
    pub(super) claims: Vec<Claim>,
    /// What it puts back, if its tool undoes.
    pub(super) undo: Option<UndoPlan>,
}

impl Call {
    /// What it may do.
    pub(super) fn risk(&self) -> Risk {
        self.tool.tool().risk(&self.arguments)
    }

    /// The folders of the files that it changes, as a [`Grant`] names them.
    pub(super) fn folders(&self) -> Vec<String> {
        let parents = self.claims.iter().filter_map(|claim| claim.path.parent());
        let mut folders: Vec<String> = parents.map(|folder| folder.to_string()).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Whether it runs a program that may write into the workspace.
    pub(super) fn runs_program(&self) -> bool {
        self.tool.tool().runs_program(&self.arguments)
    }

    /// What it may do, or what its tool says of all calls where that says more: whether something was changed.
    pub(super) fn worst_risk(&self) -> Risk {
        let said = self.tool.spec().definition.risk;
        let changes = |risk: &Risk| matches!(risk, Risk::Write | Risk::Execute);
        [said, self.risk()].into_iter().find(changes).unwrap_or(said)
    }

    /// What makes it again.
    pub(super) fn record(&self, invocation: &Invocation<'_>) -> CallRecord {
        CallRecord {
            call_id: invocation.call_id.clone(),
            arguments: self.given.clone(),
            repeatable: self.tool.tool().repeatable(),
            request: invocation.request.to_owned(),
            output: invocation.output.clone(),
            reply: invocation.reply.cloned(),
        }
    }

    pub(super) fn stopped(&self, instead: Instead) -> Box<Stopped> {
        Box::new(Stopped { tool: Some(Arc::clone(&self.tool)), arguments: self.arguments.clone(), instead })
    }
}

/// What is known of a call's files before anybody is asked about it.
pub(super) struct FilesCheck {
    /// Whether what it changes can be put back.
    pub(super) undoable: bool,
    /// What of it cannot.
    pub(super) not_kept: Option<String>,
}

/// A call that does not run, and what it gets instead.
pub(super) struct Stopped {
    pub(super) tool: Option<Arc<RegisteredTool>>,
    /// Arguments to show with a failure.
    pub(super) arguments: Map<String, Value>,
    pub(super) instead: Instead,
}

pub(super) enum Instead {
    /// Why it does not run.
    Failure(ToolFailure),
    /// What the same call gave, and the variable that took it.
    Earlier(Arc<ToolResult>, Option<String>),
}
