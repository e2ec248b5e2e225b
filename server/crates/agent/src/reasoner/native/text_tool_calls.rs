//! Calls that a model writes into its text instead of making them: bare JSON, fenced, in `<tool_call>`, with doubled
//! braces. Many that are run at home know no other way.

use serde_json::{Map, Value};
use switchboard_protocol::CallId;

use crate::reasoner::model::RESULT;
use switchboard_events::ToolCall;
use switchboard_llm::objects_in;

/// What stands around calls that are the whole of a reply.
const WRAPPERS: &[&str] = &["```json", "```tool_call", "```", "<tool_call>", "</tool_call>", "[", "]", ","];

/// The calls that the text makes. Where prose stands beside them, only those of a tool that is `known` count: the
/// other may be an example that the user asked for.
pub(super) fn text_tool_calls(text: &str, known: impl Fn(&str) -> bool) -> Vec<ToolCall> {
    if !may_hold_a_call(text) {
        return Vec::new();
    }
    let objects = objects_in(text);
    let alone = nothing_else(text, &objects);
    let calls = objects.into_iter().flat_map(|(object, _, _)| calls_of(object));
    calls.filter(|call| alone || known(&call.name)).collect()
}

/// How much of a text that is still being written can be shown: not what may become a call.
pub(super) fn showable(text: &str) -> usize {
    let mut from = 0;
    while let Some(start) = next_suspect(text, from) {
        match harmless_until(&text[start..]) {
            Some(length) => from = start + length,
            None => return start,
        }
    }
    text.len()
}

fn may_hold_a_call(text: &str) -> bool {
    text.contains("\"name\"") || text.contains("\"tool") || text.contains("\"function\"")
}

fn nothing_else(text: &str, objects: &[(Map<String, Value>, usize, usize)]) -> bool {
    let mut rest = String::new();
    let mut from = 0;
    for (_, start, end) in objects {
        rest.push_str(&text[from..*start]);
        from = *end;
    }
    rest.push_str(&text[from..]);
    let bare = WRAPPERS.iter().fold(rest, |rest, wrapper| rest.replace(wrapper, " "));
    bare.trim().is_empty()
}

fn calls_of(mut object: Map<String, Value>) -> Vec<ToolCall> {
    if let Some(Value::Array(calls)) = object.get("tool_calls") {
        let inner = calls.iter().filter_map(Value::as_object).cloned();
        return inner.filter_map(call_of).collect();
    }
    if let Some(Value::Object(call)) = object.remove("tool_call") {
        return call_of(call).into_iter().collect();
    }
    call_of(object).into_iter().collect()
}

fn call_of(mut object: Map<String, Value>) -> Option<ToolCall> {
    let mut function = match object.remove("function") {
        Some(Value::Object(function)) => function,
        Some(Value::String(name)) => {
            object.insert("name".to_owned(), name.into());
            object
        }
        _ => object,
    };
    let name = ["name", "tool", "tool_name"].iter().find_map(|key| function.remove(*key))?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| function.remove(*key))?;
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        Value::String(text) => serde_json::from_str(&text).ok()?,
        Value::Null => Map::new(),
        _ => return None,
    };
    let name = name.as_str().filter(|name| !name.is_empty())?.to_owned();
    Some(ToolCall { id: CallId::random(), name, arguments })
}

/// Where the next thing begins that may become a call: at the beginning of a line.
fn next_suspect(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let line = &text[at..];
        let fresh = at == 0 || text[..at].ends_with('\n');
        let word = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - word.len();
        let suspect = word.starts_with(['{', '[', '<', '`'])
            && ["{", "[", "```", "<tool_call>", RESULT]
                .iter()
                .any(|sign| word.starts_with(sign) || sign.starts_with(word));
        if fresh && suspect {
            return Some(at + indent);
        }
        at += line.find('\n')? + 1;
    }
}

/// How long something that may be a call is, once it is certain that it is none.
fn harmless_until(text: &str) -> Option<usize> {
    if let Some(fenced) = text.strip_prefix("```") {
        let language = &fenced[..fenced.find('\n')?];
        let body = &fenced[language.len() + 1..];
        let code = !matches!(language.trim(), "" | "json" | "tool_call");
        let first = body.trim_start().chars().next();
        if !code && first.is_none_or(|first| matches!(first, '{' | '[')) {
            return None;
        }
        // A fence that is open: all that is in it is code, to its end.
        return Some(fenced.find("\n```").map_or(text.len(), |end| 3 + end + 4));
    }
    match text.chars().next() {
        // A list or a link of Markdown, not a list of calls.
        Some('[') => {
            let second = text[1..].trim_start().chars().next()?;
            (second != '{').then_some(1)
        }
        Some('{') => {
            let second = text[1..].trim_start().chars().next()?;
            (!matches!(second, '"' | '{')).then_some(1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(text: &str) -> Vec<(String, Value)> {
        let calls = text_tool_calls(text, |name| name == "file_read");
        calls.into_iter().map(|call| (call.name, Value::Object(call.arguments))).collect()
    }

    #[test]
    fn calls_are_read_in_every_way_that_models_write_them() {
        let expected = [("file_read".to_owned(), json!({"path": "a.txt"}))];
        let plain = r#"{"name": "file_read", "arguments": {"path": "a.txt"}}"#;
        let texts = [
            plain.to_owned(),
            format!("```json\n{plain}\n```"),
            format!("<tool_call>\n{plain}\n</tool_call>"),
            format!("I will read it.\n\n```json\n{plain}\n```"),
            format!("[{plain}]"),
            plain.replace('{', "{{").replace('}', "}}"),
            r#"{"type": "function", "function": {"name": "file_read", "arguments": "{\"path\": \"a.txt\"}"}}"#
                .to_owned(),
            r#"{"name": "file_read", "parameters": {"path": "a.txt"}}"#.to_owned(),
            r#"{"tool_calls": [{"function": {"name": "file_read", "arguments": {"path": "a.txt"}}}]}"#.to_owned(),
        ];
        for text in texts {
            assert_eq!(names(&text), expected, "{text}");
        }
        let two = format!("{plain}\n{}", plain.replace("a.txt", "b.txt"));
        assert_eq!(names(&two).len(), 2);
    }

    #[test]
    fn what_is_no_call_is_left_alone() {
        for text in [
            "The file says hello.",
            "```json\n{\"port\": 3000}\n```",
            "{\"name\": \"Ada\"}",
            "Say this to the other program:\n```json\n{\"name\": \"its_tool\", \"arguments\": {}}\n```",
        ] {
            assert_eq!(names(text), [], "{text}");
        }
        assert_eq!(names(r#"{"name": "no_such_tool", "arguments": {}}"#).len(), 1, "it is the whole reply");
    }

    #[test]
    fn what_may_become_a_call_is_held_back() {
        let check = |text: &str, shown: &str| assert_eq!(&text[..showable(text)], shown, "{text}");
        check("The file", "The file");
        check("{\"name\": \"fi", "");
        check("`", "");
        check("`code` is", "`code` is");
        check("```", "");
        check("```json\n", "");
        check("```json\n{\"name\"", "");
        check("I read it:\n\n```json\n{", "I read it:\n\n");
        check("```python\nprint({", "```python\nprint({");
        check("```python\nx\n```\nand\n{\"a", "```python\nx\n```\nand\n");
        check("```\nplain", "```\nplain");
        check("<tool_ca", "");
        check("<b> is", "<b> is");
        check("<result-1a2b3c4d>{\"name\"", "");
        check("[link](x)", "[link](x)");
        check("[{", "");
        check("a { b", "a { b");
    }
}
