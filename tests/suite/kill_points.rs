//! The server is killed before and after each event of a turn, with each reasoner: the turn goes on from there to the same reply,
//! no model is asked again for what it said, unless the kill came before that was in the log, and what changes something
//! happens once.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestClient, TestServer, Turn, request};
use uuid::Uuid;

use crate::agents::agent;

/// How many servers are killed side by side.
const SIDE_BY_SIDE: usize = 3;

/// A word of the question about a change, and whether it has happened.
type Change = (&'static str, fn(&Path) -> bool);

/// A request, and the calls that a model makes for it.
#[derive(Clone, Copy)]
struct Script {
    request: &'static str,
    calls: fn() -> Vec<(&'static str, Value)>,
    /// Whether a specialist makes them, which the one call of the turn itself is.
    inside: bool,
    /// What the user may be asked about.
    changes: &'static [Change],
}

/// A step that reads, one that nobody can do twice unseen, and one that makes a file.
const STEPS: Script = Script {
    request: "Read notes.txt, then run `echo ran >> trace`, then create the file out.txt with the text \"done\"",
    calls: || {
        vec![
            ("file_read", json!({"file_paths": ["notes.txt"]})),
            ("bash", json!({"command": "echo ran >> trace"})),
            ("file_write", json!({"path": "out.txt", "content": "done"})),
        ]
    },
    inside: false,
    changes: &[
        ("trace", |folder| folder.join("trace").exists()),
        ("out.txt", |folder| folder.join("out.txt").exists()),
    ],
};

/// A value that is too large to be written twice, an edit in other words than the tool's own, and a command that fails.
const FAILS: Script = Script {
    request: "Replace \"line 7 \" with \"line seven \" in long.txt, then run `echo ran >> trace; exit 3`",
    calls: || {
        vec![
            ("file_read", json!({"path": "long.txt"})),
            ("file_edit", json!({"file_path": "long.txt", "old_string": "line 7 ", "new_string": "line seven "})),
            ("bash", json!({"command": "echo ran >> trace; exit 3"})),
        ]
    },
    inside: false,
    changes: &[
        ("trace", |folder| folder.join("trace").exists()),
        ("long.txt", |folder| fs::read_to_string(folder.join("long.txt")).is_ok_and(|text| text.contains("seven"))),
    ],
};

/// The same steps, made by a specialist.
const INSIDE: Script = Script {
    request: "use fixer {\"message\": \"Read notes.txt, then run `echo ran >> trace`, then create the file out.txt with the text \\\"done\\\"\"}",
    inside: true,
    ..STEPS
};

/// A turn and what came of it.
struct Ended {
    turn: Turn,
    /// How many questions the model was asked.
    questions: usize,
    /// How many of its answers are in the log.
    answers: usize,
    /// Whether the user was asked what became of a call.
    asked: bool,
    /// The workspace's files.
    files: Vec<(String, String)>,
}

#[tokio::test]
async fn f01_f02_f04_f07_a_turn_by_rules_goes_on_from_each_of_its_points() {
    goes_on_from_each_point("rules", STEPS, 1).await;
    goes_on_from_each_point("rules", FAILS, 1).await;
}

#[tokio::test]
async fn f01_f02_f04_f07_a_turn_in_stages_goes_on_from_each_of_its_points() {
    goes_on_from_each_point("staged", STEPS, 1).await;
    goes_on_from_each_point("staged", FAILS, 1).await;
}

#[tokio::test]
async fn f01_f02_f04_f07_a_turn_of_a_model_that_calls_tools_goes_on_from_each_of_its_points() {
    goes_on_from_each_point("native", STEPS, 1).await;
    goes_on_from_each_point("native", FAILS, 1).await;
}

#[tokio::test]
async fn a_specialist_goes_on_from_each_of_its_points() {
    for reasoner in ["rules", "staged", "native"] {
        goes_on_from_each_point(reasoner, INSIDE, 3).await;
    }
}

#[tokio::test]
#[ignore = "runs for minutes: tests/run soak"]
async fn a_specialist_killed_at_random_points_goes_on_from_each() {
    for reasoner in ["rules", "staged", "native"] {
        goes_on_from_each_point(reasoner, INSIDE, 1).await;
    }
}

/// Kills the turn at each `step`th point.
async fn goes_on_from_each_point(reasoner: &str, script: Script, step: usize) {
    let whole = killed_at(reasoner, script, None).await;
    if !script.inside {
        assert_eq!(whole.questions, whole.answers, "{reasoner}: {:#?}", whole.turn.frames);
    }
    let end = whole.turn.end["seq"].as_u64().expect("the end is in the log");
    let points = (1..=end).flat_map(|seq| [format!("before {seq}"), format!("after {seq}")]).step_by(step);
    let runs = points.map(|point| async { (killed_at(reasoner, script, Some(&point)).await, point) });
    let runs: Vec<(Ended, String)> = stream::iter(runs).buffer_unordered(SIDE_BY_SIDE).collect().await;
    for (ended, point) in &runs {
        assert_eq!(ended.files, whole.files, "{reasoner}, {point}: {:#}", ended.turn.end);
        // What became of a call is then the user's word, and not what the tool gave.
        if !ended.asked {
            let told =
                |turn: &Turn| ["type", "text", "code", "complete", "toolsUsed"].map(|field| turn.end[field].clone());
            assert_eq!(told(&ended.turn), told(&whole.turn), "{reasoner}, {point}");
            if !script.inside {
                assert_eq!(
                    ended.answers, whole.answers,
                    "{reasoner}, {point}: no answer that is in the log is asked for again"
                );
            }
        }
        // What specialists are told is in the log, but in no frame.
        let answers = if script.inside { whole.questions } else { ended.answers };
        let lost = ended.questions.saturating_sub(answers);
        assert!(lost <= 1, "{reasoner}, {point}: {lost} questions whose answers were lost");
    }
    let asked = runs.iter().filter(|(ended, _)| ended.asked).count();
    println!("{reasoner}: {} points, {asked} of them with a question to the user", runs.len());
}

/// Runs the turn on a server that is killed at this point, and on the next one.
async fn killed_at(reasoner: &str, script: Script, point: Option<&str>) -> Ended {
    let llm = ScriptedLlm::start(move |asked| {
        let of_specialist = asked.messages()[0].to_string().contains("Fix what you are told.");
        match script.inside && !of_specialist {
            true => decided(asked, &[("fixer", json!({"message": "Do all three"}))]),
            false => decided(asked, &(script.calls)()),
        }
    })
    .await;
    let options = match reasoner {
        "rules" => ServerOptions::auto(),
        model => ServerOptions::auto().model(&llm.base_url(), model),
    };
    let mut server = TestServer::prepare(options);
    server.file("notes.txt", "Notes.\n");
    server.file("long.txt", &(1..100).map(|line| format!("This is line {line} of many.\n")).collect::<String>());
    if script.inside {
        let tools = json!(["file_read", "bash", "file_write"]);
        let fixer = json!({"id": "fixer", "name": "Fixer", "instructions": "Fix what you are told.", "tools": tools});
        agent(&server, &fixer);
    }
    server.set_killed_at(point.map(str::to_owned));
    server.start_again().await;
    let mut client = server.connect().await;
    let session = client.session();
    let message = json!({"type": "send-message", "text": script.request, "messageId": "the request"});
    client.send(message.clone()).await;
    let Some(point) = point else {
        let turn = client.end_of("the request").await;
        let answers = answers(&durable(&server, session).await, reasoner);
        return Ended { turn, questions: llm.count(), answers, asked: false, files: files(&server) };
    };
    client.closed().await;
    server.ended().await;
    server.set_killed_at(None);
    server.start_again().await;

    let mut back = server.connect_to(session, 0).await;
    // It may have come too late to be acknowledged; a second time it changes nothing.
    back.send(message).await;
    let mut asked = false;
    while let Some(question) = next_question(&mut back).await {
        asked = true;
        let (_, happened) =
            script.changes.iter().find(|(word, _)| question.contains(word)).expect("one of the changes");
        answer(&mut back, if happened(&server.workspace()) { "done" } else { "retry" }).await;
    }
    let turn = back.end_of("the request").await;

    let acknowledged = back.frames.iter().find(|frame| frame["type"] == "user-message");
    assert_eq!(acknowledged.map(|frame| &frame["seq"]), Some(&json!(1)), "{reasoner}, {point}");
    let calls: HashSet<&str> =
        turn.all("tool-call-start").iter().filter_map(|frame| frame["callId"].as_str()).collect();
    assert_eq!(
        calls.len(),
        (script.calls)().len() + usize::from(script.inside),
        "{reasoner}, {point}: each call has one id"
    );
    let durable = durable(&server, session).await;
    once_each(&durable, &format!("{reasoner}, {point}"));
    let answers = answers(&durable, reasoner);
    Ended { turn, questions: llm.count(), answers, asked, files: files(&server) }
}

/// The events of the log.
async fn durable(server: &TestServer, session: Uuid) -> Vec<Value> {
    let path = format!("/api/sessions/{session}/events?after=0&limit=500");
    let page = request(server.address(), "GET", &path, &[], b"").await.json();
    page["events"].as_array().cloned().unwrap_or_default()
}

/// How many answers of a model are among them: whether a tool is needed, what comes next, and in stages which tool.
fn answers(durable: &[Value], reasoner: &str) -> usize {
    let is_answer = |frame: &&Value| match frame["step"].as_str() {
        Some("analyzing") => frame["needsTools"].is_boolean(),
        Some("selecting") => reasoner == "staged",
        Some("deciding") => true,
        _ => false,
    };
    if reasoner == "rules" { 0 } else { durable.iter().filter(is_answer).count() }
}

fn files(server: &TestServer) -> Vec<(String, String)> {
    let entries = fs::read_dir(server.workspace()).expect("the workspace").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<_> = names.map(|name| (name.clone(), server.content(&name))).collect();
    files.sort();
    files
}

/// The question about a call that was cut off, if one comes before the turn's end.
async fn next_question(client: &mut TestClient) -> Option<String> {
    let pending = client.ready["pending"].as_array().and_then(|pending| pending.first()).cloned();
    let is_open = |frame: &Value| frame["kind"] == "outcome";
    let answered = client.frames.iter().any(|frame| frame["type"] == "query-resolved");
    let asked = match pending.filter(|asked| is_open(asked) && !answered) {
        Some(asked) => asked,
        None => {
            let ends =
                |frame: &Value| frame["messageIds"].as_array().is_some_and(|ids| ids.contains(&json!("the request")));
            if client.frames.iter().any(ends) {
                return None;
            }
            client.until("a question or the end", |frame| is_open(frame) || ends(frame)).await
        }
    };
    is_open(&asked).then(|| asked["message"].as_str().unwrap_or_default().to_owned())
}

async fn answer(client: &mut TestClient, word: &str) {
    let all = client.ready["pending"].as_array().into_iter().flatten().chain(&client.frames);
    let asked = all.rev().find(|frame| frame["kind"] == "outcome").expect("a question")["queryId"].clone();
    client.send(json!({"type": "answer-query", "queryId": asked, "answer": word})).await;
    client.until("the answer", |frame| frame["type"] == "query-resolved" && frame["queryId"] == asked).await;
}

/// The log has no hole, the message one end, and so has each call.
fn once_each(durable: &[Value], point: &str) {
    let order: Vec<u64> = durable.iter().filter_map(|frame| frame["seq"].as_u64()).collect();
    assert_eq!(order, (1..=order.len() as u64).collect::<Vec<_>>(), "{point}");
    let count = |fits: &dyn Fn(&Value) -> bool| durable.iter().filter(|frame| fits(frame)).count();
    assert_eq!(count(&|frame| frame["type"] == "user-message"), 1, "{point}: the message");
    assert_eq!(count(&|frame| frame["messageIds"].is_array()), 1, "{point}: the ends of the turn");
    for started in durable.iter().filter(|frame| frame["type"] == "tool-call-start") {
        let ends = count(&|frame| frame["type"] == "tool-call-end" && frame["callId"] == started["callId"]);
        assert_eq!(ends, 1, "{point}: the ends of {started:#}");
    }
}

/// A model that makes the calls, one after the other. What it sees tells it how far it is.
fn decided(asked: &Asked, calls: &[(&str, Value)]) -> Answer {
    let staged = |done: usize, has_failed: bool| match asked.schema() {
        Some("need") => json!({"reasoning": "It needs tools.", "needsTools": true}),
        Some("selection") => match calls.get(done).filter(|_| !has_failed) {
            Some((tool, parameters)) => json!({
                "selectedTool": tool, "reasoning": "It fits.", "parameters": parameters, "outputVariable": null,
            }),
            None => json!({"selectedTool": null, "reasoning": "None fits.", "parameters": {}, "outputVariable": null}),
        },
        _ if done < calls.len() => {
            let next = format!("use {}", calls[done].0);
            json!({"reasoning": "There is more to do.", "complete": false, "nextAction": next, "userResponse": ""})
        }
        _ => json!({"reasoning": "", "complete": true, "nextAction": null, "userResponse": "All three are done."}),
    };
    match asked.schema() {
        Some(_) => {
            let text = asked.last_text();
            Answer::json(&staged(text.matches(", success: ").count(), text.contains(", success: false")))
        }
        None => match calls.get(asked.messages().iter().filter(|message| message["role"] == "tool").count()) {
            Some((tool, arguments)) => Answer::calls([(*tool, arguments.clone())]),
            None => Answer::text("All three are done."),
        },
    }
}
