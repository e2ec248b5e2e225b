//! Changes of tables by their rows: written to another file, taken out, put in order. Which rows are meant the tables tell;
//! a file of which not every line is a row is left as it is.

use jiff::Zoned;
use switchboard_nlu::Engine;
use switchboard_tables::{Answer, Format};

use super::asides::SPARED;
use super::roles::Roles;
use super::tabular;
use crate::ops::{Change, Slots, Unmade, counted, kin_stems, month_in};

/// A change by rows, if that is its name.
pub(super) fn change(
    name: &str,
    path: &str,
    text: &str,
    slots: &Slots<'_>,
    now: &Zoned,
) -> Option<Result<(Change, String), Unmade>> {
    let question = match name {
        "save_rows" => slots.need("about").map(|about| format!("show {about}")),
        "save_table" => Ok("show all rows".to_owned()),
        "save_sorted" | "sort_rows" => {
            let order = slots.text("order").unwrap_or_default();
            slots.need("about").map(|about| format!("sort the rows by {about} {order}"))
        }
        "delete_rows" => {
            let lead = slots.text("lead").unwrap_or_default();
            let rows = if slots.text("where").is_some() && lead.is_empty() { "" } else { "rows " };
            slots.need("about").map(|about| format!("show {rows}{lead} {about}"))
        }
        _ => return None,
    };
    if let Some(place) = slots.text("where").filter(|place| !is_called(path, place)) {
        return Some(Err(Unmade::Absent(format!("There is no table `{place}` in `{path}`."))));
    }
    // All rows are put in order; only what stands over them stays.
    let spared = slots.text(SPARED).unwrap_or_default().to_lowercase();
    if name == "sort_rows" && !spared.is_empty() && !Roles::get().headings.contains(&spared) {
        return Some(Err(format!("I cannot leave `{spared}` where it is, so I put nothing in order.").into()));
    }
    let found = question.and_then(|question| tabular::rows(path, text, &question, now));
    let changed = found.and_then(|found| match name {
        "sort_rows" => sorted(path, text, &found),
        "delete_rows" if leaves_open(&found, slots) => {
            Err(format!("More than one row of `{path}` is called so, so I took out none. Which one?"))
        }
        "delete_rows" => deleted(path, text, &found),
        _ => saved(path, &found, slots),
    });
    Some(changed.map_err(Unmade::from))
}

/// Whether a table is called by these words: its path has them, as months, too (`2026-11` is November).
fn is_called(path: &str, place: &str) -> bool {
    let month =
        path.split(|c: char| !(c.is_ascii_digit() || c == '-')).filter_map(|part| month_in(part.trim_matches('-')));
    let mut there = kin_stems(&path.replace(['_', '.', '-', '/'], " "));
    there.extend(month.flat_map(kin_stems));
    let mut words = place.split_whitespace().filter(|word| !Roles::get().table_nouns.contains(&word.to_lowercase()));
    let mut said = words.by_ref().peekable();
    said.peek().is_some() && said.all(|word| kin_stems(word).is_subset(&there))
}

/// Whether one row is meant and several are called so, or one that is to stay is among them.
fn leaves_open(gone: &Answer, slots: &Slots<'_>) -> bool {
    let about = slots.text("about").unwrap_or_default();
    let one = about.split_whitespace().last().is_some_and(|last| Engine::shipped().lists("one", &last.to_lowercase()));
    let spared = kin_stems(slots.text(SPARED).unwrap_or_default());
    let stays = |row: &Vec<String>| !spared.is_empty() && spared.is_subset(&kin_stems(&row.join(" ")));
    one && gone.rows.len() > 1 || gone.rows.iter().any(stays)
}

/// The rows as a new file.
fn saved(path: &str, found: &Answer, slots: &Slots<'_>) -> Result<(Change, String), String> {
    let to = slots.need("path")?;
    let format = Format::of(&to)
        .ok_or("Rows are written as .csv, .tsv, .json or .md; give the new file one of these endings.")?;
    if to == path {
        return Err(format!("`{path}` is there already."));
    }
    let change = Change { path: to.clone(), to: Some(to.clone()), before: None, after: found.saved(format) };
    Ok((change, format!("I wrote {} of `{path}` to `{to}`.", counted(found.rows.len(), "row"))))
}

/// The same file with its rows in another order.
fn sorted(path: &str, text: &str, all: &Answer) -> Result<(Change, String), String> {
    let (head, mut lines) = lines(path, text, all.of)?;
    let mut ordered: Vec<&str> = Vec::with_capacity(lines.len());
    for row in &all.rows {
        let at = lines.iter().position(|(cells, _)| cells == row).ok_or("I lost a row, so I changed nothing.")?;
        ordered.push(lines.remove(at).1);
    }
    if !lines.is_empty() {
        return Err(format!("Not every row of `{path}` has a place in that order, so I changed nothing."));
    }
    let said = format!("I put the {} of `{path}` in order.", counted(ordered.len(), "row"));
    Ok((changed(path, text, head, &ordered), said))
}

/// The same file without some of its rows.
fn deleted(path: &str, text: &str, gone: &Answer) -> Result<(Change, String), String> {
    if gone.rows.len() == gone.of || gone.query.filter.is_empty() {
        return Err(format!("That would be all rows of `{path}`, so I took out none."));
    }
    let (head, lines) = lines(path, text, gone.of)?;
    let kept: Vec<&str> = lines.iter().filter(|(cells, _)| !gone.rows.contains(cells)).map(|(_, line)| *line).collect();
    let told: Vec<String> = gone.query.filter.iter().map(switchboard_tables::query::Condition::told).collect();
    let taken = counted(lines.len() - kept.len(), "row");
    let said = format!("I took {taken} out of `{path}`, where {}.", told.join(" and "));
    Ok((changed(path, text, head, &kept), said))
}

/// A row's cells, and the line on which they stand.
type Line<'t> = (Vec<String>, &'t str);

/// The first line of a table's text, and each row with its line.
fn lines<'t>(path: &str, text: &'t str, rows: usize) -> Result<(&'t str, Vec<Line<'t>>), String> {
    let whole = format!("Not every line of `{path}` is a row, so I changed nothing.");
    let mut all = text.lines().filter(|line| !line.trim().is_empty());
    let head = all.next().ok_or(&whole)?;
    let read = |line: &'t str| {
        let cells = tabular::cells(path, head, line)?;
        Some((cells, line))
    };
    let lines: Vec<Line<'t>> = all.map(read).collect::<Option<_>>().ok_or(&whole)?;
    if lines.len() == rows { Ok((head, lines)) } else { Err(whole) }
}

fn changed(path: &str, text: &str, head: &str, lines: &[&str]) -> Change {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut after = std::iter::once(head).chain(lines.iter().copied()).collect::<Vec<_>>().join(end);
    if text.ends_with('\n') {
        after.push_str(end);
    }
    Change { path: path.to_owned(), to: Some(path.to_owned()), before: Some(text.to_owned()), after }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    const ORDERS: &str =
        "no,customer,status\n1,Ann Lee,open\n2,Bo Rimmer,cancelled\n3,Ann Lee,cancelled\n4,Cy Rimmer,done\n";

    fn deleted(path: &str, values: &Value) -> Result<String, String> {
        let values: Map<String, Value> = values.as_object().cloned().unwrap_or_default();
        let now = Zoned::now();
        let change = change("delete_rows", path, ORDERS, &Slots::of(&values), &now).expect("a change of rows");
        change.map(|(change, _)| change.after).map_err(String::from)
    }

    #[test]
    fn rows_are_taken_out_of_the_table_that_is_called_so() {
        let path = "orders/orders-2026-11.csv";
        let left = "no,customer,status\n1,Ann Lee,open\n4,Cy Rimmer,done\n";
        assert_eq!(deleted(path, &json!({"about": "cancelled orders", "where": "november csv"})).as_deref(), Ok(left));
        let left = "no,customer,status\n2,Bo Rimmer,cancelled\n4,Cy Rimmer,done\n";
        let by = json!({"about": "Ann Lee", "lead": "with", "where": "order list", "spared": "Cy Rimmer"});
        assert_eq!(deleted(path, &by).as_deref(), Ok(left));
        for values in [
            json!({"about": "cancelled orders", "where": "december csv"}),
            json!({"about": "cancelled orders", "where": "list"}),
            json!({"about": "cancelled one", "where": "november orders"}),
            json!({"about": "Ann Lee", "lead": "with", "where": "order list", "spared": "cancelled"}),
            json!({"about": "shipped orders", "where": "november csv"}),
            json!({"about": "orders", "where": "november csv"}),
        ] {
            assert!(deleted(path, &values).is_err(), "{values}: {:?}", deleted(path, &values));
        }
    }
}
