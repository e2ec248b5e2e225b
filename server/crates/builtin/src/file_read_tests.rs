//! What `file_read` reads, shows and refuses.

use super::*;
use crate::test_support::{Bench, map};

fn bench() -> Bench<FileRead> {
    Bench::new(FileRead::new())
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn the_value_is_the_exact_text_and_the_view_has_line_numbers() {
    let bench = bench();
    bench.file("notes/a.txt", "one\r\n\ttwo\n\nlast");

    let result = bench.run(json!({"file_paths": ["notes/a.txt"]})).await;

    assert_eq!(result.value, Some(ArtifactValue::Text("one\r\n\ttwo\n\nlast".to_owned())));
    let view = "=== notes/a.txt ===\n     1\tone\n     2\t\ttwo\n     3\t\n     4\tlast";
    assert_eq!(result.view.as_deref(), Some(view));
    assert_eq!(Value::Object(result.fields), json!({"files_read": 1, "lines": 4, "estimated_tokens": 4}));
    assert_eq!(result.read_files[0].path.as_str(), "notes/a.txt");
}

#[tokio::test]
async fn several_files_are_a_map_from_path_to_text() {
    let bench = bench();
    bench.file("a.txt", "A\n").file("b.txt", "");

    let result = bench.run(json!({"file_paths": ["a.txt", "./b.txt"]})).await;

    assert_eq!(result.value, Some(ArtifactValue::Json(json!({"a.txt": "A\n", "./b.txt": ""}))));
    assert_eq!(result.view.as_deref(), Some("=== a.txt ===\n     1\tA\n\n=== ./b.txt ===\n(empty file)"));
}

#[tokio::test]
async fn a_part_is_chosen_by_offset_and_limit() {
    let bench = bench();
    bench.file("a.txt", "1\n2\n3\n4\n5\n");

    let result = bench.run(json!({"path": "a.txt", "offset": 2, "limit": 2})).await;

    assert_eq!(result.value, Some(ArtifactValue::Text("2\n3\n".to_owned())));
    let view = "=== a.txt ===\n     2\t2\n     3\t3\n… lines 4 to 5 were not requested";
    assert_eq!(result.view.as_deref(), Some(view));
}

#[test]
fn one_path_has_many_names() {
    for arguments in [
        json!({"file_paths": ["a"]}),
        json!({"file_paths": "a"}),
        json!({"path": "a"}),
        json!({"filePath": "a"}),
        json!({"file_path": ["a"]}),
        json!({"file_paths": [["a"]]}),
    ] {
        let mut arguments = map(arguments);
        for _ in 0..2 {
            FileRead::new().normalise(&mut arguments);
            assert_eq!(arguments, map(json!({"file_paths": ["a"]})));
        }
    }
}

#[tokio::test]
async fn a_long_file_is_shown_in_part_and_kept_whole() {
    let bench = bench();
    let text = "some line of text\n".repeat(10_000);
    bench.file("long.txt", &text);

    let result = bench.run(json!({"path": "long.txt"})).await;

    let view = result.view.expect("it has a view");
    assert!(view.len() < VIEW_BYTES + 200, "{} bytes", view.len());
    let last = view.lines().last().expect("it has lines");
    assert!(
        last.contains("more lines are not shown here (about 45000 tokens in total); read on with offset="),
        "{last}"
    );
    assert_eq!(result.value, Some(ArtifactValue::Text(text)));
}

#[tokio::test]
async fn many_files_share_the_view_and_all_are_kept_whole() {
    let bench = bench();
    let (wide, long) = ("w".repeat(50_000), "a line\n".repeat(5_000));
    let paths: Vec<String> = (0..50).map(|number| format!("{number}.txt")).collect();
    for path in &paths {
        bench.file(path, if path == "7.txt" { long.as_str() } else { wide.as_str() });
    }

    let result = bench.run(json!({"file_paths": paths})).await;

    let view = result.view.expect("it has a view");
    assert!(view.len() < VIEW_BYTES + 50 * 400, "{} bytes", view.len());
    for path in &paths {
        assert!(view.contains(&format!("=== {path} ===\n     1\t")), "{path} is not shown");
    }
    assert!(
        view.contains("more lines are not shown here (about 8750 tokens in total); read on with offset="),
        "{view}"
    );
    assert_eq!(result.fields["estimated_tokens"], 49 * 12_500 + 8_750);
    let value = result.value.expect("it has a value").to_json();
    assert!(value["0.txt"] == wide.as_str() && value["7.txt"] == long.as_str());
}

#[tokio::test]
async fn a_line_that_is_cut_in_the_view_says_so() {
    let bench = bench();
    bench.file("wide.json", "w".repeat(5_000));

    let view = bench.run(json!({"path": "wide.json"})).await.view.expect("a view");

    let note = "… lines of more than 2000 characters are cut here (about 1250 tokens in total); the variable has them in \
         full";
    assert_eq!(view, format!("=== wide.json ===\n     1\t{}…\n{note}", "w".repeat(2000)));
}

#[tokio::test]
async fn what_a_short_file_leaves_of_the_view_a_long_one_gets() {
    let bench = bench();
    bench.file("short.txt", "one\n").file("long.txt", "a line of text\n".repeat(5_000));

    let view = bench.run(json!({"file_paths": ["long.txt", "short.txt"]})).await.view.expect("a view");

    assert!((VIEW_BYTES - 500..VIEW_BYTES + 500).contains(&view.len()), "{} bytes", view.len());
    assert!(view.starts_with("=== long.txt ===") && view.ends_with("=== short.txt ===\n     1\tone"), "{view}");
}

#[tokio::test]
async fn a_missing_file_names_near_ones() {
    let bench = bench();
    bench.file("config.json", "{}");

    let failure = bench.failure(json!({"path": "confg.json"})).await;

    let expected =
        (ErrorType::User, "'confg.json' does not exist".to_owned(), "Did you mean 'config.json'?".to_owned());
    assert_eq!(failure, expected);
}

#[tokio::test]
async fn what_is_no_text_file_says_what_to_do() {
    let bench = bench();
    bench.file("src/a.txt", "").file("photo.png", b"\x89PNG\r\n\x1a\n\0\0");

    let directory = bench.failure(json!({"path": "src"})).await;
    let binary = bench.failure(json!({"path": "photo.png"})).await;
    let outside = bench.failure(json!({"path": "../secret"})).await;

    let next = "Use list_directory(path=\"src\") to see what is in it.".to_owned();
    assert_eq!(directory, (ErrorType::User, "'src' is a directory".to_owned(), next));
    assert_eq!(binary.1, "'photo.png' is a binary file (10 bytes, image/png), not text");
    assert!(binary.2.contains("file photo.png"), "{}", binary.2);
    assert_eq!(outside.0, ErrorType::Security);
    assert!(outside.1.contains("leads out of the workspace"), "{}", outside.1);
}

#[tokio::test]
async fn a_picture_is_its_bytes_and_among_others_words() {
    let bench = bench();
    let gif = b"GIF89a\x40\x01\xf0\x00\x80\x00\x00";
    // What it is called does not count.
    bench.file("logo.txt", gif).file("a.txt", "hello\n");

    let alone = bench.run(json!({"path": "logo.txt"})).await;
    let both = bench.run(json!({"file_paths": ["logo.txt", "a.txt"]})).await;

    let words = "A GIF picture of 320 × 240 pixels, 13 bytes.";
    assert_eq!(alone.value, Some(ArtifactValue::Bytes(gif.to_vec().into())));
    assert_eq!(alone.view, Some(format!("=== logo.txt ===\n{words}")));
    assert_eq!((alone.pictures.len(), alone.fields.get("lines")), (1, None));
    let value = json!({"logo.txt": words, "a.txt": "hello\n"});
    assert_eq!(both.value, Some(ArtifactValue::Json(value)), "no variable has base64 in its JSON");
    assert_eq!(both.view, Some(format!("=== logo.txt ===\n{words}\n\n=== a.txt ===\n     1\thello")));
    assert_eq!((both.pictures.len(), both.fields.get("lines")), (1, Some(&json!(1))));
}

#[tokio::test]
async fn every_file_that_cannot_be_read_is_named() {
    let bench = bench();
    bench.file("a.txt", "a");

    let (error_type, message, _) = bench.failure(json!({"file_paths": ["a.txt", "b", "c"]})).await;

    assert_eq!(error_type, ErrorType::User);
    assert_eq!(message, "2 files could not be read: 'b' does not exist; 'c' does not exist");
}

#[tokio::test]
async fn an_offset_beyond_the_end_says_how_many_lines_there_are() {
    let bench = bench();
    bench.file("a.txt", "1\n2\n");

    let (_, message, next) = bench.failure(json!({"path": "a.txt", "offset": 9})).await;

    assert_eq!(message, "'a.txt' has 2 lines, so there is no line 9");
    assert_eq!(next, "Use an offset from 1 to 2.");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let bench = bench();

    assert_eq!(bench.problems(json!({})).await, "`file_paths` is missing");
    assert_eq!(bench.problems(json!({"file_paths": []})).await, "`file_paths` must not be empty");
    assert_eq!(bench.problems(json!({"path": ""})).await, "`file_paths[0]` must not be empty");
    assert_eq!(bench.problems(json!({"path": "a", "offset": 0})).await, "`offset` must be at least 1, not 0");
    let message = bench.problems(json!({"path": 1, "limit": "5"})).await;
    assert!(message.contains("`limit` must be an integer, not a string (\"5\")"), "{message}");
}

#[tokio::test]
async fn its_preview_is_the_beginning() {
    let bench = bench();
    bench.file("a.txt", "one\ntwo\nthree\nfour");

    assert_eq!(
        bench.preview(json!({"path": "a.txt"})).await,
        ["=== a.txt ===", "     1\tone".replace('\t', " ").as_str(), "… 3 more lines"]
    );
}
