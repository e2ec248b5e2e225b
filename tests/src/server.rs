//! The built binary, started on a free port with a workspace and a data folder of its own.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use uuid::Uuid;

use crate::{TestClient, soon};

/// How a server is started.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// Further arguments.
    pub arguments: Vec<String>,
    /// Further environment.
    pub environment: Vec<(String, String)>,
    /// The tools' folder, if it is not the server's own.
    pub workspace: Option<PathBuf>,
    /// The kernel it sees has no Landlock.
    pub without_landlock: bool,
    /// The kernel it sees has a Landlock that knows of no ports.
    pub without_landlock_ports: bool,
    /// The kernel it sees gives nobody namespaces.
    pub without_namespaces: bool,
    /// The kernel it sees has no netlink.
    pub without_netlink: bool,
    /// Programs that start it, with their arguments: they make what it sees of the machine.
    pub behind: Vec<String>,
    /// It sees no `/proc`; only root can start it so.
    pub without_proc: bool,
    /// It is killed in the moment in which it gives a file of the workspace's own folder its name.
    pub killed_at_rename: bool,
    /// It is killed at this point, as `killed_at` reads it.
    pub killed_at: Option<String>,
    /// What `strace` traces of its calls to the write-ahead log, or does to them, as its arguments.
    pub log_calls: Vec<String>,
}

impl ServerOptions {
    /// Nothing asks.
    #[must_use]
    pub fn auto() -> Self {
        Self::with(&["--approve", "auto"])
    }

    /// These arguments.
    #[must_use]
    pub fn with(arguments: &[&str]) -> Self {
        Self { arguments: arguments.iter().map(ToString::to_string).collect(), ..Self::default() }
    }

    /// The same behind these programs, one started by the other.
    #[must_use]
    pub fn behind(mut self, programs: &[&str]) -> Self {
        self.behind.extend(programs.iter().map(ToString::to_string));
        self
    }

    /// The same with a language model: an OpenAI-compatible API at this address, used by this reasoner.
    #[must_use]
    pub fn model(mut self, base_url: &str, reasoner: &str) -> Self {
        let model = ["--llm-provider", "compatible", "--llm-base-url", base_url, "--llm-model", "scripted"];
        self.arguments.extend(model.iter().chain(&["--reasoner", reasoner]).map(ToString::to_string));
        self
    }

    /// The same with one behind Anthropic's API at this address, and this key.
    #[must_use]
    pub fn anthropic(mut self, base_url: &str, reasoner: &str, key: &str) -> Self {
        let model = ["--llm-provider", "anthropic", "--llm-base-url", base_url, "--llm-model", "scripted"];
        self.arguments.extend(model.iter().chain(&["--reasoner", reasoner]).map(ToString::to_string));
        self.environment.push(("ANTHROPIC_API_KEY".to_owned(), key.to_owned()));
        self
    }
}

/// A running server; killed with all it started when dropped.
#[derive(Debug)]
pub struct TestServer {
    folder: TempDir,
    options: ServerOptions,
    running: Option<Running>,
    stderr: Arc<Mutex<String>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    address: String,
    stdout: Arc<Mutex<String>>,
}

impl TestServer {
    /// Starts a server whose tools run without asking.
    pub async fn start() -> Self {
        Self::start_with(ServerOptions::auto()).await
    }

    /// Starts a server.
    pub async fn start_with(options: ServerOptions) -> Self {
        let mut server = Self::prepare(options);
        server.start_again().await;
        server
    }

    /// Makes the folders, starts nothing.
    #[must_use]
    pub fn prepare(options: ServerOptions) -> Self {
        let folder = tempfile::Builder::new().prefix("switchboard-").tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("workspace")).expect("a workspace");
        std::fs::write(folder.path().join("settings.toml"), "").expect("a settings file");
        Self { folder, options, running: None, stderr: Arc::default() }
    }

    /// Starts the server again on the same folders, on another port.
    pub async fn start_again(&mut self) {
        self.start_on("127.0.0.1:0").await;
    }

    /// Starts the server on this address.
    pub async fn start_on(&mut self, listen: &str) {
        let is_ready = self.try_start_on(listen).await;
        assert!(is_ready, "the server ended before it was ready:\n{}", self.stderr());
    }

    /// Starts the server on this address; whether it became ready.
    pub async fn try_start_on(&mut self, listen: &str) -> bool {
        let mut child = self.command(listen).spawn().expect("the server starts; build it first");
        let stdout = Arc::<Mutex<String>>::default();
        let mut lines = BufReader::new(child.stdout.take().expect("standard output is a pipe")).lines();
        let mut errors = BufReader::new(child.stderr.take().expect("standard error is a pipe")).lines();
        let collected = Arc::clone(&self.stderr);
        #[expect(clippy::disallowed_methods, reason = "the task ends with the server's standard error")]
        tokio::spawn(async move {
            while let Ok(Some(line)) = errors.next_line().await {
                let mut text = collected.lock().unwrap_or_else(PoisonError::into_inner);
                text.push_str(&line);
                text.push('\n');
            }
        });
        let address = soon("the server's address", async {
            while let Ok(Some(line)) = lines.next_line().await {
                stdout.lock().unwrap_or_else(PoisonError::into_inner).push_str(&format!("{line}\n"));
                if let Some((_, address)) = line.split_once("http://") {
                    let address = address.split(['/', ' ', '?']).next().unwrap_or_default();
                    return Some(address.to_owned());
                }
            }
            None
        });
        let Some(address) = address.await else { return false };
        let collected = Arc::clone(&stdout);
        #[expect(clippy::disallowed_methods, reason = "the task ends with the server's standard output")]
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                collected.lock().unwrap_or_else(PoisonError::into_inner).push_str(&format!("{line}\n"));
            }
        });
        self.running = Some(Running { child, address, stdout });
        true
    }

    /// The program, under what stands around it.
    fn program(&self) -> Command {
        let ServerOptions { without_landlock, without_landlock_ports, without_namespaces, without_netlink, .. } =
            self.options;
        if without_landlock || without_landlock_ports || without_namespaces || without_netlink {
            let mut command = match self.options.without_proc {
                true => Command::new("unshare"),
                false => Command::new(built("without_landlock")),
            };
            if self.options.without_proc {
                command.args(["-m", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]);
                command.arg(built("without_landlock"));
            }
            command.args(without_landlock_ports.then_some("--ports"));
            command.args(without_namespaces.then_some("--namespaces"));
            command.args(without_netlink.then_some("--netlink")).arg(binary());
            return command;
        }
        if let [program, arguments @ ..] = self.options.behind.as_slice() {
            let mut command = Command::new(program);
            command.args(arguments).arg(binary());
            return command;
        }
        if self.options.killed_at_rename {
            let mut command = Command::new("strace");
            // As a grandchild, so that the server keeps its place; the call itself is not made.
            command.args(["-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat,renameat2", "-P"]);
            command.arg(self.workspace().canonicalize().expect("the workspace is there"));
            command.args(["-e", "inject=renameat,renameat2:error=EIO:signal=SIGKILL", "--"]).arg(binary());
            return command;
        }
        if !self.options.log_calls.is_empty() {
            let data = self.data().canonicalize().expect("it was started before");
            let mut command = Command::new("strace");
            // As a grandchild, so that the server keeps its place.
            command.args(["-D", "-f", "-qq", "-s", "0", "-o"]).arg(self.log_trace());
            command.arg("-P").arg(data.join("switchboard.db-wal"));
            command.args(&self.options.log_calls).arg("--").arg(binary());
            return command;
        }
        if let Some(point) = &self.options.killed_at {
            let mut command = Command::new(built("killed_at"));
            command.env("KILLED_AT", point);
            return command;
        }
        Command::new(binary())
    }

    /// The command that starts the server.
    #[must_use]
    pub fn command(&self, listen: &str) -> Command {
        let mut command = self.program();
        // The models of whoever runs the tests are none of theirs.
        for variable in ["OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "OPENROUTER", "OLLAMA", "LLM"] {
            command.env_remove(format!("{variable}_API_KEY")).env_remove(format!("{variable}_BASE_URL"));
        }
        if !self.options.arguments.iter().any(|argument| argument.starts_with("--llm")) {
            command.env("SWITCHBOARD_LLM", "off");
        }
        command
            // Commands that wait for a test may take as long as they need.
            .args(["--bash-timeout", "60", "--listen", listen, "--workspace"])
            .arg(self.workspace())
            .arg("--data")
            .arg(self.data())
            .arg("--config")
            .arg(self.folder.path().join("settings.toml"))
            .args(&self.options.arguments)
            .envs(self.options.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())))
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Whether it is killed at the next start in the moment in which it gives a file its name.
    pub fn set_killed_at_rename(&mut self, killed: bool) {
        self.options.killed_at_rename = killed;
    }

    /// Whether it is killed at a point after the next start.
    pub fn set_killed_at(&mut self, point: Option<String>) {
        self.options.killed_at = point;
    }

    /// What is traced of the calls to the write-ahead log after the next start, or done to them, as `strace` reads it.
    pub fn set_log_calls(&mut self, calls: &[&str]) {
        self.options.log_calls = calls.iter().map(ToString::to_string).collect();
    }

    /// Where that trace is.
    #[must_use]
    pub fn log_trace(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    /// Other arguments for the next start.
    pub fn set_arguments(&mut self, arguments: &[&str]) {
        self.options.arguments = arguments.iter().map(ToString::to_string).collect();
    }

    /// `host:port`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.running().address
    }

    /// The tools' folder.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.options.workspace.clone().unwrap_or_else(|| self.folder.path().join("workspace"))
    }

    /// The server's own folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The settings file, empty at first.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.folder.path().join("settings.toml")
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.running().child.id().expect("the server runs")
    }

    /// What the server has said on its standard error.
    #[must_use]
    pub fn stderr(&self) -> String {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the server has said on its standard output.
    #[must_use]
    pub fn stdout(&self) -> String {
        self.running().stdout.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes a file into the workspace.
    pub fn file(&self, path: &str, content: &str) {
        let path = self.workspace().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is made");
        std::fs::write(path, content).expect("the file is written");
    }

    /// Reads a file of the workspace.
    #[must_use]
    pub fn content(&self, path: &str) -> String {
        let path = self.workspace().join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A client in a new session.
    pub async fn connect(&self) -> TestClient {
        TestClient::connect(self.address(), "").await
    }

    /// A client in this session, with everything after `after`.
    pub async fn connect_to(&self, session: Uuid, after: u64) -> TestClient {
        TestClient::connect(self.address(), &format!("?session={session}&after={after}")).await
    }

    /// Ends the server as a crash would, and the commands it left behind.
    pub async fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ended().await;
        kill_left_behind(self.folder.path());
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(pid, signal).expect("the signal is sent");
    }

    /// Waits until the server has ended.
    pub async fn ended(&mut self) -> ExitStatus {
        let mut running = self.running.take().expect("the server runs");
        soon("the server's end", running.child.wait()).await.expect("the server can be waited for")
    }

    fn running(&self) -> &Running {
        self.running.as_ref().expect("the server runs")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            let _ = running.child.start_kill();
        }
        kill_left_behind(self.folder.path());
        if std::thread::panicking() {
            eprintln!("--- the server's stderr ---\n{}--- end ---", self.stderr());
        }
    }
}

/// Kills processes that work inside `folder`: commands that a killed server could not end.
fn kill_left_behind(folder: &Path) {
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let inside = std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        let pid = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        if let (true, Some(pid)) = (inside, pid) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// The server's binary: `SWITCHBOARD_BINARY`, else the one beside the running test.
#[must_use]
pub fn binary() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own")]
    if let Ok(binary) = std::env::var("SWITCHBOARD_BINARY") {
        return binary.into();
    }
    built("switchboard")
}

/// A binary of this workspace, built beside the running test.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test knows where it is");
    let profile = test.ancestors().find(|folder| folder.join(name).is_file());
    profile.expect("it is built: cargo build --workspace").join(name)
}
