//! Tools, prompts and questions of an MCP server, a scripted one: those of npm need time and tell the time.

use serde_json::{Value, json};

use super::player::play;
use super::script::{Conversation, Stage, Step, begin, call, decided, get, say, says, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let plain = Stage { mcp: Some(""), ..Stage::auto() };
    let asking = Stage { mcp: Some(""), ..Stage::default() };
    let office = Stage { mcp: Some("office"), ..Stage::auto() };
    vec![(plain, conversations()), (asking, approvals()), (office, requests())]
}

fn conversations() -> Vec<Conversation> {
    let asks = |answer: Option<Value>| {
        let mut frame = json!({"type": "answer-query", "queryId": "{query}"});
        if let Some(answer) = answer {
            frame["answer"] = answer;
        }
        [begin("Use test__ask with {}"), Step::Until("user-query"), Step::Send(frame), Step::Ended]
    };
    vec![
        says("mcp-used", ["Use test__count with {}", "Use test__grown with {}", "/history"]),
        talk(
            "mcp-called-by-hand",
            [call("count", "test__count", &json!({})), call("wrong", "test__cuont", &json!({}))].concat(),
        ),
        talk("mcp-asks-and-is-answered", asks(Some(json!("Husum")))),
        talk("mcp-asks-and-is-declined", asks(Some(json!({"action": "decline"})))),
        talk("mcp-asks-and-is-dismissed", asks(None)),
        talk(
            "mcp-cancelled",
            [
                begin("Use test__hang with {}"),
                Step::Until("tool-call-start"),
                Step::Send(json!({"type": "cancel"})),
                Step::Ended,
            ],
        ),
        says(
            "mcp-prompts",
            ["/help test__tide", "/test__tide", "/test__tide harbour=Husum", "/test__tide Brest", "/test__tides x"],
        ),
        says(
            "mcp-listed",
            [
                "/mcp",
                "/mcp test",
                "/mcp tset",
                "/mcp approve test",
                "/mcp stop test",
                "/mcp restart tset",
                "/mcp off something",
            ],
        ),
        says("mcp-found", ["/tools", "/tools count", "/help"]),
        talk("mcp-over-http", [get("/api/mcp")]),
    ]
}

fn approvals() -> Vec<Conversation> {
    vec![
        talk("mcp-approved", decided("Use test__count with {}", json!({"decision": "allow-once"}))),
        talk("mcp-denied", decided("Use test__count with {}", json!({"decision": "deny"}))),
        talk(
            "mcp-approved-for-the-session",
            decided("Use test__count with {}", json!({"decision": "allow-session"}))
                .into_iter()
                .chain([say("Use test__count with {}"), say("/permissions")]),
        ),
    ]
}

fn requests() -> Vec<Conversation> {
    vec![
        says("mcp-chosen-by-the-rules", ["What is the weather in Tokyo?", "Generate code for a server"]),
        says("mcp-chosen-for-mail", ["Send an email to Ada saying hello", "/tools weather of a place"]),
    ]
}

#[tokio::test]
async fn mcp_servers_are_used_as_recorded() {
    play(played()).await;
}
