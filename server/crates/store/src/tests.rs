//! What only the log in a file must do: outlive the process, notice damage, and be honest about a full disk.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use switchboard_protocol::MessageId;
use tempfile::TempDir;

use super::{SqliteLog, SqliteOptions, tables};
use switchboard_accounts::Principal;
use switchboard_events::test_support::{Log, append, blob, created, event, listed, stored_event};
use switchboard_events::{Append, EncodedEvent, EventLog, LogError};

#[tokio::test]
async fn everything_is_there_after_opening_again() {
    let folder = folder();
    check_opened_again(async || open(&folder)).await;
}

/// Everything is there when a log is opened a second time, where it was the first time.
pub(super) async fn check_opened_again(open: impl AsyncFn() -> Log) {
    let log = open().await;
    let (session, deleted) = (created(&log).await, created(&log).await);
    let blob = blob(&[1; 100_000]);
    let first = Append {
        blobs: vec![blob.clone()],
        opened: vec![MessageId::from("m")],
        title: Some("title".to_owned()),
        ..append(session, 0, 3)
    };
    log.append(first).await.expect("written");
    log.delete(deleted).await.expect("deleted");
    let rows = listed(&log, &Principal::local()).await;
    log.close().await;

    drop(log);
    let log = open().await;

    assert_eq!(listed(&log, &Principal::local()).await, rows);
    assert_eq!(log.orphans().await.expect("read"), rows);
    assert_eq!(log.read(session, 0, 10).await.expect("read"), (1..=3).map(stored_event).collect::<Vec<_>>());
    assert_eq!(log.blob(session, &blob.hash).await.expect("read"), Some(blob.bytes));
    assert_eq!(log.claim(session).await.expect("claimed"), 3);
    log.append(append(session, 3, 1)).await.expect("it goes on");
}

#[tokio::test]
async fn f17_the_order_is_that_of_the_events_whatever_the_clock_said() {
    let folder = folder();
    let log = open(&folder);
    let (first, second) = (created(&log).await, created(&log).await);
    let clocks = [
        "2026-01-02T00:00:00.000Z",
        "2026-01-01T23:00:00.000Z",
        "2026-01-03T00:00:00.000Z",
        "1970-01-01T00:00:00.000Z",
    ];

    for (seq, at) in (0..).zip(clocks) {
        for session in [second, first] {
            let events = vec![EncodedEvent { at: at.to_owned(), ..event(seq + 1) }];
            log.append(Append { events, ..append(session, seq, 1) }).await.expect("written");
        }
    }

    log.close().await;
    for log in [log, open(&folder)] {
        let read = log.read(first, 0, 10).await.expect("read");
        assert_eq!(read.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(read.iter().map(|event| event.at.as_str()).collect::<Vec<_>>(), clocks);
        let back = log.read_before(first, 4, 2).await.expect("read");
        assert_eq!(back.iter().map(|event| event.seq).collect::<Vec<_>>(), [2, 3]);
        let listed = listed(&log, &Principal::local()).await;
        assert_eq!(listed.iter().map(|row| row.session).collect::<Vec<_>>(), [first, second], "the last change first");
    }
}

#[tokio::test]
async fn what_was_committed_needs_no_clean_end() {
    let (folder, copy) = (folder(), folder());
    let log = open(&folder);
    let session = created(&log).await;
    log.append(append(session, 0, 5)).await.expect("written");

    // The files as a killed process leaves them: nothing closed, nothing taken over from the write-ahead log.
    for file in ["switchboard.db", "switchboard.db-wal"] {
        std::fs::copy(folder.path().join(file), copy.path().join(file)).expect("a copy");
    }

    assert_eq!(open(&copy).read(session, 0, 10).await.expect("read").len(), 5);
}

#[tokio::test]
async fn a_second_server_on_the_same_folder_is_refused() {
    let folder = folder();
    let log = open(&folder);

    let second = SqliteLog::open(folder.path(), SqliteOptions::default());

    let error = second.expect_err("refused");
    assert!(matches!(error, LogError::InUse { pid: Some(pid), .. } if pid == std::process::id()), "{error:?}");
    assert!(error.to_string().contains(&format!("(process {})", std::process::id())), "{error}");
    log.close().await;
    SqliteLog::open(folder.path(), SqliteOptions::default()).expect("the folder is free again");
}

#[test]
fn the_folder_is_made_and_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let data = folder.path().join("new/data");

    let log = SqliteLog::open(&data, SqliteOptions::default()).expect("a log");

    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for file in ["switchboard.db", "switchboard.db-wal", "switchboard.db-shm", "lock"] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    drop(log);
}

#[tokio::test]
async fn d14_a_log_of_a_newer_server_is_refused() {
    let folder = folder();
    open(&folder).close().await;
    raw(&folder).pragma_update(None, "user_version", tables::VERSION + 1).expect("changed");

    let refused = SqliteLog::open(folder.path(), SqliteOptions::default()).expect_err("refused");

    assert!(matches!(refused, LogError::TooNew { found: 4, known: 3 }), "{refused:?}");
    assert!(refused.to_string().contains("newer Switchboard"), "{refused}");
    assert!(refused.to_string().contains("--data"), "{refused}");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("switchboard.db"), "a shopping list, long enough to be looked at".repeat(50))
        .expect("written");

    let refused = SqliteLog::open(folder.path(), SqliteOptions::default()).expect_err("refused");

    assert!(refused.to_string().contains("its file is damaged"), "{refused}");
}

#[tokio::test]
async fn a_full_disk_is_said_and_ends_when_there_is_room() {
    let folder = folder();
    let log = SqliteLog::open(folder.path(), SqliteOptions { max_pages: Some(40), ..SqliteOptions::default() });
    let log: Arc<dyn EventLog> = Arc::new(log.expect("a log"));
    let (session, other) = (created(&log).await, created(&log).await);
    log.append(append(session, 0, 1)).await.expect("there is room for a little");
    let large = Append { blobs: vec![blob(&[3; 80_000])], ..append(other, 0, 1) };
    log.append(large).await.expect("and for one large value");

    let too_much = blob(&[4; 150_000]);
    let refused = log.append(Append { blobs: vec![too_much.clone()], ..append(session, 1, 2) }).await;

    assert!(matches!(refused, Err(LogError::Limit(_))), "{refused:?}");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
    assert_eq!(log.blob(session, &too_much.hash).await.expect("read"), None);

    log.delete(other).await.expect("room is made");
    log.append(append(session, 1, 1)).await.expect("there is room again");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
}

#[tokio::test]
async fn a_check_notices_a_full_disk_and_a_lost_file() {
    let folder = folder();
    let log = SqliteLog::open(folder.path(), SqliteOptions { max_pages: Some(30), ..SqliteOptions::default() });
    let log: Arc<dyn EventLog> = Arc::new(log.expect("a log"));
    let session = created(&log).await;
    log.check().await.expect("there is room");

    let mut last = 0;
    while log.append(append(session, last, 1)).await.is_ok() {
        last += 1;
    }
    assert!(matches!(log.check().await, Err(LogError::Limit(_))));
    log.delete(session).await.expect("deleted");
    log.check().await.expect("there is room again");

    std::fs::remove_file(folder.path().join("switchboard.db")).expect("removed");
    let error = log.check().await.expect_err("the file is gone");
    assert!(error.to_string().contains("was removed"), "{error}");
}

#[tokio::test]
async fn after_a_failed_commit_the_file_is_opened_anew_and_nothing_is_half_there() {
    let folder = folder();
    let log = open(&folder);
    let (session, other) = (created(&log).await, created(&log).await);
    log.append(append(session, 0, 1)).await.expect("written");
    // A constraint that is looked at only in COMMIT makes a commit fail for real.
    raw(&folder)
        .execute_batch(
            "CREATE TABLE nobody (session TEXT REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED);
             CREATE TRIGGER trap AFTER INSERT ON records WHEN instr(new.record, CAST('trap' AS BLOB))
             BEGIN INSERT INTO nobody VALUES ('nobody'); END;",
        )
        .expect("a trap");

    let trap = Append { events: vec![EncodedEvent { frame: "trap".into(), ..event(2) }], ..append(session, 1, 0) };
    let failed = log.append(trap).await;

    assert!(matches!(failed, Err(LogError::Store(_))), "{failed:?}");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
    log.append(append(session, 1, 1)).await.expect("the next commit works");
    log.append(append(other, 0, 1)).await.expect("for others too");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
}

#[tokio::test]
async fn readers_do_not_wait_for_the_writer() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    log.append(append(session, 0, 3)).await.expect("written");
    // Another program holds the file, so the writer waits.
    let other = raw(&folder);
    other.execute_batch("BEGIN IMMEDIATE").expect("held");

    let committed = log.append(append(session, 3, 1));
    let events = log.read(session, 0, 10).await.expect("read");

    assert_eq!(events.len(), 3);
    other.execute_batch("ROLLBACK").expect("let go");
    // However long that took, the writer has an answer.
    let _ = committed.await;
}

#[tokio::test]
async fn the_write_ahead_log_is_cut_back() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;

    for expected in 0..6 {
        let bytes: Vec<u8> = (0..15 * 1024 * 1024_u32).map(|byte| (byte ^ expected) as u8).collect();
        let large = Append { blobs: vec![blob(&bytes)], ..append(session, u64::from(expected), 1) };
        log.append(large).await.expect("written");
    }
    log.append(append(session, 6, 1)).await.expect("written");

    let wal = std::fs::metadata(folder.path().join("switchboard.db-wal")).expect("it is there").len();
    assert!(wal <= 32 * 1024 * 1024, "the write-ahead log has {wal} bytes");
    log.close().await;
    assert!(!folder.path().join("switchboard.db-wal").exists(), "a clean end takes all of it over");
}

#[tokio::test]
async fn somebody_who_reads_for_long_does_not_stop_the_writer() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    let reader = raw(&folder);
    reader.execute_batch("BEGIN; SELECT count(*) FROM sessions;").expect("a long reader");

    for expected in 0..4 {
        let large =
            Append { blobs: vec![blob(&vec![expected as u8; 12 * 1024 * 1024])], ..append(session, expected, 1) };
        log.append(large).await.expect("written");
    }

    assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 4);
    let count: i64 = reader.query_row("SELECT count(*) FROM records", [], |row| row.get(0)).expect("read");
    assert_eq!(count, 0, "the reader sees what was there when it began");
    reader.execute_batch("COMMIT").expect("ended");
    log.append(append(session, 4, 1)).await.expect("written");
}

#[tokio::test]
async fn without_sync_it_is_the_same_log() {
    let folder = folder();
    let log: Arc<dyn EventLog> = Arc::new(
        SqliteLog::open(folder.path(), SqliteOptions { sync: false, ..SqliteOptions::default() }).expect("a log"),
    );
    let session = created(&log).await;

    log.append(append(session, 0, 3)).await.expect("written");

    assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 3);
}

pub(super) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

pub(super) fn open(folder: &TempDir) -> Arc<dyn EventLog> {
    Arc::new(SqliteLog::open(folder.path(), SqliteOptions::default()).expect("a log"))
}

/// The file, past the log.
pub(super) fn raw(folder: &TempDir) -> Connection {
    let connection = Connection::open(folder.path().join("switchboard.db")).expect("the file");
    connection.busy_timeout(std::time::Duration::from_secs(60)).expect("set");
    connection
}
