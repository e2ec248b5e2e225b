//! Where a connection is to lead: a host, by name or number, and a port.

use std::fmt;

use url::{Host, Url};

use super::local_hosts::plain;

/// A host and a port. Names are in lowercase letters, international ones as `xn--…`, without a dot at the end; every
/// notation of an address is the same address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Destination {
    host: Host,
    port: u16,
}

impl Destination {
    /// The destination that these name; an IPv6 address may stand in brackets.
    ///
    /// # Errors
    /// When that is not a host.
    pub fn new(host: &str, port: u16) -> Result<Self, String> {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let host = match bare.parse() {
            Ok(address) => Ok(Host::Ipv6(address)),
            Err(_) => Host::parse(host),
        };
        let host = match host.map_err(|error| error.to_string())? {
            Host::Domain(name) if plain(&name).is_empty() => return Err("the host is empty".to_owned()),
            Host::Domain(name) => Host::Domain(plain(&name)),
            address => address,
        };
        Ok(Self { host, port })
    }

    /// The destination of `host:port`.
    ///
    /// # Errors
    /// When it is not one.
    pub(super) fn of_authority(text: &str) -> Result<Self, String> {
        let (host, port) = text.rsplit_once(':').ok_or("the port is missing")?;
        if host.contains(':') && !host.starts_with('[') {
            return Err("an IPv6 address stands in brackets".to_owned());
        }
        Self::new(host, port.parse().map_err(|_| "the port is not a number up to 65535".to_owned())?)
    }

    /// The host as a rule or a person names it: a name, or an address without brackets.
    #[must_use]
    pub fn domain(&self) -> String {
        match &self.host {
            Host::Ipv6(address) => address.to_string(),
            host => host.to_string(),
        }
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn host(&self) -> &Host {
        &self.host
    }

    /// The address of a web server there, for the guard.
    pub(super) fn url(&self) -> Result<Url, String> {
        Url::parse(&format!("http://{self}/")).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(authority: &str) -> Result<String, String> {
        Destination::of_authority(authority).map(|to| to.to_string())
    }

    #[test]
    fn every_notation_of_a_host_is_the_same_host() {
        for (written, read) in [
            ("EXAMPLE.org.:443", "example.org:443"),
            ("münchen.example:80", "xn--mnchen-3ya.example:80"),
            ("0x7f.1:80", "127.0.0.1:80"),
            ("2130706433:80", "127.0.0.1:80"),
            ("[0:0::1]:80", "[::1]:80"),
        ] {
            assert_eq!(shown(written).as_deref(), Ok(read), "{written}");
        }
        assert_eq!(Destination::new("::1", 80).map(|to| to.domain()), Ok("::1".to_owned()));
    }

    #[test]
    fn what_is_not_a_host_and_a_port_is_refused() {
        for text in
            ["", ":", ".:80", "example.org", "example.org:", "example.org:70000", "example.org:-1", "::1:80", "[::1:80"]
        {
            assert!(shown(text).is_err(), "{text}");
        }
        for host in ["a b", "a/b", "user@host", "a?b", "a#b", "a:b", "%00", "a\r\nb", "[x]", "1.2.3.400"] {
            assert!(Destination::new(host, 80).is_err(), "{host:?}");
        }
    }
}
