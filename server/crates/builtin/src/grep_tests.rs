//! What `grep` finds and refuses.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<Grep> {
    let bench = Bench::new(Grep::new());
    bench.file("src/a.rs", "fn main() {}\n// TODO: one\n").file("src/b.md", "todo two\r\n").file("c.txt", "nothing");
    bench.file("out/x.rs", "TODO ignored").file(".gitignore", "out/").file("binary", b"TODO\0\x01");
    bench
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn it_finds_lines_with_their_places() {
    let result = bench().run(json!({"pattern": "TODO"})).await;

    let value = json!([{"path": "src/a.rs", "line": 2, "text": "// TODO: one"}]);
    assert_eq!(result.value, Some(ArtifactValue::Json(value)));
    assert_eq!(result.view.as_deref(), Some("1 matching line in 4 files:\nsrc/a.rs:2: // TODO: one"));
}

#[tokio::test]
async fn it_can_be_narrowed_and_widened() {
    let bench = bench();
    let paths = |value: Value| -> Vec<String> {
        let items = value.as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["path"].as_str().unwrap_or_default().to_owned()).collect()
    };

    let any_case = bench.json(json!({"pattern": "todo", "ignore_case": true})).await;
    let by_name = bench.json(json!({"pattern": "todo", "ignore_case": true, "glob": "*.md"})).await;
    let by_folder = bench.json(json!({"pattern": "nothing|main", "path": "src"})).await;
    let by_file = bench.json(json!({"pattern": "^todo \\w+$", "path": "src/b.md"})).await;
    let below_folder = bench.json(json!({"pattern": "TODO", "path": "src", "glob": "*.rs"})).await;

    assert_eq!(paths(any_case), ["src/a.rs", "src/b.md"]);
    assert_eq!(paths(by_name), ["src/b.md"]);
    assert_eq!(paths(by_folder), ["src/a.rs"]);
    assert_eq!(paths(below_folder), ["src/a.rs"]);
    assert_eq!(by_file, json!([]));
}

#[tokio::test]
async fn nothing_found_is_no_failure() {
    let result = bench().run(json!({"pattern": "absent"})).await;

    assert_eq!(result.value, Some(ArtifactValue::Json(json!([]))));
    assert_eq!(result.view.as_deref(), Some("No line matches absent in 4 files"));
}

#[tokio::test]
async fn many_and_long_lines_are_cut() {
    let bench = Bench::new(Grep::new());
    bench.file("many.txt", "hit\n".repeat(50)).file("wide.txt", "w".repeat(5000));

    let many = bench.run(json!({"pattern": "hit", "max_results": 10})).await;
    let wide = bench.json(json!({"pattern": "w+"})).await;

    assert_eq!(many.fields["matches"], 10);
    assert!(many.view.expect("it has a view").starts_with("The first 10 matching lines; there are more:\n"));
    assert_eq!(wide[0]["text"].as_str().map(|text| text.chars().count()), Some(MAX_LINE_CHARS + 1));
}

#[tokio::test]
async fn a_pattern_that_cannot_be_used_says_why_and_how_to_mean_the_text() {
    let (error_type, message, next) = bench().failure(json!({"pattern": "main("})).await;

    assert_eq!(error_type, ErrorType::Validation);
    assert!(message.starts_with("the pattern \"main(\" cannot be used: unclosed group"), "{message}");
    assert_eq!(next, "To search for the text itself, use the pattern \"main\\\\(\".");
}

#[tokio::test]
async fn a_pattern_cannot_take_for_ever() {
    let bench = Bench::new(Grep::new());
    bench.file("a.txt", format!("{}b", "a".repeat(100_000)));

    assert_eq!(bench.json(json!({"pattern": "^(a+)+$"})).await, json!([]));
}

#[tokio::test]
async fn what_cannot_be_searched_says_why() {
    let bench = bench();

    assert_eq!(bench.failure(json!({"pattern": "x", "path": "scr"})).await.2, "Did you mean 'src'?");
    assert_eq!(bench.failure(json!({"pattern": "x", "path": "../"})).await.0, ErrorType::Security);
    bench.cancellation.cancel();
    assert_eq!(bench.failure(json!({"pattern": "x"})).await.0, ErrorType::Timeout);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    assert_eq!(bench().problems(json!({})).await, "`pattern` is missing");
    let message = bench().problems(json!({"pattern": "a", "max_results": 2000})).await;
    assert_eq!(message, "`max_results` must be at most 1000, not 2000");
    let message = bench().problems(json!({"pattern": "a", "ignore_case": "yes"})).await;
    assert_eq!(message, "`ignore_case` must be a boolean, not a string (\"yes\")");
}

#[tokio::test]
async fn its_preview_is_the_count_and_the_first_lines() {
    let preview = bench().preview(json!({"pattern": "todo", "ignore_case": true})).await;

    assert_eq!(preview, ["2 matching lines in 4 files:", "src/a.rs:2: // TODO: one", "src/b.md:1: todo two"]);
}
