//! A conversation as data: on what stage, and step by step what is done.

use serde_json::Value;
use switchboard_tests::Answer;

/// How a server is started.
#[derive(Debug, Clone, Default)]
pub(super) struct Stage {
    /// Further arguments.
    pub(super) arguments: &'static [&'static str],
    /// The settings file.
    pub(super) settings: &'static str,
    /// The reasoner that asks the scripted model; none is `rules`.
    pub(super) reasoner: Option<&'static str>,
    /// The mode of the scripted MCP server `test`, if it should be there.
    pub(super) mcp: Option<&'static str>,
}

impl Stage {
    /// Without a model; nothing asks.
    pub(super) fn auto() -> Self {
        Self { arguments: &["--approve", "auto"], ..Self::default() }
    }

    /// With a scripted model; nothing asks.
    pub(super) fn model(reasoner: &'static str) -> Self {
        Self { reasoner: Some(reasoner), ..Self::auto() }
    }
}

/// One session's conversation.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The record's name.
    pub(super) name: String,
    /// Files of the workspace beside those of docs/rules.md.
    pub(super) files: Vec<(&'static str, String)>,
    /// What the model answers, one after the other.
    pub(super) answers: Vec<Answer>,
    /// Whether what the model was asked is recorded.
    pub(super) shows_questions: bool,
    /// What is done.
    pub(super) steps: Vec<Step>,
}

impl Conversation {
    /// With this file in the workspace.
    pub(super) fn file(mut self, path: &'static str, content: impl Into<String>) -> Self {
        self.files.push((path, content.into()));
        self
    }

    /// With a model that may be asked in several ways, as time will have it.
    pub(super) fn without_questions(self) -> Self {
        Self { shows_questions: false, ..self }
    }

    /// With a model that answers so.
    pub(super) fn answers(mut self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.answers = answers.into_iter().collect();
        self
    }
}

/// What is done next. In texts, `{session}`, `{call}`, `{query}`, `{turn}` and `{forked}` stand for the ids that came last,
/// `{last}` for the last event's number, `{imported}` for the session that an import made.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Sends a message or a command and waits for its end.
    Say(String),
    /// Sends a message and waits for nothing.
    Begin(String),
    /// Sends a frame and waits for nothing.
    Send(Value),
    /// Sends a text that may be no frame.
    Raw(String),
    /// Waits for a frame of this type.
    Until(&'static str),
    /// Waits for the end of this call.
    EndOf(String),
    /// Waits until the reply that is written has this in it.
    Written(&'static str),
    /// Waits for the end of every message that was begun.
    Ended,
    /// Writes a file into the workspace.
    File(&'static str, &'static str),
    /// Lets an answer of the model go on that holds.
    Release,
    /// A request over HTTP with this body; `{exported}` is the whole of the last answer.
    Http(&'static str, String, String),
    /// Opens another socket with this query, which takes the place of the one before.
    Attach(String),
    /// Opens a socket with this query, which the server closes.
    Refused(String),
}

/// A conversation of this name.
pub(super) fn talk(name: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> Conversation {
    Conversation {
        name: name.into(),
        files: Vec::new(),
        answers: Vec::new(),
        shows_questions: true,
        steps: steps.into_iter().collect(),
    }
}

/// One that only says these, each after the end of the one before.
pub(super) fn says<'a>(name: impl Into<String>, texts: impl IntoIterator<Item = &'a str>) -> Conversation {
    talk(name, texts.into_iter().map(say))
}

/// [`Step::Say`].
pub(super) fn say(text: impl Into<String>) -> Step {
    Step::Say(text.into())
}

/// [`Step::Begin`].
pub(super) fn begin(text: impl Into<String>) -> Step {
    Step::Begin(text.into())
}

/// [`Step::Http`] without a body.
pub(super) fn get(path: impl Into<String>) -> Step {
    Step::Http("GET", path.into(), String::new())
}

/// The user's own call of a tool, to its end.
pub(super) fn call(id: &str, tool: &str, arguments: &Value) -> [Step; 2] {
    let frame = serde_json::json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments});
    [Step::Send(frame), Step::EndOf(id.to_owned())]
}

/// A frame, and the type of the one that answers it.
pub(super) fn ask(frame: Value, answer: &'static str) -> [Step; 2] {
    [Step::Send(frame), Step::Until(answer)]
}

/// A message that asks before it runs, this answer, and its end. The answer's `callId` is filled in.
pub(super) fn decided(text: &str, mut answer: Value) -> [Step; 4] {
    answer["type"] = "approve-tool".into();
    answer["callId"] = "{call}".into();
    [begin(text), Step::Until("approval-request"), Step::Send(answer), Step::Ended]
}
