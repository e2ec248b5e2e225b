//! How far the words of a question are from the names and cells of a table.

use crate::lists::elements;
use crate::tokens::key;
use crate::vocabulary::vocabulary;

/// What it costs that one is said for many, or the other way round.
pub(crate) const PLURAL: f32 = 0.01;

/// What another word of the same meaning costs.
const ALIKE: f32 = 0.02;

/// What a word of the same stem costs.
pub(crate) const STEM: f32 = 0.08;

/// Whether a word is a form of a column's name that verbs and adjectives have.
pub(crate) fn ends_as_verb(phrase: &str, name: &str) -> bool {
    let many = |part: &str| phrase == part || is_plural(part, phrase);
    let ending = |word: &String| phrase.ends_with(word.as_str()) && !name.split(' ').any(many);
    vocabulary().set("verb_endings").iter().any(ending)
}

fn is_plural(one: &str, many: &str) -> bool {
    many.strip_prefix(one).is_some_and(|end| matches!(end, "s" | "es"))
}

/// How far a phrase is from cells: written alike, one or many, the same in other words, of the same stem.
pub(crate) fn likeness(phrase: &str, values: &[String]) -> Option<f32> {
    let keys: Vec<String> = values.iter().map(|value| key(value)).collect();
    let holds = |value: &String| elements(value).into_iter().any(|name| key(name) == phrase);
    if keys.iter().any(|key| key == phrase) || values.iter().all(holds) {
        Some(0.0)
    } else if keys.iter().any(|key| is_plural(key, phrase) || is_plural(phrase, key)) {
        Some(PLURAL)
    } else if keys.iter().any(|key| vocabulary().alike(key).iter().any(|other| other == phrase)) {
        Some(ALIKE)
    } else {
        // `ship the order` is not about those that are shipped.
        (!keys.iter().all(|key| key.starts_with(phrase))).then_some(STEM)
    }
}
