//! A tool's live output on its way to the user: cleaned, its secrets marked, gathered, paced and bounded.
//!
//! The tool never waits. Everything arrives up to a cap; a tool that writes more, and faster than it can be sent, loses
//! the middle: offsets show the gap. What counts is the result; this is only for watching.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use switchboard_protocol::{CallId, ServerMessage, Stream};
use tokio::sync::Notify;

use super::tool::OutputSink;
use switchboard_events::Recorder;
use switchboard_runtime::Redactor;

/// At least this long between two sendings of a call's output.
const PACE: Duration = Duration::from_millis(50);

/// The largest chunk.
const MAX_CHUNK_BYTES: usize = 16 * 1024;

/// Up to here a stream arrives whole, however fast it comes.
const LOSSLESS_BYTES: u64 = 1024 * 1024;

/// Beyond that, this much of a stream's end waits to be sent; what is older is left out.
const WAITING_BYTES: usize = 64 * 1024;

/// The live output of one call.
#[derive(Default)]
pub(super) struct LiveOutput {
    state: Mutex<OutputState>,
    news: Notify,
}

#[derive(Default)]
struct OutputState {
    streams: BTreeMap<Stream, UnsentOutput>,
    ended: bool,
}

/// What waits to be sent of one stream.
#[derive(Default)]
struct UnsentOutput {
    sanitizer: super::text::Sanitizer,
    redactor: Redactor,
    text: String,
    /// Where `text` begins in the stream.
    offset: u64,
}

/// A piece to be sent.
#[derive(Debug, PartialEq, Eq)]
struct Chunk {
    stream: Stream,
    offset: u64,
    text: String,
}

impl OutputSink for LiveOutput {
    fn chunk(&self, stream: Stream, text: &str) {
        let mut state = self.state();
        if !state.ended {
            state.streams.entry(stream).or_default().push(text);
            drop(state);
            self.news.notify_one();
        }
    }
}

impl LiveOutput {
    /// Nothing more comes: [`Self::send_to`] sends what is left and returns.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.news.notify_one();
    }

    /// Sends the output as it comes, until it has ended.
    pub(super) async fn send_to<R: Recorder + ?Sized>(&self, recorder: &R, call_id: &CallId) {
        loop {
            let (chunks, ended) = self.take();
            let sent = !chunks.is_empty();
            for Chunk { stream, offset, text } in chunks {
                let call_id = call_id.clone();
                recorder.transient(ServerMessage::ToolOutputChunk { call_id, stream, offset, chunk: text }).await;
            }
            if ended {
                return;
            }
            if sent {
                tokio::select! {
                    () = tokio::time::sleep(PACE) => {}
                    () = self.until_ended() => {}
                }
            } else {
                self.news.notified().await;
            }
        }
    }

    async fn until_ended(&self) {
        while !self.state().ended {
            self.news.notified().await;
        }
    }

    fn take(&self) -> (Vec<Chunk>, bool) {
        let mut state = self.state();
        let ended = state.ended;
        let chunks = state.streams.iter_mut().flat_map(|(stream, waiting)| waiting.take(*stream, ended)).collect();
        (chunks, ended)
    }

    fn state(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnsentOutput {
    fn push(&mut self, text: &str) {
        self.text.push_str(&self.redactor.push(&self.sanitizer.push(text)));
        let total = self.offset + self.text.len() as u64;
        if total > LOSSLESS_BYTES && self.text.len() > 2 * WAITING_BYTES {
            let kept = self.text.ceil_char_boundary(self.text.len() - WAITING_BYTES);
            self.text.drain(..kept);
            self.offset += kept as u64;
        }
    }

    fn take(&mut self, stream: Stream, ended: bool) -> Vec<Chunk> {
        if ended {
            self.text.push_str(&self.redactor.finish());
        }
        let text = mem::take(&mut self.text);
        let mut rest = text.as_str();
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let end = rest.floor_char_boundary(MAX_CHUNK_BYTES);
            chunks.push(Chunk { stream, offset: self.offset, text: rest[..end].to_owned() });
            self.offset += end as u64;
            rest = &rest[end..];
        }
        chunks
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
