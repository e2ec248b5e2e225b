//! Turns that a language model decides, over the socket, against a scripted server that speaks as OpenAI or as Anthropic:
//! the cases of the designs, replies that come in pieces, and messages while the model is asked.

mod anthropic;
mod attachments;
mod claims;
mod cut;
mod empty;
mod fields;
mod memory;
mod metrics;
mod modes;
mod offer_table;
mod offers;
mod pictures;
mod real;
mod resumed;
mod sdks;
mod seeds;
mod specialists;
mod streaming;
mod told;
mod web_search;
mod windows;

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer};

/// Both ways in which a model can decide.
pub(crate) const KINDS: [&str; 2] = ["native", "staged"];

/// Starts a server with this model behind it.
pub(crate) async fn server(llm: &ScriptedLlm, kind: &str) -> TestServer {
    TestServer::start_with(options(llm, kind)).await
}

/// What starts a server with this model behind it; its tools run without asking.
pub(crate) fn options(llm: &ScriptedLlm, kind: &str) -> ServerOptions {
    ServerOptions::with(&["--approve", "auto"]).model(&llm.base_url(), kind)
}

/// Cancels a turn in the middle of its reply: the provider is let go, and the next message gets the model's next answer,
/// "Here again.".
pub(crate) async fn cancel_and_ask_again(server: &TestServer, llm: &ScriptedLlm) {
    let mut client = server.connect().await;
    let id = client.post("Count").await;
    client.until_type("agent-delta").await;

    client.send(json!({"type": "cancel", "messageId": id})).await;
    client.end_of(&id).await.failed("cancelled");
    llm.dropped(1).await;
    client.ask("Are you there?").await.answered().says("Here again.");
}

/// The model's way to say: this needs a tool.
pub(crate) fn needs_tools() -> Answer {
    Answer::json(&json!({"reasoning": "It needs a tool.", "needsTools": true}))
}

/// The model's way to say: this needs no tool.
pub(crate) fn needs_none() -> Answer {
    Answer::json(&json!({"reasoning": "It needs no tool.", "needsTools": false}))
}

/// The model's way to choose a tool.
#[expect(clippy::needless_pass_by_value, reason = "parameters are made where they are chosen")]
pub(crate) fn selects(tool: &str, parameters: Value, output: Option<&str>) -> Answer {
    let reasoning = "It does what is wanted.";
    Answer::json(&json!({
        "reasoning": reasoning, "selectedTool": tool, "parameters": parameters, "outputVariable": output
    }))
}

/// The model's way to go on.
pub(crate) fn goes_on(next: &str) -> Answer {
    Answer::json(&json!({"reasoning": "More to do.", "complete": false, "nextAction": next, "userResponse": ""}))
}

/// The model's way to end a turn.
pub(crate) fn completes(said: &str) -> Answer {
    Answer::json(&json!({"reasoning": "All is done.", "complete": true, "nextAction": null, "userResponse": said}))
}

/// One tool and then this reply, in each kind's way.
pub(crate) fn one_tool(kind: &str, tool: &str, arguments: Value, said: &str) -> Vec<Answer> {
    match kind {
        "native" => vec![Answer::calls([(tool, arguments)]), Answer::text(said)],
        _ => vec![needs_tools(), selects(tool, arguments, None), completes(said)],
    }
}

/// This reply, without a tool, in each kind's way.
pub(crate) fn reply(kind: &str, said: &str) -> Vec<Answer> {
    reply_as(kind, Answer::text(said))
}

/// This answer as the reply.
pub(crate) fn reply_as(kind: &str, answer: Answer) -> Vec<Answer> {
    match kind {
        "native" => vec![answer],
        _ => vec![needs_none(), answer],
    }
}
