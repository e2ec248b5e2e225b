//! Claims about what Anthropic answers: a reply means the same however it is cut into pieces, and never ends by itself.

use std::time::Duration;

use super::*;
use crate::anthropic::reply::reply;
use crate::anthropic::stream::Reader;
use crate::catalogue;
use crate::dialect::Progress;
use crate::providers::{Endpoint, RateLimiters, provider};
use crate::scripted::{Answer, ScriptedLlm};
use crate::sse::SseReader;
use crate::{FinishReason, LlmClient, LlmConfig, LlmLimits};

const KEY: &str = "sk-ant-test-0123456789abcdef0123456789abcdef";

/// A stream of text, thoughts and a call, as it comes.
const STREAM: &str = concat!(
    "event: message_start\r\ndata: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[],",
    "\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":100,\"cache_creation_input_tokens\":20,\"output_tokens\":1}}}\r\n\r\n",
    "event: ping\r\ndata: {\"type\": \"ping\"}\r\n\r\n",
    "event: content_block_start\r\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Hm\"}}\r\n\r\n",
    "event: content_block_start\r\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Grüße, \"}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"世界 😀\"}}\r\n\r\n",
    "event: content_block_stop\r\ndata: {\"type\":\"content_block_stop\",\"index\":1}\r\n\r\n",
    "event: content_block_start\r\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"file_read\",\"input\":{}}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\"}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\": \\\"ä\"}}\r\n\r\n",
    "event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\".txt\\\"}\"}}\r\n\r\n",
    "event: content_block_stop\r\ndata: {\"type\":\"content_block_stop\",\"index\":2}\r\n\r\n",
    "event: message_delta\r\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":42}}\r\n\r\n",
    "event: message_stop\r\ndata: {\"type\":\"message_stop\"}\r\n\r\n",
);

/// What the reader makes of these pieces.
fn read(pieces: &[&[u8]], answer: Option<&str>) -> Result<(LlmReply, String), LlmError> {
    let (mut sse, mut events) = (SseReader::default(), Vec::new());
    let mut reader: Box<dyn StreamReader> = Box::new(Reader::new(100, answer));
    let (mut shown, mut progress) = (String::new(), Progress::More);
    for piece in pieces {
        sse.feed(piece, &mut events).expect("it is small");
        for event in events.drain(..) {
            progress = reader.take(&event, &mut shown)?;
        }
    }
    let reply = reader.finish()?;
    assert_eq!(progress, Progress::Done);
    Ok((reply, shown))
}

#[test]
fn e08_a_stream_means_the_same_wherever_it_is_split() {
    let bytes = STREAM.as_bytes();
    let whole = read(&[bytes], None).expect("a reply");
    assert_eq!((whole.1.as_str(), whole.0.text.as_str()), ("Grüße, 世界 😀", "Grüße, 世界 😀"));
    assert_eq!(whole.0.tool_calls[0].arguments, *json!({"path": "ä.txt"}).as_object().expect("an object"));
    assert_eq!((whole.0.tool_calls[0].id.as_str(), whole.0.finish), ("toolu_1", FinishReason::ToolCalls));
    let usage = whole.0.usage.clone().expect("it says what it cost");
    assert_eq!((usage.input_tokens, usage.output_tokens), (125, 42));

    for split in 0..bytes.len() {
        let (first, second) = bytes.split_at(split);
        assert_eq!(read(&[first, second], None).as_ref(), Ok(&whole), "split at {split}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single, None), Ok(whole));
}

#[test]
fn e11_a_stream_without_its_last_word_is_broken_off_wherever_that_is() {
    let events: Vec<_> = STREAM.match_indices("\r\n\r\n").map(|(at, _)| at + 4).collect();
    for end in &events[..events.len() - 1] {
        let error = read(&[&STREAM.as_bytes()[..*end]], None).expect_err("it has no end");
        assert_eq!(error.code(), "provider-broken-off", "{error}");
    }
}

#[test]
fn the_arguments_of_the_answer_are_the_text() {
    let (reply, shown) = read(&[STREAM.as_bytes()], Some("file_read")).expect("a reply");

    assert_eq!(reply.text, "Grüße, 世界 😀{\"path\": \"ä.txt\"}", "what stands around it is for others to leave out");
    assert_eq!((shown, reply.tool_calls.len(), reply.finish), (reply.text.clone(), 0, FinishReason::Stop));
}

#[test]
fn an_error_in_a_stream_is_the_error_that_it_says() {
    for (kind, message, code) in [
        ("overloaded_error", "Overloaded", "provider-overloaded"),
        ("api_error", "Internal server error", "provider-overloaded"),
        ("rate_limit_error", "Slow down", "provider-rate-limited"),
        ("authentication_error", "invalid x-api-key", "provider-authentication"),
        ("billing_error", "Pay", "provider-authentication"),
        ("not_found_error", "model: claude", "provider-unknown-model"),
        ("request_too_large", "Request exceeds the maximum size", "context-too-long"),
        ("invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum", "context-too-long"),
        ("invalid_request_error", "Your credit balance is too low to access the API", "provider-authentication"),
        ("invalid_request_error", "input length and `max_tokens` exceed context limit", "context-too-long"),
        ("invalid_request_error", "messages: wrong", "provider-bad-request"),
    ] {
        let error = json!({"type": "error", "error": {"type": kind, "message": message}});
        let event = format!("event: error\ndata: {error}\n\n");
        let error = read(&[event.as_bytes()], None).expect_err("an error");
        assert_eq!(error.code(), code, "{kind}: {error}");
    }
}

#[test]
fn ends_that_are_no_success_are_told() {
    let text = |reason: &str, calls: bool| {
        let call = calls.then(|| json!({"type": "tool_use", "id": "1", "name": "list", "input": {}}));
        let blocks: Vec<_> = [json!({"type": "text", "text": "So"})].into_iter().chain(call).collect();
        reply(&json!({"content": blocks, "stop_reason": reason}), None).expect("a reply").finish
    };
    for (reason, finish) in [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("max_tokens", FinishReason::Length),
        ("model_context_window_exceeded", FinishReason::Length),
        ("pause_turn", FinishReason::Length),
        ("refusal", FinishReason::Filtered),
        ("something_new", FinishReason::Unknown),
    ] {
        assert_eq!(text(reason, false), finish, "{reason}");
    }
    assert_eq!(text("tool_use", true), FinishReason::ToolCalls);

    let refused =
        json!({"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "I do not do that."}});
    let refused = reply(&refused, None).expect("a refusal");
    assert_eq!((refused.text.as_str(), refused.finish), ("I do not do that.", FinishReason::Filtered));
    assert!(reply(&json!({"content": [], "stop_reason": "end_turn"}), None).is_err(), "nothing is no reply");
    assert!(reply(&json!({"ok": true}), None).is_err());
    let no_word = reply(&json!({"content": [{"type": "text", "text": "So"}], "stop_reason": 7}), None);
    assert_eq!(no_word.expect("a reply").finish, FinishReason::Unknown);
}

fn endpoint(llm: &ScriptedLlm) -> Endpoint {
    let provider = provider("anthropic").expect("it is known");
    Endpoint { provider, base_url: llm.base_url().parse().expect("an address"), key: Some(Secret::new(KEY)) }
}

fn client(llm: &ScriptedLlm) -> Arc<dyn LlmClient> {
    let endpoint = endpoint(llm);
    let model = catalogue::info(endpoint.provider, "scripted", None, &LlmConfig::default());
    RateLimiters::default().client(&endpoint, model, LlmLimits { retries: 2, ..LlmLimits::default() })
}

#[tokio::test]
async fn a_reply_comes_whole_and_in_pieces_with_its_calls_and_its_cost() {
    let answer = || Answer::calls([("file_read", json!({"path": "ä"})), ("list", json!({}))]).saying("Let me look.");
    for bytes in [1, 7, 4096] {
        let llm = ScriptedLlm::start(move |_| answer().in_bytes_of(bytes)).await;
        let mut shown = String::new();

        let whole = client(&llm).complete(&question()).await.expect("a reply");
        let streamed = client(&llm).stream(&question(), &mut shown).await.expect("a reply");

        assert_eq!(whole, streamed);
        assert_eq!(
            (shown.as_str(), whole.tool_calls.len(), whole.finish),
            ("Let me look.", 2, FinishReason::ToolCalls)
        );
        let usage = whole.usage.expect("it says what it cost");
        assert_eq!((usage.input_tokens, usage.output_tokens), (11, 7), "the prompt cache counts");
        let asked = llm.asked(1).await;
        assert_eq!(asked.path, "/v1/messages");
        let head = asked.head.to_lowercase();
        assert!(
            head.contains(&format!("x-api-key: {KEY}")) && head.contains("anthropic-version: 2023-06-01"),
            "{head}"
        );
        assert!(!head.contains("authorization"), "{head}");
    }
}

#[tokio::test]
async fn an_answer_of_a_shape_is_the_same_whole_and_in_pieces() {
    let llm = ScriptedLlm::start(|_| Answer::json(&json!({"text": "So"}))).await;
    let mut shown = String::new();

    let whole = client(&llm).complete(&shaped()).await.expect("a reply");
    let streamed = client(&llm).stream(&shaped(), &mut shown).await.expect("a reply");

    assert_eq!((whole.text.as_str(), shown.as_str()), (r#"{"text":"So"}"#, r#"{"text":"So"}"#));
    assert_eq!((whole.finish, streamed), (FinishReason::Stop, whole));
}

#[tokio::test]
async fn e05_an_overload_before_the_first_word_is_asked_again_wherever_it_is_told() {
    let overloaded = || Answer::text("So").fails_after(2, "overloaded_error", "Overloaded");
    let llm = ScriptedLlm::of([Answer::status(529, "Overloaded"), overloaded(), Answer::text("Now.")]).await;
    let mut shown = String::new();

    let reply = client(&llm).stream(&question(), &mut shown).await.expect("a reply");

    assert_eq!((reply.text.as_str(), shown.as_str(), llm.count()), ("Now.", "Now.", 3));
    let late = ScriptedLlm::of([Answer::text("one two").fails_after(5, "overloaded_error", "Overloaded")]).await;
    let error = client(&late).stream(&question(), &mut String::new()).await.expect_err("it had begun");
    assert_eq!((error.code(), late.count()), ("provider-overloaded", 1), "{error}");
}

#[tokio::test]
async fn all_pages_of_the_list_of_models_are_read() {
    let llm = ScriptedLlm::of([]).await;
    let endpoint = endpoint(&llm);
    let transport = RateLimiters::default().transport(&endpoint, LlmLimits::default());

    let listed = catalogue::models(&transport, &endpoint, Duration::from_secs(60)).await.expect("a list");

    assert_eq!(listed.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["scripted", "scripted-2"]);
    let known = catalogue::info(endpoint.provider, "scripted", listed.first(), &LlmConfig::default());
    assert_eq!((known.context_tokens, known.supports_tools), (Some(200_000), true));
}
