//! A scripted language model for the benchmarks and the browser's tests, in a process of its own: prints its address and
//! answers until it is ended. `Calculate …` becomes a call of the calculator, its result a reply; `Tell …` a reply of 100
//! pieces, and `Tell slowly …` the same at 20 pieces a second. With `--key KEY` it takes requests with that key only.

use std::time::Duration;

use serde_json::json;
use switchboard_tests::{Answer, Asked, ScriptedLlm};

#[tokio::main]
async fn main() {
    let key = std::env::args().skip_while(|argument| argument != "--key").nth(1);
    let server = ScriptedLlm::start(move |asked| match &key {
        Some(key) if !has_key(asked, key) => Answer::status(401, "Incorrect API key provided"),
        _ => answer(asked),
    })
    .await;
    println!("{}", server.base_url());
    std::future::pending::<()>().await;
}

fn has_key(asked: &Asked, key: &str) -> bool {
    let wanted = format!("bearer {key}");
    asked
        .head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .any(|(name, value)| name.eq_ignore_ascii_case("authorization") && value.trim().eq_ignore_ascii_case(&wanted))
}

fn answer(asked: &Asked) -> Answer {
    let last = asked.messages().last().cloned().unwrap_or_default();
    let text = last["content"].as_str().unwrap_or_default();
    let story = || Answer::text("word ".repeat(100)).in_pieces_of(5);
    match text {
        _ if last["role"] == "tool" => Answer::text("It is 2."),
        _ if text.contains("Tell slowly") => story().between(Duration::from_millis(50)),
        _ if text.contains("Tell") => story(),
        _ => Answer::calls([("calculator", json!({"expression": "1 + 1"}))]),
    }
}
