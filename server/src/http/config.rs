//! The settings of the HTTP API.

use std::path::PathBuf;

use super::token::{make_token, read_token};
use switchboard_runtime::Secret;

/// Settings of the HTTP side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpConfig {
    /// What clients must show, as it was set.
    pub auth_token: Option<Secret>,
    /// What clients show that only chat.
    pub chat_token: Option<Secret>,
    /// The file that keeps what they must show when nothing was set; made if it is not there.
    pub token_file: Option<PathBuf>,
    /// What that file held when the server started.
    pub(super) kept: Option<Secret>,
    /// The address that browsers use, when it is not the one that the server listens on.
    pub public_url: Option<PublicUrl>,
}

impl HttpConfig {
    /// What clients must show; absent: nothing.
    #[must_use]
    pub fn token(&self) -> Option<&Secret> {
        self.auth_token.as_ref().or(self.kept.as_ref())
    }

    /// Reads the token file, or makes it; whether it was made. Without one, or with a token set, nothing happens.
    ///
    /// # Errors
    /// When the file holds no token or cannot be made, naming it.
    pub fn open_token_file(&mut self) -> Result<bool, String> {
        let Some(path) = self.token_file.as_ref().filter(|_| self.auth_token.is_none()) else { return Ok(false) };
        let found = read_token(path)?;
        let made = found.is_none();
        self.kept = Some(match found {
            Some(token) => token,
            None => make_token(path)?,
        });
        Ok(made)
    }

    /// Whether a token that only chats stands beside another one.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn check_chat_token(&self) -> Result<(), String> {
        match (&self.chat_token, &self.auth_token, &self.token_file) {
            (Some(_), None, None) => {
                Err("chat-token is a second token beside the server's own; set auth-token or auth-token-file too"
                    .to_owned())
            }
            (Some(chat), Some(own), _) if own.is(chat.reveal()) => {
                Err("chat-token and auth-token are the same, so the chat token would not be limited".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// What a program of the same user shows to this server: the token, if it can be known.
    #[must_use]
    pub fn find_token(&self) -> Option<Secret> {
        let in_file = || self.token_file.as_ref().and_then(|path| read_token(path).ok().flatten());
        self.token().cloned().or_else(in_file)
    }
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
        let wrong = || format!("\"{text}\" is not an address such as https://chat.example.com (without a path)");
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
