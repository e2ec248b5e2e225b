//! Several servers that share a log in NATS and a workspace: any of them takes any client, and what one leaves behind goes on
//! at another.

mod any_server;
mod clocks;
mod examples;
mod failover;
mod fault_injection;
mod nats_servers;
mod restarts;
mod search;
mod workspaces;

use std::time::Duration;

use serde_json::Value;
use switchboard_store::test_support::NatsServer;
use switchboard_tests::{ServerOptions, TestClient, TestServer, request, soon};
use tempfile::TempDir;
use uuid::Uuid;

/// How long it takes between two attempts of something that another server is about to make possible.
const AGAIN: Duration = Duration::from_millis(50);

/// Servers with a log and a workspace that they share.
struct Cluster {
    servers: Vec<TestServer>,
    nats: NatsServer,
    workspace: TempDir,
}

impl Cluster {
    async fn start(count: usize) -> Self {
        let (nats, workspace) = (NatsServer::start(), tempfile::tempdir().expect("a folder"));
        let mut cluster = Self { servers: Vec::new(), nats, workspace };
        for _ in 0..count {
            cluster.add(&[]).await;
        }
        cluster
    }

    /// One more server, with further arguments.
    async fn add(&mut self, arguments: &[&str]) {
        self.add_with(ServerOptions::with(arguments)).await;
    }

    /// One more server that is started in this way.
    async fn add_with(&mut self, mut options: ServerOptions) {
        let url = self.nats.url();
        options.arguments.extend(["--approve", "auto", "--store", &url].map(ToOwned::to_owned));
        options.workspace = Some(self.workspace.path().to_owned());
        let mut server = TestServer::prepare(options);
        server.start_on("127.0.0.1:0").await;
        self.servers.push(server);
    }

    /// A client of the session at this server, as soon as that can serve it.
    async fn client(&self, server: usize, session: Uuid, after: u64) -> TestClient {
        attached(self.servers[server].address(), session, after).await
    }
}

/// Connects until it works: what another server had comes over in a moment.
async fn attached(address: &str, session: Uuid, after: u64) -> TestClient {
    let query = format!("?session={session}&after={after}");
    soon("a server that takes the client", async {
        loop {
            if let Ok(mut client) = TestClient::dial(address, &query, &[]).await
                && let Ok(ready) = client.receive().await
            {
                assert_eq!(ready["type"], "session-ready", "{ready:#}");
                client.ready = ready;
                return client;
            }
            tokio::time::sleep(AGAIN).await;
        }
    })
    .await
}

/// All events of a session, as the API gives them.
async fn events(server: &TestServer, session: Uuid) -> Vec<Value> {
    events_at(server.address(), session).await
}

/// The same, of the server at this address.
async fn events_at(address: &str, session: Uuid) -> Vec<Value> {
    let path = format!("/api/sessions/{session}/events?after=0&limit=1000");
    soon("the events", async {
        loop {
            let page = request(address, "GET", &path, &[], b"").await;
            match page.status {
                200 => return page.json()["events"].as_array().cloned().expect("events"),
                status => assert_eq!(status, 503, "{}", page.text()),
            }
            tokio::time::sleep(AGAIN).await;
        }
    })
    .await
}
