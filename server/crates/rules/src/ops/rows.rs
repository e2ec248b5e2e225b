//! Rows as they stand in the lines of a CSV file, so that a change leaves all the others as they are.

use std::ops::Range;

/// How the text's lines end.
pub(super) fn line_end(text: &str) -> &'static str {
    let ends = text.matches('\n').count();
    if ends > 0 && ends == text.matches("\r\n").count() { "\r\n" } else { "\n" }
}

/// A value as the cell of a row whose cells this sign divides.
pub(super) fn as_cell(value: &str, divider: char) -> String {
    match value.contains([divider, '"', '\n']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    }
}

/// Where the fields of a line stand, with their quotation marks.
pub(super) fn fields(line: &str, divider: char) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut quoted) = (0, false);
    for (at, letter) in line.char_indices() {
        if letter == '"' {
            quoted = !quoted;
        }
        if letter == divider && !quoted {
            found.push(from..at);
            from = at + letter.len_utf8();
        }
    }
    found.push(from..line.len());
    found
}
