//! Three servers over one workspace and three NATS servers, each on a machine of its own where there may be some. What they say is
//! kept when something went wrong.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use switchboard_tests::{ServerOptions, TestClient, TestServer, soon};
use tempfile::TempDir;
use tokio::time::sleep;

use super::link::{Condition, Link};
use super::namespaces::Machine;
use super::nats_servers::NatsServers;

/// How long a service manager waits before it starts a server again that did not start.
const START_AGAIN: Duration = Duration::from_millis(500);

/// Where a server that has a machine of its own is reached by the others.
const PORT: u16 = 7878;

/// What servers say: of NATS, more than they say to their operators.
const TELLS: &str = "info,switchboard_store=debug,switchboard_session::directory=debug,async_nats::connector=debug";

/// All of them.
pub(super) struct Machines {
    nats: NatsServers,
    nodes: Vec<Node>,
    workspace: TempDir,
    /// What was done to them and when.
    notes: String,
    keep_logs: bool,
}

/// A server.
pub(super) struct Node {
    server: TestServer,
    /// Its own, if it has one.
    machine: Option<Machine>,
    /// To each NATS server, where it has no machine of its own.
    to_nats: Vec<Link>,
    /// From the other servers.
    from_others: Link,
    /// From clients to its machine.
    from_clients: Option<Link>,
}

impl Machines {
    /// Starts them, `apart` on machines of their own if this one allows it.
    pub(super) async fn start(apart: bool) -> Self {
        let machines = if apart { Machine::connected(6) } else { Ok(Vec::new()) };
        let machines = machines.unwrap_or_else(|error| {
            println!("links between programs, since this machine allows no network namespaces: {error}");
            Vec::new()
        });
        let mut machines = machines.into_iter();
        let mut nats = match [machines.next(), machines.next(), machines.next()] {
            [Some(first), Some(second), Some(third)] => NatsServers::on([first, second, third]).await,
            _ => NatsServers::over_links().await,
        };
        nats.ready().await;
        let (workspace, mut nodes, places) = (tempfile::tempdir().expect("a folder"), Vec::new(), nats.places());
        for _ in 0..3 {
            let mut node = Node::prepare(machines.next(), &places, &workspace).await;
            node.start().await;
            nodes.push(node);
        }
        Self { nats, nodes, workspace, notes: String::new(), keep_logs: false }
    }

    /// Prints what is done, and keeps it beside what the servers say.
    pub(super) fn note(&mut self, line: &str) {
        println!("{line}");
        #[expect(clippy::disallowed_methods, reason = "as the servers' lines have it")]
        let now = jiff::Timestamp::now();
        // Writing into a text cannot fail.
        let _ = writeln!(self.notes, "{now} {line}");
    }

    /// What the servers said is to be looked at.
    pub(super) fn keep_logs(&mut self) {
        self.keep_logs = true;
    }

    /// Writes what all of them said into a folder, which stays.
    fn write_logs(&mut self) -> std::io::Result<PathBuf> {
        let folder = tempfile::Builder::new().prefix("switchboard-cluster-").tempdir()?.keep();
        std::fs::write(folder.join("faults.log"), &self.notes)?;
        for (number, node) in self.nodes.iter().enumerate() {
            std::fs::write(folder.join(format!("server-{number}.log")), node.server.stderr())?;
        }
        for (number, server) in self.nats.all().iter().enumerate() {
            std::fs::copy(server.log(), folder.join(format!("nats-{number}.log")))?;
        }
        Ok(folder)
    }

    pub(super) fn workspace(&self) -> PathBuf {
        self.workspace.path().to_owned()
    }

    /// Where clients reach the servers.
    pub(super) fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(Node::address).collect()
    }

    /// Where the test itself reaches the NATS servers, whatever happens to the rest.
    pub(super) fn nats_addresses(&self) -> Vec<String> {
        self.nats.addresses().to_vec()
    }

    /// A client in a new session at one of the servers.
    pub(super) async fn client(&self, number: usize) -> TestClient {
        TestClient::connect(&self.nodes[number % self.nodes.len()].address(), "").await
    }

    pub(super) fn node(&mut self, number: usize) -> &mut Node {
        &mut self.nodes[number]
    }

    pub(super) fn nats(&mut self) -> &mut NatsServers {
        &mut self.nats
    }

    /// How a server and the NATS server with the same number reach the others from now on, and are reached by them; only with links.
    pub(super) fn part(&self, number: usize, condition: Condition) {
        for (node, links) in self.nodes.iter().map(|node| &node.to_nats).enumerate() {
            let apart = links.iter().enumerate().filter(|(nats, _)| (node == number) != (*nats == number));
            apart.for_each(|(_, link)| link.set(condition));
        }
        self.nodes[number].from_others.set(condition);
        self.nats.set(number, condition);
    }

    /// How the servers and the other NATS servers reach a NATS server from now on, and it them.
    pub(super) fn set_links_of_nats(&self, number: usize, condition: Condition) {
        self.nodes.iter().filter_map(|node| node.to_nats.get(number)).for_each(|link| link.set(condition));
        self.nats.set(number, condition);
    }
}

impl Node {
    async fn prepare(machine: Option<Machine>, nats: &[String], workspace: &TempDir) -> Self {
        let mut to_nats = Vec::new();
        // Where it listens is known when it has started.
        let (from_others, from_clients) = match &machine {
            None => {
                for place in nats {
                    to_nats.push(Link::to(place).await);
                }
                (Link::to("127.0.0.1:0").await, None)
            }
            Some(machine) => {
                let from_others = Link::inside(machine.namespace(), &machine.address(PORT), "127.0.0.1:0");
                (from_others, Some(Link::into(machine.namespace(), "127.0.0.1:0").await))
            }
        };
        let nats = if machine.is_some() {
            nats.join(",")
        } else {
            to_nats.iter().map(Link::address).collect::<Vec<_>>().join(",")
        };
        let place =
            ["--store", &format!("nats://{nats}"), "--store-replicas", "3", "--cluster-address", from_others.address()];
        let mut options = ServerOptions::with(&[&["--approve", "auto", "--log", TELLS], &place[..]].concat());
        options.workspace = Some(workspace.path().to_owned());
        options.behind = machine.iter().flat_map(Machine::entrance).collect();
        Self { server: TestServer::prepare(options), machine, to_nats, from_others, from_clients }
    }

    /// Where clients reach it.
    fn address(&self) -> String {
        self.from_clients.as_ref().map_or(self.server.address(), Link::address).to_owned()
    }

    /// Starts it, again and again, as a service manager does; where clients reach it.
    pub(super) async fn start(&mut self) -> String {
        soon("the start of a server", async {
            while !self.server.try_start_on("127.0.0.1:0").await {
                println!("it did not start: {}", self.server.stderr().lines().last().unwrap_or_default());
                sleep(START_AGAIN).await;
            }
        })
        .await;
        for link in [&self.from_others].into_iter().chain(&self.from_clients) {
            link.lead_to(self.server.address());
        }
        self.address()
    }

    pub(super) fn signal(&self, signal: Signal) {
        self.server.signal(signal);
    }

    pub(super) async fn ended(&mut self) {
        self.server.ended().await;
    }

    /// How it reaches NATS, and other servers it, from now on; its clients reach it as ever.
    pub(super) fn set_links(&self, condition: Condition) {
        match &self.machine {
            None => self.to_nats.iter().chain([&self.from_others]).for_each(|link| link.set(condition)),
            Some(machine) => machine.set(condition),
        }
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        if std::thread::panicking() || self.keep_logs {
            println!("what the servers said: {:?}", self.write_logs());
        }
    }
}
