//! One change of a file at a time: whoever reads, decides and writes holds the file's lock meanwhile.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

use super::path::RelativePath;

/// The locks that there are; one that nobody holds or waits for is forgotten.
#[derive(Debug, Default)]
pub(super) struct Locks(Mutex<BTreeMap<RelativePath, Arc<tokio::sync::Mutex<()>>>>);

/// Held locks; dropping them lets others go on.
#[derive(Debug, Default)]
pub struct FileLocks {
    _held: Vec<OwnedMutexGuard<()>>,
}

impl Locks {
    /// Waits until nobody else holds one of these files, and holds them.
    pub(super) async fn lock(&self, paths: &[RelativePath]) -> FileLocks {
        let mut sorted: Vec<&RelativePath> = paths.iter().collect();
        // Always in the same order, so that two calls cannot wait for each other.
        sorted.sort();
        sorted.dedup();
        let mut held = Vec::new();
        for path in sorted {
            held.push(self.of(path).lock_owned().await);
        }
        FileLocks { _held: held }
    }

    fn of(&self, path: &RelativePath) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        Arc::clone(locks.entry(path.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use crate::Workspace;

    #[tokio::test]
    async fn a_file_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let workspace = Workspace::open(folder.path(), &[]).expect("the folder is there");
        let path = |text| workspace.relative(text).expect("a path inside");
        let both = [path("b"), path("a"), path("a")];
        let first = workspace.lock(&both).await;

        let other = workspace.lock(&[path("c")]).await;
        let mut second = Box::pin(workspace.lock(&both[1..]));
        let waits = tokio::select! {
            biased;
            _locks = &mut second => false,
            () = std::future::ready(()) => true,
        };
        drop(first);
        second.await;

        assert!(waits);
        drop(other);
    }

    #[tokio::test]
    async fn locks_that_nobody_holds_are_forgotten() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let workspace = Workspace::open(folder.path(), &[]).expect("the folder is there");
        for n in 0..10 {
            let path = workspace.relative(&format!("file{n}")).expect("a path inside");
            drop(workspace.lock(&[path]).await);
        }

        assert_eq!(workspace.inner.locks.0.lock().expect("nobody panicked").len(), 1);
    }
}
