//! What a restart finds: the same log, and nothing else.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use switchboard_protocol::{ServerMessage, SessionId};

use crate::test_support::{Bench, code_of, ends, text_of};
use crate::{AttachFrom, SessionConfig, SessionError};
use switchboard_accounts::Principal;
use switchboard_events::{EventLog, MemoryLog};
use switchboard_store::{SqliteLog, SqliteOptions};
use switchboard_tools::ApproveMode;

/// Every message has one end, and `seq` is 1..n.
async fn check_log(bench: &Bench, session: SessionId) {
    let log = bench.log_of(session).await;
    let seqs: Vec<_> = log.iter().filter_map(|frame| frame.seq).collect();
    assert_eq!(seqs, (1..=log.len() as u64).collect::<Vec<_>>());
    for frame in &log {
        if let ServerMessage::UserMessage { message_id, .. } = &frame.message {
            let count = log.iter().filter(|frame| ends(&frame.message).is_some_and(|ids| ids.contains(message_id)));
            assert_eq!(count.count(), 1, "the ends of {message_id}");
        }
    }
}

async fn a_crash_in_a_call(log: Arc<dyn EventLog>) -> (Bench, SessionId, String) {
    let bench = Bench::with(log, SessionConfig::default(), ApproveMode::Auto);
    let mut client = bench.client().await;
    client.send("m1", "call wait_look {}").await;
    client.send("m2", "say after").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    let restarted = bench.after_crash();
    restarted.open_gate();
    assert_eq!(restarted.sessions.open_unfinished().await.expect("the log can be read"), 1);
    let mut back = restarted.client_of(client.session(), AttachFrom::After(0)).await;
    if !back.frames.iter().any(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == "m2")) {
        back.end_of("m2").await;
    }
    let find = |id: &str| back.frames.iter().find(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == id));
    let gone_on = find("m1").expect("the first turn has ended");
    assert_eq!(text_of(find("m2").expect("the second turn has ended")), "after");
    check_log(&restarted, back.session()).await;
    (restarted, back.session(), text_of(gone_on).to_owned())
}

#[tokio::test]
async fn a_turn_that_was_cut_off_in_a_read_reads_again_and_the_queue_runs() {
    let (bench, session, text) = a_crash_in_a_call(Arc::new(MemoryLog::new())).await;

    assert!(text.contains("I ran `wait_look`") && text.contains("I did not continue from there"), "{text}");
    let log = bench.log_of(session).await;
    let calls: Vec<_> = log
        .iter()
        .filter_map(|frame| match &frame.message {
            ServerMessage::ToolCallStart { call_id, .. } => Some((call_id.clone(), None)),
            ServerMessage::ToolCallEnd { call_id, success, .. } => Some((call_id.clone(), Some(*success))),
            _ => None,
        })
        .collect();
    let id = &calls[0].0;
    assert_eq!(calls, [(id.clone(), None), (id.clone(), None), (id.clone(), Some(true))]);
}

/// A turn that ends the server each time does not do so for ever.
#[tokio::test]
async fn a_turn_that_gets_no_further_goes_on_three_times_and_then_ends() {
    let mut bench = Bench::new();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call wait_look {}").await;
    for _ in 0..4 {
        client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;
        bench = bench.after_crash();
        client = bench.client_of(session, AttachFrom::After(0)).await;
        let ended = client.frames.iter().find(|frame| ends(&frame.message).is_some());
        if let Some(end) = ended {
            assert_eq!(code_of(end), "interrupted");
        }
    }

    let starts = client.frames.iter().filter(|frame| matches!(frame.message, ServerMessage::ToolCallStart { .. }));
    assert_eq!(starts.count(), 4, "once, and after each of three restarts");
    assert!(client.frames.iter().any(|frame| ends(&frame.message).is_some()));
    check_log(&bench, session).await;
}

#[tokio::test]
async fn a_crash_is_the_same_with_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let log = SqliteLog::open(folder.path(), SqliteOptions::default()).expect("the log can be opened");

    a_crash_in_a_call(Arc::new(log)).await;
}

#[tokio::test]
async fn a_message_that_no_turn_has_taken_up_runs_after_the_restart() {
    let bench = Bench::new();
    let client = bench.client().await;
    let session = client.session();
    client.send("m1", "hold on").await;
    client.send("m2", "say later").await;
    let mut other = bench.client_of(session, AttachFrom::After(0)).await;
    if other.frames.iter().filter(|frame| matches!(frame.message, ServerMessage::UserMessage { .. })).count() < 2 {
        other
            .until(|message| matches!(message, ServerMessage::UserMessage { message_id, .. } if message_id == "m2"))
            .await;
    }

    let restarted = bench.after_crash();
    restarted.open_gate();
    let mut back = restarted.client_of(session, AttachFrom::After(0)).await;
    if !back.frames.iter().any(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == "m2")) {
        back.end_of("m2").await;
    }

    check_log(&restarted, session).await;
}

#[tokio::test]
async fn shutdown_lets_a_turn_end_and_cuts_off_what_does_not() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call wait_act {}").await;
    client.send("m2", "say later").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    bench.shutdown.stop();
    bench.shutdown.cut_off();
    drop(client);
    bench.shutdown.ended().await;

    let log = bench.log_of(session).await;
    let ended: Vec<_> = log.iter().filter(|frame| ends(&frame.message).is_some()).collect();
    assert_eq!(ended.len(), 1);
    assert_eq!(code_of(ended[0]), "interrupted");
    let restarted = bench.after_crash();
    let mut back = restarted.client_of(session, AttachFrom::After(0)).await;
    if !back.frames.iter().any(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == "m2")) {
        back.end_of("m2").await;
    }
    check_log(&restarted, session).await;
}

#[tokio::test]
async fn d07_a_session_that_breaks_down_comes_back_from_its_log() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call wait_look {}").await;
    client.send("m2", "say after").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;
    let mut other = bench.client().await;

    bench.poison.store(true, Ordering::SeqCst);
    let handle = bench.sessions.open(&Principal::local(), Some(session)).await.expect("the session is in memory");
    let broken = handle.attach(AttachFrom::After(0), false).await;
    bench.poison.store(false, Ordering::SeqCst);
    bench.open_gate();
    let mut back = bench.client_of(session, AttachFrom::After(0)).await;
    if !back.frames.iter().any(|frame| ends(&frame.message).is_some_and(|ids| ids[0] == "m2")) {
        back.end_of("m2").await;
    }
    other.send("o1", "say untouched").await;

    assert!(matches!(broken, Err(SessionError::Gone)));
    check_log(&bench, session).await;
    assert_eq!(text_of(&other.end_of("o1").await), "untouched");
}

#[tokio::test]
async fn d08_a_session_that_breaks_down_again_and_again_is_left_alone() {
    let bench = Bench::new();
    let client = bench.client().await;
    let session = client.session();

    bench.poison.store(true, Ordering::SeqCst);
    let refused = loop {
        match bench.sessions.attach(&Principal::local(), Some(session), AttachFrom::After(0), false).await {
            Err(SessionError::Gone) => {}
            other => break other.err(),
        }
    };
    bench.poison.store(false, Ordering::SeqCst);

    assert!(matches!(refused, Some(SessionError::Broken(id)) if id == session), "{refused:?}");
    bench.client().await.send("m1", "say alive").await;
}
