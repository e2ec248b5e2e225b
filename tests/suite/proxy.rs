//! Behind a real nginx, with the lines that docs/operations.md gives.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use switchboard_tests::{HANG, ServerOptions, TestClient, TestServer, request, soon};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The name that people use.
const NAME: &str = "chat.example.com";

/// A running nginx; ended when dropped.
struct Nginx {
    address: String,
    _child: Child,
    _folder: TempDir,
}

/// The lines of the document, for this server.
fn documented(server: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("docs/operations.md");
    let text = std::fs::read_to_string(path).expect("docs/operations.md");
    let block = text.split("```nginx\n").nth(1).and_then(|rest| rest.split("```").next()).expect("lines for nginx");
    assert!(block.contains("http://127.0.0.1:7878;"), "the lines name the server: {block}");
    block.replace("127.0.0.1:7878", server)
}

fn configuration(folder: &Path, port: u16, server: &str) -> String {
    let folder = folder.display();
    format!(
        "daemon off; master_process off; pid {folder}/pid; error_log stderr;
         events {{ worker_connections 256; }}
         http {{
             access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
             fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
             server {{ listen 127.0.0.1:{port}; server_name {NAME};
             {}
             }}
         }}",
        documented(server)
    )
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its number").port()
}

impl Nginx {
    /// On this port before this server, run by this user if one is given; `None` when somebody else has the port.
    async fn start(port: u16, server: &str, user: Option<u32>) -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        std::os::unix::fs::chown(folder.path(), user, user).expect("the folder is theirs");
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, configuration(folder.path(), port, server)).expect("the configuration is written");
        // Debian has it where only root looks.
        let program = if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
        let mut command = Command::new(program);
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        command.args(["-e", "stderr", "-p"]).arg(folder.path()).arg("-c").arg(&file).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("nginx is installed (Debian's package nginx-light)");
        // It writes its id when it listens.
        let listens = async {
            while !folder.path().join("pid").exists() {
                if child.try_wait().expect("its state").is_some() {
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            true
        };
        if tokio::time::timeout(HANG, listens).await.expect("nginx starts") {
            return Some(Self { address: format!("127.0.0.1:{port}"), _child: child, _folder: folder });
        }
        let output = child.wait_with_output().await.expect("its end");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("Address already in use"), "nginx does not start: {said}");
        None
    }
}

/// A server behind an nginx; it is told its public address if `known`. Without TLS here: that has the proxy's port.
async fn proxied(known: bool, arguments: &[&str]) -> (TestServer, Nginx, String) {
    proxied_by(None, known, arguments).await
}

async fn proxied_by(user: Option<u32>, known: bool, arguments: &[&str]) -> (TestServer, Nginx, String) {
    loop {
        let port = free_port();
        let host = format!("{NAME}:{port}");
        let public = format!("http://{host}");
        let public = if known { vec!["--public-url", &public] } else { Vec::new() };
        let server = TestServer::start_with(ServerOptions::with(&[arguments, &public].concat())).await;
        if let Some(nginx) = Nginx::start(port, server.address(), user).await {
            return (server, nginx, host);
        }
    }
}

#[tokio::test]
async fn a_client_goes_through_the_documented_proxy() {
    let (_server, nginx, host) = proxied(true, &["--approve", "auto"]).await;
    let origin = format!("http://{host}");
    let named = [("Host", host.as_str())];

    let health = request(&nginx.address, "GET", "/healthz", &named, b"").await;
    assert_eq!((health.status, health.text().as_str()), (200, "ok\n"));
    let own = [("Host", host.as_str()), ("Origin", origin.as_str())];
    assert_eq!(request(&nginx.address, "GET", "/api/sessions", &own, b"").await.status, 200);

    let headers = [("host", host.as_str()), ("origin", origin.as_str())];
    let mut client = TestClient::dial(&nginx.address, "", &headers).await.expect("the upgrade works");
    assert_eq!(client.next().await["type"], "session-ready");
    client.ask("Run `echo it-$((40 + 2)); sleep 0.1; echo more`").await.answered().says("it-42");
}

#[tokio::test]
async fn a_foreign_page_is_refused_behind_the_proxy_too() {
    let (_server, nginx, host) = proxied(true, &[]).await;

    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        let headers = [("host", host.as_str()), ("origin", origin)];
        let refused = TestClient::dial(&nginx.address, "", &headers).await.err().map(|error| error.to_string());
        assert!(refused.as_deref().is_some_and(|error| error.contains("403")), "{origin}: {refused:?}");
        let headers = [("Host", host.as_str()), ("Origin", origin)];
        assert_eq!(request(&nginx.address, "GET", "/api/sessions", &headers, b"").await.status, 403, "{origin}");
    }
    let elsewhere = [("Host", "evil.example")];
    assert_eq!(request(&nginx.address, "GET", "/api/sessions", &elsewhere, b"").await.status, 403);
}

#[tokio::test]
async fn without_its_public_address_the_server_does_not_know_the_name() {
    let (_server, nginx, host) = proxied(false, &[]).await;

    let reply = request(&nginx.address, "GET", "/api/sessions", &[("Host", &host)], b"").await;

    assert_eq!(reply.status, 403, "{}", reply.text());
    assert!(reply.text().contains("public-url"), "{}", reply.text());
}

#[tokio::test]
async fn events_come_through_the_proxy_while_the_turn_waits() {
    // The answer is given only when the question was seen: a proxy that keeps events back would hang here.
    let (_server, nginx, host) = proxied(true, &["--approve", "ask"]).await;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join("docs/scripts/ask.py");
    let mut child = Command::new("python3")
        .arg(script)
        .arg("Run `echo it-$((40 + 2))`")
        .env("SWITCHBOARD_URL", format!("http://{}", nginx.address))
        .env("NO_PROXY", "*")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the script starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    tokio::io::AsyncWriteExt::write_all(&mut stdin, b"y\n").await.expect("the answer");

    let output = soon("the end of the script", child.wait_with_output()).await.expect("it ends");

    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && out.contains("it-42"), "{host}: {out}");
}

#[tokio::test]
async fn a_proxy_of_another_user_needs_a_token() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let (_open, nginx, host) = proxied_by(Some(65534), true, &[]).await;
    let named = [("Host", host.as_str())];

    let refused = request(&nginx.address, "GET", "/api/sessions", &named, b"").await;
    let dialled = TestClient::dial(&nginx.address, "", &[("host", &host)]).await.err().map(|error| error.to_string());

    assert_eq!(refused.status, 403);
    let said = refused.text();
    assert!(said.contains("reverse proxy") && said.contains("--auth-token-file FILE"), "{said}");
    assert!(dialled.as_deref().is_some_and(|error| error.contains("403")), "{dialled:?}");
    assert_eq!(request(&nginx.address, "GET", "/healthz", &named, b"").await.status, 200);

    let (_server, nginx, host) = proxied_by(Some(65534), true, &["--auth-token", "correct-horse-battery"]).await;
    let with = [("Host", host.as_str()), ("Authorization", "Bearer correct-horse-battery")];
    assert_eq!(request(&nginx.address, "GET", "/api/sessions", &with, b"").await.status, 200);
}
