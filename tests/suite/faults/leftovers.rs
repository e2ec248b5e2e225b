//! G02: what is left of many commands of every kind, in the server and on the machine: no process, descriptor, mount,
//! namespace, control group or folder.
//!
//! Each command says which namespaces and groups it is in, so that they can be told from those of other tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use switchboard_tests::{HANG, ServerOptions, TestClient, TestServer};
use uuid::Uuid;

use super::shell::{marked, sandboxes};

/// As many sessions run commands at once.
const SESSIONS: usize = 4;

/// What a command puts out first: where it is.
const WHERE: &str = "cat /proc/self/cgroup; readlink /proc/self/ns/*; echo begun";

/// A kind of command: its arguments, and the error that it ends with.
struct Kind {
    arguments: Value,
    error: Option<&'static str>,
    is_cancelled: bool,
}

/// Of each kind one; all but the first leave something behind, if nobody ends it.
fn kinds(marker: &str) -> [Kind; 8] {
    let kind = |script: &str, more: Value, error| {
        let script = script.replace("{marker}", marker);
        let mut arguments = json!({"command": format!("{WHERE}; {script}"), "timeout": 30});
        arguments.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        Kind { arguments, error, is_cancelled: false }
    };
    let children = "sleep {marker} & setsid nohup sleep {marker} >/dev/null 2>&1 & (setsid sleep {marker} &)";
    let cancelled = kind(&format!("{children}; sleep {{marker}}"), json!({}), Some("user_error"));
    [
        kind("true", json!({}), None),
        kind(children, json!({}), None),
        kind("for place in /tmp /dev/shm $TMPDIR; do mkdir -p $place/d; mkfifo $place/p; done; true", json!({}), None),
        kind(children, json!({"network": true}), None),
        kind(&format!("{children}; exit 3"), json!({}), Some("user_error")),
        kind(&format!("{children}; kill -KILL $$"), json!({}), Some("user_error")),
        kind(&format!("{children}; sleep {{marker}}"), json!({"timeout": 0.5}), Some("timeout_error")),
        Kind { is_cancelled: true, ..cancelled },
    ]
}

/// Runs a command to its end, as its kind wants; what it put out.
async fn call(client: &mut TestClient, kind: &Kind) -> String {
    let id = Uuid::new_v4().to_string();
    let own = |frame: &Value, name: &str| frame["type"] == name && frame["callId"] == id.as_str();
    client.frames.clear();
    client.send(json!({"type": "call-tool", "callId": id, "tool": "bash", "arguments": kind.arguments})).await;
    if kind.is_cancelled {
        let begun = |f: &Value| own(f, "tool-output-chunk") && f["chunk"].to_string().contains("begun");
        client.until("its output", begun).await;
        client.send(json!({"type": "cancel"})).await;
    }
    let end = client.until("the command's end", |frame| own(frame, "tool-call-end")).await;
    assert_eq!(end["errorType"].as_str(), kind.error, "{}: {end:#}", kind.arguments);
    let chunks = client.frames.iter().filter(|frame| own(frame, "tool-output-chunk"));
    chunks.filter_map(|frame| frame["chunk"].as_str()).collect()
}

/// Where commands were: `mnt:[4026532201]`, `switchboard-call-77`.
#[derive(Default)]
struct Places {
    namespaces: BTreeSet<String>,
    groups: BTreeSet<String>,
}

impl Places {
    fn add(&mut self, output: &str) {
        for line in output.lines() {
            if let Some((_, group)) = line.split_once("/switchboard-call-") {
                self.groups.insert(format!("switchboard-call-{group}"));
            } else if line.ends_with(']') && line.contains(":[") {
                self.namespaces.insert(line.to_owned());
            }
        }
    }
}

/// What the kernel says of a server, and what it has on the disk for its commands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Facts {
    descriptors: BTreeMap<String, usize>,
    /// How many: one of them is ready for the next command, and another one each time.
    children: usize,
    mounts: BTreeSet<String>,
    folders: BTreeSet<PathBuf>,
}

impl Facts {
    /// As it is when nothing has changed for half a second.
    async fn at_rest(server: &TestServer, temp: &Path) -> Self {
        let (mut facts, mut since) = (Self::of(server, temp), Instant::now());
        while since.elapsed() < Duration::from_millis(500) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let now = Self::of(server, temp);
            if now != facts {
                (facts, since) = (now, Instant::now());
            }
        }
        facts
    }

    fn of(server: &TestServer, temp: &Path) -> Self {
        let own = PathBuf::from(format!("/proc/{}", server.pid()));
        let mut descriptors = BTreeMap::new();
        for target in links(&own.join("fd")) {
            // `socket:[4711]` is another one each time.
            let kind = target.split_once(":[").map_or(target.as_str(), |(kind, _)| kind).to_owned();
            *descriptors.entry(kind).or_default() += 1;
        }
        let mounts = fs::read_to_string(own.join("mountinfo")).expect("the server runs");
        Self {
            descriptors,
            children: children(&own).len(),
            mounts: mounts.lines().map(str::to_owned).collect(),
            folders: entries(temp).into_iter().collect(),
        }
    }
}

/// The processes that a process has started, by their folders in `/proc`.
fn children(process: &Path) -> Vec<PathBuf> {
    let threads = entries(&process.join("task"));
    let children = threads.iter().map(|thread| fs::read_to_string(thread.join("children")).unwrap_or_default());
    children.flat_map(|line| words(&line)).map(|pid| Path::new("/proc").join(pid)).collect()
}

/// The worker that is ready for the next command, with its second half: the kernel gives its namespaces the numbers of
/// earlier ones.
fn ready(server: &TestServer) -> Vec<PathBuf> {
    let workers = children(&PathBuf::from(format!("/proc/{}", server.pid())));
    let halves = workers.first().map(|worker| children(worker)).unwrap_or_default();
    let rest: Vec<PathBuf> = halves.iter().flat_map(|half| children(half)).collect();
    let is_ready = [workers.len(), halves.len(), rest.len()] == [1, 1, 0];
    if is_ready { [workers, halves].concat() } else { Vec::new() }
}

/// Whether it is of another test: begun by this process, and not by the server. The kernel gives what it holds the numbers
/// of earlier namespaces, too.
fn is_anothers(process: &Path, server: &TestServer) -> bool {
    let parent = |process: &PathBuf| {
        let status = fs::read_to_string(process.join("status")).ok()?;
        let pid = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        Some(Path::new("/proc").join(pid.trim()))
    };
    let [tests, server] = [std::process::id(), server.pid()].map(|pid| Path::new("/proc").join(pid.to_string()));
    let mut ancestors = std::iter::successors(Some(process.to_owned()), parent);
    ancestors.find(|ancestor| [&tests, &server].contains(&ancestor)) == Some(tests)
}

/// What of these commands is still on the machine.
fn left(server: &TestServer, marker: &str, places: &Places) -> Vec<String> {
    let mut found: Vec<String> = marked(marker).iter().map(|pid| format!("process {pid} of a command")).collect();
    let folder = server.workspace().parent().expect("its folder").to_owned();
    let ready = ready(server);
    let processes = entries(Path::new("/proc")).into_iter().filter(|path| path.join("ns").exists());
    for process in processes.filter(|process| !ready.contains(process) && !is_anothers(process, server)) {
        let name = process.display();
        let open = links(&process.join("fd"));
        if !process.ends_with(server.pid().to_string()) && open.iter().any(|path| Path::new(path).starts_with(&folder))
        {
            found.push(format!("{name} has files of the server open"));
        }
        let held: BTreeSet<String> = links(&process.join("ns")).into_iter().chain(open).collect();
        found.extend(held.intersection(&places.namespaces).map(|namespace| format!("{namespace}, held by {name}")));
        let mounts = fs::read_to_string(process.join("mountinfo")).unwrap_or_default();
        let mounted = mounts.lines().filter(|line| line.contains(" nsfs ")).flat_map(words);
        found.extend(mounted.filter(|word| places.namespaces.contains(word)).map(|word| format!("{word}, mounted")));
    }
    found.extend(groups(Path::new("/sys/fs/cgroup")).intersection(&places.groups).cloned());
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// What the symbolic links in a folder name.
fn links(folder: &Path) -> Vec<String> {
    let targets = entries(folder).into_iter().filter_map(|path| fs::read_link(path).ok());
    targets.map(|target| target.to_string_lossy().into_owned()).collect()
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// The names of all groups in there.
fn groups(folder: &Path) -> BTreeSet<String> {
    let inside = entries(folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink());
    inside
        .flat_map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            groups(&path).into_iter().chain([name]).collect::<Vec<_>>()
        })
        .collect()
}

/// Runs so many commands in several sessions; each sandbox has another server.
async fn nothing_is_left_of(calls: usize) {
    for (sandbox, options) in sandboxes() {
        let temp = tempfile::tempdir().expect("a folder");
        let variable = ("TMPDIR".to_owned(), temp.path().display().to_string());
        let server = TestServer::start_with(ServerOptions { environment: vec![variable], ..options }).await;
        let marker = format!("6{}", Uuid::new_v4().as_u128() % 1_000_000_000);
        let kinds = kinds(&marker);
        let mut clients = join_all((0..SESSIONS).map(|_| server.connect())).await;
        assert_eq!(clients[0].ready["sandbox"]["mode"], sandbox);
        // What is opened once, and stays.
        for (client, kind) in clients.iter_mut().zip(&kinds) {
            call(client, kind).await;
        }
        let own: BTreeSet<String> = links(&PathBuf::from(format!("/proc/{}/ns", server.pid()))).into_iter().collect();
        let before = Facts::at_rest(&server, temp.path()).await;

        // Baseline: while a command runs there is something of each kind to see.
        let (mut places, running) = while_one_runs(&server, &mut clients[0], &marker).await;
        places.namespaces.retain(|namespace| !own.contains(namespace));
        let during = Facts::at_rest(&server, temp.path()).await;
        assert!(left(&server, &marker, &places).len() >= 2, "{sandbox}: {:?}", left(&server, &marker, &places));
        assert_eq!(during.children, before.children + 1, "{sandbox}");
        assert_eq!(during.folders.len(), before.folders.len() + 1, "{sandbox}");
        assert!(
            during.descriptors.values().sum::<usize>() > before.descriptors.values().sum(),
            "{sandbox}: {during:#?} {before:#?}"
        );
        assert_eq!(places.namespaces.is_empty(), sandbox == "landlock-only", "{sandbox}");
        clients[0].send(json!({"type": "cancel"})).await;
        clients[0].until("its end", |f| f["type"] == "tool-call-end" && f["callId"] == running.as_str()).await;

        let kinds = &kinds;
        let said = join_all(clients.iter_mut().enumerate().map(|(session, client)| async move {
            let mut said = String::new();
            for number in (session..calls).step_by(SESSIONS) {
                said.push_str(&call(client, &kinds[number / SESSIONS % kinds.len()]).await);
            }
            said
        }))
        .await;

        said.iter().for_each(|said| places.add(said));
        places.namespaces.retain(|namespace| !own.contains(namespace));
        settled(sandbox, || {
            let (now, left) = (Facts::of(&server, temp.path()), left(&server, &marker, &places));
            let is_as_before = now == before && left.is_empty();
            if is_as_before { Ok(()) } else { Err(format!("{left:#?}\nbefore {before:#?}\nnow {now:#?}")) }
        })
        .await;
    }
}

/// Begins a command that runs on; where it is, and its call's id.
async fn while_one_runs(server: &TestServer, client: &mut TestClient, marker: &str) -> (Places, String) {
    let id = Uuid::new_v4().to_string();
    let arguments = json!({"command": format!("{{ {WHERE}; }} > where; echo begun; sleep {marker}"), "timeout": 60});
    client.send(json!({"type": "call-tool", "callId": id, "tool": "bash", "arguments": arguments})).await;
    client.until("its output", |f| f["callId"] == id.as_str() && f["chunk"].to_string().contains("begun")).await;
    let mut places = Places::default();
    places.add(&server.content("where"));
    (places, id)
}

/// Waits until it is so: what has ended is collected a moment later.
async fn settled(what: &str, is_so: impl Fn() -> Result<(), String>) {
    let begun = Instant::now();
    while let Err(why) = is_so() {
        assert!(begun.elapsed() < HANG / 4, "{what}: {why}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn g02_nothing_is_left_after_a_hundred_calls_of_every_kind() {
    nothing_is_left_of(100).await;
}

#[tokio::test]
#[ignore = "takes minutes: tests/run soak"]
async fn g02_nothing_is_left_after_a_thousand_calls_of_every_kind() {
    nothing_is_left_of(1000).await;
}
