//! Putting back: all of it or nothing, also for somebody who is killed in the middle of it.
//!
//! First everything that is needed lies ready in a folder of the workspace, and nothing has changed. Then the journal says
//! so until the end: removals, folders, renames, permissions. Each step that is already done is left out, so the next
//! start may do all of them again; if it cannot, it takes all of them back.

use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Mode, OFlags};

use super::changes::PathChange;
use super::folders::Folders;
use super::node::Node;
use super::place::{self, Place};
use super::restore::{Left, Prepared, RestoreError, differs, first_name, is_alike};
use super::steps::{Step, act, link_over};
use super::store::{Checkpoints, StoredChanges, lock};
use crate::root::Workspace;

const STAGING: &str = "staging";
const APPLYING: &str = "applying";

impl Checkpoints {
    /// Does it. Folders that keep something in them which nobody noted stay: those are the answer.
    ///
    /// # Errors
    /// When something is no longer what it was prepared for, or the system refuses; then it was taken back.
    pub fn apply(&self, workspace: &Workspace, prepared: &Prepared) -> Result<Vec<String>, RestoreError> {
        let Prepared { changes, place, .. } = prepared;
        if changes.is_empty() {
            place.remove();
            return Ok(Vec::new());
        }
        let _one_at_a_time = lock(&self.restoring);
        let done = self.unchanged(workspace, changes).and_then(|()| self.carry_out(workspace, place, changes));
        match &done {
            // Of a mixed one, its contents are all that there is of what is missing now.
            Ok(_) | Err(RestoreError::Mixed(_)) => place.end_journal(),
            Err(_) => place.remove(),
        }
        if done.is_ok() {
            self.changed_by_others(workspace, changes.iter().map(|change| change.path.as_str()));
        }
        done
    }

    /// At the start: restores that were cut off are done, or never began. How many were done.
    pub fn finish_restores(&self, workspace: &Workspace) -> usize {
        let cut_off = Place::all(&self.calls).into_iter().filter(|place| place.journal().exists());
        let done = cut_off.filter(|place| match self.finish_restore(workspace, place) {
            Ok(done) => done,
            Err(error) => {
                tracing::error!("an undo that was cut off cannot be finished: {error}");
                false
            }
        });
        done.count()
    }

    pub(super) fn finish_restore(&self, workspace: &Workspace, place: &Place) -> io::Result<bool> {
        let _one_at_a_time = lock(&self.restoring);
        // Whoever was at work may be done now.
        let Some(journal) = place::read::<String>(&place.journal())? else { return Ok(false) };
        let Some(stored) = place::read::<StoredChanges>(&place.changes())? else { return Ok(false) };
        if stored.workspace != workspace.root() {
            return Ok(false);
        }
        if journal == APPLYING {
            match self.carry_out(workspace, place, &stored.changes) {
                Ok(_) => {
                    place.end_journal();
                    return Ok(true);
                }
                Err(RestoreError::Failed(error)) => {
                    tracing::warn!("an undo that was cut off cannot be finished, so it was taken back: {error}");
                }
                // The next start may have more luck.
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        let _ = fs::remove_dir_all(stage_path(workspace, place));
        // The log has this call among those that may be undone: that finds nothing to do.
        place::write(&place.changes(), &StoredChanges { changes: Vec::new(), ..stored }, true)?;
        place.end_journal();
        Ok(false)
    }

    /// Whether everything is still what it was when the restore was prepared.
    fn unchanged(&self, workspace: &Workspace, changes: &[PathChange]) -> Result<(), RestoreError> {
        let mut folders = Folders::new(&workspace.inner);
        let mut changed = Vec::new();
        for PathChange { path, before, .. } in changes {
            let now = self.look(&mut folders, path).map_err(RestoreError::Failed)?;
            changed.extend(differs(path, now.as_ref(), &Left::Node(before.clone())));
        }
        if changed.is_empty() { Ok(()) } else { Err(RestoreError::Changed(changed)) }
    }

    /// Makes everything what it is after the changes, or takes back what was done of that.
    fn carry_out(
        &self,
        workspace: &Workspace,
        place: &Place,
        changes: &[PathChange],
    ) -> Result<Vec<String>, RestoreError> {
        let mut done = self.make(workspace, place, changes).map_err(RestoreError::Failed);
        if let Err(RestoreError::Failed(error)) = done {
            let turned = changes.iter().map(|change| PathChange {
                path: change.path.clone(),
                before: change.after.clone(),
                after: change.before.clone(),
            });
            let taken_back = self.make(workspace, place, &turned.collect::<Vec<_>>());
            done = Err(if taken_back.is_ok() { RestoreError::Failed(error) } else { RestoreError::Mixed(error) });
        }
        // What was moved aside into it could not be put back otherwise.
        if !matches!(done, Err(RestoreError::Mixed(_))) {
            let _ = fs::remove_dir_all(stage_path(workspace, place));
        }
        done
    }

    /// Makes everything what it is after the changes; what is so already is left alone.
    fn make(&self, workspace: &Workspace, place: &Place, changes: &[PathChange]) -> io::Result<Vec<String>> {
        let inner = &workspace.inner;
        let steps = self.steps(workspace, changes)?;
        if steps.is_empty() && !changes.iter().any(|change| first_name(change.after.as_ref()).is_some()) {
            return Ok(Vec::new());
        }
        // Where something was done already, the journal says so until the end.
        if !place.journal().exists() {
            place::write(&place.journal(), &STAGING, true)?;
        }
        let stage = self.stage_all(workspace, place, &steps)?;
        rustix::fs::syncfs(&stage)?;
        place::write(&place.journal(), &APPLYING, true)?;
        let stays = act(&mut Folders::new(inner), &stage, &steps)?;
        self.same_files(workspace, &stage, changes);
        rustix::fs::syncfs(&stage)?;
        Ok(stays)
    }

    /// What is still to be done.
    fn steps<'a>(&self, workspace: &Workspace, changes: &'a [PathChange]) -> io::Result<Vec<Step<'a>>> {
        let mut folders = Folders::new(&workspace.inner);
        let mut steps = Vec::new();
        for PathChange { path, before, after } in changes {
            let now = self.look(&mut folders, path)?;
            let is_done = is_alike(now.as_ref(), after.as_ref());
            // Somebody has changed it since a kill: it is theirs now.
            let is_theirs = now.as_ref().is_some_and(|now| !matches!(now.node, Node::Folder { .. }))
                && differs(path, now.as_ref(), &Left::Node(before.clone())).is_some();
            if !is_done && !is_theirs {
                steps.push(Step { path, now, becomes: after.as_ref() });
            }
        }
        Ok(steps)
    }

    /// Lays files and links ready under the numbers of their steps.
    fn stage_all(&self, workspace: &Workspace, place: &Place, steps: &[Step<'_>]) -> io::Result<OwnedFd> {
        let name = stage_name(place);
        match rustix::fs::mkdirat(&*workspace.inner.dir, &name, Mode::RWXU) {
            Err(rustix::io::Errno::EXIST) => {}
            made => made?,
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let stage = rustix::fs::openat(&*workspace.inner.dir, &name, flags, Mode::empty())?;
        let contents = [place.objects()];
        for (number, step) in steps.iter().enumerate() {
            let number = number.to_string();
            // One that was cut off has left its own.
            let _ = rustix::fs::unlinkat(&stage, &number, AtFlags::empty());
            match step.becomes {
                Some(Node::Link { target }) => rustix::fs::symlinkat(target.as_str(), &stage, number)?,
                Some(Node::File { hash, mode, .. }) if !step.is_of_permissions() => {
                    let content = self.objects.read(hash, &contents)?;
                    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                    let file = rustix::fs::openat(&stage, number, flags, Mode::RUSR | Mode::WUSR)?;
                    let mut file = fs::File::from(file);
                    file.write_all(&content)?;
                    rustix::fs::fchmod(&file, Mode::from_raw_mode(*mode))?;
                }
                _ => {}
            }
        }
        Ok(stage)
    }

    /// Files that were one under several names are one again, where they have the same content; else they are copies.
    fn same_files(&self, workspace: &Workspace, stage: &OwnedFd, changes: &[PathChange]) {
        let mut folders = Folders::new(&workspace.inner);
        for PathChange { path, after, .. } in changes {
            let (Some(node), Some(first)) = (after, first_name(after.as_ref())) else { continue };
            let (Ok(Some(one)), Ok(Some(other))) = (self.look(&mut folders, first), self.look(&mut folders, path))
            else {
                continue;
            };
            if one.stamp.inode != other.stamp.inode && one.is(node) && other.is(node) {
                let _ = link_over(&mut folders, stage, first, path);
            }
        }
    }
}

fn stage_name(place: &Place) -> String {
    format!(".switchboard-{}.undo", place.id().unwrap_or_default())
}

fn stage_path(workspace: &Workspace, place: &Place) -> PathBuf {
    workspace.root().join(stage_name(place))
}
