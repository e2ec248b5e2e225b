//! Why the settings cannot be used.

/// A setting that is wrong, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value that does not fit.
    #[error("{place}: {problem}")]
    Wrong {
        /// The flag, the variable, or the file with its line.
        place: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// The settings file that somebody named is not there.
    #[error("there is no settings file {path}; `switchboard config --init --config {path}` writes one")]
    Missing {
        /// The file.
        path: String,
    },
    /// The settings file cannot be read.
    #[error("cannot read the settings file {path}: {problem}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        problem: String,
    },
    /// The settings file already exists, or cannot be written.
    #[error("cannot write the settings file {path}: {problem}")]
    Unwritable {
        /// The file.
        path: String,
        /// Why.
        problem: String,
    },
}
