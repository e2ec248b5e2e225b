//! What a session says of itself in `session-ready` and `session-update`, and what is said of it in lists.

use crate::{MessageId, Notification, OpenWindow, SessionId, Step, Variable};

words! {
    /// Who makes the decisions.
    pub enum ReasonerKind {
        /// Fixed rules, no language model.
        Rules,
        /// A language model, one prompt per stage.
        Staged,
        /// A language model's own function calling.
        Native,
    }
}

wire! {
    /// Which reasoner is in use.
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

words! {
    /// How the commands that tools run are confined.
    pub enum SandboxState {
        /// The kernel confines them, in namespaces of their own.
        On,
        /// The same, but they see the processes of outside: the kernel does not let them have a `/proc` of their own.
        SharedProcesses,
        /// The kernel confines them by Landlock and seccomp alone, because it gives no namespaces.
        LandlockOnly,
        /// Nothing: they can do everything the server can (`--sandbox off`).
        Off,
        /// The kernel cannot confine them, so they do not run.
        Unavailable,
    }
}

wire! {
    /// The sandbox of the commands that tools run.
    #[derive(Copy)]
    pub struct SandboxInfo {
        /// How far it goes.
        pub mode: SandboxState,
    }
}

wire! {
    /// The turn that is running.
    pub struct Busy {
        /// The message that began it.
        pub message_id: MessageId,
        /// Where it is.
        pub step: Step,
        /// The tool that is running.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool: Option<String>,
    }
}

wire! {
    /// How full the context window is.
    pub struct TokenGauge {
        /// Tokens used.
        pub used: u64,
        /// Tokens available.
        pub limit: u64,
    }
}

wire! {
    /// The state of the session, for a client that did not read the log from its beginning.
    pub struct Snapshot {
        /// The variables.
        pub variables: Vec<Variable>,
        /// The session's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// How full the context window is, if a model has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub context_tokens: Option<TokenGauge>,
        /// Windows that are open.
        pub open_windows: Vec<OpenWindow>,
        /// Notifications that stay, and the progress of the turn that runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub notifications: Option<Vec<Notification>>,
        /// The oldest event that follows; older ones are fetched by page.
        pub first_seq: u64,
    }
}

wire! {
    /// What a summary stands for.
    pub struct ConversationSummary {
        /// The summary.
        pub text: String,
        /// The first event that it stands for.
        pub from_seq: u64,
        /// The last event that it stands for.
        pub to_seq: u64,
    }
}

wire! {
    /// The place that a session was forked from.
    #[derive(Copy, Eq)]
    pub struct ForkedFrom {
        /// The session; it may be deleted, or on another server.
        pub session_id: SessionId,
        /// The last event that was copied; 0 if there was none.
        pub seq: u64,
    }
}

wire! {
    /// A session as lists show it.
    pub struct SessionSummary {
        /// Its id.
        pub session_id: SessionId,
        /// Its title, if it has one: taken from its first message, or given by somebody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// RFC 3339.
        pub created_at: String,
        /// When its last event was, RFC 3339.
        pub updated_at: String,
        /// Its last event; 0 if it has none.
        pub last_seq: u64,
        /// It is kept at the top of the list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pinned: Option<bool>,
        /// Where it was forked from, if it was; search results do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub forked_from: Option<ForkedFrom>,
    }
}
