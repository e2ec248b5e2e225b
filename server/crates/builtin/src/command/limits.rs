//! How much of the machine a command may use; one that uses more is ended and told so.

/// Of memory, with all that it started.
pub(super) const MEMORY_BYTES: u64 = 4 << 30;
/// In one file.
pub(super) const FILE_BYTES: u64 = 4 << 30;
/// At once.
pub(super) const PROCESSES: usize = 512;
/// What stays free of the disk, for the server's own log.
pub(super) const FREE_BYTES: u64 = 64 << 20;
