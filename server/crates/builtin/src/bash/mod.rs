//! `bash`: runs a shell command in the sandbox, with its output as it comes, and ends it with all that it started.

mod capture;
mod ending;
mod guard;
mod limits;
mod places;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{ErrorType, Risk, SandboxState, ToolDefinition};

use self::capture::Capture;
use self::ending::ended;
use self::limits::{FILE_BYTES, FREE_BYTES, MEMORY_BYTES, PROCESSES};
use super::schema;
use switchboard_sandbox::{Confinement, Isolation, Network, RunSpec, WorkerProgram, run};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};
use switchboard_workspace::{DeniedLocations, EntryKind};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_SECONDS: f64 = 60.0;
const MAX_COMMAND_CHARS: usize = 32 * 1024;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellConfig {
    /// How they are kept in.
    pub sandbox: Sandbox,
    /// How long one may run when nobody says so, at most a minute.
    pub timeout: Duration,
    /// What is started as the worker of each.
    pub worker: WorkerProgram,
    /// A file that each worker holds locked while it lives.
    pub lock: Option<PathBuf>,
}

/// Not kept in, for five seconds.
impl Default for ShellConfig {
    fn default() -> Self {
        Self { sandbox: Sandbox::Off, timeout: DEFAULT_TIMEOUT, worker: WorkerProgram::own(), lock: None }
    }
}

/// Runs commands.
pub(super) struct Bash {
    spec: ToolSpec,
    config: ShellConfig,
}

impl Bash {
    pub(super) fn new(config: ShellConfig) -> Self {
        let mut spec = ToolSpec::new(definition(config.timeout));
        spec.time_limit = Duration::from_secs_f64(MAX_SECONDS);
        Self { spec, config }
    }

    async fn run(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let command = text("command").unwrap_or_default();
        let folder = text("working_dir").unwrap_or(".");
        let working_dir = working_dir(context, folder).await?;
        let temp = tempfile::Builder::new().prefix("switchboard-").tempdir();
        let temp = temp.map_err(|error| system(&format!("a temporary folder could not be created: {error}")))?;
        let spec = RunSpec {
            command: vec!["/bin/bash".to_owned(), "-c".to_owned(), command.to_owned()],
            working_dir,
            environment: environment(context, temp.path()),
            grace_ms: u64::try_from(GRACE.as_millis()).unwrap_or(u64::MAX),
            memory_bytes: MEMORY_BYTES,
            file_bytes: FILE_BYTES,
            free_bytes: FREE_BYTES,
            processes: PROCESSES,
            lock: self.config.lock.clone(),
            confinement: self.confinement(context, temp.path().to_owned(), wants_network(arguments)).await?,
        };
        let mut capture = Capture::new(context.output.clone());
        let outcome = run(&self.config.worker, &spec, &mut capture, &context.cancellation).await;
        let outcome = outcome.map_err(|error| system(&format!("the command could not be run: {error}")))?;
        ended(&outcome, &capture)
    }

    /// What it may reach; `None` is all that the server can.
    async fn confinement(
        &self,
        context: &ToolContext,
        temp: PathBuf,
        network: bool,
    ) -> Result<Option<Confinement>, ToolFailure> {
        let (readable, denied, open, isolation) = match &self.config.sandbox {
            Sandbox::Off => return Ok(None),
            Sandbox::Unavailable(why) => return Err(ending::not_confined(why)),
            Sandbox::On { readable, denied, network, isolation } => (readable, denied, *network, *isolation),
        };
        let denied_paths = denied_locations(context).await?;
        Ok(Some(Confinement {
            writable: vec![context.workspace.root().to_owned(), temp],
            readable: readable.clone(),
            denied: denied.iter().cloned().chain(denied_paths.to_all).collect(),
            read_only: denied_paths.for_changes.into_iter().collect(),
            network: if network { open } else { Network::Closed },
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

async fn working_dir(context: &ToolContext, folder: &str) -> Result<PathBuf, ToolFailure> {
    let workspace = &context.workspace;
    let relative = workspace.relative(folder).map_err(ToolFailure::from)?;
    if workspace.metadata(folder).await.map_err(ToolFailure::from)?.kind != EntryKind::Directory {
        let refused = ToolFailure::new(ErrorType::User, format!("working_dir {folder} is not a folder"));
        return Err(refused.suggesting("Name a folder in the workspace; list_directory shows them."));
    }
    Ok(workspace.root().join(relative.as_str()))
}

fn definition(timeout: Duration) -> ToolDefinition {
    ToolDefinition {
        name: "bash".to_owned(),
        description: "Run a shell command in the workspace with bash and return its output and exit code. Execute \
                      programs, scripts, builds, tests, git. No network unless asked for, no input from the keyboard."
            .to_owned(),
        module: "shell".to_owned(),
        parameters: schema::arguments(
            &["command"],
            json!({
                "command": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MAX_COMMAND_CHARS,
                    "description": "The command line, such as \"ls -la\" or \"npm test\".",
                },
                "description": {
                    "type": "string",
                    "maxLength": 200,
                    "description": "What it does, in 5 to 10 words.",
                },
                "timeout": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": MAX_SECONDS,
                    "default": timeout.as_secs_f64(),
                    "description": "Seconds after which it is ended, at most 60.",
                },
                "working_dir": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The folder it runs in, relative to the workspace.",
                },
                "network": {
                    "type": "boolean",
                    "default": false,
                    "description": "Whether it may reach the network; the user is asked about that.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "output": {"type": "string", "description": "Standard output."},
            "error": {"type": "string", "description": "Standard error."},
            "return_code": {"type": "integer", "description": "The exit code; 128 and the number of the signal that ended it."},
            "signal": {"type": "string", "description": "The signal that ended it, such as SIGKILL; absent if none did."},
            "output_base64": {"type": "string", "description": "The exact bytes of the output, if they are not UTF-8."},
            "error_base64": {"type": "string", "description": "The exact bytes of standard error, if they are not UTF-8."},
        }))),
        example: json!({"command": "npm test", "description": "Run the test suite", "timeout": 30}),
        risk: Risk::Execute,
    }
}

fn wants_network(arguments: &Map<String, Value>) -> bool {
    arguments.get("network").and_then(Value::as_bool).unwrap_or_default()
}

/// All that a command sees of the environment: nothing of the server's own.
fn environment(context: &ToolContext, temp: &std::path::Path) -> BTreeMap<String, String> {
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

#[async_trait]
impl Tool for Bash {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn risk(&self, arguments: &Map<String, Value>) -> Risk {
        if wants_network(arguments) { Risk::Network } else { Risk::Execute }
    }

    fn time_limit(&self, arguments: &Map<String, Value>) -> Duration {
        let seconds = arguments.get("timeout").and_then(Value::as_f64);
        seconds.map_or(self.config.timeout, |seconds| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)))
    }

    fn guard(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        let command = arguments.get("command").and_then(Value::as_str).unwrap_or_default();
        match (guard::refuse(command), &self.config.sandbox) {
            (Some(refusal), _) => Err(refusal),
            (None, Sandbox::Unavailable(why)) => Err(ending::not_confined(why)),
            (None, Sandbox::On { network: Network::Closed, .. }) if wants_network(arguments) => {
                Err(ending::no_network())
            }
            (None, _) => Ok(()),
        }
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        let description = arguments.get("description").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        Some(description.or_else(|| arguments.get("command")?.as_str())?.to_owned())
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.run(context, arguments).await.into()
    }
}
