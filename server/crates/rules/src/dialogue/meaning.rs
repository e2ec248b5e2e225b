//! What a message is taken to mean, clause by clause: plans, questions, or that it was not understood.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use switchboard_nlu::{Candidate, Clause, Engine, Intent, Risk, SlotType, SlotValue, Slots, World};

use super::offer::Offered;
use super::paths::called;
use super::plan::Plan;
use super::world::Seen;

/// How a question ends that lists what is to be chosen from.
pub(super) const WHICH_ONE: &str = "Which one?";

/// A clause's meaning.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Meaning {
    /// This is done.
    Do(Plan),
    /// This is shown, and done if the user says yes.
    Ask(Plan),
    /// These are shown, and done if the user says yes; of the rest of the request is told that it is left undone.
    Offer { text: String, plans: Vec<Plan>, left: Vec<String> },
    /// This would be done if a slot were filled.
    #[serde(skip)]
    Lacks(Box<Lacks>),
    /// There is only something to say.
    Say { text: String, complete: bool },
    /// This is said, and nothing else is tried.
    Stop(String),
    /// What of the request is left undone, because the user has taken the rest.
    Undone(Vec<String>),
    /// The result before it, or the last one, gets this name.
    Name(String),
    /// The tables are asked; the others are what it means if they do not know.
    Tables { plan: Plan, otherwise: Vec<Self> },
    /// The user names the tool; `agreed` is as in [`Unknown`].
    Tool { tool: String, rest: String, agreed: Option<String> },
    /// No intent fits; a tool that the rules do not know may.
    Unknown(Unknown),
}

/// A plan that lacks something.
#[derive(Debug, Clone)]
pub(super) struct Lacks {
    pub(super) intent: Arc<Intent>,
    pub(super) slots: Slots,
    pub(super) slot: String,
    pub(super) question: String,
    /// What is to be chosen from, if the question names it.
    pub(super) choices: Vec<String>,
    pub(super) request: String,
}

/// A request that was not understood.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Unknown {
    pub(super) request: String,
    /// The nearest that can be done.
    pub(super) near: Option<Plan>,
    /// What of the request has no part in that.
    pub(super) unread: Vec<String>,
    /// What is said if no tool fits either.
    pub(super) said: Option<String>,
    /// The reply that showed the calls to which the user has said yes.
    pub(super) agreed: Option<String>,
    /// What that asks about, if it shows a plan.
    pub(super) offered: Option<Offered>,
}

/// What a clause was taken to mean.
pub(super) struct Decided {
    pub(super) meaning: Meaning,
    pub(super) cost: f32,
    /// Whether it speaks of something that was spoken of before.
    pub(super) refers: bool,
    /// How many words its sentence and the clause share.
    pub(super) said: usize,
}

/// A candidate's slots with what they refer to.
pub(super) struct Settled {
    pub(super) slots: Slots,
    pub(super) missing: Vec<String>,
    pub(super) cost: f32,
    /// Whether something was filled that nobody said.
    pub(super) unsaid: bool,
}

impl Meaning {
    /// Whether nothing at all was made of it.
    pub(super) fn is_unread(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.said.is_none())
    }

    /// Whether it is done, and nobody need be asked.
    pub(super) fn is_sure(&self) -> bool {
        matches!(self, Self::Do(_) | Self::Name(_) | Self::Undone(_) | Self::Say { complete: true, .. })
    }

    pub(super) fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Do(plan) | Self::Ask(plan) => Some(plan),
            _ => None,
        }
    }

    /// What it is meant to do first.
    pub(super) fn planned(&self) -> Option<&Plan> {
        match self {
            Self::Tables { plan, .. } => Some(plan),
            other => other.plan(),
        }
    }

    /// Whether it changes something.
    pub(super) fn changes(&self) -> bool {
        self.plan().is_some_and(|plan| plan.risk >= Risk::Write)
    }

    /// What of the request it is about.
    pub(super) fn request(&self) -> Option<&str> {
        match self {
            Self::Do(plan) | Self::Ask(plan) | Self::Tables { plan, .. } => Some(&plan.request),
            Self::Lacks(lacks) => Some(&lacks.request),
            Self::Unknown(unknown) => Some(&unknown.request),
            Self::Tool { rest, .. } => Some(rest),
            Self::Say { .. } | Self::Stop(_) | Self::Offer { .. } | Self::Undone(_) | Self::Name(_) => None,
        }
    }
}

/// Replies that are about the conversation; they make no plan of their own.
const CONTROLS: &[&str] = &[
    "again",
    "again_for",
    "change_to",
    "figures",
    "how_many_shown",
    "less",
    "more",
    "name_it",
    "no",
    "only",
    "use_tool",
    "why",
    "yes",
];

/// How many files of one name are listed.
const MAX_NAMED: usize = 8;

/// Whether it only says that something cannot be done: a tool may be there that can.
pub(super) fn is_refusal(plan: &Plan) -> bool {
    plan.steps.is_empty() && plan.say.is_some() && plan.values.get("complete") == Some(&serde_json::Value::Bool(false))
}

/// Whether an intent is about the conversation.
pub(super) fn is_control(intent: &Intent) -> bool {
    intent.steps.is_empty() && intent.reply.as_deref().is_some_and(|reply| CONTROLS.contains(&reply))
}

/// Whether a clause names a file or folder that is there; words that are only like the name of this one do not, nor, where
/// one was spoken of, those that are only like another's.
pub(super) fn names_a_path(clause: &Clause, but: Option<&str>) -> bool {
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split('.').next().unwrap_or(name).to_lowercase()
    };
    clause.entities.iter().any(|entity| match &entity.value {
        SlotValue::Path { path, exists: true, said, .. } => {
            let exact = || but.is_none() || said.contains('/') || stem(path) == said.to_lowercase();
            said.contains('.') || (but != Some(path.as_str()) && exact())
        }
        _ => false,
    })
}

/// Whether a clause names a path that is not there.
pub(super) fn names_a_missing_path(clause: &Clause) -> bool {
    clause.entities.iter().any(|entity| match &entity.value {
        SlotValue::Path { path, exists: false, .. } => path.contains(['.', '/']),
        _ => false,
    })
}

/// A slot whose name several files have.
pub(super) fn ambiguous(intent: &Intent, slots: &Slots, world: &Seen<'_>) -> Option<(String, Vec<String>)> {
    let deletes = intent.steps.iter().any(|step| step.edit.as_deref() == Some("delete_file"));
    slots.iter().find_map(|(name, slot)| match slot {
        SlotValue::Ambiguous { paths, .. } => Some((name.clone(), paths.clone())),
        // What goes is called by its name, not by words that are in the names of others, too.
        SlotValue::Path { said, exists: true, folder: false, .. } if deletes => {
            Some((name.clone(), called(said, world.paths().files()))).filter(|(_, paths)| paths.len() > 1)
        }
        _ => None,
    })
}

/// Asks which of several files of one name is meant.
pub(super) fn which(candidate: &Candidate, mut slots: Slots, slot: &str, paths: &[String], request: &str) -> Meaning {
    let listed: Vec<String> = paths.iter().take(MAX_NAMED).map(|path| format!("`{path}`")).collect();
    let question = format!("Several files are called that: {}. {WHICH_ONE}", listed.join(", "));
    slots.remove(slot);
    let (intent, slot, request) = (Arc::clone(&candidate.intent), slot.to_owned(), request.to_owned());
    Meaning::Lacks(Box::new(Lacks { intent, slots, slot, question, choices: paths.to_vec(), request }))
}

/// The question for a slot: the intent's own, or one by its type.
pub(super) fn question_for(intent: &Intent, slot: &str, told: &dyn Fn(&str) -> Option<String>) -> String {
    if let Some(question) = intent.ask.get(slot).and_then(|question| told(question)) {
        return question;
    }
    match intent.slots.get(slot).map(|slot| slot.kind) {
        Some(SlotType::File | SlotType::Files) => "Which file?".to_owned(),
        Some(SlotType::Folder) => "Which folder?".to_owned(),
        Some(SlotType::NewPath) => "What is the file to be called?".to_owned(),
        Some(SlotType::Content) => "What exactly shall I write? Put it in quotation marks.".to_owned(),
        _ => format!("Which {}?", slot.replace('_', " ")),
    }
}

/// Whether the type takes any words that are given as an answer to a question.
pub(super) fn takes_any_words(kind: SlotType) -> bool {
    use SlotType::{Content, Expression, Host, Key, Memory, Name, NewPath, Phrase, Text, Url, Value, Word};
    matches!(kind, Content | Text | Phrase | Word | Name | Value | Key | Memory | Expression | NewPath | Host | Url)
}

/// A slot's value as it is read out of a text that holds nothing else.
pub(super) fn read_as(
    engine: &Engine,
    world: &dyn switchboard_nlu::World,
    text: &str,
    kind: SlotType,
) -> Option<SlotValue> {
    let text = text.trim().trim_end_matches(['?', '!']);
    let text = text.strip_suffix('.').unwrap_or(text);
    let found = engine.entities(text, world);
    let whole = |span: &std::ops::Range<usize>| {
        let rest = [&text[..span.start], &text[span.end..]].concat();
        rest.chars().all(|c| !c.is_alphanumeric())
    };
    let fits = |entity: &switchboard_nlu::Entity| {
        let refers = kind == SlotType::Ref && matches!(entity.value, SlotValue::Reference { .. });
        (alike(entity.kind, kind) || refers) && whole(&entity.span)
    };
    found.into_iter().find(fits).map(|entity| entity.value)
}

/// Whether a value of one type can stand in the place of another's.
pub(super) fn alike(kind: SlotType, wanted: SlotType) -> bool {
    use SlotType::{Count, Currency, File, Files, Folder, Line, NewPath, Number, Unit};
    kind == wanted
        || matches!(
            (kind, wanted),
            (File, Files | NewPath)
                | (NewPath, File)
                | (Folder, NewPath)
                | (Number | Count | Line, Number | Count | Line)
                | (Unit | Currency, Unit | Currency)
        )
}

/// A candidate's own words that have no part in it.
pub(super) fn unread_of(candidate: Option<&Candidate>) -> Vec<String> {
    candidate.map(|candidate| candidate.unread.clone()).unwrap_or_default()
}

/// Meanings as they are where the tables do not know.
pub(super) fn without_tables(meanings: Vec<Meaning>) -> Vec<Meaning> {
    let plain = |meaning| match meaning {
        Meaning::Tables { otherwise, .. } => otherwise,
        meaning => vec![meaning],
    };
    meanings.into_iter().flat_map(plain).collect()
}
