//! Finding what was said in all conversations: over HTTP and by `switchboard sessions search`, with an index that may be
//! lost or broken at any time.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Reply, ServerOptions, TestServer, binary, request, soon};
use tokio::process::Command;
use tokio::time::sleep;

/// Asks with this query, written as it is.
async fn asked(server: &TestServer, query: &str) -> Reply {
    let encoded: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
    request(server.address(), "GET", &format!("/api/sessions/search?query={encoded}"), &[], b"").await
}

async fn find(server: &TestServer, query: &str) -> Value {
    let reply = asked(server, query).await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text());
    reply.json()
}

fn count(found: &Value) -> usize {
    found["results"].as_array().map_or(0, Vec::len)
}

/// Asks until so many conversations are found: turns are read a moment after they end.
pub(crate) async fn until(server: &TestServer, query: &str, wanted: usize) -> Value {
    soon(&format!("{wanted} conversations with {query}"), async {
        loop {
            let found = find(server, query).await;
            if found["indexing"] == false && count(&found) == wanted {
                return found;
            }
            sleep(Duration::from_millis(50)).await;
        }
    })
    .await
}

/// What was found in the first place, in brackets.
fn shown(found: &Value) -> String {
    let pieces = found["results"][0]["places"][0]["pieces"].as_array().cloned().unwrap_or_default();
    pieces.iter().fold(String::new(), |line, piece| {
        let text = piece["text"].as_str().unwrap_or_default();
        if piece["found"] == true { format!("{line}[{text}]") } else { line + text }
    })
}

/// A server with two conversations, and the session of the first.
async fn with_conversations() -> (TestServer, String) {
    let server = TestServer::start().await;
    let mut first = server.connect().await;
    first.ask("Remember that the Größe of the Überschrift is 42 pixels").await;
    let mut second = server.connect().await;
    second.ask("Calculate 17 * 3").await.answered();
    (server, first.session().to_string())
}

#[tokio::test]
async fn what_was_said_is_found_as_it_is_typed_and_leads_to_its_event() {
    let (server, session) = with_conversations().await;

    let found = until(&server, "übersch", 1).await;

    let result = &found["results"][0];
    assert_eq!(result["session"]["sessionId"], json!(session), "{found:#}");
    let place = result["places"].as_array().and_then(|places| places.last()).expect("a place");
    assert_eq!(place["by"], "user");
    let path = format!("/api/sessions/{session}/events?after={}&limit=1", place["seq"].as_u64().expect("a number") - 1);
    let event = request(server.address(), "GET", &path, &[], b"").await.json()["events"][0].clone();
    assert_eq!(event["type"], "user-message", "{event:#}");
    assert!(event["text"].as_str().is_some_and(|text| text.contains("Überschrift")), "{event:#}");

    // The agent's words, and those of the title, are found too.
    let reply = until(&server, "51", 1).await;
    assert!(shown(&reply).contains("[51]"), "{reply:#}");
    assert_eq!(reply["results"][0]["places"][0]["by"], "agent");
    let titled = find(&server, "calcul").await;
    assert!(titled["results"][0]["title"].as_array().is_some_and(|title| title[0]["found"] == true), "{titled:#}");
}

#[tokio::test]
async fn umlauts_beginnings_and_operators_are_plain_words() {
    let (server, _) = with_conversations().await;
    until(&server, "größe", 1).await;
    until(&server, "calculate", 1).await;

    for (query, wanted) in [
        ("Groesse", 0),
        ("grosse", 1),
        ("GRÖSSE", 1),
        ("uberschrift pix", 1),
        ("pixels 42", 1),
        ("schrift", 0),
        ("pixels NOT 42", 0),
        ("pixels OR calculate", 0),
        ("\"pixels\"", 1),
        ("\"pixels", 1),
        ("pixels*", 1),
        ("NEAR(pixels 42)", 0),
        ("text:pixels", 0),
        ("' OR 1=1 --", 0),
        ("*", 0),
        ("", 0),
    ] {
        assert_eq!(count(&find(&server, query).await), wanted, "{query}");
    }
}

#[tokio::test]
async fn a_deleted_or_renamed_session_is_found_no_more_by_what_it_was() {
    let (server, session) = with_conversations().await;
    until(&server, "pixels", 1).await;
    let path = format!("/api/sessions/{session}");
    let json = ("Content-Type", "application/json");

    let renamed = request(server.address(), "PATCH", &path, &[json], br#"{"title": "Typography"}"#).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    until(&server, "typogr", 1).await;

    assert_eq!(request(server.address(), "DELETE", &path, &[], b"").await.status, 204);
    for query in ["pixels", "typography", "remember"] {
        assert_eq!(count(&find(&server, query).await), 0, "{query}, at once");
    }
    until(&server, "calculate", 1).await;
}

#[tokio::test]
async fn a_lost_or_broken_index_is_built_again_and_nothing_is_lost() {
    let (mut server, session) = with_conversations().await;
    until(&server, "pixels", 1).await;
    let file = server.data().join("search.db");
    let breaks: [&dyn Fn(); 3] = [
        &|| std::fs::remove_file(&file).expect("removed"),
        &|| std::fs::write(&file, "no database at all ".repeat(4000)).expect("written"),
        &|| std::fs::write(&file, "").expect("emptied"),
    ];
    for broken in breaks {
        server.signal(Signal::TERM);
        assert!(server.ended().await.success());
        broken();
        server.start_again().await;

        let found = until(&server, "pixels", 1).await;

        assert_eq!(found["results"][0]["session"]["sessionId"], json!(session));
        until(&server, "calculate", 1).await;
    }
    let list = request(server.address(), "GET", "/api/sessions", &[], b"").await.json();
    assert_eq!(list["sessions"].as_array().map(Vec::len), Some(2), "{list:#}");
}

#[tokio::test]
async fn a_search_that_is_too_long_or_unknown_is_refused_and_one_without_a_token_too() {
    let server = TestServer::start().await;
    for query in ["", "?query=a&limit=0", "?query=a&limit=51", "?query=a&words=b"] {
        let reply = request(server.address(), "GET", &format!("/api/sessions/search{query}"), &[], b"").await;
        assert_eq!(reply.status, 400, "{query}: {}", reply.text());
    }
    assert_eq!(asked(&server, &"ü".repeat(200)).await.status, 200);
    assert_eq!(asked(&server, &"ü".repeat(201)).await.status, 400);

    let locked = TestServer::start_with(ServerOptions::with(&["--auth-token", "correct-horse-battery"])).await;
    let path = "/api/sessions/search?query=a";
    assert_eq!(request(locked.address(), "GET", path, &[], b"").await.status, 401);
    let token = ("Authorization", "Bearer correct-horse-battery");
    assert_eq!(request(locked.address(), "GET", path, &[token], b"").await.status, 200);
}

/// Runs `switchboard sessions search` with these arguments; what it printed.
async fn command(home: &Path, arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(binary());
    command.args(["sessions", "search"]).args(arguments);
    command.env("HOME", home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null()).kill_on_drop(true);
    let output = soon("the command's end", command.output()).await.expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn the_command_finds_with_and_without_a_server() {
    let (mut server, session) = with_conversations().await;
    until(&server, "pixels", 1).await;
    let data = server.data();
    let folder = data.to_str().expect("a path in UTF-8");

    let url = format!("http://{}", server.address());
    let (over_http, _) = command(&data, &["Größe", "pixels", "--url", &url]).await;
    server.signal(Signal::TERM);
    assert!(server.ended().await.success());
    std::fs::remove_file(data.join("search.db")).expect("removed");
    let (in_folder, _) = command(&data, &["Größe", "pixels", "--data", folder]).await;
    let (lines, _) = command(&data, &["pixels", "--json", "--limit", "1", "--data", folder]).await;
    let (nothing, said) = command(&data, &["zanzibar", "--data", folder]).await;

    assert!(over_http.starts_with(&session) && over_http.contains("you, event "), "{over_http}");
    assert!(in_folder.starts_with(&session) && in_folder.contains("Überschrift is 42 pixels"), "{in_folder}");
    let line: Value = serde_json::from_str(&lines).expect("one line of JSON");
    assert_eq!(line["session"]["sessionId"], json!(session));
    assert!(nothing.is_empty() && said.contains("Nothing was found"), "{nothing}{said}");
}
