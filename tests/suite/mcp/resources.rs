//! Resources of MCP servers are read by a tool, and what is read is a variable.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, TestServer, npm_entry, request};

use super::{call, listening};

/// What holds over stdio and over HTTP.
async fn resources_are_read(server: &TestServer) {
    server.until_tool("everything__read_resource").await;
    let mut client = server.connect().await;
    let uri = "demo://resource/dynamic/text/7";

    let listed = call(&mut client, "everything__list_resources", json!({})).await;
    let read = format!(r#"Use everything__read_resource with {{"uri": "{uri}"}}"#);
    let turn = client.ask(&read).await.answered();
    let missing = call(&mut client, "everything__read_resource", json!({"uri": "demo://nowhere"})).await;
    let host = call(&mut client, "everything__read_resource", json!({"uri": "file:///etc/passwd"})).await;

    let value = async |name: &Value| {
        let name = name.as_str().expect("a variable");
        let path = format!("/api/sessions/{}/variables/{name}", client.session());
        request(server.address(), "GET", &path, &[], b"").await.text()
    };
    let list: Value = serde_json::from_str(&value(&listed["outputVariable"]).await).expect("a list");
    let templates = list.as_array().expect("a list").iter().filter_map(|one| one["uriTemplate"].as_str());
    assert!(templates.into_iter().any(|template| template.starts_with("demo://resource/dynamic/text/")), "{list:#}");
    let end = turn.first("tool-call-end");
    assert!(value(&end["outputVariable"]).await.contains("Resource 7"), "{end:#}");
    for refused in [&missing, &host] {
        assert_eq!(refused["success"], false, "{refused:#}");
        assert!(!refused.to_string().contains("root:"), "{refused:#}");
    }
}

#[tokio::test]
async fn a_resource_is_read_over_stdio_and_becomes_a_variable() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});

    resources_are_read(&folder.start(servers, &["--approve", "auto"]).await).await;
}

#[tokio::test]
async fn a_resource_is_read_over_http_and_becomes_a_variable() {
    let (_everything, url) = listening().await;
    let folder = McpFolder::default();

    resources_are_read(&folder.start(json!({"everything": {"url": url}}), &["--approve", "auto"]).await).await;
}
