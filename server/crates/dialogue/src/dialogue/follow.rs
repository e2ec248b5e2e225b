//! Messages that are about the conversation: again, yes, why, the same for another file, the answer to a question.

use std::sync::Arc;

use switchboard_nlu::{Anaphor, Clause, Given, Intent, Risk, SlotType, SlotValue, Slots, World};

use super::gather::is_offer;
use super::meaning::{Meaning, Unknown, is_control, read_as, takes_any_words, without_tables};
use super::mind::Mind;
use super::plan::Plan;
use super::refer::Known;
use super::roles::Roles;
use super::tabular;
use super::thresholds::Trust;
use crate::ops::cut_line;

impl Mind<'_> {
    /// A clause that is about the conversation rather than a request of its own.
    pub(super) fn follow_up(&self, clause: &Clause, earlier: &[String]) -> Option<Vec<Meaning>> {
        let candidate = clause
            .candidates
            .iter()
            .find(|candidate| is_control(&candidate.intent) || self.is_usable(&candidate.intent))?;
        let control = candidate.intent.reply.as_deref().filter(|_| is_control(&candidate.intent))?;
        let text = |slot: &str| candidate.slots.get(slot).map(SlotValue::text);
        if Trust::of(candidate.score, Risk::Read) != Trust::Act {
            return None;
        }
        if matches!(control, "again_for" | "only" | "more" | "less")
            && let Some(plan) = self.to_the_table(&clause.text, earlier)
        {
            return Some(vec![Meaning::Do(plan)]);
        }
        let say = |text: &str, complete| Some(vec![Meaning::Say { text: text.to_owned(), complete }]);
        match control {
            "name_it" => Some(vec![Meaning::Name(text("name")?)]),
            "use_tool" => Some(vec![Meaning::Tool { tool: text("tool")?, rest: text("rest").unwrap_or_default() }]),
            "yes" => match self.accepted(earlier) {
                meanings if meanings.is_empty() => say("All right. What shall I do?", true),
                meanings => Some(meanings),
            },
            "no" => say("All right, I leave it.", true),
            "why" => say(&self.why(earlier), true),
            "again" => match self.before(earlier) {
                Some(meanings) => Some(meanings),
                None => say("There is nothing yet that I could do again.", false),
            },
            "again_for" | "only" => self.again_for(&text("what")?, earlier),
            _ => None,
        }
    }

    /// The clause as the next question to the table that was asked last.
    pub(super) fn to_the_table(&self, text: &str, earlier: &[String]) -> Option<Plan> {
        let files: Vec<String> = self.recent.file().map(str::to_owned).into_iter().collect();
        let now = self.world.now();
        let follows = !files.is_empty() && tabular::follows(&self.recent.tables, text, earlier, &now);
        follows.then(|| Roles::get().tables("table", &files, text))
    }

    /// What the message before means.
    pub(super) fn before(&self, earlier: &[String]) -> Option<Vec<Meaning>> {
        let (last, rest) = earlier.split_last()?;
        Some(self.understand(last, rest))
    }

    /// What was asked or offered, as it is done now that the user says yes.
    fn accepted(&self, earlier: &[String]) -> Vec<Meaning> {
        // A yes to what a tool did, or to a failure, takes nothing that was not offered.
        if !self.said.is_some_and(is_offer) {
            return Vec::new();
        }
        let Some(meanings) = self.before(earlier).map(without_tables) else { return Vec::new() };
        let offers = |meaning: &Meaning| match meaning {
            Meaning::Ask(_) => true,
            Meaning::Unknown(unknown) => unknown.near.is_some(),
            _ => false,
        };
        // A message that changes something was only shown if a part of it was not understood.
        let held = meanings.iter().any(Meaning::changes) && !meanings.iter().all(Meaning::is_sure);
        if !(meanings.iter().any(offers) || (meanings.len() > 1 && held)) {
            return Vec::new();
        }
        let taken = meanings.into_iter().filter_map(|meaning| match meaning {
            Meaning::Do(plan) | Meaning::Ask(plan) => Some(Meaning::Do(plan)),
            Meaning::Unknown(Unknown { near: Some(plan), .. }) if plan.risk <= Risk::Read => Some(Meaning::Do(plan)),
            _ => None,
        });
        taken.collect()
    }

    fn why(&self, earlier: &[String]) -> String {
        if let Some(operation) = &self.recent.failure {
            return format!("`{}` failed: {}", operation.tool, cut_line(operation.outputs.trim()));
        }
        match self
            .before(earlier)
            .map(without_tables)
            .into_iter()
            .flatten()
            .find(|meaning| !matches!(meaning, Meaning::Do(_)))
        {
            Some(Meaning::Unknown(unknown)) if !unknown.unread.is_empty() => {
                format!("I did not understand: {}.", unknown.unread.join(", "))
            }
            Some(Meaning::Unknown(unknown)) => format!("I did not understand \"{}\".", cut_line(&unknown.request)),
            Some(Meaning::Lacks(lacks)) => format!("Your request does not say it: {}", lacks.question),
            Some(Meaning::Say { text, .. }) => text,
            Some(Meaning::Ask(plan)) => format!("I was not sure that you mean: {}.", plan.summary),
            _ => "Nothing has failed.".to_owned(),
        }
    }

    /// The request before, with this in the place of what is of its type.
    fn again_for(&self, what: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let meanings = without_tables(self.before(earlier)?);
        let (plan, intent, sure) = meanings.iter().rev().find_map(|meaning| match meaning {
            Meaning::Do(plan) | Meaning::Ask(plan) => {
                Some((plan.slots.clone(), Arc::clone(self.engine.intent(&plan.intent)?), meaning.is_sure()))
            }
            Meaning::Lacks(lacks) => Some((lacks.slots.clone(), Arc::clone(&lacks.intent), true)),
            _ => None,
        })?;
        let is_folder = |path: &str| self.world.is_folder(path);
        let known = Known { recent: self.recent, before: &[], is_folder: &is_folder };
        let lines = intent.slots.values().any(|slot| matches!(slot.kind, SlotType::Line | SlotType::Lines));
        let read = |kind| match (read_as(self.engine, self.world, what, kind), kind) {
            (Some(SlotValue::Reference { anaphor: Anaphor::Nth { .. }, .. }), kind)
                if lines && !matches!(kind, SlotType::Line | SlotType::Lines) =>
            {
                None
            }
            (Some(SlotValue::Reference { anaphor, .. }), kind) => known.meant(kind, &anaphor).ok(),
            (None, SlotType::Line | SlotType::Lines) => match read_as(self.engine, self.world, what, SlotType::Ref) {
                Some(SlotValue::Reference { anaphor: Anaphor::Nth { place, .. }, .. }) => {
                    Some(SlotValue::Lines { from: place, to: place })
                }
                _ => None,
            },
            (value, _) => value,
        };
        let typed = intent.slots.iter().filter_map(|(name, slot)| Some((name, read(slot.kind)?)));
        let is_there = |value: &SlotValue| !matches!(value, SlotValue::Path { exists: false, .. });
        let mut places: Vec<(&String, SlotValue)> = typed.filter(|(_, value)| is_there(value)).collect();
        if places.is_empty() {
            let text = || SlotValue::Text { text: what.trim().trim_matches(['"', '`']).to_owned(), how: Given::Plain };
            let free = |kind: SlotType| takes_any_words(kind) && !matches!(kind, SlotType::Content | SlotType::NewPath);
            let open = intent.slots.iter().filter(|(name, slot)| free(slot.kind) && plan.contains_key(*name));
            places = open.map(|(name, _)| (name, text())).collect();
        }
        // What was said before is changed rather than something new added.
        if places.iter().any(|(name, _)| plan.contains_key(*name)) {
            places.retain(|(name, _)| plan.contains_key(*name));
        }
        let request = earlier.last().map(String::as_str).unwrap_or_default();
        match places.as_slice() {
            [] => None,
            [(name, value)] => {
                let mut slots = plan;
                slots.insert((*name).clone(), value.clone());
                Some(vec![match self.ready(&intent, slots, request) {
                    Meaning::Do(plan) if !sure => Meaning::Ask(plan),
                    ready => ready,
                }])
            }
            [(one, _), .., (other, _)] => {
                let text =
                    format!("I cannot tell whether {what} is the {one} or the {other}. Please say the whole request.");
                Some(vec![Meaning::Say { text, complete: false }])
            }
        }
    }

    /// A plan with these slots, if nothing stands against it.
    fn ready(&self, intent: &Arc<Intent>, slots: Slots, request: &str) -> Meaning {
        let unfilled = intent.slots.iter().find(|(name, slot)| slot.required && !slots.contains_key(*name));
        if let Some((name, _)) = unfilled {
            return self.lacks(intent, slots.clone(), &name.clone(), request);
        }
        let ready = self.shaped(Plan::of(intent, slots, request)).and_then(|plan| {
            self.check(intent, &plan, &[])?;
            Ok(plan)
        });
        match ready {
            Ok(plan) => Meaning::Do(plan),
            Err(text) => Meaning::Say { text, complete: false },
        }
    }

    /// The message as the answer to what was asked before it.
    pub(super) fn answer(&self, text: &str, earlier: &[String]) -> Option<Meaning> {
        let lacks = without_tables(self.before(earlier)?).into_iter().find_map(|meaning| match meaning {
            Meaning::Lacks(lacks) => Some(lacks),
            _ => None,
        })?;
        let kind = lacks.intent.slots.get(&lacks.slot)?.kind;
        let plain = text.trim().trim_matches(['"', '`', '\'']).to_owned();
        let any = || {
            let (path, exists) = (plain.clone(), self.world.is_path(&plain));
            match kind {
                SlotType::NewPath => Some(SlotValue::Path { said: path.clone(), path, exists, folder: false }),
                // Whoever was asked for the text has said it.
                kind if takes_any_words(kind) => Some(SlotValue::Text { text: plain.clone(), how: Given::Quoted }),
                _ => None,
            }
        };
        let value = read_as(self.engine, self.world, text, kind).or_else(any)?;
        let mut slots = lacks.slots.clone();
        slots.insert(lacks.slot.clone(), value);
        Some(self.ready(&lacks.intent, slots, &lacks.request))
    }

    /// What a message asks of a tool that the user has chosen for it.
    pub(super) fn by_tool(&self, tool: &str, text: &str, earlier: &[String]) -> Vec<Meaning> {
        let calls = |meaning: &Meaning| {
            let first = meaning.plan().and_then(|plan| plan.steps.first());
            first.is_some_and(|step| step.tool.as_deref() == Some(tool))
        };
        let meanings = without_tables(self.understand(text, earlier));
        match meanings.len() == 1 && meanings.iter().all(calls) {
            true => meanings,
            false => vec![Meaning::Tool { tool: tool.to_owned(), rest: text.to_owned() }],
        }
    }
}
