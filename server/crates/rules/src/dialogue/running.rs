//! A plan while it is carried out, step by step.

use jiff::Zoned;
use serde_json::Value;
use switchboard_nlu::{Risk, SlotValue, Step};

use super::account::left_over;
use super::asides;
use super::call::Call;
use super::charts;
use super::expression;
use super::moves::{copied, renamed};
use super::plan::{Filler, HELD, Plan};
use super::recent::Recent;
use super::refer::{RESULT_BEFORE, SAID_BEFORE};
use super::roles::Roles;
use super::rows;
use super::shown::{as_content, without_heading};
use super::singled::singled;
use super::tabular::{Heard, is_code, is_text};
use super::told;
use super::value;
use crate::ops::{
    Change, Done, Edited, Slots, Stepped, Telling, Unmade, Untold, Used, arguments, change_again, change_shown,
    change_told, counted, cut_line, edit, gives_its_value, gone_or_moved, text_of,
};
use switchboard_agent::{Attempt, TurnContext};

/// How many changed files are named.
const MAX_NAMED: usize = 20;

/// What a parameter's description says that takes a regular expression.
const REGEX: &str = "regular expression";

/// A plan and what it came to so far.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) plan: Plan,
    /// The next step.
    pub(super) at: usize,
    pub(super) steps: Vec<Stepped>,
    /// The name that a tool's value gets.
    pub(super) named: Option<String>,
    /// The slots that the reply and the changes asked for.
    pub(super) used: Used,
    /// Whether it failed for a reason that leaves no other meaning.
    pub(super) decided: bool,
}

impl Running {
    /// Begins a plan. `before`: a reference to what the clause before it gave; `said`: what that clause showed.
    pub(super) fn of(mut plan: Plan, before: Option<&str>, said: Option<&Value>) -> Self {
        let (result, shown) = (format!("@{RESULT_BEFORE}"), format!("@{RESULT_BEFORE}{SAID_BEFORE}"));
        for name in plan.values.keys().cloned().collect::<Vec<_>>() {
            let value = plan.values.get(&name).and_then(Value::as_str).unwrap_or_default();
            match (before, said) {
                (Some(before), _) if value == result => plan.values.insert(name, before.into()),
                (_, Some(said)) if value == shown => {
                    plan.values.shift_remove(&format!("{name}_reference"));
                    let target = plan.values.get("path").and_then(Value::as_str).unwrap_or_default();
                    let written = match name.as_str() {
                        // Names in a text stand under no heading.
                        "content" if plan.values.contains_key("bare") && is_text(target) => without_heading(said),
                        "content" => as_content(said, target),
                        _ => said.clone(),
                    };
                    plan.values.insert(name, written)
                }
                _ => None,
            };
        }
        if let Some(before) = before.filter(|_| plan.source.as_ref() == Some(&result)) {
            plan.source = Some(before.to_owned());
        }
        Self { plan, at: 0, steps: Vec::new(), named: None, used: Used::default(), decided: false }
    }

    /// The next call, or none if all steps are made; what stands in the way, for people.
    pub(super) async fn next(
        &mut self,
        scene: &TurnContext<'_>,
        recent: &Recent,
        earlier: &[Heard],
    ) -> Result<Option<Call>, String> {
        let unfilled = [format!("@{RESULT_BEFORE}"), format!("@{RESULT_BEFORE}{SAID_BEFORE}")];
        if self.plan.values.values().any(|value| unfilled.iter().any(|open| value == open.as_str())) {
            return Err("What came before it gave nothing that I can write, so I have written nothing.".to_owned());
        }
        if self.plan.steps.is_empty() {
            value::put_in(&mut self.plan.values, scene).await?;
        }
        if let Some(source) = self.plan.source.clone().filter(|_| self.steps.is_empty()) {
            let found = match source.starts_with('@') {
                true => {
                    let mut found = value::loaded(&source, scene).await?;
                    if let Some(path) = self.plan.values.get(HELD) {
                        found.arguments.insert("path".to_owned(), path.clone());
                    }
                    found
                }
                false => {
                    let found = value::anywhere(&source, scene).await;
                    found.ok_or_else(|| format!("I do not remember your {}.", cut_line(&source)))?
                }
            };
            self.steps.push(found);
        }
        while let Some(step) = self.plan.steps.get(self.at).cloned() {
            if !self.plan.makes(&step) || (step.if_json && !self.steps.last().is_some_and(holds_json)) {
                self.at += 1;
                continue;
            }
            let mut call = self.call(&step, scene, recent, earlier)?;
            expression::bind(&mut call, scene, recent).await?;
            value::fit(&mut call, scene).await;
            let is_last = self.is_last();
            call.output = step.output.as_ref().and_then(|name| super::plan::filled_text(name, &self.plan.values));
            // What is worked out of the result gets the name, if that is what the request asks for.
            if is_last && (charts::is_step(&step) || self.plan.reply.as_deref().is_none_or(gives_its_value)) {
                self.named.clone_from(&self.plan.output);
                call.output = self.plan.output.take().or(call.output);
            }
            return Ok(Some(call));
        }
        Ok(None)
    }

    fn call(
        &mut self,
        step: &Step,
        scene: &TurnContext<'_>,
        recent: &Recent,
        earlier: &[Heard],
    ) -> Result<Call, String> {
        let output = None;
        let filler = Filler { values: &self.plan.values, done: &self.steps };
        let mut given = filler.arguments(&step.arguments);
        if !step.run.is_empty() {
            let run = &Roles::get().run;
            given.insert(run.argument.clone(), Value::String(switchboard_context::literal(&filler.line(&step.run))));
            return Ok(Call { tool: run.tool.clone(), arguments: given, output });
        }
        let tool = step.tool.clone().unwrap_or_default();
        let listed = |name: &str| step.arguments.get(name).and_then(Value::as_str) == Some("{result_paths}");
        if given.iter().any(|(name, value)| listed(name) && value.as_array().is_some_and(Vec::is_empty)) {
            let sought =
                self.plan.slots.get("old").map_or("it".to_owned(), |old| format!("`{}`", cut_line(&old.text())));
            return Err(format!("I found no file here that has {sought}, so I changed nothing."));
        }
        if let Some(definition) = scene.registry.get(&tool).map(|tool| tool.spec().definition.clone()) {
            let about = |name: &String| definition.parameters["properties"][name]["description"].as_str();
            let patterns =
                step.arguments.iter().filter(|(name, _)| about(name).is_some_and(|about| about.contains(REGEX)));
            let patterns = patterns.map(|(name, value)| (name.clone(), value.clone())).collect();
            given.extend(filler.sought(&patterns, &self.plan.slots));
        }
        let Some(edit) = &step.edit else {
            // A command may be given as an argv, too.
            if let Some(Value::Array(argv)) = step.arguments.get(&Roles::get().run.argument) {
                let argv: Vec<String> = argv.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                let line = switchboard_context::literal(&filler.line(&argv));
                given.insert(Roles::get().run.argument.clone(), Value::String(line));
            }
            return Ok(Call { tool, arguments: given, output });
        };
        if charts::is_step(step) {
            let now = Zoned::now();
            let answer = charts::answered(&self.plan, &self.done(&now, scene), earlier)?;
            let arguments = charts::arguments(&answer, &self.plan)?;
            self.plan.values.insert(charts::DRAWN.to_owned(), answer.markdown().into());
            return Ok(Call { tool, arguments, output });
        }
        let (changes, said) = match edit == told::EDIT {
            true => self.told_change(scene, recent)?,
            false => {
                self.changes(edit, scene, recent).inspect_err(|why| self.decided |= told::is_a_row_of_one(edit, why))?
            }
        };
        self.plan.values.insert("said".to_owned(), said.into());
        let schema = |tool: &str| scene.registry.get(tool).map(|tool| tool.spec().definition.parameters.clone());
        let by = |tool: &str| {
            let arguments = arguments(&changes, &schema(tool)?)?;
            Some(Call { tool: tool.to_owned(), arguments, output: None })
        };
        let call =
            by(&tool).or_else(|| by(&Roles::get().write)).ok_or("I have no tool here that makes this change.")?;
        Ok(Call {
            arguments: super::plan::literally(Value::Object(call.arguments)).as_object().cloned().unwrap_or_default(),
            ..call
        })
    }

    /// The one change that the request tells, and how that is told.
    fn told_change(&mut self, scene: &TurnContext<'_>, recent: &Recent) -> Result<(Vec<Change>, String), String> {
        let now = Zoned::now();
        let texts = self.done(&now, scene).texts()?;
        let given = |name: &str| self.plan.values.get(name).and_then(Value::as_str);
        let latest = recent.latest_file().filter(|_| given(told::ABOUT).is_some());
        let again = given(told::NAME).zip(given(told::NOW));
        let by_name = self.plan.values.contains_key(told::BY_NAME);
        let request = given(told::REQUEST).unwrap_or_default();
        let lines: Option<Vec<usize>> =
            self.plan.values.get(told::LINES).and_then(|lines| serde_json::from_value(lines.clone()).ok());
        let changed = match (again, lines) {
            (Some((name, now)), _) => change_again(&texts, request, name, now),
            (None, Some(lines)) => change_shown(&texts, request, &lines),
            (None, None) => {
                let spared = given(asides::SPARED).unwrap_or_default();
                change_told(&texts, Telling { request, about: given(told::ABOUT), latest, by_name, spared })
            }
        };
        match changed {
            Ok(change) => {
                self.plan.unread = change.left;
                if !change.asked {
                    self.plan.values.insert(told::STATED.to_owned(), true.into());
                }
                self.plan.summary.clone_from(&change.would);
                let before = texts.into_iter().find(|(path, _)| *path == change.path).map(|(_, text)| text);
                let to = Some(change.path.clone());
                let (changed, told) =
                    whole((Change { path: change.path, to, before, after: change.text }, change.said))?;
                Ok((vec![changed], told))
            }
            Err(Untold::Nowhere) => Err(String::new()),
            Err(Untold::Stays(why)) => {
                self.decided = true;
                Err(why)
            }
        }
    }

    /// What an edit makes of the files that were read, and how that is told.
    fn changes(&self, name: &str, scene: &TurnContext<'_>, recent: &Recent) -> Result<(Vec<Change>, String), Unmade> {
        let step = self.plan.steps.get(self.at);
        let mut values = self.plan.values.clone();
        let filler = Filler { values: &self.plan.values, done: &self.steps };
        values.extend(step.map(|step| filler.arguments(&step.arguments)).unwrap_or_default());
        let slots = Slots::noting(&values, &self.used);
        let now = Zoned::now();
        let texts = self.done(&now, scene).texts()?;
        let mut changes = Vec::new();
        let mut said = Vec::new();
        let mut failures = Vec::new();
        for (path, text) in texts {
            let read_from = path.clone();
            let change = match name {
                "delete_file" => Ok((gone_or_moved(&path, None, &text), format!("I deleted `{path}`."))),
                "rename_file" => renamed(&path, &text, &slots).map_err(Unmade::from),
                "copy_file" => copied(&path, &text, &slots).map_err(Unmade::from),
                name => rows::change(name, &path, &text, &slots, &now).unwrap_or_else(|| {
                    let edit = edit(name).ok_or_else(|| format!("I do not know the change `{name}`."))?;
                    edit(&path, &text, &slots).map(|Edited { text: after, said }| {
                        (Change { to: Some(path.clone()), path, before: Some(text.clone()), after }, said)
                    })
                }),
            };
            match change.and_then(|change| Ok(whole(change)?)) {
                Ok((change, told)) => {
                    said.push(told);
                    changes.push(change);
                }
                Err(why) => failures.push((read_from, why)),
            }
        }
        let settled = slots.flag("only_one") && changes.iter().any(|change| !is_code(&change.path));
        failures.retain(|(path, _)| !settled || !is_code(path));
        let failures: Vec<Unmade> = failures.into_iter().map(|(_, why)| why).collect();
        let is_final = |why: &&Unmade| matches!(why, Unmade::Refused(_));
        let in_part = |why: &Unmade| matches!(why, Unmade::InPart(_));
        if let Some(why) = failures.first().filter(|_| slots.flag("all_or_none")) {
            return Err(why.clone());
        }
        if let Some(why) = failures.iter().find(is_final).filter(|_| slots.flag("only_one")) {
            return Err(why.clone());
        }
        if slots.flag("only_one") {
            (changes, said) = singled(changes, said, &slots, &self.plan.request, recent)?;
        }
        match (said.len(), failures.len()) {
            (0, count @ 2..) if slots.flag("only_one") => {
                Err(failures.into_iter().find(in_part).unwrap_or_else(|| {
                    Unmade::Absent(format!(
                        "I found no place for it in {}. Which file do you mean?",
                        counted(count, "file")
                    ))
                }))
            }
            (0, _) => Err(failures.into_iter().next().unwrap_or_else(|| "No file was read.".into())),
            (2.., _) if name.starts_with("save_") => {
                Err("Rows of more than one table would fit, so I wrote none. Name the file that they are in.".into())
            }
            (1, 0) => Ok((changes, said.concat())),
            (count, _) => {
                let lines: Vec<String> = said.iter().take(MAX_NAMED).map(|said| format!("- {said}")).collect();
                Ok((changes, format!("I changed {}:\n\n{}", counted(count, "file"), lines.join("\n"))))
            }
        }
    }

    /// What the steps came to, for an operation.
    pub(super) fn done<'d>(&'d self, now: &'d Zoned, scene: &TurnContext<'d>) -> Done<'d> {
        Done { slots: Slots::noting(&self.plan.values, &self.used), steps: &self.steps, now, view: scene.view }
    }

    /// What the request says that has no part in what was done.
    pub(super) fn left_over(&self) -> Vec<String> {
        self.used.lock().map_or_else(|_| Vec::new(), |used| left_over(&self.plan, &used))
    }

    /// Whether the next step, whose call was made up, changes something.
    pub(super) fn changes_next(&self) -> bool {
        self.plan.risk >= Risk::Write
            && self.plan.steps.get(self.at).is_some_and(|step| step.edit.is_some() || self.is_last())
    }

    /// Whether no step is made after the next one.
    fn is_last(&self) -> bool {
        !self.plan.steps[self.at + 1..].iter().any(|step| self.plan.makes(step))
    }

    /// Whether the next call would change something, and the request says more than that does.
    pub(super) fn says_more(&self) -> Option<Vec<String>> {
        if !self.changes_next() || self.is_accepted() {
            return None;
        }
        let asks = self.plan.values.contains_key(told::STATED) || self.plan.is_tried();
        Some(self.left_over()).filter(|left| asks || !left.is_empty())
    }

    /// Whether the user has seen the plan and takes it as it is.
    pub(super) fn is_accepted(&self) -> bool {
        self.plan.is_accepted()
    }

    /// Whether a path fills a slot, there or not.
    pub(super) fn has_a_path(&self) -> bool {
        self.plan.slots.values().any(|slot| matches!(slot, SlotValue::Path { .. } | SlotValue::Paths { .. }))
    }

    /// Whether it has paths and all were named by words that may mean something else.
    pub(super) fn has_paths_by_words(&self) -> bool {
        let mut paths = self.plan.slots.values().filter_map(|slot| match slot {
            SlotValue::Path { said, .. } => Some(!said.contains(['.', '/'])),
            SlotValue::Paths { .. } => Some(false),
            _ => None,
        });
        paths.next().is_some_and(|first| first && paths.all(|other| other))
    }

    /// Takes what the latest call gave.
    pub(super) fn take(&mut self, attempt: &Attempt) {
        let parses = self.plan.steps.get(self.at).is_some_and(|step| step.if_json);
        self.at += 1;
        // What was parsed is still told by where it came from.
        if !parses {
            self.steps.push(stepped(attempt));
        }
    }
}

/// A change that leaves a file of JSON or TOML readable, if it was so before.
fn whole((change, told): (Change, String)) -> Result<(Change, String), String> {
    let kind = change.path.rsplit_once('.').map(|(_, kind)| kind).unwrap_or_default();
    let reads = |text: &str| match kind {
        "json" => serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(),
        "toml" => toml::from_str::<toml::Table>(text).is_ok(),
        _ => true,
    };
    let is_lost = change.before.as_deref().is_some_and(reads) && !change.after.is_empty() && !reads(&change.after);
    match is_lost {
        true => Err(format!(
            "With that, `{}` would be no {} any more; I changed nothing.",
            change.path,
            kind.to_uppercase()
        )),
        false => Ok((change, told)),
    }
}

/// Whether a step gave the text of JSON.
fn holds_json(step: &Stepped) -> bool {
    let text = step.value.as_ref().and_then(text_of).unwrap_or_default();
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok()
}

/// A call as operations see it: as it ran, not as it was meant.
pub(super) fn stepped(attempt: &Attempt) -> Stepped {
    let outcome = &attempt.outcome;
    Stepped {
        call: Some(attempt.call_id.clone()),
        tool: attempt.tool.clone(),
        arguments: outcome.operation.inputs.clone(),
        value: outcome.result.value.clone(),
        view: outcome.result.view.clone().unwrap_or_else(|| outcome.view.clone()),
        variable: outcome.variable.clone(),
        edited: outcome.started && outcome.operation.inputs != attempt.arguments,
        failed: !outcome.result.is_success(),
    }
}
