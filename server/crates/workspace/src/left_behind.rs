//! Removing what an earlier run of this server left behind when it was killed in the middle of a write.

use std::fs;
use std::io;

use super::inner::Inner;
use super::path::RelativePath;

impl Inner {
    /// Removes what an earlier run of this server left behind in this workspace; how many files that were.
    pub(super) fn remove_left_behind(&self) -> usize {
        let notes = self.notes.all();
        let ours = notes.iter().filter(|left| left.workspace == self.root());
        ours.filter(|left| {
            let removed = RelativePath::parse(&left.folder, &self.roots)
                .and_then(|folder| self.open_dir(&folder))
                .map(|folder| folder.remove_file(&left.name));
            match removed {
                Ok(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
                    tracing::warn!("{} of {} cannot be removed: {error}", left.name, left.folder);
                    return false;
                }
                _ => {
                    let _ = fs::remove_file(&left.note);
                }
            }
            matches!(removed, Ok(Ok(())))
        })
        .count()
    }
}
