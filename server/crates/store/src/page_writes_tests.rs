//! What a turn costs the disk: the events of a real `rules` turn with one tool are written as its session writes them, and the
//! pages in the write-ahead log are counted.

use std::sync::Arc;

use serde::Deserialize;
use switchboard_events::test_support::created;
use switchboard_events::{Append, EncodedEvent, EventLog};
use switchboard_protocol::{MessageId, SessionId};
use tempfile::TempDir;

use super::tests::{folder, open};

/// "Calculate 4 * 37", as it was logged.
const TURN: &str = include_str!("../testdata/turn.ndjson");

/// A page in the write-ahead log, with what is said of it there.
const FRAME: u64 = 4096 + 24;

/// How many turns are counted: with what was there before, too few for the write-ahead log to be begun anew.
const TURNS: u64 = 30;

/// An event of the turn.
#[derive(Deserialize)]
struct Logged {
    at: String,
    /// Whether the turn waits for the disk with it.
    urgent: bool,
    frame: String,
    private: Option<String>,
}

/// A session's next turn: each event is handed over alone, and the last one is waited for, as is the message.
async fn turn(log: &Arc<dyn EventLog>, session: SessionId, number: u64) {
    let events: Vec<Logged> = TURN.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let (mut expected, last) = (number * events.len() as u64, events.len() - 1);
    let message = || vec![MessageId::from(format!("message {number} of {session}"))];
    for (place, event) in events.into_iter().enumerate() {
        let append = Append {
            session,
            expected,
            events: vec![EncodedEvent {
                at: event.at,
                frame: event.frame.into(),
                private: event.private.map(Into::into),
            }],
            blobs: Vec::new(),
            opened: if place == 0 { message() } else { Vec::new() },
            closed: if place == last { message() } else { Vec::new() },
            title: None,
            urgent: event.urgent,
        };
        expected += 1;
        let committed = log.append(append);
        if event.urgent {
            committed.await.expect("written");
        }
    }
}

fn pages(folder: &TempDir) -> u64 {
    std::fs::metadata(folder.path().join("switchboard.db-wal")).expect("it is there").len() / FRAME
}

/// The pages of a turn, of one session alone or of each of several in turn.
async fn pages_of_a_turn(others: usize, several: bool) -> f64 {
    let folder = folder();
    let mut sessions = Vec::new();
    {
        let log = open(&folder);
        for _ in 0..=others {
            let session = created(&log).await;
            turn(&log, session, 0).await;
            sessions.push(session);
        }
        log.close().await;
    }
    let log = open(&folder);
    let before = pages(&folder);
    for number in 0..TURNS {
        let (session, number) = if several { (sessions[number as usize], 1) } else { (sessions[0], number + 1) };
        turn(&log, session, number).await;
    }
    let written = pages(&folder) - before;
    log.close().await;
    written as f64 / TURNS as f64
}

#[tokio::test]
async fn a_turn_with_one_tool_writes_few_pages() {
    let alone = pages_of_a_turn(0, false).await;
    let among = pages_of_a_turn(300, false).await;
    let several = pages_of_a_turn(300, true).await;
    println!("pages of a turn: {alone:.1} with one session, {among:.1} among 300, {several:.1} of 300 in turn");

    assert!(alone <= 12.0 && among <= 12.0, "{alone:.1}, {among:.1}");
    // A session that was not the last one moves in the list.
    assert!(several <= 14.0, "{several:.1}");
}
