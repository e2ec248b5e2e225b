//! Puts questions to all the tables of a folder: `asks FOLDER QUESTION…`, each question on its own.

use std::path::Path;

use switchboard_tables::{Asking, Outcome, Table, ask};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let mut texts = Vec::new();
    read(Path::new(&folder), Path::new(&folder), &mut texts);
    let tables = Table::read_all(&texts);
    for question in arguments {
        let now = jiff::civil::date(2026, 7, 15).at(12, 0, 0, 0);
        let outcome = ask(&tables, &question, Asking { now, previous: None, given: false });
        println!("\n> {question}");
        match outcome.expect("it runs") {
            Outcome::Understood(answer) => println!("{}", answer.markdown()),
            Outcome::Ambiguous(choices) => {
                let labels: Vec<&str> = choices.iter().map(|(label, _)| label.as_str()).collect();
                println!("either {}", labels.join(" or "));
            }
            Outcome::NotUnderstood(words) => println!("not understood: {words:?}"),
        }
    }
}

/// Reads the texts of a folder and of those in it.
fn read(root: &Path, folder: &Path, texts: &mut Vec<(String, String)>) {
    let mut paths: Vec<_> = folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.strip_prefix(root).expect("a path in the folder").to_string_lossy().into_owned();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            read(root, &path, texts);
        } else if matches!(ending, "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "log")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            texts.push((name, text));
        }
    }
}
