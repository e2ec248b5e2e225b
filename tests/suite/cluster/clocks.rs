//! Servers whose clocks differ.

use std::time::{Duration, Instant};

use switchboard_store::NatsOptions;
use switchboard_store::test_support::written;
use switchboard_tests::{ServerOptions, TestServer, request};

use super::{Cluster, events};
use crate::crash::check_log;

/// Longer than the lease of a server.
const LEASE: Duration = Duration::from_secs(6);

/// Where its clock is.
async fn created_at(server: &TestServer) -> String {
    let session = server.connect().await.session();
    let path = format!("/api/sessions/{session}");
    let row = request(server.address(), "GET", &path, &[], b"").await.json();
    row["createdAt"].as_str().unwrap_or_else(|| panic!("{row:#}")).to_owned()
}

#[tokio::test]
async fn j14_a_session_stays_with_its_server_among_clocks_that_differ_by_an_hour() {
    let mut cluster = Cluster::start(1).await;
    for clock in ["FAKETIME=+1h", "FAKETIME=-1h"] {
        // Without the program `faketime`, which would stay between the test and the server.
        let preload = "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1";
        let only = "FAKETIME_DONT_FAKE_MONOTONIC=1";
        let options = ServerOptions::default().behind(&["env", preload, clock, only]);
        cluster.add_with(options).await;
    }
    let [right, ahead, behind] = &cluster.servers[..] else { panic!("there are three") };
    let [now, later, earlier] = [created_at(right).await, created_at(ahead).await, created_at(behind).await];
    assert!(earlier < now && now < later, "the clocks differ: {earlier} {now} {later}");
    let mut sessions = Vec::new();
    for server in &cluster.servers {
        sessions.push(server.connect().await.session());
    }

    let (begun, mut asked) = (Instant::now(), 0);
    while begun.elapsed() < LEASE {
        for (number, session) in sessions.iter().enumerate() {
            let mut client = cluster.client((number + asked) % 3, *session, 0).await;
            client.ask("What is 6 * 7?").await.answered().says("42");
        }
        asked += 1;
    }

    let options = NatsOptions { servers: vec![cluster.nats.url()], ..NatsOptions::default() };
    for session in sessions {
        check_log(&events(right, session).await);
        let all = written(&options, session.to_string().parse().expect("an id")).await.expect("its messages");
        assert_eq!(all.iter().filter(|message| message.is_claim).count(), 1, "{all:#?}");
        assert!(all.iter().all(|message| message.by == all[0].by), "{all:#?}");
    }
    for server in &cluster.servers {
        assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 200);
    }
}
