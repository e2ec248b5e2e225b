//! Where commands run: in a worker, our own binary started again (`switchboard __run`), which starts a second one
//! (`switchboard __confined`) that confines itself. [`Workers`] keep one ready for the next command.
//!
//! Where the kernel gives namespaces, the second one is the first process of its own: it makes a root of files for the
//! command, starts it, and everything in there ends with it. Elsewhere it becomes the command, confined by Landlock and
//! seccomp alone. The worker stays outside, where the command cannot reach it, and ends every process that the command
//! started. Its standard input is a socket: the [`RunSpec`] comes in through it as one line, and the [`RunEnd`] goes out.
//! A byte on it cancels the command; when it closes the server is dead, and all is ended at once. Nothing here needs
//! `unsafe`.

mod confined;
mod credentials;
mod descendants;
mod groups;
mod handover;
mod init;
mod landlock_rules;
mod layout;
mod lifeline;
#[cfg(test)]
mod limits_tests;
mod loopback;
mod mount_table;
mod mounts;
mod namespaces;
mod plan;
mod probe;
mod program;
mod repository;
mod runner;
mod seccomp_calls;
mod seccomp_filter;
mod second;
pub mod shell;
mod spec;
mod supervisor;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
mod watch;
mod worker;
mod worker_lock;
#[cfg(test)]
mod worker_tests;
mod workers;
mod world;

pub use confined::run_confined;
pub use credentials::credentials;
pub use descendants::{kill_all as kill_descendants, terminate_all as terminate_descendants};
pub use groups::{make_room, sweep_groups};
pub use landlock_rules::closes_ports;
pub use probe::strongest;
pub use program::{WORKER_ARGUMENT, WorkerProgram};
pub use runner::{RunOutcome, RunOutput, run};
pub use second::CONFINED_ARGUMENT;
pub use spec::{Confinement, Isolation, Network, PROXY_PORT, RunEnd, RunSpec};
pub use worker::run_worker;
pub use worker_lock::workers_have_ended;
pub use workers::Workers;
