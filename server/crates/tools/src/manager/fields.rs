//! A tool's own fields, as people and models see them.

use serde_json::{Map, Value};

use crate::result::ToolResult;
use crate::text::sanitize_line;
use switchboard_runtime::redact;

/// The longest of a tool's own fields in a frame.
const MAX_FIELD_BYTES: usize = 200;

/// Fields that have a place of their own in the frame.
const OWN_FIELDS: [&str; 3] = ["diff", "schema_mismatch", "not_stored"];

/// What the tool says of its work beside the result, as far as it is short.
pub(super) fn fields(result: &ToolResult) -> Map<String, Value> {
    let said = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::Number(_) | Value::Bool(_) => value.clone(),
            Value::String(text) if !text.is_empty() && text.len() <= MAX_FIELD_BYTES => {
                redact(&sanitize_line(text)).into_owned().into()
            }
            _ => return None,
        };
        (!OWN_FIELDS.contains(&name.as_str())).then(|| (name.clone(), value))
    };
    result.fields.iter().filter_map(said).collect()
}

/// The same for the reasoner: only what is counted, in a line.
pub(super) fn counted_fields(result: &ToolResult) -> Option<String> {
    let counts = result.fields.iter().filter(|(_, value)| value.is_number());
    let counts: Vec<String> = counts.map(|(name, value)| format!("{name}: {value}")).collect();
    (!counts.is_empty()).then(|| format!("({})", counts.join(", ")))
}
