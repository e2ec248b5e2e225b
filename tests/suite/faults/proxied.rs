//! A command with the network, behind the server's proxy: what it reaches, what it never does, who is asked, and what is
//! left when it ends.

use std::io::Read;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, Turn, WebServer, page, soon};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::shell::{Ran, Shell};

/// Has curl ask the proxy for hosts of loopback too, which it would look for inside otherwise.
const CURL: &str = "curl -sS --max-time 20 --noproxy ''";

async fn web() -> WebServer {
    WebServer::start(|_| page("text/plain", "reached")).await
}

/// A server whose commands may reach these, and a session in which they run unasked.
async fn shell(allowed: &str, more: &[&str]) -> Shell {
    Shell::start(&[&["--web-allow-local", allowed], more].concat()).await
}

async fn networked(shell: &mut Shell, command: &str) -> Ran {
    let id = shell.begin(json!({"command": command, "network": true, "timeout": 50})).await;
    shell.end_of(&id).await
}

/// What a command says that asks the proxy for an address: the status, and what came.
async fn status(shell: &mut Shell, url: &str) -> String {
    let ran = networked(shell, &format!("{CURL} -o /dev/null -w '%{{http_connect}} %{{http_code}}' {url}")).await;
    ran.stdout.trim().trim_start_matches("000 ").to_owned()
}

/// A Python program that asks for a page through the proxy by SOCKS5.
const SOCKS: &str = "/usr/bin/python3 -c 'import socket\n\
    s = socket.create_connection((\"127.0.0.1\", 3128)); s.settimeout(20)\n\
    s.sendall(bytes([5, 1, 0])); assert s.recv(2) == bytes([5, 0])\n\
    s.sendall(bytes([5, 1, 0, 3, 9]) + b\"127.0.0.1\" + ({port}).to_bytes(2, \"big\"))\n\
    print(\"reply\", s.recv(10)[1])\n\
    s.sendall(b\"GET / HTTP/1.0\\r\\n\\r\\n\")\n\
    print(s.makefile().read().splitlines()[-1:])'";

#[tokio::test]
async fn pages_are_reached_by_every_language_and_shown_on_the_card() {
    let (web, other) = (web().await, web().await);
    let mut shell = shell(&web.address(), &[]).await;
    let (url, port) = (web.url("/x"), web.port());

    let plain = networked(&mut shell, &format!("{CURL} {url}")).await;
    let tunnel = networked(&mut shell, &format!("{CURL} --proxytunnel {url}")).await;
    let socks = networked(&mut shell, &SOCKS.replace("{port}", &port.to_string())).await;
    let both = networked(&mut shell, &format!("{CURL} {url} {}", other.url("/"))).await;

    assert_eq!((plain.stdout.as_str(), tunnel.stdout.as_str()), ("reached", "reached"), "{plain:#?} {tunnel:#?}");
    assert_eq!(socks.stdout, "reply 0\n['reached']\n", "{socks:#?}");
    let field = |ran: &Ran, web: &WebServer| {
        ran.end["fields"][format!("network {}", web.address())].as_str().unwrap_or_default().to_owned()
    };
    assert!(field(&plain, &web).starts_with("1 connection, "), "{:#}", plain.end);
    assert!(field(&both, &other).starts_with("denied: this address is refused"), "{:#}", both.end);
    let value = shell.value(&both).await;
    let denied = value["network"].as_array().expect("connections").iter().find(|entry| entry["port"] == other.port());
    assert!(denied.is_some_and(|entry| entry["denied"].is_string() && entry["connections"] == 0), "{value:#}");
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn there_is_no_way_beside_the_proxy() {
    let web = web().await;
    let udp = tokio::net::UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    let mut shell = shell(&web.address(), &[]).await;
    let mut host = shell_of_the_machine(&web.address()).await;
    let asked = udp.local_addr().expect("an address").port();
    let (port, ask) =
        (web.port(), format!("import socket; s = socket.socket(2, 2); s.sendto(b\"?\", (\"127.0.0.1\", {asked}))"));
    for way in [
        format!("curl -sS --max-time 10 --noproxy '*' {}", web.url("/")),
        format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached"),
        format!("/usr/bin/python3 -c '{ask}'; sleep 0.2; echo reached"),
    ] {
        // Baseline: with the machine's own network it works.
        let outside = networked(&mut host, &way).await;
        let inside = networked(&mut shell, &way).await;
        assert!(outside.stdout.contains("reached"), "{way}: {outside:#?}");
        if way.contains("socket(2, 2)") {
            let mut bytes = [0; 8];
            assert_eq!(udp.try_recv(&mut bytes).ok(), Some(1), "the baseline's");
            assert!(udp.try_recv(&mut bytes).is_err(), "nothing of the other's comes out");
        } else {
            assert!(!inside.stdout.contains("reached"), "{way}: {inside:#?}");
        }
    }
    let interfaces = networked(&mut shell, "/usr/bin/python3 -c 'import socket; print(socket.if_nameindex())'").await;
    assert_eq!(interfaces.stdout, "[(1, 'lo')]\n");
}

async fn shell_of_the_machine(allowed: &str) -> Shell {
    shell(allowed, &["--command-network", "host"]).await
}

#[tokio::test]
async fn the_server_and_the_local_network_are_never_reached() {
    let web = web().await;
    // All ports of the host are listed, and so is the name.
    let mut shell = shell("127.0.0.1,localhost", &[]).await;
    let own = shell.server.address().rsplit(':').next().expect("a port").to_owned();
    let other = web.port();
    assert_eq!(status(&mut shell, &format!("http://127.0.0.1:{other}/")).await, "200", "another port is open");
    assert_eq!(status(&mut shell, &format!("http://localhost:{other}/")).await, "200", "by a name, too");

    for host in ["127.0.0.1", "localhost", "2130706433"] {
        let url = format!("http://{host}:{own}/healthz");
        assert_eq!(status(&mut shell, &url).await, "403", "{url}");
    }
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://192.168.0.1/",
        "http://[::1]:8080/",
        "http://0.0.0.0:8080/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://127.0.0.1:25/",
    ] {
        assert_eq!(status(&mut shell, url).await, "403", "{url}");
    }
    let said = networked(&mut shell, &format!("{CURL} http://127.0.0.1:{own}/healthz")).await;
    assert_eq!(said.stdout, "Switchboard: this is the server's own port\n");
    let tunnel = networked(&mut shell, &format!("{CURL} --proxytunnel http://127.0.0.1:{own}/healthz; echo $?")).await;
    assert!(tunnel.stdout.trim().ends_with("56") && tunnel.stderr.contains("403"), "{tunnel:#?}");
    shell.is_unharmed(&tunnel).await;
}

/// A session whose user is asked, and a command of it that was allowed.
struct Asking {
    server: TestServer,
    client: TestClient,
}

impl Asking {
    async fn start(allowed: &str, more: &[&str]) -> Self {
        let arguments = [&["--web-allow-local", allowed, "--allow", "bash(network=true)"], more].concat();
        let server = TestServer::start_with(ServerOptions::with(&arguments)).await;
        let client = server.connect().await;
        Self { server, client }
    }

    async fn begin(&mut self, command: &str) -> String {
        let arguments = json!({"command": command, "network": true, "timeout": 50});
        self.client.post(&format!("Call bash with {arguments}")).await
    }

    async fn question(&mut self) -> Value {
        self.client.until_type("user-query").await
    }

    async fn answer(&mut self, query: &Value, answer: &str) {
        self.client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
    }
}

/// How many questions a turn had, and what its command put out.
fn asked_and_said(turn: &Turn) -> (usize, String) {
    let queries = turn.frames.iter().filter(|frame| frame["type"] == "user-query").count();
    let chunks = turn.frames.iter().filter(|frame| frame["type"] == "tool-output-chunk" && frame["stream"] == "stdout");
    (queries, chunks.filter_map(|frame| frame["chunk"].as_str()).collect())
}

#[tokio::test]
async fn a_new_domain_is_asked_about_once_in_a_call() {
    let web = web().await;
    let mut asking = Asking::start(&web.address(), &[]).await;
    let url = web.url("/");
    let many = format!("for n in 1 2 3 4 5 6 7 8; do {CURL} {url} & done; wait; echo; {CURL} {url}");

    let turn = asking.begin(&many).await;
    let query = asking.question().await;
    assert!(web.requests().is_empty(), "it waits for the answer");
    asking.answer(&query, "allow-once").await;
    let once = asking.client.end_of(&turn).await;
    let turn = asking.begin(&format!("{CURL} {url}")).await;
    let again = asking.question().await;
    asking.answer(&again, "deny").await;
    let denied = asking.client.end_of(&turn).await;

    assert_eq!((&query["kind"], &query["callId"]), (&json!("network"), &once.first("tool-call-start")["callId"]));
    assert!(query["message"].as_str().is_some_and(|text| text.contains("127.0.0.1 (port ")), "{query:#}");
    assert_eq!(asked_and_said(&once), (1, format!("{}\nreached", "reached".repeat(8))));
    assert_eq!(asked_and_said(&denied), (1, "Switchboard: the user did not allow it\n".to_owned()));
    assert_eq!(web.requests().len(), 9);
}

#[tokio::test]
async fn f05_a_question_about_the_network_is_asked_anew_when_its_command_runs_again_after_a_crash() {
    let web = web().await;
    let mut asking = Asking::start(&web.address(), &[]).await;
    let turn = asking.begin(&format!("{CURL} {}", web.url("/"))).await;
    asking.question().await;

    asking.server.kill().await;
    asking.server.start_again().await;
    asking.client = asking.server.connect_to(asking.client.session(), asking.client.last_seq()).await;
    let pending = asking.client.ready["pending"].as_array().cloned().unwrap_or_default();
    assert_eq!(pending.iter().map(|asked| &asked["kind"]).collect::<Vec<_>>(), ["outcome"], "{pending:#?}");
    asking.answer(&pending[0], "retry").await;
    let query = asking.client.until("the question", |frame| frame["kind"] == "network").await;
    asking.answer(&query, "allow-once").await;
    let turn = asking.client.end_of(&turn).await.answered();

    assert_eq!((asked_and_said(&turn).1.as_str(), web.requests().len()), ("reached", 1));
}

#[tokio::test]
async fn an_answer_for_the_session_is_a_rule_that_can_be_removed() {
    let web = web().await;
    let mut asking = Asking::start(&web.address(), &[]).await;
    let get = format!("{CURL} {}", web.url("/"));

    let turn = asking.begin(&get).await;
    let query = asking.question().await;
    asking.answer(&query, "allow-session").await;
    let first = asking.client.end_of(&turn).await;
    let turn = asking.begin(&format!("{get} -o /dev/stdout")).await;
    let second = asking.client.end_of(&turn).await;
    asking.server.kill().await;
    asking.server.start_again().await;
    let session = asking.client.session();
    asking.client = asking.server.connect_to(session, 0).await;
    let turn = asking.begin(&format!("{get} -s")).await;
    let third = asking.client.end_of(&turn).await;
    let rules = asking.client.command("/permissions").await["text"].to_string();
    asking.client.command("/permissions remove 2").await;
    let turn = asking.begin(&format!("{get} -S")).await;
    let query = asking.question().await;
    asking.answer(&query, "deny").await;
    let fourth = asking.client.end_of(&turn).await;

    let asked = [first, second, third, fourth].map(|turn| asked_and_said(&turn).0);
    assert_eq!(asked, [1, 0, 0, 1]);
    assert!(rules.contains("2. allow `network(127.0.0.1)`: of this session"), "{rules}");
}

#[tokio::test]
async fn rules_and_modes_decide_without_a_question() {
    let web = web().await;
    let get = format!("{CURL} {}", web.url("/"));
    for (arguments, reached) in [
        (&["--allow", "network(127.0.0.1)"][..], true),
        (&["--approve", "deny", "--allow", "network(127.0.*)"], true),
        (&["--approve", "deny"], false),
        (&["--approve", "auto"], true),
        (&["--approve", "auto", "--deny", "network(127.0.0.1)"], false),
        (&["--approve", "auto", "--deny", "network"], false),
        (&["--allow", "network(127.0.0.*)", "--deny", "network(127.0.0.1)"], false),
    ] {
        let mut asking = Asking::start(&web.address(), arguments).await;
        let turn = asking.begin(&get).await;
        let turn = asking.client.end_of(&turn).await;
        let (asked, said) = asked_and_said(&turn);
        assert_eq!((asked, said == "reached"), (0, reached), "{arguments:?}: {said}");
    }
}

#[tokio::test]
async fn cancelling_a_command_ends_its_connections_and_its_question() {
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = silent.local_addr().expect("an address").to_string();
    let mut shell = shell(&address, &[]).await;
    let id = shell.begin(json!({"command": format!("{CURL} http://{address}/"), "network": true, "timeout": 50})).await;
    let (mut connection, _) = soon("the connection", silent.accept()).await.expect("it comes");
    let mut bytes = vec![0; 4096];
    assert!(connection.read(&mut bytes).await.expect("a request") > 0);
    connection.write_all(b"HTTP/1.1 200 OK\r\n").await.expect("half an answer");

    shell.client.send(json!({"type": "cancel"})).await;
    let ran = shell.end_of(&id).await;

    assert_eq!(ran.end["success"], false, "{ran:#?}");
    let end = soon("its end", connection.read(&mut bytes)).await;
    assert!(matches!(end, Ok(0) | Err(_)), "{end:?}");

    let mut asking = Asking::start(&address, &[]).await;
    // The command gives up before anybody answers.
    let turn = asking.begin(&format!("curl -sS --max-time 1 --noproxy '' http://{address}/")).await;
    let turn = asking.client.end_of(&turn).await;
    assert!(turn.first("query-resolved")["answer"].is_null(), "the question is withdrawn");
    assert_eq!(asking.server.connect_to(asking.client.session(), 0).await.ready["pending"], json!([]));
}

/// A git server with one repository, served by `git http-backend`.
struct GitServer {
    process: Child,
    port: u16,
    _folder: TempDir,
}

const GIT_SERVER: &str = r#"
import http.server, os, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    def serve(self):
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        environment = dict(os.environ, GIT_PROJECT_ROOT=sys.argv[1], GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
            QUERY_STRING=query, REQUEST_METHOD=self.command, CONTENT_TYPE=self.headers.get("Content-Type", ""),
            CONTENT_LENGTH=str(len(body)), HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=self.headers.get("Git-Protocol", ""), REMOTE_ADDR="127.0.0.1")
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        status = [line.split(" ")[1] for line in lines if line.startswith("Status:")]
        self.send_response(int(status[0]) if status else 200)
        for line in lines:
            name, _, value = line.partition(": ")
            if name and name != "Status": self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
    do_GET = do_POST = serve
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"#;

impl GitServer {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let make = "git init -q --bare one.git && git init -q work && cd work && echo 42 > answer && git add answer && \
                    git -c user.name=a -c user.email=a@b.example commit -qm one && git push -q ../one.git HEAD:main && \
                    git --git-dir ../one.git symbolic-ref HEAD refs/heads/main && git --git-dir ../one.git config safe.directory '*'";
        let made = Command::new("bash").args(["-ec", make]).current_dir(folder.path()).status().expect("git runs");
        assert!(made.success());
        let mut server = Command::new("/usr/bin/python3");
        let server = server.args(["-c", GIT_SERVER]).arg(folder.path()).stdout(Stdio::piped());
        let mut process = server.spawn().expect("it starts");
        let mut said = [0; 16];
        let count = process.stdout.as_mut().expect("its output").read(&mut said).expect("its port");
        let port = String::from_utf8_lossy(&said[..count]).trim().parse().expect("a port");
        Self { process, port, _folder: folder }
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn git_clones_over_the_proxy() {
    let git = GitServer::start();
    let mut shell = shell(&format!("127.0.0.1:{}", git.port), &[]).await;
    let clone =
        format!("unset no_proxy NO_PROXY; git clone -q http://127.0.0.1:{}/one.git c && cat c/answer", git.port);

    let ran = networked(&mut shell, &clone).await;
    let refused = networked(&mut shell, "unset no_proxy NO_PROXY; git clone -q http://127.0.0.1:1/one.git d").await;

    assert_eq!(ran.stdout, "42\n", "{ran:#?}");
    assert!(refused.stderr.contains("403"), "git says why: {refused:#?}");
    assert_eq!(refused.end["success"], false);
}

#[tokio::test]
async fn the_question_about_the_command_says_which_network_it_gets() {
    for (arguments, says) in [
        (&[][..], "through a proxy that asks about each new domain"),
        (&["--command-network", "host"], "of this machine, local addresses included"),
    ] {
        let server = TestServer::start_with(ServerOptions::with(arguments)).await;
        let mut client = server.connect().await;
        client.post("Call bash with {\"command\": \"true\", \"network\": true}").await;
        let asked = client.until_type("approval-request").await;
        assert!(asked["reason"].as_str().is_some_and(|reason| reason.contains(says)), "{asked:#}");
    }
}
