//! What `file_edit` changes, keeps and refuses.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::test_support::{Bench, map};

fn bench() -> Bench<FileEdit> {
    Bench::new(FileEdit::new())
}

fn content(bench: &Bench<FileEdit>, path: &str) -> String {
    fs::read_to_string(bench.folder().join(path)).expect("it is there")
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
    assert!(FileEdit::new().spec().undoable);
}

#[tokio::test]
async fn one_place_is_replaced_and_shown_as_a_diff() {
    let bench = bench();
    bench.file("a.txt", "one\ntwo\nthree\n");

    let result = bench.run(json!({"path": "a.txt", "find": "two", "replace": "2"})).await;

    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    let value = json!({"path": "a.txt", "replacements": 1, "diff": diff});
    assert_eq!(result.value, Some(ArtifactValue::Json(value)));
    assert_eq!(result.view, Some(format!("Replaced 1 place in a.txt.\n{diff}")));
    assert_eq!(result.fields["diff"], diff);
    assert_eq!(content(&bench, "a.txt"), "one\n2\nthree\n");
}

#[tokio::test]
async fn every_place_is_replaced_when_that_is_said() {
    let bench = bench();
    bench.file("a.txt", "x x\nx\n");
    let arguments = json!({"file_path": "a.txt", "old_string": "x", "new_string": "", "replace_all": true});

    assert_eq!(bench.json(arguments).await["replacements"], 3);

    assert_eq!(content(&bench, "a.txt"), " \n\n");
}

#[tokio::test]
async fn line_ends_and_permissions_stay() {
    let bench = bench();
    bench.file("run.sh", "one\r\ntwo\r\n");
    let path = bench.folder().join("run.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).expect("set");

    bench.value(json!({"path": "run.sh", "find": "one\ntwo", "replace": "1\n2\n3"})).await;

    assert_eq!(content(&bench, "run.sh"), "1\r\n2\r\n3\r\n");
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o750);
}

#[tokio::test]
async fn a_text_that_is_not_there_or_not_unique_is_told_with_its_places() {
    let bench = bench();
    bench.file("a.txt", "let port = 80;\nx\ny\nx\nx\nx\nx\nx\n");

    let absent = bench.failure(json!({"path": "a.txt", "find": "let Port=80;", "replace": "z"})).await;
    let twice = bench.failure(json!({"path": "a.txt", "find": "x", "replace": "z"})).await;
    let alien = bench.failure(json!({"path": "a.txt", "find": "nothing of the kind", "replace": "z"})).await;

    assert_eq!(absent.1, "the text to find is not in a.txt (0 matches in 8 lines)");
    assert!(absent.2.starts_with("The nearest line is 1: \"let port = 80;\"."), "{}", absent.2);
    assert_eq!(twice.1, "the text to find appears 6 times in a.txt, at lines 2, 4, 5, 6, 7 and more");
    assert!(twice.2.contains("replace_all=true"), "{}", twice.2);
    assert!(alien.2.contains("file_read(path=\"a.txt\")"), "{}", alien.2);
    assert_eq!(content(&bench, "a.txt"), "let port = 80;\nx\ny\nx\nx\nx\nx\nx\n");
}

#[tokio::test]
async fn what_cannot_be_edited_says_why() {
    let bench = bench();
    bench.file("a.bin", [0, 1, 2]).file("src/a", "");

    let binary = bench.failure(json!({"path": "a.bin", "find": "x", "replace": "y"})).await;
    let absent = bench.failure(json!({"path": "b.txt", "find": "x", "replace": "y"})).await;
    let folder = bench.failure(json!({"path": "src", "find": "x", "replace": "y"})).await;
    let outside = bench.failure(json!({"path": "/etc/passwd", "find": "x", "replace": "y"})).await;

    assert_eq!((binary.0, binary.1.as_str()), (ErrorType::User, "'a.bin' is not a text file"));
    assert_eq!((absent.0, absent.1.as_str()), (ErrorType::User, "'b.txt' does not exist"));
    assert_eq!((folder.0, folder.1.as_str()), (ErrorType::User, "'src' is a directory"));
    assert_eq!(outside.0, ErrorType::Security);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();
    let message = bench.problems(json!({"find": "", "replace_all": "yes"})).await;
    for part in ["`path` is missing", "`find` must not be empty", "`replace` is missing", "`replace_all`"] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    let same = bench.problems(json!({"path": "a", "find": "x", "replace": "x"})).await;
    assert_eq!(same, "`find` and `replace` are the same text");
}

#[tokio::test]
async fn it_says_which_file_it_changes_and_what_it_did() {
    let bench = bench();
    bench.file("a.txt", "x\n");
    let arguments = json!({"path": "a.txt", "find": "x", "replace": "y"});

    assert_eq!(bench.tool.changes(&map(arguments.clone())), ["a.txt"]);
    assert_eq!(bench.tool.title(&map(arguments.clone())).as_deref(), Some("Edit a.txt"));
    let preview = bench.preview(arguments).await;
    assert_eq!(preview[0], "Replaced 1 place in a.txt.");
}

#[tokio::test]
async fn who_is_asked_sees_the_edit_and_the_file_stays() {
    let bench = Bench::new(FileEdit::new());
    bench.file("a.txt", "one\ntwo\n");

    let diff = bench.foreseen(json!({"path": "a.txt", "old_string": "two", "new_string": "2"})).await;
    let misses = bench.foreseen(json!({"path": "a.txt", "find": "three", "replace": "3"})).await;

    assert_eq!(diff.as_deref(), Some("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"));
    assert_eq!(misses, None);
    assert_eq!(std::fs::read_to_string(bench.folder().join("a.txt")).expect("it is there"), "one\ntwo\n");
}
