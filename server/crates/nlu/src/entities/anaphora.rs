//! What was spoken of before: "it", "that file", "the second one", "the result". Whom they mean, the dialogue says.

use super::context::{BY_REFERENCE, Context, Found};
use super::lines::ordinal;
use crate::kinds::Kinds;
use crate::slots::{Anaphor, SlotType, SlotValue};

/// The references that begin at this token.
pub(crate) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    let article = usize::from(context.lower(at) == "the");
    pronoun(context, at, found);
    if article == 1 {
        definite(context, at, found);
    }
    nth(context, at, article, found);
}

/// "it", "that", "those files".
fn pronoun(context: &Context, at: usize, found: &mut Vec<Found>) {
    let Some((number, length)) = context.means("references", at) else { return };
    let anaphor = |noun: Option<String>| match number {
        "them" => Anaphor::Them { noun },
        _ => Anaphor::It { noun },
    };
    add(context, at, length, anaphor(None), 0.03, found);
    if let Some((noun, words)) = noun(context, at + length) {
        add(context, at, length + words, anaphor(noun), 0.01, found);
    }
}

/// "the same file", "the other one", "the file", "the result".
fn definite(context: &Context, at: usize, found: &mut Vec<Found>) {
    if let Some((result, length)) = context.means("results", at + 1) {
        add(context, at, 1 + length, Anaphor::Result { noun: result.to_owned() }, 0.02, found);
    }
    let kind = context.one_means("which", at + 1);
    match (kind, noun(context, at + 2), noun(context, at + 1)) {
        (Some("other"), Some((noun, words)), _) => add(context, at, 2 + words, Anaphor::Other { noun }, 0.02, found),
        (Some("same"), Some((noun, words)), _) => add(context, at, 2 + words, Anaphor::It { noun }, 0.01, found),
        (None, _, Some((noun @ Some(_), words))) => {
            let plural = context.lower(at + 1).ends_with('s');
            let anaphor = if plural { Anaphor::Them { noun } } else { Anaphor::It { noun } };
            add(context, at, 1 + words, anaphor, 0.15, found);
        }
        _ => {}
    }
}

/// "the second one", "third file", "the last".
fn nth(context: &Context, at: usize, article: usize, found: &mut Vec<Found>) {
    let Some(place) = ordinal(context, at + article) else { return };
    let length = article + 1;
    match noun(context, at + length) {
        Some((noun, words)) if noun.as_deref() != Some("line") => {
            add(context, at, length + words, Anaphor::Nth { place, noun }, 0.02, found);
        }
        None if article == 1 && !context.is_in("ends", at + article) => {
            add(context, at, length, Anaphor::Nth { place, noun: None }, 0.1, found);
        }
        _ => {}
    }
}

/// A noun that says what is meant, or "one", which does not; and how many words.
fn noun(context: &Context, at: usize) -> Option<(Option<String>, usize)> {
    let (noun, words) = context.means("nouns", at)?;
    Some(((noun != "one").then(|| noun.to_owned()), words))
}

fn add(context: &Context, at: usize, length: usize, anaphor: Anaphor, cost: f32, found: &mut Vec<Found>) {
    let tokens = &context.tokens[at..at + length];
    let said = tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
    let kinds = kinds(&anaphor);
    found.push(Found { length, kinds, value: SlotValue::Reference { anaphor, said }, cost, strong: false });
}

/// The slots that can hold what the noun says.
fn kinds(anaphor: &Anaphor) -> Kinds {
    let noun = match anaphor {
        Anaphor::It { noun } | Anaphor::Them { noun } | Anaphor::Nth { noun, .. } | Anaphor::Other { noun } => {
            noun.as_deref()
        }
        Anaphor::Result { .. } => None,
    };
    match noun {
        Some("file" | "copy" | "original") => Kinds::of(&[SlotType::File, SlotType::Files, SlotType::Ref]),
        Some("folder") => Kinds::of(&[SlotType::Folder, SlotType::Ref]),
        Some("number") => Kinds::of(&[SlotType::Number, SlotType::Expression, SlotType::Quantity, SlotType::Ref]),
        Some("command") => Kinds::of(&[SlotType::Command, SlotType::Ref]),
        Some("text" | "line") => Kinds::of(&[SlotType::Content, SlotType::Text, SlotType::Ref]),
        Some("date") => Kinds::of(&[SlotType::Date, SlotType::Ref]),
        Some(_) => Kinds::of(&[SlotType::Ref, SlotType::Variable]),
        None => Kinds::of(&BY_REFERENCE),
    }
}
