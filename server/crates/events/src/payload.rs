//! What only the server sees of an event: full values, full arguments, model messages.
//!
//! One record with optional parts, because what has no frame of its own is stored with the next event that has one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, MessageId, Operation, Variable};

use super::content::Content;
use super::files::{CheckpointRecord, FileChange, FileImage, FileSeen};
use super::fork::ForkRecord;
use super::picture::Picture;
use super::value::{BlobHash, StoredValue};

/// How what a specialist takes note of is written. What has another number cannot be gone on from.
const INSIDE_SCHEMA: u32 = 1;

/// The private part of an event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerOnly {
    /// On `context-update`: the values of the variables in `set`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, StoredValue>,
    /// On `tool-call-start`: the call in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRecord>,
    /// On `tool-call-start`: the files that the call may change, as they were; nothing if they are too large to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<FileImage>>,
    /// On `tool-call-end`: the files that the call changed. Missing with images at the start: the call was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<FileChange>>,
    /// On `tool-call-end`: the files that the call has read as a whole or written, as they were then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<FileSeen>,
    /// On `tool-call-start` and `tool-call-end`: the checkpoint around the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointRecord>,
    /// On `tool-call-end`: the pictures that the call gave, as their handles count them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// On `tool-call-end`: the operation for the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// Messages that enter the conversation at this event, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<ChatMessage>,
    /// Messages of the user that the running turn took up at this event (its own first message, then steered ones).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<MessageId>,
    /// On `agent-thinking`: the turn goes on, which the server's end had cut off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// On `agent-thinking`, and on the answer to a plan: from where the turn goes on if the server ends now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Value>,
    /// On what happens inside a specialist: what it has taken note of until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Box<InsideRecord>>,
    /// On `user-query` of the kind `plan`: the plan, as the reasoner wrote it, to be carried out as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<serde_json::Value>,
    /// On `approval-request`: the call that waits for its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<AskedCall>,
    /// On `approval-resolved`: what is allowed for the rest of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<Grant>,
    /// Beside a grant: what it covers, for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub grant_covers: String,
    /// On the answer of `/permissions remove`: what is not allowed any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant_removed: Option<Grant>,
    /// On the answer of `/permissions allow`, `ask` or `deny`: a rule of the session's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleRecord>,
    /// On the answer of `/permissions remove`: a rule that no longer applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_removed: Option<RuleRecord>,
    /// After an import: nothing that was allowed before is allowed any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grants_revoked: bool,
    /// On the answer of `/save`: the name under which this state can be found again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_as: Option<String>,
    /// On the answer of `/new`: the conversation begins again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub new_conversation: bool,
    /// On the first event of a fork: where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fork: Option<ForkRecord>,
}

impl ServerOnly {
    /// Whether the rules of the session are other ones after it.
    #[must_use]
    pub fn changes_rules(&self) -> bool {
        self.rule.is_some() || self.rule_removed.is_some() || self.grants_revoked
    }

    /// The large values that it refers to.
    pub fn blobs(&self) -> impl Iterator<Item = &BlobHash> {
        let images =
            self.images.iter().flatten().filter_map(|image| image.before.as_ref()).map(|before| &before.content);
        let inside = self.inside.iter().flat_map(|inside| &inside.changes).flat_map(|change| change.values.values());
        let large = self.values.values().chain(inside).chain(images).filter_map(|value| match value {
            StoredValue::Blob { hash, .. } => Some(hash),
            StoredValue::Json(_) | StoredValue::Text(_) | StoredValue::Bytes(_) => None,
        });
        let inside = self.inside.iter().flat_map(|inside| &inside.messages);
        let said = self.messages.iter().chain(inside).flat_map(|message| message.content.pictures());
        let pictures = self.pictures.iter().chain(said);
        large.chain(pictures.map(|picture| &picture.hash))
    }
}

/// A tool call as it was started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRecord {
    /// The call.
    pub call_id: CallId,
    /// The arguments as they were given, references unresolved.
    pub arguments: Map<String, Value>,
    /// Whether it may run again after a crash: its tool is `read` or repeatable.
    pub repeatable: bool,
    /// The request that asked for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub request: String,
    /// The variable that takes the value, if somebody named one on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The reply that it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<ReplyPart>,
}

/// A call that the user is asked about, with what makes it again after a restart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedCall {
    /// The call as it will be made.
    pub call: CallRecord,
    /// The arguments that were asked about, references resolved; absent where the call has no references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<Map<String, Value>>,
    /// What the session knew of the files that it changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileSeen>,
    /// The call of the specialist that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<CallId>,
    /// What `allow-session` would allow.
    pub grant: Grant,
}

impl AskedCall {
    /// Exactly what was asked about.
    #[must_use]
    pub fn arguments(&self) -> &Map<String, Value> {
        self.resolved.as_ref().unwrap_or(&self.call.arguments)
    }
}

/// Where in a model's reply a call stands. Calls enter the conversation one by one, as they end; those of one reply are
/// one message there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyPart {
    /// The reply: the id of its first call.
    pub id: CallId,
    /// Which of its calls this is, from 0.
    pub place: u32,
    /// What the model says beside its calls.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// Who says a message of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    /// Instructions.
    System,
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// A tool.
    Tool,
}

/// A message of the conversation, as a model would be given it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    /// Who says it.
    pub role: ChatRole,
    /// What is said and shown.
    pub content: Content,
    /// Calls that the agent makes with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The call that a tool's message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    /// The reply that its one call is part of; what is said there is its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<ReplyPart>,
}

impl ChatMessage {
    /// A message without calls.
    #[must_use]
    pub fn new(role: ChatRole, content: impl Into<Content>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_call_id: None, reply: None }
    }

    /// The agent calls a tool.
    #[must_use]
    pub fn calls(call: ToolCall) -> Self {
        Self { tool_calls: vec![call], ..Self::new(ChatRole::Assistant, "") }
    }

    /// The agent calls a tool in this reply, if a model wrote it.
    #[must_use]
    pub fn calls_in(reply: Option<&ReplyPart>, call: ToolCall) -> Self {
        let Some(ReplyPart { id, place, said }) = reply.cloned() else { return Self::calls(call) };
        Self { content: said.into(), reply: Some(ReplyPart { id, place, said: String::new() }), ..Self::calls(call) }
    }

    /// A tool's result.
    #[must_use]
    pub fn result(call_id: &CallId, content: impl Into<Content>) -> Self {
        Self { tool_call_id: Some(call_id.clone()), ..Self::new(ChatRole::Tool, content) }
    }
}

/// A call that the agent makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The call.
    pub id: CallId,
    /// The tool.
    pub name: String,
    /// Its arguments, references unresolved.
    pub arguments: Map<String, Value>,
}

/// What a specialist has taken note of since it last wrote that down. It has no frames of its own: it is written down with the
/// events of its calls, and so it goes on from there after the server's end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InsideRecord {
    schema: u32,
    /// The call that the specialist is.
    pub call_id: CallId,
    /// Messages that entered its conversation, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<ChatMessage>,
    /// What its calls came to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Operation>,
    /// How its variables changed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<InsideChange>,
    /// From where its turn goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Value>,
}

/// A change of a specialist's variables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InsideChange {
    /// What was set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<Variable>,
    /// The names that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// The values of what was set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, StoredValue>,
}

impl InsideRecord {
    /// Nothing yet, of the specialist that this call is.
    #[must_use]
    pub fn of(call_id: CallId) -> Self {
        let (messages, operations, changes) = (Vec::new(), Vec::new(), Vec::new());
        Self { schema: INSIDE_SCHEMA, call_id, messages, operations, changes, continuation: None }
    }

    /// Whether this version of Switchboard knows what is in it.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.schema == INSIDE_SCHEMA
    }

    /// What has been taken note of; from here on nothing.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let next = Self::of(self.call_id.clone());
        std::mem::replace(self, next)
    }
}

/// A rule of a session's own, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleRecord {
    /// `allow`, `ask` or `deny`.
    pub effect: String,
    /// The rule.
    pub rule: String,
}

/// What the user allowed for the rest of the session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The tool.
    pub tool: String,
    /// SHA-256 of the tool's definition, so that a tool that changed must be asked about again.
    pub definition: String,
    /// For tools of the risk `execute`: SHA-256 of the canonical arguments; for those that narrow an allowance, of what
    /// they narrow it to; otherwise every call of the tool is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// For calls that change files which their arguments name: the folders of these, relative to the workspace. It covers
    /// what is in a folder at any depth; in the workspace's own, `.`, only its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
}

impl Grant {
    /// Whether it allows what the other one would allow.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let Self { tool, definition, arguments, folders } = other;
        let holds = |folder: &String, of: &String| {
            folder.strip_prefix(of.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (&self.tool, &self.definition, &self.arguments) == (tool, definition, arguments)
            && self.folders.is_empty() == folders.is_empty()
            && folders.iter().all(|folder| self.folders.iter().any(|of| holds(folder, of)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_covers_its_folders_and_what_is_in_them() {
        let grant = |folders: &[&str]| Grant {
            tool: "file_write".to_owned(),
            definition: "1".to_owned(),
            arguments: None,
            folders: folders.iter().map(|&folder| folder.to_owned()).collect(),
        };
        let docs = grant(&["docs"]);
        for inside in [&["docs"][..], &["docs/a/b"], &["docs", "docs/a"]] {
            assert!(docs.covers(&grant(inside)), "{inside:?}");
        }
        for outside in [&["."][..], &["docs2"], &["src"], &["docs", "src"], &[".docs"], &[]] {
            assert!(!docs.covers(&grant(outside)), "{outside:?}");
        }
        let top = grant(&["."]);
        assert!(top.covers(&grant(&["."])));
        assert!(!top.covers(&grant(&["docs"])) && !top.covers(&grant(&[".git"])));
        // Given before grants named folders.
        assert!(!grant(&[]).covers(&docs));
        let other = Grant { definition: "2".to_owned(), ..docs.clone() };
        assert!(!docs.covers(&other));
    }
}
