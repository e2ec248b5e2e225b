//! The syntax of references: a string is one if all of it is `@name` with `.field` or `[n]` steps.
//!
//! Any other string is literal. `@@name` is the literal `@name`; there is no interpolation.

use std::fmt;

use serde_json::{Map, Value};

use super::names::is_name;

/// A reference in the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands: `content`, `files[0].name`.
    pub path: String,
    /// The parameter that it stands in.
    pub parameter: String,
    /// The variable.
    pub variable: String,
    /// The way into its value.
    pub steps: Vec<Step>,
}

/// A step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `.field` of an object.
    Field(String),
    /// `[n]` of an array, from 0.
    Item(usize),
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "@{}", self.variable)?;
        self.steps.iter().try_for_each(|step| step.fmt(formatter))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(formatter, ".{name}"),
            Self::Item(number) => write!(formatter, "[{number}]"),
        }
    }
}

/// The variable and the steps, if the text is a reference.
#[must_use]
pub fn reference(text: &str) -> Option<(&str, Vec<Step>)> {
    let rest = text.strip_prefix('@')?;
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(end);
    if !is_name(name) {
        return None;
    }
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = step(rest)?;
        steps.push(step);
        rest = after;
    }
    Some((name, steps))
}

/// The text as an argument that means just this text: what would be a reference gets another `@`.
#[must_use]
pub fn literal(text: &str) -> String {
    if text.starts_with('@') && reference(last_sign(text)).is_some() { format!("@{text}") } else { text.to_owned() }
}

/// The text that a literal means: one `@` less before what would otherwise be a reference.
pub(super) fn meant(text: &str) -> &str {
    if text.starts_with("@@") && reference(last_sign(text)).is_some() { &text[1..] } else { text }
}

/// Every reference in the arguments.
#[must_use]
pub fn references(arguments: &Map<String, Value>) -> Vec<Reference> {
    let mut found = Vec::new();
    for (parameter, value) in arguments {
        find(value, parameter, parameter, &mut found);
    }
    found
}

fn find(value: &Value, path: &str, parameter: &str, found: &mut Vec<Reference>) {
    match value {
        Value::String(text) => {
            if let Some((variable, steps)) = reference(text) {
                found.push(Reference {
                    path: path.to_owned(),
                    parameter: parameter.to_owned(),
                    variable: variable.to_owned(),
                    steps,
                });
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                find(item, &format!("{path}[{number}]"), parameter, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                find(field, &format!("{path}.{name}"), parameter, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn step(rest: &str) -> Option<(Step, &str)> {
    if let Some(rest) = rest.strip_prefix('.') {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        return is_field(name).then(|| (Step::Field(name.to_owned()), after));
    }
    let (digits, after) = rest.strip_prefix('[')?.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number beyond any array is still a reference, to an item that cannot be there.
    is_number.then(|| (Step::Item(digits.parse().unwrap_or(usize::MAX)), after))
}

fn is_field(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}

/// The text from the last of its leading `@` on.
fn last_sign(text: &str) -> &str {
    let signs = text.len() - text.trim_start_matches('@').len();
    &text[signs.saturating_sub(1)..]
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
