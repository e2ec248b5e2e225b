//! Plans of changes. A plan changes nothing: it is what a `context-update` event will say, and the event does the rest.

use std::collections::BTreeMap;

use switchboard_protocol::{MessageId, Origin, ServerMessage, Variable};

use super::artifacts::{ContextManager, MAX_VARIABLES};
use super::error::ContextError;
use super::names::{byte_length, corrected_name, free_name, valid_name, validate_context_variable};
use super::preview::{PREVIEW_CHARS, get_variable_preview};
use switchboard_events::{ArtifactValue, Blob, NewEvent, ServerOnly, StoredValue, Values};

/// What a `context-update` event will say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContextChange {
    /// New and changed variables.
    pub set: Vec<Variable>,
    /// Names that go.
    pub removed: Vec<String>,
    /// The values of those in `set` that have a new one.
    pub values: BTreeMap<String, StoredValue>,
    /// Large values among them.
    pub blobs: Vec<Blob>,
}

/// The name for a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputName {
    /// Given on purpose: what is there gets a new version.
    Given(String),
    /// Only a default: if it is taken, a suffix makes it another.
    Default(String),
}

/// The origin of what the user sets.
#[must_use]
pub fn user_origin() -> Origin {
    Origin { call_id: None, tool: "user".to_owned(), inputs: Vec::new(), default_name: None }
}

/// Whether the user stored it, by hand or by saying so, rather than a tool that found it.
#[must_use]
pub fn is_stored(variable: &Variable) -> bool {
    variable.origin.tool == "user" || variable.origin.tool.starts_with("store")
}

impl ContextChange {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.removed.is_empty()
    }

    /// The event that makes the change.
    #[must_use]
    pub fn into_event(self, turn_id: Option<&MessageId>) -> NewEvent {
        let private = ServerOnly { values: self.values, ..ServerOnly::default() };
        NewEvent {
            turn_id: turn_id.cloned(),
            message: ServerMessage::ContextUpdate { set: self.set, removed: self.removed },
            private: (!private.values.is_empty()).then(|| Box::new(private)),
            blobs: self.blobs,
        }
    }
}

impl ContextManager {
    /// Plans to set a variable; what was made from an earlier value of it becomes stale. Also gives the name taken; whether
    /// that is a default is said in the origin.
    ///
    /// # Errors
    /// When a given name is not allowed, or the value or the number of variables is too large.
    pub fn plan_set(
        &self,
        values: &Values,
        name: &OutputName,
        value: ArtifactValue,
        origin: Origin,
    ) -> Result<(String, ContextChange), ContextError> {
        let is_unnamed = matches!(name, OutputName::Default(_)) && origin.tool != user_origin().tool;
        let name = self.name_for(name);
        validate_context_variable(&name, &value)?;
        let before = self.get(&name);
        if before.is_none() && self.len() >= MAX_VARIABLES {
            return Err(ContextError::TooMany { name, limit: MAX_VARIABLES });
        }
        let stale = origin.inputs.iter().any(|input| self.get(input).is_some_and(|entry| entry.variable.stale));
        let variable = Variable {
            name: name.clone(),
            version: before.map_or(1, |entry| entry.variable.version.saturating_add(1)),
            value_type: value.value_type(),
            preview: get_variable_preview(&value, PREVIEW_CHARS),
            bytes: byte_length(&value),
            origin: Origin { default_name: is_unnamed.then_some(true), ..origin },
            stale,
        };
        let (stored, blob) = values.store(value);
        // Nothing was made from a value that was not there: to name a result, no other variable is looked at.
        let replaced = before.is_some_and(|entry| *entry.value != stored);
        let mut set = vec![variable];
        if replaced {
            set.extend(self.made_stale(&name));
        }
        let change = ContextChange {
            set,
            removed: Vec::new(),
            values: BTreeMap::from([(name.clone(), stored)]),
            blobs: blob.into_iter().collect(),
        };
        Ok((name, change))
    }

    /// Plans to rename a variable; its versions stay, and what was made from it refers to the new name.
    ///
    /// # Errors
    /// When it does not exist, or the new name is not allowed or taken.
    pub fn plan_rename(&self, name: &str, new_name: &str) -> Result<ContextChange, ContextError> {
        let entry = self.get(name).ok_or_else(|| self.unknown(name))?;
        valid_name(new_name)?;
        if self.get(new_name).is_some() {
            return Err(ContextError::Taken { name: new_name.to_owned() });
        }
        let origin = Origin { default_name: None, ..entry.variable.origin.clone() };
        let mut set = vec![Variable { name: new_name.to_owned(), origin, ..entry.variable.clone() }];
        set.extend(self.variables().filter(|variable| variable.name != name).cloned());
        set.retain_mut(|variable| {
            let mut touched = variable.name == new_name;
            for input in variable.origin.inputs.iter_mut().filter(|input| *input == name) {
                new_name.clone_into(input);
                touched = true;
            }
            touched
        });
        Ok(ContextChange {
            set,
            removed: vec![name.to_owned()],
            values: BTreeMap::from([(new_name.to_owned(), StoredValue::clone(&entry.value))]),
            blobs: Vec::new(),
        })
    }

    /// Plans to delete a variable; what was made from it becomes stale.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn plan_delete(&self, name: &str) -> Result<ContextChange, ContextError> {
        self.get(name).ok_or_else(|| self.unknown(name))?;
        let set = self.made_stale(name).into_iter().filter(|variable| variable.name != name).collect();
        Ok(ContextChange { set, removed: vec![name.to_owned()], ..ContextChange::default() })
    }

    /// Plans to delete all that the user stored; what tools found stays.
    #[must_use]
    pub fn plan_delete_stored(&self) -> ContextChange {
        let stored = self.variables().filter(|variable| is_stored(variable));
        ContextChange { removed: stored.map(|variable| variable.name.clone()).collect(), ..ContextChange::default() }
    }

    /// Plans to make the variables what they were in `then`: an earlier state of the same session.
    #[must_use]
    pub fn plan_restore(&self, then: &Self) -> ContextChange {
        let mut change = ContextChange::default();
        for name in self.names() {
            if then.get(name).is_none() {
                change.removed.push(name.to_owned());
            }
        }
        for entry in then.entries() {
            let mut variable = entry.variable.clone();
            match self.get(&variable.name) {
                Some(now) if now.value == entry.value && now.variable == variable => continue,
                Some(now) => variable.version = now.variable.version.saturating_add(1),
                None => {}
            }
            change.values.insert(variable.name.clone(), StoredValue::clone(&entry.value));
            change.set.push(variable);
        }
        change
    }

    /// Brings a change that was planned on an older snapshot up to date: versions follow on those there are now, and
    /// what is only marked stale keeps what it is now.
    pub fn settle(&self, set: &mut Vec<Variable>, values: &BTreeMap<String, StoredValue>) {
        set.retain_mut(|variable| {
            let now = self.get(&variable.name).map(|entry| &entry.variable);
            if values.contains_key(&variable.name) {
                if let Some(now) = now
                    && now.version >= variable.version
                {
                    variable.version = now.version.saturating_add(1);
                }
                return true;
            }
            let Some(now) = now else { return false };
            if now.version != variable.version {
                *variable = now.clone();
            }
            true
        });
    }

    fn name_for(&self, name: &OutputName) -> String {
        match name {
            OutputName::Given(name) => name.clone(),
            OutputName::Default(name) => free_name(&corrected_name(name), |name| self.get(name).is_some()),
        }
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
