//! How often a fitting tool is offered in the first question to a model, and how much of a prompt stays the same from
//! turn to turn: `tests/run offers TOOLS` measures both and writes them to docs/models.md.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, McpFolder, ScriptedLlm, TestServer, npm_entry, request};

use super::{KINDS, needs_tools};

/// Definitions of tools, a JSON object with `name`, `description`, `parameters` and `group` a line.
const TOOLS: &str = "TEST_TOOLS";
/// How many tools there are.
const COUNTS: [usize; 3] = [19, 120, 1000];
/// What all servers of npm have.
const SERVERS: [&str; 3] = ["filesystem", "memory", "everything"];
const DOCUMENT: &str = "docs/models.md";
const MARKS: [&str; 2] = ["<!-- offers -->", "<!-- /offers -->"];

#[derive(Deserialize)]
struct Requests {
    request: Vec<Request>,
}

/// What somebody types.
#[derive(Deserialize)]
struct Request {
    say: String,
    /// The tools with which one could begin.
    fits: Vec<String>,
}

fn requests() -> Vec<Request> {
    toml::from_str::<Requests>(include_str!("offer_requests.toml")).expect("requests").request
}

/// So many definitions, taken evenly from the file, of each group one.
fn definitions(count: usize) -> Vec<Value> {
    let path = std::env::var_os(TOOLS).map(PathBuf::from).unwrap_or_else(|| panic!("{TOOLS} names no file"));
    let text = std::fs::read_to_string(path).expect("definitions of tools");
    let mut tools: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a definition")).collect();
    tools.dedup_by(|one, other| one["group"] == other["group"]);
    let step = tools.len() / count.max(1);
    let tools = tools.into_iter().step_by(step.max(1)).take(count).enumerate();
    tools
        .map(|(at, tool)| {
            let name = tool["name"].as_str().unwrap_or_default();
            let name: String = name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect();
            let name = format!("{}_{at}", name.chars().take(40).collect::<String>());
            json!({"name": name, "description": tool["description"], "inputSchema": tool["parameters"]})
        })
        .collect()
}

/// How many tools there are, of all kinds but specialists.
async fn tools(server: &TestServer) -> usize {
    let tools = request(server.address(), "GET", "/api/tools", &[], b"").await.json();
    tools["tools"].as_array().into_iter().flatten().filter(|tool| tool["module"] != "agents").count()
}

/// A server with so many tools, whose model has a window of 32,000 tokens.
async fn server(folder: &McpFolder, llm: &ScriptedLlm, kind: &str, count: usize) -> TestServer {
    let arguments = ["--context-tokens", "32000", "--web-search", "searxng", "--web-search-url", "http://127.0.0.1:9"];
    let mut servers = json!({});
    if count > COUNTS[0] {
        servers["filesystem"] = npm_entry("server-filesystem", &[&folder.path().display().to_string()]);
        servers["memory"] = npm_entry("server-memory", &[]);
        servers["everything"] = npm_entry("server-everything", &["stdio"]);
    }
    let options = folder.options(servers.clone(), &arguments).model(&llm.base_url(), kind);
    let server = TestServer::start_with(options).await;
    if count == COUNTS[0] {
        return server;
    }
    for name in SERVERS {
        server.until_mcp_ready(name).await;
    }
    let mut more = count - tools(&server).await;
    drop(server);
    servers["catalogue"] = folder.scripted("catalogue");
    loop {
        std::fs::write(folder.path().join("tools.json"), json!(definitions(more)).to_string()).expect("definitions");
        let options = folder.options(servers.clone(), &arguments).model(&llm.base_url(), kind);
        let server = TestServer::start_with(options).await;
        for name in SERVERS.into_iter().chain(["catalogue"]) {
            server.until_mcp_ready(name).await;
        }
        match count - tools(&server).await {
            0 => return server,
            // Some have schemas that are refused.
            refused => more += refused,
        }
    }
}

fn answer(asked: &Asked) -> Answer {
    match asked.schema() {
        Some("need") => needs_tools(),
        Some("selection") => Answer::json(&json!({
            "reasoning": "None.", "selectedTool": null, "parameters": {}, "outputVariable": null, "searchFor": null
        })),
        _ => Answer::text("Done."),
    }
}

/// Whether the model saw a tool with which it could begin.
fn offers(asked: &Asked, fits: &[String]) -> bool {
    let text = asked.body["messages"].to_string();
    let shown = |tool: &String| asked.tools().contains(&tool.as_str()) || text.contains(&format!("- {tool}: "));
    fits.iter().any(shown)
}

/// What a provider reads, in the order in which caches keep it.
fn prompt(asked: &Asked) -> String {
    format!("{}{}", asked.body["tools"], asked.body["messages"])
}

/// A row of the table: the share in percent, tokens of a prompt, and what was not offered.
async fn measure(kind: &str, count: usize) -> (String, Vec<String>) {
    let (folder, llm) = (McpFolder::default(), ScriptedLlm::start(answer).await);
    let server = server(&folder, &llm, kind, count).await;
    assert_eq!(tools(&server).await, count, "the tools");
    let requests = Arc::new(requests());
    let (mut bytes, mut missed) = (0, Vec::new());
    for wanted in requests.iter() {
        let before = llm.count();
        server.connect().await.ask(&wanted.say).await;
        let asked = llm.all().split_off(before);
        let first = asked.iter().find(|asked| asked.schema() != Some("need")).expect("a question");
        bytes += prompt(first).len();
        if !offers(first, &wanted.fits) {
            missed.push(format!("{kind}, {count}: {}", wanted.say));
        }
    }
    let share = 100 * (requests.len() - missed.len()) as u64 / requests.len() as u64;
    (format!("{share} % | {}", bytes / requests.len() / 4), missed)
}

/// How much of the prompt is as it was in the turn before, in percent, over ten turns.
async fn identical(kind: &str) -> u64 {
    let (folder, llm) = (McpFolder::default(), ScriptedLlm::start(answer).await);
    let server = server(&folder, &llm, kind, COUNTS[0]).await;
    let mut client = server.connect().await;
    let mut prompts: Vec<String> = Vec::new();
    for wanted in requests().iter().step_by(6) {
        let before = llm.count();
        client.ask(&wanted.say).await;
        let asked = llm.all().split_off(before);
        prompts.extend(asked.iter().find(|asked| asked.schema() != Some("need")).map(prompt));
    }
    let same = |pair: &[String]| pair[0].bytes().zip(pair[1].bytes()).take_while(|(one, other)| one == other).count();
    let (same, all) =
        prompts.windows(2).fold((0, 0), |(same_bytes, bytes), pair| (same_bytes + same(pair), bytes + pair[1].len()));
    100 * same as u64 / all as u64
}

#[tokio::test]
#[ignore = "measures, and writes to docs/models.md: tests/run offers TOOLS"]
async fn offers_of_fitting_tools_are_measured() {
    let mut table = "| tools | reasoner | a fitting tool is offered | prompt, about so many tokens | the same as in the turn before |\n|---|---|---|---|---|\n".to_owned();
    for count in COUNTS {
        for kind in KINDS {
            let (row, missed) = measure(kind, count).await;
            let same = if count == COUNTS[0] { format!("{} %", identical(kind).await) } else { String::new() };
            let _ = writeln!(table, "| {count} | `{kind}` | {row} | {same} |");
            missed.iter().for_each(|missed| println!("not offered: {missed}"));
        }
    }
    println!("{table}");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(DOCUMENT);
    let text = std::fs::read_to_string(&path).expect("the document");
    let (before, rest) = text.split_once(MARKS[0]).expect("the opening mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the closing mark");
    std::fs::write(path, format!("{before}{}\n\n{table}\n{}{after}", MARKS[0], MARKS[1])).expect("the document");
}
