//! A conversation from another program, in OpenAI's format, as the lines of an exported session: there is one import,
//! and what it checks holds for both.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::Value;
use serde_json::value::to_raw_value;
use switchboard_protocol::{MessageId, Mode, PROTOCOL_VERSION, ServerMessage, SessionId, Step};

use super::lines::{FORMAT, Head, Line, bytes};
use crate::frames::frame;
use crate::title::title_of;
use switchboard_context::preview_arguments;
use switchboard_conversation::{Transcript, from_transcript};
use switchboard_events::{BlobHash, ChatMessage, ChatRole, ServerOnly, ToolCall};
use switchboard_runtime::timestamp;
use switchboard_tools::preview_lines;

/// The module of tools that were called elsewhere.
const MODULE: &str = "imported";

/// Lines of a result that are shown.
const PREVIEW_LINES: usize = 3;

/// The file of a session with the messages of `{"messages": […]}` or of a bare list, and how many instructions were left
/// out: those of a session come from its settings.
///
/// # Errors
/// When it is not such a file; says which message and why.
pub fn from_openai(file: &[u8]) -> Result<(Bytes, usize), String> {
    let file: Value = serde_json::from_slice(file).map_err(|error| format!("the file is not JSON: {error}"))?;
    let list = file.get("messages").unwrap_or(&file).as_array();
    let list = list.ok_or("the file is neither {\"messages\": […]} nor a list of messages")?;
    let Transcript { messages, pictures } = from_transcript(list).map_err(|error| format!("failed to {error}"))?;
    let (instructions, said): (Vec<_>, Vec<_>) =
        messages.into_iter().partition(|message| message.role == ChatRole::System);
    let first = said.iter().find(|message| message.role == ChatRole::User);
    let pictures = pictures.into_iter().map(|shown| (shown.picture.hash, shown.data)).collect();
    let mut session = Written { pictures, ..Written::default() };
    let title =
        first.map_or_else(|| "Imported conversation".to_owned(), |message| title_of(&message.content.in_words()));
    session.rename(title, said.split(|message| message.role == ChatRole::User).next().unwrap_or_default());
    for turn in said.chunk_by(|_, next| next.role != ChatRole::User).filter(|turn| turn[0].role == ChatRole::User) {
        session.turn(turn);
    }
    Ok((session.file(), instructions.len()))
}

/// The session so far.
#[derive(Default)]
struct Written {
    lines: Vec<u8>,
    seq: u64,
    /// Calls that wait for their result.
    open: Vec<ToolCall>,
    /// Pictures that are not in the file yet.
    pictures: HashMap<BlobHash, Bytes>,
}

impl Written {
    /// The title, and what was said before anybody asked.
    fn rename(&mut self, title: String, before: &[ChatMessage]) {
        let message = ServerMessage::SessionUpdate { title: Some(title), reasoner: None, context_tokens: None };
        self.event(None, message, before.to_vec(), None);
    }

    /// A request, what was done for it, and the reply if the last message is one.
    fn turn(&mut self, said: &[ChatMessage]) {
        let Some((request, rest)) = said.split_first() else { return };
        let id: MessageId = uuid::Uuid::new_v4().to_string();
        let message = ServerMessage::UserMessage {
            message_id: id.clone(),
            text: request.content.in_words().into_owned(),
            mode: Mode::Queue,
            client_timestamp: None,
            prompt: None,
            tool: None,
            attachments: None,
            repeated: None,
        };
        self.event(None, message, Vec::new(), None);
        self.stage(&id, Step::Analyzing, "Imported from another program", request, Some(&id));
        let is_reply = |said: &&ChatMessage| said.role == ChatRole::Assistant && said.tool_calls.is_empty();
        let reply = rest.last().filter(is_reply);
        for said in &rest[..rest.len() - usize::from(reply.is_some())] {
            match said.role {
                ChatRole::Tool => self.result(&id, said),
                _ => self.said(&id, said),
            }
        }
        self.open.clear();
        self.end(&id, reply);
    }

    fn said(&mut self, turn: &MessageId, said: &ChatMessage) {
        let names: Vec<&str> = said.tool_calls.iter().map(|call| call.name.as_str()).collect();
        match names.is_empty() {
            true => self.stage(turn, Step::Deciding, &preview_lines(&said.content.in_words(), 1).concat(), said, None),
            false => self.stage(turn, Step::Selecting, &format!("Using {}", names.join(", ")), said, None),
        }
        self.open.extend(said.tool_calls.iter().cloned());
    }

    /// A result with its call's frames; one that no call waits for is only said.
    fn result(&mut self, turn: &MessageId, said: &ChatMessage) {
        let waiting = self.open.iter().position(|call| said.tool_call_id.as_ref() == Some(&call.id));
        let Some(call) = waiting.map(|place| self.open.remove(place)) else {
            return self.stage(turn, Step::Executing, "A result without a call", said, None);
        };
        let start = ServerMessage::ToolCallStart {
            call_id: call.id.clone(),
            parent_call_id: None,
            tool: call.name.clone(),
            module: MODULE.to_owned(),
            title: None,
            quiet: None,
            arguments: preview_arguments(&call.arguments),
            references: None,
        };
        self.event(Some(turn), start, Vec::new(), None);
        let end = ServerMessage::ToolCallEnd {
            call_id: call.id,
            tool: call.name,
            started: true,
            success: true,
            preview: preview_lines(&said.content.in_words(), PREVIEW_LINES),
            output_variable: None,
            duration_ms: 0,
            undoable: false,
            error: String::new(),
            error_type: None,
            suggestion: None,
            diff: None,
            undid: None,
            pictures: None,
            fields: None,
        };
        self.event(Some(turn), end, vec![said.clone()], None);
    }

    fn end(&mut self, turn: &MessageId, reply: Option<&ChatMessage>) {
        let ids = vec![turn.clone()];
        let message = match reply {
            Some(reply) => ServerMessage::AgentResponse {
                message_ids: ids,
                text: reply.content.in_words().into_owned(),
                tools_used: Vec::new(),
                context_updated: Vec::new(),
                reasoning: String::new(),
                operation_count: 0,
                complete: true,
                usage: None,
            },
            None => ServerMessage::AgentError {
                message_ids: Some(ids),
                text: "There is no reply to this in the file that was imported.".to_owned(),
                error: "the imported conversation has no reply".to_owned(),
                code: "interrupted".to_owned(),
                path: None,
                attempted_tools: Vec::new(),
                suggestions: vec!["Send the message again.".to_owned()],
                retryable: true,
                retry_after_ms: None,
            },
        };
        self.event(Some(turn), message, reply.cloned().into_iter().collect(), None);
    }

    fn stage(&mut self, turn: &MessageId, step: Step, text: &str, said: &ChatMessage, taken: Option<&MessageId>) {
        let message = ServerMessage::AgentThinking {
            step,
            message: text.to_owned(),
            needs_tools: None,
            found_tools: None,
            candidates: None,
            selected: None,
            reasoning: None,
        };
        self.event(Some(turn), message, vec![said.clone()], taken);
    }

    fn event(
        &mut self,
        turn: Option<&MessageId>,
        message: ServerMessage,
        messages: Vec<ChatMessage>,
        taken: Option<&MessageId>,
    ) {
        self.seq += 1;
        for picture in messages.iter().flat_map(|message| message.content.pictures()) {
            if let Some(data) = self.pictures.remove(&picture.hash) {
                let (blob, base64) = (Some(picture.hash.clone()), Some(STANDARD.encode(&data).into()));
                self.lines.extend_from_slice(&bytes(&Line { blob, base64, ..Line::default() }));
            }
        }
        let private = ServerOnly { messages, taken: taken.into_iter().cloned().collect(), ..ServerOnly::default() };
        let raw = to_raw_value(&frame(Some(self.seq), turn.cloned(), message));
        let frame = raw.expect("a frame has only text keys and numbers that JSON knows");
        let private =
            (private != ServerOnly::default()).then(|| to_raw_value(&private).expect("the same holds for it"));
        let line = Line {
            seq: Some(self.seq),
            at: Some(timestamp().into()),
            frame: Some(&frame),
            private: private.as_deref(),
            ..Line::default()
        };
        self.lines.extend_from_slice(&bytes(&line));
    }

    fn file(self) -> Bytes {
        let head = Head {
            switchboard_export: FORMAT,
            protocol_version: PROTOCOL_VERSION,
            session_id: SessionId::random(),
            title: None,
            events: self.seq,
        };
        let mut file = bytes(&head).to_vec();
        file.extend_from_slice(&self.lines);
        file.into()
    }
}
