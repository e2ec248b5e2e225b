//! The order of the house: who may know whom, how every file opens, and how long it is.

mod circles;
mod graph;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// All files with the extension in the folder and below, but for what was built or installed there.
pub(crate) fn sources(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "node_modules" && name != "target" && name != "dist" {
            found.extend(sources(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_says_what_lives_in_it() {
    let mut wrong = Vec::new();
    for folder in ["server", "protocol", "tests"] {
        for path in sources(&root().join(folder), "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            if !text.starts_with("//!") {
                wrong.push(path.display().to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "without a //! at the top:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_tells_one_story() {
    let mut wrong = Vec::new();
    for (folder, extension) in [("server", "rs"), ("protocol/src", "rs"), ("tests", "rs"), ("web/src", "ts")] {
        for path in sources(&root().join(folder), extension) {
            let lines = fs::read_to_string(&path).expect("a source").lines().count();
            if lines > 400 && !path.ends_with("generated.ts") {
                wrong.push(format!("{}: {lines} lines", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "over 400 lines:\n{}", wrong.join("\n"));
}

/// Page and terminal know the commands by lists of their own, so that they are there before the server has said anything.
#[test]
fn page_and_terminal_finish_every_command() {
    let names = |text: &str| -> BTreeSet<String> {
        let behind = text.split("name: \"").skip(1);
        behind.filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
    };
    let text = |path: &Path| fs::read_to_string(path).expect("a source");
    let served: BTreeSet<String> = sources(&root().join("server/crates/session/src/slash"), "rs")
        .iter()
        .filter(|path| !path.ends_with("tests.rs"))
        .flat_map(|path| names(&text(path)))
        .collect();
    // `    help: { usage: …`, a line each.
    let list = text(&root().join("web/src/i18n/en/writing.ts"));
    let list = list.split("  commands: {").nth(1).and_then(|list| list.split("\n  },").next()).expect("the list");
    let finished = list.lines().filter_map(|line| line.split_once(": { usage"));
    let finished: BTreeSet<String> = finished.map(|(name, _)| name.trim().to_owned()).collect();

    assert!(served.contains("help"));
    assert_eq!(finished, served);
    let terminal = text(&root().join("server/src/cli/chat/complete.rs"));
    let missing: Vec<&String> = served.iter().filter(|name| !terminal.contains(&format!("\"/{name}\""))).collect();
    assert!(missing.is_empty(), "the terminal does not finish {missing:?}");
}
