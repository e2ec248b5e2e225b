//! Claims about a model behind a provider, against a scripted one; those of `docs/faults.md` carry their ids.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::scripted::{Answer, ScriptedLlm};
use crate::*;
use switchboard_events::{ChatMessage, ChatRole, ToolCall};
use switchboard_runtime::Secret;

#[path = "reply_tests.rs"]
mod replies;

const KEY: &str = "sk-test-0123456789abcdef0123456789abcdef";

fn quick() -> LlmLimits {
    LlmLimits { retries: 2, max_wait: Duration::from_secs(3), ..LlmLimits::default() }
}

fn endpoint(base_url: &str) -> Endpoint {
    let provider = provider("compatible").expect("it is known");
    Endpoint { provider, base_url: base_url.parse().expect("an address"), key: Some(Secret::new(KEY)) }
}

fn client_at(base_url: &str, limits: LlmLimits) -> Arc<dyn LlmClient> {
    let model = ModelInfo {
        provider: "compatible".to_owned(),
        name: "scripted".to_owned(),
        context_tokens: None,
        supports_tools: true,
        sees_pictures: true,
        searches_web: false,
    };
    RateLimiters::default().client(&endpoint(base_url), model, limits)
}

fn client(llm: &ScriptedLlm, limits: LlmLimits) -> Arc<dyn LlmClient> {
    client_at(&llm.base_url(), limits)
}

fn question() -> LlmRequest {
    LlmRequest {
        situation: "".into(),
        system: "Be brief.".into(),
        messages: vec![Arc::new(ChatMessage::new(ChatRole::User, "Hello?"))],
        pictures: Pictures::new(),
        web_search: false,
        tools: Vec::new(),
        schema: None,
        temperature: 0.5,
        max_tokens: 1000,
    }
}

/// Both ways of asking; a streamed text is what the reply says.
async fn both(answers: impl Fn() -> Vec<Answer>, limits: LlmLimits) -> [Result<LlmReply, LlmError>; 2] {
    let (whole, streamed) = (ScriptedLlm::of(answers()).await, ScriptedLlm::of(answers()).await);
    let complete = client(&whole, limits).complete(&question()).await;
    let mut said = String::new();
    let stream = client(&streamed, limits).stream(&question(), &mut said).await;
    if let Ok(reply) = &stream {
        assert_eq!(said, reply.text);
    }
    [complete, stream]
}

/// Both ways end in an error of this code; the number of requests that were sent.
async fn refused(answer: impl Fn() -> Answer, limits: LlmLimits, code: &str) -> [String; 2] {
    both(|| (0..10).map(|_| answer()).collect(), limits).await.map(|result| {
        let error = result.expect_err("there is no reply");
        assert_eq!(error.code(), code, "{error}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains(KEY) && text.len() < 3000, "{text}");
        text
    })
}

fn call(name: &str, arguments: Value) -> (String, Value) {
    (name.to_owned(), arguments)
}

fn calls(reply: &LlmReply) -> Vec<(String, Value)> {
    reply.tool_calls.iter().map(|call| (call.name.clone(), Value::Object(call.arguments.clone()))).collect()
}

#[tokio::test]
async fn a_reply_has_its_text_its_cost_and_its_end() {
    for reply in both(|| vec![Answer::text("Good morning, Zoë 😀")], quick()).await {
        let reply = reply.expect("a reply");
        assert_eq!(reply.text, "Good morning, Zoë 😀");
        assert_eq!(reply.finish, FinishReason::Stop);
        let usage = reply.usage.expect("it says what it cost");
        assert_eq!((usage.input_tokens, usage.output_tokens), (11, 7));
    }
}

#[tokio::test]
async fn a_request_holds_the_conversation_the_functions_and_the_schema() {
    let llm = ScriptedLlm::of([Answer::text("{}")]).await;
    let id = switchboard_protocol::CallId::from("call_1");
    let arguments = json!({"path": "a"}).as_object().cloned().expect("an object");
    let made = ToolCall { id: id.clone(), name: "file_read".to_owned(), arguments };
    let tool = switchboard_protocol::FunctionDefinition {
        name: "file_read".to_owned(),
        description: "Reads a file".to_owned(),
        parameters: json!({"type": "object"}),
    };
    let mut request = question();
    request.messages.extend([ChatMessage::calls(made), ChatMessage::result(&id, "hello")].map(Arc::new));
    request.tools.push(tool);
    request.schema = Some(ResponseSchema { name: "answer".to_owned(), schema: json!({"type": "object"}) });

    client(&llm, quick()).complete(&request).await.expect("a reply");

    let asked = llm.asked(1).await;
    assert_eq!(asked.path, "/v1/chat/completions");
    assert!(asked.head.to_lowercase().contains(&format!("authorization: bearer {KEY}")), "{}", asked.head);
    assert_eq!(
        asked.body,
        json!({
            "model": "scripted",
            "tools": [{"type": "function", "function":
                {"name": "file_read", "description": "Reads a file", "parameters": {"type": "object"}}}],
            "tool_choice": "auto",
            "response_format":
                {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}},
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Hello?"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
                    "function": {"name": "file_read", "arguments": "{\"path\":\"a\"}"}}]},
                {"role": "tool", "content": "hello", "tool_call_id": "call_1"},
            ],
            "temperature": 0.5,
            "max_tokens": 1000,
            "stream": false,
        })
    );
}

#[tokio::test]
async fn calls_come_whole_with_their_ids_and_arguments() {
    let arguments = json!({"path": "ä/b.txt", "lines": [1, 2]});
    let answer = || Answer::calls([("file_read", arguments.clone()), ("list", json!({}))]).saying("Let me look.");
    for bytes in [1, 7, 4096] {
        for reply in both(|| vec![answer().in_bytes_of(bytes)], quick()).await {
            let reply = reply.expect("a reply");
            assert_eq!(reply.text, "Let me look.");
            assert_eq!(calls(&reply), [call("file_read", arguments.clone()), call("list", json!({}))]);
            assert_eq!(reply.tool_calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["call_1", "call_2"]);
            assert_eq!(reply.finish, FinishReason::ToolCalls);
        }
    }
}

#[tokio::test]
async fn e01_nobody_there_is_told_with_the_address_and_without_the_key() {
    // Not a port that was free a moment ago: another test may have it by now.
    let address = "127.0.0.1:1";
    let limits = LlmLimits { retries: 1, ..quick() };

    let error = client_at(&format!("http://{address}/v1"), limits).complete(&question()).await.expect_err("nobody");

    assert_eq!(error.code(), "provider-unreachable");
    assert!(error.is_retryable() && error.to_string().contains(address), "{error}");
    let error = client_at("http://no-such-host.invalid/v1", limits).complete(&question()).await.expect_err("no name");
    assert_eq!(error.code(), "provider-unreachable", "{error}");
}

#[tokio::test]
async fn e01_a_connection_that_is_closed_without_an_answer_is_tried_again() {
    for reply in both(|| vec![Answer::hang_up(), Answer::text("Now.")], quick()).await {
        assert_eq!(reply.expect("a reply").text, "Now.");
    }
}

#[tokio::test]
async fn e02_silence_ends_at_the_first_byte_and_is_tried_again() {
    let limits = LlmLimits { first_byte: Duration::from_millis(200), ..quick() };
    for whole in [false, true] {
        let llm = ScriptedLlm::of([Answer::silent(), Answer::silent(), Answer::silent()]).await;

        let asked = match whole {
            true => client(&llm, limits).complete(&question()).await,
            false => client(&llm, limits).stream(&question(), &mut ()).await,
        };

        let error = asked.expect_err("silence");
        assert!(matches!(error, LlmError::Timeout { which: Deadline::FirstByte, .. }), "{error}");
        assert_eq!((llm.count(), llm.all()[0].streams()), (3, !whole));
    }
}

#[tokio::test]
async fn e02_e03_a_reply_in_one_piece_begins_and_goes_on_in_time_or_fails() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n";
    for (sent, deadline) in [("", Deadline::FirstByte), ("{\"choices\": [", Deadline::Idle)] {
        let bytes = format!("{head}{sent}").into_bytes();
        let llm = ScriptedLlm::start(move |_| Answer::raw(bytes.clone()).stall_after(0)).await;
        let limits =
            LlmLimits { first_byte: Duration::from_secs(1), idle: Duration::from_millis(200), retries: 0, ..quick() };

        let error = client(&llm, limits).complete(&question()).await.expect_err("half a reply");

        assert!(matches!(&error, LlmError::Timeout { which, .. } if *which == deadline), "{error}");
        llm.dropped(1).await;
    }
}

#[tokio::test]
async fn e03_a_stall_ends_the_reply_and_what_was_said_is_not_said_again() {
    let llm = ScriptedLlm::of([Answer::text("one two three").stall_after(2), Answer::text("again")]).await;
    let limits = LlmLimits { idle: Duration::from_millis(300), ..quick() };
    let mut said = String::new();

    let error = client(&llm, limits).stream(&question(), &mut said).await.expect_err("it stalls");

    assert!(matches!(error, LlmError::Timeout { which: Deadline::Idle, .. }), "{error}");
    assert_eq!((said.as_str(), llm.count()), ("one t", 1));
    llm.dropped(1).await;
}

#[tokio::test]
async fn e04_a_wait_that_is_asked_for_is_waited() {
    let asked = || vec![Answer::status(429, "slow").header("Retry-After", "1"), Answer::text("Now.")];
    let llm = ScriptedLlm::of(asked()).await;

    client(&llm, quick()).complete(&question()).await.expect("a reply");

    let requests = llm.all();
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1));
}

#[tokio::test]
async fn e04_an_absurd_wait_is_told_at_once() {
    let answer = || Answer::status(429, "slow").header("Retry-After", "86400");
    for text in refused(answer, quick(), "provider-rate-limited").await {
        assert!(text.contains("86400"), "{text}");
    }
}

#[tokio::test]
async fn e05_trouble_that_passes_is_not_seen() {
    for (first, second) in [(500, 502), (503, 529)] {
        let answers = || vec![Answer::status(first, "no"), Answer::status(second, "no"), Answer::text("Now.")];
        for reply in both(answers, quick()).await {
            assert_eq!(reply.expect("a reply").text, "Now.");
        }
    }
}

#[tokio::test]
async fn e06_a_refusal_is_not_tried_again_and_does_not_show_the_key() {
    for (status, code) in [
        (400, "provider-bad-request"),
        (401, "provider-authentication"),
        (403, "provider-authentication"),
        (404, "provider-unknown-model"),
    ] {
        let llm = ScriptedLlm::start(move |_| Answer::status(status, &format!("{KEY} is not right"))).await;
        let error = client(&llm, quick()).stream(&question(), &mut ()).await.expect_err("refused");
        assert_eq!((error.code(), llm.count()), (code, 1), "{error}");
        assert!(!error.to_string().contains(KEY), "{error}");
    }
}

#[tokio::test]
async fn e06_a_field_that_is_not_taken_is_left_out_from_then_on() {
    let llm = ScriptedLlm::start(|asked| match asked.body.get("temperature") {
        Some(_) => Answer::status(400, "Unsupported value: 'temperature' does not support 0.5 with this model."),
        None => Answer::text("Hello."),
    })
    .await;
    let client = client(&llm, quick());

    for _ in 0..2 {
        client.complete(&question()).await.expect("a reply");
    }

    assert_eq!(llm.count(), 3);
}

#[tokio::test]
async fn e07_what_is_no_reply_is_told_with_an_excerpt() {
    let html = || Answer::page("text/html", &format!("<html>{KEY} {}</html>", "Sign in. ".repeat(2000)));
    for text in refused(html, quick(), "provider-malformed").await {
        assert!(text.contains("text/html") || text.contains("Sign in"), "{text}");
    }
    refused(|| Answer::page("application/json", ""), quick(), "provider-malformed").await;
    refused(|| Answer::page("application/json", "{\"choices\": [{"), quick(), "provider-malformed").await;
    refused(|| Answer::page("application/json", "{\"ok\": true}"), quick(), "provider-malformed").await;
    refused(|| Answer::text(""), quick(), "model-failed").await;
}

#[tokio::test]
async fn e08_a_stream_means_the_same_however_it_is_written() {
    for ending in ["\n", "\r\n", "\r"] {
        for bytes in [1, 2, 3, 1000] {
            let answer = Answer::text("Grüße, 世界 😀!").line_ending(ending).in_bytes_of(bytes);
            for answer in [answer.clone(), answer.without_done()] {
                let [_, streamed] = both(|| vec![answer.clone()], quick()).await;
                assert_eq!(streamed.expect("a reply").text, "Grüße, 世界 😀!", "{ending:?} {bytes}");
            }
        }
    }
}

#[tokio::test]
async fn e09_an_event_without_an_end_is_refused() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ";
    let llm = ScriptedLlm::start(move |_| Answer::raw([head.as_bytes(), &vec![b'x'; 64 << 20]].concat())).await;

    let error = client(&llm, quick()).stream(&question(), &mut ()).await.expect_err("it is too large");

    assert_eq!(error.code(), "provider-malformed", "{error}");
    llm.dropped(1).await;
}

#[tokio::test]
async fn e10_a_reply_without_an_end_is_ended_and_its_connection_dropped() {
    let llm = ScriptedLlm::of([Answer::text("and so on ".repeat(20_000)).in_pieces_of(1000).stall_after(180)]).await;
    let mut said = String::new();

    let error = client(&llm, quick()).stream(&question(), &mut said).await.expect_err("it has no end");

    assert_eq!(error.code(), "budget-exceeded", "{error}");
    assert!(said.len() < 40_000, "{}", said.len());
    llm.dropped(1).await;
}

#[tokio::test]
async fn e10_a_stream_that_only_counts_the_time_ends_at_the_total() {
    let llm = ScriptedLlm::of([Answer::text("x".repeat(900)).in_pieces_of(1).between(Duration::from_millis(20))]).await;
    let limits = LlmLimits { total: Duration::from_millis(400), ..quick() };

    let error = client(&llm, limits).stream(&question(), &mut ()).await.expect_err("it takes too long");

    assert!(matches!(error, LlmError::Timeout { which: Deadline::Total, .. }), "{error}");
}

#[tokio::test]
async fn the_models_of_a_provider_are_listed() {
    let llm = ScriptedLlm::of([]).await;

    let endpoint = endpoint(&llm.base_url());
    let transport = RateLimiters::default().transport(&endpoint, quick());
    let found = catalogue::models(&transport, &endpoint, Duration::from_secs(60)).await;

    let found: Vec<String> = found.expect("a list").into_iter().map(|model| model.name).collect();
    assert_eq!(found, ["scripted"]);
}

#[tokio::test]
async fn e20_a_redirect_is_not_followed_with_the_key() {
    let other = ScriptedLlm::of([Answer::text("I have your key")]).await;
    let to = format!("{}/chat/completions", other.base_url());
    let llm = ScriptedLlm::start(move |_| Answer::status(307, "elsewhere").header("Location", &to)).await;

    let error = client(&llm, quick()).stream(&question(), &mut ()).await.expect_err("it is not followed");

    assert_eq!((error.code(), other.count()), ("provider-bad-request", 0), "{error}");
    assert!(error.to_string().contains("127.0.0.1"), "{error}");
}

#[tokio::test]
async fn e21_a_packed_answer_is_not_unpacked() {
    let answer = || Answer::text("So").header("Content-Encoding", "gzip");
    refused(answer, quick(), "provider-malformed").await;
}

#[tokio::test]
async fn a_provider_that_does_not_stream_is_understood() {
    let body = r#"{"choices":[{"message":{"content":"All at once"},"finish_reason":"stop"}]}"#;
    for reply in both(|| vec![Answer::page("application/json; charset=utf-8", body)], quick()).await {
        assert_eq!(reply.expect("a reply").text, "All at once");
    }
}

#[tokio::test]
async fn dropping_the_question_drops_the_connection() {
    let llm = ScriptedLlm::of([Answer::text("one two").hold_after(2)]).await;
    let client = client(&llm, quick());
    let (question, mut sink) = (question(), ());
    {
        let asking = client.stream(&question, &mut sink);
        tokio::pin!(asking);
        tokio::select! {
            _ = &mut asking => panic!("it holds"),
            _ = llm.asked(1) => {}
        }
    }
    llm.dropped(1).await;
}
