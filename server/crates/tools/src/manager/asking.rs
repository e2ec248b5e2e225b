//! The question about a call: what is shown of it, and what an answer for the session allows.

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::Risk;

use super::Invocation;
use super::call::Call;
use super::said::told_diff;
use crate::files::Claim;
use crate::host::ApprovalAsk;
use crate::repeats::arguments_hash;
use crate::text::call_text;
use switchboard_context::asked_arguments;
use switchboard_events::Grant;

/// What the user is told beside the call.
pub(super) struct AskReason {
    pub(super) reason: String,
    pub(super) undoable: bool,
    /// What it would do to files that are there.
    pub(super) diff: Option<String>,
    /// Whether leave for the session is leave for this one call.
    pub(super) exactly: bool,
}

/// What is asked.
pub(super) fn ask(invocation: &Invocation<'_>, call: &Call, question: AskReason) -> ApprovalAsk {
    let AskReason { reason, undoable, diff, exactly } = question;
    let spec = call.tool.spec();
    let risk = call.risk();
    // Leave to run a program is leave to run that one program.
    let exactly = exactly || spec.definition.risk == Risk::Execute || risk == Risk::Execute;
    let within = call.tool.tool().granted_within(&call.arguments).filter(|_| !exactly);
    let folders = if exactly { Vec::new() } else { call.folders() };
    ApprovalAsk {
        call_id: invocation.call_id.clone(),
        call: call.record(invocation),
        parent: invocation.parent.clone(),
        files: call.claims.iter().filter_map(Claim::seen).collect(),
        tool: spec.definition.name.clone(),
        module: spec.definition.module.clone(),
        arguments: asked_arguments(&call.arguments),
        whole: Arc::new(call.arguments.clone()),
        risk,
        reason,
        undoable,
        diff: diff.map(|diff| told_diff(&diff)),
        covers: covers(&spec.definition.name, exactly.then_some(&call.arguments), within.as_deref(), &folders),
        grant: Grant {
            tool: spec.definition.name.clone(),
            definition: call.tool.fingerprint().to_owned(),
            arguments: match within {
                Some(within) => Some(arguments_hash(&[("within".to_owned(), within.into())].into_iter().collect())),
                None => exactly.then(|| arguments_hash(&call.arguments)),
            },
            folders,
        },
    }
}

/// What `allow-session` allows, in words.
fn covers(tool: &str, exactly: Option<&Map<String, Value>>, within: Option<&str>, folders: &[String]) -> String {
    match (exactly, within, folders) {
        (Some(arguments), ..) => format!("exactly this call in this session: {}", call_text(tool, arguments)),
        (None, Some(within), _) => format!("every call of {tool} within {within} in this session"),
        (None, None, []) => format!("every call of {tool} in this session, whatever its arguments"),
        (None, None, folders) => {
            let places = folders.iter().map(|folder| match folder.as_str() {
                "." => "directly in the workspace's folder".to_owned(),
                folder => format!("in {folder}/"),
            });
            let places = places.collect::<Vec<_>>().join(" and ");
            format!("every call of {tool} for files {places} in this session")
        }
    }
}
