//! Claims about short forms.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn text(text: &str, max_chars: usize) -> String {
    get_variable_preview(&ArtifactValue::Text(text.to_owned()), max_chars)
}

#[test]
fn what_fits_is_whole() {
    assert_eq!(text("hello\nworld\n", 200), "hello\nworld");
    assert_eq!(get_variable_preview(&ArtifactValue::Json(json!("as text")), 200), "as text");
    let value = json!({"port": 3000, "hosts": ["a", "ü\"n"], "none": null});
    assert_eq!(preview_json(&value, 200), r#"{"port":3000,"hosts":["a","ü\"n"],"none":null}"#);
}

#[test]
fn a_long_text_says_how_long_it_is() {
    assert_eq!(text(&"word ".repeat(1000), 40), "word word word word wo… (4.9 KiB in all)");
    assert_eq!(text("one\ntwo\nthree\nfour\n", 200), "one\ntwo\nthree… (4 lines, 19 bytes)");
}

#[test]
fn a_large_value_loses_long_texts_and_later_items() {
    let value = json!({"body": "x".repeat(500), "port": 3000});
    let expected = format!("{{\"body\":\"{}…\",\"port\":3000}}", "x".repeat(60));
    assert_eq!(preview_json(&value, 200), expected);

    let list: Vec<u32> = (0..100).collect();
    assert_eq!(preview_json(&json!(list), 40), "[0,1,2,3,4,5,6,7,8,9,10,11,… (100 items)");
}

#[test]
fn bytes_are_described() {
    let preview = |bytes: &'static [u8]| get_variable_preview(&ArtifactValue::Bytes(bytes.into()), 200);
    assert_eq!(preview(&[]), "bytes, 0 bytes");
    assert_eq!(preview(&[1, 255]), "bytes, 2 bytes: 01 ff");
    assert_eq!(preview(b"\x89PNG\r\n\x1a\n..."), "PNG image, 11 bytes: 89 50 4e 47 0d 0a 1a 0a …");
}

#[test]
fn what_a_terminal_would_obey_is_shown_as_a_sign() {
    assert_eq!(text("a\u{1b}[31mred\u{7}\u{9b}", 200), "a␛[31mred␇\u{fffd}");
}

#[test]
fn what_turns_the_direction_of_text_is_seen_and_json_stays_the_same_value() {
    assert_eq!(text("txt.\u{202e}exe\u{2066}", 200), "txt.\u{fffd}exe\u{fffd}");
    let value = json!({"na\u{202e}me": "a\u{202e}b\u{e0041}\u{9b}"});
    let shown = preview_json(&value, 200);
    assert_eq!(shown, r#"{"na\u202eme":"a\u202eb\udb40\udc41\u009b"}"#);
    assert_eq!(serde_json::from_str::<Value>(&shown).ok(), Some(value));
}

#[test]
fn large_arguments_are_cut_and_say_so() {
    let arguments = json!({"path": "a.txt", "content": "y".repeat(5000), "rows": vec![12345; 1000]});
    let Value::Object(arguments) = arguments else { panic!("it is an object") };

    let shown = preview_arguments(&arguments);

    assert_eq!(shown["path"], "a.txt");
    let content = shown["content"].as_str().expect("it is cut");
    assert!(content.ends_with("yyy… (4.9 KiB in all)") && content.len() < 2048, "{content}");
    let rows = shown["rows"].as_str().expect("it is cut");
    assert!(rows.starts_with("[12345,12345,") && rows.ends_with("… (1000 items) (5.9 KiB in all)"), "{rows}");
}

#[test]
fn many_arguments_together_have_a_limit_too() {
    let arguments: Map<String, Value> =
        (0..1000).map(|number| (format!("p{number}"), json!("z".repeat(2000)))).collect();
    let shown = preview_arguments(&arguments);
    assert_eq!((shown.len(), &shown["…"]), (SHOWN_ARGUMENTS + 1, &json!("800 more")));
    assert!(json_length(&Value::Object(shown)) < 100_000);
}

proptest! {
    #[test]
    fn a_preview_is_never_longer_than_asked(words in any::<String>(), list in proptest::collection::vec(any::<String>(), 0..9), max in 0..300_usize) {
        for value in [ArtifactValue::Text(words), ArtifactValue::Json(json!({"list": list}))] {
            prop_assert!(get_variable_preview(&value, max).chars().count() <= max);
        }
    }

    #[test]
    fn what_fits_as_json_can_be_read_back(list in proptest::collection::vec(any::<String>(), 0..4)) {
        let value = json!({"list": list});
        prop_assert_eq!(serde_json::from_str::<Value>(&preview_json(&value, 100_000)).ok(), Some(value));
    }
}
