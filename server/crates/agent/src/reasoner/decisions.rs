//! What a reasoner answers, stage by stage.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use switchboard_protocol::CallId;

/// Stage 1's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct NeedAnalysis {
    /// Whether a tool must run.
    pub needs_tools: bool,
    /// Why, for people; says "already available in context" when the context has the answer.
    pub reasoning: String,
    /// The reply, when no tool is needed.
    pub answer: Option<Reply>,
    /// What to do first, when tools are needed; absent: the request itself is searched for.
    pub next_action: Option<NextAction>,
}

impl NeedAnalysis {
    /// No tool is needed: this is the reply.
    #[must_use]
    pub fn answered(answer: Reply, reasoning: impl Into<String>) -> Self {
        Self { needs_tools: false, reasoning: reasoning.into(), answer: Some(answer), next_action: None }
    }

    /// A tool is needed for this.
    #[must_use]
    pub fn tools(next_action: NextAction, reasoning: impl Into<String>) -> Self {
        Self { needs_tools: true, reasoning: reasoning.into(), answer: None, next_action: Some(next_action) }
    }
}

/// A reply to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// In Markdown.
    pub text: String,
    /// Whether the request is fulfilled.
    pub complete: bool,
}

/// Something to do next, for which a tool is searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NextAction {
    /// In plain words; the search query.
    pub text: String,
    /// Tools that the reasoner has in mind already: the search adds those that are there to what it finds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// What it asks for, if that is several things: each is searched for on its own as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// A tool that is tried if nothing is made for it; the last candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// Stage 3's answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolSelection {
    /// The tool, one of the candidates; `None` when none is suitable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_tool: Option<String>,
    /// Why this one, or why none.
    pub reasoning: String,
    /// Its arguments: constants and `@name` references.
    pub parameters: Map<String, Value>,
    /// The variable for the result, when the user or the reasoner names one on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_variable: Option<String>,
    /// What else is searched for, when none of the candidates is suitable and there may be others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_for: Option<String>,
    /// The tool that fits, when the request does not say all that it needs; then none is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacking: Option<Lacking>,
}

/// A tool that fits a request which does not say all that it needs: what the user is asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lacking {
    /// The tool.
    pub tool: String,
    /// What the request says.
    pub arguments: Map<String, Value>,
    /// The names of the parameters that it does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
}

impl ToolSelection {
    /// None of the candidates is suitable.
    #[must_use]
    pub fn none(reasoning: impl Into<String>) -> Self {
        Self { reasoning: reasoning.into(), ..Self::default() }
    }
}

/// Stage 5's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Whether the request is fulfilled.
    pub complete: bool,
    /// What to tell the user; needed when there is no next action.
    pub user_response: Option<String>,
    /// What is still to be done; `None` ends the turn.
    pub next_action: Option<NextAction>,
    /// Why.
    pub reasoning: String,
}

impl Decision {
    /// The turn is over.
    #[must_use]
    pub fn ended(reply: Reply, reasoning: impl Into<String>) -> Self {
        Self {
            complete: reply.complete,
            user_response: Some(reply.text),
            next_action: None,
            reasoning: reasoning.into(),
        }
    }

    /// Something is left to do.
    #[must_use]
    pub fn go_on(next_action: NextAction, reasoning: impl Into<String>) -> Self {
        Self { complete: false, user_response: None, next_action: Some(next_action), reasoning: reasoning.into() }
    }
}

/// What a reasoner that calls tools wants next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Move {
    /// The turn is over: this is the reply.
    Reply(Reply),
    /// These calls are to be made.
    Calls {
        /// In the model's order.
        calls: Vec<WantedCall>,
        /// What it says beside them.
        said: String,
    },
    /// The model only says that it calls tools, or writes its calls as text: the turn goes on stage by stage, with
    /// [`CallingReasoner::by_stages`](super::CallingReasoner::by_stages).
    ByStages,
}

/// A call that a reasoner wants made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WantedCall {
    /// New in this session.
    pub id: CallId,
    /// The tool, which need not exist.
    pub tool: String,
    /// Its arguments, or what is wrong with what should have been arguments.
    pub arguments: Result<Map<String, Value>, String>,
    /// The variable for the result, when one is named on purpose.
    pub output: Option<String>,
}

/// Why a reasoner could not decide; fragments finish "failed to …".
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReasonerError {
    /// A value of the context could not be read.
    #[error("read the context: {0}")]
    Context(String),
    /// The answer did not make sense.
    #[error("decide: {0}")]
    Answer(String),
    /// The model gave no answer.
    #[error("{message}")]
    Model {
        /// The word for programs.
        code: &'static str,
        /// What happened.
        message: String,
        /// What a person can do about it.
        suggestion: String,
        /// Whether the same again may work.
        retryable: bool,
        /// When to try again.
        retry_after_ms: Option<u64>,
        /// What had come of the reply.
        partial: Option<String>,
    },
}

impl ReasonerError {
    /// The model's reply reached its limit before it was of any use.
    #[must_use]
    pub(super) fn cut_off(message: &str) -> Self {
        Self::Model {
            code: "model-reply-cut-off",
            message: format!("get a usable reply: {message}"),
            suggestion:
                "Ask for less at once, such as a file in several parts. If you run this server, use a model with a \
                         larger window (--context-tokens)."
                    .to_owned(),
            retryable: true,
            retry_after_ms: None,
            partial: None,
        }
    }

    /// The word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Context(_) => "internal",
            Self::Answer(_) => "model-failed",
            Self::Model { code, .. } => code,
        }
    }
}
