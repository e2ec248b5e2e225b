//! Slots with what they refer to, and what is missing still.

use std::sync::Arc;

use switchboard_nlu::{Anaphor, Candidate, Given, Intent, Risk, SlotType, SlotValue, Slots, Step};

use super::meaning::{Lacks, Meaning, Settled, is_refusal, question_for};
use super::mind::Mind;
use super::plan::{Plan, filled_text};
use super::refer::{Known, RESULT_BEFORE, SAID_BEFORE};
use super::shown::value_in;
use super::tabular;
use super::thresholds::{FROM_CONTEXT, MISSING, Trust};
use crate::ops::{as_text, gives_its_value};

impl Mind<'_> {
    /// The slots with what they refer to, and what is missing still.
    pub(super) fn settled(
        &self,
        candidate: &Candidate,
        before: &[Plan],
        earlier: &[String],
    ) -> Result<Settled, String> {
        let is_folder = |path: &str| self.world.is_folder(path);
        let last = || self.last_plan(earlier);
        let known = Known { recent: self.recent, before, is_folder: &is_folder, last: &last };
        let intent = &candidate.intent;
        let mut slots = candidate.slots.clone();
        for (name, slot) in &mut slots {
            if let SlotValue::Reference { anaphor, .. } = slot {
                let kind = intent.slots.get(name).map_or(SlotType::Ref, |slot| slot.kind);
                let points = !matches!(anaphor, Anaphor::Nth { .. } | Anaphor::Other { .. });
                self.refers_rightly(candidate, kind, anaphor, before, earlier)?;
                let is_content = kind == SlotType::Content || (kind == SlotType::Ref && name == "content");
                if is_content && points && !self.is_said(before, earlier) {
                    *slot = self.what_was_shown(before)?;
                    continue;
                }
                *slot = known.meant(kind, anaphor).map_err(|why| match kind {
                    SlotType::Content => "What exactly shall I write? Put it in quotation marks.".to_owned(),
                    _ => format!("I do not know {why}."),
                })?;
            }
        }
        for (name, slot) in &mut slots {
            if let (SlotValue::Glob { pattern }, Some(SlotType::Files)) =
                (&*slot, intent.slots.get(name).map(|slot| slot.kind))
            {
                let paths = self.world.matching(pattern);
                if paths.is_empty() {
                    return Err(format!("No file matches `{pattern}`."));
                }
                *slot = SlotValue::Paths { paths };
            }
            // What is remembered goes by the variable's own name.
            let is_memory = intent.slots.get(name).is_some_and(|slot| slot.kind == SlotType::Memory);
            if let Some(own) = is_memory.then(|| self.world.variable(&slot.text())).flatten() {
                *slot = SlotValue::Word { word: own };
            }
        }
        let mut settled = Settled { slots, missing: Vec::new(), cost: candidate.score, unsaid: false };
        for name in &candidate.missing {
            let kind = intent.slots.get(name).map(|slot| slot.kind);
            // What a table's rows came to is no file that could be copied.
            let rows = before.last().is_some_and(|plan| tabular::is_about_tables(plan.reply.as_deref()));
            let of_rows = rows && intent.risk >= Risk::Write;
            let shown =
                || self.what_was_shown(before).ok().filter(|_| !before.is_empty() && kind == Some(SlotType::Ref));
            match kind.filter(|_| !of_rows).and_then(|kind| known.unsaid(kind)).or_else(shown) {
                Some(value) => {
                    settled.slots.insert(name.clone(), value);
                    settled.cost += FROM_CONTEXT - MISSING;
                    settled.unsaid = true;
                }
                None => settled.missing.push(name.clone()),
            }
        }
        Ok(settled)
    }

    /// What stands against taking "it" for what would be there: what is forgotten or run was not kept for that, and a file is
    /// not deleted for what was only a part of it.
    fn refers_rightly(
        &self,
        candidate: &Candidate,
        kind: SlotType,
        anaphor: &Anaphor,
        before: &[Plan],
        earlier: &[String],
    ) -> Result<(), String> {
        let last = || self.last_plan(earlier).filter(|_| before.is_empty());
        let kept = || last().is_some_and(|plan| matches!(plan.reply.as_deref(), Some("remembered" | "recall")));
        let changes = matches!(candidate.intent.reply.as_deref(), Some("forgotten" | "renamed_memory"));
        let own = changes && matches!(kind, SlotType::Memory | SlotType::Variable | SlotType::Name | SlotType::Ref);
        if (own || kind == SlotType::Command) && !kept() {
            // Something else may be meant to be deleted, or renamed.
            let run = "I cannot tell what I shall run; please name it.";
            return Err(if own { String::new() } else { run.to_owned() });
        }
        let deletes = |step: &Step| step.edit.as_deref() == Some("delete_file");
        let plain = matches!(anaphor, Anaphor::It { noun: None } | Anaphor::Them { noun: None });
        if !plain || !candidate.intent.steps.iter().any(deletes) {
            return Ok(());
        }
        let part = |plan: &Plan| {
            let edits = plan.steps.iter().any(|step| step.edit.is_some() && !deletes(step));
            let whole = plan.slots.contains_key("path");
            tabular::is_about_tables(plan.reply.as_deref()) || (edits && !whole)
        };
        match last().filter(part).and_then(|plan| self.file_told(&plan, earlier)) {
            Some(path) => {
                Err(format!("Do you mean the whole file `{path}`? Then name it; to put back a change, say undo."))
            }
            None => Ok(()),
        }
    }

    /// Whether what was said last is what a tool gave, so that it can be written as it is.
    fn is_said(&self, before: &[Plan], earlier: &[String]) -> bool {
        let plain = |plan: &Plan| plan.reply.as_deref().is_none_or(gives_its_value);
        match before.last() {
            Some(plan) => plain(plan),
            None => {
                let before = self.before(earlier).unwrap_or_default();
                before.iter().filter_map(Meaning::planned).next_back().is_none_or(plain)
            }
        }
    }

    /// What the reply before shows, as content.
    pub(super) fn what_was_shown(&self, before: &[Plan]) -> Result<SlotValue, String> {
        if !before.is_empty() {
            return Ok(SlotValue::Variable { name: RESULT_BEFORE.to_owned(), path: SAID_BEFORE.to_owned() });
        }
        let value = self.said.and_then(value_in);
        let value = value.ok_or("What I showed last is nothing that I can write. Put the text in quotation marks.")?;
        Ok(SlotValue::Text { text: as_text(&value), how: Given::Reference })
    }

    pub(super) fn lacks(&self, intent: &Arc<Intent>, slots: Slots, slot: &str, request: &str) -> Meaning {
        let values = Plan::of(intent, slots.clone(), request).values;
        let question = question_for(intent, slot, &|template| filled_text(template, &values));
        let (intent, slot, request) = (Arc::clone(intent), slot.to_owned(), request.to_owned());
        Meaning::Lacks(Box::new(Lacks { intent, slots, slot, question, choices: Vec::new(), request }))
    }

    /// A plan that can be offered: its words, typed, mean the same.
    pub(super) fn offered(&self, plan: Plan) -> Option<Plan> {
        let reading = self.engine.read(&plan.summary, self.world);
        let [clause] = reading.clauses.as_slice() else { return None };
        let first = clause.candidates.first()?;
        let same = first.intent.name == plan.intent && Trust::of(first.score, first.intent.risk) == Trust::Act;
        let plain = plan.slots.keys().all(|name| first.slots.contains_key(name));
        (same && plain && !is_refusal(&plan) && !tabular::is_about_tables(plan.reply.as_deref())).then_some(plan)
    }
}
