//! A message on its way from a client into the log.

use switchboard_protocol::{Attachment, MessageId, Mode, Variable};

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
    /// The names of the variables that belong to it, each once; none if nothing was said of them.
    pub(super) attachments: Option<Vec<String>>,
}

impl Message {
    /// The names of the variables that belong to it.
    pub(super) fn attached(&self) -> &[String] {
        self.attachments.as_deref().unwrap_or_default()
    }

    /// The message that a command stands for. It cannot join a turn, whose tools are chosen already.
    pub(super) fn asking(self, tool: String, text: String) -> Self {
        let mode = if self.mode == Mode::Steer { Mode::Queue } else { self.mode };
        Self { text, mode, tool: Some(tool), ..self }
    }
}

/// A variable as it is now, which belongs to a message.
pub(super) fn attachment(variable: &Variable) -> Attachment {
    let Variable { name, version, value_type, bytes, .. } = variable.clone();
    Attachment { name, version, value_type, bytes }
}
