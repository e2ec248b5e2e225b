//! [`Checkpoints`]: noted before a call, compared after it, found again for an undo.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::changes::{PathChange, Unnoted, between};
use super::folders::Folders;
use super::node::{ContentHash, Node, Unkept};
use super::note::{Cache, CheckpointLimits, Moment, Note, Noted};
use super::objects::Objects;
use super::place::{self, Place};
use crate::root::Workspace;

/// The checkpoints of a data folder.
#[derive(Debug)]
pub struct Checkpoints {
    pub(super) objects: Objects,
    pub(super) cache: Cache,
    pub(super) limits: CheckpointLimits,
    /// Where those of the calls are.
    pub(super) calls: PathBuf,
    /// Calls that run: the contents of their notes stay.
    open: OpenCalls,
    /// Held by whoever keeps contents that nobody is known to need yet; contents are removed only while nobody does.
    keeping: RwLock<()>,
    /// Held by a restore: one at a time.
    pub(super) restoring: Mutex<()>,
}

type OpenCalls = Arc<Mutex<HashMap<Uuid, OpenCall>>>;

#[derive(Debug)]
struct OpenCall {
    note: Arc<Note>,
    /// What somebody else left at a path meanwhile: for the call it was there before.
    others: BTreeMap<String, Option<Noted>>,
}

/// A checkpoint of a call that runs.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Its name.
    pub id: Uuid,
    place: Place,
    note: Arc<Note>,
    _open: Arc<Open>,
}

/// A call runs; one that is dropped without an end runs no more either.
#[derive(Debug)]
struct Open {
    id: Uuid,
    calls: OpenCalls,
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.calls).remove(&self.id);
    }
}

/// What a call has changed.
#[derive(Debug, Clone)]
pub struct Ended {
    /// In the order of the paths.
    pub changes: Vec<PathChange>,
    place: Place,
}

/// A checkpoint that was found again.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What the call changed.
    pub changes: Vec<PathChange>,
    /// Where its contents are.
    pub contents: PathBuf,
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredChanges {
    pub(super) workspace: PathBuf,
    pub(super) changes: Vec<PathChange>,
}

#[derive(Serialize, Deserialize)]
struct StoredNote {
    workspace: PathBuf,
    paths: Vec<Noted>,
    hidden: Vec<String>,
}

#[derive(Serialize)]
struct NoteToStore<'a> {
    workspace: &'a Path,
    paths: &'a [Noted],
    hidden: &'a [String],
}

impl Checkpoints {
    /// Those in this data folder, with the usual limits.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(data: &Path) -> io::Result<Self> {
        Self::with_limits(data, CheckpointLimits::default())
    }

    /// Those in this data folder.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn with_limits(data: &Path, limits: CheckpointLimits) -> io::Result<Self> {
        let folder = data.join("checkpoints");
        let calls = folder.join("calls");
        fs::create_dir_all(&calls)?;
        let objects = Objects::open(folder.join("contents"))?;
        Ok(Self {
            objects,
            cache: Cache::default(),
            limits,
            calls,
            open: OpenCalls::default(),
            keeping: RwLock::default(),
            restoring: Mutex::default(),
        })
    }

    /// The workspace as it is, its contents kept; nothing is written down for a call.
    #[must_use]
    pub fn note(&self, workspace: &Workspace) -> Note {
        self.note_at(workspace, Moment::Before)
    }

    /// Notes the workspace before a call of this session, so that the call can be undone even if it is cut off; none if
    /// the workspace is too large for that.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn begin(&self, workspace: &Workspace, session: &str) -> io::Result<Option<Begun>> {
        let _keeping = self.keeping();
        let note = Arc::new(self.note(workspace));
        if !note.is_whole() {
            return Ok(None);
        }
        let id = Uuid::new_v4();
        self.open_calls().insert(id, OpenCall { note: Arc::clone(&note), others: BTreeMap::new() });
        let open = Arc::new(Open { id, calls: Arc::clone(&self.open) });
        let place = Place::new(&self.calls, session, id)?;
        let stored = NoteToStore { workspace: workspace.root(), paths: &note.paths, hidden: &note.hidden };
        place::write(&place.before(), &stored, false).inspect_err(|_| place.remove())?;
        Ok(Some(Begun { id, place, note, _open: open }))
    }

    /// Whether a call runs that was noted before.
    #[must_use]
    pub fn has_open_calls(&self) -> bool {
        !self.open_calls().is_empty()
    }

    /// Somebody else has changed these paths: the calls that run now have not.
    pub fn changed_by_others<'a>(&self, workspace: &Workspace, paths: impl Iterator<Item = &'a str>) {
        let _keeping = self.keeping();
        let mut folders = Folders::new(&workspace.inner);
        for path in paths.filter(|_| self.has_open_calls()) {
            let Ok(now) = self.cache.look(&mut folders, &self.objects, self.limits, path) else { continue };
            for call in self.open_calls().values_mut() {
                call.others.insert(path.to_owned(), now.clone());
            }
        }
    }

    /// What the call has changed since; the contents of before stay.
    ///
    /// # Errors
    /// When that cannot be written down.
    pub fn end(&self, workspace: &Workspace, begun: &Begun) -> io::Result<Ended> {
        let kept = {
            let _keeping = self.keeping();
            let after = self.note_at(workspace, Moment::After(begun.note.rules.as_ref()));
            let others = self.open_calls().get_mut(&begun.id).map(|call| mem::take(&mut call.others));
            let changed = others.filter(|others| !others.is_empty()).map(|others| begun.note.with(others));
            let changes = self.compare(workspace, changed.as_ref().unwrap_or(&begun.note), &after);
            let kept = changes.and_then(|changes| self.keep(workspace, &begun.place, changes));
            self.open_calls().remove(&begun.id);
            kept
        };
        self.sweep_if_full();
        kept
    }

    /// The checkpoint of this id.
    ///
    /// # Errors
    /// When it is of another workspace, or cannot be read; [`io::ErrorKind::NotFound`] if it is not kept any more.
    pub fn load(&self, workspace: &Workspace, session: &str, id: &str) -> io::Result<Loaded> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let id = id.parse().map_err(|_| gone())?;
        let place = Place::find(&self.calls, session, id).ok_or_else(gone)?;
        if place.before().exists() && !self.open_calls().contains_key(&id) {
            self.finish(workspace, &place, &OnceCell::new())?;
        }
        if place.journal().exists() {
            self.finish_restore(workspace, &place)?;
        }
        let stored: StoredChanges = place::read(&place.changes())?.ok_or_else(gone)?;
        if stored.workspace != workspace.root() {
            return Err(io::Error::other("it is of another workspace"));
        }
        Ok(Loaded { changes: stored.changes, contents: place.objects() })
    }

    /// A content, from the contents of a checkpoint or as the workspace has it.
    ///
    /// # Errors
    /// When it is not kept, or damaged.
    pub fn content(&self, hash: &ContentHash, folders: &[PathBuf]) -> io::Result<Vec<u8>> {
        self.objects.read(hash, folders)
    }

    /// Removes the checkpoints of a session.
    pub fn forget_session(&self, session: &str) {
        let folder = self.calls.join(session);
        Place::of_session(&folder).iter().for_each(Place::remove);
        let _ = fs::remove_dir(folder);
    }

    /// At the start: what calls had changed when they were cut off. How many there were.
    pub fn finish_cut_off(&self, workspace: &Workspace) -> usize {
        let cut_off = Place::all(&self.calls).into_iter().filter(|place| place.before().exists());
        let now = OnceCell::new();
        let finished = cut_off.filter(|place| match self.finish(workspace, place, &now) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!("what a call that was cut off changed is not known: {error}");
                false
            }
        });
        finished.count()
    }

    fn note_at(&self, workspace: &Workspace, moment: Moment<'_>) -> Note {
        self.cache.note(&workspace.inner, &self.objects, self.limits, moment)
    }

    fn open_calls(&self) -> MutexGuard<'_, HashMap<Uuid, OpenCall>> {
        lock(&self.open)
    }

    pub(super) fn keeping(&self) -> RwLockReadGuard<'_, ()> {
        self.keeping.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn compare(&self, workspace: &Workspace, before: &Note, after: &Note) -> io::Result<Vec<PathChange>> {
        if !after.is_whole() {
            let what = after.not_kept().unwrap_or_default();
            return Err(io::Error::other(what));
        }
        let folders = RefCell::new(Folders::new(&workspace.inner));
        let unnoted = |path: &str| match folders.borrow_mut().stamp(path) {
            Ok(None) => Unnoted::Nothing,
            Ok(Some(stamp)) if stamp.is_special() => Unnoted::Special(Node::Unkept { stamp, why: Unkept::Unreadable }),
            // Nor is anything known of what is in a folder that cannot be looked into any more.
            Ok(Some(_)) | Err(_) => Unnoted::LeftOut,
        };
        Ok(between(before, after, unnoted))
    }

    /// What a call that was cut off has changed; `now` is the workspace, once it was noted.
    fn finish(&self, workspace: &Workspace, place: &Place, now: &OnceCell<Note>) -> io::Result<()> {
        if place.changes().exists() {
            return fs::remove_file(place.before());
        }
        let Some(StoredNote { workspace: root, paths, hidden }) = place::read(&place.before())? else { return Ok(()) };
        if root != workspace.root() {
            return Ok(());
        }
        let _keeping = self.keeping();
        let before = Note::of_file(paths, hidden);
        let after = now.get_or_init(|| self.note_at(workspace, Moment::After(None)));
        let changes = self.compare(workspace, &before, after)?;
        // That there are none is written down too: the log has this call among those that may be undone.
        self.write_changes(workspace, place, changes).map(|_| ())
    }

    fn keep(&self, workspace: &Workspace, place: &Place, changes: Vec<PathChange>) -> io::Result<Ended> {
        if changes.is_empty() {
            place.remove();
            return Ok(Ended { changes, place: place.clone() });
        }
        self.write_changes(workspace, place, changes)
    }

    fn write_changes(&self, workspace: &Workspace, place: &Place, changes: Vec<PathChange>) -> io::Result<Ended> {
        self.keep_contents(place, changes.iter().filter_map(|change| change.before.as_ref()))?;
        let stored = StoredChanges { workspace: workspace.root().to_owned(), changes };
        place::write(&place.changes(), &stored, true)?;
        let _ = fs::remove_file(place.before());
        self.make_room(place);
        Ok(Ended { changes: stored.changes, place: place.clone() })
    }

    pub(super) fn keep_contents<'a>(&self, place: &Place, nodes: impl Iterator<Item = &'a Node>) -> io::Result<()> {
        let objects = place.objects();
        nodes.filter_map(Node::hash).try_for_each(|hash| self.objects.link(hash, &objects))
    }

    /// The oldest checkpoints of a session go when all together have too much.
    fn make_room(&self, newest: &Place) {
        let Some(session) = newest.folder.parent() else { return };
        let written = |place: &Place| fs::metadata(place.changes()).and_then(|found| found.modified()).ok();
        let mut places = Place::of_session(session);
        places.sort_by_key(|place| std::cmp::Reverse(written(place)));
        let mut room = self.limits.total;
        for place in places {
            match room.checked_sub(place.bytes()) {
                Some(left) => room = left,
                None if place == *newest || place.journal().exists() || !place.changes().exists() => {}
                None => place.remove(),
            }
        }
    }

    /// Contents that nobody needs go when there are many.
    fn sweep_if_full(&self) {
        if self.objects.bytes() <= self.limits.total + self.limits.total / 4 {
            return;
        }
        // Somebody who keeps contents now will have room the next time.
        let Ok(_nobody_keeps) = self.keeping.try_write() else { return };
        let mut needed: HashSet<ContentHash> = self.cache.needed().into_iter().collect();
        let mut running = HashSet::new();
        for (id, call) in self.open_calls().iter() {
            let noted = call.note.paths.iter().chain(call.others.values().flatten());
            needed.extend(noted.filter_map(|noted| noted.node.hash()));
            running.insert(*id);
        }
        // Calls that were cut off, and could not be compared yet.
        let cut_off =
            Place::all(&self.calls).into_iter().filter(|place| place.id().is_some_and(|id| !running.contains(&id)));
        for place in cut_off {
            let stored: Option<StoredNote> = place::read(&place.before()).ok().flatten();
            let paths = stored.map(|stored| stored.paths).unwrap_or_default();
            needed.extend(paths.iter().filter_map(|noted| noted.node.hash()));
        }
        self.objects.sweep(&needed);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Begun {
    /// The workspace as it was.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }
}

impl Ended {
    /// Where the contents of before are.
    #[must_use]
    pub fn contents(&self) -> PathBuf {
        self.place.objects()
    }
}
