//! Rules: what they allow, ask about and deny, where they come from, and that they hold.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};

/// A server that has these settings.
async fn with_settings(settings: &str, arguments: &[&str]) -> TestServer {
    let mut server = TestServer::prepare(ServerOptions::with(arguments));
    std::fs::write(server.settings(), settings).expect("the settings are written");
    server.start_again().await;
    server
}

async fn call(client: &mut TestClient, tool: &str, arguments: Value) -> Value {
    let id = uuid::Uuid::new_v4().to_string();
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id.as_str()).await
}

fn text(frame: &Value) -> &str {
    frame["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn what_a_rule_allows_is_not_asked_and_what_else_is() {
    let settings = "allow = [\n  \"bash(echo *)\",\n  \"file_write(docs/**)\",\n]\n";
    let server = with_settings(settings, &[]).await;
    let mut client = server.connect().await;

    let echoed = client.ask("Run `echo one && echo two`").await.answered().says("two");
    let written = client.ask("Write \"a\" to docs/a.txt").await.answered();
    let asked = client.post("Run `echo one; touch trace`").await;
    let request = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny"})).await;
    client.end_of(&asked).await.failed("tool-failed");
    client.post("Write \"b\" to src/b.txt").await;
    let other = client.until("another question", |f| f["type"] == "approval-request" && f != &request).await;

    assert!(echoed.all("approval-request").is_empty() && written.all("approval-request").is_empty());
    assert_eq!(server.content("docs/a.txt"), "a");
    assert!(!server.workspace().join("trace").exists());
    assert_eq!(other["arguments"]["path"], "src/b.txt");
}

#[tokio::test]
async fn a_deny_rule_holds_in_every_mode_and_for_the_users_own_calls() {
    for mode in ["ask", "auto", "deny"] {
        let settings = "deny = [\"bash(touch *)\"]\nallow = [\"bash\"]\n";
        let server = with_settings(settings, &["--approve", mode]).await;
        let mut client = server.connect().await;

        client.ask("Run `echo allowed`").await.answered().says("allowed");
        let denied = client.ask("Run `echo a && touch trace`").await.failed("tool-failed");
        let own = call(&mut client, "bash", json!({"command": "touch trace"})).await;

        assert!(denied.all("approval-request").is_empty(), "{mode}");
        let end = denied.first("tool-call-end");
        for end in [end, &own] {
            assert_eq!((&end["started"], &end["errorType"]), (&json!(false), &json!("permission_error")), "{mode}");
            assert!(
                end["error"].as_str().is_some_and(|error| error.contains("`bash(touch *)` in the settings")),
                "{end:#}"
            );
        }
        assert!(!server.workspace().join("trace").exists(), "{mode}");
    }
}

#[tokio::test]
async fn an_edit_does_not_slip_past_a_deny_rule() {
    let server = with_settings("deny = [\"bash(touch *)\"]\n", &[]).await;
    let mut client = server.connect().await;
    let turn = client.post("Run `echo harmless`").await;
    let request = client.until_type("approval-request").await;

    client
        .send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "allow-once",
            "arguments": {"command": "touch trace"}}))
        .await;
    let turn = client.end_of(&turn).await.failed("tool-failed");

    assert_eq!(turn.first("tool-call-end")["errorType"], "permission_error");
    assert!(!server.workspace().join("trace").exists());
}

#[tokio::test]
async fn files_that_a_rule_denies_are_closed_to_every_tool() {
    let settings = "deny = [\"file_read(.env)\", \"file_write(docs/**)\"]\n";
    let server = with_settings(settings, &["--approve", "auto"]).await;
    for (path, content) in [("sub/.env", "KEY=hidden-value"), ("docs/a.md", "readable"), ("sub/b.txt", "readable")] {
        server.file(path, content);
    }
    std::os::unix::fs::symlink("sub/.env", server.workspace().join("link")).expect("a link");
    let mut client = server.connect().await;

    for (tool, arguments) in [
        ("file_read", json!({"path": "sub/.env"})),
        ("file_read", json!({"path": "link"})),
        ("grep", json!({"pattern": "KEY", "path": "."})),
        ("bash", json!({"command": "cat sub/.env"})),
        ("bash", json!({"command": "cat link; head -c 20 sub/.e*; cp sub/.env sub/copy; cat sub/copy"})),
        ("bash", json!({"command": "ln sub/.env docs/hard; mv sub away; cat away/.env; cat docs/hard"})),
    ] {
        let end = call(&mut client, tool, arguments.clone()).await;
        assert!(!end.to_string().contains("hidden-value"), "{tool} {arguments}: {end:#}");
    }
    for (tool, arguments) in [
        ("file_write", json!({"path": "docs/a.md", "content": "changed"})),
        ("bash", json!({"command": "echo changed > docs/a.md"})),
        ("bash", json!({"command": "rm docs/a.md"})),
    ] {
        let end = call(&mut client, tool, arguments.clone()).await;
        assert_eq!(end["success"], false, "{tool} {arguments}: {end:#}");
    }
    assert_eq!(server.content("docs/a.md"), "readable");
    let read = call(&mut client, "bash", json!({"command": "cat docs/a.md sub/b.txt && echo new > sub/b.txt"})).await;
    assert_eq!(read["success"], true, "{read:#}");
    assert_eq!(server.content("sub/b.txt"), "new\n");
    let log = client.frames.iter().map(ToString::to_string).collect::<String>();
    assert!(!log.contains("hidden-value"));
}

#[tokio::test]
async fn a_rule_that_can_never_match_stops_the_start_with_its_place() {
    for (settings, said) in [
        (
            "log = \"info\"\nallow = [\n  \"file_raed\",\n]\n",
            "settings.toml:3: allow: the rule \"file_raed\" can never match: there is no tool \"file_raed\"; did you mean \"file_read\"?",
        ),
        ("deny = [\"file_read(/etc/passwd)\"]\n", "settings.toml:1: deny: "),
        (
            "allow = [\"bash(git push*)\"]\ndeny = [\"bash\"]\n",
            "the rule \"bash\" of `deny` takes precedence over all of it",
        ),
        ("ask = [\"risk:danger\"]\n", "settings.toml:1: ask: "),
    ] {
        let server = TestServer::prepare(ServerOptions::default());
        std::fs::write(server.settings(), settings).expect("the settings are written");

        let output = server.command("127.0.0.1:0").output().await.expect("the server ends");

        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{settings}");
        assert!(stderr.contains(said), "{settings}: {stderr}");
    }
}

#[tokio::test]
async fn rules_are_read_again_at_sighup_and_wrong_ones_change_nothing() {
    let server = with_settings("deny = [\"bash(touch *)\"]\n", &["--approve", "auto"]).await;
    let mut client = server.connect().await;
    let before = call(&mut client, "bash", json!({"command": "touch first"})).await;

    std::fs::write(server.settings(), "deny = [\"bash(tuch\"]\n").expect("written");
    server.signal(rustix::process::Signal::HUP);
    said(&server, "settings not reloaded").await;
    let still = call(&mut client, "bash", json!({"command": "touch second"})).await;
    std::fs::write(server.settings(), "deny = [\"bash(mkdir *)\"]\n").expect("written");
    server.signal(rustix::process::Signal::HUP);
    said(&server, "settings reloaded").await;
    let after = call(&mut client, "bash", json!({"command": "touch third"})).await;
    let other = call(&mut client, "bash", json!({"command": "mkdir folder"})).await;

    let worked = [&before, &still, &after, &other].map(|end| end["success"] == true);
    assert_eq!(worked, [false, false, true, false]);
}

/// Waits until the server has logged this.
async fn said(server: &TestServer, what: &str) {
    switchboard_tests::soon(what, async {
        while !server.stderr().contains(what) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_rules_of_the_settings_are_listed_over_http_without_the_servers_folders() {
    let server =
        with_settings("ask = [\"file_read(*.pem)\"]\n", &["--approve", "deny", "--deny", "bash(git push *)"]).await;

    let answer = request(server.address(), "GET", "/api/permissions", &[], b"").await;
    let text = answer.text();
    let list = answer.json();
    let wrong = request(server.address(), "GET", "/api/permissions?session=1", &[], b"").await;

    assert_eq!(list["mode"], "deny");
    let rules = list["rules"].as_array().expect("rules");
    assert!(
        rules.contains(&json!({"effect": "ask", "rule": "file_read(*.pem)", "place": "settings.toml:1"})),
        "{text}"
    );
    assert!(rules.contains(&json!({"effect": "deny", "rule": "bash(git push *)", "place": "--deny"})), "{text}");
    let folder = server.data().parent().expect("a folder").display().to_string();
    assert!(!text.contains(&folder), "{text}");
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn a_session_has_rules_of_its_own_that_outlive_the_server() {
    let mut server = with_settings("deny = [\"bash(touch *)\"]\n", &[]).await;
    let mut client = server.connect().await;

    let added = client.command("/permissions allow bash(echo *)").await;
    let unasked = client.ask("Run `echo by-rule`").await.answered().says("by-rule");
    let session = client.session();
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(session, client.last_seq()).await;
    let listed = client.command("/permissions").await;
    let again = client.ask("Run `echo after-restart`").await.answered().says("after-restart");
    let settings = client.command("/permissions remove 1").await;
    let removed = client.command("/permissions remove 2").await;
    client.post("Run `echo asked`").await;
    let request = client.until_type("approval-request").await;

    assert_eq!(added["type"], "command-response", "{added:#}");
    assert!(unasked.all("approval-request").is_empty() && again.all("approval-request").is_empty());
    for part in
        ["1. deny `bash(touch *)`: in the settings (settings.toml:1)", "2. allow `bash(echo *)`: of this session"]
    {
        assert!(text(&listed).contains(part), "no {part:?} in {listed:#}");
    }
    assert_eq!(settings["type"], "command-error");
    assert!(text(&settings).contains("change it there"), "{settings:#}");
    assert_eq!(removed["type"], "command-response", "{removed:#}");
    assert_eq!(request["arguments"]["command"], "echo asked");
}

#[tokio::test]
async fn what_was_allowed_for_the_session_is_listed_and_taken_back() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let turn = client.post("Write \"one\" to a.txt").await;
    let request = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "allow-session"})).await;
    client.end_of(&turn).await.answered();

    let listed = client.command("/permissions").await;
    let removed = client.command("/permissions remove 1").await;
    client.post("Write \"two\" to b.txt").await;
    let again =
        client.until("another question", |f| f["type"] == "approval-request" && f["callId"] != request["callId"]).await;

    assert_eq!(
        request["covers"],
        "every call of file_write for files directly in the workspace's folder in this session"
    );
    assert!(
        text(&listed)
            .contains("1. allow every call of file_write for files directly in the workspace's folder in this session"),
        "{listed:#}"
    );
    assert_eq!(removed["type"], "command-response", "{removed:#}");
    assert_eq!(again["tool"], "file_write");
}

#[tokio::test]
async fn wrong_rules_of_a_session_are_told_with_what_would_be_right() {
    let server = with_settings("deny = [\"bash(git push *)\"]\n", &["--approve", "deny"]).await;
    let mut client = server.connect().await;

    for (command, says) in [
        ("/permissions allow bash", "`--approve deny`"),
        ("/permissions deny", "Say which rule"),
        ("/permissions alow bash", "Did you mean `allow`?"),
        ("/permissions deny file_raed", "did you mean \"file_read\"?"),
        ("/permissions ask bash(git push origin)", "takes precedence over all of it"),
        ("/permissions remove 7", "a number from 1 to 1"),
    ] {
        let answer = client.command(command).await;
        assert_eq!(answer["type"], "command-error", "{command}: {answer:#}");
        assert!(text(&answer).contains(says), "{command}: no {says:?} in {answer:#}");
    }
}
