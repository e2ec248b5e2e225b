//! The folder that tools work in. Nothing outside it can be read or written through this crate.
//!
//! Every path becomes a [`RelativePath`], which the kernel then opens beneath the folder's own handle (openat2). So
//! neither `..`, nor absolute paths, nor links lead out, whatever somebody moves meanwhile. The server's own
//! folders are refused by where an opened file is, not by how it was named.

pub mod checkpoint;
mod denied_paths;
mod entries;
mod error;
mod files;
mod inner;
mod left_behind;
mod locks;
mod look;
mod path;
mod pending;
mod reserved_folders;
mod root;
mod thread_pool;
mod walk;
mod write;

pub use denied_paths::{Access, DeniedLocations, DeniedPaths, PathPattern};
pub use entries::{DirEntry, EntryKind, Fingerprint, Listing, Metadata};
pub use error::{WorkspaceError, WorkspaceErrorKind};
pub use locks::FileLocks;
pub use path::RelativePath;
pub use root::Workspace;
pub use thread_pool::Finds;
pub use walk::{Walk, WalkEntry, WalkOptions};
pub use write::Written;

#[cfg(test)]
mod attack_tests;
#[cfg(test)]
mod flip_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thread_pool_tests;
#[cfg(test)]
mod walk_tests;
