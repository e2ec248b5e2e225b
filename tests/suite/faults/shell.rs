//! A session in which commands run, and what is left of them on the machine.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request, soon};
use uuid::Uuid;

/// A server and a client in one session.
pub(super) struct Shell {
    pub(super) server: TestServer,
    pub(super) client: TestClient,
}

/// What a command came to.
#[derive(Debug)]
pub(super) struct Ran {
    /// Its `tool-call-end`.
    pub(super) end: Value,
    /// What it put out live.
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Shell {
    pub(super) async fn start(arguments: &[&str]) -> Self {
        Self::start_with(ServerOptions::with(&[&["--approve", "auto"], arguments].concat())).await
    }

    pub(super) async fn start_with(options: ServerOptions) -> Self {
        let server = TestServer::start_with(options).await;
        let client = server.connect().await;
        Self { server, client }
    }

    /// Starts a command and returns its call's id.
    pub(super) async fn begin(&mut self, arguments: Value) -> String {
        let id = Uuid::new_v4().to_string();
        self.client.send(json!({"type": "call-tool", "callId": id, "tool": "bash", "arguments": arguments})).await;
        id
    }

    /// Waits for the end of a command.
    pub(super) async fn end_of(&mut self, id: &str) -> Ran {
        let end = self.client.until("the command's end", |f| f["type"] == "tool-call-end" && f["callId"] == id).await;
        let live = |stream: &str| {
            let chunks = self.client.frames.iter().filter(|f| f["type"] == "tool-output-chunk" && f["callId"] == id);
            chunks.filter(|f| f["stream"] == stream).filter_map(|f| f["chunk"].as_str()).collect()
        };
        Ran { stdout: live("stdout"), stderr: live("stderr"), end }
    }

    /// Runs a command to its end.
    pub(super) async fn run(&mut self, command: &str) -> Ran {
        let id = self.begin(json!({"command": command})).await;
        self.end_of(&id).await
    }

    /// Waits for this in what a command puts out.
    pub(super) async fn says(&mut self, id: &str, text: &str) {
        let says = |f: &Value| f["callId"] == id && f["chunk"].as_str().is_some_and(|chunk| chunk.contains(text));
        self.client.until(text, says).await;
    }

    /// The variable that a command's end names.
    pub(super) async fn value(&self, ran: &Ran) -> Value {
        let name = ran.end["outputVariable"].as_str().expect("it has a variable");
        let path = format!("/api/sessions/{}/variables/{name}", self.client.session());
        request(self.server.address(), "GET", &path, &[], b"").await.json()
    }

    /// The server goes on: another session's turn is answered, and the log has the call's end as the client got it.
    pub(super) async fn is_unharmed(&self, ran: &Ran) {
        let mut other = self.server.connect().await;
        other.ask("Calculate 6 * 7").await.answered().says("42");
        let path = format!("/api/sessions/{}/events?after=0&limit=1000", self.client.session());
        let log = request(self.server.address(), "GET", &path, &[], b"").await.json();
        let logged = log["events"].as_array().expect("events").contains(&ran.end);
        assert!(logged, "{:#} is not in the log", ran.end);
    }
}

/// Covers a part of `/proc`, as a container does, so that nobody gets a fresh one. In another namespace of users, because in this
/// one it could be uncovered.
const COVERED: &str = "mount --bind /dev/null /proc/kallsyms && exec unshare -Urm \"$@\"";

/// Each way in which commands are kept apart, by the name that clients are told, and a server that has it.
pub(crate) fn sandboxes() -> [(&'static str, ServerOptions); 3] {
    [
        ("on", ServerOptions::auto()),
        ("shared-processes", ServerOptions::auto().behind(&["unshare", "-Urm", "sh", "-c", COVERED, "sh"])),
        ("landlock-only", ServerOptions { without_namespaces: true, ..ServerOptions::auto() }),
    ]
}

/// The processes that have `marker` in their arguments.
pub(crate) fn marked(marker: &str) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let has_it = |pid: &i32| {
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(marker) && !is_dead(*pid)
    };
    pids.filter(has_it).collect()
}

/// Waits until `marked` finds as many as wanted.
pub(super) async fn until_marked(marker: &str, what: &str, wanted: impl Fn(usize) -> bool) {
    soon(what, async {
        while !wanted(marked(marker).len()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// Kills what a baseline left behind.
pub(super) fn kill_marked(marker: &str) {
    while let running @ [_, ..] = marked(marker).as_slice() {
        for pid in running.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Dead and not collected yet.
fn is_dead(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_none_or(|rest| rest.starts_with(['Z', 'X']) || rest.is_empty())
}

/// Whether this process may do what only the machine's administrator may (`CAP_SYS_ADMIN`).
pub(crate) fn is_administrator() -> bool {
    const CAP_SYS_ADMIN: u64 = 1 << 21;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    effective.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & CAP_SYS_ADMIN != 0)
}

/// A control group of the test's own, in the hierarchy of version 1 that limits this; `None` where none can be made.
pub(super) struct Group(PathBuf);

impl Group {
    pub(super) fn make(controller: &str) -> Option<Self> {
        let group = PathBuf::from(format!("/sys/fs/cgroup/{controller}/switchboard-test-{}", Uuid::new_v4()));
        std::fs::create_dir(&group).ok().map(|()| Self(group))
    }

    pub(super) fn set(&self, file: &str, value: &str) {
        std::fs::write(self.0.join(file), value).unwrap_or_else(|error| panic!("{file}: {error}"));
    }

    pub(super) fn number(&self, file: &str) -> u64 {
        std::fs::read_to_string(self.0.join(file)).ok().and_then(|text| text.trim().parse().ok()).unwrap_or_default()
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.0
    }

    /// Kills all that is in it: what cannot make more, because the group is full, ends.
    pub(super) fn kill(&self) {
        loop {
            let inside = std::fs::read_to_string(self.0.join("cgroup.procs")).unwrap_or_default();
            if inside.is_empty() {
                return;
            }
            for signal in [Signal::STOP, Signal::KILL] {
                for pid in inside.lines().filter_map(|line| line.parse().ok()).filter_map(Pid::from_raw) {
                    let _ = kill_process(pid, signal);
                }
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        // Groups of calls inside it go first.
        for inside in std::fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let _ = std::fs::remove_dir(inside.path());
        }
        let _ = std::fs::remove_dir(&self.0);
    }
}
