//! A web server on loopback that answers as a test tells it, and counts who came.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What is answered to a request, given its head and body; an answer of no bytes keeps the connection open and silent.
type Script = dyn Fn(&str) -> Vec<u8> + Send + Sync;

/// The server; it ends when it is dropped.
pub struct WebServer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

impl WebServer {
    /// Starts it on a free port.
    pub async fn start(script: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (connections, requests) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<String>>>::default());
        let script: Arc<Script> = Arc::new(script);
        let (counter, seen) = (Arc::clone(&connections), Arc::clone(&requests));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut clients = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                clients.spawn(serve(socket, Arc::clone(&script), Arc::clone(&seen)));
            }
        });
        Self { address, connections, requests, _tasks: tasks }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path on it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Heads and bodies of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn serve(mut socket: TcpStream, script: Arc<Script>, seen: Arc<Mutex<Vec<String>>>) {
    let request = request(&mut socket).await;
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    let answer = script(&request);
    if answer.is_empty() {
        std::future::pending::<()>().await;
    }
    let _gone = socket.write_all(&answer).await;
    let _gone = socket.shutdown().await;
}

async fn request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = socket.read(&mut buffer).await.unwrap_or_default();
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length =
                head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            body.len() >= length.unwrap_or(0_usize)
        });
        if whole || count == 0 {
            return text;
        }
    }
}

/// An answer with a body.
pub fn ok(content_type: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("200 OK", &[("Content-Type", content_type)], body)
}

/// A redirect.
pub fn to(location: &str) -> Vec<u8> {
    answer("302 Found", &[("Location", location)], "")
}

/// Any answer; the connection ends with it.
pub fn answer(status: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut bytes = format!("{head}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// The path of a request.
pub fn path(request: &str) -> &str {
    request.split(' ').nth(1).unwrap_or_default()
}
