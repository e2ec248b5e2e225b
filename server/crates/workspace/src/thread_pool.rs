//! Several threads on one walk. Each takes the next folder, or the next few names of one, from a common queue; what they
//! find is put in the order of the walk, so that the result does not depend on who was first.
//!
//! When more than enough is found, whatever stands behind the last find that counts is not looked at any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::entries::EntryKind;
use super::path::RelativePath;
use super::walk::{Folder, Name, Walk, WalkEntry};

/// The most threads on one walk.
const MAX_THREADS: usize = 8;

/// How long one thread walks alone: what is done by then is not worth another thread.
const ALONE: Duration = Duration::from_millis(1);

/// How many names of a folder are taken at once.
const NAMES_AT_ONCE: usize = 64;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finds<T> {
    /// The finds, in order.
    pub found: Vec<T>,
    /// Whether there are more of them.
    pub more: bool,
    /// How many files and folders were looked at.
    pub looked_at: u64,
    /// Whether the walk was ended before it had looked at everything it needed.
    pub ended: bool,
}

impl Walk {
    /// Looks at everything with several threads, and gives the first `limit` finds in the order of the walk: names by
    /// their bytes, a folder before what is in it. What is found is the same whichever thread comes first.
    ///
    /// Each thread has a `worker` of its own. `go_on` hears how much was looked at so far and ends the walk by `false`.
    /// The caller's thread is one of the threads and is held up until the end: use one for blocking work.
    pub fn find<W, T: Send>(
        mut self,
        limit: usize,
        worker: impl Fn() -> W + Sync,
        look: impl Fn(&mut W, &WalkEntry, &mut Vec<T>) + Sync,
        go_on: impl Fn(u64) -> bool + Sync,
    ) -> Finds<T> {
        let beginning = self.beginning();
        find(&self, beginning, limit, worker, look, go_on)
    }
}

fn find<W, T: Send>(
    walk: &Walk,
    (folder, names): (Arc<Folder>, Vec<Name>),
    limit: usize,
    worker: impl Fn() -> W + Sync,
    look: impl Fn(&mut W, &WalkEntry, &mut Vec<T>) + Sync,
    go_on: impl Fn(u64) -> bool + Sync,
) -> Finds<T> {
    let thread_pool = ThreadPool {
        walk,
        limit,
        queue: Mutex::default(),
        news: Condvar::new(),
        basket: Basket::new(limit),
        looked_at: AtomicU64::new(0),
    };
    thread_pool.put(portions(&folder, names));
    let mut own = worker();
    let begun = Instant::now();
    while begun.elapsed() < ALONE && thread_pool.work_once(&mut own, &look, &go_on) {}
    if !thread_pool.queue().is_over() {
        let work = |worker: &mut W| while thread_pool.work_once(worker, &look, &go_on) {};
        std::thread::scope(|scope| {
            for _ in 1..*THREADS {
                // Without another thread there is one less.
                let others = || work(&mut worker());
                let _ = std::thread::Builder::new().name("tool-search".to_owned()).spawn_scoped(scope, others);
            }
            work(&mut own);
        });
    }
    let ended = thread_pool.queue().ended;
    let (found, more) = thread_pool.basket.emptied();
    Finds { found, more, looked_at: thread_pool.looked_at.into_inner(), ended }
}

/// How many threads there are for a walk. To ask reads several files, so it is asked once.
static THREADS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS)));

/// What there is to do.
enum Work {
    /// Look at these names of a folder.
    Names(Arc<Folder>, Vec<Name>),
    /// Enter the folder that this is.
    Enter(WalkEntry),
}

#[derive(Default)]
struct WorkQueue {
    /// The last is the next: the walk goes down first, so that few folders are open at once.
    work: Vec<Work>,
    /// How many threads have work in hand and may put more on the queue.
    busy: usize,
    ended: bool,
}

impl WorkQueue {
    fn is_over(&self) -> bool {
        self.ended || self.busy == 0 && self.work.is_empty()
    }
}

struct ThreadPool<'a, T> {
    walk: &'a Walk,
    limit: usize,
    queue: Mutex<WorkQueue>,
    news: Condvar,
    basket: Basket<T>,
    looked_at: AtomicU64,
}

impl<T> ThreadPool<'_, T> {
    fn queue(&self) -> MutexGuard<'_, WorkQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the next piece of work; whether there was one.
    fn work_once<W>(
        &self,
        worker: &mut W,
        look: &impl Fn(&mut W, &WalkEntry, &mut Vec<T>),
        go_on: &impl Fn(u64) -> bool,
    ) -> bool {
        let Some((work, _in_hand)) = self.take() else { return false };
        match work {
            Work::Enter(entry) if self.basket.wants(&entry.path) => {
                if let Some((folder, names)) = self.walk.step_into(&entry) {
                    self.put(portions(&folder, names));
                }
            }
            Work::Enter(_) => {}
            Work::Names(folder, names) => {
                if !self.look_at(&folder, &names, worker, look, go_on) {
                    self.queue().ended = true;
                }
            }
        }
        true
    }

    /// Looks at names of a folder; whether the walk goes on.
    fn look_at<W>(
        &self,
        folder: &Arc<Folder>,
        names: &[Name],
        worker: &mut W,
        look: &impl Fn(&mut W, &WalkEntry, &mut Vec<T>),
        go_on: &impl Fn(u64) -> bool,
    ) -> bool {
        let mut folders = Vec::new();
        for entry in names.iter().filter_map(|name| self.walk.entry(folder, name)) {
            if !go_on(self.looked_at.load(Ordering::Relaxed)) {
                return false;
            }
            if !self.basket.wants(&entry.path) {
                continue;
            }
            self.looked_at.fetch_add(1, Ordering::Relaxed);
            let mut found = Vec::new();
            look(worker, &entry, &mut found);
            found.truncate(self.limit.saturating_add(1));
            self.basket.put(&entry.path, found);
            if entry.kind == EntryKind::Directory {
                folders.push(Work::Enter(entry));
            }
        }
        self.put(folders);
        true
    }

    /// The next work; none when nobody has any and nobody can make more.
    fn take(&self) -> Option<(Work, InHand<'_, T>)> {
        let mut queue = self.queue();
        loop {
            if queue.ended {
                return None;
            }
            if let Some(work) = queue.work.pop() {
                queue.busy += 1;
                return Some((work, InHand(self)));
            }
            if queue.busy == 0 {
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts work on the queue, the first on top.
    fn put(&self, work: Vec<Work>) {
        if !work.is_empty() {
            self.queue().work.extend(work.into_iter().rev());
            self.news.notify_all();
        }
    }
}

/// The names of a folder, a few at once.
fn portions(folder: &Arc<Folder>, names: Vec<Name>) -> Vec<Work> {
    let mut names = names.into_iter().peekable();
    let mut work = Vec::new();
    while names.peek().is_some() {
        work.push(Work::Names(Arc::clone(folder), names.by_ref().take(NAMES_AT_ONCE).collect()));
    }
    work
}

/// Work that somebody has in hand; also one whose work panics lets it go, and then all end.
struct InHand<'a, T>(&'a ThreadPool<'a, T>);

impl<T> Drop for InHand<'_, T> {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.busy -= 1;
        queue.ended |= std::thread::panicking();
        let is_over = queue.is_over();
        drop(queue);
        if is_over {
            self.0.news.notify_all();
        }
    }
}

/// The first finds in the order of the walk.
struct Basket<T> {
    limit: usize,
    finds: Mutex<(BTreeMap<Place, Vec<T>>, usize)>,
    /// Whether there are more than are wanted, so that a look at the last one is worth its while.
    full: AtomicBool,
}

impl<T> Basket<T> {
    fn new(limit: usize) -> Self {
        Self { limit, finds: Mutex::default(), full: AtomicBool::new(false) }
    }

    /// Whether a find at this path, or below it, would count.
    fn wants(&self, path: &RelativePath) -> bool {
        if !self.full.load(Ordering::Relaxed) {
            return true;
        }
        let finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        finds.0.last_key_value().is_none_or(|(last, _)| Place::of(path) < *last)
    }

    fn put(&self, path: &RelativePath, found: Vec<T>) {
        if found.is_empty() {
            return;
        }
        let mut finds = self.finds.lock().unwrap_or_else(PoisonError::into_inner);
        let (places, count) = &mut *finds;
        *count += found.len();
        places.insert(Place::of(path), found);
        // One more than wanted stays, so that it is known that there are more.
        while let Some(last) = places.last_entry().filter(|last| *count - last.get().len() > self.limit) {
            *count -= last.remove().len();
        }
        self.full.store(*count > self.limit, Ordering::Relaxed);
    }

    fn emptied(self) -> (Vec<T>, bool) {
        let (places, count) = self.finds.into_inner().unwrap_or_else(PoisonError::into_inner);
        (places.into_values().flatten().take(self.limit).collect(), count > self.limit)
    }
}

/// A path that is compared as a walk goes: name by name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place(String);

impl Place {
    fn of(path: &RelativePath) -> Self {
        // No name has a NUL in it, and every other character comes after it.
        Self(path.as_str().replace('/', "\0"))
    }
}
