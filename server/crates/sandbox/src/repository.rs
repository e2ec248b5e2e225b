//! What git runs later, outside of the sandbox, from a repository in the workspace: hooks, and what its configuration
//! names. In a root of its own a command can read these and not change them.
//!
//! Looked at are the repository at the top of the workspace, those in folders directly in it, and their submodules and
//! worktrees. `.git` itself is a mount, because what is mounted can be neither moved nor removed.

use std::fs;
use std::path::{Path, PathBuf};

use super::layout::Access;

/// What git takes commands from, or finds that by; `commondir` says where the first two are.
const SETTINGS: &[&str] = &["hooks", "config", "config.worktree", "commondir", "info/attributes"];

/// How deep submodules may lie in submodules, and how many folders are looked at.
const MODULE_DEPTH: usize = 4;
const MOST: usize = 1000;

/// Where a main repository has no such file, and one in which to look for hooks elsewhere would be.
const REDIRECT: &str = "commondir";

/// What of some repositories is kept as it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Protected {
    /// To be mounted on themselves.
    pub(super) pinned: Vec<(PathBuf, Access)>,
    /// Symbolic links, to be covered by an empty file: what they name cannot be told from what they could name.
    pub(super) links: Vec<PathBuf>,
}

impl Protected {
    /// Of the repositories of this folder.
    pub(super) fn of(workspace: &Path) -> Self {
        let mut protected = Self::default();
        protected.add(&workspace.join(".git"));
        for folder in folders_in(workspace) {
            protected.add(&folder.join(".git"));
        }
        // What a link names elsewhere is not there for a command, and must not come in by being mounted.
        protected.pinned.retain(|(path, _)| path.starts_with(workspace));
        protected
    }

    fn add(&mut self, git: &Path) {
        let Ok(metadata) = git.symlink_metadata() else { return };
        if metadata.is_symlink() {
            self.links.push(git.to_owned());
        } else if metadata.is_file() {
            // Of a worktree or a submodule: names the folder where everything else is.
            self.pinned.push((git.to_owned(), Access::Read));
        } else if git.join("HEAD").symlink_metadata().is_ok() {
            self.pinned.push((git.to_owned(), Access::Write));
            self.add_settings(git);
            self.add_modules(&git.join("modules"), MODULE_DEPTH);
            for worktree in folders_in(&git.join("worktrees")) {
                self.add_settings(&worktree);
            }
        }
    }

    fn add_modules(&mut self, folder: &Path, depth: usize) {
        for module in folders_in(folder) {
            if module.join("HEAD").symlink_metadata().is_ok() {
                self.pinned.push((module.clone(), Access::Write));
                self.add_settings(&module);
                if depth > 0 {
                    self.add_modules(&module.join("modules"), depth - 1);
                }
            } else if depth > 0 {
                // The name of a submodule may have slashes.
                self.add_modules(&module, depth - 1);
            }
        }
    }

    fn add_settings(&mut self, git: &Path) {
        // What is not there cannot be mounted on. Git makes both itself, and takes empty ones for none.
        if !git.join(REDIRECT).exists() {
            let _ = fs::create_dir(git.join("hooks"));
            let _ = fs::File::options().append(true).create(true).open(git.join("config"));
        }
        for name in SETTINGS {
            let path = git.join(name);
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_symlink() => {
                    self.links.push(path.clone());
                    self.pinned.extend(path.canonicalize().ok().map(|target| (target, Access::Read)));
                }
                Ok(_) => self.pinned.push((path, Access::Read)),
                Err(_) => {}
            }
        }
    }
}

/// Repositories in which no command may leave a file that sends git elsewhere for its hooks: there is none yet, so that
/// nothing can be mounted on it.
pub(super) struct Redirects(Vec<PathBuf>);

impl Redirects {
    /// Those that could be made.
    pub(super) fn missing(workspaces: &[PathBuf]) -> Self {
        let tops =
            workspaces.iter().flat_map(|workspace| std::iter::once(workspace.clone()).chain(folders_in(workspace)));
        let gits = tops.map(|top| top.join(".git")).filter(|git| git.join("HEAD").symlink_metadata().is_ok());
        Self(gits.map(|git| git.join(REDIRECT)).filter(|file| file.symlink_metadata().is_err()).collect())
    }

    /// Takes away those that were made.
    pub(super) fn remove(&self) {
        for file in &self.0 {
            let _ = fs::remove_file(file);
        }
    }
}

/// The folders in a folder; links are none.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(git: &Path) {
        fs::create_dir_all(git.join("info")).expect("a folder");
        for (file, text) in [("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\n"), ("info/attributes", "")] {
            fs::write(git.join(file), text).expect("a file");
        }
    }

    fn paths(protected: &Protected, wanted: Access) -> Vec<&Path> {
        protected.pinned.iter().filter(|(_, access)| *access == wanted).map(|(path, _)| path.as_path()).collect()
    }

    #[test]
    fn what_git_runs_is_found_in_repositories_submodules_and_worktrees() {
        let root = tempfile::tempdir().expect("a folder");
        let git = root.path().join(".git");
        repository(&git);
        repository(&git.join("modules/a/b"));
        repository(&root.path().join("inner/.git"));
        fs::create_dir_all(git.join("worktrees/w")).expect("a folder");
        fs::write(git.join("worktrees/w/commondir"), "../..").expect("a file");

        let protected = Protected::of(root.path());

        let module = git.join("modules/a/b");
        let inner = root.path().join("inner/.git");
        assert_eq!(paths(&protected, Access::Write), [&git, &module, &inner]);
        let read = paths(&protected, Access::Read);
        for folder in [&git, &module, &inner] {
            for name in ["hooks", "config", "info/attributes"] {
                assert!(read.contains(&folder.join(name).as_path()), "{} {name}", folder.display());
            }
        }
        assert!(read.contains(&git.join("worktrees/w/commondir").as_path()));
        assert_eq!(protected.links, [] as [PathBuf; 0]);
    }

    #[test]
    fn a_folder_that_is_no_repository_is_left_alone() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir(root.path().join(".git")).expect("a folder");

        assert_eq!(Protected::of(root.path()), Protected::default());
        assert_eq!(fs::read_dir(root.path().join(".git")).expect("a folder").count(), 0);
    }

    #[test]
    fn links_are_covered_and_what_they_name_is_kept() {
        let root = tempfile::tempdir().expect("a folder");
        let root = root.path().canonicalize().expect("a path");
        repository(&root.join(".git"));
        fs::create_dir(root.join("scripts")).expect("a folder");
        std::os::unix::fs::symlink("../scripts", root.join(".git/hooks")).expect("a link");

        let protected = Protected::of(&root);

        assert_eq!(protected.links, [root.join(".git/hooks")]);
        assert!(paths(&protected, Access::Read).contains(&root.join("scripts").as_path()));
    }
}
