//! Names and where their values stand: in source code, line by line, and in files of directives (`server_tokens on;`).

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::rows::placed_lines;

/// Where a name stands, and its value.
pub(super) type Named = (Range<usize>, Range<usize>);

/// A pattern that is known to be one.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// Names that code gives values to, line by line: `#define N 4`, `const N = 4;`, `N: int = 4`, `--accent: #fff;`.
pub(super) fn assignments(text: &str) -> Vec<Named> {
    static DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"^\s*#\s*define\s+(\w+)\s+(\S.*)$"));
    static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(r#"^\s*(?:[\w<>\[\]()*&]+\s+){0,5}["']?([A-Za-z_$][\w$]*)["']?(?:\s*:\s*[^=]+?)?\s*:?=\s*([^=\s].*)$"#)
    });
    static PROPERTY: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"^\s*(--[\w-]+)\s*:\s*([^;]+;.*)$"));
    by_line(text, &[&DEFINED, &PROPERTY, &ASSIGNED])
}

/// Directives with a value each: `worker_connections 512;`.
pub(super) fn directives(text: &str) -> Vec<Named> {
    static DIRECTIVE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"^\s*(\w+)\s+([^{};]+;.*)$"));
    by_line(text, &[&DIRECTIVE])
}

/// Whether a text is made of directives: its lines end in `;`, `{` or `}`.
pub(super) fn has_directives(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let ends = lines.iter().filter(|line| line.ends_with([';', '{', '}'])).count();
    !lines.is_empty() && ends * 10 >= lines.len() * 9
}

/// Names with values and no sign between them: `PermitRootLogin no`.
pub(super) fn pairs(text: &str) -> Vec<Named> {
    static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"^\s*([A-Za-z][\w.-]*)[ \t]+([^\s=:].*)$"));
    by_line(text, &[&PAIR])
}

/// Whether all that a text says is such pairs.
pub(super) fn has_pairs(text: &str) -> bool {
    let said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines: Vec<&str> = text.lines().filter(said).collect();
    let is_open = |line: &&&str| line.trim_end().ends_with([';', '{', '}', ',', '[']) || line.contains(" = ");
    !lines.is_empty() && pairs(text).len() * 10 >= lines.len() * 8 && !lines.iter().any(|line| is_open(&line))
}

fn by_line(text: &str, patterns: &[&LazyLock<Option<Regex>>]) -> Vec<Named> {
    let mut named = Vec::new();
    for (start, line) in placed_lines(text) {
        let found = patterns.iter().filter_map(|pattern| pattern.as_ref()).find_map(|pattern| pattern.captures(line));
        let Some((name, value)) = found.and_then(|found| Some((found.get(1)?, found.get(2)?))) else { continue };
        let end = value.start() + value_length(value.as_str());
        named.push((start + name.start()..start + name.end(), start + value.start()..start + end));
    }
    named
}

/// How long a value is without the sign that ends it and a comment behind it.
fn value_length(rest: &str) -> usize {
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    if let Some(end) = quote.and_then(|quote| rest[1..].find(quote)) {
        return end + 2;
    }
    let marks = [" //", " /*", " #", "\t#", ";"];
    let end = marks.iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    rest[..end].trim_end().trim_end_matches(',').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_and_value(text: &str, named: &[Named]) -> Vec<(String, String)> {
        named.iter().map(|(name, value)| (text[name.clone()].to_owned(), text[value.clone()].to_owned())).collect()
    }

    #[test]
    fn names_in_code_have_values() {
        let text = "#define CAP 16\nconst MIN_SWIPE = 12; // px\nMAX: int = 3  # most\nif a == 3:\nNAME = \"x;y\"\n";

        let found = name_and_value(text, &assignments(text));

        let expected = [("CAP", "16"), ("MIN_SWIPE", "12"), ("MAX", "3"), ("NAME", "\"x;y\"")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn directives_have_values() {
        let text = "http {\n  server_tokens on;\n  worker_connections 512; # most\n}\n";

        assert!(has_directives(text));
        let found = name_and_value(text, &directives(text));

        let expected = [("server_tokens", "on"), ("worker_connections", "512")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
