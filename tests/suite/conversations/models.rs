//! Turns that a scripted model decides, stage by stage and by calling tools itself.

use serde_json::{Value, json};
use switchboard_tests::Answer;

use super::player::play;
use super::script::{Conversation, Stage, Step, begin, decided, say, says, talk};
use crate::models::{completes, goes_on, needs_none, needs_tools, one_tool, reply, reply_as, selects};

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let asking = |kind| Stage { arguments: &[], ..Stage::model(kind) };
    let office = Stage { mcp: Some("office"), ..Stage::model("native") };
    vec![
        (Stage::model("native"), both("native").into_iter().chain(native()).collect()),
        (Stage::model("staged"), both("staged").into_iter().chain(staged()).collect()),
        (asking("native"), approvals("native")),
        (asking("staged"), approvals("staged")),
        (office, vec![with_mcp()]),
    ]
}

/// What is recorded of both ways.
fn both(kind: &'static str) -> Vec<Conversation> {
    let name = |what: &str| format!("{kind}-{what}");
    let read = |path: &str| json!({"path": path});
    let held = || reply_as(kind, Answer::text("one two three four").in_pieces_of(4).hold_after(3));
    let secret = concat!("It is ghp_", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2, so.");
    let cancel = Step::Send(json!({"type": "cancel"}));
    let message = |mode: &str| json!({"type": "send-message", "messageId": "next", "mode": mode, "text": "And 6 * 7?"});
    let unknown = |kind| match kind {
        "native" => vec![
            Answer::calls([("file_raed", read("a.txt"))]),
            Answer::calls([("file_read", json!({"paht": "a.txt"}))]),
            Answer::calls([("file_read", read("a.txt"))]),
            Answer::text("content of a"),
        ],
        _ => vec![
            needs_tools(),
            selects("file_raed", read("a.txt"), None),
            selects("file_read", json!({"paht": "a.txt"}), None),
            selects("file_read", read("a.txt"), None),
            completes("content of a"),
        ],
    };
    vec![
        says(name("reply"), ["What is 2+2?", "Thank you"])
            .answers(reply(kind, "4").into_iter().chain(reply(kind, "You are *welcome*: ü 😀."))),
        says(name("one-tool"), ["Read the file a.txt", "And config2.json?"]).answers(
            one_tool(kind, "file_read", read("a.txt"), "It says \"content of a\".").into_iter().chain(one_tool(
                kind,
                "file_read",
                read("config2.json"),
                "The port is 4000.",
            )),
        ),
        says(name("wrong-calls"), ["Read the file a.txt"]).answers(unknown(kind)),
        says(name("failing-tool"), ["Read the file missing.txt"]).answers(match kind {
            "native" => one_tool(kind, "file_read", read("missing.txt"), "There is no such file."),
            _ => vec![
                needs_tools(),
                selects("file_read", read("missing.txt"), None),
                selects("list_directory", read("."), None),
                completes("There is no such file."),
            ],
        }),
        says(name("command"), ["Run a command that says hello"]).answers(one_tool(
            kind,
            "bash",
            json!({"command": "echo hello; echo there >&2"}),
            "It said hello.",
        )),
        says(name("refused"), ["Hello?", "Hello again"])
            .answers([Answer::status(400, "the prompt is too strange")].into_iter().chain(reply(kind, "Hello."))),
        says(name("secret"), ["Tell me"]).answers(reply_as(kind, Answer::text(secret).in_pieces_of(2))),
        talk(
            name("cancelled"),
            [begin("Count"), Step::Written("one two "), cancel, Step::Ended, say("Are you there?")],
        )
        .answers(held().into_iter().chain(reply(kind, "Here again."))),
        talk(
            name("interrupted"),
            [begin("Count"), Step::Written("one two "), Step::Send(message("interrupt")), Step::Ended],
        )
        .answers(held().into_iter().chain(reply(kind, "42"))),
        talk(
            name("queued"),
            [
                begin("Count"),
                Step::Written("one two "),
                Step::Send(message("queue")),
                Step::Until("user-message"),
                Step::Release,
                Step::Ended,
            ],
        )
        .answers(held().into_iter().chain(reply(kind, "42"))),
        talk(
            name("seen-from-its-middle"),
            [
                begin("Count"),
                Step::Written("one two "),
                Step::Attach("?session={session}&after=0".to_owned()),
                Step::Written("one two "),
                Step::Release,
                Step::Ended,
            ],
        )
        .answers(held()),
        says(name("tried"), ["What is in my notes file here?", "/try file_read", "/model", "/debug"]).answers(
            one_tool(kind, "list_directory", read("."), "A folder.").into_iter().chain(match kind {
                "native" => one_tool(kind, "file_read", read("notes.txt"), "Three lines."),
                _ => vec![selects("file_read", read("notes.txt"), None), completes("Three lines.")],
            }),
        ),
        says(name("new-conversation"), ["What is 2+2?", "/new", "What did I ask?"])
            .answers(reply(kind, "4").into_iter().chain(reply(kind, "Nothing yet."))),
    ]
}

fn native() -> Vec<Conversation> {
    let read = |path: &str| ("file_read", json!({"path": path}));
    let sum = || ("calculator", json!({"expression": "6 * 7"}));
    let write = ("file_write", json!({"path": "new.txt", "content": "plums"}));
    let again = || Answer::calls([sum()]);
    let missing = || Answer::calls([read("missing.txt")]);
    let steer = json!({"type": "send-message", "messageId": "joins", "mode": "steer", "text": "And what is 6 * 7?"});
    let reader = Answer::calls([("reader", json!({"message": "What is in a.txt?"}))]);
    // Its id is another than that of the call it is made in.
    let function = json!({"name": "file_read", "arguments": json!({"path": "a.txt"}).to_string()});
    let inner = json!({"id": "inner", "type": "function", "function": function});
    vec![
        says("native-two-rounds", ["Read a.txt and write plums to new.txt", "/undo"]).answers([
            Answer::calls([read("a.txt")]).saying("I shall read it first."),
            Answer::calls([write]).saying("Now I write."),
            Answer::text("It is written."),
        ]),
        says("native-side-by-side", ["Read a.txt, list the files and calculate 6 * 7"])
            .answers([
                Answer::calls([read("a.txt"), sum(), ("list_directory", json!({"path": "."}))]),
                Answer::text("All is done."),
            ])
            .without_questions(),
        says("native-same-call-again", ["Calculate 6 * 7"]).answers([again(), again(), Answer::text("It is 42.")]),
        says("native-same-failure-again", ["Read missing.txt"]).answers([missing(), missing(), missing()]),
        says("native-finds-tools", ["Do something unusual"]).answers([
            Answer::calls([("find_tools", json!({"query": "calculate a sum"}))]),
            again(),
            Answer::text("It is 42."),
        ]),
        says("native-bad-arguments", ["Calculate 6 * 7"]).answers([
            Answer::call_with("calculator", "{\"expression\": "),
            again(),
            Answer::text("It is 42."),
        ]),
        says("native-asks-a-specialist", ["Ask the reader what is in a.txt"]).answers([
            reader,
            Answer::raw_calls([inner]),
            Answer::text("It has one line."),
            Answer::text("The reader says: one line."),
        ]),
        says("native-uses-a-variable", ["Calculate 6 * 7 and call it answer", "Add one to it"]).answers([
            again(),
            Answer::text("It is 42."),
            Answer::calls([("calculator", json!({"expression": "x + 1", "variables": {"x": "@calculator_result"}}))]),
            Answer::text("It is 43."),
        ]),
        says("native-empty-reply", ["Say nothing"]).answers([Answer::text(""), Answer::text("")]),
        says("native-cut-at-the-limit", ["Say much"]).answers([Answer::text("and so on and").finish("length")]),
        talk(
            "native-steered",
            [
                begin("Count"),
                Step::Written("One. "),
                Step::Send(steer),
                Step::Until("user-message"),
                Step::Release,
                Step::Ended,
            ],
        )
        .answers([Answer::text("One. ").hold_after(2), Answer::text("One, and 42.")]),
        talk(
            "native-asks-the-user",
            [
                begin("Deploy it"),
                Step::Until("user-query"),
                Step::Send(json!({"type": "answer-query", "queryId": "{query}", "answer": "staging"})),
                Step::Ended,
            ],
        )
        .answers([
            Answer::calls([("ask_user", json!({"question": "Where?", "choices": ["staging", "production"]}))]),
            Answer::text("Deployed to staging."),
        ]),
    ]
}

fn staged() -> Vec<Conversation> {
    let read = |path: &str| json!({"path": path});
    vec![
        says("staged-two-rounds", ["Read a.txt and write plums to new.txt", "/undo"]).answers([
            needs_tools(),
            selects("file_read", read("a.txt"), Some("text")),
            goes_on("Write the file"),
            selects("file_write", json!({"path": "new.txt", "content": "plums"}), None),
            completes("It is written."),
        ]),
        says("staged-uses-a-variable", ["Calculate 6 * 7 and call it answer", "What is the answer?"]).answers(
            [needs_tools(), selects("calculator", json!({"expression": "6 * 7"}), Some("answer")), completes("42")]
                .into_iter()
                .chain([needs_none(), Answer::text("It is 42.")]),
        ),
        says("staged-no-tool-fits", ["Order me a pizza"]).answers([
            needs_tools(),
            Answer::json(
                &json!({"reasoning": "None fits.", "selectedTool": null, "parameters": {}, "outputVariable": null}),
            ),
            Answer::text("I cannot order pizza."),
            Answer::text("I cannot order pizza."),
        ]),
        says("staged-no-json", ["What is 2+2?"]).answers([
            Answer::text("I think so."),
            Answer::text("No tool."),
            Answer::text("Really not."),
            Answer::text("4"),
        ]),
    ]
}

fn approvals(kind: &'static str) -> Vec<Conversation> {
    let write = |said: &str| one_tool(kind, "file_write", json!({"path": "new.txt", "content": "plums"}), said);
    let decided =
        |what: &str, answer: Value| talk(format!("{kind}-approval-{what}"), decided("Write plums to new.txt", answer));
    vec![
        decided("allowed", json!({"decision": "allow-once"})).answers(write("It is written.")),
        decided("denied", json!({"decision": "deny", "reason": "not plums"})).answers(write("It was not allowed.")),
    ]
}

fn with_mcp() -> Conversation {
    says("native-with-mcp", ["What is the weather in Tokyo? Mail it to Ada."]).answers([
        Answer::calls([("test__weather_api", json!({"location": "Tokyo"}))]),
        Answer::calls([("test__email_send", json!({"message": "Sunny in Tokyo"}))]),
        Answer::text("The mail is sent."),
    ])
}

#[tokio::test]
async fn turns_of_a_native_model_go_as_recorded() {
    play(played().into_iter().filter(|(stage, _)| stage.reasoner == Some("native")).collect()).await;
}

#[tokio::test]
async fn turns_of_a_staged_model_go_as_recorded() {
    play(played().into_iter().filter(|(stage, _)| stage.reasoner == Some("staged")).collect()).await;
}
