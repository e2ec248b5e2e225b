//! Checkpoints: what the workspace was before a program ran in it, what the program changed, and the way back.
//!
//! Contents are kept by their hash in the data folder, once however often they occur. A file whose place, size, times and
//! inode are what they were is not read again. A restore is staged as a whole, then journaled, then done by renames; what
//! a kill cuts off is finished at the next start. Everything here waits for the disk: use it on a thread for blocking
//! work.

mod apply;
mod changes;
mod folders;
mod node;
mod note;
mod objects;
mod place;
mod restore;
mod scan;
mod steps;
mod store;

pub use changes::PathChange;
pub use node::{ContentHash, Node, Unkept};
pub use note::{CheckpointLimits, Note};
pub use restore::{Left, Prepared, RestoreError, Wanted};
pub use store::{Begun, Checkpoints, Ended, Loaded};

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod tests;
