//! What `apply_patch` changes, and that it changes all or nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::test_support::{Bench, map};

const TWO_FILES: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\
                         --- a/b.txt\n+++ b/b.txt\n@@ -1 +1,2 @@\n here\n+there\n";

fn bench() -> Bench<ApplyPatch> {
    let bench = Bench::new(ApplyPatch::new());
    bench.file("a.txt", "one\ntwo\nthree\n").file("b.txt", "here\n");
    bench
}

/// Every file of the folder with what is in it.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("there")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).expect("text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
    assert!(ApplyPatch::new().spec().undoable);
}

#[tokio::test]
async fn several_files_are_changed_at_once() {
    let bench = bench();

    let value = bench.json(json!({"patch": TWO_FILES})).await;

    assert_eq!(value["changed"], json!(["a.txt", "b.txt"]));
    assert_eq!(value["diff"], TWO_FILES);
    assert_eq!(files(bench.folder()), pairs(&[("a.txt", "one\n2\nthree\n"), ("b.txt", "here\nthere\n")]));
}

#[tokio::test]
async fn files_are_made_deleted_and_renamed() {
    let bench = bench();
    let patch = "diff --git a/new/c.sh b/new/c.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new/c.sh\n@@ -0,0 +1 @@\n+echo\n\
                 diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-here\n\
                 diff --git a/a.txt b/d.txt\nsimilarity index 80%\nrename from a.txt\nrename to d.txt\n--- a/a.txt\n+++ b/d.txt\n\
                 @@ -1,2 +1,2 @@\n-one\n+1\n two\n";

    let value = bench.json(json!({"diff": patch})).await;

    assert_eq!(value["created"], json!(["new/c.sh"]));
    assert_eq!(value["deleted"], json!(["b.txt"]));
    assert_eq!(value["renamed"], json!({"a.txt": "d.txt"}));
    assert_eq!(files(bench.folder()), pairs(&[("d.txt", "1\ntwo\nthree\n")]));
    let made = bench.folder().join("new/c.sh");
    assert_eq!(fs::read_to_string(&made).expect("made"), "echo\n");
    assert_eq!(fs::metadata(&made).expect("made").permissions().mode() & 0o777, 0o755);
}

#[tokio::test]
async fn a_hunk_that_does_not_fit_is_named_and_nothing_is_changed() {
    let bench = bench();
    let before = files(bench.folder());
    let patch = format!(
        "{}{}",
        &TWO_FILES[..TWO_FILES.find("--- a/b").expect("two")],
        "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-her\n+there\n"
    );

    let (error_type, message, next) = bench.failure(json!({"patch": patch})).await;

    assert_eq!(error_type, ErrorType::User);
    assert_eq!(message, "b.txt: hunk 1 (@@ -1,1) does not fit: the file has no line \"her\"; no file was changed");
    assert!(next.starts_with("The nearest line is 1: \"here\"."), "{next}");
    assert_eq!(files(bench.folder()), before);
}

#[tokio::test]
async fn what_fails_while_files_are_written_puts_back_those_before_it() {
    let bench = bench();
    let before = files(bench.folder());
    // The second file has another name, so that it must not be changed; that is seen only when it is written.
    fs::hard_link(bench.folder().join("b.txt"), bench.folder().join("other-name")).expect("linked");

    let (_, message, _) = bench.failure(json!({"patch": TWO_FILES})).await;
    fs::remove_file(bench.folder().join("other-name")).expect("it was there");

    assert!(message.ends_with("; no file was changed"), "{message}");
    assert_eq!(files(bench.folder()), before);
}

#[tokio::test]
async fn line_ends_stay() {
    let bench = bench();
    bench.file("a.txt", "one\r\ntwo\r\nthree\r\n");

    let patch = "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    bench.value(json!({"patch": patch})).await;

    assert_eq!(fs::read_to_string(bench.folder().join("a.txt")).expect("there"), "one\r\n2\r\nthree\r\n");
}

#[tokio::test]
async fn a_file_in_the_way_or_not_there_is_told() {
    let bench = bench();
    let create = "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n";
    let absent = "--- a/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-x\n+y\n";
    let partly = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
    let outside = "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-x\n+y\n";

    let create = bench.failure(json!({"patch": create})).await;
    let absent = bench.failure(json!({"patch": absent})).await;
    let partly = bench.failure(json!({"patch": partly})).await;
    let outside = bench.failure(json!({"patch": outside})).await;

    assert_eq!(create.1, "the patch creates a.txt, but it already exists; no file was changed");
    assert_eq!(absent.1, "'c.txt' does not exist");
    assert_eq!(partly.1, "the patch deletes a.txt, but does not remove everything in it; no file was changed");
    assert_eq!(outside.0, ErrorType::Security);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();
    assert_eq!(bench.problems(json!({})).await, "`patch` is missing");
    let none = bench.problems(json!({"patch": "hello"})).await;
    assert!(none.contains("`patch`"), "{none}");
    let counts =
        bench.failure(json!({"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,3 @@\n one\n-two\n+2\n three\n"})).await;
    assert_eq!(counts.0, ErrorType::Validation);
    assert!(counts.1.starts_with("`patch` cannot be read as a unified diff"), "{}", counts.1);
    let twice = bench.problems(json!({"patch": format!("{TWO_FILES}{TWO_FILES}")})).await;
    assert_eq!(twice, "`patch` names a.txt twice; put all hunks of a file under one header");
    let link = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a.txt\n";
    assert_eq!(
        bench.problems(json!({"patch": link})).await,
        "`patch` makes l a link, and only regular files can be patched"
    );
}

#[tokio::test]
async fn it_says_which_files_it_changes_and_what_it_did() {
    let bench = bench();
    let arguments = map(json!({"patch": TWO_FILES}));

    assert_eq!(bench.tool.changes(&arguments), ["a.txt", "a.txt", "b.txt", "b.txt"]);
    assert_eq!(bench.tool.title(&arguments).as_deref(), Some("Patch 2 files"));
    assert_eq!(bench.preview(Value::Object(arguments)).await[0], "Patched 2 files.");
}

#[tokio::test]
async fn who_is_asked_sees_what_becomes_of_all_files_and_they_stay() {
    let bench = bench();
    let before = files(bench.folder());

    assert_eq!(bench.foreseen(json!({"diff": TWO_FILES})).await.as_deref(), Some(TWO_FILES));
    assert_eq!(bench.foreseen(json!({"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n"})).await, None);
    assert_eq!(files(bench.folder()), before);
}
