//! Clients that work on through any server, whatever happens to the one that they are connected to.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard_tests::Addresses;
use tokio::sync::watch;
use tokio::time::sleep;

use super::history::{Failover, History};
use crate::talk::{Stopped, Talk};

/// How long a client waits that was refused; less than it is told to.
const REFUSED: Duration = Duration::from_millis(500);

/// What clients know of the servers.
pub(super) struct Board {
    pub(super) addresses: Addresses,
    pub(super) history: History,
    is_over: watch::Sender<bool>,
}

/// What happened to clients.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) reconnects: usize,
    pub(super) refusals: usize,
    /// How often connections ended with each code.
    pub(super) closed: BTreeMap<u16, usize>,
    /// From the deaths of servers until clients that lost their connections were served again.
    pub(super) failovers: Vec<Failover>,
}

impl Counts {
    pub(super) fn sum(counts: impl IntoIterator<Item = Self>) -> Self {
        counts.into_iter().fold(Self::default(), |mut sum, counts| {
            sum.reconnects += counts.reconnects;
            sum.refusals += counts.refusals;
            sum.failovers.extend(counts.failovers);
            for (code, count) in counts.closed {
                *sum.closed.entry(code).or_default() += count;
            }
            sum
        })
    }
}

impl Board {
    pub(super) fn new(addresses: Vec<String>) -> Self {
        Self { addresses: Addresses::new(addresses), history: History::default(), is_over: watch::Sender::new(false) }
    }

    /// Lets all clients come to an end.
    pub(super) fn end(&self) {
        self.is_over.send_replace(true);
    }

    async fn over(&self) {
        // The sender lives as long as the board.
        let _ = self.is_over.subscribe().wait_for(|is_over| *is_over).await;
    }
}

/// Works on the conversation until the end.
pub(super) async fn converse(
    mut talk: Talk,
    board: Arc<Board>,
    workspace: PathBuf,
    mut rng: fastrand::Rng,
) -> (Talk, Counts) {
    let (mut counts, mut died) = (Counts::default(), None::<Instant>);
    loop {
        let seen = talk.seen.len() as u64;
        let mut client = board.addresses.connect(talk.session, seen, &mut rng).await;
        if let Some(died) = died.take() {
            let next = client.ready["lastSeq"].as_u64().unwrap_or_default() + 1;
            counts.failovers.push(board.history.failover((talk.session, (seen, next)), died));
        }
        let is_over = *board.is_over.borrow();
        if is_over {
            talk.finish();
        }
        let stopped = tokio::select! {
            stopped = talk.work(&workspace, &mut client, &mut rng) => Some(stopped),
            () = board.over(), if !is_over => None,
        };
        talk.take(&client.frames);
        counts.reconnects += usize::from(stopped.is_some());
        match stopped {
            Some(Stopped::Done) => return (talk, counts),
            None => {}
            Some(Stopped::Closed(closed)) => {
                closed.check_return();
                *counts.closed.entry(closed.code).or_default() += 1;
                died = board.history.last_death();
            }
            Some(Stopped::Refused(refusal)) => {
                assert_eq!(refusal["retryable"], true, "{refusal:#}");
                counts.refusals += 1;
                sleep(REFUSED).await;
            }
        }
    }
}
