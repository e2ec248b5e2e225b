//! Bad input: a clear error, and connection, session and server go on.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestClient, TestServer};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn b01_bad_frames_get_an_error_that_names_the_field() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_field = format!(r#"{{"type":"set-variable","name":"x","value":{deep}}}"#);

    for (text, code, path) in [
        ("{", "protocol-bad-json", ""),
        ("\u{feff}{}", "protocol-bad-json", ""),
        (r#"{"type":"set-variable","name":"x","value":NaN}"#, "protocol-bad-json", ""),
        (r#"{"type":"set-variable","name":"x","value":1e400}"#, "protocol-bad-json", ""),
        (r#"{"type":"send-message","text":"one","text":"two"}"#, "protocol-", ""),
        (&deep, "protocol-bad-json", ""),
        (&deep_field, "protocol-bad-json", ""),
        ("[]", "protocol-", ""),
        ("{}", "protocol-", "type"),
        (r#"{"type":"send-massage","text":"x"}"#, "protocol-unknown-type", "type"),
        (r#"{"type":"send-message"}"#, "protocol-missing-field", "text"),
        (r#"{"type":"send-message","text":5}"#, "protocol-wrong-field", "text"),
        (r#"{"type":"send-message","text":"x","mode":"loud"}"#, "protocol-wrong-field", "mode"),
        (r#"{"type":"approve-tool","callId":"c"}"#, "protocol-missing-field", "decision"),
        (r#"{"type":"call-tool","callId":"c","tool":"bash","arguments":[]}"#, "protocol-wrong-field", "arguments"),
    ] {
        client.send_raw(text).await;
        let error = client.until_type("agent-error").await;
        let short: String = text.chars().take(80).collect();
        assert!(error["code"].as_str().is_some_and(|found| found.starts_with(code)), "{short}: {error:#}");
        assert!(error["messageIds"].is_null(), "{short}: {error:#}");
        if !path.is_empty() {
            assert_eq!(error["path"], path, "{short}: {error:#}");
        }
    }
    client.ask("Calculate 1 + 1").await.answered();
}

#[tokio::test]
async fn a_near_miss_of_a_type_is_named() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send(json!({"type": "send-massage", "text": "x"})).await;
    let error = client.until_type("agent-error").await;

    assert!(error.to_string().contains("send-message"), "{error:#}");
}

#[tokio::test]
async fn a_long_text_is_refused_and_a_longer_one_closes() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send(json!({"type": "send-message", "text": "x".repeat(2 * 1024 * 1024)})).await;
    let error = client.until_type("agent-error").await;
    client.ask("Calculate 1 + 1").await.answered();
    let _ = client.send_message(Message::text("x".repeat(5 * 1024 * 1024))).await;

    assert!(error["code"].as_str().is_some_and(|code| code.starts_with("protocol-")), "{error:#}");
    let closed = client.closed().await;
    assert!(matches!(closed.code, 1009 | 1006), "{closed:?}");
    server.connect().await.ask("Calculate 1 + 1").await.answered();
}

#[tokio::test]
async fn a_binary_frame_is_refused() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send_message(Message::binary(vec![1, 2, 3])).await.expect("the frame is sent");
    let error = client.until_type("agent-error").await;

    assert!(error["code"].as_str().is_some_and(|code| code.starts_with("protocol-")), "{error:#}");
    client.ask("Calculate 1 + 1").await.answered();
}

#[tokio::test]
async fn b10_odd_characters_come_back_as_they_were() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let text = "nul \u{0} bidi \u{202e}x\u{202c} zero\u{200b}width \u{1f600} line\u{2028}end";

    client.send(json!({"type": "send-message", "text": text, "messageId": "odd"})).await;
    client.end_of("odd").await;

    let echoed = client.frames.iter().find(|frame| frame["type"] == "user-message").expect("the acknowledgement");
    assert_eq!(echoed["text"], text);
}

#[tokio::test]
async fn an_empty_message_is_refused() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send(json!({"type": "send-message", "text": "  \n"})).await;
    let error = client.until_type("agent-error").await;

    assert_eq!(error["path"], "text", "{error:#}");
}

#[tokio::test]
async fn ping_is_answered() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.send(json!({"type": "ping"})).await;

    let pong = client.next().await;
    assert_eq!((&pong["type"], &pong["seq"]), (&json!("pong"), &json!(null)));
}

#[tokio::test]
async fn echo_mode_sends_back_what_it_gets() {
    let server = TestServer::start_with(ServerOptions::with(&["--echo"])).await;
    let mut client = TestClient::dial(server.address(), "", &[]).await.expect("the upgrade works");

    for frame in [json!({"type": "send-message", "text": "Calculate 6 * 7"}), json!({"any": ["thing", 1]})] {
        client.send(frame.clone()).await;
        assert_eq!(client.next().await, frame);
    }
}
