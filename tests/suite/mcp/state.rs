//! `/mcp` and `GET /api/mcp`: what is known of the servers, and what a person does about them.

use serde_json::{Value, json};
use switchboard_tests::{McpFolder, Reply, TestClient, TestServer, request, soon};
use tokio::time::{Duration, sleep};

use super::call;

/// What `/api/mcp` says of the server of this name, once it fits.
pub(crate) async fn until(server: &TestServer, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
    soon(&format!("a fitting state of the MCP server {name}"), async {
        loop {
            let list = request(server.address(), "GET", "/api/mcp", &[], b"").await.json();
            let servers = list["servers"].as_array().cloned().unwrap_or_default();
            if let Some(found) = servers.into_iter().find(|server| server["name"] == name && fits(server)) {
                return found;
            }
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
}

/// The answer to a command, which must be one.
pub(crate) async fn said(client: &mut TestClient, command: &str) -> String {
    let answer = client.command(command).await;
    assert_eq!(answer["type"], "command-response", "{command}: {answer:#}");
    answer["text"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn servers_are_shown_with_their_state_and_without_their_keys() {
    let folder = McpFolder::default();
    let mut ready = folder.scripted("");
    ready["env"] = json!({"API_KEY": "canary-env"});
    let servers = json!({
        "test": ready,
        "broken": folder.scripted("exit"),
        "away": {"url": "http://user:canary-user@127.0.0.1:1/mcp?key=canary-query", "headers": {"X-Key": "canary-header"}},
        "off": {"command": "true", "disabled": true},
        "keyed": {"command": "true", "args": ["--token", "${CANARY_TOKEN}"]},
    });
    let mut options = folder.options(servers, &["--approve", "auto", "--log", "debug"]);
    options.environment.push(("CANARY_TOKEN".to_owned(), "canary-argument".to_owned()));
    let server = TestServer::start_with(options).await;
    until(&server, "test", |server| server["state"] == "ready").await;
    let broken = until(&server, "broken", |server| server["fault"].is_string()).await;
    let away = until(&server, "away", |server| server["fault"].is_string()).await;
    until(&server, "keyed", |server| server["fault"].is_string()).await;
    let mut client = server.connect().await;

    let all = said(&mut client, "/mcp").await;
    let test = said(&mut client, "/mcp test").await;
    let keyed = said(&mut client, "/mcp keyed").await;
    let environment = call(&mut client, "test__environment", json!({})).await;

    assert_eq!(broken["fault"], "it ended with exit code 3; its last words: no database");
    assert_eq!(broken["lastWords"], json!(["no database"]));
    assert_eq!((&away["transport"], &away["address"]), (&json!("http"), &json!("http://127.0.0.1:1/mcp")));
    for part in ["**test** is ready with 9 tools and 1 prompt", "**broken**", "no database", "**off** is turned off"] {
        assert!(all.contains(part), "no {part:?} in {all}");
    }
    for part in ["scripted_mcp", "`test__count`", "/test__tide harbour=…", "stdio"] {
        assert!(test.contains(part), "no {part:?} in {test}");
    }
    assert!(keyed.contains("--token ${CANARY_TOKEN}"), "{keyed}");
    // The server itself was given its key: had it been shown anywhere, it would have been found.
    assert!(environment.to_string().contains("API_KEY=canary-env"), "{environment:#}");
    let api = request(server.address(), "GET", "/api/mcp", &[], b"").await.text();
    for (place, text) in
        [("/mcp", all), ("/mcp test", test), ("/mcp keyed", keyed), ("/api/mcp", api), ("log", server.stderr())]
    {
        assert!(!text.contains("canary"), "{place} shows a key: {text}");
    }
}

#[tokio::test]
async fn a_server_sees_what_its_entry_names_and_nothing_else_of_the_environment() {
    let folder = McpFolder::default();
    let mut options = folder.options(json!({"test": folder.scripted("")}), &["--approve", "auto"]);
    options.environment.push(("AWS_SECRET_ACCESS_KEY".to_owned(), "canary".to_owned()));
    let server = TestServer::start_with(options).await;
    server.until_tool("test__environment").await;
    let mut client = server.connect().await;

    let end = call(&mut client, "test__environment", json!({})).await;

    // Switchboard itself has it.
    let own = std::fs::read_to_string(format!("/proc/{}/environ", server.pid())).expect("its environment");
    assert!(own.contains("AWS_SECRET_ACCESS_KEY=canary"));
    assert!(end["success"] == true && !end.to_string().contains("canary"), "{end:#}");
}

#[tokio::test]
async fn a_server_is_started_anew_by_a_command() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &[]).await;
    until(&server, "test", |server| server["state"] == "ready").await;
    let mut client = server.connect().await;

    said(&mut client, "/mcp restart test").await;

    until(&server, "test", |server| server["state"] == "ready" && server["starts"] == 2).await;
    assert_eq!(folder.told().iter().filter(|line| *line == "start").count(), 2);
    for (wrong, says) in [
        ("/mcp restart tset", "Did you mean `test`?"),
        ("/mcp nothing-like-it", "There is no MCP server"),
        ("/mcp approve test", "No tool of `test` is held back."),
        ("/mcp stop test", "`stop` is not `on`, `off`, `restart` or `approve`."),
        ("/mcp off nothing-like-it", "There is no MCP server `nothing-like-it`, only `test`."),
    ] {
        let answer = client.command(wrong).await;
        assert_eq!(answer["type"], "command-error", "{wrong}: {answer:#}");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains(says)), "{wrong}: {answer:#}");
    }
}

/// The answer to a change of the MCP server of this name.
async fn changed(server: &TestServer, name: &str, change: Value) -> Reply {
    let headers = [("content-type", "application/json")];
    let path = format!("/api/mcp/{name}");
    request(server.address(), "POST", &path, &headers, change.to_string().as_bytes()).await
}

#[tokio::test]
async fn a_server_is_switched_off_for_all_sessions_and_stays_so() {
    let folder = McpFolder::default();
    let servers = json!({"test": folder.scripted(""), "unwanted": {"command": "true", "disabled": true}});
    let mut server = TestServer::start_with(folder.options(servers, &["--approve", "auto"])).await;
    server.until_tool("test__count").await;
    let mut client = server.connect().await;
    let state = |answer: &Reply| answer.json()["servers"][0]["state"].clone();

    let off = changed(&server, "test", json!({"enabled": false})).await;

    // At once, for every session: its tools are gone, and its process.
    assert_eq!((off.status, state(&off)), (200, json!("off")), "{}", off.text());
    let call = call(&mut client, "test__count", json!({})).await;
    assert_eq!((&call["success"], &call["started"]), (&json!(false), &json!(false)), "{call:#}");
    assert!(said(&mut client, "/mcp").await.contains("**test** is switched off"));
    assert_eq!(client.command("/mcp restart test").await["type"], "command-error");
    server.kill().await;
    server.start_again().await;
    assert_eq!(until(&server, "test", |_| true).await["state"], "off");
    assert_eq!(folder.told().iter().filter(|line| *line == "start").count(), 1);

    let on = changed(&server, "test", json!({"enabled": true})).await;
    assert_eq!(on.status, 200);
    server.until_tool("test__count").await;
    for (name, change, status) in [
        ("unwanted", json!({"enabled": true}), 404),
        ("nothing", json!({"enabled": false}), 404),
        ("test", json!({"approve": "0"}), 409),
        ("test", json!({"enabled": "yes"}), 422),
        ("test", json!({}), 422),
    ] {
        assert_eq!(changed(&server, name, change.clone()).await.status, status, "{name} {change}");
    }
}

#[tokio::test]
async fn a_server_is_switched_by_a_command() {
    let folder = McpFolder::default();
    let servers = json!({"test": folder.scripted(""), "unwanted": {"command": "true", "disabled": true}});
    let mut server = TestServer::start_with(folder.options(servers, &["--approve", "auto"])).await;
    server.until_tool("test__count").await;
    let mut client = server.connect().await;

    // A client that comes back sends what has no answer yet once more.
    let message = json!({"type": "send-message", "text": "/mcp off test", "messageId": "off"});
    client.send(message.clone()).await;
    client.send(message).await;
    let answer = client.until_type("command-response").await;
    let off = answer["text"].as_str().expect("it was switched");
    assert!(said(&mut client, "/mcp").await.contains("test"));
    let answers = client.frames.iter().filter(|frame| frame["text"] == off && frame["seq"].is_u64());
    assert_eq!(answers.count(), 1, "it has one answer, however often it is sent");

    for part in ["`test` is switched off for all sessions", "its tools are gone", "`/mcp on test`"] {
        assert!(off.contains(part), "no {part:?} in {off}");
    }
    assert_eq!(until(&server, "test", |_| true).await["state"], "off");
    assert_eq!(call(&mut client, "test__count", json!({})).await["started"], false);
    assert!(said(&mut client, "/mcp off test").await.contains("is switched off"));
    for (wrong, says) in [
        ("/mcp restart test", "`/mcp on test` switches it on"),
        ("/mcp on", "Which server?"),
        ("/mcp on tset", "Did you mean `test`?"),
        ("/mcp off unwanted", "turned off in the file"),
        ("/mcp on unwanted", "turned off in the file"),
    ] {
        let answer = client.command(wrong).await;
        assert_eq!(answer["type"], "command-error", "{wrong}: {answer:#}");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains(says)), "{wrong}: {answer:#}");
    }
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect().await;
    assert_eq!(until(&server, "test", |_| true).await["state"], "off");

    assert!(said(&mut client, "/mcp on test").await.contains("`test` is switched on for all sessions"));
    server.until_tool("test__count").await;
    assert_eq!(call(&mut client, "test__count", json!({})).await["success"], true);
}

#[tokio::test]
async fn of_many_switches_at_once_the_last_one_stands_over_a_restart() {
    let folder = McpFolder::default();
    let mut server = folder.start(json!({"test": folder.scripted("")}), &[]).await;
    server.until_tool("test__count").await;

    let switches = (0..24).map(|n| changed(&server, "test", json!({"enabled": n % 3 == 0})));
    let answers = futures_util::future::join_all(switches).await;

    assert!(answers.iter().all(|answer| answer.status == 200));
    // What runs becomes what is kept, before and after a restart.
    let file = server.data().join("mcp-switched-off.json");
    let kept = std::fs::read_to_string(file).expect("it was switched");
    let state = if kept.contains("test") { "off" } else { "ready" };
    until(&server, "test", |server| server["state"] == state).await;
    server.kill().await;
    server.start_again().await;
    until(&server, "test", |server| server["state"] == state).await;
}

#[tokio::test]
async fn exactly_the_definition_that_was_shown_is_approved() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    server.until_tool("test__count").await;
    let mut client = server.connect().await;
    call(&mut client, "test__change", json!({})).await;
    let held = until(&server, "test", |server| server["changed"][0]["tool"] == "test__count").await;
    let shown = held["changed"][0]["definition"].clone();

    // It changes once more while somebody reads.
    call(&mut client, "test__change", json!({})).await;
    let newer = until(&server, "test", |server| server["changed"][0]["definition"] != shown).await;
    let refused = changed(&server, "test", json!({"approve": shown})).await;
    let approved = changed(&server, "test", json!({"approve": newer["changed"][0]["definition"]})).await;

    assert_eq!(refused.status, 409, "{}", refused.text());
    let server_now = &approved.json()["servers"][0];
    assert_eq!((approved.status, &server_now["changed"]), (200, &json!([])));
    assert!(server_now["tools"].as_array().is_some_and(|tools| tools.contains(&json!("test__count"))), "{server_now}");
    assert_eq!(call(&mut client, "test__count", json!({})).await["success"], true);
}

#[tokio::test]
async fn without_servers_the_command_says_how_to_get_some() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    assert!(said(&mut client, "/mcp").await.contains("--mcp FILE"));
}
