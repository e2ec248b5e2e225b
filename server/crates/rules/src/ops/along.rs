//! What goes along with a value that was filled in: where all other records with a `paid_on` have the status `paid`, and only
//! those, a record that gets a date is paid, too. It is changed when the name of what was filled says so, and else told.

use super::edited::Edited;
use super::outline::{divided, word_stems};
use super::records::{Field, Record, records, written};
use super::settings::worded;

/// In fewer records two columns may go together by chance.
const LEAST_TOLD: usize = 3;

/// The edit that filled an empty value at this place of the text, with what goes along.
pub(super) fn along(path: &str, edited: Edited, place: usize) -> Edited {
    let records = records(path, &edited.text);
    let of_place = |field: &&Field| field.span.contains(&place);
    let filled = records.iter().enumerate().find_map(|(at, record)| Some((at, record.fields.iter().find(of_place)?)));
    let Some((at, Field { name: column, .. })) = filled else { return edited };
    let Some((field, value)) = beside(&records, at, column) else { return edited };
    let Edited { mut text, mut said } = edited;
    let Field { name, value: was, span } = field;
    let told = if worded(was, true).as_deref() == Some(value) { word_stems(&divided(name)) } else { word_stems(value) };
    if !told.is_empty() && told.is_subset(&word_stems(&divided(column))) {
        let value_written = written(path, &text, &text[span.clone()], value);
        text.replace_range(span.clone(), &value_written);
        said +=
            &format!(" That makes its `{name}` `{value}` instead of `{was}`, as in every other one with a `{column}`.");
    } else {
        said += &format!(" Its `{name}` stays `{was}`; every other one with a `{column}` has `{value}` there.");
    }
    Edited { text, said }
}

/// The one other field of the record that has one value in all other records where the column is filled, and in no other; with
/// that value, if this record has another.
fn beside<'r>(records: &'r [Record], at: usize, column: &str) -> Option<(&'r Field, &'r str)> {
    let value = |record: &'r Record, name: &str| {
        record.fields.iter().find(|field| field.name == name).map_or("", |field| field.value.as_str())
    };
    let others: Vec<&Record> =
        records.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, record)| record).collect();
    let filled: Vec<&Record> = others.iter().copied().filter(|record| !value(record, column).is_empty()).collect();
    let first = filled.first().filter(|_| filled.len() >= LEAST_TOLD)?;
    let goes_along = |field: &&Field| {
        let told = value(first, &field.name);
        field.name != column
            && !told.is_empty()
            && field.value != told
            && others.iter().all(|record| value(record, column).is_empty() == (value(record, &field.name) != told))
    };
    let found: Vec<&Field> = records.get(at)?.fields.iter().filter(goes_along).collect();
    let [only] = found.as_slice() else { return None };
    Some((only, value(first, &only.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEES: &str = "name,status,paid_on\nAnn,paid,2025-04-11\nBo,open,2025-10-20\nCy,paid,2025-05-02\nDee,open,\nEd,paid,2025-06-01\n";

    fn of(path: &str, text: &str, filled: &str) -> Edited {
        let place = text.find(filled).expect("it is there");
        along(path, Edited { text: text.to_owned(), said: "Done.".to_owned() }, place)
    }

    #[test]
    fn what_goes_along_is_changed_if_it_was_said_and_else_told() {
        let paid = of("a.csv", FEES, "2025-10-20");
        assert_eq!(paid.text, FEES.replace("Bo,open", "Bo,paid"));
        assert!(paid.said.contains("`status` `paid` instead of `open`"), "{}", paid.said);

        let switch = FEES.replace("status", "paid").replace(",paid,2", ",yes,2").replace(",open,", ",no,");
        assert_eq!(of("a.csv", &switch, "2025-10-20").text, switch.replace("Bo,no", "Bo,yes"));

        let objects = r#"[{"n": 1, "state": "sent", "sent": "x"}, {"n": 2, "state": "new", "sent": "y"},
            {"n": 3, "state": "sent", "sent": "z"}, {"n": 4, "state": "sent", "sent": "z"}]"#;
        let sent = of("a.json", objects, "y\"");
        assert_eq!(sent.text, objects.replace("\"new\"", "\"sent\""));

        let text = FEES.replace("paid_on", "date");
        let told = of("a.csv", &text, "2025-10-20");
        assert_eq!(told.text, text);
        assert!(told.said.contains("`status` stays `open`"), "{}", told.said);
    }

    #[test]
    fn what_does_not_always_go_along_is_left() {
        let one_without_date = FEES.replace("Dee,open", "Dee,paid");
        let too_few = FEES.replace("Ed,paid,2025-06-01\n", "");
        for text in [one_without_date, too_few] {
            let edited = of("a.csv", &text, "2025-10-20");
            assert_eq!((edited.text, edited.said.as_str()), (text, "Done."));
        }
    }
}
