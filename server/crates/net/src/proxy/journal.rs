//! What became of a command's connections, by where they led.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::destination::Destination;

/// How many destinations are kept; a command can make up any number of names.
const MAX_DESTINATIONS: usize = 100;

/// How one attempt to connect ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// It was made.
    Connected,
    /// It may not be, for this reason.
    Refused(String),
    /// It could not be made, for this reason.
    Failed(String),
}

/// The connections to one destination.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many were made.
    pub connected: u64,
    /// How many were not.
    pub missed: u64,
    /// Why the last one that was refused may not be.
    pub refused: Option<String>,
    /// Why the last one that failed did.
    pub failed: Option<String>,
    /// Bytes that the command sent.
    pub sent: u64,
    /// Bytes that it received.
    pub received: u64,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Journal(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    tallies: BTreeMap<Destination, Tally>,
    left_out: u64,
}

impl Journal {
    /// The connections so far, by destination, and how many attempts to reach further destinations are not among them.
    #[must_use]
    pub fn tallies(&self) -> (Vec<(Destination, Tally)>, u64) {
        let entries = self.entries();
        (entries.tallies.iter().map(|(to, tally)| (to.clone(), tally.clone())).collect(), entries.left_out)
    }

    /// Writes an attempt down.
    pub(super) fn attempt(&self, to: &Destination, end: &ConnectionEnd) {
        let mut entries = self.entries();
        if !entries.tallies.contains_key(to) && entries.tallies.len() >= MAX_DESTINATIONS {
            entries.left_out += 1;
            return;
        }
        let tally = entries.tallies.entry(to.clone()).or_default();
        match end {
            ConnectionEnd::Connected => tally.connected += 1,
            ConnectionEnd::Refused(why) => tally.refused = Some(why.clone()),
            ConnectionEnd::Failed(why) => tally.failed = Some(why.clone()),
        }
        tally.missed += u64::from(*end != ConnectionEnd::Connected);
    }

    /// Counts bytes that went there, and that came from there.
    pub(super) fn count(&self, to: &Destination, sent: usize, received: usize) {
        if let Some(tally) = self.entries().tallies.get_mut(to) {
            tally.sent += sent as u64;
            tally.received += received as u64;
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_made_up_do_not_fill_the_memory() {
        let journal = Journal::default();
        let refused = ConnectionEnd::Refused("no".to_owned());
        for number in 0..150 {
            journal.attempt(&Destination::new(&format!("{number}.example"), 80).expect("a host"), &refused);
        }

        let (tallies, left_out) = journal.tallies();

        assert_eq!((tallies.len(), left_out), (MAX_DESTINATIONS, 50));
    }
}
