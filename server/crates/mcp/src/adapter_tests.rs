//! Calls to servers that answer, fail, hang, talk too much and die.

use std::time::Duration;

use serde_json::json;
use switchboard_protocol::{ErrorType, Risk};
use tokio_util::sync::CancellationToken;

use crate::client::Limits;
use crate::fake::entry;
use crate::status::ServerState;
use crate::test_support::{Fixture, failure, text};
use switchboard_events::ArtifactValue;

#[tokio::test]
async fn a_call_is_sent_once_with_its_arguments_and_its_answer_is_the_value() {
    let fixture = Fixture::ready("").await;

    let result = fixture.call("fake__echo", json!({"text": "hello"})).await;

    let tool = fixture.registry.get("fake__echo").expect("the tool is there");
    assert_eq!(tool.tool().preview(&result, 3), ["hello"]);
    assert_eq!(result, text("hello"));
    assert_eq!(fixture.calls(), ["echo"]);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn both_ways_to_fail_are_failures() {
    let fixture = Fixture::ready("").await;

    let wrong = fixture.call("fake__wrong", json!({})).await;
    let refused = fixture.call("fake__refuse", json!({})).await;

    assert_eq!(failure(&wrong), (ErrorType::User, "no such thing"));
    assert_eq!(failure(&refused), (ErrorType::Validation, "bad arguments"));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i08_progress_is_live_output_in_its_order() {
    let fixture = Fixture::ready("").await;

    let (result, output) = fixture.call_with("fake__progress", json!({}), &CancellationToken::new()).await;

    assert_eq!(result, text("done"));
    assert_eq!(output, "step (1 of 3)\nstep (2 of 3)\nstep (3 of 3)\n");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_at_the_server_too() {
    let fixture = Fixture::ready("").await;
    let cancellation = CancellationToken::new();
    cancellation.cancel();

    let (result, _) = fixture.call_with("fake__hang", json!({}), &cancellation).await;
    fixture.call("fake__echo", json!({"text": "next"})).await;

    assert_eq!(failure(&result), (ErrorType::User, "was cancelled"));
    assert_eq!(fixture.calls(), ["hang", "cancelled", "echo"]);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i08_a_call_without_a_sign_of_life_ends_and_the_server_is_told() {
    let limits = Limits { timeout: Duration::from_millis(200), ..Limits::none() };
    let fixture = Fixture::start_with(|folder| json!({"fake": entry("", folder)}), limits);
    fixture.until("fake", |status| status.state == ServerState::Ready).await;

    let result = fixture.call("fake__hang", json!({})).await;
    fixture.until("fake", |status| status.state == ServerState::Ready).await;

    assert_eq!(failure(&result), (ErrorType::Timeout, "gave no sign of life for 0.2 s"));
    // An answer that never comes is no reason to end the server.
    assert_eq!(fixture.servers.list()[0].starts, 1);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i01_a_server_that_dies_in_a_call_leaves_the_outcome_unknown_and_is_not_asked_again() {
    let fixture = Fixture::ready("").await;

    let result = fixture.call("fake__die", json!({})).await;
    fixture.until("fake", |status| status.state == ServerState::Ready && status.starts == 2).await;

    let (error_type, message) = failure(&result);
    assert_eq!(error_type, ErrorType::System);
    assert!(message.ends_with("the outcome is unknown"), "{message}");
    assert_eq!(fixture.calls(), ["die"]);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn what_a_server_says_of_itself_counts_only_when_the_file_trusts_it() {
    let fixture = Fixture::start(|folder| {
        let mut trusted = entry("", folder);
        trusted["trust"] = json!(true);
        json!({"trusted": trusted, "other": entry("", folder)})
    });
    fixture.until("trusted", |status| status.state == ServerState::Ready).await;
    fixture.until("other", |status| status.state == ServerState::Ready).await;
    let risk = |name: &str| fixture.registry.get(name).expect("the tool is there").spec().definition.risk;

    let risks = [risk("trusted__die_reading"), risk("trusted__echo"), risk("other__die_reading")];
    let result = fixture.call("trusted__die_reading", json!({})).await;

    assert_eq!(risks, [Risk::Read, Risk::Execute, Risk::Execute]);
    let (_, message) = failure(&result);
    assert!(!message.contains("unknown"), "{message}");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_server_sees_only_the_environment_that_was_put_together_for_it() {
    let fixture = Fixture::ready("").await;

    let result = fixture.call("fake__environment", json!({})).await;

    // Our own test server adds its own.
    let Some(ArtifactValue::Text(names)) = result.value else { panic!("{result:?}") };
    let names: Vec<_> = names.split(' ').filter(|name| !name.starts_with("__RUST")).collect();
    assert_eq!(names, ["FAKE_MCP", "FAKE_MCP_CALLS", "PATH"]);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i02_noise_between_messages_is_passed_over() {
    let fixture = Fixture::ready("").await;

    assert_eq!(fixture.call("fake__noise", json!({})).await, text("through the noise"));
    assert_eq!(fixture.call("fake__echo", json!({"text": "on"})).await, text("on"));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i02_a_line_without_an_end_ends_the_connection_before_it_fills_the_memory() {
    let fixture = Fixture::ready("").await;

    let result = fixture.call("fake__long_line", json!({})).await;
    fixture.until("fake", |status| status.state == ServerState::Ready && status.starts == 2).await;

    let (_, message) = failure(&result);
    assert!(message.contains("it sent a message of more than 25165824 bytes"), "{message}");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i03_a_flood_on_standard_error_holds_nobody_up() {
    let fixture = Fixture::ready("").await;

    assert_eq!(fixture.call("fake__flood", json!({})).await, text("flooded"));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i04_a_second_answer_is_passed_over() {
    let fixture = Fixture::ready("").await;

    assert_eq!(fixture.call("fake__twice", json!({})).await, text("twice"));
    assert_eq!(fixture.call("fake__echo", json!({"text": "on"})).await, text("on"));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i10_a_server_that_asks_gets_nothing() {
    let fixture = Fixture::ready("").await;

    fixture.call("fake__ask", json!({})).await;
    let result = fixture.call("fake__asked", json!({})).await;

    let Some(ArtifactValue::Text(answers)) = result.value else { panic!("{result:?}") };
    let answers: serde_json::Value = serde_json::from_str(&answers).expect("JSON");
    // Nobody is there who could be asked.
    assert!(["decline", "cancel"].iter().any(|action| answers[0]["result"]["action"] == *action), "{answers}");
    assert_eq!((&answers[1]["error"]["code"], &answers[2]["error"]["code"]), (&json!(-32601), &json!(-32601)));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_call_to_a_server_that_is_gone_is_not_sent() {
    let fixture = Fixture::ready("").await;
    let tool = fixture.registry.get("fake__echo").expect("the tool is there");
    fixture.servers.stop().await;
    fixture.registry.insert(std::sync::Arc::clone(tool.tool())).expect("it is put back for this test");

    let result = fixture.call("fake__echo", json!({"text": "anybody?"})).await;

    let (error_type, message) = failure(&result);
    assert_eq!(error_type, ErrorType::System);
    assert!(message.contains("nothing was sent"), "{message}");
    assert_eq!(fixture.calls(), Vec::<String>::new());
}
