//! The figures in docs/models.md: a row for each metric, a column for each way to decide. A run writes its own column and
//! leaves the others.

use std::fs;
use std::path::PathBuf;

use super::Score;

const DOCUMENT: &str = "docs/models.md";
const MARKS: [&str; 2] = ["<!-- metrics -->", "<!-- /metrics -->"];

/// Writes one column.
pub(super) fn write(column: &str, scores: &[Score]) {
    for Score { metric, wrong, .. } in scores {
        wrong.iter().for_each(|wrong| println!("{column}, {metric}: {wrong}"));
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(DOCUMENT);
    let text = fs::read_to_string(&path).expect("the document");
    let (before, rest) = text.split_once(MARKS[0]).expect("the opening mark");
    let (table, after) = rest.split_once(MARKS[1]).expect("the closing mark");
    let table = with_column(table.trim(), column, scores);
    println!("{table}");
    fs::write(path, format!("{before}{}\n\n{table}\n\n{}{after}", MARKS[0], MARKS[1])).expect("the document");
}

/// The table with these figures in its column, or in a new one.
fn with_column(table: &str, column: &str, scores: &[Score]) -> String {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = table.lines();
    let mut head = lines.next().map_or_else(|| vec!["of 20 cases each".to_owned()], cells);
    let old: Vec<Vec<String>> = lines.skip(1).map(cells).collect();
    let place = head.iter().position(|name| name == column).unwrap_or_else(|| {
        head.push(column.to_owned());
        head.len() - 1
    });
    let row = |name: String, figure: usize| {
        let mut row = old.iter().find(|row| row[0] == name).cloned().unwrap_or_else(|| vec![name]);
        row.resize(head.len(), String::new());
        row[place] = figure.to_string();
        row
    };
    let mut rows: Vec<Vec<String>> = scores.iter().map(|score| row(score.metric.clone(), score.right())).collect();
    rows.push(row("all".to_owned(), scores.iter().map(Score::right).sum()));
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = format!("|{}", "---|".repeat(head.len()));
    [line(&head), rule].into_iter().chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_writes_its_own_column_and_leaves_the_others() {
    let score = |wrong: usize| Score { metric: "chains".to_owned(), cases: 20, wrong: vec![String::new(); wrong] };

    let first = with_column("", "`rules`", &[score(3)]);
    let second = with_column(&first, "`native`", &[score(0)]);
    let third = with_column(&second, "`rules`", &[score(2)]);

    let expected = "| of 20 cases each | `rules` | `native` |\n|---|---|---|\n| chains | 18 | 20 |\n| all | 18 | 20 |";
    assert_eq!(third, expected);
}
