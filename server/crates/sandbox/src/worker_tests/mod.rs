//! The worker in each way to isolate a command, as the user who runs the tests and, where that is root, as one without
//! rights: what commands can do to the machine, and what is left when a worker or the server dies.
//!
//! Each attack is tried on what the test itself made, first without the sandbox, where it works.

mod attacks;
mod fallbacks;
mod gate;
mod programs;
mod proxied;
mod ready;
mod repositories;

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::test_support::built_server;
use crate::{Confinement, Isolation, Network, RunEnd, RunOutcome, RunOutput, RunSpec, WorkerProgram, run};

/// A user without rights on every system.
const NOBODY: u32 = 65534;

/// Somebody who runs workers, with folders of their own.
struct User {
    name: &'static str,
    program: WorkerProgram,
    folder: TempDir,
    id: Option<u32>,
}

impl User {
    /// Who runs the tests, and where that is root also one without rights.
    fn all() -> Vec<Self> {
        let own = Self { name: "own", program: built_server(), folder: folder(), id: None };
        let nobody = rustix::process::geteuid().is_root().then(Self::nobody);
        std::iter::once(own).chain(nobody).collect()
    }

    fn nobody() -> Self {
        let folder = folder();
        let open = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the mode is set");
        };
        open(folder.path(), 0o755);
        // Where the server was built may be closed to others.
        let binary = folder.path().join("server");
        let built = built_server();
        if std::fs::hard_link(built.path(), &binary).is_err() {
            std::fs::copy(built.path(), &binary).expect("a copy");
        }
        let script = folder.path().join("as-nobody");
        let enter =
            format!("exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups {} \"$@\"\n", binary.display());
        std::fs::write(&script, format!("#!/bin/sh\n{enter}")).expect("a script");
        open(&script, 0o755);
        Self { name: "nobody", program: WorkerProgram::at(script), folder, id: Some(NOBODY) }
    }

    /// A folder of this user's in their folder.
    fn make(&self, name: &str) -> PathBuf {
        let path = self.folder.path().canonicalize().expect("a path").join(name);
        std::fs::create_dir(&path).expect("a folder");
        self.give(&path);
        path
    }

    /// Makes something this user's.
    fn give(&self, path: &Path) {
        chown(path, self.id, self.id).expect("the owner is set");
    }

    /// Runs a command; the end, and all that it put out.
    async fn run(&self, spec: &RunSpec) -> (RunOutcome, String) {
        let mut kept = Output::default();
        let outcome = run(&self.program, spec, &mut kept, &CancellationToken::new()).await.expect("the worker runs");
        (outcome, String::from_utf8_lossy(&kept.0).into_owned())
    }

    /// Starts a process of this user's that does nothing.
    fn bystander(&self) -> std::process::Child {
        let mut sleep = std::process::Command::new("/bin/sleep");
        sleep.arg("1000");
        if let Some(id) = self.id {
            std::os::unix::process::CommandExt::uid(&mut sleep, id);
            std::os::unix::process::CommandExt::gid(&mut sleep, id);
        }
        sleep.spawn().expect("sleep starts")
    }
}

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

/// A shell command in this folder; without an isolation it is not confined.
fn command(workspace: &Path, isolation: Option<Isolation>, script: &str) -> RunSpec {
    let confined = isolation.map(|isolation| Confinement {
        writable: vec![workspace.to_owned()],
        readable: Vec::new(),
        denied: Vec::new(),
        read_only: Vec::new(),
        network: Network::Closed,
        isolation,
    });
    RunSpec {
        command: ["/bin/bash", "-c", script].map(ToOwned::to_owned).into(),
        working_dir: workspace.to_owned(),
        environment: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        grace_ms: 100,
        memory_bytes: 4 << 30,
        file_bytes: 1 << 30,
        free_bytes: 0,
        processes: 200,
        lock: None,
        confinement: confined,
    }
}

/// Runs a script in this folder, in the strongest way to isolate it that works here.
pub(crate) async fn run_in(workspace: &Path, script: &str) -> (RunOutcome, String) {
    let user = User { name: "own", program: built_server(), folder: folder(), id: None };
    let isolation = *ways(&user).await.first().expect("a sandbox");
    user.run(&command(workspace, Some(isolation), script)).await
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The ways that work here for this user.
async fn ways(user: &User) -> Vec<Isolation> {
    let mut found = Vec::new();
    for isolation in Isolation::ALL {
        if works(user, isolation).await {
            found.push(isolation);
        }
    }
    found
}

/// Whether this way works here for this user; says so if not, and then there is nothing to test.
async fn works(user: &User, isolation: Isolation) -> bool {
    let workspace = folder();
    user.give(workspace.path());
    let (outcome, said) = user.run(&command(workspace.path(), Some(isolation), "true")).await;
    match outcome {
        RunOutcome::Ended(RunEnd::Exited(0)) => true,
        other => {
            eprintln!("not tried as {}, because it is not possible here: {isolation:?}: {other:?} {said}", user.name);
            false
        }
    }
}
