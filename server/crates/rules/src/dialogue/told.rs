//! A message that tells of the change of one value, wherever it is written: all files that may hold one are read for it, and
//! the operation finds the place by the words of the message.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};
use switchboard_nlu::{Risk, SlotValue, Step};

use super::meaning::Meaning;
use super::mind::Mind;
use super::paths::is_guessed;
use super::plan::Plan;
use super::roles::{Roles, plan};
use super::tabular;
use crate::ops::{self, Unmade};

/// The edit that finds the place, and what it is told.
pub(super) const EDIT: &str = "change_told";
/// The edit that adds a row which is told.
pub(super) const NEW_ROW: &str = "add_told_row";
pub(super) const REQUEST: &str = "request";
pub(super) const ABOUT: &str = "about";
pub(super) const NAME: &str = "name";
pub(super) const NOW: &str = "now";
/// The lines that were shown, one of which holds the value.
pub(super) const LINES: &str = "lines";
pub(super) const BY_NAME: &str = "by_name";

/// Marks a plan that only states what is so.
pub(super) const STATED: &str = "stated";

/// How a reply tells the change that was made.
const CHANGED: &str = r"^I changed `([^`]+)` in `([^`]+)` from `[^`]*` to `([^`]*)`\.";

impl Mind<'_> {
    /// The meanings of a message, or the change that it tells, if they are not sure or look for a place by words, too.
    pub(super) fn or_told(&self, text: &str, earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        if let Some(plan) = self.told_again(text) {
            return vec![Meaning::Tables { plan, otherwise: meanings }];
        }
        match self.told_shown(text) {
            Some(plan) => vec![Meaning::Tables { plan, otherwise: self.or_told_anew(text, earlier, meanings) }],
            None => self.or_told_anew(text, earlier, meanings),
        }
    }

    /// The same of what is told without what was shown or changed before.
    fn or_told_anew(&self, text: &str, earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        if let Some(plan) = self.told_row(text, &meanings) {
            return vec![Meaning::Tables { plan, otherwise: meanings }];
        }
        // What a file has no place for under the words that were said may be told otherwise.
        if let [Meaning::Do(plan)] = meanings.as_slice()
            && (sets_a_value(plan) || (asks_tables(plan) && ops::tells_more_than_words(text)))
            && let Some(told) = self.told_change(text, earlier)
        {
            let otherwise = vec![Meaning::Tables { plan: told, otherwise: meanings.clone() }];
            return vec![Meaning::Tables { plan: plan.clone(), otherwise }];
        }
        let by_words = |plan: &Plan| {
            plan.values.contains_key("tables") && !plan.slots.contains_key("file") && plan.request.trim() == text.trim()
        };
        let open = |meaning: &Meaning| match meaning {
            meaning if remembers(meaning) => true,
            Meaning::Do(plan) | Meaning::Ask(plan) if plan.risk == Risk::Write => by_words(plan),
            // A tool that was named is called; what only some tool could do is a change only if it tells a figure or the like.
            Meaning::Tool { .. } | Meaning::Stop(_) => false,
            Meaning::Unknown(unknown) if unknown.agreed.is_some() => false,
            Meaning::Unknown(unknown) => unknown.said.is_none() || ops::tells_more_than_words(text),
            meaning => !meaning.is_sure(),
        };
        let is_open = match meanings.as_slice() {
            [only] => open(only),
            // What was taken apart may be one change after all, unless it puts something back.
            several => several.iter().any(open) && !several.iter().any(|meaning| meaning.plan().is_some_and(puts_back)),
        };
        match is_open.then(|| self.told_change(text, earlier)).flatten() {
            // What a file calls so is meant rather than something to be remembered.
            Some(mut plan) if meanings.iter().any(remembers) => {
                plan.values.insert(BY_NAME.to_owned(), true.into());
                vec![Meaning::Tables { plan, otherwise: meanings }]
            }
            Some(plan) => vec![Meaning::Tables { plan, otherwise: meanings }],
            None => meanings,
        }
    }

    /// The new row that a message tells, if it is not understood as one request that is done as it stands.
    fn told_row(&self, text: &str, meanings: &[Meaning]) -> Option<Plan> {
        let sure = |meaning: &Meaning| matches!(meaning, Meaning::Do(_) | Meaning::Tool { .. } | Meaning::Stop(_));
        if meanings.iter().all(sure) || !ops::tells_row(text) {
            return None;
        }
        let files: Vec<String> =
            tabular::all_of("rows", self.world)?.into_iter().filter(|path| tabular::is_table(path)).collect();
        let mut plan = change_in(files, text, text);
        plan.steps.iter_mut().filter(|step| step.edit.is_some()).for_each(|step| step.edit = Some(NEW_ROW.to_owned()));
        plan.values.insert("only_one".to_owned(), true.into());
        Some(plan)
    }

    /// Another value for what was changed just now.
    fn told_again(&self, text: &str) -> Option<Plan> {
        static MADE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CHANGED).ok());
        let made = MADE.as_ref()?.captures(self.said?)?;
        let part = |at: usize| made.get(at).map(|part| part.as_str().to_owned());
        let path = part(2).filter(|path| self.world.is_file(path))?;
        let value = only_value(text)?;
        let mut plan = change_in(vec![path], value, text);
        plan.values.insert(NAME.to_owned(), part(1)?.into());
        plan.values.insert(NOW.to_owned(), part(3)?.into());
        Some(plan)
    }

    /// Another value for what was shown just now.
    fn told_shown(&self, text: &str) -> Option<Plan> {
        let (path, lines) = ops::lines_shown(self.said?)?;
        let value = only_value(text).filter(|_| self.world.is_file(path))?;
        let mut plan = change_in(vec![path.to_owned()], value, text);
        plan.values.insert(LINES.to_owned(), lines.into());
        // What was not sure to be the answer is not changed unasked.
        if self.said?.starts_with(ops::UNSURE) {
            plan.values.insert(STATED.to_owned(), true.into());
        }
        Some(plan)
    }

    fn told_change(&self, text: &str, earlier: &[String]) -> Option<Plan> {
        let mut request = text.to_owned();
        let mut named: Vec<String> = Vec::new();
        for entity in self.engine.entities(text, self.world) {
            let SlotValue::Path { path, said, exists: true, folder: false, .. } = &entity.value else { continue };
            // A file whose name is only like what was typed is not changed unasked.
            if said.contains('.') && is_guessed(path, said) {
                return None;
            }
            let holds = tabular::holds_values(path);
            if holds && said.contains(['.', '/']) && said.contains(char::is_alphabetic) && !named.contains(path) {
                request = request.replace(said.as_str(), " ");
                named.push(path.clone());
            }
        }
        let files = match named.len() {
            0 => tabular::holding_values(self.world),
            1 => named,
            _ => return None,
        };
        if files.is_empty() || !ops::wishes(&request) {
            return None;
        }
        let mut plan = change_in(files, &request, text);
        if let Some(last) = earlier.last() {
            plan.values.insert(ABOUT.to_owned(), Value::String(last.clone()));
        }
        Some(plan)
    }
}

/// Whether a new row was told of a table that is there, and why it is not added says what it lacks.
pub(super) fn is_a_row_of_one(edit: &str, why: &Unmade) -> bool {
    edit == NEW_ROW && matches!(why, Unmade::Refused(_))
}

/// The value of a message that tells nothing else, and asks for it.
fn only_value(text: &str) -> Option<&str> {
    let value = Roles::get().corrected(text).unwrap_or(text);
    (ops::is_only_a_value(value) && (ops::wants(value) || value != text)).then_some(value)
}

/// Whether something is to be remembered under a name that a setting may have.
fn remembers(meaning: &Meaning) -> bool {
    let said = |plan: &Plan| plan.values.get("unless_written").and_then(Value::as_str).map(str::to_owned);
    meaning.plan().is_some_and(|plan| said(plan).is_some_and(|slot| plan.slots.contains_key(&slot)))
}

/// Whether a plan sets a value in a file that it names.
fn sets_a_value(plan: &Plan) -> bool {
    let sets = |edit: &String| Roles::get().sets.contains(edit);
    plan.risk == Risk::Write && plan.steps.iter().filter_map(|step| step.edit.as_ref()).any(sets)
}

/// Whether a plan asks the tables.
fn asks_tables(plan: &Plan) -> bool {
    plan.risk <= Risk::Read && tabular::is_about_tables(plan.reply.as_deref())
}

/// Whether a plan puts back what was changed.
fn puts_back(plan: &Plan) -> bool {
    plan.reply.as_deref() == Some("undone")
}

/// A plan that reads files and makes the change in one of them that a request tells.
fn change_in(files: Vec<String>, request: &str, text: &str) -> Plan {
    let roles = Roles::get();
    let arguments = Map::from_iter([("file_paths".to_owned(), "{files}".into())]);
    let reads = Step { tool: Some(roles.read.clone()), arguments, ..Step::default() };
    let changes = Step { tool: Some(roles.patch.clone()), edit: Some(EDIT.to_owned()), ..Step::default() };
    let values = Map::from_iter([("files".to_owned(), files.into()), (REQUEST.to_owned(), request.into())]);
    let summary = text.trim_end_matches(['.', '!', ' ']).to_owned();
    let told = plan(EDIT, text, Risk::Write, reads, values, "changed", summary);
    Plan { steps: told.steps.into_iter().chain([changes]).collect(), ..told }
}
