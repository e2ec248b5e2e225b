//! MCP servers for tests: the file that names them, real ones from npm, the scripted one, and their processes.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Duration, sleep};

use crate::{HANG, ServerOptions, TestServer, request, soon};

/// How long to wait before something that tells nobody of its changes is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A folder of MCP servers: their file lies in it, and their processes work in it.
#[derive(Debug)]
pub struct McpFolder(TempDir);

impl Default for McpFolder {
    fn default() -> Self {
        Self(tempfile::Builder::new().prefix("switchboard-mcp-").tempdir().expect("a temporary folder"))
    }
}

impl McpFolder {
    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Starts Switchboard with these MCP servers and these further arguments.
    pub async fn start(&self, servers: Value, arguments: &[&str]) -> TestServer {
        TestServer::start_with(self.options(servers, arguments)).await
    }

    /// What starts Switchboard with these MCP servers.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "servers are made where they are named")]
    pub fn options(&self, servers: Value, arguments: &[&str]) -> ServerOptions {
        let file = self.path().join("mcp.json");
        std::fs::write(&file, json!({"mcpServers": servers}).to_string()).expect("the file is written");
        let mut options = ServerOptions::with(arguments);
        options.arguments.extend(["--mcp".to_owned(), file.display().to_string()]);
        options
    }

    /// An entry for the scripted server, which keeps what it was told in this folder.
    #[must_use]
    pub fn scripted(&self, mode: &str) -> Value {
        json!({"command": scripted_mcp(), "args": [self.path(), mode]})
    }

    /// What the scripted server was told, one per line.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("told")).unwrap_or_default();
        text.lines().map(ToOwned::to_owned).collect()
    }

    /// Waits until the scripted server was told this.
    pub async fn until_told(&self, what: &str) {
        self.until_told_like(what, |line| line == what).await;
    }

    /// Waits until the scripted server was told something that fits; what that was.
    pub async fn until_told_like(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        soon(&format!("{what:?}, which the MCP server is told"), async {
            loop {
                if let Some(line) = self.told().into_iter().find(|line| fits(line)) {
                    return line;
                }
                sleep(LOOK_AGAIN).await;
            }
        })
        .await
    }

    /// The processes that work in this folder, with their command lines.
    #[must_use]
    pub fn processes(&self) -> Vec<(Pid, String)> {
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let inside =
            |process: &Path| std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(self.0.path()));
        let found = processes.flatten().filter(|process| inside(&process.path())).filter_map(|process| {
            let pid = process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
            let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            Some((pid, String::from_utf8_lossy(&command).replace('\0', " ").trim().to_owned()))
        });
        found.collect()
    }

    /// Kills the one process whose command line begins with this, as a crash would.
    pub fn kill(&self, command: impl AsRef<Path>) -> Pid {
        let (processes, command) = (self.processes(), command.as_ref().display().to_string());
        let found = processes.iter().find(|(_, line)| line.starts_with(&command));
        let (pid, _) = found.unwrap_or_else(|| panic!("no {command:?} in {processes:#?}"));
        kill_process(*pid, Signal::KILL).expect("the process is killed");
        *pid
    }

    /// Waits until no process works in this folder.
    pub async fn until_none_runs(&self) {
        soon("the end of all MCP servers", async {
            while !self.processes().is_empty() {
                sleep(LOOK_AGAIN).await;
            }
        })
        .await;
    }
}

impl Drop for McpFolder {
    fn drop(&mut self) {
        for (pid, _) in self.processes() {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// The program of the scripted server.
#[must_use]
pub fn scripted_mcp() -> PathBuf {
    crate::server::built("scripted_mcp")
}

/// The script of a server of npm's `@modelcontextprotocol`, such as `server-memory`.
#[must_use]
pub fn npm_server(name: &str) -> PathBuf {
    npm_file(&format!("@modelcontextprotocol/{name}/dist/index.js"))
}

/// A file of npm's packages, such as `node/bin/node`; `tests/run` installs them.
#[must_use]
pub fn npm_file(path: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp/node_modules").join(path);
    assert!(file.is_file(), "{path} is not installed: say `npm ci` in tests/mcp");
    file
}

/// An entry for a server of npm's, with these arguments.
#[must_use]
pub fn npm_entry(name: &str, arguments: &[&str]) -> Value {
    let script = npm_server(name).display().to_string();
    let arguments: Vec<_> = std::iter::once(script.as_str()).chain(arguments.iter().copied()).collect();
    json!({"command": "node", "args": arguments})
}

impl TestServer {
    /// Whether there is a tool of this name.
    pub async fn has_tool(&self, name: &str) -> bool {
        let tools = request(self.address(), "GET", "/api/tools", &[], b"").await.json();
        tools["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name))
    }

    /// Waits until there is a tool of this name.
    pub async fn until_tool(&self, name: &str) {
        let waited = tokio::time::timeout(HANG, async {
            while !self.has_tool(name).await {
                sleep(LOOK_AGAIN).await;
            }
        });
        if waited.await.is_err() {
            panic!("no tool {name} within {HANG:?}: {:#}", self.mcp().await);
        }
    }

    /// Waits until this MCP server is ready; what is known of it.
    pub async fn until_mcp_ready(&self, name: &str) -> Value {
        soon(&format!("the MCP server {name}"), async {
            loop {
                let servers = self.mcp().await;
                let all = servers["servers"].as_array().into_iter().flatten();
                match all.clone().find(|server| server["name"] == name && server["state"] == "ready") {
                    Some(server) => return server.clone(),
                    None => sleep(LOOK_AGAIN).await,
                }
            }
        })
        .await
    }

    async fn mcp(&self) -> Value {
        request(self.address(), "GET", "/api/mcp", &[], b"").await.json()
    }
}
