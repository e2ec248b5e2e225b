//! What the session knows of the workspace's files: a file that is there is changed only if the session has read or
//! made it, while it is still what it was, and by one call at a time.
//!
//! Users have more freedom in their own calls: they may write what nobody has read here, but not over a change they
//! cannot know of.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use switchboard_protocol::ErrorType;

use super::result::{SeenFile, ToolFailure, ToolResult, file_seen};
use super::undo::{MustBe, UndoPlan};
use switchboard_events::{BlobHash, FileSeen, MAX_VALUE_BYTES};
use switchboard_workspace::{
    EntryKind, FileLocks, Fingerprint, RelativePath, Workspace, WorkspaceError, WorkspaceErrorKind,
};

/// The files that a session has seen, by their paths without links.
#[derive(Debug, Default)]
pub(super) struct FileTracker {
    seen: Mutex<BTreeMap<RelativePath, Fingerprint>>,
}

/// A file that a call will change, and what the session knew of it when the call was made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    pub(super) path: RelativePath,
    known: Option<Fingerprint>,
}

impl Claim {
    /// What is known of the file, for [`FileTracker::recall`].
    pub(super) fn seen(&self) -> Option<FileSeen> {
        Some(file_seen(&self.path, self.known.as_ref()?))
    }
}

/// What must be true of a call's files.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule<'a> {
    /// They were read and are what they were.
    Read,
    /// The same, and no other call has changed them since this one was made: it puts its own content in their place.
    Overwrite,
    /// They are what they were, as far as they were read.
    ByUser,
    /// They are whatever they are: the user's call names what it replaces, which is more than the session has seen.
    NamedBase,
    /// None of them is there.
    New,
    /// They are what the calls left that are undone.
    PutBack(&'a UndoPlan),
}

impl FileTracker {
    /// The files that a call will change.
    pub(super) async fn claim(&self, workspace: &Workspace, paths: &[String]) -> Result<Vec<Claim>, ToolFailure> {
        let mut claims: Vec<Claim> = Vec::new();
        for path in paths {
            let path = workspace.unlinked(path).await?;
            let known = self.known(&path);
            if !claims.iter().any(|claim| claim.path == path) {
                claims.push(Claim { path, known });
            }
        }
        Ok(claims)
    }

    /// Whether the files may be changed now, and if so, whether what they are can be kept for putting them back.
    pub(super) async fn check(
        &self,
        workspace: &Workspace,
        claims: &[Claim],
        rule: Rule<'_>,
    ) -> Result<bool, ToolFailure> {
        let mut bytes = 0;
        let mut changed = Vec::new();
        for claim in claims {
            match self.check_one(workspace, claim, rule).await {
                Ok(length) => bytes += length,
                Err(refused) => changed.push(refused),
            }
        }
        match combined(changed, rule) {
            Some(failure) => Err(failure),
            None => Ok(bytes <= MAX_VALUE_BYTES as u64),
        }
    }

    /// Takes the files for one call, until the locks are dropped.
    pub(super) async fn lock(&self, workspace: &Workspace, claims: &[Claim]) -> FileLocks {
        let paths: Vec<RelativePath> = claims.iter().map(|claim| claim.path.clone()).collect();
        workspace.lock(&paths).await
    }

    /// Those of the files that are there and were never seen.
    pub(super) async fn unread(&self, workspace: &Workspace, claims: &[Claim]) -> Vec<String> {
        let mut unread = Vec::new();
        for claim in claims.iter().filter(|claim| claim.known.is_none()) {
            let found = workspace.metadata(claim.path.as_str()).await;
            if found.is_ok_and(|found| found.kind == EntryKind::File) {
                unread.push(claim.path.to_string());
            }
        }
        unread
    }

    /// Remembers the files that a call has read and written.
    pub(super) fn saw(&self, result: &ToolResult) {
        let mut seen = self.seen();
        for SeenFile { path, fingerprint } in result.read_files.iter().chain(&result.written_files) {
            seen.insert(path.clone(), fingerprint.clone());
        }
    }

    /// Remembers what a call has left of a file.
    pub(super) fn left(&self, path: &RelativePath, now: Option<&Fingerprint>) {
        match now {
            Some(now) => self.seen().insert(path.clone(), now.clone()),
            None => self.seen().remove(path),
        };
    }

    /// Takes files that were known before a restart for known; those that are not what they were have changed since.
    pub(super) async fn recall(&self, workspace: &Workspace, files: &[FileSeen]) {
        for FileSeen { path, hash } in files {
            let (Ok(path), Ok(now)) = (workspace.unlinked(path).await, workspace.fingerprint(path).await) else {
                continue;
            };
            let is_same = BlobHash::of_digest(&now.hash) == *hash;
            let known = if is_same { now } else { Fingerprint { modified: 0, hash: [0; 32], ..now } };
            self.seen().entry(path).or_insert(known);
        }
    }

    /// Forgets them all.
    pub(super) fn clear(&self) {
        self.seen().clear();
    }

    /// How large the file is, if it may be changed.
    async fn check_one(&self, workspace: &Workspace, claim: &Claim, rule: Rule<'_>) -> Result<u64, ToolFailure> {
        let path = claim.path.as_str();
        let found = match workspace.metadata(path).await {
            Ok(found) => found,
            // It is gone or not there yet: writing it loses nothing.
            Err(error) if error.kind() == WorkspaceErrorKind::NotFound => return gone(path, rule),
            Err(error) => return Err(error.into()),
        };
        if found.kind != EntryKind::File {
            workspace.fingerprint(path).await?;
        }
        if matches!(rule, Rule::New) {
            return Err(there(path));
        }
        let known = self.known(&claim.path);
        match (rule, known) {
            (Rule::PutBack(plan), _) => is_as_left(workspace, path, plan).await?,
            (Rule::Overwrite, known) if known != claim.known => return Err(overtaken(path)),
            (Rule::Read | Rule::Overwrite, None) => return Err(unread(path)),
            (Rule::NamedBase, _) => {}
            (_, Some(known)) if !workspace.unchanged(path, &known).await? => return Err(changed(path)),
            _ => {}
        }
        Ok(found.bytes)
    }

    fn known(&self, path: &RelativePath) -> Option<Fingerprint> {
        self.seen().get(path).cloned()
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<RelativePath, Fingerprint>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unread(path: &str) -> ToolFailure {
    let message = format!("{path} already exists and has not been read in this session");
    let next = format!("Read it first with file_read(path={path:?}), then make the same call again.");
    ToolFailure::new(ErrorType::User, message).suggesting(next)
}

fn there(path: &str) -> ToolFailure {
    let message = format!("{path} already exists, and the request does not say to replace it");
    let next = format!(
        "To replace what it holds, say: Overwrite {path} with \"…\". To change part of it, say: Replace \"…\" with \
         \"…\" in {path}."
    );
    ToolFailure::new(ErrorType::User, message).suggesting(next)
}

fn changed(path: &str) -> ToolFailure {
    let message = format!("{path} has changed since it was last read or written here");
    ToolFailure::new(ErrorType::User, message).suggesting(read_again(path))
}

fn overtaken(path: &str) -> ToolFailure {
    let message = format!("another call has changed {path} since this one was made");
    ToolFailure::new(ErrorType::User, message).suggesting(read_again(path))
}

fn read_again(path: &str) -> String {
    format!("Read it again with file_read(path={path:?}), then decide.")
}

fn gone(path: &str, rule: Rule<'_>) -> Result<u64, ToolFailure> {
    match rule {
        Rule::PutBack(plan) if matches!(plan.must_be(path), MustBe::Left(Some(_))) => {
            Err(ToolFailure::new(ErrorType::User, format!("{path} no longer exists")))
        }
        _ => Ok(0),
    }
}

async fn is_as_left(workspace: &Workspace, path: &str, plan: &UndoPlan) -> Result<(), ToolFailure> {
    let left = match plan.must_be(path) {
        MustBe::Left(left) => left,
        MustBe::Node(_) | MustBe::Anything => return Ok(()),
    };
    let now = BlobHash::of_digest(&workspace.fingerprint(path).await?.hash);
    if left.as_ref() == Some(&now) {
        return Ok(());
    }
    Err(ToolFailure::new(ErrorType::User, format!("{path} has changed since then")))
}

/// One failure for all files.
fn combined(mut refused: Vec<ToolFailure>, rule: Rule<'_>) -> Option<ToolFailure> {
    let mut first = refused.first()?.clone();
    if refused.len() > 1 {
        let messages: Vec<String> = refused.iter().map(|failure| failure.message.clone()).collect();
        first.message = messages.join("; ");
        let mut next: Vec<String> = refused.drain(..).filter_map(|failure| failure.suggestion).collect();
        next.dedup();
        first.suggestion = (!next.is_empty()).then(|| next.join(" "));
    }
    if matches!(rule, Rule::PutBack(_)) && first.error_type == ErrorType::User {
        first.message = format!("nothing was put back, because {}", first.message);
        let next = "Undo the changes that came later first, or edit the file by hand.".to_owned();
        first.suggestion = Some(first.suggestion.unwrap_or(next));
    }
    Some(first)
}

impl From<WorkspaceError> for ToolFailure {
    fn from(error: WorkspaceError) -> Self {
        let error_type = match error.kind() {
            WorkspaceErrorKind::Outside => ErrorType::Security,
            WorkspaceErrorKind::Denied | WorkspaceErrorKind::Permission => ErrorType::Permission,
            WorkspaceErrorKind::Full | WorkspaceErrorKind::Other => ErrorType::System,
            WorkspaceErrorKind::NotFound
            | WorkspaceErrorKind::IsADirectory
            | WorkspaceErrorKind::NotADirectory
            | WorkspaceErrorKind::NotAFile
            | WorkspaceErrorKind::BadPath
            | WorkspaceErrorKind::TooLarge
            | WorkspaceErrorKind::Binary => ErrorType::User,
        };
        let text = error.to_string();
        // The workspace says what happened and, behind a semicolon, what to do next.
        let (message, next) = text.rsplit_once("; ").unwrap_or((&text, ""));
        let next = match &error {
            WorkspaceError::IsADirectory { path } => format!("Use list_directory(path={path:?}) to see what is in it."),
            _ => sentence(next),
        };
        let failure = ToolFailure::new(error_type, message);
        if next.is_empty() { failure } else { failure.suggesting(next) }
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
