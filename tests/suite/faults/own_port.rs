//! N02: a command with the machine's own network (`--command-network host`) reaches what it likes, but never the server
//! that approves its calls. What holds behind the proxy is in `proxied.rs`.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestClient, TestServer};
use tokio::net::TcpListener;

use super::shell::{Ran, Shell};

/// Commands get the machine's own network.
const HOST: [&str; 2] = ["--command-network", "host"];

/// Printed by a command that was heard.
const REACHED: &str = "REACHED";

/// A Python program that sends a request by a socket of this kind, and waits for the first of the answer.
macro_rules! asking {
    ($connect:literal) => {
        concat!(
            "/usr/bin/python3 -c 'import socket\n",
            "ask = b\"GET /healthz HTTP/1.0\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n\"\n",
            "def tcp(family=socket.AF_INET, protocol=0): return socket.socket(family, socket.SOCK_STREAM, protocol)\n",
            "v4, v6 = (\"127.0.0.1\", {port}), (\"::ffff:127.0.0.1\", {port})\n",
            $connect,
            "\n",
            "s.settimeout(10)\n",
            "assert s.recv(4) == b\"HTTP\"'"
        )
    };
}

/// Ways to a port: a name, and the command; `{port}` is filled in.
const WAYS: &[(&str, &str)] = &[
    ("curl", "curl -sf http://127.0.0.1:{port}/healthz"),
    ("curl by a name", "curl -sf --noproxy '*' -H 'Host: 127.0.0.1:{port}' http://localhost:{port}/healthz"),
    (
        "bash",
        "exec 3<>/dev/tcp/127.0.0.1/{port} && printf 'GET /healthz HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n' >&3 && head -c4 <&3",
    ),
    ("TCP", asking!("s = tcp(); s.connect(v4); s.send(ask)")),
    ("every address", asking!("s = tcp(); s.connect((\"0.0.0.0\", {port})); s.send(ask)")),
    ("another loopback", asking!("s = tcp(); s.bind((\"127.0.0.9\", 0)); s.connect(v4); s.send(ask)")),
    ("IPv6", asking!("s = tcp(socket.AF_INET6); s.connect(v6); s.send(ask)")),
    ("fast open", asking!("s = tcp(); s.sendto(ask, socket.MSG_FASTOPEN, v4)")),
    ("fast open with a message", asking!("s = tcp(); s.sendmsg([ask], [], socket.MSG_FASTOPEN, v4)")),
    ("fast open over IPv6", asking!("s = tcp(socket.AF_INET6); s.sendto(ask, socket.MSG_FASTOPEN, v6)")),
    ("fast open as an option", asking!("s = tcp(); s.setsockopt(6, 30, 1); s.connect(v4); s.send(ask)")),
    ("MPTCP", asking!("s = tcp(protocol=262); s.connect(v4); s.send(ask)")),
    ("MPTCP over IPv6", asking!("s = tcp(socket.AF_INET6, 262); s.connect(v6); s.send(ask)")),
    ("MPTCP with fast open", asking!("s = tcp(protocol=262); s.sendto(ask, socket.MSG_FASTOPEN, v4)")),
];

/// Needs what not every kernel or system has, so that nothing is to be said of it where it does not work outside.
fn may_be_missing(way: &str) -> bool {
    way.contains("fast open") || way.contains("MPTCP")
}

async fn try_way(shell: &mut Shell, command: &str, port: &str) -> Ran {
    let command = format!("{} && echo {REACHED}", command.replace("{port}", port));
    let id = shell.begin(json!({"command": command, "network": true})).await;
    shell.end_of(&id).await
}

fn port_of(server: &TestServer) -> String {
    server.address().rsplit(':').next().expect("a port").to_owned()
}

#[tokio::test]
async fn n02_a_command_never_reaches_the_servers_own_port() {
    let mut inside = Shell::start(&HOST).await;
    let mut guarded = Shell::start_with(ServerOptions::with(&["--sandbox", "off", "--approve", "auto"])).await;
    let (own, other) = (port_of(&inside.server), port_of(&guarded.server));
    let mut broken = Vec::new();

    for (name, command) in WAYS {
        // Baseline: without the sandbox the same command reaches this port.
        let outside = try_way(&mut guarded, command, &own).await;
        if !outside.stdout.contains(REACHED) {
            assert!(may_be_missing(name), "{name}: {outside:#?}");
            eprintln!("not tried, because it does not work here: {name}");
            continue;
        }
        let ran = try_way(&mut inside, command, &own).await;
        if ran.stdout.contains(REACHED) || ran.end["started"] != true {
            broken.push(format!("{name}: {:?} {:?}", ran.stdout, ran.stderr));
        }
    }
    let reached = try_way(&mut inside, WAYS[0].1, &other).await;

    assert!(broken.is_empty(), "{broken:#?}");
    assert!(reached.stdout.contains(REACHED), "another port is open: {reached:#?}");
    inside.is_unharmed(&reached).await;
}

#[tokio::test]
async fn n02_what_is_no_tcp_still_works_with_the_network() {
    let mut shell = Shell::start(&HOST).await;
    let listener = TcpListener::bind("[::1]:0").await.expect("a port of IPv6");
    let port = listener.local_addr().expect("an address").port();
    let udp = tokio::net::UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    let asked = udp.local_addr().expect("an address").port();
    let program = format!(
        "import socket\n\
         socket.create_connection((\"::1\", {port}))\n\
         socket.create_server((\"127.0.0.1\", 0))\n\
         socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b\"?\", (\"127.0.0.1\", {asked}))\n\
         socket.getaddrinfo(\"localhost\", 80)\n\
         socket.if_nameindex()"
    );

    let ran = try_way(&mut shell, &format!("/usr/bin/python3 -c '{program}'"), "").await;

    assert!(ran.stdout.contains(REACHED), "{ran:#?}");
}

/// A server with a token, and a session in which commands run.
async fn with_token(mut options: ServerOptions) -> Shell {
    options.arguments.extend(["--auth-token".to_owned(), "correct-horse-battery".to_owned()]);
    let server = TestServer::start_with(options).await;
    let headers = [("authorization", "Bearer correct-horse-battery")];
    let client = TestClient::dial(server.address(), "", &headers).await.expect("the upgrade works");
    Shell { server, client }
}

#[tokio::test]
async fn n02_a_token_opens_the_port_to_no_command() {
    let mut other = Shell::start(&HOST).await;
    let mut own = with_token(ServerOptions::with(&["--approve", "auto", HOST[0], HOST[1]])).await;
    let port = port_of(&own.server);

    // Baseline: a command of another server reaches it.
    assert!(try_way(&mut other, WAYS[0].1, &port).await.stdout.contains(REACHED));
    let ran = try_way(&mut own, WAYS[0].1, &port).await;

    assert!(!ran.stdout.contains(REACHED) && ran.end["started"] == true, "{ran:#?}");
}

#[tokio::test]
async fn n02_a_kernel_without_rules_for_ports_needs_a_token() {
    let without_ports =
        |arguments: &[&str]| ServerOptions { without_landlock_ports: true, ..ServerOptions::with(arguments) };
    let options = |approve: &str| without_ports(&["--approve", approve, HOST[0], HOST[1]]);
    let mut proxied = Shell::start_with(without_ports(&["--approve", "auto"])).await;
    let mut without = Shell::start_with(options("auto")).await;
    let mut asking = Shell::start_with(options("ask")).await;
    let mut with = with_token(options("auto")).await;

    let refused = try_way(&mut without, "true", "").await;
    let unasked = try_way(&mut asking, "true", "").await;
    let ran = try_way(&mut with, "true", "").await;

    for refused in [refused, unasked] {
        let what = (&refused.end["started"], &refused.end["errorType"]);
        assert_eq!(what, (&json!(false), &json!("permission_error")), "{refused:#?}");
        assert!(
            refused.end["suggestion"].as_str().is_some_and(|next| next.contains("--auth-token-file")),
            "{refused:#?}"
        );
    }
    assert_eq!(without.run("true").await.end["success"], true, "without the network it runs");
    assert!(ran.stdout.contains(REACHED), "{ran:#?}");
    let behind = try_way(&mut proxied, "true", "").await;
    assert!(behind.stdout.contains(REACHED), "the proxy needs no rules for ports: {behind:#?}");
}
