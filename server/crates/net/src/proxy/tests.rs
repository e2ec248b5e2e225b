//! The proxy over real sockets: what goes through it, what does not, and what is asked before.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::{ConnectionEnd, Journal, Proxy, ProxyGate};
use crate::destination::Destination;
use crate::dialer::{Dialer, ProxyReach};
use crate::resolver::Lookup;
use crate::test_support::{WebServer, ok};

/// Allows what does not begin with `denied`, and remembers what it was asked and told.
#[derive(Default)]
struct Gate {
    asked: Mutex<Vec<String>>,
    heard: Mutex<Vec<(String, ConnectionEnd)>>,
}

impl ProxyGate for Gate {
    fn admit<'a>(&'a self, to: &'a Destination) -> BoxFuture<'a, Result<(), String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(to.to_string());
        let denied = to.domain().starts_with("denied").then(|| "the user did not allow it".to_owned());
        Box::pin(async move { denied.map_or(Ok(()), Err) })
    }

    fn heard(&self, to: &Destination, end: &ConnectionEnd) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push((to.to_string(), end.clone()));
    }
}

/// Names with the addresses they have; remembers which were looked up.
#[derive(Default)]
struct Names {
    known: BTreeMap<&'static str, &'static str>,
    looked_up: Mutex<Vec<String>>,
}

impl Lookup for Names {
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        self.looked_up.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        let found = self.known.get(name).map(|address| SocketAddr::new(address.parse().expect("an address"), 0));
        Box::pin(async move { found.map(|address| vec![address]).ok_or_else(|| io::Error::other("no such name")) })
    }
}

/// A proxy that runs.
struct Running {
    address: SocketAddr,
    gate: Arc<Gate>,
    names: Arc<Names>,
    journal: Arc<Journal>,
    task: JoinHandle<()>,
}

impl Running {
    fn start(local: &str, own_port: u16) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let known = BTreeMap::from([("web.example", "127.0.0.1"), ("inside.example", "10.1.2.3")]);
        let names = Arc::new(Names { known, looked_up: Mutex::default() });
        let reach = ProxyReach { local: local.parse().expect("a list"), own_port };
        let (gate, journal) = (Arc::<Gate>::default(), Arc::<Journal>::default());
        let dialer = Dialer::with_lookup(reach, Arc::clone(&names) as _);
        let proxy = Proxy::new(dialer, Arc::clone(&gate) as _, Arc::clone(&journal));
        #[expect(clippy::disallowed_methods, reason = "a test has no shutdown")]
        let task = tokio::spawn(async move {
            let _ = proxy.serve(listener).await;
        });
        Self { address, gate, names, journal, task }
    }

    async fn dial(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("the proxy listens")
    }

    /// All that is answered to these bytes.
    async fn answer(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut client = self.dial().await;
        client.write_all(bytes.as_ref()).await.expect("sent");
        let mut answer = Vec::new();
        let read = client.read_to_end(&mut answer);
        tokio::time::timeout(Duration::from_secs(20), read).await.expect("it ends in time").expect("it is read");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn asked(&self) -> Vec<String> {
        self.gate.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn socks(host: &str, port: u16) -> Vec<u8> {
    let length = u8::try_from(host.len()).expect("a short name");
    [&[5, 1, 0, 5, 1, 0, 3, length][..], host.as_bytes(), &port.to_be_bytes()].concat()
}

const GET: &str = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";

#[tokio::test]
async fn three_languages_lead_to_the_same_page() {
    let web = WebServer::start(|_| ok("text/plain", "hello")).await;
    let port = web.address().port();
    let proxy = Running::start(&format!("web.example:{port}"), 0);

    let tunnel = proxy.answer(format!("CONNECT web.example:{port} HTTP/1.1\r\n\r\n{GET}")).await;
    let plain = proxy.answer(format!("GET http://web.example:{port}/page HTTP/1.1\r\nHost: y\r\n\r\n")).await;
    let socks = proxy.answer([&socks("web.example", port), GET.as_bytes()].concat()).await;

    assert!(tunnel.starts_with("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n"), "{tunnel}");
    assert!(plain.starts_with("HTTP/1.1 200 OK\r\n"), "{plain}");
    assert!(socks.starts_with("\u{5}\0\u{5}\0\0\u{1}\0\0\0\0\0\0HTTP/1.1 200 OK\r\n"), "{socks:?}");
    for answer in [tunnel, plain, socks] {
        assert!(answer.ends_with("hello"), "{answer}");
    }
    assert!(web.requests()[1].contains(&format!("Host: web.example:{port}\r\n")), "{:?}", web.requests());
    let (tallies, _) = proxy.journal.tallies();
    let tally = &tallies[0].1;
    assert_eq!((tallies.len(), tally.connected, tally.missed), (1, 3, 0));
    assert!(tally.sent > 3 * 30 && tally.received > 3 * 50, "{tally:?}");
}

#[tokio::test]
async fn the_own_network_is_refused_before_anybody_is_asked() {
    let web = WebServer::start(|_| ok("text/plain", "reached")).await;
    let port = web.address().port();
    let proxy = Running::start("", 0);

    for host in [
        "127.0.0.1",
        "2130706433",
        "[::1]",
        "localhost",
        "x.localhost",
        "169.254.169.254",
        "10.0.0.1",
        "192.168.1.1",
        "0.0.0.0",
    ] {
        let answer = proxy.answer(format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 403 Switchboard: this address is refused: "), "{host}: {answer}");
    }
    let mail = proxy.answer("CONNECT web.example:25 HTTP/1.1\r\n\r\n").await;
    assert!(mail.contains("port 25 is not a web port"), "{mail}");
    assert_eq!(proxy.asked(), Vec::<String>::new());

    for host in ["web.example", "inside.example"] {
        let answer = proxy.answer(format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n")).await;
        assert!(answer.contains("leads to the local network"), "{answer}");
    }
    assert_eq!(web.connections(), 0);
}

#[tokio::test]
async fn nothing_is_looked_up_that_was_not_allowed() {
    let proxy = Running::start("", 0);

    let http = proxy.answer("CONNECT denied-secret.example:443 HTTP/1.1\r\n\r\n").await;
    let socks = proxy.answer(socks("denied-secret.example", 443)).await;

    assert!(http.starts_with("HTTP/1.1 403 Switchboard: the user did not allow it\r\n"), "{http}");
    assert_eq!(socks.as_bytes(), [5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(proxy.asked(), ["denied-secret.example:443", "denied-secret.example:443"]);
    assert_eq!(*proxy.names.looked_up.lock().expect("not poisoned"), Vec::<String>::new());
    let (tallies, _) = proxy.journal.tallies();
    assert_eq!((tallies[0].1.missed, tallies[0].1.refused.as_deref()), (2, Some("the user did not allow it")));
}

#[tokio::test]
async fn the_servers_own_port_is_refused_even_if_it_is_listed() {
    let web = WebServer::start(|_| ok("text/plain", "the server")).await;
    let port = web.address().port();
    let listed = format!("127.0.0.1,web.example:{port},[::1]");

    // Baseline: a port of another program is reached.
    let other = Running::start(&listed, 1);
    assert!(other.answer(format!("GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n")).await.ends_with("the server"));
    let proxy = Running::start(&listed, port);
    for host in ["127.0.0.1", "127.1", "web.example", "[::1]"] {
        let answer = proxy.answer(format!("GET http://{host}:{port}/ HTTP/1.1\r\n\r\n")).await;
        assert!(answer.contains("403 Switchboard: this is the server's own port"), "{host}: {answer}");
    }

    assert_eq!(web.connections(), 1);
}

#[tokio::test]
async fn what_nobody_answers_is_said_to_have_failed() {
    let proxy = Running::start("127.0.0.1:1", 0);

    let closed = proxy.answer("CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n").await;
    let unknown = proxy.answer("CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n").await;
    let wrong = proxy.answer("GET / HTTP/1.1\r\n\r\n").await;
    let other_socks = proxy.answer([5, 1, 2]).await;

    assert!(closed.starts_with("HTTP/1.1 502 "), "{closed}");
    assert!(unknown.starts_with("HTTP/1.1 502 Switchboard: nowhere.example cannot be resolved"), "{unknown}");
    assert!(wrong.starts_with("HTTP/1.1 400 Switchboard: this is a proxy"), "{wrong}");
    assert_eq!(other_socks.into_bytes(), "\u{5}\u{fffd}".as_bytes());
    let heard = proxy.gate.heard.lock().expect("not poisoned").clone();
    assert!(matches!(heard.as_slice(), [(_, ConnectionEnd::Failed(_)), (_, ConnectionEnd::Failed(_))]), "{heard:?}");
}

#[tokio::test]
async fn all_connections_end_with_the_proxy() {
    let web = WebServer::start(|_| Vec::new()).await;
    let port = web.address().port();
    let mut proxy = Running::start(&format!("127.0.0.1:{port}"), 0);
    let mut client = proxy.dial().await;
    client.write_all(format!("GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n").as_bytes()).await.expect("sent");
    while web.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }

    proxy.task.abort();
    let _ = (&mut proxy.task).await;

    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), client.read_to_end(&mut rest)).await;
    assert!(ended.is_ok() && rest.is_empty(), "{ended:?} {rest:?}");
    assert!(TcpStream::connect(proxy.address).await.is_err(), "nobody listens any more");
}
