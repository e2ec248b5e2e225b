//! The same requests in other words: the rules are a mechanism, not a list of sentences.

use switchboard_tests::{TestClient, TestServer};

async fn check(client: &mut TestClient, request: &str, tools: &[&str], says: &str) {
    let turn = client.ask(request).await;
    assert_eq!(turn.tools(), tools, "{request:?}: {:#}", turn.end);
    assert!(turn.text().to_lowercase().contains(&says.to_lowercase()), "{request:?}: no {says:?} in {:?}", turn.text());
}

#[tokio::test]
async fn sums() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    for (request, says) in [
        ("What is 42 times 37?", "1554"),
        ("how much is 15% of 80", "12"),
        ("2 + 2", "4"),
        ("Please compute (3 + 4) * 5", "35"),
    ] {
        check(&mut client, request, &["calculator"], says).await;
    }
}

#[tokio::test]
async fn files() {
    let server = TestServer::start().await;
    server.file("settings.json", r#"{"server": {"port": 8080}, "debug": true}"#);
    server.file("notes/todo.md", "milk\nbread\nTODO call Ada\n");
    let mut client = server.connect().await;

    check(&mut client, "Show me the contents of notes/todo.md", &["file_read"], "bread").await;
    check(&mut client, "Open settings.json; which port does it use?", &["file_read", "json_parse"], "8080").await;
    check(&mut client, "which files are in notes?", &["list_directory"], "todo.md").await;
    check(&mut client, "search for TODO in notes", &["grep"], "call Ada").await;
    check(&mut client, "Find all *.json files", &["glob"], "settings.json").await;
    check(&mut client, "Create a file named a.txt containing 'one two'", &["file_write"], "a.txt").await;
    assert_eq!(server.content("a.txt"), "one two");
}

#[tokio::test]
async fn memory() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    check(&mut client, "My name is Ada", &["store_variable"], "Ada").await;
    check(&mut client, "What is my name?", &[], "Ada").await;
    check(&mut client, "Keep in mind that the deadline is Friday", &["store_variable"], "Friday").await;
    check(&mut client, "When is the deadline?", &[], "Friday").await;
}

#[tokio::test]
async fn commands_and_time() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    check(&mut client, "execute `echo hi there`", &["bash"], "hi there").await;
    check(&mut client, "what's the time in Tokyo?", &["current_time"], "Tokyo").await;
}
