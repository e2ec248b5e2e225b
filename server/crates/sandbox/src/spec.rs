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
}

/// What of the network a command may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing: it gets no sockets.
    Closed,
    /// Everything but this TCP port, at every address: the server's own.
    AllBut(u16),
    /// Everything that the machine can.
    Open,
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
    /// It never ran: the confinement cannot be enforced here.
    NotConfined(String),
    /// It never ran: the command could not be started.
    NotStarted(String),
}
