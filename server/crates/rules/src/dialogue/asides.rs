//! What is said beside a change and asks for nothing: a reason ("he quit"), or what is to stay as it is ("leave the other
//! one alone"). What is to stay is told to the change, which then leaves alone every place that is called so.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer, de};
use switchboard_nlu::{Engine, Risk, SlotValue};

use super::gather::only_whole;
use super::meaning::Meaning;
use super::mind::Mind;
use super::plan::Plan;
use crate::ops::{cut_line, word_stems};
use switchboard_search::is_stop_word;

/// What a change is told that is to stay as it is.
pub(super) const SPARED: &str = "spared";

/// What is said of the asides of a plan.
pub(super) const ASIDES: &str = "asides";

/// How many asides a message has at most.
const MOST: usize = 3;

/// How asides look: `asides.toml`.
#[derive(Debug, Deserialize)]
struct Asides {
    #[serde(deserialize_with = "pattern")]
    remark: Regex,
    #[serde(deserialize_with = "pattern")]
    sparing: Regex,
    #[serde(deserialize_with = "pattern")]
    reason: Regex,
    /// What lacks its subject, which stands in front then: "should be 5".
    #[serde(deserialize_with = "pattern")]
    leans: Regex,
    /// The words that make a remark a wish after all, and those that name nothing in it.
    wishes: Vec<String>,
    others: Vec<String>,
    /// The edits that can be told what to leave alone.
    single: Vec<String>,
}

fn pattern<'d, D: Deserializer<'d>>(from: D) -> Result<Regex, D::Error> {
    Regex::new(&String::deserialize(from)?).map_err(de::Error::custom)
}

impl Asides {
    fn get() -> &'static Self {
        static ASIDES: LazyLock<Asides> =
            LazyLock::new(|| toml::from_str(include_str!("asides.toml")).unwrap_or_else(|error| panic!("{error}")));
        &ASIDES
    }

    /// What words name that are to stay as they are.
    fn spared<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(self.sparing.captures(text)?.iter().skip(1).flatten().next().map_or("", |thing| thing.as_str()))
    }

    /// Whether words behind a request are a remark.
    fn is_remark(&self, text: &str) -> bool {
        self.is_plain(text) && self.remark.is_match(text)
    }

    /// Whether words ask for nothing, restrict nothing, and are not in doubt.
    fn is_plain(&self, text: &str) -> bool {
        let words: Vec<String> = words(text).map(str::to_lowercase).collect();
        let said = format!(" {} ", words.join(" "));
        let wishes = self.wishes.iter().any(|wish| said.contains(&format!(" {wish} ")));
        let lists =
            |word: &String| ["weighty", "doubtful", "demanding"].iter().any(|list| Engine::shipped().lists(list, word));
        !wishes && !words.iter().any(lists)
    }
}

/// A message without what is said beside its request.
#[derive(Debug, PartialEq, Eq)]
struct Parted<'t> {
    request: &'t str,
    remarks: Vec<&'t str>,
    spared: Vec<&'t str>,
}

impl<'t> Parted<'t> {
    /// The parts of a message that has asides.
    fn read(text: &'t str) -> Option<Self> {
        let asides = Asides::get();
        let mut parted = Self { request: text.trim(), remarks: Vec::new(), spared: Vec::new() };
        while let Some(at) = parted.request.trim_end_matches(['.', '!', ' ']).rfind(['.', ',', ';', '!']) {
            let (before, tail) = (&parted.request[..at], parted.request[at + 1..].trim());
            // A full stop divides only before a blank: not `a.txt`.
            let divides = parted.request[at + 1..].starts_with(' ') && parted.spared.len() < MOST;
            match asides.spared(tail) {
                _ if !divides => break,
                Some(spared) => parted.spared.push(spared),
                None => break,
            }
            parted.request = before.trim_end();
        }
        if let Some(found) = asides.reason.captures(parted.request)
            && let (Some(remark), Some(rest)) = (found.name("remark"), found.name("rest"))
            && asides.is_plain(remark.as_str())
            && !remark.as_str().contains(|c: char| c.is_ascii_digit())
            && !asides.leans.is_match(rest.as_str())
        {
            parted.remarks.push(remark.as_str());
            parted.request = rest.as_str();
        }
        (!parted.remarks.is_empty() || !parted.spared.is_empty()).then_some(parted)
    }
}

impl Parted<'_> {
    /// Tells a change, and what it is otherwise, what is said beside it; nothing if what is to stay is what it names.
    fn add_to(&self, meaning: &mut Meaning) -> Option<()> {
        let (plan, otherwise) = match meaning {
            Meaning::Do(plan) => (plan, None),
            Meaning::Tables { plan, otherwise } => (plan, Some(otherwise)),
            _ => return Some(()),
        };
        let mut said: Vec<String> = self.remarks.iter().map(|remark| taken_as_remark(remark)).collect();
        for spared in &self.spared {
            said.push(spare(plan, spared)?);
        }
        said.dedup();
        plan.values.insert(ASIDES.to_owned(), said.join(" ").into());
        otherwise.into_iter().flatten().try_for_each(|meaning| self.add_to(meaning))
    }
}

impl Mind<'_> {
    /// The meanings of a message, or, if they are not sure, the one change that it asks for without what is said beside.
    pub(super) fn or_without_asides(&self, text: &str, earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        let told = |meaning: &Meaning| matches!(meaning, Meaning::Tables { plan, .. } if plan.risk == Risk::Write);
        let asks = |meaning: &Meaning| matches!(meaning, Meaning::Tables { plan, .. } if plan.risk <= Risk::Read);
        if meanings.iter().all(Meaning::is_sure) || meanings.iter().any(asks) || text.contains('?') {
            return meanings;
        }
        let Some(parted) = Parted::read(text) else { return meanings };
        let refers = |value: &SlotValue| matches!(value, SlotValue::Reference { .. });
        if self.engine.entities(parted.request, self.world).iter().any(|entity| refers(&entity.value)) {
            return meanings;
        }
        let alone = only_whole(self.understand(parted.request, earlier), parted.request);
        let alone = self.or_told(parted.request, earlier, alone);
        let changes = match alone.as_slice() {
            [Meaning::Do(plan)] => is_single_change(plan) || (plan.risk == Risk::Write && parted.spared.is_empty()),
            [only] => told(only),
            _ => false,
        };
        let Some(mut meant) = alone.into_iter().next().filter(|_| changes) else { return meanings };
        if parted.add_to(&mut meant).is_none() {
            return meanings;
        }
        // The whole message may be told of one place, with what seems to be said beside.
        match meanings.as_slice() {
            [only @ Meaning::Tables { plan, otherwise }] if told(only) => {
                let otherwise = vec![or_else(meant, otherwise.clone())];
                vec![Meaning::Tables { plan: plan.clone(), otherwise }]
            }
            _ => vec![or_else(meant, meanings)],
        }
    }
}

/// A change, or, if it cannot be made, what the whole message means.
fn or_else(change: Meaning, whole: Vec<Meaning>) -> Meaning {
    match change {
        Meaning::Tables { plan, otherwise } => {
            let otherwise = match otherwise.into_iter().next() {
                Some(other @ Meaning::Tables { .. }) => vec![or_else(other, whole)],
                _ => whole,
            };
            Meaning::Tables { plan, otherwise }
        }
        Meaning::Do(plan) => Meaning::Tables { plan, otherwise: whole },
        other => other,
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
    let files = plan.slots.values().filter(|slot| matches!(slot, SlotValue::Path { exists: true, .. }));
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
fn spare(plan: &mut Plan, thing: &str) -> Option<String> {
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

fn taken_as_remark(text: &str) -> String {
    format!("I took “{}” as a remark.", cut_line(text.trim()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_without_what_is_said_beside() {
        for (text, request, remarks, spared) in [
            (
                "people can't upload long shows, allow 64 megabytes in nginx",
                "allow 64 megabytes in nginx",
                vec!["people can't upload long shows"],
                vec![],
            ),
            ("cone 05 should be 1046, cone 5 is right", "cone 05 should be 1046", vec![], vec!["cone 5"]),
            (
                "set the port to 80. the other ports stay as they are",
                "set the port to 80",
                vec![],
                vec!["the other ports"],
            ),
        ] {
            let parted = Parted::read(text);

            assert_eq!(parted, Some(Parted { request, remarks, spared }), "{text}");
        }
        for text in [
            "set it to 5 in a.txt",
            "the timeout is wrong, should be 50 instead of 60",
            "if it rains, set wet to yes",
            "on staging, set the port to 80",
        ] {
            assert_eq!(Parted::read(text), None, "{text}");
        }
    }

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
