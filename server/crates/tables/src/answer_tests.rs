//! Answers: their sentences, their files, and that nothing panics.

use jiff::civil::date;
use proptest::prelude::*;
use serde_json::json;

use crate::{Answer, Asking, Format, Outcome, Query, Table, ask};

const SALES: &str = "region,quarter,amount\nNorth,Q1,120\nSouth,Q1,80\nNorth,Q2,150\nSouth,Q2,60\n";

fn asking(previous: Option<&Query>) -> Asking<'_> {
    Asking { now: date(2025, 3, 15).at(12, 0, 0, 0), previous, given: true }
}

fn answered(source: &str, text: &str, question: &str) -> Option<Answer> {
    match ask(&Table::read(source, text).ok()?, question, asking(None)).expect("it runs") {
        Outcome::Understood(answer) => Some(answer),
        Outcome::Ambiguous(_) | Outcome::NotUnderstood(_) => None,
    }
}

fn said(question: &str) -> String {
    answered("sales.csv", SALES, question).expect("understood").markdown()
}

#[test]
fn which_of_those_that_were_counted_are_shown() {
    let sales = Table::read("sales.csv", SALES).expect("a table");
    let ask = |question: &str, previous: Option<&Query>| match ask(&sales, question, asking(previous)) {
        Ok(Outcome::Understood(answer)) => answer,
        _ => panic!("{question}"),
    };
    let counted = ask("how many have an amount over 70?", None);

    let shown = ask("and which of them are north?", Some(&counted.query)).markdown();

    assert!(shown.contains("| North | Q1 | 120 |") && !shown.contains("South"), "{shown}");
}

#[test]
fn prices_are_not_added_up_without_how_many() {
    let orders = "product,qty,unit_price\nmint,10,2.50\nfig,2,18.00\nmint,4,2.00\n";
    let said = |question: &str| answered("orders.csv", orders, question).map(|answer| answer.markdown());

    let worth = said("what are all the mint orders worth together?").expect("understood");

    assert!(worth.contains("**33**"), "{worth}");
}

#[test]
fn what_is_still_to_be_paid_leaves_out_what_is_paid() {
    let bills = "what,amount,paid\npower,61.00,yes\nrent,400.00,no\nphone,9.50,no\n";

    let open =
        answered("bills.csv", bills, "bills i still have to pay, how much is that all in all").expect("understood");

    assert!(open.markdown().contains("**409.5**"), "{}", open.markdown());
}

#[test]
fn sentences_say_what_was_computed() {
    assert_eq!(said("How many rows has sales.csv?"), "`sales.csv` has **4** rows.");
    assert_eq!(
        said("Which region has the largest amount?"),
        "**North** has the largest amount in `sales.csv`: **150**."
    );
    assert_eq!(said("What is the average amount?"), "The average amount in `sales.csv` is **102.5**, over 4 rows.");
    assert_eq!(
        said("Which region has the highest total amount?"),
        "**North** has the highest total amount in `sales.csv`: **270**."
    );
    assert_eq!(
        said("How many rows have an amount over 100?"),
        "**2** of the 4 rows in `sales.csv` where amount is over 100."
    );
    assert_eq!(
        said("What is the total amount by region?"),
        "The total amount by region in `sales.csv`:\n\n| region | total amount |\n| --- | --- |\n| North | 270 |\n\
         | South | 140 |\n\nAltogether **410**."
    );
    assert_eq!(
        said("rows with an amount under 70"),
        "**1** of the 4 rows in `sales.csv` where amount is under 70:\n\n| region | quarter | amount |\n\
         | --- | --- | --- |\n| South | Q2 | 60 |"
    );
}

#[test]
fn stretches_of_time_stand_in_their_order_and_all_else_by_its_figure() {
    let labels = |cells: [&str; 3]| {
        let rows: String = cells.iter().zip([5, 9, 7]).map(|(cell, sales)| format!("{cell},{sales}\n")).collect();
        let told =
            answered("x.csv", &format!("when,sales\n{rows}"), "total sales by when").expect("understood").markdown();
        let lines = told.lines().filter(|line| line.starts_with("| ")).skip(2);
        lines.filter_map(|line| line.split('|').nth(1)).map(|label| label.trim().to_owned()).collect::<Vec<_>>()
    };

    for in_time in [
        ["2026-01", "2026-02", "2026-03"],
        ["2025-Q4", "2026-Q1", "2026-Q2"],
        ["2026-W07", "2026-W08", "2026-W10"],
        ["January", "February", "March"],
        ["Nov", "Dec", "Jan"],
        ["Mon", "Tue", "Wed"],
    ] {
        assert_eq!(labels(in_time), in_time);
    }
    assert_eq!(labels(["2026-03", "2026-01", "2026-02"]), ["2026-01", "2026-02", "2026-03"]);
    assert_eq!(labels(["north", "south", "May"]), ["south", "May", "north"]);
}

#[test]
fn cells_that_are_not_numbers_are_left_out_aloud() {
    let cells: String = (1..=20).map(|at| format!("r{at},{at}\n")).collect();
    let text = format!("name,weight\n{cells}odd,heavy\n");

    let answer = answered("x.csv", &text, "what is the total weight").expect("understood");

    assert_eq!(
        answer.sentence,
        "The total weight in `x.csv` is **210**, over 20 rows. One cell that is not a number is left out."
    );
}

#[test]
fn a_query_is_a_value_that_can_be_read_back() {
    let answer = answered("sales.csv", SALES, "total amount by region where quarter is Q1").expect("understood");

    let text = serde_json::to_string(&answer.query).expect("JSON");
    let read: Query = serde_json::from_str(&text).expect("a query");

    assert_eq!(read, answer.query);
    let table = &Table::read("sales.csv", SALES).expect("a table")[0];
    assert_eq!(crate::answer(table, &read).expect("it runs").rows, [["North", "120"], ["South", "80"]]);
}

#[test]
fn a_column_that_is_gone_is_named() {
    let answer = answered("sales.csv", SALES, "total amount").expect("understood");
    let changed = &Table::read("sales.csv", "region,price\nNorth,1\nSouth,2\n").expect("a table")[0];

    let error = crate::answer(changed, &answer.query).expect_err("no column");

    assert_eq!(error.to_string(), "sales.csv has no column amount; ask again, the file may have changed");
}

#[test]
fn answers_become_files() {
    let answer = answered("p.csv", "name,note\n\"a, b\",1\nc|d,\n", "show all rows").expect("understood");

    assert_eq!(answer.saved(Format::Csv), "name,note\n\"a, b\",1\nc|d,\n");
    let expected = json!([{"name": "a, b", "note": 1}, {"name": "c|d", "note": null}]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&answer.saved(Format::Json)).expect("JSON"), expected);
    assert_eq!(answer.saved(Format::Markdown), "| name | note |\n| --- | --- |\n| a, b | 1 |\n| c\\|d |  |\n");
}

#[test]
fn a_cell_cannot_write_markdown() {
    let text = json!([{"name": "**x** <b>|`", "age": 3}, {"name": "y", "age": 1}]).to_string();

    let answer = answered("people.json", &text, "Who has the highest age?").expect("understood");

    assert_eq!(answer.sentence, "**\\*\\*x\\*\\* &lt;b>\\|'** has the highest age in `people.json`: **3**.");
}

#[test]
fn a_cell_cannot_write_sql() {
    let text = "name,age\n\"'); DROP TABLE t; --\",3\ny,1\n";

    let answer = answered("people.csv", text, "rows where name is \"'); DROP TABLE t; --\"").expect("understood");

    assert_eq!(answer.rows, [["'); DROP TABLE t; --", "3"]]);
}

proptest! {
    #[test]
    fn nothing_panics(question in "\\PC{0,80}", table in "[a-z0-9,;|\"\\-\\n :.€%\\PC]{0,200}") {
        for source in ["x.csv", "x", "x.json", "x.md", "x.log"] {
            if let Ok(tables) = Table::read(source, &table) {
                for text in [question.as_str(), "how many rows", "highest a", "total b by a"] {
                    prop_assert!(ask(&tables, text, asking(None)).is_ok());
                }
            }
        }
    }

    #[test]
    fn words_of_questions_in_any_order_do_not_panic(words in prop::collection::vec(prop::sample::select(vec![
        "how", "many", "total", "amount", "by", "region", "North", "not", "and", "or", "between", "10", "over", "top", "3",
        "the", "highest", "average", "what", "about", "only", "sort", "descending", "in", "march", "2024", "last", "month",
        "without", "contains", "\"x\"", "per", "share", "of", "rows", "quarter", "Q1", "than", "median", "$5",
    ]), 1..10)) {
        let tables = Table::read("sales.csv", SALES).expect("a table");
        let former = answered("sales.csv", SALES, "total amount by region").expect("understood").query;
        let question = words.join(" ");
        for previous in [None, Some(&former)] {
            prop_assert!(ask(&tables, &question, asking(previous)).is_ok(), "{}", question);
        }
    }

    #[test]
    fn groups_come_to_the_whole(amounts in prop::collection::vec((0..4_u8, -1000i32..1000), 1..30)) {
        let rows: Vec<_> = amounts.iter().map(|(kind, amount)| json!({"kind": format!("k{kind}"), "amount": amount})).collect();
        let answer = answered("x.json", &json!(rows).to_string(), "What is the total amount by kind?").expect("understood");
        let parts: i32 = answer.rows.iter().map(|row| row[1].parse::<i32>().expect("a number")).sum();
        prop_assert_eq!(parts, amounts.iter().map(|(_, amount)| amount).sum::<i32>());
    }

    #[test]
    fn the_median_is_the_middle(mut values in prop::collection::vec(-1000i32..1000, 1..30)) {
        let rows: Vec<_> = values.iter().map(|value| json!({"weight": value, "name": "x"})).collect();
        let answer = answered("x.json", &json!(rows).to_string(), "What is the median weight?").expect("understood");
        values.sort_unstable();
        let middle = f64::from(values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
        prop_assert_eq!(answer.value.and_then(|value| value.number()), Some(middle));
    }
}
