//! A message on its way from a client into the log.

use switchboard_protocol::{MessageId, Mode};

/// A message as it came.
pub(super) struct Message {
    pub(super) id: MessageId,
    pub(super) text: String,
    pub(super) mode: Mode,
    pub(super) client_timestamp: Option<String>,
    /// The command of the prompt that wrote it.
    pub(super) prompt: Option<String>,
    /// The tool that it asks for.
    pub(super) tool: Option<String>,
    /// The names of the variables that belong to it, each once.
    pub(super) attachments: Vec<String>,
}

impl Message {
    /// The message that a command stands for. It cannot join a turn, whose tools are chosen already.
    pub(super) fn asking(self, tool: String, text: String) -> Self {
        let mode = if self.mode == Mode::Steer { Mode::Queue } else { self.mode };
        Self { text, mode, tool: Some(tool), ..self }
    }
}
