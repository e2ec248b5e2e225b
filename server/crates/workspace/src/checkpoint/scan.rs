//! Everything in the workspace by its names and stamps, looked at by several threads; nothing is read of files.
//!
//! What `.gitignore` names is left out. After a call the rules of before it hold, so that a call which changes them
//! neither hides files nor brings others in. Of git's own folder everything is looked at but the objects: they only grow.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cap_std::fs::Dir;
use ignore::gitignore::Gitignore;
use rustix::fs::{AtFlags, FileType, RawDir, readlinkat, statat};

use super::node::Stamp;
use crate::entries::EntryKind;
use crate::inner::Inner;
use crate::path::RelativePath;
use crate::reserved_folders::DenyCache;
use crate::walk::{is_ignored, open_dir_itself, read_ignored};

/// How deep the workspace may be.
const MAX_DEPTH: usize = 128;

/// The most threads on one scan.
const MAX_THREADS: usize = 8;

/// Room for the names of a folder that are asked for at once.
const NAMES: usize = 32 * 1024;

/// Something in the workspace.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: String,
    pub(super) stamp: Stamp,
    /// Where a link leads to.
    pub(super) target: Option<String>,
}

/// What was ignored in each folder that was looked into, by its path.
#[derive(Debug, Default)]
pub(super) struct Rules(BTreeMap<String, Option<Arc<Gitignore>>>);

/// What there is.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// In the order of the paths.
    pub(super) found: Vec<Found>,
    pub(super) rules: Rules,
    /// What was left out, with all that is in it: ignored, or closed by rules. In the order of the paths.
    pub(super) hidden: Vec<String>,
    /// How many things are neither files nor folders nor links, or have names that are not text.
    pub(super) special: u32,
    /// Whether all of it was looked at.
    pub(super) whole: bool,
}

/// Looks at everything, until then and at most so many things; `rules` are those of before a call.
pub(super) fn scan(inner: &Inner, rules: Option<&Rules>, most: usize, until: Instant) -> Scan {
    let Ok(root) = open_dir_itself(&inner.dir, ".") else { return Scan::default() };
    let Ok(denied) = inner.denied.deny_cache(&root) else { return Scan::default() };
    let start = Folder { path: RelativePath::root(), above: Arc::new(root), depth: 0, ignored: Vec::new() };
    let scanner = Scanner {
        inner,
        rules,
        denied: &denied,
        closes: denied.is_inside() || !inner.denied_paths.is_empty(),
        most,
        until,
        queue: Mutex::new(Queue { folders: vec![start], busy: 0 }),
        news: Condvar::new(),
        seen: AtomicUsize::new(0),
        special: AtomicU32::new(0),
        cut: AtomicBool::new(false),
        all: Mutex::default(),
    };
    std::thread::scope(|scope| {
        for _ in 1..threads() {
            // Without another thread there is one less.
            let _ = std::thread::Builder::new().name("checkpoint".to_owned()).spawn_scoped(scope, || scanner.work());
        }
        scanner.work();
    });
    let All { mut found, rules, mut hidden } = scanner.all.into_inner().unwrap_or_else(PoisonError::into_inner);
    hidden.sort_unstable();
    found.sort_unstable_by(|left, right| left.path.cmp(&right.path));
    let whole = !scanner.cut.into_inner();
    Scan { found, rules: Rules(rules), hidden, special: scanner.special.into_inner(), whole }
}

pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS))
}

/// A folder that is still to be looked into.
struct Folder {
    path: RelativePath,
    /// The folder above it; of the workspace itself, that.
    above: Arc<Dir>,
    depth: usize,
    ignored: Vec<Arc<Gitignore>>,
}

struct Queue {
    /// The last is the next: few folders are open at once.
    folders: Vec<Folder>,
    /// How many threads have a folder in hand and may find more.
    busy: usize,
}

/// What a thread finds, and then all of them.
#[derive(Default)]
struct All {
    found: Vec<Found>,
    rules: BTreeMap<String, Option<Arc<Gitignore>>>,
    hidden: Vec<String>,
}

struct Scanner<'a> {
    inner: &'a Inner,
    rules: Option<&'a Rules>,
    denied: &'a DenyCache,
    /// Whether anything in the workspace is closed.
    closes: bool,
    most: usize,
    until: Instant,
    queue: Mutex<Queue>,
    news: Condvar,
    seen: AtomicUsize,
    special: AtomicU32,
    cut: AtomicBool,
    all: Mutex<All>,
}

impl Scanner<'_> {
    /// What each thread does until nothing is left.
    fn work(&self) {
        let mut buffer = vec![MaybeUninit::uninit(); NAMES];
        let mut own = All::default();
        while let Some((folder, in_hand)) = self.take() {
            if self.cut.load(Ordering::Relaxed) || Instant::now() >= self.until || folder.depth >= MAX_DEPTH {
                self.cut.store(true, Ordering::Relaxed);
                continue;
            }
            let folders = self.look_into(&folder, &mut buffer, &mut own);
            self.queue().folders.extend(folders);
            drop(in_hand);
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.found.append(&mut own.found);
        all.rules.append(&mut own.rules);
        all.hidden.append(&mut own.hidden);
    }

    /// What is in a folder; the folders in it are still to be looked into. One that is gone is empty.
    fn look_into(&self, folder: &Folder, buffer: &mut [MaybeUninit<u8>], all: &mut All) -> Vec<Folder> {
        let Ok(dir) = open_dir_itself(&folder.above, folder.path.name().unwrap_or(".")) else {
            // One that cannot be read may hold anything.
            if folder.above.symlink_metadata(folder.path.name().unwrap_or(".")).is_ok() {
                self.special.fetch_add(1, Ordering::Relaxed);
            }
            return Vec::new();
        };
        let is_gits = folder.path.as_str().split('/').any(|name| name == ".git");
        let (names, has_rules) = self.names(&dir, buffer);
        let ignored = if is_gits { Vec::new() } else { self.ignored(folder, &dir, has_rules, &mut all.rules) };
        let dir = Arc::new(dir);
        let mut folders = Vec::new();
        for name in names {
            let path = folder.path.child(&name);
            if is_gits && is_left_out_of_git(&path, &name) || is_ours(&name) {
                continue;
            }
            if self.closes && !self.inner.shows(self.denied, path.as_str()) {
                all.hidden.push(path.to_string());
                continue;
            }
            // What is removed meanwhile is not there.
            let Ok(stat) = statat(&*dir, name.as_str(), AtFlags::SYMLINK_NOFOLLOW) else { continue };
            let stamp = Stamp::new(&stat);
            let kind = match stamp.file_type() {
                FileType::RegularFile => EntryKind::File,
                FileType::Directory => EntryKind::Directory,
                FileType::Symlink => EntryKind::Link,
                _ => EntryKind::Other,
            };
            if is_ignored(&ignored, &path, kind) {
                all.hidden.push(path.to_string());
                continue;
            }
            let target = match kind {
                EntryKind::Link => {
                    match readlinkat(&*dir, name.as_str(), Vec::new()).map(std::ffi::CString::into_string) {
                        Ok(Ok(target)) => Some(target),
                        _ => {
                            self.special.fetch_add(1, Ordering::Relaxed);
                            continue;
                        }
                    }
                }
                EntryKind::Other => {
                    self.special.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                EntryKind::File | EntryKind::Directory => None,
            };
            if kind == EntryKind::Directory {
                let (above, depth, ignored) = (Arc::clone(&dir), folder.depth + 1, ignored.clone());
                folders.push(Folder { path: path.clone(), above, depth, ignored });
            }
            all.found.push(Found { path: path.to_string(), stamp, target });
        }
        folders
    }

    /// The names in a folder, and whether one of them says what is ignored.
    fn names(&self, dir: &Dir, buffer: &mut [MaybeUninit<u8>]) -> (Vec<String>, bool) {
        let (mut names, mut has_rules) = (Vec::new(), false);
        let mut entries = RawDir::new(dir.as_fd(), buffer);
        while let Some(Ok(entry)) = entries.next() {
            match entry.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(name) => {
                    has_rules |= matches!(name, ".git" | ".gitignore" | ".ignore");
                    names.push(name.to_owned());
                }
                Err(_) => {
                    self.special.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        if self.seen.fetch_add(names.len(), Ordering::Relaxed) + names.len() > self.most {
            self.cut.store(true, Ordering::Relaxed);
        }
        (names, has_rules)
    }

    /// What is ignored in a folder: as it was before, if that is known.
    fn ignored(
        &self,
        folder: &Folder,
        dir: &Dir,
        has_rules: bool,
        rules: &mut BTreeMap<String, Option<Arc<Gitignore>>>,
    ) -> Vec<Arc<Gitignore>> {
        let mut ignored = folder.ignored.clone();
        match self.rules.and_then(|rules| rules.0.get(folder.path.as_str())) {
            Some(before) => ignored.extend(before.clone()),
            None if has_rules => read_ignored(&folder.path, dir, None, &mut ignored),
            None => {}
        }
        let own = ignored.get(folder.ignored.len()).cloned();
        rules.insert(folder.path.to_string(), own);
        ignored
    }

    fn take(&self) -> Option<(Folder, InHand<'_>)> {
        let mut queue = self.queue();
        loop {
            if let Some(folder) = queue.folders.pop() {
                queue.busy += 1;
                return Some((folder, InHand { queue: &self.queue, news: &self.news }));
            }
            if queue.busy == 0 {
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A folder that a thread has in hand; also one whose work panics lets it go.
struct InHand<'a> {
    queue: &'a Mutex<Queue>,
    news: &'a Condvar,
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).busy -= 1;
        self.news.notify_all();
    }
}

/// Files of our own on their way to their places.
fn is_ours(name: &str) -> bool {
    name.starts_with(".switchboard-") && (name.ends_with(".tmp") || name.ends_with(".undo"))
}

/// Objects are named by their content, and there are many; locks are gone when git is.
fn is_left_out_of_git(path: &RelativePath, name: &str) -> bool {
    let is_name = path.as_str().contains("/refs/") || path.as_str().contains("/logs/");
    !is_name && (matches!(name, "objects" | "lfs" | "annex") || name.ends_with(".lock"))
}
