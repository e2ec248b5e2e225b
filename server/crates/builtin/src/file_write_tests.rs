//! What `file_write` writes and refuses.

use std::fs;

use super::*;
use crate::test_support::{Bench, map};

fn bench() -> Bench<FileWrite> {
    Bench::new(FileWrite::new())
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn a_new_file_is_made_with_the_folders_above_it() {
    let bench = bench();

    let result = bench.run(json!({"path": "notes/new/hello.txt", "content": "Hello, World!"})).await;

    let value = json!({"path": "notes/new/hello.txt", "bytes": 13, "created": true});
    assert_eq!(result.value, Some(ArtifactValue::Json(value)));
    assert_eq!(result.view.as_deref(), Some("Wrote 13 bytes to notes/new/hello.txt, a new file."));
    assert_eq!(result.written_files[0].path.as_str(), "notes/new/hello.txt");
    let written = fs::read_to_string(bench.folder().join("notes/new/hello.txt")).expect("it is there");
    assert_eq!(written, "Hello, World!");
}

#[tokio::test]
async fn any_value_can_be_written() {
    for (content, encoding, expected) in [
        (json!("text\n"), "text", b"text\n".as_slice()),
        (json!({"b": [1], "a": null}), "text", b"{\n  \"b\": [\n    1\n  ],\n  \"a\": null\n}\n"),
        (json!(42), "text", b"42\n"),
        (json!("AAEC/w=="), "base64", &[0, 1, 2, 255]),
        (json!(""), "text", b""),
    ] {
        let bench = bench();
        bench.file("a", "before");

        let mut value = bench.json(json!({"filePath": "a", "content": content, "encoding": encoding})).await;

        let diff = value.as_object_mut().and_then(|value| value.remove("diff")).expect("what changed");
        assert!(diff.as_str().is_some_and(|diff| diff.contains("a/a")), "{diff}");
        assert_eq!(value, json!({"path": "a", "bytes": expected.len(), "created": false}));
        assert_eq!(fs::read(bench.folder().join("a")).expect("it is there"), expected);
    }
}

#[tokio::test]
async fn what_cannot_be_written_says_why() {
    let bench = bench();
    bench.file("src/a.txt", "");

    let directory = bench.failure(json!({"path": "src", "content": "x"})).await;
    let outside = bench.failure(json!({"path": "/etc/passwd", "content": "x"})).await;
    let no_base64 = bench.failure(json!({"path": "a", "content": "%", "encoding": "base64"})).await;
    let large = bench.failure(json!({"path": "a", "content": "x".repeat(MAX_VALUE_BYTES + 1)})).await;

    assert_eq!((directory.0, directory.1.as_str()), (ErrorType::User, "'src' is a directory"));
    assert_eq!(outside.0, ErrorType::Security);
    assert_eq!(no_base64.0, ErrorType::Validation);
    assert_eq!((large.0, large.2.as_str()), (ErrorType::User, "Write it in several files."));
    assert!(!bench.folder().join("a").exists());
}

#[tokio::test]
async fn content_is_not_written_over_another_file_than_it_was_made_from() {
    let bench = bench();
    bench.file("a", "before");
    let base = hex(&<sha2::Sha256 as sha2::Digest>::digest("before"));
    let save = |content: &str| json!({"path": "a", "content": content, "base_sha256": base});

    let first = bench.run(save("by the user")).await;
    let stale = bench.failure(save("by somebody with an old window")).await;
    fs::remove_file(bench.folder().join("a")).expect("removed");
    let gone = bench.failure(save("again")).await;

    assert_eq!(first.failure, None);
    assert!(stale.1.contains("somebody has changed it in the meantime") && stale.2.contains("file_read"), "{stale:?}");
    assert!(gone.1.contains("can no longer be read"), "{gone:?}");
    assert!(!bench.folder().join("a").exists());
    let short = bench.problems(json!({"path": "a", "content": "", "base_sha256": "abc"})).await;
    assert!(short.contains("`base_sha256`"), "{short}");
}

#[tokio::test]
async fn a_pattern_names_no_new_file() {
    let bench = bench();
    bench.file("kept*.txt", "before");

    let (error_type, message, suggestion) = bench.failure(json!({"path": "**/*.csv", "content": "a"})).await;

    assert_eq!((error_type, suggestion.contains("`glob`")), (ErrorType::Validation, true), "{message}");
    assert!(fs::read_dir(bench.folder()).expect("the folder").count() == 1, "nothing was made, no folder either");
    let existing = bench.run(json!({"path": "kept*.txt", "content": "after"})).await;
    assert!(existing.is_success(), "one that is there has its name");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();

    let message = bench.problems(json!({})).await;
    assert_eq!(message, "2 problems with the arguments: `path` is missing; `content` is missing");
    assert_eq!(bench.problems(json!({"path": "", "content": 1})).await, "`path` must not be empty");
    let message = bench.problems(json!({"path": "a", "content": 1, "encoding": "hex"})).await;
    assert_eq!(message, "`encoding` must be one of [\"text\",\"base64\"], not \"hex\"");
}

#[tokio::test]
async fn it_says_which_file_it_changes_and_what_it_did() {
    let bench = bench();
    let arguments = map(json!({"path": "a.txt", "content": "x"}));

    assert_eq!(bench.tool.changes(&arguments), ["a.txt"]);
    assert!(!bench.tool.only_creates(&arguments), "it may replace a file unless it is told otherwise");
    assert!(bench.tool.only_creates(&map(json!({"path": "a.txt", "content": "x", "overwrite": false}))));
    assert!(!bench.tool.names_base(&arguments));
    assert!(bench.tool.names_base(&map(json!({"path": "a.txt", "content": "x", "base_sha256": "0".repeat(64)}))));
    assert_eq!(bench.tool.title(&arguments).as_deref(), Some("Write a.txt"));
    assert_eq!(bench.preview(Value::Object(arguments)).await, ["Wrote 1 byte to a.txt, a new file."]);
}

#[tokio::test]
async fn who_is_asked_sees_what_becomes_of_a_file_that_is_there() {
    let bench = bench();
    bench.file("a.txt", "one\ntwo\n").file("logo.bin", [0, 1, 2]);

    let replaced = bench.foreseen(json!({"filePath": "a.txt", "content": "one\n2\n"})).await;
    let binary = bench.foreseen(json!({"path": "logo.bin", "content": "text"})).await;
    bench.file("huge.txt", vec![b'x'; MAX_VALUE_BYTES + 1]);
    let huge = bench.foreseen(json!({"path": "huge.txt", "content": "text"})).await;

    assert_eq!(replaced.as_deref(), Some("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"));
    let sizes = "Binary or large files a/logo.bin and b/logo.bin differ (3 bytes, then 4 bytes)\n";
    assert_eq!(binary.as_deref(), Some(sizes));
    assert_eq!(huge.as_deref(), Some("huge.txt is too large to compare\n"));
    // What is new, and what stays as it is, has nothing to compare.
    assert_eq!(bench.foreseen(json!({"path": "new.txt", "content": "one"})).await, None);
    assert_eq!(bench.foreseen(json!({"path": "a.txt", "content": "one\ntwo\n"})).await, None);
    // What will be refused changes nothing.
    let refused = [
        json!({"path": "a.txt", "content": "x", "overwrite": false}),
        json!({"path": "a.txt", "content": "x", "base_sha256": "0".repeat(64)}),
        json!({"path": "a.txt", "content": "x".repeat(MAX_VALUE_BYTES + 1)}),
    ];
    for arguments in refused {
        assert_eq!(bench.foreseen(arguments).await, None);
    }
    assert_eq!(fs::read_to_string(bench.folder().join("a.txt")).expect("it is there"), "one\ntwo\n");
}
