//! Text that is a frame, and text that is not.

use std::fs;
use std::path::Path;

use serde_json::Value;
use switchboard_protocol::{ClientFrame, ServerMessage};

use super::decode;

/// The examples of client frames.
fn fixtures() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/fixtures");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the fixtures are there") {
        let path = entry.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("the fixture can be read");
        if serde_json::from_str::<ClientFrame>(&text).is_ok() {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            found.push((name, serde_json::from_str(&text).expect("the fixture is JSON")));
        }
    }
    assert_eq!(found.len(), 13, "{} examples", found.len());
    found
}

fn refused(text: &str) -> (String, Option<String>) {
    let refusal = decode(text).expect_err("it is refused");
    match refusal.into_frame().message {
        ServerMessage::AgentError { code, path, suggestions, message_ids: None, .. } => {
            assert!(path.is_some() || !suggestions.is_empty(), "{text:.80}");
            (code, path)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_example_is_read() {
    for (name, fixture) in fixtures() {
        let expected: ClientFrame = serde_json::from_value(fixture.clone()).expect("the fixture is a frame");

        let frame = decode(&fixture.to_string()).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));

        assert_eq!(frame, expected);
    }
}

#[test]
fn a_field_that_must_be_there_is_named_when_it_is_missing() {
    for (name, fixture) in fixtures() {
        let fields: Vec<String> = fixture.as_object().expect("an object").keys().cloned().collect();
        for field in fields {
            let mut without = fixture.clone();
            without.as_object_mut().expect("an object").shift_remove(&field);
            let optional = serde_json::from_value::<ClientFrame>(without.clone()).is_ok();
            match decode(&without.to_string()) {
                Ok(_) => assert!(optional, "{name} without {field}"),
                Err(_) => {
                    let expected = ("protocol-missing-field".to_owned(), Some(field.clone()));
                    assert_eq!(refused(&without.to_string()), expected, "{name} without {field}");
                    assert!(!optional, "{name} without {field}");
                }
            }
        }
    }
}

#[test]
fn a_field_of_another_kind_is_named() {
    for (name, fixture) in fixtures() {
        let fields: Vec<String> = fixture.as_object().expect("an object").keys().cloned().collect();
        for field in fields {
            let mut wrong = fixture.clone();
            wrong[&field] = Value::Array(vec![Value::Bool(true)]);
            if serde_json::from_value::<ClientFrame>(wrong.clone()).is_ok() {
                continue;
            }
            // Of a list it is the item.
            let path = if fixture[&field].is_array() { format!("{field}[0]") } else { field.clone() };
            let expected = ("protocol-wrong-field".to_owned(), Some(path));
            assert_eq!(refused(&wrong.to_string()), expected, "{name} with another {field}");
        }
    }
}

#[test]
fn unknown_fields_and_optional_nulls_are_ignored() {
    let frame = decode(r#"{"type":"send-message","text":"x","mode":null,"colour":"red"}"#).expect("it is a frame");

    assert_eq!(frame, decode(r#"{"type":"send-message","text":"x"}"#).expect("it is a frame"));
}

#[test]
fn what_is_no_frame_gets_a_code() {
    let deep = format!(r#"{{"type":"set-variable","name":"x","value":{}}}"#, "[".repeat(10_000));
    for (text, code, path) in [
        ("", "protocol-bad-json", None),
        ("{", "protocol-bad-json", None),
        ("\u{feff}{}", "protocol-bad-json", None),
        (r#"{"type":"send-message","text":"a","text":"b"}"#, "protocol-bad-json", None),
        (r#"{"type":"send-message","text":"\ud800"}"#, "protocol-bad-json", None),
        (r#"{"type":"set-variable","name":"x","value":1e400}"#, "protocol-bad-json", None),
        (&deep, "protocol-bad-json", None),
        ("[]", "protocol-wrong-field", None),
        ("null", "protocol-wrong-field", None),
        ("{}", "protocol-missing-field", Some("type")),
        (r#"{"type":7}"#, "protocol-wrong-field", Some("type")),
        (r#"{"type":"send-massage"}"#, "protocol-unknown-type", Some("type")),
        (r#"{"type":"send-message","text":"x","mode":"loud"}"#, "protocol-wrong-field", Some("mode")),
        (r#"{"type":"approve-tool","callId":"c","decision":"yes"}"#, "protocol-wrong-field", Some("decision")),
    ] {
        assert_eq!(refused(text), (code.to_owned(), path.map(str::to_owned)), "{text:.80}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_is_too_odd(text in ".{0,200}") {
        let _ = decode(&text);
    }

    #[test]
    fn no_object_is_too_odd(
        name in "send-message|cancel|call-tool|approve-tool|[a-z-]{0,12}",
        field in "text|callId|decision|arguments|[a-z]{0,5}",
        value in "null|true|1|-1.5e3|\"a\"|\\[\\]|\\{\\}",
    ) {
        let _ = decode(&format!(r#"{{"type":"{name}","{field}":{value}}}"#));
    }
}
