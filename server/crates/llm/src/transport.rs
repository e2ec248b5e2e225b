//! One request to a provider, everything bounded: time, size, and where it goes. Redirects are not followed, packed
//! answers are not unpacked, and what a provider says is without the key before anybody else sees it.

use std::error::Error as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Client, Response, redirect};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use super::client::TextSink;
use super::config::LlmLimits;
use super::dialect::{Dialect, Progress};
use super::error::{Deadline, LlmError};
use super::excerpt::excerpt;
use super::reply::LlmReply;
use super::request::LlmRequest;
use super::sse::SseReader;
use super::{backoff, refusal};

const AGENT: &str = concat!("Switchboard/", env!("CARGO_PKG_VERSION"));

/// The largest reply in one piece.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// The largest streamed reply, with all that stands around the text.
const MAX_STREAM_BYTES: usize = 64 * 1024 * 1024;

/// How much of a refusal is read.
const MAX_REFUSAL_BYTES: usize = 16 * 1024;

/// How long a refusal's text may take; without it, the status says enough.
const REFUSAL_TIME: Duration = Duration::from_secs(5);

/// How long is waited for what comes behind a whole reply: its cost and `[DONE]`.
const AFTERWORD: Duration = Duration::from_secs(2);

/// The connections to one provider, for all who ask it with the same key. Made when they are first needed: reading the
/// system's certificates takes a while.
pub(super) type Connections = OnceLock<Result<Client, String>>;

/// Sends requests to one provider.
pub(super) struct Transport {
    base: Url,
    limits: LlmLimits,
    client: Arc<Connections>,
}

impl Transport {
    /// To the API at `base`.
    pub(super) fn new(base: &Url, limits: LlmLimits, client: Arc<Connections>) -> Self {
        let mut base = base.clone();
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Self { base, limits, client }
    }

    /// Asks for a reply in one piece.
    pub(super) async fn complete(
        &self,
        dialect: &dyn Dialect,
        request: &LlmRequest,
        body: &Value,
    ) -> Result<LlmReply, LlmError> {
        let first_byte = Instant::now() + self.limits.first_byte;
        let response = self.post(dialect, body).await?;
        self.whole_reply(response, dialect, request, first_byte).await
    }

    /// Asks for a reply in pieces. A provider that answers in one piece all the same is understood.
    pub(super) async fn stream(
        &self,
        dialect: &dyn Dialect,
        request: &LlmRequest,
        body: &Value,
        sink: &mut (dyn TextSink + Send),
    ) -> Result<LlmReply, LlmError> {
        let first_byte = Instant::now() + self.limits.first_byte;
        let response = self.post(dialect, body).await?;
        if content_type(&response).starts_with("application/json") {
            let reply = self.whole_reply(response, dialect, request, first_byte).await?;
            if !reply.text.is_empty() {
                sink.text(&reply.text);
            }
            return Ok(reply);
        }
        self.read_stream(response, dialect, request, first_byte, sink).await
    }

    /// Asks for something else than a reply, such as the list of models; with `body` by `POST`.
    pub(super) async fn ask(
        &self,
        path: &str,
        body: Option<&Value>,
        headers: HeaderMap,
        limit: Duration,
    ) -> Result<Value, LlmError> {
        let asked = async {
            let (client, url) = (self.client()?, self.url(path)?);
            let request = match body {
                Some(body) => client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string()),
                None => client.get(url),
            };
            let response = request.headers(headers).send().await.map_err(|error| self.not_sent(&error))?;
            json(accepted(response).await?, Pace::ANY).await
        };
        timeout(limit, asked).await.unwrap_or(Err(LlmError::Timeout { which: Deadline::FirstByte, limit }))
    }

    async fn post(&self, dialect: &dyn Dialect, body: &Value) -> Result<Response, LlmError> {
        let limit = self.limits.first_byte;
        let bytes = serde_json::to_vec(body).map_err(|error| LlmError::Malformed(error.to_string()))?;
        let request = self.client()?.post(self.url(dialect.path())?).headers(dialect.headers());
        let request = request.header(CONTENT_TYPE, "application/json").body(bytes);
        let response = match timeout(limit, request.send()).await {
            Ok(sent) => sent.map_err(|error| self.not_sent(&error))?,
            Err(_) => return Err(LlmError::Timeout { which: Deadline::FirstByte, limit }),
        };
        accepted(response).await
    }

    async fn whole_reply(
        &self,
        response: Response,
        dialect: &dyn Dialect,
        request: &LlmRequest,
        first_byte: Instant,
    ) -> Result<LlmReply, LlmError> {
        let pace = Pace { first_byte: Some((first_byte, self.limits.first_byte)), idle: Some(self.limits.idle) };
        dialect.reply(&json(response, pace).await?, request)
    }

    async fn read_stream(
        &self,
        mut response: Response,
        dialect: &dyn Dialect,
        request: &LlmRequest,
        first_byte: Instant,
        sink: &mut (dyn TextSink + Send),
    ) -> Result<LlmReply, LlmError> {
        let kind = content_type(&response);
        let mut reader = dialect.reader(request);
        let (mut sse, mut events, mut bytes_read) = (SseReader::default(), Vec::new(), 0);
        let (mut deadline, mut which, mut limit) = (first_byte, Deadline::FirstByte, self.limits.first_byte);
        let mut progress = Progress::More;
        let mut any_event = false;
        while progress != Progress::Done {
            // Comments do not count: a proxy sends them forever.
            let piece = match timeout_at(deadline, response.chunk()).await {
                Err(_) if progress == Progress::Whole => break,
                Err(_) => return Err(LlmError::Timeout { which, limit }),
                Ok(Err(_)) if progress == Progress::Whole => break,
                Ok(Err(error)) => return Err(LlmError::BrokenOff(cause(&error))),
                Ok(Ok(piece)) => piece,
            };
            match &piece {
                Some(bytes) => {
                    bytes_read += bytes.len();
                    if bytes_read > MAX_STREAM_BYTES {
                        return Err(LlmError::TooLong(format!("{bytes_read} bytes arrived without an end")));
                    }
                    sse.feed(bytes, &mut events)
                        .map_err(|_| LlmError::Malformed("part of the stream is larger than 1 MiB".to_owned()))?;
                }
                None => sse.finish(&mut events),
            }
            for event in events.drain(..) {
                any_event = true;
                (deadline, which, limit) = (Instant::now() + self.limits.idle, Deadline::Idle, self.limits.idle);
                progress = match reader.take(&event, sink) {
                    Ok(progress) => progress,
                    // The last piece of a stream that ended early is half of one.
                    Err(LlmError::Malformed(_)) if piece.is_none() => {
                        return Err(LlmError::BrokenOff("in the middle of an event".to_owned()));
                    }
                    Err(error) => return Err(error),
                };
                if progress == Progress::Whole {
                    deadline = Instant::now() + AFTERWORD;
                }
            }
            if piece.is_none() {
                break;
            }
        }
        if !any_event && !kind.starts_with("text/event-stream") {
            return Err(LlmError::Malformed(format!("it is {}, not a stream of events", named(&kind))));
        }
        reader.finish()
    }

    fn url(&self, path: &str) -> Result<Url, LlmError> {
        self.base.join(path).map_err(|error| LlmError::Unreachable(format!("the address is wrong: {error}")))
    }

    fn client(&self) -> Result<&Client, LlmError> {
        let client = self.client.get_or_init(|| {
            let builder = switchboard_net::http_client()
                .redirect(redirect::Policy::none())
                .referer(false)
                .user_agent(AGENT)
                .no_gzip()
                .no_brotli()
                .no_zstd()
                .no_deflate()
                .connect_timeout(self.limits.connect)
                .pool_idle_timeout(Duration::from_secs(60));
            let builder = match is_loopback(&self.base) {
                // Nobody stands between, and without TLS the machine's certificates need not be read, which takes 6 MiB.
                true if self.base.scheme() == "http" => builder.no_proxy().tls_certs_only([]),
                true => builder.no_proxy(),
                false => builder,
            };
            builder.build().map_err(|error| cause(&error))
        });
        client.as_ref().map_err(|error| LlmError::Unreachable(format!("requests cannot be made: {error}")))
    }

    fn not_sent(&self, error: &reqwest::Error) -> LlmError {
        if error.is_connect() && error.is_timeout() {
            return LlmError::Timeout { which: Deadline::Connect, limit: self.limits.connect };
        }
        let host = self.base.host_str().unwrap_or_default();
        let port = self.base.port().map(|port| format!(":{port}")).unwrap_or_default();
        let what = if error.is_connect() { "cannot be reached" } else { "did not answer like a web server" };
        LlmError::Unreachable(format!("{host}{port} {what}: {}", cause(error)))
    }
}

/// Whether an address is this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether somebody may answer there: of addresses of this machine it is found out without a client for HTTP, which costs
/// 3 MiB of memory; of others it is taken for granted.
pub(super) async fn may_answer(url: &Url, limit: Duration) -> bool {
    let (Some(host), Some(port), true) = (url.host_str(), url.port_or_known_default(), is_loopback(url)) else {
        return true;
    };
    let host = host.trim_matches(['[', ']']);
    matches!(timeout(limit, TcpStream::connect((host, port))).await, Ok(Ok(_)))
}

/// The answer, if its status is good.
async fn accepted(response: Response) -> Result<Response, LlmError> {
    let status = response.status().as_u16();
    match status {
        200..=299 => match response.headers().get(CONTENT_ENCODING).map(|value| value.as_bytes().to_owned()) {
            Some(packed) if packed != b"identity" => {
                let how = String::from_utf8_lossy(&packed).into_owned();
                Err(LlmError::Malformed(format!(
                    "it is compressed ({}), although that was not asked for",
                    excerpt(&how)
                )))
            }
            _ => Ok(response),
        },
        300..=399 => {
            let to = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
            let to = response.url().join(to).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
            let to = to.unwrap_or_else(|| "another address".to_owned());
            let detail = format!("it redirects to {}, which is not followed with the key", excerpt(&to));
            Err(LlmError::BadRequest { status, detail })
        }
        _ => {
            let retry_after = backoff::retry_after(response.headers());
            let mut text = Vec::new();
            // Whatever comes of it, the status is known.
            let _all = timeout(REFUSAL_TIME, read(response, MAX_REFUSAL_BYTES, Pace::ANY, &mut text)).await;
            Err(refusal::of_status(status, retry_after, &String::from_utf8_lossy(&text)))
        }
    }
}

/// How long a body may take: until its first byte, and between two pieces.
#[derive(Clone, Copy)]
struct Pace {
    first_byte: Option<(Instant, Duration)>,
    idle: Option<Duration>,
}

impl Pace {
    /// Whoever reads sets a limit over all of it.
    const ANY: Self = Self { first_byte: None, idle: None };
}

async fn json(response: Response, pace: Pace) -> Result<Value, LlmError> {
    let kind = content_type(&response);
    let mut bytes = Vec::new();
    if !read(response, MAX_BODY_BYTES, pace, &mut bytes).await? {
        return Err(LlmError::Malformed(format!("it is larger than {MAX_BODY_BYTES} bytes")));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(LlmError::Malformed("it is empty".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        let text = excerpt(&String::from_utf8_lossy(&bytes));
        LlmError::Malformed(format!("it is {}, not JSON ({error}): {text}", named(&kind)))
    })
}

/// Reads a body to its end; false when it is larger than `most`.
async fn read(mut response: Response, most: usize, pace: Pace, bytes: &mut Vec<u8>) -> Result<bool, LlmError> {
    let mut until = pace.first_byte.map(|(at, limit)| (at, Deadline::FirstByte, limit));
    loop {
        let chunk = match until {
            Some((at, which, limit)) => {
                timeout_at(at, response.chunk()).await.map_err(|_| LlmError::Timeout { which, limit })?
            }
            None => response.chunk().await,
        };
        let Some(piece) = chunk.map_err(|error| LlmError::BrokenOff(cause(&error)))? else { return Ok(true) };
        until = pace.idle.map(|limit| (Instant::now() + limit, Deadline::Idle, limit));
        if bytes.len() + piece.len() > most {
            return Ok(false);
        }
        bytes.extend_from_slice(&piece);
    }
}

fn content_type(response: &Response) -> String {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.to_ascii_lowercase()
}

fn named(kind: &str) -> String {
    if kind.is_empty() { "of an unnamed type".to_owned() } else { excerpt(kind) }
}

/// The innermost cause: the outer ones only say that there was an error. Never the address, which may hold a key.
fn cause(error: &reqwest::Error) -> String {
    let mut last = None;
    let mut source = error.source();
    while let Some(inner) = source {
        last = Some(inner.to_string());
        source = inner.source();
    }
    excerpt(&last.unwrap_or_else(|| "the connection failed".to_owned()))
}
