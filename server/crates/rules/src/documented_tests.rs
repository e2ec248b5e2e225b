//! Every row of docs/rules.md: the messages, the tools that the last one uses, and a part of its answer.

use std::sync::Arc;

use crate::Rules;
use switchboard_agent::test_support::TestSession;

const DOCUMENT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/rules.md"));

const FILES: &[(&str, &str)] = &[
    ("notes.txt", "first line\nsecond line with port\nthird\n"),
    ("a.txt", "content of a\n"),
    ("config.json", "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}, \"tags\": [\"a\", \"b\"]}\n"),
    ("config2.json", "{\"port\": 4000}\n"),
    ("sales.csv", "region,quarter,amount\nNorth,Q1,120\nSouth,Q1,80\nNorth,Q2,150\nEast,Q2,60\n"),
];

#[tokio::test]
async fn what_the_document_promises_is_so() {
    let rows: Vec<Vec<String>> = DOCUMENT.lines().filter(|line| line.starts_with("| *")).map(cells).collect();
    assert!(rows.len() > 20, "only {} rows", rows.len());
    for row in &rows {
        let [said, tools, part] = row.as_slice() else { panic!("{row:?}") };
        let messages: Vec<&str> = said.trim_matches('*').split("* then *").collect();
        let tools: Vec<&str> =
            tools.split(", ").map(|tool| tool.trim_matches('`')).filter(|tool| *tool != "nothing").collect();
        let (last, before) = messages.split_last().expect("a message");
        let session = TestSession::with_files(Arc::new(Rules), FILES);
        for message in before {
            session.say(message).await;
        }

        let turned = session.say(last).await;

        assert_eq!(turned.tools, tools, "{said}: {}", turned.text);
        assert!(turned.text.contains(part.as_str()), "{said}: {}", turned.text);
    }
}

/// The cells of a row, with what Markdown escapes as it is.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\u{1}").replace("\\*", "*");
    row.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}
