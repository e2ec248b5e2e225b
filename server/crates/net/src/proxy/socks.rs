//! SOCKS5 (RFC 1928): no authentication, `CONNECT` only, hosts by name, IPv4 and IPv6.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::request::{Language, Parsed, ProxyRequest};
use crate::destination::Destination;

pub(super) const VERSION: u8 = 5;

/// What a client is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SocksReply {
    Connected = 0,
    Failed = 1,
    NotAllowed = 2,
    Unreachable = 4,
    NoSuchCommand = 7,
}

/// The method of no authentication, chosen or, with `NO_METHOD`, not on offer.
pub(super) const NO_AUTHENTICATION: [u8; 2] = [VERSION, 0];
pub(super) const NO_METHOD: [u8; 2] = [VERSION, 0xff];

/// Reads the methods that a client offers: whether one fits, and how long the greeting is.
pub(super) fn greeting(bytes: &[u8]) -> Parsed<(bool, usize)> {
    let [VERSION, count, rest @ ..] = bytes else {
        return if matches!(bytes, [] | [VERSION]) { Parsed::Incomplete } else { Parsed::wrong("this is not SOCKS5") };
    };
    let count = usize::from(*count);
    match rest.get(..count) {
        Some(methods) => Parsed::Whole((methods.contains(&0), 2 + count)),
        None => Parsed::Incomplete,
    }
}

/// Reads a request.
pub(super) fn request(bytes: &[u8]) -> Parsed<Result<ProxyRequest, SocksReply>> {
    let [version, command, _, kind, rest @ ..] = bytes else { return Parsed::Incomplete };
    if *version != VERSION {
        return Parsed::wrong("this is not SOCKS5");
    }
    let length = match (kind, rest.first()) {
        (1, _) => 4,
        (3, Some(length)) => 1 + usize::from(*length),
        (3, None) => return Parsed::Incomplete,
        (4, _) => 16,
        _ => return Parsed::wrong("the kind of address is unknown"),
    };
    let (Some(host), Some(port)) = (rest.get(..length), rest.get(length..length + 2)) else {
        return Parsed::Incomplete;
    };
    if *command != 1 {
        return Parsed::Whole(Err(SocksReply::NoSuchCommand));
    }
    let port = port.iter().fold(0, |port, byte| port << 8 | u16::from(*byte));
    let host = match kind {
        1 => <[u8; 4]>::try_from(host).map(|address| Ipv4Addr::from(address).to_string()).ok(),
        4 => <[u8; 16]>::try_from(host).map(|address| Ipv6Addr::from(address).to_string()).ok(),
        _ => host.get(1..).and_then(|name| std::str::from_utf8(name).ok()).map(ToOwned::to_owned),
    };
    let to = host.and_then(|host| Destination::new(&host, port).ok());
    let first = rest[length + 2..].to_vec();
    Parsed::Whole(
        to.map(|to| ProxyRequest { to, language: Language::Socks, first, more: None }).ok_or(SocksReply::Failed),
    )
}

/// The reply, which names no address of the proxy's own.
pub(super) fn reply(reply: SocksReply) -> [u8; 10] {
    [VERSION, reply as u8, 0, 1, 0, 0, 0, 0, 0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: u8, host: &[u8], more: &[u8]) -> Parsed<Result<ProxyRequest, SocksReply>> {
        request(&[&[VERSION, 1, 0, kind], host, &[1, 187], more].concat())
    }

    fn to(parsed: Parsed<Result<ProxyRequest, SocksReply>>) -> String {
        match parsed {
            Parsed::Whole(Ok(request)) => format!("{} {:?}", request.to, String::from_utf8_lossy(&request.first)),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn hosts_are_named_in_three_ways() {
        assert_eq!(to(asked(1, &[10, 0, 0, 1], b"")), "10.0.0.1:443 \"\"");
        assert_eq!(to(asked(3, b"\x0bEXAMPLE.org", b"early")), "example.org:443 \"early\"");
        assert_eq!(to(asked(4, &Ipv6Addr::LOCALHOST.octets(), b"")), "[::1]:443 \"\"");
    }

    #[test]
    fn half_of_anything_is_incomplete_and_anything_else_is_wrong() {
        let whole = [&[VERSION, 1, 0, 3, 11][..], b"example.org", &[1, 187]].concat();
        for length in 0..whole.len() {
            assert_eq!(request(&whole[..length]), Parsed::Incomplete, "{length}");
        }
        for length in 0..4 {
            assert_eq!(greeting(&[VERSION, 2, 0, 2][..length]), Parsed::Incomplete, "{length}");
        }
        assert_eq!(greeting(&[VERSION, 2, 0, 2]), Parsed::Whole((true, 4)));
        assert_eq!(greeting(&[VERSION, 1, 2]), Parsed::Whole((false, 3)));
        assert_eq!(greeting(&[VERSION, 0]), Parsed::Whole((false, 2)));
        assert!(matches!(greeting(&[4, 1]), Parsed::Wrong(_)));
        assert!(matches!(request(&[4, 1, 0, 1]), Parsed::Wrong(_)));
        assert!(matches!(asked(2, &[0; 4], b""), Parsed::Wrong(_)));
        for name in [&b"\x00"[..], b"\x03a b", b"\x02\xff\xfe", b"\x03a\0b"] {
            assert!(!matches!(asked(3, name, b""), Parsed::Whole(Ok(_))), "{name:?}");
        }
    }

    #[test]
    fn only_connections_are_made() {
        for command in [0, 2, 3, 255] {
            let bytes = [VERSION, command, 0, 1, 1, 1, 1, 1, 1, 187];
            assert_eq!(request(&bytes), Parsed::Whole(Err(SocksReply::NoSuchCommand)));
        }
    }
}
