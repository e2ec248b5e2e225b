//! `killed_at …`: the server, started as ever, which is killed at the point that `KILLED_AT` names: `before 12`, when the twelfth
//! event of a session is handed to the log, or `after 12`, as soon as it is durable. All that a turn does is an event, so these
//! are the moments before and after each of its steps. It is a program of its own, so that the server has no such points.

use std::process::ExitCode;
use std::sync::Arc;

use rustix::process::{Signal, getpid, kill_process};
use switchboard::{cli, enter_worker};
use switchboard_events::test_support::ChangedLog;
use switchboard_events::{Append, Committed, EventLog};

fn main() -> ExitCode {
    enter_worker().unwrap_or_else(|| cli::run_over(|log| Arc::new(KilledAt { log, point: Point::named() })))
}

/// Where it is killed.
#[derive(Clone, Copy)]
enum Point {
    Before(u64),
    After(u64),
}

impl Point {
    fn named() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the server's own settings are not for this")]
        let named = std::env::var("KILLED_AT").expect("KILLED_AT names the point");
        match named.split_once(' ') {
            Some(("before", seq)) => Self::Before(seq.parse().expect("the number of an event")),
            Some(("after", seq)) => Self::After(seq.parse().expect("the number of an event")),
            _ => panic!("KILLED_AT is `before N` or `after N`, and not `{named}`"),
        }
    }
}

struct KilledAt {
    log: Arc<dyn EventLog>,
    point: Point,
}

fn killed() {
    kill_process(getpid(), Signal::KILL).expect("a process may kill itself");
}

impl ChangedLog for KilledAt {
    fn beneath(&self) -> &dyn EventLog {
        self.log.as_ref()
    }

    fn append_over(&self, append: Append) -> Committed {
        let events = append.expected + 1..=append.expected + append.events.len() as u64;
        if matches!(self.point, Point::Before(seq) if events.contains(&seq)) {
            killed();
        }
        let committed = self.log.append(append);
        match self.point {
            Point::After(seq) if events.contains(&seq) => Box::pin(async {
                let result = committed.await;
                killed();
                result
            }),
            _ => committed,
        }
    }
}
