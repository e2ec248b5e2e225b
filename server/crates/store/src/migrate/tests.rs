//! From a file to NATS and back, against a real server: the same sessions, whatever happens on the way.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use switchboard_accounts::Principal;
use switchboard_events::test_support::{append, blob, created, event, listed};
use switchboard_events::{
    Append, BlobHash, EncodedEvent, EventLog, ServerOnly, SessionRow, StoredEvent, StoredValue, ValueKind,
};
use switchboard_protocol::{MessageId, SessionId};
use tempfile::TempDir;

use super::{LogPlace, MigrateError, Migrated, migrate};
use crate::backup::Progress;
use crate::connection::FILE;
use crate::nats::{NatsLog, NatsOptions};
use crate::test_support::NatsServer;
use crate::{SqliteLog, SqliteOptions};

fn sqlite(folder: &Path) -> LogPlace {
    LogPlace::Sqlite(folder.to_owned())
}

fn options(server: &NatsServer) -> NatsOptions {
    NatsOptions { servers: vec![server.url()], replicas: 1, ..NatsOptions::default() }
}

fn nats(server: &NatsServer) -> LogPlace {
    LogPlace::Nats(options(server))
}

fn open(folder: &Path) -> Arc<dyn EventLog> {
    Arc::new(SqliteLog::open(folder, SqliteOptions::default()).expect("a log"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

async fn carried(from: &LogPlace, to: &LogPlace) -> Result<Migrated, MigrateError> {
    migrate((from, to), folder().path(), &|_| ControlFlow::Continue(())).await
}

fn large(seed: u8, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|place| seed.wrapping_add((place % 251) as u8)).collect()
}

/// An event that refers to these values.
fn with_values(seq: u64, hashes: &[BlobHash]) -> EncodedEvent {
    let value = |hash: &BlobHash| StoredValue::Blob { kind: ValueKind::Bytes, hash: hash.clone() };
    let values = hashes.iter().map(|hash| (format!("v{hash}"), value(hash))).collect();
    let private = serde_json::to_string(&ServerOnly { values, ..ServerOnly::default() }).expect("JSON");
    EncodedEvent { private: Some(private.into()), ..event(seq) }
}

/// A log with what a log can have; its sessions.
async fn filled(folder: &Path) -> Vec<SessionId> {
    let log = open(folder);
    let mut sessions = Vec::new();
    for _ in 0..6 {
        sessions.push(created(&log).await);
    }
    // Many records, in pages and parts of pages.
    for seq in (0..600).step_by(3) {
        log.append(append(sessions[0], seq, 3)).await.expect("written");
    }
    // Values of several chunks, one of them twice, and an event that no message holds.
    let blobs = [blob(&large(1, 40_000)), blob(&large(2, 1_300_000)), blob(&[])];
    let hashes = blobs.each_ref().map(|blob| blob.hash.clone());
    let huge = EncodedEvent { frame: format!(r#"{{"text":"{}"}}"#, "ü".repeat(1_000_000)).into(), ..event(2) };
    let events = vec![with_values(1, &hashes), huge, with_values(3, &hashes[..1])];
    log.append(Append { events, blobs: blobs.to_vec(), ..append(sessions[1], 0, 0) }).await.expect("written");
    // A turn that has ended, and one that has not.
    let (first, second) = (MessageId::from("m-1"), MessageId::from("m-2"));
    let begun = Append { opened: vec![first.clone()], title: Some("A title".to_owned()), ..append(sessions[2], 0, 2) };
    log.append(begun).await.expect("written");
    let ended = Append { closed: vec![first], opened: vec![second], ..append(sessions[2], 2, 2) };
    log.append(ended).await.expect("written");
    log.append(append(sessions[3], 0, 4)).await.expect("written");
    log.hand_over(sessions[3], &Principal::named("ada")).await.expect("given");
    // The first one changes last.
    log.append(append(sessions[0], 600, 1)).await.expect("written");
    for session in [sessions[1], sessions[3]] {
        assert!(log.pin(session, true).await.expect("pinned"));
    }
    log.close().await;
    sessions
}

type Session = (SessionRow, Vec<StoredEvent>, Vec<Vec<u8>>);

/// All that a log has, but for the numbers of places.
async fn contents(log: &Arc<dyn EventLog>) -> (Vec<Session>, Vec<SessionId>) {
    let mut found = Vec::new();
    for owner in [Principal::local(), Principal::named("ada"), Principal::importing()] {
        for row in listed(log, &owner).await {
            let (mut events, mut values) = (Vec::new(), Vec::new());
            loop {
                let page = log.read(row.session, events.len() as u64, 100).await.expect("read");
                if page.is_empty() {
                    break;
                }
                events.extend(page);
            }
            for event in &events {
                let private: ServerOnly = serde_json::from_str(event.private.as_deref().unwrap_or("{}")).expect("JSON");
                for hash in private.blobs() {
                    values.push(log.blob(row.session, hash).await.expect("read").expect("it is there").to_vec());
                }
            }
            found.push((SessionRow { place: 0, ..row }, events, values));
        }
    }
    (found, log.orphans().await.expect("read").into_iter().map(|row| row.session).collect())
}

async fn contents_of(folder: &Path) -> (Vec<Session>, Vec<SessionId>) {
    let log = open(folder);
    let contents = contents(&log).await;
    log.close().await;
    contents
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_go_to_nats_and_back_as_they_are() {
    let (server, there, back) = (NatsServer::start(), folder(), folder());
    let sessions = filled(there.path()).await;
    let before = contents_of(there.path()).await;
    assert_eq!(before.0.len(), sessions.len());
    assert_eq!(before.1, [sessions[2]]);

    let done = carried(&sqlite(there.path()), &nats(&server)).await.expect("carried over");

    assert_eq!((done.copied, done.events, done.values, done.left), (6, 612, 3, vec![]));
    let node = folder();
    let log: Arc<dyn EventLog> = Arc::new(NatsLog::open(node.path(), options(&server)).await.expect("a log"));
    assert_eq!(contents(&log).await, before);
    log.close().await;
    let done = carried(&nats(&server), &sqlite(back.path())).await.expect("carried back");
    assert_eq!((done.copied, done.events, done.left), (6, 612, vec![]));
    assert_eq!(contents_of(back.path()).await, before);
    let checked = crate::verify(back.path(), &|_| ControlFlow::Continue(())).expect("read");
    assert_eq!((checked.sessions, checked.events, checked.damage), (6, 612, vec![]));

    // Once more: all of it is there.
    for (from, to) in [(sqlite(back.path()), nats(&server)), (nats(&server), sqlite(there.path()))] {
        let again = carried(&from, &to).await.expect("compared");
        assert_eq!((again.copied, again.there, again.events, again.left), (0, 6, 0, vec![]));
    }
    // Who writes there goes on.
    let log = open(back.path());
    log.append(append(sessions[0], 601, 1)).await.expect("written");
    log.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn j17_a_migration_that_was_cut_off_goes_on_and_copies_nothing_twice() {
    let (server, there, back) = (NatsServer::start(), folder(), folder());
    filled(there.path()).await;
    let before = contents_of(there.path()).await;

    for (from, to) in [(sqlite(there.path()), nats(&server)), (nats(&server), sqlite(back.path()))] {
        let (mut runs, mut events) = (0, 0);
        loop {
            // Cut off after a second piece of something was copied: in the middle of a session at first.
            let (told, copied) = (AtomicU64::new(0), AtomicU64::new(0));
            let watch = |progress| {
                let Progress::Carried { events, .. } = progress else { panic!("{progress:?}") };
                if copied.swap(events, Ordering::Relaxed) == events || told.fetch_add(1, Ordering::Relaxed) == 0 {
                    return ControlFlow::Continue(());
                }
                ControlFlow::Break(())
            };
            runs += 1;
            match migrate((&from, &to), folder().path(), &watch).await {
                Err(MigrateError::Cancelled) => events += copied.load(Ordering::Relaxed),
                done => {
                    let done = done.expect("carried over");
                    // What was on its way when it was cut off is not told.
                    assert!(events + done.events <= 612 && done.events < 612, "{events} and {}", done.events);
                    assert_eq!(done.left, Vec::<String>::new());
                    break;
                }
            }
        }
        assert!(runs > 2, "{runs}");
    }

    assert_eq!(contents_of(back.path()).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_session_is_named_and_the_others_are_carried_over() {
    let (server, there) = (NatsServer::start(), folder());
    let sessions = filled(there.path()).await;
    let file = Connection::open(there.path().join(FILE)).expect("the database");
    let damage = "UPDATE records SET record = zeroblob(300) WHERE key & 0xffffffff = 300";
    assert_eq!(file.execute(damage, []).expect("damaged"), 1);
    let (session, lost) = (sessions[1].to_string(), blob(&[]).hash);
    let gone = "DELETE FROM blobs WHERE session = ?1 AND hash = ?2";
    assert_eq!(file.execute(gone, [session.as_str(), lost.as_str()]).expect("gone"), 1);
    drop(file);

    let done = carried(&sqlite(there.path()), &nats(&server)).await.expect("carried over");

    let from = sqlite(there.path());
    let wrong = [
        format!("session {}: it is damaged in {from} at event 298: it is in form 0", sessions[0]),
        format!("session {session}: it is damaged in {from}: the value {lost} is missing"),
    ];
    assert_eq!((done.copied, done.left.len()), (4, 2), "{:#?}", done.left);
    for wrong in wrong {
        assert!(done.left.iter().any(|left| left.starts_with(&wrong)), "{wrong} in {:#?}", done.left);
    }
    let node = folder();
    let log: Arc<dyn EventLog> = Arc::new(NatsLog::open(node.path(), options(&server)).await.expect("a log"));
    let found: Vec<SessionId> = contents(&log).await.0.into_iter().map(|(row, ..)| row.session).collect();
    assert!(found.len() == 4 && !found.contains(&sessions[0]) && !found.contains(&sessions[1]), "{found:?}");
    log.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_another_one_there_is_left_as_it_is() {
    let (server, there) = (NatsServer::start(), folder());
    let sessions = filled(there.path()).await;
    let (from, to) = (sqlite(there.path()), nats(&server));
    carried(&from, &to).await.expect("carried over");
    let log = open(there.path());
    log.append(append(sessions[3], 4, 1)).await.expect("written");
    log.pin(sessions[4], true).await.expect("pinned");
    log.close().await;

    let done = carried(&from, &to).await.expect("compared");

    let left = |session| format!("session {session}: {to} has it with other contents, and keeps them");
    assert_eq!((done.there, done.left), (4, vec![left(sessions[4]), left(sessions[3])]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_a_server_has_is_not_migrated() {
    let (server, there, node) = (NatsServer::start(), folder(), folder());
    filled(there.path()).await;
    let (from, to) = (sqlite(there.path()), nats(&server));
    let refused = carried(&to, &sqlite(&there.path().join("new"))).await.expect_err("nothing is there").to_string();
    assert!(refused.contains("there are no streams of Switchboard in NATS"), "{refused}");
    let refused = carried(&sqlite(node.path()), &to).await.expect_err("nothing is there");
    assert!(matches!(refused, MigrateError::NoLog(_)), "{refused}");

    let log = open(there.path());
    let refused = carried(&from, &to).await.expect_err("a server has it").to_string();
    assert!(refused.contains("another Switchboard (process"), "{refused}");
    log.close().await;
    drop(log);

    let log = NatsLog::open(node.path(), options(&server)).await.expect("a log");
    for (from, to) in [(&from, &to), (&to, &from)] {
        let refused = carried(from, to).await.expect_err("a server has it").to_string();
        assert!(refused.contains("stop every server that uses it first"), "{refused}");
    }
    // One that was killed is not waited for longer than its lease lives.
    drop(log);
    assert_eq!(carried(&from, &to).await.expect("carried over").copied, 6);
}
