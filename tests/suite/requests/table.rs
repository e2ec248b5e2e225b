//! What is told of all verdicts: the tables, the guiding failures in full, the counting verdicts by id.

use std::io::Write;

use serde_json::json;

use super::Told;
use super::judge::Verdict;

const GROUPS: [&str; 5] = ["developer", "data", "operations", "casual", "follow-up"];
const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Done, "done"),
    (Verdict::Asked, "asked"),
    (Verdict::Refused, "refused"),
    (Verdict::Wrong, "wrong"),
    (Verdict::Harmed, "harmed"),
];
/// How much of a text is told of a failure.
const TOLD: usize = 4000;

/// How often each verdict was given in each group.
pub(super) struct Table {
    name: &'static str,
    verdicts: Vec<(String, Verdict)>,
}

impl Table {
    /// Counts.
    pub(super) fn of(name: &'static str, told: &[Told]) -> Self {
        Self { name, verdicts: told.iter().map(|one| (one.case.group.clone(), one.judgement.verdict)).collect() }
    }

    /// Percent done, asked or not, of a group or of all.
    pub(super) fn done(&self, group: Option<&str>) -> f64 {
        self.percent(group, &[Verdict::Done, Verdict::Asked])
    }

    /// Percent wrong or harmed.
    pub(super) fn wrong(&self) -> f64 {
        self.percent(None, &[Verdict::Wrong, Verdict::Harmed])
    }

    /// Percent that was asked about.
    pub(super) fn asked(&self) -> f64 {
        self.percent(None, &[Verdict::Asked])
    }

    fn percent(&self, group: Option<&str>, which: &[Verdict]) -> f64 {
        let of_group = || self.verdicts.iter().filter(|(of, _)| group.is_none_or(|group| group == of));
        let found = of_group().filter(|(_, verdict)| which.contains(verdict)).count();
        #[expect(clippy::cast_precision_loss, reason = "there are some hundreds")]
        let share = 100.0 * found as f64 / of_group().count().max(1) as f64;
        share
    }

    fn row(&self, group: Option<&str>) -> String {
        let number = self.verdicts.iter().filter(|(of, _)| group.is_none_or(|group| group == of)).count();
        let cells = VERDICTS.iter().map(|(verdict, _)| format!(" {:>7.1} |", self.percent(group, &[*verdict])));
        format!("| {:<10} | {number:>6} |{}\n", group.unwrap_or("all"), cells.collect::<String>())
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let heads: String = VERDICTS.iter().map(|(_, head)| format!(" {head:>7} |")).collect();
        writeln!(out, "| {:<10} | number |{heads} percent\n|:--|--:|--:|--:|--:|--:|--:|", self.name)?;
        let groups = GROUPS.iter().map(|group| Some(*group)).chain([None]);
        groups.map(|group| self.row(group)).try_for_each(|row| out.write_str(&row))
    }
}

/// Prints tables past the test's own capture, so that they are seen of a test that passes, too.
pub(super) fn print(tables: &[Table]) {
    for table in tables.iter().filter(|table| !table.verdicts.is_empty()) {
        let _ = writeln!(std::io::stderr(), "\n{table}");
    }
}

/// One line of JSON for each that is neither done nor asked.
pub(super) fn failures(told: &[Told]) -> String {
    let failed = told.iter().filter(|one| !matches!(one.judgement.verdict, Verdict::Done | Verdict::Asked));
    failed.map(|one| format!("{}\n", failure(one))).collect()
}

/// One line for each: its id and its verdict.
pub(super) fn verdicts(told: &[Told]) -> String {
    told.iter().map(|one| format!("{} {}\n", one.case.id, word(one.judgement.verdict))).collect()
}

fn failure(told: &Told) -> serde_json::Value {
    let (case, judgement) = (&told.case, &told.judgement);
    let cut = |text: &Option<String>| text.as_ref().map(|text| text.chars().take(TOLD).collect::<String>());
    let change = |(path, was, is): &(_, _, _)| json!({"path": path, "was": cut(was), "is": cut(is)});
    json!({
        "id": case.id,
        "verdict": word(judgement.verdict),
        "workspace": case.workspace,
        "say": case.say,
        "replies": told.replies,
        "outcome": if case.outcome == super::case::Outcome::Done { "done" } else { "refuse" },
        "failed": judgement.faults,
        "harmed": judgement.harmed,
        "changed": judgement.changed.iter().map(change).collect::<Vec<_>>(),
    })
}

fn word(verdict: Verdict) -> &'static str {
    VERDICTS.iter().find(|(one, _)| *one == verdict).map_or("", |(_, word)| *word)
}
