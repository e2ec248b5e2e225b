//! What falls out of the window in short: written by the model where there is one, and by fixed rules where it fails, is
//! stopped, or there is none.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestClient, TestServer, soon};

const NOTES: &str = "- The user collects plums";

fn is_summary(asked: &Asked) -> bool {
    asked
        .messages()
        .first()
        .is_some_and(|first| first["content"].as_str().is_some_and(|text| text.contains("You keep the notes")))
}

/// A model that answers `summary` when it is asked for one.
async fn model(summary: Answer) -> ScriptedLlm {
    ScriptedLlm::start(move |asked| if is_summary(asked) { summary.clone() } else { Answer::text("Understood.") }).await
}

async fn server(llm: &ScriptedLlm, more: &[&str]) -> TestServer {
    let small = ["--approve", "auto", "--context-tokens", "6000", "--llm-retries", "0"];
    TestServer::start_with(ServerOptions::with(&[&small, more].concat()).model(&llm.base_url(), "native")).await
}

/// Talks until this holds.
async fn talk(client: &mut TestClient, round: &mut usize, ends: impl Fn(&TestClient) -> bool) {
    let last = *round + 60;
    while !ends(client) {
        *round += 1;
        assert!(*round < last, "it does not come within 60 turns");
        client
            .ask(&format!("Round {round}: {}", "remember that plums are blue and sweet ".repeat(30)))
            .await
            .answered();
    }
}

fn summaries(client: &TestClient) -> Vec<Value> {
    client.frames.iter().filter(|frame| frame["type"] == "conversation-summary").cloned().collect()
}

async fn summary(client: &mut TestClient) -> Value {
    match summaries(client).pop() {
        Some(summary) => summary,
        None => client.until_type("conversation-summary").await,
    }
}

#[tokio::test]
async fn the_model_writes_the_summary_and_has_it_in_its_window_afterwards() {
    let llm = model(Answer::text(NOTES)).await;
    let server = server(&llm, &["--summarize", "on"]).await;
    let mut client = server.connect().await;
    let mut round = 0;

    talk(&mut client, &mut round, |_| llm.all().iter().any(is_summary)).await;
    let said = summary(&mut client).await;
    client.ask("What do I collect?").await.answered();

    assert_eq!(said["text"], NOTES);
    assert!(said["fromSeq"].as_u64() < said["toSeq"].as_u64() && said["toSeq"].as_u64() < said["seq"].as_u64());
    let asked = llm.all();
    let request = asked.iter().find(|asked| is_summary(asked)).expect("it was asked");
    assert!(request.tools().is_empty() && request.last_text().contains("Round 2:"), "{:?}", request.last_text());
    let after = asked.last().expect("a question");
    let first = after.messages()[1]["content"].as_str().expect("the first request").to_owned();
    assert!(first.starts_with("Round 1:") && first.contains(NOTES), "{first}");
    let shown = after.messages()[1..].iter().filter_map(|message| message["content"].as_str()).collect::<String>();
    assert!(!shown.contains("Round 2:"), "what was summarised is not there a second time: {shown}");

    // The next one takes the place of the first, which the model is shown.
    let before = llm.all().iter().filter(|asked| is_summary(asked)).count();
    talk(&mut client, &mut round, |_| llm.all().iter().filter(|asked| is_summary(asked)).count() > before).await;
    let next = llm.all().into_iter().rfind(is_summary).expect("it was asked");
    assert!(next.last_text().contains(NOTES), "{}", next.last_text());
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_rules_to_write_it() {
    for failing in [Answer::status(500, "out of order"), Answer::text(" "), Answer::text("- half").finish("length")] {
        let llm = model(failing).await;
        let server = server(&llm, &["--summarize", "on"]).await;
        let mut client = server.connect().await;

        talk(&mut client, &mut 0, |_| llm.all().iter().any(is_summary)).await;

        let text = summary(&mut client).await["text"].as_str().map(ToOwned::to_owned).unwrap_or_default();
        assert!(text.contains("- The user: Round 2:") && text.contains("- The answer: Understood."), "{text}");
        client.ask("Go on").await.answered().says("Understood.");
    }
}

#[tokio::test]
async fn cancel_lets_go_of_the_model_and_the_rules_write_it() {
    let llm = model(Answer::text(NOTES).hold_after(0)).await;
    let server = server(&llm, &["--summarize", "on"]).await;
    let mut client = server.connect().await;
    talk(&mut client, &mut 0, |_| llm.all().iter().any(is_summary)).await;
    assert_eq!(summaries(&client), Vec::<Value>::new(), "turns go on while it is written");

    client.send(json!({"type": "cancel"})).await;

    let said = summary(&mut client).await;
    soon("the model is let go", llm.dropped(1)).await;
    assert!(said["text"].as_str().is_some_and(|text| text.contains("- The user: Round 2:")), "{said}");
}

#[tokio::test]
async fn nobody_is_asked_for_a_summary_unless_summaries_are_on() {
    let llm = model(Answer::text(NOTES)).await;
    let server = server(&llm, &[]).await;
    let mut client = server.connect().await;

    let mut round = 0;
    talk(&mut client, &mut round, |client| {
        client.frames.iter().filter(|frame| frame["type"] == "agent-response").count() == 30
    })
    .await;

    assert!(!llm.all().iter().any(is_summary) && summaries(&client).is_empty());
    let last = llm.all().pop().expect("a question");
    assert!(
        !last
            .messages()
            .iter()
            .any(|message| message["content"].as_str().is_some_and(|text| text.contains("Round 2:")))
    );
}
