//! What a model's provider can do wrong, and what the turn makes of it. Both kinds of reasoners, over the socket.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, Turn, soon};

use super::floods::peak;
use crate::models::{KINDS, one_tool, options, reply, reply_as, server};

/// How the turn of one message ends when the model does this as it replies.
async fn ends(kind: &str, fault: Answer) -> (Turn, ScriptedLlm) {
    let llm = ScriptedLlm::start(move |asked| match asked.schema() {
        Some("need") => crate::models::needs_none(),
        _ => fault.clone(),
    })
    .await;
    let server = server(&llm, kind).await;
    let mut client = server.connect().await;
    let turn = client.ask("Hello").await;
    (turn, llm)
}

/// A server with limits of its own.
async fn limited(llm: &ScriptedLlm, kind: &str, limits: &[&str]) -> TestServer {
    let mut options = options(llm, kind);
    options.arguments.extend(limits.iter().map(ToString::to_string));
    TestServer::start_with(options).await
}

/// What such a reply may add to the server's memory at its worst.
const MEMORY_LIMIT: u64 = 4 << 20;

/// How a turn ends when the model does this, and by how much the server's largest memory has grown by it.
async fn grown(kind: &str, fault: Answer) -> (Turn, u64) {
    // A whole turn first, so that what is read once has been read.
    let llm = ScriptedLlm::start(move |asked| match (asked.schema(), asked.last_text().contains("Hello")) {
        (Some("need"), _) => crate::models::needs_none(),
        (_, true) => fault.clone(),
        _ => Answer::text("First."),
    })
    .await;
    let server = server(&llm, kind).await;
    let mut client = server.connect().await;
    client.ask("Begin").await.answered();
    let before = peak(&server);
    let turn = client.ask("Hello").await;
    (turn, peak(&server) - before)
}

/// How many requests were not a decision about the need of tools.
fn replies(llm: &ScriptedLlm) -> usize {
    llm.all().iter().filter(|asked| asked.schema() != Some("need")).count()
}

/// The turn failed with this code, says what to do, and the session goes on.
#[track_caller]
fn failed(turn: Turn, code: &str, retryable: bool) -> Turn {
    let ends = |f: &&Value| f["type"] == "agent-response" || f["type"] == "agent-error";
    assert_eq!(turn.frames.iter().filter(ends).count(), 1, "exactly one end");
    let turn = turn.failed(code);
    assert_eq!(turn.end["retryable"], retryable, "{:#}", turn.end);
    assert!(turn.end["suggestions"][0].is_string(), "{:#}", turn.end);
    turn
}

#[tokio::test]
async fn e01_a_provider_that_is_not_there() {
    for kind in KINDS {
        // Not a port that was free a moment ago: another test may have it by now.
        let options = ServerOptions::with(&["--approve", "auto"]).model("http://127.0.0.1:1/v1", kind);
        let server = TestServer::start_with(options).await;
        let mut client = server.connect().await;

        failed(client.ask("Hello").await, "provider-unreachable", true);

        client.command("/context").await;
    }
}

#[tokio::test]
async fn e02_a_provider_that_never_answers() {
    for kind in KINDS {
        let llm = ScriptedLlm::start(|_| Answer::silent()).await;
        let limits = ["--llm-first-byte-seconds", "1", "--llm-retries", "1"];
        let server = limited(&llm, kind, &limits).await;
        let mut client = server.connect().await;

        failed(client.ask("Hello").await, "provider-timeout", true);

        assert_eq!(llm.count(), 2, "{kind}: asked again once");
    }
}

#[tokio::test]
async fn e03_a_stream_that_stalls_keeps_what_came_and_says_so() {
    for kind in KINDS {
        let stalls = Answer::text("one two three four five").in_pieces_of(4).stall_after(4);
        let llm = ScriptedLlm::of(reply_as(kind, stalls)).await;
        let server = limited(&llm, kind, &["--llm-idle-seconds", "1"]).await;
        let mut client = server.connect().await;

        let turn = failed(client.ask("Count").await, "provider-timeout", true).says("incomplete").says("one two");

        assert!(!turn.text().contains("five"), "{}", turn.text());
        llm.dropped(1).await;
    }
}

#[tokio::test]
async fn e03_a_stream_that_breaks_off_keeps_what_came_and_says_so() {
    for kind in KINDS {
        let (turn, _) = ends(kind, Answer::text("one two three four five").in_pieces_of(4).cut_after(4)).await;

        let turn = failed(turn, "provider-broken-off", true).says("incomplete").says("one two");
        assert!(!turn.text().contains("five"), "{}", turn.text());
    }
}

#[tokio::test]
async fn e04_a_provider_that_asks_to_wait_is_waited_for_within_limits() {
    for kind in KINDS {
        let busy = || Answer::status(429, "slow down");
        let answers = [busy().header("Retry-After", "1"), busy()].into_iter().chain(reply(kind, "Here."));
        let llm = ScriptedLlm::of(answers).await;
        let server = server(&llm, kind).await;
        server.connect().await.ask("Hello").await.answered().says("Here.");
        let asked = llm.all();
        assert!(asked[1].at - asked[0].at >= Duration::from_millis(900), "it waits as long as it is told to");

        let (turn, llm) = ends(kind, busy().header("Retry-After", "86400")).await;
        let turn = failed(turn, "provider-rate-limited", true);
        assert_eq!((&turn.end["retryAfterMs"], replies(&llm)), (&json!(86_400_000), 1), "{:#}", turn.end);
    }
}

#[tokio::test]
async fn e04_what_says_nothing_about_waiting_is_waited_for_a_moment() {
    for kind in KINDS {
        for said in ["-2", "soon", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            let busy = Answer::status(429, "slow down").header("Retry-After", said);
            let llm = ScriptedLlm::of([busy].into_iter().chain(reply(kind, "Here."))).await;
            let server = server(&llm, kind).await;

            server.connect().await.ask("Hello").await.answered().says("Here.");

            let asked = llm.all();
            assert!(asked[1].at - asked[0].at >= Duration::from_millis(200), "{said}: at once");
        }
    }
}

#[tokio::test]
async fn e04_sessions_with_one_key_wait_together_and_one_asks_in_each_window() {
    const SESSIONS: usize = 100;
    const REFUSALS: usize = 3;
    let llm = ScriptedLlm::start(|asked| match asked.number {
        1..=REFUSALS => Answer::status(429, "slow down").header("Retry-After", "1"),
        _ => Answer::text("Here."),
    })
    .await;
    // One at a time, so that the first refusal is known before the others could ask.
    let server = limited(&llm, "native", &["--llm-parallel", "1"]).await;
    let mut clients = Vec::new();
    for _ in 0..SESSIONS {
        let mut client = server.connect().await;
        let id = client.post("Hello").await;
        clients.push((client, id));
    }

    for (client, id) in &mut clients {
        client.end_of(id).await.answered().says("Here.");
    }

    let asked = llm.all();
    assert_eq!(asked.len(), REFUSALS + SESSIONS, "only what was refused is asked again");
    for pair in asked[..=REFUSALS].windows(2) {
        assert!(pair[1].at - pair[0].at >= Duration::from_millis(900), "nobody asks before the time is over");
    }
}

#[tokio::test]
async fn e05_a_provider_that_has_trouble_twice_is_asked_again() {
    for kind in KINDS {
        let answers =
            [Answer::status(500, "oops"), Answer::status(503, "busy")].into_iter().chain(reply(kind, "Here."));
        let llm = ScriptedLlm::of(answers).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;

        let turn = client.ask("Hello").await.answered();

        assert_eq!((turn.text(), turn.all("agent-response").len()), ("Here.", 1), "{kind}");
        assert_eq!(llm.count(), if kind == "native" { 3 } else { 4 });
    }
}

#[tokio::test]
async fn e06_what_asking_again_cannot_mend_is_not_asked_again() {
    let refusals = [
        (400, "bad field", "provider-bad-request"),
        (401, "bad key sk-test-0123456789abcdef0123456789abcdef", "provider-authentication"),
        (403, "not allowed", "provider-authentication"),
        (404, "The model `scripted` does not exist", "provider-unknown-model"),
    ];
    for kind in KINDS {
        for (status, message, code) in refusals {
            let (turn, llm) = ends(kind, Answer::status(status, message)).await;

            let turn = failed(turn, code, false);
            assert_eq!(replies(&llm), 1, "{status}");
            assert!(!format!("{:?}", turn.frames).contains("0123456789abcdef"), "the key is not told");
        }
    }
}

#[tokio::test]
async fn e06_a_conversation_that_is_too_long_is_shortened_once() {
    let too_long = || {
        let message = "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.";
        Answer::status_with(400, json!({"error": {"message": message, "code": "context_length_exceeded"}}))
    };
    let answers = [Answer::text("one"), Answer::text("two"), too_long(), Answer::text("three"), too_long(), too_long()];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;
    client.ask("1").await.answered();
    client.ask("2").await.answered();

    client.ask("3").await.answered().says("three");
    failed(client.ask("4").await, "context-too-long", false);

    let asked = llm.all();
    assert!(asked[3].messages().len() < asked[2].messages().len());
    assert_eq!((asked[3].last_text(), asked.len()), ("3", 6));
}

#[tokio::test]
async fn e07_what_is_no_reply_is_malformed() {
    let pages = [
        Answer::page("text/html", "<html><h1>Welcome to our portal</h1></html>"),
        Answer::page("application/json", ""),
        Answer::page("application/json", "{\"choices\": [{\"message\": "),
        Answer::page("text/event-stream", "data: {\"choices\": [{\"delta\"\n\ndata: [DONE]\n\n"),
    ];
    for kind in KINDS {
        for page in pages.clone() {
            let (turn, _) = ends(kind, page).await;

            assert_eq!(turn.end["type"], "agent-error", "{:#}", turn.end);
            let code = turn.end["code"].as_str().unwrap_or_default();
            assert!(["provider-malformed", "provider-broken-off"].contains(&code), "{:#}", turn.end);
        }
    }
}

#[tokio::test]
async fn e08_a_stream_in_any_pieces_is_the_same_text() {
    let said = "Größe: 3 — 😀 and \"more\".";
    let answer = || Answer::text(said).in_pieces_of(2);
    for kind in KINDS {
        let shapes =
            [answer().in_bytes_of(1), answer().in_bytes_of(7), answer().line_ending("\r\n"), answer().without_done()];
        for shape in shapes {
            let (turn, _) = ends(kind, shape).await;
            assert_eq!(turn.answered().text(), said, "{kind}");
        }
    }
}

#[tokio::test]
async fn e09_an_event_without_end_is_no_reply_and_takes_no_memory() {
    for kind in KINDS {
        let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ".to_vec();
        bytes.resize(bytes.len() + (64 << 20), b'x');

        let (turn, grown) = grown(kind, Answer::raw(bytes)).await;

        failed(turn, "provider-malformed", true);
        assert!(grown < MEMORY_LIMIT, "{kind}: the server grew by {} KiB", grown >> 10);
    }
}

#[tokio::test]
async fn e21_a_packed_bomb_is_not_unpacked() {
    let packed = Command::new("sh").args(["-c", "head -c 256M /dev/zero | gzip -1"]).output().expect("gzip").stdout;
    assert!((100_000..4_000_000).contains(&packed.len()), "{}", packed.len());
    for (kind, content_type) in KINDS.iter().zip(["text/event-stream", "application/json"]) {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
            packed.len()
        );

        let (turn, grown) = grown(kind, Answer::raw([head.as_bytes(), &packed].concat())).await;

        let turn = failed(turn, "provider-malformed", true).says("compressed");
        assert!(turn.all("agent-delta").is_empty());
        assert!(grown < MEMORY_LIMIT, "{kind}: the server grew by {} KiB", grown >> 10);
    }
}

#[tokio::test]
async fn e10_a_reply_without_end_is_stopped() {
    for kind in KINDS {
        let endless = Answer::text("again and again ".repeat(20_000)).in_pieces_of(1600).stall_after(60);

        let (turn, llm) = ends(kind, endless).await;

        failed(turn, "budget-exceeded", false).says("incomplete");
        llm.dropped(1).await;
    }
}

#[tokio::test]
async fn e17_ends_that_are_no_success_are_told() {
    for kind in KINDS {
        let (cut, _) = ends(kind, Answer::text("The answer is").finish("length")).await;
        assert_eq!(cut.end["complete"], false, "{:#}", cut.end);
        assert!(cut.text().starts_with("The answer is…") && cut.text().contains("limit"), "{}", cut.text());

        let (filtered, _) = ends(kind, Answer::text("").finish("content_filter")).await;
        failed(filtered, "provider-filtered", false);

        for unknown in ["", "because"] {
            let (fine, _) = ends(kind, Answer::text("Fine.").finish(unknown)).await;
            assert_eq!(fine.text(), "Fine.", "{unknown:?}");
        }
    }
}

#[tokio::test]
async fn e18_a_cost_that_cannot_be_true_is_not_believed() {
    for kind in KINDS {
        for usage in [
            Value::Null,
            json!({"prompt_tokens": -5, "completion_tokens": -7}),
            json!({"prompt_tokens": 9e18, "completion_tokens": 9e18}),
            json!({"prompt_tokens": "many"}),
        ] {
            let (turn, _) = ends(kind, Answer::text("Fine.").usage(usage)).await;

            let cost = turn.answered().end["usage"].clone();
            let sane = |field: &str| cost[field].as_u64().is_none_or(|tokens| tokens < 1_000_000);
            assert!(sane("inputTokens") && sane("outputTokens"), "{cost}");
        }
    }
}

#[tokio::test]
async fn e20_a_redirect_is_not_followed() {
    for kind in KINDS {
        let elsewhere = ScriptedLlm::of(reply(kind, "from elsewhere")).await;
        let location = format!("{}/chat/completions", elsewhere.base_url());

        let (turn, _) = ends(kind, Answer::status(307, "moved").header("Location", &location)).await;

        failed(turn, "provider-bad-request", false);
        assert_eq!(elsewhere.count(), 0);
    }
}

#[tokio::test]
async fn a_failure_of_the_provider_leaves_the_session_in_order() {
    for kind in KINDS {
        let broken = reply_as(kind, Answer::text("one two three").in_pieces_of(4).cut_after(2));
        let read = one_tool(kind, "file_read", json!({"path": "a.txt"}), "hello");
        let llm = ScriptedLlm::of(broken.into_iter().chain(read)).await;
        let server = server(&llm, kind).await;
        server.file("a.txt", "hello");
        let mut client: TestClient = server.connect().await;

        client.ask("Count").await.failed("provider-broken-off");
        let turn = soon("the next turn", client.ask("Read the file a.txt")).await;

        assert_eq!(turn.answered().text(), "hello", "{kind}");
    }
}
