//! The token that clients show: as a bearer token, or once at `POST /api/login`, which answers with a cookie.
//!
//! A second token may be set that only chats. What a client may do goes with its request, as its [`Rights`].

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::attempts::Attempts;
use super::body::JsonBody;
use super::config::HttpConfig;
use super::error::Problem;
use super::listener::ClientAddress;
use super::logins::{LIFETIME_SECONDS, Logins};
use super::peer::Peer;
use switchboard_accounts::{Principal, Rights};
use switchboard_runtime::{KeyValueStore, Secret};

pub(super) const COOKIE: &str = "switchboard_login";

/// What is needed to know a client again; cheap to clone.
#[derive(Clone)]
pub struct Auth(Arc<Inner>);

struct Inner {
    /// Those that let somebody in, and what they allow.
    tokens: Vec<(Secret, Rights)>,
    logins: Logins,
    behind_https: bool,
    attempts: Attempts,
}

/// Who was let in.
struct Admitted {
    rights: Rights,
    /// Is cancelled when the login that let them in ends.
    ended: CancellationToken,
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
    /// Clients show a token of `config`; cookies are signed with `key`, and those that end early kept in `ended`.
    ///
    /// # Errors
    /// When those cannot be read.
    pub fn new(config: &HttpConfig, key: [u8; 32], ended: Option<Arc<dyn KeyValueStore>>) -> std::io::Result<Self> {
        let all = config.token().cloned().map(|token| (token, Rights::All));
        let chat = config.chat_token.clone().map(|token| (token, Rights::Chat)).filter(|_| all.is_some());
        Ok(Self(Arc::new(Inner {
            tokens: all.into_iter().chain(chat).collect(),
            logins: Logins::open(key, ended)?,
            behind_https: config.public_url.as_ref().is_some_and(|url| url.https),
            attempts: Attempts::default(),
        })))
    }

    /// Ends logins that ended at other servers.
    pub fn take_up_ended(&self) {
        if let Err(error) = self.0.logins.take_up() {
            tracing::error!("which logins ended at other servers cannot be read: {error}");
        }
    }

    /// Whether there is a token to show.
    pub(super) fn is_required(&self) -> bool {
        !self.0.tokens.is_empty()
    }

    /// Lets in who shows a cookie that stands for a token, or a token.
    ///
    /// A cookie is looked at first and always: it is signed with a random key of 244 bits, so nobody guesses one, and whoever
    /// has logged in stays in while somebody else at the same address tries tokens.
    ///
    /// # Errors
    /// Says what is missing or wrong, or that no token is looked at now.
    fn admit(&self, request: &Request<Body>) -> Result<Admitted, Problem> {
        let headers = request.headers();
        if !self.is_required() {
            return Ok(Admitted { rights: Rights::All, ended: CancellationToken::new() });
        }
        if let Some((cookie, rights)) = self.login_of(headers) {
            // Only what lasts has to be ended: a connection.
            let lasts = request.uri().path() == "/ws";
            let ended = if lasts { self.0.logins.until_ended(cookie) } else { CancellationToken::new() };
            return Ok(Admitted { rights, ended });
        }
        let Some(shown) = bearer(headers) else { return Err(unknown("the request has no token")) };
        match self.judge(client(request), shown)? {
            Some((_, rights)) => Ok(Admitted { rights: *rights, ended: CancellationToken::new() }),
            None => Err(unknown("the token is not the server's")),
        }
    }

    /// The cookie of a login that lasts, and what it allows.
    fn login_of<'a>(&self, headers: &'a HeaderMap) -> Option<(&'a str, Rights)> {
        cookies(headers).find_map(|cookie| {
            let token = self.0.tokens.iter().find(|(token, _)| self.0.logins.is_valid(token, cookie));
            token.map(|(_, rights)| (cookie, *rights))
        })
    }

    /// The token that was shown, if it is one of the server's.
    ///
    /// # Errors
    /// When none is looked at from this address now.
    fn judge(&self, address: Option<IpAddr>, shown: &str) -> Result<Option<&(Secret, Rights)>, Problem> {
        let mut found = None;
        self.0.attempts.judge(address, || {
            // All are compared, so that the time tells nothing about which it is.
            for token in &self.0.tokens {
                if token.0.is(shown) {
                    found = Some(token);
                }
            }
            found.is_some()
        })?;
        Ok(found)
    }

    fn cookie(&self, value: &str, seconds: i64) -> Result<HeaderValue, Problem> {
        let secure = if self.0.behind_https { "; Secure" } else { "" };
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
    if needs_login {
        match auth.admit(&request) {
            Ok(Admitted { rights, ended }) => {
                request.extensions_mut().insert(rights);
                request.extensions_mut().insert(ended);
            }
            Err(problem) => return problem.into_response(),
        }
    }
    request.extensions_mut().insert(Principal::local());
    next.run(request).await
}

/// `POST /api/login`: the token for a cookie.
pub(super) async fn login(State(auth): State<Auth>, request: Request) -> Result<Response, Problem> {
    let address = client(&request);
    let JsonBody(Login { token: shown }) = JsonBody::from(request).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if !auth.is_required() {
        return Ok(response);
    }
    let Some((token, _)) = auth.judge(address, &shown)? else {
        return Err(unknown("the token is not the server's").in_field("token"));
    };
    let cookie = auth.cookie(&auth.0.logins.begin(token), LIFETIME_SECONDS)?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// `DELETE /api/login`: the login ends, here and in every copy of its cookie.
pub(super) async fn logout(State(auth): State<Auth>, headers: HeaderMap) -> Result<Response, Problem> {
    while let Some((cookie, _)) = auth.login_of(&headers) {
        let (auth, cookie) = (auth.clone(), cookie.to_owned());
        let ended = tokio::task::spawn_blocking(move || auth.0.logins.end(&cookie)).await;
        ended.unwrap_or_else(|error| Err(error.into())).map_err(|error| Problem::internal(&error))?;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::SET_COOKIE, auth.cookie("", 0)?);
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

fn client(request: &Request<Body>) -> Option<IpAddr> {
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
