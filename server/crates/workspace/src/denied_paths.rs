//! Files that rules close: to everybody, or for changes. Like the server's own folders they are recognized by where an
//! opened file is, so that no link and no other spelling helps.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// How many files and folders are looked at for those that rules close.
const MAX_WALKED: usize = 200_000;

/// What somebody wants with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anything.
    Read,
    /// To change it.
    Change,
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "to tools",
            Self::Change => "to changes",
        })
    }
}

/// A glob over paths relative to the workspace, read as `.gitignore` reads it: without a slash in it, it fits names at any
/// depth, and a folder that fits stands for all that is in it.
#[derive(Debug, Clone)]
pub struct PathPattern {
    text: String,
    set: GlobSet,
}

impl PartialEq for PathPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for PathPattern {}

impl PathPattern {
    /// Reads a glob.
    ///
    /// # Errors
    /// Says why it can fit nothing in the workspace, or is not a glob.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.starts_with('/') || text.starts_with('~') {
            return Err(format!("\"{text}\" is outside the workspace; write a glob relative to it, such as docs/**"));
        }
        let (anchored, path) = match text.strip_prefix("./") {
            Some(path) => (true, path),
            None => (false, text),
        };
        if path.split('/').any(|part| part == ".." || part == ".") || path.contains("//") || path.is_empty() {
            return Err(format!(
                "\"{text}\" is not a path inside the workspace: leave out \".\", \"..\" and doubled slashes"
            ));
        }
        let folder = path.strip_suffix("/**").or_else(|| path.strip_suffix('/')).unwrap_or(path);
        let base = if anchored || folder.contains('/') || folder == "**" || path != folder && path.ends_with("/**") {
            folder.to_owned()
        } else {
            format!("**/{folder}")
        };
        let mut set = GlobSetBuilder::new();
        for glob in [base.clone(), format!("{base}/**")] {
            let glob = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build();
            set.add(glob.map_err(|error| format!("\"{text}\" is not a glob: {}", error.kind()))?);
        }
        let set = set.build().map_err(|error| format!("\"{text}\" is not a glob: {error}"))?;
        Ok(Self { text: base, set })
    }

    /// Whether it fits a path relative to the workspace.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// Whether it fits everything that `other` fits, as far as that can be told from their texts.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let has_sign = |text: &str| text.contains(['*', '?', '[', '{']);
        let inside = || other.text.strip_prefix(&self.text).is_some_and(|rest| rest.starts_with('/'));
        self.text == other.text
            || matches!(self.text.as_str(), "**" | "**/*")
            || !has_sign(&self.text) && inside()
            || !has_sign(&other.text) && self.matches(&other.text)
    }
}

/// What rules close.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeniedPaths {
    to_all: Vec<PathPattern>,
    for_changes: Vec<PathPattern>,
}

/// Existing files and folders that are closed; what is beneath a closed folder is not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeniedLocations {
    /// Closed to all.
    pub to_all: BTreeSet<PathBuf>,
    /// Closed for changes.
    pub for_changes: BTreeSet<PathBuf>,
}

impl DeniedPaths {
    /// Closes files: to all, or only for changes.
    pub fn close(&mut self, files: &PathPattern, to_all: bool) {
        let list = if to_all { &mut self.to_all } else { &mut self.for_changes };
        if !list.contains(files) {
            list.push(files.clone());
        }
    }

    /// Whether nothing is closed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.to_all.is_empty() && self.for_changes.is_empty()
    }

    /// Whether a path relative to the workspace is closed for this purpose.
    #[must_use]
    pub fn covers(&self, path: &str, access: Access) -> bool {
        let fits = |list: &[PathPattern]| list.iter().any(|files| files.matches(path));
        fits(&self.to_all) || access == Access::Change && fits(&self.for_changes)
    }

    /// What of it there is beneath this folder now. Does its work at once: use it on a thread for blocking work.
    ///
    /// # Errors
    /// When the folder holds too much to be looked through.
    pub fn places(&self, root: &Path) -> Result<DeniedLocations, String> {
        let mut places = DeniedLocations::default();
        let (mut folders, mut seen) = (vec![root.to_owned()], 0_usize);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MAX_WALKED {
                    return Err(format!("the workspace contains more than {MAX_WALKED} files"));
                }
                let path = entry.path();
                let Some(inside) = path.strip_prefix(root).ok().and_then(Path::to_str) else { continue };
                if self.covers(inside, Access::Read) {
                    places.to_all.insert(path);
                } else {
                    if self.covers(inside, Access::Change) {
                        places.for_changes.insert(path.clone());
                    }
                    if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        folders.push(path);
                    }
                }
            }
        }
        // A folder that is closed for changes includes everything in it.
        let nested = |path: &PathBuf| path.ancestors().skip(1).any(|above| places.for_changes.contains(above));
        let outer = places.for_changes.iter().filter(|path| !nested(path)).cloned().collect();
        Ok(DeniedLocations { for_changes: outer, ..places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(glob: &str, path: &str) -> bool {
        PathPattern::new(glob).expect("a glob").matches(path)
    }

    #[test]
    fn a_glob_is_read_as_gitignore_reads_it() {
        for (glob, path, expected) in [
            (".env", ".env", true),
            (".env", "a/b/.env", true),
            ("./.env", "a/.env", false),
            ("./.env", ".env", true),
            ("**/.env", "a/.env", true),
            ("**/.env", ".env", true),
            ("docs/**", "docs", true),
            ("docs/**", "docs/a/b.md", true),
            ("docs/**", "src/docs/a", false),
            ("docs/*.md", "docs/a.md", true),
            ("docs/*.md", "docs/a/b.md", false),
            ("secrets/", "a/secrets/key", true),
            ("*.pem", "a/b.pem", true),
            ("**", "a/b", true),
        ] {
            assert_eq!(fits(glob, path), expected, "{glob} {path}");
        }
    }

    #[test]
    fn what_fits_nothing_in_the_workspace_is_no_pattern() {
        for glob in ["/etc/passwd", "~/.ssh", "../x", "a/../b", "", "a//b", "[", "./"] {
            assert!(PathPattern::new(glob).is_err(), "{glob}");
        }
    }

    #[test]
    fn a_wider_glob_covers_a_narrower_one() {
        let covers =
            |wide, narrow| PathPattern::new(wide).expect("a glob").covers(&PathPattern::new(narrow).expect("a glob"));
        assert!(covers("**", "docs/a.md"));
        assert!(covers("docs/**", "docs/a/*.md"));
        assert!(covers("docs/**", "docs/a.md"));
        assert!(!covers("docs/a/**", "docs/**"));
    }

    #[test]
    fn closed_places_are_those_that_are_there() {
        let root = tempfile::tempdir().expect("a folder");
        for file in ["a/.env", "a/b.txt", "docs/x/y.md", "src/main.rs"] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "x").expect("written");
        }
        let mut denied_paths = DeniedPaths::default();
        denied_paths.close(&PathPattern::new(".env").expect("a glob"), true);
        denied_paths.close(&PathPattern::new("docs/**").expect("a glob"), false);

        let places = denied_paths.places(root.path()).expect("few files");

        assert_eq!(places.to_all, [root.path().join("a/.env")].into());
        assert_eq!(places.for_changes, [root.path().join("docs")].into());
        assert!(denied_paths.covers("docs/x", Access::Change) && !denied_paths.covers("docs/x", Access::Read));
    }
}
