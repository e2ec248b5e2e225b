//! What is understood is checked against bash itself: a line of which the reader says that it runs nothing but `ls` is
//! given to bash, in a folder of its own where `ls` and `touch` only leave a trace of having run.

use std::fs;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::test_support::bash::{PIECES, TRICKS, is_only_ls, lay_out, touches};
use crate::worker_tests::run_in;
use crate::{RunEnd, RunOutcome};

/// A folder with `ls` and `touch` that leave a trace, and the real programs that start others.
struct Shell(tempfile::TempDir);

impl Shell {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        lay_out(folder.path());
        Self(folder)
    }

    /// Whether bash runs `touch` for this line.
    fn touches(&self, line: &str) -> bool {
        touches(self.0.path(), line)
    }
}

#[track_caller]
fn is_asked_about(line: &str) {
    // Baseline: bash runs the second command.
    assert!(Shell::new().touches(line), "{line:?} does not hide what it says");
    assert!(!is_only_ls(line), "{line:?} is taken for ls alone");
}

#[test]
fn n07_a_tab_before_the_end_of_a_here_document_hides_no_command() {
    is_asked_about("ls <<E\n\tE\nls <<'F'\nE\ntouch MARK\nF\n");
}

#[test]
fn n07_quotes_in_backticks_in_quotes_hide_no_command() {
    is_asked_about("ls \"`ls \\\"'\\\"; touch MARK #'`\"");
}

#[test]
fn n07_a_keyword_behind_a_redirection_is_a_program_and_hides_no_file() {
    for line in ["ls\n>MARK for x in y", "ls\n<a for x in y", "ls; if >MARK then; then ls; fi", "ls; a=1 for x in y"] {
        assert!(!is_only_ls(line), "{line}");
    }
    assert!(is_only_ls("for x in y; do ls >/dev/null; done"), "and a keyword before one");
}

#[test]
fn n07_time_behind_a_pipe_is_a_program() {
    for line in ["ls |&time &", "ls | time", "ls | time; ls"] {
        assert!(!is_only_ls(line), "{line}");
    }
    assert!(is_only_ls("time ls") && is_only_ls("ls; time ls"), "and a keyword before one");
}

#[test]
fn n07_what_bash_reads_in_another_way_is_asked_about() {
    for trick in TRICKS {
        is_asked_about(trick);
    }
}

/// How many lines bash reads in one run of the sandbox.
const BATCH: usize = 500;

/// Runs each of the lines of the file `lines`, which end with a zero byte, in a bash of its own, and puts out the numbers
/// of those that ran something else than `ls`.
const DRIVER: &str = r#"
number=0
while IFS= read -r -d '' line; do
  (cd work && exec timeout 5 env -i PATH="$PWD/../programs" LANG=C.UTF-8 BASH_ENV="$PWD/../missing" \
    /bin/bash -c "$line") >/dev/null 2>&1 </dev/null
  if [ -e programs/touch.ran ]; then echo "$number"; rm programs/touch.ran; fi
  number=$((number + 1))
done <lines
echo "$number lines were run"
"#;

/// Has bash run lines in the sandbox, and gives those that ran something else than `ls`.
async fn run_more_than_ls(shell: &Shell, lines: &[String]) -> Vec<String> {
    let folder = shell.0.path().canonicalize().expect("a path");
    let ended: Vec<String> = lines.iter().map(|line| format!("{line}\0")).collect();
    fs::write(folder.join("lines"), ended.concat()).expect("a file");
    let missing = "command_not_found_handle() { : > \"${PATH%%:*}/touch.ran\"; }\n";
    fs::write(folder.join("missing"), missing).expect("a file");
    let (outcome, said) = run_in(&folder, DRIVER).await;
    assert_eq!(outcome, RunOutcome::Ended(RunEnd::Exited(0)), "{said}");
    assert!(said.ends_with(&format!("{} lines were run\n", lines.len())), "{said}");
    said.lines().filter_map(|number| lines.get(number.parse::<usize>().ok()?).cloned()).collect()
}

/// Generates so many lines and has bash run those that are taken for nothing but `ls`; how many these were.
async fn hold_against_bash(count: usize) -> usize {
    let shell = Shell::new();
    // Baseline: what is more than `ls` is seen, also a program that there is not.
    let more = ["ls; touch MARK", "ls", "ls | xargs -n 1 touch", "ls; E x", "ls 2>/dev/null"].map(ToOwned::to_owned);
    let wrong = run_more_than_ls(&shell, &more).await;
    assert_eq!(wrong, ["ls; touch MARK", "ls | xargs -n 1 touch", "ls; E x"]);

    let piece = prop_oneof![12 => proptest::sample::select(PIECES), 1 => proptest::sample::select(TRICKS)];
    let lines = proptest::collection::vec(piece, 0..9).prop_map(|pieces| format!("ls {}", pieces.concat()));
    let mut runner = TestRunner::deterministic();
    let mut generated = (0..count).filter_map(|_| {
        let line = lines.new_tree(&mut runner).expect("a line").current();
        // A line with nothing but `ls` in it says little.
        (line.trim_start_matches("ls").len() > 4 && is_only_ls(&line)).then_some(line)
    });
    let mut held = 0;
    loop {
        let batch: Vec<String> = generated.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return held;
        }
        let wrong = run_more_than_ls(&shell, &batch).await;
        assert!(wrong.is_empty(), "bash runs more for {wrong:#?}");
        held += batch.len();
    }
}

#[tokio::test]
async fn n07_a_line_of_nothing_but_ls_is_one_for_bash_too() {
    let held = hold_against_bash(10_000).await;
    assert!(held > 300, "only {held} lines were held against bash");
}

#[tokio::test]
#[ignore = "runs for minutes: tests/run soak"]
async fn n07_a_million_lines_of_nothing_but_ls_are_ones_for_bash_too() {
    let held = hold_against_bash(1_000_000).await;
    println!("{held} of 1,000,000 lines were taken for nothing but ls, and bash ran nothing else for them");
}
