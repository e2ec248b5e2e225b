//! What a URL may name: `http` or `https`, a web port, no password, and no host of the local network by name or by
//! number.
//!
//! This is checked before anybody is asked, and again at each redirect. Where a name leads is checked by the resolver.

use std::net::IpAddr;

use switchboard_protocol::ErrorType;
use url::{Host, Url};

use super::addresses::is_public;
use super::local_hosts::{Listed, LocalHosts, plain};
use crate::error::WebError;
use switchboard_runtime::secret_in;

/// Ports that no web server has: those that browsers refuse (WHATWG fetch, "bad port"), and some of databases and
/// machines' control.
const NO_WEB_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530,
    531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375,
    2376, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10080, 11211, 27017,
];

/// Names that never mean a public host (RFC 6761, 6762, 8375, and what clouds and networks use within).
const LOCAL_NAMES: &[&str] = &["localhost", "local", "localdomain", "internal", "intranet", "home.arpa", "lan", "corp"];

const NEXT: &str = "Fetch an http or https address on the public internet. A host on the local network can be reached \
                    only if whoever runs the server started it with --web-allow-local HOST[:PORT].";

/// The URL that a text means.
///
/// # Errors
/// When it is none that can be fetched.
pub fn parse(text: &str) -> Result<Url, WebError> {
    let url = Url::parse(text.trim()).map_err(|error| {
        let message = format!("url is not a web address: {error}");
        WebError::new(ErrorType::Validation, message).suggesting("Example: web_fetch(url=\"https://example.com/\")")
    })?;
    Ok(url)
}

/// Whether the URL may be fetched, and whether it is there by the list of local hosts.
///
/// # Errors
/// The refusal, a `security_error`.
pub fn check(url: &Url, local: &LocalHosts) -> Result<bool, WebError> {
    let refuse = |why: String| Err(refused(&why));
    if !matches!(url.scheme(), "http" | "https") {
        return refuse(format!("{}: addresses cannot be fetched, only http and https", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("the address carries a user name or password before its host".to_owned());
    }
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return refuse("the address names no host".to_owned());
    };
    let is_local = match local.listed(url) {
        Listed::Allowed { port_named: true } => return Ok(true),
        Listed::Allowed { port_named: false } => true,
        Listed::Not => false,
        Listed::OtherPorts(ports) => {
            let ports: Vec<String> = ports.iter().map(ToString::to_string).collect();
            return refuse(format!("{host} may be reached only on port {}", ports.join(" and ")));
        }
    };
    if NO_WEB_PORTS.contains(&port) {
        return refuse(format!("port {port} is not a web port"));
    }
    if is_local {
        return Ok(true);
    }
    match host {
        Host::Domain(name) if is_local_name(name) => refuse(format!("{name} is a host on the local network")),
        Host::Domain(_) => Ok(false),
        Host::Ipv4(address) => public(IpAddr::V4(address)),
        Host::Ipv6(address) => public(IpAddr::V6(address)),
    }
}

/// Refuses to send what looks like a secret out of the machine.
///
/// # Errors
/// The refusal, a `security_error` that names its kind.
pub fn carries_no_secret(text: &str) -> Result<(), WebError> {
    // As it was written, and as it would be read at the other end.
    let decoded: String =
        url::form_urlencoded::parse(text.as_bytes()).map(|(name, value)| format!("{name}={value} ")).collect();
    let Some(kind) = secret_in(text).or_else(|| secret_in(&decoded)) else { return Ok(()) };
    let failure = WebError::new(ErrorType::Security, format!("this would send a secret to another machine ({kind})"));
    Err(failure.suggesting("Leave the secret out. This tool never sends secrets to the web, whoever asks for it."))
}

fn public(address: IpAddr) -> Result<bool, WebError> {
    if is_public(address) { Ok(false) } else { Err(refused(&not_public(address))) }
}

/// What is said of an address that is not public.
pub(super) fn not_public(address: IpAddr) -> String {
    format!("{address} is not an address on the public internet")
}

/// A refusal for this reason.
pub(super) fn refused(why: &str) -> WebError {
    WebError::new(ErrorType::Security, format!("this address is refused: {why}")).suggesting(NEXT)
}

/// Whether a name means something of the local network, whatever a resolver says.
pub(super) fn is_local_name(name: &str) -> bool {
    let name = plain(name);
    LOCAL_NAMES.iter().any(|local| name.strip_suffix(local).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}
