//! What a server says. Frames with a `seq` are the log itself; the others are not kept.

use crate::{
    Attachment, Busy, CallId, Candidate, Choice, ConversationSummary, Decision, ErrorType, ForkedFrom, FormField,
    Level, MessageId, Mode, OpenWindow, Operation, QueryId, QueryKind, ReasonerInfo, Resource, Risk, SandboxInfo,
    SessionId, SessionSummary, Snapshot, Step, Stream, TokenGauge, Usage, Variable,
};

/// One frame from the server: a message with its place in the log and in a turn.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ServerFrame {
    /// What is said, with its `type`.
    #[serde(flatten)]
    pub message: ServerMessage,
    /// The place in the session's log, from 1 without gaps; absent for frames that are not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// RFC 3339.
    pub timestamp: String,
    /// The message that began the turn which the frame belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<MessageId>,
}

/// What a frame from the server says.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub enum ServerMessage {
    /// The first frame of a connection.
    SessionReady {
        /// The session.
        session_id: SessionId,
        /// The last event of its log; of a damaged log, the last one that can be read.
        last_seq: u64,
        /// Which history the events belong to: a client that comes back with `after` names it, and hears when it is another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        generation: Option<String>,
        /// Whether the session already existed.
        resumed: bool,
        /// The protocol's version.
        protocol_version: u32,
        /// Where the session was forked from, if it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forked_from: Option<ForkedFrom>,
        /// Which reasoner is in use.
        reasoner: ReasonerInfo,
        /// How the commands that tools run are confined.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sandbox: Option<SandboxInfo>,
        /// The name of the folder that tools work in, without where it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workspace: Option<String>,
        /// The turn that is running.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        busy: Option<Busy>,
        /// What is waiting for the user: `approval-request` and `user-query` frames as they were sent.
        pending: Vec<ServerFrame>,
        /// The state of the session, with `tail`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snapshot: Option<Snapshot>,
    },
    /// Something about the session changed.
    SessionUpdate {
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Which reasoner is in use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoner: Option<ReasonerInfo>,
        /// How full the context window is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context_tokens: Option<TokenGauge>,
    },
    /// The acknowledgement of a message: it has been saved.
    UserMessage {
        /// Its id.
        message_id: MessageId,
        /// Its text.
        text: String,
        /// What it does while a turn runs.
        mode: Mode,
        /// The client's own time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client_timestamp: Option<String>,
        /// The command of the MCP server's prompt that wrote the text: `server__prompt`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        prompt: Option<String>,
        /// The tool that the user asked for with `/try`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The variables that belong to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attachments: Option<Vec<Attachment>>,
        /// It was accepted before; nothing changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeated: Option<bool>,
    },
    /// Where the turn is.
    AgentThinking {
        /// The stage.
        step: Step,
        /// What is happening, for people.
        message: String,
        /// Stage 1's answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        needs_tools: Option<bool>,
        /// How many tools the search found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found_tools: Option<u32>,
        /// What the search found, and what the choice was made from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        candidates: Option<Vec<Candidate>>,
        /// Stage 3's answer: the tools that were chosen; none of the candidates if this is empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        selected: Option<Vec<String>>,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
    },
    /// A piece of the reply, not stored.
    AgentDelta {
        /// Where it begins, in UTF-8 bytes.
        offset: u64,
        /// The piece.
        text: String,
    },
    /// A tool begins.
    ToolCallStart {
        /// The call.
        call_id: CallId,
        /// The call of the specialist that made it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent_call_id: Option<CallId>,
        /// The tool.
        tool: String,
        /// Its module.
        module: String,
        /// What it does, in a few words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Whether it should not be animated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quiet: Option<bool>,
        /// Resolved arguments, large values as previews.
        arguments: serde_json::Map<String, serde_json::Value>,
        /// Parameter to variable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        references: Option<std::collections::BTreeMap<String, String>>,
    },
    /// Live output of a call, not stored.
    ToolOutputChunk {
        /// The call.
        call_id: CallId,
        /// Which output.
        stream: Stream,
        /// Where it begins in that stream, in UTF-8 bytes.
        offset: u64,
        /// The piece.
        chunk: String,
    },
    /// A tool ended, or never started.
    ToolCallEnd {
        /// The call.
        call_id: CallId,
        /// The tool.
        tool: String,
        /// Whether it was started.
        started: bool,
        /// Whether it worked.
        success: bool,
        /// A few lines of the result.
        preview: Vec<String>,
        /// The variable that took the result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output_variable: Option<String>,
        /// How long it ran.
        duration_ms: u64,
        /// Whether it can be undone.
        undoable: bool,
        /// Empty on success.
        error: String,
        /// What kind of error it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error_type: Option<ErrorType>,
        /// What to do next.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        suggestion: Option<String>,
        /// What it changed in files, as a unified diff; a long one is cut and says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        diff: Option<String>,
        /// The earlier calls whose file changes it undid.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undid: Option<Vec<CallId>>,
        /// The pictures that it gave.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pictures: Option<Vec<Resource>>,
        /// What the tool says of its work beside the result, as numbers, words and yes or no: `files_read`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fields: Option<serde_json::Map<String, serde_json::Value>>,
    },
    /// May this tool run?
    ApprovalRequest {
        /// The call.
        call_id: CallId,
        /// The tool.
        tool: String,
        /// Its module.
        module: String,
        /// Exactly what will run.
        arguments: serde_json::Map<String, serde_json::Value>,
        /// What it may do.
        risk: Risk,
        /// Why approval is needed.
        reason: String,
        /// Whether it can be undone.
        undoable: bool,
        /// What it would do to files that are there, as a unified diff; it says where it is cut or cannot be made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        diff: Option<String>,
        /// What `allow-session` would allow, in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<String>,
        /// When it is denied automatically, RFC 3339; absent: it waits until it is answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<String>,
    },
    /// The answer to an approval.
    ApprovalResolved {
        /// The call.
        call_id: CallId,
        /// The answer.
        decision: Decision,
        /// Who or what answered.
        by: String,
    },
    /// Variables changed.
    ContextUpdate {
        /// New and changed ones.
        set: Vec<Variable>,
        /// Names that were removed.
        removed: Vec<String>,
    },
    /// The whole context, on request.
    ContextState {
        /// The variables.
        variables: Vec<Variable>,
        /// The runs of tools.
        operation_history: Vec<Operation>,
        /// Messages in the conversation.
        chat_history_length: u64,
        /// Windows that are open.
        open_windows: Vec<OpenWindow>,
    },
    /// All variables and operations were removed.
    ContextCleared {},
    /// A summary of what no longer fits into the context window.
    ConversationSummary(ConversationSummary),
    /// A window opens.
    DisplayResource(OpenWindow),
    /// A window closes.
    CloseWindow {
        /// The window.
        window_id: String,
    },
    /// A notification for the user.
    Notification {
        /// Its id; sending the same id again replaces it.
        notification_id: String,
        /// Its level.
        level: Level,
        /// What it says.
        message: String,
        /// How long it stays; 0 until dismissed.
        duration_ms: u64,
        /// From 0 to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<f64>,
    },
    /// A question to the user.
    UserQuery {
        /// Its id.
        query_id: QueryId,
        /// The call that asks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call_id: Option<CallId>,
        /// What it is about.
        kind: QueryKind,
        /// The question.
        message: String,
        /// The answers to choose from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choices: Option<Vec<Choice>>,
        /// The form: `{"action": "accept", "content": {…}}` or `{"action": "decline"}`. `choices` are for clients without forms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fields: Option<Vec<FormField>>,
        /// When it is dismissed automatically, RFC 3339; absent: it waits until it is answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<String>,
    },
    /// The answer to a question.
    QueryResolved {
        /// The question.
        query_id: QueryId,
        /// The answer; absent when dismissed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<serde_json::Value>,
    },
    /// The turn's reply.
    AgentResponse {
        /// The messages that it answers.
        message_ids: Vec<MessageId>,
        /// The reply, in markdown.
        text: String,
        /// Tools that ran.
        tools_used: Vec<String>,
        /// Variables that were set.
        context_updated: Vec<String>,
        /// Why the turn went as it did.
        reasoning: String,
        /// How many tools ran.
        operation_count: u32,
        /// Whether the request is fulfilled.
        complete: bool,
        /// The tokens it used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// The turn failed, or, without `messageIds`, a frame was refused.
    AgentError {
        /// The messages whose turn ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_ids: Option<Vec<MessageId>>,
        /// What happened, for people.
        text: String,
        /// What happened, exactly.
        error: String,
        /// A code for programs; `protocol-…` outside a turn.
        code: String,
        /// The field that is wrong.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// Tools that were tried.
        attempted_tools: Vec<String>,
        /// What to do next.
        suggestions: Vec<String>,
        /// Whether sending the same again may work.
        retryable: bool,
        /// When to try again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_ms: Option<u64>,
    },
    /// The answer to a slash command.
    CommandResponse {
        /// The command.
        command: String,
        /// The answer, in markdown.
        text: String,
        /// The session that the command made, by `/fork` or `/rerun`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_id: Option<SessionId>,
        /// How it is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<String>,
    },
    /// A slash command was used incorrectly.
    CommandError {
        /// The command.
        command: String,
        /// What is wrong.
        text: String,
        /// How it is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<String>,
    },
    /// What changed in the list of the user's sessions; only on a connection with `list=1`.
    SessionsUpdate {
        /// Sessions that are new or have changed, as they are now.
        changed: Vec<SessionSummary>,
        /// Sessions that are gone.
        removed: Vec<SessionId>,
        /// More has changed than is told: read the list again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<bool>,
    },
    /// The session's log is damaged: all that can be read of it has come, and nothing can be added. Not stored.
    LogDamaged {
        /// The first event that cannot be read.
        from_seq: u64,
        /// What is lost and what to do, for people.
        text: String,
    },
    /// The answer to `ping`.
    Pong {},
}
