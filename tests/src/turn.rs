//! What came of one message, read from the frames of its turn.

use serde_json::Value;

/// A turn that has ended.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its frames, in order.
    pub frames: Vec<Value>,
    /// `agent-response` or `agent-error`.
    pub end: Value,
}

impl Turn {
    /// The turn that answered the message `id`.
    #[must_use]
    pub fn of(id: &str, frames: &[Value]) -> Self {
        let answers = |frame: &&Value| frame["messageIds"].as_array().is_some_and(|ids| ids.iter().any(|i| i == id));
        let end = frames.iter().find(answers).cloned().expect("the turn has ended");
        let turn = end["turnId"].clone();
        let frames = frames.iter().filter(|frame| frame["turnId"] == turn).cloned().collect();
        Self { frames, end }
    }

    /// The reply.
    #[must_use]
    pub fn text(&self) -> &str {
        self.end["text"].as_str().unwrap_or_default()
    }

    /// Fails unless the turn ended with a complete reply.
    #[track_caller]
    pub fn answered(self) -> Self {
        assert_eq!(self.end["type"], "agent-response", "{:#}", self.end);
        assert_eq!(self.end["complete"], true, "{:#}", self.end);
        self
    }

    /// Fails unless the turn ended with this error code.
    #[track_caller]
    pub fn failed(self, code: &str) -> Self {
        assert_eq!(self.end["type"], "agent-error", "{:#}", self.end);
        assert_eq!(self.end["code"], code, "{:#}", self.end);
        self
    }

    /// Fails unless the reply contains this.
    #[track_caller]
    pub fn says(self, part: &str) -> Self {
        assert!(self.text().to_lowercase().contains(&part.to_lowercase()), "no {part:?} in {:?}", self.text());
        self
    }

    /// The tools that were used.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        strings(&self.end["toolsUsed"])
    }

    /// The variables that were set.
    #[must_use]
    pub fn stored(&self) -> Vec<&str> {
        strings(&self.end["contextUpdated"])
    }

    /// The frames of this type.
    #[must_use]
    pub fn all(&self, kind: &str) -> Vec<&Value> {
        self.frames.iter().filter(|frame| frame["type"] == kind).collect()
    }

    /// What the first stage came to.
    #[track_caller]
    #[must_use]
    pub fn need(&self) -> &Value {
        let need = self.frames.iter().find(|frame| frame["needsTools"].is_boolean());
        need.unwrap_or_else(|| panic!("no needsTools in {:#?}", self.frames))
    }

    /// The first frame of this type.
    #[track_caller]
    #[must_use]
    pub fn first(&self, kind: &str) -> &Value {
        self.all(kind).first().copied().unwrap_or_else(|| panic!("no {kind} in {:#?}", self.frames))
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().map(|values| values.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}
