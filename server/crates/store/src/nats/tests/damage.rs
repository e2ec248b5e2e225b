//! Damage that NATS does not notice, or makes: it is said, never skipped.

use serde_json::{Value, json};
use switchboard_events::test_support::{append, created, stored_event};
use switchboard_events::{LogError, SessionLog};
use switchboard_protocol::SessionId;

use super::{NatsLog, any, open, options};
use crate::nats::layout::Subjects;
use crate::test_support::NatsServer;

/// Removes the message that has this event, as a lost block of the stream's file would.
async fn lose(log: &NatsLog, session: SessionId, event: u64) {
    let subjects = Subjects::of(session);
    let page = log.core.jetstream.page(&subjects.stream(), &subjects.events(), 1, 256).await.expect("read");
    let seq = page[usize::try_from(event).expect("small")].seq;
    let (remove, which) = (format!("STREAM.MSG.DELETE.{}", subjects.stream()), json!({ "seq": seq }));
    log.core.jetstream.ask::<Value>(&remove, &which).await.expect("removed");
}

#[tokio::test]
async fn j13_a_message_that_is_missing_is_damage_and_what_stands_around_it_is_read() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    for seq in 0..9 {
        log.append(append(session, seq, 1)).await.expect("written");
    }
    lose(&log, session, 5).await;

    let (other, _other_folder) = open(&server).await;
    for log in [&log, &other] {
        assert_eq!(log.read(session, 0, 100).await.expect("read"), (1..=4).map(stored_event).collect::<Vec<_>>());
        let damaged = log.read(session, 4, 100).await;
        assert!(matches!(damaged, Err(LogError::Damaged { seq: 5, .. })), "{damaged:?}");
        assert_eq!(log.read(session, 5, 2).await.expect("read"), [stored_event(6), stored_event(7)]);
        assert!(matches!(log.read_before(session, 7, 4).await, Err(LogError::Damaged { seq: 5, .. })));
        assert_eq!(log.read_before(session, 5, 2).await.expect("read"), [stored_event(3), stored_event(4)]);
    }
}

#[tokio::test]
async fn j13_a_log_that_is_too_short_is_damaged_and_not_written() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    for seq in 0..3 {
        log.append(append(session, seq, 1)).await.expect("written");
    }
    lose(&log, session, 3).await;

    let refused = log.append(append(session, 3, 1)).await;
    assert!(matches!(refused, Err(LogError::Damaged { seq: 3, .. })), "{refused:?}");
    let (other, _other_folder) = open(&server).await;
    assert_eq!(other.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
    let damaged = other.read(session, 2, 10).await;
    assert!(matches!(damaged, Err(LogError::Damaged { seq: 3, .. })), "{damaged:?}");
    assert_eq!(other.claim(session).await.expect("told"), 3, "more than can be read");
    assert!(matches!(other.append(append(session, 2, 1)).await, Err(LogError::Damaged { .. })));
}

#[tokio::test]
async fn a_message_that_nobody_of_us_wrote_is_damage() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    log.append(append(session, 0, 2)).await.expect("written");
    let foreign = async_nats::HeaderMap::new();
    let subject = Subjects::of(session).events();
    log.core.jetstream.publish(&subject, None, foreign, "foreign".into()).await.expect("stored");

    let refused = log.append(append(session, 2, 1)).await;

    assert!(matches!(refused, Err(LogError::Damaged { seq: 3, .. })), "{refused:?}");
    let (other, _other_folder) = open(&server).await;
    assert_eq!(other.claim(session).await.expect("told"), 3);
    assert_eq!(other.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
    let damaged = other.read(session, 2, 10).await;
    assert!(matches!(damaged, Err(LogError::Damaged { seq: 3, .. })), "{damaged:?}");
}

#[tokio::test]
async fn j09_a_stream_that_forgets_is_refused() {
    let server = NatsServer::start();
    let jetstream = options(&server).connect().await.expect("connected");
    let config = json!({ "name": "EV_07", "subjects": ["ev.07.*", "bl.07.*.*.*"], "storage": "memory" });
    jetstream.ask::<Value>("STREAM.CREATE.EV_07", &config).await.expect("made");
    let folder = tempfile::tempdir().expect("a folder");

    let refused = NatsLog::open(folder.path(), options(&server)).await.expect_err("refused").to_string();

    assert!(refused.contains("EV_07") && refused.contains("file storage"), "{refused}");
}
