//! Servers that are stopped on purpose, as for an upgrade: what they have is handed over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures_util::future::{join, join_all};
use rustix::process::Signal;
use serde_json::Value;
use switchboard_tests::{Addresses, Closed, ReturningClient, request};

use super::{Cluster, attached, events};
use crate::crash::check_log;
use crate::shutdown::SOON;

#[tokio::test]
async fn a_server_that_stops_hands_its_sessions_over_and_lets_what_runs_end() {
    let mut cluster = Cluster::start(2).await;
    let mut idle = cluster.servers[0].connect().await;
    idle.ask("What is 6 * 7?").await.answered();
    let mut busy = cluster.servers[0].connect().await;
    let turn = busy.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo finished >> trace`").await;
    busy.until_type("tool-output-chunk").await;

    cluster.servers[0].signal(Signal::TERM);
    let stopped = Instant::now();

    let closed = idle.closed().await;
    assert_eq!(closed.code, 4005, "{closed:?}");
    let mut back = cluster.client(1, idle.session(), idle.last_seq()).await;
    println!("an idle session was handed over within {:?}", stopped.elapsed());
    back.ask("What is 7 * 7?").await.answered().says("49");
    // The one with a turn is served as it was, whether at the one server or the other; a message waits for the next one.
    assert_eq!(request(cluster.servers[0].address(), "GET", "/readyz", &[], b"").await.status, 503);
    let mut other = cluster.servers[1].connect_to(busy.session(), 0).await;
    let waits = other.post("What is 8 * 8?").await;
    let is_taken = |frame: &Value| frame["type"] == "user-message" && frame["messageId"] == *waits;
    busy.until("what waits", is_taken).await;
    cluster.servers[1].file("go", "");
    busy.end_of(&turn).await.answered();
    assert_eq!(busy.closed().await.code, 4005);
    assert_eq!(other.closed().await.code, 4005);
    let rest = Instant::now();
    let mut back = cluster.client(1, busy.session(), busy.last_seq()).await;
    back.end_of(&waits).await.answered().says("64");
    println!("a session with a message that waited was handed over within {:?}", rest.elapsed());
    assert_eq!(cluster.servers[0].ended().await.code(), Some(0));
    assert!(rest.elapsed() < SOON, "it ends when its last turn has: {:?}", rest.elapsed());

    assert_eq!(cluster.servers[1].content("trace"), "finished\n", "the command ran once");
    check_log(&events(&cluster.servers[1], busy.session()).await);
}

/// Asks one thing after the other, wherever there is a server.
async fn talk(mut client: ReturningClient, number: usize, done: &AtomicBool) -> ReturningClient {
    for sent in 1.. {
        let text = match sent % 3 {
            0 => format!("Run `sleep 0.2; echo {number}-{sent} >> trace-{number}`"),
            1 => format!("Write \"{number}-{sent}\" to out/{number}-{sent}.txt"),
            _ => format!("Calculate {number} + {sent}"),
        };
        client.ask(&text).await.answered();
        if done.load(Ordering::Relaxed) {
            break;
        }
    }
    client
}

#[tokio::test]
async fn j15_servers_that_are_restarted_one_by_one_under_load_lose_and_repeat_nothing() {
    const CLIENTS: usize = 9;
    let mut cluster = Cluster::start(3).await;
    let addresses = Addresses::new(cluster.servers.iter().map(|server| server.address().to_owned()).collect());
    let done = AtomicBool::new(false);

    let clients = join_all((0..CLIENTS).map(|number| cluster.servers[number % 3].connect())).await;
    let clients = clients.into_iter().map(|client| ReturningClient::of(client, addresses.clone()));
    let talks = join_all(clients.enumerate().map(|(number, client)| talk(client, number, &done)));
    let restarts = async {
        for number in 0..3 {
            let server = &mut cluster.servers[number];
            server.signal(Signal::TERM);
            assert_eq!(server.ended().await.code(), Some(0));
            server.start_again().await;
            addresses.set(number, server.address().to_owned());
        }
        done.store(true, Ordering::Relaxed);
    };
    let (clients, ()) = join(talks, restarts).await;

    let longest = clients.iter().map(|client| client.longest_pause).max().unwrap_or_default();
    println!("the longest pause of a client was {longest:?}");
    for (number, client) in clients.iter().enumerate() {
        assert_eq!(client.refusals, Vec::<Value>::new());
        let expected = |closed: &Closed| matches!(closed.code, 1001 | 1006 | 4005);
        assert!(client.closed.iter().all(expected), "{:?}", client.closed);
        let all = events(&cluster.servers[number % 3], client.session()).await;
        check_log(&all);
        assert!(all.starts_with(&client.seen), "what the client saw is the log");
        let path = cluster.workspace.path().join(format!("trace-{number}"));
        let trace = std::fs::read_to_string(path).unwrap_or_default();
        let commands =
            all.iter().filter_map(|frame| frame["text"].as_str().filter(|_| frame["type"] == "user-message"));
        let asked = commands.filter_map(|text| text.split_once("echo ")?.1.split(' ').next());
        assert_eq!(trace.lines().collect::<Vec<_>>(), asked.collect::<Vec<_>>(), "each command ran once, in order");
    }
    let session = clients[0].session();
    drop(attached(cluster.servers[0].address(), session, 0).await);
}
