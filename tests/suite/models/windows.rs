//! The five workflows of seed 003, as a model plans them: with its own calls, and stage by stage.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestClient, TestServer, Turn};

use super::{KINDS, completes, goes_on, needs_tools, options, selects};

/// What a model answers that makes these calls, one after the other, and is done.
fn answers(kind: &str, calls: &[(&str, Value)]) -> Vec<Answer> {
    if kind == "native" {
        let calls = calls.iter().map(|(tool, arguments)| Answer::calls([(*tool, arguments.clone())]));
        return calls.chain([Answer::text("Done.")]).collect();
    }
    let mut answers = vec![needs_tools()];
    for (at, (tool, arguments)) in calls.iter().enumerate() {
        answers.push(selects(tool, arguments.clone(), None));
        answers.push(calls.get(at + 1).map_or_else(|| completes("Done."), |(next, _)| goes_on(&format!("use {next}"))));
    }
    answers
}

/// Runs these calls as one turn of a client that shows windows, decided in this way.
async fn run(kind: &str, calls: &[(&str, Value)], request: &str) -> Turn {
    let llm = ScriptedLlm::of(answers(kind, calls)).await;
    let server = TestServer::start_with(options(&llm, kind)).await;
    server.file("cat.png", "a cat");
    let mut client = TestClient::connect(server.address(), "?viewer=1").await;
    let turn = client.ask(request).await.answered().says("Done.");
    let ends = turn.all("tool-call-end");
    assert_eq!(ends.len(), calls.len(), "{kind}");
    for end in ends {
        assert_eq!(end["success"], true, "{kind}: {end:#}");
    }
    turn
}

/// What a tool that makes pictures gives: where the picture is.
fn makes(name: &str, value: impl Into<Value>) -> (&'static str, Value) {
    ("store_variable", json!({"name": name, "value": value.into()}))
}

/// Names and handles of the frames about windows and notifications, in order.
fn shown(turn: &Turn) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |frame: &&Value| match frame["type"].as_str() {
        Some("display-resource") => {
            Some(("display".to_owned(), text(&frame["windowId"]), text(&frame["resource"]["handle"])))
        }
        Some("close-window") => Some(("close".to_owned(), text(&frame["windowId"]), String::new())),
        Some("notification") => Some(("notify".to_owned(), text(&frame["level"]), text(&frame["message"]))),
        _ => None,
    };
    let kinds = ["display-resource", "close-window", "notification"];
    let mut frames: Vec<&Value> = kinds.iter().flat_map(|kind| turn.all(kind)).collect();
    frames.sort_by_key(|frame| frame["seq"].as_u64());
    frames.iter().filter_map(of).collect()
}

fn line(kind: &str, where_to: &str, what: &str) -> (String, String, String) {
    (kind.to_owned(), where_to.to_owned(), what.to_owned())
}

#[tokio::test]
async fn open_windows_stand_in_prompts() {
    for reasoner in KINDS {
        let llm = ScriptedLlm::of([Answer::text("Hello.")]).await;
        let server = TestServer::start_with(options(&llm, reasoner)).await;
        server.file("cat.png", "a cat");
        let mut client = TestClient::connect(server.address(), "?viewer=1").await;
        client.send(json!({"type": "call-tool", "callId": "c1", "tool": "display_resource", "arguments": {"resource_handle": "cat.png"}})).await;
        client.until_type("tool-call-end").await;

        client.ask("Hello").await;

        let asked = llm.asked(1).await;
        let prompt = format!("{:?}", asked.messages());
        assert!(
            prompt.contains("Open windows") && prompt.contains("w1: cat.png, file:cat.png (image/png)"),
            "{reasoner}: {prompt}"
        );
    }
}

#[tokio::test]
async fn seed_003_show_me_a_cat_picture() {
    let calls = [
        makes("cat_image_handle", json!({"path": "cat.png"})),
        ("display_resource", json!({"resourceHandle": "@cat_image_handle"})),
    ];

    for kind in KINDS {
        let turn = run(kind, &calls, "show me a cat picture").await;

        assert_eq!(shown(&turn), [line("display", "w1", "file:cat.png")]);
        assert_eq!(turn.first("display-resource")["viewerType"], "image");
    }
}

#[tokio::test]
async fn seed_003_create_a_summary_report_and_show_it_to_me() {
    let calls = [
        makes("report_handle", json!("# Summary\n\nSales grew.\n")),
        ("display_resource", json!({"resource_handle": "@report_handle"})),
        ("notify_user", json!({"message": "Report ready for review", "type": "success"})),
    ];

    for kind in KINDS {
        let turn = run(kind, &calls, "Create a summary report and show it to me").await;

        let expected =
            [line("display", "w1", "var:report_handle@1"), line("notify", "success", "Report ready for review")];
        assert_eq!(shown(&turn), expected);
        assert_eq!(turn.first("display-resource")["viewerType"], "markdown");
        assert_eq!(turn.first("notification")["durationMs"], 3000);
    }
}

#[tokio::test]
async fn seed_003_the_picture_is_replaced_by_its_analysis_in_the_same_window() {
    let calls = [
        makes("chart_handle", json!({"path": "cat.png"})),
        ("display_resource", json!({"resource_handle": "@chart_handle"})),
        makes("analysis_handle", json!("## Insights\n\nIt rises.\n")),
        ("display_resource", json!({"resource_handle": "@analysis_handle", "options": {"windowId": "w1"}})),
    ];

    for kind in KINDS {
        let turn = run(kind, &calls, "Draw the data, extract insights and show both").await;

        let expected = [line("display", "w1", "file:cat.png"), line("display", "w1", "var:analysis_handle@1")];
        assert_eq!(shown(&turn), expected);
        let last = turn.all("display-resource")[1];
        assert_eq!(last["earlier"][0]["resource"]["handle"], "file:cat.png");
    }
}

#[tokio::test]
async fn seed_003_progress_then_a_long_operation_then_success() {
    let calls = [
        ("notify_user", json!({"message": "Processing...", "type": "progress"})),
        ("calculator", json!({"expression": "6 * 7"})),
        ("notify_user", json!({"message": "Complete!", "type": "success"})),
    ];

    for kind in KINDS {
        let turn = run(kind, &calls, "Process it and tell me").await;

        let expected = [line("notify", "progress", "Processing..."), line("notify", "success", "Complete!")];
        assert_eq!(shown(&turn), expected);
    }
}

#[tokio::test]
async fn seed_003_show_work_and_close() {
    let calls = [
        ("display_resource", json!({"resource_handle": "cat.png"})),
        ("file_read", json!({"path": "cat.png"})),
        ("close_window", json!({"windowId": "cat.png"})),
    ];

    for kind in KINDS {
        let turn = run(kind, &calls, "Show cat.png while you read it, then close it").await;

        assert_eq!(shown(&turn), [line("display", "w1", "file:cat.png"), line("close", "w1", "")]);
    }
}
