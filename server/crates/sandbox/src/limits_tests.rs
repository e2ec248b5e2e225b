//! The limits of one run, with the real worker, which `cargo build` makes.

use std::collections::BTreeMap;
use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::test_support::built_server;
use super::{Confinement, Isolation, Network, RunEnd, RunOutcome, RunOutput, RunSpec, run};

const MIB: u64 = 1 << 20;

#[derive(Default)]
struct Output(Vec<u8>);

impl RunOutput for Output {
    fn stdout(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn stderr(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn is_too_much(&self) -> bool {
        self.0.len() > 1 << 20
    }
}

/// A shell command in this folder, with usual limits.
fn command(folder: &Path, script: &str) -> RunSpec {
    RunSpec {
        command: ["/bin/bash", "-c", script].map(ToOwned::to_owned).into(),
        working_dir: folder.to_owned(),
        environment: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        grace_ms: 100,
        memory_bytes: 256 * MIB,
        file_bytes: 8 * MIB,
        free_bytes: 0,
        processes: 64,
        lock: None,
        confinement: Some(Confinement {
            writable: vec![folder.to_owned()],
            readable: Vec::new(),
            denied: Vec::new(),
            read_only: Vec::new(),
            network: Network::Closed,
            isolation: Isolation::Namespaces,
        }),
    }
}

async fn ran(spec: &RunSpec) -> (RunOutcome, String) {
    let mut kept = Output::default();
    let outcome = run(&built_server(), spec, &mut kept, &CancellationToken::new()).await.expect("the worker runs");
    (outcome, String::from_utf8_lossy(&kept.0).into_owned())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Takes 400 MiB in private memory, or in memory that several processes could share.
fn greedy(shared: bool) -> String {
    let flags = if shared { "mmap.MAP_SHARED" } else { "mmap.MAP_PRIVATE" };
    format!(
        "exec /usr/bin/python3 -c 'import mmap\nm = mmap.mmap(-1, 400 << 20, {flags} | mmap.MAP_ANONYMOUS)\n\
         for at in range(0, len(m), 4096): m[at] = 1\nprint(\"had it\")'"
    )
}

#[tokio::test]
async fn g07_a_process_gets_no_more_memory_than_it_may() {
    let folder = folder();
    let mut spec = command(folder.path(), &greedy(false));

    let (outcome, said) = ran(&spec).await;
    assert!(matches!(outcome, RunOutcome::Ended(RunEnd::Exited(1) | RunEnd::OutOfMemory)), "{outcome:?}: {said}");

    // Baseline: with a higher limit it gets all of it.
    spec.memory_bytes = 2048 * MIB;
    let (outcome, said) = ran(&spec).await;
    assert_eq!((outcome, said.as_str()), (RunOutcome::Ended(RunEnd::Exited(0)), "had it\n"));
}

#[tokio::test]
async fn g03_what_the_kernel_kills_for_want_of_memory_is_told_so() {
    if super::groups::bases_of("memory") == 0 {
        eprintln!("not tried: no control groups for memory can be made here");
        return;
    }
    let folder = folder();
    let mut spec = command(folder.path(), &greedy(true));

    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::OutOfMemory));

    // Baseline: with a higher limit it gets all of it.
    spec.memory_bytes = 2048 * MIB;
    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
}

#[tokio::test]
async fn g07_a_file_grows_no_larger_than_it_may() {
    let folder = folder();
    let mut spec = command(folder.path(), "exec head -c 16M /dev/zero > large");

    let (outcome, said) = ran(&spec).await;
    assert_eq!(outcome, RunOutcome::Ended(RunEnd::Signalled(libc::SIGXFSZ)), "{said}");
    assert_eq!(std::fs::metadata(folder.path().join("large")).expect("a file").len(), 8 * MIB);

    // Baseline: with a higher limit the file grows.
    spec.file_bytes = 32 * MIB;
    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
}

/// A disk of its own, as only an administrator can make it.
struct Disk(tempfile::TempDir);

impl Disk {
    fn of(size: &str) -> Option<Self> {
        let folder = folder();
        let mut mount = std::process::Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"]).arg(folder.path()).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then_some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[tokio::test]
async fn g07_a_command_that_fills_the_disk_is_ended() {
    let Some(disk) = Disk::of("64m") else {
        eprintln!("not tried: a disk of its own cannot be made here");
        return;
    };
    let fill = "for n in 1 2 3 4 5 6; do head -c 7M /dev/zero > $n || exit; done";
    let mut spec = command(disk.0.path(), fill);
    // Baseline: without the guard it is filled.
    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
    for n in 1..=6 {
        std::fs::remove_file(disk.0.path().join(n.to_string())).expect("it was written");
    }

    spec.command[2] = format!("{fill}; sleep 1000");
    spec.free_bytes = 32 * MIB;

    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::DiskFull));
}

#[tokio::test]
async fn g06_more_processes_than_there_may_be_end_the_command() {
    let folder = folder();
    let mut spec = command(folder.path(), "for n in $(seq 100); do sleep 1000 & done; wait");

    let (outcome, said) = ran(&spec).await;
    assert!(matches!(outcome, RunOutcome::Ended(RunEnd::TooManyProcesses(65))), "{outcome:?}: {said}");

    // Baseline: with a higher limit it starts all of them.
    spec.processes = 200;
    spec.command[2] = "for n in $(seq 100); do sleep 0.1 & done; wait".to_owned();
    assert_eq!(ran(&spec).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
}

#[tokio::test]
async fn what_is_denied_is_closed_inside_what_is_readable_and_writable() {
    let (own, other) = (folder(), folder());
    for folder in [own.path(), other.path()] {
        for (name, inside) in [("secrets", "key"), ("open", "text")] {
            std::fs::create_dir(folder.join(name)).expect("a folder");
            std::fs::write(folder.join(name).join(inside), name).expect("a file");
        }
        std::os::unix::fs::symlink(folder.join("secrets"), folder.join("link")).expect("a link");
    }
    let other = other.path().to_owned();
    for isolation in Isolation::ALL {
        let script = format!(
            "for file in {{.,{0}}}/{{secrets/key,link/key,open/text}}; do cat $file 2>/dev/null || printf closed; done",
            other.display()
        );
        let mut spec = command(own.path(), &script);
        let confinement = spec.confinement.as_mut().expect("confined");
        confinement.isolation = isolation;
        confinement.readable = vec![other.clone()];

        let said = ran(&spec).await.1;
        assert_eq!(said, "secretssecretsopensecretssecretsopen", "{isolation:?}, without a denial");

        let confinement = spec.confinement.as_mut().expect("confined");
        confinement.denied = vec![own.path().join("secrets"), other.join("secrets")];
        let said = ran(&spec).await.1;
        assert_eq!(said, "closedclosedopenclosedclosedopen", "{isolation:?}");
    }
}

#[tokio::test]
async fn g02_a_key_that_ends_the_server_does_not_end_the_worker_first() {
    let folder = folder();
    // The fifth field is the process group, which is what a terminal's Ctrl-C goes to.
    let group = |of: &str| format!("set -- $(cat /proc/{of}/stat); echo $5");
    // Baseline: what is started plainly hears it too.
    let plain = std::process::Command::new("bash").args(["-c", &group("$$")]).output().expect("bash starts");
    let own = rustix::process::getpgrp().as_raw_pid().to_string();
    assert_eq!(String::from_utf8_lossy(&plain.stdout).trim(), own);

    // Where it has no namespaces, so that a command sees it.
    let mut spec = command(folder.path(), &group("$PPID"));
    spec.confinement.as_mut().expect("confined").isolation = Isolation::Landlock;
    let worker = ran(&spec).await.1;

    assert!(worker.trim().parse::<u32>().is_ok() && worker.trim() != own, "{worker}");
}

#[tokio::test]
async fn a_worker_that_is_killed_holds_nobody_up() {
    let folder = folder();
    let mut spec = command(folder.path(), "kill -9 $PPID; sleep 1000");
    spec.confinement = None;
    let mut kept = Output::default();

    let error =
        run(&built_server(), &spec, &mut kept, &CancellationToken::new()).await.expect_err("the worker is gone");

    assert!(error.to_string().contains("worker died"), "{error}");
    let works_there = |process: std::fs::DirEntry| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder.path())
    };
    let left = std::fs::read_dir("/proc").expect("/proc is there").flatten().filter_map(|process| {
        let pid = process.file_name().to_str()?.parse::<i32>().ok()?;
        works_there(process).then_some(pid)
    });
    let left: Vec<i32> = left.collect();
    for pid in left.iter().filter_map(|pid| rustix::process::Pid::from_raw(*pid)) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    if super::groups::bases_of("cgroup.procs") > 0 {
        assert_eq!(left, [] as [i32; 0], "its control group tells what it left behind");
    }
}
