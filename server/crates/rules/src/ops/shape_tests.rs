//! Claims about how values are described.

use serde_json::json;

use super::*;

#[test]
fn json_is_told_by_keys_types_counts_and_depth() {
    let value = ArtifactValue::Json(json!({"port": 1, "db": {"host": "x"}, "tags": ["a", 1], "none": null}));
    let expected = "`c` is a JSON object with 4 top-level keys, 2 levels deep.\n\n\
                    - `port`: number `1`\n\
                    - `db`: object with 1 key (`host`)\n\
                    - `tags`: array of 2 elements (number, text)\n\
                    - `none`: null `null`\n\n\
                    Altogether: 2 objects, 1 array, 2 texts, 2 numbers, 1 null; 5 keys in all.";
    assert_eq!(describe("`c`", &value), expected);
}

#[test]
fn text_is_told_by_lines_and_headings() {
    let text = ArtifactValue::Text("# A\n\nwords here\n\n## B\n".to_owned());
    let expected = "`x` is text: 5 lines, 6 words, 22 characters.\n\nIts headings:\n\n- A\n  - B";
    assert_eq!(describe("`x`", &text), expected);
    let table = ArtifactValue::Text("id,name\n1,Ada\n".to_owned());
    assert!(describe("`t`", &table).ends_with("the columns `id`, `name`."));
}

#[test]
fn counts_agree_with_their_words() {
    let told = [(1, "key"), (2, "key"), (0, "entry"), (2, "entry"), (3, "match"), (2, "directory")];
    let expected = ["1 key", "2 keys", "0 entries", "2 entries", "3 matches", "2 directories"];
    assert_eq!(told.map(|(count, what)| counted(count, what)), expected);
}
