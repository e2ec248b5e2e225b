//! The running reply on its way to the user, piece by piece: its secrets marked, gathered, paced.
//!
//! The reasoner writes and never waits; the turn sends `agent-delta` meanwhile. Nothing here is kept: what counts is the
//! end frame, and a reply that begins again begins again at offset 0.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use switchboard_protocol::ServerMessage;
use tokio::sync::Notify;

use switchboard_events::Recorder;
use switchboard_runtime::Redactor;

/// At least this long between two sendings.
const PACE: Duration = Duration::from_millis(30);

/// The most that one frame carries.
const MAX_PIECE_BYTES: usize = 16 * 1024;

/// Takes a reply while it is written.
#[derive(Default)]
pub struct ReplyStream {
    state: Mutex<StreamState>,
    news: Notify,
}

#[derive(Default)]
struct StreamState {
    redactor: Redactor,
    /// Final, and not yet sent.
    waiting: String,
    /// Where `waiting` begins in the reply.
    offset: u64,
    /// The reply as it was written.
    whole: String,
}

impl ReplyStream {
    /// The next piece of the reply.
    pub fn text(&self, piece: &str) {
        let mut state = self.state();
        state.whole.push_str(piece);
        let ready = state.redactor.push(piece);
        state.waiting.push_str(&ready);
        drop(state);
        self.news.notify_one();
    }

    /// The reply begins again: what came before does not count.
    pub fn restart(&self) {
        *self.state() = StreamState::default();
    }

    /// What was written since it began.
    #[must_use]
    pub fn so_far(&self) -> String {
        self.state().whole.clone()
    }

    /// Sends what comes, until it is dropped.
    pub(super) async fn send_to<R: Recorder + ?Sized>(&self, recorder: &R) {
        loop {
            self.news.notified().await;
            // What is held back until its end is known was not sent: the next piece need not wait for it.
            if self.send_ready(recorder).await {
                tokio::time::sleep(PACE).await;
            }
        }
    }

    /// Sends what is left; nothing of this reply comes after it.
    pub(super) async fn finish<R: Recorder + ?Sized>(&self, recorder: &R) {
        {
            let mut state = self.state();
            let rest = state.redactor.finish();
            state.waiting.push_str(&rest);
        }
        self.send_ready(recorder).await;
    }

    /// Whether there was anything to send.
    async fn send_ready<R: Recorder + ?Sized>(&self, recorder: &R) -> bool {
        let mut any = false;
        while let Some((offset, text)) = self.take() {
            recorder.transient(ServerMessage::AgentDelta { offset, text }).await;
            any = true;
        }
        any
    }

    fn take(&self) -> Option<(u64, String)> {
        let mut state = self.state();
        if state.waiting.is_empty() {
            return None;
        }
        let rest = match state.waiting.floor_char_boundary(MAX_PIECE_BYTES) {
            end if end < state.waiting.len() => state.waiting.split_off(end),
            _ => String::new(),
        };
        let text = mem::replace(&mut state.waiting, rest);
        let offset = state.offset;
        state.offset += text.len() as u64;
        Some((offset, text))
    }

    fn state(&self) -> MutexGuard<'_, StreamState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_tools::test_support::TestHost;

    async fn sent(host: &TestHost) -> Vec<(u64, String)> {
        let deltas = host.transients().into_iter().filter_map(|message| match message {
            ServerMessage::AgentDelta { offset, text } => Some((offset, text)),
            _ => None,
        });
        deltas.collect()
    }

    #[tokio::test]
    async fn pieces_join_on_and_a_reply_that_begins_again_begins_at_nought() {
        let (host, reply) = (TestHost::default(), ReplyStream::default());

        reply.text("Grö");
        reply.finish(&host).await;
        reply.text("ße.");
        reply.finish(&host).await;
        assert_eq!(reply.so_far(), "Größe.");
        reply.restart();
        reply.text("Again.");
        reply.finish(&host).await;

        let expected = [(0, "Grö"), (4, "ße."), (0, "Again.")].map(|(offset, text)| (offset, text.to_owned()));
        assert_eq!(sent(&host).await, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_piece_that_can_be_shown_does_not_wait() {
        let (host, reply) = (TestHost::default(), ReplyStream::default());
        let begun = tokio::time::Instant::now();
        let writing = async {
            for piece in ["ghp_", "no", " one. ", "More."] {
                reply.text(piece);
                tokio::task::yield_now().await;
                tokio::task::yield_now().await;
            }
            (begun.elapsed(), sent(&host).await)
        };

        let (took, first) = tokio::select! {
            () = reply.send_to(&host) => unreachable!("it sends until it is dropped"),
            written = writing => written,
        };

        assert_eq!(took, Duration::ZERO);
        assert_eq!(first.first().map(|(offset, _)| *offset), Some(0), "{first:?}");
        let text: String = first.iter().map(|(_, text)| text.as_str()).collect();
        assert!(text.starts_with("ghp_no"), "{first:?}");
    }

    #[tokio::test]
    async fn a_secret_in_pieces_waits_for_its_end() {
        let (host, reply) = (TestHost::default(), ReplyStream::default());

        for piece in ["The token is ghp_", "aB3dE5fG7hI9jK1lM2", "nO4pQ6rS8tU0vW1xY2", " and that is all."] {
            reply.text(piece);
            reply.send_ready(&host).await;
        }
        reply.finish(&host).await;

        let text: String = sent(&host).await.into_iter().map(|(_, text)| text).collect();
        assert!(!text.contains("ghp_") && text.contains("[redacted: "), "{text}");
        assert!(text.ends_with(" and that is all."), "{text}");
    }
}
