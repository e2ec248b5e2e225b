//! A real language model behind the server, over the socket: `tests/run llm`. What a small model decides is shown and
//! not judged; what the server makes of it is.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, Turn};
use tokio::time::timeout;

/// The address of any OpenAI-shaped API, such as `http://127.0.0.1:8081/v1`; and the model's name there, if it needs one.
const URL: &str = "SWITCHBOARD_TEST_LLM_URL";
const MODEL: &str = "SWITCHBOARD_TEST_LLM_MODEL";

/// How long one turn may take; small machines need minutes.
const PATIENCE: Duration = Duration::from_secs(400);

/// A case: what is said, and how one sees that the model got it right.
struct Case {
    name: &'static str,
    said: &'static str,
    right: fn(&Turn) -> Result<(), String>,
}

const CASES: [Case; 4] = [
    Case {
        name: "chat",
        said: "What is the capital of France? Answer in one word.",
        right: |turn| says(turn, "Paris"),
    },
    Case {
        name: "streamed answer",
        said: "Write two sentences about the sea.",
        right: |turn| match turn.all("agent-delta").len() {
            0 | 1 => Err(format!("{} pieces", turn.all("agent-delta").len())),
            _ => says(turn, "sea").or_else(|_| says(turn, "ocean")),
        },
    },
    Case {
        name: "decision: no tool",
        said: "Thank you, that was helpful.",
        right: |turn| match turn.tools().as_slice() {
            [] => Ok(()),
            tools => Err(format!("it used {tools:?}")),
        },
    },
    Case {
        name: "tool turn",
        said: "Read the file notes.txt and tell me the code word in it.",
        right: |turn| match turn.tools().contains(&"file_read") {
            true => says(turn, "heron"),
            false => Err(format!("it used {:?} and said: {}", turn.tools(), turn.text())),
        },
    },
];

fn says(turn: &Turn, word: &str) -> Result<(), String> {
    match turn.text().to_lowercase().contains(&word.to_lowercase()) {
        true => Ok(()),
        false => Err(format!("no {word:?} in: {}", turn.text())),
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Asks and reads to the end, with signs of life in between.
async fn ask(client: &mut TestClient, text: &str, id: &str) -> Turn {
    client.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
    let ended = |frame: &Value| matches!(frame["type"].as_str(), Some("agent-response" | "agent-error"));
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < PATIENCE, "no answer within {PATIENCE:?}");
        match timeout(Duration::from_secs(20), client.next()).await {
            Ok(frame) if ended(&frame) => return Turn::of(id, &client.frames),
            Ok(_) => {}
            Err(_) => client.send(json!({"type": "ping"})).await,
        }
    }
}

#[tokio::test]
#[ignore = "needs a language model: tests/run llm"]
async fn a_real_model_chats_streams_decides_and_uses_a_tool() {
    let url = variable(URL).unwrap_or_else(|| panic!("{URL} names no OpenAI-shaped API"));
    let model = variable(MODEL).unwrap_or_else(|| "default".to_owned());
    println!("| reasoner | case | result | seconds | tokens in, out | what it said |\n|---|---|---|---|---|---|");
    for kind in ["staged", "native"] {
        let mut options = ServerOptions::auto().model(&url, kind);
        let name = options.arguments.iter().position(|argument| argument == "scripted").expect("the model's name");
        options.arguments[name].clone_from(&model);
        // A small machine reads a long prompt for minutes before it writes the first word.
        let patient = ["--llm-first-byte-seconds", "300", "--llm-idle-seconds", "300", "--llm-total-seconds", "400"];
        options.arguments.extend(patient.map(ToOwned::to_owned));
        let server = TestServer::start_with(options).await;
        server.file("notes.txt", "The code word is heron.\n");
        for (number, case) in CASES.iter().enumerate() {
            // Each case in a session of its own, so that one does not lead the next astray.
            let mut client = server.connect().await;
            let began = Instant::now();
            let turn = ask(&mut client, case.said, &format!("case-{number}")).await;
            let seconds = began.elapsed().as_secs();

            let ended = turn.end["type"] == "agent-response" || turn.end["code"].is_string();
            assert!(ended, "every turn ends: {:#}", turn.end);
            let provider = turn.end["code"].as_str().is_some_and(|code| code.starts_with("provider-"));
            assert!(!provider, "the provider works: {:#}", turn.end);
            let pieces: String = pieces(&turn);
            assert!(turn.text().starts_with(pieces.trim_end()) || pieces.is_empty(), "{pieces:?} in {:?}", turn.text());
            let result =
                (case.right)(&turn).map_or_else(|why| format!("too much for the model: {why}"), |()| "right".into());
            let (input, output) = (&turn.end["usage"]["inputTokens"], &turn.end["usage"]["outputTokens"]);
            println!(
                "| {kind} | {} | {} | {seconds} | {input}, {output} | {} |",
                case.name,
                cell(&result),
                cell(turn.text())
            );
        }
    }
}

/// What the pieces of the last reply amount to.
fn pieces(turn: &Turn) -> String {
    let mut text = String::new();
    for frame in turn.all("agent-delta") {
        if frame["offset"] == 0 {
            text.clear();
        }
        text.push_str(frame["text"].as_str().unwrap_or_default());
    }
    text
}

fn cell(text: &str) -> String {
    let line = text.replace(['\n', '|'], " ");
    line.chars().take(120).collect()
}
