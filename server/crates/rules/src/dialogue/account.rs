//! The account of a request's words. A plan is all that was asked for only if each word that says something has a part in it: as
//! a word of the sentence that was read, or in a slot that a step or the reply asked for. What is left over is told, and
//! nothing is changed on such a request before the user says that it may be.

use std::collections::BTreeSet;

use switchboard_nlu::{Engine, Intent, SlotType, SlotValue, Step};
use switchboard_search::is_stop_word;

use super::plan::Plan;
use super::tabular;

/// What words do that are in no list of these: they say something.
const SAYING_NOTHING: &[&str] = &["filler", "light", "joining", "introductions", "determiners"];

/// The slots that name a value.
const NAMES_OF_VALUES: &[&str] = &["memory", "variable", "key"];

/// The words of a plan's request that have no part in what it does; `used`: the slots that its reply and changes asked for.
pub(super) fn left_over(plan: &Plan, used: &BTreeSet<String>) -> Vec<String> {
    let mut left: Vec<String> = plan.unread.iter().filter(|word| says_something(word)).cloned().collect();
    // Questions to tables are accounted for by the tables, word by word.
    if tabular::is_about_tables(plan.reply.as_deref()) {
        return left;
    }
    let Some(intent) = Engine::shipped().intent(&plan.intent) else { return left };
    let templates = templates(plan, intent);
    let has_part = |name: &str| {
        // By its name the value was found that the plan is about.
        if plan.source.is_some() && NAMES_OF_VALUES.contains(&name) {
            return true;
        }
        let named = [format!("{{{name}}}"), format!("{{{name}...}}"), format!("{{{name}_"), format!("\"{name}\"")];
        used.contains(name)
            || used.iter().any(|used| used.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')))
            || named.iter().any(|named| templates.contains(named.as_str()))
    };
    for (name, slot) in &plan.slots {
        let kind = intent.slots.get(name).map(|slot| slot.kind);
        // How a thing is called for short has been taken in by the sentence itself.
        let chosen = matches!(kind, None | Some(SlotType::Choice)) || matches!(slot, SlotValue::Variable { .. });
        let text = slot.text();
        if !chosen && !has_part(name) && text.split_whitespace().any(says_something) {
            left.push(text);
        }
    }
    left
}

/// Everything that a plan's steps, conditions and words take from its slots; also those of the steps that need not be made,
/// because what they would read is there.
fn templates(plan: &Plan, intent: &Intent) -> String {
    let made = plan.steps.iter().chain(&intent.steps).filter(|step| plan.makes(step));
    let of_step = |step: &Step| serde_json::to_string(step).unwrap_or_default();
    let mut all: String = made.map(of_step).collect();
    all.push_str(plan.say.as_deref().unwrap_or_default());
    // What is asked first, of which the result is written, stands there too.
    all.push_str(&serde_json::to_string(&intent.constants).unwrap_or_default());
    all
}

/// Whether a word carries content, rather than framing what does.
fn says_something(word: &str) -> bool {
    let lower = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let engine = Engine::shipped();
    !lower.is_empty() && !is_stop_word(&lower) && !SAYING_NOTHING.iter().any(|list| engine.lists(list, &lower))
}

/// How words that are left over are told.
pub(super) fn told<'w>(left: impl IntoIterator<Item = &'w String>) -> String {
    let words: Vec<String> = left.into_iter().map(|word| format!("`{}`", crate::ops::cut_line(word))).collect();
    words.join(", ")
}
