//! Where commands run: a re-exec of our own binary (`switchboard __run`) that first confines itself, then starts the
//! command, and ends with every process that came of it.
//!
//! The worker is single-threaded when it confines itself, so that all it starts is confined too. Its standard input is a
//! socket: the [`RunSpec`] comes in by it as one line, the [`RunEnd`] goes out by it, and when it closes, because the
//! call is over or the server is dead, everything the command started is ended. Nothing here needs `unsafe`.

mod descendants;
mod landlock_rules;
mod runner;
mod seccomp_filter;
mod spec;
mod worker;

pub use descendants::{kill_all as kill_descendants, terminate_all as terminate_descendants};
pub use runner::{RunOutcome, RunOutput, binary, run};
pub use spec::{Confinement, RunEnd, RunSpec};
pub(super) use worker::{WORKER_ARGUMENT, run_worker};
