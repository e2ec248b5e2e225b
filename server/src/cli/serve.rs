//! The server: starts, says where it is, and ends well.
//!
//! One signal: no new turns, clients are told, running turns get `--drain-seconds`. A second one: at once.

use std::io::Write;
use std::process;

use anyhow::Context;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::app::{App, OverLog, RunningApp};
use crate::config::{Config, Loader};
use switchboard_runtime::LogControl;

/// How a program ends that was told twice: as a shell reports SIGTERM.
const EXIT_AT_ONCE: i32 = 143;

/// Serves until it is told to stop.
pub(super) fn run(loader: Loader, over: OverLog) -> anyhow::Result<()> {
    let loaded = loader.load()?;
    let log = LogControl::start(&loaded.config.service.log).map_err(anyhow::Error::msg)?;
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    raise_file_limit();
    let runtime = Builder::new_multi_thread().enable_all().build().context("cannot start the runtime")?;
    runtime.block_on(serve(loaded.config, loader, log, over))
}

async fn serve(config: Config, loader: Loader, log: LogControl, over: OverLog) -> anyhow::Result<()> {
    let mut signals = Signals::new()?;
    let app = App::start(config, over).await?;
    announce(&app);
    while signals.next().await == SignalRequest::Reload {
        reload(&app, &loader, &log);
    }
    tracing::info!("stopping; a second signal stops at once");
    let stopped = app.stop();
    tokio::pin!(stopped);
    loop {
        tokio::select! {
            () = &mut stopped => return Ok(()),
            asked = signals.next() => {
                if asked == SignalRequest::Stop {
                    tracing::warn!("stopped at once");
                    process::exit(EXIT_AT_ONCE);
                }
            }
        }
    }
}

/// The one thing that people wait for, on standard output.
fn announce(app: &RunningApp) {
    let mut text = format!("Switchboard is ready: {}\n", app.url());
    for (name, value) in app.about() {
        text.push_str(&format!("  {name}: {value}\n"));
    }
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// SIGHUP: what can change, changes; a file that is wrong changes nothing.
fn reload(app: &RunningApp, loader: &Loader, log: &LogControl) {
    let loaded = match loader.load() {
        Ok(loaded) => loaded,
        Err(error) => {
            tracing::error!("settings not reloaded: {error}");
            return;
        }
    };
    let waiting = match app.reload(&loaded.config) {
        Ok(waiting) => waiting,
        Err(error) => {
            tracing::error!("settings not reloaded: {error}");
            return;
        }
    };
    if let Err(error) = log.set(&loaded.config.service.log) {
        tracing::error!("the log filter stays as it was: {error}");
    }
    tracing::info!("settings reloaded");
    if !waiting.is_empty() {
        tracing::warn!("these settings change only at the next start: {}", waiting.join(", "));
    }
}

/// Every connection is a file; the soft limit of many systems is too low for thousands of them.
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[derive(PartialEq, Eq)]
enum SignalRequest {
    Stop,
    Reload,
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Signals {
    fn new() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("cannot listen for signals");
        Ok(Self {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> SignalRequest {
        tokio::select! {
            _ = self.terminate.recv() => SignalRequest::Stop,
            _ = self.interrupt.recv() => SignalRequest::Stop,
            _ = self.hangup.recv() => SignalRequest::Reload,
        }
    }
}
