//! A log that fails: nothing is acknowledged that is not there, and the session goes on from what is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use switchboard_protocol::{ClientFrame, ServerMessage, SessionId};
use tokio::sync::watch;

use super::queries::{answer, query_of};
use crate::test_support::{Bench, code_of, text_of};
use crate::{AttachFrom, CloseReason, SessionConfig, SessionError, state};
use switchboard_accounts::Principal;
use switchboard_events::test_support::ChangedLog;
use switchboard_events::{Append, Committed, EventLog, LogError, LogRoom, MemoryLog, SessionLog, StoredEvent};
use switchboard_store::{SqliteLog, SqliteOptions};
use switchboard_tools::ApproveMode;

/// A log that refuses appends as long as it is told to, notes what it was given, and takes its time if it is to.
pub(super) struct Failing {
    log: MemoryLog,
    /// How many appends fail from now on.
    refusals: AtomicUsize,
    /// Whether something is at the session's end that this server does not know of.
    taken: AtomicBool,
    /// Whether another server has claimed the session.
    moved: AtomicBool,
    /// Whether more waits than it takes of what is new.
    crowded: AtomicBool,
    /// Whether it is behind, and how many wait for room.
    behind: watch::Sender<bool>,
    waiting: watch::Sender<usize>,
    /// The kind of the last event of each append, and whether somebody waits for it.
    appended: Mutex<Vec<(String, bool)>>,
    /// What decides how often others go first while something is read or committed.
    pace: Option<Pace>,
}

impl Failing {
    pub(super) fn new() -> Arc<Self> {
        Self::with_pace(None)
    }

    /// One that lets others go first as often as `pace` says.
    pub(super) fn paced(pace: Pace) -> Arc<Self> {
        Self::with_pace(Some(pace))
    }

    fn with_pace(pace: Option<Pace>) -> Arc<Self> {
        let (refusals, taken, crowded) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let (behind, waiting) = (watch::Sender::new(false), watch::Sender::new(0));
        Arc::new(Self {
            log: MemoryLog::new(),
            refusals,
            taken,
            moved: AtomicBool::new(false),
            crowded,
            behind,
            waiting,
            appended: Mutex::default(),
            pace,
        })
    }

    async fn wait(&self) {
        if let Some(pace) = &self.pace {
            pace.wait().await;
        }
    }

    /// What was appended: the kind of the last event each time, and whether somebody waited for it.
    pub(super) fn appended(&self) -> Vec<(String, bool)> {
        self.appended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, append: &Append) {
        let frame = append.events.last().map(|event| serde_json::from_str::<Value>(&event.frame));
        let kind = frame.and_then(Result::ok).and_then(|frame| frame["type"].as_str().map(str::to_owned));
        let mut appended = self.appended.lock().unwrap_or_else(PoisonError::into_inner);
        appended.push((kind.unwrap_or_default(), append.urgent));
    }
}

/// Dice from a seed.
#[derive(Clone)]
pub(super) struct Pace(Arc<Mutex<fastrand::Rng>>);

impl Pace {
    pub(super) fn of(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(fastrand::Rng::with_seed(seed))))
    }

    /// A number below this one.
    pub(super) fn below(&self, end: u64) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).u64(..end)
    }

    /// Lets whoever else can go on do so, a few times or not at all.
    pub(super) async fn wait(&self) {
        for _ in 0..self.below(4) {
            tokio::task::yield_now().await;
        }
    }
}

#[async_trait]
impl ChangedLog for Failing {
    fn beneath(&self) -> &dyn EventLog {
        &self.log
    }

    async fn claim_over(&self, session: SessionId) -> Result<u64, LogError> {
        self.taken.store(false, Ordering::SeqCst);
        self.moved.store(false, Ordering::SeqCst);
        self.log.claim(session).await
    }

    async fn was_written_elsewhere_over(&self, _: SessionId, _: u64) -> Result<bool, LogError> {
        Ok(self.moved.load(Ordering::SeqCst))
    }

    fn append_over(&self, append: Append) -> Committed {
        self.note(&append);
        if self.moved.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(Err(LogError::Moved(append.session))));
        }
        if self.taken.load(Ordering::SeqCst) {
            let Append { session, expected, .. } = append;
            return Box::pin(std::future::ready(Err(LogError::Conflict { session, expected, found: expected })));
        }
        if self.is_crowded(0) && !append.opened.is_empty() {
            return Box::pin(std::future::ready(Err(LogError::Busy)));
        }
        let fewer = |left: usize| left.checked_sub(1);
        match self.refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer) {
            Ok(_) => Box::pin(std::future::ready(Err(LogError::Full))),
            Err(_) => match self.pace.clone() {
                Some(pace) => {
                    let committed = self.log.append(append);
                    Box::pin(async move {
                        pace.wait().await;
                        committed.await
                    })
                }
                None => self.log.append(append),
            },
        }
    }

    fn is_crowded_over(&self, _bytes: usize) -> bool {
        self.crowded.load(Ordering::SeqCst)
    }

    async fn room_over(&self) -> LogRoom {
        self.waiting.send_modify(|waiting| *waiting += 1);
        let _ = self.behind.subscribe().wait_for(|behind| !behind).await;
        self.waiting.send_modify(|waiting| *waiting -= 1);
        LogRoom::default()
    }

    async fn read_over(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        self.wait().await;
        let read = self.log.read(session, after, limit).await;
        self.wait().await;
        read
    }

    async fn check_over(&self) -> Result<(), LogError> {
        match self.refusals.load(Ordering::SeqCst) {
            0 => self.log.check().await,
            _ => Err(LogError::Full),
        }
    }
}

fn bench(log: Arc<dyn EventLog>) -> Bench {
    let config = SessionConfig { store_retry: Duration::from_millis(1), ..SessionConfig::default() };
    Bench::with(log, config, ApproveMode::Auto)
}

#[tokio::test]
async fn f11_a_message_that_cannot_be_kept_is_refused_and_the_next_one_is_taken() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;

    log.refusals.store(1, Ordering::SeqCst);
    client.send("m1", "say hello").await;
    let refusal = client.next().await;
    let end = loop {
        client.send("m1", "say hello").await;
        let frame = client.next().await;
        if code_or_none(&frame.message) != Some("storage-full") {
            break client.end_of("m1").await;
        }
    };

    assert_eq!((code_of(&refusal), refusal.seq, refusal.turn_id.as_deref()), ("storage-full", None, Some("m1")));
    assert_eq!(text_of(&end), "hello");
    let log = bench.log_of(client.session()).await;
    assert_eq!(
        log.iter().filter_map(|frame| frame.seq).collect::<Vec<_>>(),
        (1..=log.len() as u64).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_session_whose_log_has_gone_on_is_claimed_before_it_is_written_again() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;

    log.taken.store(true, Ordering::SeqCst);
    client.send("m1", "say hello").await;
    client.until(|message| code_or_none(message).is_some()).await;
    let end = loop {
        client.send("m1", "say hello").await;
        let frame = client.next().await;
        if code_or_none(&frame.message).is_none() {
            break client.end_of("m1").await;
        }
        assert!(!log.taken.load(Ordering::SeqCst) || log.appended().len() < 100, "it is never claimed");
    };

    assert_eq!(text_of(&end), "hello");
}

#[tokio::test]
async fn a_session_that_another_server_has_claimed_is_let_go_of() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    log.moved.store(true, Ordering::SeqCst);
    client.send("m2", "say hello").await;
    let mut told = Vec::new();
    let reason = loop {
        match client.attachment.receiver.next().await {
            Ok(outgoing) => told.extend(outgoing.map(|outgoing| outgoing.text)),
            Err(reason) => break reason,
        }
    };

    assert_eq!(reason, CloseReason::Moved);
    assert!(!told.iter().any(|text| text.contains("m2")), "nobody hears that the message was refused: {told:?}");
    // Whoever opens it here again claims it, and sends what was not acknowledged.
    let mut back = bench.client_of(session, AttachFrom::After(0)).await;
    back.send("m2", "say hello").await;
    back.until(
        |message| matches!(message, ServerMessage::UserMessage { message_id, .. } if message_id.as_str() == "m2"),
    )
    .await;
}

#[tokio::test]
async fn a_client_that_has_read_more_elsewhere_is_sent_there() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;
    let (session, owner) = (client.session(), Principal::local());
    let after = |event| bench.sessions.attach(&owner, Some(session), AttachFrom::After(event), false);

    log.moved.store(true, Ordering::SeqCst);
    let told = after(1).await;

    assert!(matches!(told, Err(SessionError::Log(LogError::Moved(moved))) if moved == session));
    assert_eq!(client.attachment.receiver.closed().await, CloseReason::Moved, "the session is let go of");
    // Claimed again, it is all there is.
    log.moved.store(false, Ordering::SeqCst);
    assert!(matches!(after(1).await, Err(SessionError::Beyond { after: 1, last: 0 })));
}

fn code_or_none(message: &ServerMessage) -> Option<&str> {
    match message {
        ServerMessage::AgentError { code, .. } => Some(code),
        _ => None,
    }
}

#[tokio::test]
async fn a_turn_whose_events_cannot_be_kept_ends_interrupted_when_they_can() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    log.refusals.store(usize::MAX, Ordering::SeqCst);
    bench.open_gate();
    client.send("refused", "say nothing").await;
    client.until(|message| code_or_none(message) == Some("storage-full")).await;
    log.refusals.store(0, Ordering::SeqCst);
    // It may have done its work: only its result is lost.
    let asked = client.until(|message| matches!(message, ServerMessage::UserQuery { .. })).await;
    answer(&client, &query_of(&asked), None).await;
    let end = client.end_of("m1").await;
    client.send("m2", "say alive").await;

    assert_eq!(code_of(&end), "interrupted");
    assert!(text_of(&end).contains("event log could not be written"), "{}", text_of(&end));
    assert_eq!(text_of(&client.end_of("m2").await), "alive");
    let replayed = state::load(bench.log.as_ref(), client.session(), u64::MAX).await.expect("the log can be read");
    assert_eq!(bench.state_of(client.session()).await, replayed);
}

#[tokio::test]
async fn a_message_that_is_refused_while_the_log_is_crowded_leaves_the_running_turn_alone() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    log.crowded.store(true, Ordering::SeqCst);
    client.send("refused", "say nothing").await;
    let refusal = client.until(|message| code_or_none(message).is_some()).await;
    bench.open_gate();
    let end = client.end_of("m1").await;

    assert_eq!((code_of(&refusal), refusal.turn_id.as_deref()), ("overloaded", Some("refused")));
    let ServerMessage::AgentError { retry_after_ms, .. } = &refusal.message else { panic!("{refusal:?}") };
    assert_eq!(*retry_after_ms, Some(5_000));
    assert!(matches!(end.message, ServerMessage::AgentResponse { complete: true, .. }), "{end:?}");
    log.crowded.store(false, Ordering::SeqCst);
    client.send("refused", "say taken").await;
    assert_eq!(text_of(&client.end_of("refused").await), "taken");
}

#[tokio::test]
async fn a_turn_waits_while_the_log_is_behind_and_the_session_listens() {
    let log = Failing::new();
    let bench = bench(Arc::clone(&log) as _);
    let mut client = bench.client().await;
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    log.behind.send_replace(true);
    bench.open_gate();
    log.waiting.subscribe().wait_for(|waiting| *waiting > 0).await.expect("the turn waits");
    let before = log.appended().len();
    client.send_frame(ClientFrame::Ping {}).await;
    client.until(|message| matches!(message, ServerMessage::Pong {})).await;
    assert_eq!(log.appended().len(), before, "nothing of the turn is handed to the log");
    log.behind.send_replace(false);

    let end = client.end_of("m1").await;
    assert!(matches!(end.message, ServerMessage::AgentResponse { complete: true, .. }), "{end:?}");
}

#[tokio::test]
async fn f11_a_full_disk_is_said_and_what_was_acknowledged_is_there() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let options = SqliteOptions { max_pages: Some(100), ..SqliteOptions::default() };
    let log = SqliteLog::open(folder.path(), options).expect("the log can be opened");
    let bench = bench(Arc::new(log));
    let mut client = bench.client().await;
    let text = format!("say {}", "x".repeat(20_000));

    let mut acknowledged = Vec::new();
    let refusal = loop {
        let id = format!("m{}", acknowledged.len());
        client.send(&id, &text).await;
        let answer = client
            .until(|message| match message {
                ServerMessage::UserMessage { message_id, .. } => *message_id == id,
                message => matches!(message, ServerMessage::AgentError { message_ids: None, .. }),
            })
            .await;
        if code_or_none(&answer.message).is_some() {
            break answer;
        }
        acknowledged.push(id);
    };

    assert_eq!(code_of(&refusal), "storage-full");
    let late = bench.client_of(client.session(), AttachFrom::After(0)).await;
    let kept = late.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::UserMessage { message_id, .. } => Some(message_id.clone()),
        _ => None,
    });
    assert_eq!(kept.collect::<Vec<_>>(), acknowledged);
}
