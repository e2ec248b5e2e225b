//! The table of damages: whatever is done to the files while no server runs, what is missing or wrong afterwards is said, when
//! the log is opened or when it is read. Only damage that changes nothing may go unsaid.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::test_support::{append, blob, created, listed};
use switchboard_events::{Append, BlobHash, EventLog, ListPage, LogError, SessionLog, SessionRow, StoredEvent};
use switchboard_protocol::{MessageId, SessionId};
use tempfile::TempDir;

use super::tests::folder;
use super::{SqliteLog, SqliteOptions};

const DATABASE: &str = "switchboard.db";
const WAL: &str = "switchboard.db-wal";
const MARK: &str = "switchboard.mark";

/// What a log holds.
#[derive(Debug, PartialEq, Clone)]
struct Content {
    list: Vec<SessionRow>,
    pinned: Vec<SessionRow>,
    unfinished: Vec<SessionRow>,
    events: Vec<Vec<StoredEvent>>,
}

/// Files of a log, and what it held.
struct Case {
    files: TempDir,
    content: Content,
    sessions: Vec<SessionId>,
    blob: BlobHash,
}

fn opened(path: &Path) -> Result<SqliteLog, LogError> {
    SqliteLog::open(path, SqliteOptions::default())
}

fn copied(from: &Path) -> TempDir {
    let to = folder();
    for file in [DATABASE, WAL, MARK] {
        // A log that was closed has no write-ahead log.
        let _ = std::fs::copy(from.join(file), to.path().join(file));
    }
    to
}

/// Six sessions go on by `turns` turns each.
async fn talk(log: &Arc<dyn EventLog>, sessions: &[SessionId], turns: std::ops::Range<u64>) {
    for turn in turns {
        for session in sessions {
            let message = MessageId::from(format!("m{turn}"));
            let opened = vec![message.clone()];
            log.append(Append { opened, ..append(*session, turn * 8, 2) }).await.expect("written");
            let closed = if turn % 3 == 0 { Vec::new() } else { vec![message] };
            let title = Some(format!("turn {turn}"));
            log.append(Append { closed, title, ..append(*session, turn * 8 + 2, 6) }).await.expect("written");
        }
    }
}

/// Everything that can be read.
async fn read(log: &dyn EventLog, sessions: &[SessionId], hash: &BlobHash) -> Result<Content, String> {
    let (owner, wrong) = (Principal::local(), |error: LogError| error.to_string());
    let content = Content {
        list: log.list(&owner, &ListPage::first(100)).await.map_err(wrong)?,
        pinned: log.list(&owner, &ListPage { pinned: true, ..ListPage::first(100) }).await.map_err(wrong)?,
        unfinished: log.orphans().await.map_err(wrong)?,
        events: {
            let mut events = Vec::new();
            for session in sessions {
                let mut found: Vec<StoredEvent> = Vec::new();
                loop {
                    let page = log.read(*session, found.len() as u64, 50).await.map_err(wrong)?;
                    if page.is_empty() {
                        break;
                    }
                    found.extend(page);
                }
                events.push(found);
            }
            events
        },
    };
    let value = log.blob(sessions[0], hash).await.map_err(wrong)?;
    // Whoever reads one looks at its hash.
    if value.is_none_or(|bytes| BlobHash::of(&bytes) != *hash) {
        return Err("the value is missing or damaged".to_owned());
    }
    Ok(content)
}

/// What is said of a damaged log; an error if nothing is said and something is wrong.
async fn said(case: &Case, path: &Path) -> Result<Option<String>, String> {
    let log = match opened(path) {
        Ok(log) => log,
        Err(error) => return Ok(Some(error.to_string())),
    };
    let said = match (log.report(), read(&log, &case.sessions, &case.blob).await) {
        (Some(report), _) => Ok(Some(report)),
        (None, Err(error)) => Ok(Some(error)),
        (None, Ok(content)) if content == case.content => Ok(None),
        (None, Ok(_)) => Err("nothing is said".to_owned()),
    };
    log.close().await;
    said
}

/// The files of a log: an older copy of it, and the log as it was closed or as a killed server leaves it.
async fn cases() -> (TempDir, Case, Case) {
    let work = folder();
    let log: Arc<dyn EventLog> = Arc::new(opened(work.path()).expect("a log"));
    let mut sessions = Vec::new();
    for _ in 0..6 {
        sessions.push(created(&log).await);
    }
    talk(&log, &sessions, 0..4).await;
    log.close().await;
    drop(log);
    let older = copied(work.path());

    let log: Arc<dyn EventLog> = Arc::new(opened(work.path()).expect("a log"));
    let value = blob(&vec![7; 100_000]);
    std::fs::copy(work.path().join(WAL), older.path().join(WAL)).expect("an older copy");
    log.append(Append { blobs: vec![value.clone()], ..append(sessions[0], 32, 8) }).await.expect("written");
    talk(&log, &sessions[1..], 4..9).await;
    log.pin(sessions[2], true).await.expect("pinned");
    let content = read(log.as_ref(), &sessions, &value.hash).await.expect("it is sound");
    // What is older than a second has its mark.
    tokio::time::sleep(Duration::from_millis(1300)).await;
    let killed = copied(work.path());
    log.close().await;
    drop(log);
    let closed = copied(work.path());
    let case = |files| Case { files, content: content.clone(), sessions: sessions.clone(), blob: value.hash.clone() };
    let (killed, closed) = (case(killed), case(closed));
    (older, closed, killed)
}

/// A number that looks random and is the same each time.
fn random(seed: u64) -> u64 {
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

/// What is done to a file; the second number is which time it is done.
type Damage = fn(&Path, u64);

fn flip(file: &Path, time: u64) {
    let mut bytes = std::fs::read(file).expect("the file");
    let place = random(time) % (bytes.len() as u64 * 8);
    bytes[usize::try_from(place / 8).expect("small")] ^= 1 << (place % 8);
    std::fs::write(file, bytes).expect("written");
}

fn cut(file: &Path, time: u64) {
    let bytes = std::fs::read(file).expect("the file");
    let place = usize::try_from(random(time) % bytes.len() as u64).expect("small");
    std::fs::write(file, &bytes[..place]).expect("written");
}

fn delete(file: &Path, _: u64) {
    std::fs::remove_file(file).expect("removed");
}

fn empty(file: &Path, _: u64) {
    std::fs::write(file, "").expect("written");
}

fn zero(file: &Path, _: u64) {
    let length = std::fs::metadata(file).expect("the file").len();
    std::fs::write(file, vec![0; usize::try_from(length).expect("small")]).expect("written");
}

/// Does everything to this file of the case; flips and cuts at so many places. What went unsaid.
async fn check(case: &Case, (what, file): (&str, &str), places: u64) -> Vec<String> {
    let damages: [(&str, Damage, u64); 5] = [
        ("a flipped bit", flip, places),
        ("cut", cut, places),
        ("deleted", delete, 1),
        ("emptied", empty, 1),
        ("zeroed", zero, 1),
    ];
    let mut silent = Vec::new();
    for (damage, damaged, times) in damages {
        let mut told = 0;
        for time in 0..times {
            let files = copied(case.files.path());
            damaged(&files.path().join(file), time);
            match said(case, files.path()).await {
                Ok(said) => told += u64::from(said.is_some()),
                Err(error) => silent.push(format!("{what}, {file}, {damage}, {time}: {error}")),
            }
        }
        println!("{what}, {file}, {damage}: told {told} of {times}, the others changed nothing");
    }
    silent
}

/// The whole table, with flips and cuts at so many places.
async fn table(places: u64) {
    let (older, closed, killed) = cases().await;
    assert!(!closed.files.path().join(WAL).exists() && killed.files.path().join(WAL).exists());
    // Baseline: as they are, nothing is said.
    for case in [&closed, &killed] {
        let files = copied(case.files.path());
        assert_eq!(said(case, files.path()).await, Ok(None));
        assert_eq!(said(case, files.path()).await, Ok(None), "and at the next start too");
    }

    let mut silent = Vec::new();
    for file in [DATABASE, MARK] {
        silent.extend(check(&closed, ("closed", file), places).await);
    }
    for file in [DATABASE, WAL, MARK] {
        silent.extend(check(&killed, ("killed", file), places).await);
    }
    for (case, file) in [(&closed, DATABASE), (&killed, WAL)] {
        let files = copied(case.files.path());
        std::fs::copy(older.path().join(file), files.path().join(file)).expect("an older copy");
        let said = said(case, files.path()).await;
        assert!(matches!(&said, Ok(Some(said)) if said.contains("missing")), "an older {file}: {said:?}");
    }

    assert_eq!(silent, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn n14_f10_no_damage_of_the_files_goes_unsaid() {
    table(4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: tests/run soak"]
async fn n14_f10_no_damage_of_the_files_at_many_places_goes_unsaid() {
    table(20).await;
}

#[tokio::test]
async fn n14_what_is_missing_is_counted_and_another_history_begins() {
    let (older, closed, _killed) = cases().await;
    let files = copied(closed.files.path());
    let log = opened(files.path()).expect("a log");
    let before = log.generation();
    log.close().await;
    drop(log);
    std::fs::copy(older.path().join(DATABASE), files.path().join(DATABASE)).expect("an older copy");

    let log = opened(files.path()).expect("it starts");

    // 8 events of one session, 5 turns of 8 events in five, and a pin.
    let report = log.report().expect("a report");
    assert!(report.contains("at least 209 events or changes are missing"), "{report}");
    let after = log.generation();
    assert_ne!(after, before);
    log.append(append(closed.sessions[0], 32, 1)).await.expect("it goes on");
    log.close().await;
    drop(log);
    let log = opened(files.path()).expect("it starts");
    assert_eq!(log.report(), None, "it is said once");
    assert_eq!(log.generation(), after, "and stays what it is");
}

#[tokio::test]
async fn n14_a_used_folder_without_a_database_needs_a_word() {
    let (_older, closed, killed) = cases().await;
    for (case, damage) in [(&closed, delete as Damage), (&closed, empty), (&killed, delete), (&killed, empty)] {
        let files = copied(case.files.path());
        damage(&files.path().join(DATABASE), 0);

        let refused = opened(files.path()).expect_err("refused");

        assert!(matches!(refused, LogError::Missing { .. }), "{refused:?}");
        assert!(refused.to_string().contains("--new-log"), "{refused}");
        assert!(std::fs::metadata(files.path().join(DATABASE)).map_or(0, |file| file.len()) == 0, "nothing is made");
        let options = SqliteOptions { new_log: true, ..SqliteOptions::default() };
        let log: Arc<dyn EventLog> = Arc::new(SqliteLog::open(files.path(), options).expect("a new log"));
        assert_eq!(listed(&log, &Principal::local()).await, []);
        created(&log).await;
        log.close().await;
        drop(log);
        // The word does nothing to a log that is there.
        let log: Arc<dyn EventLog> = Arc::new(SqliteLog::open(files.path(), options).expect("the same log"));
        assert_eq!((listed(&log, &Principal::local()).await.len(), log.report()), (1, None));
        log.close().await;
    }
}

#[tokio::test]
async fn the_lock_holds_on_the_database_itself() {
    let work = folder();
    let log: Arc<dyn EventLog> = Arc::new(opened(work.path()).expect("a log"));
    std::fs::remove_file(work.path().join("lock")).expect("removed");

    let second = opened(work.path());

    assert!(matches!(second, Err(LogError::InUse { .. })), "{:?}", second.err());
    created(&log).await;
}

#[tokio::test]
async fn tables_that_are_not_ours_are_said_in_a_sentence() {
    for change in [
        "DROP TABLE probes",
        "CREATE TABLE other (x)",
        "DROP INDEX sessions_of_owner",
        "ALTER TABLE records RENAME COLUMN record TO events",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 2",
    ] {
        let work = folder();
        opened(work.path()).expect("a log").close().await;
        let file = rusqlite::Connection::open(work.path().join(DATABASE)).expect("the file");
        file.execute_batch(change).expect("changed");
        drop(file);

        let refused = opened(work.path()).expect_err("refused").to_string();

        assert!(refused.contains("the tables in its file are not those that Switchboard makes"), "{change}: {refused}");
    }
}

#[tokio::test]
async fn n15_files_that_are_taken_away_are_noticed_while_nothing_is_written() {
    for file in [DATABASE, WAL] {
        let work = folder();
        let log = opened(work.path()).expect("a log");
        assert_eq!(log.report(), None);
        let (there, away) = (work.path().join(file), work.path().join("away"));

        std::fs::rename(&there, &away).expect("taken away");
        noticed(&log, |report| report.is_some_and(|report| report.contains("was removed"))).await;
        std::fs::write(&there, "another one").expect("replaced");
        noticed(&log, |report| report.is_some_and(|report| report.contains("was replaced"))).await;
        std::fs::rename(&away, &there).expect("put back");
        noticed(&log, |report| report.is_none()).await;

        let log: Arc<dyn EventLog> = Arc::new(log);
        created(&log).await;
        log.close().await;
    }
}

/// Waits until the log says so.
async fn noticed(log: &SqliteLog, is_it: impl Fn(Option<&str>) -> bool) {
    for _ in 0..2000 {
        if is_it(log.report().as_deref()) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("not noticed: {:?}", log.report());
}
