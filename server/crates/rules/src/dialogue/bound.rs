//! Messages that lean on what was said before: "how many of them", "and the bank?", "their phone number". What they are taken
//! for must go on with that; else they would be answered about something else.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use switchboard_nlu::{Candidate, Clause, Risk, SlotValue};

use super::meaning::Meaning;
use super::plan::Plan;
use super::roles::Roles;

/// Whether a text leans on what was said before it.
pub(super) fn leans(text: &str) -> bool {
    static LEANING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&Roles::get().leaning).ok());
    LEANING.as_ref().is_some_and(|leaning| leaning.is_match(text))
}

/// A clause's meaning by its own words, unless they leave out what it leans on.
pub(super) fn tied(meaning: Meaning, clause: &Clause) -> Meaning {
    match meaning {
        Meaning::Do(plan) | Meaning::Ask(plan) if leans(&clause.text) && !is_tied(&plan, clause) => {
            Meaning::Stop("I cannot tell what that goes on with. Please say the whole request.".to_owned())
        }
        meaning => meaning,
    }
}

/// Whether a plan holds something that was not said in the clause itself.
fn is_tied(plan: &Plan, clause: &Clause) -> bool {
    // Talk is about nothing.
    if plan.risk == Risk::None && plan.steps.is_empty() {
        return true;
    }
    let refers = |candidate: &Candidate| {
        candidate.slots.values().any(|slot| matches!(slot, SlotValue::Reference { .. }))
            || plan.slots.keys().any(|name| !candidate.slots.contains_key(name))
    };
    let of_it = plan.source.is_some() || plan.steps.iter().any(|step| step.arguments.values().any(names_it));
    let mut own = clause.candidates.iter().filter(|candidate| candidate.intent.name == plan.intent).peekable();
    own.peek().is_none() || of_it || own.any(refers)
}

/// Whether an argument stands for the last result.
fn names_it(value: &Value) -> bool {
    let its = &Roles::get().it;
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| its.iter().any(|it| it == word));
    value.as_str().is_some_and(words)
}
