//! A worker that is ready before its command: it takes one command of its kind, and is nothing that stays.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio_util::sync::CancellationToken;

use super::{Output, User, command, works};
use crate::{Isolation, Network, RunEnd, RunOutcome, RunSpec, Workers};

/// Longer than any worker takes to start or to end here.
const LONG: Duration = Duration::from_secs(20);

async fn run(workers: &Workers, spec: &RunSpec) -> (RunOutcome, String) {
    let mut kept = Output::default();
    let outcome = workers.run(spec, &mut kept, &CancellationToken::new()).await.expect("the worker runs");
    (outcome, String::from_utf8_lossy(&kept.0).into_owned())
}

/// Waits until it is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The worker that is ready, when it is.
async fn ready(workers: &Workers) -> u32 {
    until("a worker is ready", || workers.ready_pid().is_some()).await;
    workers.ready_pid().expect("ready")
}

fn lives(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_command_finds_a_worker_ready_and_another_one() {
    for user in User::all() {
        let workspace = user.make("workspace");
        for isolation in Isolation::ALL {
            if !works(&user, isolation).await {
                continue;
            }
            let workers = Workers::of(user.program.clone());
            let mut before = None;
            for word in ["one", "two", "three"] {
                let spec = command(&workspace, Some(isolation), &format!("echo {word}"));
                let (outcome, said) = run(&workers, &spec).await;
                assert_eq!(
                    (outcome, said.as_str()),
                    (RunOutcome::Ended(RunEnd::Exited(0)), format!("{word}\n").as_str())
                );
                let next = ready(&workers).await;
                assert_ne!(before.replace(next), Some(next), "as {} in {isolation:?}: the worker of {word}", user.name);
            }

            drop(workers);

            let last = before.expect("a worker");
            until("it goes when nobody has a command for it", || !lives(last)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ready_worker_that_died_is_replaced() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    let workers = Workers::of(user.program.clone());
    let spec = command(&workspace, None, "echo here");
    run(&workers, &spec).await;
    let killed = ready(&workers).await;

    kill_process(Pid::from_raw(i32::try_from(killed).expect("a pid")).expect("a pid"), Signal::KILL).expect("killed");
    until("it is dead", || !lives(killed) || is_zombie(killed)).await;

    assert_eq!(run(&workers, &spec).await, (RunOutcome::Ended(RunEnd::Exited(0)), "here\n".to_owned()));
}

fn is_zombie(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ready_worker_takes_no_command_of_another_kind() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");
    if !works(user, Isolation::Namespaces).await {
        return;
    }
    let workers = Workers::of(user.program.clone());
    let script = "tail -n +3 /proc/net/dev | grep -cv '^ *lo:'";
    let apart = command(&workspace, Some(Isolation::Namespaces), script);
    let mut open = apart.clone();
    open.confinement.as_mut().expect("confined").network = Network::Open;
    let interfaces = std::fs::read_to_string("/proc/net/dev").expect("interfaces").lines().count() - 3;

    for (spec, others) in [(&apart, 0), (&open, interfaces), (&apart, 0), (&apart, 0), (&open, interfaces)] {
        let (_, said) = run(&workers, spec).await;
        assert_eq!(said.trim(), others.to_string(), "interfaces beside the loopback");
        ready(&workers).await;
    }
}
