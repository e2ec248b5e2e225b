//! The records: read, compared, written anew.

use std::path::{Path, PathBuf};

/// How much of a line is shown.
const SHOWN: usize = 240;

/// How many lines of a difference are shown.
const MOST: usize = 24;

/// The folder of the records.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conversations")
}

/// Compares a conversation with its record, or writes it; what differs.
pub(super) fn differs(name: &str, lines: &[String]) -> Option<String> {
    let path = folder().join(format!("{name}.jsonl"));
    #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own")]
    let records = std::env::var("SWITCHBOARD_RECORD").is_ok_and(|value| value == "1");
    if records {
        std::fs::create_dir_all(folder()).expect("the folder is made");
        std::fs::write(&path, lines.join("\n") + "\n").expect("the record is written");
        return None;
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    let recorded: Vec<&str> = recorded.lines().collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let changes = changes(&recorded, &lines);
    (!changes.is_empty()).then(|| format!("--- {name} as recorded\n+++ {name} as played\n{}", shown(&changes)))
}

/// One line that is not in both: its number in its own text, from 1, and whether it is new.
struct Change<'a> {
    number: usize,
    new: bool,
    line: &'a str,
}

/// What is to be removed and added, by the longest common subsequence.
fn changes<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Change<'a>> {
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let longest = common[i + 1][j].max(common[i][j + 1]);
            common[i][j] = if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { longest };
        }
    }
    let (mut i, mut j, mut changes) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            changes.push(Change { number: i + 1, new: false, line: old[i] });
            i += 1;
        } else {
            changes.push(Change { number: j + 1, new: true, line: new[j] });
            j += 1;
        }
    }
    changes
}

/// The first of the changes; a long line from shortly before the place where it and its counterpart part.
fn shown(changes: &[Change]) -> String {
    let mut text = String::new();
    for (at, change) in changes.iter().enumerate().take(MOST) {
        let counterpart = changes[at.saturating_sub(1)..].iter().find(|other| other.new != change.new);
        let same = counterpart
            .map_or(0, |other| change.line.bytes().zip(other.line.bytes()).take_while(|(one, two)| one == two).count());
        let from = change.line.floor_char_boundary(same.saturating_sub(SHOWN / 3));
        let to = change.line.floor_char_boundary((from + SHOWN).min(change.line.len()));
        let sign = if change.new { '+' } else { '-' };
        let (before, after) = (if from > 0 { "…" } else { "" }, if to < change.line.len() { "…" } else { "" });
        text.push_str(&format!("{sign}{}: {before}{}{after}\n", change.number, &change.line[from..to]));
    }
    if changes.len() > MOST {
        text.push_str(&format!("… and {} more lines\n", changes.len() - MOST));
    }
    text
}
