//! What the client reaches, and that it reaches nothing else: each refusal beside the same way without the guard.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::future::BoxFuture;
use reqwest::dns::Resolve;
use std::io::{Read as _, Write as _};
use switchboard_protocol::ErrorType;

use super::resolver::{GuardedResolver, Lookup};
use super::test_support::{WebServer, answer, ok, path, to};
use super::{LocalHosts, Page, Received, WebClient, WebLimits, parse};
use crate::error::WebError;

fn client(local: &str) -> WebClient {
    WebClient::new(local.parse().expect("a list"), WebLimits::default())
}

async fn fetch(client: &WebClient, url: &str) -> Result<Page, WebError> {
    client.fetch(parse(url)?, &Received::default()).await
}

/// A client without the guard.
fn plain_client() -> reqwest::Client {
    crate::http_client().no_proxy().build().expect("a client")
}

async fn refusal(client: &WebClient, url: &str) -> String {
    let failure = fetch(client, url).await.expect_err(url);
    assert_eq!(failure.error_type, ErrorType::Security, "{url}: {}", failure.message);
    failure.message
}

/// A resolver that gives one answer after the other.
struct Scripted(Mutex<VecDeque<Vec<SocketAddr>>>);

impl Scripted {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let answers =
            answers.iter().map(|answer| answer.iter().map(|text| text.parse().expect("an address")).collect());
        Arc::new(Self(Mutex::new(answers.collect())))
    }
}

impl Lookup for Scripted {
    fn lookup(&self, _name: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        let answer = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move { answer.ok_or_else(|| io::Error::other("no more answers")) })
    }
}

#[tokio::test]
async fn a_listed_host_is_reached() {
    let server = WebServer::start(|_| ok("text/plain", "hello")).await;
    let client = client(&server.address().to_string());

    let page = fetch(&client, &server.url("/page?x=1")).await.expect("it is listed");

    assert_eq!((page.status, page.body.as_slice(), page.redirects), (200, &b"hello"[..], 0));
    assert_eq!(page.content_type.as_deref(), Some("text/plain"));
    assert!(server.requests()[0].starts_with("GET /page?x=1 HTTP/1.1\r\n"));
}

#[tokio::test]
async fn g24_addresses_of_the_own_network_are_refused_in_every_notation() {
    let server = WebServer::start(|_| ok("text/plain", "reached")).await;
    let port = server.address().port();
    let guarded = client("");
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "017700000001",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "0.0.0.0",
        "[::]",
        "[::1]",
        "localhost",
        "LOCALHOST.",
        "x.localhost",
        "127.0.0.1.",
        "①②⑦.0.0.1",
    ] {
        refusal(&guarded, &format!("http://{host}:{port}/")).await;
    }
    assert_eq!(server.connections(), 0);

    // Baseline: the same without the guard gets there by each of these.
    let mut reached = 0;
    for host in
        ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "017700000001", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost"]
    {
        let answer = plain_client().get(format!("http://{host}:{port}/")).send().await;
        reached += usize::from(answer.is_ok_and(|answer| answer.status() == 200));
    }
    assert!(reached >= 6, "only {reached} ways lead there without the guard");
}

/// What a client without the guard gets. Its requests go to a proxy of the test's own, which stands for the network.
async fn sent_plainly(url: &str) -> String {
    let network = WebServer::start(|_| ok("text/plain", "everything")).await;
    let proxy = reqwest::Proxy::all(network.url("/")).expect("an address");
    let unguarded = crate::http_client().proxy(proxy).build().expect("a client");
    let answer = unguarded.get(url).send().await.expect("it is sent");
    answer.text().await.expect("a body")
}

#[tokio::test]
async fn g24_private_and_metadata_addresses_and_names_are_refused() {
    // Baseline: each of them is asked, if nothing is in the way.
    let guarded = client("");
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://[fd00:ec2::254]/",
        "http://100.64.0.1/",
        "http://100.100.100.200/",
        "http://10.0.0.1/",
        "http://192.168.0.1/",
        "http://172.16.5.4/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://168.63.129.16/",
        "http://printer.local/",
        "http://router.lan/",
    ] {
        refusal(&guarded, url).await;
        assert_eq!(sent_plainly(url).await, "everything", "{url}");
    }
}

#[tokio::test]
async fn g24_other_schemes_users_and_ports_are_refused() {
    let guarded = client("");
    for (url, says) in [
        ("file:///etc/passwd", "file"),
        ("gopher://example.com/", "gopher"),
        ("unix:/run/docker.sock", "unix"),
        ("ftp://example.com/", "ftp"),
        ("data:text/plain,x", "data"),
        ("http://a@127.0.0.1/", "user name"),
        ("http://a:b@example.com/", "password"),
        ("http://example.com:22/", "port 22"),
        ("http://example.com:25/", "port 25"),
        ("https://example.com:6379/", "port 6379"),
    ] {
        let said = refusal(&guarded, url).await;
        assert!(said.contains(says), "{url}: {said}");
    }
    // Baseline: a library that takes every address opens files, and any client dials any port with any name.
    let library = "import urllib.request; print(urllib.request.urlopen('file:///etc/passwd').read().decode())";
    let opened = std::process::Command::new("python3").args(["-c", library]).output().expect("python3 runs");
    assert!(String::from_utf8_lossy(&opened.stdout).contains("root:"), "{opened:?}");
    for url in ["http://example.com:22/", "http://example.com:25/", "http://a:b@example.com/"] {
        assert_eq!(sent_plainly(url).await, "everything", "{url}");
    }
    let failure = fetch(&guarded, "no address").await.expect_err("no URL");
    assert_eq!(failure.error_type, ErrorType::Validation);
}

#[tokio::test]
async fn g24_a_redirect_does_not_lead_into_the_own_network() {
    let secret = WebServer::start(|_| ok("text/plain", "secret")).await;
    let (target, port) = (secret.url("/"), secret.address().port());
    let server = WebServer::start(move |request| match path(request) {
        "/private" => to(&target),
        "/literal" => to(&format!("http://2130706433:{port}/")),
        "/chain" => to("/private"),
        "/file" => to("file:///etc/passwd"),
        "/metadata" => to("http://169.254.169.254/"),
        "/user" => to(&format!("http://a:b@127.0.0.1:{port}/")),
        _ => to("/round"),
    })
    .await;
    let guarded = client(&server.address().to_string());

    for path in ["/private", "/literal", "/chain", "/file", "/metadata", "/user"] {
        let said = refusal(&guarded, &server.url(path)).await;
        assert!(said.contains("redirects to") && !said.contains("a:b@"), "{path}: {said}");
    }
    let round = fetch(&guarded, &server.url("/round")).await.expect_err("it never ends");
    assert!(round.message.contains("more than 5 times"), "{}", round.message);
    assert_eq!(secret.connections(), 0);

    // Baseline: a client that follows redirects gets there.
    let answer = plain_client().get(server.url("/chain")).send().await.expect("it is reached");
    assert_eq!(answer.text().await.expect("a body"), "secret");
}

#[tokio::test]
async fn a_redirect_from_outside_does_not_reach_a_listed_host() {
    let local: LocalHosts = "127.0.0.1:1,127.0.0.1:2".parse().expect("a list");
    let server = WebServer::start(|_| to("http://127.0.0.1:1/")).await;
    let public = Scripted::new(&[&[]]);

    // From a listed host to another one: both were meant. (The connection itself is refused by the system.)
    let client = client(&format!("{local},{}", server.address()));
    let failure = fetch(&client, &server.url("/")).await.expect_err("nobody listens there");
    assert_eq!(failure.error_type, ErrorType::System, "{}", failure.message);

    // A name without any address leads nowhere.
    let client = WebClient::with_lookup(local, WebLimits::default(), public);
    let failure = fetch(&client, "http://nowhere.example/").await.expect_err("no address");
    assert_eq!(failure.error_type, ErrorType::System, "{}", failure.message);
}

#[tokio::test]
async fn g24_a_name_that_leads_into_the_own_network_is_not_dialled() {
    let server = WebServer::start(|_| ok("text/plain", "secret")).await;
    let address = server.address().to_string();
    let url = format!("http://rebind.example:{}/", server.address().port());
    for answer in
        [vec![address.as_str()], vec!["10.0.0.1:0", "[::1]:0"], vec!["169.254.169.254:0"], vec!["[::ffff:127.0.0.1]:0"]]
    {
        let guarded = WebClient::with_lookup(LocalHosts::default(), WebLimits::default(), Scripted::new(&[&answer]));
        let said = refusal(&guarded, &url).await;
        assert!(said.contains("leads to the local network"), "{said}");
    }
    assert_eq!(server.connections(), 0);

    // Baseline: with the same answer of the resolver, but without the guard, it is reached.
    let unguarded = crate::http_client().no_proxy().resolve("rebind.example", server.address());
    let answer = unguarded.build().expect("a client").get(&url).send().await.expect("it is reached");
    assert_eq!(answer.text().await.expect("a body"), "secret");
}

#[tokio::test]
async fn g24_a_name_that_changes_its_mind_is_judged_by_what_is_dialled() {
    let server = WebServer::start(|_| ok("text/plain", "secret")).await;
    let private = server.address().to_string();
    let answers: [&[&str]; 2] = [&["93.184.215.14:0"], &[&private]];

    // A lookup before the connection says public; the connection's own lookup says something else.
    let lookup = Scripted::new(&answers);
    let resolver = GuardedResolver { lookup: Arc::clone(&lookup) as _, local: LocalHosts::default() };
    let first = resolver.resolve("rebind.example".parse().expect("a name")).await.expect("it is public now");
    assert_eq!(first.collect::<Vec<_>>(), ["93.184.215.14:0".parse::<SocketAddr>().expect("an address")]);
    let guarded = WebClient::with_lookup(LocalHosts::default(), WebLimits::default(), lookup);
    refusal(&guarded, &format!("http://rebind.example:{}/", server.address().port())).await;
    assert_eq!(server.connections(), 0);

    // Baseline: who judges the first answer and dials the second gets there.
    let lookup = Scripted::new(&answers);
    let judged = lookup.lookup("rebind.example").await.expect("an answer");
    assert!(judged.iter().all(|address| super::addresses::is_public(address.ip())));
    let dialled = lookup.lookup("rebind.example").await.expect("an answer");
    assert!(tokio::net::TcpStream::connect(dialled[0]).await.is_ok());
}

#[tokio::test]
async fn of_several_addresses_only_the_public_ones_are_dialled() {
    let lookup = Scripted::new(&[&["10.0.0.1:0", "93.184.215.14:0", "[::1]:0"]]);
    let resolver = GuardedResolver { lookup, local: LocalHosts::default() };

    let addresses = resolver.resolve("mixed.example".parse().expect("a name")).await.expect("one is public");

    assert_eq!(addresses.map(|address| address.ip().to_string()).collect::<Vec<_>>(), ["93.184.215.14"]);
}

#[tokio::test]
async fn a_listed_name_is_reached_wherever_it_leads() {
    let server = WebServer::start(|_| ok("text/plain", "wiki")).await;
    let lookup = Scripted::new(&[&[&server.address().to_string()]]);
    let local = "wiki.internal".parse().expect("a list");
    let client = WebClient::with_lookup(local, WebLimits::default(), lookup);

    let page = fetch(&client, &format!("http://wiki.internal:{}/", server.address().port())).await;

    assert_eq!(page.expect("it is listed").body, b"wiki");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("it is packed");
    packed.finish().expect("it is packed")
}

#[tokio::test]
async fn a_packed_body_is_unpacked() {
    let server = WebServer::start(|request| match path(request) {
        "/gzip" => answer("200 OK", &[("Content-Encoding", "gzip")], gzip(b"hello")),
        "/cut" => answer("200 OK", &[("Content-Encoding", "gzip")], &gzip(b"hello")[..12]),
        "/twice" => answer("200 OK", &[("Content-Encoding", "gzip, gzip")], gzip(&gzip(b"hello"))),
        _ => answer("200 OK", &[("Content-Encoding", "gzip")], ""),
    })
    .await;
    let client = client(&server.address().to_string());

    assert_eq!(fetch(&client, &server.url("/gzip")).await.expect("it is whole").body, b"hello");
    assert_eq!(fetch(&client, &server.url("/empty")).await.expect("it is empty").body, b"");
    for (path, says) in [("/cut", "damaged"), ("/twice", "gzip, gzip")] {
        let failure = fetch(&client, &server.url(path)).await.expect_err(path);
        assert!(failure.message.contains(says), "{}", failure.message);
    }
}

#[tokio::test]
async fn g24_a_bomb_is_not_unpacked() {
    let bomb = gzip(&vec![0; 64 * 1024 * 1024]);
    let small = gzip(&vec![0; 1024 * 1024]);
    // Baseline: what unpacks all that comes has 64 MiB of a few bytes.
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(bomb.as_slice()).read_to_end(&mut unpacked).expect("it is unpacked");
    assert_eq!((unpacked.len(), bomb.len() < 80 * 1024), (64 << 20, true));
    let server = WebServer::start(move |request| {
        let body = if path(request) == "/bomb" { &bomb } else { &small };
        answer("200 OK", &[("Content-Encoding", "gzip"), ("Content-Type", "text/plain")], body)
    })
    .await;
    let client = client(&server.address().to_string());

    let bomb = fetch(&client, &server.url("/bomb")).await.expect_err("too much");
    let small = fetch(&client, &server.url("/small")).await.expect_err("too dense");

    assert!(bomb.message.contains("larger than 5 MiB") || bomb.message.contains("100 times"), "{}", bomb.message);
    assert!(small.message.contains("100 times"), "{}", small.message);
}

#[tokio::test]
async fn g24_a_huge_body_is_not_read() {
    let server = WebServer::start(|request| match path(request) {
        "/said" => answer("200 OK", &[], vec![b'x'; 6 * 1024 * 1024]),
        _ => [&b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"[..], &vec![b'x'; 6 * 1024 * 1024]].concat(),
    })
    .await;
    let client = client(&server.address().to_string());

    for path in ["/said", "/unsaid"] {
        let failure = fetch(&client, &server.url(path)).await.expect_err("too large");
        assert!(failure.message.contains("larger than 5 MiB"), "{path}: {}", failure.message);
        // Baseline: a client without a limit reads all of it.
        let answer = plain_client().get(server.url(path)).send().await.expect("it answers");
        assert_eq!(answer.bytes().await.expect("a body").len(), 6 << 20, "{path}");
    }
}

#[tokio::test]
async fn g24_an_answer_that_does_not_come_is_not_waited_for() {
    let server = WebServer::start(|_| Vec::new()).await;
    let limits = WebLimits { time: Duration::from_millis(200), ..WebLimits::default() };
    let client = WebClient::new(server.address().to_string().parse().expect("a list"), limits);
    // Baseline: a client without a limit still waits after five times as long.
    let plain = plain_client().get(server.url("/")).send();
    assert!(tokio::time::timeout(5 * limits.time, plain).await.is_err());

    let failure = fetch(&client, &server.url("/")).await.expect_err("it never comes");

    assert_eq!(failure.error_type, ErrorType::Timeout, "{}", failure.message);
    assert_eq!(WebLimits::default().time, Duration::from_secs(10));
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_a_failure() {
    let server = WebServer::start(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this".to_vec()).await;
    let client = client(&server.address().to_string());

    let failure = fetch(&client, &server.url("/")).await.expect_err("it is not whole");

    assert!(failure.message.contains("broke off"), "{}", failure.message);
}
