//! From an address as people write it to the request that opens the socket.

use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::{AUTHORIZATION, ORIGIN};
use tokio_tungstenite::tungstenite::http::uri::{Scheme, Uri};
use tokio_tungstenite::tungstenite::http::{HeaderValue, Request};

use super::{ClientConfig, ConnectError};

/// Where the socket is, without a query, and what proves who we are.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    address: String,
    authorization: Option<HeaderValue>,
    origin: Option<HeaderValue>,
}

impl Endpoint {
    pub(crate) fn new(config: &ClientConfig) -> Result<Self, ConnectError> {
        let shown = config.url.split('?').next().unwrap_or_default();
        let wrong = |reason: &str| ConnectError::Address { url: shown.to_owned(), reason: reason.to_owned() };

        let given = config.url.trim();
        let text = if given.contains("://") { given.to_owned() } else { format!("ws://{given}") };
        let uri: Uri = text.parse().map_err(|_| wrong("it is not a URL"))?;
        match uri.scheme().map(Scheme::as_str) {
            Some("ws" | "http") => {}
            Some("wss" | "https") => return Err(wrong("this client does not support TLS; use a tunnel to the server")),
            _ => return Err(wrong("it does not begin with http:// or ws://")),
        }
        let authority = uri.authority().ok_or_else(|| wrong("it names no host"))?;
        let path = if matches!(uri.path(), "" | "/") { "/ws" } else { uri.path() };

        let token = config.token.clone().or_else(|| token_of(uri.query().unwrap_or_default()));
        let header = |text: String, what: &str| {
            HeaderValue::try_from(text).map_err(|_| wrong(&format!("the {what} has characters that cannot be sent")))
        };
        let authorization = token.map(|token| header(format!("Bearer {token}"), "token")).transpose()?;
        let origin = config.origin.clone().map(|origin| header(origin, "origin")).transpose()?;
        Ok(Self { address: format!("ws://{authority}{path}"), authorization, origin })
    }

    /// The address, for people.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The request with this query.
    pub(crate) fn request(&self, query: &str) -> Result<Request<()>, ConnectError> {
        let separator = if query.is_empty() { "" } else { "?" };
        let mut request = format!("{}{separator}{query}", self.address)
            .into_client_request()
            .map_err(|error| ConnectError::Address { url: self.address.clone(), reason: error.to_string() })?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        if let Some(origin) = &self.origin {
            request.headers_mut().insert(ORIGIN, origin.clone());
        }
        Ok(request)
    }
}

fn token_of(query: &str) -> Option<String> {
    query.split('&').find_map(|pair| pair.strip_prefix("token=")).filter(|token| !token.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, address: &str) {
        let endpoint = Endpoint::new(&ClientConfig::new(url)).expect("an address");
        assert_eq!(endpoint.address(), address);
    }

    #[test]
    fn an_address_may_be_written_as_people_write_it() {
        check("http://127.0.0.1:7878", "ws://127.0.0.1:7878/ws");
        check("http://127.0.0.1:7878/", "ws://127.0.0.1:7878/ws");
        check("127.0.0.1:7878", "ws://127.0.0.1:7878/ws");
        check("localhost:7878", "ws://localhost:7878/ws");
        check("ws://[::1]:7878/ws", "ws://[::1]:7878/ws");
        check("http://host/below/ws?token=abc", "ws://host/below/ws");
    }

    #[test]
    fn a_wrong_address_says_what_is_wrong() {
        for (url, words) in [
            ("https://host", "does not support TLS"),
            ("ftp://host", "does not begin with"),
            ("http://", "not a URL"),
            ("a b", "not a URL"),
            ("", "not a URL"),
        ] {
            let error = Endpoint::new(&ClientConfig::new(url)).expect_err("a wrong address").to_string();
            assert!(error.contains(words), "{url}: {error}");
        }
    }

    #[test]
    fn the_token_travels_as_a_header_and_never_in_the_address() {
        let endpoint = Endpoint::new(&ClientConfig::new("http://host:1/?token=s3cret&x=1")).expect("an address");

        let request = endpoint.request("session=5&after=2").expect("a request");

        assert_eq!(request.uri().to_string(), "ws://host:1/ws?session=5&after=2");
        assert_eq!(request.headers()[AUTHORIZATION], "Bearer s3cret");
        assert!(!format!("{:?}", ClientConfig::new("http://host:1/?token=s3cret")).contains("s3cret"));
    }
}
