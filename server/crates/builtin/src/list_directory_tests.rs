//! What `list_directory` lists and refuses.

use switchboard_protocol::ErrorType;

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<ListDirectory> {
    Bench::new(ListDirectory::new())
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn it_lists_names_kinds_and_sizes() {
    let bench = bench();
    bench.file("b.txt", "12345").file("a/inner.txt", "").file(".hidden", "");
    std::os::unix::fs::symlink("b.txt", bench.folder().join("link")).expect("a link can be made");

    let result = bench.run(json!({})).await;

    let value = json!([
        {"name": ".hidden", "type": "file", "bytes": 0},
        {"name": "a", "type": "directory"},
        {"name": "b.txt", "type": "file", "bytes": 5},
        {"name": "link", "type": "link"},
    ]);
    assert_eq!(result.value, Some(ArtifactValue::Json(value)));
    let view = "The workspace: 3 files, 1 folder\n.hidden  0 bytes\na/\nb.txt  5 bytes\nlink -> (link)";
    assert_eq!(result.view.as_deref(), Some(view));
}

#[tokio::test]
async fn a_folder_can_be_named_in_several_ways() {
    let bench = bench();
    bench.file("src/main.rs", "");
    std::fs::create_dir(bench.folder().join("empty")).expect("a folder can be made");

    assert_eq!(bench.json(json!({"path": "src"})).await, json!([{"name": "main.rs", "type": "file", "bytes": 0}]));
    assert_eq!(bench.json(json!({"directory": "src/"})).await[0]["name"], "main.rs");
    assert_eq!(bench.preview(json!({"path": "empty"})).await, ["empty is empty"]);
}

#[tokio::test]
async fn what_cannot_be_listed_says_why() {
    let bench = bench();
    bench.file("src/main.rs", "");

    let missing = bench.failure(json!({"path": "scr"})).await;
    let file = bench.failure(json!({"path": "src/main.rs"})).await;
    let outside = bench.failure(json!({"path": "/etc"})).await;

    let expected = (ErrorType::User, "'scr' does not exist".to_owned(), "Did you mean 'src'?".to_owned());
    assert_eq!(missing, expected);
    assert_eq!(file.0, ErrorType::User);
    assert!(file.1.contains("is not a directory"), "{}", file.1);
    assert_eq!(outside.0, ErrorType::Security);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    assert_eq!(bench().problems(json!({"path": 7})).await, "`path` must be a string, not a number (7)");
    assert_eq!(bench().problems(json!({"all": true})).await, "`all` is not a parameter");
}

#[tokio::test]
async fn its_preview_is_the_heading_and_the_first_entries() {
    let bench = bench();
    bench.file("a", "").file("b", "").file("c", "");

    assert_eq!(bench.preview(json!({})).await, ["The workspace: 3 files", "a  0 bytes", "… 2 more lines"]);
}
