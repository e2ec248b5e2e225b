//! Events on their way to whoever reads them. A reader that is slow stops the reading of the socket, not the sending.

use std::collections::VecDeque;
use std::future;

use tokio::sync::mpsc;

use super::ClientEvent;

/// How many events wait in the task; as many again wait in the channel.
const ROOM: usize = 64;

#[derive(Debug)]
pub(crate) struct EventQueue {
    events: mpsc::Sender<ClientEvent>,
    backlog: VecDeque<ClientEvent>,
}

impl EventQueue {
    pub(crate) fn new() -> (Self, mpsc::Receiver<ClientEvent>) {
        let (events, receiver) = mpsc::channel(ROOM);
        (Self { events, backlog: VecDeque::new() }, receiver)
    }

    pub(crate) fn push(&mut self, event: ClientEvent) {
        self.backlog.push_back(event);
    }

    /// Whether more may be read from the socket.
    pub(crate) fn has_room(&self) -> bool {
        self.backlog.len() < ROOM
    }

    /// Hands on one event when there is one and somebody takes it; may be dropped at any time without loss.
    pub(crate) async fn deliver(&mut self) {
        if self.backlog.is_empty() {
            return future::pending().await;
        }
        match self.events.reserve().await {
            Ok(place) => {
                if let Some(event) = self.backlog.pop_front() {
                    place.send(event);
                }
            }
            // Nobody reads any more. The client goes on for those who only send.
            Err(_) => self.backlog.clear(),
        }
    }

    /// Hands on all that waits.
    pub(crate) async fn flush(&mut self) {
        while !self.backlog.is_empty() {
            self.deliver().await;
        }
    }

    /// Hands on events while something else goes on.
    pub(crate) async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = self.deliver() => {}
            }
        }
    }
}
