//! What every client shows beside the conversation.

use switchboard_protocol::{OpenWindow, ServerMessage, TokenGauge};

/// Title, gauge and windows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shown {
    pub(crate) title: Option<String>,
    /// How full the clients know the window to be.
    pub(crate) context_tokens: Option<TokenGauge>,
    pub(crate) windows: Vec<OpenWindow>,
}

impl Shown {
    /// Takes note of a message that changes it.
    pub(super) fn apply(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::SessionUpdate { title, context_tokens, .. } => {
                self.title = title.clone().or(self.title.take());
                self.context_tokens = context_tokens.clone().or(self.context_tokens.take());
            }
            ServerMessage::DisplayResource(window) => {
                self.windows.retain(|open| open.window_id != window.window_id);
                self.windows.push(window.clone());
            }
            ServerMessage::CloseWindow { window_id } => self.windows.retain(|open| open.window_id != *window_id),
            _ => {}
        }
    }
}
