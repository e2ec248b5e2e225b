//! After each turn: how full the window is now, and a summary of what fell out of it.

use std::time::Duration;

use switchboard_protocol::{ConversationSummary, ServerMessage, TokenGauge};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::ChatServerToolAgent;
use crate::host::WorkRequest;
use switchboard_conversation::{MAX_SUMMARY_BYTES, Summary, extract};
use switchboard_events::NewEvent;

/// How long a summary may take before one is made without a model.
const SUMMARY_LIMIT: Duration = Duration::from_secs(60);

/// The gauge is sent when it has moved by this part of the window: each time is an event in the log.
const GAUGE_STEP: u64 = 20;

impl ChatServerToolAgent {
    /// Tells the clients how full the window is, if that has changed enough to be seen.
    pub(super) fn measure_context(&mut self) {
        let config = self.state.conversation.config();
        if !config.has_window() {
            return;
        }
        let (used, limit) = (self.state.conversation.tokens(), config.context_limit());
        let seen = self.state.shown.context_tokens.as_ref();
        let moved = seen.is_none_or(|seen| seen.limit != limit || seen.used.abs_diff(used) * GAUGE_STEP >= limit);
        if moved {
            let context_tokens = Some(TokenGauge { used, limit });
            self.append(NewEvent::of_session(ServerMessage::SessionUpdate {
                title: None,
                reasoner: None,
                context_tokens,
            }));
        }
    }

    /// Has a summary written of what fell out of the window, if there is something and summaries are wanted. Whoever writes
    /// it is left alone when it takes too long, when the user stops what runs, and when the session or the server ends.
    pub(super) fn summarize(&mut self) {
        if self.work.summarizing.is_some() {
            return;
        }
        let Some(overflow) = self.state.conversation.overflow() else { return };
        let stop = CancellationToken::new();
        self.work.summarizing = Some(stop.clone().drop_guard());
        let (summarizer, errand) = (self.services.summarizer.clone(), self.work.errand());
        let stopping = self.services.shutdown.stopping().clone();
        self.services.shutdown.spawn(async move {
            let written = tokio::select! {
                biased;
                () = stop.cancelled() => Err("it was stopped".to_owned()),
                () = stopping.cancelled() => Err("the server is stopping".to_owned()),
                written = timeout(SUMMARY_LIMIT, summarizer.summarize(&overflow)) => {
                    written.map_err(|_| "it took too long".to_owned()).and_then(|written| written)
                }
            };
            let mut text = written.unwrap_or_else(|why| {
                tracing::warn!("a summary was made without a model: {why}");
                extract(&overflow)
            });
            text.truncate(text.floor_char_boundary(MAX_SUMMARY_BYTES));
            let summary = Summary { text, from_seq: overflow.from_seq, to_seq: overflow.to_seq };
            errand.bring(WorkRequest::Summarized(summary)).await;
        });
    }

    /// The user stops what runs: the model is not asked for a summary any longer, and a simpler one comes at once.
    pub(super) fn stop_summarizing(&mut self) {
        self.work.summarizing = self.work.summarizing.take().map(|guard| {
            let stop = guard.disarm();
            stop.cancel();
            stop.drop_guard()
        });
    }

    /// A summary was written; one of a conversation that is over is of no use.
    pub(super) fn summarized(&mut self, summary: Summary) {
        self.work.summarizing = None;
        let open = self.refuse_unless_open(None).is_ok();
        if open && self.state.conversation.knows(summary.to_seq) {
            let Summary { text, from_seq, to_seq } = summary;
            let said = ConversationSummary { text, from_seq, to_seq };
            self.append(NewEvent::of_session(ServerMessage::ConversationSummary(said)));
        }
    }
}
