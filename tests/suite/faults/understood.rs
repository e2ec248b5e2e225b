//! N22 to N30: requests without a model that were understood in part and done as a whole.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, ServerOptions, TestClient, TestServer};

async fn with(files: &[(&str, &str)]) -> (TestServer, TestClient) {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    files.iter().for_each(|(path, text)| server.file(path, text));
    let client = server.connect().await;
    (server, client)
}

/// A server with the tools of an office: the weather, and mail.
async fn office() -> (TestServer, TestClient, McpFolder) {
    let folder = McpFolder::default();
    let mut options = ServerOptions::auto();
    options.arguments.extend(folder.options(json!({"test": folder.scripted("office")}), &[]).arguments);
    let server = TestServer::start_with(options).await;
    server.until_tool("test__email_send").await;
    let client = server.connect().await;
    (server, client, folder)
}

#[tokio::test]
async fn n22_what_is_read_is_not_where_it_is_written() {
    let users = "[{\"name\": \"Ada\"}, {\"name\": \"Bob\"}]\n";
    let (server, mut client) = with(&[("users.json", users)]).await;

    client.ask("create file.txt with the names from users.json").await.answered();

    assert_eq!(server.content("users.json"), users);
    assert_eq!(server.content("file.txt"), "name\nAda\nBob\n");
}

#[tokio::test]
async fn n23_a_value_is_changed_in_its_file() {
    let (server, mut client) = with(&[("pyproject.toml", "[tool.app]\ntimeout = 30\n")]).await;

    client.ask("change the timeout in pyproject.toml to 60").await.answered();

    assert_eq!(server.content("pyproject.toml"), "[tool.app]\ntimeout = 60\n");
}

#[tokio::test]
async fn n24_references_are_told_apart() {
    let (_server, mut client) = with(&[("cfg.json", "{\"port\": 3000, \"db\": {\"port\": 5432}}\n")]).await;
    client.ask("Read cfg.json and call it cfg").await.answered();

    client.ask("Calculate @cfg.port + @cfg.db.port").await.answered().says("8432");
}

#[tokio::test]
async fn n25_what_is_tried_again_is_the_last_request() {
    let (server, mut client) = with(&[("a.txt", "one\n")]).await;
    client.ask("Append \"two\" to a.txt").await.answered();
    client.ask("Read gone/away.txt").await.failed("tool-failed");

    let again = client.ask("try again").await.failed("tool-failed");

    assert_eq!(again.end["attemptedTools"], json!(["file_read"]));
    assert_eq!(server.content("a.txt"), "one\ntwo\n");
}

#[tokio::test]
async fn n26_the_reply_speaks_of_what_ran() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo first`").await;
    let asked = client.until_type("approval-request").await;
    let edited = json!({"command": "echo second"});
    client
        .send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once", "arguments": edited}))
        .await;

    let ended = client.end_of(&turn).await.answered().says("second");

    assert!(!ended.text().contains("first"), "{}", ended.text());
}

#[tokio::test]
async fn n27_a_search_that_stopped_says_so() {
    let many: String = (0..133).map(|line| format!("needle {line}\n")).collect();
    let (_server, mut client) = with(&[("many.txt", &many), ("few.txt", "needle\n")]).await;

    client.ask("find needle in all files").await.answered().says("more lines than I looked for");
    let exact = client.ask("how many lines contain needle in many.txt?").await.answered().says("133");

    assert!(!exact.text().contains("100"), "{}", exact.text());
}

#[tokio::test]
async fn n28_a_line_is_removed_and_not_its_file() {
    let (server, mut client) = with(&[("a.txt", "one\ntwo\nthree\n")]).await;

    let turn = client.ask("remove line 2 of a.txt").await.answered();

    assert!(!turn.tools().contains(&"bash"), "{:?}", turn.tools());
    assert_eq!(server.content("a.txt"), "one\nthree\n");
}

#[tokio::test]
async fn n29_what_was_asked_for_and_is_not_done_is_said() {
    let (_server, mut client, folder) = office().await;

    let turn = client.ask("Get weather for New York and send it via email").await;

    let sent = folder.told().iter().any(|line| line.contains("sent"));
    let said = turn.end["complete"] == Value::Bool(false) && turn.text().contains("email");
    assert!(sent || said, "{:#}", turn.end);
}

#[tokio::test]
async fn n30_the_name_for_the_result_is_kept() {
    let (_server, mut client, _folder) = office().await;

    let turn = client.ask("What's the weather in Paris? Call it pw").await.answered();

    assert!(turn.stored().contains(&"pw"), "{:?}", turn.stored());
}

#[tokio::test]
async fn n40_a_misspelled_command_is_no_file() {
    let (_server, mut client) = with(&[]).await;

    let answer = client.command("/contxt").await;

    assert_eq!(answer["type"], "command-error");
    let text = answer["text"].as_str().or(answer["message"].as_str()).unwrap_or_default();
    assert!(text.contains("Did you mean `/context`?"), "{answer:#}");
    // Baseline: what only begins like a command is a message.
    client.ask("/helpful things are here").await;
}
