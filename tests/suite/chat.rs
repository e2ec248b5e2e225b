//! The terminal client in a real terminal, and as a command in scripts.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, Terminal, TestServer, binary};
use tokio::process::Command;
use uuid::Uuid;

const QUESTION: &str = "allow? [y/a/n/e]";

fn chat(server: &TestServer, arguments: &str) -> Terminal {
    let home = server.data();
    Terminal::run(&format!(
        "env HOME={} XDG_DATA_HOME={} {} chat http://{} {arguments}",
        home.display(),
        home.display(),
        binary().display(),
        server.address()
    ))
}

async fn print(server: &TestServer, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(binary());
    let url = format!("http://{}", server.address());
    command.arg("chat").arg(&url).args(arguments).env("HOME", server.data()).kill_on_drop(true);
    let output = switchboard_tests::soon("the answer", command.output()).await.expect("the client runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn the_flows_of_the_main_job_work_in_a_terminal() {
    let server = TestServer::start().await;
    server.file("config.json", r#"{"port": 3000}"#);
    let terminal = chat(&server, "");
    terminal.expect("rules").await;

    terminal.line("Calculate 42 * 37");
    terminal.expect("1554").await;
    terminal.line("Read config.json and tell me the port number");
    terminal.expect("3000").await;
    terminal.line("/tools read a file");
    terminal.expect("file_read").await;
    terminal.key("C-d");

    terminal.ended().await;
}

#[tokio::test]
async fn a_command_is_allowed_and_another_denied_at_the_prompt() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let terminal = chat(&server, "");
    terminal.expect("rules").await;

    terminal.line("Run `echo it-$((40 + 2))`");
    terminal.expect(QUESTION).await;
    terminal.line("y");
    terminal.expect("it-42").await;
    terminal.line("Run `touch trace`");
    terminal.expect_times(QUESTION, 2).await;
    terminal.line("n not today");
    terminal.expect("not today").await;

    assert!(!server.workspace().join("trace").exists());
}

#[tokio::test]
async fn a_turn_is_cancelled_by_the_keyboard() {
    let server = TestServer::start().await;
    let terminal = chat(&server, "");
    terminal.expect("rules").await;

    terminal.line("Run `echo it-$((40 + 2)); sleep 50`");
    terminal.expect("it-42").await;
    terminal.key("C-c");
    terminal.expect("cancelled").await;
    terminal.line("Calculate 6 * 8");

    terminal.expect("48").await;
}

#[tokio::test]
async fn a_restarted_server_is_found_again() {
    let mut server = TestServer::start().await;
    let address = server.address().to_owned();
    let terminal = chat(&server, "");
    terminal.expect("rules").await;
    terminal.line("Store the number 42 as my_number");
    terminal.expect("my_number").await;

    server.kill().await;
    server.start_on(&address).await;
    terminal.line("What number did I store earlier?");

    terminal.expect("42").await;
    terminal.line("Calculate 1000 + 554");
    terminal.expect("1554").await;
}

#[tokio::test]
async fn a_question_waits_for_whoever_comes_back() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let session = server.connect().await.session();
    let gone = chat(&server, &format!("--session {session}"));
    gone.expect("rules").await;
    gone.line("Run `echo ran >> trace`");
    gone.expect(QUESTION).await;
    drop(gone);

    let back = chat(&server, &format!("--session {session}"));
    back.expect(QUESTION).await;
    back.line("y");

    let mut client = server.connect_to(session, 0).await;
    client.until_type("agent-response").await;
    assert_eq!(server.content("trace"), "ran\n");
}

#[tokio::test]
async fn one_answer_is_printed_for_scripts() {
    let server = TestServer::start().await;

    let (code, out, _) = print(&server, &["--print", "Calculate 42 * 37"]).await;

    assert_eq!(code, Some(0));
    assert!(out.contains("1554"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colours off a terminal: {out:?}");
}

#[tokio::test]
async fn the_frames_are_printed_for_programs() {
    let server = TestServer::start().await;

    let (code, out, _) = print(&server, &["--print", "Calculate 42 * 37", "--json"]).await;

    let frames: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("a frame a line")).collect();
    assert_eq!(code, Some(0));
    assert!(frames.iter().any(|frame| frame["type"] == "tool-call-end"), "{out}");
    assert_eq!(frames.last().map(|frame| frame["type"].clone()), Some(json!("agent-response")));
}

#[tokio::test]
async fn failures_have_exit_codes_and_say_what_to_do() {
    let server = TestServer::start_with(ServerOptions::default()).await;

    let failed = print(&server, &["--print", "Read missing.json"]).await;
    let asks = print(&server, &["--print", "Run echo no"]).await;
    let unknown = print(&server, &["--session", &Uuid::new_v4().to_string(), "--print", "Hello"]).await;

    assert_eq!((failed.0, asks.0, unknown.0), (Some(1), Some(3), Some(2)), "{failed:?} {asks:?} {unknown:?}");
    assert!(asks.2.contains("--approve"), "{}", asks.2);
    assert!(unknown.2.contains("session"), "{}", unknown.2);
}
