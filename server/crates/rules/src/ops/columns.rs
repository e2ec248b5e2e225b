//! Columns of a table renamed or taken out, by their names alone. Every row must have as many cells as the first line, or
//! nothing is changed.

use std::ops::Range;

use super::edited::{Edit, Edited};
use super::rows::{as_cell, fields, sign_in};
use super::settings::plain;
use super::show::cut_line;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits of columns, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("rename_column", rename_column), ("drop_column", drop_column)];

/// A table's lines, each with where its fields stand.
struct Lines<'t> {
    sign: char,
    lines: Vec<(&'t str, Vec<Range<usize>>)>,
}

impl<'t> Lines<'t> {
    fn of(path: &str, text: &'t str) -> Option<Self> {
        let sign = sign_in(path, text)?;
        let lines = text.split_inclusive('\n').map(|line| (line, fields(line.trim_end_matches(['\n', '\r']), sign)));
        Some(Self { sign, lines: lines.collect() })
    }

    fn names(&self) -> Vec<&'t str> {
        let of = |(line, fields): &(&'t str, Vec<Range<usize>>)| {
            fields.iter().map(|field| line[field.clone()].trim().trim_matches('"')).collect()
        };
        self.lines.first().map(of).unwrap_or_default()
    }

    /// Which column has this name, written in whatever case.
    fn column(&self, path: &str, name: &str) -> Result<usize, Unmade> {
        let names = self.names();
        let exact = names.iter().position(|own| *own == name);
        let alike: Vec<usize> = (0..names.len()).filter(|at| plain(names[*at]) == plain(name)).collect();
        match (exact, alike.as_slice()) {
            (Some(at), _) => Ok(at),
            (None, [at]) => Ok(*at),
            _ => Err(Unmade::Absent(format!("There is no column `{}` in `{path}`.", cut_line(name)))),
        }
    }
}

fn lines<'t>(path: &str, text: &'t str) -> Result<Lines<'t>, Unmade> {
    Lines::of(path, text).ok_or_else(|| Unmade::Absent(format!("There is no table in `{path}`.")))
}

/// `rename_column`: key, new.
fn rename_column(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let (key, new) = (slots.need("key")?, slots.need("new")?);
    let table = lines(path, text)?;
    let at = table.column(path, &key)?;
    let names = table.names();
    if names.iter().enumerate().any(|(other, name)| other != at && plain(name) == plain(&new)) {
        return Err(format!("`{path}` has a column `{}` already.", cut_line(&new)).into());
    }
    let field = table.lines[0].1[at].clone();
    let own = &text[field.clone()];
    let inner = field.start + (own.len() - own.trim_start().len())..field.start + own.trim_end().len();
    let written = as_cell(new.trim(), table.sign);
    let said = format!("I renamed the column `{}` of `{path}` to `{}`.", names[at], new.trim());
    Ok(Edited::put(text, inner, &written, said))
}

/// `drop_column`: key.
fn drop_column(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let key = slots.need("key")?;
    let table = lines(path, text)?;
    let at = table.column(path, &key)?;
    let names = table.names();
    let whole = |(line, fields): &&(&str, Vec<Range<usize>>)| line.trim().is_empty() || fields.len() == names.len();
    if names.len() < 2 || !table.lines.iter().all(|line| whole(&line)) {
        return Err(format!("Not every line of `{path}` is a row, so I changed nothing.").into());
    }
    let without = |(line, fields): &(&str, Vec<Range<usize>>)| {
        if line.trim().is_empty() {
            return (*line).to_owned();
        }
        // The sign before a column goes with it, or that behind the first one.
        let gone = match at {
            0 => 0..fields[1].start,
            at => fields[at - 1].end..fields[at].end,
        };
        format!("{}{}", &line[..gone.start], &line[gone.end..])
    };
    Ok(Edited {
        text: table.lines.iter().map(without).collect(),
        said: format!("I took the column `{}` out of `{path}`.", names[at]),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    const TEXT: &str = "id,full name,paid\n1,\"Holt, Ken\",yes\n2,Joan Carr,\n";

    fn changed(edit: Edit, text: &str, values: &Value) -> Result<String, String> {
        let values: Map<String, Value> = values.as_object().cloned().unwrap_or_default();
        edit("members.csv", text, &Slots::of(&values)).map(|edited| edited.text).map_err(String::from)
    }

    #[test]
    fn a_column_gets_another_name() {
        for (key, new, first) in [
            ("paid", "settled", "id,full name,settled"),
            ("Full_Name", "name", "id,name,paid"),
            ("id", "no", "no,full name,paid"),
        ] {
            let text = changed(rename_column, TEXT, &json!({"key": key, "new": new}));
            assert_eq!(text.as_deref().map(|text| text.lines().next().unwrap_or_default()), Ok(first), "{key}");
            assert_eq!(text.map(|text| text.lines().skip(1).eq(TEXT.lines().skip(1))), Ok(true), "{key}");
        }
        for (key, new) in [("paid", "ID"), ("phone", "mobile"), ("name", "called")] {
            assert!(changed(rename_column, TEXT, &json!({"key": key, "new": new})).is_err(), "{key}");
        }
    }

    #[test]
    fn a_column_is_taken_out_of_every_row() {
        for (key, text) in [
            ("id", "full name,paid\n\"Holt, Ken\",yes\nJoan Carr,\n"),
            ("full name", "id,paid\n1,yes\n2,\n"),
            ("paid", "id,full name\n1,\"Holt, Ken\"\n2,Joan Carr\n"),
        ] {
            assert_eq!(changed(drop_column, TEXT, &json!({"key": key})).as_deref(), Ok(text), "{key}");
        }
        assert!(changed(drop_column, "a,b\n1,2\nnote\n", &json!({"key": "b"})).is_err());
    }
}
