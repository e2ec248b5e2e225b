//! The clients that are attached, each at its port.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::time::Instant;

use crate::port::{CloseReason, Outgoing, Port, PortId, PortReader, port};

/// All clients.
pub(super) struct Clients {
    ports: BTreeMap<PortId, Port>,
    departures: FuturesUnordered<BoxFuture<'static, PortId>>,
    last: PortId,
    alone_since: Option<Instant>,
}

impl Clients {
    /// Nobody is attached yet.
    pub(super) fn none(now: Instant) -> Self {
        Self { ports: BTreeMap::new(), departures: FuturesUnordered::new(), last: 0, alone_since: Some(now) }
    }

    /// Attaches one whose queue has room for so many bytes.
    pub(super) fn attach(&mut self, queue_bytes: usize) -> (PortId, PortReader) {
        let (port, reader) = port(queue_bytes);
        let gone = port.gone();
        self.last += 1;
        let id = self.last;
        self.departures.push(Box::pin(async move {
            gone.await;
            id
        }));
        self.ports.insert(id, port);
        self.alone_since = None;
        (id, reader)
    }

    pub(super) fn get_mut(&mut self, id: PortId) -> Option<&mut Port> {
        self.ports.get_mut(&id)
    }

    /// Whether this client gets new events as they come.
    pub(super) fn is_live(&self, id: PortId) -> bool {
        self.ports.get(&id).is_some_and(Port::is_live)
    }

    pub(super) fn count(&self) -> usize {
        self.ports.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// Since when no client is attached.
    pub(super) fn alone_since(&self) -> Option<Instant> {
        self.alone_since
    }

    /// The next client that has gone; none at once when there is nobody to wait for.
    pub(super) async fn next_departed(&mut self) -> Option<PortId> {
        self.departures.next().await
    }

    pub(super) fn depart(&mut self, id: PortId) {
        if self.ports.remove(&id).is_some() && self.ports.is_empty() {
            self.alone_since = Some(Instant::now());
        }
    }

    /// Sends a frame to all.
    pub(super) fn broadcast(&mut self, outgoing: &Outgoing) {
        let mut slow = Vec::new();
        for (id, port) in &mut self.ports {
            if outgoing.seq.is_none() {
                port.offer(outgoing);
            } else if port.send(outgoing).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.drop_slow(id);
        }
    }

    /// Sends a frame to one.
    pub(super) fn send_to(&mut self, id: PortId, outgoing: Outgoing) {
        let Some(port) = self.ports.get_mut(&id) else { return };
        if port.answer(outgoing).is_err() {
            self.drop_slow(id);
        }
    }

    /// Lets go of all, saying why.
    pub(super) fn let_go(&mut self, reason: CloseReason) {
        for port in std::mem::take(&mut self.ports).into_values() {
            port.close(reason);
        }
    }

    fn drop_slow(&mut self, id: PortId) {
        if let Some(port) = self.ports.remove(&id) {
            port.close(CloseReason::SlowReader);
        }
        if self.ports.is_empty() {
            self.alone_since = Some(Instant::now());
        }
    }
}
