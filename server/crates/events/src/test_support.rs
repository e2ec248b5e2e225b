//! What every store must do: each claim is checked against the log in memory and the log in a file.

#![expect(missing_docs, reason = "the names are claims and say it themselves")]

mod changed;
mod lists;
mod make;
mod owners;

use std::sync::Arc;

use bytes::Bytes;
use switchboard_accounts::Principal;
use switchboard_protocol::{MessageId, SessionId};
use tokio::task::JoinSet;

pub use changed::ChangedLog;
pub use lists::{
    a_pin_is_the_lists_and_changes_nothing_else, a_session_given_to_another_owner_is_in_that_ones_list,
    pages_of_the_list_join, sessions_beyond_the_retention_are_found, what_the_list_shows_is_told_to_who_watches,
};
pub use make::{Log, append, blob, created, event, listed, quiet, stored_event};
pub use owners::{
    a_claim_says_where_the_session_ends, sessions_with_open_messages_are_orphans, who_has_the_store_has_its_sessions,
};

use crate::{Append, EncodedEvent, LogError, StoredEvent};

/// Makes a test of each claim. `$open` makes a new log, and what must outlive it.
#[macro_export]
macro_rules! log_claims {
    ($open:path) => {
        $crate::log_claims! { $open:
            events_get_seq_from_one_and_come_back_as_written,
            an_append_that_expects_another_seq_is_refused,
            a_refused_append_leaves_no_trace,
            appends_to_an_unknown_session_are_refused,
            appends_in_flight_keep_their_order,
            when_one_append_fails_those_behind_it_fail,
            a_dropped_append_is_written_all_the_same,
            pages_go_forward_and_backward,
            reading_an_unknown_session_says_so,
            a_session_is_made_once,
            a_session_is_seen_only_by_its_owner,
            sessions_are_listed_by_their_last_change,
            pages_of_the_list_join,
            a_session_given_to_another_owner_is_in_that_ones_list,
            the_title_stays_until_there_is_another,
            a_pin_is_the_lists_and_changes_nothing_else,
            what_the_list_shows_is_told_to_who_watches,
            a_claim_says_where_the_session_ends,
            who_has_the_store_has_its_sessions,
            sessions_with_open_messages_are_orphans,
            sessions_beyond_the_retention_are_found,
            blobs_belong_to_their_session,
            a_deleted_session_takes_everything_with_it,
            sixteen_writers_do_not_disturb_each_other,
            of_two_writers_of_one_session_one_wins,
            a_closed_log_refuses_to_write,
        }
    };
    ($open:path: $($claim:ident),* $(,)?) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $claim() {
            let (log, _outlives) = $open().await;
            $crate::test_support::$claim(log).await;
        })*
    };
}

pub async fn events_get_seq_from_one_and_come_back_as_written(log: Log) {
    let session = created(&log).await;
    let odd = EncodedEvent {
        at: "2026-01-02T03:04:05.678Z".to_owned(),
        frame: r#"{ "type":"pong",  "text":"ü \u0000 🙂" }"#.into(),
        private: Some("{\"a\":  1}".into()),
    };

    let first = Append { events: vec![odd.clone(), event(2)], ..append(session, 0, 0) };
    log.append(first).await.expect("written");
    log.append(append(session, 2, 1)).await.expect("written");

    let stored = StoredEvent { seq: 1, at: odd.at, frame: odd.frame, private: odd.private };
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored, stored_event(2), stored_event(3)]);
}

pub async fn an_append_that_expects_another_seq_is_refused(log: Log) {
    let session = created(&log).await;
    log.append(append(session, 0, 3)).await.expect("written");

    let behind = log.append(append(session, 2, 1)).await;
    let ahead = log.append(append(session, 4, 1)).await;

    assert!(
        matches!(behind, Err(LogError::Conflict { session: s, expected: 2, found: 3 }) if s == session),
        "{behind:?}"
    );
    assert!(
        matches!(ahead, Err(LogError::Conflict { session: s, expected: 4, found: 3 }) if s == session),
        "{ahead:?}"
    );
}

pub async fn a_refused_append_leaves_no_trace(log: Log) {
    let session = created(&log).await;
    log.append(append(session, 0, 1)).await.expect("written");
    let before = log.get(session, &Principal::local()).await.expect("read");
    let blob = blob(b"large");

    let refused = Append {
        blobs: vec![blob.clone()],
        opened: vec![MessageId::from("m")],
        title: Some("title".to_owned()),
        ..append(session, 7, 2)
    };
    log.append(refused).await.expect_err("a conflict");

    assert_eq!(log.get(session, &Principal::local()).await.expect("read"), before);
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
    assert_eq!(log.blob(session, &blob.hash).await.expect("read"), None);
    assert_eq!(log.orphans().await.expect("read"), []);
}

pub async fn appends_to_an_unknown_session_are_refused(log: Log) {
    let session = SessionId::random();

    let refused = log.append(append(session, 0, 1)).await;

    assert!(matches!(refused, Err(LogError::UnknownSession(unknown)) if unknown == session), "{refused:?}");
}

pub async fn appends_in_flight_keep_their_order(log: Log) {
    let session = created(&log).await;

    let in_flight: Vec<_> = (0..200).map(|seq| log.append(quiet(append(session, seq, 1)))).collect();
    for committed in in_flight {
        committed.await.expect("written");
    }

    let wanted: Vec<_> = (1..=200).map(stored_event).collect();
    assert_eq!(log.read(session, 0, 1000).await.expect("read"), wanted);
}

pub async fn when_one_append_fails_those_behind_it_fail(log: Log) {
    let (session, other) = (created(&log).await, created(&log).await);

    let good = log.append(quiet(append(session, 0, 1)));
    let bad = log.append(quiet(append(session, 5, 1)));
    let behind = log.append(quiet(append(session, 6, 1)));
    let others = log.append(append(other, 0, 2));

    good.await.expect("written");
    assert!(matches!(bad.await, Err(LogError::Conflict { expected: 5, found: 1, .. })));
    assert!(matches!(behind.await, Err(LogError::Conflict { expected: 6, found: 1, .. })));
    others.await.expect("another session is not disturbed");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
    assert_eq!(log.read(other, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
}

pub async fn a_dropped_append_is_written_all_the_same(log: Log) {
    let session = created(&log).await;

    drop(log.append(quiet(append(session, 0, 1))));
    log.append(append(session, 1, 1)).await.expect("written behind it");

    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
}

pub async fn pages_go_forward_and_backward(log: Log) {
    let session = created(&log).await;
    log.append(append(session, 0, 10)).await.expect("written");
    let seqs = |events: Result<Vec<StoredEvent>, LogError>| -> Vec<u64> {
        events.expect("read").into_iter().map(|event| event.seq).collect()
    };

    assert_eq!(seqs(log.read(session, 0, 4).await), [1, 2, 3, 4]);
    assert_eq!(seqs(log.read(session, 8, 4).await), [9, 10]);
    assert_eq!(seqs(log.read(session, 10, 4).await), [0_u64; 0]);
    assert_eq!(seqs(log.read(session, u64::MAX, u64::MAX).await), [0_u64; 0]);
    assert_eq!(seqs(log.read(session, 3, 0).await), [0_u64; 0]);
    assert_eq!(seqs(log.read(session, 7, u64::MAX).await), [8, 9, 10]);

    assert_eq!(seqs(log.read_before(session, 11, 3).await), [8, 9, 10]);
    assert_eq!(seqs(log.read_before(session, u64::MAX, 2).await), [9, 10]);
    assert_eq!(seqs(log.read_before(session, 4, 10).await), [1, 2, 3]);
    assert_eq!(seqs(log.read_before(session, 1, 10).await), [0_u64; 0]);
    assert_eq!(seqs(log.read_before(session, 0, 10).await), [0_u64; 0]);
    assert_eq!(seqs(log.read_before(session, 5, 0).await), [0_u64; 0]);
}

pub async fn reading_an_unknown_session_says_so(log: Log) {
    let session = SessionId::random();

    assert!(matches!(log.read(session, 0, 1).await, Err(LogError::UnknownSession(unknown)) if unknown == session));
    assert!(
        matches!(log.read_before(session, 9, 1).await, Err(LogError::UnknownSession(unknown)) if unknown == session)
    );
    assert_eq!(log.get(session, &Principal::local()).await.expect("read"), None);
}

pub async fn a_session_is_made_once(log: Log) {
    let session = created(&log).await;
    log.append(append(session, 0, 1)).await.expect("written");

    let again = log.create(session, &Principal::named("somebody")).await;

    assert!(matches!(again, Err(LogError::Exists(there)) if there == session), "{again:?}");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
}

pub async fn a_session_is_seen_only_by_its_owner(log: Log) {
    let (ada, bob) = (Principal::named("ada"), Principal::named("bob"));
    let session = SessionId::random();
    log.create(session, &ada).await.expect("created");

    let row = log.get(session, &ada).await.expect("read").expect("ada's session");

    assert_eq!((row.session, row.owner.clone(), row.title.clone(), row.last_seq), (session, ada.clone(), None, 0));
    assert_eq!(row.created_at, row.updated_at);
    assert_eq!(log.get(session, &bob).await.expect("read"), None);
    assert_eq!(listed(&log, &ada).await, [row]);
    assert_eq!(listed(&log, &bob).await, []);
}

pub async fn sessions_are_listed_by_their_last_change(log: Log) {
    let (first, second, third) = (created(&log).await, created(&log).await, created(&log).await);
    let owner = Principal::local();

    // The times all say the same, and the order is known nevertheless.
    log.append(append(first, 0, 2)).await.expect("written");
    log.append(quiet(append(second, 0, 1))).await.expect("written, but the list does not show it");

    let rows = listed(&log, &owner).await;
    assert_eq!(rows.iter().map(|row| row.session).collect::<Vec<_>>(), [first, third, second]);
    assert_eq!((rows[0].updated_at.clone(), rows[0].last_seq), (event(2).at, 2));
}

pub async fn the_title_stays_until_there_is_another(log: Log) {
    let session = created(&log).await;
    for (seq, title) in [(0, Some("first")), (1, None), (2, Some("second")), (3, None)] {
        log.append(Append { title: title.map(str::to_owned), ..append(session, seq, 1) }).await.expect("written");
    }

    let row = log.get(session, &Principal::local()).await.expect("read").expect("it is there");

    assert_eq!((row.title.as_deref(), row.last_seq), (Some("second"), 4));
}

pub async fn blobs_belong_to_their_session(log: Log) {
    let (session, other) = (created(&log).await, created(&log).await);
    let (large, empty) = (blob(&vec![7; 3 * 1024 * 1024]), blob(b""));

    let blobs = vec![large.clone(), empty.clone(), large.clone()];
    log.append(Append { blobs, ..append(session, 0, 1) }).await.expect("written");
    log.append(Append { blobs: vec![large.clone()], ..append(session, 1, 1) }).await.expect("a second time");

    assert_eq!(log.blob(session, &large.hash).await.expect("read"), Some(large.bytes));
    assert_eq!(log.blob(session, &empty.hash).await.expect("read"), Some(Bytes::new()));
    assert_eq!(log.blob(other, &large.hash).await.expect("read"), None);
    assert_eq!(log.blob(SessionId::random(), &large.hash).await.expect("read"), None);
}

pub async fn a_deleted_session_takes_everything_with_it(log: Log) {
    let (session, other) = (created(&log).await, created(&log).await);
    let blob = blob(b"large");
    for session in [session, other] {
        let opened = vec![MessageId::from("m")];
        log.append(Append { blobs: vec![blob.clone()], opened, ..append(session, 0, 2) }).await.expect("written");
    }

    assert!(log.delete(session).await.expect("deleted"));

    assert!(!log.delete(session).await.expect("nothing to delete"));
    assert!(matches!(log.read(session, 0, 1).await, Err(LogError::UnknownSession(_))));
    assert!(matches!(log.append(append(session, 2, 1)).await, Err(LogError::UnknownSession(_))));
    assert_eq!(log.blob(session, &blob.hash).await.expect("read"), None);
    assert_eq!(log.orphans().await.expect("read").len(), 1);
    assert_eq!(log.blob(other, &blob.hash).await.expect("read"), Some(blob.bytes));
    assert_eq!(log.read(other, 0, 10).await.expect("read").len(), 2);

    log.create(session, &Principal::local()).await.expect("the id is free again");
    assert_eq!(log.read(session, 0, 10).await.expect("read"), []);
}

pub async fn sixteen_writers_do_not_disturb_each_other(log: Log) {
    let mut writers = JoinSet::new();
    for writer in 0..16 {
        let log = Arc::clone(&log);
        writers.spawn(async move {
            let session = created(&log).await;
            for seq in 0..40 {
                let urgent = (seq + writer) % 3 == 0;
                let committed = log.append(Append { urgent, ..append(session, seq, 1) });
                if urgent {
                    committed.await.expect("written");
                }
            }
            log.append(append(session, 40, 1)).await.expect("written");
            session
        });
    }
    let sessions = writers.join_all().await;

    let wanted: Vec<_> = (1..=41).map(stored_event).collect();
    for session in sessions {
        assert_eq!(log.read(session, 0, 100).await.expect("read"), wanted);
    }
    assert_eq!(listed(&log, &Principal::local()).await.len(), 16);
}

pub async fn of_two_writers_of_one_session_one_wins(log: Log) {
    let session = created(&log).await;

    let mut writers = JoinSet::new();
    for _ in 0..8 {
        let log = Arc::clone(&log);
        writers.spawn(async move { log.append(append(session, 0, 1)).await });
    }
    let outcomes = writers.join_all().await;

    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1)]);
}

pub async fn a_closed_log_refuses_to_write(log: Log) {
    let session = created(&log).await;
    log.check().await.expect("it can be written");
    let left = log.append(quiet(append(session, 0, 1)));

    log.close().await;

    left.await.expect("what was handed over before is written");
    assert!(matches!(log.append(append(session, 1, 1)).await, Err(LogError::Closed)));
    assert!(matches!(log.create(SessionId::random(), &Principal::local()).await, Err(LogError::Closed)));
    assert!(matches!(log.delete(session).await, Err(LogError::Closed)));
    assert!(matches!(log.check().await, Err(LogError::Closed)));
    assert_eq!(log.read(session, 0, 10).await.expect("reading still works"), [stored_event(1)]);
    log.close().await;
}
