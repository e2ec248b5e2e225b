//! Running a program in the sandbox: what it may reach, what it finds in its environment, and what it puts out.

mod capture;
mod connections;
mod ending;
mod limits;
mod network;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use switchboard_protocol::{ErrorType, SandboxState};

use self::capture::Capture;
use self::connections::Connections;
use self::ending::{ended, no_network, not_confined};
use self::limits::{FILE_BYTES, FREE_BYTES, MEMORY_BYTES, PROCESSES};
use self::network::{CommandNetwork, variables};
use switchboard_net::ProxyReach;
use switchboard_sandbox::{Confinement, Isolation, Network, RunSpec, WorkerProgram, Workers};
use switchboard_tools::{ToolContext, ToolFailure, ToolResult};
use switchboard_workspace::DeniedLocations;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);
/// Between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);

/// How commands are kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// Confined by the kernel; `readable` may be read beside the system's folders.
    On {
        /// Further folders to read, such as toolchains.
        readable: Vec<PathBuf>,
        /// Folders that stay closed.
        denied: Vec<PathBuf>,
        /// What a command gets that asks for the network; `Closed` refuses it.
        network: Network,
        /// What a tool gets whose file grants it the machine's own network.
        host_network: Network,
        /// What the kernel gives.
        isolation: Isolation,
    },
    /// `--sandbox off`: a command can do all that the server can.
    Off,
    /// The kernel cannot confine commands, for this reason; so they do not run.
    Unavailable(String),
}

impl Sandbox {
    /// What clients are told.
    #[must_use]
    pub fn state(&self) -> SandboxState {
        match self {
            Self::On { isolation: Isolation::Namespaces, .. } => SandboxState::On,
            Self::On { isolation: Isolation::SharedProc, .. } => SandboxState::SharedProcesses,
            Self::On { isolation: Isolation::Landlock, .. } => SandboxState::LandlockOnly,
            Self::Off => SandboxState::Off,
            Self::Unavailable(_) => SandboxState::Unavailable,
        }
    }
}

/// How commands run.
#[derive(Debug, Clone)]
pub struct ShellConfig {
    /// How they are kept in.
    pub sandbox: Sandbox,
    /// How long one may run when nobody says so, at most a minute.
    pub timeout: Duration,
    /// What they run in.
    pub workers: Workers,
    /// A file that each worker holds locked while it lives.
    pub lock: Option<PathBuf>,
    /// How far the proxy reaches through which commands have the network.
    pub reach: ProxyReach,
}

/// Not kept in, for five seconds.
impl Default for ShellConfig {
    fn default() -> Self {
        Self {
            sandbox: Sandbox::Off,
            timeout: DEFAULT_TIMEOUT,
            workers: Workers::of(WorkerProgram::own()),
            lock: None,
            reach: ProxyReach::default(),
        }
    }
}

/// A program to run.
#[derive(Debug, Default)]
pub(super) struct Command {
    /// The program and its arguments.
    pub(super) argv: Vec<String>,
    /// Where it runs.
    pub(super) folder: PathBuf,
    /// What its environment has beside the usual.
    pub(super) environment: BTreeMap<String, String>,
    /// A folder that it may read though it is closed to others.
    pub(super) readable: Option<PathBuf>,
    /// Whether it may write into the workspace.
    pub(super) writes: bool,
    /// What it wants of the network.
    pub(super) network: WantedNetwork,
}

/// What a program wants of the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum WantedNetwork {
    /// Nothing.
    #[default]
    None,
    /// What the settings give to commands.
    AsSet,
    /// The machine's own, which the owner of the tool's file has granted it.
    Host,
}

impl ShellConfig {
    /// Runs a program; a failure if it did not run. What came of it is a result, whether it worked or not.
    pub(super) async fn run(&self, context: &ToolContext, command: Command) -> Result<ToolResult, ToolFailure> {
        let temp = tempfile::Builder::new().prefix("switchboard-").tempdir();
        let temp = temp.map_err(|error| system(&format!("a temporary folder could not be created: {error}")))?;
        let confinement = self.confinement(context, temp.path().to_owned(), &command).await?;
        let mut environment = environment(context, temp.path());
        if confinement.as_ref().is_some_and(|confined| confined.network == Network::Proxied) {
            environment.extend(variables());
        }
        environment.extend(command.environment);
        let spec = RunSpec {
            command: command.argv,
            working_dir: command.folder,
            environment,
            grace_ms: u64::try_from(GRACE.as_millis()).unwrap_or(u64::MAX),
            memory_bytes: MEMORY_BYTES,
            file_bytes: FILE_BYTES,
            free_bytes: FREE_BYTES,
            processes: PROCESSES,
            lock: self.lock.clone(),
            confinement,
        };
        let (network, listener) = CommandNetwork::new(context, &self.reach);
        let journal = network.journal.clone();
        let mut capture = Capture::new(context.output.clone(), listener);
        let outcome = tokio::select! {
            outcome = self.workers.run(&spec, &mut capture, &context.cancellation) => outcome,
            never = network.serve(&context.user) => match never {},
        };
        let outcome = outcome.map_err(|error| system(&format!("the command could not be run: {error}")))?;
        ended(&outcome, &capture, &Connections::of(&journal))
    }

    /// What a program gets of the network; none where nothing confines it.
    fn network(&self, wanted: WantedNetwork) -> Option<Network> {
        let Sandbox::On { network, host_network, .. } = &self.sandbox else { return None };
        Some(match wanted {
            WantedNetwork::None => Network::Closed,
            WantedNetwork::AsSet => *network,
            WantedNetwork::Host => *host_network,
        })
    }

    /// How far a program reaches that wants this, for whoever is asked about it.
    pub(super) fn network_reach(&self, wanted: WantedNetwork) -> Option<&'static str> {
        match self.network(wanted)? {
            Network::Proxied => Some("through a proxy that asks about each new domain"),
            Network::AllBut(_) | Network::Open => {
                Some("of this machine, local addresses included; domains are not asked about")
            }
            Network::Closed => None,
        }
    }

    /// Why a command cannot run at all, or not with the network.
    pub(super) fn refusal(&self, wanted: WantedNetwork) -> Option<ToolFailure> {
        match (&self.sandbox, self.network(wanted)) {
            (Sandbox::Unavailable(why), _) => Some(not_confined(why)),
            (_, Some(Network::Closed)) if wanted != WantedNetwork::None => Some(no_network()),
            _ => None,
        }
    }

    /// What it may reach; `None` is all that the server can.
    async fn confinement(
        &self,
        context: &ToolContext,
        temp: PathBuf,
        command: &Command,
    ) -> Result<Option<Confinement>, ToolFailure> {
        let (readable, denied, isolation) = match &self.sandbox {
            Sandbox::Off => return Ok(None),
            Sandbox::Unavailable(why) => return Err(not_confined(why)),
            Sandbox::On { readable, denied, isolation, .. } => (readable, denied, *isolation),
        };
        let denied_paths = denied_locations(context).await?;
        let workspace = context.workspace.root().to_owned();
        let (writes, reads) = if command.writes { (Some(workspace), None) } else { (None, Some(workspace)) };
        let is_open = |path: &PathBuf| command.readable.as_ref() != Some(path);
        Ok(Some(Confinement {
            writable: writes.into_iter().chain([temp]).collect(),
            readable: readable.iter().cloned().chain(reads).chain(command.readable.clone()).collect(),
            denied: denied.iter().filter(|path| is_open(path)).cloned().chain(denied_paths.to_all).collect(),
            read_only: denied_paths.for_changes.into_iter().collect(),
            network: self.network(command.network).unwrap_or(Network::Closed),
            isolation,
        }))
    }
}

/// What rules close for files must be closed for commands too.
async fn denied_locations(context: &ToolContext) -> Result<DeniedLocations, ToolFailure> {
    if context.workspace.denied_paths().is_empty() {
        return Ok(DeniedLocations::default());
    }
    let workspace = context.workspace.clone();
    let found = tokio::task::spawn_blocking(move || workspace.denied_paths().places(workspace.root())).await;
    found.map_err(|error| system(&error.to_string()))?.map_err(|why| {
        let message = format!("the command did not run: files that rules deny cannot be kept from it ({why})");
        let next = "Change the rules: deny bash, or deny paths that contain fewer files.";
        ToolFailure::new(ErrorType::Permission, message).suggesting(next)
    })
}

/// All that a command sees of the environment: nothing of the server's own.
fn environment(context: &ToolContext, temp: &Path) -> BTreeMap<String, String> {
    let temp = temp.to_string_lossy().into_owned();
    [
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
        ("HOME", temp.as_str()),
        ("TMPDIR", temp.as_str()),
        ("SWITCHBOARD_CALL", context.call_id.as_str()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .collect()
}

fn system(message: &str) -> ToolFailure {
    ToolFailure::new(ErrorType::System, message)
}
