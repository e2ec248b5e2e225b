//! What a reply showed, as a value that can be written or named: the block, table, list or figure in it.

use serde_json::Value;

use crate::ops::as_text;

/// The value in a reply; nothing if it shows none, or not all of it.
pub(super) fn value_in(text: &str) -> Option<Value> {
    if text.contains("\n… and ") || text.contains("The first ") || text.contains("These are the first ") {
        return None;
    }
    if let Some(block) = fenced(text) {
        return Some(Value::String(block));
    }
    let lines = |mark: &str| text.lines().filter(|line| line.starts_with(mark)).map(str::to_owned).collect::<Vec<_>>();
    let rows = lines("| ");
    if rows.len() > 1 {
        return Some(Value::String(as_csv(&rows)));
    }
    let items = lines("- ");
    if !items.is_empty() {
        let plain = |item: &String| item.trim_start_matches("- ").trim_matches('`').to_owned();
        return Some(Value::String(items.iter().map(plain).collect::<Vec<_>>().join("\n") + "\n"));
    }
    let bold = text.split("**").nth(1)?;
    let first = bold.split(' ').next().unwrap_or(bold);
    Some(first.parse::<serde_json::Number>().map_or_else(|_| Value::String(bold.replace('\\', "")), Value::Number))
}

/// The figure that a reply tells: the last one that it lifts out.
pub(super) fn figure(text: &str) -> Option<f64> {
    let told = text.split("**").skip(1).step_by(2).filter_map(|bold| {
        let first = bold.split(' ').next().unwrap_or(bold).replace('\\', "");
        let digits = first.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-').trim_end_matches('%');
        digits.parse::<f64>().ok()
    });
    told.last()
}

/// The one value that a reply tells, as it stands in its file.
pub(super) fn only_value(text: &str) -> Option<String> {
    if text.contains("```") || text.lines().any(|line| line.starts_with(['|', '-'])) {
        // One line that names what it holds: `password: tulip`, `PORT = 80`.
        let block = fenced(text)?;
        let lines: Vec<&str> = block.lines().filter(|line| line.contains([':', '='])).collect();
        let [line] = lines.as_slice() else { return None };
        let value = line.rsplit_once([':', '='])?.1.trim();
        return (!value.is_empty() && !value.contains("[redacted")).then(|| value.to_owned());
    }
    let told = text.split("**").nth(1).filter(|_| text.matches("**").count() == 2)?;
    let plain = told.replace('\\', "");
    (!plain.is_empty()).then_some(plain)
}

/// How many things a reply lists.
pub(super) fn items(text: &str) -> Option<usize> {
    let Value::String(shown) = value_in(text)? else { return None };
    let table = text.lines().any(|line| line.starts_with("| "));
    let lists = table || text.lines().any(|line| line.starts_with("- ")) || text.contains("```");
    let lines = shown.lines().filter(|line| !line.trim().is_empty()).count();
    lines.checked_sub(usize::from(table)).filter(|count| lists && *count > 0)
}

/// What was shown as the text of a file: a table as objects, if the file is JSON.
pub(super) fn as_content(shown: &Value, path: &str) -> Value {
    let text = as_text(shown);
    if !path.to_lowercase().ends_with(".json") || serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() {
        return text.into();
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Result<Vec<serde_json::Map<String, Value>>, _> = reader.deserialize().collect();
    let rows = rows.ok().and_then(|rows| serde_json::to_string_pretty(&rows).ok());
    rows.map_or_else(|| text.into(), |rows| format!("{rows}\n").into())
}

/// What stands in the first fenced block.
fn fenced(text: &str) -> Option<String> {
    let start = text.find("```")?;
    let rest = &text[start..];
    let fence: String = rest.chars().take_while(|c| *c == '`').collect();
    let body = &rest[rest.find('\n')? + 1..];
    let end = body.find(&format!("\n{fence}")).map(|end| end + 1)?;
    Some(body[..end].to_owned())
}

fn as_csv(rows: &[String]) -> String {
    let cells = |row: &String| {
        let cells = row.trim().trim_matches('|').split(" | ").map(|cell| {
            let cell = cell.trim().replace('\\', "");
            if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
        });
        cells.collect::<Vec<_>>().join(",")
    };
    let is_rule = |row: &&String| !row.chars().all(|c| "|-: ".contains(c));
    rows.iter().filter(is_rule).map(|row| cells(row) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_shown_is_what_is_taken_on() {
        for (text, value) in [
            ("`a.txt` has **12 lines**.", json!(12)),
            ("It is **Tuesday**.", json!("Tuesday")),
            ("Line 1 of `a`:\n\n```text\nalpha\n```", json!("alpha\n")),
            ("The rows:\n\n| a | b |\n| --- | --- |\n| 1 | x, y |", json!("a,b\n1,\"x, y\"\n")),
            ("Two:\n\n- `a`\n- `b`", json!("a\nb\n")),
        ] {
            assert_eq!(value_in(text), Some(value), "{text}");
        }
        assert_eq!(value_in("Nothing."), None);
        assert_eq!(value_in("```\na\n```\n\n… and 3 lines more."), None);
    }
}
