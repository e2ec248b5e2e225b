//! What the scripted server answers, and how it is written to the wire.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Asked, anthropic};

/// What is answered.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// The whole HTTP answer, if it is not to be made of the rest.
    pub(super) raw: Option<Vec<u8>>,
    pub(super) refusal: Option<Value>,
    pub(super) text: String,
    pub(super) pieces: usize,
    pub(super) calls: Vec<Value>,
    pub(super) sources: Vec<(String, String)>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<Value>,
    pub(super) done: bool,
    pub(super) ending: &'static str,
    pub(super) bytes: usize,
    pub(super) cut_after: Option<usize>,
    pub(super) stall_after: Option<usize>,
    pub(super) hold_after: Option<usize>,
    pub(super) fault: Option<(usize, Value)>,
    pub(super) delay: Duration,
    pub(super) between: Duration,
}

impl Answer {
    /// This text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            raw: None,
            refusal: None,
            text: text.into(),
            pieces: 5,
            calls: Vec::new(),
            sources: Vec::new(),
            finish: None,
            usage: Some(json!({"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})),
            done: true,
            ending: "\n",
            bytes: usize::MAX,
            cut_after: None,
            stall_after: None,
            hold_after: None,
            fault: None,
            delay: Duration::ZERO,
            between: Duration::ZERO,
        }
    }

    /// This JSON as text: a structured reply.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }

    /// Calls of functions, with ids `call_1`, `call_2`, ….
    #[must_use]
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let call = |(number, (name, arguments)): (usize, (&str, Value))| call(number + 1, name, &arguments.to_string());
        Self { calls: calls.into_iter().enumerate().map(call).collect(), ..Self::text("") }
    }

    /// One call whose arguments are exactly this text.
    #[must_use]
    pub fn call_with(name: &str, arguments: &str) -> Self {
        Self::raw_calls([call(1, name, arguments)])
    }

    /// These `tool_calls`, exactly so.
    #[must_use]
    pub fn raw_calls(calls: impl IntoIterator<Item = Value>) -> Self {
        Self { calls: calls.into_iter().collect(), ..Self::text("") }
    }

    /// Calls together with a text.
    #[must_use]
    pub fn saying(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// With pages that the provider found on the web and cites, `(title, address)` each.
    #[must_use]
    pub fn citing(self, sources: &[(&str, &str)]) -> Self {
        let own = |(title, url): &(&str, &str)| ((*title).to_owned(), (*url).to_owned());
        Self { sources: sources.iter().map(own).collect(), ..self }
    }

    /// A refusal in OpenAI's form.
    #[must_use]
    pub fn status(status: u16, message: &str) -> Self {
        Self { status, refusal: Some(json!({"error": {"message": message}})), ..Self::text("") }
    }

    /// A status with exactly this body.
    #[must_use]
    pub fn status_with(status: u16, body: Value) -> Self {
        Self { status, refusal: Some(body), ..Self::text("") }
    }

    /// Exactly these bytes, from the status line on; then the connection is closed.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { raw: Some(bytes.into()), ..Self::text("") }
    }

    /// Status 200 with this body.
    #[must_use]
    pub fn page(content_type: &str, body: &str) -> Self {
        let length = body.len();
        Self::raw(format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"))
    }

    /// The request is taken, and never answered.
    #[must_use]
    pub fn silent() -> Self {
        Self { stall_after: Some(0), raw: Some(Vec::new()), ..Self::text("") }
    }

    /// The connection is closed without an answer.
    #[must_use]
    pub fn hang_up() -> Self {
        Self::raw(Vec::new())
    }

    /// With this header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this `finish_reason`; an empty one is left out.
    #[must_use]
    pub fn finish(self, reason: &str) -> Self {
        Self { finish: Some(reason.to_owned()), ..self }
    }

    /// With this `usage`; null is left out.
    #[must_use]
    pub fn usage(self, usage: Value) -> Self {
        Self { usage: Some(usage).filter(|usage| !usage.is_null()), ..self }
    }

    /// A stream without `[DONE]`.
    #[must_use]
    pub fn without_done(self) -> Self {
        Self { done: false, ..self }
    }

    /// A stream whose lines end so.
    #[must_use]
    pub fn line_ending(self, ending: &'static str) -> Self {
        Self { ending, ..self }
    }

    /// Written in pieces of so many bytes, wherever they fall.
    #[must_use]
    pub fn in_bytes_of(self, bytes: usize) -> Self {
        Self { bytes: bytes.max(1), ..self }
    }

    /// A stream whose text comes in pieces of so many characters.
    #[must_use]
    pub fn in_pieces_of(self, characters: usize) -> Self {
        Self { pieces: characters.max(1), ..self }
    }

    /// A stream that is closed after so many events.
    #[must_use]
    pub fn cut_after(self, events: usize) -> Self {
        Self { cut_after: Some(events), ..self }
    }

    /// A stream that stays open and silent after so many events.
    #[must_use]
    pub fn stall_after(self, events: usize) -> Self {
        Self { stall_after: Some(events), ..self }
    }

    /// An answer that waits after so many events until [`ScriptedLlm::release`]; one in one piece waits before all of it.
    #[must_use]
    pub fn hold_after(self, events: usize) -> Self {
        Self { hold_after: Some(events), ..self }
    }

    /// A stream that tells an error of this type after so many events, and ends.
    #[must_use]
    pub fn fails_after(self, events: usize, kind: &str, message: &str) -> Self {
        let error = json!({"type": "error", "error": {"type": kind, "message": message}});
        Self { fault: Some((events, error)), ..self }
    }

    /// An answer that begins after this time.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// A stream with this time between its events.
    #[must_use]
    pub fn between(self, between: Duration) -> Self {
        Self { between, ..self }
    }

    pub(super) fn finish_reason(&self) -> Option<&str> {
        match &self.finish {
            Some(reason) => Some(reason.as_str()).filter(|reason| !reason.is_empty()),
            None if self.calls.is_empty() => Some("stop"),
            None => Some("tool_calls"),
        }
    }

    /// The body in one piece.
    pub(super) fn body(&self, asked: &Asked) -> Vec<u8> {
        if let Some(refusal) = &self.refusal {
            return if asked.is_anthropic() { anthropic::refusal(self.status, refusal) } else { refusal.clone() }
                .to_string()
                .into_bytes();
        }
        if asked.is_anthropic() {
            return anthropic::body(self, asked).to_string().into_bytes();
        }
        let content = if self.text.is_empty() { Value::Null } else { self.text.as_str().into() };
        let mut message = json!({"role": "assistant", "content": content});
        if !self.calls.is_empty() {
            message["tool_calls"] = json!(self.calls);
        }
        if !self.sources.is_empty() {
            message["annotations"] = self.annotations();
        }
        let mut choice = json!({"index": 0, "message": message});
        if let Some(reason) = self.finish_reason() {
            choice["finish_reason"] = reason.into();
        }
        let mut body =
            json!({"id": "chatcmpl-1", "object": "chat.completion", "model": "scripted", "choices": [choice]});
        if let Some(usage) = &self.usage {
            body["usage"] = usage.clone();
        }
        body.to_string().into_bytes()
    }

    /// The events of the stream.
    pub(super) fn events(&self, asked: &Asked) -> Vec<Vec<u8>> {
        let mut events = if asked.is_anthropic() { anthropic::events(self, asked) } else { self.chunks() };
        if let Some((after, error)) = &self.fault {
            events.truncate(*after);
            events.push(self.event(if asked.is_anthropic() { "error" } else { "" }, &error.to_string()));
        }
        events
    }

    /// An event of the stream; `name` may be empty.
    pub(super) fn event(&self, name: &str, data: &str) -> Vec<u8> {
        let name = if name.is_empty() { String::new() } else { format!("event: {name}{}", self.ending) };
        format!("{name}data: {data}{0}{0}", self.ending).into_bytes()
    }

    /// The text in pieces.
    pub(super) fn text_pieces(&self) -> Vec<String> {
        let signs: Vec<char> = self.text.chars().collect();
        signs.chunks(self.pieces).map(|piece| piece.iter().collect()).collect()
    }

    fn annotations(&self) -> Value {
        let cited = |(title, url): &(String, String)| {
            let page = json!({"start_index": 0, "end_index": 1, "title": title, "url": url});
            json!({"type": "url_citation", "url_citation": page})
        };
        self.sources.iter().map(cited).collect()
    }

    fn chunks(&self) -> Vec<Vec<u8>> {
        // A chunk without an id means nothing to OpenAI's own client.
        let chunk_of = |choices: Value| {
            json!({
                "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "scripted",
                "choices": choices,
            })
        };
        let chunk = |choice: Value| chunk_of(json!([choice]));
        let mut chunks = vec![chunk(json!({"index": 0, "delta": {"role": "assistant", "content": ""}}))];
        for piece in self.text_pieces() {
            chunks.push(chunk(json!({"index": 0, "delta": {"content": piece}})));
        }
        if !self.sources.is_empty() {
            chunks.push(chunk(json!({"index": 0, "delta": {"annotations": self.annotations()}})));
        }
        for (index, call) in self.calls.iter().enumerate() {
            chunks.extend(
                call_pieces(index, call)
                    .into_iter()
                    .map(|piece| chunk(json!({"index": 0, "delta": {"tool_calls": [piece]}}))),
            );
        }
        if let Some(reason) = self.finish_reason() {
            chunks.push(chunk(json!({"index": 0, "delta": {}, "finish_reason": reason})));
        }
        if let Some(usage) = &self.usage {
            let mut last = chunk_of(json!([]));
            last["usage"] = usage.clone();
            chunks.push(last);
        }
        let done = self.done.then(|| "[DONE]".to_owned());
        let texts = chunks.into_iter().map(|chunk| chunk.to_string()).chain(done);
        texts.map(|text| self.event("", &text)).collect()
    }

    pub(super) fn head(&self, content_type: &str, length: Option<usize>) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Scripted\r\nContent-Type: {content_type}\r\n", self.status);
        head.push_str("Connection: close\r\n");
        if let Some(length) = length {
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        format!("{head}\r\n").into_bytes()
    }
}

fn call(number: usize, name: &str, arguments: &str) -> Value {
    json!({"id": format!("call_{number}"), "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// A call as a stream has it: first its name, then its arguments in two halves.
fn call_pieces(index: usize, call: &Value) -> Vec<Value> {
    let mut first = call.clone();
    if first.get("index").is_none() {
        first["index"] = index.into();
    }
    let Some(arguments) = call["function"]["arguments"].as_str().map(ToOwned::to_owned) else { return vec![first] };
    let half = arguments.floor_char_boundary(arguments.len() / 2);
    first["function"]["arguments"] = "".into();
    let rest = |text: &str| json!({"index": first["index"], "function": {"arguments": text}});
    let rests = [rest(&arguments[..half]), rest(&arguments[half..])];
    std::iter::once(first.clone()).chain(rests).collect()
}
