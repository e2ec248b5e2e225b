//! Claims about what parameters are for, and what they take.

use serde_json::json;

use super::*;

#[test]
fn a_parameter_is_known_by_its_name() {
    let text = json!({"type": "string"});
    let cases = [
        ("path", Role::Path),
        ("filePath", Role::Path),
        ("file_paths", Role::Path),
        ("working_dir", Role::Folder),
        ("pattern", Role::Pattern),
        ("searchQuery", Role::Query),
        ("url", Role::Url),
        ("recipient_email", Role::Email),
        ("timezone", Role::Zone),
        ("city", Role::Place),
        ("command", Role::Command),
        ("expression", Role::Expression),
        ("body", Role::Content),
        ("frobnicate", Role::Other),
    ];
    for (name, role) in cases {
        assert_eq!(role_of(name, &text), role, "{name}");
    }
    assert_eq!(role_of("max_results", &json!({"type": "integer"})), Role::Limit);
    assert_eq!(role_of("ignore_case", &json!({"type": "boolean"})), Role::AnyCase);
    assert_eq!(role_of("pattern", &json!({"type": "string", "description": "A glob."})), Role::Glob);
}

#[test]
fn values_become_what_the_schema_takes() {
    let cases = [
        (json!("5"), json!({"type": "integer"}), Some(json!(5))),
        (json!("5.5"), json!({"type": "integer"}), None),
        (json!("5.5"), json!({"type": "number"}), Some(json!(5.5))),
        (json!(5), json!({"type": "string"}), Some(json!("5"))),
        (json!("a"), json!({"type": "array"}), Some(json!(["a"]))),
        (json!("a"), json!({"type": "boolean"}), None),
        (json!("true"), json!({"type": "boolean"}), Some(json!(true))),
        (json!("@x"), json!({"type": "integer"}), Some(json!("@x"))),
        (json!("@x"), json!({"type": "array", "items": {"type": "string"}}), Some(json!(["@x"]))),
        (json!({"a": 1}), json!({}), Some(json!({"a": 1}))),
    ];
    for (value, schema, expected) in cases {
        assert_eq!(coerce(&value, &schema), expected, "{value} for {schema}");
    }
}
