//! Plans with the steps that their requests and the workspace make them need, and what stands against them.

use serde_json::Value;
use switchboard_nlu::{Given, Intent, Risk, SlotType, SlotValue, Step, World};

use super::bound::asks;
use super::charts;
use super::mind::Mind;
use super::paths::{base, elsewhere, is_guessed};
use super::plan::Plan;
use super::project;
use super::refer::RESULT_BEFORE;
use super::roles::Roles;
use super::tabular;
use crate::ops::{cut_line, needs_value, plain};
use switchboard_search::is_stop_word;

/// Whether the plan begins by reading the file that it names.
fn reads_it(plan: &Plan) -> bool {
    plan.steps.first().is_some_and(|step| step.edit.is_none() && step.tool.as_ref() == Some(&Roles::get().read))
}

/// Whether the file is not where it was, once the plan was carried out.
fn goes(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| matches!(step.edit.as_deref(), Some("delete_file" | "rename_file")))
}

/// Whether words without quotation marks may describe what is to be written, rather than be it.
fn describes(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let a_number = !text.chars().any(char::is_alphabetic);
    a_number || words.len() > MAX_PLAIN || words.iter().any(|word| is_stop_word(&word.to_lowercase()))
}

fn path_of(slot: &SlotValue) -> Option<&str> {
    match slot {
        SlotValue::Path { path, .. } => Some(path),
        _ => None,
    }
}

/// Whether a text is a reference and nothing else.
fn is_reference(text: &str) -> bool {
    text.starts_with('@') && switchboard_context::reference(text).is_some()
}

/// Whether there is nothing to reckon: "25.5", "45 %".
fn is_a_number(text: &str) -> bool {
    text.trim_end_matches(['%', ' ']).parse::<f64>().is_ok()
}

/// So many words may be written that are not in quotation marks.
const MAX_PLAIN: usize = 4;

/// What is said when it is not clear what is to be written.
const WHAT_EXACTLY: &str = "What exactly shall I write? Put it in quotation marks.";

/// A shorter name is not taken for one that is only like it.
const MIN_GUESSED: usize = 7;

impl Mind<'_> {
    /// A plan about tables reads the file that is named, or those that it may be about.
    fn with_tables(&self, plan: Plan) -> Plan {
        let reply = plan.reply.clone().unwrap_or_default();
        let named = plan.slots.values().flat_map(|slot| match slot {
            SlotValue::Path { path, exists: true, folder: false, .. } => vec![path.clone()],
            SlotValue::Paths { paths } => paths.clone(),
            _ => Vec::new(),
        });
        let named: Vec<String> = named.collect();
        let files = if named.is_empty() {
            tabular::files_for(&reply, self.world, &self.recent.files, &plan.request)
        } else {
            named
        };
        let tables = charts::drawn_too(Roles::get().tables(&reply, &files, &plan.request), &plan);
        Plan { steps: tables.steps, values: tables.values, ..plan }
    }

    /// The plan with the steps that its request and the workspace make it need.
    pub(super) fn shaped(&self, plan: Plan) -> Result<Plan, String> {
        project::planned(self.with_source(plan), self.world)
    }

    /// A plan about a value that is there has no step that reads a file for it.
    fn with_source(&self, mut plan: Plan) -> Plan {
        if tabular::is_about_tables(plan.reply.as_deref()) {
            return self.with_tables(plan);
        }
        if let Some(files) = plan.values.keys().find_map(|kind| tabular::all_of(kind, self.world))
            && !plan.slots.contains_key("file")
        {
            // "in the letter": of the texts just that one.
            let place = plan.slots.get("where").map(SlotValue::text).unwrap_or_default();
            match self.engine.named(&place, self.world, SlotType::File) {
                Some(SlotValue::Path { path, exists: true, .. })
                    if plan.values.contains_key("tables") && tabular::is_text(&path) =>
                {
                    plan.slots.remove("where");
                    plan.values.shift_remove("where");
                    plan.values.insert("files".to_owned(), vec![path].into());
                }
                _ => {
                    let may_be_code = names_code(&plan);
                    let files = files.into_iter().filter(|path| may_be_code || !tabular::is_code(path));
                    plan.values.insert("files".to_owned(), files.collect::<Vec<_>>().into());
                }
            }
        }
        if plan.reply.as_deref() == Some("recall") && plan.steps.is_empty() {
            if plan.slots.is_empty() {
                plan.source = self.world.last_stored().map(|name| format!("@{name}"));
                return plan;
            }
            let called = ["memory", "variable", "key"].iter().find_map(|slot| plan.slots.get(*slot));
            plan.source = called.and_then(|slot| match slot {
                SlotValue::Variable { name, path } => Some(format!("@{name}{path}")),
                slot => {
                    let called = slot.text();
                    let variable = self.world.variable(&called).map(|name| format!("@{name}"));
                    variable.or_else(|| self.world.keys.contains(&plain(&called)).then_some(called))
                }
            });
            return plan;
        }
        let held = plan.slots.iter().find_map(|(name, slot)| match slot {
            SlotValue::Variable { name: variable, path } => Some((name.clone(), format!("@{variable}{path}"))),
            _ => None,
        });
        let Some((slot, reference)) = held else { return self.about_the_last(plan) };
        let reads = |step: &Step| step.edit.is_none() && step.tool.as_deref() == Some(Roles::get().read.as_str());
        let names = format!("{{{slot}}}");
        if let Some(first) = plan.steps.first()
            && reads(first)
            && serde_json::to_string(&first.arguments).is_ok_and(|arguments| arguments.contains(&names))
        {
            plan.steps.remove(0);
            plan.source = Some(reference);
        } else if plan.steps.is_empty() {
            plan.source = Some(reference);
        }
        plan
    }

    /// A plan without steps about a text or value that it does not name is about the last one.
    fn about_the_last(&self, mut plan: Plan) -> Plan {
        if !plan.steps.is_empty() || !plan.reply.as_deref().is_some_and(|reply| needs_value(reply, &plan.values)) {
            return plan;
        }
        if plan.reply.as_deref() == Some("value_at")
            && self.recent.file().is_none_or(|file| !tabular::is_settings(file))
        {
            let files = tabular::settings(self.world);
            let read = Roles::get().tables("value_at", &files, "");
            plan.steps = read.steps;
            plan.values.extend(read.values);
            return plan;
        }
        match self.recent.file().filter(|_| !self.recent.value_is_newer()) {
            Some(file) => {
                let read = Roles::get().tables("", &[file.to_owned()], "");
                plan.steps = read.steps;
                plan.values.extend(read.values);
            }
            None => plan.source = self.recent.value.clone(),
        }
        plan
    }

    /// Whether a name ends as those of files in this folder do.
    fn ends_as_files_in(&self, folder: &str, name: &str) -> bool {
        let ending = base(name).rsplit_once('.').map(|(_, ending)| ending).filter(|ending| !ending.is_empty());
        ending.is_some_and(|ending| !self.world.matching(&format!("{folder}/*.{ending}")).is_empty())
    }

    /// Whether a request says that it names a file: a word alone may be anything.
    fn names_a_thing(&self, request: &str) -> bool {
        let lower = request.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| self.engine.lists("named-things", word))
    }

    /// What stands against a plan: what it names is not there, or what it would write was not said. Empty: its words mean
    /// something else.
    pub(super) fn check(&self, intent: &Intent, plan: &Plan, before: &[Plan]) -> Result<(), String> {
        if self.means_no_such_table(plan) {
            return Err(String::new());
        }
        if plan.reply.as_deref() == Some("recall") && plan.steps.is_empty() && plan.source.is_none() {
            return Err(match plan.slots.values().map(SlotValue::text).next() {
                Some(called) => format!("I do not remember your {}.", cut_line(&called)),
                None => "That was not told to me.".to_owned(),
            });
        }
        if plan.values.get("files") == Some(&serde_json::json!([])) {
            return Err("There is no file here that this could be about; name it.".to_owned());
        }
        if plan.source.is_some() && plan.steps.iter().any(|step| step.edit.is_some()) {
            return Err("I can change files only; name the one.".to_owned());
        }
        // One file is not joined with itself.
        let is_one = |slot: &SlotValue| matches!(slot, SlotValue::Paths { paths } if paths.len() < 2);
        if plan.values.contains_key("several") && plan.slots.values().any(is_one) {
            return Err(String::new());
        }
        for (name, slot) in &plan.slots {
            let kind = intent.slots.get(name).map_or(SlotType::Phrase, |slot| slot.kind);
            if means_no_such_value(plan, kind, name, slot) {
                return Err(String::new());
            }
            if let Some(why) = self.against(intent, plan, before, kind, name, slot) {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Whether a plan is about a table or list that its words do not mean.
    fn means_no_such_table(&self, plan: &Plan) -> bool {
        // A question to tables takes any words.
        if tabular::is_about_tables(plan.reply.as_deref())
            && plan.slots.values().find_map(path_of).is_some_and(|path| !tabular::may_hold(path))
        {
            return true;
        }
        // "which bills are still open": the rows of a table have no boxes that could be ticked.
        if plan.values.get("text").and_then(Value::as_str).is_some_and(|text| text.starts_with("- ["))
            && plan.slots.values().filter_map(path_of).any(tabular::is_table)
        {
            return true;
        }
        // What "the shop site" names is no list or table: the words mean that file.
        let in_any = ["lists", "entries", "rows"].iter().any(|kind| plan.values.contains_key(*kind));
        let place = plan.slots.get("where").filter(|_| in_any);
        place.and_then(|place| self.engine.named(&place.text(), self.world, SlotType::File)).is_some_and(|named| {
            let files = plan.values.get("files").and_then(Value::as_array);
            matches!(named, SlotValue::Path { path, exists: true, folder: false, .. }
                if !files.is_some_and(|files| files.contains(&path.as_str().into())))
        })
    }

    /// What stands against a value, in words.
    fn against(
        &self,
        intent: &Intent,
        plan: &Plan,
        before: &[Plan],
        kind: SlotType,
        name: &str,
        slot: &SlotValue,
    ) -> Option<String> {
        use SlotType::{Content, File, Files, Folder, NewPath, Phrase};
        let made = |path: &str| before.iter().any(|plan| plan.slots.values().any(|slot| slot.text() == path));
        Some(match (kind, slot) {
            // Whoever reads says what is wrong with it; it may also be a file that is not listed.
            (File, SlotValue::Path { path, exists: false, .. })
                if plan.risk <= Risk::Read && path.contains(['.', '/']) && reads_it(plan) =>
            {
                return None;
            }
            (File | Files | Folder, SlotValue::Path { path, exists: false, .. })
                if !(made(path) || self.past.get() && goes(plan)) =>
            {
                let what = if kind == Folder { "folder" } else { "file" };
                let near = self.world.nearest(path).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
                format!("There is no {what} `{}` here.{near}", cut_line(path))
            }
            // "the minutes" are rather a file in it.
            (Folder, SlotValue::Path { path, folder: true, .. })
                if let Some(name) = plan.slots.get("path").map(SlotValue::text)
                    && !base(path).contains('.')
                    && self.ends_as_files_in(path, &name) =>
            {
                format!("`{path}` is a folder. Which file shall be called `{}`?", cut_line(&name))
            }
            (File | Files, SlotValue::Path { path, exists: true, said, .. })
                if is_guessed(path, said)
                    && (base(said).len() < MIN_GUESSED || elsewhere(path, said) || is_described(intent, said)) =>
            {
                format!("There is no file `{}` here. Did you mean `{path}`?", cut_line(said))
            }
            (NewPath, SlotValue::Path { path, exists: true, folder: false, .. })
                if intent.risk == Risk::Write && !self.past.get() =>
            {
                format!(
                    "`{path}` is there already, so I left it as it is. Say append to add to it, or replace the content of \
                     {path} with …"
                )
            }
            (NewPath, SlotValue::Path { path, exists: false, .. })
                if plan.slots.contains_key("content")
                    && !path.contains(['.', '/'])
                    && !self.names_a_thing(&plan.request) =>
            {
                format!("Is `{}` to be a new file? Say its whole name.", cut_line(path))
            }
            (File | Files, SlotValue::Variable { .. }) if plan.source.is_none() => {
                "I can do that with a file only; name it.".to_owned()
            }
            (Phrase, SlotValue::Text { text, .. }) if name == "content" && describes(text) => WHAT_EXACTLY.to_owned(),
            (Content, SlotValue::Text { how: Given::Plain, .. } | SlotValue::Number { .. }) => WHAT_EXACTLY.to_owned(),
            (_, SlotValue::Variable { name, .. })
                if name != RESULT_BEFORE
                    && !self.world.is_variable(name)
                    && !before.iter().any(|plan| plan.output.as_ref() == Some(name)) =>
            {
                format!("There is no variable `@{name}`.")
            }
            _ => return None,
        })
    }
}

/// Whether words are not meant as such a value: they say something else.
fn means_no_such_value(plan: &Plan, kind: SlotType, name: &str, slot: &SlotValue) -> bool {
    match (kind, slot) {
        // Lists are divided, and what is worked out is more than a name.
        (SlotType::Phrase, SlotValue::Text { text, .. }) if matches!(name, "items" | "options") => {
            ![",", ";", " and ", " or "].iter().any(|divider| text.contains(divider))
        }
        // "the average of the closed bugs": what is no number may be a column's.
        (SlotType::Phrase, SlotValue::Text { text, .. }) if name == "numbers" => {
            !text.contains(|c: char| c.is_ascii_digit())
        }
        (SlotType::Phrase, SlotValue::Text { how, .. }) if name == "content" => {
            matches!(how, Given::Quoted | Given::Code)
        }
        (SlotType::Expression, slot) => is_reference(&slot.text()) || is_a_number(&slot.text()),
        // "git: what have I modified" is no message of a commit.
        (SlotType::Content, SlotValue::Text { text, how }) => {
            plan.risk >= Risk::Execute && !matches!(how, Given::Quoted | Given::Plain) && asks(text)
        }
        _ => false,
    }
}

/// Whether words describe a file that is to be changed: "the holiday pictures". It may be another one.
fn is_described(intent: &Intent, said: &str) -> bool {
    intent.risk >= Risk::Write && said.contains(' ')
}

/// Whether a value may be one that code gives a name: the value that it has now is told. By its name alone it may be another
/// one, or one of several that belong together.
fn names_code(plan: &Plan) -> bool {
    plan.slots.contains_key("old")
}
