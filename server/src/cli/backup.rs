//! `switchboard backup`, `restore` and `verify`: the log as one file, whether or not a server runs.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use clap::ValueHint;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use super::config::print;
use crate::config::Loader;
use switchboard_events::{EventLog, LogError};
use switchboard_session::end_restored;
use switchboard_store::{Contents, Progress, SqliteLog, SqliteOptions, Watch, back_up, restore, verify};

/// How a program ends that was told twice to stop, as a shell reports Ctrl+C.
const EXIT_STOPPED: i32 = 130;

/// How many damages are shown, one a line.
const DAMAGES_SHOWN: usize = 50;

const BACKUP_HELP: &str = "\
The server can keep running: the backup has everything that was acknowledged before it began. It holds the conversations \
with their variables, not the workspace, the settings, or the copies with which commands are undone.

Example:
  switchboard backup sessions.backup";

const RESTORE_HELP: &str = "\
Stop the server first, and run this as its user. The log that is there is kept under another name. Turns that were \
unfinished when the backup was made are ended, and clients reload their conversations.

Example:
  switchboard restore sessions.backup --replace";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Action {
    /// Copy all sessions to a file, even while the server runs
    #[command(after_help = BACKUP_HELP)]
    Backup {
        /// The new file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        #[command(flatten)]
        folder: DataFolder,
    },
    /// Put a backup into the data folder
    #[command(after_help = RESTORE_HELP)]
    Restore {
        /// What `backup` wrote
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// Put it in the place of the sessions that are there, and keep those under another name
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        folder: DataFolder,
    },
    /// Check every event and value of a backup, or of the data folder, even while the server runs
    Verify {
        /// The backup [default: the data folder]
        #[arg(value_hint = ValueHint::FilePath, conflicts_with = "data")]
        file: Option<PathBuf>,
        #[command(flatten)]
        folder: DataFolder,
    },
}

/// Which data folder is meant.
#[derive(Debug, clap::Args)]
pub(super) struct DataFolder {
    /// The data folder [default: where this machine's settings say it is]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    data: Option<String>,
}

impl Action {
    /// The settings among the arguments, by key.
    pub(super) fn settings(&self) -> BTreeMap<String, String> {
        let (Self::Backup { folder, .. } | Self::Restore { folder, .. } | Self::Verify { folder, .. }) = self;
        folder.data.iter().map(|folder| ("data".to_owned(), folder.clone())).collect()
    }

    /// Does it.
    pub(super) fn run(self, loader: &Loader) -> anyhow::Result<()> {
        let data = || {
            let config = loader.load()?.config;
            if config.store.is_nats() {
                bail!(
                    "the log is in NATS (--store), whose own tools copy it: `nats account backup`; `switchboard migrate` \
                     copies it to a data folder, with the servers stopped"
                );
            }
            Ok(config.paths.data)
        };
        match self {
            Self::Backup { file, .. } => {
                let data = data()?;
                tell(&file, &watched(|watch| back_up(&data, &file, watch))?)
            }
            Self::Restore { file, replace, .. } => {
                let data = data()?;
                let restore = watched(|watch| restore(&file, &data, replace, watch))?;
                let contents = restore.contents.clone();
                let ended = end_open_turns(restore.staging())?;
                if let Some(kept) = restore.put_in_place()? {
                    print(&format!("kept what was there: {}\n", kept.display()))?;
                }
                if ended > 0 {
                    let sessions = several(ended, "session");
                    print(&format!("ended what was unfinished in {sessions} when the backup was made\n"))?;
                }
                tell(&data, &contents)
            }
            Self::Verify { file, .. } => {
                let path = file.map_or_else(data, Ok)?;
                tell(&path, &watched(|watch| verify(&path, watch))?)
            }
        }
    }
}

/// Ends the turns that were open in a log that nobody has; in how many sessions there were any.
fn end_open_turns(folder: &Path) -> anyhow::Result<u64> {
    let runtime = Builder::new_current_thread().enable_all().build().context("cannot start the runtime")?;
    runtime.block_on(async {
        let failed = |error: LogError| anyhow!("failed to {error}");
        let log: Arc<dyn EventLog> = Arc::new(SqliteLog::open(folder, SqliteOptions::default()).map_err(failed)?);
        let ended = end_restored(&log).await;
        log.close().await;
        Ok(ended.map_err(failed)? as u64)
    })
}

/// Does it, and shows on a terminal how far it has come; Ctrl+C and SIGTERM end it, with nothing left half done.
pub(super) fn watched<T, E>(work: impl FnOnce(Watch<'_>) -> Result<T, E>) -> anyhow::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let stopped = Arc::new(AtomicBool::new(false));
    let runtime =
        Builder::new_multi_thread().worker_threads(1).enable_all().build().context("cannot start the runtime")?;
    let mut terminate = {
        let _guard = runtime.enter();
        signal(SignalKind::terminate()).context("cannot listen for signals")?
    };
    let stop = Arc::clone(&stopped);
    runtime.spawn(async move {
        loop {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            // The second time at once.
            if stop.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_STOPPED);
            }
        }
    });
    let is_terminal = std::io::stderr().is_terminal();
    let show = |line: &str| {
        if is_terminal {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r\x1b[K{line}").and_then(|()| out.flush());
        }
    };
    let done = work(&|progress| {
        show(&match progress {
            Progress::Copied { bytes, of } => format!("copied {} of {} MiB", mib(bytes), mib(of)),
            Progress::Checked { sessions, of } => format!("checked {sessions} of {of} sessions"),
            Progress::Carried { sessions, of, events } => {
                format!("carried {sessions} of {of} sessions over, copied {}", several(events, "event"))
            }
        });
        if stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    show("");
    Ok(done?)
}

/// Says what was found; damage is an error.
fn tell(path: &Path, contents: &Contents) -> anyhow::Result<()> {
    let Contents { sessions, events, values, damage, .. } = contents;
    let (sessions, events) = (several(*sessions, "session"), several(*events, "event"));
    let found = format!("{}: {sessions}, {events}, {}", path.display(), several(*values, "large value"));
    if damage.is_empty() {
        return print(&format!("{found}; every checksum is right\n"));
    }
    print(&format!("{found}\n"))?;
    list(damage);
    bail!("the log is damaged in {}", several(damage.len() as u64, "place"))
}

/// Shows what is wrong, a line each.
pub(super) fn list(wrong: &[String]) {
    for what in wrong.iter().take(DAMAGES_SHOWN) {
        eprintln!("  {what}");
    }
    if wrong.len() > DAMAGES_SHOWN {
        eprintln!("  and {} more", wrong.len() - DAMAGES_SHOWN);
    }
}

pub(super) fn several(number: u64, of: &str) -> String {
    format!("{number} {of}{}", if number == 1 { "" } else { "s" })
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1024 * 1024)
}
