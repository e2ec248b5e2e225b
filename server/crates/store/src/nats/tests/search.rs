//! What the index of conversations does with a log in NATS: it finds what other servers write, reads no more than it must, and is
//! that of one log.

use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, ConversationSearch, EncodedEvent, SessionLog};
use switchboard_protocol::SessionId;
use switchboard_runtime::Shutdown;
use tempfile::TempDir;
use tokio::time::timeout;

use super::{open, open_in};
use crate::ConversationIndex;
use crate::nats::NatsLog;
use crate::nats::layout::Subjects;
use crate::test_support::NatsServer;

fn said(seq: u64, text: &str) -> EncodedEvent {
    let frame = serde_json::json!({"type": "user-message", "seq": seq, "text": text}).to_string();
    EncodedEvent { at: "2026-11-25T12:00:00Z".to_owned(), frame: frame.into(), private: None }
}

/// A session in which each of these texts was written by itself.
async fn session(log: &NatsLog, texts: &[&str]) -> SessionId {
    let session = SessionId::random();
    log.create(session, &Principal::local()).await.expect("made");
    for (seq, text) in (0..).zip(texts) {
        say(log, session, seq, text).await;
    }
    session
}

async fn say(log: &NatsLog, session: SessionId, expected: u64, text: &str) {
    let events = vec![said(expected + 1, text)];
    log.append(Append { events, urgent: true, ..append(session, expected, 0) }).await.expect("written");
}

/// How many sessions have these words.
async fn count(index: &ConversationIndex, words: &str) -> usize {
    index.search(&Principal::local(), words, 20).await.expect("an answer").sessions.len()
}

/// Waits until so many sessions are found.
async fn until(index: &ConversationIndex, words: &str, wanted: usize) {
    let asked = async {
        while count(index, words).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), asked).await.unwrap_or_else(|_| panic!("\"{words}\" is not found {wanted} times"));
}

fn start(log: &Arc<NatsLog>, folder: &TempDir, shutdown: &Shutdown) -> ConversationIndex {
    ConversationIndex::start(folder.path(), Arc::<NatsLog>::clone(log), shutdown)
}

async fn caught_up(log: &Arc<NatsLog>, folder: &TempDir) -> ConversationIndex {
    ConversationIndex::caught_up(folder.path(), Arc::<NatsLog>::clone(log)).await.expect("read")
}

#[tokio::test]
async fn what_one_server_writes_and_deletes_another_one_finds_and_forgets() {
    let server = NatsServer::start();
    let ((log, _folder), (other, other_folder)) = (open(&server).await, open(&server).await);
    let shutdown = Shutdown::new();
    let index = start(&other, &other_folder, &shutdown);
    let apple = session(&log, &["one apple"]).await;

    until(&index, "apple", 1).await;
    say(&log, apple, 1, "two plums").await;
    until(&index, "plums", 1).await;
    assert_eq!(count(&index, "apple").await, 1);

    log.delete(apple).await.expect("deleted");
    until(&index, "plums", 0).await;
    shutdown.stop();
    shutdown.ended().await;
}

#[tokio::test]
async fn at_the_next_start_only_what_changed_is_read() {
    let server = NatsServer::start();
    let (log, folder) = open(&server).await;
    let (apple, pear) = (session(&log, &["one apple"]).await, session(&log, &["two pears"]).await);
    assert_eq!(count(&caught_up(&log, &folder).await, "apple").await, 1);
    // Whoever reads it again loses it.
    let subjects = Subjects::of(apple);
    log.core.jetstream.purge(&subjects.stream(), &subjects.events()).await.expect("purged");
    say(&log, pear, 1, "three plums").await;
    log.close().await;
    drop(log);

    let log = open_in(&server, &folder).await;
    let index = caught_up(&log, &folder).await;

    assert_eq!((count(&index, "apple").await, count(&index, "plums").await), (1, 1));
    std::fs::remove_file(folder.path().join("search.db")).expect("removed");
    let anew = caught_up(&log, &folder).await;
    assert_eq!((count(&anew, "apple").await, count(&anew, "pears").await), (0, 1), "the test can fail");
}

#[tokio::test]
async fn the_index_of_another_log_is_thrown_away() {
    let (server, another) = (NatsServer::start(), NatsServer::start());
    let (log, folder) = open(&server).await;
    session(&log, &["one apple"]).await;
    assert_eq!(count(&caught_up(&log, &folder).await, "apple").await, 1);
    log.close().await;
    drop(log);

    let log = open_in(&another, &folder).await;
    session(&log, &["two pears"]).await;
    let index = caught_up(&log, &folder).await;

    assert_eq!((count(&index, "apple").await, count(&index, "pears").await), (0, 1));
    let file = rusqlite::Connection::open(folder.path().join("search.db")).expect("the file");
    let texts: String = file.query_row("SELECT group_concat(text) FROM places", [], |row| row.get(0)).expect("read");
    assert_eq!(texts, "two pears");
}

#[tokio::test]
async fn a_damaged_session_is_found_as_far_as_it_can_be_read() {
    let server = NatsServer::start();
    let (log, folder) = open(&server).await;
    let damaged = session(&log, &["one apple", "two pears", "three plums"]).await;
    session(&log, &["another apple"]).await;
    let (subjects, jetstream) = (Subjects::of(damaged), &log.core.jetstream);
    let messages = jetstream.page(&subjects.stream(), &subjects.events(), 1, 10).await.expect("read");
    // The claim, and then one message for each event.
    let seq = messages[2].seq;
    let (what, one) = (format!("STREAM.MSG.DELETE.{}", subjects.stream()), serde_json::json!({"seq": seq}));
    jetstream.ask::<serde_json::Value>(&what, &one).await.expect("removed");

    let index = caught_up(&log, &folder).await;

    let found = [count(&index, "apple").await, count(&index, "pears").await, count(&index, "plums").await];
    assert_eq!(found, [2, 0, 0]);
    say(&log, damaged, 3, "four cherries").await;
    assert_eq!(count(&caught_up(&log, &folder).await, "cherries").await, 1, "what comes behind it is found again");
}
