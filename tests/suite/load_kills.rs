//! Kills under load: many sessions at once read, write, calculate and run commands, and the server is killed at random
//! times.

use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::Signal;
use switchboard_tests::{ServerOptions, TestClient, TestServer};

use crate::talk::{Stopped, Talk, check_files};

/// How many sessions there are.
const SESSIONS: usize = 50;

/// A client for each of them.
async fn connected(server: &TestServer, talks: &[Talk]) -> Vec<TestClient> {
    join_all(talks.iter().map(|talk| server.connect_to(talk.session, talk.seen.len() as u64))).await
}

async fn kills_under_load(kills: usize) {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut server = TestServer::start_with(ServerOptions::auto()).await;
    let workspace = server.workspace();
    server.file("notes.txt", "Notes.\n");
    let begun = (0..SESSIONS).map(async |number| Talk::begin(server.connect().await, number).await);
    let mut talks = join_all(begun).await;
    for _ in 0..kills {
        let clients = connected(&server, &talks).await;
        let after = Duration::from_millis(rng.u64(0..1500));
        let dice: Vec<_> = clients.iter().map(|_| rng.fork()).collect();
        let loads = talks.iter_mut().zip(clients).zip(dice).map(async |((talk, mut client), mut rng)| {
            talk.work(&workspace, &mut client, &mut rng).await;
            talk.take(&client.frames);
        });
        let kill = async {
            tokio::time::sleep(after).await;
            server.signal(Signal::KILL);
        };
        tokio::join!(join_all(loads), kill);
        server.ended().await;
        server.start_again().await;
    }
    let clients = connected(&server, &talks).await;
    let dice: Vec<_> = clients.iter().map(|_| rng.fork()).collect();
    let ends = talks.iter_mut().zip(clients).zip(dice).map(async |((talk, mut client), mut rng)| {
        talk.finish();
        let stopped = talk.work(&workspace, &mut client, &mut rng).await;
        assert!(matches!(stopped, Stopped::Done), "{stopped:#?}");
        talk.take(&client.frames);
    });
    join_all(ends).await;

    check_files(&workspace);
    let mut answered = 0;
    for talk in &talks {
        answered += talk.check(&workspace, server.address()).await;
    }
    let events: usize = talks.iter().map(|talk| talk.seen.len()).sum();
    let sent: usize = talks.iter().map(|talk| talk.sent).sum();
    println!("{kills} kills under {SESSIONS} sessions: {sent} messages, {events} events, {answered} commands in doubt");
}

#[tokio::test]
async fn kills_under_the_load_of_fifty_sessions_lose_and_repeat_nothing() {
    kills_under_load(10).await;
}

#[tokio::test]
#[ignore = "runs for an hour: tests/run soak"]
async fn five_hundred_kills_under_the_load_of_fifty_sessions_lose_and_repeat_nothing() {
    kills_under_load(500).await;
}
