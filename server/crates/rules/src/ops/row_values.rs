//! What is told for a row of a table as the values of its columns.

use switchboard_nlu::Engine;

use super::outline::word_stems;
use super::records::{self, Record, certain, records, shape, short_shape};
use super::row_places::placed;
use super::row_ways::told_values;
use super::rows::{as_cell, fields, sign_of};
use super::settings::worded;
use super::show::cut_line;

/// What a column holds, as far as that must be the same in a new row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// A date, a telephone number, a code: digits and signs in one pattern.
    Shape,
    /// Yes or no.
    Switch,
    Any,
}

/// Lines as rows of a CSV file: one that is typed as the others stand there, or what people list with commas and blanks. A
/// line that is no row is not put into it; what stands against it, as a sentence. For other files, the lines as they are.
pub(super) fn as_rows(path: &str, text: &str, content: &str) -> Result<String, String> {
    let sign = sign_of(text);
    let heading = text.lines().next().unwrap_or_default();
    let cells = |line: &str| -> Vec<String> {
        fields(line, sign).into_iter().map(|field| line[field].trim().to_owned()).collect()
    };
    let columns = cells(heading);
    if !path.ends_with(".csv") || columns.len() < 2 {
        return Ok(content.to_owned());
    }
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let rows = records(path, text);
    let spaced = heading.contains(&format!("{sign} "));
    let row = |line: &str| {
        if spaced || !line.contains(", ") {
            return (fields(line, sign).len() == names.len()).then(|| line.to_owned());
        }
        let values = in_order(&names, &rows, &listed(line, sign));
        let values = values.or_else(|| placed(&names, &rows, &told_values(line)).ok())?;
        Some(values.iter().map(|value| as_cell(value, sign)).collect::<Vec<_>>().join(&sign.to_string()))
    };
    let rows = content.lines().map(|line| {
        row(line).ok_or_else(|| {
            let (line, heading) = (cut_line(line), cut_line(heading));
            format!("`{line}` is no row for `{path}`, whose columns are `{heading}`; I changed nothing.")
        })
    });
    Ok(rows.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// The values as they are listed.
pub(super) fn listed(content: &str, sign: char) -> Vec<String> {
    let trimmed = content.trim().trim_end_matches('.');
    let parts: Vec<&str> = match sign == ',' || trimmed.contains(sign) {
        true => trimmed.split(sign).collect(),
        // The comma of a number has no blank behind it.
        false => trimmed.split(", ").collect(),
    };
    parts.into_iter().map(|part| part.trim().trim_matches('"').to_owned()).collect()
}

/// What a column of these rows holds.
fn kind(rows: &[Record], column: usize) -> Kind {
    let values: Vec<&str> = records::column(rows, column).filter(|value| !value.is_empty()).collect();
    if !values.is_empty() && values.iter().all(|value| value.parse::<f64>().is_ok()) {
        return Kind::Number;
    }
    if !values.is_empty() && values.iter().all(|value| worded(value, true).is_some()) {
        return Kind::Switch;
    }
    let shapes = |value: &&str| value.contains(|c: char| c.is_ascii_digit());
    let one = values.first().map(|value| shape(value));
    match values.iter().all(shapes) && values.iter().all(|value| Some(shape(value)) == one) {
        true => Kind::Shape,
        false => Kind::Any,
    }
}

fn fits(rows: &[Record], column: usize, value: &str) -> bool {
    let values = || records::column(rows, column);
    match kind(rows, column) {
        _ if value.is_empty() => values().any(str::is_empty),
        Kind::Number => value.parse::<f64>().is_ok(),
        Kind::Shape => values().any(|other| short_shape(other) == short_shape(value)),
        Kind::Switch => {
            values().any(|other| [true, false].into_iter().any(|on| worded(other, on).as_deref() == Some(value)))
        }
        Kind::Any => true,
    }
}

/// A part as the value of a column: "born 2013" in `born`, "9.0 kg" in `kg`, "not fragile (n)", "no fly time yet".
fn as_value(columns: &[&str], rows: &[Record], column: usize, part: &str) -> Option<String> {
    if fits(rows, column, part) && kind(rows, column) != Kind::Any {
        return Some(part.to_owned());
    }
    let name = word_stems(&columns[column].replace('_', " "));
    let values: Vec<&str> = records::column(rows, column).collect();
    if let Some((_, inner)) = part.strip_suffix(')').and_then(|part| part.rsplit_once('(')) {
        return values.contains(&inner).then(|| inner.to_owned());
    }
    let is_name = |word: &&str| word_stems(word).iter().all(|stem| name.contains(stem));
    let words: Vec<&str> = part.split_whitespace().collect();
    let rest: Vec<&str> = words.iter().copied().filter(|word| !is_name(word)).collect();
    let names_it = rest.len() < words.len();
    // "no fly time yet".
    let denies = words.first().is_some_and(|word| Engine::shipped().lists("weighty", &word.to_lowercase()));
    if denies && names_it && values.contains(&"") {
        return (!part.contains(|c: char| c.is_ascii_digit())).then(String::new);
    }
    if kind(rows, column) == Kind::Any {
        // A value may begin with its column's name in other rows, too.
        let led = words.first().is_some_and(is_name) && !values.iter().any(|value| value.starts_with(words[0]));
        let part = if led && words.len() > 1 { words[1..].join(" ") } else { part.to_owned() };
        return certain(&part).is_ok().then_some(part);
    }
    let rest = if rest.is_empty() { words.join(" ") } else { rest.join(" ") };
    fits(rows, column, &rest).then_some(rest)
}

/// Each part in the column at its place.
pub(super) fn in_order(columns: &[&str], rows: &[Record], parts: &[String]) -> Option<Vec<String>> {
    let all = parts.iter().enumerate().map(|(column, part)| as_value(columns, rows, column, part));
    (parts.len() == columns.len()).then(|| all.collect::<Option<Vec<String>>>()).flatten()
}

/// Each part in the one column that it fits.
pub(super) fn by_kind(columns: &[&str], rows: &[Record], parts: &[String]) -> Option<Vec<String>> {
    let mut values = vec![None; columns.len()];
    for part in parts {
        let fitting = (0..columns.len()).filter_map(|column| Some((column, as_value(columns, rows, column, part)?)));
        let fitting: Vec<(usize, String)> = fitting.collect();
        let [(column, value)] = fitting.as_slice() else { return None };
        if values[*column].replace(value.clone()).is_some() {
            return None;
        }
    }
    values.into_iter().collect()
}
