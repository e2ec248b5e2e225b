//! Who may write a session: one server at a time, whatever the others believe.

use std::sync::Arc;

use switchboard_accounts::Principal;
use switchboard_events::test_support::{append, created, event, quiet, stored_event};
use switchboard_events::{Append, LogError, Ownership, RemoteServer, Retention, SessionIndex, SessionLog};
use switchboard_protocol::{MessageId, SessionId};
use tempfile::TempDir;
use tokio::sync::Barrier;

use super::{NatsLog, NatsOptions, any, open, open_in, options};
use crate::nats::core::Published;
use crate::nats::layout::{LEASES, META};
use crate::nats::lease::{Node, Nodes, chosen};
use crate::nats::link::{Head, Write};
use crate::nats::reading::{Reader, Tail};
use crate::test_support::NatsServer;

#[tokio::test]
async fn j03_a_server_that_lost_its_session_is_refused() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let session = created(&any(&first)).await;
    first.append(append(session, 0, 2)).await.expect("written");
    assert!(matches!(second.claim(session).await, Err(LogError::Moved(_))), "the first one lives");

    presume_dead(&first, &second).await;
    assert_eq!(second.claim(session).await.expect("claimed"), 2);
    second.append(append(session, 2, 1)).await.expect("written");

    // A client that has read it there is believed, and one that says it has read more is not.
    assert!(first.was_written_elsewhere(session, 3).await.expect("read"));
    assert!(!first.was_written_elsewhere(session, 4).await.expect("read"));
    // It does not know, and names a `seq` that the log has passed.
    let (refused, behind) = (first.append(append(session, 2, 1)), first.append(append(session, 3, 1)));
    assert!(matches!(refused.await, Err(LogError::Moved(moved)) if moved == session));
    assert!(matches!(behind.await, Err(LogError::Moved(_))));
    // And also when it knows where the log ends, for it has not claimed the session.
    assert!(matches!(first.append(append(session, 3, 1)).await, Err(LogError::Moved(_))));
    assert_eq!(second.read(session, 0, 10).await.expect("read"), (1..=3).map(stored_event).collect::<Vec<_>>());
    assert_eq!(first.owner(session).await.expect("read"), Some(second.server()));

    second.release(session).await.expect("released");
    assert_eq!(first.claim(session).await.expect("claimed back"), 3);
    assert!(matches!(second.append(append(session, 3, 1)).await, Err(LogError::Moved(_))));
    first.append(append(session, 3, 1)).await.expect("written");
}

/// The first one goes on, but renews its lease no longer, and that has run out.
async fn presume_dead(log: &NatsLog, others: &NatsLog) {
    log.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    log.core.jetstream.purge(META, LEASES).await.expect("purged");
    others.check().await.expect("renewed");
}

#[tokio::test]
async fn a_session_that_another_server_has_just_made_is_found() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let owner = Principal::local();
    assert_eq!(second.get(SessionId::random(), &owner).await.expect("read"), None);

    for _ in 0..20 {
        let session = created(&any(&first)).await;

        let row = second.get(session, &owner).await.expect("read").expect("it is there");

        assert_eq!((row.session, row.owner, row.last_seq), (session, owner.clone(), 0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn j05_of_two_servers_that_claim_a_session_at_once_one_writes() {
    const ROUNDS: u64 = 1000;
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let session = created(&any(&first)).await;
    first.release(session).await.expect("released");
    let mut wins = [0_u64; 2];

    for round in 0..ROUNDS {
        let barrier = Arc::new(Barrier::new(2));
        let claimed = async |log: &Arc<NatsLog>| {
            barrier.wait().await;
            let claimed = log.claim(session).await;
            assert!(
                matches!(claimed, Ok(last) if last == round) || matches!(claimed, Err(LogError::Moved(_))),
                "{claimed:?}"
            );
            barrier.wait().await;
            let appended = log.append(append(session, round, 1)).await;
            barrier.wait().await;
            log.release(session).await.expect("released");
            barrier.wait().await;
            appended
        };
        let (one, other) = tokio::join!(claimed(&first), claimed(&second));

        let won = [one.is_ok(), other.is_ok()];
        assert_eq!(won.iter().filter(|won| **won).count(), 1, "round {round}: {one:?}, {other:?}");
        wins.iter_mut().zip(won).for_each(|(wins, won)| *wins += u64::from(won));
        let lost = if won[0] { other } else { one };
        assert!(matches!(lost, Err(LogError::Moved(_))), "round {round}: {lost:?}");
    }

    assert_eq!(wins.iter().sum::<u64>(), ROUNDS, "{wins:?}");
    let (mut read, mut after) = (Vec::new(), 0);
    while after < ROUNDS {
        read.extend(first.read(session, after, 300).await.expect("read"));
        after = read.len() as u64;
    }
    assert_eq!(read, (1..=ROUNDS).map(stored_event).collect::<Vec<_>>());
}

#[tokio::test]
async fn sessions_of_servers_that_live_are_no_orphans() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let mut changes = second.changes();
    let session = created(&any(&first)).await;
    let opened = Append { opened: vec![MessageId::from("m")], ..append(session, 0, 1) };
    first.append(opened).await.expect("written");
    // Two changes of an entry may be told as one.
    let is_known = async || second.core.index.row(session).await.expect("read").is_some_and(|row| row.last_seq == 1);
    while !is_known().await {
        changes.recv().await.expect("told");
    }

    assert_eq!(second.orphans().await.expect("read"), []);
    assert_eq!(first.orphans().await.expect("read").len(), 1);
    first.close().await;

    let orphans = second.orphans().await.expect("read");
    assert_eq!(orphans.iter().map(|row| row.session).collect::<Vec<_>>(), [session]);
    assert_eq!(second.owner(session).await.expect("read"), None);
    second.claim(session).await.expect("claimed");
    assert_eq!(second.owner(session).await.expect("read"), Some(second.server()));
}

/// Waits until a server has looked who lives, and sees another one so.
async fn until_seen(log: &NatsLog, other: &NatsLog, fits: impl Fn(Option<&Node>) -> bool) {
    let server = other.server();
    log.core.lease.watch().wait_for(|nodes| fits(nodes.get(server.as_str()))).await.expect("it is looked");
}

#[tokio::test]
async fn a_session_belongs_to_whoever_has_it_then_to_its_workspace() {
    let server = NatsServer::start();
    let open = async |workspace: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let options = NatsOptions { workspace: workspace.to_owned(), ..options(&server) };
        (NatsLog::open(folder.path(), options).await.expect("a log"), folder)
    };
    let (blue, _a) = open("blue").await;
    let (green, _b) = open("green").await;
    blue.serve_at(Some("10.0.0.1:7878".to_owned())).await.expect("told");
    until_seen(&green, &blue, |node| node.is_some_and(|node| node.address.is_some())).await;
    let session = SessionId::random();
    blue.create(session, &Principal::local()).await.expect("made");
    blue.append(append(session, 0, 1)).await.expect("written");
    let elsewhere = async |log: &NatsLog| log.elsewhere(session).await.expect("read").map(|server| server.id);

    let address = Some("10.0.0.1:7878".to_owned());
    assert_eq!(green.elsewhere(session).await.expect("read"), Some(RemoteServer { id: blue.server(), address }));
    assert_eq!(elsewhere(&blue).await, None);

    // Nobody has it: who offers its workspace is to have it, and nobody else can.
    blue.release(session).await.expect("released");
    assert_eq!((elsewhere(&blue).await, elsewhere(&green).await), (None, Some(blue.server())));
    let refused = green.claim(session).await;
    assert!(matches!(&refused, Err(LogError::OtherWorkspace { workspace, .. }) if workspace == "blue"), "{refused:?}");

    // One that is about to stop gives away what it has nothing to do for.
    let (other, _c) = open("blue").await;
    assert_eq!(blue.claim(session).await.expect("claimed"), 1);
    until_seen(&blue, &other, |node| node.is_some()).await;
    assert!(blue.leave().await && !green.leave().await, "nobody else offers what the other one does");
    until_seen(&other, &blue, |node| node.is_some_and(|node| node.leaving)).await;
    assert_eq!((elsewhere(&blue).await, elsewhere(&other).await), (Some(other.server()), None));
    let opened = Append { opened: vec![MessageId::from("m")], ..append(session, 1, 1) };
    blue.append(opened).await.expect("written");
    assert_eq!((elsewhere(&blue).await, elsewhere(&other).await), (None, Some(blue.server())));
    assert!(matches!(other.claim(session).await, Err(LogError::Moved(_))));

    blue.close().await;
    other.end_of(&blue.server()).await;
    assert_eq!(elsewhere(&other).await, None);
    assert_eq!(other.next_orphans().await.iter().map(|row| row.session).collect::<Vec<_>>(), [session]);
    assert_eq!(other.claim(session).await.expect("claimed"), 2);
}

#[tokio::test]
async fn what_is_kept_no_longer_is_left_to_the_server_that_has_it() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let mut changes = second.changes();
    let session = created(&any(&first)).await;
    first.append(append(session, 0, 1)).await.expect("written");
    while second.core.index.row(session).await.expect("read").is_none_or(|row| row.last_seq < 1) {
        changes.recv().await.expect("told");
    }
    let none = Retention { newest: Some(0), ..Retention::default() };
    let expired = async |log: &NatsLog| log.expired(&none, 10).await.expect("read").len();

    assert_eq!((expired(&first).await, expired(&second).await), (1, 0));
    first.close().await;

    assert_eq!(expired(&second).await, 1);
}

#[tokio::test]
async fn servers_know_each_other_by_a_secret_of_their_log() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);

    let secrets = [first.secret().await.expect("made"), second.secret().await.expect("read")];
    assert_eq!(secrets[0], secrets[1]);
    assert!(secrets[0].reveal().len() >= 64);
}

#[test]
fn each_session_is_left_to_one_server_and_many_are_shared() {
    let node = |name: &str, workspace: &str| {
        let node = Node { server: name.to_owned(), workspace: workspace.to_owned(), ..Node::default() };
        (name.to_owned(), node)
    };
    let mut nodes: Nodes = [node("a", "w"), node("b", "w"), node("c", "w"), node("d", "other")].into();
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..300 {
        let session = SessionId::random();
        let server = chosen(&nodes, session, "w").expect("somebody").server.clone();
        *counts.entry(server).or_insert(0) += 1;
    }

    assert!(counts.len() == 3 && counts.values().all(|count| (50..=150).contains(count)), "{counts:?}");
    for name in ["a", "b", "c"] {
        nodes.get_mut(name).expect("it is there").leaving = true;
    }
    assert_eq!(chosen(&nodes, SessionId::random(), "w"), None);
    assert_eq!(chosen(&nodes, SessionId::random(), "").map(|node| node.server.as_str()), Some("d"));
}

#[test]
fn what_a_newer_version_says_in_its_lease_is_ignored() {
    let newer =
        r#"{"server":"s","address":"10.0.0.1:7878","workspace":"w","version":"9.9.9","load":0.5,"rack":{"a":1}}"#;
    let node: Node = serde_json::from_str(newer).expect("it is read");

    assert!(node.offers("w") && !node.offers("v"));
    assert_eq!(node.remote().address.as_deref(), Some("10.0.0.1:7878"));
}

#[tokio::test]
async fn a_server_that_starts_again_finds_what_the_one_that_was_killed_had_open() {
    let server = NatsServer::start();
    let folder = tempfile::tempdir().expect("a folder");
    let killed = open_in(&server, &folder).await;
    let session = created(&any(&killed)).await;
    let opened = Append { opened: vec![MessageId::from("m")], ..append(session, 0, 1) };
    killed.append(opened).await.expect("written");
    // Nobody hears of this in the list.
    let untold = killed.append(quiet(append(session, 1, 3)));
    untold.await.expect("written");
    drop(killed);

    let again = open_in(&server, &folder).await;

    let orphans = again.orphans().await.expect("read");
    assert_eq!(orphans.iter().map(|row| row.session).collect::<Vec<_>>(), [session]);
    assert_eq!(again.claim(session).await.expect("claimed"), 4);
    let row = again.get(session, &Principal::local()).await.expect("read").expect("it is there");
    assert_eq!((row.last_seq, row.updated_at), (4, event(4).at), "the list knows all of it again");
    again.append(append(session, 4, 1)).await.expect("it goes on");
}

#[tokio::test]
async fn j11_a_write_whose_acknowledgement_is_lost_is_stored_once() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    let Tail::Sound(last) = Reader::new(&log.core.jetstream, session).last().await.expect("read") else {
        panic!("it is there");
    };
    let (head, append) = (Head::from(last), append(session, 0, 2));
    let write = Write::events(session, &head, &[&append], 1000);
    let known = log.core.session(session);

    let first = log.core.publish(&known, &write).await.expect("stored");
    let again = log.core.publish(&known, &write).await.expect("known");

    let (Published::Stored(first), Published::Stored(again)) = (first, again) else { panic!("both are stored") };
    assert_eq!(first, again);
    assert_eq!(log.claim(session).await.expect("claimed"), 2);
    assert_eq!(log.read(session, 0, 10).await.expect("read"), [stored_event(1), stored_event(2)]);
}

#[tokio::test]
async fn what_a_server_was_importing_goes_with_it() {
    let server = NatsServer::start();
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    let killed = open_in(&server, &folder).await;
    let session = switchboard_protocol::SessionId::random();
    killed.create(session, &Principal::importing()).await.expect("made");
    killed.append(append(session, 0, 2)).await.expect("written");
    drop(killed);

    let again = open_in(&server, &folder).await;

    assert!(matches!(again.claim(session).await, Err(LogError::UnknownSession(_))));
    assert_eq!(again.get(session, &Principal::importing()).await.expect("read"), None);
}

#[tokio::test]
async fn what_another_server_does_to_a_session_is_known_where_it_is_written() {
    let server = NatsServer::start();
    let ((first, _a), (second, _b)) = (open(&server).await, open(&server).await);
    let (mut told, mut changes) = (first.changes(), second.changes());
    let session = created(&any(&first)).await;
    first.append(append(session, 0, 2)).await.expect("written");
    while second.core.index.row(session).await.expect("read").is_none_or(|row| row.last_seq < 2) {
        changes.recv().await.expect("told");
    }
    // The list in NATS does not have this one yet.
    first.append(quiet(append(session, 2, 1))).await.expect("written");

    assert!(second.pin(session, true).await.expect("pinned"));
    let row = async || first.get(session, &Principal::local()).await.expect("read");
    while !row().await.is_some_and(|row| row.pinned) {
        told.recv().await.expect("told");
    }
    assert_eq!(row().await.map(|row| row.last_seq), Some(3), "what the log says is not forgotten");
    first.append(append(session, 3, 1)).await.expect("it goes on");
    assert!(row().await.is_some_and(|row| row.pinned && row.last_seq == 4));

    assert!(second.delete(session).await.expect("deleted"));
    while row().await.is_some() {
        told.recv().await.expect("told");
    }
    assert!(matches!(first.read(session, 0, 10).await, Err(LogError::UnknownSession(_))), "gone, and not damaged");
    assert!(matches!(first.append(append(session, 4, 1)).await, Err(LogError::UnknownSession(_))));
}
