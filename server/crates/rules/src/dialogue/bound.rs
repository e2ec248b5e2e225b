//! Messages that lean on what was said before: "how many of them", "and the bank?", "their phone number". What they are taken
//! for must go on with that; else they would be answered about something else.

use serde_json::Value;
use switchboard_nlu::{Candidate, Clause, Engine, Entity, Risk, SlotValue};

use super::charts;
use super::meaning::{Meaning, Unknown};
use super::plan::Plan;
use super::roles::Roles;
use super::thresholds::EXACT;

/// Whether a text leans on what was said before it.
pub(super) fn leans(text: &str) -> bool {
    Roles::get().leans(text)
}

/// A clause's meaning where it stands: behind another clause, behind other messages, before more.
pub(super) fn in_its_place(
    meaning: Meaning,
    clause: &Clause,
    before: Option<&Plan>,
    follows: bool,
    more: bool,
) -> Meaning {
    match before {
        Some(plan) if plan.risk >= Risk::Write => demanded(meaning, clause),
        Some(_) => meaning,
        None => {
            let meaning = if follows { tied(meaning, clause) } else { meaning };
            if more { placed(meaning, clause) } else { meaning }
        }
    }
}

/// A clause's meaning by its own words, unless they leave out what it leans on.
fn tied(meaning: Meaning, clause: &Clause) -> Meaning {
    match meaning {
        // What it is to write is asked first, and goes on by itself.
        Meaning::Do(plan) if plan.values.contains_key("first") => Meaning::Do(plan),
        Meaning::Do(plan) | Meaning::Ask(plan)
            if (leans(&clause.text) && !is_tied(&plan, clause))
                || is_a_fragment(&plan, clause)
                || is_talk_by_a_word(&plan, clause) =>
        {
            Meaning::Stop("I cannot tell what that goes on with. Please say the whole request.".to_owned())
        }
        meaning => meaning,
    }
}

/// What a few words ask for behind a change in the same message: "… and MUSIC off" wants one more, and is no question.
fn demanded(meaning: Meaning, clause: &Clause) -> Meaning {
    const FEW: usize = 4;
    let fragment = clause.text.split_whitespace().count() <= FEW && !asks(&clause.text);
    let of_key = matches!(&meaning, Meaning::Do(plan) if plan.risk <= Risk::Read && plan.slots.contains_key("key"));
    // "append x to a.txt, in the gizmo only": rather how that is meant than a request of its own that is unsure.
    let first = first_word(clause);
    let engine = Engine::shipped();
    let restricts =
        engine.lists("weighty", &first) || engine.lists("joining", &first) && matches!(meaning, Meaning::Ask(_));
    match of_key && fragment || restricts {
        true => Meaning::Unknown(Unknown { request: clause.text.clone(), ..Unknown::default() }),
        false => meaning,
    }
}

/// A place alone is not asked to be shown, where more follows: it says where that is to be done.
fn placed(meaning: Meaning, clause: &Clause) -> Meaning {
    let first = first_word(clause);
    let shows = matches!(&meaning, Meaning::Do(plan) if plan.reply.as_deref() == Some("show"));
    match shows && Engine::shipped().lists("joining", &first) {
        true => Meaning::Unknown(Unknown { request: clause.text.clone(), ..Unknown::default() }),
        false => meaning,
    }
}

/// The word that a clause begins with, in lower case.
fn first_word(clause: &Clause) -> String {
    clause.text.split_whitespace().next().unwrap_or_default().to_lowercase()
}

/// Whether a text asks something, by how it begins or ends.
pub(super) fn asks(text: &str) -> bool {
    let engine = Engine::shipped();
    let words = text.split_whitespace().map(str::to_lowercase);
    let mut said = words.filter(|word| !engine.lists("filler", word));
    let first = said.next().unwrap_or_default();
    text.trim_end().ends_with('?') || ["whether", "wh-words", "demanding"].iter().any(|list| engine.lists(list, &first))
}

/// Whether a text is a question by its first word, so that it asks for no change: "is there a towel on it already?"
pub(super) fn only_asks(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    Engine::shipped().lists("only-asking", &first)
}

/// Whether a reading passes over what makes a statement a demand: "port should be 8120" does not ask whether it is in use.
pub(super) fn passes_over_a_demand(candidate: &Candidate, text: &str) -> bool {
    let demands = |word: &String| Engine::shipped().lists("demanding", &word.to_lowercase());
    candidate.unread.iter().any(demands) && !asks(text)
}

/// Whether a clause is nothing but a name, a day or the like, and a question: "february?" asks what was asked before of that.
fn is_a_fragment(plan: &Plan, clause: &Clause) -> bool {
    let by_path =
        plan.slots.values().any(|slot| matches!(slot, SlotValue::Path { said, .. } if said.contains(['.', '/'])));
    let rest = |span: &std::ops::Range<usize>| [&clause.text[..span.start], &clause.text[span.end..]].concat();
    let whole = |entity: &Entity| !rest(&entity.span).contains(char::is_alphanumeric);
    let few = clause.text.split_whitespace().count() < 3;
    few && !by_path && clause.text.trim_end().ends_with('?') && clause.entities.iter().any(whole)
}

/// Whether one word is taken for talk that is only part of what people say for that: "when?" asks about what was spoken of.
fn is_talk_by_a_word(plan: &Plan, clause: &Clause) -> bool {
    let exact = |candidate: &Candidate| candidate.intent.name == plan.intent && candidate.score < EXACT;
    plan.risk == Risk::None
        && plan.steps.is_empty()
        && clause.text.split_whitespace().count() == 1
        && !clause.candidates.iter().any(exact)
}

/// Whether a plan holds something that was not said in the clause itself.
fn is_tied(plan: &Plan, clause: &Clause) -> bool {
    // Talk is about nothing.
    if (plan.risk == Risk::None && plan.steps.is_empty() && plan.slots.is_empty()) || charts::goes_on(plan) {
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
