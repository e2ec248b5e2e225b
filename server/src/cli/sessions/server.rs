//! A server, over its HTTP API: one connection per request, no TLS.

use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use axum::body::{Body, to_bytes};
use futures_util::{StreamExt, TryStreamExt};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use switchboard_protocol::SessionId;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::form_urlencoded::byte_serialize;

use super::summary::{Pieces, Summary};
use crate::http::SearchResults;
use switchboard_runtime::Shutdown;

/// How long a server may take to accept a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The largest answer that is read whole.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
/// How many events and sessions are asked for at once.
const PAGE: u64 = 500;

/// A server's address and the token that it wants.
pub(super) struct Server {
    authority: String,
    path: String,
    token: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionPage {
    sessions: Vec<Summary>,
    next_cursor: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventPage {
    events: Vec<Box<RawValue>>,
    damaged_from_seq: Option<u64>,
}

/// What a refused request is answered with.
#[derive(Deserialize)]
struct Problem {
    detail: String,
    suggestion: Option<String>,
}

impl Server {
    /// The server at this address, written as people write it.
    pub(super) fn at(url: &str, token: Option<String>) -> anyhow::Result<Self> {
        let shown = url.split('?').next().unwrap_or_default().to_owned();
        let text = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let uri: Uri = text.parse().map_err(|_| anyhow!("\"{shown}\" is not a URL"))?;
        match uri.scheme_str() {
            Some("http" | "ws") => {}
            Some("https" | "wss") => bail!("{shown}: this command does not support TLS; use a tunnel to the server"),
            _ => bail!("{shown} does not begin with http://"),
        }
        let authority = uri.authority().with_context(|| format!("{shown} names no host"))?.to_string();
        let path = uri.path().trim_end_matches('/').trim_end_matches("/ws").to_owned();
        let in_query = uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("token="));
        let token = token.or_else(|| in_query.filter(|token| !token.is_empty()).map(str::to_owned));
        Ok(Self { authority, path, token })
    }

    pub(super) async fn list(&self) -> anyhow::Result<Vec<Summary>> {
        let mut sessions = Vec::new();
        let mut cursor = String::new();
        loop {
            let page: SessionPage = self.get_json(&format!("/api/sessions?limit={PAGE}{cursor}")).await?;
            sessions.extend(page.sessions);
            let Some(next) = page.next_cursor else { return Ok(sessions) };
            cursor = format!("&cursor={next}");
        }
    }

    pub(super) async fn search(&self, words: &str, limit: u64) -> anyhow::Result<SearchResults> {
        let words: String = byte_serialize(words.as_bytes()).collect();
        self.get_json(&format!("/api/sessions/search?query={words}&limit={limit}")).await
    }

    pub(super) async fn get(&self, session: SessionId) -> anyhow::Result<Summary> {
        self.get_json(&format!("/api/sessions/{session}")).await
    }

    pub(super) async fn frames(&self, session: SessionId, after: u64) -> anyhow::Result<Vec<String>> {
        let path = format!("/api/sessions/{session}/events?after={after}&limit={PAGE}");
        let page: EventPage = self.get_json(&path).await?;
        if let (Some(seq), true) = (page.damaged_from_seq, page.events.is_empty()) {
            bail!("the session's log is damaged from event {seq} on: what is shown is all that can be read");
        }
        Ok(page.events.iter().map(|frame| frame.get().to_owned()).collect())
    }

    pub(super) async fn export(&self, session: SessionId) -> anyhow::Result<Pieces> {
        self.file(&format!("/api/sessions/{session}/export")).await
    }

    pub(super) async fn page(&self, session: SessionId) -> anyhow::Result<Pieces> {
        self.file(&format!("/api/sessions/{session}/export?format=html")).await
    }

    pub(super) async fn transcript(&self, session: SessionId) -> anyhow::Result<Pieces> {
        self.file(&format!("/api/sessions/{session}/transcript")).await
    }

    async fn file(&self, path: &str) -> anyhow::Result<Pieces> {
        let response = self.ask(Method::GET, path, Body::empty()).await?;
        const CUT_OFF: &str = "the connection ended before the whole session had arrived; try again";
        Ok(response.into_body().into_data_stream().map(|piece| piece.context(CUT_OFF)).boxed())
    }

    pub(super) async fn import(&self, file: Pieces) -> anyhow::Result<SessionId> {
        let body = Body::from_stream(file.map_err(std::io::Error::other));
        let response = self.ask(Method::POST, "/api/sessions/import", body).await?;
        let summary: Summary = json(response).await?;
        Ok(summary.session_id)
    }

    pub(super) async fn delete(&self, session: SessionId) -> anyhow::Result<()> {
        self.ask(Method::DELETE, &format!("/api/sessions/{session}"), Body::empty()).await.map(drop)
    }

    async fn get_json<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        json(self.ask(Method::GET, path, Body::empty()).await?).await
    }

    /// Asks; an answer that refuses is an error with the server's own words.
    async fn ask(&self, method: Method, path: &str, body: Body) -> anyhow::Result<Response<Body>> {
        let is_file = method == Method::POST;
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.path));
        request = request.header(HOST, &self.authority);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if is_file {
            request = request.header(CONTENT_TYPE, "application/x-ndjson");
        }
        let request = request.body(body).context("the address or the token has characters that cannot be sent")?;
        let response = self.send(request).await?;
        if response.status().is_success() { Ok(response) } else { Err(self.refusal(response).await) }
    }

    async fn send(&self, request: Request<Body>) -> anyhow::Result<Response<Body>> {
        let address = self.authority.as_str();
        let uri: Uri = format!("http://{address}").parse().with_context(|| format!("{address} is not an address"))?;
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let connecting = TcpStream::connect((host, uri.port_u16().unwrap_or(80)));
        let stream = match timeout(CONNECT_LIMIT, connecting).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => bail!("no server answers at {address} ({error}); is it running there?"),
            Err(_) => bail!("no server answers at {address} within {} s", CONNECT_LIMIT.as_secs()),
        };
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        drop(Shutdown::new().spawn(connection));
        let response = sender.send_request(request).await.context("the server closed the connection; try again")?;
        Ok(response.map(Body::new))
    }

    async fn refusal(&self, response: Response<Body>) -> anyhow::Error {
        let status = response.status();
        let problem: Result<Problem, _> = json(response).await;
        match (status, problem) {
            (StatusCode::UNAUTHORIZED, _) => {
                anyhow!("the server at {} requires its token; use --token", self.authority)
            }
            (_, Ok(Problem { detail, suggestion: Some(suggestion) })) => anyhow!("{detail}; {suggestion}"),
            (_, Ok(Problem { detail, suggestion: None })) => anyhow!("{detail}"),
            (status, Err(_)) => anyhow!("{} answered {status}; is it a Switchboard server?", self.authority),
        }
    }
}

async fn json<T: DeserializeOwned>(response: Response<Body>) -> anyhow::Result<T> {
    let bytes = to_bytes(response.into_body(), MAX_ANSWER).await.context("the response was cut off; try again")?;
    ensure!(!bytes.is_empty(), "the server's response was empty");
    serde_json::from_slice(&bytes).context("the response is not from a Switchboard server")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_written_as_people_write_it() {
        for (url, authority, path, token) in [
            ("http://127.0.0.1:7878", "127.0.0.1:7878", "", None),
            ("127.0.0.1:7878/", "127.0.0.1:7878", "", None),
            ("ws://[::1]:7878/ws", "[::1]:7878", "", None),
            ("http://host/below/ws?token=abc", "host", "/below", Some("abc")),
        ] {
            let server = Server::at(url, None).expect("an address");
            assert_eq!((&*server.authority, &*server.path, server.token.as_deref()), (authority, path, token), "{url}");
        }
        for url in ["https://host", "ftp://host", "http://", "a b"] {
            assert!(Server::at(url, None).is_err(), "{url}");
        }
    }
}
