//! A real language model behind the server, over the socket: `tests/run llm`. What a small model decides is shown and
//! not judged; what the server makes of it is.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, Turn};
use tokio::time::timeout;

/// The address of any OpenAI-compatible API, such as `http://127.0.0.1:8081/v1`; the model's name there, if it needs one;
/// and its window in tokens, if the API does not say it.
const URL: &str = "SWITCHBOARD_TEST_LLM_URL";
const MODEL: &str = "SWITCHBOARD_TEST_LLM_MODEL";
const CONTEXT: &str = "SWITCHBOARD_TEST_LLM_CONTEXT";

/// How long one turn may take; small machines need minutes.
const MODEL_TIMEOUT: Duration = Duration::from_secs(400);

/// Which reasoners are asked, separated by commas; both, if it says nothing.
const REASONERS: &str = "SWITCHBOARD_TEST_LLM_REASONERS";

/// Which of the success metrics are measured, separated by commas; all, if it says nothing.
const METRICS: &str = "SWITCHBOARD_TEST_LLM_METRICS";

/// A case: what is said, and how one sees that the model got it right.
struct Case {
    name: &'static str,
    said: &'static str,
    right: fn(&Turn) -> Result<(), String>,
}

const CASES: [Case; 10] = [
    Case {
        name: "chat: the capital of France",
        said: "What is the capital of France? Answer in one word.",
        right: |turn| no_tool(turn).and_then(|()| says(turn, "Paris")),
    },
    Case {
        name: "a streamed answer of two sentences",
        said: "Write two sentences about the sea.",
        right: |turn| match turn.all("agent-delta").len() {
            0 | 1 => Err(format!("{} pieces", turn.all("agent-delta").len())),
            _ => says(turn, "sea").or_else(|_| says(turn, "ocean")),
        },
    },
    Case { name: "small talk: thanks", said: "Thank you, that was helpful.", right: no_tool },
    Case {
        name: "a tool turn: the code word in a file",
        said: "Read the file notes.txt and tell me the code word in it.",
        right: |turn| used(turn, &["file_read"]).and_then(|()| says(turn, "heron")),
    },
    Case { name: "what the context holds", said: "What was the code word again?", right: |turn| says(turn, "heron") },
    Case {
        name: "a folder's files",
        said: "Which files are in the folder docs?",
        right: |turn| used(turn, &["list_directory", "glob", "bash"]).and_then(|()| says(turn, "plan.md")),
    },
    Case {
        name: "a command",
        said: "Run the command: uname -s",
        right: |turn| used(turn, &["bash"]).and_then(|()| says(turn, "Linux")),
    },
    Case {
        name: "a calculation",
        said: "What is 1234 * 5678?",
        right: |turn| used(turn, &["calculator"]).and_then(|()| says_number(turn, "7006652")),
    },
    Case {
        name: "a new file",
        said: "Create a file hello.txt with the text: good morning",
        right: |turn| used(turn, &["file_write"]),
    },
    Case {
        name: "a search in files",
        said: "Which files contain the word TODO?",
        right: |turn| used(turn, &["grep"]).and_then(|()| says(turn, "plan.md")),
    },
];

/// The case whose session goes on from the case before it.
const GOES_ON: &str = "what the context holds";

fn no_tool(turn: &Turn) -> Result<(), String> {
    match turn.tools().as_slice() {
        [] => Ok(()),
        tools => Err(format!("it used {tools:?}")),
    }
}

/// One of these tools ran, and ended well.
fn used(turn: &Turn, tools: &[&str]) -> Result<(), String> {
    let ended_well = |name: &str| {
        let ends = turn.all("tool-call-end");
        let starts = turn.all("tool-call-start");
        let ids: Vec<&Value> =
            starts.iter().filter(|start| start["tool"] == name).map(|start| &start["callId"]).collect();
        ends.iter().any(|end| ids.contains(&&end["callId"]) && end["success"] == true)
    };
    match tools.iter().any(|name| ended_well(name)) {
        true => Ok(()),
        false => Err(format!("it used {:?} and said: {}", turn.tools(), turn.text())),
    }
}

/// With or without separators in it.
fn says_number(turn: &Turn, number: &str) -> Result<(), String> {
    match turn.text().replace([',', ' ', '\'', '\u{202f}'], "").contains(number) {
        true => Ok(()),
        false => Err(format!("no {number} in: {}", turn.text())),
    }
}

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

/// The model that the environment names.
pub(super) struct RealModel {
    url: String,
    name: String,
}

impl RealModel {
    /// It.
    pub(super) fn from_environment() -> Self {
        let url = variable(URL).unwrap_or_else(|| panic!("{URL} names no OpenAI-shaped API"));
        Self { url, name: variable(MODEL).unwrap_or_else(|| "default".to_owned()) }
    }

    /// The reasoners that are asked.
    pub(super) fn reasoners(&self) -> Vec<String> {
        let reasoners = variable(REASONERS).unwrap_or_else(|| "staged,native".to_owned());
        reasoners.split(',').map(|kind| kind.trim().to_owned()).collect()
    }

    /// Whether this metric is to be measured.
    pub(super) fn measures(&self, metric: &str) -> bool {
        variable(METRICS).is_none_or(|names| names.split(',').any(|name| name.trim() == metric))
    }

    /// What starts a server with it behind this reasoner, which waits for it as long as a small machine needs: it reads a
    /// long prompt for minutes before it writes the first word.
    pub(super) fn behind(&self, kind: &str) -> ServerOptions {
        let mut options = ServerOptions::default().model(&self.url, kind);
        let name = options.arguments.iter().position(|argument| argument == "scripted").expect("the model's name");
        options.arguments[name].clone_from(&self.name);
        let patient = ["--llm-first-byte-seconds", "300", "--llm-idle-seconds", "300", "--llm-total-seconds", "400"];
        options.arguments.extend(patient.map(ToOwned::to_owned));
        options.arguments.extend(variable(CONTEXT).map(|tokens| format!("--context-tokens={tokens}")));
        options
    }
}

/// Asks and reads to the end, with signs of life in between; none when it takes longer than a turn may. Questions of the
/// model are dismissed.
pub(super) async fn ask(client: &mut TestClient, text: &str, id: &str) -> Option<Turn> {
    client.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
    let ended = |frame: &Value| matches!(frame["type"].as_str(), Some("agent-response" | "agent-error"));
    let began = Instant::now();
    loop {
        if began.elapsed() > MODEL_TIMEOUT {
            return None;
        }
        match timeout(Duration::from_secs(20), client.next()).await {
            Ok(frame) if ended(&frame) => return Some(Turn::of(id, &client.frames)),
            Ok(frame) if frame["type"] == "user-query" => {
                client.send(json!({"type": "answer-query", "queryId": frame["queryId"]})).await;
            }
            Ok(_) => {}
            Err(_) => client.send(json!({"type": "ping"})).await,
        }
    }
}

#[tokio::test]
#[ignore = "needs a language model: tests/run llm"]
async fn a_real_model_chats_streams_decides_and_uses_a_tool() {
    let real = RealModel::from_environment();
    println!("| reasoner | case | result | seconds | tokens in, out | what it said |\n|---|---|---|---|---|---|");
    let (mut right, mut wrong) = (0, Vec::new());
    for kind in real.reasoners() {
        let mut options = real.behind(&kind);
        options.arguments.extend(["--approve", "auto"].map(ToOwned::to_owned));
        let server = TestServer::start_with(options).await;
        server.file("notes.txt", "The code word is heron.\n");
        server.file("docs/plan.md", "# Plan\n\nTODO: count the herons.\n");
        let mut client = server.connect().await;
        for (number, case) in CASES.iter().enumerate() {
            // A session of its own, so that one case does not lead the next astray.
            if case.name != GOES_ON {
                client = server.connect().await;
            }
            let began = Instant::now();
            let turn = ask(&mut client, case.said, &format!("case-{number}")).await;
            let turn = turn.unwrap_or_else(|| panic!("no answer within {MODEL_TIMEOUT:?}"));
            let seconds = began.elapsed().as_secs();

            let ended = turn.end["type"] == "agent-response" || turn.end["code"].is_string();
            assert!(ended, "every turn ends: {:#}", turn.end);
            let provider = turn.end["code"].as_str().is_some_and(|code| code.starts_with("provider-"));
            assert!(!provider, "the provider works: {:#}", turn.end);
            let pieces: String = pieces(&turn);
            assert!(turn.text().starts_with(pieces.trim()), "{pieces:?} in {:?}", turn.text());
            let result = match (case.right)(&turn) {
                Ok(()) => {
                    right += 1;
                    "right".to_owned()
                }
                Err(why) => {
                    wrong.push(format!("{kind}: {}", case.name));
                    format!("too much for the model: {why}")
                }
            };
            let (input, output) = (&turn.end["usage"]["inputTokens"], &turn.end["usage"]["outputTokens"]);
            println!(
                "| {kind} | {} | {} | {seconds} | {input}, {output} | {} |",
                case.name,
                cell(&result),
                cell(turn.text())
            );
        }
    }
    println!("\nThe server did its part in all cases; the model got {right} of {} right.", right + wrong.len());
    wrong.iter().for_each(|case| println!("too much for the model: {case}"));
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
