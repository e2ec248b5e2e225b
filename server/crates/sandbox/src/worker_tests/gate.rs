//! The gate and the lifeline: a server that dies before its command begins (N13), and one that dies meanwhile.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use uuid::Uuid;

use super::attacks::running;
use super::{User, command, works};
use crate::world::World;
use crate::{Isolation, RunSpec, WORKER_ARGUMENT, workers_have_ended};

/// The ways to run a command, among them none at all.
const WAYS: [Option<Isolation>; 4] =
    [Some(Isolation::Namespaces), Some(Isolation::SharedProc), Some(Isolation::Landlock), None];

/// Longer than any command takes to start here.
const LONG: Duration = Duration::from_secs(20);

/// A worker whose server is the test.
struct Worker {
    child: Child,
    line: Option<UnixStream>,
}

impl Worker {
    /// For commands that are isolated in this way.
    fn start(user: &User, way: Option<Isolation>) -> Self {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        let child = Command::new(user.program.path())
            .arg(WORKER_ARGUMENT)
            .arg(World::of(&command(Path::new("/"), way, "true")).argument())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the worker starts");
        Self { child, line: Some(ours) }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.line.as_mut().expect("an open line").write_all(bytes).expect("written");
    }

    /// What the server's death does.
    fn cut(&mut self) {
        self.line = None;
    }

    /// Waits for the worker's end.
    fn ends(&mut self) -> Duration {
        let begun = Instant::now();
        while self.child.try_wait().expect("a state").is_none() {
            assert!(begun.elapsed() < LONG, "the worker goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
        begun.elapsed()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line_of(spec: &RunSpec) -> Vec<u8> {
    let mut line = serde_json::to_vec(spec).expect("JSON");
    line.push(b'\n');
    line
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

async fn possible(user: &User, way: Option<Isolation>) -> bool {
    match way {
        Some(isolation) => works(user, isolation).await,
        None => true,
    }
}

#[tokio::test]
async fn n13_what_the_server_did_not_live_to_let_go_never_starts() {
    for user in User::all() {
        let workspace = user.make("workspace");
        for way in WAYS {
            if !possible(&user, way).await {
                continue;
            }
            let trace = workspace.join("trace");
            let line = line_of(&command(&workspace, way, "touch trace"));
            for kept in [0, line.len() / 2, line.len() - 1, line.len()] {
                let mut worker = Worker::start(&user, way);
                worker.write(&line[..kept]);
                worker.cut();
                worker.ends();
                assert!(!trace.exists(), "as {} in {way:?}: it started after {kept} bytes", user.name);
            }
            // Baseline: where the server lives it starts.
            let mut worker = Worker::start(&user, way);
            worker.write(&line);
            worker.ends();
            assert!(trace.exists(), "as {} in {way:?}", user.name);
            std::fs::remove_file(&trace).expect("it was made");
        }
    }
}

#[tokio::test]
async fn n13_a_server_that_dies_while_its_command_is_started_leaves_nothing() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    for way in WAYS {
        if !possible(user, way).await {
            continue;
        }
        for step in 0..40 {
            let marker = format!("4{}", Uuid::new_v4().as_u128() % 1_000_000_000);
            let mut worker = Worker::start(user, way);
            let mut after = Duration::from_millis(step * 3);
            if step % 2 == 1 {
                // Long enough for most workers to be ready; the command starts sooner then.
                std::thread::sleep(Duration::from_millis(40));
                after /= 10;
            }
            worker.write(&line_of(&command(&workspace, way, &format!("sleep {marker} & setsid sleep {marker}"))));
            std::thread::sleep(after);
            worker.cut();
            worker.ends();
            assert_eq!(running(&marker), [] as [i32; 0], "{way:?}, after {after:?}");
        }
    }
}

#[tokio::test]
async fn g02_a_worker_that_is_killed_leaves_nothing_in_namespaces() {
    for user in User::all() {
        let workspace = user.make("workspace");
        for isolation in [Isolation::Namespaces, Isolation::SharedProc] {
            if !works(&user, isolation).await {
                continue;
            }
            let marker = format!("5{}", Uuid::new_v4().as_u128() % 1_000_000_000);
            let script = format!("trap '' TERM; setsid sleep {marker} & setsid nohup sleep {marker} & sleep {marker}");
            let mut worker = Worker::start(&user, Some(isolation));
            worker.write(&line_of(&command(&workspace, Some(isolation), &script)));
            until("three run", || running(&marker).len() == 3);

            let pid = Pid::from_child(&worker.child);
            kill_process(pid, Signal::KILL).expect("killed");

            until("the kernel ends them", || running(&marker).is_empty());
        }
    }
}

#[tokio::test]
async fn g02_the_end_of_the_server_gives_no_grace_and_a_cancellation_does() {
    for user in User::all() {
        let workspace = user.make("workspace");
        for way in WAYS {
            if !possible(&user, way).await {
                continue;
            }
            let script = "trap 'touch heard' TERM; touch begun; while true; do sleep 0.02; done";
            let mut spec = command(&workspace, way, script);
            for (is_canceled, grace) in [(false, 60_000), (true, 300)] {
                spec.grace_ms = grace;
                let mut worker = Worker::start(&user, way);
                worker.write(&line_of(&spec));
                until("it begins", || workspace.join("begun").exists());
                match is_canceled {
                    true => worker.write(b"."),
                    false => worker.cut(),
                }
                let took = worker.ends();
                let heard = workspace.join("heard").exists();
                assert_eq!(heard, is_canceled, "as {} in {way:?}: it hears of a cancellation only", user.name);
                assert_eq!(took >= Duration::from_millis(250), is_canceled, "as {} in {way:?}: {took:?}", user.name);
                for file in ["begun", "heard"] {
                    let _ = std::fs::remove_file(workspace.join(file));
                }
            }
        }
    }
}

#[tokio::test]
async fn g02_after_many_calls_nothing_is_left() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    for isolation in Isolation::ALL {
        if !works(user, isolation).await {
            continue;
        }
        let mounts = || std::fs::read_to_string("/proc/self/mountinfo").expect("the mounts").lines().count();
        let descriptors = || std::fs::read_dir("/proc/self/fd").expect("the descriptors").count();
        let before = mounts();
        for _ in 0..50 {
            user.run(&command(&workspace, Some(isolation), "setsid sleep 77123 & true")).await;
        }
        assert_eq!(mounts(), before, "{isolation:?}");
        assert!(descriptors() < 200, "{isolation:?}");
        assert_eq!(running("77123"), [] as [i32; 0], "{isolation:?}");
    }
}

#[tokio::test]
async fn n13_a_later_server_waits_until_the_command_is_gone() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    for way in WAYS {
        if !possible(user, way).await {
            continue;
        }
        let lock = user.folder.path().join("workers.lock");
        let mut spec = command(&workspace, way, "touch begun; sleep 1000");
        spec.lock = Some(lock.clone());
        let mut worker = Worker::start(user, way);
        worker.write(&line_of(&spec));
        until("it begins", || workspace.join("begun").exists());

        assert!(!workers_have_ended(&lock, Duration::from_millis(50)), "{way:?}");
        worker.cut();
        assert!(workers_have_ended(&lock, LONG), "{way:?}");
        worker.ends();
        std::fs::remove_file(workspace.join("begun")).expect("it was made");
    }
}

#[tokio::test]
async fn a_worker_reads_one_command_and_no_more() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    let mut worker = Worker::start(user, None);
    let line = line_of(&command(&workspace, None, "touch trace; sleep 1000"));

    // A second command is a byte to it, which cancels the first.
    worker.write(&line);
    worker.write(&line);
    worker.ends();

    let mut report = String::new();
    worker.line.take().expect("an open line").read_to_string(&mut report).expect("a report");
    assert_eq!(report.lines().count(), 1, "{report}");
}
