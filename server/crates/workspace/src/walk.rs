//! Everything below a directory, for searching: without what `.gitignore` and `.ignore` name.
//!
//! Each directory is opened through the handle of the one above it and links are not followed, so a walk cannot leave
//! the workspace; each file is opened through the handle of the directory in which it was found. How the work is shared
//! among threads is in `thread_pool.rs`.

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
use super::inner::Inner;
use super::path::RelativePath;
use super::reserved_folders::DenyCache;

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
    /// Whether files that these name are shown all the same, such as a `.env`; folders are not.
    pub ignored_files: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { hidden: false, gitignore: true, ignored_files: false }
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
    folder: Arc<Folder>,
}

impl WalkEntry {
    /// Opens the file that was found, for reading.
    ///
    /// # Errors
    /// When it is not a regular file, or is not there any more.
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
        let file = self.folder.dir.open_with(name, &options).map_err(&failed)?.into_std();
        self.inner.allowed(&file, None, path)?;
        regular(path, &file.metadata().map_err(&failed)?)?;
        Ok(file)
    }
}

/// A walk that has begun.
#[derive(Debug)]
pub struct Walk {
    inner: Arc<Inner>,
    options: WalkOptions,
    start: Arc<Folder>,
    names: Vec<Name>,
}

/// A directory that is walked through.
#[derive(Debug)]
pub(super) struct Folder {
    path: RelativePath,
    dir: Dir,
    deny_cache: DenyCache,
    ignored: Vec<Arc<Gitignore>>,
    depth: usize,
}

/// A name in a directory, and what it is.
pub(super) type Name = (String, EntryKind);

impl Walk {
    pub(super) fn new(inner: Arc<Inner>, start: &RelativePath, options: WalkOptions) -> Result<Self, WorkspaceError> {
        let dir = inner.open_dir(start).map_err(|error| inner.with_near(start, error))?;
        let above = ignored_above(&inner, start, options);
        let (start, names) = enter(&inner, options, start, dir, above, 1).map_err(inner.failed(start))?;
        Ok(Self { inner, options, start, names })
    }

    /// Where it begins: the folder, and the names in it.
    pub(super) fn beginning(&mut self) -> (Arc<Folder>, Vec<Name>) {
        (Arc::clone(&self.start), std::mem::take(&mut self.names))
    }

    /// What this name stands for, if it is shown.
    pub(super) fn entry(&self, folder: &Arc<Folder>, (name, kind): &Name) -> Option<WalkEntry> {
        let shown = name != ".git" && (self.options.hidden || !name.starts_with('.'));
        if !shown {
            return None;
        }
        let path = folder.path.child(name);
        let shown = self.options.ignored_files && *kind == EntryKind::File;
        if (!shown && is_ignored(&folder.ignored, &path, *kind)) || !self.inner.shows(&folder.deny_cache, name) {
            return None;
        }
        Some(WalkEntry { path, kind: *kind, inner: Arc::clone(&self.inner), folder: Arc::clone(folder) })
    }

    /// The directory that an entry is; if it is none any more, or a link now, or the server's own, then there is nothing
    /// below it.
    pub(super) fn step_into(&self, entry: &WalkEntry) -> Option<(Arc<Folder>, Vec<Name>)> {
        let above = &entry.folder;
        if above.depth >= MAX_DEPTH {
            return None;
        }
        let dir = open_dir_itself(&above.dir, entry.path.name().unwrap_or(".")).ok()?;
        self.inner.allowed(&dir, None, &entry.path).ok()?;
        enter(&self.inner, self.options, &entry.path, dir, above.ignored.clone(), above.depth + 1).ok()
    }
}

fn enter(
    inner: &Inner,
    options: WalkOptions,
    path: &RelativePath,
    dir: Dir,
    mut ignored: Vec<Arc<Gitignore>>,
    depth: usize,
) -> std::io::Result<(Arc<Folder>, Vec<Name>)> {
    let mut names = Vec::new();
    for entry in dir.entries()? {
        let Ok(entry) = entry else { continue };
        // A name that is not text could not be asked for.
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        names.push((name, kind_of(kind)));
    }
    names.sort_unstable_by(|left: &Name, right| left.0.cmp(&right.0));
    if options.gitignore {
        read_ignored(path, &dir, Some(&names), &mut ignored);
    }
    let deny_cache = inner.denied.deny_cache(&dir)?;
    Ok((Arc::new(Folder { path: path.clone(), dir, deny_cache, ignored, depth }), names))
}

/// What the folders above the start say.
fn ignored_above(inner: &Inner, start: &RelativePath, options: WalkOptions) -> Vec<Arc<Gitignore>> {
    let mut above: Vec<RelativePath> = std::iter::successors(start.parent(), RelativePath::parent).collect();
    above.reverse();
    let mut ignored = Vec::new();
    for folder in above.into_iter().filter(|_| options.gitignore) {
        if let Ok(dir) = inner.open_dir(&folder) {
            read_ignored(&folder, &dir, None, &mut ignored);
        }
    }
    ignored
}

/// What a directory says itself; `names` are those that are in it, where they are known.
pub(super) fn read_ignored(path: &RelativePath, dir: &Dir, names: Option<&[Name]>, ignored: &mut Vec<Arc<Gitignore>>) {
    let has =
        |name: &str| names.is_none_or(|names| names.binary_search_by(|(found, _)| found.as_str().cmp(name)).is_ok());
    let mut builder = GitignoreBuilder::new(below_root(path));
    for (file, seen_as) in [(".git/info/exclude", ".git"), (".gitignore", ".gitignore"), (".ignore", ".ignore")] {
        let text = if has(seen_as) { small_text(dir, file) } else { continue };
        for line in text.lines() {
            // A line that is not a pattern says nothing.
            let _ = builder.add_line(None, line);
        }
    }
    match builder.build() {
        Ok(rules) if !rules.is_empty() => ignored.push(Arc::new(rules)),
        _ => {}
    }
}

/// The rule nearest to the entry decides.
pub(super) fn is_ignored(ignored: &[Arc<Gitignore>], path: &RelativePath, kind: EntryKind) -> bool {
    if ignored.is_empty() {
        return false;
    }
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
pub(super) fn open_dir_itself(dir: &Dir, name: &str) -> std::io::Result<Dir> {
    let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW;
    let mut options = cap_std::fs::OpenOptions::new();
    cap_std::fs::OpenOptionsExt::custom_flags(options.read(true), flags.bits().cast_signed());
    Ok(Dir::from_std_file(dir.open_with(name, &options)?.into_std()))
}
