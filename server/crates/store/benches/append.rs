//! How many events a second the log takes, beside SQLite alone in the same run.
//!
//! `cargo bench -p switchboard-store --bench append [-- SECONDS]`; each line is measured for SECONDS (2). "one by one": every
//! event is waited for. "turns": 16 events are in flight and only the last is waited for, as in a turn.

use std::path::Path;
use std::time::{Duration, Instant};

use std::sync::Arc;

use rusqlite::{Connection, params};
use switchboard_accounts::Principal;
use switchboard_events::{Append, EncodedEvent, LogError, SessionLog};
use switchboard_protocol::SessionId;
use switchboard_store::{SqliteLog, SqliteOptions};
use tokio::task::JoinSet;

/// Events of a turn.
const TURN: u64 = 16;

fn main() {
    let seconds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(2.0);
    let time = Duration::from_secs_f64(seconds);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // On the disk of the build, because a folder for temporary files is often in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");

    println!("{:<34} {:>6} {:>12} {:>10} {:>10}", "", "sync", "events/s", "p50 ms", "p99 ms");
    for sync in [true, false] {
        for batch in [1, TURN] {
            raw(folder.path(), sync, batch, time).print(&format!("SQLite alone, {batch} a commit"), sync);
        }
        for sessions in [1, 16, 200] {
            for (name, turn) in [("one by one", 1), ("turns", TURN)] {
                let measured = runtime.block_on(log(folder.path(), sync, sessions, turn, time)).expect("measured");
                measured.print(&format!("{sessions} sessions, {name}"), sync);
            }
        }
    }
    for (what, path) in
        [("a new log", folder.path().join("new")), ("the log with all of that", folder.path().to_owned())]
    {
        let opening = Instant::now();
        let log = SqliteLog::open(&path, SqliteOptions::default()).expect("a log");
        println!("opening {what}: {:.1} ms", opening.elapsed().as_secs_f64() * 1000.0);
        runtime.block_on(log.close());
    }
}

/// What was measured: events, the time, and how long each commit was waited for.
struct Measured {
    events: u64,
    took: Duration,
    waits: Vec<Duration>,
}

impl Measured {
    fn print(mut self, name: &str, sync: bool) {
        self.waits.sort();
        let at = |part: f64| {
            let index = ((self.waits.len() as f64 - 1.0) * part).max(0.0) as usize;
            self.waits.get(index).map_or(0.0, |wait| wait.as_secs_f64() * 1000.0)
        };
        let (rate, sync) = (self.events as f64 / self.took.as_secs_f64(), if sync { "full" } else { "off" });
        println!("{name:<34} {sync:>6} {rate:>12.0} {:>10.2} {:>10.2}", at(0.5), at(0.99));
    }
}

/// Through the log: each session appends turn after turn.
async fn log(folder: &Path, sync: bool, sessions: usize, turn: u64, time: Duration) -> Result<Measured, LogError> {
    let log = Arc::new(SqliteLog::open(folder, SqliteOptions { sync, ..SqliteOptions::default() })?);
    let mut ids = Vec::new();
    for _ in 0..sessions {
        let id = SessionId::random();
        log.create(id, &Principal::local()).await?;
        ids.push(id);
    }
    let start = Instant::now();
    let mut writers = JoinSet::new();
    for id in ids {
        let log = Arc::clone(&log);
        writers.spawn(async move { session(&log, id, turn, start, time).await });
    }
    let mut measured = Measured { events: 0, took: Duration::ZERO, waits: Vec::new() };
    while let Some(joined) = writers.join_next().await {
        let (events, waits) = joined.expect("a writer does not panic")?;
        measured.events += events;
        measured.waits.extend(waits);
    }
    measured.took = start.elapsed();
    log.close().await;
    Ok(measured)
}

async fn session(
    log: &SqliteLog,
    id: SessionId,
    turn: u64,
    start: Instant,
    time: Duration,
) -> Result<(u64, Vec<Duration>), LogError> {
    let (mut seq, mut waits) = (0, Vec::new());
    while start.elapsed() < time {
        for _ in 1..turn {
            drop(log.append(append(id, seq, false)));
            seq += 1;
        }
        let waited = Instant::now();
        log.append(append(id, seq, true)).await?;
        seq += 1;
        waits.push(waited.elapsed());
    }
    Ok((seq, waits))
}

/// The same rows with nothing around them.
fn raw(folder: &Path, sync: bool, batch: u64, time: Duration) -> Measured {
    let connection = Connection::open(folder.join(format!("raw-{sync}-{batch}.db"))).expect("a file");
    let synchronous = if sync { "FULL" } else { "OFF" };
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous};
             CREATE TABLE events (session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, frame TEXT NOT NULL,
             private TEXT, crc INTEGER NOT NULL, PRIMARY KEY (session, seq)) STRICT, WITHOUT ROWID;"
        ))
        .expect("prepared");
    let session = SessionId::random().to_string();
    let (start, mut events, mut waits) = (Instant::now(), 0, Vec::new());
    while start.elapsed() < time {
        let waited = Instant::now();
        connection.execute_batch("BEGIN IMMEDIATE").expect("begun");
        for _ in 0..batch {
            events += 1;
            let EncodedEvent { at, frame, .. } = event(events);
            connection
                .prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4, NULL, 0)")
                .and_then(|mut insert| insert.execute(params![session, events.cast_signed(), at, &*frame]))
                .expect("inserted");
        }
        connection.execute_batch("COMMIT").expect("committed");
        waits.push(waited.elapsed());
    }
    Measured { events, took: start.elapsed(), waits }
}

fn append(session: SessionId, expected: u64, urgent: bool) -> Append {
    Append {
        session,
        expected,
        events: vec![event(expected + 1)],
        blobs: Vec::new(),
        opened: Vec::new(),
        closed: Vec::new(),
        title: None,
        urgent,
    }
}

/// A frame of the usual size.
fn event(seq: u64) -> EncodedEvent {
    let message = "x".repeat(300);
    EncodedEvent {
        at: "2026-01-01T00:00:00.000Z".to_owned(),
        frame: format!(r#"{{"type":"agent-thinking","seq":{seq},"step":"selecting","message":"{message}"}}"#).into(),
        private: None,
    }
}
