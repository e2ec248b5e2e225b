//! The list of hosts of the local network that may be reached anyway (`--web-allow-local`).

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Hosts, each with all of its web ports or with one port.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalHosts(Vec<LocalHost>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct LocalHost {
    host: Host,
    port: Option<u16>,
}

/// What the list says of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Listed {
    /// Nothing.
    Not,
    /// It may be reached, at whatever address its name has; the port was named.
    Allowed { port_named: bool },
    /// The host is there, but only with these ports.
    OtherPorts(Vec<u16>),
}

impl LocalHosts {
    /// What the list says of a URL.
    pub(super) fn listed(&self, url: &Url) -> Listed {
        let Some(host) = url.host() else { return Listed::Not };
        let port = url.port_or_known_default();
        let ports: Vec<Option<u16>> =
            self.0.iter().filter(|listed| listed.is(&host)).map(|listed| listed.port).collect();
        if ports.is_empty() {
            Listed::Not
        } else if ports.contains(&port) {
            Listed::Allowed { port_named: true }
        } else if ports.contains(&None) {
            Listed::Allowed { port_named: false }
        } else {
            Listed::OtherPorts(ports.into_iter().flatten().collect())
        }
    }

    /// Whether this name is there, with whatever port.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let name = plain(name);
        self.0.iter().any(|listed| matches!(&listed.host, Host::Domain(domain) if *domain == name))
    }
}

impl LocalHost {
    fn is(&self, host: &Host<&str>) -> bool {
        match (&self.host, host) {
            (Host::Domain(listed), Host::Domain(name)) => *listed == plain(name),
            (Host::Ipv4(listed), Host::Ipv4(address)) => listed == address,
            (Host::Ipv6(listed), Host::Ipv6(address)) => listed == address,
            _ => false,
        }
    }
}

/// A name as it is compared: lowercase letters, no dot at its end.
pub(super) fn plain(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}

impl FromStr for LocalHosts {
    type Err = String;

    /// Reads `wiki.example.org,127.0.0.1:8080,[fd00::1]:80`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(LocalHost::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl LocalHost {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("\"{text}\" is not a host; write HOST or HOST:PORT, such as wiki.local:8080 or [::1]:8080");
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && !text.ends_with(']') => {
                (host, Some(port.parse().map_err(|_| wrong())?))
            }
            _ => (text, None),
        };
        let host = match Host::parse(host).map_err(|_| wrong())? {
            Host::Domain(name) => Host::Domain(plain(&name)),
            address => address,
        };
        Ok(Self { host, port })
    }
}

impl fmt::Display for LocalHosts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self
            .0
            .iter()
            .map(|LocalHost { host, port }| port.map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
            .collect();
        formatter.write_str(&texts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(list: &str, url: &str) -> Listed {
        list.parse::<LocalHosts>().expect("a list").listed(&Url::parse(url).expect("a URL"))
    }

    #[test]
    fn a_host_is_listed_with_all_ports_or_with_one() {
        let any = Listed::Allowed { port_named: false };
        let named = Listed::Allowed { port_named: true };
        assert_eq!(listed("wiki.local", "http://WIKI.local.:8080/x"), any);
        assert_eq!(listed("127.0.0.1:8080, [::1]", "http://2130706433:8080/"), named);
        assert_eq!(listed("127.0.0.1:8080, [::1]", "http://[0:0::1]/"), any);
        assert_eq!(listed("127.0.0.1:8080", "http://127.0.0.1/"), Listed::OtherPorts(vec![8080]));
        assert_eq!(listed("wiki.local:80", "https://wiki.local/"), Listed::OtherPorts(vec![80]));
        assert_eq!(listed("wiki.local", "http://other.wiki.local/"), Listed::Not);
        assert_eq!(listed("", "http://wiki.local/"), Listed::Not);
    }

    #[test]
    fn what_is_no_host_is_told() {
        for text in ["http://wiki", "wiki:port", "a b", "[::1", "wiki:99999", "wiki/path"] {
            let error = text.parse::<LocalHosts>().expect_err("no list");
            assert!(error.contains("HOST:PORT"), "{error}");
        }
    }

    #[test]
    fn a_list_is_written_as_it_is_read() {
        let list: LocalHosts = "Wiki.Local:8080,[::1]".parse().expect("a list");

        assert_eq!(list.to_string(), "wiki.local:8080,[::1]");
    }
}
