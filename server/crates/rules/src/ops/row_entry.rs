//! A new row for a table, out of what a request lists: as it would be written, or value by value with the names of columns
//! and units beside them. What fits no column, or more than one, is not written.

use super::edited::{Edit, Edited};
use super::outline::word_stems;
use super::records::{certain, records};
use super::row_places::{placed, with_row};
use super::row_values::{by_kind, in_order, listed};
use super::row_ways::told_values;
use super::rows::sign_in;
use super::show::cut_line;
use super::slots::Slots;
use super::unmade::Unmade;

/// The edits that add rows, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("add_row", add_row)];

/// `add_row`: content (the values), kind (what a row is called, perhaps with its first value), key (a value more), where.
fn add_row(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let content = slots.told("content").ok_or("You did not say what the row is to hold.")?;
    let rows = records(path, text);
    let none = || Unmade::Absent(format!("There is no table in `{path}`."));
    let sign = sign_in(path, text).filter(|_| !rows.is_empty()).ok_or_else(none)?;
    let columns: Vec<&str> = text.lines().next().unwrap_or_default().split(sign).map(str::trim).collect();
    let first = is_meant(path, columns[0], slots)?;
    let parts: Vec<String> = first.into_iter().chain(listed(&content, sign)).chain(slots.told("key")).collect();
    let values = match slots.get("key").is_some() {
        true => by_kind(&columns, &rows, &parts),
        false => in_order(&columns, &rows, &parts),
    };
    let in_any_order = || {
        let parts: Vec<String> = parts.iter().flat_map(|part| told_values(part)).collect();
        placed(&columns, &rows, &parts).ok()
    };
    let values = values.or_else(in_any_order).ok_or_else(|| {
        format!(
            "`{}` is no row for `{path}`, whose columns are `{}`; I changed nothing.",
            cut_line(&content),
            columns.join("`, `")
        )
    })?;
    with_row(path, text, &values)
}

/// Whether the rows of this file are what the request calls so; a value that is said with it belongs to the first column:
/// "box nr 14".
fn is_meant(path: &str, column: &str, slots: &Slots<'_>) -> Result<Option<String>, Unmade> {
    let Some(kind) = slots.text("kind") else { return Ok(None) };
    certain(kind)?;
    let other = || Unmade::not_in(path, kind);
    let nouns: Vec<String> = slots.texts("nouns").into_iter().flat_map(word_stems).collect();
    let place = slots.text("where").map(word_stems).unwrap_or_default();
    let there = word_stems(&path.replace(['_', '.'], " "));
    let named = word_stems(column);
    let mut value = None;
    let in_place = !place.is_empty() && place.iter().all(|stem| there.contains(stem) || nouns.contains(stem));
    let mut of_file = slots.text("file").is_some() || in_place && place.iter().any(|stem| there.contains(stem));
    for word in kind.split_whitespace() {
        let stems = word_stems(word);
        if word.contains(|c: char| c.is_ascii_digit()) && value.is_none() {
            value = Some(word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
        } else if stems.iter().all(|stem| there.contains(stem)) {
            of_file = true;
        } else if !of_file && !stems.iter().all(|stem| nouns.contains(stem) || named.contains(stem)) {
            return Err(other());
        }
    }
    let elsewhere = place.iter().any(|stem| !there.contains(stem) && !nouns.contains(stem));
    if !of_file || elsewhere { Err(other()) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    fn added(path: &str, text: &str, values: &Value) -> Result<String, String> {
        let values: Map<String, Value> = values.as_object().cloned().unwrap_or_default();
        let edited = add_row(path, text, &Slots::of(&values))?;
        Ok(edited.text.strip_prefix(text).unwrap_or(&edited.text).to_owned())
    }

    const MEMBERS: &str =
        "nr,name,born,phone,paid\n113,Ivo Kral,1969,0555 812 56,no\n114,Maja Sandberg,2009,0555 818 02,yes\n";
    const BOXES: &str = "nr,room,what,kg,fragile\n12,cellar,tools,21.0,n\n9,living room,records,16.5,y\n";
    const RAIN: &str = "date,mm\n2026-04-13,0.0\n2026-04-14,0.9\n";

    #[test]
    fn what_is_listed_becomes_a_row() {
        for (path, text, values, row) in [
            (
                "members.csv",
                MEMBERS,
                json!({"kind": "member", "content": "115,Yusuf Aydin,2008,0555 819 90,yes"}),
                "115,Yusuf Aydin,2008,0555 819 90,yes\n",
            ),
            (
                "members.csv",
                MEMBERS,
                json!({"kind": "member nr 115", "nouns": ["nr"], "content": "Yusuf Aydin, born 2008, phone 0555 819 90, yes"}),
                "115,Yusuf Aydin,2008,0555 819 90,yes\n",
            ),
            (
                "members.csv",
                MEMBERS,
                json!({"kind": "member", "content": "115, Yusuf Aydin, 2008, 0555 819 90, perhaps"}),
                "",
            ),
            (
                "boxes.csv",
                BOXES,
                json!({"kind": "box nr 14", "content": "hall, shoes and umbrellas, 9.0 kg, not fragile (n)"}),
                "14,hall,shoes and umbrellas,9.0,n\n",
            ),
            (
                "rain.csv",
                RAIN,
                json!({"file": "rain.csv", "content": "4.2 mm", "key": "2026-04-15"}),
                "2026-04-15,4.2\n",
            ),
        ] {
            let found = added(path, text, &values);
            match row {
                "" => assert!(found.is_err(), "{values}: {found:?}"),
                row => assert_eq!(found.as_deref(), Ok(row), "{values}"),
            }
        }
    }

    #[test]
    fn what_fits_no_row_is_not_written() {
        for (path, text, values) in [
            ("boxes.csv", BOXES, json!({"kind": "member", "content": "14, hall, shoes, 9.0, n"})),
            ("boxes.csv", BOXES, json!({"kind": "box", "content": "14, hall, shoes, heavy, n"})),
            ("boxes.csv", BOXES, json!({"kind": "box", "content": "14, hall, shoes, 9.0"})),
            ("boxes.csv", BOXES, json!({"kind": "box", "content": "14, hall, shoes, 9 or 10, n"})),
            ("boxes.csv", BOXES, json!({"kind": "box", "content": "12, cellar, tools, 21.0, n"})),
            ("rain.csv", RAIN, json!({"file": "rain.csv", "content": "4.2", "key": "15 April"})),
        ] {
            assert!(added(path, text, &values).is_err(), "{values}");
        }
    }
}
