//! The client when connections are lost: nothing is missed, nothing comes twice, no message is lost.
#![cfg(feature = "client")]

#[path = "support/server.rs"]
mod server;
#[path = "support/talk.rs"]
mod talk;

use std::time::Duration;

use serde_json::json;
use server::{Server, TIME, event, session_ready, user_message};
use switchboard_protocol::client::{ClientEvent, SendError};
use switchboard_protocol::{ClientFrame, SessionId};
use talk::{connect, frame, message, numbers, sent};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn after_a_cut_nothing_is_missed_and_nothing_comes_twice() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.events(1..=2).await;
    assert_eq!(numbers(&mut client, 3).await, [None, Some(1), Some(2)]);

    drop(peer);
    let mut peer = server.accept_ready(session, 4).await;
    // A server that repeats more than it was asked for.
    peer.events(1..=4).await;

    assert_eq!(peer.target, format!("/ws?session={session}&after=2"));
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(3), Some(4)]);
}

#[tokio::test]
async fn a_restart_of_the_server_is_survived() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    client.next().await.expect("session-ready");

    peer.close(1001, "restart").await;
    let mut peer = server.accept_ready(session, 1).await;
    peer.events([1]).await;

    let Some(ClientEvent::Disconnected { reason, .. }) = client.next().await else { panic!("not disconnected") };
    assert!(reason.contains("shutting down"), "{reason}");
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);
}

#[tokio::test]
async fn an_unacknowledged_message_is_sent_again_under_its_id_and_nothing_else_is() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let first = client.send(message("one")).await.expect("taken").expect("an id");
    let second = client.send(message("two")).await.expect("taken").expect("an id");
    client.send(ClientFrame::Cancel { message_id: None }).await.expect("taken");
    assert_eq!(sent(&peer.read().await), (first.clone(), "one".to_owned()));
    assert_eq!(sent(&peer.read().await), (second.clone(), "two".to_owned()));
    assert_eq!(peer.read().await["type"], "cancel");
    peer.acknowledge(1, &first).await;
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);

    drop(peer);
    let mut peer = server.accept_ready(session, 1).await;
    client.send(ClientFrame::Ping {}).await.expect("taken");

    assert_eq!(sent(&peer.read().await), (second, "two".to_owned()));
    assert_eq!(peer.read().await, json!({"type": "ping"}));
}

#[tokio::test]
async fn a_message_that_had_arrived_before_the_cut_is_heard_of_once() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("hi")).await.expect("taken").expect("an id");
    peer.read().await;

    // It is taken only after the next connection is there, which does not know of it yet.
    drop(peer);
    let mut peer = server.accept_ready(session, 0).await;
    assert_eq!(sent(&peer.read().await).0, id);
    peer.acknowledge(1, &id).await;
    let mut repeated = user_message(1, &id);
    repeated["repeated"] = json!(true);
    peer.send(repeated).await;
    peer.events([2]).await;

    client.next().await.expect("the first session-ready");
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(1), Some(2)]);
}

#[tokio::test]
async fn a_message_whose_acknowledgement_was_missed_is_not_sent_again() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("hi")).await.expect("taken").expect("an id");
    peer.read().await;
    drop(peer);
    let mut peer = server.accept_ready(session, 2).await;

    // What is sent meanwhile waits until the client knows what became of the first one.
    client.send(ClientFrame::Ping {}).await.expect("taken");
    peer.acknowledge(1, &id).await;
    peer.events([2]).await;

    assert_eq!(peer.read().await, json!({"type": "ping"}));
    numbers(&mut client, 1).await;
}

#[tokio::test]
async fn the_answer_to_a_command_acknowledges_it() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("/new")).await.expect("taken").expect("an id");
    peer.read().await;
    peer.send(
        json!({"type": "command-response", "command": "new", "text": "", "turnId": id, "seq": 1, "timestamp": TIME}),
    )
    .await;
    numbers(&mut client, 2).await;

    drop(peer);
    let mut peer = server.accept_ready(session, 1).await;
    client.send(ClientFrame::Ping {}).await.expect("taken");

    assert_eq!(peer.read().await, json!({"type": "ping"}));
}

#[tokio::test]
async fn a_message_that_the_caller_repeats_is_answered() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.acknowledge(1, "same").await;
    let mut repeated = user_message(1, "same");
    repeated["repeated"] = json!(true);

    peer.send(repeated.clone()).await;

    numbers(&mut client, 2).await;
    assert_eq!(serde_json::to_value(frame(&mut client).await).expect("JSON"), repeated);
}

#[tokio::test]
async fn a_message_written_without_a_connection_waits_for_the_next() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    client.next().await.expect("session-ready");
    drop(peer);
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));

    let id = client.send(message("later")).await.expect("taken").expect("an id");
    let mut peer = server.accept_ready(session, 0).await;

    assert_eq!(sent(&peer.read().await), (id, "later".to_owned()));
}

#[tokio::test]
async fn another_history_is_read_from_its_beginning() {
    let (server, session) = (Server::start().await, SessionId::random());
    let of = |generation: &str, last: u64| {
        let mut ready = session_ready(session, last);
        ready["generation"] = json!(generation);
        ready
    };
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    drop(peer);
    peer = server.accept().await;
    peer.send(of("g-1", 2)).await;
    peer.events(1..=2).await;
    assert!(matches!(client.next().await, Some(ClientEvent::Frame(_))));
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(1), Some(2)]);

    drop(peer);
    let refusing = server.accept().await;
    assert_eq!(refusing.target, format!("/ws?session={session}&after=2&generation=g-1"));
    refusing.close(4007, "another history").await;
    let mut peer = server.accept().await;
    peer.send(of("g-2", 1)).await;
    peer.events([1]).await;

    assert_eq!(peer.target, format!("/ws?session={session}&after=0"));
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::StartedOver));
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);
}

#[tokio::test]
async fn a_hole_in_the_events_is_read_again() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.events([1, 3]).await;

    let mut peer = server.accept_ready(session, 3).await;
    peer.events(2..=3).await;

    assert_eq!(peer.target, format!("/ws?session={session}&after=1"));
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);
    let Some(ClientEvent::Disconnected { reason, .. }) = client.next().await else { panic!("not disconnected") };
    assert_eq!(reason, "the server skipped event 2");
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(2), Some(3)]);
}

#[tokio::test]
async fn a_session_that_goes_away_ends_the_client() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    let sender = client.sender();

    peer.close(4004, "deleted").await;

    client.next().await.expect("session-ready");
    let Some(ClientEvent::Closed { code: Some(4004), reason }) = client.next().await else { panic!("not closed") };
    assert!(reason.contains("deleted"), "{reason}");
    assert_eq!(client.next().await, None);
    assert_eq!(sender.send(ClientFrame::Ping {}).await, Err(SendError::Closed));
}

#[tokio::test]
async fn patience_ends() {
    let (server, session) = (Server::start().await, SessionId::random());
    let mut config = server.config();
    config.give_up_after = Some(Duration::ZERO);
    let (mut client, peer) = connect(&server, config, session, 0).await;

    drop(peer);

    client.next().await.expect("session-ready");
    let Some(ClientEvent::Closed { code: None, reason }) = client.next().await else { panic!("not closed") };
    assert!(reason.starts_with("gave up"), "{reason}");
}

#[tokio::test]
async fn cuts_at_any_byte_lose_and_repeat_nothing() {
    const EVENTS: u64 = 500;
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    drop(peer);

    // Each connection gets as many bytes as these numbers say, then it is cut.
    let mut limits = (1_u64..).map(|step| usize::try_from(step * 7919 % 701).expect("a small number"));
    let serving = async {
        loop {
            let peer = server.accept().await;
            let (after, mut stream) = (peer.after(), peer.into_stream());
            let mut bytes = server::text_frame(&server::session_ready(session, EVENTS));
            (after + 1..=EVENTS).for_each(|seq| bytes.extend(server::text_frame(&event(seq))));
            bytes.truncate(limits.next().expect("endless"));
            // The client may have gone before all of it is written.
            let _gone = stream.write_all(&bytes).await;
        }
    };
    let reading = async {
        let mut seen = Vec::new();
        while seen.last() != Some(&EVENTS) {
            match client.next().await {
                Some(ClientEvent::Frame(frame)) => seen.extend(frame.seq),
                Some(ClientEvent::Disconnected { .. } | ClientEvent::Reconnected) => {}
                other => panic!("{other:?} after {:?}", seen.last()),
            }
        }
        seen
    };
    let seen = tokio::select! {
        seen = reading => seen,
        () = serving => Vec::new(),
    };

    assert_eq!(seen, (1..=EVENTS).collect::<Vec<_>>());
}
