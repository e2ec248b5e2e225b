//! Logs of earlier versions, as their servers left them, open with all that they have, wherever their upgrade was cut off, and
//! what was damaged in them stays so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::Deserialize;
use switchboard_accounts::Principal;
use switchboard_events::{BlobHash, ListPage, LogError, Ownership, SessionIndex, SessionLog, StoredEvent};
use switchboard_protocol::SessionId;
use tempfile::TempDir;

use super::backup::{BackupError, back_up, verify};
use super::connection::Store;
use super::tests::{folder, raw};
use super::upgrade::Upgrade;
use super::{SqliteLog, SqliteOptions};

/// The versions whose files are in `testdata`.
const VERSIONS: [&str; 2] = ["v1", "v2"];

/// The sessions in them: one with a large value, one with a message that waits, and one that is pinned.
const LARGE: &str = "994fbd7b-0f2e-4bb5-b0d4-257a2e79b8c7";
const OPEN: &str = "cae05e62-d537-49bb-8c30-c4f2d6e5d57b";
const PINNED: &str = "3953de23-a14b-42a5-ad5d-ed84a160aac9";

/// Their events.
fn events() -> BTreeMap<SessionId, Vec<StoredEvent>> {
    #[derive(Deserialize)]
    struct Line {
        session: SessionId,
        seq: u64,
        at: String,
        frame: String,
        private: Option<String>,
    }
    let mut events: BTreeMap<SessionId, Vec<StoredEvent>> = BTreeMap::new();
    for line in include_str!("../testdata/events.ndjson").lines() {
        let Line { session, seq, at, frame, private } = serde_json::from_str(line).expect("an event");
        let event = StoredEvent { seq, at, frame: frame.into(), private: private.map(Into::into) };
        events.entry(session).or_default().push(event);
    }
    events
}

/// A data folder with the files of that version.
fn data(version: &str) -> TempDir {
    let data = folder();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(version), data.path());
    data
}

fn copy(from: &Path, to: &Path) {
    for name in ["switchboard.db", "switchboard.db-wal", "switchboard.mark"] {
        // Version 1 has no mark, and a log that was closed no write-ahead log.
        let _ = std::fs::copy(from.join(name), to.join(name));
    }
}

fn opened(data: &TempDir) -> SqliteLog {
    SqliteLog::open(data.path(), SqliteOptions::default()).expect("it opens")
}

/// Damages the page that has the last events of one session and the first of another.
fn zero_a_page(data: &TempDir) {
    let path: PathBuf = data.path().join("switchboard.db");
    let mut bytes = std::fs::read(&path).expect("the file");
    let words = br#""text":"Calculate 2 + 2","mode""#;
    let place = bytes.windows(words.len()).position(|window| window == words).expect("it is there");
    bytes[place / 4096 * 4096..][..4096].fill(0);
    std::fs::write(&path, bytes).expect("written");
}

/// The log has everything that the files have.
async fn assert_whole(log: &SqliteLog, case: &str) {
    assert_eq!(log.report(), None, "{case}");
    let events = events();
    let list = log.list(&Principal::local(), &ListPage::first(10)).await.expect("read");
    let listed: Vec<_> = list.iter().map(|row| (row.session.to_string(), row.last_seq, row.pinned)).collect();
    let row =
        |session: &str, pinned| (session.to_owned(), events[&session.parse().expect("an id")].len() as u64, pinned);
    assert_eq!(listed, [row(PINNED, true), row(OPEN, false), row(LARGE, false)], "{case}");
    assert_eq!(list[0].title.as_deref(), Some("What time is it?"), "{case}");
    let unfinished = log.orphans().await.expect("read");
    assert_eq!(unfinished.iter().map(|row| row.session.to_string()).collect::<Vec<_>>(), [OPEN], "{case}");
    for (session, events) in &events {
        let found = log.read(*session, 0, 1000).await.expect("read");
        assert!(found == *events, "{case}: session {session} has {} events", found.len());
    }
    let session = LARGE.parse().expect("an id");
    let hash = events[&session].iter().find_map(|event| {
        let private = serde_json::from_str::<switchboard_events::ServerOnly>(event.private.as_deref()?).ok()?;
        private.blobs().next().cloned()
    });
    let hash = hash.expect("a large value");
    let value = log.blob(session, &hash).await.expect("read").expect("it is there");
    assert_eq!((value.len(), BlobHash::of(&value)), (40_506, hash), "{case}");
}

/// It goes on, and is whole at the next start too.
async fn assert_goes_on(log: SqliteLog, data: &TempDir, case: &str) {
    let session: SessionId = OPEN.parse().expect("an id");
    let last = events()[&session].len() as u64;
    log.append(switchboard_events::test_support::append(session, last, 1)).await.expect("written");
    log.close().await;
    drop(log);
    let contents = verify(data.path(), &|_| std::ops::ControlFlow::Continue(())).expect("read");
    assert_eq!((contents.sessions, contents.events, &contents.damage), (3, 55, &Vec::new()), "{case}");
}

#[tokio::test]
async fn d14_a_log_of_each_earlier_version_opens_with_all_that_it_has() {
    for version in VERSIONS {
        let data = data(version);
        let log = opened(&data);
        assert_whole(&log, version).await;
        if version == "v2" {
            assert_eq!(&*log.generation(), "6c295259-4bb5-46e3-a101-5eaeb4c10550", "it is the same history");
        }
        let tables: i64 = raw(&data)
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name IN ('events', 'open_messages')", [], |row| {
                row.get(0)
            })
            .expect("read");
        assert_eq!(tables, 0, "{version}: nothing of it is left");
        assert_goes_on(log, &data, version).await;
    }
}

#[tokio::test]
async fn d14_an_upgrade_that_is_killed_goes_on_at_the_next_start() {
    for version in VERSIONS {
        let mut steps = 0;
        loop {
            let (data, killed) = (data(version), folder());
            let store = Store::new(data.path(), SqliteOptions::default()).expect("a store");
            let connection = store.reopen_writer().expect("a connection");
            let mut upgrade = Upgrade::of(&connection).expect("an earlier version").with_batches_of(7);
            let more = (0..steps).all(|_| upgrade.step().expect("a step"));
            // As a killed process leaves them.
            copy(data.path(), killed.path());

            let log = opened(&killed);

            let case = format!("{version} after {steps} steps");
            assert_whole(&log, &case).await;
            assert_goes_on(log, &killed, &case).await;
            if !more {
                break;
            }
            steps += 1;
        }
        assert!(steps > 8, "{version}: {steps}");
    }
}

#[tokio::test]
async fn half_an_upgrade_is_refused_by_who_only_reads_and_copied_as_a_whole() {
    let (data, place) = (data("v2"), folder());
    let connection = raw(&data);
    let mut upgrade = Upgrade::of(&connection).expect("an earlier version").with_batches_of(7);
    for _ in 0..3 {
        upgrade.step().expect("a step");
    }
    drop(connection);
    let quiet = &|_| std::ops::ControlFlow::Continue(());

    let refused = verify(data.path(), quiet).expect_err("refused");
    assert!(matches!(refused, BackupError::OtherForm(_)), "{refused}");
    let contents = back_up(data.path(), &place.path().join("a.backup"), quiet).expect("copied");
    assert_eq!((contents.sessions, contents.events, &contents.damage), (3, 54, &Vec::new()));
}

#[tokio::test]
async fn what_was_damaged_in_an_earlier_version_stays_so() {
    for (damage, seq, said) in [
        ("UPDATE events SET frame = replace(frame, 'seq', 'sEq') WHERE seq = 3", 3, "checksum"),
        ("UPDATE events SET private = 'x' WHERE seq = 1", 1, "checksum"),
        ("UPDATE events SET at = '1970-01-01T00:00:00.000Z' WHERE seq = 19", 19, "checksum"),
        ("UPDATE events SET frame = CAST(x'7bff7d' AS TEXT) WHERE seq = 2", 2, "checksum"),
        ("DELETE FROM events WHERE seq = 2", 2, "missing"),
        ("DELETE FROM events WHERE seq >= 9", 9, "has 19 events"),
        ("UPDATE sessions SET last_seq = 7", 8, "has 7 events"),
        ("UPDATE sessions SET title = 'x'", 20, "entry in the list"),
        ("UPDATE open_messages SET seq = 14", 20, "entry in the list"),
    ] {
        let data = data("v2");
        raw(&data).execute(damage, []).expect(damage);

        let log = opened(&data);

        let session = OPEN.parse().expect("an id");
        let sound = &events()[&session][..usize::try_from(seq).expect("small") - 1];
        let mut found = Vec::new();
        let error = loop {
            match log.read(session, found.len() as u64, 4).await {
                Ok(page) if page.is_empty() => panic!("{damage}: nothing is said"),
                Ok(page) => found.extend(page),
                Err(error) => break error,
            }
        };
        assert!(found == sound, "{damage}: {} events", found.len());
        assert!(error.to_string().contains(said), "{damage}: {error}");
        assert!(matches!(error, LogError::Damaged { seq: found, .. } if found == seq), "{damage}: {error:?}");
    }
}

#[tokio::test]
async fn events_of_no_session_are_still_told_of() {
    let data = data("v2");
    let sql = format!(
        "PRAGMA foreign_keys = OFF; UPDATE events SET session = 'nobody' WHERE session = '{OPEN}' AND seq >= 18"
    );
    raw(&data).execute_batch(&sql).expect("damaged");

    opened(&data).close().await;

    let damage = verify(data.path(), &|_| std::ops::ControlFlow::Continue(())).expect("read").damage;
    assert_eq!(
        damage,
        [
            "`records` has rows of a session that is not in the list".to_owned(),
            format!("session {OPEN}, event 18: the session has 19 events, but the last one found is 17")
        ]
    );
}

#[tokio::test]
async fn sessions_in_pages_that_cannot_be_read_do_not_hold_up_the_others() {
    let data = data("v2");
    zero_a_page(&data);

    for start in ["the first start", "the next one"] {
        let log = opened(&data);
        for (session, sound) in [(PINNED, 12), (LARGE, 19), (OPEN, 0)] {
            let session: SessionId = session.parse().expect("an id");
            if sound > 0 {
                let found = log.read(session, 0, 1000).await.expect("read");
                assert!(found == events()[&session][..sound], "{start}, {session}: {} events", found.len());
            }
            let rest = log.read(session, sound as u64, 1000).await;
            let is_whole = sound == events()[&session].len();
            assert!(is_whole != matches!(rest, Err(LogError::Damaged { .. })), "{start}, {session}: {rest:?}");
        }
        log.close().await;
        let damage =
            verify(data.path(), &|_| std::ops::ControlFlow::Continue(())).expect("it can be looked through").damage;
        for session in [LARGE, OPEN] {
            assert!(damage.iter().any(|line| line.contains(session)), "{start}, {session}: {damage:?}");
        }
    }
}

#[test]
fn a_damaged_log_of_which_nothing_more_can_be_read_is_not_written() {
    let data = data("v2");
    zero_a_page(&data);
    let (connection, watching) = (raw(&data), raw(&data));
    let upgrade = || Upgrade::of(&connection).and_then(Upgrade::run).expect("what can be read is taken over");
    let version = || watching.pragma_query_value(None, "data_version", |row| row.get::<_, i64>(0)).expect("read");
    let before = version();
    upgrade();
    let first = version();

    upgrade();

    assert_ne!(before, first, "it was brought up to date");
    assert_eq!(version(), first);
}

#[tokio::test]
async fn a_byte_that_is_no_text_in_an_old_list_is_damage_of_that_entry() {
    for version in VERSIONS {
        for damage in [
            "UPDATE sessions SET title = CAST(x'4eff' AS TEXT)",
            "UPDATE sessions SET owner = CAST(owner || x'ff' AS TEXT)",
            "UPDATE sessions SET updated_at = CAST(x'ff' AS TEXT)",
            "PRAGMA foreign_keys = OFF; UPDATE sessions SET id = CAST(x'ff' AS TEXT)",
            "PRAGMA foreign_keys = OFF; UPDATE events SET session = CAST(x'ff' AS TEXT), private = session",
        ] {
            let (data, case) = (data(version), format!("{version}: {damage}"));
            let of = if damage.contains("events") { "session" } else { "id" };
            raw(&data).execute_batch(&format!("{damage} WHERE {of} = '{OPEN}'")).expect(&case);

            let log = opened(&data);

            let found = log.read(LARGE.parse().expect("an id"), 0, 1000).await.expect(&case);
            assert!(found == events()[&LARGE.parse().expect("an id")], "{case}");
            let of_events = damage.contains("events");
            assert_eq!(log.report().is_none(), of_events, "{case}: {:?}", log.report());
            log.read(OPEN.parse().expect("an id"), 19, 10).await.expect_err(&case);
            log.close().await;
            let damage = verify(data.path(), &|_| std::ops::ControlFlow::Continue(())).expect(&case).damage;
            assert!(!damage.is_empty(), "{case}");
        }
    }
}

#[tokio::test]
async fn what_was_checked_at_one_start_is_not_checked_at_the_next_and_damage_is_met_all_the_same() {
    let data = data("v2");
    let connection = raw(&data);
    let mut upgrade = Upgrade::of(&connection).expect("an earlier version").with_batches_of(1);
    for _ in 0..3 {
        upgrade.step().expect("a step");
    }
    let id: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).expect("read");
    assert_ne!(id, 0, "it is noted that the table is whole");
    drop(connection);
    // A page is damaged between the two starts.
    zero_a_page(&data);

    let log = opened(&data);

    let session: SessionId = PINNED.parse().expect("an id");
    assert!(log.read(session, 0, 1000).await.expect("read") == events()[&session], "the others are taken over");
    let rest = log.read(OPEN.parse().expect("an id"), 0, 1000).await;
    assert!(matches!(rest, Err(LogError::Damaged { .. })), "{rest:?}");
}

#[test]
fn a_file_of_an_earlier_version_that_is_not_ours_is_refused_and_stays_as_it_is() {
    let data = data("v2");
    Connection::open(data.path().join("switchboard.db"))
        .and_then(|file| file.execute_batch("DROP TABLE probes"))
        .expect("changed");

    let refused = SqliteLog::open(data.path(), SqliteOptions::default()).expect_err("refused").to_string();

    assert!(refused.contains("not those that Switchboard makes"), "{refused}");
    let events: i64 = raw(&data).query_row("SELECT count(*) FROM events", [], |row| row.get(0)).expect("read");
    assert_eq!(events, 54);
}

#[tokio::test]
async fn a_file_that_is_as_large_as_it_may_be_is_brought_up_to_date() {
    let data = data("v2");
    let pages: u32 = raw(&data).pragma_query_value(None, "page_count", |row| row.get(0)).expect("read");

    let options = SqliteOptions { max_pages: Some(pages), ..SqliteOptions::default() };
    let log = SqliteLog::open(data.path(), options).expect("it opens");

    assert_whole(&log, "at its limit").await;
}
