//! What a client is told, in its own language. Programs show the status line of a proxy and hardly ever its body, so the
//! reason stands in both.

use super::journal::ConnectionEnd;
use super::request::Language;
use super::socks::{self, SocksReply};

/// The longest reason in a status line.
const MAX_REASON_CHARS: usize = 300;

/// The reply to a request whose connection ended like this; none where the other side gives it.
pub(super) fn to_attempt(language: Language, end: &ConnectionEnd) -> Option<Vec<u8>> {
    Some(match (language, end) {
        (Language::Plain, ConnectionEnd::Connected) => return None,
        (Language::Tunnel, ConnectionEnd::Connected) => b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec(),
        (Language::Socks, ConnectionEnd::Connected) => socks::reply(SocksReply::Connected).to_vec(),
        (Language::Socks, ConnectionEnd::Refused(_)) => socks::reply(SocksReply::NotAllowed).to_vec(),
        (Language::Socks, ConnectionEnd::Failed(_)) => socks::reply(SocksReply::Unreachable).to_vec(),
        (_, ConnectionEnd::Refused(why)) => http(403, why),
        (_, ConnectionEnd::Failed(why)) => http(502, why),
    })
}

/// An answer of HTTP that is not the other side's.
pub(super) fn http(status: u16, why: &str) -> Vec<u8> {
    // Only what a status line may contain, so that no part of a request can become a header of the answer.
    let shown = |sign: char| if sign.is_ascii_graphic() || sign == ' ' { sign } else { '?' };
    let reason: String = why.chars().take(MAX_REASON_CHARS).map(shown).collect();
    let body = format!("Switchboard: {why}\n");
    format!(
        "HTTP/1.1 {status} Switchboard: {reason}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_stays_in_its_line() {
        let answer = String::from_utf8(http(403, "no\r\nSet-Cookie: x — never")).expect("text");

        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 403 Switchboard: no??Set-Cookie: x ? never\r\n"), "{head}");
        assert_eq!(body, "Switchboard: no\r\nSet-Cookie: x — never\n");
    }
}
