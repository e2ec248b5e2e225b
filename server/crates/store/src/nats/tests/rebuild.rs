//! The list of sessions is made again when it is lost: as it was, and without touching anything else.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, EncodedEvent, ListPage, Ownership, SessionIndex, SessionLog};
use switchboard_protocol::SessionId;

use super::{open, open_in, options};
use crate::nats::jetstream::JetStream;
use crate::nats::layout::{META, REBUILDING, Subjects};
use crate::nats::meta::Entry;
use crate::nats::rebuild::{RebuiltList, rebuild_list};
use crate::nats::{ClusterKeys, NatsLog};
use crate::test_support::NatsServer;

/// Writes an event at a time of its own, with what the list shows of it.
async fn say(log: &NatsLog, session: SessionId, (expected, second): (u64, u32), said: Append) {
    let frame = said.events.first().map_or_else(|| "{}".into(), |event| event.frame.clone());
    let event = EncodedEvent { at: format!("2100-01-01T00:00:{second:02}Z"), frame, private: None };
    log.append(Append { session, expected, events: vec![event], ..said }).await.expect("written");
}

fn titled(title: &str) -> Append {
    Append { title: Some(title.to_owned()), ..append(SessionId::random(), 0, 0) }
}

/// A log in which sessions have been made, left, taken over, imported, pinned and deleted by two servers, which are gone.
async fn worked_with(server: &NatsServer) -> Vec<SessionId> {
    let ((log, _folder), (other, _other_folder)) = (open(server).await, open(server).await);
    let owner = Principal::local();
    let sessions: Vec<_> = (0..8).map(|_| SessionId::random()).collect();
    let [empty, plain, released, moved, imported, pinned, large, deleted] = sessions[..] else {
        panic!("there are eight")
    };
    for session in [empty, plain, released, moved, pinned, large, deleted] {
        log.create(session, &owner).await.expect("made");
    }
    log.create(imported, &Principal::importing()).await.expect("made");
    let message = str::to_owned;
    say(&log, released, (0, 1), titled("released")).await;
    log.release(released).await.expect("released");
    say(&log, moved, (0, 2), titled("moved")).await;
    log.release(moved).await.expect("released");
    other.claim(moved).await.expect("claimed");
    say(&other, moved, (1, 3), titled("moved on")).await;
    say(&log, imported, (0, 4), titled("imported")).await;
    assert!(log.hand_over(imported, &Principal::named("ada")).await.expect("given"));
    say(&log, pinned, (0, 5), titled("pinned")).await;
    assert!(log.pin(pinned, true).await.expect("pinned"));
    log.release(pinned).await.expect("released");
    let text = EncodedEvent { at: String::new(), frame: "x".repeat(3_000_000).into(), private: None };
    say(&log, large, (0, 6), Append { events: vec![text], ..titled("large") }).await;
    let opened = Append { opened: vec![message("m-1"), message("m-2")], ..titled("plain") };
    say(&log, plain, (0, 7), opened).await;
    say(&log, plain, (1, 8), Append { closed: vec![message("m-1")], ..append(plain, 0, 0) }).await;
    log.delete(deleted).await.expect("deleted");
    log.close().await;
    other.close().await;
    sessions
}

/// All entries of the list, in its order: a place is a number that nobody sees.
async fn entries(jetstream: &JetStream) -> Vec<(SessionId, Entry)> {
    let all = jetstream.page(META, "meta.s.*", 1, 256).await.expect("read");
    let session = |subject: &str| subject.trim_start_matches("meta.s.").parse().expect("an id");
    let entry = |payload: &[u8]| serde_json::from_slice::<Entry>(payload).expect("an entry");
    let mut all: Vec<_> = all.iter().map(|message| (session(&message.subject), entry(&message.payload))).collect();
    all.retain(|(_, entry)| !entry.gone);
    all.sort_by_key(|(_, entry)| entry.place);
    all.into_iter().map(|(session, entry)| (session, Entry { place: 0, by: String::new(), ..entry })).collect()
}

/// Everything else that is kept beside the list, but for leases, which come and go.
async fn others(jetstream: &JetStream) -> BTreeMap<String, (u64, Vec<u8>)> {
    let all = jetstream.page(META, "meta.>", 1, 256).await.expect("read");
    let kept = all
        .into_iter()
        .filter(|message| !["meta.s.", "meta.node."].iter().any(|beginning| message.subject.starts_with(beginning)));
    kept.map(|message| (message.subject.clone(), (message.seq, message.payload.to_vec()))).collect()
}

/// A key, and a value that servers share under it.
async fn share(log: &NatsLog, folder: &Path) {
    let key = folder.join("key");
    std::fs::write(&key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").expect("written");
    std::fs::write(folder.join("shared"), "a value").expect("written");
    log.values(ClusterKeys::read(&key).expect("a key"), folder, &["shared"]).await.expect("shared");
}

#[tokio::test]
async fn j18_a_list_that_is_lost_is_made_again_at_the_next_start_as_it_was() {
    let server = NatsServer::start();
    worked_with(&server).await;
    let (log, folder) = open(&server).await;
    share(&log, folder.path()).await;
    log.secret().await.expect("made");
    let jetstream = log.core.jetstream.clone();
    let (before, kept) = (entries(&jetstream).await, others(&jetstream).await);
    assert_eq!(before.len(), 7);
    assert_eq!(before.iter().flat_map(|(_, entry)| entry.open.clone()).collect::<Vec<_>>(), ["m-2"]);
    assert_eq!(kept.len(), 4, "the layout, the secret, a value and the check of the key: {:?}", kept.keys());
    jetstream.purge(META, "meta.s.>").await.expect("purged");

    let (next, _next_folder) = open(&server).await;

    assert_eq!(entries(&jetstream).await, before);
    assert_eq!(others(&jetstream).await, kept);
    assert_eq!(next.generation(), log.generation());
    let listed = next.list(&Principal::local(), &ListPage::first(10)).await.expect("listed");
    let titles: Vec<_> = listed.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, ["plain", "large", "pinned", "moved on", "released"]);
}

#[tokio::test]
async fn j18_a_stream_of_the_list_that_is_deleted_is_made_again_with_its_entries() {
    let server = NatsServer::start();
    let sessions = worked_with(&server).await;
    let (log, _folder) = open(&server).await;
    let jetstream = log.core.jetstream.clone();
    let before = entries(&jetstream).await;
    log.close().await;
    jetstream.ask::<Value>("STREAM.DELETE.META", &json!({})).await.expect("deleted");

    let (next, _next_folder) = open(&server).await;

    assert_eq!(entries(&jetstream).await, before);
    assert_ne!(next.generation(), log.generation(), "clients read their sessions anew");
    let moved = sessions[3];
    assert_eq!(next.claim(moved).await.expect("claimed"), 2);
    say(&next, moved, (2, 9), titled("goes on")).await;
    assert_eq!(next.read(moved, 0, 10).await.expect("read").len(), 3);
}

#[tokio::test]
async fn j18_missing_and_damaged_entries_are_made_again_while_servers_run() {
    let server = NatsServer::start();
    let sessions = worked_with(&server).await;
    let (log, _folder) = open(&server).await;
    let jetstream = log.core.jetstream.clone();
    let before = entries(&jetstream).await;
    let subject = |number: usize| Subjects::of(sessions[number]).entry();
    jetstream.purge(META, &subject(1)).await.expect("purged");
    let (headers, damaged) = (async_nats::HeaderMap::new(), "{\"owner\":".into());
    jetstream.publish(&subject(4), None, headers, damaged).await.expect("damaged");
    let (mut changes, wanted) = (log.changes(), sessions[1]);

    let rebuilt = rebuild_list(&options(&server)).await.expect("made");

    assert_eq!(rebuilt, RebuiltList { sessions: 7, made: 2, left: Vec::new() });
    assert_eq!(entries(&jetstream).await, before);
    while changes.recv().await.expect("told").session != wanted {}
    let again = rebuild_list(&options(&server)).await.expect("looked");
    assert_eq!(again, RebuiltList { sessions: 7, made: 0, left: Vec::new() });
}

#[tokio::test]
async fn j18_a_damaged_entry_and_a_rebuild_that_was_cut_off_are_mended_at_the_next_start() {
    let server = NatsServer::start();
    let sessions = worked_with(&server).await;
    let (log, folder) = open(&server).await;
    // One that outlives the log.
    let jetstream = options(&server).connect().await.expect("connected");
    let before = entries(&jetstream).await;
    let publish = async |subject: &str, text: &'static str| {
        jetstream.publish(subject, None, async_nats::HeaderMap::new(), text.into()).await.expect("written");
    };
    log.close().await;
    drop(log);

    publish(&Subjects::of(sessions[2]).entry(), "damaged").await;
    let log = open_in(&server, &folder).await;
    assert_eq!(entries(&jetstream).await, before);
    log.close().await;
    drop(log);

    jetstream.purge(META, &Subjects::of(sessions[6]).entry()).await.expect("purged");
    publish(REBUILDING, "{}").await;
    open_in(&server, &folder).await;
    assert_eq!(entries(&jetstream).await, before);
    assert!(jetstream.last(META, REBUILDING).await.expect("looked").is_none());
}

#[tokio::test]
async fn j18_a_session_whose_owner_cannot_be_told_is_named_and_left_out() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = SessionId::random();
    log.create(session, &Principal::local()).await.expect("made");
    say(&log, session, (0, 1), titled("whose?")).await;
    let (subjects, jetstream) = (Subjects::of(session), &log.core.jetstream);
    let claim = jetstream.next(&subjects.stream(), &subjects.events(), 1).await.expect("read").expect("a claim");
    let what = format!("STREAM.MSG.DELETE.{}", subjects.stream());
    jetstream.ask::<Value>(&what, &json!({ "seq": claim.seq })).await.expect("removed");
    jetstream.purge(META, "meta.s.>").await.expect("purged");

    let rebuilt = rebuild_list(&options(&server)).await.expect("looked");

    assert_eq!((rebuilt.sessions, rebuilt.made, rebuilt.left.len()), (1, 0, 1));
    assert!(rebuilt.left[0].contains(&session.to_string()), "{rebuilt:?}");
}
