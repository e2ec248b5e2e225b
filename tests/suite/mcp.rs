//! MCP servers behind the socket: real ones from npm over stdio and HTTP, and a scripted one for what those never do.

mod conformance;
mod elicitation;
mod prompts;
mod resources;
pub(crate) mod state;

use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{McpFolder, TestClient, TestServer, npm_entry, npm_server, soon};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use uuid::Uuid;

/// Calls a tool by the user's own hand; how it ended.
pub(crate) async fn call(client: &mut TestClient, tool: &str, arguments: Value) -> Value {
    let id = Uuid::new_v4().to_string();
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id.as_str()).await
}

/// The server-everything that listens on a port of its own.
pub(crate) async fn listening() -> (Child, String) {
    loop {
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = port.expect("a free port").port();
        if let Some(child) = listening_on(port).await {
            return (child, format!("http://127.0.0.1:{port}/mcp"));
        }
    }
}

/// The same on this port; `None` if somebody else has it.
async fn listening_on(port: u16) -> Option<Child> {
    let mut command = Command::new("node");
    command.arg(npm_server("server-everything")).arg("streamableHttp").env("PORT", port.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("node is there");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let listens = soon("server-everything", async {
        while let Ok(Some(line)) = lines.next_line().await {
            if line.contains("listening on port") {
                return true;
            }
        }
        false
    })
    .await;
    #[expect(clippy::disallowed_methods, reason = "the task ends with the server's standard error")]
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    listens.then_some(child)
}

/// What holds over stdio and over HTTP: tools of server-everything are found, used, and report their progress.
async fn everything_is_used(server: &TestServer) {
    server.until_tool("everything__get_sum").await;
    let mut client = server.connect().await;

    let found = client.command("/tools echo back the input").await;
    let turn = client.ask(r#"Use everything__get_sum with {"a": 17, "b": 25}"#).await.answered().says("42");
    let echo = client.ask(r#"Echoes back "over the sea""#).await.answered().says("over the sea");
    let long = r#"Use everything__trigger_long_running_operation with {"duration": 0.4, "steps": 4}"#;
    let long = client.ask(long).await.answered();

    assert!(found["text"].as_str().is_some_and(|text| text.contains("everything__echo")), "{found:#}");
    assert_eq!(turn.tools(), ["everything__get_sum"]);
    assert_eq!(turn.first("tool-call-start")["module"], "everything");
    assert_eq!(echo.tools(), ["everything__echo"]);
    let call = &long.first("tool-call-start")["callId"];
    let progress: String = client
        .frames
        .iter()
        .filter(|frame| {
            frame["type"] == "tool-output-chunk" && frame["callId"] == *call && frame["stream"] == "progress"
        })
        .filter_map(|frame| frame["chunk"].as_str())
        .collect();
    assert_eq!(progress, "1 of 4\n2 of 4\n3 of 4\n4 of 4\n");
}

#[tokio::test]
async fn tools_over_stdio_are_found_and_used_and_report_progress() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});

    everything_is_used(&folder.start(servers, &["--approve", "auto"]).await).await;
}

#[tokio::test]
async fn tools_over_http_are_found_and_used_and_report_progress() {
    let (_everything, url) = listening().await;
    let folder = McpFolder::default();

    everything_is_used(&folder.start(json!({"everything": {"url": url}}), &["--approve", "auto"]).await).await;
}

#[tokio::test]
async fn server_memory_and_server_filesystem_do_their_work() {
    let folder = McpFolder::default();
    let world = folder.path().join("world");
    std::fs::create_dir(&world).expect("a folder");
    let world = world.display().to_string();
    let mut memory = npm_entry("server-memory", &[]);
    memory["env"] = json!({"MEMORY_FILE_PATH": folder.path().join("memory.jsonl")});
    let servers = json!({"memory": memory, "files": npm_entry("server-filesystem", &[&world])});
    let server = folder.start(servers, &["--approve", "auto"]).await;
    server.until_tool("memory__create_entities").await;
    server.until_tool("files__write_file").await;
    let mut client = server.connect().await;

    let ada =
        json!({"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote the first program"]}]});
    client.ask(&format!("Use memory__create_entities with {ada}")).await.answered();
    client.ask(r#"Use memory__search_nodes with {"query": "program"}"#).await.answered().says("Ada");
    let write = json!({"path": format!("{world}/note.txt"), "content": "by MCP"});
    client.ask(&format!("Use files__write_file with {write}")).await.answered();
    let outside = call(&mut client, "files__read_text_file", json!({"path": "/etc/hostname"})).await;

    assert_eq!(std::fs::read_to_string(format!("{world}/note.txt")).expect("the note"), "by MCP");
    assert_eq!((&outside["success"], &outside["errorType"]), (&json!(false), &json!("user_error")), "{outside:#}");
}

#[tokio::test]
async fn a_killed_server_is_started_again_and_its_tools_work_again() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});
    let server = folder.start(servers, &["--approve", "auto"]).await;
    server.until_tool("everything__echo").await;
    let mut client = server.connect().await;
    let arguments = json!({"message": "still here"});
    assert_eq!(call(&mut client, "everything__echo", arguments.clone()).await["success"], true);

    folder.kill("node ");

    soon("a call that works again", async {
        while call(&mut client, "everything__echo", arguments.clone()).await["success"] != true {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_at_an_address_that_was_killed_is_found_again() {
    let (mut everything, url) = listening().await;
    let folder = McpFolder::default();
    let server = folder.start(json!({"everything": {"url": url}}), &["--approve", "auto"]).await;
    server.until_tool("everything__echo").await;
    let mut client = server.connect().await;
    let arguments = json!({"message": "still here"});
    assert_eq!(call(&mut client, "everything__echo", arguments.clone()).await["success"], true);

    everything.kill().await.expect("it runs");
    assert_eq!(call(&mut client, "everything__echo", arguments.clone()).await["success"], false);
    let port = url.rsplit([':', '/']).nth(1).and_then(|port| port.parse().ok()).expect("a port");
    let _again = listening_on(port).await.expect("the port is free again");

    soon("a call that works again", async {
        while call(&mut client, "everything__echo", arguments.clone()).await["success"] != true {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn f08_no_process_stays_behind_however_switchboard_ends() {
    for signal in [Signal::TERM, Signal::KILL] {
        let folder = McpFolder::default();
        let servers = json!({
            "everything": npm_entry("server-everything", &["stdio"]),
            "shell": {"command": "sh", "args": ["-c", "setsid sleep 1000 & exec cat"]},
        });
        let mut server = folder.start(servers, &[]).await;
        server.until_tool("everything__echo").await;
        let before = folder.processes();
        for running in ["node ", "sleep 1000"] {
            assert!(before.iter().any(|(_, command)| command.starts_with(running)), "{running}: {before:#?}");
        }

        server.signal(signal);
        server.ended().await;

        folder.until_none_runs().await;
    }
}

#[tokio::test]
async fn a_cancelled_turn_cancels_its_call_at_the_server() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__hang").await;
    let mut client = server.connect().await;
    let turn = client.post("Use test__hang with {}").await;
    folder.until_told("hang").await;

    client.send(json!({"type": "cancel"})).await;

    client.end_of(&turn).await.failed("cancelled");
    folder.until_told("cancelled").await;
}

#[tokio::test]
async fn a_list_that_changes_reaches_registry_and_search() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__grow").await;
    let mut client = server.connect().await;
    let before = client.command("/tools tide of a harbour").await;

    call(&mut client, "test__grow", json!({})).await;
    server.until_tool("test__tide_table").await;

    let after = client.command("/tools tide of a harbour").await;
    assert!(!before["text"].as_str().unwrap_or_default().contains("tide_table"), "{before:#}");
    assert!(after["text"].as_str().unwrap_or_default().contains("tide_table"), "{after:#}");
    client.ask("Use test__tide_table with {}").await.answered();
}
