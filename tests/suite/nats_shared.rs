//! What servers with one log in NATS and one key share beside their conversations, over real sockets.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use switchboard_store::test_support::NatsServer;
use switchboard_tests::{Answer, McpFolder, Reply, ScriptedLlm, ServerOptions, TestClient, TestServer, request, soon};
use tempfile::{NamedTempFile, TempDir};
use tokio::time::{Duration, sleep};

const TOKEN: &str = "correct-horse-battery";
const SECRET: &str = "k-test-0123456789abcdef";
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// How long to wait before something that tells nobody of its changes is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A file with a key; each number is another one.
fn key_file(number: u8) -> NamedTempFile {
    let file = NamedTempFile::new().expect("a file");
    // 32 bytes as base64.
    fs::write(file.path(), format!("{}A=\n", char::from(b'A' + number).to_string().repeat(42))).expect("written");
    file
}

/// What starts a server with its log in NATS, this key, and nothing of a model but what is chosen.
fn options(nats: &NatsServer, key: &Path, arguments: &[&str]) -> ServerOptions {
    let url = nats.url();
    let key = key.to_str().expect("UTF-8");
    let all = [&["--approve", "auto", "--store", &url, "--cluster-key-file", key], arguments].concat();
    let environment = [("SWITCHBOARD_LLM", "on"), ("OLLAMA_HOST", "127.0.0.1:1")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    ServerOptions { environment, ..ServerOptions::with(&all) }
}

async fn pair(nats: &NatsServer, key: &Path, arguments: &[&str]) -> [TestServer; 2] {
    let first = TestServer::start_with(options(nats, key, arguments)).await;
    [first, TestServer::start_with(options(nats, key, arguments)).await]
}

async fn login(server: &TestServer) -> String {
    let body = json!({"token": TOKEN}).to_string();
    let granted = request(server.address(), "POST", "/api/login", &[JSON], body.as_bytes()).await;
    granted.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned()
}

async fn by_cookie(server: &TestServer, method: &str, path: &str, cookie: &str) -> Reply {
    request(server.address(), method, path, &[("Cookie", cookie)], b"").await
}

#[tokio::test]
async fn who_logs_in_at_one_server_is_known_at_the_other_until_the_login_ends() {
    let (nats, key) = (NatsServer::start(), key_file(0));
    let [first, mut second] = pair(&nats, key.path(), &["--auth-token", TOKEN]).await;
    let (cookie, other) = (login(&first).await, login(&second).await);
    for server in [&first, &second] {
        for cookie in [&cookie, &other] {
            assert_eq!(by_cookie(server, "GET", "/api/sessions", cookie).await.status, 200);
        }
    }
    let dialled = TestClient::dial(second.address(), "", &[("cookie", &cookie)]).await;
    let mut connected = dialled.expect("the upgrade works");
    assert_eq!(connected.next().await["type"], "session-ready");

    assert_eq!(by_cookie(&first, "DELETE", "/api/login", &cookie).await.status, 204);

    assert_eq!(soon("the connection's end", connected.closed()).await.code, 4401);
    assert_eq!(by_cookie(&second, "GET", "/api/sessions", &cookie).await.status, 401);
    assert_eq!(by_cookie(&second, "GET", "/api/sessions", &other).await.status, 200);
    second.kill().await;
    second.start_again().await;
    assert_eq!(by_cookie(&second, "GET", "/api/sessions", &cookie).await.status, 401, "it has ended for good");
    assert_eq!(by_cookie(&second, "GET", "/api/sessions", &other).await.status, 200);
    assert!(!second.data().join("login.key").exists() && !second.data().join("logins.ended").exists());
}

/// How many files in a folder have these words.
fn files_with(folder: &Path, words: &str) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let count = |path: &Path| match path.is_dir() {
        true => files_with(path, words),
        false => {
            let bytes = fs::read(path).unwrap_or_default();
            usize::from(bytes.windows(words.len()).any(|window| window == words.as_bytes()))
        }
    };
    entries.map(|path| count(&path)).sum()
}

#[tokio::test]
async fn a_provider_that_is_chosen_at_one_server_decides_at_the_other_and_its_clients_hear_of_it() {
    let (nats, key) = (NatsServer::start(), key_file(0));
    let llm = ScriptedLlm::start(|_| Answer::text("As the model says.")).await;
    let [first, second] = pair(&nats, key.path(), &["--reasoner", "auto"]).await;
    let mut client = second.connect().await;
    client.ask("What is 6 * 7?").await.answered().says("42");
    let before = llm.count();

    let body = json!({"provider": "compatible", "baseUrl": llm.base_url(), "apiKey": SECRET}).to_string();
    let chosen = request(first.address(), "POST", "/api/providers", &[JSON], body.as_bytes()).await;

    assert_eq!(chosen.status, 200, "{}", chosen.text());
    let is_model = |frame: &Value| frame["type"] == "session-update" && frame["reasoner"]["model"] == "scripted";
    client.until("the other model", is_model).await;
    client.ask("Who decides?").await.answered().says("As the model says.");
    assert!(llm.count() > before + 1);
    assert!(files_with(nats.store(), "meta.kv.models.json") > 0, "it is kept in NATS");
    for folder in [nats.store(), &second.data(), &first.data()] {
        assert_eq!(files_with(folder, SECRET), 0, "{}", folder.display());
    }

    // Gone at one, gone at the other.
    let forgotten = request(second.address(), "DELETE", "/api/providers/compatible", &[], b"").await;
    assert_eq!(forgotten.status, 204, "{}", forgotten.text());
    let is_active = async |server: &TestServer| {
        !request(server.address(), "GET", "/api/providers", &[], b"").await.json()["active"].is_null()
    };
    soon("the other server's model going", async {
        while is_active(&first).await {
            sleep(LOOK_AGAIN).await;
        }
    })
    .await;
}

/// What `/api/mcp` says of the one server, once it fits.
async fn until_mcp(server: &TestServer, fits: impl Fn(&Value) -> bool) -> Value {
    soon("a fitting state of the MCP server", async {
        loop {
            let list = request(server.address(), "GET", "/api/mcp", &[], b"").await.json();
            if fits(&list["servers"][0]) {
                return list["servers"][0].clone();
            }
            sleep(LOOK_AGAIN).await;
        }
    })
    .await
}

async fn change_mcp(server: &TestServer, change: Value) -> u16 {
    request(server.address(), "POST", "/api/mcp/test", &[JSON], change.to_string().as_bytes()).await.status
}

#[tokio::test]
async fn a_tool_that_is_approved_at_one_server_is_there_at_the_other() {
    let (nats, key) = (NatsServer::start(), key_file(0));
    let folder: McpFolder = McpFolder::default();
    let mut servers = Vec::new();
    for _ in 0..2 {
        let with_mcp = folder.options(json!({"test": folder.scripted("")}), &[]);
        let mut options = options(&nats, key.path(), &["--llm", "off"]);
        options.arguments.extend(with_mcp.arguments);
        let server = TestServer::start_with(options).await;
        if servers.is_empty() {
            // Its definition changes, and the other server has that one from the beginning.
            server.until_tool("test__count").await;
            let mut client = server.connect().await;
            client.send(json!({"type": "call-tool", "callId": "c", "tool": "test__change", "arguments": {}})).await;
            client.until_type("tool-call-end").await;
        }
        until_mcp(&server, |server| server["changed"][0]["tool"] == "test__count").await;
        servers.push(server);
    }
    let shown = until_mcp(&servers[0], |server| !server["changed"].is_null()).await;

    let approve = json!({"approve": shown["changed"][0]["definition"]});
    assert_eq!(change_mcp(&servers[0], approve).await, 200);
    until_mcp(&servers[1], |server| server["changed"] == json!([])).await;
    servers[1].until_tool("test__count").await;

    assert_eq!(change_mcp(&servers[1], json!({"enabled": false})).await, 200);
    until_mcp(&servers[0], |server| server["state"] == "off").await;
    assert_eq!(change_mcp(&servers[0], json!({"enabled": true})).await, 200);
    until_mcp(&servers[1], |server| server["state"] == "ready").await;
}

/// What a start says that does not succeed.
async fn refused(options: ServerOptions) -> String {
    let server = TestServer::prepare(options);
    let output = soon("the end of the start", server.command("127.0.0.1:0").output()).await.expect("it is started");
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_server_with_another_key_does_not_start_and_one_without_says_what_it_does_not_share() {
    let (nats, key, other) = (NatsServer::start(), key_file(0), key_file(1));
    let first = TestServer::start_with(options(&nats, key.path(), &["--auth-token", TOKEN])).await;
    let cookie = login(&first).await;

    let said = refused(options(&nats, other.path(), &["--auth-token", TOKEN])).await;
    assert!(
        said.contains("another key than that of --cluster-key-file") && said.contains("nothing was changed"),
        "{said}"
    );
    let no_key: TempDir = tempfile::tempdir().expect("a folder");
    let missing = refused(options(&nats, &no_key.path().join("key"), &[])).await;
    assert!(missing.contains("cannot be used") && missing.contains("openssl rand -base64 32"), "{missing}");
    assert_eq!(by_cookie(&first, "GET", "/api/sessions", &cookie).await.status, 200);

    let alone = ["--store", &nats.url(), "--auth-token", TOKEN];
    let alone = TestServer::start_with(ServerOptions::with(&alone)).await;
    assert_eq!(by_cookie(&alone, "GET", "/api/sessions", &cookie).await.status, 401);
    let said = alone.stderr();
    assert!(said.contains("without --cluster-key-file, this server shares only its conversations"), "{said}");
    assert!(alone.data().join("login.key").exists());
}
