//! [`Checkpoints`]: noted before a call, compared after it, found again for an undo.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::changes::{PathChange, between};
use super::folders::Folders;
use super::node::{ContentHash, Node};
use super::note::{Cache, CheckpointLimits, Note, Noted};
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
    /// Notes of calls that run: their contents stay.
    open: OpenNotes,
}

type OpenNotes = Arc<Mutex<HashMap<Uuid, Arc<Note>>>>;

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
    notes: OpenNotes,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
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
        Ok(Self { objects, cache: Cache::default(), limits, calls, open: OpenNotes::default() })
    }

    /// The workspace as it is, its contents kept; nothing is written down for a call.
    #[must_use]
    pub fn note(&self, workspace: &Workspace) -> Note {
        self.cache.note(&workspace.inner, &self.objects, self.limits, None)
    }

    /// Notes the workspace before a call of this session, so that the call can be undone even if it is cut off; none if
    /// the workspace is too large for that.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn begin(&self, workspace: &Workspace, session: &str) -> io::Result<Option<Begun>> {
        let note = Arc::new(self.note(workspace));
        if !note.is_whole() {
            return Ok(None);
        }
        let id = Uuid::new_v4();
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&note));
        let open = Arc::new(Open { id, notes: Arc::clone(&self.open) });
        let place = Place::new(&self.calls, session, id)?;
        let stored = NoteToStore { workspace: workspace.root(), paths: &note.paths, hidden: &note.hidden };
        place::write(&place.before(), &stored, false)?;
        Ok(Some(Begun { id, place, note, _open: open }))
    }

    /// What the call has changed since; the contents of before stay.
    ///
    /// # Errors
    /// When that cannot be written down.
    pub fn end(&self, workspace: &Workspace, begun: &Begun) -> io::Result<Ended> {
        let after = self.cache.note(&workspace.inner, &self.objects, self.limits, begun.note.rules.as_ref());
        let changes = self.compare(workspace, &begun.note, &after);
        let kept = changes.and_then(|changes| self.keep(workspace, &begun.place, changes));
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&begun.id);
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
        if place.before().exists() && !self.is_open(id) {
            self.finish(workspace, &place)?;
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
        for place in Place::all(&self.calls) {
            if place.folder.parent().and_then(Path::file_name).is_some_and(|name| name == session) {
                place.remove();
            }
        }
        let _ = fs::remove_dir(self.calls.join(session));
    }

    /// At the start: what calls had changed when they were cut off. How many there were.
    pub fn finish_cut_off(&self, workspace: &Workspace) -> usize {
        let cut_off = Place::all(&self.calls).into_iter().filter(|place| place.before().exists());
        let finished = cut_off.filter(|place| match self.finish(workspace, place) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!("what a call that was cut off changed is not known: {error}");
                false
            }
        });
        finished.count()
    }

    fn is_open(&self, id: Uuid) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&id)
    }

    fn compare(&self, workspace: &Workspace, before: &Note, after: &Note) -> io::Result<Vec<PathChange>> {
        if !after.is_whole() {
            let what = after.not_kept().unwrap_or_default();
            return Err(io::Error::other(what));
        }
        let folders = std::cell::RefCell::new(Folders::new(&workspace.inner));
        let is_there = |path: &str| folders.borrow_mut().stamp(path).is_ok_and(|found| found.is_some());
        Ok(between(before, after, is_there))
    }

    /// What a call that was cut off has changed.
    fn finish(&self, workspace: &Workspace, place: &Place) -> io::Result<()> {
        let Some(StoredNote { workspace: root, paths, hidden }) = place::read(&place.before())? else { return Ok(()) };
        if root != workspace.root() {
            return Ok(());
        }
        let before = Note::of_file(paths, hidden);
        let after = self.cache.note(&workspace.inner, &self.objects, self.limits, None);
        let changes = self.compare(workspace, &before, &after)?;
        self.keep(workspace, place, changes).map(|_| ())
    }

    fn keep(&self, workspace: &Workspace, place: &Place, changes: Vec<PathChange>) -> io::Result<Ended> {
        if changes.is_empty() {
            place.remove();
            return Ok(Ended { changes, place: place.clone() });
        }
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
        let mut places: Vec<Place> =
            Place::all(&self.calls).into_iter().filter(|place| place.folder.parent() == Some(session)).collect();
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
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let running = open.values().flat_map(|note| note.paths.iter().filter_map(|noted| noted.node.hash()));
        let needed: HashSet<ContentHash> = running.copied().chain(self.cache.needed()).collect();
        self.objects.sweep(&needed);
    }
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
