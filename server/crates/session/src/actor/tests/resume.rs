//! Attaching, resuming, closing and coming back.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use switchboard_protocol::{ServerFrame, ServerMessage, SessionId};

use crate::test_support::{Bench, Client, parse};
use crate::{AttachFrom, CloseReason, SessionConfig, SessionError};
use switchboard_accounts::Principal;
use switchboard_events::MemoryLog;
use switchboard_tools::ApproveMode;

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_missed_once_and_in_order() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "say one").await;
    client.end_of("m1").await;

    for after in 0..=client.frames.len() {
        let back = bench.client_of(client.session(), AttachFrom::After(after as u64)).await;

        assert_eq!(back.frames, client.frames[after..]);
    }
}

#[tokio::test]
async fn more_than_there_is_cannot_be_resumed() {
    let bench = Bench::new();
    let client = bench.client().await;

    let refused = bench.sessions.attach(&Principal::local(), Some(client.session()), AttachFrom::After(1), false).await;

    assert!(matches!(refused, Err(SessionError::Beyond { after: 1, last: 0 })));
}

#[tokio::test]
async fn c05_sessions_of_others_look_like_none() {
    let bench = Bench::new();
    let client = bench.client().await;
    let stranger = Principal::named("stranger");

    for id in [client.session(), SessionId::random()] {
        let refused = bench.sessions.open(&stranger, Some(id)).await;
        assert!(matches!(refused, Err(SessionError::UnknownSession(unknown)) if unknown == id));
        let refused = bench.sessions.delete(&stranger, id).await;
        assert!(matches!(refused, Err(SessionError::UnknownSession(unknown)) if unknown == id));
    }
}

#[tokio::test]
async fn the_tail_comes_with_a_snapshot() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", r#"call look {"a":1}"#).await;
    client.end_of("m1").await;
    let last = client.frames.len() as u64;

    let tail = bench.client_of(client.session(), AttachFrom::Tail(2)).await;

    assert_eq!(tail.frames, client.frames[client.frames.len() - 2..]);
    let ServerMessage::SessionReady { snapshot: Some(snapshot), last_seq, .. } = &tail.ready.message else { panic!() };
    assert_eq!((*last_seq, snapshot.first_seq), (last, last - 1));
    assert_eq!(snapshot.variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>(), ["look_result"]);
}

#[tokio::test]
async fn a_tail_of_messages_begins_with_a_message() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    for id in ["m1", "m2", "m3"] {
        client.send(id, r#"call look {"a":1}"#).await;
        client.end_of(id).await;
    }
    let last = client.frames.len() as u64;
    let is_message = |frame: &&ServerFrame| matches!(frame.message, ServerMessage::UserMessage { .. });
    let begins: Vec<u64> = client.frames.iter().filter(is_message).filter_map(|frame| frame.seq).collect();

    // At most so many events, however many messages are wanted.
    for (messages, events, first) in [(1, 200, begins[2]), (2, 200, begins[1]), (9, 200, 1), (2, 3, last - 2)] {
        let messages = NonZeroUsize::new(messages).expect("it is more than 0");
        let tail = bench.client_of(client.session(), AttachFrom::LastMessages { messages, events }).await;

        let wanted: Vec<_> = client.frames.iter().filter(|frame| frame.seq >= Some(first)).cloned().collect();
        assert_eq!(tail.frames, wanted, "{messages}");
        let ServerMessage::SessionReady { snapshot: Some(snapshot), .. } = &tail.ready.message else { panic!() };
        assert_eq!(snapshot.first_seq, first, "{messages}");
    }
}

/// The output of a running call that says something and then nothing more: is it there, and how many bytes came before it?
async fn output_of_a_silent_call(queue_bytes: usize) -> (bool, usize) {
    let config = SessionConfig { client_queue_bytes: queue_bytes, ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto);
    let mut client = bench.client().await;
    let mut other = bench.client_of(client.session(), AttachFrom::After(0)).await;
    client.send("m1", "call wait_look {}").await;
    // Read all the time, so that it has it in any case.
    loop {
        match other.attachment.receiver.next().await.expect("the session goes on") {
            Some(outgoing) if outgoing.text.contains("tool-output-chunk") => break,
            Some(_) => {}
            None => other.catch_up().await,
        }
    }
    let mut bytes = 0;
    let mut was_behind = false;
    loop {
        match client.attachment.receiver.next().await.expect("the session goes on") {
            Some(outgoing) if outgoing.text.contains("tool-output-chunk") => return (was_behind, bytes),
            Some(outgoing) => bytes += outgoing.text.len(),
            None => {
                was_behind = true;
                let page = client.attachment.receiver.catch_up(100).await.expect("the log can be read");
                assert!(page.is_empty(), "it has every event");
            }
        }
    }
}

#[tokio::test]
async fn output_that_there_was_no_room_for_comes_when_the_rest_is_read() {
    let limit = Duration::from_secs(60);
    let output_of_a_silent_call =
        async |bytes| tokio::time::timeout(limit, output_of_a_silent_call(bytes)).await.expect("it comes");
    let (was_behind, bytes) = output_of_a_silent_call(SessionConfig::default().client_queue_bytes).await;
    assert!(!was_behind, "there was room");

    // Room for the events, but not a quarter of it is left for output.
    let (was_behind, _) = output_of_a_silent_call(bytes * 2).await;
    assert!(was_behind, "it was left out at first");
}

#[tokio::test]
async fn who_comes_in_the_middle_gets_the_output_so_far() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "call wait_look {}").await;
    let chunk = client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    let mut late = bench.client_of(client.session(), AttachFrom::After(0)).await;
    let caught_up = late.next().await;
    bench.open_gate();
    late.end_of("m1").await;

    assert_eq!(caught_up.message, chunk.message);
    let ServerMessage::SessionReady { busy: Some(busy), .. } = &late.ready.message else { panic!("{:?}", late.ready) };
    assert_eq!((busy.message_id.as_str(), busy.tool.as_deref()), ("m1", Some("wait_look")));
}

#[tokio::test(start_paused = true)]
async fn d06_an_idle_session_leaves_memory_and_comes_back() {
    let config = SessionConfig { idle_close: Duration::from_secs(5), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto);
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", r#"call look {"a":1}"#).await;
    client.end_of("m1").await;
    let handle = bench.sessions.open(&Principal::local(), Some(session)).await.expect("the session is there");
    let before = handle.view().await.expect("the session is in memory");
    drop(client);

    tokio::time::sleep(Duration::from_secs(6)).await;
    let gone = handle.view().await;
    let again = bench.sessions.open(&Principal::local(), Some(session)).await.expect("the session is there");
    let after = again.view().await.expect("the session is in memory");

    assert!(matches!(gone, Err(SessionError::Gone)));
    assert_eq!(after.context, before.context);
    assert_eq!(after.operations, before.operations);
}

#[tokio::test]
async fn d11_a_deleted_session_is_gone_with_its_work() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    bench.sessions.delete(&Principal::local(), session).await.expect("the session is there");
    let reason = loop {
        match client.attachment.receiver.next().await {
            Ok(_) => {}
            Err(reason) => break reason,
        }
    };

    assert_eq!(reason, CloseReason::Deleted);
    let refused = bench.sessions.open(&Principal::local(), Some(session)).await;
    assert!(matches!(refused, Err(SessionError::UnknownSession(_))));
}

/// A client's queue has 16 KiB.
fn narrow() -> Bench {
    let config = SessionConfig { client_queue_bytes: 16 * 1024, ..SessionConfig::default() };
    Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto)
}

/// Runs turns whose largest frames have 8 KiB each.
async fn flood(client: &mut Client, turns: usize) {
    let text = format!("say {}", "x".repeat(8 * 1024));
    for number in 0..turns {
        let id = format!("m{number}");
        client.send(&id, &text).await;
        client.end_of(&id).await;
    }
}

#[tokio::test]
async fn a_client_that_falls_behind_catches_up_from_the_log() {
    let bench = narrow();
    let mut client = bench.client().await;
    let mut slow = bench.client_of(client.session(), AttachFrom::After(0)).await;

    flood(&mut client, 6).await;
    loop {
        while let Some(outgoing) = slow.attachment.receiver.next().await.expect("the client is not dropped") {
            slow.frames.push(parse(&outgoing.text));
        }
        slow.catch_up().await;
        if slow.frames.len() == client.frames.len() {
            break;
        }
    }

    assert_eq!(slow.frames, client.frames);
}

#[tokio::test]
async fn a_slow_reader_is_dropped_and_finds_everything_in_the_log() {
    let bench = narrow();
    let mut client = bench.client().await;
    let mut slow = bench.client_of(client.session(), AttachFrom::After(0)).await;

    flood(&mut client, 40).await;
    let reason = loop {
        if let Err(reason) = slow.attachment.receiver.next().await {
            break reason;
        }
    };
    let back = bench.client_of(client.session(), AttachFrom::After(0)).await;

    assert_eq!(reason, CloseReason::SlowReader);
    assert_eq!(back.frames, client.frames);
}
