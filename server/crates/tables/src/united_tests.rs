//! Claims about tables that stand in several files, and about questions that name a file by a word of its path.

use jiff::civil::date;

use crate::{Asking, Outcome, Table, ask};

fn answer(files: &[(&str, &str)], question: &str) -> Option<String> {
    let texts: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let asking = Asking { now: date(2026, 7, 15).at(12, 0, 0, 0), previous: None, given: false };
    match ask(&Table::read_all(&texts), question, asking).expect("the query runs") {
        Outcome::Understood(answer) => Some(answer.markdown()),
        _ => None,
    }
}

const LEDGERS: &[(&str, &str)] = &[
    ("books/2025.csv", "date,category,amount\n2025-02-01,rent,100\n2025-03-01,food,7\n"),
    ("books/2026.csv", "date,category,amount\n2026-02-01,rent,120\n2026-03-01,food,9\n"),
];

const CLASSES: &[(&str, &str)] =
    &[("marks/3a.csv", "name,maths\nAda,1\nBen,3\n"), ("marks/3b.csv", "name,maths\nCleo,4\nDan,5\n")];

#[test]
fn files_of_a_folder_with_the_same_columns_are_one_table() {
    let answered = answer(LEDGERS, "total amount for rent").expect("an answer");

    assert!(answered.contains("220"), "{answered}");
    assert!(answered.contains("books/2025.csv, books/2026.csv"), "{answered}");
}

#[test]
fn a_time_chooses_among_the_rows_of_all_files() {
    let answered = answer(LEDGERS, "total amount for rent in 2026").expect("an answer");

    assert!(answered.contains("120") && !answered.contains("220"), "{answered}");
}

#[test]
fn a_word_of_its_path_names_a_file() {
    let answered = answer(CLASSES, "average maths in 3b").expect("an answer");

    assert!(answered.contains("4.5"), "{answered}");
}

#[test]
fn a_word_of_no_path_names_none() {
    assert_eq!(answer(CLASSES, "average maths in 3c"), None);
}

#[test]
fn records_with_a_file_each_are_one_table() {
    let record = |number: &str, paid: bool| format!(r#"{{"number": "{number}", "amount": 5, "paid": {paid}}}"#);
    let (one, two, three) = (record("A-1", true), record("A-2", false), record("A-3", false));

    let answered = answer(
        &[("invoices/A-1.json", &one), ("invoices/A-2.json", &two), ("invoices/A-3.json", &three)],
        "list unpaid invoices",
    );

    let answered = answered.expect("an answer");
    assert!(answered.contains("A-2") && answered.contains("A-3") && !answered.contains("A-1 "), "{answered}");
}

#[test]
fn files_with_other_columns_stay_apart() {
    let files = [("stock/a.csv", "sku,count\nX,1\n"), ("stock/b.csv", "sku,price\nX,2\n")];
    let texts: Vec<(String, String)> = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();

    assert_eq!(Table::read_all(&texts).len(), 2);
}
