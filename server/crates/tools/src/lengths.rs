//! A definition as models are shown it, in three lengths. Each is made once, when it is first wanted.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};
use switchboard_protocol::ToolDefinition;

/// The longest description in short, in bytes.
const SHORT: usize = 160;

/// How much of a definition is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// All of it.
    Whole,
    /// Of each description the first sentence.
    Short,
    /// Only what a call cannot be made without knowing: no limits, which are checked all the same, and not what optional
    /// parameters are for.
    Brief,
}

/// The three lengths of one definition.
#[derive(Default)]
pub(super) struct Lengths([OnceLock<Told>; 3]);

/// One of them, and about how many bytes of a prompt it takes.
struct Told {
    definition: Arc<ToolDefinition>,
    size: usize,
}

impl Lengths {
    /// The definition in this length, and about how many bytes of a prompt it takes with what stands around it.
    pub(super) fn get(&self, whole: &ToolDefinition, length: Length) -> (&Arc<ToolDefinition>, usize) {
        let told = self.0[length as usize].get_or_init(|| {
            let definition = match length {
                Length::Whole => whole.clone(),
                Length::Short => shortened(whole),
                Length::Brief => brief(whole),
            };
            Told { size: size(&definition), definition: Arc::new(definition) }
        });
        (&told.definition, told.size)
    }
}

/// About how many bytes of a prompt a definition takes, with what stands around it.
#[must_use]
pub fn size(definition: &ToolDefinition) -> usize {
    const AROUND: usize = 70;
    AROUND + definition.name.len() + definition.description.len() + definition.parameters.to_string().len()
}

/// The definition in [`Length::Short`].
#[must_use]
pub fn shortened(definition: &ToolDefinition) -> ToolDefinition {
    let mut short = definition.clone();
    short.description = first_sentence(&definition.description).to_owned();
    let properties = short.parameters.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Some(Value::String(text)) = property.get_mut("description") {
            *text = first_sentence(text).to_owned();
        }
    }
    short
}

fn brief(definition: &ToolDefinition) -> ToolDefinition {
    const LIMITS: [&str; 7] =
        ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "additionalProperties"];
    let mut brief = shortened(definition);
    let required: Vec<Value> = brief.parameters["required"].as_array().cloned().unwrap_or_default();
    let properties = brief.parameters.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if let Some(property) = property.as_object_mut() {
            let optional = !required.iter().any(|needed| needed == name);
            property.retain(|key, _| !(LIMITS.contains(&key.as_str()) || optional && key == "description"));
        }
    }
    brief
}

/// The first sentence, or its beginning.
#[must_use]
pub fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let end = [". ", "; "].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    let sentence = line[..end].trim_end_matches('.');
    &sentence[..sentence.floor_char_boundary(SHORT)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use switchboard_protocol::Risk;

    use super::*;
    use crate::test_support::spec;

    #[test]
    fn each_length_leaves_out_more_and_is_made_once() {
        let mut whole = spec("t", Risk::Read).definition;
        whole.description = "Reads. All of it; and more.".to_owned();
        whole.parameters = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "minLength": 1, "description": "The file. It must be there."},
                "from": {"type": "integer", "minimum": 1, "description": "The first line. From 1."},
            },
            "required": ["path"],
        });
        let lengths = Lengths::default();
        let of = |length| lengths.get(&whole, length).0.clone();

        assert_eq!(*of(Length::Whole), whole);
        let short = of(Length::Short);
        assert_eq!(short.description, "Reads");
        assert_eq!(short.parameters["properties"]["from"]["description"], "The first line");
        let brief = of(Length::Brief);
        assert_eq!(
            brief.parameters["properties"],
            json!({"path": {"type": "string", "description": "The file"}, "from": {"type": "integer"}})
        );
        let sizes = [Length::Whole, Length::Short, Length::Brief].map(|length| lengths.get(&whole, length).1);
        assert!(sizes.is_sorted_by(|longer, shorter| longer > shorter), "{sizes:?}");
        assert!(Arc::ptr_eq(&brief, &of(Length::Brief)));
    }
}
