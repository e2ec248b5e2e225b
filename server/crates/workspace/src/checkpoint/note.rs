//! The workspace as it is, noted: each path with what is there, and each content kept. A file that has the stamp that it
//! had when it was noted last is not read again.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use serde::{Deserialize, Serialize};

use super::folders::Folders;
use super::node::{ContentHash, Node, Stamp, Unkept};
use super::objects::Objects;
use super::scan::{Found, Rules, Scan, scan, threads};
use crate::inner::Inner;

/// A file that was changed this short a time before it was read may have been changed again within the same tick of the
/// file system's clock, which its stamp does not show.
const TICK: i64 = 50_000_000;

/// How much is noted and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointLimits {
    /// The largest file that is kept, in bytes.
    pub file: u64,
    /// How many bytes are kept: of the workspace, and of what the calls of a session changed.
    pub total: u64,
    /// How long a note may take.
    pub time: Duration,
    /// How many files, folders and links a workspace may have.
    pub paths: usize,
}

impl Default for CheckpointLimits {
    fn default() -> Self {
        Self { file: 10_000_000, total: 512_000_000, time: Duration::from_secs(2), paths: 200_000 }
    }
}

/// A path, and what is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Noted {
    pub(super) path: String,
    pub(super) node: Node,
    pub(super) stamp: Stamp,
}

/// The workspace as it was at a time.
#[derive(Debug, Default)]
pub struct Note {
    /// In the order of the paths.
    pub(super) paths: Vec<Noted>,
    /// What was ignored then; nothing is known of a note that was read from a file.
    pub(super) rules: Option<Rules>,
    /// What was left out, with all that is in it.
    pub(super) hidden: Vec<String>,
    special: u32,
    whole: bool,
    limits: CheckpointLimits,
}

impl Noted {
    /// Whether this is there. What one of them did not read, because it was too large or too late, is known by its stamp.
    pub(super) fn is(&self, node: &Node) -> bool {
        match node {
            Node::Unkept { stamp, .. } => self.stamp.is_of_same_content(stamp),
            node => self.node.is_like(node),
        }
    }
}

impl Note {
    pub(super) fn of_file(paths: Vec<Noted>, hidden: Vec<String>) -> Self {
        Self { paths, hidden, whole: true, ..Self::default() }
    }

    /// The same, with something else at these paths.
    pub(super) fn with(&self, others: BTreeMap<String, Option<Noted>>) -> Self {
        let mut paths: BTreeMap<String, Noted> =
            self.paths.iter().map(|noted| (noted.path.clone(), noted.clone())).collect();
        for (path, noted) in others {
            match noted {
                Some(noted) => paths.insert(path, noted),
                None => paths.remove(&path),
            };
        }
        Self::of_file(paths.into_values().collect(), self.hidden.clone())
    }

    /// Whether a path was left out: then nothing is known of it.
    pub(super) fn hides(&self, path: &str) -> bool {
        let is_hidden = |path: &str| self.hidden.binary_search_by(|hidden| hidden.as_str().cmp(path)).is_ok();
        is_hidden(path) || path.match_indices('/').any(|(at, _)| is_hidden(&path[..at]))
    }

    /// Whether all of the workspace was looked at; else nothing can be put back.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// How many files it has.
    #[must_use]
    pub fn files(&self) -> usize {
        self.file_paths().count()
    }

    /// The paths of its files and links.
    pub fn file_paths(&self) -> impl Iterator<Item = &str> {
        let files = self.paths.iter().filter(|noted| !matches!(noted.node, Node::Folder { .. }));
        files.map(|noted| noted.path.as_str())
    }

    /// What could not be put back, such as "3 files over 10 MB".
    #[must_use]
    pub fn not_kept(&self) -> Option<String> {
        if !self.whole {
            let (paths, seconds) = (self.limits.paths, self.limits.time.as_secs());
            return Some(format!(
                "the workspace has more than {paths} files, or takes longer than {seconds} s to look at"
            ));
        }
        let mut counts = BTreeMap::new();
        for noted in &self.paths {
            if let Node::Unkept { why, .. } = noted.node {
                *counts.entry(why).or_insert(0_u32) += 1;
            }
        }
        let megabytes = |bytes: u64| bytes / 1_000_000;
        let files = |count: u32| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let mut parts: Vec<String> = counts
            .into_iter()
            .map(|(why, count)| match why {
                Unkept::TooLarge => format!("{} over {} MB", files(count), megabytes(self.limits.file)),
                Unkept::NoRoom => format!("{} beyond {} MB in total", files(count), megabytes(self.limits.total)),
                Unkept::TooLate => format!("{} not read within {} s", files(count), self.limits.time.as_secs()),
                Unkept::Unreadable => format!("{} that cannot be read", files(count)),
            })
            .collect();
        if self.special > 0 {
            parts.push(format!("{} of a special kind", files(self.special)));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// For which moment of a call the workspace is noted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Moment<'a> {
    /// Before it.
    Before,
    /// After it, with what was ignored before it, if that is known. What the call changed would be lost without this
    /// note, so it may look at more, and for longer; what it has no time to read is known by its stamp.
    After(Option<&'a Rules>),
}

impl Moment<'_> {
    fn scans(self, limits: CheckpointLimits) -> CheckpointLimits {
        match self {
            Self::Before => limits,
            Self::After(_) => CheckpointLimits { time: limits.time * 10, paths: limits.paths * 2, ..limits },
        }
    }
}

/// What is known of files that were read.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<String, Cached>>);

#[derive(Debug, Clone)]
struct Cached {
    stamp: Stamp,
    hash: ContentHash,
    /// When it was read, in nanoseconds since 1970.
    read_at: i64,
}

impl Cached {
    fn holds(&self, stamp: &Stamp) -> bool {
        self.stamp == *stamp && stamp.changed.saturating_add(TICK) < self.read_at
    }
}

impl Cache {
    /// Notes the workspace.
    pub(super) fn note(&self, inner: &Inner, objects: &Objects, limits: CheckpointLimits, moment: Moment<'_>) -> Note {
        let began = Instant::now();
        let until = began + limits.time;
        let scanned = moment.scans(limits);
        let rules = match moment {
            Moment::Before => None,
            Moment::After(rules) => rules,
        };
        let Scan { found, rules, hidden, special, whole } = scan(inner, rules, scanned.paths, began + scanned.time);
        let mut files: Vec<Option<Result<ContentHash, Unkept>>> = self.known(&found, limits);
        let mut unread: Vec<usize> =
            (0..found.len()).filter(|at| is_file(&found[*at]) && files[*at].is_none()).collect();
        // Many small files are worth more than a few large ones, should the time run out.
        unread.sort_by_key(|at| found[*at].stamp.bytes);
        for (at, read) in self.read_all(inner, objects, limits, &found, &unread, until) {
            files[at] = Some(read);
        }
        self.forget_gone(&found);
        let paths = nodes(found, files);
        let limits = if whole { limits } else { scanned };
        Note { paths, rules: Some(rules), hidden, special, whole, limits }
    }

    /// What there is at a path, with its content kept.
    pub(super) fn look(
        &self,
        folders: &mut Folders<'_>,
        objects: &Objects,
        limits: CheckpointLimits,
        path: &str,
    ) -> io::Result<Option<Noted>> {
        let Some(stamp) = folders.stamp(path)? else { return Ok(None) };
        let node = match stamp.file_type() {
            FileType::Directory => Node::Folder { mode: stamp.folder_mode() },
            FileType::Symlink => {
                let (folder, name) = folders.parent(path)?;
                let target = rustix::fs::readlinkat(folder, name, Vec::new())?;
                Node::Link { target: target.to_string_lossy().into_owned() }
            }
            FileType::RegularFile if stamp.bytes > limits.file => Node::Unkept { stamp, why: Unkept::TooLarge },
            FileType::RegularFile => {
                let known = self.entries().get(path).filter(|cached| cached.holds(&stamp)).map(|cached| cached.hash);
                let read = known.map_or_else(|| self.read(folders, objects, limits, path), Ok);
                read.map_or_else(
                    |why| Node::Unkept { stamp, why },
                    |hash| Node::File { hash, mode: stamp.file_mode(), same_as: None },
                )
            }
            _ => Node::Unkept { stamp, why: Unkept::Unreadable },
        };
        Ok(Some(Noted { path: path.to_owned(), node, stamp }))
    }

    /// The contents that are needed while the workspace is as it was noted last.
    pub(super) fn needed(&self) -> Vec<ContentHash> {
        self.entries().values().map(|cached| cached.hash).collect()
    }

    /// What is known of the files without reading them.
    fn known(&self, found: &[Found], limits: CheckpointLimits) -> Vec<Option<Result<ContentHash, Unkept>>> {
        let entries = self.entries();
        let mut room = limits.total;
        let known = |found: &Found| {
            if !is_file(found) {
                return None;
            }
            if found.stamp.bytes > limits.file {
                return Some(Err(Unkept::TooLarge));
            }
            match room.checked_sub(found.stamp.bytes) {
                Some(left) => room = left,
                None => return Some(Err(Unkept::NoRoom)),
            }
            entries.get(&found.path).filter(|cached| cached.holds(&found.stamp)).map(|cached| Ok(cached.hash))
        };
        found.iter().map(known).collect()
    }

    /// Reads files with several threads, until the time is over.
    fn read_all(
        &self,
        inner: &Inner,
        objects: &Objects,
        limits: CheckpointLimits,
        found: &[Found],
        unread: &[usize],
        until: Instant,
    ) -> Vec<(usize, Result<ContentHash, Unkept>)> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            let (mut folders, mut read) = (Folders::new(inner), Vec::new());
            while let Some(at) = unread.get(next.fetch_add(1, Ordering::Relaxed)) {
                let is_late = Instant::now() >= until;
                let path = &found[*at].path;
                let result =
                    if is_late { Err(Unkept::TooLate) } else { self.read(&mut folders, objects, limits, path) };
                read.push((*at, result));
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).append(&mut read);
        };
        std::thread::scope(|scope| {
            for _ in 1..threads().min(unread.len()) {
                // Without another thread there is one less.
                let _ = std::thread::Builder::new().name("checkpoint".to_owned()).spawn_scoped(scope, work);
            }
            work();
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a file and keeps its content.
    fn read(
        &self,
        folders: &mut Folders<'_>,
        objects: &Objects,
        limits: CheckpointLimits,
        path: &str,
    ) -> Result<ContentHash, Unkept> {
        // Twice, if it was changed meanwhile.
        for _ in 0..2 {
            let read_at = i64::try_from(switchboard_runtime::now().as_nanosecond()).unwrap_or_default();
            let (content, stamp) = read_file(folders, path, limits.file).map_err(|_| Unkept::Unreadable)?;
            let Some(stamp) = stamp else { continue };
            let hash = ContentHash::of(&content);
            objects.put(&hash, &content).map_err(|_| Unkept::NoRoom)?;
            self.entries().insert(path.to_owned(), Cached { stamp, hash, read_at });
            return Ok(hash);
        }
        Err(Unkept::Unreadable)
    }

    /// What is not there any more is not remembered for ever.
    fn forget_gone(&self, found: &[Found]) {
        let mut entries = self.entries();
        if entries.len() > 2 * found.len() + 1000 {
            entries.retain(|path, _| found.binary_search_by(|found| found.path.as_str().cmp(path)).is_ok());
        }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Cached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_file(found: &Found) -> bool {
    found.stamp.file_type() == FileType::RegularFile
}

/// The content of a file, and its stamp if that was the same before and after.
fn read_file(folders: &mut Folders<'_>, path: &str, most: u64) -> io::Result<(Vec<u8>, Option<Stamp>)> {
    let (folder, name) = folders.parent(path)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut file = std::fs::File::from(openat(folder, name, flags, Mode::empty())?);
    let before = Stamp::new(&fstat(&file)?);
    if before.file_type() != FileType::RegularFile || before.bytes > most {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let mut content = Vec::with_capacity(usize::try_from(before.bytes).unwrap_or_default());
    (&mut file).take(most + 1).read_to_end(&mut content)?;
    let after = Stamp::new(&fstat(&file)?);
    let is_same = before == after && content.len() as u64 == after.bytes;
    Ok((content, is_same.then_some(after)))
}

fn nodes(found: Vec<Found>, files: Vec<Option<Result<ContentHash, Unkept>>>) -> Vec<Noted> {
    let mut first_names: HashMap<u64, String> = HashMap::new();
    let node = |(found, file): (Found, Option<Result<ContentHash, Unkept>>)| {
        let Found { path, stamp, target } = found;
        let node = match (stamp.file_type(), target, file) {
            (FileType::Directory, ..) => Node::Folder { mode: stamp.folder_mode() },
            (_, Some(target), _) => Node::Link { target },
            (_, None, file) => {
                // Also of a file that was not read: the next note may read it, and the others are as they were.
                let same_as = match stamp.names {
                    0 | 1 => None,
                    _ => match first_names.get(&stamp.inode) {
                        Some(first) => Some(first.clone()),
                        None => {
                            first_names.insert(stamp.inode, path.clone());
                            None
                        }
                    },
                };
                match file.unwrap_or(Err(Unkept::Unreadable)) {
                    Ok(hash) => Node::File { hash, mode: stamp.file_mode(), same_as },
                    Err(why) => Node::Unkept { stamp, why },
                }
            }
        };
        Noted { path, node, stamp }
    };
    found.into_iter().zip(files).map(node).collect()
}
