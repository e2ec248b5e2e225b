//! What the program says about itself while it runs: lines on standard error, filtered by `--log`.

use std::io::{self, IsTerminal};

use super::redact::RedactingWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt, reload};

/// Changes what is logged while the program runs.
#[derive(Debug, Clone)]
pub struct LogControl(reload::Handle<EnvFilter, Registry>);

impl LogControl {
    /// Begins logging. A second call in one process changes nothing: its control controls nothing.
    ///
    /// # Errors
    /// When `filter` is not a filter; the text says why.
    pub fn start(filter: &str) -> Result<Self, String> {
        let (filter, handle) = reload::Layer::new(parse(filter)?);
        let lines = fmt::layer()
            .with_writer(|| RedactingWriter(io::stderr()))
            .with_ansi(io::stderr().is_terminal())
            .with_target(false);
        let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
        Ok(Self(handle))
    }

    /// Logs by another filter from now on.
    ///
    /// # Errors
    /// When `filter` is not a filter; the text says why.
    pub fn set(&self, filter: &str) -> Result<(), String> {
        self.0.reload(parse(filter)?).map_err(|error| error.to_string())
    }
}

/// Checks a filter such as `info` or `switchboard=debug,warn`.
///
/// # Errors
/// When it is not a filter; the text says why.
pub fn check_log_filter(filter: &str) -> Result<(), String> {
    parse(filter).map(|_| ())
}

fn parse(filter: &str) -> Result<EnvFilter, String> {
    // It tells of every message with what is in it, and of failures with addresses, in which keys may stand; what goes
    // wrong is told by our own room. Who wants more names it.
    let quiet = if filter.contains("rmcp") { filter.to_owned() } else { format!("{filter},rmcp=off") };
    EnvFilter::try_new(quiet).map_err(|error| error.to_string())
}
