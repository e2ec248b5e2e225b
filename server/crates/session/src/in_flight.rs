//! What the transients amount to for a client that attaches in the middle: the running reply and the last of each
//! running call's output. Fed with frames in the order in which they are sent, so it never runs ahead of the log.

use std::sync::Arc;

use switchboard_protocol::{CallId, MessageId, ServerFrame, ServerMessage, Step, Stream};

use super::frames;
use super::subscriber::Outgoing;

/// How much of each stream of a running call, and of the running reply, is kept.
pub(super) const KEPT: usize = 64 * 1024;

/// The running reply and the running calls.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    reply: Option<(Option<MessageId>, Tail)>,
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    id: CallId,
    turn: Option<MessageId>,
    streams: Vec<(Stream, Tail)>,
}

/// The end of a text that grows.
#[derive(Debug, Default)]
struct Tail {
    start: u64,
    text: String,
}

impl InFlight {
    /// Takes note of a frame that is being sent.
    pub(super) fn observe(&mut self, frame: &ServerFrame) {
        match &frame.message {
            ServerMessage::ToolCallStart { call_id, .. } => {
                self.calls.push(Call { id: call_id.clone(), turn: frame.turn_id.clone(), streams: Vec::new() });
            }
            ServerMessage::ToolOutputChunk { call_id, stream, offset, chunk } => {
                if let Some(call) = self.calls.iter_mut().find(|call| call.id == *call_id) {
                    call.tail(*stream).push(*offset, chunk);
                }
            }
            ServerMessage::ToolCallEnd { call_id, .. } => self.calls.retain(|call| call.id != *call_id),
            ServerMessage::AgentDelta { offset, text } => {
                let (turn, tail) = self.reply.get_or_insert_default();
                turn.clone_from(&frame.turn_id);
                tail.push(*offset, text);
            }
            // What was written before a tool is used was not a reply.
            ServerMessage::AgentThinking { step: Step::Searching | Step::Selecting | Step::Executing, .. }
            | ServerMessage::AgentResponse { .. }
            | ServerMessage::AgentError { message_ids: Some(_), .. } => {
                self.reply.take_if(|(turn, _)| *turn == frame.turn_id);
            }
            _ => {}
        }
    }

    /// The frames that bring a client up to the transients sent so far: all of the running reply, and of each stream of a
    /// running call the last `most` bytes.
    pub(super) fn frames(&self, most: usize) -> Vec<Outgoing> {
        let mut all = Vec::new();
        for call in &self.calls {
            for (stream, tail) in &call.streams {
                let (offset, text) = tail.last(most);
                let chunk = ServerMessage::ToolOutputChunk {
                    call_id: call.id.clone(),
                    stream: *stream,
                    offset,
                    chunk: text.to_owned(),
                };
                all.push(outgoing(call.turn.clone(), chunk));
            }
        }
        if let Some((turn, tail)) = &self.reply {
            let delta = ServerMessage::AgentDelta { offset: tail.start, text: tail.text.clone() };
            all.push(outgoing(turn.clone(), delta));
        }
        all
    }
}

impl Call {
    fn tail(&mut self, stream: Stream) -> &mut Tail {
        let at = self.streams.iter().position(|(known, _)| *known == stream).unwrap_or_else(|| {
            self.streams.push((stream, Tail::default()));
            self.streams.len() - 1
        });
        &mut self.streams[at].1
    }
}

impl Tail {
    /// Adds a piece; one that does not join on begins anew, for there is nothing to say about what lies between.
    fn push(&mut self, offset: u64, piece: &str) {
        if self.start + self.text.len() as u64 != offset {
            self.start = offset;
            self.text.clear();
        }
        self.text.push_str(piece);
        if self.text.len() > 2 * KEPT {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let (start, last) = self.last(KEPT);
        let from = self.text.len() - last.len();
        self.start = start;
        self.text.drain(..from);
    }

    /// Its end, of at most so many bytes, and where that begins.
    fn last(&self, most: usize) -> (u64, &str) {
        let from = self.text.ceil_char_boundary(self.text.len().saturating_sub(most));
        (self.start + from as u64, &self.text[from..])
    }
}

fn outgoing(turn: Option<MessageId>, message: ServerMessage) -> Outgoing {
    Outgoing { seq: None, text: Arc::from(frames::text(&frames::frame(None, turn, message))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(offset: u64, chunk: &str) -> ServerFrame {
        let message = ServerMessage::ToolOutputChunk {
            call_id: CallId::from("call"),
            stream: Stream::Stdout,
            offset,
            chunk: chunk.to_owned(),
        };
        frames::frame(None, None, message)
    }

    fn running() -> InFlight {
        let start = ServerMessage::ToolCallStart {
            call_id: CallId::from("call"),
            parent_call_id: None,
            tool: "bash".to_owned(),
            module: "shell".to_owned(),
            title: None,
            quiet: None,
            arguments: serde_json::Map::new(),
            references: None,
        };
        let mut live = InFlight::default();
        live.observe(&frames::frame(Some(1), None, start));
        live
    }

    fn caught_up(live: &InFlight) -> Vec<(u64, String)> {
        let frames = live.frames(KEPT);
        let frames = frames.iter().map(|outgoing| serde_json::from_str::<ServerFrame>(&outgoing.text));
        frames
            .map(|frame| match frame.expect("it is a frame").message {
                ServerMessage::ToolOutputChunk { offset, chunk, .. } => (offset, chunk),
                ServerMessage::AgentDelta { offset, text } => (offset, text),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn pieces_that_join_on_come_as_one() {
        let mut live = running();

        live.observe(&chunk(0, "one\n"));
        live.observe(&chunk(4, "two\n"));

        assert_eq!(caught_up(&live), [(0, "one\ntwo\n".to_owned())]);
    }

    #[test]
    fn only_the_last_of_a_long_output_is_kept_and_letters_stay_whole() {
        let mut live = running();
        let piece = "ä".repeat(1000);

        for number in 0..100 {
            live.observe(&chunk(number * 2000, &piece));
        }

        let [(offset, text)] = &caught_up(&live)[..] else { panic!("one stream") };
        assert!(text.len() <= 2 * KEPT && text.len() >= KEPT - 1, "{}", text.len());
        assert_eq!(offset + text.len() as u64, 200_000);
    }

    #[test]
    fn what_has_ended_is_forgotten() {
        let mut live = running();
        live.observe(&chunk(0, "one\n"));
        let delta = ServerMessage::AgentDelta { offset: 0, text: "Hel".to_owned() };
        live.observe(&frames::frame(None, Some("m1".to_owned()), delta));

        let end = super::super::recovery::tests::interrupted_end("m1");
        live.observe(&end);

        assert_eq!(caught_up(&live), [(0, "one\n".to_owned())]);
    }
}
