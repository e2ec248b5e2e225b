//! The output of a command: sent on as it comes, and kept in full up to a limit, then its beginning and its end.

use std::collections::VecDeque;
use std::net::TcpListener;
use std::sync::Arc;

use switchboard_protocol::Stream;
use tokio::sync::oneshot;

use switchboard_sandbox::RunOutput;
use switchboard_tools::OutputSink;

/// How much of the beginning and of the end of each stream is kept.
const KEPT_BYTES: usize = 2 * 1024 * 1024;

/// A command that puts out more than this is ended.
pub(super) const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Both streams of a command.
pub(super) struct Capture {
    sink: Arc<dyn OutputSink>,
    /// Where the listener of its proxy goes.
    listener: Option<oneshot::Sender<TcpListener>>,
    /// Standard output.
    pub(super) stdout: Captured,
    /// Standard error.
    pub(super) stderr: Captured,
}

impl Capture {
    pub(super) fn new(sink: Arc<dyn OutputSink>, listener: oneshot::Sender<TcpListener>) -> Self {
        Self { sink, listener: Some(listener), stdout: Captured::default(), stderr: Captured::default() }
    }
}

impl RunOutput for Capture {
    fn stdout(&mut self, bytes: &[u8]) {
        let text = self.stdout.push(bytes);
        self.sink.chunk(Stream::Stdout, &text);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        let text = self.stderr.push(bytes);
        self.sink.chunk(Stream::Stderr, &text);
    }

    fn proxy_listener(&mut self, listener: TcpListener) {
        let _ = self.listener.take().map(|sender| sender.send(listener));
    }

    fn is_too_much(&self) -> bool {
        self.stdout.total + self.stderr.total > MAX_BYTES
    }
}

/// One stream.
#[derive(Default)]
pub(super) struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// All bytes that there were.
    pub(super) total: u64,
    /// The first bytes of a character that is not all there yet.
    unfinished: Vec<u8>,
}

impl Captured {
    /// Keeps the bytes; the text that they make with those before.
    fn push(&mut self, bytes: &[u8]) -> String {
        self.total += bytes.len() as u64;
        let room = KEPT_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend(&bytes[room..]);
        let beyond = self.tail.len().saturating_sub(KEPT_BYTES);
        self.tail.drain(..beyond);

        let mut whole = std::mem::take(&mut self.unfinished);
        whole.extend_from_slice(bytes);
        let complete = whole.len() - unfinished_bytes(&whole);
        self.unfinished = whole.split_off(complete);
        String::from_utf8_lossy(&whole).into_owned()
    }

    /// What was kept, byte by byte: all of it, or the beginning and the end.
    pub(super) fn kept(&self) -> Vec<u8> {
        let (front, back) = self.tail.as_slices();
        [&self.head, front, back].concat()
    }

    /// The whole stream as text; of a long one its beginning and its end.
    pub(super) fn text(&self) -> String {
        let kept = (self.head.len() + self.tail.len()) as u64;
        let (front, back) = self.tail.as_slices();
        if kept == self.total {
            return String::from_utf8_lossy(&self.kept()).into_owned();
        }
        let (head, tail) = (String::from_utf8_lossy(&self.head), [front, back].concat());
        let left_out = self.total - kept;
        format!("{head}\n… {left_out} of {} bytes left out …\n{}", self.total, String::from_utf8_lossy(&tail))
    }
}

/// How many bytes at the end begin a character that is not all there.
fn unfinished_bytes(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        let length = match byte {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            0x80..=0xBF => continue,
            _ => return 0,
        };
        return if length > back { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_split_between_pieces_come_whole() {
        let text = "grün — 😀 ok";
        for size in 1..6 {
            let mut captured = Captured::default();
            let live: String = text.as_bytes().chunks(size).map(|piece| captured.push(piece)).collect();
            assert_eq!((live.as_str(), captured.text().as_str()), (text, text), "in pieces of {size}");
        }
    }

    #[test]
    fn a_long_stream_keeps_its_beginning_and_its_end() {
        let mut captured = Captured::default();
        captured.push(b"begin");
        for _ in 0..80 {
            captured.push(&[b'x'; 64 * 1024]);
        }
        captured.push(b"end");

        let text = captured.text();
        assert!(text.starts_with("beginx") && text.ends_with("xend"));
        assert!(text.contains("of 5242888 bytes left out") && text.len() < 2 * KEPT_BYTES + 100, "{}", text.len());
    }
}
