//! A request as it is written down: what is said, in which workspace, and what shall hold afterwards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use regex::{Captures, Regex};
use serde::Deserialize;

/// One conversation whose last message is judged.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// Pass, group and number: `a-dev-001`.
    pub id: String,
    /// `developer`, `data`, `operations`, `casual` or `follow-up`.
    pub group: String,
    /// The folder of `tests/requests/workspaces`; beside it, perhaps, a script that prepares a copy: `<workspace>.setup.sh`.
    pub workspace: String,
    /// The messages, in order.
    pub say: Vec<String>,
    /// What is right.
    pub outcome: Outcome,
    /// Each stands in the last reply, in upper or lower case; alternatives are divided by `|`.
    #[serde(default)]
    pub answer: Vec<String>,
    /// None stands in the last reply.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Each of these patterns fits the last reply. In them, `{now:%A}` is today in this format and `{days:12-25}` the number
    /// of days until the next 25 December.
    #[serde(default, rename = "match")]
    pub matches: Vec<String>,
    /// What holds of files after the last message; every other one is as it was.
    #[serde(default)]
    pub files: BTreeMap<String, Expectation>,
    /// Files that may come or change without being judged.
    #[serde(default)]
    pub also: Vec<String>,
    /// What earlier messages asked to be done to files, where the last one asks for something else: left so, the request
    /// is not done, but nothing is harmed.
    #[serde(default)]
    pub left: BTreeMap<String, Expectation>,
}

/// What is right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// It can be done and shall be.
    #[default]
    Done,
    /// Nothing is to be done; that is to be said, or to be asked about.
    Refuse,
}

/// What holds of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expectation {
    /// It is not there.
    #[serde(default)]
    pub gone: bool,
    /// Its content, but for the last newline.
    pub is: Option<String>,
    /// It is as this file was at the start.
    pub same_as: Option<String>,
    /// What stands in it.
    #[serde(default)]
    pub has: Vec<String>,
    /// What does not stand in it.
    #[serde(default)]
    pub lacks: Vec<String>,
}

impl Case {
    /// The folder that is copied for it.
    pub(super) fn origin(&self) -> PathBuf {
        root().join("workspaces").join(&self.workspace)
    }

    /// The script that prepares a copy, if there is one.
    pub(super) fn setup(&self) -> Option<PathBuf> {
        let script = root().join("workspaces").join(format!("{}.setup.sh", self.workspace));
        script.is_file().then_some(script)
    }

    /// Whether its conversation ends in a bare "yes", which a person types only if there was a question.
    pub(super) fn is_consent(&self, message: &str) -> bool {
        self.outcome == Outcome::Done && message == "yes"
    }
}

/// The requests of `guide` or of `count`.
pub(super) fn load(part: &str) -> Vec<Case> {
    #[derive(Deserialize)]
    struct Cases {
        case: Vec<Case>,
    }
    let folder = std::fs::read_dir(root().join(part)).expect("the folder of requests");
    let mut passes: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    passes.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cases: Cases = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        cases.case
    };
    passes.iter().flat_map(read).collect()
}

/// A pattern with today's values in place of `{now:…}` and `{days:…}`; the servers live in UTC.
pub(super) fn of_today(pattern: &str, today: Date) -> String {
    let token = Regex::new(r"\{(now|days):([^}]*)\}").expect("a pattern");
    let value = |found: &Captures| match &found[1] {
        "now" => today.strftime(&found[2]).to_string(),
        _ => days(&found[2], today).to_string(),
    };
    token.replace_all(pattern, value).into_owned()
}

fn days(to: &str, today: Date) -> i32 {
    let year = |year: i16| format!("{year}-{to}").parse::<Date>().expect("a month and a day");
    let next = [year(today.year()), year(today.year() + 1)].into_iter().find(|date| *date >= today);
    (next.expect("next year's is later") - today).get_days()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("requests")
}
