//! Walks for searching, and writes that are cut off: real folders, real rules, a real child process.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{EntryKind, WalkEntry, WalkOptions, Workspace, WorkspaceErrorKind};

#[test]
fn a_walk_goes_through_everything_in_order() {
    let (_folder, workspace) =
        tree(&["b.txt", "a/z.txt", "a/y/x.txt", ".hidden/file", ".dotfile", "a.txt", ".git/config"]);

    assert_eq!(walked(&workspace, ".", WalkOptions::default()), ["a", "a/y", "a/y/x.txt", "a/z.txt", "a.txt", "b.txt"]);
    assert_eq!(walked(&workspace, "a", WalkOptions::default()), ["a/y", "a/y/x.txt", "a/z.txt"]);
    let hidden = WalkOptions { hidden: true, ..WalkOptions::default() };
    assert_eq!(
        walked(&workspace, ".", hidden),
        [".dotfile", ".hidden", ".hidden/file", "a", "a/y", "a/y/x.txt", "a/z.txt", "a.txt", "b.txt"]
    );
}

#[test]
fn a_walk_heeds_the_nearest_gitignore() {
    let files = [
        "target/out.o",
        "src/main.rs",
        "src/gen/made.rs",
        "src/gen/kept.rs",
        "a.log",
        "src/b.log",
        "deep/target/x",
        "own",
    ];
    let (folder, workspace) = tree(&files);
    fs::write(folder.path().join(".gitignore"), "/target\n*.log\n# a comment\n").expect("written");
    fs::write(folder.path().join("src/.gitignore"), "gen/*\n!gen/kept.rs\n!b.log\n").expect("written");
    fs::create_dir_all(folder.path().join(".git/info")).expect("made");
    fs::write(folder.path().join(".git/info/exclude"), "own\n").expect("written");
    fs::write(folder.path().join("deep/.ignore"), "x\n").expect("written");

    let all = ["deep", "deep/target", "src", "src/b.log", "src/gen", "src/gen/kept.rs", "src/main.rs"];
    assert_eq!(walked(&workspace, ".", WalkOptions::default()), all);
    assert_eq!(walked(&workspace, "src/gen", WalkOptions::default()), ["src/gen/kept.rs"], "rules from above hold");
    assert_eq!(walked(&workspace, "target", WalkOptions::default()), ["target/out.o"], "asked for by name");
    let everything = walked(&workspace, ".", WalkOptions { gitignore: false, ..WalkOptions::default() });
    assert!(files.iter().all(|file| everything.iter().any(|path| path == file)), "{everything:?}");
}

#[test]
fn a_walk_shows_links_and_does_not_follow_them() {
    let (folder, workspace) = tree(&["real/file"]);
    symlink("real", folder.path().join("inside")).expect("linked");
    symlink("/etc", folder.path().join("outside")).expect("linked");
    symlink("..", folder.path().join("real/up")).expect("linked");

    let entries = found(&workspace, ".", WalkOptions::default());

    let found: Vec<_> = entries.iter().map(|entry| (entry.path.as_str(), entry.kind)).collect();
    let wanted = [
        ("inside", EntryKind::Link),
        ("outside", EntryKind::Link),
        ("real", EntryKind::Directory),
        ("real/file", EntryKind::File),
        ("real/up", EntryKind::Link),
    ];
    assert_eq!(found, wanted);
    for entry in entries {
        let opened = entry.open().map(|mut file| {
            let mut text = String::new();
            file.read_to_string(&mut text).expect("read");
            text
        });
        assert_eq!(opened.ok(), (entry.kind == EntryKind::File).then(|| "real/file".to_owned()), "{}", entry.path);
    }
}

#[test]
fn a_walk_passes_by_the_servers_own_folders() {
    let (folder, _) = tree(&["data/log", "src/main.rs", "settings.toml"]);
    let denied = ["data", "settings.toml"].map(|path| folder.path().join(path));
    let workspace = Workspace::open(folder.path(), &denied).expect("a workspace");

    assert_eq!(walked(&workspace, ".", WalkOptions::default()), ["src", "src/main.rs"]);
    let refused = workspace.walk("data", WalkOptions::default()).expect_err("refused");
    assert_eq!(refused.kind(), WorkspaceErrorKind::Denied);
}

#[test]
fn a_walk_ends_where_it_is_too_deep() {
    let (folder, workspace) = tree(&[&format!("{}file", "d/".repeat(300))]);

    let paths = walked(&workspace, ".", WalkOptions::default());

    assert_eq!(paths.len(), 128);
    drop(folder);
}

#[test]
fn a_walk_needs_a_directory() {
    let (_folder, workspace) = tree(&["src/main.rs"]);
    let refused = |path| workspace.walk(path, WalkOptions::default()).map(drop).expect_err("refused").to_string();

    assert_eq!(refused("srcs"), "'srcs' does not exist; did you mean 'src'?");
    assert!(refused("src/main.rs").starts_with("'src/main.rs' is not a directory"));
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_file_or_the_new() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("go"), "").expect("written");
    for kills in 1..=5 {
        // The child is this test program with one test only: it writes until it is killed.
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "--ignored", "--nocapture", "walk_tests::a_child_that_writes_until_it_is_killed"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut written = 0;
        while written < kills * 3 {
            let mut line = String::new();
            assert_ne!(output.read_line(&mut line).expect("a line"), 0, "the child ended by itself");
            written += usize::from(line.contains("written"));
        }
        child.kill().expect("killed");
        let _ = output.read_to_end(&mut Vec::new());
        child.wait().expect("ended");

        let found = fs::read(folder.path().join("file")).expect("it is there");
        assert!([content(0), content(1)].contains(&found), "{} bytes that nobody wrote", found.len());
    }
}

#[tokio::test]
#[ignore = "run as a child process by the test above"]
async fn a_child_that_writes_until_it_is_killed() {
    if !Path::new("go").exists() {
        return;
    }
    let workspace = Workspace::open(Path::new("."), &[]).expect("a workspace");
    for turn in 0..10_000 {
        workspace.write_atomic("file", content(turn)).await.expect("written");
        println!("written");
    }
}

fn content(turn: u32) -> Vec<u8> {
    vec![if turn.is_multiple_of(2) { b'a' } else { b'b' }; 300_000]
}

/// A workspace with these files; each holds its own path.
fn tree(files: &[&str]) -> (TempDir, Workspace) {
    let folder = TempDir::new().expect("a folder");
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, file).expect("written");
    }
    let workspace = Workspace::open(folder.path(), &[]).expect("a workspace");
    (folder, workspace)
}

fn walked(workspace: &Workspace, path: &str, options: WalkOptions) -> Vec<String> {
    found(workspace, path, options).into_iter().map(|entry| entry.path.to_string()).collect()
}

/// Everything that a walk comes by.
fn found(workspace: &Workspace, path: &str, options: WalkOptions) -> Vec<WalkEntry> {
    let walk = workspace.walk(path, options).expect("a walk");
    let finds = walk.find(usize::MAX, || (), |(), entry, found| found.push(entry.clone()), |_| true);
    assert!(!finds.more && !finds.ended && finds.looked_at == finds.found.len() as u64);
    finds.found
}
