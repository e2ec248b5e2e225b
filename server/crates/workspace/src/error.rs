//! The errors of the workspace. Every message says what to do next, because a model or a person reads it.

use std::io;

use rustix::io::Errno;

/// Why the workspace refused or could not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// Nothing exists at this path.
    #[error("'{path}' does not exist; {}", did_you_mean(near))]
    NotFound {
        /// The path.
        path: String,
        /// Names that are nearly the same.
        near: Vec<String>,
    },
    /// A directory where a file is needed.
    #[error("'{path}' is a directory; list it and name one of the files in it")]
    IsADirectory {
        /// The path.
        path: String,
    },
    /// A file where a directory is needed.
    #[error("'{path}' is not a directory, or a part of its path is a file; check the path by listing its parent")]
    NotADirectory {
        /// The path.
        path: String,
    },
    /// A pipe, a socket or a device.
    #[error("'{path}' is a {what}; only regular files can be used")]
    NotAFile {
        /// The path.
        path: String,
        /// What it is instead.
        what: &'static str,
    },
    /// The path leads out of the workspace.
    #[error("'{path}' leads out of the workspace; use a path inside {root}")]
    Outside {
        /// The path.
        path: String,
        /// The workspace.
        root: String,
    },
    /// Links that lead to links without an end.
    #[error("'{path}' goes through too many symbolic links; use the path of the real file")]
    TooManyLinks {
        /// The path.
        path: String,
    },
    /// A link to nothing cannot be written through.
    #[error(
        "'{path}' is a symbolic link to a file that does not exist; write to the real path, or remove the link first"
    )]
    DanglingLink {
        /// The path.
        path: String,
    },
    /// The path cannot be one.
    #[error("'{path}' cannot be used as a path: {reason}")]
    BadPath {
        /// The path.
        path: String,
        /// What is wrong with it, and what to do.
        reason: &'static str,
    },
    /// The server's own configuration or data.
    #[error("'{path}' belongs to the server's own configuration or data; tools cannot use it, so choose another file")]
    Denied {
        /// The path.
        path: String,
    },
    /// A rule closes it.
    #[error(
        "a permission rule closes '{path}' {access}; `/permissions` shows the rules, so choose another file or ask \
         the user"
    )]
    Closed {
        /// The path.
        path: String,
        /// For what.
        access: super::denied_paths::Access,
    },
    /// The operating system refused.
    #[error(
        "the server does not have permission to use '{path}' ({reason}); change the file's permissions or choose \
         another file"
    )]
    Permission {
        /// The path.
        path: String,
        /// In the system's words.
        reason: String,
    },
    /// The file has other names, perhaps outside the workspace.
    #[error("'{path}' has other names (hard links), which may lie outside the workspace; copy it and change the copy")]
    HardLinked {
        /// The path.
        path: String,
    },
    /// More than was asked for at most.
    #[error("'{path}' has {bytes} bytes, and at most {limit} can be used at once; use part of it")]
    TooLarge {
        /// The path.
        path: String,
        /// How large it is, at least.
        bytes: u64,
        /// How much there may be.
        limit: u64,
    },
    /// Bytes where text is needed.
    #[error("'{path}' is not a text file; use a tool that works with binary files")]
    Binary {
        /// The path.
        path: String,
    },
    /// No room; nothing was changed.
    #[error("'{path}' cannot be written because the disk is full; free some space and try again")]
    Full {
        /// The path.
        path: String,
    },
    /// The folder cannot be a workspace.
    #[error("use {folder} as the workspace: {reason}; choose another folder with --workspace")]
    Unusable {
        /// The folder.
        folder: String,
        /// Why not.
        reason: String,
    },
    /// Anything else that the system said.
    #[error("'{path}' could not be used ({reason}); try again, or choose another file")]
    Io {
        /// The path.
        path: String,
        /// In the system's words.
        reason: String,
    },
}

/// What kind of refusal it is, for whoever must say it in other terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceErrorKind {
    /// There is nothing.
    NotFound,
    /// A directory where a file is needed.
    IsADirectory,
    /// A file where a directory is needed.
    NotADirectory,
    /// A pipe, a socket or a device.
    NotAFile,
    /// An attempt to get out: a matter of security.
    Outside,
    /// Not allowed to tools: a matter of permission.
    Denied,
    /// Not allowed by the system.
    Permission,
    /// No path at all.
    BadPath,
    /// Too much at once.
    TooLarge,
    /// No text.
    Binary,
    /// No room.
    Full,
    /// The system's trouble.
    Other,
}

impl WorkspaceError {
    /// What kind of refusal it is.
    #[must_use]
    pub fn kind(&self) -> WorkspaceErrorKind {
        match self {
            Self::NotFound { .. } | Self::DanglingLink { .. } => WorkspaceErrorKind::NotFound,
            Self::IsADirectory { .. } => WorkspaceErrorKind::IsADirectory,
            Self::NotADirectory { .. } => WorkspaceErrorKind::NotADirectory,
            Self::NotAFile { .. } => WorkspaceErrorKind::NotAFile,
            Self::Outside { .. } | Self::TooManyLinks { .. } => WorkspaceErrorKind::Outside,
            Self::Denied { .. } | Self::Closed { .. } | Self::HardLinked { .. } => WorkspaceErrorKind::Denied,
            Self::Permission { .. } => WorkspaceErrorKind::Permission,
            Self::BadPath { .. } => WorkspaceErrorKind::BadPath,
            Self::TooLarge { .. } => WorkspaceErrorKind::TooLarge,
            Self::Binary { .. } => WorkspaceErrorKind::Binary,
            Self::Full { .. } => WorkspaceErrorKind::Full,
            Self::Unusable { .. } | Self::Io { .. } => WorkspaceErrorKind::Other,
        }
    }

    /// What the system's error means at this path of the workspace `root`.
    pub(super) fn of_io(path: &str, root: &std::path::Path, error: &io::Error) -> Self {
        let path = shown(path);
        let outside = |path| Self::Outside { path, root: root.display().to_string() };
        match Errno::from_io_error(error) {
            Some(Errno::NOENT) => Self::NotFound { path, near: Vec::new() },
            Some(Errno::ISDIR) => Self::IsADirectory { path },
            Some(Errno::NOTDIR) => Self::NotADirectory { path },
            Some(Errno::NXIO) => Self::NotAFile { path, what: "socket" },
            Some(Errno::XDEV) => outside(path),
            Some(Errno::LOOP) => Self::TooManyLinks { path },
            Some(Errno::NAMETOOLONG) => Self::BadPath { path, reason: "it is too long; use a shorter one" },
            Some(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Self::Permission { path, reason: error.to_string() },
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => Self::Full { path },
            // The error of `cap-std` for a path that leads out has no number.
            None if error.kind() == io::ErrorKind::PermissionDenied => outside(path),
            _ => Self::Io { path, reason: error.to_string() },
        }
    }
}

/// The path as a message shows it: not longer than a line or two, without control characters.
pub(super) fn shown(path: &str) -> String {
    const LONGEST: usize = 200;
    let mut text: String = path.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if path.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => "list the folder to see what is there".to_owned(),
        [one] => format!("did you mean '{one}'?"),
        [first @ .., last] => format!("did you mean '{}' or '{last}'?", first.join("', '")),
    }
}
