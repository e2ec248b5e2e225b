//! What must not go wrong: files that nobody touched, files that somebody else changed, steps that fail, half a restore.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use super::folders::Folders;
use super::note::Noted;
use super::steps::{Step, act};
use super::tests::{Ground, paths};
use super::*;

fn read(ground: &Ground, path: &str) -> String {
    fs::read_to_string(ground.root().join(path)).unwrap_or_else(|error| error.to_string())
}

fn with_room_for(total: u64) -> Ground {
    Ground::with_limits(CheckpointLimits { total, ..CheckpointLimits::default() })
}

/// The next start of the server.
fn start(ground: &Ground) -> Checkpoints {
    let started = Checkpoints::open(&ground.folder.path().join("data")).expect("opened");
    started.finish_restores(&ground.workspace);
    started.finish_cut_off(&ground.workspace);
    started
}

/// A restore that was killed when it had put these back.
fn killed_after(ground: &Ground, ended: &Ended, done: &[(&str, &str)], journal: &str) -> Prepared {
    let prepared = ground.prepare(&ended.changes, ended.contents()).expect("it can be put back");
    let place = prepared.contents().parent().expect("a folder").to_owned();
    fs::write(place.join("journal"), journal).expect("written");
    for (path, content) in done {
        ground.file(path, content);
    }
    prepared
}

/// A content is lost.
fn lose(ground: &Ground, content: &str) {
    let name = ContentHash::of(content.as_bytes()).to_string();
    let mut folders = vec![ground.folder.path().join("data/checkpoints")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == name.as_str() {
                fs::remove_file(entry.path()).expect("removed");
            }
        }
    }
}

#[test]
fn a_file_that_only_one_of_the_notes_read_is_not_changed() {
    let ground = with_room_for(5);
    ground.file("a", "123");
    ground.file("b", "456");

    let ended = ground.run("rm a; ln b c; rm c");

    assert_eq!(paths(&ended), ["a"]);
}

#[test]
fn a_file_that_was_not_read_after_the_call_is_still_what_the_call_left() {
    let ground = with_room_for(5);
    ground.file("a", "123");

    let ended = ground.run("printf 456 > b");
    ground.undo(&ended);

    assert_eq!(paths(&ended), ["b"]);
    assert!(!ground.root().join("b").exists());
}

#[test]
fn a_file_that_was_not_read_and_has_another_name_now_gets_its_own_back() {
    let ground = with_room_for(5);
    ground.file("a", "123");
    ground.file("b", "456");

    let ended = ground.run("rm a; mv b c");
    ground.undo(&ended);

    assert_eq!(ground.picture().into_keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(read(&ground, "b"), "456");
}

#[test]
fn a_call_that_makes_more_files_than_are_noted_can_be_undone() {
    let ground = Ground::with_limits(CheckpointLimits { paths: 4, ..CheckpointLimits::default() });
    ground.file("a", "1");

    let ended = ground.run("rm a; touch 1 2 3 4 5 6");
    ground.undo(&ended);

    assert_eq!(ground.picture().into_keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_file_in_whose_place_is_something_special_comes_back() {
    let ground = Ground::new();
    ground.file("a", "1");

    let ended = ground.run("rm a; mkfifo a");
    ground.undo(&ended);

    assert_eq!(paths(&ended), ["a"]);
    assert!(fs::symlink_metadata(ground.root().join("a")).is_ok_and(|found| found.is_file()));
    assert_eq!(read(&ground, "a"), "1");
}

#[test]
fn what_somebody_else_changed_during_a_call_is_not_the_calls() {
    let ground = Ground::new();
    for path in ["a", "b", "c"] {
        ground.file(path, "1");
    }
    let begun = ground.checkpoints.begin(&ground.workspace, "s").expect("noted").expect("small enough");
    ground.shell("echo 2 > a");
    ground.file("b", "saved");
    ground.file("c", "saved");
    ground.file("d", "saved");
    ground.checkpoints.changed_by_others(&ground.workspace, ["b", "c", "d"].into_iter());
    ground.shell("echo 3 > c");

    let ended = ground.checkpoints.end(&ground.workspace, &begun).expect("compared");
    ground.undo(&ended);

    assert_eq!(paths(&ended), ["a", "c"]);
    let now = ["a", "b", "c", "d"].map(|path| read(&ground, path));
    assert_eq!(now, ["1", "saved", "saved", "saved"]);
}

#[test]
fn a_further_name_never_brings_another_content() {
    let ground = Ground::new();
    ground.file("a", "both");
    fs::hard_link(ground.root().join("a"), ground.root().join("b")).expect("linked");
    let ended = ground.run("rm b; echo other > b");
    ground.file("a", "by hand");

    ground.undo(&ended);

    assert_eq!((read(&ground, "a").as_str(), read(&ground, "b").as_str()), ("by hand", "both"));
}

#[test]
fn the_first_name_of_a_file_comes_back_as_the_same_file() {
    let ground = Ground::new();
    ground.file("a", "both");
    fs::hard_link(ground.root().join("a"), ground.root().join("b")).expect("linked");

    let ended = ground.run("rm a");
    ground.undo(&ended);

    let inode = |name| fs::metadata(ground.root().join(name)).expect("it is there").ino();
    assert_eq!(inode("a"), inode("b"));
}

#[test]
fn what_changes_between_the_look_and_the_restore_is_refused() {
    let ground = Ground::new();
    ground.file("a", "1");
    ground.file("b", "1");
    let ended = ground.run("echo 2 > a; echo 2 > b");
    let prepared = ground.prepare(&ended.changes, ended.contents()).expect("it can be put back");
    ground.file("b", "by hand");

    let refused = ground.checkpoints.apply(&ground.workspace, &prepared).expect_err("b is another one");

    assert_eq!(refused.to_string(), "b has changed since then");
    assert_eq!((read(&ground, "a").as_str(), read(&ground, "b").as_str()), ("2\n", "by hand"));
}

#[test]
fn a_restore_that_fails_brings_back_what_was_too_large_to_be_kept() {
    let ground = Ground::with_limits(CheckpointLimits { file: 10, ..CheckpointLimits::default() });
    ground.file(".gitignore", "*.log");
    ground.file("f", "1");
    let ended = ground.run("rm f; mkdir f; echo x > f/x.log; echo more than ten bytes > large");
    let after = ground.picture();

    // The folder has something in it that nobody noted.
    let prepared = ground.prepare(&ended.changes, ended.contents()).expect("it looks well");
    let failed = ground.checkpoints.apply(&ground.workspace, &prepared);

    assert!(matches!(failed, Err(RestoreError::Failed(_))), "{failed:?}");
    assert_eq!(ground.picture(), after);
}

#[test]
fn a_restore_that_cannot_be_finished_is_taken_back() {
    let ground = Ground::new();
    ground.file("a", "one");
    ground.file("b", "two");
    let ended = ground.run("echo 2 > a; echo 2 > b");
    let prepared = killed_after(&ground, &ended, &[("a", "one")], "\"applying\"");
    lose(&ground, "two");

    let started = start(&ground);

    assert_eq!((read(&ground, "a").as_str(), read(&ground, "b").as_str()), ("2\n", "2\n"));
    let loaded = started.load(&ground.workspace, "s", &prepared.id.to_string()).expect("it is found");
    assert!(loaded.changes.is_empty());
}

#[test]
fn a_restore_that_can_neither_be_finished_nor_taken_back_is_tried_again() {
    let ground = Ground::new();
    ground.file("a", "one");
    ground.file("b", "two");
    let ended = ground.run("echo 2 > a; echo 3 > b");
    let prepared = killed_after(&ground, &ended, &[("a", "one")], "\"applying\"");
    let kept = prepared.contents().join(ContentHash::of(b"two").to_string());
    lose(&ground, "two");
    lose(&ground, "2\n");
    start(&ground);
    let half = (read(&ground, "a"), read(&ground, "b"));

    fs::write(kept, "two").expect("it is found again");
    start(&ground);

    assert_eq!(half, ("one".to_owned(), "3\n".to_owned()));
    assert_eq!((read(&ground, "a").as_str(), read(&ground, "b").as_str()), ("one", "two"));
}

#[test]
fn what_somebody_changed_after_the_kill_is_theirs() {
    let ground = Ground::new();
    for path in ["a", "b", "c"] {
        ground.file(path, "1");
    }
    let ended = ground.run("echo 2 > a; echo 2 > b; echo 2 > c");
    killed_after(&ground, &ended, &[("a", "1"), ("b", "by hand")], "\"applying\"");

    start(&ground);

    assert_eq!(["a", "b", "c"].map(|path| read(&ground, path)), ["1", "by hand", "1"]);
}

#[test]
fn calls_that_were_cut_off_before_they_changed_anything_can_be_undone() {
    let ground = Ground::new();
    ground.file("a", "1");
    let begun = ground.checkpoints.begin(&ground.workspace, "s").expect("noted").expect("small enough");
    let ended = ground.run("echo 2 > a");
    let prepared = killed_after(&ground, &ended, &[], "\"staging\"");
    ground.file("a", "1");

    let started = start(&ground);

    for id in [begun.id, prepared.id] {
        let loaded = started.load(&ground.workspace, "s", &id.to_string()).expect("it is found");
        assert!(loaded.changes.is_empty(), "{loaded:?}");
    }
}

#[test]
fn what_a_call_that_was_cut_off_needs_is_kept_until_it_can_be_compared() {
    let ground = with_room_for(8);
    ground.file("a", "needed");
    let begun = ground.checkpoints.begin(&ground.workspace, "s").expect("noted").expect("small enough");
    ground.shell("rm a");
    let started = Checkpoints::with_limits(
        &ground.folder.path().join("data"),
        CheckpointLimits { total: 8, ..CheckpointLimits::default() },
    );
    let started = started.expect("opened");

    for round in 0..5 {
        let other = started.begin(&ground.workspace, "t").expect("noted").expect("small enough");
        ground.file("b", format!("round{round}"));
        started.end(&ground.workspace, &other).expect("compared");
    }
    fs::remove_file(ground.root().join("b")).expect("removed");
    let loaded = started.load(&ground.workspace, "s", &begun.id.to_string()).expect("it is compared");

    let kept = loaded.changes.iter().filter_map(|change| change.before.as_ref()?.hash());
    let contents: Vec<_> = kept.map(|hash| started.content(hash, std::slice::from_ref(&loaded.contents))).collect();
    assert_eq!(contents.len(), 1);
    assert_eq!(contents[0].as_deref().expect("it is kept"), b"needed");
}

#[test]
fn a_content_that_a_loss_of_power_left_empty_is_written_again() {
    let ground = Ground::new();
    ground.file("a", "1");
    let shelf = ContentHash::of(b"1").to_string();
    let kept = ground.folder.path().join("data/checkpoints/contents").join(&shelf[..2]).join(&shelf);
    fs::create_dir_all(kept.parent().expect("a folder")).expect("made");
    fs::write(kept, "").expect("written");

    let ended = ground.run("rm a");
    ground.undo(&ended);

    assert_eq!(read(&ground, "a"), "1");
}

#[test]
fn permissions_are_never_set_through_a_link() {
    let ground = Ground::new();
    ground.file("a", "1");
    let outside = ground.folder.path().join("outside");
    fs::write(&outside, "1").expect("written");
    fs::set_permissions(&outside, fs::Permissions::from_mode(0o600)).expect("set");
    let note = ground.checkpoints.note(&ground.workspace);
    let noted: Noted = note.paths[0].clone();
    fs::remove_file(ground.root().join("a")).expect("removed");
    symlink(&outside, ground.root().join("a")).expect("linked");
    let becomes = Node::File { hash: ContentHash::of(b"1"), mode: 0o777, same_as: None };
    let stage = rustix::fs::open(Path::new("."), rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty()).expect("open");

    let step = Step { path: "a", now: Some(noted), becomes: Some(&becomes) };
    let done = act(&mut Folders::new(&ground.workspace.inner), &stage, &[step]);

    assert!(done.is_err());
    assert_eq!(fs::metadata(&outside).expect("it is there").mode() & 0o777, 0o600);
}

#[test]
fn two_names_of_a_file_that_is_too_large_go_both() {
    let ground = Ground::with_limits(CheckpointLimits { file: 10, ..CheckpointLimits::default() });
    ground.file("z", "1");

    let ended = ground.run("echo more than ten bytes > a; ln a b");
    ground.undo(&ended);

    assert!(!ground.root().join("a").exists() && !ground.root().join("b").exists());
}
