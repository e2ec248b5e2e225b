//! Names and words that come from servers: names are brought into the registry's form, words are cleaned of what a
//! person could not see. A name or a schema that hides something is refused, not repaired.

use serde_json::Value;
use switchboard_tools::text::is_unseen;

/// The longest name of a tool; providers take no longer ones.
const MAX_TOOL_NAME: usize = 64;

/// The longest beginning of a tool's name.
const MAX_SERVER_ID: usize = 32;

/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 16 * 1024;

/// How deep a schema may be nested.
const MAX_DEPTH: usize = 64;

/// What the tools of the server `name` begin with: `My Server` → `my_server`.
pub(super) fn server_id(name: &str) -> Result<String, String> {
    let id = snake_case(name);
    match id.len() {
        0 => Err(format!("{name:?} has no letters or digits; give the server a name such as \"files\"")),
        1..=MAX_SERVER_ID => Ok(id),
        _ => Err(format!("it is longer than {MAX_SERVER_ID} characters; give the server a shorter name")),
    }
}

/// The registry's name of a server's tool: `everything`, `get-sum` → `everything__get_sum`.
pub(super) fn tool_name(server_id: &str, tool: &str) -> Result<String, String> {
    if tool.is_empty() {
        return Err("it has no name".to_owned());
    }
    if !tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) {
        return Err("its name has characters other than letters, digits, `_`, `-` and `.`".to_owned());
    }
    let name = format!("{server_id}__{}", snake_case(tool));
    if name.len() > MAX_TOOL_NAME {
        return Err(format!("its name {name} is longer than {MAX_TOOL_NAME} characters"));
    }
    if name.ends_with("__") {
        return Err("its name has no letters or digits".to_owned());
    }
    Ok(name)
}

/// `readFile`, `read-file`, `Read File` → `read_file`.
fn snake_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_small = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_small {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// What a server says about itself or a tool, without what nobody can see, and whether there was such a thing.
pub(super) fn sanitized(text: &str) -> (String, bool) {
    let mut hidden = false;
    let mut out: String = text
        .chars()
        .filter(|c| {
            let drop = is_hidden(*c);
            hidden |= drop;
            !drop
        })
        .collect();
    if out.len() > MAX_DESCRIPTION {
        out.truncate(out.floor_char_boundary(MAX_DESCRIPTION));
        out.push('…');
    }
    (out, hidden)
}

/// What nobody sees, and what changes the look of the character before it.
fn is_hidden(c: char) -> bool {
    is_unseen(c) || ('\u{fe00}'..='\u{fe0f}').contains(&c)
}

/// The schema with its descriptions cleaned, and whether they hid something.
///
/// # Errors
/// When something is hidden in what must not be changed, such as a property's name, or it is too deep.
pub(super) fn clean_schema(schema: &mut Value) -> Result<bool, String> {
    clean_within(schema, MAX_DEPTH)
}

fn clean_within(value: &mut Value, depth: usize) -> Result<bool, String> {
    let Some(depth) = depth.checked_sub(1) else { return Err("its schema is nested too deeply".to_owned()) };
    let mut hidden = false;
    match value {
        Value::String(text) if text.chars().any(is_hidden) => {
            return Err("its schema hides characters where they cannot be removed".to_owned());
        }
        Value::Array(values) => {
            for value in values {
                hidden |= clean_within(value, depth)?;
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                if key.chars().any(is_hidden) {
                    return Err("its schema hides characters in the name of a parameter".to_owned());
                }
                match value {
                    Value::String(text) if matches!(key.as_str(), "description" | "title" | "$comment") => {
                        let (clean, found) = sanitized(text);
                        *text = clean;
                        hidden |= found;
                    }
                    value => hidden |= clean_within(value, depth)?,
                }
            }
        }
        _ => {}
    }
    Ok(hidden)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_tools_are_snake_case_behind_their_servers() {
        let named = |tool| tool_name("everything", tool);

        assert_eq!(named("get-sum"), Ok("everything__get_sum".to_owned()));
        assert_eq!(named("printEnv"), Ok("everything__print_env".to_owned()));
        assert_eq!(named("read.text_file"), Ok("everything__read_text_file".to_owned()));
        assert_eq!(named("HTTPGet2"), Ok("everything__httpget2".to_owned()));
    }

    #[test]
    fn names_that_are_none_are_refused() {
        for wrong in ["", "a/b", "a b", "ü", "---", "rm\u{e0041}"] {
            assert!(tool_name("s", wrong).is_err(), "{wrong:?}");
        }
        assert!(tool_name("s", &"x".repeat(61)).is_ok());
        assert!(tool_name("s", &"x".repeat(62)).is_err());
    }

    #[test]
    fn a_server_is_named_by_its_letters_and_digits() {
        assert_eq!(server_id("My Server-2"), Ok("my_server_2".to_owned()));
        assert!(server_id("--").is_err());
        assert!(server_id(&"x".repeat(33)).is_err());
    }

    #[test]
    fn h03_what_nobody_can_see_is_taken_out_of_descriptions_and_told() {
        let tags = "Adds.\u{e0049}\u{e0067}\u{200b} \u{202e}Really\u{1b}[8m.\n\tYes.";

        // Baseline: as it comes, it has all of that.
        assert_eq!(tags.chars().filter(|c| is_hidden(*c)).count(), 5);
        assert_eq!(sanitized(tags), ("Adds. Really[8m.\n\tYes.".to_owned(), true));
        assert_eq!(sanitized("Ädds. 数"), ("Ädds. 数".to_owned(), false));
        assert!(sanitized(&"x".repeat(20_000)).0.len() < 17_000);
    }

    #[test]
    fn h03_a_schema_is_cleaned_where_it_speaks_and_refused_where_it_hides() {
        let mut speaks = json!({"properties": {"a": {"type": "string", "description": "one\u{e0041}"}}});
        let mut hides = json!({"properties": {"a\u{200b}": {"type": "string"}}});
        let mut in_enum = json!({"enum": ["x\u{e0041}"]});

        assert_eq!(clean_schema(&mut speaks), Ok(true));
        assert_eq!(speaks, json!({"properties": {"a": {"type": "string", "description": "one"}}}));
        assert!(clean_schema(&mut hides).is_err());
        assert!(clean_schema(&mut in_enum).is_err());
    }

    #[test]
    fn a_schema_that_is_too_deep_is_refused() {
        let deep = (0..100).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}));

        assert!(clean_schema(&mut deep.clone()).is_err());
    }
}
