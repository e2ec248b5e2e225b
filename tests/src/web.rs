//! A web server on loopback that stands for the web: it answers as a test tells it, and remembers who asked for what.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The server; it ends when it is dropped.
#[derive(Debug)]
pub struct WebServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl WebServer {
    /// Starts a server that answers a path with its query by `answer`.
    pub async fn start(answer: impl Fn(&str) -> Response<Body> + Clone + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&requests);
        let router = Router::new().fallback(move |request: Request| {
            let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
            let headers = format!("{:?}", request.headers());
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{path} {headers}"));
            let answer = answer(&path);
            async move { answer }
        });
        #[expect(clippy::disallowed_methods, reason = "the task ends with the test's server")]
        let task = tokio::spawn(async move {
            let _ended = axum::serve(listener, router).await;
        });
        Self { address, requests, task }
    }

    /// `host:port`.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Path and headers of every request so far.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer of this type.
#[must_use]
pub fn page(content_type: &str, body: impl Into<Body>) -> Response<Body> {
    Response::builder().header("content-type", content_type).body(body.into()).expect("an answer")
}

/// A redirect.
#[must_use]
pub fn redirect(location: &str) -> Response<Body> {
    Response::builder().status(302).header("location", location).body(Body::empty()).expect("an answer")
}
