//! The variables of a session, in the order in which they were made.
//!
//! Snapshots share everything: an event copies a page of pointers, the places by name and the one entry that it changes,
//! never the values. `apply` is pure, so the same events always give the same variables.

use std::collections::BTreeMap;
use std::sync::Arc;

use switchboard_protocol::Variable;

use super::index::{NameHash, NameIndex};
use switchboard_events::StoredValue;
use switchboard_runtime::Pages;

/// How many variables a session can have.
pub const MAX_VARIABLES: usize = 4096;

/// How many earlier versions of a variable stay in memory; the log has all of them.
const MAX_EARLIER: usize = 16;

/// The variables of a session, as they stand at one event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContextManager {
    inner: Arc<Inner>,
}

/// A variable with its value and its earlier versions.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// As clients see it.
    pub variable: Variable,
    /// Its value, or where its value is.
    pub value: Arc<StoredValue>,
    /// The versions before this one, oldest first, as far as they are in memory.
    pub earlier: Vec<Version>,
}

/// An earlier version of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// As clients saw it.
    pub variable: Variable,
    /// Its value, or where its value is.
    pub value: Arc<StoredValue>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Inner {
    /// In order of creation.
    entries: Pages<Arc<Entry>>,
    /// Positions in `entries`, by name, and by the letters of the name.
    by_name: NameIndex,
    by_letters: NameIndex,
}

impl ContextManager {
    /// The variable with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.inner.position(name).map(|position| self.inner.entries[position].as_ref())
    }

    /// Those that people call this: with the same letters and digits, in upper or lower case, whatever stands between
    /// them. In order of creation.
    pub fn called<'m>(&'m self, words: &str) -> impl Iterator<Item = &'m Entry> + use<'m> {
        let wanted: String = letters(words).collect();
        let Inner { entries, by_letters, .. } = self.inner.as_ref();
        let candidates = by_letters.positions(NameHash::of(wanted.chars())).map(|position| entries[position].as_ref());
        candidates.filter(move |entry| letters(&entry.variable.name).eq(wanted.chars()))
    }

    /// All of them, in order of creation.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.inner.entries.iter().map(Arc::as_ref)
    }

    /// All of them as clients see them, in order of creation.
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = &Variable> {
        self.entries().map(|entry| &entry.variable)
    }

    /// Their names, in order of creation.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.variables().map(|variable| variable.name.as_str()).collect()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.entries.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.entries.len()
    }

    /// Applies a `context-update`: what it sets, what it removes, and the values that its private part holds. A variable
    /// in `set` without a value keeps the one that it has.
    ///
    /// A name that goes and a new name of the same version and value are a rename: place and earlier versions stay.
    pub fn apply(&mut self, set: &[Variable], removed: &[String], values: &BTreeMap<String, StoredValue>) {
        let renamed = self.renamed(set, removed, values);
        let inner = Arc::make_mut(&mut self.inner);
        if let Some((old, new)) = &renamed {
            inner.rename(old, new);
        }
        for name in removed {
            inner.remove(name);
        }
        for variable in set {
            inner.set(variable, values.get(&variable.name));
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.inner = Arc::default();
    }

    fn renamed(
        &self,
        set: &[Variable],
        removed: &[String],
        values: &BTreeMap<String, StoredValue>,
    ) -> Option<(String, String)> {
        let [old] = removed else { return None };
        let entry = self.get(old)?;
        let new = set.iter().find(|variable| {
            variable.version == entry.variable.version
                && values.get(&variable.name) == Some(&entry.value)
                && self.get(&variable.name).is_none()
        })?;
        Some((old.clone(), new.name.clone()))
    }
}

impl Inner {
    /// Where the variable of this name stands in `entries`.
    fn position(&self, name: &str) -> Option<usize> {
        self.by_name
            .positions(NameHash::of(name.chars()))
            .find(|position| self.entries[*position].variable.name == name)
    }

    fn index(&mut self, name: &str, position: usize) {
        self.by_name.insert(NameHash::of(name.chars()), position);
        self.by_letters.insert(NameHash::of(letters(name)), position);
    }

    fn forget(&mut self, name: &str, position: usize) {
        self.by_name.remove(NameHash::of(name.chars()), position);
        self.by_letters.remove(NameHash::of(letters(name)), position);
    }

    fn set(&mut self, variable: &Variable, value: Option<&StoredValue>) {
        match self.position(&variable.name) {
            Some(position) => {
                if let Some(entry) = self.entries.get_mut(position) {
                    Arc::make_mut(entry).become_version(variable, value);
                }
            }
            None => {
                let value = Arc::new(value.cloned().unwrap_or(StoredValue::Json(serde_json::Value::Null)));
                self.index(&variable.name, self.entries.len());
                self.entries.push(Arc::new(Entry { variable: variable.clone(), value, earlier: Vec::new() }));
            }
        }
    }

    fn rename(&mut self, old: &str, new: &str) {
        let Some(position) = self.position(old) else { return };
        self.forget(old, position);
        self.index(new, position);
        if let Some(entry) = self.entries.get_mut(position) {
            new.clone_into(&mut Arc::make_mut(entry).variable.name);
        }
    }

    fn remove(&mut self, name: &str) {
        let Some(position) = self.position(name) else { return };
        self.forget(name, position);
        self.by_name.close_gap(position);
        self.by_letters.close_gap(position);
        let others = self.entries.iter().enumerate().filter(|(other, _)| *other != position);
        self.entries = others.map(|(_, entry)| Arc::clone(entry)).collect();
    }
}

/// The letters and digits of a name, in lower case: what names are compared by.
pub fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

impl Entry {
    fn become_version(&mut self, variable: &Variable, value: Option<&StoredValue>) {
        let before = std::mem::replace(&mut self.variable, variable.clone());
        let Some(value) = value else { return };
        let value = std::mem::replace(&mut self.value, Arc::new(value.clone()));
        if before.version < variable.version {
            if self.earlier.len() == MAX_EARLIER {
                self.earlier.remove(0);
            }
            self.earlier.push(Version { variable: before, value });
        }
    }
}

#[cfg(test)]
#[path = "artifacts_tests.rs"]
mod tests;
