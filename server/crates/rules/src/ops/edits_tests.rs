//! Claims about edits of texts.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

fn edited(name: &str, text: &str, slots: Value) -> Result<String, String> {
    let Value::Object(slots) = slots else { panic!("slots are an object") };
    let (_, edit) =
        EDITS.iter().chain(super::super::lines::EDITS).find(|(own, _)| *own == name).expect("there is such an edit");
    edit("a.txt", text, &Slots::of(&slots)).map(|edited| edited.text).map_err(String::from)
}

#[test]
fn a_file_keeps_its_line_ends_and_its_missing_last_one() {
    let content = json!({"content": "new"});
    for (before, after) in [("", "new\n"), ("a\n", "a\nnew\n"), ("a", "a\nnew"), ("a\r\nb\r\n", "a\r\nb\r\nnew\r\n")] {
        assert_eq!(edited("append", before, content.clone()).as_deref(), Ok(after), "{before:?}");
    }
    for (before, after) in [("", "new\n"), ("a\r\n", "new\r\na\r\n"), ("#!/bin/sh\nx\n", "#!/bin/sh\nnew\nx\n")] {
        assert_eq!(edited("prepend", before, content.clone()).as_deref(), Ok(after), "{before:?}");
    }
}

#[test]
fn a_line_is_put_in_where_it_is_to_be() {
    let at = |line: i64, place: &str| json!({"content": "new", "line": line, "place": place});
    assert_eq!(edited("insert_at", "a\nb\n", at(2, "")).as_deref(), Ok("a\nnew\nb\n"));
    assert_eq!(edited("insert_at", "a\nb\n", at(3, "")).as_deref(), Ok("a\nb\nnew\n"));
    assert_eq!(edited("insert_at", "a\nb\n", at(-1, "")).as_deref(), Ok("a\nb\nnew\n"));
    assert_eq!(edited("insert_at", "a\nb\n", at(-1, "before")).as_deref(), Ok("a\nnew\nb\n"));
    assert_eq!(edited("insert_at", "a\nb", at(-1, "after")).as_deref(), Ok("a\nb\nnew"));
    assert!(edited("insert_at", "a\nb\n", at(9, "")).unwrap_err().contains("2 lines"));
    let near = |place: &str| json!({"content": "new", "text": "b", "place": place});
    assert_eq!(edited("insert_near", "a\nb\nc\n", near("after")).as_deref(), Ok("a\nb\nnew\nc\n"));
    assert_eq!(edited("insert_near", "a\nb\nc\n", near("before")).as_deref(), Ok("a\nnew\nb\nc\n"));
}

#[test]
fn lines_go_and_the_rest_stays() {
    assert_eq!(edited("delete_lines", "a\nb\nc\n", json!({"line": 2})).as_deref(), Ok("a\nc\n"));
    assert_eq!(edited("delete_lines", "a\nb\nc", json!({"line": -1})).as_deref(), Ok("a\nb"));
    assert_eq!(edited("delete_lines", "a\nb\nc\n", json!({"lines": {"from": 1, "to": 2}})).as_deref(), Ok("c\n"));
    assert_eq!(edited("delete_lines", "a\nb\nc\n", json!({"n": 2, "which": "last"})).as_deref(), Ok("a\n"));
    assert!(edited("delete_lines", "a\n", json!({})).is_err());
    assert_eq!(edited("delete_matching", "ab\nb\nc\n", json!({"text": "b"})).as_deref(), Ok("ab\nc\n"));
    assert!(edited("delete_matching", "ab\nxb\n", json!({"text": "b"})).unwrap_err().contains("lines 1, 2"));
    assert_eq!(edited("delete_matching", "ab\nxb\nc\n", json!({"text": "b", "all": true})).as_deref(), Ok("c\n"));
}

#[test]
fn what_is_not_there_is_not_replaced() {
    let change = json!({"old": "cat", "new": "dog"});
    assert_eq!(edited("replace_text", "cat cats\n", change.clone()).as_deref(), Ok("dog dogs\n"));
    let whole = json!({"old": "cat", "new": "$1", "whole": true});
    assert_eq!(edited("replace_text", "cat cats\n", whole).as_deref(), Ok("$1 cats\n"));
    assert!(edited("replace_text", "Cat\n", change.clone()).unwrap_err().contains("other case"));
    assert!(edited("replace_text", "bird\n", change).unwrap_err().contains("is not in"));
}

#[test]
fn lines_are_put_in_order() {
    assert_eq!(edited("sort_lines", "b\na\nC\n", json!({})).as_deref(), Ok("a\nb\nC\n"));
    assert_eq!(
        edited("sort_lines", "h\n10\n9\n", json!({"numeric": true, "keep_first": true})).as_deref(),
        Ok("h\n9\n10\n")
    );
    assert_eq!(edited("unique_lines", "a\nb\na\n", json!({})).as_deref(), Ok("a\nb\n"));
    assert!(edited("unique_lines", "a\nb\n", json!({})).is_err());
}

proptest! {
    #[test]
    fn no_text_and_no_number_ends_an_edit(text in "[ab\\r\\n]{0,20}", line in -30_i64..30, n in 0_usize..30) {
        for (_, edit) in EDITS.iter().chain(super::super::lines::EDITS) {
            let slots = json!({"content": "x", "line": line, "n": n, "which": "last", "text": "a", "old": "a", "new": "b"});
            let slots: Map<String, Value> = serde_json::from_value(slots).expect("an object");
            if let Ok(edited) = edit("a", &text, &Slots::of(&slots)) {
                prop_assert!(!edited.said.is_empty());
            }
        }
    }
}

#[test]
fn undo_restores_one_line_or_several() {
    assert_eq!(replaced("a.txt", 1), "I replaced 1 line of `a.txt`; undo restores it.");
    assert_eq!(replaced("a.txt", 2), "I replaced 2 lines of `a.txt`; undo restores them.");
}
