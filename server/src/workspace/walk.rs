//! Everything below a directory, for searching: in order, without what `.gitignore` and `.ignore` name.
//!
//! Each directory is opened through the handle of the one above it and links are not followed, so a walk cannot leave
//! the workspace; each file is opened through the handle of the directory in which it was found.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use cap_std::fs::Dir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::entries::{EntryKind, kind_of};
use super::error::WorkspaceError;
use super::files::{regular, waitless};
use super::path::RelativePath;
use super::root::Inner;

/// How deep a walk goes; every level holds a handle.
const MAX_DEPTH: usize = 128;
/// How much of a `.gitignore` is read.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

/// What a walk shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WalkOptions {
    /// Whether names that begin with a dot are shown; `.git` never is.
    pub hidden: bool,
    /// Whether `.gitignore` and `.ignore` are heeded.
    pub gitignore: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { hidden: false, gitignore: true }
    }
}

/// One thing that a walk came by.
#[derive(Debug, Clone)]
pub struct WalkEntry {
    /// Where it is in the workspace.
    pub path: RelativePath,
    /// What it is.
    pub kind: EntryKind,
    inner: Arc<Inner>,
    dir: Arc<Dir>,
}

impl WalkEntry {
    /// Opens the file that was found, for reading.
    ///
    /// # Errors
    /// When it is no regular file, or is not there any more.
    pub fn open(&self) -> Result<File, WorkspaceError> {
        let (path, failed) = (&self.path, self.inner.failed(&self.path));
        let mut options = waitless();
        cap_std::fs::OpenOptionsExt::custom_flags(
            &mut options,
            (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::NOFOLLOW)
                .bits()
                .cast_signed(),
        );
        let name = path.name().unwrap_or(".");
        let file = self.dir.open_with(name, &options).map_err(&failed)?.into_std();
        self.inner.allowed(&file, None, path)?;
        regular(path, &file.metadata().map_err(&failed)?)?;
        Ok(file)
    }
}

/// A walk; ask it for the next entry on a thread for blocking work.
#[derive(Debug)]
pub struct Walk {
    inner: Arc<Inner>,
    options: WalkOptions,
    levels: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    path: RelativePath,
    dir: Arc<Dir>,
    /// The names that are still to come, the last one first.
    names: Vec<(String, EntryKind)>,
    ignored: Vec<Arc<Gitignore>>,
}

impl Walk {
    pub(super) fn new(inner: Arc<Inner>, start: &RelativePath, options: WalkOptions) -> Result<Self, WorkspaceError> {
        let dir = inner.open_dir(start).map_err(|error| inner.with_near(start, error))?;
        let mut walk = Self { inner, options, levels: Vec::new() };
        let above = walk.ignored_above(start);
        walk.enter(start.clone(), dir, above).map_err(walk.inner.failed(start))?;
        Ok(walk)
    }

    /// What the folders above the start say.
    fn ignored_above(&self, start: &RelativePath) -> Vec<Arc<Gitignore>> {
        let mut above: Vec<RelativePath> = std::iter::successors(start.parent(), RelativePath::parent).collect();
        above.reverse();
        let mut ignored = Vec::new();
        for folder in above {
            if let Ok(dir) = self.inner.open_dir(&folder) {
                self.read_ignored(&folder, &dir, &mut ignored);
            }
        }
        ignored
    }

    fn enter(&mut self, path: RelativePath, dir: Dir, mut ignored: Vec<Arc<Gitignore>>) -> std::io::Result<()> {
        self.read_ignored(&path, &dir, &mut ignored);
        let mut names = Vec::new();
        for entry in dir.entries()? {
            let Ok(entry) = entry else { continue };
            // A name that is no text could not be asked for.
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            names.push((name, kind_of(kind)));
        }
        names.sort_by(|left, right| right.0.cmp(&left.0));
        self.levels.push(Level { path, dir: Arc::new(dir), names, ignored });
        Ok(())
    }

    fn read_ignored(&self, path: &RelativePath, dir: &Dir, ignored: &mut Vec<Arc<Gitignore>>) {
        if !self.options.gitignore {
            return;
        }
        let mut builder = GitignoreBuilder::new(below_root(path));
        for name in [".git/info/exclude", ".gitignore", ".ignore"] {
            for line in small_text(dir, name).lines() {
                // A line that is no pattern says nothing.
                let _ = builder.add_line(None, line);
            }
        }
        match builder.build() {
            Ok(rules) if !rules.is_empty() => ignored.push(Arc::new(rules)),
            _ => {}
        }
    }

    fn step_into(&mut self, entry: &WalkEntry, ignored: Vec<Arc<Gitignore>>) {
        if self.levels.len() >= MAX_DEPTH {
            return;
        }
        // If it is no directory any more, or a link now, or the server's own, then there is nothing below it.
        let Ok(dir) = open_dir_itself(&entry.dir, entry.path.name().unwrap_or(".")) else { return };
        if self.inner.allowed(&dir, None, &entry.path).is_ok() {
            let _ = self.enter(entry.path.clone(), dir, ignored);
        }
    }
}

impl Iterator for Walk {
    type Item = WalkEntry;

    fn next(&mut self) -> Option<WalkEntry> {
        loop {
            let level = self.levels.last_mut()?;
            let Some((name, kind)) = level.names.pop() else {
                self.levels.pop();
                continue;
            };
            let path = level.path.child(&name);
            let shown = name != ".git" && (self.options.hidden || !name.starts_with('.'));
            if !shown || is_ignored(&level.ignored, &path, kind) {
                continue;
            }
            if self.inner.allowed(&*level.dir, Some(&name), &path).is_err() {
                continue;
            }
            let entry = WalkEntry { path, kind, inner: Arc::clone(&self.inner), dir: Arc::clone(&level.dir) };
            if kind == EntryKind::Directory {
                let ignored = level.ignored.clone();
                self.step_into(&entry, ignored);
            }
            return Some(entry);
        }
    }
}

/// The rule nearest to the entry decides.
fn is_ignored(ignored: &[Arc<Gitignore>], path: &RelativePath, kind: EntryKind) -> bool {
    let path = below_root(path);
    for rules in ignored.iter().rev() {
        match rules.matched(&path, kind == EntryKind::Directory) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => {}
        }
    }
    false
}

/// As if the workspace were `/`: the rules only compare texts.
fn below_root(path: &RelativePath) -> PathBuf {
    if path.is_root() { PathBuf::from("/") } else { PathBuf::from("/").join(path) }
}

fn small_text(dir: &Dir, name: &str) -> String {
    let mut bytes = Vec::new();
    let file = dir.open_with(name, &waitless()).map(cap_std::fs::File::into_std);
    match file {
        Ok(file) if file.metadata().is_ok_and(|metadata| metadata.is_file()) => {
            let _ = file.take(MAX_IGNORE_BYTES).read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => String::new(),
    }
}

/// The directory of this name, not one that a link of this name leads to.
fn open_dir_itself(dir: &Dir, name: &str) -> std::io::Result<Dir> {
    let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW;
    let mut options = cap_std::fs::OpenOptions::new();
    cap_std::fs::OpenOptionsExt::custom_flags(options.read(true), flags.bits().cast_signed());
    Ok(Dir::from_std_file(dir.open_with(name, &options)?.into_std()))
}
