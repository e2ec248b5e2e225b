//! Damage: whatever is changed behind the log's back is told with its place, and never skipped.

use std::sync::Arc;

use rusqlite::{Connection, params};
use switchboard_protocol::SessionId;
use tempfile::TempDir;

use super::tests::{folder, open, raw};
use switchboard_events::test_support::{append, created, stored_event};
use switchboard_events::{EventLog, LogError, RawEvent, Record, RecordWriter, StoredEvent};

/// A log with a session of five events, so many of them in a record.
async fn five(a_record: usize) -> (TempDir, Arc<dyn EventLog>, SessionId) {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    for first in (0..5).step_by(a_record) {
        let count = (5 - first).min(a_record as u64);
        log.append(append(session, first, count)).await.expect("written");
    }
    (folder, log, session)
}

/// Changes a byte of the record that ends with this event, where these words stand.
fn flip(file: &Connection, last: u64, words: &str) {
    let mut record: Vec<u8> = file
        .query_row("SELECT record FROM records WHERE key & 0xffffffff = ?1", [last.cast_signed()], |row| row.get(0))
        .expect("it");
    let words = words.as_bytes();
    let place = record.windows(words.len()).position(|window| window == words).expect("the words are in it");
    record[place + words.len() - 1] ^= 1;
    file.execute("UPDATE records SET record = ?2 WHERE key & 0xffffffff = ?1", params![last.cast_signed(), record])
        .expect("damaged");
}

/// What can be read of the session up to `seq`, where this is said of it.
async fn assert_damage(log: &Arc<dyn EventLog>, session: SessionId, seq: u64, detail: &str, case: &str) {
    // Forward it is read up to the damage, and no further.
    let sound: Vec<StoredEvent> = (1..seq).map(stored_event).collect();
    if seq > 1 {
        assert_eq!(log.read(session, 0, 10).await.expect("read"), sound, "{case}");
    }
    assert_damaged(log.read(session, seq - 1, 10).await, session, seq, detail, case);
    assert_damaged(log.read_before(session, 6, 10).await, session, seq, detail, case);
    assert_eq!(log.read_before(session, seq, 10).await.expect("read"), sound, "{case}");
}

#[tokio::test]
async fn damage_is_reported_and_never_skipped() {
    for (damage, seq, detail) in [
        ("UPDATE records SET record = zeroblob(300) WHERE key & 0xffffffff = 3", 3, "form 0"),
        ("UPDATE records SET record = x'' WHERE key & 0xffffffff = 3", 3, "checksum"),
        ("UPDATE records SET record = substr(record, 1, length(record) - 1) WHERE key & 0xffffffff = 4", 4, "checksum"),
        (
            "UPDATE records SET record = (SELECT record FROM records WHERE key & 0xffffffff = 4) WHERE key & 0xffffffff = 3",
            3,
            "missing",
        ),
        (
            "UPDATE records SET record = (SELECT record FROM records WHERE key & 0xffffffff = 2) WHERE key & 0xffffffff = 3",
            3,
            "another",
        ),
        ("DELETE FROM records WHERE key & 0xffffffff = 2", 2, "missing"),
        ("DELETE FROM records WHERE key & 0xffffffff = 1", 1, "missing"),
        ("DELETE FROM records WHERE key & 0xffffffff >= 4", 4, "has 5 events"),
        ("DELETE FROM records", 1, "has 5 events"),
        ("UPDATE sessions SET last_seq = 3", 4, "has 3 events"),
    ] {
        let (folder, log, session) = five(1).await;
        raw(&folder).execute(damage, []).expect(damage);

        assert_damage(&log, session, seq, detail, damage).await;
    }
}

#[tokio::test]
async fn behind_the_last_event_it_is_told_that_the_list_is_damaged() {
    for damage in ["chain = chain + 1", "open = '[]'", "title = 'x'", "crc = NULL"] {
        let (folder, log, session) = five(2).await;
        raw(&folder).execute(&format!("UPDATE sessions SET {damage}"), []).expect(damage);

        assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 5, "{damage}");
        assert_damaged(log.read(session, 5, 10).await, session, 6, "its entry in the list", damage);
    }
}

#[tokio::test]
async fn damage_in_a_record_is_that_of_one_event() {
    for (words, seq) in [(r#""seq":1"#, 1), (r#""seq":3"#, 3), (r#"{"n":4"#, 4), (r#""seq":5"#, 5)] {
        let (folder, log, session) = five(5).await;
        flip(&raw(&folder), 5, words);

        assert_damage(&log, session, seq, "checksum", words).await;
    }
    let (folder, log, session) = five(5).await;
    let head = "UPDATE records SET record = CAST(x'01' || zeroblob(40) || substr(record, 42) AS BLOB)";
    raw(&folder).execute(head, []).expect("damaged");
    assert_damage(&log, session, 1, "checksum", "in the head it is that of all").await;
}

#[tokio::test]
async fn a_record_of_another_past_is_not_taken_for_this_one() {
    let (folder, log, session) = five(1).await;
    let (elsewhere, _other_log, _) = five(1).await;
    let record = |folder: &TempDir, last: i64| -> Vec<u8> {
        raw(folder)
            .query_row("SELECT record FROM records WHERE key & 0xffffffff = ?1", [last], |row| row.get(0))
            .expect("a record")
    };
    let put = |last: i64, record: &[u8]| {
        raw(&folder)
            .execute("UPDATE records SET record = ?2 WHERE key & 0xffffffff = ?1", params![last, record])
            .expect("put");
    };
    let own = record(&folder, 3);

    put(3, &record(&elsewhere, 3));
    assert_damaged(log.read(session, 2, 10).await, session, 3, "another", "of another session");
    put(3, &own);
    assert_eq!(log.read(session, 0, 10).await.expect("whole again").len(), 5);

    // The same session, as it might have gone on instead: only what precedes it tells.
    let mut past = RecordWriter::new(session, 3, 12345);
    past.add(&append(session, 2, 1));
    put(3, &past.finish().0);
    assert_damaged(log.read(session, 2, 10).await, session, 3, "another", "it does not follow the second");
    put(3, &own);
    let mut last = RecordWriter::new(session, 5, checksum(&record(&folder, 4)));
    last.push(RawEvent { at: b"now", frame: b"{}", private: None }, true);
    put(5, &last.finish().0);
    assert_damaged(log.read(session, 4, 10).await, session, 5, "list of sessions", "the list knows another last one");
}

fn checksum(record: &[u8]) -> u32 {
    Record::decode(record).expect("sound").checksum()
}

#[tokio::test]
async fn what_is_sound_before_the_damage_can_still_be_read() {
    for a_record in [1, 2, 5] {
        let (folder, log, session) = five(a_record).await;
        flip(&raw(&folder), [3, 4, 5][a_record / 2], r#""seq":3"#);

        assert_eq!(log.read(session, 0, 2).await.expect("read"), [stored_event(1), stored_event(2)]);
        assert_eq!(log.read_before(session, 6, 2).await.expect("read"), [stored_event(4), stored_event(5)]);
        assert_eq!(
            log.read(session, 1, 2).await.expect("read"),
            [stored_event(2)],
            "a page over the damage ends there"
        );
        assert_damaged(log.read(session, 2, 2).await, session, 3, "checksum", "a page that begins with it");
        assert_damaged(log.read_before(session, 5, 4).await, session, 3, "checksum", "backward there is no such end");
    }
}

#[tokio::test]
async fn an_event_that_became_another_is_missed_where_it_was() {
    let (folder, log, session) = five(1).await;
    raw(&folder).execute("UPDATE records SET key = key + 10 WHERE key & 0xffffffff = 5", []).expect("damaged");

    assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 4);
    assert_damaged(log.read(session, 4, 10).await, session, 5, "another", "forward");
    assert_damaged(log.read_before(session, 99, 10).await, session, 6, "last one found is 15", "backward");
}

#[tokio::test]
async fn an_append_that_does_not_follow_what_is_there_is_refused() {
    for (damage, expected, seq) in [
        ("UPDATE sessions SET last_seq = 1", 1, 2),
        ("DELETE FROM records", 2, 1),
        ("UPDATE records SET key = key + 1", 2, 3),
    ] {
        let folder = folder();
        let log = open(&folder);
        let session = created(&log).await;
        log.append(append(session, 0, 2)).await.expect("written");
        raw(&folder).execute(damage, []).expect("damaged");

        let refused = log.append(append(session, expected, 1)).await;

        assert!(matches!(refused, Err(LogError::Damaged { seq: found, .. }) if found == seq), "{damage}: {refused:?}");
    }
}

fn assert_damaged(answer: Result<Vec<StoredEvent>, LogError>, session: SessionId, at: u64, what: &str, case: &str) {
    match answer {
        Err(LogError::Damaged { session: found, seq, detail }) => {
            assert_eq!((found, seq), (session, at), "{case}: {detail}");
            assert!(detail.contains(what), "{case}: {detail}");
        }
        other => panic!("{case}: {other:?}"),
    }
}

#[tokio::test]
async fn a_damaged_entry_decides_over_no_other_session() {
    let (folder, log, session) = five(1).await;
    log.close().await;
    drop(log);
    let sql = "UPDATE sessions SET number = 2147483647, changed = 9223372036854775807";
    raw(&folder).execute(sql, []).expect("damaged");
    raw(&folder)
        .execute("UPDATE records SET key = 9223372036854775807 WHERE key & 4294967295 = 5", [])
        .expect("damaged");

    let log = open(&folder);
    let (one, other) = (created(&log).await, created(&log).await);
    log.append(append(one, 0, 2)).await.expect("written");
    log.append(append(other, 0, 1)).await.expect("written");

    assert_eq!(log.read(one, 0, 10).await.expect("read").len(), 2);
    assert_eq!(log.read(other, 0, 10).await.expect("read").len(), 1);
    assert!(matches!(log.read(session, 0, 10).await, Err(LogError::Damaged { .. })));
    let highest: i64 = raw(&folder)
        .query_row("SELECT max(number) FROM sessions WHERE id <> ?1", [session.to_string()], |row| row.get(0))
        .expect("read");
    assert!(highest < 10, "{highest}");
}

#[tokio::test]
async fn a_session_with_a_damaged_entry_is_deleted_with_all_that_it_has() {
    for damage in [
        "UPDATE sessions SET title = CAST(x'ff' AS TEXT)",
        "UPDATE sessions SET owner = CAST(owner || x'ff' AS TEXT)",
        "UPDATE sessions SET number = 77",
        "UPDATE sessions SET number = (SELECT number FROM sessions WHERE id <> $1)",
        "UPDATE sessions SET crc = NULL",
    ] {
        let (folder, log, session) = five(2).await;
        let other = created(&log).await;
        log.append(append(other, 0, 3)).await.expect("written");
        let id = session.to_string();
        let sql = format!("{} WHERE id = '{id}'", damage.replace("$1", &format!("'{id}'")));
        assert_eq!(raw(&folder).execute(&sql, []).expect(damage), 1);

        assert!(log.delete(session).await.expect(damage), "{damage}");

        assert_eq!(log.read(other, 0, 10).await.expect("read").len(), 3, "{damage}");
        log.delete(other).await.expect("deleted");
        let left: i64 = raw(&folder).query_row("SELECT count(*) FROM records", [], |row| row.get(0)).expect("read");
        assert_eq!(left, 0, "{damage}");
    }
}
