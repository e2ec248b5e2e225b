//! Large events, and reading in the middle.

use switchboard_events::test_support::{append, created, event, stored_event};
use switchboard_events::{Append, EncodedEvent, SessionIndex, SessionLog};

use super::{any, open};
use crate::nats::jetstream::JetStream;
use crate::nats::layout::Subjects;
use crate::nats::link::Linked;
use crate::test_support::NatsServer;

#[tokio::test]
async fn what_is_too_large_for_a_message_is_in_several_and_comes_back_as_one() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    let large = |seq, kib: usize| EncodedEvent { frame: "x".repeat(kib * 1024).into(), private: None, ..event(seq) };
    let events = vec![event(1), large(2, 3000), event(3), large(4, 700), large(5, 700), event(6)];
    let written = events.clone();

    log.append(Append { events, ..append(session, 0, 0) }).await.expect("written");
    log.append(append(session, 6, 1)).await.expect("written behind it");

    let (other, _other_folder) = open(&server).await;
    for log in [&log, &other] {
        let read = log.read(session, 0, 10).await.expect("read");
        let frames: Vec<_> = read.iter().map(|event| event.frame.clone()).collect();
        let wanted: Vec<_> = written.iter().map(|event| event.frame.clone()).chain([stored_event(7).frame]).collect();
        assert!(frames == wanted, "the frames are those that were written");
        for before in 2..=8 {
            let read = log.read_before(session, before, 1).await.expect("read");
            assert_eq!(read.iter().map(|event| event.seq).collect::<Vec<_>>(), [before - 1]);
        }
    }
    let subjects = Subjects::of(session);
    let messages = messages(&log.core.jetstream, subjects).await;
    let places: Vec<_> =
        messages.iter().map(|message| (message.link.first, message.link.place, message.link.more)).collect();
    assert_eq!(places[0].0, 1);
    assert!(places.iter().any(|&(_, _, more)| more == 3), "3,000 KiB are four messages: {places:?}");
}

#[tokio::test]
async fn any_page_of_a_long_session_is_found_in_a_few_steps() {
    const EVENTS: u64 = 600;
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let session = created(&any(&log)).await;
    // Each is a message of its own.
    for seq in 0..EVENTS {
        log.append(append(session, seq, 1)).await.expect("written");
    }

    let (other, _other_folder) = open(&server).await;
    for last in [1, 2, 3, 17, 255, 256, 257, 300, 511, 512, 513, 599, 600] {
        let read = other.read_before(session, last + 1, 3).await.expect("read");
        let wanted: Vec<_> = (last.saturating_sub(2).max(1)..=last).map(stored_event).collect();
        assert_eq!(read, wanted);
    }
    let messages = messages(&log.core.jetstream, Subjects::of(session)).await;
    let longest = messages.iter().map(|message| message.link.skip.len()).max().unwrap_or_default();
    assert!(longest <= 9, "a message names {longest} others");
    let last = messages.last().expect("one");
    assert_eq!(steps(&messages, last, 300), 300, "every event is found");
}

/// The event that is found by skipping from a message, in at most twenty steps.
fn steps(messages: &[Linked], from: &Linked, event: u64) -> u64 {
    let mut at = from;
    for _ in 0..20 {
        if event >= at.link.begin {
            return at.link.last;
        }
        let skip = at.link.skip.iter().copied().chain([(at.link.before, at.link.begin - 1)]);
        let (next, _) = skip.filter(|&(_, last)| last >= event).min().expect("a way");
        at = messages.iter().find(|message| message.seq == next).expect("it is there");
    }
    panic!("event {event} is too far");
}

/// All messages of a session.
async fn messages(jetstream: &JetStream, subjects: Subjects) -> Vec<Linked> {
    let (mut messages, mut from) = (Vec::new(), 1);
    loop {
        let page = jetstream.page(&subjects.stream(), &subjects.events(), from, 256).await.expect("read");
        let Some(last) = page.last() else { return messages };
        from = last.seq + 1;
        messages.extend(page.iter().map(|message| Linked::read(subjects.session(), message).expect("sound")));
    }
}

#[tokio::test]
async fn the_list_of_another_server_shows_what_changes() {
    let server = NatsServer::start();
    let (log, _folder) = open(&server).await;
    let (other, _other_folder) = open(&server).await;
    let mut changes = other.changes();
    let session = created(&any(&log)).await;
    let owner = switchboard_accounts::Principal::local();

    assert_eq!(changes.recv().await.expect("told").session, session);
    let titled = Append { title: Some("title".to_owned()), ..append(session, 0, 2) };
    log.append(titled).await.expect("written");
    assert_eq!(changes.recv().await.expect("told").session, session);
    assert_eq!(other.get(session, &owner).await.expect("read"), log.get(session, &owner).await.expect("read"));

    log.delete(session).await.expect("deleted");
    assert!(changes.recv().await.expect("told").gone);
    assert_eq!(other.get(session, &owner).await.expect("read"), None);
    let (later, _later_folder) = open(&server).await;
    assert_eq!(later.get(session, &owner).await.expect("read"), None);
}
