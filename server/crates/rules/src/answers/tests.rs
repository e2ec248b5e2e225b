//! Questions to tables and summaries, as people ask them; and that nothing panics.

use proptest::prelude::*;
use serde_json::json;

use super::digest;
use super::query::Wanted;
use super::table::Table;
use super::tell::told;
use crate::clause::split;
use switchboard_events::ArtifactValue;

const PEOPLE: &str = "name,city,age,salary\nAda,Berlin,36,\"5,200\"\nGrace,Paris,45,6100\nAlan,London,41,4800\n\"Linus T.\",Berlin,29,\n";

fn asked(question: &str, value: &ArtifactValue) -> Option<String> {
    let clauses = split(question).clauses;
    let clause = clauses.first()?;
    Table::all_in(value)
        .iter()
        .find_map(|table| told(&Wanted::of(clause, table, "`people.csv`")?, table, "`people.csv`"))
}

fn people(question: &str) -> String {
    asked(question, &ArtifactValue::Text(PEOPLE.to_owned())).unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn questions_to_a_table_are_answered_from_it() {
    let said = [
        "How many people are there?",
        "How many people live in Berlin?",
        "How many cities are there?",
        "Who is the oldest?",
        "What is the highest salary?",
        "Which person has the lowest salary?",
        "What is the average age?",
        "What is the median age?",
        "What is the total of the salaries?",
        "What is the salary of Grace?",
        "What is Grace's city?",
        "What is the city of Linus T.?",
        "How many are older than 40?",
        "Who has a salary over 5000?",
        "Who is the youngest in Berlin?",
        "How many earn at least 6100 salary?",
    ]
    .map(people);

    let expected = [
        "`people.csv` has **4** people.",
        "**2** of the 4 rows in `people.csv` (city Berlin): Ada, Linus T..",
        "**3** different values of city in `people.csv`: Berlin, London, Paris.",
        "**Grace** has the highest age in `people.csv`: **45**.",
        "**Grace** has the highest salary in `people.csv`: **6100**.",
        "**Alan** has the lowest salary in `people.csv`: **4800**.",
        "The average age in `people.csv` is **37.75**, over 4 rows.",
        "The median age in `people.csv` is **38.5**, over 4 rows.",
        "The total salary in `people.csv` is **16100**, over 3 rows.",
        "The salary in `people.csv` (name Grace) is **6100**.",
        "The city in `people.csv` (name Grace) is **Paris**.",
        "The city in `people.csv` (name Linus T.) is **Berlin**.",
        "**2** of the 4 rows in `people.csv` (age over 40): Grace, Alan.",
        "2 of the 4 rows in `people.csv` (salary over 5000):\n\n| name | city | age | salary |\n| --- | --- | --- | --- |\n\
         | Ada | Berlin | 36 | 5,200 |\n| Grace | Paris | 45 | 6100 |",
        "**Linus T.** has the lowest age in `people.csv` (city Berlin): **29**.",
        "**1** of the 4 rows in `people.csv` (salary at least 6100): Grace.",
    ];
    for (said, expected) in said.iter().zip(expected) {
        assert_eq!(said, expected);
    }
}

#[test]
fn groups_of_rows_are_told_apart() {
    let said = [
        "What is the average age by city?",
        "How many people per city?",
        "Which city has the highest total salary?",
        "Which city has the lowest average age?",
        "What is the total salary for all cities?",
    ]
    .map(people);

    let ages = "The average age by city in `people.csv`:\n\n| city | average age |\n| --- | --- |\n";
    assert_eq!(said[0], format!("{ages}| Paris | 45 |\n| London | 41 |\n| Berlin | 32.5 |"));
    assert!(said[1].ends_with("| Berlin | 2 |\n| Paris | 1 |\n| London | 1 |\n\nAltogether **4**."), "{}", said[1]);
    assert_eq!(said[2], "**Paris** has the highest total salary in `people.csv`: **6100**.");
    assert_eq!(said[3], "**Berlin** has the lowest average age in `people.csv`: **32.5**.");
    assert!(said[4].ends_with("\n\nAltogether **16100**."), "{}", said[4]);
}

#[test]
fn what_it_does_not_understand_whole_is_left_to_others() {
    for question in [
        "What is the largest city in Germany by population?",
        "How many lines are there?",
        "How many files are in the current directory?",
        "Who is not in Berlin?",
        "What is the highest mountain?",
        "What is 40 more than 2?",
        "Tell me about Berlin's weather",
        "Calculate the average of 3 and 5",
        "Which planes are faster than 300?",
    ] {
        assert_eq!(people(question), "nothing", "{question}");
    }
}

#[test]
fn tables_are_found_in_json_and_markdown_too() {
    let markdown = "# Prices\n\n| item | price |\n|---|---:|\n| apple | $1.20 |\n| pear | $0.90 |\n\nThat is all.\n";
    let list = json!({"total": 2, "users": [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 45}]});
    let map = json!({"Ada": {"joined": "2024-03-01"}, "Grace": {"joined": "2023-11-20"}});
    let cheapest = asked("Which item is the cheapest?", &ArtifactValue::Text(markdown.to_owned()));
    let oldest = asked("Who is the oldest?", &ArtifactValue::Json(list.clone()));
    let users = asked("How many users are there?", &ArtifactValue::Text(list.to_string()));
    let earliest = asked("Who has the earliest joined?", &ArtifactValue::Json(map));

    assert_eq!(cheapest.as_deref(), Some("**pear** has the lowest price in `people.csv`: **$0.90**."));
    assert_eq!(oldest.as_deref(), Some("**Grace** has the highest age in `people.csv`: **45**."));
    assert_eq!(users.as_deref(), Some("`people.csv` has **2** users."));
    assert_eq!(earliest.as_deref(), Some("**Grace** has the earliest joined in `people.csv`: **2023-11-20**."));
}

#[test]
fn a_cell_cannot_write_markdown() {
    let value = ArtifactValue::Json(json!([{"name": "**x** <b>|`", "age": 3}, {"name": "y", "age": 1}]));

    let said = asked("Who is the oldest?", &value).expect("an answer");

    assert_eq!(said, "**\\*\\*x\\*\\* &lt;b>\\|'** has the highest age in `people.csv`: **3**.");
}

#[test]
fn a_summary_is_the_best_sentences_in_their_order() {
    let text = "# Notes\n\nThe server keeps every event in a log. Nothing is lost when the server dies.\n\n```\ncode Here. Not read.\n```\n\n\
                The log of events is stored in SQLite, and each session has its own events.\n\nIt rained a lot in May. \
                Somebody bought a machine for coffee. The team measures how fast the server answers.\n";

    let three = digest::summary(text, None).expect("a summary").told("`notes.md`");
    let one = digest::summary(text, Some(1)).expect("a summary").told("`notes.md`");

    assert!(
        three.starts_with(
            "`notes.md` in short, 3 of 6 sentences in its own words:\n\n- The server keeps every event in a log."
        ),
        "{three}"
    );
    assert!(!three.contains("code") && !three.contains("coffee"), "{three}");
    assert_eq!(one.lines().filter(|line| line.starts_with("- ")).count(), 1, "{one}");
    assert!(digest::summary("One short sentence stands here. And one more is there.", None).is_none());
}

#[test]
fn a_large_value_takes_no_time_to_speak_of() {
    let rows: String = (0..19_000).map(|at| format!("name{at},city{},{}\n", at % 7, at % 91)).collect();
    let value = ArtifactValue::Text(format!("name,city,age\n{rows}"));
    assert!(asked("What is the average age?", &value).is_some());
    let prose = "The server keeps every event in a log for ever. ".repeat(20_000);
    assert!(digest::summary(&prose, Some(12)).is_some());
    assert!(Table::all_in(&ArtifactValue::Text("x".repeat(3_000_000))).is_empty());
}

proptest! {
    #[test]
    fn nothing_panics(question in "\\PC{0,120}", table in "[a-z0-9,;|\"\\-\\n :.€%\\PC]{0,300}") {
        let _ = asked(&question, &ArtifactValue::Text(table.clone()));
        let _ = asked("What is the highest a?", &ArtifactValue::Text(table.clone()));
        let _ = asked(&format!("How many {question} over 3"), &ArtifactValue::Text(table.clone()));
        if let Some(best) = digest::summary(&table, Some(3)) {
            prop_assert!(best.told("x").starts_with('x'));
        }
    }

    #[test]
    fn groups_come_to_the_whole(amounts in prop::collection::vec((0..4_u8, -1000i32..1000), 1..30)) {
        let rows: Vec<_> = amounts.iter().map(|(kind, amount)| json!({"kind": format!("k{kind}"), "amount": amount})).collect();
        let said = asked("What is the total amount by kind?", &ArtifactValue::Json(json!(rows))).expect("an answer");
        let parts: i32 = said.lines().filter_map(|line| line.strip_prefix("| k")?.split(" | ").nth(1)?.trim_end_matches(" |").parse::<i32>().ok()).sum();
        let whole: i32 = amounts.iter().map(|(_, amount)| amount).sum();
        prop_assert_eq!(parts, whole, "{}", said);
    }

    #[test]
    fn an_extreme_is_one_of_the_cells(ages in prop::collection::vec(-1000i32..1000, 1..30)) {
        let value = ArtifactValue::Json(json!(ages.iter().map(|age| json!({"age": age})).collect::<Vec<_>>()));
        let said = asked("What is the highest age?", &value).expect("an answer");
        let highest = ages.iter().max().expect("one").to_string();
        let cell = format!("**{highest}**");
        prop_assert!(said.contains(&cell), "{said}");
    }
}
