//! JSON out of what a model writes.

use switchboard_llm::objects_in;

use super::bytes::text;

/// What stands around and inside of objects.
const PARTS: [&str; 32] = [
    "{",
    "}",
    "{{",
    "}}",
    "[",
    "]",
    ":",
    ",",
    ",}",
    ",]",
    "\"",
    "\\",
    "\\\"",
    "```json\n",
    "```",
    "\n",
    " ",
    "a",
    "\"a\":",
    "\"b\":1",
    "{\"a\":1}",
    "{\"a\":[1,2,],}",
    "{{\"a\":{{\"b\":1}}}}",
    "null",
    "true",
    "1e5",
    "\\u00e9",
    "\\ud800",
    "ß",
    "Here it is: ",
    "<tool_call>",
    "'",
];

/// Objects are found where they stand, one behind the other, and an object that is written as JSON is found again; whether there
/// is one.
pub fn json(data: &[u8]) -> bool {
    let text = text(data, &PARTS, "");
    let mut before = 0;
    for (object, start, end) in objects_in(&text) {
        assert!(before <= start && start < end, "{text:?}: {start} to {end} behind {before}");
        assert!(text[start..end].starts_with('{') && text[start..end].ends_with('}'), "{text:?}");
        before = end;
        let written = serde_json::to_string(&object).expect("an object is JSON");
        let again = objects_in(&format!("so: {written}."));
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].0, object, "{written}");
    }
    before > 0
}
