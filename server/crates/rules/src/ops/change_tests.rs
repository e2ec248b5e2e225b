//! Claims about the arguments of changes.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn change(before: &str, after: &str) -> Change {
    Change {
        path: "a.txt".to_owned(),
        to: Some("a.txt".to_owned()),
        before: Some(before.to_owned()),
        after: after.to_owned(),
    }
}

#[test]
fn the_tool_says_how_it_wants_a_change() {
    let by_part = json!({"properties": {"path": {}, "find": {}, "replace": {}}});
    let by_patch = json!({"properties": {"patch": {}}});
    let whole = json!({"properties": {"path": {}, "content": {}}});
    let one = [change("a\nb\nc\n", "a\nx\nc\n")];

    let given = arguments(&one, &by_part).expect("it can");
    assert_eq!(Value::Object(given), json!({"path": "a.txt", "find": "b\n", "replace": "x\n"}));
    assert_eq!(arguments(&one, &whole).expect("it can")["content"], "a\nx\nc\n");
    let gone = [gone_or_moved("a.txt", None, "a\n"), gone_or_moved("b.txt", Some("c.txt"), "b\n")];
    let patch = arguments(&gone, &by_patch).expect("it can")["patch"].as_str().expect("a text").to_owned();
    assert!(patch.contains("+++ /dev/null") && patch.contains("rename to c.txt"), "{patch}");
    assert_eq!(arguments(&gone, &by_part), None);
    assert_eq!(arguments(&[change("", "x")], &by_part), None);
}

proptest! {
    #[test]
    fn the_part_stands_once_and_makes_the_change(before in "[ab\n]{1,30}", after in "[ab\n]{0,30}") {
        prop_assume!(before != after);
        let (find, replace) = smallest(&before, &after);
        prop_assert_eq!(before.matches(find).count(), 1);
        prop_assert_eq!(before.replace(find, replace), after);
    }
}
