//! A folder's files as values: copied, read, compared.

use std::collections::BTreeMap;
use std::path::Path;

use super::case::Expectation;

/// The files of a folder with their content, by path. What git keeps is in it only where it was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tree(BTreeMap<String, Vec<u8>>);

impl Tree {
    /// Reads a folder; of `.git`, only these paths.
    pub(super) fn read<'a>(folder: &Path, of_git: impl Iterator<Item = &'a str>) -> Self {
        let mut files = BTreeMap::new();
        walk(folder, "", &mut files);
        for path in of_git.filter(|path| path.starts_with(".git/")) {
            if let Ok(content) = std::fs::read(folder.join(path)) {
                files.insert(path.to_owned(), content);
            }
        }
        Self(files)
    }

    /// Files of which only the content is told.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec())).collect())
    }

    /// A file's text, if the file is there.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).map(|content| String::from_utf8_lossy(content).into_owned())
    }

    /// Whether the file is there.
    pub(super) fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// The paths that came, went or changed until `after`.
    pub(super) fn changed(&self, after: &Self) -> Vec<String> {
        let paths: std::collections::BTreeSet<&String> = self.0.keys().chain(after.0.keys()).collect();
        paths.into_iter().filter(|path| self.0.get(*path) != after.0.get(*path)).cloned().collect()
    }

    /// Why this does not hold of the file at `path`, if it does not. `before` is the folder at the start.
    pub(super) fn fault(&self, path: &str, expected: &Expectation, before: &Self) -> Option<String> {
        let Some(text) = self.text(path) else {
            return (!expected.gone).then(|| format!("{path} is not there"));
        };
        if expected.gone {
            return Some(format!("{path} is still there"));
        }
        if expected.is.as_ref().is_some_and(|is| is.trim_end_matches('\n') != text.trim_end_matches('\n')) {
            return Some(format!("{path} has another content"));
        }
        if expected.same_as.as_ref().is_some_and(|other| before.0.get(other) != self.0.get(path)) {
            return Some(format!("{path} is not the same as {}", expected.same_as.as_deref().unwrap_or_default()));
        }
        if let Some(part) = expected.has.iter().find(|part| !text.contains(part.as_str())) {
            return Some(format!("{path} lacks {part:?}"));
        }
        let part = expected.lacks.iter().find(|part| text.contains(part.as_str()))?;
        Some(format!("{path} has {part:?}"))
    }
}

/// Copies a folder with all it holds into one that is there.
pub(super) fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the folder can be listed").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            std::fs::create_dir(&target).expect("the folder is made");
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("the file is copied");
        }
    }
}

fn walk(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && path == ".git" => {}
            Ok(kind) if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), files),
            _ => {
                files.insert(path, std::fs::read(entry.path()).unwrap_or_default());
            }
        }
    }
}
