//! What words can name: files, programs, variables. Names only, never content.

use std::collections::{BTreeSet, HashMap};

use jiff::Zoned;

use crate::text::typos;

/// What a request's words may name. The session supplies it; [`Engine::read`](crate::Engine::read) asks it.
pub trait World {
    /// The files and folders of the workspace.
    fn paths(&self) -> &Paths;
    /// Now, in the user's zone.
    fn now(&self) -> Zoned;
    /// Whether a program of that name can be started.
    fn is_program(&self, _name: &str) -> bool {
        false
    }
    /// Whether there is a named artifact.
    fn is_variable(&self, _name: &str) -> bool {
        false
    }
    /// Whether something is remembered under that key, in lower case.
    fn is_memory(&self, _key: &str) -> bool {
        false
    }
    /// Whether a table of the catalogue has a column of that name, in lower case.
    fn is_column(&self, _name: &str) -> bool {
        false
    }
    /// Whether a short column of the catalogue holds that value, in lower case.
    fn is_cell(&self, _value: &str) -> bool {
        false
    }
    /// Whether a settings file of the catalogue has that key, in lower case.
    fn is_key(&self, _key: &str) -> bool {
        false
    }
    /// Whether a tool of that name is registered.
    fn is_tool(&self, _name: &str) -> bool {
        false
    }
}

/// What a name may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    One {
        path: &'a str,
        folder: bool,
    },
    /// Several fit; they are named in order.
    Many(Vec<String>),
}

/// The files and folders of a workspace, to be found by what people call them. Made once for each state of the workspace.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    all: Vec<Entry>,
    by_path: HashMap<String, Vec<usize>>,
    by_base: HashMap<String, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
    by_extension: HashMap<String, Vec<usize>>,
    /// The files by each word of their paths.
    by_word: HashMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Entry {
    path: String,
    folder: bool,
}

impl Paths {
    /// The paths of a workspace, relative to its root with `/` between their parts. Folders that hold a file need not be
    /// named.
    #[must_use]
    pub fn new(
        files: impl IntoIterator<Item = impl Into<String>>,
        folders: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let files: BTreeSet<String> = files.into_iter().map(Into::into).collect();
        let mut parents: BTreeSet<String> =
            folders.into_iter().map(|folder| folder.into().trim_end_matches('/').to_owned()).collect();
        for file in &files {
            let mut rest = file.as_str();
            while let Some((parent, _)) = rest.rsplit_once('/') {
                parents.insert(parent.to_owned());
                rest = parent;
            }
        }
        let mut paths = Self::default();
        files.into_iter().for_each(|path| paths.add(path, false));
        parents.into_iter().filter(|path| !path.is_empty()).for_each(|path| paths.add(path, true));
        paths
    }

    /// The files, in order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|entry| !entry.folder).map(|entry| entry.path.as_str())
    }

    /// The folders, in order.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|entry| entry.folder).map(|entry| entry.path.as_str())
    }

    /// What is there under that path or base name, in any case.
    pub(crate) fn named(&self, typed: &str) -> Option<Named<'_>> {
        let wanted = typed.strip_prefix("./").unwrap_or(typed);
        let lower = wanted.trim_end_matches('/').to_lowercase();
        let only_folders = wanted.ends_with('/');
        let fits = |number: &&usize| !only_folders || self.all[**number].folder;
        let exact = self
            .by_path
            .get(&lower)
            .into_iter()
            .flatten()
            .find(|number| self.all[**number].path == wanted.trim_end_matches('/'));
        if let Some(number) = exact.filter(fits) {
            return Some(self.one(*number));
        }
        let found = self.by_path.get(&lower).or_else(|| self.by_base.get(&lower))?;
        self.some(found.iter().filter(fits).copied().collect())
    }

    /// The files or folders that people call so: by the name without extension, its parts with spaces, any plural. A folder
    /// whose whole path this is comes before those of its name in others.
    pub(crate) fn called(&self, words: &str, folder: bool) -> Option<Named<'_>> {
        let mut whole = self.by_path.get(&words.to_lowercase()).into_iter().flatten();
        if let Some(number) = whole.find(|number| folder && self.all[**number].folder) {
            return Some(self.one(*number));
        }
        let key = folded(words);
        let other = key.strip_suffix('s').map_or_else(|| format!("{key}s"), str::to_owned);
        let of = |key: &str| -> Vec<usize> {
            let numbers = self.by_name.get(key).into_iter().flatten().copied();
            numbers.filter(|number| self.all[*number].folder == folder).collect()
        };
        let found = of(&key);
        self.some(if found.is_empty() { of(&other) } else { found })
    }

    /// The one file whose path has all these words: `letters/cancel-gym-draft.txt` is "the gym letter draft".
    pub(crate) fn described<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Option<&str> {
        let mut with_all: Option<Vec<usize>> = None;
        for word in words {
            let with = self.by_word.get(&word_of_name(word))?;
            with_all = Some(match with_all {
                Some(all) => all.into_iter().filter(|number| with.binary_search(number).is_ok()).collect(),
                None => with.clone(),
            });
        }
        match with_all?.as_slice() {
            [number] => Some(self.all[*number].path.as_str()),
            _ => None,
        }
    }

    /// The one file of a kind, by its extension with the dot.
    pub(crate) fn only_one_of(&self, extension: &str) -> Option<Named<'_>> {
        self.some(self.by_extension.get(extension)?.clone())
    }

    /// The one file whose base name is this one misspelled.
    pub(crate) fn nearest(&self, typed: &str) -> Option<&str> {
        let base = typed.rsplit('/').next()?.to_lowercase();
        self.least(&self.by_base, &base, usize::MAX)
    }

    /// The one file whose name without extension is this one misspelled.
    pub(crate) fn nearly_called(&self, typed: &str) -> Option<&str> {
        // In several words fewer letters are wrong: "dev too" is not `dev.toml`.
        let most = if typed.contains(' ') { 1 } else { usize::MAX };
        self.least(&self.by_name, &folded(typed), most)
    }

    fn least(&self, names: &HashMap<String, Vec<usize>>, typed: &str, most: usize) -> Option<&str> {
        let near = names.iter().filter_map(|(name, numbers)| {
            let number = *numbers.first().filter(|number| numbers.len() == 1 && !self.all[**number].folder)?;
            Some((typos(typed, name).filter(|wrong| *wrong <= most)?, number))
        });
        let near: Vec<_> = near.collect();
        let least = near.iter().map(|(wrong, _)| *wrong).min()?;
        let mut nearest = near.iter().filter(|(wrong, _)| *wrong == least);
        let (_, number) = nearest.next()?;
        nearest.next().is_none().then(|| self.all[*number].path.as_str())
    }

    fn some(&self, mut numbers: Vec<usize>) -> Option<Named<'_>> {
        const MOST: usize = 16;
        match numbers.as_slice() {
            [] => None,
            [number] => Some(self.one(*number)),
            _ => {
                numbers.truncate(MOST);
                Some(Named::Many(numbers.into_iter().map(|number| self.all[number].path.clone()).collect()))
            }
        }
    }

    fn one(&self, number: usize) -> Named<'_> {
        let entry = &self.all[number];
        Named::One { path: &entry.path, folder: entry.folder }
    }

    fn add(&mut self, path: String, folder: bool) {
        let number = self.all.len();
        let lower = path.to_lowercase();
        let base = lower.rsplit('/').next().unwrap_or_default().to_owned();
        let name = base.trim_start_matches('.').split('.').next().unwrap_or_default();
        let mut called = vec![folded(name)];
        if !folder {
            // "the app log", "the app settings", "the shop site": with the extension or the folder's name.
            let parent = lower.rsplit('/').nth(1).unwrap_or_default();
            called.extend([folded(&base), folded(&format!("{parent}{name}")), folded(&format!("{name}{parent}"))]);
            called.sort();
            called.dedup();
        }
        for name in called {
            self.by_name.entry(name).or_default().push(number);
        }
        if !folder {
            let words: Vec<&str> =
                lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let months = words.windows(2).filter(|pair| is_number(pair[0], 4) && is_number(pair[1], 2));
            let months = months.filter_map(|pair| Some(month_key(pair[1].parse().ok()?)));
            let words = words.iter().map(|word| word_of_name(word));
            for word in words.chain(months).collect::<BTreeSet<_>>() {
                self.by_word.entry(word).or_default().push(number);
            }
        }
        if let Some((_, extension)) = base.rsplit_once('.').filter(|_| !folder) {
            self.by_extension.entry(format!(".{extension}")).or_default().push(number);
        }
        self.by_base.entry(base).or_default().push(number);
        self.by_path.entry(lower).or_default().push(number);
        self.all.push(Entry { path, folder });
    }
}

fn is_number(word: &str, digits: usize) -> bool {
    word.len() == digits && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What the month of a year is looked up by in paths: the 02 of `minutes/2025-02-11.md`.
pub(crate) fn month_key(month: u32) -> String {
    format!("-{month:02}")
}

/// A word of a path as it is looked up: without its plural.
fn word_of_name(word: &str) -> String {
    let lower = word.to_lowercase();
    lower.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(&lower).to_owned()
}

/// A name without what stands between its parts: "shopping-list" and "shopping list" are one.
fn folded(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
