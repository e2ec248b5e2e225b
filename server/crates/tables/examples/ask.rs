//! Puts questions to a table: `ask FILE QUESTION…`, each further question following up on the one before.

use switchboard_tables::{Asking, Outcome, Query, Table, ask};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let tables = Table::read(&path, &text).expect("a table");
    let mut previous: Option<Query> = None;
    for question in arguments {
        let now = jiff::civil::date(2025, 3, 15).at(12, 0, 0, 0);
        let start = std::time::Instant::now();
        let outcome = ask(&tables, &question, Asking { now, previous: previous.as_ref(), given: true });
        println!("\n> {question}  ({:?})", start.elapsed());
        match outcome.expect("it runs") {
            Outcome::Understood(answer) => {
                println!("{}\n{}", serde_json::to_string(&answer.query).expect("JSON"), answer.markdown());
                previous = Some(answer.query);
            }
            Outcome::Ambiguous(choices) => {
                for (label, query) in choices {
                    println!("either {label}: {}", serde_json::to_string(&query).expect("JSON"));
                }
            }
            Outcome::NotUnderstood(words) => println!("not understood: {words:?}"),
        }
    }
}
