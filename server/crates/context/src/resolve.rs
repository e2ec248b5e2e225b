//! Puts values in place of references (`resolveParams` of seed 000).
//!
//! Each variable is loaded once, what was put in is not scanned again, and one error lists everything that is wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::artifacts::ContextManager;
use super::error::{ContextError, UnresolvedReference};
use super::names::json_length;
use super::reference::{Reference, Step, meant, reference, references};
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES, Values};
use switchboard_runtime::nearest;

/// The largest sum of what the references of one call stand for.
const MAX_RESOLVED: u64 = 2 * MAX_VALUE_BYTES as u64;

/// Arguments with values in place of references.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// Where a reference stood (a parameter, or a way into one) and the reference: `content` → `@file_content`.
    pub references: BTreeMap<String, String>,
    /// The variables that were used, each once, in the order of their use.
    pub inputs: Vec<String>,
}

impl ContextManager {
    /// Resolves every reference in the arguments.
    ///
    /// # Errors
    /// One error for all that does not resolve, or when what they stand for is too large or cannot be loaded.
    pub async fn resolve_params(
        &self,
        values: &Values,
        arguments: &Map<String, Value>,
    ) -> Result<Resolved, ContextError> {
        let references = references(arguments);
        let loaded = self.load_all(values, &references).await?;
        let found = self.find_all(&references, &loaded)?;
        let sum: u64 = found.iter().map(Target::length).fold(0, u64::saturating_add);
        if sum > MAX_RESOLVED {
            return Err(ContextError::ArgumentsTooLarge { limit: MAX_RESOLVED });
        }
        let mut targets = found.into_iter();
        let arguments = arguments.iter().map(|(name, value)| (name.clone(), substitute(value, &mut targets))).collect();
        Ok(Resolved { arguments, inputs: inputs(&references), references: by_path(&references) })
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// When there is none of that name, or its value cannot be loaded.
    pub async fn value(&self, values: &Values, name: &str) -> Result<Arc<ArtifactValue>, ContextError> {
        let entry = self.get(name).ok_or_else(|| self.unknown(name))?;
        Ok(values.load(&entry.value).await?)
    }

    /// The error for a name that does not exist.
    #[must_use]
    pub fn unknown(&self, name: &str) -> ContextError {
        let near = nearest(name, self.names(), 3).into_iter().map(str::to_owned).collect();
        ContextError::Unknown { name: name.chars().take(64).collect(), near, available: self.owned_names() }
    }

    async fn load_all(
        &self,
        values: &Values,
        references: &[Reference],
    ) -> Result<BTreeMap<String, Arc<ArtifactValue>>, ContextError> {
        let mut loaded = BTreeMap::new();
        for name in inputs(references) {
            if let Some(entry) = self.get(&name) {
                loaded.insert(name, values.load(&entry.value).await?);
            }
        }
        Ok(loaded)
    }

    fn find_all<'a>(
        &self,
        references: &[Reference],
        loaded: &'a BTreeMap<String, Arc<ArtifactValue>>,
    ) -> Result<Vec<Target<'a>>, ContextError> {
        let mut found = Vec::new();
        let mut unresolved = Vec::new();
        for reference in references {
            let target = match loaded.get(&reference.variable) {
                Some(value) => walk(value, reference),
                None => Err(self.no_variable(&reference.variable)),
            };
            match target {
                Ok(target) => found.push(target),
                Err(reason) => unresolved.push(UnresolvedReference {
                    path: reference.path.clone(),
                    reference: reference.to_string(),
                    reason,
                }),
            }
        }
        if unresolved.is_empty() {
            Ok(found)
        } else {
            Err(ContextError::Unresolved { unresolved, available: self.owned_names() })
        }
    }

    fn no_variable(&self, name: &str) -> String {
        match nearest(name, self.names(), 2).as_slice() {
            [] => "variable not found in context".to_owned(),
            near => format!("variable not found in context; did you mean @{}?", near.join(" or @")),
        }
    }

    pub(super) fn owned_names(&self) -> Vec<String> {
        self.variables().map(|variable| variable.name.clone()).collect()
    }
}

/// What a reference stands for.
enum Target<'a> {
    Whole(&'a ArtifactValue),
    Part(&'a Value),
}

impl Target<'_> {
    fn length(&self) -> u64 {
        match self {
            Self::Part(value) => json_length(value),
            Self::Whole(ArtifactValue::Json(value)) => json_length(value),
            Self::Whole(ArtifactValue::Text(text)) => text.len() as u64,
            Self::Whole(ArtifactValue::Bytes(bytes)) => bytes.len() as u64 * 4 / 3,
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Whole(value) => value.to_json(),
            Self::Part(value) => (*value).clone(),
        }
    }
}

fn walk<'a>(value: &'a ArtifactValue, reference: &Reference) -> Result<Target<'a>, String> {
    let Some(first) = reference.steps.first() else { return Ok(Target::Whole(value)) };
    let mut part = match value {
        ArtifactValue::Json(json) => json,
        ArtifactValue::Text(_) => return Err(into_text(&format!("@{}", reference.variable), first)),
        ArtifactValue::Bytes(_) => {
            return Err(format!("@{} is binary data and has no {}", reference.variable, what(first)));
        }
    };
    let mut way = format!("@{}", reference.variable);
    for step in &reference.steps {
        part = match (part, step) {
            (Value::Object(fields), Step::Field(name)) => fields.get(name).ok_or_else(|| no_field(&way, name, fields)),
            (Value::Array(items), Step::Item(number)) => items.get(*number).ok_or_else(|| no_item(&way, items.len())),
            (Value::String(_), step) => Err(into_text(&way, step)),
            (other, step) => Err(format!("{way} is {} and has no {}", kind(other), what(step))),
        }?;
        way.push_str(&step.to_string());
    }
    Ok(Target::Part(part))
}

fn into_text(way: &str, step: &Step) -> String {
    format!(
        "{way} is text and has no {}; if it holds JSON, run json_parse on it first and refer to the result",
        what(step)
    )
}

fn no_field(way: &str, name: &str, fields: &Map<String, Value>) -> String {
    let names = fields.keys().map(String::as_str);
    match nearest(name, names, 1).first() {
        Some(near) => format!("{way} has no field \"{name}\"; did you mean {way}.{near}?"),
        None => {
            let shown: Vec<&str> = fields.keys().take(10).map(String::as_str).collect();
            let more = if fields.len() > shown.len() { ", …" } else { "" };
            format!("{way} has no field \"{name}\"; its fields are: {}{more}", shown.join(", "))
        }
    }
}

fn no_item(way: &str, length: usize) -> String {
    match length {
        0 => format!("{way} is an empty array"),
        length => format!("{way} has {length} items, [0] to [{}]", length - 1),
    }
}

fn what(step: &Step) -> String {
    match step {
        Step::Field(name) => format!("field \"{name}\""),
        Step::Item(number) => format!("item [{number}]"),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The value with each reference replaced by the next target: both walks meet the references in the same order.
fn substitute<'a>(value: &Value, targets: &mut impl Iterator<Item = Target<'a>>) -> Value {
    match value {
        Value::String(text) if reference(text).is_some() => {
            targets.next().expect("the walk that found the references was over the same arguments").to_json()
        }
        Value::String(text) => Value::String(meant(text).to_owned()),
        Value::Array(items) => items.iter().map(|item| substitute(item, targets)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), substitute(field, targets))).collect())
        }
        other => other.clone(),
    }
}

fn inputs(references: &[Reference]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for reference in references {
        if !names.contains(&reference.variable) {
            names.push(reference.variable.clone());
        }
    }
    names
}

fn by_path(references: &[Reference]) -> BTreeMap<String, String> {
    references.iter().map(|reference| (reference.path.clone(), reference.to_string())).collect()
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
