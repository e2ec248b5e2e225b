//! What a command tries to do to other processes, to files outside its workspace, and to be remembered: N03 to N06, N10.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use uuid::Uuid;

use super::{User, command, ways};
use crate::{Isolation, RunEnd, RunOutcome, RunSpec};

/// Printed by an attack that did what it wanted.
const DONE: &str = "DONE";

/// A Python program; anything but an exception is a success.
fn python(program: &str) -> String {
    format!(
        "/usr/bin/python3 -c 'import ctypes, os, resource, sys\n\
         libc = ctypes.CDLL(None, use_errno=True)\n\
         def nr(x86, arm): return x86 if os.uname().machine == \"x86_64\" else arm\n\
         def ok(result):\n\
         \x20   if result < 0: sys.exit(os.strerror(ctypes.get_errno()))\n\
         {program}' && echo {DONE}"
    )
}

async fn does(user: &User, spec: &RunSpec) -> (bool, String) {
    let (_, said) = user.run(spec).await;
    (said.contains(DONE), said)
}

#[tokio::test]
async fn n03_limits_and_priorities_of_other_processes_stay_as_they_are() {
    let tries = [
        "resource.prlimit({pid}, resource.RLIMIT_FSIZE, (4096, 4096))",
        "resource.prlimit({pid}, resource.RLIMIT_NOFILE, (0, 0))",
        "resource.prlimit({pid}, resource.RLIMIT_CPU, (1000, 1000))",
        "os.setpriority(os.PRIO_PROCESS, {pid}, 15)",
        "ok(libc.syscall(nr(251, 30), 1, {pid}, 3 << 13))",
        "os.sched_setaffinity({pid}, {0})",
        "os.sched_setscheduler({pid}, os.SCHED_BATCH, os.sched_param(0))",
        "ok(libc.syscall(nr(314, 274), {pid}, ctypes.byref((ctypes.c_uint32 * 12)(48, 3, 0, 0, 19)), 0))",
    ];
    for user in User::all() {
        let (workspace, ways) = (user.make("workspace"), ways(&user).await);
        for attack in tries {
            let mut bystander = user.bystander();
            let script = python(&attack.replace("{pid}", &bystander.id().to_string()));
            for isolation in ways.iter().copied() {
                let (done, said) = does(&user, &command(&workspace, Some(isolation), &script)).await;
                assert!(!done, "{attack} as {} in {isolation:?}: {said}", user.name);
            }
            // Baseline: without the sandbox it is done.
            let (done, said) = does(&user, &command(&workspace, None, &script)).await;
            bystander.kill().expect("killed");
            bystander.wait().expect("collected");
            assert!(done, "{attack} as {}: {said}", user.name);
        }
    }
}

#[tokio::test]
async fn n03_a_command_still_sets_its_own_limits_and_priority() {
    let script = "ulimit -n 100 && ulimit -c 0 && nice -n 15 true && ionice -c 3 true && taskset 1 true && echo DONE";
    for user in User::all() {
        let (workspace, ways) = (user.make("workspace"), ways(&user).await);
        for isolation in ways.iter().copied() {
            let (done, said) = does(&user, &command(&workspace, Some(isolation), script)).await;
            assert!(done, "as {} in {isolation:?}: {said}", user.name);
        }
    }
}

#[tokio::test]
async fn n04_a_worker_that_cannot_see_its_processes_leaves_none() {
    for user in User::all() {
        let (workspace, ways) = (user.make("workspace"), ways(&user).await);
        let marker = Uuid::new_v4().as_u128() % 1_000_000_000;
        let script = format!("prlimit --pid $PPID --nofile=0:0 && echo {DONE}; setsid sleep 3{marker} & sleep 0.2");
        for isolation in ways.iter().copied() {
            let (done, said) = does(&user, &command(&workspace, Some(isolation), &script)).await;
            assert!(!done, "as {} in {isolation:?}: {said}", user.name);
            assert_eq!(running(&format!("3{marker}")), [] as [i32; 0], "as {} in {isolation:?}", user.name);
        }
        // Baseline: without the sandbox the worker is blinded; it kills what it can, perhaps before a word is said, and
        // says that it could not see.
        let (outcome, said) =
            user.run(&command(&workspace, None, "prlimit --pid $PPID --nofile=0:0; sleep 1000")).await;
        assert!(matches!(outcome, RunOutcome::Ended(RunEnd::Unwatched(_))), "as {}: {outcome:?}: {said}", user.name);
    }
}

#[tokio::test]
async fn n05_files_outside_keep_their_modes_times_attributes_and_owner() {
    let tries = [
        "os.chmod(\"{outside}/file\", 0o644)",
        "os.chmod(\"{outside}\", 0o000)",
        "os.utime(\"{outside}/file\", (1, 1))",
        "os.setxattr(\"{outside}/file\", \"user.x\", b\"y\")",
        "os.chown(\"{outside}/file\", os.getuid(), os.getgid())",
    ];
    for user in User::all() {
        let (workspace, outside, ways) = (user.make("workspace"), user.make("outside"), ways(&user).await);
        let file = outside.join("file");
        std::fs::write(&file, "secret").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("the mode is set");
        user.give(&file);
        for attack in tries {
            let script = python(&attack.replace("{outside}", &outside.display().to_string()));
            for isolation in ways.iter().copied() {
                for readable in [Vec::new(), vec![outside.clone()]] {
                    let mut spec = command(&workspace, Some(isolation), &script);
                    if let Some(confinement) = &mut spec.confinement {
                        confinement.readable = readable;
                    }
                    let (done, said) = does(&user, &spec).await;
                    // Landlock alone has no rule for it: docs/security.md says so.
                    assert_eq!(
                        done,
                        isolation == Isolation::Landlock,
                        "{attack} as {} in {isolation:?}: {said}",
                        user.name
                    );
                    std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o755))
                        .expect("the mode is set");
                }
            }
            // Baseline: without the sandbox it is done.
            let (done, said) = does(&user, &command(&workspace, None, &script)).await;
            std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o755)).expect("the mode is set");
            assert!(done, "{attack} as {}: {said}", user.name);
        }
    }
}

#[tokio::test]
async fn n06_no_call_makes_a_program_that_runs_as_its_owner() {
    let tries = [
        "os.mknod(\"made\", 0o104755)",
        "os.open(\"made\", os.O_CREAT | os.O_WRONLY, 0o4755)",
        "os.open(\"made\", os.O_CREAT | os.O_WRONLY, 0o2755)",
        "f = os.open(\".\", os.O_TMPFILE | os.O_RDWR, 0o4755); ok(libc.linkat(-100, b\"/proc/self/fd/%d\" % f, -100, b\"made\", 0x400))",
        "open(\"made\", \"w\"); os.chmod(\"made\", 0o4755)",
        "open(\"made\", \"w\"); os.chmod(\"made\", 0o2755)",
        "f = open(\"made\", \"w\"); os.fchmod(f.fileno(), 0o6755)",
        "open(\"made\", \"w\"); ok(libc.syscall(452, -100, b\"made\", 0o4755, 0))",
        "os.mkdir(\"made\"); os.chmod(\"made\", 0o2755)",
    ];
    for user in User::all() {
        let (workspace, ways) = (user.make("workspace"), ways(&user).await);
        for attack in tries {
            // Of what is made the mask takes nothing away.
            let script = python(&format!("os.umask(0)\n{attack}"));
            for isolation in ways.iter().copied() {
                let (done, said) = does(&user, &command(&workspace, Some(isolation), &script)).await;
                let made = set_id(&workspace.join("made"));
                assert!(!done && !made, "{attack} as {} in {isolation:?}: {said}", user.name);
                remove(&workspace.join("made"));
            }
            // Baseline: without the sandbox it is made.
            let (_, said) = does(&user, &command(&workspace, None, &script)).await;
            assert!(set_id(&workspace.join("made")), "{attack} as {}: {said}", user.name);
            remove(&workspace.join("made"));
        }
    }
}

#[tokio::test]
async fn n10_shared_memory_and_message_queues_are_gone_with_the_call() {
    for user in User::all() {
        let (workspace, ways) = (user.make("workspace"), ways(&user).await);
        let key = i32::from_ne_bytes(Uuid::new_v4().as_bytes()[..4].try_into().expect("four bytes")) & 0x7fff_ffff | 1;
        let name = format!("/switchboard-{key}");
        let tries = [
            (format!("ok(libc.shmget({key}, 4096, 0o1666))"), format!("ok(libc.shmget({key}, 0, 0))")),
            (format!("ok(libc.msgget({key}, 0o1666))"), format!("ok(libc.msgget({key}, 0))")),
            (format!("ok(libc.semget({key}, 1, 0o1666))"), format!("ok(libc.semget({key}, 0, 0))")),
            (
                format!("ok(libc.mq_open(b\"{name}\", os.O_CREAT | os.O_RDWR, 0o600, None))"),
                format!("ok(libc.mq_unlink(b\"{name}\"))"),
            ),
            (format!("open(\"/dev/shm{name}\", \"w\").write(\"x\")"), format!("os.unlink(\"/dev/shm{name}\")")),
        ];
        for (make, find) in tries {
            let (make, find) = (python(&make), python(&find));
            for isolation in ways.iter().copied() {
                let (made, said) = does(&user, &command(&workspace, Some(isolation), &make)).await;
                // Landlock knows no folder of the queues of POSIX, so that nobody gets one.
                let is_possible = isolation.has_namespaces() && !make.contains("mq_open");
                assert_eq!(made, is_possible, "{make} as {} in {isolation:?}: {said}", user.name);
                let (found, _) = does(&user, &command(&workspace, None, &find)).await;
                assert!(!found, "{make} as {} in {isolation:?} is left", user.name);
            }
            // Baseline: without the sandbox it is left.
            let (made, said) = does(&user, &command(&workspace, None, &make)).await;
            let (found, _) = does(&user, &command(&workspace, None, &find)).await;
            assert!(made && found, "{make} as {}: {said}", user.name);
        }
        let kinds = ["m", "q", "s"].map(|kind| format!("ipcrm -{} {key}", kind.to_uppercase()));
        user.run(&command(&workspace, None, &kinds.join("; "))).await;
    }
}

/// The processes that have this among their arguments.
pub(super) fn running(argument: &str) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse::<i32>().ok());
    let has_it = |pid: &i32| {
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        arguments.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
    };
    pids.filter(has_it).collect()
}

fn set_id(path: &Path) -> bool {
    path.metadata().is_ok_and(|made| made.mode() & 0o6000 != 0)
}

fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_dir(path);
}
