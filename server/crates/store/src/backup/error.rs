//! Why there is no backup, or why it was not put back.

use std::io;
use std::path::{Path, PathBuf};

use switchboard_events::LogError;

/// Why a log could not be copied, looked through or put back; whole sentences without a stop.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is a file of this name.
    #[error("{} already exists; choose another name, or remove it", .0.display())]
    Exists(PathBuf),
    /// Half of a backup is there.
    #[error(
        "{} exists: another backup is running, or was cut off; in the second case remove that file and try again",
        .0.display()
    )]
    Begun(PathBuf),
    /// A file cannot be read or written.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// There is nothing of ours in it.
    #[error("{} is not a log of Switchboard", .0.display())]
    NotALog(PathBuf),
    /// It was written by an earlier version.
    #[error(
        "{} was written by an earlier version of Switchboard: verify a backup of it, or start this version once, which \
         brings it up to date",
        .0.display()
    )]
    OtherForm(PathBuf),
    /// It is what a restore left that was cut off.
    #[error("{} was left by a restore that was cut off, and may be incomplete; restore the backup itself", .0.display())]
    Unfinished(PathBuf),
    /// The data folder is another user's.
    #[error(
        "{} belongs to another user (uid {owner}), whose server could not use what is restored; do this as that user",
        path.display()
    )]
    Owner {
        /// The folder.
        path: PathBuf,
        /// Its owner.
        owner: u32,
    },
    /// The data folder has a log, and it was not said that it may be replaced.
    #[error(
        "{} has a log already; --replace puts the backup in its place and keeps what is there under another name",
        .0.display()
    )]
    LogThere(PathBuf),
    /// It was broken off.
    #[error("cancelled; nothing was changed")]
    Cancelled,
    /// The log refused.
    #[error("failed to {0}")]
    Log(LogError),
    /// What the store said of it.
    #[error("the log cannot be used: {0}")]
    Unusable(String),
}

impl BackupError {
    /// What the system says of a file.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |problem| Self::File { path: path.to_owned(), problem }
    }
}

impl From<LogError> for BackupError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Store(problem) => Self::Unusable(without_advice(&problem).to_owned()),
            error => Self::Log(error),
        }
    }
}

/// What is wrong, without what the owner of a running server could do: this may be another file.
pub(super) fn without_advice(problem: &str) -> &str {
    problem.split_once("; restore a copy").map_or(problem, |(problem, _)| problem)
}
