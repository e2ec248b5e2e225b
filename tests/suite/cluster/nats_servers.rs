//! Three NATS servers, of which one or all are killed: what was acknowledged is there, and it goes on.

use std::time::Instant;

use switchboard_store::test_support::{NatsCluster, NatsServer};
use switchboard_tests::{Addresses, ReturningClient, ServerOptions, TestServer, request, soon};
use tokio::task::block_in_place;

use super::{AGAIN, events};
use crate::crash::check_log;

/// Waits until all NATS servers have everything.
pub(super) async fn ready(nats: &NatsCluster) {
    for monitor in nats.monitors() {
        let healthy = async {
            while request(monitor, "GET", "/healthz", &[], b"").await.status != 200 {
                tokio::time::sleep(AGAIN).await;
            }
        };
        soon("a NATS server that has everything", healthy).await;
    }
}

async fn started() -> (NatsCluster, TestServer, ReturningClient) {
    let nats = NatsCluster::start();
    ready(&nats).await;
    let options = ServerOptions::with(&["--approve", "auto", "--store", &nats.url(), "--store-replicas", "3"]);
    let server = TestServer::start_with(options).await;
    let addresses = Addresses::new(vec![server.address().to_owned()]);
    let client = ReturningClient::of(server.connect().await, addresses);
    (nats, server, client)
}

/// The log is what the client saw, and has so many messages.
async fn check(server: &TestServer, client: &ReturningClient, messages: usize) {
    let all = events(server, client.session()).await;
    check_log(&all);
    assert!(all.starts_with(&client.seen), "what the client saw is the log: {all:#?}");
    assert_eq!(all.iter().filter(|frame| frame["type"] == "user-message").count(), messages);
}

#[tokio::test(flavor = "multi_thread")]
async fn j06_while_nats_has_no_leader_writes_wait_and_nothing_is_lost() {
    let (mut nats, server, mut client) = started().await;
    client.ask("What is 6 * 7?").await.answered().says("42");

    // The leader of the session's stream is among them.
    for number in 0..3 {
        nats.servers()[number].kill();
        let killed = Instant::now();
        let id = client.post_acknowledged(&format!("What is {number} + 40?")).await;
        println!("acknowledged {:?} after NATS server {number} was killed", killed.elapsed());
        client.end_of(&id).await.answered().says(&format!("4{number}"));
        block_in_place(|| nats.servers()[number].start_again());
        ready(&nats).await;
    }

    check(&server, &client, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn j08_what_was_acknowledged_outlives_all_nats_servers_that_are_killed_at_once() {
    let (mut nats, server, mut client) = started().await;
    for number in 0..5 {
        client.post_acknowledged(&format!("What is {number} + 40?")).await;
    }

    nats.servers().iter_mut().for_each(NatsServer::kill);
    block_in_place(|| nats.servers().iter_mut().for_each(NatsServer::start_again));
    ready(&nats).await;
    client.ask("What is 6 * 7?").await.answered().says("42");

    check(&server, &client, 6).await;
}
