//! What a model can ask for that cannot or must not be done, over the socket.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestServer, Turn};

use crate::models::{completes, needs_tools, options, selects, server};

/// The turn failed with this code and says what to do.
#[track_caller]
fn failed(turn: Turn, code: &str, retryable: bool) -> Turn {
    let turn = turn.failed(code);
    assert_eq!(turn.end["retryable"], retryable, "{:#}", turn.end);
    assert!(turn.end["suggestions"][0].is_string(), "{:#}", turn.end);
    turn
}

#[tokio::test]
async fn e11_a_call_that_was_cut_off_is_not_made() {
    for events in [2, 3] {
        let write = Answer::calls([("file_write", json!({"path": "x.txt", "content": "half"}))]);
        let llm = ScriptedLlm::start(move |_| write.clone().cut_after(events)).await;
        let server = server(&llm, "native").await;
        let mut client = server.connect().await;

        let turn = failed(client.ask("Write half to the file x.txt").await, "provider-broken-off", true);

        assert!(turn.all("tool-call-start").is_empty());
        assert!(!server.workspace().join("x.txt").exists());
    }
}

#[tokio::test]
async fn e12_wrong_arguments_are_told_to_the_model_and_never_run() {
    let wrong = ["{\"path\": ", "[1, 2]", "{\"path\": 7}", "{\"nothing\": true}"];
    for wrong in wrong {
        let wrong_answer = Answer::call_with("file_read", wrong);
        let llm = ScriptedLlm::start(move |_| wrong_answer.clone()).await;
        let server = server(&llm, "native").await;
        let mut client = server.connect().await;

        let turn = failed(client.ask("Read the file a.txt").await, "invalid-arguments", true);

        assert!(turn.all("tool-call-start").is_empty(), "{wrong}");
        assert_eq!(llm.count(), 4, "{wrong}: three corrections");
        assert!(llm.all()[1].last_text().starts_with("Error: "), "{wrong}: {}", llm.all()[1].last_text());
    }
    let wrong = selects("file_read", json!({"path": 7}), None);
    let plain = Answer::text("I cannot read it.");
    let llm = ScriptedLlm::of([needs_tools(), wrong.clone(), wrong.clone(), wrong, plain]).await;
    let server = server(&llm, "staged").await;
    let turn = server.connect().await.ask("Read the file a.txt").await;
    assert_eq!((turn.text(), turn.end["complete"].as_bool()), ("I cannot read it.", Some(false)));
    assert!(turn.all("tool-call-start").is_empty());
    assert!(llm.all()[2].last_text().contains("/parameters"), "{}", llm.all()[2].last_text());
}

#[tokio::test]
async fn e13_tools_that_are_not_there_are_answered_with_those_that_are() {
    let llm = ScriptedLlm::start(|_| Answer::calls([("file_raed", json!({"path": "a.txt"}))])).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;

    let turn = failed(client.ask("Read the file a.txt").await, "unknown-tool", true);

    assert_eq!(llm.count(), 3);
    assert!(llm.all()[1].last_text().contains("Did you mean file_read"), "{}", llm.all()[1].last_text());
    assert!(turn.all("tool-call-start").is_empty());
}

#[tokio::test]
async fn e13_a_tool_that_is_switched_off_is_not_offered_and_says_so() {
    let reader = Answer::calls([("reader", json!({"message": "What is here?"}))]);
    let llm = ScriptedLlm::of([reader, Answer::text("I cannot ask it.")]).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;
    client.command("/agents off reader").await;

    let turn = client.ask("Ask the reader what is here").await;

    assert_eq!(turn.text(), "I cannot ask it.");
    assert!(turn.all("tool-call-start").is_empty());
    let asked = llm.all();
    assert!(!asked[0].tools().contains(&"reader"), "{:?}", asked[0].tools());
    assert!(asked[1].last_text().contains("the tool is currently disabled"), "{}", asked[1].last_text());
}

#[tokio::test]
async fn e13_a_tool_that_belongs_to_others_is_as_one_that_is_not_there() {
    let llm = ScriptedLlm::start(|asked| {
        let is_specialist = asked.messages()[0]["content"].as_str().is_some_and(|text| text.contains("You add."));
        match (is_specialist, asked.messages().last().is_some_and(|last| last["role"] == "tool")) {
            (true, false) => Answer::calls([("file_write", json!({"path": "a.txt", "content": "no"}))]),
            (true, true) => Answer::text("I cannot write."),
            (false, false) => Answer::calls([("adder", json!({"message": "Write no into a.txt"}))]),
            (false, true) => Answer::text("It cannot."),
        }
    })
    .await;
    let mut server = TestServer::prepare(options(&llm, "native"));
    let adder = json!({"id": "adder", "name": "Adder", "instructions": "You add.", "tools": ["calculator"]});
    crate::agents::agent(&server, &adder);
    server.start_again().await;
    let mut client = server.connect().await;

    let turn = client.ask("Ask the adder to write no into the file a.txt").await.says("It cannot.");

    assert!(!server.workspace().join("a.txt").exists());
    let ran: Vec<_> = turn.all("tool-call-start").iter().map(|start| start["tool"].clone()).collect();
    assert_eq!(ran, ["adder"], "the other's tool does not run");
    let asked = llm.all();
    assert!(!asked[1].tools().contains(&"file_write"), "{:?}", asked[1].tools());
    let told = asked[2].last_text();
    assert!(told.starts_with("Error: ") && told.contains("file_write"), "{told}");
}

#[tokio::test]
async fn e13_a_choice_of_a_tool_that_is_not_there_is_answered_with_those_that_are() {
    let choice = |tool: &str| selects(tool, json!({"file_paths": ["a.txt"]}), None);
    for invented in ["file_raed", "send_rocket", "bash; rm -rf ."] {
        let answers = [needs_tools(), choice(invented), choice("file_read"), completes("hello")];
        let llm = ScriptedLlm::of(answers).await;
        let server = server(&llm, "staged").await;
        server.file("a.txt", "hello");

        let turn = server.connect().await.ask("Read the file a.txt").await.answered().says("hello");

        assert_eq!((turn.tools(), turn.all("tool-call-start").len()), (vec!["file_read"], 1));
        let told = llm.all()[2].last_text().to_owned();
        assert!(told.contains(invented) && told.contains("the tools are") && told.contains("file_read"), "{told}");
    }
    let llm = ScriptedLlm::start(move |asked| match asked.schema() {
        Some("need") => needs_tools(),
        Some(_) => choice("send_rocket"),
        None => Answer::text("There is no such tool."),
    })
    .await;
    let server = server(&llm, "staged").await;
    let turn = server.connect().await.ask("Read the file a.txt").await;
    assert_eq!((turn.text(), turn.end["complete"].as_bool()), ("There is no such tool.", Some(false)));
    assert_eq!((turn.all("tool-call-start").len(), llm.count()), (0, 5), "two corrections, then a plain reply");
}

#[tokio::test]
async fn e14_ids_are_kept_made_and_told_apart_and_too_many_calls_are_not_made() {
    let call = |id: Value, n: u32| {
        let function =
            json!({"name": "calculator", "arguments": json!({"expression": format!("{n} + 1")}).to_string()});
        json!({"id": id, "type": "function", "function": function})
    };
    let twice = [call(json!("same"), 1), call(json!("same"), 1)];
    let missing = [call(Value::Null, 2), call(json!(""), 3)];
    let many: Vec<Value> = (0..500).map(|n| call(json!(format!("c{n}")), n + 10)).collect();
    let answers =
        [Answer::raw_calls(twice), Answer::raw_calls(missing), Answer::raw_calls(many), Answer::text("That is all.")];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;

    let turn = client.ask("Calculate a lot").await.answered();

    assert_eq!(turn.end["operationCount"], 1 + 2 + 16);
    let last = llm.all().pop().expect("a request");
    let calls = last.messages().iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let called: Vec<&Value> = calls.map(|call| &call["id"]).collect();
    let answers = last.messages().iter().filter(|message| message["role"] == "tool");
    let answered: Vec<&Value> = answers.map(|message| &message["tool_call_id"]).collect();
    assert_eq!(called, answered, "what of it is in the window is whole");
    assert_eq!(llm.all()[1].messages().last().map(|answer| &answer["tool_call_id"]), Some(&json!("same")));
    assert!(last.messages().iter().any(|message| message.to_string().contains("too_many_calls")));
}

#[tokio::test]
async fn e15_the_same_call_again_and_again_ends_the_turn() {
    let llm = ScriptedLlm::start(|_| Answer::calls([("calculator", json!({"expression": "6 * 7"}))])).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;

    let turn = failed(client.ask("Calculate 6 * 7").await, "loop-detected", true).says("kept repeating");

    assert_eq!(turn.all("tool-call-start").len(), 1, "it ran once");
    assert!(llm.count() < 6, "{}", llm.count());
}

#[tokio::test]
async fn e15_e16_rounds_have_an_end() {
    let native =
        ScriptedLlm::start(|asked| Answer::calls([("calculator", json!({"expression": format!("{}", asked.number)}))]));
    let staged = ScriptedLlm::start(|asked| match asked.schema() {
        Some("need") => needs_tools(),
        Some("selection") => selects("calculator", json!({"expression": format!("{} + 1", asked.number)}), None),
        _ => crate::models::goes_on("calculate an expression once more"),
    });
    for (kind, llm) in [("native", native.await), ("staged", staged.await)] {
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;

        let turn = failed(client.ask("Calculate an expression").await, "max-iterations", false);

        assert_eq!(turn.all("tool-call-start").len(), 10, "{kind}");
        assert!(turn.text().contains("Done so far: "), "{}", turn.text());
    }
}

#[tokio::test]
async fn e19_a_decision_in_any_dress_is_read_and_at_last_the_model_just_answers() {
    let need = json!({"reasoning": "Talk.", "needsTools": false}).to_string();
    let dresses = [
        format!("```json\n{need}\n```"),
        format!("Here is my decision:\n{need}\nI hope it helps."),
        format!("{{{need}}}"),
        need.replace('}', ",}"),
    ];
    for dress in dresses {
        let llm = ScriptedLlm::of([Answer::text(dress.clone()), Answer::text("Fine.")]).await;
        let server = server(&llm, "staged").await;
        let turn = server.connect().await.ask("How are you?").await.answered();
        assert_eq!((turn.text(), llm.count()), ("Fine.", 2), "{dress}");
    }
    let nonsense = || Answer::text("I would rather talk.");
    let llm = ScriptedLlm::of([nonsense(), nonsense(), nonsense(), Answer::text("Fine.")]).await;
    let server = server(&llm, "staged").await;
    server.connect().await.ask("How are you?").await.answered().says("Fine.");
    assert_eq!(llm.count(), 4, "two repairs, then a plain reply");
}
