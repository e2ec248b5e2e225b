//! What the server tells the worker, and what the worker answers: one line of JSON each.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs.
    pub working_dir: PathBuf,
    /// All of its environment.
    pub environment: BTreeMap<String, String>,
    /// How long it has between SIGTERM and SIGKILL when it must end.
    pub grace_ms: u64,
    /// The most memory that one process may write to.
    pub memory_bytes: u64,
    /// The largest file that it may write.
    pub file_bytes: u64,
    /// The command is ended when less than this is free where it writes.
    pub free_bytes: u64,
    /// How many processes there may be at once.
    pub processes: usize,
    /// A file that the worker holds locked while it lives; see [`workers_have_ended`](super::workers_have_ended).
    #[serde(default)]
    pub lock: Option<PathBuf>,
    /// What it may reach; `None` runs it unconfined (`--sandbox off`).
    pub confinement: Option<Confinement>,
}

/// What a command may reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Folders to read and write: the workspace and a private temporary folder.
    pub writable: Vec<PathBuf>,
    /// Folders and files to read and execute beside the system's.
    pub readable: Vec<PathBuf>,
    /// Folders that stay closed even when they lie inside a writable one.
    pub denied: Vec<PathBuf>,
    /// Folders and files inside a writable one that may be read only.
    #[serde(default)]
    pub read_only: Vec<PathBuf>,
    /// What of the network.
    pub network: Network,
    /// What the kernel gives it besides.
    pub isolation: Isolation,
}

/// How far a command is kept apart from the rest of the machine, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Namespaces of its own: its own processes, mounts, IPC and, unless it may reach the network, its own loopback.
    Namespaces,
    /// The same, but with the `/proc` of outside, because a fresh one cannot be mounted here: it sees other processes.
    SharedProc,
    /// None, because the kernel gives no namespaces here: Landlock and seccomp alone.
    Landlock,
}

impl Isolation {
    /// All of them, the strongest first.
    pub const ALL: [Self; 3] = [Self::Namespaces, Self::SharedProc, Self::Landlock];

    /// Whether there are namespaces.
    #[must_use]
    pub fn has_namespaces(self) -> bool {
        self != Self::Landlock
    }
}

/// Where a command finds its proxy, on the loopback of its own: the port that proxies usually have.
pub const PROXY_PORT: u16 = 3128;

/// What of the network a command may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing: it gets no sockets, or those of a loopback of its own.
    Closed,
    /// In namespaces, a loopback of its own, with a port ([`PROXY_PORT`]) whose connections whoever started the worker accepts:
    /// see [`RunOutput::proxy_listener`](super::RunOutput::proxy_listener). Elsewhere nothing.
    Proxied,
    /// Everything but this TCP port, at every address: the server's own.
    AllBut(u16),
    /// Everything that the machine can.
    Open,
}

impl Network {
    /// Whether the machine's own network is closed to it.
    #[must_use]
    pub fn is_apart(self) -> bool {
        matches!(self, Self::Closed | Self::Proxied)
    }
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// On its own, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It started more processes than it may.
    TooManyProcesses(usize),
    /// It used more memory than it may, and the kernel killed it.
    OutOfMemory,
    /// It filled the disk.
    DiskFull,
    /// It was ended because its processes could not be watched, for this reason.
    Unwatched(String),
    /// It never ran: the confinement cannot be enforced here.
    NotConfined(String),
    /// It never ran: the command could not be started.
    NotStarted(String),
}
