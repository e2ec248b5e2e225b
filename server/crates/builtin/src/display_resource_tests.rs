//! What a file, a folder and a variable are shown as, and how callers may name them.

use serde_json::json;

use super::*;
use crate::test_support::Bench;
use switchboard_tools::DisplayRequest;

fn bench() -> Bench<DisplayResource> {
    let bench = Bench::new(DisplayResource::new());
    bench.file("README.md", "# Hello\n").file("src/main.rs", "fn main() {}\n").file("cat.png", "no picture");
    bench.file("Report.PDF", "%PDF-1.4");
    bench
}

async fn shown(bench: &Bench<DisplayResource>, arguments: Value) -> DisplayRequest {
    let result = bench.run(arguments).await;
    assert_eq!(result.failure, None);
    bench.resource_service.shown.lock().expect("it is free").pop().expect("something was shown")
}

#[tokio::test]
async fn a_file_is_shown_by_its_kind() {
    let bench = bench();

    for (path, viewer, handle, kind) in [
        ("README.md", ViewerType::Markdown, "file:README.md", "text/markdown"),
        ("./src/main.rs", ViewerType::Editor, "file:src/main.rs", "text/x-rust"),
        ("cat.png", ViewerType::Image, "file:cat.png", "image/png"),
        ("Report.PDF", ViewerType::Pdf, "file:Report.PDF", "application/pdf"),
        ("src/", ViewerType::Directory, "file:src", "inode/directory"),
    ] {
        let request = shown(&bench, json!({"resource_handle": path})).await;

        assert_eq!((request.viewer_type, request.resource.handle.as_str()), (viewer, handle));
        assert_eq!(request.resource.mime_type, kind);
    }
}

#[tokio::test]
async fn the_seeds_own_way_to_write_it_is_understood() {
    let bench = bench();

    let given = json!({"resourceHandle": {"path": "cat.png"}, "options": {"viewerType": "editor", "windowId": "w7"}});
    let request = shown(&bench, given).await;

    assert_eq!(request.viewer_type, ViewerType::Editor);
    assert_eq!(request.window.as_deref(), Some("w7"));
    assert_eq!(request.resource.handle, "file:cat.png");
}

#[tokio::test]
async fn an_unknown_viewer_is_the_editor() {
    let request = shown(&bench(), json!({"resource_handle": "README.md", "viewer_type": "hologram"})).await;

    assert_eq!(request.viewer_type, ViewerType::Editor);
}

#[tokio::test]
async fn a_variable_is_shown_by_what_it_holds() {
    let bench = bench();
    let rows = ArtifactValue::Json(json!([{"a": 1}, {"a": 2}]));
    let named = |name: &str, value: ArtifactValue| (name.to_owned(), value);
    *bench.resource_service.variables.lock().expect("it is free") = vec![
        named("rows", rows),
        named("report", ArtifactValue::Text("# Report\n\nAll is well.\n".to_owned())),
        named("picture", ArtifactValue::Json(json!({"path": "cat.png"}))),
    ];

    let rows = shown(&bench, json!({"resource_handle": "@rows"})).await;
    let report = shown(&bench, json!({"resource_handle": "report"})).await;
    let picture = shown(&bench, json!({"resource_handle": "@picture"})).await;

    assert_eq!((rows.viewer_type, rows.resource.handle.as_str()), (ViewerType::Table, "var:rows@1"));
    assert_eq!((report.viewer_type, report.title.as_str()), (ViewerType::Markdown, "report"));
    assert_eq!((picture.viewer_type, picture.resource.handle.as_str()), (ViewerType::Image, "file:cat.png"));
}

#[tokio::test]
async fn the_value_says_which_window_it_is() {
    let value = bench().value(json!({"resource_handle": "cat.png"})).await;

    let expected = json!({"windowId": "w1", "viewerType": "image", "resourcePath": "cat.png", "viewers": 1});
    assert_eq!(value, ArtifactValue::Json(expected));
}

#[tokio::test]
async fn what_is_not_there_is_said_with_what_is_like_it() {
    let result = bench().run(json!({"resource_handle": "READM.md"})).await;

    let failure = result.failure.expect("it fails");
    assert!(format!("{} {:?}", failure.message, failure.suggestion).contains("README.md"), "{failure:?}");
}
