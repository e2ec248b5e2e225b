//! The order of the house: who may use whom, and how every file opens.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the lowest to the highest; rooms of one step do not know each other.
const LADDER: &[&[&str]] = &[
    &["runtime"],
    &["accounts"],
    &["events", "workspace"],
    &["llm", "context", "search"],
    &["resources"],
    &["tools", "conversation"],
    &["mcp"],
    &["agent"],
    &["session"],
    &["socket"],
    &["http"],
    &["config"],
    &["app"],
    &["cli", "main", "lib"],
];

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

fn step(room: &str) -> Option<usize> {
    LADDER.iter().position(|rooms| rooms.contains(&room))
}

#[test]
fn rooms_look_downhill_only() {
    let source = root().join("server/src");
    let mut wrong = Vec::new();
    for path in sources(&source, "rs") {
        let inside = path.strip_prefix(&source).expect("a source of the server");
        let room = inside.components().next().expect("a room").as_os_str().to_string_lossy().replace(".rs", "");
        let own = step(&room).unwrap_or_else(|| panic!("{room} is not on the ladder of tests/suite/house.rs"));
        for (number, line) in fs::read_to_string(&path).expect("a source").lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let Some(other) = step(used) else { continue };
                if used != room && other >= own {
                    wrong.push(format!("{}:{}: {room} uses {used}", inside.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    let served: BTreeSet<String> = sources(&root().join("server/src/session/slash"), "rs")
        .iter()
        .filter(|path| !path.ends_with("tests.rs"))
        .flat_map(|path| names(&text(path)))
        .collect();
    let list = text(&root().join("web/src/text/complete.ts"));
    let list = list.split("COMMANDS").nth(1).and_then(|list| list.split("];").next()).expect("the list");

    assert!(served.contains("help"));
    assert_eq!(names(list), served);
    let terminal = text(&root().join("server/src/cli/chat/complete.rs"));
    let missing: Vec<&String> = served.iter().filter(|name| !terminal.contains(&format!("\"/{name}\""))).collect();
    assert!(missing.is_empty(), "the terminal does not finish {missing:?}");
}
