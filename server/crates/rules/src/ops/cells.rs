//! One cell of a table changed in its place: the row is found by what stands in it, the column by its name or by the value
//! that it is to get.

use serde_json::{Map, Value};

use super::along::along;
use super::amounts::{Form, Kind, decimal_sign, in_form, kind_of, tokens};
use super::code::{comment_out_matching, uncomment_matching};
use super::edited::{Edit, Edited};
use super::keys::{other_word, placed, put};
use super::places::{Place, chosen};
use super::record_edits::set;
use super::rows::{Row, as_cell, rows, sign_in};
use super::settings::{Settings, worded};
use super::show::cut_line;
use super::slots::{Slots, as_text};
use super::spots::unit_of;
use super::unmade::Unmade;

/// The edits of cells, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("set_place", set_place)];

/// `set_place`: key (a phrase), value; in any settings file or table.
fn set_place(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let called = slots.need("key")?;
    let value = slots.get("value").ok_or("You did not say what the value is to be.")?;
    if let Some(sign) = sign_in(path, text) {
        let of_record = |why: Unmade| in_record(path, text, &called, slots, value).map_err(|_| why);
        return in_lines(path, text, sign, &called, slots, value).or_else(of_record);
    }
    // A job is switched off by making its line a comment.
    if let Some(on) = value.as_bool().filter(|_| path.to_lowercase().contains("crontab")) {
        let nouns = slots.texts("jobs");
        let name: Vec<&str> = called.split_whitespace().filter(|word| !nouns.contains(word)).collect();
        let name = Map::from_iter([("text".to_owned(), Value::from(name.join(" ")))]);
        let change = if on { uncomment_matching } else { comment_out_matching };
        return change(path, text, &Slots::of(&name));
    }
    let Ok(settings) = Settings::of(path, text) else {
        let why = || Err(Unmade::Absent(format!("There is no value in `{path}` that I can change.")));
        return other_word(path, text, slots).unwrap_or_else(why);
    };
    let entry = match placed(&settings, &called, slots) {
        Ok(entry) => entry,
        Err(why) => return in_record(path, text, &called, slots, value).map_err(|_| why),
    };
    put(&settings, entry, &settings.value(entry), value)
}

/// A field of the record that the request tells about: "mark the firewood as paid", "Ann has a new number: …".
fn in_record(path: &str, text: &str, called: &str, slots: &Slots<'_>, value: &Value) -> Result<Edited, Unmade> {
    match slots.text("where") {
        _ if value.is_boolean() || slots.get("old").is_some() => Err("".into()),
        Some(about) => set(path, text, about, Some(called), value, slots),
        None => set(path, text, called, None, value, slots),
    }
}

/// A table with a row to each line, the first with the names of the columns.
fn in_lines(
    path: &str,
    text: &str,
    divider: char,
    called: &str,
    slots: &Slots<'_>,
    value: &Value,
) -> Result<Edited, Unmade> {
    let rows = rows(text, divider);
    let Some((names, rows)) = rows.split_first() else {
        return Err(Unmade::Absent(format!("There is no row in `{path}`.")));
    };
    let names: Vec<&str> = texts(names).collect();
    let cell = |(at, row): (usize, &Row), column: usize| Place {
        own: names[column].to_owned(),
        above: String::new(),
        beside: texts(row).enumerate().filter(|(other, _)| *other != column).map(|(_, cell)| cell.to_owned()).collect(),
        kind: names[0].to_owned(),
        value: texts(row).nth(column).unwrap_or_default().to_owned(),
        name: format!("{} of row {}", names[column], at + 1),
    };
    let all = rows.iter().enumerate().flat_map(|row| (0..names.len()).map(move |column| cell(row, column)));
    let found = chosen(path, &all.collect::<Vec<_>>(), called, slots)?;
    let (at, column) = (found / names.len(), found % names.len());
    let none = || Unmade::Absent(format!("There is no cell for `{}` in that row.", names[column]));
    let (old, span) = rows[at].cells.get(column).ok_or_else(none)?;
    let new = value.as_bool().and_then(|value| worded(old, value)).unwrap_or_else(|| as_text(value));
    let new = in_unit_of(names[column], old, &new).unwrap_or(new);
    if *old == new {
        return Err(format!("`{}` of that row of `{path}` is `{new}` already.", names[column]).into());
    }
    // A column of yes and no holds no `true`.
    if value.is_boolean() && old.to_lowercase().parse::<bool>().is_err() {
        return Err(format!(
            "`{}` of that row of `{path}` is `{old}`, so I did not write `{new}`. Put the new value in quotation marks.",
            names[column]
        ).into());
    }
    // Numbers stay numbers: a unit is what the column's name says.
    let number = |text: &str| text.trim().parse::<f64>().is_ok();
    if number(old)
        && !number(&new)
        && new.starts_with(|sign: char| sign.is_ascii_digit())
        && new.ends_with(char::is_alphabetic)
    {
        return Err(format!(
            "`{}` of that row of `{path}` is the number `{old}`, so I did not write `{new}`: say the number alone.",
            names[column]
        )
        .into());
    }
    let written = as_cell(&new, divider);
    let row = cut_line(texts(&rows[at]).find(|cell| cell != old).unwrap_or(old));
    let line = text[..rows[at].span.start].lines().count() + 1;
    let said = format!(
        "I changed `{}` of `{row}` in `{path}` (line {line}) from `{}` to `{new}`.",
        names[column],
        cut_line(old)
    );
    let edited = Edited::put(text, span.clone(), &written, said);
    Ok(if old.is_empty() { along(path, edited, span.start) } else { edited })
}

/// What the cells of a row hold.
fn texts(row: &Row) -> impl Iterator<Item = &str> {
    row.cells.iter().map(|(text, _)| text.as_str())
}

/// A number that is said with its unit, in the unit of the column's name: "16 GB" in `ram_gb`.
fn in_unit_of(column: &str, old: &str, new: &str) -> Option<String> {
    let kind = kind_of(old);
    let own = unit_of(column).filter(|_| matches!(kind, Kind::Number { .. }))?;
    let tokens = tokens(new);
    let [number] = tokens.as_slice() else { return None };
    let Kind::Number { amount, unit } = &number.kind else { return None };
    let behind = new[number.span.end..].trim();
    let said = if unit.is_empty() { behind } else { unit.as_str() };
    let whole = number.span.start == 0 && (unit.is_empty() || behind.is_empty()) && !said.is_empty();
    let digits = new[number.span.clone()].trim_end_matches(unit.as_str());
    let form = Form { text: old, kind: &kind, unit: Some(&own), sign: decimal_sign(old).unwrap_or('.') };
    let number = Kind::Number { amount: *amount, unit: String::new() };
    whole.then(|| in_form(digits, &number, Some(said), &form, false)).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn placed(path: &str, text: &str, values: &Value) -> Result<String, String> {
        let values = values.as_object().cloned().unwrap_or_default();
        set_place(path, text, &Slots::of(&values)).map(|edited| edited.text).map_err(String::from)
    }

    #[test]
    fn a_cell_is_found_by_its_row_and_its_column() {
        let csv = "id,name,status\n1,\"Mug, blue\",open\n2,Pen,closed\n";
        let json = "{\"items\": [{\"sku\": \"A\", \"price\": 3.5}, {\"sku\": \"B\", \"price\": 4}]}\n";
        for (path, text, values, expected) in [
            (
                "a.csv",
                csv,
                json!({"key": "status of Mug, blue", "value": "closed"}),
                "id,name,status\n1,\"Mug, blue\",closed\n2,Pen,closed\n",
            ),
            (
                "a.csv",
                csv,
                json!({"key": "id 1", "value": "closed"}),
                "id,name,status\n1,\"Mug, blue\",closed\n2,Pen,closed\n",
            ),
            (
                "a.csv",
                csv,
                json!({"key": "name of 2", "value": "Ink, red"}),
                "id,name,status\n1,\"Mug, blue\",open\n2,\"Ink, red\",closed\n",
            ),
            (
                "a.json",
                json,
                json!({"key": "price", "where": "B", "old": 4, "value": 5}),
                "{\"items\": [{\"sku\": \"A\", \"price\": 3.5}, {\"sku\": \"B\", \"price\": 5}]}\n",
            ),
        ] {
            assert_eq!(placed(path, text, &values).as_deref(), Ok(expected), "{values}");
        }
    }

    #[test]
    fn a_number_is_written_in_the_unit_of_its_column() {
        let hosts = "host,ram_gb,disk_gb,cores\ncache1,8,40,2\n";
        let set = |column: &str, value: &str| {
            placed("hosts.csv", hosts, &json!({"key": format!("{column} of cache1"), "value": value}))
        };
        assert_eq!(set("ram", "16 gb"), Ok(hosts.replace("1,8,", "1,16,")));
        for (column, value) in [("ram", "16 apples"), ("cores", "4 gb"), ("ram", "16 gb or so")] {
            assert!(set(column, value).is_err(), "{column} {value}");
        }
    }

    #[test]
    fn what_is_not_there_or_not_sure_is_said() {
        let csv = "id,name,status\n1,Pen,open\n2,Pen,open\n";
        for (values, says) in [
            (json!({"key": "status of Ink", "value": "x"}), "There is no `status of Ink`"),
            (json!({"key": "price of 1", "value": "x"}), "There is no `price of 1`"),
            (json!({"key": "status of Pen", "value": "x"}), "several places"),
            (json!({"key": "1", "value": "unheard of"}), "There is no `1`"),
            (json!({"key": "status of 1", "value": "open"}), "is `open` already"),
            (json!({"key": "status of 1", "value": "closed", "old": "lost"}), "that is `lost`"),
        ] {
            let why = placed("a.csv", csv, &values).expect_err("nothing is changed");
            assert!(why.contains(says), "{values}: {why}");
        }
    }
}
