//! What a plan knows of its request: its slots and the intent's constants, as JSON.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::{Map, Value};
use switchboard_events::ArtifactValue;

/// The names of the slots that were asked for: what was said and nobody asks for is not done.
pub(crate) type Used = Mutex<BTreeSet<String>>;

/// The values of a plan by the names of its slots.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots<'s> {
    values: &'s Map<String, Value>,
    used: Option<&'s Used>,
}

impl<'s> Slots<'s> {
    pub(crate) fn of(values: &'s Map<String, Value>) -> Self {
        Self { values, used: None }
    }

    /// The same; what is asked for is noted.
    pub(crate) fn noting(values: &'s Map<String, Value>, used: &'s Used) -> Self {
        Self { values, used: Some(used) }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'s Value> {
        let value = self.values.get(name).filter(|value| !value.is_null())?;
        if let Some(mut used) = self.used.and_then(|used| used.lock().ok()) {
            used.insert(name.to_owned());
        }
        Some(value)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'s str> {
        self.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// Any value as text.
    pub(crate) fn told(&self, name: &str) -> Option<String> {
        self.get(name).map(as_text)
    }

    /// A text without which nothing can be done.
    pub(crate) fn need(&self, name: &str) -> Result<String, String> {
        self.told(name).ok_or_else(|| format!("You did not say which {name}."))
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let value = self.get(name)?;
        value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
    }

    pub(crate) fn whole(&self, name: &str) -> Option<i64> {
        let number = self.number(name)?;
        #[expect(clippy::cast_possible_truncation, reason = "numbers of lines, ten at most as long as this")]
        (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
    }

    /// How many.
    pub(crate) fn count(&self, name: &str) -> Option<usize> {
        usize::try_from(self.whole(name)?).ok()
    }

    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.text(name) == Some(value)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    /// Whether the user has put it in quotation marks.
    pub(crate) fn is_quoted(&self, name: &str) -> bool {
        self.flag(&format!("{name}_quoted"))
    }

    /// One or several texts.
    pub(crate) fn texts(&self, name: &str) -> Vec<&'s str> {
        match self.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text],
            _ => Vec::new(),
        }
    }

    /// The first of some slots that is filled, as texts.
    pub(crate) fn first_texts(&self, names: &[&str]) -> Vec<&'s str> {
        names.iter().map(|name| self.texts(name)).find(|texts| !texts.is_empty()).unwrap_or_default()
    }
}

/// What a text lists: with commas between, or words.
pub(crate) fn listed(text: &str) -> Vec<&str> {
    let apart = |c: char| matches!(c, ',' | ';' | '\n');
    let mut items: Vec<&str> = match text.contains(apart) {
        true => text.split(apart).flat_map(|part| part.split(" and ")).map(str::trim).collect(),
        false => text.split_whitespace().filter(|word| *word != "and").collect(),
    };
    items.retain(|item| !item.is_empty());
    items.into_iter().map(|item| item.strip_prefix("and ").unwrap_or(item)).collect()
}

/// A text as it is, any other value as JSON.
pub(crate) fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as the text that it stands for.
pub(crate) fn text_of(value: &ArtifactValue) -> Option<String> {
    match value {
        ArtifactValue::Text(text) => Some(text.clone()),
        ArtifactValue::Json(json) => match json.get("output").filter(|_| json.get("return_code").is_some()) {
            Some(output) => Some(as_text(output)),
            None => Some(json.as_str().map_or_else(
                || serde_json::to_string_pretty(json).unwrap_or_else(|_| json.to_string()),
                str::to_owned,
            )),
        },
        ArtifactValue::Bytes(_) => None,
    }
}
