//! What a store must do for the list of sessions: pins, and news for whoever watches.

use switchboard_accounts::Principal;
use switchboard_protocol::{MessageId, SessionId};

use super::make::{Log, append, created, listed, quiet};
use crate::{Append, ListPage, Retention, SessionRow};

pub async fn a_pin_is_the_lists_and_changes_nothing_else(log: Log) {
    let (first, second) = (created(&log).await, created(&log).await);
    log.append(append(first, 0, 1)).await.expect("written");
    let before = log.get(second, &Principal::local()).await.expect("read").expect("there");

    assert!(log.pin(second, true).await.expect("pinned"));

    let pinned = ListPage { pinned: true, ..ListPage::first(10) };
    assert_eq!(log.list(&Principal::local(), &pinned).await.expect("read"), [with_pin(&before, true)]);
    let order: Vec<SessionId> = listed(&log, &Principal::local()).await.iter().map(|row| row.session).collect();
    assert_eq!(order, [first, second]);
    assert_eq!(log.list(&Principal::named("other"), &pinned).await.expect("read"), []);
    assert!(log.pin(second, true).await.expect("once more is the same"));
    assert!(log.pin(second, false).await.expect("unpinned"));
    assert_eq!(log.get(second, &Principal::local()).await.expect("read"), Some(before));
    assert!(!log.pin(SessionId::random(), true).await.expect("there is none"));
}

fn with_pin(row: &SessionRow, pinned: bool) -> SessionRow {
    SessionRow { pinned, ..row.clone() }
}

pub async fn pages_of_the_list_join(log: Log) {
    let mut sessions = Vec::new();
    for number in 0..7 {
        let session = created(&log).await;
        log.pin(session, number % 2 == 0).await.expect("pinned");
        sessions.push(session);
    }
    let owner = Principal::local();
    let all = listed(&log, &owner).await;
    assert_eq!(all.iter().rev().map(|row| row.session).collect::<Vec<_>>(), sessions);
    for only_pinned in [false, true] {
        let mut page = ListPage { pinned: only_pinned, ..ListPage::first(2) };
        let mut found: Vec<SessionRow> = Vec::new();
        loop {
            let rows = log.list(&owner, &page).await.expect("read");
            let Some(last) = rows.last() else { break };
            page = page.behind(last);
            found.extend(rows);
            if found.len() == 2 && !only_pinned {
                // It is at the top now, and what comes is what came.
                log.append(append(sessions[5], 0, 1)).await.expect("written");
            }
        }
        let wanted: Vec<_> = all.iter().filter(|row| row.pinned || !only_pinned).cloned().collect();
        assert_eq!(found, wanted);
    }
    assert_eq!(log.list(&owner, &ListPage::first(0)).await.expect("read"), []);
    assert_eq!(log.list(&owner, &ListPage::first(u64::MAX)).await.expect("read").len(), 7);
}

pub async fn a_session_given_to_another_owner_is_in_that_ones_list(log: Log) {
    let (first, second) = (created(&log).await, SessionId::random());
    let (local, other) = (Principal::local(), Principal::named("other"));
    log.create(second, &other).await.expect("made");

    assert!(log.hand_over(first, &other).await.expect("handed over"));
    assert!(!log.hand_over(SessionId::random(), &other).await.expect("there is none"));

    assert_eq!(listed(&log, &local).await, []);
    let sessions: Vec<_> = listed(&log, &other).await.into_iter().map(|row| row.session).collect();
    assert_eq!(sessions, [first, second], "it is the one that changed last");
}

pub async fn what_the_list_shows_is_told_to_who_watches(log: Log) {
    let mut changes = log.changes();
    let session = created(&log).await;
    log.append(quiet(append(session, 0, 1))).await.expect("written, but nothing of it is listed");
    let titled = Append { title: Some("title".to_owned()), ..append(session, 1, 1) };
    log.append(titled).await.expect("written");
    log.append(append(session, 9, 1)).await.expect_err("a conflict changes nothing");
    log.pin(session, true).await.expect("pinned");
    log.delete(session).await.expect("deleted");

    let mut told = Vec::new();
    for _ in 0..4 {
        let change = changes.recv().await.expect("told");
        assert_eq!((change.session, &change.owner), (session, &Principal::local()));
        told.push(change.gone);
    }
    assert_eq!(told, [false, false, false, true]);
    assert!(changes.try_recv().is_err(), "nothing else is told");
}

pub async fn sessions_beyond_the_retention_are_found(log: Log) {
    let mut sessions = Vec::new();
    for number in 0..6 {
        let session = created(&log).await;
        let opened = if number == 1 { vec![MessageId::from("waits")] } else { Vec::new() };
        log.append(Append { opened, ..append(session, 0, 1) }).await.expect("written");
        sessions.push(session);
    }
    log.pin(sessions[0], true).await.expect("pinned");
    let other = SessionId::random();
    log.create(other, &Principal::named("other")).await.expect("made");
    log.create(SessionId::random(), &Principal::importing()).await.expect("made");
    let expired = async |retention: Retention, limit: u64| -> Vec<SessionId> {
        log.expired(&retention, limit).await.expect("read").into_iter().map(|row| row.session).collect()
    };
    let newest = |count: u64| Retention { newest: Some(count), changed_since: None };
    let since = |at: &str| Retention { changed_since: Some(at.to_owned()), newest: None };

    assert_eq!(expired(Retention::default(), 10).await, []);
    assert_eq!(
        expired(newest(2), 10).await,
        sessions[2..4],
        "not the pinned one, nor the one in which a message waits"
    );
    assert_eq!(expired(newest(1), 2).await, sessions[2..4]);
    assert_eq!(expired(newest(6), 10).await, []);
    assert_eq!(expired(since("2000-01-01T00:00:00.000Z"), 10).await, []);
    assert_eq!(expired(since("9999-01-01T00:00:00.000Z"), 4).await, sessions[2..]);
    assert_eq!(expired(since("9999-01-01T00:00:00.000Z"), 10).await, [&sessions[2..], &[other]].concat());
}
