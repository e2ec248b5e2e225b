//! The name of a log: which store keeps it, and where.

use std::path::PathBuf;

use crate::nats::NatsOptions;

/// Where a log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogPlace {
    /// In a file of this data folder.
    Sqlite(PathBuf),
    /// In NATS JetStream.
    Nats(NatsOptions),
}

impl LogPlace {
    /// Whether both names are of one log, as far as they tell.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sqlite(from), Self::Sqlite(to)) => {
                from == to || matches!((from.canonicalize(), to.canonicalize()), (Ok(from), Ok(to)) if from == to)
            }
            (Self::Nats(from), Self::Nats(to)) => from.servers == to.servers,
            _ => false,
        }
    }
}

impl std::fmt::Display for LogPlace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(folder) => write!(formatter, "sqlite:{}", folder.display()),
            Self::Nats(options) => formatter.write_str(&options.servers.join(",")),
        }
    }
}
