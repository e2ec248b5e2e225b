//! Why NATS did not do what it was asked, as far as it says so: for what counts is whether it may have been done all the same.

use serde::Deserialize;
use switchboard_events::LogError;

/// JetStream's errors for memory, disk and limits that are used up.
const FULL: [u64; 5] = [10_023, 10_028, 10_047, 10_077, 10_122];

/// Why something was not done.
#[derive(Debug, Clone)]
pub(super) enum NatsError {
    /// The subject's last message is another one.
    Sequence,
    /// There is no answer: it may have been done or not.
    Unknown(String),
    /// It was not done, because who has to do it is not there at the moment, such as a stream's leader.
    NoLeader(String),
    /// It was not done, because there is no connection.
    NoConnection,
    /// It was not done.
    Refused {
        /// Which error it is, in JetStream's list.
        code: u64,
        /// The same for people.
        text: String,
    },
}

impl NatsError {
    /// Whether the same, once more, may be answered otherwise in a moment.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Sequence | Self::Unknown(_) | Self::NoLeader(_))
    }
}

impl From<NatsError> for LogError {
    fn from(error: NatsError) -> Self {
        match error {
            NatsError::Refused { code, .. } if FULL.contains(&code) => Self::Full,
            NatsError::Refused { text, .. } => Self::Store(format!("NATS refuses it: {text}")),
            NatsError::Unknown(text) | NatsError::NoLeader(text) => {
                Self::Unavailable(format!("NATS does not answer ({text})"))
            }
            NatsError::NoConnection => Self::Unavailable("there is no connection to NATS".to_owned()),
            NatsError::Sequence => Self::Store("NATS has another message there".to_owned()),
        }
    }
}

/// An error as JetStream's API answers it.
#[derive(Debug, Deserialize)]
pub(super) struct ApiError {
    /// As HTTP has them.
    #[serde(default)]
    code: u64,
    #[serde(default)]
    err_code: u64,
    #[serde(default)]
    description: String,
}

impl From<ApiError> for NatsError {
    fn from(ApiError { code, err_code, description }: ApiError) -> Self {
        match err_code {
            10_071 | 10_164 => Self::Sequence,
            _ if code == 503 && !FULL.contains(&err_code) => Self::NoLeader(description),
            code => Self::Refused { code, text: description },
        }
    }
}
