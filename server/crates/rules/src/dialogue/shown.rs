//! What a reply showed, as a value that can be written or named: the block, table, list or figure in it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use switchboard_search::is_stop_word;

use crate::ops::{FOUND, as_text};

/// The value in a reply; nothing if it shows none, or not all of it.
pub(super) fn value_in(text: &str) -> Option<Value> {
    if text.contains("\n… and ") || text.contains("The first ") || text.contains("These are the first ") {
        return None;
    }
    // How a file was changed is not what stands in it.
    if text.contains("```diff") {
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

/// Whether a reply shows rows of a table.
pub(super) fn shows_rows(text: &str) -> bool {
    text.contains("\n| ---")
}

/// The figure that a reply tells: the last one that it lifts out.
pub(super) fn figure(text: &str) -> Option<f64> {
    let told = text.split("**").skip(1).step_by(2).filter_map(|bold| {
        let first = bold.split(' ').next().unwrap_or(bold).replace('\\', "");
        let digits = first.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-').trim_end_matches('%');
        as_number(digits)
    });
    told.last()
}

/// A number as a cell has it: `42,9` is 42.9, and `1,200` is 1200.
fn as_number(digits: &str) -> Option<f64> {
    let parts: Vec<&str> = digits.split(',').collect();
    let grouped = parts[1..].iter().all(|part| part.split('.').next().is_some_and(|part| part.len() == 3));
    match parts.as_slice() {
        [whole, decimals] if !grouped && !digits.contains('.') => format!("{whole}.{decimals}").parse().ok(),
        _ if grouped => parts.concat().parse().ok(),
        _ => None,
    }
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
    // Passages of several files are no list.
    if text.lines().filter(|line| line.starts_with("```")).count() > 2 || text.starts_with(FOUND) {
        return None;
    }
    let Value::String(shown) = value_in(text)? else { return None };
    let table = text.lines().any(|line| line.starts_with("| "));
    let lists = table || text.lines().any(|line| line.starts_with("- ")) || text.contains("```");
    let lines = shown.lines().filter(|line| !line.trim().is_empty()).count();
    lines.checked_sub(usize::from(table)).filter(|count| lists && *count > 0)
}

/// What the one row that a reply tells begins with: its name, or its number.
pub(super) fn row(text: &str) -> Option<String> {
    // "I changed `email of Ann` in …", "I changed `email` of `Ann` in …".
    if let Some((changed, _)) = text.strip_prefix("I changed `").and_then(|rest| rest.split_once("` in `")) {
        return changed.replace("` of `", " of ").split_once(" of ").map(|(_, row)| row.to_owned());
    }
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
    let plain = |cell: &str| Some(cell.trim().replace('\\', "")).filter(|cell| !cell.is_empty());
    match rows.as_slice() {
        [_, _, only] => plain(only.trim_start_matches("| ").split(" | ").next()?),
        [] if text.contains("```") => None,
        [] => {
            // "**dunlin** has the lowest disk_gb in …", "The ip in … where name is tv is **192.168.1.12**."
            if let Some((name, rest)) = text.strip_prefix("**").and_then(|text| text.split_once("**")) {
                return plain(name).filter(|_| rest.starts_with(" has the "));
            }
            let told = text.split_once(" where ")?.1;
            let (condition, _) = told.split_once(" is **").or_else(|| told.split_once(" is empty"))?;
            let (_, name) = condition.split_once(" is ")?;
            plain(name).filter(|name| !name.contains(" and ") && !name.contains(" or "))
        }
        _ => None,
    }
}

/// The column and the row of the one cell that a reply tells: "The email in … where name is Ann is **…**."
pub(super) fn cell(text: &str) -> Option<(String, String)> {
    let column = text.strip_prefix("The ")?.split_once(" in `")?.0;
    Some((column.to_owned(), row(text)?))
}

/// The entries of the list that a reply shows, without the marks before them.
pub(super) fn list_items(text: &str) -> Vec<String> {
    static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^(?:(?:[^\s:]+:)?\d+: )?\s*(?:[-*+] \[[ xX]\] |\[[ xX]\] |[-*+] |\d+[.)] )(.+)$").ok()
    });
    let (Some(mark), Some(shown)) = (MARK.as_ref(), fenced(text)) else { return Vec::new() };
    let items = shown.lines().filter_map(|line| Some(mark.captures(line)?.get(1)?.as_str().trim().to_owned()));
    items.collect()
}

/// The one name in the passages that a reply shows which the request does not say itself.
pub(super) fn person(text: &str, asked: &str) -> Option<String> {
    let asked = asked.to_lowercase();
    let own = |word: &str| {
        let lower = word.to_lowercase();
        is_stop_word(&lower) || asked.split(|c: char| !c.is_alphanumeric()).any(|said| said == lower)
    };
    let named = |word: &&str| {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        letters.chars().count() > 1 && letters.starts_with(char::is_uppercase) && !own(letters)
    };
    let mut names: Vec<String> = Vec::new();
    let passages = text.lines().filter_map(|line| line.split_once(": ").filter(|(at, _)| at.parse::<u32>().is_ok()));
    for (_, passage) in passages.filter(|(_, passage)| !passage.starts_with('#')) {
        for part in passage.split([',', ':', ';', '.', '(', ')', '|']) {
            let words: Vec<&str> = part.split_whitespace().collect();
            let runs = words.chunk_by(|one, other| named(one) == named(other));
            let names_in = runs.filter(|run| run.iter().all(named)).map(|run| run.join(" "));
            names.extend(names_in.map(|name| name.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()));
        }
    }
    names.sort();
    names.dedup();
    match names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
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

/// The rows of a table that was shown, without its heading.
pub(super) fn without_heading(shown: &Value) -> Value {
    let text = as_text(shown);
    text.split_once('\n').map_or_else(|| text.as_str().into(), |(_, rows)| rows.into())
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
        assert_eq!(row("I changed `email of Ann Lee` in `a.csv` from `` to `x`."), Some("Ann Lee".to_owned()));
        assert_eq!(row("I changed `email` of `Ann` in `a.csv` (line 2) from `y` to `x`."), Some("Ann".to_owned()));
        assert_eq!(row("I changed `server.port` in `a.toml` from `1` to `2`."), None);
        assert_eq!(value_in("Nothing."), None);
        assert_eq!(value_in("```\na\n```\n\n… and 3 lines more."), None);
    }
}
