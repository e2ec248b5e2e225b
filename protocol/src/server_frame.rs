//! What a server says. Frames with a `seq` are the log itself; the others are not kept.

use serde_json::{Map, Value};

use crate::{
    CallId, Decision, ErrorType, MessageId, Mode, Operation, QueryId, Resource, Risk, SessionId, Variable, ViewerType,
};

words! {
    /// Where a turn is.
    pub enum Step {
        /// Stage 1: are tools needed?
        Analyzing,
        /// Stage 2: which tools could do it?
        Searching,
        /// Stage 3: which one, with which arguments?
        Selecting,
        /// Stage 4: it runs.
        Executing,
        /// Stage 5: is it done?
        Deciding,
        /// The reply is being written.
        Responding,
    }
}

words! {
    /// What a chunk of a tool's output is.
    pub enum Stream {
        /// Standard output.
        Stdout,
        /// Standard error.
        Stderr,
        /// A note on how far it is.
        Progress,
    }
}

words! {
    /// What a question to the user is about.
    pub enum QueryKind {
        /// The agent asks.
        Query,
        /// The outcome of a call is unknown.
        Outcome,
        /// A tool server asks.
        Elicitation,
    }
}

words! {
    /// How a notification is meant.
    pub enum Level {
        /// For information.
        Info,
        /// Something worked.
        Success,
        /// Something failed.
        Error,
        /// Something goes on.
        Progress,
    }
}

words! {
    /// Who makes the decisions.
    pub enum ReasonerKind {
        /// Fixed rules, no language model.
        Rules,
        /// A language model, one prompt a stage.
        Staged,
        /// A language model's own function calling.
        Native,
    }
}

wire! {
    /// Which reasoner runs.
    pub struct ReasonerInfo {
        /// Its kind.
        pub kind: ReasonerKind,
        /// The model, if it uses one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub model: Option<String>,
        /// What it is and what it can do, for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub about: Option<String>,
    }
}

wire! {
    /// The turn that runs.
    pub struct Busy {
        /// The message that began it.
        pub message_id: MessageId,
        /// Where it is.
        pub step: Step,
        /// The tool that runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool: Option<String>,
    }
}

wire! {
    /// How full the context window is.
    pub struct TokenGauge {
        /// Tokens used.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub used: u64,
        /// Tokens there are.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub limit: u64,
    }
}

wire! {
    /// What a turn cost.
    pub struct Usage {
        /// Tokens sent.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub input_tokens: u64,
        /// Tokens received.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub output_tokens: u64,
    }
}

wire! {
    /// A tool that the search found.
    pub struct Candidate {
        /// Its name.
        pub name: String,
        /// From 0 to 1.
        pub confidence: f64,
        /// Why it was found, such as the words that matched.
        pub reasons: Vec<String>,
    }
}

words! {
    /// What is waiting for the user.
    pub enum PendingKind {
        /// An `approval-request`.
        Approval,
        /// A `user-query`.
        Query,
    }
}

wire! {
    /// A request that has not been resolved: the frame that asked, again.
    pub struct Pending {
        /// What it is.
        pub kind: PendingKind,
        /// The `approval-request` or `user-query` frame as it was sent.
        pub request: Value,
    }
}

wire! {
    /// What the session amounts to, for a client that did not read the log from its beginning.
    pub struct Snapshot {
        /// The variables.
        pub variables: Vec<Variable>,
        /// The session's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// Windows that are open.
        pub open_windows: Vec<String>,
        /// The oldest event that follows; older ones are fetched by page.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub first_seq: u64,
    }
}

wire! {
    /// One answer to choose.
    pub struct Choice {
        /// What is sent as the answer.
        pub value: Value,
        /// What the user reads.
        pub label: String,
    }
}

wire! {
    /// What a summary stands for.
    pub struct ConversationSummary {
        /// The summary.
        pub text: String,
        /// The first event that it stands for.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub from_seq: u64,
        /// The last event that it stands for.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub to_seq: u64,
    }
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
        /// The last event of its log.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        last_seq: u64,
        /// Whether the session was there before.
        resumed: bool,
        /// The protocol's version.
        protocol_version: u32,
        /// Which reasoner runs.
        reasoner: ReasonerInfo,
        /// The turn that runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        busy: Option<Busy>,
        /// What waits for the user.
        pending: Vec<Pending>,
        /// What the session amounts to, with `tail`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snapshot: Option<Snapshot>,
    },
    /// Something about the session changed.
    SessionUpdate {
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Which reasoner runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoner: Option<ReasonerInfo>,
        /// How full the window is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context_tokens: Option<TokenGauge>,
    },
    /// The acknowledgement of a message: it is durable.
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
        /// It was taken before; nothing changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeated: Option<bool>,
    },
    /// Where the turn is.
    AgentThinking {
        /// The stage.
        step: Step,
        /// What happens, for people.
        message: String,
        /// Stage 1's answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        needs_tools: Option<bool>,
        /// How many tools the search found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found_tools: Option<u32>,
        /// What the search found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        candidates: Option<Vec<Candidate>>,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
    },
    /// A piece of the reply, not kept.
    AgentDelta {
        /// Where it begins, in UTF-8 bytes.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
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
        /// Do not animate it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quiet: Option<bool>,
        /// Resolved arguments, large values as previews.
        arguments: Map<String, Value>,
        /// Parameter to variable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        references: Option<Map<String, Value>>,
    },
    /// Live output of a call, not kept.
    ToolOutputChunk {
        /// The call.
        call_id: CallId,
        /// Which output.
        stream: Stream,
        /// Where it begins in that stream, in UTF-8 bytes.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
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
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        duration_ms: u64,
        /// Whether it can be undone.
        undoable: bool,
        /// Empty on success.
        error: String,
        /// Whose fault it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error_type: Option<ErrorType>,
        /// What to do next.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        suggestion: Option<String>,
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
        arguments: Map<String, Value>,
        /// What it may do.
        risk: Risk,
        /// Why it is asked.
        reason: String,
        /// Whether it can be undone.
        undoable: bool,
        /// When it is denied by itself, RFC 3339.
        expires_at: String,
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
        /// Names that are gone.
        removed: Vec<String>,
    },
    /// The whole context, on request.
    ContextState {
        /// The variables.
        variables: Vec<Variable>,
        /// The runs of tools.
        operation_history: Vec<Operation>,
        /// Messages in the conversation.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        chat_history_length: u64,
        /// Windows that are open.
        open_windows: Vec<String>,
    },
    /// All variables and operations are gone.
    ContextCleared {},
    /// What fell out of the window, in short.
    ConversationSummary(crate::ConversationSummary),
    /// A window opens.
    DisplayResource {
        /// The window.
        window_id: String,
        /// Its kind.
        viewer_type: ViewerType,
        /// Its title.
        title: String,
        /// What it shows.
        resource: Resource,
    },
    /// A window closes.
    CloseWindow {
        /// The window.
        window_id: String,
    },
    /// A word to the user.
    Notification {
        /// Its id; the same again changes it.
        notification_id: String,
        /// How it is meant.
        level: Level,
        /// What it says.
        message: String,
        /// How long it stays; 0 until dismissed.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
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
        /// When it is dismissed by itself, RFC 3339.
        expires_at: String,
    },
    /// The answer to a question.
    QueryResolved {
        /// The question.
        query_id: QueryId,
        /// The answer; absent when dismissed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
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
        /// Why it was done this way.
        reasoning: String,
        /// How many tools ran.
        operation_count: u32,
        /// Whether the request is fulfilled.
        complete: bool,
        /// What it cost.
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
        /// A word for programs; `protocol-…` outside a turn.
        code: String,
        /// The field that is wrong.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// Tools that were tried.
        attempted_tools: Vec<String>,
        /// What to do next.
        suggestions: Vec<String>,
        /// Whether the same again may work.
        retryable: bool,
        /// When to try again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        retry_after_ms: Option<u64>,
    },
    /// The answer to a slash command.
    CommandResponse {
        /// The command.
        command: String,
        /// The answer, in markdown.
        text: String,
        /// How it is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<String>,
    },
    /// A slash command was used wrongly.
    CommandError {
        /// The command.
        command: String,
        /// What is wrong.
        text: String,
        /// How it is used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<String>,
    },
    /// The answer to `ping`.
    Pong {},
}
