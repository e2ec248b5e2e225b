//! Turns that a kill of the server cut off go on after the restart: no tool runs twice, and the model is asked again only
//! for what it had not said yet.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer};

use super::{KINDS, options, server};

fn runs(command: &str) -> Answer {
    Answer::calls([("bash", json!({"command": command}))])
}

/// Kills the server, starts it again, and comes back with what was missed. From then on there is a file `go`.
async fn back_after_a_kill(server: &mut TestServer, client: TestClient) -> TestClient {
    let (session, seen) = (client.session(), client.last_seq());
    drop(client);
    server.kill().await;
    server.file("go", "");
    server.start_again().await;
    server.connect_to(session, seen).await
}

#[tokio::test]
async fn a_turn_goes_on_after_what_it_did_and_does_nothing_twice() {
    // A reply that would be taken for an empty claim if nothing had been done.
    let reply = "I ran the command with bash: it ran once.";
    let answers = [runs("echo ran >> trace"), Answer::silent(), Answer::text(reply)];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Run the command").await;
    llm.asked(2).await;
    client.until_type("tool-call-end").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("it ran once");

    assert_eq!(server.content("trace"), "ran\n");
    assert_eq!(llm.count(), 3, "one question more: the reply to the second had not come");
    assert_eq!(ended.end["toolsUsed"], json!(["bash"]));
    assert_eq!(ended.end["operationCount"], 1);
    let said = llm.asked(3).await.messages().last().expect("the result").to_string();
    assert!(said.contains("tool_call_id"), "the model sees what its call gave: {said}");
}

/// Of the calls of one reply, those that had not begun are made after the restart: nobody but that reply knows of them.
#[tokio::test]
async fn calls_of_a_reply_that_had_not_begun_are_made_after_the_restart() {
    let command = "echo begun >> trace; echo begun; test -e go || sleep 50";
    for (word, lines) in [("done", 1), ("retry", 2)] {
        let calls = Answer::calls([
            ("bash", json!({"command": command})),
            ("find_tools", json!({"query": "calculate"})),
            ("file_write", json!({"path": "b", "content": "b"})),
            ("file_write", json!({"path": "c", "content": "c"})),
        ]);
        let llm = ScriptedLlm::of([calls, Answer::text("That is all.")]).await;
        let mut server = server(&llm, "native").await;
        let mut client = server.connect().await;
        let turn = client.post("Run it, and write both").await;
        client.until_type("tool-output-chunk").await;

        let mut back = back_after_a_kill(&mut server, client).await;
        let asked = back.ready["pending"][0].clone();
        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": word})).await;
        let ended = back.end_of(&turn).await.answered().says("That is all.");

        assert_eq!((server.content("b").as_str(), server.content("c").as_str()), ("b", "c"), "{word}");
        assert_eq!(server.content("trace").lines().count(), lines, "{word}");
        assert_eq!(ended.end["toolsUsed"], json!(["bash", "file_write"]), "{word}");
        assert_eq!(llm.count(), 2, "{word}: the model is not asked again for its calls");
        let second = llm.asked(2).await;
        let messages = second.messages();
        let said: Vec<&Value> = messages.iter().filter(|message| message["role"] == "assistant").collect();
        assert_eq!(said.len(), 1, "{word}: they are one reply: {said:#?}");
        let results = messages.iter().filter(|message| message["role"] == "tool").count();
        assert_eq!((said[0]["tool_calls"].as_array().map(Vec::len), results), (Some(4), 4), "{word}");
    }
}

/// A server that is stopped while a model is asked is no worse than one that is killed.
#[tokio::test]
async fn d09_a_turn_longer_than_the_time_to_drain_goes_on_after_the_next_start() {
    let answers = [runs("echo ran >> trace"), Answer::silent(), Answer::text("It ran once.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut options = options(&llm, "native");
    options.arguments.extend(["--drain-seconds", "0"].map(str::to_owned));
    let mut server = TestServer::start_with(options).await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    llm.asked(2).await;
    client.until_type("tool-call-end").await;
    server.signal(Signal::TERM);
    client.closed().await;
    server.ended().await;
    server.start_again().await;

    let mut back = server.connect_to(client.session(), client.last_seq()).await;
    back.end_of(&turn).await.answered().says("It ran once.");

    assert_eq!((server.content("trace").as_str(), llm.count()), ("ran\n", 3));
}

#[tokio::test]
async fn n20_messages_that_joined_a_turn_that_was_cut_off_are_answered_by_it() {
    let first = runs("until [ -e joined ]; do sleep 0.02; done");
    let answers = [first, Answer::silent(), runs("echo two"), Answer::text("Both are done.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Say one").await;
    client.until_type("tool-call-start").await;
    for (id, text) in [("joined", "And say two"), ("late", "And say three")] {
        let steered = json!({"type": "send-message", "text": text, "messageId": id, "mode": "steer"});
        client.send(steered).await;
        client.until("its acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == id).await;
        if id == "joined" {
            server.file("joined", "");
            llm.asked(2).await;
        }
    }
    let joined = llm.asked(2).await.messages().iter().map(Value::to_string).collect::<String>();
    assert!(joined.contains("And say two") && !joined.contains("And say three"), "{joined}");

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("Both are done.");

    assert_eq!(ended.end["messageIds"], json!([turn, "joined", "late"]));
    assert_eq!(ended.tools(), ["bash"], "the first command is not run again");
    let said = llm.asked(3).await.messages().iter().map(Value::to_string).collect::<String>();
    assert_eq!((said.matches("And say two").count(), said.matches("And say three").count()), (1, 1), "{said}");
}

#[tokio::test]
async fn f03_a_turn_that_had_done_nothing_begins_anew() {
    let staged = [
        json!({"reasoning": "", "needsTools": false, "answer": "Good day."}),
        json!({"reasoning": "", "complete": true, "userResponse": "Good day.", "nextAction": null}),
    ];
    for kind in KINDS {
        let answers = match kind {
            "native" => vec![Answer::silent(), Answer::text("Good day.")],
            _ => [Answer::silent()].into_iter().chain(staged.iter().map(Answer::json)).collect(),
        };
        let llm = ScriptedLlm::of(answers).await;
        let mut server = server(&llm, kind).await;
        let mut client = server.connect().await;
        let turn = client.post("Greet me").await;
        llm.asked(1).await;
        client.until_type("agent-thinking").await;

        let mut back = back_after_a_kill(&mut server, client).await;
        back.end_of(&turn).await.answered().says("Good day.");

        let asked = llm.asked(2).await.messages().iter().map(Value::to_string).collect::<String>();
        assert_eq!(asked.matches("Greet me").count(), 1, "{kind}: the message is in the conversation once: {asked}");
    }
}

/// What only reads is read again, under its id.
#[tokio::test]
async fn f06_a_read_that_was_cut_off_is_made_again() {
    let llm = ScriptedLlm::of([Answer::calls([("measure", json!({}))]), Answer::text("It is 7.")]).await;
    let mut server = TestServer::prepare(options(&llm, "native"));
    let tool = json!({
        "name": "measure", "description": "Measures",
        "command": ["sh", "-c", "echo begun; test -e go || sleep 50; echo 7"], "risk": "read",
    });
    let folder = server.settings().parent().expect("a folder").join("tools");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("measure.json"), tool.to_string()).expect("a file");
    server.start_again().await;
    let mut client = server.connect().await;
    let turn = client.post("Measure it").await;
    let started = client.until_type("tool-call-start").await;
    client.until_type("tool-output-chunk").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("It is 7.");

    let again = ended.all("tool-call-start");
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["callId"], started["callId"]);
    assert_eq!(llm.count(), 2, "the model is not asked again for the call");
}

#[tokio::test]
async fn f05_after_the_users_word_about_a_call_its_turn_goes_on() {
    let command = "echo begun >> trace; echo begun; test -e go || sleep 50";
    for (word, lines) in [("done", 1), ("not-done", 1), ("unknown", 1), ("retry", 2)] {
        let llm = ScriptedLlm::of([runs(command), Answer::text("That is all.")]).await;
        let mut server = server(&llm, "native").await;
        let mut client = server.connect().await;
        let turn = client.post("Run it").await;
        client.until_type("tool-output-chunk").await;

        let mut back = back_after_a_kill(&mut server, client).await;
        let asked = back.ready["pending"][0].clone();
        assert_eq!(asked["kind"], "outcome", "the question is there at once: {:#}", back.ready);
        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": word})).await;
        let ended = back.end_of(&turn).await.says("That is all.");

        assert_eq!(ended.end["complete"], ["done", "retry"].contains(&word), "{word}");
        assert_eq!(server.content("trace").lines().count(), lines, "{word}");
        assert_eq!(llm.count(), 2, "{word}");
        let seen = llm.asked(2).await.messages().last().expect("what came of the call").clone();
        assert_eq!(seen["role"], "tool", "{word}: {seen:#}");
    }
}

#[tokio::test]
async fn a_command_that_runs_again_at_the_users_word_is_not_asked_about_once_more() {
    let command = "echo begun >> trace; echo begun; test -e go || sleep 50";
    let llm = ScriptedLlm::of([runs(command), Answer::text("That is all.")]).await;
    let asking = ServerOptions::with(&["--approve", "ask"]).model(&llm.base_url(), "native");
    let mut server = TestServer::start_with(asking).await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    let asked = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once"})).await;
    client.until_type("tool-output-chunk").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    let asked = back.ready["pending"][0].clone();
    back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "retry"})).await;
    let ended = back.end_of(&turn).await.answered().says("That is all.");

    assert!(ended.all("approval-request").is_empty());
    assert_eq!(server.content("trace"), "begun\nbegun\n");
}

/// A file is written again only if it is still what it was when the call began.
#[tokio::test]
async fn a_write_that_runs_again_at_the_users_word_keeps_what_was_written_meanwhile() {
    for (meanwhile, content) in [(None, "new\n"), (Some("the user's own\n"), "the user's own\n")] {
        let reads = Answer::calls([("file_read", json!({"path": "notes.txt"}))]);
        let edits = [("file_edit", json!({"path": "notes.txt", "old_string": "old", "new_string": "new"}))];
        let llm = ScriptedLlm::of([reads, Answer::calls(edits), Answer::text("That is all.")]).await;
        let options = ServerOptions { killed_at_rename: true, ..options(&llm, "native") };
        let mut server = TestServer::prepare(options);
        server.file("notes.txt", "old\n");
        server.start_again().await;
        let mut client = server.connect().await;
        let turn = client.post("Make it new").await;
        // The server may be gone before the frame of the edit is sent.
        client.closed().await;
        server.ended().await;
        server.set_killed_at_rename(false);
        meanwhile.into_iter().for_each(|text| server.file("notes.txt", text));
        server.start_again().await;

        let mut back = server.connect_to(client.session(), client.last_seq()).await;
        let asked = back.ready["pending"][0].clone();
        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "retry"})).await;
        back.end_of(&turn).await.says("That is all.");

        assert_eq!(server.content("notes.txt"), content, "{meanwhile:?}");
    }
}

#[tokio::test]
async fn who_cancels_at_the_question_ends_the_turn() {
    let llm = ScriptedLlm::of([runs("echo begun; sleep 50")]).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    client.until_type("tool-output-chunk").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    back.send(json!({"type": "cancel"})).await;
    back.end_of(&turn).await.failed("interrupted").says("unknown");

    assert_eq!(llm.count(), 1);
}

/// A model that reads a file, runs a command that leaves a line in `trace`, calculates, and says that it is done.
async fn three_steps() -> ScriptedLlm {
    ScriptedLlm::start(|asked| {
        let messages = asked.messages();
        let last = messages.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
        let name =
            messages[last]["content"].as_str().and_then(|text| text.split_whitespace().nth(1)).unwrap_or_default();
        let results = messages[last..].iter().filter(|message| message["role"] == "tool").count();
        let answer = match results {
            0 => Answer::calls([("file_read", json!({"path": "notes.txt"}))]),
            1 => runs(&format!("echo {name} >> trace")),
            2 => Answer::calls([("calculator", json!({"expression": "6 * 7"}))]),
            _ => Answer::text(format!("Finished {name}.")),
        };
        answer.delay(Duration::from_millis(20))
    })
    .await
}

/// Kills a server somewhere in a turn, again and again: each goes on by itself unless its command is in doubt, and no command
/// runs twice.
async fn kills_in_turns(kills: usize) {
    let llm = three_steps().await;
    let mut server = server(&llm, "native").await;
    server.file("notes.txt", "Notes.\n");
    let mut client = server.connect().await;
    let (mut doubts, mut late) = (0, 0);
    for round in 0..kills {
        let name = format!("t{round}");
        let turn = client.post(&format!("Do {name}")).await;
        client.until_type("agent-thinking").await;
        tokio::time::sleep(Duration::from_millis(fastrand::u64(..200))).await;
        client = back_after_a_kill(&mut server, client).await;

        let (began, in_doubt) = (Instant::now(), doubts);
        let ran = || lines(&server, &name);
        let asked = client.ready["pending"][0].clone();
        if asked["kind"] == "outcome" {
            doubts += 1;
            let word = if ran() == 1 { "done" } else { "retry" };
            client.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": word})).await;
        }
        client.end_of(&turn).await.answered().says(&format!("Finished {name}."));

        late += usize::from(in_doubt == doubts && began.elapsed() > Duration::from_secs(5));
        assert_eq!(ran(), 1, "kill {round}");
    }
    // A timing decides no test of the plain run.
    assert!(kills < 100 || late * 20 <= kills - doubts, "{late} of {} took longer than 5 s", kills - doubts);
    println!("{kills} kills in turns: all finished, {doubts} after a question, {late} later than 5 s after the start");
}

fn lines(server: &TestServer, text: &str) -> usize {
    let trace = fs::read_to_string(server.workspace().join("trace")).unwrap_or_default();
    trace.lines().filter(|line| *line == text).count()
}

#[tokio::test]
async fn turns_killed_at_random_finish_by_themselves() {
    kills_in_turns(10).await;
}

#[tokio::test]
#[ignore = "runs for minutes: tests/run soak"]
async fn two_hundred_turns_killed_at_random_finish_by_themselves() {
    kills_in_turns(200).await;
}
