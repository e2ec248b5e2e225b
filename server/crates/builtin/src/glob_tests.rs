//! What `glob` finds and refuses.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<Glob> {
    let bench = Bench::new(Glob::new());
    bench.file("main.rs", "").file("src/lib.rs", "").file("src/deep/mod.rs", "").file("src/notes.md", "");
    bench.file(".github/ci.yml", "").file("target/out.rs", "").file(".gitignore", "target/\n");
    bench
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn it_finds_files_by_their_names() {
    let bench = bench();
    for (pattern, paths) in [
        ("*.rs", json!(["main.rs", "src/deep/mod.rs", "src/lib.rs"])),
        ("./*.rs", json!(["main.rs", "src/deep/mod.rs", "src/lib.rs"])),
        ("src/*.rs", json!(["src/lib.rs"])),
        ("src/**/*.rs", json!(["src/deep/mod.rs", "src/lib.rs"])),
        ("**/*.{md,rs}", json!(["main.rs", "src/deep/mod.rs", "src/lib.rs", "src/notes.md"])),
        ("?ib.rs", json!(["src/lib.rs"])),
        ("**/deep/", json!(["src/deep"])),
        (".github/*", json!([".github/ci.yml"])),
        ("*.pdf", json!([])),
    ] {
        assert_eq!(bench.json(json!({"pattern": pattern})).await, paths, "{pattern}");
    }
}

#[tokio::test]
async fn a_folder_to_search_in_is_where_patterns_begin() {
    let bench = bench();

    assert_eq!(bench.json(json!({"pattern": "*/*.rs", "path": "./src/"})).await, json!(["src/deep/mod.rs"]));
    let missing = bench.failure(json!({"pattern": "*", "path": "scr"})).await;
    assert_eq!((missing.0, missing.2.as_str()), (ErrorType::User, "Did you mean 'src'?"));
    assert_eq!(bench.failure(json!({"pattern": "*", "path": "/etc"})).await.0, ErrorType::Security);
}

#[tokio::test]
async fn a_pattern_that_cannot_be_used_says_why() {
    let bench = bench();

    let (_, broken, next) = bench.failure(json!({"pattern": "src/[a"})).await;
    let (_, outside, _) = bench.failure(json!({"pattern": "../*.rs"})).await;

    assert!(broken.starts_with("the pattern \"src/[a\" cannot be used: unclosed character class"), "{broken}");
    assert!(next.starts_with("Example: "), "{next}");
    assert_eq!(outside, "the pattern \"../*.rs\" leads outside the folder that is searched");
}

#[tokio::test]
async fn many_matches_are_cut_and_it_is_said() {
    let bench = Bench::new(Glob::new());
    for n in 0..=MAX_PATHS {
        bench.file(&format!("{n}.txt"), "");
    }

    let result = bench.run(json!({"pattern": "*.txt"})).await;

    assert_eq!(result.fields["matches"], MAX_PATHS);
    assert!(result.view.expect("it has a view").starts_with("The first 1000 matches of *.txt; there are more:\n"));
}

#[tokio::test]
async fn a_search_ends_when_it_is_told_to() {
    let bench = bench();
    bench.cancellation.cancel();

    assert_eq!(bench.failure(json!({"pattern": "*"})).await.0, ErrorType::Timeout);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    assert_eq!(bench().problems(json!({})).await, "`pattern` is missing");
    let message = bench().problems(json!({"pattern": "", "patern": 1})).await;
    assert!(message.contains("`pattern` must not be empty"), "{message}");
    assert!(message.contains("`patern` is not a parameter; did you mean `pattern`?"), "{message}");
}

#[tokio::test]
async fn its_preview_is_the_count_and_the_first_paths() {
    let bench = bench();

    assert_eq!(bench.preview(json!({"pattern": "lib.rs"})).await, ["1 match:", "src/lib.rs"]);
    assert_eq!(bench.preview(json!({"pattern": "*.rs"})).await, ["3 matches:", "main.rs", "… 2 more lines"]);
    assert_eq!(bench.preview(json!({"pattern": "*.pdf"})).await, ["Nothing matches *.pdf"]);
}
