//! Why a text is not a table, or a query not an answer.

/// Why there is no table or no answer; each finishes "failed to answer from the table: …".
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// More bytes than are read as a table.
    #[error("{source_name} has {bytes} bytes; tables of up to {most} bytes are read")]
    TooLarge {
        /// What was to be read.
        source_name: String,
        /// How large it is.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// More rows or columns than are read.
    #[error("the table has more than {most} {what}")]
    TooMany {
        /// Rows or columns.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// The query names a column that the table does not have, as when a file has changed since.
    #[error("{source_name} has no column {column}; ask again, the file may have changed")]
    NoColumn {
        /// The table's source.
        source_name: String,
        /// The column.
        column: String,
    },
    /// The database in memory refused.
    #[error("the query did not run: {0}")]
    Sql(#[from] rusqlite::Error),
}
