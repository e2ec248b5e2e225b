//! The meanings of a message's clauses taken together.

use switchboard_nlu::{Engine, Risk, SlotValue, Slots};

use super::account;
use super::asides::{without_asides, without_brackets};
use super::courtesy::without_courtesy;
use super::look_up::LookUp;
use super::meaning::{Meaning, Unknown};
use super::mind::Mind;
use super::offer::Offered;
use super::plan::Plan;
use super::roles::Roles;
use super::tabular::is_about_tables;
use crate::ops::cut_line;

/// What a message means; if that is not sure, what it means without its manners, as long as that changes nothing.
pub(super) fn heard(mind: &Mind<'_>, text: &str, earlier: &[String]) -> Vec<Meaning> {
    let text = &without_brackets(text);
    let plain = without_courtesy(text);
    if plain != **text {
        let meanings = whole(mind, &plain, earlier);
        if !meanings.iter().any(|meaning| matches!(meaning, Meaning::Unknown(_) | Meaning::Lacks(_))) {
            return meanings;
        }
    }
    whole(mind, text, earlier)
}

/// What a message means, by itself, as one change that is told, without what is said beside, or by one of its sentences.
fn whole(mind: &Mind<'_>, text: &str, earlier: &[String]) -> Vec<Meaning> {
    let meanings = without_manners(mind, text, earlier);
    let meanings = mind.or_told(text, earlier, meanings);
    let meanings = mind.or_without_asides(text, earlier, meanings);
    mind.or_one_sentence(text, earlier, meanings)
}

fn without_manners(mind: &Mind<'_>, text: &str, earlier: &[String]) -> Vec<Meaning> {
    let meanings = only_whole(mind.understand(text, earlier), text);
    if meanings.iter().all(Meaning::is_sure) {
        return meanings;
    }
    let direct = LookUp::get().direct(text);
    if direct == text {
        return meanings;
    }
    let again = only_whole(mind.understand(&direct, earlier), text);
    let alone = again.len() == 1;
    let reads = |meaning: &Meaning| match meaning {
        Meaning::Unknown(unknown) => alone && unknown.offered.is_none(),
        Meaning::Lacks(lacks) => lacks.intent.risk <= Risk::Read,
        other => other.planned().is_some_and(|plan| plan.risk <= Risk::Read),
    };
    if !again.iter().all(reads) {
        return meanings;
    }
    let or_as_said = |meaning| match meaning {
        Meaning::Tables { plan, .. } => Meaning::Tables { plan, otherwise: meanings.clone() },
        // What a tool is told are the user's own words.
        Meaning::Unknown(unknown) => Meaning::Unknown(Unknown { request: text.to_owned(), ..unknown }),
        meaning => meaning,
    };
    again.into_iter().map(or_as_said).collect()
}

/// A message of which nothing is understood is one request for the tools that the search finds: it sees more in the whole.
pub(super) fn only_whole(meanings: Vec<Meaning>, text: &str) -> Vec<Meaning> {
    let meanings = without_asides(meanings);
    // A name for the result stays one, whatever gives the result.
    if let ([_, .., Meaning::Name(name)], Some((request, _))) = (meanings.as_slice(), Roles::get().named(text)) {
        let name = Meaning::Name(name.clone());
        let whole = only_whole(meanings[..meanings.len() - 1].to_vec(), request);
        if let [Meaning::Unknown(_)] = whole.as_slice() {
            return whole.into_iter().chain([name]).collect();
        }
    }
    // A tool that is there may do what only would be asked about, or answered in words.
    let is_open = |meaning: &Meaning| match meaning {
        Meaning::Unknown(_) | Meaning::Say { complete: false, .. } => true,
        Meaning::Ask(plan) => !holds_a_path(&plan.slots),
        Meaning::Lacks(lacks) => !holds_a_path(&lacks.slots),
        _ => false,
    };
    let is_talk =
        |meaning: &Meaning| matches!(meaning, Meaning::Do(plan) if plan.steps.is_empty() && plan.say.is_some());
    let open = meanings.iter().filter(|meaning| is_open(meaning)).count();
    if open > 0 && meanings.iter().all(|meaning| is_open(meaning) || is_talk(meaning)) {
        if let [Meaning::Unknown(_)] = meanings.as_slice() {
            return meanings;
        }
        // One part of several is not offered as if it were all.
        let is_part = |meaning: &&Meaning| open > 1 && (meaning.changes() || matches!(meaning, Meaning::Ask(_)));
        let mut whole = meanings.iter().filter(|meaning| !is_part(meaning));
        let (said, shown) = whole.find_map(|meaning| Some((instead(meaning)?, offered(meaning)))).unzip();
        let offered = shown.flatten().map(|(_, offered)| offered);
        return vec![Meaning::Unknown(Unknown { request: text.to_owned(), said, offered, ..Unknown::default() })];
    }
    let changes = meanings.iter().any(Meaning::changes);
    // A table that does not know ends the message before anything is changed.
    let asks = meanings.iter().take_while(|meaning| matches!(meaning, Meaning::Tables { .. })).count();
    if meanings.len() < 2 || !changes || all_sure(&meanings[asks..]) {
        return named(meanings);
    }
    // What changes something is not done while another part of the same message is not sure.
    let told = |meaning: &Meaning| match meaning {
        Meaning::Do(plan) | Meaning::Ask(plan) => Some(format!("- {}", plan.summary)),
        Meaning::Lacks(lacks) => Some(format!("- \"{}\": {}", cut_line(&lacks.request), lacks.question)),
        Meaning::Say { text, complete: false } | Meaning::Stop(text) => Some(format!("- {text}")),
        other => other.request().map(|request| format!("- I did not understand \"{}\"", cut_line(request))),
    };
    let lines = meanings.iter().filter_map(told).collect::<Vec<_>>().join("\n");
    let named = |meaning: &Meaning| meaning.plan().is_some_and(|plan| holds_a_path(&plan.slots));
    let in_named_files = meanings.iter().filter(|meaning| meaning.changes()).all(named);
    let understood = meanings.iter().all(|meaning| meaning.is_sure() || matches!(meaning, Meaning::Ask(_)));
    let part = "because I understood only a part";
    let refused = |next: &str| {
        let text = format!("I have done nothing, {part}:\n\n{lines}\n\n{next}");
        vec![Meaning::Say { text, complete: false }]
    };
    let text = match understood {
        _ if meanings.iter().any(restricts) => return refused("Say it in other words, one thing at a time."),
        true => format!("Do you mean this?\n\n{lines}\n\nSay yes, and I do it."),
        // What would be changed all over the workspace is not offered on half a request.
        false if in_named_files => {
            format!("I have done nothing yet, {part}:\n\n{lines}\n\nSay yes, and I do the part that I understood.")
        }
        false => return refused("Please say the parts one by one."),
    };
    let Offered { plans, left } = planned(meanings);
    vec![Meaning::Offer { text, plans, left }]
}

/// Whether what was not understood, or only as words for a table, may say how the rest is meant: "in pins.h only", "but not the
/// tests", "highest on top".
fn restricts(meaning: &Meaning) -> bool {
    let vague = match meaning.planned() {
        Some(plan) => is_about_tables(plan.reply.as_deref()),
        None => matches!(meaning, Meaning::Unknown(_)),
    };
    let lower = meaning.request().filter(|_| vague).unwrap_or_default().to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    words.any(|word| ["weighty", "manner"].iter().any(|list| Engine::shipped().lists(list, word)))
}

/// Whether each is sure. What comes behind a change and is only words for a table may say how the change is meant:
/// "sort a.csv by mass, the big ones on top".
fn all_sure(meanings: &[Meaning]) -> bool {
    let changed = meanings.iter().position(Meaning::changes).unwrap_or(meanings.len());
    let vague = |meaning: &Meaning| match meaning {
        Meaning::Tables { .. } => true,
        Meaning::Do(plan) => is_about_tables(plan.reply.as_deref()) && !says_its_path(plan),
        _ => false,
    };
    meanings.iter().all(Meaning::is_sure) && !meanings[changed..].iter().any(vague)
}

/// Whether the words of a request itself name the file that it is about.
fn says_its_path(plan: &Plan) -> bool {
    plan.slots.values().any(|slot| match slot {
        SlotValue::Path { said, exists: true, .. } => plan.request.contains(said.as_str()),
        SlotValue::Paths { .. } => true,
        _ => false,
    })
}

/// What is said if no tool does it.
fn instead(meaning: &Meaning) -> Option<String> {
    match meaning {
        Meaning::Unknown(unknown) => unknown.said.clone(),
        Meaning::Say { text, complete: false } => Some(text.clone()),
        Meaning::Ask(plan) => Some(asked(&plan.summary)),
        Meaning::Lacks(lacks) => Some(lacks.question.clone()),
        _ => None,
    }
}

/// What a meaning offers, and the words in which it does.
pub(super) fn offered(meaning: &Meaning) -> Option<(String, Offered)> {
    match meaning {
        Meaning::Ask(plan) => Some((asked(&plan.summary), Offered { plans: vec![plan.clone()], left: Vec::new() })),
        Meaning::Offer { text, plans, left } => {
            Some((text.clone(), Offered { plans: plans.clone(), left: left.clone() }))
        }
        _ => None,
    }
}

/// The plans of these meanings, each once, and the requests that have none.
pub(super) fn planned(meanings: Vec<Meaning>) -> Offered {
    let mut left = Vec::new();
    let found = meanings.into_iter().filter_map(|meaning| match meaning {
        Meaning::Do(plan) | Meaning::Ask(plan) => Some(plan),
        other => {
            left.extend(other.request().map(str::to_owned));
            None
        }
    });
    let mut plans: Vec<Plan> = found.collect();
    plans.dedup_by(|one, other| one.intent == other.intent && one.slots == other.slots);
    Offered { plans, left }
}

/// What is done of an offer now that the user says yes.
pub(super) fn taken(Offered { plans, left }: Offered) -> Vec<Meaning> {
    let left = (!left.is_empty()).then_some(Meaning::Undone(left));
    plans.into_iter().map(Meaning::Do).chain(left).collect()
}

/// How a plan is asked about.
fn asked(summary: &str) -> String {
    format!("Do you mean: {summary}? Say yes, and I do it.")
}

/// Whether a file or folder that is there fills a slot, whoever named it.
fn holds_a_path(slots: &Slots) -> bool {
    slots.values().any(|slot| matches!(slot, SlotValue::Path { exists: true, .. } | SlotValue::Paths { .. }))
}

/// Gives the names that clauses give to the plans before them.
fn named(meanings: Vec<Meaning>) -> Vec<Meaning> {
    let mut named: Vec<Meaning> = Vec::with_capacity(meanings.len());
    for meaning in meanings {
        match (meaning, named.last_mut()) {
            (Meaning::Name(name), Some(Meaning::Do(plan) | Meaning::Ask(plan))) => plan.output = Some(name),
            (meaning, _) => named.push(meaning),
        }
    }
    named
}

/// A question to a table is put to it, not to the user: a table takes no word that it does not know.
pub(super) fn put_to_the_table(meaning: Meaning) -> Meaning {
    match meaning {
        Meaning::Ask(plan) if is_about_tables(plan.reply.as_deref()) && plan.risk <= Risk::Read => {
            let unknown = Unknown { request: plan.request.clone(), ..Unknown::default() };
            Meaning::Tables { plan, otherwise: vec![Meaning::Unknown(unknown)] }
        }
        meaning => meaning,
    }
}

/// A plan that leaves out a part of its request is shown first.
pub(super) fn more_than(plan: Plan, left: &[String]) -> Meaning {
    let text = match left {
        [] => asked(&plan.summary),
        left => format!(
            "I do not know what {} means for that, so I have done nothing yet. Without it: {}. Say yes, and I do it.",
            account::told(left),
            plan.summary
        ),
    };
    Meaning::Offer { text, plans: vec![plan], left: Vec::new() }
}
