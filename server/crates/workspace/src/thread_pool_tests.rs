//! Several threads on one walk find what one thread would, in the same order, and end when they are told to.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tempfile::TempDir;

use super::{Finds, WalkEntry, WalkOptions, Workspace};

/// Folders with files, one of them with more than one thread takes at once; and every path in order.
fn tree() -> (TempDir, Workspace, Vec<String>) {
    let folder = TempDir::new().expect("a folder");
    let mut paths = Vec::new();
    for (outer, count) in [("a", 3), ("a.b", 300), ("b", 20), ("ba", 1)] {
        paths.push(outer.to_owned());
        for inner in ["", "x/", "x/y/", "z/"] {
            if !inner.is_empty() {
                paths.push(format!("{outer}/{}", inner.trim_end_matches('/')));
            }
            fs::create_dir_all(folder.path().join(outer).join(inner)).expect("made");
            for number in 0..count {
                let path = format!("{outer}/{inner}{number:03}");
                fs::write(folder.path().join(&path), "").expect("written");
                paths.push(path);
            }
        }
    }
    paths.sort_by_key(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>());
    let workspace = Workspace::open(folder.path(), &[]).expect("a workspace");
    (folder, workspace, paths)
}

fn find(workspace: &Workspace, limit: usize, go_on: impl Fn(u64) -> bool + Sync) -> Finds<String> {
    let walk = workspace.walk(".", WalkOptions::default()).expect("a walk");
    walk.find(limit, || (), |(), entry, found| found.push(entry.path.to_string()), go_on)
}

#[test]
fn the_first_finds_are_the_same_whichever_thread_comes_first() {
    let (_folder, workspace, paths) = tree();

    for limit in [1, 2, 7, 100, 500, paths.len() - 1, paths.len(), usize::MAX] {
        for _ in 0..5 {
            let finds = find(&workspace, limit, |_| true);

            let wanted = &paths[..limit.min(paths.len())];
            assert_eq!(finds.found, wanted, "limit {limit}");
            assert_eq!((finds.more, finds.ended), (limit < paths.len(), false), "limit {limit}");
        }
    }
}

#[test]
fn several_finds_of_one_entry_stay_together_and_are_cut_at_the_limit() {
    let (_folder, workspace, paths) = tree();
    let walk = workspace.walk(".", WalkOptions::default()).expect("a walk");
    let thrice = |(): &mut (), entry: &WalkEntry, found: &mut Vec<String>| {
        found.extend((0..3).map(|number| format!("{} {number}", entry.path)));
    };

    let finds = walk.find(5, || (), thrice, |_| true);

    let wanted = ["0", "1", "2"].map(|number| format!("{} {number}", paths[0]));
    assert_eq!((&finds.found[..3], finds.found[4].as_str()), (&wanted[..], format!("{} 1", paths[1]).as_str()));
    assert_eq!((finds.found.len(), finds.more), (5, true));
}

#[test]
fn what_stands_behind_the_last_find_that_counts_is_not_looked_at() {
    let (_folder, workspace, paths) = tree();

    let finds = find(&workspace, 1, |_| true);

    // Each thread may have a handful of names in hand.
    assert!(finds.looked_at < paths.len() as u64 / 2, "{} of {}", finds.looked_at, paths.len());
}

#[test]
fn a_search_that_is_told_to_end_ends() {
    let (_folder, workspace, _) = tree();

    let finds = find(&workspace, usize::MAX, |count| count < 10);

    assert!(finds.ended && (10..100).contains(&finds.looked_at), "{}", finds.looked_at);
}

#[test]
fn a_look_that_panics_ends_the_search_and_hangs_nobody() {
    let (_folder, workspace, _) = tree();
    let walk = workspace.walk(".", WalkOptions::default()).expect("a walk");
    let look =
        |(): &mut (), entry: &WalkEntry, _: &mut Vec<()>| assert!(!entry.path.as_str().ends_with("150"), "gone wrong");

    let result = catch_unwind(AssertUnwindSafe(|| walk.find(1, || (), look, |_| true)));

    assert!(result.is_err());
}
