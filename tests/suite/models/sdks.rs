//! The official clients of OpenAI and Anthropic beside ours: both read the same bytes, and what they read is compared.
//! Recorded are the streams that Anthropic's client for Python is tested with (`tests/run` fetches them by name); the
//! others are written by the clients' types. Last, what ours sends is held against those types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use switchboard_events::{ChatMessage, ChatRole, ReplyPart, ToolCall};
use switchboard_llm::{
    Endpoint, FinishReason, LlmClient, LlmLimits, LlmReply, LlmRequest, ModelInfo, RateLimiters, ResponseSchema,
    provider,
};
use switchboard_protocol::{CallId, FunctionDefinition};
use switchboard_tests::{Answer, ScriptedLlm};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk")
}

/// Of a file that `tests/run` installs.
fn installed(path: &str) -> PathBuf {
    let path = folder().join(path);
    assert!(path.exists(), "{} is not there: tests/run suite installs it", path.display());
    path
}

/// A reply as any of the clients reads it.
#[derive(Debug, PartialEq)]
enum Read {
    Reply { text: String, calls: Vec<(String, String, Value)>, finish: FinishReason, usage: Option<(u64, u64)> },
    Error,
}

/// What the official client reads from each answer of this server.
fn theirs(dialect: &str, llm: &ScriptedLlm, how: &str, count: usize) -> Vec<Read> {
    installed("node_modules/openai");
    let output = Command::new("node")
        .arg(folder().join("read.mjs"))
        .args([dialect, &llm.base_url(), how, &count.to_string()])
        .output()
        .expect("node runs");
    let told = String::from_utf8_lossy(&output.stderr);
    let all: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    all.iter().map(their).collect()
}

fn their(read: &Value) -> Read {
    if read["error"].is_string() {
        return Read::Error;
    }
    let calls = read["calls"].as_array().into_iter().flatten().map(|call| {
        let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
        let given = serde_json::from_str(&text("given")).unwrap_or(Value::Null);
        (text("id"), text("name"), given)
    });
    let finish = match read["finish"].as_str().unwrap_or_default() {
        "stop" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "length" | "max_tokens" => FinishReason::Length,
        "tool_calls" | "tool_use" => FinishReason::ToolCalls,
        "content_filter" | "refusal" => FinishReason::Filtered,
        _ => FinishReason::Unknown,
    };
    let usage = read["usage"].as_array().and_then(|usage| Some((usage[0].as_u64()?, usage[1].as_u64()?)));
    let text = read["text"].as_str().unwrap_or_default().to_owned();
    Read::Reply { text, calls: calls.collect(), finish, usage }
}

fn client(dialect: &str, llm: &ScriptedLlm) -> Arc<dyn LlmClient> {
    let id = if dialect == "openai" { "compatible" } else { dialect };
    let base_url = llm.base_url().parse().expect("an address");
    let endpoint = Endpoint { provider: provider(id).expect("it is known"), base_url, key: None };
    let model = ModelInfo {
        provider: id.to_owned(),
        name: "scripted".to_owned(),
        context_tokens: None,
        supports_tools: true,
        sees_pictures: true,
        searches_web: false,
    };
    RateLimiters::default().client(&endpoint, model, LlmLimits { retries: 0, ..LlmLimits::default() })
}

fn question() -> LlmRequest {
    LlmRequest {
        messages: vec![Arc::new(ChatMessage::new(ChatRole::User, "Hello?"))],
        temperature: 0.5,
        max_tokens: 1000,
        ..LlmRequest::default()
    }
}

/// The same, by ours.
async fn ours(dialect: &str, llm: &ScriptedLlm, how: &str, count: usize) -> Vec<Read> {
    let client = client(dialect, llm);
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(match how {
            "stream" => client.stream(&question(), &mut ()).await.map_or(Read::Error, our),
            _ => client.complete(&question()).await.map_or(Read::Error, our),
        });
    }
    all
}

/// A call that cannot be read has no arguments: theirs says them as text, which is no JSON.
fn our(reply: LlmReply) -> Read {
    let calls = reply.tool_calls.into_iter().map(|call| (call.id.0, call.name, Value::Object(call.arguments)));
    let unreadable = reply.unreadable_calls.into_iter().map(|call| (call.id, call.name, Value::Null));
    let usage = reply.usage.map(|usage| (usage.input_tokens, usage.output_tokens));
    Read::Reply { text: reply.text, calls: calls.chain(unreadable).collect(), finish: reply.finish, usage }
}

/// What both read from these answers, which each gets from a server of its own.
async fn both(dialect: &str, how: &str, answers: Vec<Answer>) -> Vec<(Read, Read)> {
    let count = answers.len();
    let for_theirs = ScriptedLlm::of(answers.clone()).await;
    let asking = tokio::task::spawn_blocking({
        let (dialect, how) = (dialect.to_owned(), how.to_owned());
        move || (theirs(&dialect, &for_theirs, &how, count), for_theirs)
    });
    let (theirs, _server) = asking.await.expect("the official client");
    let for_ours = ScriptedLlm::of(answers).await;
    theirs.into_iter().zip(ours(dialect, &for_ours, how, count).await).collect()
}

fn stream(body: &str) -> Answer {
    let length = body.len();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n";
    Answer::raw(format!("{head}Content-Length: {length}\r\n\r\n{body}"))
}

#[tokio::test]
async fn anthropics_recorded_streams_are_read_as_its_own_client_reads_them() {
    let recorded = installed("recorded");
    let mut files: Vec<PathBuf> = fs::read_dir(recorded).expect("a folder").flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "txt"));
    files.sort();
    let names: Vec<String> =
        files.iter().map(|file| file.file_stem().unwrap_or_default().display().to_string()).collect();
    assert!(names.len() >= 10, "{names:?}");
    // The files lack the blank line that ends their last event.
    let bodies = files.iter().map(|file| stream(&format!("{}\n\n", fs::read_to_string(file).expect("a recording"))));

    let read = both("anthropic", "stream", bodies.collect()).await;

    for (name, (theirs, ours)) in names.iter().zip(read) {
        match (name.as_str(), &theirs, &ours) {
            // Theirs gives up; ours tells the model what is wrong with its arguments.
            ("tool_use_invalid_json_response", Read::Error, Read::Reply { calls, .. }) => {
                assert!(calls.iter().all(|(.., given)| given.is_null()), "{calls:?}");
            }
            // Theirs completes what was cut off; ours never makes such a call.
            ("incomplete_partial_json_response", Read::Reply { calls, .. }, Read::Reply { calls: cut, finish, .. }) => {
                assert_eq!((cut.len(), *finish), (calls.len(), FinishReason::Length));
                assert!(cut.last().is_some_and(|(.., given)| given.is_null()), "{cut:?}");
            }
            _ => assert_eq!(ours, theirs, "{name}"),
        }
    }
}

/// Chunks as OpenAI's types have them: deltas with nothing in them, calls in pieces, side by side, two pieces in one chunk.
#[tokio::test]
async fn openais_chunks_are_read_as_its_own_client_reads_them() {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "scripted",
            "service_tier": "default", "system_fingerprint": "fp_1", "obfuscation": "x7",
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}], "usage": null,
        })
    };
    let usage = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "scripted", "choices": [],
        "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21,
            "prompt_tokens_details": {"cached_tokens": 4, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 3, "accepted_prediction_tokens": 0}},
    });
    let body = |deltas: Vec<Value>, finish: &str| {
        let first = chunk(json!({"role": "assistant", "content": "", "refusal": null}), Value::Null);
        let deltas = deltas.into_iter().map(|delta| chunk(delta, Value::Null));
        let last = chunk(json!({}), finish.into());
        let chunks = [first].into_iter().chain(deltas).chain([last, usage.clone()]);
        let events: String = chunks.map(|chunk| format!("data: {chunk}\n\n")).collect();
        stream(&format!("{events}data: [DONE]\n\n"))
    };
    let begun = |index: u32, id: &str, name: &str| json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
    let more = |index: u32, text: &str| json!({"index": index, "function": {"arguments": text}});
    let calls = |calls: Vec<Value>| json!({"tool_calls": calls});
    let answers = vec![
        body(vec![json!({"content": "Grö"}), json!({"content": "ße 😀"}), json!({"content": null})], "stop"),
        body(vec![json!({"content": "Half of"})], "length"),
        body(vec![json!({"refusal": "I can"}), json!({"refusal": "not."})], "stop"),
        body(
            vec![
                calls(vec![begun(0, "call_a", "list")]),
                calls(vec![more(0, "{\"path\"")]),
                calls(vec![more(0, ": \".\"}")]),
            ],
            "tool_calls",
        ),
        body(
            vec![
                calls(vec![]),
                calls(vec![begun(0, "call_a", "list"), more(0, "{\"path\"")]),
                calls(vec![more(0, ": "), more(0, "\".\"}")]),
            ],
            "tool_calls",
        ),
        body(
            vec![
                json!({"content": "Both."}),
                calls(vec![begun(0, "call_a", "list"), begun(1, "call_b", "read")]),
                calls(vec![more(1, "{\"n\": 1"), more(0, "{}")]),
                calls(vec![more(1, "}")]),
            ],
            "tool_calls",
        ),
    ];

    for (number, (theirs, ours)) in both("openai", "stream", answers).await.into_iter().enumerate() {
        assert_eq!(ours, theirs, "stream {number}");
    }
}

/// What the scripted model of these tests says is what the real ones would.
#[tokio::test]
async fn the_scripted_model_is_read_as_the_official_clients_read_it() {
    let answers = || {
        let both = [("file_read", json!({"path": "ä.txt", "lines": [1, 2]})), ("list", json!({}))];
        let usage = json!({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7});
        vec![
            Answer::text("Good morning, Zoë 😀").usage(usage),
            Answer::calls(both).saying("Let me look."),
            Answer::text("Half of").finish("length"),
            Answer::text("Bytes.").in_bytes_of(1).line_ending("\r\n"),
            Answer::text("I may not.").finish("content_filter"),
        ]
    };
    for dialect in ["openai", "anthropic"] {
        for how in ["stream", "whole"] {
            for (number, (theirs, ours)) in both(dialect, how, answers()).await.into_iter().enumerate() {
                assert_eq!(ours, theirs, "{dialect}, {how}, answer {number}");
            }
        }
    }
}

/// A conversation with all that there can be in one.
fn everything() -> [LlmRequest; 2] {
    let arguments = json!({"path": "a.txt"}).as_object().cloned().expect("an object");
    let call = |id: &str| ToolCall { id: id.into(), name: "file_read".to_owned(), arguments: arguments.clone() };
    let reply = |place| ReplyPart { id: "call_1".into(), place, said: "Let me look.".to_owned() };
    let messages = [
        ChatMessage::new(ChatRole::User, "Read both"),
        ChatMessage::calls_in(Some(&reply(0)), call("call_1")),
        ChatMessage::result(&CallId::from("call_1"), "one"),
        ChatMessage::new(ChatRole::Assistant, "Done."),
        ChatMessage::new(ChatRole::User, "Thanks"),
    ];
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let tool = FunctionDefinition {
        name: "file_read".to_owned(),
        description: "Reads a file.".to_owned(),
        parameters: schema.clone(),
    };
    let calls = LlmRequest {
        system: "Be brief.".into(),
        situation: "There is @a.".into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        tools: vec![tool],
        ..question()
    };
    let decides = LlmRequest {
        tools: Vec::new(),
        schema: Some(ResponseSchema { name: "need".to_owned(), schema }),
        ..calls.clone()
    };
    [calls, decides]
}

/// TypeScript refuses a field that the types do not have.
#[tokio::test]
async fn what_is_sent_fits_the_official_clients_types() {
    let mut source = "import type { ChatCompletionCreateParams } from \"openai/resources/chat/completions\";\n\
                      import type { MessageCreateParams } from \"@anthropic-ai/sdk/resources/messages\";\n"
        .to_owned();
    for (dialect, kind) in [("openai", "ChatCompletionCreateParams"), ("anthropic", "MessageCreateParams")] {
        let llm = ScriptedLlm::start(|_| Answer::text("{}")).await;
        let client = client(dialect, &llm);
        for request in everything() {
            client.complete(&request).await.expect("a reply");
            client.stream(&request, &mut ()).await.expect("a reply");
        }
        for mut asked in llm.all() {
            // Only older models still take it; others are asked again without it.
            if dialect == "anthropic" {
                asked.body.as_object_mut().expect("a body").remove("temperature");
            }
            source.push_str(&format!("export const {dialect}{}: {kind} = {:#};\n", asked.number, asked.body));
        }
    }
    let written = installed("node_modules").join(".switchboard");
    fs::create_dir_all(&written).expect("a folder");
    let file = written.join("sent.mts");
    fs::write(&file, &source).expect("a file");

    let checked = Command::new("node")
        .arg(installed("node_modules/typescript/bin/tsc"))
        .args(["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"])
        .arg(&file)
        .output()
        .expect("tsc runs");

    let told = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.success(), "{told}");
}
