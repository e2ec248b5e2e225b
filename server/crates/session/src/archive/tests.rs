//! Claims about sessions that go out to files and come in from files.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Decision, MessageId, Mode, Risk, ServerMessage, SessionId, Step};

use super::*;
use crate::outbox::{Outbound, Outbox};
use crate::state::{self, SessionState};
use crate::{ImportError, SessionError};
use switchboard_accounts::Principal;
use switchboard_context::{OutputName, user_origin};
use switchboard_events::{
    ArtifactValue, BLOB_THRESHOLD, CallRecord, ChatMessage, ChatRole, EventLog, Grant, ListPage, MemoryLog, NewEvent,
    ServerOnly, Values,
};
use switchboard_store::{SqliteLog, SqliteOptions};

#[path = "round_trip_tests.rs"]
mod round_trips;

/// A session that is written event by event.
struct Bench {
    log: Arc<dyn EventLog>,
    session: SessionId,
    outbox: Outbox,
    state: SessionState,
}

impl Bench {
    async fn new(log: Arc<dyn EventLog>) -> Self {
        let session = SessionId::random();
        log.create(session, &Principal::local()).await.expect("it is a new session");
        let outbox = Outbox::new(Arc::<dyn EventLog>::clone(&log), session, 0);
        Self { log, session, outbox, state: SessionState::default() }
    }

    /// A session that already exists.
    async fn of(log: Arc<dyn EventLog>, session: SessionId) -> Self {
        let state = state::load(log.as_ref(), session, u64::MAX).await.expect("it can be read");
        let outbox = Outbox::new(Arc::<dyn EventLog>::clone(&log), session, state.last_seq);
        Self { log, session, outbox, state }
    }

    async fn record(&mut self, event: NewEvent) {
        self.outbox.push(Outbound { event, with: None, urgent: true, receipt: None, sender: None }, &mut self.state);
        assert!(self.outbox.next_commit().await.is_ok());
    }

    async fn say(&mut self, id: &str, text: &str) {
        let (message_id, text) = (id.to_owned(), text.to_owned());
        let message = ServerMessage::UserMessage {
            message_id,
            text,
            mode: Mode::Queue,
            client_timestamp: None,
            prompt: None,
            tool: None,
            attachments: None,
            repeated: None,
        };
        self.record(NewEvent::of_session(message)).await;
    }

    async fn begin(&mut self, id: &str) {
        let message = ServerMessage::AgentThinking {
            step: Step::Analyzing,
            message: "ReasonerFactory".to_owned(),
            needs_tools: None,
            found_tools: None,
            candidates: None,
            selected: None,
            reasoning: None,
        };
        let said = ChatMessage::new(ChatRole::User, "what was said");
        let private = ServerOnly { taken: vec![id.to_owned()], messages: vec![said], ..ServerOnly::default() };
        self.record(NewEvent::of_turn(&id.to_owned(), message).with_private(private)).await;
    }

    async fn answer(&mut self, id: &str) {
        let message = ServerMessage::AgentResponse {
            message_ids: vec![id.to_owned()],
            text: "Done — grüße \u{1f980}".to_owned(),
            tools_used: vec![],
            context_updated: vec![],
            reasoning: String::new(),
            operation_count: 0,
            complete: true,
            usage: None,
        };
        self.record(NewEvent::of_turn(&id.to_owned(), message)).await;
    }

    async fn title(&mut self, title: &str) {
        let title = Some(title.to_owned());
        self.record(NewEvent::of_session(ServerMessage::SessionUpdate { title, reasoner: None, context_tokens: None }))
            .await;
    }

    async fn set(&mut self, name: &str, value: ArtifactValue) {
        let values = Values::new(Arc::<dyn EventLog>::clone(&self.log), self.session);
        let name = OutputName::Given(name.to_owned());
        let (_, change) =
            self.state.context.plan_set(&values, &name, value, user_origin()).expect("the variable is allowed");
        self.record(change.into_event(None)).await;
    }

    async fn export(&self) -> String {
        text_of(&self.log, self.session).await.expect("it can be exported")
    }
}

/// A session with most of what a session can have, and nothing open.
async fn lived(log: Arc<dyn EventLog>) -> Bench {
    let mut bench = Bench::new(log).await;
    bench.say("m1", "Read it").await;
    bench.title("Reading").await;
    bench.begin("m1").await;
    let big = "ü\n".repeat(BLOB_THRESHOLD);
    bench.set("text", ArtifactValue::Text(big.clone())).await;
    bench.set("again", ArtifactValue::Text(big)).await;
    bench.set("bytes", ArtifactValue::Bytes(Bytes::from(vec![255; BLOB_THRESHOLD + 1]))).await;
    bench.set("small", ArtifactValue::Json(json!({"b": 1.0, "a": [0.1, "\u{2028}"]}))).await;
    bench.answer("m1").await;
    bench
}

async fn text_of(log: &Arc<dyn EventLog>, session: SessionId) -> Result<String, SessionError> {
    let row = log.get(session, &Principal::local()).await?.ok_or(SessionError::UnknownSession(session))?;
    let pieces: Vec<Bytes> = Export::of(Arc::<dyn EventLog>::clone(log), row).into_stream().try_collect().await?;
    Ok(String::from_utf8(pieces.concat()).expect("a file is text"))
}

async fn import(log: &Arc<dyn EventLog>, text: &str, piece: usize) -> Result<SessionId, ImportError> {
    let pieces = text.as_bytes().chunks(piece.max(1)).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
    Import::new(Arc::clone(log), Principal::local()).in_batches_of(64 * 1024).read(stream::iter(pieces)).await
}

fn memory() -> Arc<dyn EventLog> {
    Arc::new(MemoryLog::new())
}

async fn count(log: &Arc<dyn EventLog>) -> usize {
    log.list(&Principal::local(), &ListPage::first(100)).await.map_or(0, |sessions| sessions.len())
}

#[tokio::test]
async fn what_comes_in_goes_out_again_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let sqlite = SqliteLog::open(folder.path(), SqliteOptions { sync: false, ..SqliteOptions::default() });
    let sqlite: Arc<dyn EventLog> = Arc::new(sqlite.expect("a new log"));
    let bench = lived(memory()).await;
    let first = bench.export().await;

    let there = import(&sqlite, &first, 1000).await.expect("it can be imported");
    let second = text_of(&sqlite, there).await.expect("it can be exported");
    let back = import(&bench.log, &second, usize::MAX).await.expect("it can be imported");
    let third = text_of(&bench.log, back).await.expect("it can be exported");

    assert!(there != bench.session && back != bench.session);
    let as_first = |text: &str, id: SessionId| text.replacen(&id.to_string(), &bench.session.to_string(), 1);
    assert!(as_first(&second, there) == first && as_first(&third, back) == first);
    let lines: Vec<Value> = first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| if line.get("blob").is_some() { "blob" } else { "" }).collect();
    assert_eq!(kinds, ["", "", "", "", "blob", "", "", "blob", "", "", ""]);
    assert_eq!(lines[0]["title"], "Reading");
    sqlite.close().await;
}

#[tokio::test]
async fn an_imported_session_is_the_same_session() {
    let bench = lived(memory()).await;
    let log = memory();

    let session = import(&log, &bench.export().await, 4096).await.expect("it can be imported");

    let state = state::load(log.as_ref(), session, u64::MAX).await.expect("it can be read");
    assert_eq!(state, bench.state);
    let values = Values::new(Arc::<dyn EventLog>::clone(&log), session);
    let value = state.context.value(&values, "again").await.expect("it is there");
    assert!(*value == ArtifactValue::Text("ü\n".repeat(BLOB_THRESHOLD)));
    let row = log.get(session, &Principal::local()).await.ok().flatten().expect("it is there");
    assert_eq!((row.title.as_deref(), row.last_seq), (Some("Reading"), bench.state.last_seq));
    assert_eq!(log.orphans().await.map(|rows| rows.len()).ok(), Some(0));
}

#[tokio::test]
async fn what_was_open_has_ended_and_nothing_runs() {
    let mut bench = lived(memory()).await;
    bench.say("m2", "Delete everything").await;
    bench.begin("m2").await;
    bench.say("m3", "And this waits").await;
    let call = CallRecord {
        call_id: "c".into(),
        arguments: Map::new(),
        repeatable: true,
        request: String::new(),
        output: None,
        reply: None,
    };
    let start = ServerMessage::ToolCallStart {
        call_id: "c".into(),
        parent_call_id: None,
        tool: "bash".to_owned(),
        module: "shell".to_owned(),
        title: None,
        quiet: None,
        arguments: Map::new(),
        references: None,
    };
    let turn: MessageId = "m2".to_owned();
    let private = ServerOnly { call: Some(call), ..ServerOnly::default() };
    bench.record(NewEvent::of_turn(&turn, start).with_private(private)).await;
    let ask = ServerMessage::ApprovalRequest {
        covers: None,
        call_id: "d".into(),
        tool: "bash".to_owned(),
        module: "shell".to_owned(),
        arguments: Map::new(),
        risk: Risk::Execute,
        reason: "it runs a program".to_owned(),
        undoable: false,
        diff: None,
        expires_at: Some("2026-01-01T00:00:00Z".to_owned()),
    };
    bench.record(NewEvent::of_turn(&turn, ask)).await;
    let log = memory();

    let session = import(&log, &bench.export().await, 4096).await.expect("it can be imported");

    let state = state::load(log.as_ref(), session, u64::MAX).await.expect("it can be read");
    assert_eq!(
        (state.messages.turn, state.calls.open, state.pending, state.messages.waiting.len()),
        (None, vec![], vec![], 0)
    );
    assert_eq!(log.orphans().await.map(|rows| rows.len()).ok(), Some(0));
    let text = text_of(&log, session).await.expect("it can be exported");
    let again = import(&log, &text, 4096).await.expect("it can be imported");
    let again = text_of(&log, again).await.expect("it can be exported");
    assert_eq!(again.lines().count(), text.lines().count(), "what has ended needs no end again");
}

#[tokio::test]
async fn what_was_allowed_elsewhere_is_not_allowed_here() {
    let mut bench = lived(memory()).await;
    let message = ServerMessage::ApprovalResolved {
        call_id: "c".into(),
        decision: Decision::AllowSession,
        by: "user".to_owned(),
    };
    let grant =
        Grant { tool: "file_write".to_owned(), definition: "0".to_owned(), arguments: None, folders: Vec::new() };
    let private = ServerOnly { grant: Some(grant), ..ServerOnly::default() };
    bench.record(NewEvent::of_session(message).with_private(private)).await;
    assert_eq!(bench.state.permissions.grants.len(), 1);
    let log = memory();

    let session = import(&log, &bench.export().await, 4096).await.expect("it can be imported");

    let state = state::load(log.as_ref(), session, u64::MAX).await.expect("it can be read");
    assert_eq!(state.permissions.grants.len(), 0);
    assert_eq!(state.last_seq, bench.state.last_seq + 1);
}

#[tokio::test]
async fn a_session_in_which_nothing_happened_yet_can_be_moved_too() {
    let bench = Bench::new(memory()).await;
    let session = import(&bench.log, &bench.export().await, 10).await.expect("it can be imported");
    assert_eq!(text_of(&bench.log, session).await.map(|text| text.lines().count()).ok(), Some(1));
}

/// Exports, changes the text, imports: what the error says, and that nothing stays.
async fn refused(change: impl Fn(&mut Vec<String>)) -> String {
    let bench = lived(memory()).await;
    let mut lines: Vec<String> = bench.export().await.lines().map(str::to_owned).collect();
    change(&mut lines);
    let log = memory();
    let error = import(&log, &lines.join("\n"), 1000).await.expect_err("it is wrong");
    assert_eq!(count(&log).await, 0, "{error}");
    error.to_string()
}

/// Changes one line, as JSON.
fn edit(line: usize, change: impl Fn(&mut Value)) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let mut value: Value = serde_json::from_str(&lines[line]).expect("JSON");
        change(&mut value);
        lines[line] = value.to_string();
    }
}

#[tokio::test]
async fn a_wrong_file_is_refused_with_its_line_and_leaves_nothing() {
    let check = async |change: &dyn Fn(&mut Vec<String>), line: u64, words: &str| {
        let error = refused(change).await;
        assert!(error.contains(&format!("line {line} ")) && error.contains(words), "{words}: {error}");
    };
    check(&|lines| lines.clear(), 1, "is missing: the file is empty").await;
    check(&|lines| lines.truncate(1), 1, "has 0 events but should have 8").await;
    check(&|lines| lines.truncate(7), 7, "has 5 events but should have 8").await;
    check(&|lines| drop(lines.remove(0)), 1, "is not the head").await;
    check(&edit(0, |head| head["switchboardExport"] = json!(2)), 1, "newer Switchboard").await;
    check(&edit(0, |head| head["more"] = json!(2)), 1, "unknown field").await;
    check(&|lines| drop(lines.remove(2)), 3, "has event 3 where event 2 should be").await;
    check(&|lines| lines.swap(2, 3), 3, "has event 3 where event 2 should be").await;
    check(&|lines| lines[2] = "{".to_owned(), 3, "is not valid").await;
    check(&|lines| lines[2] = "{}".to_owned(), 3, "is neither").await;
    check(&edit(2, |line| line["frame"]["seq"] = json!(7)), 3, "has another seq").await;
    check(&edit(2, |line| line["frame"]["type"] = json!("sing")), 3, "has a frame that is not valid").await;
    check(
        &edit(2, |line| line["frame"] = json!({"type": "pong", "seq": 2, "timestamp": "2026-01-01T00:00:00Z"})),
        3,
        "never kept in a log",
    )
    .await;
    check(&edit(2, |line| line["at"] = json!("yesterday")), 3, "no time in RFC 3339 format").await;
    check(&edit(3, |line| line["private"] = json!({"values": 7})), 4, "has a private part that is not valid").await;
    check(&edit(4, |line| line["base64"] = json!("!")), 5, "is not base64").await;
    check(&edit(4, |line| line["base64"] = json!("AAAA")), 5, "does not match its hash").await;
    check(&|lines| drop(lines.remove(4)), 5, "does not come before it").await;
    check(&|lines| lines.swap(4, 5), 5, "does not come before it").await;
    check(&|lines| lines.swap(7, 8), 8, "does not come before it").await;
    check(&|lines| lines.insert(5, lines[7].clone()), 7, "does not use a value").await;
    check(&|lines| lines.insert(5, lines[4].clone()), 6, "appeared before").await;
    check(&edit(5, |line| line["frame"]["set"][0]["name"] = json!("a b")), 6, "as the name of a variable").await;
    check(&edit(1, |line| line["frame"]["text"] = json!("x".repeat(2 << 20))), 2, "has a message of more than").await;
    let attached = json!([{"name": "a b", "version": 1, "type": "text", "bytes": 1}]);
    check(&edit(1, |line| line["frame"]["attachments"] = attached.clone()), 2, "attachments").await;
    let version = json!({"message": "m", "seq": 1, "first": "m", "firstSeq": 1});
    let id = "7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34";
    let fork = json!({"from": {"sessionId": id, "seq": 1}, "root": id, "versions": vec![version; 65]});
    check(&edit(1, |line| line["private"] = json!({"fork": fork})), 2, "says of its origin more than 64").await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_to_its_end_leaves_nothing() {
    let text = lived(memory()).await.export().await;
    let log = memory();
    let pieces = [Ok(Bytes::from(text[..text.len() / 2].to_owned())), Err("the connection was cut")];

    let result =
        Import::new(Arc::clone(&log), Principal::local()).in_batches_of(64 * 1024).read(stream::iter(pieces)).await;

    let error = result.map_err(|error| error.to_string());
    assert_eq!(error, Err("read the file: the connection was cut; send it again".to_owned()));
    assert_eq!(count(&log).await, 0);
}

#[tokio::test]
async fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let log = memory();
    let endless = stream::repeat(Ok::<_, Infallible>(Bytes::from(vec![b' '; 1 << 20])));
    let error =
        Import::new(Arc::clone(&log), Principal::local()).in_batches_of(64 * 1024).read(endless.take(100)).await;
    assert!(error.is_err_and(|error| error.to_string().contains("line 1 is longer than")));
}

#[tokio::test]
async fn an_export_of_a_session_that_is_deleted_meanwhile_does_not_look_whole() {
    let bench = lived(memory()).await;
    let row = bench.log.get(bench.session, &Principal::local()).await.ok().flatten().expect("it is there");
    let mut export = Export::of(Arc::<dyn EventLog>::clone(&bench.log), row);
    assert!(matches!(export.next().await, Ok(Some(_))));

    bench.log.delete(bench.session).await.expect("it can be deleted");

    assert!(export.next().await.is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_file_may_come_in_pieces_of_any_size(piece in 1..5000_usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut bench = Bench::new(memory()).await;
            bench.say("m", "hello\nworld").await;
            bench.set("x", ArtifactValue::Text("y".repeat(2000))).await;
            bench.answer("m").await;
            let text = bench.export().await;
            let session = import(&bench.log, &text, piece).await.expect("it can be imported");
            let again = text_of(&bench.log, session).await.expect("it can be exported");
            assert!(again.replacen(&session.to_string(), &bench.session.to_string(), 1) == text);
        });
    }
}
