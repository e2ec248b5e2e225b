//! Rows as they stand in the lines of a CSV file, so that a change leaves all the others as they are.

use std::ops::Range;

use super::show::cut_line;
use switchboard_tables::divider;

/// A line that is no row of a CSV file is not put into it; what stands against it, as a sentence.
pub(super) fn fit_the_columns(path: &str, text: &str, content: &str) -> Result<(), String> {
    if !path.ends_with(".csv") {
        return Ok(());
    }
    let sign = char::from(divider(text).unwrap_or(b','));
    let heading = text.lines().next().unwrap_or_default();
    let wanted = fields(heading, sign).len();
    match content.lines().find(|line| wanted > 1 && fields(line, sign).len() != wanted) {
        Some(line) => Err(format!(
            "`{}` is no row for `{path}`, whose columns are `{}`; I changed nothing.",
            cut_line(line),
            cut_line(heading)
        )),
        None => Ok(()),
    }
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
