//! What `docs/` has for container engines, AppArmor and systemd, so that commands get the strongest sandbox there: right as
//! their checkers read it, and wide enough. No engine and no AppArmor runs here: the filter of system calls is enforced by the
//! library that the engines use, of the rest only the syntax is checked.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestServer};

use crate::faults::is_administrator;
use crate::house::root;
use crate::service::{complaints_with, unit};

/// Enforces the profile in the file of its first argument, and becomes the program that the others name.
const UNDER_SECCOMP: &str = r#"
import json, os, sys, seccomp as s
profile = json.load(open(sys.argv[1]))
actions = {"SCMP_ACT_ALLOW": s.ALLOW, "SCMP_ACT_ERRNO": s.ERRNO(profile["defaultErrnoRet"])}
filter = s.SyscallFilter(actions[profile["defaultAction"]])
for rule in profile["syscalls"]:
    args = [s.Arg(a["index"], {"SCMP_CMP_EQ": s.EQ, "SCMP_CMP_NE": s.NE}[a["op"]], a["value"]) for a in rule.get("args", [])]
    for name in rule["names"]:
        # As engines do, without those that the library does not know yet.
        if s.resolve_syscall(s.Arch(), name) != -1:
            filter.add_rule(actions[rule["action"]], name, *args)
filter.load()
os.execvp(sys.argv[2], sys.argv[2:])
"#;

/// An ordinary user, as in a container or a service: it has no rights and makes namespaces by one of users.
const ORDINARY: [&str; 4] = ["unshare", "--user", "--map-user=1000", "--map-group=1000"];

fn document(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).unwrap_or_else(|error| panic!("docs/{name}: {error}"))
}

fn seccomp() -> Value {
    serde_json::from_str(&document("switchboard.seccomp.json")).expect("JSON")
}

fn names(rule: &Value) -> impl Iterator<Item = &str> {
    rule["names"].as_array().expect("names").iter().map(|name| name.as_str().expect("a name"))
}

#[test]
fn the_seccomp_profile_is_one_that_engines_read() {
    let profile = seccomp();

    assert_eq!((&profile["defaultAction"], &profile["defaultErrnoRet"]), (&json!("SCMP_ACT_ERRNO"), &json!(1)));
    let mut allowed = BTreeSet::new();
    for rule in profile["syscalls"].as_array().expect("rules") {
        assert_eq!(rule["action"], "SCMP_ACT_ALLOW", "{rule}");
        assert!(rule["comment"].is_string() && names(rule).count() > 0, "{rule}");
        let keys: Vec<_> = rule.as_object().expect("a rule").keys().map(String::as_str).collect();
        assert!(keys.iter().all(|key| ["action", "args", "comment", "names"].contains(key)), "{keys:?}");
        for argument in rule["args"].as_array().into_iter().flatten() {
            assert!(argument["index"].is_u64() && argument["value"].is_u64(), "{rule}");
            assert!(["SCMP_CMP_EQ", "SCMP_CMP_NE"].map(|op| json!(op)).contains(&argument["op"]), "{rule}");
        }
        assert!(
            rule["args"].is_array() || names(rule).all(|name| allowed.insert(name)),
            "something stands there twice"
        );
    }
    for dangerous in [
        "add_key",
        "bpf",
        "chroot",
        "delete_module",
        "finit_module",
        "init_module",
        "io_uring_setup",
        "kexec_load",
        "keyctl",
        "mount_setattr",
        "open_by_handle_at",
        "perf_event_open",
        "process_vm_readv",
        "ptrace",
        "reboot",
        "request_key",
        "setns",
        "swapon",
        "userfaultfd",
    ] {
        assert!(!allowed.contains(dangerous), "{dangerous}");
    }
}

/// The sandbox of a server that runs under a profile, and how a command ends that is network and pool at once.
async fn under(profile: &Value) -> (Value, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("profile.json");
    fs::write(&path, profile.to_string()).expect("the profile is written");
    let path = path.display().to_string();
    let programs = [ORDINARY.as_slice(), &["/usr/bin/python3", "-c", UNDER_SECCOMP, &path]].concat();
    let server = TestServer::start_with(ServerOptions::auto().behind(&programs)).await;
    let mut client = server.connect().await;
    let command = "/usr/bin/python3 -c 'import multiprocessing as m, socket; socket.create_server((\"127.0.0.1\", 0)); \
                   print(sum(m.Pool(2).map(abs, [-20, -22])))'";
    let call = json!({"type": "call-tool", "callId": "pool", "tool": "bash", "arguments": {"command": command, "timeout": 30}});
    client.send(call).await;
    let end = client.until_type("tool-call-end").await;
    (client.ready["sandbox"]["mode"].clone(), end["success"].clone())
}

#[tokio::test]
async fn under_the_seccomp_profile_commands_have_the_strongest_sandbox() {
    let profile = seccomp();
    // Baseline: engines' own profiles allow no namespaces.
    let mut weaker = profile.clone();
    for rule in weaker["syscalls"].as_array_mut().expect("rules") {
        rule["names"].as_array_mut().expect("names").retain(|name| name != "unshare");
    }
    assert_eq!(under(&weaker).await, (json!("landlock-only"), json!(false)));

    assert_eq!(under(&profile).await, (json!("on"), json!(true)));
}

/// What AppArmor's parser has to say: nothing when it is right.
fn complaints_of_apparmor(text: &str) -> String {
    let parser = |arguments: &[&str]| {
        let mut command = Command::new("apparmor_parser");
        let output = command.args(arguments).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output();
        output.expect("apparmor_parser is installed (Debian's package apparmor)")
    };
    let version = String::from_utf8_lossy(&parser(&["--version"]).stdout).into_owned();
    let is_old = version.split("version ").nth(1).is_some_and(|number| number.starts_with(['2', '3']));
    // What the comment at the top of the file says of it.
    let text = if is_old { text.replace("  userns,\n", "").replace("abi/4.0", "abi/3.0") } else { text.to_owned() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("switchboard");
    fs::write(&path, text).expect("the profile is written");
    let output = parser(&["--skip-kernel-load", "--skip-cache", &path.display().to_string()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    // On a kernel without AppArmor.
    let said: String = said.lines().filter(|line| !line.starts_with("Cache read/write disabled")).collect();
    if output.status.success() { said } else { format!("{said}{}", output.status) }
}

#[test]
fn apparmor_has_nothing_against_the_profiles() {
    let text = document("switchboard.apparmor");

    assert_eq!(complaints_of_apparmor(&text), "");

    let wrong = complaints_of_apparmor(&text.replace("pivot_root,", "pivot_rot,"));
    assert!(wrong.contains("syntax error"), "{wrong}");
    assert_eq!(text.matches("  userns,\n").count(), 2, "both allow namespaces of users");
}

#[test]
fn systemd_has_nothing_against_the_drop_in() {
    let drop_in = document("switchboard-strict.conf");

    assert_eq!(complaints_with(&unit(), &drop_in), "");

    let wrong = complaints_with(&unit(), &drop_in.replace("ProtectHostname=", "ProtectHostnam="));
    assert!(wrong.contains("ProtectHostnam"), "{wrong}");
}

/// What the unit leaves of `/proc` with the drop-in is enough: hidden processes cover nothing.
#[tokio::test]
async fn with_the_drop_in_commands_have_the_strongest_sandbox() {
    if !is_administrator() {
        eprintln!("not tried: only root can give a service its own /proc");
        return;
    }
    let drop_in = document("switchboard-strict.conf");
    // These cover a part of /proc; the unit sets three of them.
    for setting in ["ProtectKernelTunables", "ProtectKernelLogs", "ProtectHostname", "ProcSubset"] {
        let is_set = unit().contains(&format!("\n{setting}="));
        assert_eq!(drop_in.contains(&format!("\n{setting}=no\n")), is_set, "{setting}");
    }
    let hidden = "mount -t proc -o nosuid,nodev,noexec,hidepid=invisible proc /proc";
    for (covered, state) in [("true", "on"), ("mount --bind /dev/null /proc/kmsg", "unavailable")] {
        let service = format!("{hidden} && {covered} && exec \"$@\"");
        let programs = [&["unshare", "-m", "sh", "-c", &service, "sh"], ORDINARY.as_slice()].concat();
        let options = ServerOptions::with(&["--approve", "auto", "--sandbox", "strict"]).behind(&programs);
        let server = TestServer::start_with(options).await;
        assert_eq!(server.connect().await.ready["sandbox"]["mode"], state, "{covered}");
    }
}
