//! Plans that write what another request gives: "write a summary of a.txt to b.txt", "save all open tickets to c.csv".

use switchboard_nlu::SlotValue;
use switchboard_tables::Format;

use super::meaning::Meaning;
use super::mind::Mind;
use super::plan::{Plan, filled_text};
use super::roles::Roles;
use super::tabular;

impl Mind<'_> {
    /// A plan that writes what another request gives, with that before it.
    pub(super) fn with_first(&self, meaning: Meaning, before: &[Plan], earlier: &[String]) -> Vec<Meaning> {
        let (Meaning::Do(plan) | Meaning::Ask(plan)) = &meaning else { return vec![meaning] };
        let first = plan.values.get("first").and_then(serde_json::Value::as_str);
        let Some(first) = first.and_then(|first| filled_text(first, &plan.values)) else { return vec![meaning] };
        let mut meanings = self.understand(&first, earlier);
        let gives = |plan: &Plan| matches!(plan.reply.as_deref(), Some("table" | "log" | "summary"));
        if !meanings.iter().all(|meaning| meaning.planned().is_some_and(gives)) {
            // It is rather asked of the file that is named, or that was read just before.
            let plans = std::iter::once(plan).chain(before.iter().rev());
            let path = plans.flat_map(|plan| plan.slots.values()).find_map(|slot| match slot {
                SlotValue::Path { path, exists: true, folder: false, .. } if tabular::may_hold(path) => Some(path),
                _ => None,
            });
            // Rows are written as rows; that no table has them is said.
            let rows = plan.slots.get("path").is_some_and(|slot| Format::of(&slot.text()).is_some());
            let files = if rows { tabular::files_for("table", self.world, &[], &first) } else { Vec::new() };
            meanings = vec![Meaning::Do(match path {
                Some(path) => Roles::get().tables("table", std::slice::from_ref(path), &first),
                None if !files.is_empty() => tabular::unnamed(&files, &first),
                None => {
                    return vec![Meaning::Stop("What exactly shall I write? Put it in quotation marks.".to_owned())];
                }
            })];
        }
        let mut plan = plan.clone();
        let before: Vec<Plan> = meanings.iter().filter_map(Meaning::planned).cloned().collect();
        match self.what_was_shown(&before) {
            Ok(content) if !before.is_empty() => plan.give("content", content),
            _ => return vec![Meaning::Stop(format!("I could not work out \"{first}\", so I have written nothing."))],
        }
        meanings.push(if meaning.is_sure() { Meaning::Do(plan) } else { Meaning::Ask(plan) });
        meanings
    }
}
