//! What every client shows beside the conversation.

use std::sync::Arc;

use switchboard_events::ForkRecord;
use switchboard_protocol::{Level, MessageId, Notification, OpenWindow, ServerMessage, TokenGauge};

/// How many notifications that stay are kept; the oldest go first.
const MAX_NOTIFICATIONS: usize = 32;

/// Title, gauge, windows, what stays of the notifications, and what the session was made from.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shown {
    pub(crate) title: Option<String>,
    /// How full the clients know the window to be.
    pub(crate) context_tokens: Option<TokenGauge>,
    /// The windows that are open, the one shown last at the end.
    pub(crate) windows: Vec<OpenWindow>,
    /// How many windows were ever opened.
    pub(crate) opened: u64,
    /// Notifications without an end, and the progress of turns that run.
    pub(crate) notifications: Vec<Notification>,
    /// Where the session was forked from.
    pub(crate) fork: Option<Arc<ForkRecord>>,
}

impl Shown {
    /// Takes note of a message that changes it.
    pub(super) fn apply(&mut self, message: &ServerMessage, turn: Option<&MessageId>) {
        match message {
            ServerMessage::SessionUpdate { title, context_tokens, .. } => {
                self.title = title.clone().or(self.title.take());
                self.context_tokens = context_tokens.clone().or(self.context_tokens.take());
            }
            ServerMessage::DisplayResource(window) => {
                let before = self.windows.len();
                self.windows.retain(|open| open.window_id != window.window_id);
                self.opened += u64::from(self.windows.len() == before);
                self.windows.push(window.clone());
            }
            ServerMessage::CloseWindow { window_id } => self.windows.retain(|open| open.window_id != *window_id),
            ServerMessage::Notification { notification_id, level, message, duration_ms, progress } => {
                self.notifications.retain(|kept| kept.notification_id != *notification_id);
                let of_turn = *level == Level::Progress;
                if of_turn && turn.is_some() || !of_turn && *duration_ms == 0 {
                    self.keep(Notification {
                        notification_id: notification_id.clone(),
                        level: *level,
                        message: message.clone(),
                        duration_ms: *duration_ms,
                        progress: *progress,
                        turn_id: turn.filter(|_| of_turn).cloned(),
                    });
                }
            }
            ServerMessage::AgentResponse { .. } | ServerMessage::AgentError { .. } => {
                self.notifications.retain(|kept| kept.turn_id.is_none() || kept.turn_id.as_ref() != turn);
            }
            _ => {}
        }
    }

    fn keep(&mut self, notification: Notification) {
        if self.notifications.len() == MAX_NOTIFICATIONS {
            self.notifications.remove(0);
        }
        self.notifications.push(notification);
    }
}
