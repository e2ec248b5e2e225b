//! The clients that are attached, each with its subscriber.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;

use crate::subscriber::{CloseReason, Outgoing, Subscriber, SubscriberId, SubscriberReader, subscriber};

/// All clients.
pub(super) struct Clients {
    subscribers: BTreeMap<SubscriberId, Box<Subscriber>>,
    departures: FuturesUnordered<BoxFuture<'static, SubscriberId>>,
    last: SubscriberId,
}

impl Clients {
    /// Nobody is attached yet.
    pub(super) fn none() -> Self {
        Self { subscribers: BTreeMap::new(), departures: FuturesUnordered::new(), last: 0 }
    }

    /// Attaches one whose queue has room for so many bytes; a `viewer` shows windows.
    pub(super) fn attach(&mut self, queue_bytes: usize, viewer: bool) -> (SubscriberId, SubscriberReader) {
        let (subscriber, reader) = subscriber(queue_bytes, viewer);
        let gone = subscriber.gone();
        self.last += 1;
        let id = self.last;
        self.departures.push(Box::pin(async move {
            gone.await;
            id
        }));
        self.subscribers.insert(id, Box::new(subscriber));
        (id, reader)
    }

    pub(super) fn get_mut(&mut self, id: SubscriberId) -> Option<&mut Subscriber> {
        self.subscribers.get_mut(&id).map(Box::as_mut)
    }

    /// Whether this client gets new events as they come.
    pub(super) fn is_live(&self, id: SubscriberId) -> bool {
        self.subscribers.get(&id).is_some_and(|subscriber| subscriber.is_live())
    }

    pub(super) fn count(&self) -> usize {
        self.subscribers.len()
    }

    /// How many show windows.
    pub(super) fn viewers(&self) -> usize {
        self.subscribers.values().filter(|subscriber| subscriber.is_viewer()).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// The next client that has gone; none at once when there is nobody to wait for.
    pub(super) async fn next_departed(&mut self) -> Option<SubscriberId> {
        self.departures.next().await
    }

    pub(super) fn depart(&mut self, id: SubscriberId) {
        self.subscribers.remove(&id);
    }

    /// Sends a frame to all.
    pub(super) fn broadcast(&mut self, outgoing: &Outgoing) {
        let mut slow = Vec::new();
        for (id, subscriber) in &mut self.subscribers {
            if outgoing.seq.is_none() {
                subscriber.offer(outgoing);
            } else if subscriber.send(outgoing).is_err() {
                slow.push(*id);
            }
        }
        for id in slow {
            self.drop_slow(id);
        }
    }

    /// Sends a frame to one.
    pub(super) fn send_to(&mut self, id: SubscriberId, outgoing: Outgoing) {
        let Some(subscriber) = self.subscribers.get_mut(&id) else { return };
        if subscriber.answer(outgoing).is_err() {
            self.drop_slow(id);
        }
    }

    /// Lets go of all, saying why.
    pub(super) fn let_go(&mut self, reason: CloseReason) {
        for subscriber in std::mem::take(&mut self.subscribers).into_values() {
            subscriber.close(reason);
        }
    }

    fn drop_slow(&mut self, id: SubscriberId) {
        if let Some(subscriber) = self.subscribers.remove(&id) {
            subscriber.close(CloseReason::SlowReader);
        }
    }
}
