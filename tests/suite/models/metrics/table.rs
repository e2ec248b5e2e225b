//! The figures in docs/models.md: a row for each metric, a column for each way to decide. A run writes what it measured
//! and leaves the rest.

use std::fs;
use std::path::PathBuf;

use super::Score;

const DOCUMENT: &str = "docs/models.md";
const MARKS: [&str; 2] = ["<!-- metrics -->", "<!-- /metrics -->"];

/// Writes these figures of one column.
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

/// The row of the sums.
const ALL: &str = "all";

/// The table with these figures in its column, or in a new one. Their sum is there once all of them are.
fn with_column(table: &str, column: &str, scores: &[Score]) -> String {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = table.lines();
    let mut head = lines.next().map_or_else(|| vec!["of 20 cases each".to_owned()], cells);
    let mut rows: Vec<Vec<String>> = lines.skip(1).map(cells).filter(|row| row[0] != ALL).collect();
    let place = head.iter().position(|name| name == column).unwrap_or_else(|| {
        head.push(column.to_owned());
        head.len() - 1
    });
    for score in scores {
        let known = rows.iter().position(|row| row[0] == score.metric).unwrap_or_else(|| {
            rows.push(vec![score.metric.clone()]);
            rows.len() - 1
        });
        rows[known].resize(head.len(), String::new());
        rows[known][place] = score.right().to_string();
    }
    let mut sums = vec![ALL.to_owned()];
    for place in 1..head.len() {
        let figures: Option<Vec<usize>> = rows.iter().map(|row| row.get(place)?.parse().ok()).collect();
        sums.push(figures.map_or_else(String::new, |figures| figures.iter().sum::<usize>().to_string()));
    }
    rows.push(sums);
    rows.iter_mut().for_each(|row| row.resize(head.len(), String::new()));
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = format!("|{}", "---|".repeat(head.len()));
    [line(&head), rule].into_iter().chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_writes_its_own_column_and_leaves_the_others() {
    let score =
        |metric: &str, wrong: usize| Score { metric: metric.to_owned(), cases: 20, wrong: vec![String::new(); wrong] };

    let first = with_column("", "`rules`", &[score("chains", 3), score("context", 12)]);
    let second = with_column(&first, "`native`", &[score("context", 0)]);
    let third = with_column(&second, "`rules`", &[score("chains", 2)]);

    let expected = "| of 20 cases each | `rules` | `native` |\n|---|---|---|\n| chains | 18 |  |\n| context | 8 | 20 |\n\
                    | all | 26 |  |";
    assert_eq!(third, expected);
}
