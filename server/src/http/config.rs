//! What the HTTP side is told from outside.

use crate::runtime::Secret;

/// Settings of the HTTP side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpConfig {
    /// What clients must show; absent: nothing.
    pub auth_token: Option<Secret>,
    /// The address that browsers use, when it is not the one that the server listens on.
    pub public_url: Option<PublicUrl>,
}

/// The address of a reverse proxy: scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    /// Whether it is `https`.
    pub https: bool,
    /// Host and port as a browser sends them in `Host`: the scheme's own port is left out.
    pub authority: String,
}

impl PublicUrl {
    /// Reads `http://…` or `https://…` without a path.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no address such as https://chat.example.com (without a path)");
        let (https, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Err(wrong()),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let parsed: axum::http::uri::Authority = authority.parse().map_err(|_| wrong())?;
        if authority.contains('@') || parsed.host().is_empty() {
            return Err(wrong());
        }
        Ok(Self { https, authority: normal_authority(authority, https) })
    }
}

/// Host and port in one spelling: lower case, without the scheme's own port.
pub(super) fn normal_authority(authority: &str, https: bool) -> String {
    let authority = authority.to_ascii_lowercase();
    let own = if https { ":443" } else { ":80" };
    authority.strip_suffix(own).map(str::to_owned).unwrap_or(authority)
}
