//! Paths inside the workspace: relative, normal, and the same text for the same file.
//!
//! `.` and `..` are resolved here by the text alone, as people mean them; that is convenience, not the boundary. The
//! boundary is the kernel's, when the path is opened.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use super::error::{WorkspaceError, shown};

/// The longest path, and the longest name in it, that Linux knows.
const MAX_PATH: usize = 4096;
const MAX_NAME: usize = 255;

/// A path inside the workspace, without `.` and `..`; `.` alone is the workspace itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelativePath(String);

impl RelativePath {
    /// The workspace itself.
    #[must_use]
    pub fn root() -> Self {
        Self(".".to_owned())
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the workspace itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == "."
    }

    /// The last name; none for the workspace itself.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        if self.is_root() { None } else { self.0.rsplit('/').next() }
    }

    /// The folder that it is in; none for the workspace itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(self.0.rsplit_once('/').map_or_else(Self::root, |(parent, _)| Self(parent.to_owned())))
    }

    /// A name in this folder.
    pub(super) fn child(&self, name: &str) -> Self {
        if self.is_root() { Self(name.to_owned()) } else { Self(format!("{}/{name}", self.0)) }
    }

    /// The path of somebody's text; absolute paths must begin with one of `roots`, which all name the workspace.
    pub(super) fn parse(text: &str, roots: &[PathBuf]) -> Result<Self, WorkspaceError> {
        let bad = |reason| Err(WorkspaceError::BadPath { path: shown(text), reason });
        if text.is_empty() {
            return bad("it is empty; name a file, or '.' for the workspace itself");
        }
        if text.contains('\0') {
            return bad("it contains a NUL character; remove that");
        }
        if text == "~" || text.starts_with("~/") {
            return bad("'~' is not expanded; use a path relative to the workspace");
        }
        if text.len() > MAX_PATH || text.split('/').any(|name| name.len() > MAX_NAME) {
            return bad("it is too long; use a shorter one");
        }
        let outside = || WorkspaceError::Outside {
            path: shown(text),
            root: roots.first().map(|root| root.display().to_string()).unwrap_or_default(),
        };
        let normal = normalized(Path::new(text)).ok_or_else(outside)?;
        let relative = if normal.is_absolute() {
            roots.iter().find_map(|root| normal.strip_prefix(root).ok()).ok_or_else(outside)?
        } else {
            &normal
        };
        // It came from text and was only cut at slashes.
        let relative = relative.to_str().ok_or_else(outside)?;
        Ok(if relative.is_empty() { Self::root() } else { Self(relative.to_owned()) })
    }
}

/// Without `.`, `..` and double slashes; `None` if `..` leads above the beginning.
pub(super) fn normalized(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() && !normal.has_root() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => normal.push(component),
        }
    }
    Some(normal)
}

impl fmt::Display for RelativePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl AsRef<Path> for RelativePath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}
