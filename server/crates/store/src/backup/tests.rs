//! Backups: what is copied beside a running writer, what is found in it, and what happens to the log that it replaces.

use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use switchboard_events::test_support::{append, blob, created};
use switchboard_events::{Append, EventLog, LogError, SessionLog, StoredValue, ValueKind};
use switchboard_protocol::SessionId;
use tempfile::TempDir;

use super::{BackupError, Contents, Progress, Watch, back_up, restore, verify};
use crate::tests::{folder, open, raw};

const QUIET: Watch<'static> = &|_| ControlFlow::Continue(());

/// A log with two sessions, of five events and a large value, and of three.
async fn some() -> (TempDir, Arc<dyn EventLog>, SessionId, SessionId) {
    let folder = folder();
    let log = open(&folder);
    let (first, second) = (created(&log).await, created(&log).await);
    log.append(Append { blobs: vec![blob(&[7; 80_000])], ..append(first, 0, 5) }).await.expect("written");
    log.append(append(second, 0, 3)).await.expect("written");
    (folder, log, first, second)
}

fn counts(contents: &Contents) -> (u64, u64, u64) {
    (contents.sessions, contents.events, contents.values)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_is_one_private_file_that_is_never_written_over() {
    let (data, log, ..) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");

    let contents = back_up(data.path(), &file, QUIET).expect("copied");

    assert_eq!((counts(&contents), &contents.damage), ((2, 8, 1), &Vec::new()));
    assert_eq!(names(place.path()), ["a.backup"]);
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let again = back_up(data.path(), &file, QUIET).expect_err("refused");
    assert!(matches!(again, BackupError::Exists(_)), "{again}");
    assert_eq!(counts(&verify(&file, QUIET).expect("read")), (2, 8, 1));
    log.close().await;
}

#[tokio::test]
async fn a_backup_does_not_wait_for_a_server_and_does_not_hold_it_up() {
    let (data, log, first, _) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");
    let appended = Arc::new(AtomicU64::new(5));
    // While it copies and looks through the copy, as often as it tells how far it has come.
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let watch = {
        let appended = Arc::clone(&appended);
        move |_| {
            let before = appended.load(Ordering::SeqCst);
            let _ = tell.send(());
            let waited = std::time::Instant::now();
            while appended.load(Ordering::SeqCst) == before && waited.elapsed().as_secs() < 60 {
                std::thread::yield_now();
            }
            ControlFlow::Continue(())
        }
    };
    let folder = data.path().to_owned();
    let backup = tokio::task::spawn_blocking(move || back_up(&folder, &file, &watch));
    while told.recv().await.is_some() {
        let last = appended.load(Ordering::SeqCst);
        log.append(append(first, last, 2)).await.expect("written while it copies");
        appended.store(last + 2, Ordering::SeqCst);
    }

    let contents = backup.await.expect("no panic").expect("copied");

    let last = appended.load(Ordering::SeqCst);
    assert!(last > 5 && contents.events >= 8 && contents.damage.is_empty(), "{last}: {contents:?}");
    assert_eq!(counts(&verify(data.path(), QUIET).expect("read")), (2, last + 3, 1), "beside the server too");
    log.close().await;
}

#[tokio::test]
async fn what_is_restored_is_another_history_and_what_was_there_is_kept() {
    let (data, log, first, second) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");
    back_up(data.path(), &file, QUIET).expect("copied");
    log.append(append(first, 5, 4)).await.expect("written");
    let generation = log.generation();
    let in_use = restore(&file, data.path(), true, QUIET).expect_err("a server has it");
    assert!(matches!(in_use, BackupError::Log(LogError::InUse { .. })), "{in_use}");
    log.close().await;
    drop(log);
    let before = names(data.path());
    let refused = restore(&file, data.path(), false, QUIET).expect_err("refused");
    assert!(matches!(refused, BackupError::LogThere(_)), "{refused}");
    assert_eq!(names(data.path()), before);

    let restored = restore(&file, data.path(), true, QUIET).expect("made ready");

    assert_eq!(counts(&restored.contents), (2, 8, 1));
    let kept = restored.put_in_place().expect("moved").expect("the one before");
    let database = std::fs::metadata(data.path().join("switchboard.db")).expect("a database");
    assert_eq!(database.permissions().mode() & 0o777, 0o600, "for its owner alone");
    assert!(!data.path().join("restoring").exists());
    assert_eq!(counts(&verify(&kept, QUIET).expect("read")), (2, 12, 1));
    assert_eq!(verify(data.path(), QUIET).expect("read").damage, Vec::<String>::new());
    let log = open(&data);
    assert_eq!(log.report(), None, "it has all that its mark says");
    assert_ne!(log.generation(), generation, "clients read their sessions anew");
    for (session, events) in [(first, 5), (second, 3)] {
        assert_eq!(log.read(session, 0, 100).await.expect("read").len(), events);
    }
    log.append(append(first, 5, 1)).await.expect("it goes on");
    log.close().await;
}

#[tokio::test]
async fn after_a_kill_the_log_that_is_kept_has_all_that_was_acknowledged() {
    let (data, log, first, _) = some().await;
    let (place, killed) = (folder(), folder());
    let file = place.path().join("a.backup");
    back_up(data.path(), &file, QUIET).expect("copied");
    log.append(append(first, 5, 4)).await.expect("written");
    for name in ["switchboard.db", "switchboard.db-wal"] {
        std::fs::copy(data.path().join(name), killed.path().join(name)).expect("a copy");
    }
    log.close().await;

    let kept = restore(&file, killed.path(), true, QUIET).and_then(super::Restore::put_in_place).expect("restored");

    let kept = kept.expect("the one before");
    assert_eq!(counts(&verify(&kept, QUIET).expect("read")), (2, 12, 1));
    let alone = place.path().join("alone");
    std::fs::copy(&kept, &alone).expect("a copy");
    assert_eq!(counts(&verify(&alone, QUIET).expect("read")), (2, 12, 1), "it is one file");
}

#[tokio::test]
async fn a_restore_that_is_given_up_changes_nothing() {
    let (data, log, first, _) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");
    back_up(data.path(), &file, QUIET).expect("copied");
    log.append(append(first, 5, 4)).await.expect("written");
    log.close().await;
    let before = names(data.path());

    drop(restore(&file, data.path(), true, QUIET).expect("made ready"));

    assert_eq!(names(data.path()), before);
    assert_eq!(counts(&verify(data.path(), QUIET).expect("read")), (2, 12, 1));
}

#[tokio::test]
async fn a_backup_that_no_server_would_open_takes_no_logs_place() {
    let (data, log, ..) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");
    back_up(data.path(), &file, QUIET).expect("copied");
    log.close().await;
    let backup = Connection::open(&file).expect("the backup");
    backup.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM sessions").expect("damaged");
    drop(backup);

    let refused = restore(&file, data.path(), true, QUIET).expect_err("refused").to_string();

    assert!(refused.contains("has 0 sessions and should have 2") && !refused.contains("--data"), "{refused}");
    assert_eq!(counts(&verify(data.path(), QUIET).expect("read")), (2, 8, 1));
}

#[tokio::test]
async fn what_a_killed_backup_left_is_taken_over_and_a_running_one_is_not_disturbed() {
    let (data, log, ..) = some().await;
    let place = folder();
    let (file, part) = (place.path().join("a.backup"), place.path().join("a.backup.part"));
    std::fs::write(&part, "somebody's own notes").expect("written");
    let refused = back_up(data.path(), &file, QUIET).expect_err("it is not ours");
    assert!(matches!(refused, BackupError::Begun(_)), "{refused}");

    std::fs::write(&part, b"SQLite format 3\0 and half of it").expect("written");
    let running = std::fs::File::open(&part).expect("the part");
    running.lock().expect("as the backup that is at work");
    let refused = back_up(data.path(), &file, QUIET).expect_err("another is at work");
    assert!(matches!(refused, BackupError::Begun(_)), "{refused}");

    drop(running);
    assert_eq!(counts(&back_up(data.path(), &file, QUIET).expect("copied")), (2, 8, 1));
    assert_eq!(names(place.path()), ["a.backup"]);
    log.close().await;
}

#[tokio::test]
async fn a_write_ahead_log_that_was_left_behind_is_not_read_into_what_is_restored() {
    let (data, log, first, _) = some().await;
    let (place, left) = (folder(), folder());
    let file = place.path().join("a.backup");
    back_up(data.path(), &file, QUIET).expect("copied");
    log.append(append(first, 5, 4)).await.expect("written");
    // As after a kill: the database is gone, and what was not yet moved into it is there.
    std::fs::copy(data.path().join("switchboard.db-wal"), left.path().join("switchboard.db-wal")).expect("a copy");
    log.close().await;

    let restored = restore(&file, left.path(), false, QUIET).expect("made ready");

    assert_eq!(counts(&restored.contents), (2, 8, 1));
    assert_eq!(restored.put_in_place().expect("moved"), None);
    assert_eq!(counts(&verify(left.path(), QUIET).expect("read")), (2, 8, 1));
    assert!(names(left.path()).iter().any(|name| name.ends_with("-wal") && name != "switchboard.db-wal"), "it is kept");
}

#[tokio::test]
async fn every_damage_is_found() {
    let hash = blob(&[7; 80_000]).hash;
    for (damage, said) in [
        ("UPDATE records SET record = substr(record, 1, length(record) - 1)", "event 5: its checksum does not match"),
        ("DELETE FROM records", "event 1: the session has 5 events"),
        ("UPDATE sessions SET title = 'x'", "is not as it was written"),
        ("UPDATE blobs SET bytes = zeroblob(80000)", "is not as it was written"),
        ("DELETE FROM blobs", "is missing"),
        ("UPDATE history SET entries = entries + 1", "is damaged"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM sessions", "has rows of a session that is not in the list"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM sessions", "has 0 sessions and should have 1"),
        (
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'sessions_of_owner'",
            "not those that Switchboard makes",
        ),
    ] {
        let folder = folder();
        let log = open(&folder);
        let session = created(&log).await;
        let mut appended = Append { blobs: vec![blob(&[7; 80_000])], ..append(session, 0, 5) };
        let value = StoredValue::Blob { kind: ValueKind::Text, hash: hash.clone() };
        appended.events[3].private = Some(serde_json::json!({"values": {"large": value}}).to_string().into());
        log.append(appended).await.expect("written");
        log.close().await;
        assert_eq!(verify(folder.path(), QUIET).expect("read").damage, Vec::<String>::new());
        raw(&folder).execute_batch(damage).expect(damage);

        let found = match verify(folder.path(), QUIET) {
            Ok(contents) => contents.damage.join("; "),
            Err(error) => error.to_string(),
        };

        assert!(found.contains(said), "{damage}: {found}");
    }
}

#[tokio::test]
async fn what_its_mark_has_and_the_folder_has_not_is_missing() {
    let (data, log, first, _) = some().await;
    let older = std::fs::read(data.path().join("switchboard.db")).expect("the database");
    let wal = std::fs::read(data.path().join("switchboard.db-wal")).expect("its write-ahead log");
    log.append(append(first, 5, 4)).await.expect("written");
    log.close().await;
    std::fs::write(data.path().join("switchboard.db"), older).expect("written");
    std::fs::write(data.path().join("switchboard.db-wal"), wal).expect("written");

    let damage = verify(data.path(), QUIET).expect("read").damage.join("; ");

    assert!(damage.contains("at least 4 events or changes are missing"), "{damage}");
}

#[tokio::test]
async fn a_damaged_log_is_backed_up_and_restored_with_what_is_sound() {
    let (data, log, first, second) = some().await;
    log.close().await;
    // From the third of its events on.
    let sql = "UPDATE records SET record = substr(record, 1, length(record) - 150) WHERE key >> 32 = 1";
    raw(&data).execute(sql, []).expect("damaged");
    let place = folder();
    let file = place.path().join("a.backup");

    let contents = back_up(data.path(), &file, QUIET).expect("copied");

    assert_eq!((contents.events, contents.damage.len()), (5, 1), "{:?}", contents.damage);
    let restored = restore(&file, &place.path().join("new/folder"), false, QUIET).expect("restored");
    assert_eq!(restored.contents.damage, contents.damage);
    restored.put_in_place().expect("moved");
    let log = crate::SqliteLog::open(&place.path().join("new/folder"), crate::SqliteOptions::default()).expect("a log");
    assert_eq!(log.read(first, 0, 9).await.expect("read").len(), 2);
    assert_eq!(log.read(second, 0, 9).await.expect("read").len(), 3);
    log.close().await;
}

#[tokio::test]
async fn whoever_breaks_off_leaves_nothing_behind() {
    let (data, log, ..) = some().await;
    let place = folder();
    let file = place.path().join("a.backup");
    let asked = AtomicU64::new(0);
    let after_the_first: Watch<'_> = &|progress| {
        assert!(matches!(progress, Progress::Copied { .. } | Progress::Checked { of: 2, .. }), "{progress:?}");
        asked.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Break(())
    };

    let broken_off = back_up(data.path(), &file, after_the_first).expect_err("broken off");

    assert!(matches!(broken_off, BackupError::Cancelled), "{broken_off}");
    assert_eq!((names(place.path()), asked.into_inner() > 0), (Vec::new(), true));
    log.close().await;
}

#[tokio::test]
async fn what_is_no_log_is_refused_before_anything_is_made() {
    let place = folder();
    let path = |name: &str| -> PathBuf { place.path().join(name) };
    std::fs::write(path("text"), "no database, and longer than its first words").expect("written");
    std::fs::write(path("empty"), "").expect("written");
    Connection::open(path("other")).and_then(|other| other.execute_batch("CREATE TABLE t (a)")).expect("a database");
    for (name, said) in [
        ("text", "is not a log of Switchboard"),
        ("empty", "is not a log of Switchboard"),
        ("nothing", "No such file"),
        ("other", "not those that Switchboard makes"),
    ] {
        let refused = restore(&path(name), &path("data"), false, QUIET).expect_err("refused").to_string();
        assert!(refused.contains(said), "{name}: {refused}");
        let refused = verify(&path(name), QUIET).expect_err("refused").to_string();
        assert!(refused.contains(said), "{name}: {refused}");
        assert!(!path("data").join("switchboard.db").exists(), "{name}");
    }
    let refused = back_up(&path("data"), &path("b"), QUIET).expect_err("there is no log").to_string();
    assert!(refused.contains("No such file"), "{refused}");
    assert!(!path("b").exists() && !path("b.part").exists());
}
