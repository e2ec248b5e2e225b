//! Claims about whatever may be in a session: it comes back from a file as it went out, byte for byte but for its id.

use switchboard_protocol::{CallId, ConversationSummary, Operation};

use super::*;
use crate::archive::fork::{Fork, Rerun, fork_record};
use switchboard_events::{BlobHash, EventLog, FileBefore, FileChange, FileImage, ReplyPart, RuleRecord, ToolCall};

/// Something that happens in a session.
#[derive(Debug, Clone)]
enum Happens {
    /// A turn of a model that calls tools: a read, or a change of a file of so many bytes.
    Turn {
        text: String,
        calls: usize,
        changes: bool,
        bytes: usize,
        fails: bool,
        /// Whether its calls are one reply, with words beside them.
        together: bool,
    },
    /// The last change is put back.
    Undo,
    Set(usize, String, usize),
    Rename(usize, usize),
    Delete(usize),
    Clear,
    Save(usize),
    NewConversation,
    Summary(String),
    Title(String),
    Rule,
    /// What follows happens in a fork that begins with so many of the events, in a hundredth.
    Fork(u64),
    /// What follows happens in a fork in which the last message stands at the end again.
    Rerun(String),
}

fn happens() -> impl Strategy<Value = Happens> {
    let bytes = prop_oneof![4 => 0..2000_usize, 1 => BLOB_THRESHOLD..BLOB_THRESHOLD + 5000];
    let turn = (any::<String>(), 0..3_usize, any::<bool>(), bytes.clone(), any::<bool>(), any::<bool>()).prop_map(
        |(text, calls, changes, bytes, fails, together)| Happens::Turn { text, calls, changes, bytes, fails, together },
    );
    prop_oneof![
        6 => turn,
        2 => Just(Happens::Undo),
        4 => (0..5_usize, any::<String>(), bytes).prop_map(|(name, text, bytes)| Happens::Set(name, text, bytes)),
        1 => (0..5_usize, 0..5_usize).prop_map(|(old, new)| Happens::Rename(old, new)),
        1 => (0..5_usize).prop_map(Happens::Delete),
        1 => Just(Happens::Clear),
        1 => (0..3_usize).prop_map(Happens::Save),
        1 => Just(Happens::NewConversation),
        1 => any::<String>().prop_map(Happens::Summary),
        1 => "\\PC{0,40}".prop_map(Happens::Title),
        1 => Just(Happens::Rule),
        1 => (1..100_u64).prop_map(Happens::Fork),
        1 => any::<String>().prop_map(Happens::Rerun),
    ]
}

/// A call, and what came of it.
#[derive(Default)]
struct Made {
    content: String,
    reply: Option<ReplyPart>,
    changes: bool,
    fails: bool,
    undid: Vec<CallId>,
}

/// A session to which things happen.
struct Life {
    bench: Bench,
    turns: usize,
    /// The calls that changed files and were not put back.
    changed: Vec<CallId>,
    last_message: Option<(MessageId, u64)>,
}

impl Life {
    async fn new() -> Self {
        Self { bench: Bench::new(memory()).await, turns: 0, changed: Vec::new(), last_message: None }
    }

    async fn goes_on(&mut self, happens: Happens) {
        match happens {
            Happens::Turn { text, calls, changes, bytes, fails, together } => {
                self.turn(&text, calls, changes, bytes, fails, together).await;
            }
            Happens::Undo => self.undo().await,
            Happens::Set(name, text, bytes) => {
                let value = match bytes % 3 {
                    0 => ArtifactValue::Text(format!("{text}{}", "ü".repeat(bytes))),
                    1 => ArtifactValue::Json(json!({"text": text, "n": 0.1, "list": vec![1.0; bytes / 64]})),
                    _ => ArtifactValue::Bytes(vec![u8::try_from(bytes % 256).unwrap_or(0); bytes].into()),
                };
                self.bench.set(&format!("v{name}"), value).await;
            }
            Happens::Rename(old, new) => {
                let planned = self.bench.state.context.plan_rename(&format!("v{old}"), &format!("v{new}"));
                self.change(planned.ok()).await;
            }
            Happens::Delete(name) => {
                let planned = self.bench.state.context.plan_delete(&format!("v{name}"));
                self.change(planned.ok()).await;
            }
            Happens::Clear => self.bench.record(NewEvent::of_session(ServerMessage::ContextCleared {})).await,
            Happens::Save(name) => {
                self.command("save", ServerOnly { saved_as: Some(format!("s{name}")), ..ServerOnly::default() }).await;
            }
            Happens::NewConversation => {
                self.command("new", ServerOnly { new_conversation: true, ..ServerOnly::default() }).await;
            }
            Happens::Rule => {
                let rule = RuleRecord { effect: "deny".to_owned(), rule: "file_read(.env)".to_owned() };
                self.command("permissions", ServerOnly { rule: Some(rule), ..ServerOnly::default() }).await;
            }
            Happens::Summary(text) => self.summary(&text).await,
            Happens::Title(title) => self.bench.title(&title).await,
            Happens::Fork(part) => {
                let upto = (self.bench.state.last_seq * part / 100).max(1);
                self.fork(upto, None).await;
            }
            Happens::Rerun(text) => {
                if let Some((id, seq)) = self.last_message.take() {
                    let text = Some(text).filter(|text| !text.is_empty());
                    self.fork(seq - 1, Some(Rerun::of(&id, seq, text))).await;
                }
            }
        }
    }

    async fn turn(&mut self, text: &str, calls: usize, changes: bool, bytes: usize, fails: bool, together: bool) {
        self.turns += 1;
        let id: MessageId = format!("m{}-{}", self.turns, self.bench.session);
        self.bench.say(&id, text).await;
        self.last_message = Some((id.clone(), self.bench.state.last_seq));
        self.bench.begin(&id).await;
        for number in 0..calls {
            let call_id: CallId = format!("{id}-c{number}").as_str().into();
            let content = format!("{}{text}", "é".repeat(bytes));
            let place = u32::try_from(number).unwrap_or(u32::MAX);
            let first: CallId = format!("{id}-c0").as_str().into();
            let reply =
                together.then(|| ReplyPart { id: first, place, said: format!("I look. {text}").trim().to_owned() });
            self.call(&id, &call_id, Made { content, reply, changes, fails, undid: Vec::new() }).await;
            if changes && !fails {
                self.changed.push(call_id);
            }
        }
        self.bench.answer(&id).await;
    }

    async fn call(&mut self, id: &MessageId, call: &CallId, made: Made) {
        let Made { content, reply, changes, fails, undid } = made;
        let hash = BlobHash::of(content.as_bytes());
        let values = Values::new(Arc::<dyn EventLog>::clone(&self.bench.log), self.bench.session);
        let (stored, blob) = values.store(ArtifactValue::Text(content.clone()));
        let arguments = json!({"path": "a.txt", "content": "@v1", "n": 1.50}).as_object().cloned().unwrap_or_default();
        let before = FileBefore { content: stored, hash, mode: 0o644 };
        let image = FileImage { path: "a.txt".to_owned(), before: Some(before) };
        let fact = CallRecord {
            call_id: call.clone(),
            arguments: arguments.clone(),
            repeatable: !changes,
            request: "write it".to_owned(),
            output: Some("v1".to_owned()),
            reply: reply.clone(),
        };
        let private = ServerOnly { call: Some(fact), images: changes.then(|| vec![image]), ..ServerOnly::default() };
        let tool = if changes { "file_write" } else { "file_read" };
        let start =
            json!({"type": "tool-call-start", "callId": call, "tool": tool, "module": "files", "arguments": arguments});
        let mut event = NewEvent::of_turn(id, frame(start)).with_private(private);
        event.blobs.extend(blob.filter(|_| changes));
        self.bench.record(event).await;
        let end = json!({"type": "tool-call-end", "callId": call, "tool": tool, "started": true, "success": !fails,
            "preview": ["x"], "durationMs": 3, "undoable": changes, "error": if fails { "broken" } else { "" }, "errorType": fails.then_some("system_error"),
            "undid": (!undid.is_empty()).then_some(undid)});
        let end = end.as_object().cloned().unwrap_or_default().into_iter().filter(|(_, value)| !value.is_null());
        let made = ToolCall { id: call.clone(), name: tool.to_owned(), arguments };
        let calls = ChatMessage::calls_in(reply.as_ref(), made);
        let changed = FileChange { path: "a.txt".to_owned(), after: Some(BlobHash::of(b"new")) };
        let private = ServerOnly {
            changes: changes.then(|| vec![changed]),
            messages: vec![calls, ChatMessage::result(call, format!("{content}\n(stored as @v1)"))],
            operation: Some(operation(call, tool)),
            ..ServerOnly::default()
        };
        let end = NewEvent::of_turn(id, frame(Value::Object(end.collect()))).with_private(private);
        self.bench.record(end).await;
    }

    async fn undo(&mut self) {
        let Some(undone) = self.changed.pop() else { return };
        self.turns += 1;
        let id: MessageId = format!("u{}-{}", self.turns, self.bench.session);
        self.bench.say(&id, "Undo it").await;
        self.bench.begin(&id).await;
        let call: CallId = format!("{id}-c").as_str().into();
        let made = Made { content: "new".to_owned(), changes: true, undid: vec![undone], ..Made::default() };
        self.call(&id, &call, made).await;
        self.bench.answer(&id).await;
    }

    async fn command(&mut self, name: &str, private: ServerOnly) {
        self.turns += 1;
        let said = json!({"type": "command-response", "command": name, "text": "Done."});
        let event = NewEvent::of_turn(&format!("k{}", self.turns), frame(said)).with_private(private);
        self.bench.record(event).await;
    }

    async fn summary(&mut self, text: &str) {
        let to_seq = self.bench.state.last_seq;
        if to_seq > 0 {
            let text = text.chars().take(500).collect();
            let said = ConversationSummary { text, from_seq: 1, to_seq };
            self.bench.record(NewEvent::of_session(ServerMessage::ConversationSummary(said))).await;
        }
    }

    async fn change(&mut self, planned: Option<switchboard_context::ContextChange>) {
        if let Some(change) = planned {
            self.bench.record(change.into_event(None)).await;
        }
    }

    /// Goes on in a fork.
    async fn fork(&mut self, upto: u64, message: Option<Rerun>) {
        let Bench { log, session, .. } = &self.bench;
        let (log, session) = (Arc::clone(log), *session);
        let owner = Principal::local();
        let record = fork_record(&self.bench.state, session, upto, message.as_ref());
        let values = Arc::new(Values::new(Arc::<dyn EventLog>::clone(&log), session));
        let made = Fork { log: Arc::clone(&log), values, owner, record, message }.make().await.expect("a fork");
        self.bench = Bench::of(log, made).await;
        self.changed.clear();
        self.last_message = None;
        // A message that waits at the end is answered.
        let waiting: Vec<MessageId> =
            self.bench.state.messages.waiting.iter().map(|waiting| waiting.id.clone()).collect();
        for id in waiting {
            self.bench.begin(&id).await;
            self.bench.answer(&id).await;
        }
    }
}

fn operation(call: &CallId, tool: &str) -> Operation {
    let operation = json!({"callId": call, "tool": tool, "inputs": {"path": "a.txt"}, "outputs": "x",
        "timestamp": "2026-01-01T00:00:00Z", "success": true});
    serde_json::from_value(operation).expect("an operation")
}

fn frame(json: Value) -> ServerMessage {
    serde_json::from_value(json).expect("a frame")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn d13_out_and_in_and_out_again_is_the_same_but_for_the_id(life in proptest::collection::vec(happens(), 0..16), piece in 1..50_000_usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut session = Life::new().await;
            for happens in life {
                session.goes_on(happens).await;
            }
            let bench = session.bench;
            let first = bench.export().await;
            let there = memory();

            let imported = import(&there, &first, piece).await.expect("it can be imported");
            let second = text_of(&there, imported).await.expect("it can be exported");

            assert_ne!(imported, bench.session);
            assert!(second.replacen(&imported.to_string(), &bench.session.to_string(), 1) == first, "{first}\n---\n{second}");
            let state = crate::state::load(there.as_ref(), imported, u64::MAX).await.expect("it can be read");
            assert!(state == bench.state, "what it amounts to is the same");
            assert_eq!(count(&there).await, 1);
        });
    }

    #[test]
    fn a_transcript_is_the_same_after_ten_round_trips(life in proptest::collection::vec(happens(), 0..16)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut session = Life::new().await;
            for happens in life {
                session.goes_on(happens).await;
            }
            let Bench { mut log, mut session, .. } = session.bench;
            let first = transcript(log.as_ref(), session).await.expect("a transcript");

            for trip in 1..=10 {
                let there = transcript(log.as_ref(), session).await.expect("a transcript").to_string();
                let (file, _) = from_openai(there.as_bytes()).expect("what was written is read");
                log = memory();
                session = import(&log, &String::from_utf8_lossy(&file), 1000).await.expect("it can be imported");

                assert_eq!(transcript(log.as_ref(), session).await.expect("a transcript"), first, "round trip {trip}");
            }
        });
    }
}
