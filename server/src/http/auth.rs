//! The token that clients show: as a bearer token, or once at `POST /api/login`, which answers with a cookie.
//!
//! The cookie is not the token: it is a date and a keyed hash over the date and the token, so it tells nothing about
//! the token, expires, and ends when the token changes.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hmac::{Hmac, Mac};
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::attempts::Attempts;
use super::body::JsonBody;
use super::config::HttpConfig;
use super::error::Problem;
use super::listener::ClientAddress;
use super::peer::Peer;
use switchboard_accounts::Principal;
use switchboard_runtime::{Secret, now};

pub(super) const COOKIE: &str = "switchboard_login";

/// How long a login lasts.
const LIFETIME_SECONDS: i64 = 30 * 24 * 60 * 60;

/// What is needed to know a client again; cheap to clone.
#[derive(Clone)]
pub struct Auth(Arc<Inner>);

struct Inner {
    token: Option<Secret>,
    key: [u8; 32],
    behind_https: bool,
    attempts: Attempts,
}

/// The body of `POST /api/login`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    /// The token that the server was started with.
    #[schemars(length(max = 1024))]
    token: String,
}

impl Auth {
    /// Clients show `config.auth_token`; cookies are signed with `key`.
    #[must_use]
    pub fn new(config: &HttpConfig, key: [u8; 32]) -> Self {
        Self(Arc::new(Inner {
            token: config.token().cloned(),
            key,
            behind_https: config.public_url.as_ref().is_some_and(|url| url.https),
            attempts: Attempts::default(),
        }))
    }

    /// Whether there is a token to show.
    pub(super) fn is_required(&self) -> bool {
        self.0.token.is_some()
    }

    /// Lets in who shows a cookie that stands for the token, or the token.
    ///
    /// A cookie is looked at first and always: it is signed with a random key of 244 bits, so nobody guesses one, and whoever
    /// has logged in stays in while somebody else at the same address tries tokens.
    ///
    /// # Errors
    /// Says what is missing or wrong, or that no token is looked at now.
    fn admit(&self, request: &Request<Body>) -> Result<(), Problem> {
        let headers = request.headers();
        let Some(token) = &self.0.token else { return Ok(()) };
        if cookies(headers).any(|cookie| self.is_valid(token, cookie)) {
            return Ok(());
        }
        let Some(shown) = bearer(headers) else { return Err(unknown("the request has no token")) };
        match self.0.attempts.judge(client(request), || token.is(shown))? {
            true => Ok(()),
            false => Err(unknown("the token is not the server's")),
        }
    }

    fn is_valid(&self, token: &Secret, cookie: &str) -> bool {
        let Some((until, mac)) = cookie.split_once('.') else { return false };
        let Ok(seconds) = until.parse::<i64>() else { return false };
        let right: bool = self.mac(token, until).as_bytes().ct_eq(mac.as_bytes()).into();
        right && seconds > now().as_second()
    }

    fn mac(&self, token: &Secret, until: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.key).expect("a key of any length will do");
        mac.update(b"switchboard login\0");
        mac.update(until.as_bytes());
        mac.update(b"\0");
        mac.update(token.reveal().as_bytes());
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn cookie(&self, value: &str, seconds: i64, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
        let from_https = headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
        let secure = if self.0.behind_https || from_https { "; Secure" } else { "" };
        HeaderValue::from_str(&format!(
            "{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}"
        ))
        .map_err(|error| Problem::internal(&error))
    }
}

/// Refuses whoever is not known; the page itself, health and login are open to all. Without a token the server's user is
/// known by the connection, and nothing but health is open to others.
pub(super) async fn require(State(auth): State<Auth>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !auth.is_required()
        && !matches!(path, "/healthz" | "/readyz")
        && let Some(problem) = stranger(&request)
    {
        return problem.into_response();
    }
    let needs_login = path == "/ws" || (path.starts_with("/api/") && path != "/api/login");
    if needs_login && let Err(problem) = auth.admit(&request) {
        return problem.into_response();
    }
    request.extensions_mut().insert(Principal::local());
    next.run(request).await
}

/// `POST /api/login`: the token for a cookie.
pub(super) async fn login(State(auth): State<Auth>, request: Request) -> Result<Response, Problem> {
    let headers = request.headers().clone();
    let address = client(&request);
    let JsonBody(Login { token: shown }) = JsonBody::from(request).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    let Some(token) = &auth.0.token else { return Ok(response) };
    if !auth.0.attempts.judge(address, || token.is(&shown))? {
        return Err(unknown("the token is not the server's").in_field("token"));
    }
    let until = (now().as_second() + LIFETIME_SECONDS).to_string();
    let value = format!("{until}.{}", auth.mac(token, &until));
    response.headers_mut().insert(header::SET_COOKIE, auth.cookie(&value, LIFETIME_SECONDS, &headers)?);
    Ok(response)
}

/// `DELETE /api/login`: the cookie goes.
pub(super) async fn logout(State(auth): State<Auth>, headers: HeaderMap) -> Result<Response, Problem> {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::SET_COOKIE, auth.cookie("", 0, &headers)?);
    Ok(response)
}

/// Why this connection is not the user's own, unless it is.
fn stranger(request: &Request<Body>) -> Option<Problem> {
    let detail = match request.extensions().get::<Peer>() {
        None | Some(Peer::Accepted) => return None,
        Some(Peer::Other(uid)) => format!("this connection comes from another user of the machine (number {uid})"),
        Some(Peer::Unknown) => "the kernel does not say which user this connection comes from".to_owned(),
    };
    let detail = format!("{detail}, and without a token the server is open to its own user only");
    Some(Problem::new(StatusCode::FORBIDDEN, detail).suggest(
        "whoever runs the server can set a token for others: --auth-token-file FILE creates one; a reverse proxy that \
         runs as another user needs it too",
    ))
}

fn client(request: &Request<Body>) -> Option<std::net::IpAddr> {
    request.extensions().get::<ClientAddress>().map(|address| address.0)
}

fn unknown(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, detail)
        .suggest(
            "send the token that the server was started with as Authorization: Bearer …, or log in at POST /api/login",
        )
        .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"switchboard\""))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(|(name, value)| (name == COOKIE).then_some(value))
}
