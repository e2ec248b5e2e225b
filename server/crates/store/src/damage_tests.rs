//! Damage: whatever is changed behind the log's back is told with its place, and never skipped.

use switchboard_protocol::SessionId;

use super::tests::{folder, open, raw};
use switchboard_events::test_support::{append, created, stored_event};
use switchboard_events::{LogError, StoredEvent};

#[tokio::test]
async fn damage_is_reported_and_never_skipped() {
    for (damage, seq, detail) in [
        ("UPDATE events SET frame = replace(frame, 'seq', 'sEq') WHERE seq = 3", 3, "checksum"),
        ("UPDATE events SET private = NULL WHERE seq = 4", 4, "checksum"),
        ("UPDATE events SET private = '' WHERE seq = 3", 3, "checksum"),
        ("UPDATE events SET at = '1970-01-01T00:00:00.000Z' WHERE seq = 3", 3, "checksum"),
        ("UPDATE events SET crc = crc + 1 WHERE seq = 5", 5, "checksum"),
        ("UPDATE events SET frame = CAST(x'7bff7d' AS TEXT) WHERE seq = 2", 2, "cannot be read"),
        ("DELETE FROM events WHERE seq = 2", 2, "missing"),
        ("DELETE FROM events WHERE seq = 1", 1, "missing"),
        ("DELETE FROM events WHERE seq >= 4", 4, "has 5 events"),
        ("DELETE FROM events", 1, "has 5 events"),
        ("UPDATE sessions SET last_seq = 3", 4, "has 3 events"),
    ] {
        let folder = folder();
        let log = open(&folder);
        let session = created(&log).await;
        log.append(append(session, 0, 5)).await.expect("written");
        raw(&folder).execute(damage, []).expect(damage);

        // Forward it is read up to the damage, and no further.
        let sound: Vec<StoredEvent> = (1..seq).map(stored_event).collect();
        if seq > 1 {
            assert_eq!(log.read(session, 0, 10).await.expect("read"), sound, "{damage}");
        }
        assert_damaged(log.read(session, seq - 1, 10).await, session, seq, detail, damage);
        assert_damaged(log.read_before(session, 6, 10).await, session, seq, detail, damage);
        assert_eq!(log.read_before(session, seq, 10).await.expect("read"), sound, "{damage}");
    }
}

#[tokio::test]
async fn what_is_sound_before_the_damage_can_still_be_read() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    log.append(append(session, 0, 5)).await.expect("written");
    raw(&folder).execute("UPDATE events SET frame = '{}' WHERE seq = 3", []).expect("damaged");

    assert_eq!(log.read(session, 0, 2).await.expect("read"), [stored_event(1), stored_event(2)]);
    assert_eq!(log.read_before(session, 6, 2).await.expect("read"), [stored_event(4), stored_event(5)]);
    assert_eq!(log.read(session, 1, 2).await.expect("read"), [stored_event(2)], "a page over the damage ends there");
    assert_damaged(log.read(session, 2, 2).await, session, 3, "checksum", "a page that begins with it");
    assert_damaged(log.read_before(session, 5, 4).await, session, 3, "checksum", "backward there is no such end");
}

#[tokio::test]
async fn an_event_that_became_another_is_missed_where_it_was() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    log.append(append(session, 0, 5)).await.expect("written");
    raw(&folder).execute("UPDATE events SET seq = seq + 10 WHERE seq = 5", []).expect("damaged");

    assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 4);
    assert_damaged(log.read(session, 4, 10).await, session, 5, "missing", "forward");
    assert_damaged(log.read_before(session, 99, 10).await, session, 6, "last one found is 15", "backward");
}

#[tokio::test]
async fn an_append_onto_a_foreign_event_is_refused() {
    let folder = folder();
    let log = open(&folder);
    let session = created(&log).await;
    log.append(append(session, 0, 2)).await.expect("written");
    raw(&folder).execute("UPDATE sessions SET last_seq = 1", []).expect("damaged");

    let refused = log.append(append(session, 1, 1)).await;

    assert!(matches!(refused, Err(LogError::Damaged { seq: 2, .. })), "{refused:?}");
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
