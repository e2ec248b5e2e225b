//! The user's own hand: variables, calls, questions of tools, undo, the title.

use serde_json::{Value, json};

use super::player::play;
use super::script::{Conversation, Stage, Step, ask, begin, call, get, say, talk};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let conversations = variables().into_iter().chain(calls()).chain(questions()).chain(changes());
    vec![(Stage::auto(), conversations.collect())]
}

fn set(name: &str, value: &Value) -> [Step; 2] {
    ask(json!({"type": "set-variable", "name": name, "value": value}), "context-update")
}

fn context() -> [Step; 2] {
    ask(json!({"type": "get-context"}), "context-state")
}

fn variables() -> Vec<Conversation> {
    let rename = |from: &str, to: &str| json!({"type": "rename-variable", "name": from, "newName": to});
    let delete = |name: &str| json!({"type": "delete-variable", "name": name});
    let kinds = [json!({"name": "John"}), json!([1, 2.5, "x"]), json!(1e300), json!(true), json!(null), json!("text")];
    let all_kinds = kinds.iter().enumerate().flat_map(|(at, value)| set(&format!("kind_{at}"), value));
    let wrong = ["my name", "1st", "", "__proto__ x"]
        .map(|name| ask(json!({"type": "set-variable", "name": name, "value": 1}), "agent-error"));
    let unknown = [rename("nothing", "something"), delete("nothing")].map(|frame| ask(frame, "agent-error"));
    vec![
        talk(
            "variables-edited",
            [
                set("user_data", &json!({"name": "John"})),
                ask(rename("user_data", "person"), "context-update"),
                context(),
                ask(delete("person"), "context-update"),
                context(),
            ]
            .concat(),
        ),
        talk("variables-kinds", all_kinds.chain(context()).chain([get("/api/sessions/{session}/variables/kind_0")])),
        talk("variables-wrong", [wrong.concat(), unknown.concat()].concat()),
        talk(
            "variables-used",
            [&set("user_data", &json!({"name": "John"}))[..], &[say("What's my name?"), say("Show me @user_data")]]
                .concat(),
        ),
        talk(
            "variables-cleared",
            [&set("x", &json!(1))[..], &ask(json!({"type": "clear-context"}), "context-cleared"), &context()].concat(),
        ),
    ]
}

fn calls() -> Vec<Conversation> {
    let wrong = [
        ("file_raed", json!({})),
        ("calculator", json!({})),
        ("calculator", json!({"expression": 5})),
        ("calculator", json!({"expression": "1 + 1", "more": true})),
        ("file_read", json!({"path": "@nothing"})),
        ("file_read", json!({"path": "../outside"})),
        ("file_read", json!({"path": "."})),
        ("bash", json!({"command": "true", "timeout": 3600})),
        ("web_fetch", json!({"url": "ftp://example.com/"})),
        ("json_query", json!({"json": {"a": 1}, "query": ".["})),
    ];
    let wrong =
        wrong.iter().enumerate().flat_map(|(at, (tool, arguments))| call(&format!("wrong-{at}"), tool, arguments));
    let right = [
        ("calculator", json!({"expression": "6 * 7"})),
        ("json_query", json!({"json": {"a": [1, 2]}, "query": ".a[]"})),
        ("glob", json!({"pattern": "*.txt"})),
        ("grep", json!({"pattern": "line", "path": "notes.txt"})),
        ("list_directory", json!({"path": "."})),
        ("file_read", json!({"file_paths": ["a.txt", "notes.txt"]})),
        ("store_variable", json!({"name": "kept", "value": [1, 2, 3]})),
        ("bash", json!({"command": "cat a.txt; echo to-stderr >&2"})),
    ];
    let right =
        right.iter().enumerate().flat_map(|(at, (tool, arguments))| call(&format!("right-{at}"), tool, arguments));
    let once = json!({"type": "call-tool", "callId": "once", "tool": "bash", "arguments": {"command": "echo once"}});
    vec![
        talk("calls-right", right.chain(context()).chain([say("/history")])),
        talk("calls-wrong", wrong),
        talk(
            "calls-the-same-again",
            [&ask(once.clone(), "tool-call-end")[..], &ask(once, "tool-call-end"), &[say("Calculate 1 + 1")]].concat(),
        ),
        talk(
            "calls-time-limit",
            call("slow", "bash", &json!({"command": "echo begun; trap '' TERM; sleep 50", "timeout": 1})),
        ),
    ]
}

fn questions() -> Vec<Conversation> {
    let asks = |arguments: Value| [begin(format!("use ask_user {arguments}")), Step::Until("user-query")];
    let answer = |value: Value| Step::Send(json!({"type": "answer-query", "queryId": "{query}", "answer": value}));
    let refused = Step::Until("agent-error");
    vec![
        talk(
            "questions-answered",
            [
                &asks(json!({"question": "Which environment?"}))[..],
                &[answer(json!("staging")), Step::Ended, say("what is user_answer?")],
            ]
            .concat(),
        ),
        talk(
            "questions-chosen",
            [
                &asks(json!({"question": "Which?", "choices": ["red", "blue"]}))[..],
                &[answer(json!("green")), refused.clone(), answer(json!("blue")), Step::Ended],
                &[answer(json!("red")), refused.clone()],
            ]
            .concat(),
        ),
        talk(
            "questions-dismissed",
            [
                &asks(json!({"question": "Which environment?"}))[..],
                &[Step::Send(json!({"type": "answer-query", "queryId": "{query}"})), Step::Ended],
            ]
            .concat(),
        ),
        talk(
            "questions-cancelled",
            [
                &asks(json!({"question": "Which environment?"}))[..],
                &[Step::Send(json!({"type": "cancel"})), Step::Ended, answer(json!("late")), refused.clone()],
            ]
            .concat(),
        ),
        talk(
            "questions-seen-again",
            [
                &asks(json!({"question": "Which one?", "choices": ["one", "two"]}))[..],
                &[Step::Attach("?session={session}&after=0".to_owned()), answer(json!("two")), Step::Ended],
            ]
            .concat(),
        ),
        talk(
            "questions-of-an-own-call",
            [
                Step::Send(
                    json!({"type": "call-tool", "callId": "own", "tool": "ask_user", "arguments": {"question": "Me?"}}),
                ),
                Step::Until("user-query"),
                answer(json!({"any": ["json", 1]})),
                Step::Until("tool-call-end"),
            ],
        ),
    ]
}

fn changes() -> Vec<Conversation> {
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-content of a\n+1\n";
    let write = |id: &str, path: &str| call(id, "file_write", &json!({"path": path, "content": id}));
    let undo = |id: &str, of: &str| call(id, "file_undo", &json!({"call_ids": [of]}));
    vec![
        talk(
            "undo-by-command",
            ["Overwrite notes.txt with \"second\"", "/undo", "/undo", "/undo many", "Read notes.txt"].map(say),
        ),
        talk("undo-in-words", ["Replace \"first\" with \"1st\" in notes.txt", "Undo that", "Undo that"].map(say)),
        talk(
            "undo-refused",
            [say("Write \"one\" to new.txt"), Step::File("new.txt", "by hand"), say("/undo"), say("Read new.txt")],
        ),
        talk(
            "undo-of-one-call",
            [write("a", "one.txt"), write("b", "two.txt"), undo("u", "a"), undo("v", "a"), undo("w", "u")].concat(),
        ),
        talk(
            "undo-of-a-patch",
            [
                &call("read", "file_read", &json!({"file_paths": ["a.txt"]}))[..],
                &call("wrong", "apply_patch", &json!({"patch": patch.replace("content", "other")})),
                &call("whole", "apply_patch", &json!({"patch": patch})),
                &[say("/undo 1")],
            ]
            .concat(),
        ),
        talk(
            "title-set",
            [
                &ask(json!({"type": "set-title", "title": "Plums and pears"}), "session-update")[..],
                &[say("Hello")],
                &ask(json!({"type": "set-title", "title": "x".repeat(201)}), "agent-error"),
                &ask(json!({"type": "set-title", "title": " "}), "agent-error"),
                &[Step::Send(json!({"type": "window-closed", "windowId": "w"}))],
            ]
            .concat(),
        ),
    ]
}

#[tokio::test]
async fn what_the_user_does_by_hand_is_done_as_recorded() {
    play(played()).await;
}
