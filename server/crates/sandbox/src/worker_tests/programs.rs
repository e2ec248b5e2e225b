//! What programs need of a root of their own: a Python pool, `/tmp`, a shell's process substitution, a build.

use super::{User, command, works};
use crate::{Isolation, RunEnd, RunOutcome};

/// What a program needs, and a command that fails without it.
const NEEDS: &[(&str, &str)] = &[
    (
        "a pool of processes",
        "/usr/bin/python3 -c 'import multiprocessing as m; assert m.Pool(2).map(abs, [-1]) == [1]'",
    ),
    ("a temporary folder of the system", "echo x > /tmp/x && echo x > /var/tmp/y && [ -f /tmp/y ]"),
    ("process substitution", "diff <(echo a) <(echo a)"),
    ("its own processes", "[ $(ps -e | wc -l) -lt 20 ] && [ -d /proc/$$ ]"),
    (
        "the standard streams",
        "[ x = $(echo x | cat /dev/stdin) ] && echo y > /dev/null && head -c 8 /dev/urandom > /dev/null",
    ),
    ("shared memory", "echo x > /dev/shm/x"),
    ("a compiler", "echo 'int main(){return 0;}' > a.c && cc a.c -o a && ./a"),
    (
        "archives with modes and links",
        "mkdir -p d && ln -sf x d/l && chmod 640 a.c && tar cf d.tar d a.c && tar xf d.tar",
    ),
    ("a repository", "git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"),
    ("make", "printf 'all: x y\\nx y:\\n\\ttouch $@\\n' > Makefile && make -s -j4"),
    (
        "its own loopback",
        "/usr/bin/python3 -c 'import socket\ns = socket.create_server((\"127.0.0.1\", 0))\nc = socket.create_connection(s.getsockname())\ns.accept()[0].send(b\"x\")\nassert c.recv(1) == b\"x\"'",
    ),
    (
        "the number of processors",
        "[ $(nproc) -ge 1 ] && [ -r /sys/devices/system/cpu/online ] && grep -q processor /proc/cpuinfo",
    ),
];

#[tokio::test]
async fn programs_find_what_they_need_in_namespaces() {
    let mut broken = Vec::new();
    for user in User::all() {
        let workspace = user.make("workspace");
        for isolation in [Isolation::Namespaces, Isolation::SharedProc] {
            if !works(&user, isolation).await {
                continue;
            }
            for (need, script) in NEEDS {
                if isolation == Isolation::SharedProc && *need == "its own processes" {
                    continue;
                }
                let (outcome, said) = user.run(&command(&workspace, Some(isolation), script)).await;
                if outcome != RunOutcome::Ended(RunEnd::Exited(0)) {
                    broken.push(format!("{need} as {} in {isolation:?}: {outcome:?} {said}", user.name));
                }
            }
            for entry in std::fs::read_dir(&workspace).expect("the workspace").flatten() {
                let _ = std::fs::remove_dir_all(entry.path());
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    assert!(broken.is_empty(), "{broken:#?}");
}

#[tokio::test]
async fn the_loopback_inside_is_not_the_one_outside() {
    let outside = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = outside.local_addr().expect("an address").port();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    for user in User::all() {
        let workspace = user.make("workspace");
        for isolation in Isolation::ALL {
            if works(&user, isolation).await {
                let (outcome, said) = user.run(&command(&workspace, Some(isolation), &connect)).await;
                assert_eq!(outcome, RunOutcome::Ended(RunEnd::Exited(1)), "as {} in {isolation:?}: {said}", user.name);
            }
        }
        // Baseline: without the sandbox it connects.
        assert_eq!(user.run(&command(&workspace, None, &connect)).await.0, RunOutcome::Ended(RunEnd::Exited(0)));
    }
}

#[tokio::test]
async fn a_root_of_its_own_holds_nothing_of_other_users_and_cannot_be_changed() {
    for user in User::all() {
        let workspace = user.make("workspace");
        for isolation in [Isolation::Namespaces, Isolation::SharedProc] {
            if !works(&user, isolation).await {
                continue;
            }
            for (script, why) in [
                ("[ -e /root ] || [ -e /home ] || [ -e /mnt ] || [ -e /boot ] || [ -e /srv ]", "other folders"),
                ("[ -s /etc/shadow ] && cat /etc/shadow", "passwords"),
                ("touch /usr/bin/x", "the system's folders"),
                ("mkdir /x", "the root"),
                ("echo 1 > /proc/self/oom_score_adj", "the kernel's settings"),
                ("chmod 700 /dev/null", "devices"),
                ("[ -e /.outside ]", "the root of outside"),
            ] {
                let (outcome, said) = user.run(&command(&workspace, Some(isolation), script)).await;
                assert_ne!(outcome, RunOutcome::Ended(RunEnd::Exited(0)), "{why} as {}: {said}", user.name);
            }
        }
    }
}
