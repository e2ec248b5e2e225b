//! Where commands run: in a worker, our own binary started again (`switchboard __run`), which starts a second one
//! (`switchboard __confined`) that confines itself and becomes the command.
//!
//! The worker stays outside, where the command cannot reach it, and ends every process that the command started. Its
//! standard input is a socket: the [`RunSpec`] comes in through it as one line, and the [`RunEnd`] goes out. When the
//! socket closes, because the call is over or the server is dead, everything that the command started is ended. Nothing
//! here needs `unsafe`.

mod confined;
mod credentials;
mod descendants;
mod groups;
mod landlock_rules;
#[cfg(test)]
mod limits_tests;
mod probe;
mod program;
mod runner;
mod seccomp_filter;
pub mod shell;
mod spec;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
mod worker;

pub use confined::{CONFINED_ARGUMENT, run_confined};
pub use credentials::credentials;
pub use descendants::{kill_all as kill_descendants, terminate_all as terminate_descendants};
pub use groups::{make_room, sweep_groups};
pub use landlock_rules::closes_ports;
pub use probe::probe;
pub use program::{WORKER_ARGUMENT, WorkerProgram};
pub use runner::{RunOutcome, RunOutput, run};
pub use spec::{Confinement, Network, RunEnd, RunSpec};
pub use worker::run_worker;
