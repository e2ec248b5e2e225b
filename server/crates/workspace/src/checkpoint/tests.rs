//! Checkpoints over real folders: what is noted, what comes back byte for byte, and what a kill leaves.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::*;
use crate::Workspace;

pub(super) struct Ground {
    pub(super) folder: tempfile::TempDir,
    pub(super) checkpoints: Checkpoints,
    pub(super) workspace: Workspace,
}

/// What is at each path, as somebody else sees it.
pub(super) type Picture = BTreeMap<String, (u32, String)>;

impl Ground {
    pub(super) fn new() -> Self {
        Self::with_limits(CheckpointLimits::default())
    }

    pub(super) fn with_limits(limits: CheckpointLimits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["data", "work"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let data = folder.path().join("data");
        let workspace = Workspace::open(&folder.path().join("work"), std::slice::from_ref(&data)).expect("it is there");
        Self { checkpoints: Checkpoints::with_limits(&data, limits).expect("it can be made"), workspace, folder }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(super) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    /// Runs a command between two notes.
    pub(super) fn run(&self, command: &str) -> Ended {
        let begun = self.checkpoints.begin(&self.workspace, "s").expect("noted").expect("small enough");
        self.shell(command);
        self.checkpoints.end(&self.workspace, &begun).expect("compared")
    }

    pub(super) fn shell(&self, command: &str) {
        let status = Command::new("bash").args(["-c", command]).current_dir(self.root()).status().expect("bash runs");
        assert!(status.success(), "{command}");
    }

    pub(super) fn undo(&self, ended: &Ended) -> Prepared {
        let prepared = self.prepare(&ended.changes, ended.contents()).expect("it can be put back");
        self.checkpoints.apply(&self.workspace, &prepared).expect("put back");
        prepared
    }

    pub(super) fn prepare(&self, changes: &[PathChange], contents: PathBuf) -> Result<Prepared, RestoreError> {
        let wanted = changes.iter().map(|change| Wanted {
            path: change.path.clone(),
            becomes: change.before.clone(),
            left: Left::Node(change.after.clone()),
            content: None,
        });
        self.checkpoints.prepare(&self.workspace, "s", wanted.collect(), &[contents])
    }

    pub(super) fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        let root = self.root();
        look(&root, &root, &mut picture);
        picture
    }
}

fn look(root: &Path, folder: &Path, picture: &mut Picture) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let found = fs::symlink_metadata(&path).expect("it is there");
        let what = if found.is_symlink() {
            fs::read_link(&path).expect("a link").display().to_string()
        } else if found.is_dir() {
            look(root, &path, picture);
            "folder".to_owned()
        } else {
            ContentHash::of(&fs::read(&path).expect("a file")).to_string()
        };
        let name = path.strip_prefix(root).expect("inside").display().to_string();
        picture.insert(name, (found.mode(), what));
    }
}

pub(super) fn paths(ended: &Ended) -> Vec<&str> {
    ended.changes.iter().map(|change| change.path.as_str()).collect()
}

fn small_project(ground: &Ground) {
    ground.file("src/main.rs", "fn main() {}\n");
    ground.file("src/deep/er/lib.rs", [0, 159, 146, 150]);
    ground.file("run.sh", "#!/bin/sh\n");
    ground.file("-x", "");
    fs::set_permissions(ground.root().join("run.sh"), fs::Permissions::from_mode(0o755)).expect("set");
    fs::create_dir(ground.root().join("empty")).expect("made");
    fs::set_permissions(ground.root().join("empty"), fs::Permissions::from_mode(0o700)).expect("set");
    symlink("src/main.rs", ground.root().join("link")).expect("linked");
    symlink("nowhere", ground.root().join("src/dangling")).expect("linked");
    fs::hard_link(ground.root().join("run.sh"), ground.root().join("same.sh")).expect("linked");
}

#[test]
fn everything_that_is_deleted_comes_back_with_modes_and_links() {
    let ground = Ground::new();
    small_project(&ground);
    let before = ground.picture();

    let ended = ground.run("rm -rf -- *");
    let gone = ground.picture();
    ground.undo(&ended);

    assert_eq!((gone.len(), before.len()), (0, 11));
    assert_eq!(ground.picture(), before);
    let inode = |name| fs::metadata(ground.root().join(name)).expect("it is there").ino();
    assert_eq!(inode("run.sh"), inode("same.sh"), "they are one file again");
}

#[test]
fn a_restore_can_be_undone_itself() {
    let ground = Ground::new();
    small_project(&ground);

    let ended = ground.run(
        "rm -r src; chmod 600 run.sh; ln -sfn elsewhere link; mkdir new; echo x > new/file; rm -- -x; mkdir -- -x",
    );
    let after = ground.picture();
    let undo = ground.undo(&ended);
    ground
        .prepare(&undo.changes, undo.contents())
        .and_then(|redo| ground.checkpoints.apply(&ground.workspace, &redo))
        .expect("done again");

    assert_eq!(ground.picture(), after);
}

#[test]
fn what_is_ignored_is_left_alone_also_when_the_rules_change() {
    let ground = Ground::new();
    ground.file(".gitignore", "target/\n");
    ground.file("target/built", "long work");
    ground.file("kept", "1");

    let ended =
        ground.run("rm .gitignore; echo 2 > kept; echo '*.log' > .ignore; echo x > a.log; echo y >> target/built");
    ground.undo(&ended);

    assert_eq!(paths(&ended), [".gitignore", ".ignore", "a.log", "kept"]);
    assert_eq!(fs::read_to_string(ground.root().join("target/built")).expect("it stays"), "long worky\n");
    assert_eq!(fs::read_to_string(ground.root().join("kept")).expect("a file"), "1");
    assert!(!ground.root().join("a.log").exists());
}

#[test]
fn what_changed_since_is_named_and_nothing_is_put_back() {
    let ground = Ground::new();
    ground.file("a", "1");
    ground.file("b", "1");
    let ended = ground.run("echo 2 > a; echo 2 > b");
    ground.file("b", "by hand");

    let refused = ground.prepare(&ended.changes, ended.contents()).expect_err("b is another one");

    assert_eq!(refused.to_string(), "b has changed since then");
    assert_eq!(fs::read_to_string(ground.root().join("a")).expect("a file"), "2\n");
}

#[test]
fn what_is_too_large_is_told_and_the_rest_comes_back() {
    let limits = CheckpointLimits { file: 10, ..CheckpointLimits::default() };
    let ground = Ground::with_limits(limits);
    ground.file("small", "1");
    for name in ["x", "y", "z"] {
        ground.file(name, "more than ten bytes");
    }

    let told = ground.checkpoints.note(&ground.workspace).not_kept();
    let ended = ground.run("rm *");

    assert_eq!(told.as_deref(), Some("3 files over 0 MB"));
    let undoable: Vec<_> = ended.changes.iter().filter(|change| change.is_undoable()).cloned().collect();
    assert_eq!((ended.changes.len(), undoable.len()), (4, 1));
    let prepared = ground.prepare(&undoable, ended.contents()).expect("the small one is kept");
    ground.checkpoints.apply(&ground.workspace, &prepared).expect("put back");
    assert_eq!(fs::read_to_string(ground.root().join("small")).expect("a file"), "1");
}

#[test]
fn a_change_of_the_same_size_within_the_same_moment_is_seen() {
    let ground = Ground::new();
    ground.file("a", "one");

    let ended = ground.run("printf two > a");
    ground.undo(&ended);

    assert_eq!(fs::read_to_string(ground.root().join("a")).expect("a file"), "one");
}

#[test]
fn the_servers_own_folders_are_never_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join(".data");
    fs::create_dir(&data).expect("made");
    let workspace = Workspace::open(folder.path(), std::slice::from_ref(&data)).expect("it is there");
    let checkpoints = Checkpoints::open(&data).expect("made");
    fs::write(folder.path().join("a"), "x").expect("written");

    let note = checkpoints.note(&workspace);

    assert_eq!(note.file_paths().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_call_that_was_cut_off_is_compared_at_the_next_start() {
    let ground = Ground::new();
    ground.file("a", "1");
    ground.file("b", "1");
    let begun = ground.checkpoints.begin(&ground.workspace, "s").expect("noted").expect("small enough");
    ground.shell("rm a; echo 2 > b");

    let started = Checkpoints::open(&ground.folder.path().join("data")).expect("opened");
    let finished = started.finish_cut_off(&ground.workspace);
    let loaded = started.load(&ground.workspace, "another", &begun.id.to_string()).expect("it is found");

    let changed: Vec<_> = loaded.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((finished, changed), (1, vec!["a", "b"]));
    assert!(started.load(&ground.workspace, "s", "../../etc").is_err());
}

#[test]
fn a_call_that_was_dropped_is_compared_when_it_is_asked_for() {
    let ground = Ground::new();
    ground.file("a", "1");
    let begun = ground.checkpoints.begin(&ground.workspace, "s").expect("noted").expect("small enough");
    ground.shell("rm a");
    let id = begun.id.to_string();
    let runs = ground.checkpoints.load(&ground.workspace, "s", &id).is_err();
    drop(begun);

    let loaded = ground.checkpoints.load(&ground.workspace, "s", &id).expect("it is compared");

    assert_eq!((runs, loaded.changes.len()), (true, 1));
}

#[test]
fn what_was_ignored_or_closed_before_a_call_that_was_cut_off_is_left_alone() {
    let ground = Ground::new();
    ground.file(".gitignore", "target/\n");
    ground.file("target/built", "long work");
    ground.file(".env", "KEY=x");
    let mut denied = crate::DeniedPaths::default();
    denied.close(&crate::PathPattern::new(".env").expect("a glob"), true);
    let closed = ground.workspace.denying(denied);
    let begun = ground.checkpoints.begin(&closed, "s").expect("noted").expect("small enough");
    ground.shell("rm .gitignore; echo x > new");

    let started = Checkpoints::open(&ground.folder.path().join("data")).expect("opened");
    started.finish_cut_off(&ground.workspace);
    let loaded = started.load(&ground.workspace, "s", &begun.id.to_string()).expect("it is found");

    let changed: Vec<_> = loaded.changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(changed, [".gitignore", "new"]);
}

#[test]
fn a_restore_that_was_cut_off_is_finished_and_one_that_had_not_begun_is_not() {
    for (journal, expected) in [("\"applying\"", "1"), ("\"staging\"", "2\n")] {
        let ground = Ground::new();
        ground.file("a", "1");
        ground.file("b/c", "1");
        let ended = ground.run("echo 2 > a; rm -r b");
        let prepared = ground.prepare(&ended.changes, ended.contents()).expect("it can be put back");
        let place = prepared.contents().parent().expect("a folder").to_owned();
        fs::write(place.join("journal"), journal).expect("written");
        fs::create_dir(ground.root().join(format!(".switchboard-{}.undo", prepared.id))).expect("made");

        let started = Checkpoints::open(&ground.folder.path().join("data")).expect("opened");
        started.finish_restores(&ground.workspace);

        assert_eq!(fs::read_to_string(ground.root().join("a")).expect("a file"), expected);
        assert_eq!(ground.root().join("b/c").exists(), expected == "1");
        let left = fs::read_dir(ground.root()).expect("it is there").count();
        assert_eq!(left, if expected == "1" { 2 } else { 1 }, "nothing of ours stays");
    }
}

#[test]
fn a_checkout_is_undone_with_what_git_knows_of_it() {
    let ground = Ground::new();
    ground.shell(
        "git init -q -b main . && git config user.email a@b.c && git config user.name a && echo 1 > a && git add . && \
         git commit -qm one && git checkout -qb other && echo 2 > a && echo x > only && git add . && git commit -qm two && \
         git checkout -q main",
    );
    let before = ground.picture();

    let ended = ground.run("git checkout -q other");
    let meanwhile = fs::read_to_string(ground.root().join("a")).expect("a file");
    ground.undo(&ended);

    let status = Command::new("git").args(["status", "--porcelain", "-b"]).current_dir(ground.root()).output();
    assert_eq!(String::from_utf8_lossy(&status.expect("git runs").stdout), "## main\n");
    assert_eq!(meanwhile, "2\n");
    let without_index = |mut picture: Picture| {
        picture.remove(".git/index");
        picture
    };
    assert_eq!(without_index(ground.picture()), without_index(before));
    assert!(paths(&ground.run("git status")).is_empty());
}

#[test]
fn contents_that_nobody_needs_go_and_so_do_the_oldest_checkpoints() {
    let limits = CheckpointLimits { total: 3000, ..CheckpointLimits::default() };
    let ground = Ground::with_limits(limits);
    ground.file("a", "0".repeat(1000));
    let first = ground.run("head -c 1000 /dev/zero > a");
    for round in 1..9 {
        ground.run(&format!("head -c 1000 /dev/zero | tr '\\0' {round} > a"));
    }

    let kept = fs::read_dir(ground.folder.path().join("data/checkpoints/calls/s")).expect("it is there").count();

    assert_eq!(kept, 3);
    assert!(!first.contents().exists());
    assert!(ground.checkpoints.objects.bytes() <= 4000, "{}", ground.checkpoints.objects.bytes());
}

/// `cargo test -p switchboard-workspace --release -- --ignored --nocapture fifty` prints what a note costs.
#[test]
#[ignore = "a measurement"]
fn fifty_thousand_files_are_noted() {
    let ground = Ground::new();
    for folder in 0..500 {
        for file in 0..100 {
            ground.file(&format!("folder{folder}/file{file}.txt"), format!("{folder} {file}\n").repeat(20));
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let mut firsts = Vec::new();
    loop {
        let began = Instant::now();
        let note = ground.checkpoints.note(&ground.workspace);
        firsts.push((began.elapsed(), note.not_kept()));
        if note.not_kept().is_none() {
            break;
        }
    }
    println!("first notes: {firsts:?}");
    let mut times = Vec::new();
    for _ in 0..9 {
        let began = Instant::now();
        let note = ground.checkpoints.note(&ground.workspace);
        times.push(began.elapsed());
        assert_eq!((note.files(), note.not_kept()), (50_000, None));
    }
    times.sort();
    let began = Instant::now();
    let ended = ground.run("true");
    println!("a note of 50,000 files: median {:?}, all {times:?}; a call around them {:?}", times[4], began.elapsed());
    assert!(ended.changes.is_empty());
}
