//! A session from beside its socket: resumed, shown over HTTP, exported and imported.

use serde_json::json;

use super::player::play;
use super::script::{Conversation, Stage, Step, ask, begin, call, get, say, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    vec![(Stage::auto(), conversations())]
}

fn put(method: &'static str, path: &str, body: &str) -> Step {
    Step::Http(method, path.to_owned(), body.to_owned())
}

fn conversations() -> Vec<Conversation> {
    let attach = |query: &str| Step::Attach(format!("?session={{session}}&{query}"));
    let store = || say("Store the number 42 as my_number");
    let lived = [store(), say("Overwrite notes.txt with \"second\""), say("/undo"), say("/save here")];
    vec![
        talk("session-resumed-from-the-start", [store(), attach("after=0"), say("What number did I store earlier?")]),
        talk("session-resumed-from-an-event", [store(), say("Calculate 1 + 1"), attach("after=5"), say("Hello")]),
        talk("session-resumed-from-the-end", [store(), attach("after={last}"), say("Calculate 2 + 2")]),
        talk(
            "session-resumed-with-a-tail",
            [store(), say("Calculate 1 + 1"), attach("tail=3"), say("Calculate 2 + 2")],
        ),
        talk(
            "session-resumed-with-a-question",
            [
                begin(r#"use ask_user {"question": "Which one?"}"#),
                Step::Until("user-query"),
                attach("tail=1"),
                Step::Send(json!({"type": "answer-query", "queryId": "{query}", "answer": "this"})),
                Step::Ended,
            ],
        ),
        talk(
            "session-over-http",
            [
                store(),
                get("/api/sessions/{session}"),
                get("/api/sessions/{session}/context"),
                get("/api/sessions/{session}/events?after=2&limit=3"),
                get("/api/sessions/{session}/transcript"),
                get("/api/sessions/{session}/variables/my_number"),
                get("/api/sessions/{session}/variables/nothing"),
                put("PATCH", "/api/sessions/{session}", r#"{"title": "Numbers"}"#),
                put("PATCH", "/api/sessions/{session}", r#"{"title": 5}"#),
                put(
                    "POST",
                    "/api/sessions/{session}/messages",
                    r#"{"text": "Calculate 6 * 7", "messageId": "over-http"}"#,
                ),
                put("POST", "/api/sessions/{session}/messages", "{}"),
                get("/api/sessions/not-an-id"),
            ],
        ),
        talk(
            "session-exported-and-imported",
            lived.into_iter().chain([
                get("/api/sessions/{session}/export"),
                put("POST", "/api/sessions/import", "{exported}"),
                Step::Attach("?session={imported}&after=0".to_owned()),
                say("What number did I store earlier?"),
                put("POST", "/api/sessions/import", "no export"),
            ]),
        ),
        talk(
            "session-with-large-values-exported",
            call("large", "file_read", &json!({"path": "large.txt"}))
                .into_iter()
                .chain([get("/api/sessions/{session}/export")])
                .chain(ask(json!({"type": "get-context"}), "context-state")),
        )
        .file("large.txt", "plums and pears\n".repeat(2_000)),
        talk(
            "tools-over-http",
            [get("/api/tools"), get("/api/tools?query=read%20a%20file&limit=3"), get("/api/tools?limit=many")],
        ),
    ]
}

#[tokio::test]
async fn sessions_are_resumed_and_shown_as_recorded() {
    play(played()).await;
}
