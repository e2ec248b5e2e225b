//! What people ask, and what the answers are: the questions of `fixtures/`, which were written before the code.

use jiff::civil::{DateTime, date};

use crate::query::Query;
use crate::{Answer, Asking, Catalogue, Outcome, Seen, Table, ask};

const FILES: &[(&str, &str)] = &[
    ("sales.csv", include_str!("../fixtures/sales.csv")),
    ("data/orders.csv", include_str!("../fixtures/orders.csv")),
    ("data/products.json", include_str!("../fixtures/products.json")),
    ("hr/employees.csv", include_str!("../fixtures/employees.csv")),
    ("docs/expenses.md", include_str!("../fixtures/expenses.md")),
    ("ops/servers.json", include_str!("../fixtures/servers.json")),
    ("tickets.jsonl", include_str!("../fixtures/tickets.jsonl")),
    ("flights.csv", include_str!("../fixtures/flights.csv")),
    ("students.tsv", include_str!("../fixtures/students.tsv")),
    ("ops/hosts.csv", include_str!("../fixtures/hosts.csv")),
    ("harvest.csv", include_str!("../fixtures/harvest.csv")),
    ("marks.csv", include_str!("../fixtures/marks.csv")),
    ("keys.csv", include_str!("../fixtures/keys.csv")),
    ("shows.csv", include_str!("../fixtures/shows.csv")),
    ("weather.csv", include_str!("../fixtures/weather.csv")),
    ("budget.csv", include_str!("../fixtures/budget.csv")),
    ("rain.csv", include_str!("../fixtures/rain.csv")),
    ("absences.csv", include_str!("../fixtures/absences.csv")),
    ("stock.csv", include_str!("../fixtures/stock.csv")),
    ("crew.csv", include_str!("../fixtures/crew.csv")),
    ("regattas.csv", include_str!("../fixtures/regattas.csv")),
    ("certs.csv", include_str!("../fixtures/certs.csv")),
    ("boxes.csv", include_str!("../fixtures/boxes.csv")),
    ("parts.csv", include_str!("../fixtures/parts.csv")),
    ("ledger.csv", include_str!("../fixtures/ledger.csv")),
    ("dues.csv", include_str!("../fixtures/dues.csv")),
    ("logs/access.log", include_str!("../fixtures/access.log")),
    ("logs/app.log", include_str!("../fixtures/app.log")),
    ("logs/syslog", include_str!("../fixtures/syslog")),
];

/// Files that are asked by their names only.
const NAMED: &[(&str, &str)] = &[
    ("cellar.csv", include_str!("../fixtures/cellar.csv")),
    ("bugs.csv", include_str!("../fixtures/bugs.csv")),
    ("subscriptions.json", include_str!("../fixtures/subscriptions.json")),
    ("homes.csv", include_str!("../fixtures/homes.csv")),
    ("matches.csv", include_str!("../fixtures/matches.csv")),
    ("accounts.json", include_str!("../fixtures/accounts.json")),
    ("requests.jsonl", include_str!("../fixtures/requests.jsonl")),
    ("power.csv", include_str!("../fixtures/power.csv")),
    ("loans.csv", include_str!("../fixtures/loans.csv")),
];

fn now() -> DateTime {
    date(2025, 3, 15).at(12, 0, 0, 0)
}

fn tables(name: &str) -> Vec<Table> {
    let (path, text) =
        FILES.iter().chain(NAMED).find(|(path, _)| path.ends_with(name)).expect("a file of the fixtures");
    Table::read(path, text).expect("a table")
}

/// The cells of an answer; of rows that nobody asked columns of the first.
fn brief(answer: &Answer) -> String {
    let whole = answer.query.is_rows() && answer.query.columns.is_empty();
    let row = |row: &Vec<String>| if whole { row[0].clone() } else { row.join(", ") };
    answer.rows.iter().map(row).collect::<Vec<_>>().join("; ")
}

fn asked(tables: &[Table], question: &str, previous: Option<&Query>) -> (String, Option<Query>) {
    let asking = Asking { now: now(), previous, given: true };
    match ask(tables, question, asking).expect("it runs") {
        Outcome::Understood(answer) => (brief(&answer), Some(answer.query)),
        Outcome::Ambiguous(choices) => {
            let labels: Vec<String> = choices.into_iter().map(|(label, _)| label).collect();
            (format!("?? {}", labels.join(" | ")), None)
        }
        Outcome::NotUnderstood(words) => (format!("? {}", words.join(", ")), None),
    }
}

/// `? word` asks for that word, `?` for any.
fn fits(said: &str, expected: &str) -> bool {
    said == expected
        || (expected == "??" && said.starts_with("??"))
        || (expected == "?" && said.starts_with('?'))
        || (expected.starts_with("? ") && said.contains(&expected[2..]) && said.starts_with("? "))
}

fn check(source: &str) {
    let mut current: Vec<Table> = Vec::new();
    let mut previous: Option<Query> = None;
    let (mut wrong, mut all) = (Vec::new(), 0);
    for line in source.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix("@ ") {
            current = tables(name);
            continue;
        }
        let Some((question, expected)) = line.split_once(" => ") else {
            previous = None;
            continue;
        };
        all += 1;
        let follows = question.strip_prefix("> ");
        let before = previous.take().filter(|_| follows.is_some());
        let (said, query) = asked(&current, follows.unwrap_or(question), before.as_ref());
        if !fits(&said, expected.trim()) {
            wrong.push(format!("{question}\n    expected {expected}\n    said     {said}"));
        }
        previous = query.or(before);
    }
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn questions_are_answered_as_people_expect() {
    check(include_str!("../fixtures/questions.txt"));
}

#[test]
fn other_questions_are_answered_or_refused() {
    check(include_str!("../fixtures/second.txt"));
}

#[test]
fn sloppy_questions_are_answered_or_refused() {
    check(include_str!("../fixtures/third.txt"));
}

#[test]
fn what_a_table_does_not_know_is_not_answered() {
    check(include_str!("../fixtures/fourth.txt"));
}

#[test]
fn a_last_round_is_answered_or_refused() {
    check(include_str!("../fixtures/fifth.txt"));
}

#[test]
fn verbs_expressions_and_second_parts_are_answered_or_refused() {
    check(include_str!("../fixtures/sixth.txt"));
}

#[test]
fn columns_are_found_by_the_ways_in_which_people_speak_of_them() {
    check(include_str!("../fixtures/seventh.txt"));
}

#[test]
fn words_that_name_no_column_are_understood_by_what_stands_there() {
    check(include_str!("../fixtures/eighth.txt"));
}

#[test]
fn follow_ups_change_the_question_before() {
    check(include_str!("../fixtures/follow_ups.txt"));
}

#[test]
fn the_file_is_found_by_what_stands_in_it() {
    let mut catalogue = Catalogue::default();
    let listing: Vec<Seen> = FILES
        .iter()
        .map(|(path, text)| Seen { path: (*path).to_owned(), size: text.len() as u64, modified: 1 })
        .collect();
    assert_eq!(catalogue.refresh(&listing).len(), listing.len());
    for seen in &listing {
        let (_, text) = FILES.iter().find(|(path, _)| *path == seen.path).expect("one of the files");
        catalogue.insert(seen, text);
    }

    let mut wrong = Vec::new();
    for line in include_str!("../fixtures/catalogue.txt").lines().filter(|line| !line.starts_with('#')) {
        let (question, expected) = line.split_once(" => ").expect("a question and a file");
        let said = match catalogue.understand(question, Asking { now: now(), previous: None, given: false }) {
            Outcome::Understood(understood) => understood.query.source,
            Outcome::Ambiguous(choices) => choices.into_iter().map(|(label, _)| label).collect::<Vec<_>>().join(" | "),
            Outcome::NotUnderstood(_) => "?".to_owned(),
        };
        if said != expected.trim() {
            wrong.push(format!("{question}\n    expected {expected}\n    said     {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(catalogue.refresh(&listing).is_empty(), "what has not changed is not read again");
}
