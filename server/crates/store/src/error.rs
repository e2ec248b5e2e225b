//! What SQLite says when something fails, in the log's words.

use rusqlite::ErrorCode;
use switchboard_events::LogError;

/// What SQLite's error means for the log.
pub(super) fn store_error(error: &rusqlite::Error) -> LogError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => LogError::Full,
        _ if is_damage(error) => LogError::Store(format!(
            "its file is damaged ({error}); restore a copy, or choose another folder with --data"
        )),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            LogError::Store(format!("another program is using its file ({error}); close that program and try again"))
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            LogError::Store(format!("its file cannot be written ({error}); check the permissions of the data folder"))
        }
        _ => LogError::Store(error.to_string()),
    }
}

/// Whether SQLite found its own pages damaged.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
