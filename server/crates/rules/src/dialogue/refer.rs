//! What a slot means that refers to something: the last file, list, number or result whose type fits it.

use switchboard_nlu::{Anaphor, SlotType, SlotValue};

use super::plan::Plan;
use super::recent::Recent;

/// Stands for the result of the clause before, until that is known.
pub(super) const RESULT_BEFORE: &str = "";

/// Stands for what the clause before says, where that is not what a tool gave.
pub(super) const SAID_BEFORE: &str = ".said";

/// Nouns of the two files that a copy leaves.
const COPY: &str = "copy";
const ORIGINAL: &str = "original";

const FILE: &str = "file";

/// What can be referred to.
pub(super) struct Known<'k> {
    pub(super) recent: &'k Recent,
    /// What the clauses before are to do.
    pub(super) before: &'k [Plan],
    pub(super) is_folder: &'k dyn Fn(&str) -> bool,
    /// What was asked for last.
    pub(super) last: &'k dyn Fn() -> Option<Plan>,
}

impl Known<'_> {
    /// What is meant, or what is not known, as a fragment after "I do not know".
    pub(super) fn meant(&self, kind: SlotType, anaphor: &Anaphor) -> Result<SlotValue, String> {
        match anaphor {
            Anaphor::Nth { place, .. } if names_paths(kind) => self.nth(*place),
            Anaphor::Nth { .. } => Err("which one you mean".to_owned()),
            Anaphor::Them { .. } => self.them(kind),
            Anaphor::It { noun: Some(noun) } if noun == COPY || noun == ORIGINAL => {
                let from_to = (self.last)().and_then(|plan| {
                    let (from, to) = (plan.slots.get("file")?, plan.slots.get("path")?);
                    Some(file(&if noun == COPY { to.text() } else { from.text() }))
                });
                from_to.ok_or_else(|| format!("which {noun} you mean"))
            }
            Anaphor::Result { .. } => self.value().ok_or_else(|| "which result you mean: there is none yet".to_owned()),
            Anaphor::It { noun } => {
                let named = self.named().filter(|_| noun.as_deref() == Some(FILE));
                let named = named.map(|path| match kind {
                    SlotType::Files => SlotValue::Paths { paths: vec![path.to_owned()] },
                    _ => file(path),
                });
                named
                    .or_else(|| self.it(kind))
                    .ok_or_else(|| "what you mean: nothing was spoken of that fits".to_owned())
            }
            Anaphor::Other { .. } => Err("which other one you mean; please name it".to_owned()),
        }
    }

    /// What fills a slot that was not said.
    pub(super) fn unsaid(&self, kind: SlotType) -> Option<SlotValue> {
        match kind {
            SlotType::File | SlotType::Files | SlotType::Folder => self.it(kind),
            _ => None,
        }
    }

    fn it(&self, kind: SlotType) -> Option<SlotValue> {
        match kind {
            SlotType::File | SlotType::NewPath => match self.file() {
                // The one file that a command was asked for.
                _ if self.before.is_empty() && self.recent.value_is_output() && self.named().is_some() => {
                    self.named().map(file)
                }
                Some(path) if !(self.before.is_empty() && self.recent.value_is_newer()) => Some(file(&path)),
                path => self.value().or_else(|| path.map(|path| file(&path))),
            },
            SlotType::Files => {
                let files = if self.before.is_empty() { self.recent.files.clone() } else { Vec::new() };
                let files = if files.is_empty() { self.file().into_iter().collect() } else { files };
                (!files.is_empty()).then_some(SlotValue::Paths { paths: files })
            }
            SlotType::Folder => {
                let path = self.spoken(true).or_else(|| self.last_folder()).or_else(|| self.recent.folder.clone());
                path.map(|path| folder(&path))
            }
            SlotType::Number | SlotType::Count | SlotType::Percent => {
                let told = self.recent.figure.filter(|_| self.before.is_empty() && !self.recent.number_is_new);
                let told = told.map(|value| SlotValue::Number { value });
                told.or_else(|| self.recent.number.as_deref().map(variable)).or_else(|| self.value())
            }
            _ => self.value(),
        }
    }

    fn them(&self, kind: SlotType) -> Result<SlotValue, String> {
        if let [path] = self.recent.list.as_slice()
            && kind == SlotType::File
        {
            return Ok(file(path));
        }
        if kind == SlotType::Files && !self.recent.list.is_empty() {
            return Ok(SlotValue::Paths { paths: self.recent.list.clone() });
        }
        self.it(kind).ok_or_else(|| "which ones you mean: nothing was listed yet".to_owned())
    }

    fn nth(&self, place: i64) -> Result<SlotValue, String> {
        let list = &self.recent.list;
        if list.is_empty() {
            return Err("which list you mean: nothing was listed yet".to_owned());
        }
        let from_end = |place: i64| list.len().checked_sub(usize::try_from(-place).ok()?);
        let at = if place < 0 { from_end(place) } else { usize::try_from(place - 1).ok() };
        let path = at.and_then(|at| list.get(at));
        let path = path.ok_or_else(|| format!("which one you mean: the list has only {}", list.len()))?;
        Ok(if (self.is_folder)(path) { folder(path) } else { file(path) })
    }

    /// The one file that the last reply names, if nothing was said since and no file spoken of.
    fn named(&self) -> Option<&str> {
        self.recent.named.as_deref().filter(|_| self.before.is_empty() && self.recent.value_is_newer())
    }

    /// The one file that was last spoken of.
    fn file(&self) -> Option<String> {
        self.spoken(false).or_else(|| self.recent.file().map(str::to_owned))
    }

    /// The file or folder that a clause before is about.
    fn spoken(&self, wanted: bool) -> Option<String> {
        let slots = self.before.iter().rev().flat_map(|plan| plan.slots.values().rev());
        slots.into_iter().find_map(|slot| match slot {
            SlotValue::Path { path, folder, .. } if *folder == wanted => Some(path.clone()),
            _ => None,
        })
    }

    /// The folder that was asked for last, as it may just have been made.
    fn last_folder(&self) -> Option<String> {
        let is_it = |slot: &SlotValue| Some(slot.text()).filter(|path| (self.is_folder)(path));
        (self.last)().filter(|_| self.before.is_empty())?.slots.values().find_map(is_it)
    }

    fn value(&self) -> Option<SlotValue> {
        match self.before.last() {
            Some(_) => Some(SlotValue::Variable { name: RESULT_BEFORE.to_owned(), path: String::new() }),
            None => self.recent.value.as_deref().map(variable),
        }
    }
}

/// Whether a slot of the type may hold an entry of a list.
fn names_paths(kind: SlotType) -> bool {
    use SlotType::{File, Files, Folder, NewPath, Phrase, Ref, Text, Variable};
    matches!(kind, File | Files | Folder | NewPath | Ref | Text | Phrase | Variable)
}

fn file(path: &str) -> SlotValue {
    SlotValue::Path { path: path.to_owned(), said: path.to_owned(), exists: true, folder: false }
}

fn folder(path: &str) -> SlotValue {
    SlotValue::Path { path: path.to_owned(), said: path.to_owned(), exists: true, folder: true }
}

/// A reference such as `@name.output`.
pub(super) fn variable(reference: &str) -> SlotValue {
    let plain = reference.trim_start_matches('@');
    let end = plain.find(['.', '[']).unwrap_or(plain.len());
    SlotValue::Variable { name: plain[..end].to_owned(), path: plain[end..].to_owned() }
}
