//! Requests for sessions that another server has: they are passed on to it as they are, and what it answers comes back. It
//! checks them as if they had come to it at once, so nobody's rights depend on who passed a request on.
//!
//! A request that was passed on says so, with what only the servers of one log know, and is not passed on again. Only such a
//! request may say which address it came from.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use switchboard_protocol::SessionId;
use tokio::sync::Semaphore;

use super::error::Problem;
use super::forward::{Forwarded, forward};
use super::listener::ClientAddress;
use switchboard_runtime::Secret;
use switchboard_session::Sessions;

/// What proves that the sender is a server of the same log.
const NODE: HeaderName = HeaderName::from_static("switchboard-node");
/// The address that the request came from.
const CLIENT: HeaderName = HeaderName::from_static("switchboard-client");

/// What is needed to find the server of a session and to reach it; cheap to clone.
#[derive(Clone)]
pub(super) struct Cluster {
    sessions: Sessions,
    secret: Option<Secret>,
    tunnels: Arc<Semaphore>,
}

/// The request was passed on by another server.
#[derive(Debug, Clone, Copy)]
struct PassedOn;

impl Cluster {
    /// The servers that share a log and this secret; at most so many WebSockets are passed on at once.
    pub(super) fn new(sessions: Sessions, secret: Option<Secret>, tunnels: usize) -> Self {
        Self { sessions, secret, tunnels: Arc::new(Semaphore::new(tunnels)) }
    }

    /// What a request says that another server has passed on, unless it is forged.
    fn admit(&self, request: &mut Request) -> Result<(), Problem> {
        let headers = request.headers_mut();
        let (proof, client) = (headers.remove(NODE), headers.remove(CLIENT));
        let Some(proof) = proof else { return Ok(()) };
        let is_known = self.secret.as_ref().zip(proof.to_str().ok()).is_some_and(|(secret, shown)| secret.is(shown));
        if !is_known {
            let detail = "the request says that another server passed it on, and does not prove it";
            return Err(Problem::new(StatusCode::FORBIDDEN, detail).in_field(NODE.as_str()));
        }
        let client = client.and_then(|client| client.to_str().ok()?.parse::<IpAddr>().ok());
        if let Some(client) = client {
            request.extensions_mut().insert(ClientAddress(client));
        }
        request.extensions_mut().insert(PassedOn);
        Ok(())
    }

    /// Passes the request on if another server has its session; gives it back if it belongs here.
    async fn pass_on(&self, mut request: Request) -> Result<Response, Result<Request, Problem>> {
        let Some(secret) = &self.secret else { return Err(Ok(request)) };
        let Some(session) = session_of(&request).filter(|session| !self.sessions.is_open(*session)) else {
            return Err(Ok(request));
        };
        let log = &self.sessions.services().log;
        // Whoever opens it here hears why it cannot be known.
        let Ok(Some(server)) = log.elsewhere(session).await else { return Err(Ok(request)) };
        if request.extensions().get::<PassedOn>().is_some() {
            return Err(Err(Problem::try_later("the session has just moved to another server", 1)));
        }
        let Some(address) = server.address else {
            let detail = "another server has the session, and does not say where it is reached";
            return Err(Err(Problem::try_later(detail, 5).suggest("set cluster-address on that server")));
        };
        let client = request.extensions().get::<ClientAddress>().map(|client| client.0.to_string());
        let headers = request.headers_mut();
        for (name, value) in [(NODE, Some(secret.reveal().to_owned())), (CLIENT, client)] {
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
                headers.insert(name, value);
            }
        }
        let shutdown = &self.sessions.services().shutdown;
        let forwarded = Forwarded { address: &address, tunnels: &self.tunnels, shutdown };
        let (log, id) = (Arc::clone(log), server.id);
        let ended = async move { log.end_of(&id).await };
        forward(request, forwarded, ended).await.map_err(Err)
    }
}

/// Takes what another server says of a request that it passes on; refuses what only looks like it.
pub(super) async fn admit(State(cluster): State<Cluster>, mut request: Request, next: Next) -> Response {
    match cluster.admit(&mut request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Answers requests for sessions that other servers have with what those answer.
pub(super) async fn pass_on(State(cluster): State<Cluster>, request: Request, next: Next) -> Response {
    match cluster.pass_on(request).await {
        Ok(response) => response,
        Err(Ok(request)) => next.run(request).await,
        Err(Err(problem)) => problem.into_response(),
    }
}

/// The session that a request is about.
fn session_of(request: &Request) -> Option<SessionId> {
    let path = request.uri().path();
    if path == "/ws" {
        let query = request.uri().query()?;
        return query.split('&').find_map(|pair| pair.strip_prefix("session=")?.parse().ok());
    }
    path.strip_prefix("/api/sessions/")?.split('/').next()?.parse().ok()
}
