//! What is found where the kernel does not give everything: each refusal is made by the test itself.

use std::os::unix::fs::PermissionsExt;

use super::{User, command, works};
use crate::{Isolation, RunEnd, RunOutcome, WorkerProgram, strongest};

/// The way that is found, of all.
async fn found(program: &WorkerProgram, user: &User, workspace: &std::path::Path) -> Result<Isolation, String> {
    let spec = command(workspace, Some(Isolation::Namespaces), "true");
    let confinement = spec.confinement.expect("confined");
    user.give(workspace);
    strongest(program, &confinement, &Isolation::ALL).await.map(|(isolation, _)| isolation)
}

#[tokio::test]
async fn where_something_covers_a_part_of_proc_the_one_of_outside_is_taken() {
    let Some(user) = User::all().pop().filter(|user| user.name == "nobody") else {
        eprintln!("not tried: only root can cover a part of /proc");
        return;
    };
    let workspace = user.make("workspace");
    if !works(&user, Isolation::Namespaces).await {
        return;
    }
    // As a container does that hides parts of /proc: the kernel lets nobody mount a whole one in there.
    let script = user.folder.path().join("covered");
    let cover = format!(
        "exec unshare -m sh -c 'mount --bind /dev/null /proc/kallsyms && exec \"$0\" \"$@\"' {} \"$@\"\n",
        user.program.path().display()
    );
    std::fs::write(&script, format!("#!/bin/sh\n{cover}")).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("the mode is set");

    let covered = User { program: WorkerProgram::at(script), ..user };

    // Baseline: without the cover a fresh one is mounted.
    assert!(!works(&covered, Isolation::Namespaces).await);
    assert_eq!(found(&covered.program, &covered, &workspace).await, Ok(Isolation::SharedProc));
    let spec = command(&workspace, Some(Isolation::SharedProc), "[ -d /proc/self ] && [ ! -s /proc/kallsyms ]");
    assert_eq!(covered.run(&spec).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
}

#[tokio::test]
async fn a_program_that_is_no_worker_confines_nothing() {
    let user = &User::all()[0];
    let workspace = user.make("workspace");

    assert!(found(&WorkerProgram::at("/bin/true"), user, &workspace).await.is_err());
    // Baseline: with a worker there is a way.
    assert!(found(&user.program, user, &workspace).await.is_ok());
}
