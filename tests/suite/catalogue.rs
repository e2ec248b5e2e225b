//! The catalogue of faults, `docs/faults.md`, checked against the tests that cite its cases: what a test cites stands
//! there, and what the page says of tests is true. A cell that is wrong is printed as it should be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::house::{root, sources};

/// How many tests a cell names before it counts the rest.
const NAMED: usize = 3;

/// A row of the page, with the words of its last cell.
struct Case {
    id: String,
    tests: String,
}

/// A test that cites cases: `fn e04_…` in Rust, `test("e04 …")` in TypeScript.
struct Test {
    name: String,
    body: String,
}

impl Test {
    fn words(&self) -> impl Iterator<Item = &str> {
        self.name.split(['_', ' '])
    }

    /// Mostly one; `e02_e03_…` cites two.
    fn cites(&self) -> impl Iterator<Item = String> {
        self.words().take_while(|word| is_id(word)).map(str::to_uppercase)
    }

    /// It does the same without the guard, and succeeds.
    fn is_baseline(&self) -> bool {
        self.words().find(|word| !is_id(word)) == Some("baseline")
    }
}

#[test]
fn every_test_with_an_id_cites_a_case_that_stands_in_the_catalogue() {
    let known: BTreeSet<String> = cases().into_iter().map(|case| case.id).collect();

    let mut unknown = BTreeSet::new();
    for test in tests() {
        unknown.extend(test.cites().filter(|id| !known.contains(id)).map(|id| format!("{id}: {}", test.name)));
    }

    let unknown: Vec<String> = unknown.into_iter().collect();
    assert!(unknown.is_empty(), "add these cases to docs/faults.md, or rename the tests:\n{}", unknown.join("\n"));
}

#[test]
fn every_row_of_the_catalogue_names_its_tests() {
    let mut citing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for test in tests().into_iter().filter(|test| !test.is_baseline()) {
        for id in test.cites() {
            citing.entry(id).or_default().insert(test.name.clone());
        }
    }

    let mut wrong = Vec::new();
    for case in cases() {
        let right = citing.get(&case.id).map(cell);
        let has_none = case.tests == "not yet" || case.tests.starts_with("Does not apply: ");
        let holds = right.as_ref().map_or(has_none, |right| case.tests == *right);
        if !holds {
            let right = right.unwrap_or_else(|| "not yet".to_owned());
            wrong.push(format!("{}: {right}", case.id));
        }
    }

    assert!(wrong.is_empty(), "the column Tests of docs/faults.md should say:\n{}", wrong.join("\n"));
}

#[test]
fn the_cases_of_a_group_are_numbered_without_a_hole() {
    let mut last: BTreeMap<char, u32> = BTreeMap::new();
    let mut wrong = Vec::new();

    for Case { id, .. } in cases() {
        let group = id.chars().next().expect("a letter");
        let number: u32 = id[1..].parse().expect("two digits");
        let before = last.insert(group, number).unwrap_or(0);
        if number != before + 1 {
            wrong.push(format!("{id} comes after {group}{before:02}"));
        }
    }

    assert!(!last.is_empty(), "docs/faults.md has no rows");
    assert!(wrong.is_empty(), "docs/faults.md: {}", wrong.join(", "));
}

/// Groups G, H and I, as far as tools go. A baseline is a function `g01_baseline_…`, or the part of a test behind
/// `// Baseline:`; it does the same without the guard, and succeeds.
#[test]
fn each_case_of_an_attack_on_tools_has_a_test_and_a_baseline_or_a_reason() {
    let tests = tests();
    let groups = [("G", 1..=24), ("H", 2..=5), ("I", 1..=10), ("I", 15..=16)];
    let guarded: BTreeSet<String> =
        groups.into_iter().flat_map(|(group, numbers)| numbers.map(move |n: u32| format!("{group}{n:02}"))).collect();

    let lacks = |case: &Case| {
        let citing: Vec<&Test> = tests.iter().filter(|test| test.cites().any(|id| id == case.id)).collect();
        let has_test = citing.iter().any(|test| !test.is_baseline());
        let has_baseline = citing.iter().any(|test| test.is_baseline() || test.body.contains("// Baseline: "));
        let has_reason = case.tests.starts_with("Does not apply: ");
        !has_reason && (!has_test || !has_baseline)
    };
    let missing: Vec<String> =
        cases().into_iter().filter(|case| guarded.contains(&case.id) && lacks(case)).map(|case| case.id).collect();

    assert!(missing.is_empty(), "without a test of its name, its baseline, or a reason in docs/faults.md: {missing:?}");
}

fn cases() -> Vec<Case> {
    let page = fs::read_to_string(root().join("docs/faults.md")).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>()).filter(|cells| is_id(cells[0]));
    let cases = cells.map(|cells| match cells[..] {
        [id, _fault, _required, tests] => Case { id: id.to_owned(), tests: tests.to_owned() },
        _ => panic!("docs/faults.md: {} has {} cells and not 4", cells[0], cells.len()),
    });
    cases.collect()
}

/// What the last cell of a row says when these tests cite it.
fn cell(names: &BTreeSet<String>) -> String {
    let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// All tests of the repository that cite a case, wherever the rooms lie.
fn tests() -> Vec<Test> {
    let mut found = Vec::new();
    for folder in ["server", "protocol", "tests"] {
        for path in sources(&root().join(folder), "rs") {
            found.extend(functions(&fs::read_to_string(path).expect("a source")));
        }
    }
    for folder in ["web/src", "tests"] {
        for path in sources(&root().join(folder), "ts") {
            found.extend(titles(&fs::read_to_string(path).expect("a source")));
        }
    }
    found
}

/// The test functions whose names begin with an id, each up to the brace that closes it.
fn functions(text: &str) -> Vec<Test> {
    let mut found = Vec::new();
    for (at, keyword) in text.match_indices("fn ") {
        let from = &text[at + keyword.len()..];
        let name = from.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if cites_a_case(name, '_') && is_test(&text[..line]) {
            let indent: String = text[line..].chars().take_while(|c| *c == ' ').collect();
            let body = &from[..from.find(&format!("\n{indent}}}")).unwrap_or(from.len())];
            found.push(Test { name: name.to_owned(), body: body.to_owned() });
        }
    }
    found
}

/// Whether an attribute such as `#[tokio::test(start_paused = true)]` stands above. Without this, a helper named
/// `u16_from` would be taken for case U16.
fn is_test(above: &str) -> bool {
    let is_apart = |line: &str| line.trim().is_empty() || line.ends_with(['{', '}']);
    let mut attached = above.lines().rev().take_while(|line| !is_apart(line)).map(str::trim_start);
    attached.any(|line| line.starts_with("#[") && (line.contains("test]") || line.contains("test(")))
}

/// The first arguments of calls that begin with an id: the titles of `test(…)` and `it(…)`, on their line or the next.
fn titles(text: &str) -> Vec<Test> {
    let quotes = text.match_indices(['"', '\'', '`']).filter(|(at, _)| text[..*at].trim_end().ends_with('('));
    let titles = quotes.map(|(at, quote)| text[at + 1..].split(quote).next().unwrap_or_default());
    let citing = titles.filter(|title| cites_a_case(title, ' '));
    citing.map(|title| Test { name: title.to_owned(), body: String::new() }).collect()
}

fn cites_a_case(name: &str, separator: char) -> bool {
    name.split_once(separator).is_some_and(|(first, _)| is_id(first))
}

/// A letter and two digits.
fn is_id(word: &str) -> bool {
    matches!(word.as_bytes(), [letter, tens, ones]
        if letter.is_ascii_alphabetic() && tens.is_ascii_digit() && ones.is_ascii_digit())
}
