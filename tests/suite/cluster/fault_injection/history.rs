//! What was wrong when, and how long sessions were without a server after theirs was killed.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::faults::{Kind, Place};

/// For how long a connection that ends is put down to the death of a server.
const SINCE_DEATH: Duration = Duration::from_secs(1);

/// All faults, in order.
#[derive(Default)]
pub(super) struct History(Mutex<Vec<Past>>);

/// A fault that was, or still is.
struct Past {
    place: Place,
    kind: Kind,
    begun: Instant,
    ended: Option<Instant>,
}

/// How long a session was without a server, if the one that was killed had it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failover {
    pub(super) session: Uuid,
    /// An event that was written before, and one that was written afterwards.
    pub(super) events: (u64, u64),
    /// From the death of its server, or from when two NATS servers were there again, until a client was served.
    pub(super) took: Duration,
    /// Nothing else was wrong meanwhile.
    pub(super) is_alone: bool,
    /// When the client was served.
    pub(super) served: Instant,
}

impl History {
    pub(super) fn begins(&self, place: Place, kind: Kind) {
        self.locked().push(Past { place, kind, begun: Instant::now(), ended: None });
    }

    pub(super) fn ends(&self, place: Place) {
        let mut faults = self.locked();
        if let Some(fault) = faults.iter_mut().rfind(|fault| fault.place == place) {
            fault.ended = Some(Instant::now());
        }
    }

    /// When a server was killed just now: then that may be why a connection ended.
    pub(super) fn last_death(&self) -> Option<Instant> {
        let is_recent = |fault: &&Past| fault.is_death() && fault.begun.elapsed() < SINCE_DEATH;
        self.locked().iter().rfind(is_recent).map(|fault| fault.begun)
    }

    /// A client of this session is served again that lost its connection when a server was killed then.
    pub(super) fn failover(&self, (session, events): (Uuid, (u64, u64)), died: Instant) -> Failover {
        let (faults, served) = (self.locked(), Instant::now());
        let meanwhile = || faults.iter().filter(|fault| fault.ended.is_none_or(|ended| ended > died));
        let is_alone = meanwhile().all(|fault| fault.is_death() && fault.begun == died);
        // NATS needs two of its three servers: it lacked one until the first of two ended that were there at once.
        let nats: Vec<&Past> = meanwhile().filter(|fault| fault.takes_nats_away()).collect();
        let pairs =
            nats.iter().enumerate().flat_map(|(number, one)| nats[..number].iter().map(move |other| (one, other)));
        let ends = pairs.filter_map(|(one, other)| one.end_of_both(other));
        let from = ends.filter(|end| *end < served).max().map_or(died, |end| end.max(died));
        Failover { session, events, took: served.duration_since(from), is_alone, served }
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Past>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Past {
    fn is_death(&self) -> bool {
        matches!((self.place, self.kind), (Place::Server(_), Kind::Killed))
    }

    fn takes_nats_away(&self) -> bool {
        matches!(self.place, Place::Nats(_)) && self.kind != Kind::Slowed
    }

    /// When one of two ended, if they were at once.
    fn end_of_both(&self, other: &Self) -> Option<Instant> {
        let end = match (self.ended, other.ended) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        (self.place != other.place && self.begun.max(other.begun) < end).then_some(end)
    }
}

/// The figures of many.
pub(super) struct Figures(Vec<Duration>);

impl Figures {
    pub(super) fn of(failovers: &[Failover], is_alone: bool) -> Self {
        let mut took: Vec<_> =
            failovers.iter().filter(|failover| failover.is_alone == is_alone).map(|failover| failover.took).collect();
        took.sort_unstable();
        Self(took)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => write!(out, "none"),
            all @ [.., longest] => {
                let (count, median, late) = (all.len(), all[all.len() / 2], all[all.len() * 9 / 10]);
                write!(out, "{count}: p50 {median:.1?}, p90 {late:.1?}, longest {longest:.1?}")
            }
        }
    }
}
