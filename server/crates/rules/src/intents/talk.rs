//! A few words between people: greetings, thanks, who are you, what can you do.

use super::Known;
use crate::clause::Clause;
use crate::goal::{Goal, Talk};

const GREETINGS: &[&str] = &["hi", "hello", "hey", "hiya", "howdy", "greetings", "yo", "hallo", "moin", "morning"];

const THANKS: &[&str] = &["thanks", "thank you", "thx", "ty", "cheers", "many thanks"];

const GOODBYES: &[&str] = &["bye", "goodbye", "good night", "see you|ya", "ciao", "farewell"];

const MOODS: &[&str] = &["how are you", "how is it going", "what is up", "how do you do", "sup", "how have you been"];

const ABILITIES: &[&str] = &[
    "what can|could you do",
    "what can|could you help",
    "what else? can you",
    "what else can you do",
    "what do you do",
    "what can i do|ask|say|type|write",
    "what are your abilities|capabilities|skills|features|functions|tools",
    "what|which tools",
    "what are you able|capable",
    "what do you know how",
    "how can|could|do you help",
    "how do|does you|this|it work",
    "how do|can|should i use you|this|it",
    "list|show me? all? the? your? available? tools|commands|capabilities|skills",
];

const IDENTITY: &[&str] = &[
    "who are you",
    "who is this",
    "what are you",
    "what is your name",
    "are you a|an|chatgpt|human|real|alive|there|claude|gpt",
    "are you using|based|powered",
    "which|what model|llm|ai",
    "who made|built|created you",
    "tell me about yourself",
    "introduce yourself",
];

const ACKNOWLEDGEMENTS: &[&str] = &[
    "ok",
    "okay",
    "yes",
    "no",
    "yep",
    "nope",
    "sure",
    "cool",
    "nice",
    "great",
    "perfect",
    "awesome",
    "good",
    "wow",
    "never mind",
    "nevermind",
    "alright",
    "right",
    "fine",
    "lol",
    "haha",
    "well done",
    "got it",
];

/// Talk, if the whole clause is no more than that.
pub(super) fn talk(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let words = clause.tokens.len();
    let starts =
        |most: usize, phrases: &[&str]| words <= most && phrases.iter().any(|phrase| clause.starts(phrase).is_some());
    let talk = if starts(4, GREETINGS) || starts(4, &["good morning|afternoon|evening|day"]) {
        Talk::Greeting
    } else if starts(8, THANKS) {
        Talk::Thanks
    } else if starts(4, GOODBYES) {
        Talk::Goodbye
    } else if starts(2, &["help"]) || (starts(9, ABILITIES) && !names_work(clause)) {
        Talk::Abilities
    } else if starts(9, IDENTITY) {
        Talk::Identity
    } else if starts(6, MOODS) {
        Talk::Mood
    } else if starts(3, ACKNOWLEDGEMENTS) {
        Talk::Acknowledgement
    } else {
        return None;
    };
    Some(vec![Goal::Talk(talk)])
}

/// Whether a question about the tools names what is to be done with them.
fn names_work(clause: &Clause) -> bool {
    clause.tokens.iter().any(|token| token.is_literal() || token.is(&["did", "used", "ran"]))
}
