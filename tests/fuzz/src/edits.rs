//! Edits of JSON that is right, so that most of what comes of them still gets far.

use serde_json::Value;

/// What may stand anywhere.
const VALUES: [&str; 28] = [
    "null",
    "true",
    "0",
    "1",
    "7",
    "-1",
    "0.5",
    "18446744073709551615",
    "1e308",
    r#""""#,
    r#""id-1""#,
    r#""id-4""#,
    r#""user""#,
    r#""assistant""#,
    r#""tool""#,
    r#""file_content""#,
    r#""agent-response""#,
    r#""tool-call-start""#,
    r#""approval-resolved""#,
    r#""set-variable""#,
    r#""@a.b[0]""#,
    "[]",
    "{}",
    "[[[[[[null]]]]]]",
    r#"{"text":"x"}"#,
    r#"{"json":[1,null]}"#,
    r#"{"blob":{"kind":"text","hash":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}}"#,
    r#"[{"role":"user","content":[{"text":"x"}]}]"#,
];

/// Puts one of the values in the place of another, or takes it away.
pub(super) fn edit(whole: &mut Value, place: u8, value: u8) {
    let Some(pointer) = nth(whole, usize::from(place)) else { return };
    if let Some(new) = VALUES.get(usize::from(value) % (VALUES.len() + VALUES.len() / 4)) {
        if let Some(there) = whole.pointer_mut(&pointer) {
            *there = serde_json::from_str(new).expect("JSON");
        }
        return;
    }
    let Some((parent, key)) = pointer.rsplit_once('/') else { return };
    match whole.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.shift_remove(key)),
        Some(Value::Array(items)) => drop(key.parse().map(|at: usize| items.remove(at))),
        _ => {}
    }
}

/// Where one of the values in it stands.
fn nth(whole: &Value, place: usize) -> Option<String> {
    let mut pointers = Vec::new();
    gather(whole, "", &mut pointers);
    (!pointers.is_empty()).then(|| pointers.swap_remove(place % pointers.len()))
}

fn gather(value: &Value, at: &str, pointers: &mut Vec<String>) {
    let mut take = |key: &str, inner: &Value| {
        let pointer = format!("{at}/{key}");
        pointers.push(pointer.clone());
        gather(inner, &pointer, pointers);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| take(key, inner)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, inner)| take(&at.to_string(), inner)),
        _ => {}
    }
}
