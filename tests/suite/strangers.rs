//! Without a token: the server is open to the user it runs as, with nothing to type, and to no other user of the
//! machine. Only root can start programs as somebody else, so only root tests that.

use std::process::Stdio;

use rustix::process::geteuid;
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, request, soon};
use tokio::process::Command;

const TOKEN: &str = "correct-horse-battery";

/// Somebody else: nobody.
const OTHER: &str = "65534";

/// A program as another user.
fn as_other(program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid", OTHER, "--regid", OTHER, "--clear-groups", program]);
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// The status and the body that another user gets.
async fn asked_by_other(address: &str, path: &str, arguments: &[&str]) -> (u16, String) {
    let mut curl = as_other("curl");
    curl.args(["-s", "--noproxy", "*", "--http1.1", "-m", "20", "-w", "\n%{http_code}"]).args(arguments);
    let output = soon("curl", curl.arg(format!("http://{address}{path}")).output()).await.expect("curl is installed");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (body, status) = said.rsplit_once('\n').expect("a status");
    (status.parse().expect("a number"), body.to_owned())
}

const UPGRADE: [&str; 8] = [
    "-H",
    "Connection: Upgrade",
    "-H",
    "Upgrade: websocket",
    "-H",
    "Sec-WebSocket-Version: 13",
    "-H",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

fn is_refused(what: &str, (status, body): &(u16, String)) {
    assert_eq!(*status, 403, "{what}: {body}");
    assert!(body.contains("--auth-token-file FILE") && body.contains("another user"), "{what}: {body}");
}

/// Every way in is closed to another user, and open to the server's own.
async fn only_its_own_user_comes_in(server: &TestServer) {
    let address = server.address();
    for path in ["/", "/api/sessions", "/api/tools", "/api/openapi.json", "/nowhere"] {
        is_refused(path, &asked_by_other(address, path, &[]).await);
    }
    let posts = ["-X", "POST", "-H", "Content-Type: application/json", "-d", "{}"];
    for path in ["/api/sessions", "/api/providers", "/api/login"] {
        is_refused(path, &asked_by_other(address, path, &posts).await);
    }
    is_refused("socket", &asked_by_other(address, "/ws", &UPGRADE).await);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(asked_by_other(address, path, &[]).await.0, 200, "{path} says nothing of anybody");
    }

    assert_eq!(own(address, "/").await.status, 200);
    let listed = own(address, "/api/sessions").await;
    assert_eq!((listed.status, listed.json()["sessions"].as_array().map(Vec::len)), (200, Some(0)));
    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");
}

async fn own(address: &str, path: &str) -> Reply {
    request(address, "GET", path, &[], b"").await
}

#[tokio::test]
async fn without_a_token_the_server_is_open_to_its_own_user_and_to_no_other() {
    if !geteuid().is_root() {
        return;
    }

    only_its_own_user_comes_in(&TestServer::start().await).await;
    let mut server = TestServer::prepare(ServerOptions::auto());
    server.start_on("[::1]:0").await;
    only_its_own_user_comes_in(&server).await;
}

#[tokio::test]
async fn without_netlink_the_table_of_sockets_says_whose_a_connection_is() {
    if !geteuid().is_root() {
        return;
    }

    let server = TestServer::start_with(ServerOptions { without_netlink: true, ..ServerOptions::auto() }).await;

    only_its_own_user_comes_in(&server).await;
    assert!(!server.stderr().contains("every user of this machine"), "{}", server.stderr());
}

#[tokio::test]
async fn where_it_cannot_be_told_all_come_in_and_the_start_warns() {
    if !geteuid().is_root() {
        return;
    }

    let options = ServerOptions { without_netlink: true, without_proc: true, ..ServerOptions::auto() };
    let server = TestServer::start_with(options).await;

    assert_eq!(asked_by_other(server.address(), "/api/sessions", &[]).await.0, 200);
    assert_eq!(own(server.address(), "/api/sessions").await.status, 200);
    let said = server.stderr();
    assert!(said.contains("every user of this machine") && said.contains("--auth-token-file"), "{said}");
}

#[tokio::test]
async fn with_a_token_whoever_has_it_comes_in() {
    let server = TestServer::start_with(ServerOptions::with(&["--auth-token", TOKEN])).await;
    let address = server.address();
    let bearer = format!("Authorization: Bearer {TOKEN}");

    if geteuid().is_root() {
        assert_eq!(asked_by_other(address, "/", &[]).await.0, 200);
        assert_eq!(asked_by_other(address, "/api/sessions", &[]).await.0, 401);
        assert_eq!(asked_by_other(address, "/api/sessions", &["-H", &bearer]).await.0, 200);
    }
    assert_eq!(own(address, "/api/sessions").await.status, 401);
    let bearer = format!("Bearer {TOKEN}");
    let mut client = TestClient::dial(address, "", &[("authorization", &bearer)]).await.expect("the upgrade works");
    assert_eq!(client.next().await["type"], "session-ready");
}

/// A connection that its program let go of before anybody looked is nobody's, and is not answered as the user's.
#[tokio::test]
async fn a_request_of_another_user_who_is_gone_already_is_not_done() {
    if !geteuid().is_root() {
        return;
    }
    let server = TestServer::start().await;
    let (host, port) = server.address().rsplit_once(':').expect("a port");
    let program = format!(
        "import socket\nfor _ in range(200):\n s = socket.create_connection((\"{host}\", {port}))\n \
         s.sendall(b\"POST /api/sessions HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nContent-Length: 0\\r\\n\\r\\n\")\n s.close()"
    );

    let ended = soon("python", as_other("/usr/bin/python3").args(["-c", &program]).status()).await.expect("python");

    assert!(ended.success());
    let listed = own(server.address(), "/api/sessions").await.json();
    assert_eq!(listed["sessions"], serde_json::json!([]));
}
