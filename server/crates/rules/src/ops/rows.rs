//! Rows as they stand in the lines of a CSV file, so that a change leaves all the others as they are.

use std::ops::Range;

use switchboard_tables::divider;

/// How the text's lines end.
pub(super) fn line_end(text: &str) -> &'static str {
    let ends = text.matches('\n').count();
    if ends > 0 && ends == text.matches("\r\n").count() { "\r\n" } else { "\n" }
}

/// Lines with their places, without line ends.
pub(super) fn placed_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Whether a file holds rows line by line, by its ending.
pub(super) fn is_table(path: &str) -> bool {
    path.ends_with(".csv") || path.ends_with(".tsv")
}

/// The sign between the cells of a file that holds rows line by line.
pub(super) fn sign_in(path: &str, text: &str) -> Option<char> {
    divider(text).filter(|_| is_table(path)).map(char::from)
}

/// The sign between cells; a comma if nothing tells.
pub(super) fn sign_of(text: &str) -> char {
    divider(text).map_or(',', char::from)
}

/// A value as the cell of a row whose cells this sign divides.
pub(super) fn as_cell(value: &str, divider: char) -> String {
    match value.contains([divider, '"', '\n']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    }
}

/// What a cell holds, without its quotation marks.
pub(super) fn of_cell(cell: &str) -> String {
    match cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => cell.to_owned(),
    }
}

/// A row as it stands in a line.
pub(super) struct Row {
    /// What its cells hold, and where each is written, with its quotation marks.
    pub(super) cells: Vec<(String, Range<usize>)>,
    /// Where the line is, with its end.
    pub(super) span: Range<usize>,
}

/// The rows in the lines of a text, the names of the columns first; empty lines are none.
pub(super) fn rows(text: &str, divider: char) -> Vec<Row> {
    let mut at = 0;
    let row = |line: &str| {
        let start = at;
        at += line.len();
        let cell = |field: Range<usize>| (of_cell(&line[field.clone()]), start + field.start..start + field.end);
        let cells = fields(line.trim_end_matches(['\n', '\r']), divider).into_iter().map(cell).collect();
        (!line.trim().is_empty()).then_some(Row { cells, span: start..at })
    };
    text.split_inclusive('\n').filter_map(row).collect()
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
