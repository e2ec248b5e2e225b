//! JSON out of what a model writes: fenced, with prose around it, with doubled braces or trailing commas.

use serde_json::{Map, Value};

/// How many places of a text are tried as the beginning of an object.
const MAX_STARTS: usize = 64;

/// The object that the text holds, if it holds one: the first that can be read, mended a little if need be.
#[must_use]
pub fn object_in(text: &str) -> Option<Map<String, Value>> {
    objects_in(text).into_iter().next().map(|(object, _, _)| object)
}

/// Every outermost object in the text, with where it begins and ends.
#[must_use]
pub fn objects_in(text: &str) -> Vec<(Map<String, Value>, usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    for _ in 0..MAX_STARTS {
        let Some(start) = text[from..].find('{').map(|at| from + at) else { break };
        match object_at(&text[start..]) {
            Some((object, length)) => {
                found.push((object, start, start + length));
                from = start + length;
            }
            None => from = start + 1,
        }
    }
    found
}

/// The object at the beginning of the text, and its length.
fn object_at(text: &str) -> Option<(Map<String, Value>, usize)> {
    let end = end_of_object(text)?;
    let raw = &text[..end];
    let undoubled =
        || raw.strip_prefix("{{").and_then(|inner| inner.strip_suffix("}}")).map(|inner| format!("{{{inner}}}"));
    let all_undoubled = || raw.starts_with("{{").then(|| raw.replace("{{", "{").replace("}}", "}"));
    read(raw)
        .or_else(|| undoubled().and_then(|text| read(&text)))
        .or_else(|| all_undoubled().and_then(|text| read(&text)))
        .map(|object| (object, end))
}

fn read(text: &str) -> Option<Map<String, Value>> {
    // `serde_json` would read such an object as the JSON in its text.
    if text.contains("$serde_json::private::") {
        return None;
    }
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&without_trailing_commas(text)).ok())
}

/// Where the brackets that open at the beginning are closed again.
fn end_of_object(text: &str) -> Option<usize> {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b'{' | b'[' if !inside => depth += 1,
            b'}' | b']' if !inside => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for letter in text.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            '}' | ']' if !inside => {
                let kept = out.trim_end().strip_suffix(',').map(str::len);
                if let Some(kept) = kept {
                    out.truncate(kept);
                }
            }
            _ => {}
        }
        out.push(letter);
    }
    out
}

/// Whether a text in a JSON reply ends where there must be more: small models put a quotation mark into it, and that is its end.
#[must_use]
pub fn is_broken_off(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with(['{', '[', '(', ':', '=', ',']) && !text.ends_with(":(")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn e19_what_models_put_around_json_is_taken_away() {
        let wanted = json!({"needsTools": true, "reasoning": "a {brace} and a \"quote\""});
        let plain = wanted.to_string();
        let texts = [
            plain.clone(),
            format!("```json\n{plain}\n```"),
            format!("Here is {{my}} answer:\n```\n{plain}\n```\nI hope it helps."),
            format!("{{{plain}}}"),
            plain.replace('}', ",}").replace("brace,}", "brace}"),
            format!("<think>{{\"a\": [1, 2</think>{plain}"),
        ];
        for text in &texts[..5] {
            assert_eq!(object_in(text).map(Value::Object).as_ref(), Some(&wanted), "{text}");
        }
        for text in ["", "no JSON", "{", "{\"cut\": \"off", "[1, 2]"] {
            assert_eq!(object_in(text), None, "{text}");
        }
    }

    #[test]
    fn doubled_braces_inside_are_undoubled_too() {
        let text = r#"{{"name": "file_read", "arguments": {{"path": "a.txt"}}}}"#;
        let expected = json!({"name": "file_read", "arguments": {"path": "a.txt"}});
        assert_eq!(object_in(text).map(Value::Object), Some(expected));
    }

    #[test]
    fn what_serde_json_keeps_for_itself_is_no_object() {
        assert_eq!(object_in(r#"{"a": {"$serde_json::private::RawValue": "[1]"}}"#), None);
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in "[{}\\[\\],:\"\\\\a-z1 \n`]{0,200}") {
            let _ = objects_in(&text);
        }

        #[test]
        fn an_object_is_found_whatever_stands_around_it(before in "[a-z .\n`]{0,20}", after in any::<String>(), value: String) {
            let object = json!({"key": value});
            let found = object_in(&format!("{before}{object}{after}"));
            prop_assert_eq!(found.map(Value::Object), Some(object));
        }
    }
}
