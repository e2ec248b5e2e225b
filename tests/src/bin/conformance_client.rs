//! Switchboard as the conformance suite of MCP starts it: with the address of the suite's server, of which every tool,
//! resource and prompt is used once, and with every form accepted as its defaults fill it in. The suite judges what its
//! server saw; this program fails only if Switchboard does not get the server going or a call does not end well.

use anyhow::{Context, ensure};
use serde_json::{Map, Value, json};
use switchboard_tests::{McpFolder, TestClient, request};
use uuid::Uuid;

/// What the suite's server is called in the file of servers.
const NAME: &str = "suite";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let url = std::env::args().nth(1).context("the address of the suite's server is missing")?;
    let context = variable("MCP_CONFORMANCE_CONTEXT").map_or(Ok(Value::Null), |text| serde_json::from_str(&text))?;
    let folder = McpFolder::default();
    let server = folder.start(json!({NAME: {"url": url}}), &["--approve", "auto"]).await;
    let status = server.until_mcp_ready(NAME).await;
    let listed = request(server.address(), "GET", "/api/tools", &[], b"").await.json();
    let mut client = server.connect().await;
    for (tool, arguments) in calls(&context, listed["tools"].as_array().context("no list of tools")?) {
        let end = call(&mut client, &tool, arguments).await;
        ensure!(end["success"] == true, "{tool}: {end:#}");
        if tool.ends_with("__list_resources") {
            let uri = end["preview"].to_string();
            let uri = uri.split(['"', '\\', ' ']).find(|word| word.contains("://")).context("no resource")?;
            let read = call(&mut client, &format!("{NAME}__read_resource"), json!({"uri": uri})).await;
            ensure!(read["type"] == "tool-call-end", "{read:#}");
        }
    }
    for prompt in status["prompts"].as_array().into_iter().flatten() {
        let command = prompt["command"].as_str().unwrap_or_default();
        client.command(&format!("/{command}")).await;
    }
    Ok(())
}

/// The calls that the suite wants, or one of each of its server's tools.
fn calls(context: &Value, tools: &[Value]) -> Vec<(String, Value)> {
    if let Some(wanted) = context["toolCalls"].as_array() {
        let name = |call: &Value| format!("{NAME}__{}", call["name"].as_str().unwrap_or_default());
        return wanted.iter().map(|call| (name(call), given(&call["arguments"]))).collect();
    }
    let ours = tools.iter().filter(|tool| tool["module"] == NAME && tool["name"] != format!("{NAME}__read_resource"));
    ours.map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), tool["example"].clone())).collect()
}

/// Arguments without those that are null: where a schema does not allow null, ours leaves a parameter out.
fn given(arguments: &Value) -> Value {
    let given = arguments.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    Value::Object(given.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
}

/// Calls a tool; answers what the server asks meanwhile.
async fn call(client: &mut TestClient, tool: &str, arguments: Value) -> Value {
    let id = Uuid::new_v4().to_string();
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    loop {
        let ends = |frame: &Value| frame["callId"] == id.as_str() && frame["type"] == "tool-call-end";
        let frame = client.until("the call's end", |frame| ends(frame) || frame["type"] == "user-query").await;
        if frame["type"] == "tool-call-end" {
            return frame;
        }
        client.send(json!({"type": "answer-query", "queryId": frame["queryId"], "answer": {"action": "accept"}})).await;
    }
}

fn variable(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "the suite says by it what it wants to see")]
    std::env::var(name).ok()
}
