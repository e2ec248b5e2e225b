//! The names of files that are not in their places yet. A file that replaces another one has a name of its own for two
//! calls of the system; who is killed between them leaves it behind. So its folder is noted in the server's data folder
//! first, and what is still noted at the next start is removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::path::RelativePath;

/// Where the notes are, in the data folder.
const FOLDER: &str = "writes";

/// The largest note that is read; a path has 4 KiB at most.
const MAX_NOTE: u64 = 64 * 1024;

/// Where the notes of this server are; nowhere in a workspace that nobody has given a place for them.
#[derive(Debug, Default)]
pub(super) struct Notes(Option<PathBuf>);

/// A file on its way to its place; noted until this is dropped.
#[derive(Debug)]
pub(super) struct Pending {
    /// Its name until it has the right one.
    pub(super) name: String,
    note: Option<PathBuf>,
}

/// What a note says; its own name is the file's.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    workspace: PathBuf,
    folder: String,
}

/// A file that is noted and that nobody writes any more.
#[derive(Debug)]
pub(super) struct LeftBehind {
    /// Where its note is.
    pub(super) note: PathBuf,
    /// Its name.
    pub(super) name: String,
    /// The workspace that it is in.
    pub(super) workspace: PathBuf,
    /// Its folder in that workspace.
    pub(super) folder: String,
}

impl Notes {
    pub(super) fn in_data(data: &Path) -> io::Result<Self> {
        let folder = data.join(FOLDER);
        fs::create_dir_all(&folder)?;
        Ok(Self(Some(folder)))
    }

    /// Notes a file in this folder of this workspace. Without room for a note it is written all the same.
    pub(super) fn begin(&self, workspace: &Path, folder: &RelativePath) -> Pending {
        let id = Uuid::new_v4();
        let note = Note { workspace: workspace.to_owned(), folder: folder.to_string() };
        let text = serde_json::to_vec(&note).unwrap_or_default();
        let note = self.0.as_ref().map(|notes| notes.join(id.to_string()));
        let note = note.filter(|note| fs::write(note, text).is_ok());
        Pending { name: name(id), note }
    }

    /// All files that are still noted, as far as the notes can be read.
    pub(super) fn all(&self) -> Vec<LeftBehind> {
        let folder = self.0.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let small =
            folder.filter(|entry| entry.metadata().is_ok_and(|found| found.is_file() && found.len() <= MAX_NOTE));
        let read = small.filter_map(|entry| {
            let id = Uuid::parse_str(entry.file_name().to_str()?).ok()?;
            let Note { workspace, folder } = serde_json::from_slice(&fs::read(entry.path()).ok()?).ok()?;
            Some(LeftBehind { note: entry.path(), name: name(id), workspace, folder })
        });
        read.collect()
    }
}

impl Pending {
    /// It could not be removed: the next start tries again.
    pub(super) fn stays(&mut self) {
        self.note = None;
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(note) = &self.note {
            let _ = fs::remove_file(note);
        }
    }
}

fn name(id: Uuid) -> String {
    format!(".switchboard-{id}.tmp")
}

#[cfg(test)]
mod tests {
    use super::super::Workspace;
    use super::*;

    struct Ground {
        folder: tempfile::TempDir,
    }

    impl Ground {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            for name in ["data", "workspace/sub", "outside"] {
                fs::create_dir_all(folder.path().join(name)).expect("a folder");
            }
            Self { folder }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn start(&self) -> Workspace {
            let workspace = Workspace::open(&self.path("workspace"), &[]).expect("the folder is there");
            workspace.noting_writes_in(&self.path("data")).expect("it can be written")
        }

        /// What a write that is killed between its two calls leaves: a note, and a file.
        fn cut_off(&self, workspace: &Path, folder: &str) -> PathBuf {
            let notes = Notes::in_data(&self.path("data")).expect("it can be written");
            let folder = RelativePath::parse(folder, &[]).expect("a path");
            let mut pending = notes.begin(workspace, &folder);
            pending.stays();
            let left = self.path("workspace").join(folder.as_str()).join(&pending.name);
            fs::write(&left, "half").expect("written");
            left
        }

        fn notes(&self) -> usize {
            fs::read_dir(self.path("data/writes")).expect("the folder is there").count()
        }
    }

    #[test]
    fn what_was_left_behind_is_removed_at_the_next_start_and_nothing_else() {
        let ground = Ground::new();
        let root = ground.start().root().to_owned();
        let left = [ground.cut_off(&root, "."), ground.cut_off(&root, "sub")];
        let others = ground.path("workspace").join(name(Uuid::new_v4()));
        fs::write(&others, "of another server").expect("written");
        fs::write(ground.path("data/writes/notes.txt"), "no note").expect("written");

        let removed = ground.start().remove_left_behind();

        assert_eq!((removed, ground.notes()), (2, 1));
        assert!(left.iter().all(|left| !left.exists()) && others.exists());
    }

    #[test]
    fn g17_baseline_nobody_else_removes_what_was_left_behind() {
        let ground = Ground::new();
        let left = ground.cut_off(ground.start().root(), "sub");

        drop(ground.start());

        assert!(left.exists());
    }

    #[test]
    fn a_note_does_not_lead_out_and_one_of_another_workspace_waits_for_it() {
        let ground = Ground::new();
        let root = ground.start().root().to_owned();
        let elsewhere = ground.cut_off(&ground.path("outside"), "sub");
        let left = ground.cut_off(&root, "sub");
        let outside = ground.path("outside").join(left.file_name().expect("a name"));
        fs::rename(&left, &outside).expect("moved");
        fs::rename(ground.path("workspace/sub"), ground.path("workspace/old")).expect("moved");
        std::os::unix::fs::symlink(ground.path("outside"), ground.path("workspace/sub")).expect("linked");

        let removed = ground.start().remove_left_behind();

        assert_eq!((removed, ground.notes(), outside.exists()), (0, 1, true));
        assert!(ground.path("workspace/old").join(elsewhere.file_name().expect("a name")).exists());
    }

    #[tokio::test]
    async fn a_write_that_ends_leaves_no_note() {
        let ground = Ground::new();
        let workspace = ground.start();
        for text in ["one", "two"] {
            workspace.write_atomic("sub/file", text.into()).await.expect("written");
        }
        fs::hard_link(ground.path("workspace/sub/file"), ground.path("workspace/other")).expect("linked");
        workspace.write_atomic("sub/file", "three".into()).await.expect_err("it has two names");

        assert_eq!((ground.notes(), workspace.remove_left_behind()), (0, 0));
    }
}
