//! Lines of text files: their ends, and the one that is most like another.

/// How many lines are compared, and how much of each.
const MAX_LINES: usize = 20_000;
const MAX_CHARS: usize = 200;

/// A line must be at least this like the wanted one to be named.
const ALIKE: f64 = 0.5;

/// Whether every line that has an end has the end `\r\n`.
pub(super) fn ends_in_crlf(text: &str) -> bool {
    let ends = text.matches('\n').count();
    ends > 0 && ends == text.matches("\r\n").count()
}

/// The text with `\r\n` at the end of every line.
pub(super) fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// The text with `\n` at the end of every line.
pub(super) fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The line, counted from 1, that is most like the first line with words in `wanted`.
pub(super) fn nearest_line<'a>(text: &'a str, wanted: &str) -> Option<(usize, &'a str)> {
    let wanted = wanted.lines().map(str::trim).find(|line| !line.is_empty())?;
    let wanted = first_chars(wanted);
    let mut best: Option<(f64, usize, &str)> = None;
    for (place, line) in text.lines().take(MAX_LINES).enumerate() {
        let alike = likeness(first_chars(line.trim()), wanted);
        if alike >= ALIKE && best.is_none_or(|(most, ..)| alike > most) {
            best = Some((alike, place + 1, line));
        }
    }
    best.map(|(_, number, line)| (number, line))
}

fn likeness(line: &str, wanted: &str) -> f64 {
    if line.is_empty() {
        return 0.0;
    }
    if line.contains(wanted) {
        return 1.0;
    }
    strsim::normalized_levenshtein(line, wanted)
        .max(strsim::normalized_levenshtein(&line.to_lowercase(), &wanted.to_lowercase()))
}

fn first_chars(line: &str) -> &str {
    line.char_indices().nth(MAX_CHARS).map_or(line, |(end, _)| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_told_and_made() {
        assert!(ends_in_crlf("a\r\nb\r\n") && !ends_in_crlf("a\r\nb\n") && !ends_in_crlf("a"));
        assert_eq!(with_crlf("a\nb\r\nc"), "a\r\nb\r\nc");
        assert_eq!(with_lf("a\r\nb\n"), "a\nb\n");
    }

    #[test]
    fn the_nearest_line_is_found_or_none() {
        let text = "fn main() {\n    let port = 80;\n}\n";
        assert_eq!(nearest_line(text, "let Port = 80;"), Some((2, "    let port = 80;")));
        assert_eq!(nearest_line(text, "\n  let  port=80;"), Some((2, "    let port = 80;")));
        assert_eq!(nearest_line(text, "something else altogether"), None);
        assert_eq!(nearest_line("", "x"), None);
    }
}
