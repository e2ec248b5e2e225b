//! What is said beside a change and asks for nothing: a reason ("he quit"), or what is to stay as it is ("leave the other
//! one alone"). What is to stay is told to the change, which then leaves alone every place that is called so.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Captures;
use serde::Deserialize;
use switchboard_nlu::{Engine, Risk, SlotValue};

use super::meaning::Meaning;
use super::plan::Plan;
use super::roles::Roles;
use crate::data::{self, Pattern};
use crate::ops::{cut_line, word_stems};
use switchboard_search::is_stop_word;

/// What a change is told that is to stay as it is.
pub(super) const SPARED: &str = "spared";

/// What is said of the asides of a plan.
pub(super) const ASIDES: &str = "asides";

/// How asides look: `asides.toml`.
#[derive(Debug, Deserialize)]
pub(super) struct Asides {
    remark: Pattern,
    sparing: Pattern,
    pub(super) reason: Pattern,
    /// What tells the matter of a question rather than a remark.
    matter: Pattern,
    /// What a statement is about, and the pronoun that means it in the sentence behind.
    about: Pattern,
    pronoun: Pattern,
    /// What begins behind a comma as a sentence of its own, and what is one in front of it.
    begins: Pattern,
    statement: Pattern,
    question: Pattern,
    /// What lacks its subject, which stands in front then: "should be 5".
    pub(super) leans: Pattern,
    /// The words that make a remark a wish after all, and those that name nothing in it.
    wishes: Vec<String>,
    others: Vec<String>,
    /// The edits that can be told what to leave alone.
    single: Vec<String>,
}

impl Asides {
    pub(super) fn get() -> &'static Self {
        static ASIDES: LazyLock<Asides> = LazyLock::new(|| data::read(include_str!("asides.toml")));
        &ASIDES
    }

    /// What words name that are to stay as they are.
    pub(super) fn spared<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(self.sparing.captures(text)?.iter().skip(1).flatten().next().map_or("", |thing| thing.as_str()))
    }

    /// Whether a comma between these divides two sentences.
    pub(super) fn is_divided(&self, before: &str, behind: &str) -> bool {
        let stated = self.statement.is_match(before);
        (self.begins.is_match(behind) && (stated || self.statement.is_match(behind)))
            || (stated && Roles::get().commands(behind))
    }

    /// A sentence with what the statement before it is about in the place of its pronoun: "Luna got adopted. delete her".
    pub(super) fn with_its_noun<'t>(&self, sentence: &'t str, before: Option<&str>) -> Cow<'t, str> {
        let about = before.and_then(|before| Some(self.about.captures(before)?.name("subject")?.as_str()));
        let Some(subject) = about.filter(|subject| !is_stop_word(&subject.to_lowercase())) else {
            return sentence.into();
        };
        let lists =
            |word: &str| ["particles", "joining", "filler"].iter().any(|list| Engine::shipped().lists(list, word));
        self.pronoun.replace_all(sentence, |found: &Captures<'_>| {
            match found.name("owner").map(|owner| owner.as_str()) {
                // "take her off" is not what she owns.
                Some(owner) => match owner.split_once(' ') {
                    Some((_, behind)) if lists(&behind.to_lowercase()) => format!("{subject} {behind}"),
                    Some((_, owned)) => format!("{subject}'s {owned}"),
                    None => format!("{subject}'s"),
                },
                None => subject.to_owned(),
            }
        })
    }

    /// Whether a sentence asks a question.
    pub(super) fn asks(&self, sentence: &str) -> bool {
        sentence.ends_with('?') || self.question.is_match(sentence)
    }

    /// Whether a sentence states something, and cannot be a wish or restrict one.
    pub(super) fn states(&self, sentence: &str) -> bool {
        self.is_beside_a_question(sentence) && self.is_plain(sentence) && self.statement.is_match(sentence)
    }

    /// Whether a sentence beside a question asks for nothing and restricts nothing.
    pub(super) fn is_beside_a_question(&self, sentence: &str) -> bool {
        let lists = |list: &&str, word: &str| Engine::shipped().lists(list, &word.to_lowercase());
        let restricts = |word: &str| ["weighty", "demanding"].iter().any(|list| lists(list, word));
        let names = |c: char| c.is_ascii_digit() || matches!(c, '"' | '`' | '/' | '@');
        let tells = self.asks(sentence) || self.matter.is_match(sentence);
        !tells && !sentence.contains(names) && !words(sentence).any(restricts)
    }

    /// Whether words behind a request are a remark.
    fn is_remark(&self, text: &str) -> bool {
        self.is_plain(text) && self.remark.is_match(text)
    }

    /// Whether words ask for nothing, restrict nothing, and are not in doubt.
    pub(super) fn is_plain(&self, text: &str) -> bool {
        let words: Vec<String> = words(text).map(str::to_lowercase).collect();
        let said = format!(" {} ", words.join(" "));
        let wishes = self.wishes.iter().any(|wish| said.contains(&format!(" {wish} ")));
        let lists =
            |word: &String| ["weighty", "doubtful", "demanding"].iter().any(|list| Engine::shipped().lists(list, word));
        !wishes && !words.iter().any(lists)
    }
}

/// The meanings with those of asides in the place of what was made of their words.
pub(super) fn without_asides(meanings: Vec<Meaning>) -> Vec<Meaning> {
    let mut kept: Vec<Meaning> = Vec::with_capacity(meanings.len());
    for meaning in meanings {
        let request = meaning.request().unwrap_or_default().to_owned();
        let aside = match kept.last_mut() {
            Some(Meaning::Do(plan) | Meaning::Ask(plan)) if is_single_change(plan) && !changes(&meaning) => {
                aside(plan, &request)
            }
            _ => None,
        };
        kept.push(aside.map_or(meaning, |text| Meaning::Say { text, complete: true }));
    }
    kept
}

/// A message in which what is to stay as it is stands behind a comma rather than in brackets.
pub(super) fn without_brackets(text: &str) -> Cow<'_, str> {
    let bare = text.trim_end().trim_end_matches(['.', '!']);
    let parts = bare.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    // What stands behind a colon or in quotation marks is a text.
    let is_request = |before: &str| before.split_whitespace().count() > 2 && !before.contains([':', '"', '`']);
    let Some((before, inner)) = parts.filter(|(before, _)| is_request(before)) else { return text.into() };
    match !inner.to_lowercase().contains("not ") && Asides::get().sparing.is_match(inner) {
        true => format!("{}, {inner}", before.trim_end().trim_end_matches([',', '.'])).into(),
        false => text.into(),
    }
}

/// Whether something else is asked for. A change read out of what begins with "not" is none.
fn changes(meaning: &Meaning) -> bool {
    let first = meaning.request().unwrap_or_default().split_whitespace().next().unwrap_or_default().to_lowercase();
    meaning.changes() && !Engine::shipped().lists("weighty", &first)
}

/// Whether a plan changes one place only, which can be told what to leave alone.
pub(super) fn is_single_change(plan: &Plan) -> bool {
    let files = plan.slots.values().filter(|slot| matches!(slot, SlotValue::Path { exists: true, folder: false, .. }));
    let several = plan.slots.values().any(|slot| matches!(slot, SlotValue::Paths { .. } | SlotValue::Glob { .. }));
    let edit = plan.steps.last().and_then(|step| step.edit.as_ref());
    let one = plan.values.contains_key("only_one") || files.count() == 1;
    plan.risk == Risk::Write && one && !several && edit.is_some_and(|edit| Asides::get().single.contains(edit))
}

/// What is said about an aside, if the words are one.
fn aside(plan: &mut Plan, request: &str) -> Option<String> {
    match Asides::get().spared(request) {
        Some(thing) => spare(plan, thing),
        None => Asides::get().is_remark(request).then(|| taken_as_remark(request)),
    }
}

/// Tells a plan what is to stay as it is, unless that is what it names itself.
pub(super) fn spare(plan: &mut Plan, thing: &str) -> Option<String> {
    let others = &Asides::get().others;
    let says = |word: &&str| !is_stop_word(&word.to_lowercase()) && !others.contains(&word.to_lowercase());
    let named = plan.slots.values().map(SlotValue::text).collect::<Vec<_>>().join(" ");
    let named = word_stems(&named.replace(['_', '.'], " "));
    let is_named = |word: &str| word_stems(word).iter().any(|word| named.contains(word));
    // "the other ports" are not the port that is named.
    let other = thing.split_whitespace().any(|word| others.contains(&word.to_lowercase()));
    let spared: Vec<&str> = thing.split_whitespace().filter(says).filter(|word| !(other && is_named(word))).collect();
    let spared = spared.join(" ");
    // What is to stay is not what is named. Of rows that are taken out none is that one, though a part of its name is said.
    let of_rows = plan.steps.last().and_then(|step| step.edit.as_deref()) == Some("delete_rows");
    let is_the_same = if of_rows { spared.split_whitespace().all(is_named) } else { is_named(&spared) };
    if is_the_same {
        return None;
    }
    plan.values.insert(SPARED.to_owned(), spared.into());
    Some("I left the rest as it is.".to_owned())
}

pub(super) fn taken_as_remark(text: &str) -> String {
    format!("I took “{}” as a remark.", cut_line(text.trim()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_stay_needs_no_brackets() {
        let check = |text: &str, expected: &str| assert_eq!(without_brackets(text), expected);
        check(
            "sort issues.csv by votes, highest on top (header stays first obviously)",
            "sort issues.csv by votes, highest on top, header stays first obviously",
        );
        check("sort a.csv by day (leave b.csv alone).", "sort a.csv by day, leave b.csv alone");
        for text in [
            "add to a.txt: keep it (leave the rest as it is)",
            "remember to buy milk (not the blue one)",
            "what is (2 + 3)",
            "sort a.csv by weight (kg)",
        ] {
            check(text, text);
        }
    }
}
