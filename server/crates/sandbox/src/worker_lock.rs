//! A file that every worker holds locked while it lives, shared with the others: whoever gets it alone knows that no command
//! of an earlier server runs any more, so that what came of it can be asked about.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

/// How often it is tried.
const EVERY: Duration = Duration::from_millis(5);

/// Held by a worker until it drops the file, or ends.
///
/// # Errors
/// When the file cannot be locked; nothing must be run then.
pub(super) fn hold(path: &Path) -> std::io::Result<File> {
    let file = open(path)?;
    flock(&file, FlockOperation::LockShared)?;
    Ok(file)
}

/// Waits until no worker lives that holds this file, at most for this long; whether that is so.
#[must_use]
pub fn workers_have_ended(path: &Path, limit: Duration) -> bool {
    let begun = Instant::now();
    let Ok(file) = open(path) else { return false };
    loop {
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return true;
        }
        if begun.elapsed() > limit {
            return false;
        }
        std::thread::sleep(EVERY);
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options().read(true).append(true).create(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_had_alone_when_no_worker_holds_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let (one, other) = (hold(&path).expect("held"), hold(&path).expect("held by both"));

        assert!(!workers_have_ended(&path, Duration::ZERO));
        drop(one);
        assert!(!workers_have_ended(&path, Duration::ZERO));
        drop(other);

        // Whatever another test has just forked holds the file too, until its program starts.
        assert!(workers_have_ended(&path, Duration::from_secs(30)));
        hold(&path).expect("it is given back");
    }
}
