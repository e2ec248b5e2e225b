//! What goes wrong: one thing at a time, and sometimes two.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::time::{sleep, sleep_until};

use super::clients::Board;
use super::link::Condition;
use super::machines::Machines;

/// Where something goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Server(usize),
    Nats(usize),
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is killed, and started again later.
    Killed,
    /// It stops, and goes on later.
    Stopped,
    /// It is told to end, and started again later.
    Terminated,
    /// It is cut off from NATS and the other servers, but not from clients.
    CutOff,
    /// The same links are slow.
    Slowed,
}

const KINDS: [Kind; 5] = [Kind::Killed, Kind::Stopped, Kind::Terminated, Kind::CutOff, Kind::Slowed];

#[derive(Debug)]
struct Fault {
    place: Place,
    kind: Kind,
    lasts: Duration,
}

/// Injects faults at random.
pub(super) struct Injector<'a> {
    machines: &'a mut Machines,
    board: &'a Board,
    rng: fastrand::Rng,
    /// A server is killed each time.
    kills: bool,
    counts: BTreeMap<String, usize>,
}

impl<'a> Injector<'a> {
    /// One that injects all faults, or `kills` a server each time, every second time with another fault of NATS.
    pub(super) fn new(machines: &'a mut Machines, board: &'a Board, rng: fastrand::Rng, kills: bool) -> Self {
        Self { machines, board, rng, kills, counts: BTreeMap::new() }
    }

    /// How many faults there were of each kind.
    pub(super) fn into_counts(self) -> BTreeMap<String, usize> {
        self.counts
    }

    /// Injects faults until then, each when the ones before are over.
    pub(super) async fn run(&mut self, until: Instant) {
        let begun = Instant::now();
        while Instant::now() < until {
            let mut faults = self.choose();
            self.machines.note(&format!("{:.1?}: {faults:?}", begun.elapsed()));
            let struck = tokio::time::Instant::now();
            for fault in &faults {
                self.strike(fault);
            }
            faults.sort_by_key(|fault| fault.lasts);
            for fault in faults {
                sleep_until(struck + fault.lasts).await;
                self.mend(&fault).await;
            }
            let mended = begun.elapsed();
            self.machines.nats().ready().await;
            self.machines.note(&format!("{mended:.1?}: mended; NATS had everything at {:.1?}", begun.elapsed()));
            sleep(Duration::from_millis(self.rng.u64(500..3000))).await;
        }
    }

    /// One fault, or two at different places.
    fn choose(&mut self) -> Vec<Fault> {
        if self.kills {
            return self.choose_kill();
        }
        let mut places: Vec<Place> = (0..3).flat_map(|number| [Place::Server(number), Place::Nats(number)]).collect();
        self.rng.shuffle(&mut places);
        places.truncate(if self.rng.u8(0..4) == 0 { 2 } else { 1 });
        let is_majority = matches!(places.as_slice(), [Place::Nats(_), Place::Nats(_)]);
        let rng = &mut self.rng;
        let mut fault = |place| {
            let kind = KINDS[rng.usize(..KINDS.len())];
            let lasts = Duration::from_millis(match kind {
                _ if is_majority => rng.u64(0..2000),
                Kind::Killed | Kind::Terminated => rng.u64(0..8000),
                Kind::Stopped | Kind::CutOff | Kind::Slowed => rng.u64(1000..10_000),
            });
            Fault { place, kind, lasts }
        };
        places.into_iter().map(&mut fault).collect()
    }

    /// A server that is killed for as long as others need to take over from it, and a NATS server every second time.
    fn choose_kill(&mut self) -> Vec<Fault> {
        let rng = &mut self.rng;
        let (place, lasts) = (Place::Server(rng.usize(..3)), Duration::from_millis(rng.u64(8000..12_000)));
        let mut faults = vec![Fault { place, kind: Kind::Killed, lasts }];
        if rng.bool() {
            let (kind, lasts) = (KINDS[rng.usize(..KINDS.len())], Duration::from_millis(rng.u64(1000..10_000)));
            faults.push(Fault { place: Place::Nats(rng.usize(..3)), kind, lasts });
        }
        faults
    }

    fn strike(&mut self, fault: &Fault) {
        let whose = if matches!(fault.place, Place::Server(_)) { "server" } else { "NATS server" };
        *self.counts.entry(format!("{whose} {:?}", fault.kind)).or_default() += 1;
        match fault.kind {
            Kind::Killed => self.signal(fault.place, Signal::KILL),
            Kind::Stopped => self.signal(fault.place, Signal::STOP),
            Kind::Terminated => self.signal(fault.place, Signal::TERM),
            Kind::CutOff => self.set_links(fault.place, Condition::Cut),
            Kind::Slowed => {
                let delay = Duration::from_millis(self.rng.u64(20..300));
                self.set_links(fault.place, Condition::Slow(delay));
            }
        }
        self.board.history.begins(fault.place, fault.kind);
    }

    async fn mend(&mut self, fault: &Fault) {
        match fault.kind {
            Kind::Killed | Kind::Terminated => self.start(fault.place).await,
            Kind::Stopped => self.signal(fault.place, Signal::CONT),
            Kind::CutOff | Kind::Slowed => self.set_links(fault.place, Condition::Whole),
        }
        self.board.history.ends(fault.place);
    }

    fn signal(&mut self, place: Place, signal: Signal) {
        match place {
            Place::Server(number) => self.machines.node(number).signal(signal),
            Place::Nats(number) => self.machines.nats().signal(number, signal),
        }
    }

    fn set_links(&mut self, place: Place, condition: Condition) {
        match place {
            Place::Server(number) => self.machines.node(number).set_links(condition),
            Place::Nats(number) => self.machines.set_links_of_nats(number, condition),
        }
    }

    async fn start(&mut self, place: Place) {
        match place {
            Place::Server(number) => {
                let node = self.machines.node(number);
                node.ended().await;
                self.board.addresses.set(number, node.start().await);
            }
            Place::Nats(number) => self.machines.nats().start(number),
        }
    }
}
