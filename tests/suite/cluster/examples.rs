//! The files that docs/cluster.md gives: right as the programs read them that they are for.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use switchboard_store::test_support::nats_program;
use switchboard_tests::binary;

use crate::house::root;
use crate::service::{complaints_with, unit};

fn document(path: &str) -> String {
    fs::read_to_string(root().join("docs").join(path)).unwrap_or_else(|error| panic!("docs/{path}: {error}"))
}

#[test]
fn systemd_has_nothing_against_the_units_of_a_cluster() {
    let program = binary().display().to_string();
    let instance = document("switchboard-instance.conf").replace("/usr/local/bin/switchboard", &program);
    assert_eq!(complaints_with(&unit(), &instance), "");
    // Any program that is there will do.
    let nats = document("nats-server.service").replace("/usr/local/bin/nats-server", "/usr/local/bin/switchboard");
    assert_eq!(complaints_with(&nats, ""), "");
}

#[test]
fn nats_and_nginx_take_their_files_of_the_example() {
    let file = root().join("docs/examples/cluster/nats.conf");
    let checked = Command::new(nats_program()).arg("-t").arg("--config").arg(&file).env("NATS_NAME", "nats-1").output();
    let checked = checked.expect("nats-server is installed");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

    // Names are looked up when the file is read.
    let mut text = document("examples/cluster/nginx.conf");
    for number in 1..=3 {
        text = text.replace(&format!("switchboard-{number}:"), &format!("127.0.0.{number}:"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (file, pid) = (folder.path().join("nginx.conf"), folder.path().join("pid"));
    fs::write(&file, format!("pid {};\n{}", pid.display(), text.replace("listen 80;", "listen 127.0.0.1:8080;")))
        .expect("the file is written");
    let mut nginx =
        Command::new(if fs::exists("/usr/sbin/nginx").unwrap_or(false) { "/usr/sbin/nginx" } else { "nginx" });
    let checked = nginx.args(["-t", "-e", "stderr", "-c"]).arg(&file).output().expect("nginx is installed");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn the_compose_file_has_each_server_with_a_folder_of_its_own() {
    let text = document("examples/cluster/compose.yaml");
    for service in ["nats", "switchboard"] {
        let names: BTreeSet<String> = (1..=3).map(|number| format!("{service}-{number}")).collect();
        for name in &names {
            assert!(text.contains(&format!("\n  {name}:\n    <<: *{service}\n")), "{name} is a service");
            assert!(text.contains(&format!("\"{name}:/data\"")), "{name} has a folder");
            assert_eq!(text.matches(&format!("{name}:/data")).count(), 1, "and it is its own");
        }
        let text = if service == "nats" { &document("examples/cluster/nats.conf") } else { &text };
        assert!(names.iter().all(|name| text.contains(&format!("{name}:"))), "they know each other");
    }
    for variable in text.split_whitespace().filter_map(|word| word.strip_suffix(':')) {
        if variable.starts_with("SWITCHBOARD_") {
            assert!(document("configuration.md").contains(&format!("`{variable}`")), "{variable} is a setting");
        }
    }
}
