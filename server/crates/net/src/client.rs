//! [`WebClient`]: one request, its redirects followed by hand, everything bounded.

use std::error::Error as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use reqwest::{Client, RequestBuilder, Response, redirect};
use switchboard_protocol::ErrorType;
use url::Url;

use super::body::{Body, too_large};
use super::limits::WebLimits;
use super::local_hosts::LocalHosts;
use super::resolver::{GuardedResolver, Lookup, NotPublic, SystemLookup};
use super::target::{check, refused};
use crate::error::WebError;
use crate::http_client::http_client;

const AGENT: &str = concat!("Switchboard/", env!("CARGO_PKG_VERSION"));

/// What is preferred; servers that can tell give text.
const ACCEPTED: &str = "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.5";

/// Fetches pages.
#[derive(Clone)]
pub struct WebClient {
    inner: Arc<Inner>,
}

struct Inner {
    local: LocalHosts,
    limits: WebLimits,
    lookup: Arc<dyn Lookup>,
    /// Made when it is first needed: reading the system's certificates takes a while.
    guarded: OnceLock<Result<Client, String>>,
    trusted: OnceLock<Result<Client, String>>,
}

/// A response: its final address, status and body.
#[derive(Debug)]
pub struct Page {
    /// Where it came from in the end.
    pub url: Url,
    /// The status.
    pub status: u16,
    /// `Content-Type`, as it was said.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// How many redirects led there.
    pub redirects: usize,
}

/// How many bytes have come so far.
#[derive(Debug, Default)]
pub struct Received(AtomicU64);

impl Received {
    /// The number.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl WebClient {
    /// A client that reaches the public internet, and these hosts beside it.
    #[must_use]
    pub fn new(local: LocalHosts, limits: WebLimits) -> Self {
        Self::with_lookup(local, limits, Arc::new(SystemLookup))
    }

    pub(super) fn with_lookup(local: LocalHosts, limits: WebLimits, lookup: Arc<dyn Lookup>) -> Self {
        let (guarded, trusted) = (OnceLock::new(), OnceLock::new());
        Self { inner: Arc::new(Inner { local, limits, lookup, guarded, trusted }) }
    }

    /// Hosts of the local network that may be reached.
    #[must_use]
    pub fn local(&self) -> &LocalHosts {
        &self.inner.local
    }

    /// Fetches a page. Dropping the future ends it.
    ///
    /// # Errors
    /// When the address, or one that it redirects to, is refused; when a limit is reached; when nothing answers.
    pub async fn fetch(&self, url: Url, received: &Received) -> Result<Page, WebError> {
        let limits = self.inner.limits;
        match tokio::time::timeout(limits.time, self.follow(url, received)).await {
            Ok(page) => page,
            Err(_) => Err(too_slow(limits.time, received)),
        }
    }

    /// Sends a request to a service that the settings name: wherever that is, it is meant. No redirects.
    ///
    /// # Errors
    /// When a limit is reached, or nothing answers.
    pub async fn ask(&self, request: impl FnOnce(&Client) -> RequestBuilder + Send) -> Result<Page, WebError> {
        let limits = self.inner.limits;
        let received = Received::default();
        let client = self.inner.trusted.get_or_init(|| build(builder())).as_ref().map_err(|error| broken(error))?;
        let request = request(client).header(ACCEPT_ENCODING, "gzip");
        let asked = async {
            let response = request.send().await.map_err(|error| unreachable(&error.without_url()))?;
            let url = response.url().clone();
            self.read(response, url, 0, &received).await
        };
        tokio::time::timeout(limits.time, asked).await.unwrap_or_else(|_| Err(too_slow(limits.time, &received)))
    }

    async fn follow(&self, mut url: Url, received: &Received) -> Result<Page, WebError> {
        let mut was_local = check(&url, &self.inner.local)?;
        for redirects in 0..=self.inner.limits.redirects {
            let response = self.send(&url).await?;
            let Some(next) = redirect(&response, &url)? else {
                return self.read(response, url, redirects, received).await;
            };
            let to = next.host_str().unwrap_or_default().to_owned();
            let is_local = check(&next, &self.inner.local).map_err(|failure| redirected(failure, &next))?;
            if is_local && !was_local {
                return Err(redirected(refused(&format!("{to} is a host on the local network")), &next));
            }
            (url, was_local) = (next, is_local);
        }
        let message = format!("the address redirects more than {} times", self.inner.limits.redirects);
        Err(WebError::new(ErrorType::User, message).suggesting("Fetch the address that it leads to."))
    }

    async fn send(&self, url: &Url) -> Result<Response, WebError> {
        let client = self.inner.guarded().as_ref().map_err(|error| broken(error))?;
        let request = client.get(url.clone()).header(ACCEPT, ACCEPTED).header(ACCEPT_ENCODING, "gzip");
        request.send().await.map_err(|error| unreachable(&error))
    }

    async fn read(
        &self,
        mut response: Response,
        url: Url,
        redirects: usize,
        received: &Received,
    ) -> Result<Page, WebError> {
        let limits = self.inner.limits;
        if response.content_length().is_some_and(|length| length > limits.bytes as u64) {
            return Err(too_large(limits.bytes));
        }
        let header = |name: HeaderName| text_of(response.headers(), &name);
        let (status, content_type) = (response.status().as_u16(), header(CONTENT_TYPE));
        let mut body = Body::new(header(CONTENT_ENCODING).as_deref(), limits)?;
        while let Some(bytes) = response.chunk().await.map_err(|error| cut_off(&error))? {
            received.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            body.push(&bytes)?;
        }
        Ok(Page { url, status, content_type, body: body.finish()?, redirects })
    }
}

impl Inner {
    fn guarded(&self) -> &Result<Client, String> {
        self.guarded.get_or_init(|| {
            let resolver = GuardedResolver { lookup: Arc::clone(&self.lookup), local: self.local.clone() };
            build(builder().dns_resolver(Arc::new(resolver)))
        })
    }
}

/// A client that follows no redirects and uses no proxy, which would look names up for us.
fn builder() -> reqwest::ClientBuilder {
    http_client()
        .redirect(redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .user_agent(AGENT)
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(Duration::from_secs(10))
}

fn build(builder: reqwest::ClientBuilder) -> Result<Client, String> {
    builder.build().map_err(|error| error.to_string())
}

/// Where an answer sends us, if it does.
fn redirect(response: &Response, url: &Url) -> Result<Option<Url>, WebError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = text_of(response.headers(), &LOCATION) else { return Ok(None) };
    let mut next = url.join(&location).map_err(|_| {
        WebError::new(ErrorType::User, "the address redirects to something that is not an address")
            .suggesting("Fetch another one.")
    })?;
    if next.fragment().is_none() {
        next.set_fragment(url.fragment());
    }
    Ok(Some(next))
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned)
}

fn redirected(failure: WebError, next: &Url) -> WebError {
    let mut shown = next.clone();
    // What is refused may carry what it must not.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    let message = format!("it redirects to {shown}; {}", failure.message);
    WebError { message, ..failure }
}

fn unreachable(error: &reqwest::Error) -> WebError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = error.source();
    let mut last = None;
    while let Some(inner) = cause {
        if let Some(NotPublic(why)) = inner.downcast_ref() {
            return refused(why);
        }
        last = Some(inner.to_string());
        cause = inner.source();
    }
    let why = last.unwrap_or_else(|| error.to_string());
    let message = if error.is_connect() { "cannot be reached" } else { "did not answer like a web server" };
    let failure = WebError::new(ErrorType::System, format!("the host {message}: {why}"));
    failure.suggesting("Check the address; it may also work later.")
}

fn cut_off(error: &reqwest::Error) -> WebError {
    let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    WebError::new(ErrorType::System, format!("the response broke off: {why}")).suggesting("Try again later.")
}

fn too_slow(limit: Duration, received: &Received) -> WebError {
    let message =
        format!("the response did not arrive within {} s ({} bytes arrived)", limit.as_secs_f64(), received.bytes());
    WebError::new(ErrorType::Timeout, message).suggesting("Try again later, or fetch a smaller page.")
}

fn broken(error: &str) -> WebError {
    WebError::new(ErrorType::System, format!("requests cannot be made: {error}"))
        .suggesting("This is a problem with the server's machine; its certificates may be missing.")
}
