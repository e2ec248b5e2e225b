//! The requests that work with no model, as a stranger would type them.

use switchboard_tests::{TestClient, TestServer};

const CONFIG: &str = r#"{"name": "shop", "port": 3000, "db": {"host": "localhost", "pool": 5}, "tags": ["a", "b"]}"#;

async fn with_config() -> (TestServer, TestClient) {
    let server = TestServer::start().await;
    server.file("config.json", CONFIG);
    let client = server.connect().await;
    (server, client)
}

#[tokio::test]
async fn arithmetic_is_calculated() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let turn = client.ask("Calculate 42 * 37").await.answered().says("1554");

    assert_eq!(turn.tools(), ["calculator"]);
    assert_eq!(turn.first("agent-thinking")["step"], "analyzing");
}

#[tokio::test]
async fn a_result_is_named_and_used_later() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let named = client.ask("Calculate 6 * 7 and call it answer").await.answered();
    let used = client.ask("Calculate @answer + 1").await.answered().says("43");

    assert_eq!(named.stored(), ["answer"]);
    assert_eq!(used.tools(), ["calculator"]);
    assert_eq!(used.first("tool-call-start")["arguments"]["expression"], "answer + 1");
}

#[tokio::test]
async fn a_question_about_a_json_file_is_answered() {
    let (_server, mut client) = with_config().await;

    let turn = client.ask("Read config.json and tell me the port number").await.answered().says("3000");

    assert_eq!(turn.tools(), ["file_read", "json_parse"]);
    assert!(turn.stored().contains(&"file_content"), "{:?}", turn.stored());
    assert_eq!(turn.end["operationCount"], 2);
}

#[tokio::test]
async fn the_structure_of_a_json_file_is_described() {
    let (_server, mut client) = with_config().await;

    let turn = client.ask("Read config.json and analyze its structure").await.answered().says("port").says("db");

    assert_eq!(turn.tools(), ["file_read", "json_parse"]);
}

#[tokio::test]
async fn a_file_is_written_read_and_saved_elsewhere() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.ask("Write \"Hello, World!\" to file notes/hello.txt").await.answered();
    client.ask("Read the file notes/hello.txt").await.answered().says("Hello, World!");
    client.ask("save that to copy.txt").await.answered();

    assert_eq!(server.content("notes/hello.txt"), "Hello, World!");
    assert_eq!(server.content("copy.txt"), "Hello, World!");
}

#[tokio::test]
async fn a_number_is_stored_and_remembered_without_a_tool() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let stored = client.ask("Store the number 42 as my_number").await.answered();
    let asked = client.ask("What number did I store earlier?").await.answered().says("42");

    assert_eq!(stored.stored(), ["my_number"]);
    assert!(asked.tools().is_empty());
}

#[tokio::test]
async fn a_fact_is_remembered() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.ask("Remember that my favorite color is blue").await.answered();
    let asked = client.ask("What was my favorite color?").await.answered().says("blue");

    assert!(asked.tools().is_empty());
}

#[tokio::test]
async fn files_are_listed() {
    let (server, mut client) = with_config().await;
    server.file("src/main.rs", "fn main() {}");

    let turn = client.ask("What files are in the current directory?").await.answered().says("config.json").says("src");

    assert_eq!(turn.tools(), ["list_directory"]);
}

#[tokio::test]
async fn files_are_listed_and_searched() {
    let server = TestServer::start().await;
    server.file("src/main.rs", "fn main() {\n    // TODO: say hello\n}\n");
    server.file("src/lib.rs", "pub fn nothing() {}\n");
    let mut client = server.connect().await;

    let turn = client.ask("List the files in src and find TODO in them").await.answered().says("say hello");

    assert_eq!(turn.tools(), ["list_directory", "grep"]);
}

#[tokio::test]
async fn a_command_runs() {
    let (_server, mut client) = with_config().await;

    let turn = client.ask("Run ls -la").await.answered().says("config.json");

    assert_eq!(turn.tools(), ["bash"]);
    assert_eq!(turn.first("tool-call-start")["arguments"]["command"], "ls -la");
}

#[tokio::test]
async fn the_time_is_told() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let turn = client.ask("What time is it?").await.answered().says(":");

    assert_eq!(turn.tools(), ["current_time"]);
}

#[tokio::test]
async fn a_greeting_needs_no_tool() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let turn = client.ask("Hello").await.answered();

    assert!(turn.tools().is_empty());
    assert_eq!(turn.need()["needsTools"], false);
    assert!(turn.all("tool-call-start").is_empty());
}

#[tokio::test]
async fn what_no_tool_can_do_is_explained() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let turn = client.ask("Order me a pizza").await;

    assert_eq!(turn.end["type"], "agent-response");
    assert_eq!(turn.end["complete"], false);
    assert!(turn.tools().is_empty());
    assert!(turn.text().len() > 80, "why, what is missing, what to ask instead: {}", turn.text());
}

#[tokio::test]
async fn a_misspelled_file_is_read_and_named_as_it_is() {
    let (_server, mut client) = with_config().await;

    let turn = client.ask("Read confg.json").await.answered().says("There is no `confg.json`; I took `config.json`.");

    assert_eq!(turn.tools(), ["file_read"]);
}

#[tokio::test]
async fn a_missing_file_gets_an_error_that_helps() {
    let (_server, mut client) = with_config().await;

    let turn = client.ask("Read conf/settings.json").await.failed("tool-failed").says("conf/settings.json");

    assert_eq!(turn.end["attemptedTools"][0], "file_read");
    let suggestions = turn.end["suggestions"].as_array().map_or(0, Vec::len);
    assert!(suggestions > 0, "{:#}", turn.end);
    assert_eq!(turn.first("tool-call-end")["errorType"], "user_error");
}

#[tokio::test]
async fn it_says_that_it_is_no_language_model() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    assert_eq!(client.ready["reasoner"]["kind"], "rules");
    client.ask("Who are you?").await.answered().says("not a language model");
}
