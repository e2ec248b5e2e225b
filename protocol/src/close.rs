//! Why a server closes a connection, in numbers: what a client does next depends on nothing else.

/// One close code: what it means and what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseCode {
    /// The number.
    pub code: u16,
    /// What happened.
    pub meaning: &'static str,
    /// What to do next.
    pub advice: &'static str,
    /// Whether connecting again with `after` may work.
    pub retry: bool,
}

/// The server is shutting down.
pub const SHUTDOWN: u16 = 1001;
/// Too many frames in a short time.
pub const RATE: u16 = 1008;
/// A frame above 4 MiB.
pub const TOO_LARGE: u16 = 1009;
/// The server is too busy.
pub const OVERLOAD: u16 = 1013;
/// There is no such session.
pub const UNKNOWN_SESSION: u16 = 4004;
/// Another server has the session.
pub const MOVED: u16 = 4005;
/// `after` names an event that does not exist yet, or one of another history.
pub const AFTER_BEYOND_END: u16 = 4007;
/// The client did not read for too long.
pub const SLOW_READER: u16 = 4013;
/// The token is missing, wrong or no longer valid.
pub const NOT_AUTHORISED: u16 = 4401;

/// Every code that the design names.
pub const ALL: [CloseCode; 9] = [
    CloseCode {
        code: SHUTDOWN,
        meaning: "the server is shutting down",
        advice: "connect again with the session and the last `seq`; everything acknowledged is saved",
        retry: true,
    },
    CloseCode {
        code: RATE,
        meaning: "too many frames in a short time",
        advice: "wait a few seconds, then connect again and send more slowly",
        retry: true,
    },
    CloseCode {
        code: TOO_LARGE,
        meaning: "a frame was larger than 4 MiB",
        advice: "send less at once; put large content into a file in the workspace",
        retry: false,
    },
    CloseCode {
        code: OVERLOAD,
        meaning: "the server is too busy",
        advice: "wait a few seconds, then connect again",
        retry: true,
    },
    CloseCode {
        code: UNKNOWN_SESSION,
        meaning: "there is no such session",
        advice: "check the session's id, or connect without one to begin a new session",
        retry: false,
    },
    CloseCode {
        code: MOVED,
        meaning: "another server has the session",
        advice: "connect again with the last `seq`; nothing is lost",
        retry: true,
    },
    CloseCode {
        code: AFTER_BEYOND_END,
        meaning: "`after` lies beyond the end of the session's log, or `generation` is not that of the log",
        advice: "forget what was read; connect with `after=0` to read the session from its beginning, or with `tail`",
        retry: false,
    },
    CloseCode {
        code: SLOW_READER,
        meaning: "the client did not read for too long",
        advice: "connect again with the last `seq`; nothing is lost",
        retry: true,
    },
    CloseCode {
        code: NOT_AUTHORISED,
        meaning: "the token is missing, wrong or no longer valid",
        advice: "give the server's token",
        retry: false,
    },
];

/// What a code means, if the design names it.
#[must_use]
pub fn lookup(code: u16) -> Option<&'static CloseCode> {
    ALL.iter().find(|entry| entry.code == code)
}
