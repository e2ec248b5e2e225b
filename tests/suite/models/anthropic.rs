//! Turns that a model behind Anthropic's own API decides, over the socket, against a scripted one: it streams in blocks,
//! is cut into any pieces, and tells its troubles in its own way.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestServer, request};

use super::{KINDS, cancel_and_ask_again, needs_none, one_tool, reply, reply_as};

const KEY: &str = "sk-ant-test-0123456789abcdef0123456789abcdef";

/// A server with this model behind it; its tools run without asking.
async fn server(llm: &ScriptedLlm, kind: &str) -> TestServer {
    let options = ServerOptions::with(&["--approve", "auto", "--log", "debug"]);
    TestServer::start_with(options.anthropic(&llm.base_url(), kind, KEY)).await
}

/// A model that does this as it replies.
async fn replying(answer: Answer) -> ScriptedLlm {
    ScriptedLlm::start(move |asked| match asked.schema() {
        Some("need") => needs_none(),
        _ => answer.clone(),
    })
    .await
}

/// What was sent is what Anthropic takes: turns, calls with their results, nothing empty, at most four marks.
#[track_caller]
fn valid(asked: &Asked) {
    let mut open: Vec<Value> = Vec::new();
    for (number, message) in asked.messages().iter().enumerate() {
        assert_eq!(message["role"], if number % 2 == 0 { "user" } else { "assistant" }, "{:#}", asked.body);
        let blocks = message["content"].as_array().expect("blocks");
        let of = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
        let answered: Vec<Value> = of("tool_result").map(|block| block["tool_use_id"].clone()).collect();
        assert_eq!(answered, open, "every call has its result in the next message: {:#}", asked.body);
        assert!(of("text").all(|block| block["text"].as_str().is_some_and(|text| !text.trim().is_empty())));
        open = of("tool_use").map(|block| block["id"].clone()).collect();
    }
    assert!(open.is_empty() && asked.messages().len() % 2 == 1, "{:#}", asked.body);
    assert!(asked.body["max_tokens"].is_u64());
    assert!((1..=4).contains(&asked.body.to_string().matches("\"cache_control\"").count()));
}

#[tokio::test]
async fn a_chat_and_a_tool_turn_are_answered_and_what_was_sent_is_valid() {
    for kind in KINDS {
        let said = "It says \"größer\",\nand no more.";
        let chat = reply(kind, "Hello there.").into_iter();
        let answers = chat.chain(one_tool(kind, "file_read", json!({"path": "a.txt"}), said));
        let llm = ScriptedLlm::of(answers.map(|answer| answer.in_bytes_of(7).in_pieces_of(3))).await;
        let server = server(&llm, kind).await;
        server.file("a.txt", "größer");
        let mut client = server.connect().await;

        client.ask("Hello").await.answered().says("Hello there.");
        let turn = client.ask("Read the file a.txt").await.answered();

        assert_eq!(turn.text(), said, "{kind}");
        assert_eq!(turn.all("tool-call-end")[0]["success"], true, "{kind}");
        assert!(!turn.all("agent-delta").is_empty(), "{kind}: the reply is shown while it is written");
        let calls = if kind == "native" { 2 } else { 3 };
        assert_eq!(turn.end["usage"], json!({"inputTokens": 11 * calls, "outputTokens": 7 * calls}), "{kind}");
        for asked in llm.all() {
            valid(&asked);
            assert_eq!(asked.path, "/v1/messages");
            assert!(asked.head.to_lowercase().contains(&format!("x-api-key: {KEY}")), "{}", asked.head);
        }
    }
}

#[tokio::test]
async fn what_stays_the_same_and_the_end_of_the_conversation_are_marked_and_asked_again_as_they_were() {
    let read = |path: &str| Answer::calls([("file_read", json!({"path": path}))]);
    let llm = ScriptedLlm::of([read("a.txt"), read("b.txt"), Answer::text("hello")]).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "hello");
    server.file("b.txt", "hello");
    server.connect().await.ask("Read the files a.txt and b.txt").await.answered();

    // All that a question says up to its last mark, without the marks.
    let kept = |asked: &Asked| {
        let mut blocks = Vec::new();
        for message in asked.messages() {
            for block in message["content"].as_array().expect("blocks") {
                let mut plain = block.clone();
                let is_marked = plain.as_object_mut().is_some_and(|block| block.remove("cache_control").is_some());
                blocks.push((is_marked, message["role"].clone(), plain));
            }
        }
        blocks
    };
    let all = llm.all();
    assert_eq!(all.len(), 3);
    for pair in all.windows(2) {
        let system = pair[0].body["system"].as_array().and_then(|blocks| blocks.last()).expect("instructions");
        assert_eq!(system["cache_control"], json!({"type": "ephemeral"}));
        assert_eq!(
            (&pair[0].body["system"], &pair[0].body["tools"]),
            (&pair[1].body["system"], &pair[1].body["tools"])
        );
        let (first, second) = (kept(&pair[0]), kept(&pair[1]));
        let end = first.iter().position(|(is_marked, ..)| *is_marked).expect("a mark");
        let same =
            first[..=end].iter().zip(&second).all(|(first, second)| (&first.1, &first.2) == (&second.1, &second.2));
        assert!(same && second.len() > end + 1, "what was kept is asked again: {first:#?} {second:#?}");
    }
    let third = kept(&all[2]);
    let [.., (true, _, result), (false, _, situation)] = third.as_slice() else { panic!("{third:#?}") };
    assert_eq!(result["type"], "tool_result");
    assert!(situation["text"].as_str().is_some_and(|text| text.contains("Context variables")), "{situation}");
}

#[tokio::test]
async fn e03_e11_a_stream_without_its_end_is_told_as_broken_off_and_its_call_does_not_run() {
    for kind in KINDS {
        let text = || Answer::text("one two three four five").in_pieces_of(4);
        for (broken, has_all) in [(text().cut_after(6), false), (text().without_done(), true)] {
            let llm = replying(broken).await;
            let server = server(&llm, kind).await;

            let turn = server.connect().await.ask("Count").await.failed("provider-broken-off");

            assert!(turn.text().contains("one two") && turn.text().contains("incomplete"), "{}", turn.text());
            assert_eq!((turn.text().contains("five"), &turn.end["retryable"]), (has_all, &json!(true)), "{kind}");
        }
    }
    let write = Answer::calls([("file_write", json!({"path": "a.txt", "content": "no"}))]).without_done();
    let llm = ScriptedLlm::start(move |_| write.clone()).await;
    let server = server(&llm, "native").await;

    let turn = server.connect().await.ask("Write no into a.txt").await.failed("provider-broken-off");

    assert!(turn.all("tool-call-start").is_empty() && !server.workspace().join("a.txt").exists());
}

#[tokio::test]
async fn e05_an_overload_is_waited_out_before_the_first_word_and_told_after_it() {
    for kind in KINDS {
        let busy = Answer::status(529, "Overloaded").header("Retry-After", "1");
        let in_stream = Answer::text("no").fails_after(2, "overloaded_error", "Overloaded");
        let llm = ScriptedLlm::of([busy, in_stream].into_iter().chain(reply(kind, "Here."))).await;
        let server = server(&llm, kind).await;

        let turn = server.connect().await.ask("Hello").await.answered();

        assert_eq!((turn.text(), turn.all("agent-response").len()), ("Here.", 1), "{kind}");
        let asked = llm.all();
        assert!(
            asked[1].at - asked[0].at >= std::time::Duration::from_millis(900),
            "it waits as long as it is told to"
        );

        let late = Answer::text("one two three").in_pieces_of(4).fails_after(5, "overloaded_error", "Overloaded");
        let llm = replying(late).await;
        let server = self::server(&llm, kind).await;
        let turn = server.connect().await.ask("Count").await.failed("provider-overloaded");
        assert!(turn.text().contains("one two") && turn.text().contains("incomplete"), "{}", turn.text());
        assert_eq!(turn.end["retryable"], true);
    }
}

#[tokio::test]
async fn e06_refusals_in_anthropics_words_are_understood_and_never_show_the_key() {
    let refusals = [
        (400, "messages: wrong", "provider-bad-request"),
        (400, "prompt is too long: 200001 tokens > 200000 maximum", "context-too-long"),
        (401, "invalid x-api-key", "provider-authentication"),
        (404, "model: scripted", "provider-unknown-model"),
        (413, "Request exceeds the maximum size", "context-too-long"),
    ];
    for (status, message, code) in refusals {
        let llm = replying(Answer::status(status, &format!("{message} {KEY}"))).await;
        let server = server(&llm, "native").await;
        let mut client = server.connect().await;

        let turn = client.ask("Hello").await.failed(code);

        assert_eq!(turn.end["retryable"], false, "{:#}", turn.end);
        assert!(turn.end["suggestions"][0].is_string(), "{:#}", turn.end);
        let listed = request(server.address(), "GET", "/api/providers", &[], b"").await.text();
        let known = format!("{:?} {listed} {}", client.frames, server.stderr());
        assert!(!known.contains("0123456789abcdef"), "{status}: the key is not told");
    }
}

#[tokio::test]
async fn a_cancelled_turn_lets_go_of_the_provider_and_the_next_one_is_valid() {
    for kind in KINDS {
        let held = reply_as(kind, Answer::text("one two three four").in_pieces_of(4).hold_after(5));
        let llm = ScriptedLlm::of(held.into_iter().chain(reply(kind, "Here again."))).await;

        cancel_and_ask_again(&server(&llm, kind).await, &llm).await;

        llm.all().iter().for_each(valid);
    }
}

#[tokio::test]
async fn a_model_that_takes_less_than_the_last_one_is_asked_without_it() {
    let llm = ScriptedLlm::start(|asked| match (&asked.body, asked.schema()) {
        (body, _) if body.get("temperature").is_some() => {
            Answer::status(400, "`temperature` is deprecated for this model.")
        }
        (body, _) if body.get("thinking").is_some() => Answer::status(400, "thinking.type.disabled is not supported"),
        (body, _) if body["tool_choice"]["type"] == "tool" => {
            Answer::status(400, "tool_choice forces tool use, which this model does not support")
        }
        // The decision in prose, as no tool takes it.
        (body, _) if body["system"][0]["text"].as_str().is_some_and(|text| text.contains("needsTools")) => {
            Answer::text("I think so: {\"reasoning\": \"None.\", \"needsTools\": false}")
        }
        _ => Answer::text("Here."),
    })
    .await;
    let server = server(&llm, "staged").await;

    server.connect().await.ask("Hello").await.answered().says("Here.");

    assert_eq!(llm.count(), 3 + 2, "{:#?}", llm.all().iter().map(|asked| &asked.body).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_dialog_proves_it_lists_its_models_and_keeps_the_key_to_itself() {
    let llm = ScriptedLlm::start(|_| Answer::text("OK")).await;
    // As the page does it: where Anthropic is, nobody is asked.
    let base_url = llm.base_url().trim_end_matches("/v1").to_owned();
    let server = crate::providers::bare_with(&[("ANTHROPIC_BASE_URL", &base_url)]).await;
    let body = json!({"provider": "anthropic", "apiKey": KEY, "model": "scripted-2"});
    let headers = [("Content-Type", "application/json")];

    let reply = request(server.address(), "POST", "/api/providers", &headers, body.to_string().as_bytes()).await;

    assert_eq!((reply.status, &reply.json()["model"]), (200, &json!("scripted-2")), "{}", reply.text());
    let asked = llm.asked(1).await;
    assert_eq!((asked.path.as_str(), &asked.body["model"]), ("/v1/messages", &json!("scripted-2")));
    let listed = request(server.address(), "GET", "/api/providers", &[], b"").await;
    assert_eq!(listed.json()["providers"][0]["models"], json!(["scripted", "scripted-2"]));
    assert!(!listed.text().contains(KEY) && !server.stderr().contains(KEY));
}
