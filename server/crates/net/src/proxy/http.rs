//! HTTP as clients speak it to a proxy: `CONNECT host:port`, and requests with whole addresses. One request a connection:
//! what goes on says that it ends with its answer.

use url::Url;

use super::request::{Language, MAX_HEAD_BYTES, Parsed, ProxyRequest};
use crate::destination::Destination;

/// The end of a head.
const END: &[u8] = b"\r\n\r\n";

/// Headers that are between the client and the proxy (RFC 9110, 7.6.1), and `Host`, which follows the address.
const DROPPED: &[&str] =
    &["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "upgrade", "host"];

/// One header, its name in lowercase letters.
struct Header<'a> {
    name: String,
    value: &'a str,
    line: &'a str,
}

/// Reads a request.
pub(super) fn parse(bytes: &[u8]) -> Parsed<ProxyRequest> {
    let Some(end) = bytes.windows(END.len()).position(|window| window == END) else {
        return match bytes.len() {
            length if length > MAX_HEAD_BYTES => Parsed::wrong("the request's head is too long"),
            _ => Parsed::Incomplete,
        };
    };
    let (head, rest) = (&bytes[..end], &bytes[end + END.len()..]);
    match std::str::from_utf8(head).map_err(|_| "the request is not text".to_owned()).and_then(|head| read(head, rest))
    {
        Ok(request) => Parsed::Whole(request),
        Err(why) => Parsed::Wrong(why),
    }
}

fn read(head: &str, rest: &[u8]) -> Result<ProxyRequest, String> {
    if head.chars().any(|sign| sign.is_control() && !matches!(sign, '\r' | '\n' | '\t')) {
        return Err("the request contains control characters".to_owned());
    }
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err("this is not an HTTP request".to_owned());
    };
    if !is_token(method) || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err("this is not a request of HTTP/1.1".to_owned());
    }
    if method == "CONNECT" {
        let to = Destination::of_authority(target).map_err(|why| format!("{target} is not HOST:PORT: {why}"))?;
        return Ok(ProxyRequest { to, language: Language::Tunnel, first: rest.to_vec(), more: None });
    }
    let headers = lines.map(header).collect::<Result<Vec<_>, _>>()?;
    plain(method, target, version, &headers, rest)
}

fn plain(
    method: &str,
    target: &str,
    version: &str,
    headers: &[Header<'_>],
    rest: &[u8],
) -> Result<ProxyRequest, String> {
    if target.starts_with('/') {
        return Err("this is a proxy: ask it for a whole address, such as http://example.org/".to_owned());
    }
    let after = target.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("http://")).map(|_| &target[7..]);
    let after = after.ok_or("only http addresses are asked for like this; use CONNECT for others")?;
    let url = Url::parse(target).map_err(|error| format!("the address is wrong: {error}"))?;
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err("the address names no host".to_owned());
    };
    let to = Destination::new(host, port)?;
    let body = body(headers)?;
    // The path as it was written: servers may tell notations apart that a parser does not.
    let path = after.find(['/', '?', '#']).map_or("", |at| &after[at..]);
    let path = path.split('#').next().unwrap_or_default();
    let slash = if path.starts_with('/') { "" } else { "/" };
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let mut first = format!("{method} {slash}{path} {version}\r\nHost: {host}\r\nConnection: close\r\n").into_bytes();
    let named: Vec<String> = headers.iter().filter(|header| header.name == "connection").flat_map(options).collect();
    for header in
        headers.iter().filter(|header| !DROPPED.contains(&header.name.as_str()) && !named.contains(&header.name))
    {
        first.extend_from_slice(header.line.as_bytes());
        first.extend_from_slice(b"\r\n");
    }
    first.extend_from_slice(b"\r\n");
    // What stands behind the body would be another request.
    let of_body = body.map_or(rest.len(), |length| rest.len().min(usize::try_from(length).unwrap_or(usize::MAX)));
    first.extend_from_slice(&rest[..of_body]);
    Ok(ProxyRequest { to, language: Language::Plain, first, more: body.map(|length| length - of_body as u64) })
}

fn options(header: &Header<'_>) -> Vec<String> {
    header.value.split(',').map(|option| option.trim().to_ascii_lowercase()).collect()
}

/// How long the body is; none if only its own end says it.
fn body(headers: &[Header<'_>]) -> Result<Option<u64>, String> {
    let values = |name: &str| headers.iter().filter(|header| header.name == name).map(|header| header.value).collect();
    let (lengths, codings): (Vec<&str>, Vec<&str>) = (values("content-length"), values("transfer-encoding"));
    match (lengths.as_slice(), codings.as_slice()) {
        ([], []) => Ok(Some(0)),
        ([length], []) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            length.parse().map(Some).map_err(|_| "the length of the request is wrong".to_owned())
        }
        ([], [coding]) if coding.eq_ignore_ascii_case("chunked") => Ok(None),
        _ => Err("the length of the request is not clear".to_owned()),
    }
}

fn header(line: &str) -> Result<Header<'_>, String> {
    let wrong = || "a header is wrong".to_owned();
    let (name, value) = line.split_once(':').ok_or_else(wrong)?;
    // Folded lines begin with a blank, which is no part of a name.
    if !is_token(name) || line.contains(['\r', '\n']) {
        return Err(wrong());
    }
    Ok(Header { name: name.to_ascii_lowercase(), value: value.trim(), line })
}

fn is_token(text: &str) -> bool {
    let signs = b"!#$%&'*+-.^_`|~";
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> ProxyRequest {
        match parse(text.as_bytes()) {
            Parsed::Whole(request) => request,
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn a_tunnel_is_asked_for_by_its_destination() {
        let request = whole("CONNECT Example.org:443 HTTP/1.1\r\nHost: other.example:1\r\n\r\nearly");

        assert_eq!((request.to.to_string().as_str(), request.language), ("example.org:443", Language::Tunnel));
        assert_eq!((request.first.as_slice(), request.more), (&b"early"[..], None));
    }

    #[test]
    fn a_plain_request_goes_on_with_its_own_host_and_ends_with_its_answer() {
        let request = whole(
            "POST http://user:pw@Example.org:8080/a%2fb/../?q=1#part HTTP/1.1\r\nHost: internal.example\r\n\
             Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\n\
             Accept: */*\r\nContent-Length: 4\r\n\r\nbodyGET http://x/ HTTP/1.1",
        );

        assert_eq!((request.to.to_string().as_str(), request.more), ("example.org:8080", Some(0)));
        assert_eq!(
            String::from_utf8_lossy(&request.first),
            "POST /a%2fb/../?q=1 HTTP/1.1\r\nHost: example.org:8080\r\nConnection: close\r\nAccept: */*\r\n\
             Content-Length: 4\r\n\r\nbody"
        );
        assert!(
            whole("GET http://example.org?q HTTP/1.1\r\n\r\n")
                .first
                .starts_with(b"GET /?q HTTP/1.1\r\nHost: example.org\r\n")
        );
        assert_eq!(whole("PUT http://h/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx").more, None);
    }

    #[test]
    fn hostile_requests_are_refused() {
        for text in [
            "\r\n\r\n",
            "GET\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET https://example.org/ HTTP/1.1\r\n\r\n",
            "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
            "GET http:// HTTP/1.1\r\n\r\n",
            "GET http://a b/ HTTP/1.1\r\n\r\n",
            "GET http://h/ HTTP/2\r\n\r\n",
            "GET http://h/ HTTP/1.1 x\r\n\r\n",
            "GET http://h/\0 HTTP/1.1\r\n\r\n",
            "GET http://h/ HTTP/1.1\r\nHost\r\n\r\n",
            "GET http://h/ HTTP/1.1\r\n folded: x\r\n\r\n",
            "GET http://h/ HTTP/1.1\r\nName : x\r\n\r\n",
            "GET http://h/ HTTP/1.1\r\nA: x\nB: y\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "POST http://h/ HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "CONNECT example.org HTTP/1.1\r\n\r\n",
            "CONNECT example.org:99999 HTTP/1.1\r\n\r\n",
            "CONNECT user@example.org:443 HTTP/1.1\r\n\r\n",
            "CONNECT http://example.org:443/ HTTP/1.1\r\n\r\n",
        ] {
            assert!(matches!(parse(text.as_bytes()), Parsed::Wrong(_)), "{text:?}: {:?}", parse(text.as_bytes()));
        }
        assert!(matches!(parse(b"GET http://h/\xff HTTP/1.1\r\n\r\n"), Parsed::Wrong(_)));
    }

    #[test]
    fn a_head_has_an_end() {
        assert_eq!(parse(b"CONNECT example.org:443 HTTP/1.1\r\nA: b\r\n"), Parsed::Incomplete);
        assert!(matches!(parse(&vec![b'A'; MAX_HEAD_BYTES + 1]), Parsed::Wrong(_)));
    }
}
