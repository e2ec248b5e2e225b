//! Why a client could not connect or send, in words that say what to do next.

use std::time::Duration;

use crate::close;

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The address cannot be used.
    #[error("the address `{url}` cannot be used: {reason}. Give one like http://127.0.0.1:7878")]
    Address {
        /// What was given, without its query.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers.
    #[error(
        "no server answers at {url} ({reason}). Start one with `switchboard`, or give the address of a running one"
    )]
    Unreachable {
        /// The address.
        url: String,
        /// What the network says.
        reason: String,
    },
    /// It took too long.
    #[error("the server at {url} did not answer within {} s. Try again, or check the address", limit.as_secs())]
    Timeout {
        /// The address.
        url: String,
        /// The limit.
        limit: Duration,
    },
    /// The server answered the upgrade with an HTTP error.
    #[error("the server refused the connection with HTTP {status}{}. {}", detail(body), advice_for_status(*status))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the server says of it.
        body: String,
    },
    /// The server closed the connection before it was ready.
    #[error("{}", closed(*code, reason))]
    Closed {
        /// The close code.
        code: Option<u16>,
        /// The server's reason.
        reason: String,
    },
}

impl ConnectError {
    /// Whether the same again may work later.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Address { .. } => true,
            Self::Unreachable { .. } | Self::Timeout { .. } => false,
            // 408 and 429 speak of time, not of the request.
            Self::Refused { status, .. } => (400..500).contains(status) && ![408, 429].contains(status),
            Self::Closed { code, .. } => !may_retry(*code),
        }
    }

    /// The close code, if it was one.
    #[must_use]
    pub fn close_code(&self) -> Option<u16> {
        match self {
            Self::Closed { code, .. } => *code,
            _ => None,
        }
    }
}

/// Why a frame was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The server would close the connection.
    #[error(
        "the frame has {bytes} bytes, and a server accepts at most {limit}. Put large content into a file in the \
         workspace"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The largest size.
        limit: usize,
    },
    /// Too many messages wait for an answer.
    #[error("{0} messages have not been acknowledged yet. Wait for some of them")]
    TooMany(usize),
    /// There is no connection any more, and there will be none.
    #[error("the connection is closed. Connect again")]
    Closed,
}

/// Whether connecting again may work after this close code. A connection that ended without one was cut.
pub(crate) fn may_retry(code: Option<u16>) -> bool {
    let Some(code) = code else { return true };
    match close::lookup(code) {
        Some(entry) => entry.retry,
        None => matches!(code, 1005 | 1006 | 1011 | 1012 | 1014),
    }
}

/// What a close code and the server's reason amount to, for people.
pub(crate) fn closed(code: Option<u16>, reason: &str) -> String {
    let Some(code) = code else {
        return if reason.is_empty() { "the connection was cut".to_owned() } else { reason.to_owned() };
    };
    let said = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    match close::lookup(code) {
        Some(entry) => {
            format!("the server closed the connection ({code}, {}){said}. To continue: {}", entry.meaning, entry.advice)
        }
        None => format!("the server closed the connection ({code}){said}"),
    }
}

fn detail(body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(" ({body})") }
}

fn advice_for_status(status: u16) -> &'static str {
    match status {
        401 => "Give the server's token",
        403 => {
            "It does not accept this Origin or Host, or it runs as another user and has no token: use the address that the \
             server printed when it started, or set a token"
        }
        404 => "Is this the address of a Switchboard server, and does the session exist?",
        429 | 503 => "It is too busy: try again later",
        _ => "Is this the address of a Switchboard server?",
    }
}
