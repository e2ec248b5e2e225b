//! A leader that was stopped and goes on answers from the past, until it hears of the next one: that is not believed at once.

use std::sync::atomic::Ordering;

use switchboard_events::SessionLog;
use switchboard_events::test_support::{append, created, stored_event};
use switchboard_protocol::SessionId;

use super::{any, open};
use crate::test_support::NatsServer;

#[tokio::test]
async fn what_is_older_than_the_list_says_is_read_again_before_it_is_called_damaged() {
    let server = NatsServer::start();
    let ((log, _a), (other, _b)) = (open(&server).await, open(&server).await);
    let session = created(&any(&log)).await;
    log.append(append(session, 0, 2)).await.expect("written");
    // The other one has heard of the third event already.
    let mut entry = log.core.entry(session).await.expect("read").0.expect("it is there");
    entry.last = 3;
    other.core.index.put(session, &entry).expect("put");

    let (read, written) = tokio::join!(other.read(session, 2, 10), log.append(append(session, 2, 1)));

    written.expect("written");
    assert_eq!(read.expect("it is not damaged"), [stored_event(3)]);
}

#[tokio::test]
async fn a_session_is_not_taken_up_as_it_was_in_the_past() {
    let server = NatsServer::start();
    let ((log, _a), (other, _b)) = (open(&server).await, open(&server).await);
    let session = created(&any(&log)).await;
    log.append(append(session, 0, 2)).await.expect("written");
    let ahead = log.core.change_entry(session, |entry| {
        entry.last = 3;
        Ok(())
    });
    assert!(ahead.await.expect("changed"));

    let (found, written) = tokio::join!(other.core.take_up(session), log.append(append(session, 2, 1)));

    written.expect("written");
    let held = found.expect("it is not damaged").expect("it is there");
    assert_eq!(held.head.link.last, 3);
}

#[tokio::test]
async fn a_session_is_not_taken_up_as_it_was_before_the_own_last_write() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    log.append(append(session, 0, 2)).await.expect("written");
    let held = log.core.take_up(session).await.expect("read").expect("it is there");
    log.core.session(session).written.store(held.head.seq + 1, Ordering::Release);

    let (found, written) = tokio::join!(log.core.take_up(session), log.append(append(session, 2, 1)));

    written.expect("written");
    let held = found.expect("read").expect("it is there");
    assert_eq!(held.head.link.last, 3);
}

#[tokio::test]
async fn a_session_that_nobody_knows_is_unknown_at_once_while_nats_answers() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;

    assert!(!log.core.jetstream.was_silent());
    assert!(log.core.take_up(SessionId::random()).await.expect("read").is_none());
    assert_eq!(log.core.sure_entry(SessionId::random()).await.expect("read"), (None, 0));
}
