//! The three NATS servers, and what lies between them and those who ask them: links, or the network of machines of their own.

use futures_util::future::join_all;
use rustix::process::Signal;
use switchboard_store::test_support::{NatsCluster, NatsPlace, NatsServer, free_addresses};

use super::link::{Condition, Link};
use super::namespaces::Machine;
use crate::cluster::nats_servers::ready;

/// Where one listens that has a machine of its own.
const PORTS: [u16; 2] = [4222, 6222];
/// Where it tells its own machine how it is.
const MONITOR: &str = "127.0.0.1:8222";

pub(super) struct NatsServers {
    cluster: NatsCluster,
    way: Way,
    /// Where the test itself reaches them, whatever happens to the rest.
    addresses: Vec<String>,
}

/// What lies between them.
enum Way {
    /// From each to each.
    Links(Vec<Vec<Link>>),
    Machines([Machine; 3]),
}

impl NatsServers {
    /// On this machine, with links between them.
    pub(super) async fn over_links() -> Self {
        let routes = free_addresses();
        let links = (0..3).map(|_| join_all(routes.iter().map(|route| Link::to(route))));
        let between: Vec<Vec<Link>> = join_all(links).await;
        // Each knows the two others, over links of its own. What they would hear of each other beside that leads nowhere: such a way
        // would stay when the links are cut.
        let way =
            |from: usize, to: usize| if from == to { "127.0.0.1:1" } else { between[from][to].address() }.to_owned();
        let ways = [0, 1, 2].map(|from| [0, 1, 2].map(|to| way(from, to)));
        let mut cluster = NatsCluster::start_at(&routes, &ways);
        let addresses = cluster.servers().iter().map(|server| server.address().to_owned()).collect();
        Self { cluster, way: Way::Links(between), addresses }
    }

    /// On machines of their own.
    pub(super) async fn on(machines: [Machine; 3]) -> Self {
        let ways = [0, 1, 2].map(|number: usize| machines[number].address(PORTS[1]));
        let (mut servers, mut monitors, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
        for (number, machine) in machines.iter().enumerate() {
            let [clients, route] = PORTS.map(|port| machine.address(port));
            let place = NatsPlace { clients, monitor: MONITOR.to_owned(), route };
            servers.push(machine.namespace().run(|| NatsServer::in_cluster(number, &place, &ways)));
            for (way, target) in [(&mut monitors, MONITOR), (&mut addresses, &place.clients)] {
                way.push(Link::into(machine.namespace(), target).await.address().to_owned());
            }
        }
        Self { cluster: NatsCluster::of(servers, monitors), way: Way::Machines(machines), addresses }
    }

    /// Waits until all have everything.
    pub(super) async fn ready(&self) {
        ready(&self.cluster).await;
    }

    /// Where servers reach them.
    pub(super) fn places(&mut self) -> Vec<String> {
        self.cluster.servers().iter().map(|server| server.address().to_owned()).collect()
    }

    /// Where the test itself reaches them.
    pub(super) fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// All of them, to read what they said.
    pub(super) fn all(&mut self) -> &mut [NatsServer] {
        self.cluster.servers()
    }

    pub(super) fn signal(&mut self, number: usize, signal: Signal) {
        self.cluster.servers()[number].signal(signal);
    }

    /// Starts one that was told to end.
    pub(super) fn start(&mut self, number: usize) {
        let server = &mut self.cluster.servers()[number];
        let start = || match &self.way {
            Way::Links(_) => server.start_again(),
            Way::Machines(machines) => machines[number].namespace().run(|| server.start_again()),
        };
        tokio::task::block_in_place(start);
    }

    /// How one reaches the others from now on, and they it; with links, servers reach it as ever.
    pub(super) fn set(&self, number: usize, condition: Condition) {
        match &self.way {
            Way::Links(links) => {
                links.iter().map(|links| &links[number]).chain(&links[number]).for_each(|link| link.set(condition));
            }
            Way::Machines(machines) => machines[number].set(condition),
        }
    }
}
