//! What is said beside a change and asks for nothing: a reason ("he quit"), or what is to stay as it is ("leave the other
//! one alone"). What is to stay is told to the change, which then leaves alone every place that is called so.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use switchboard_nlu::{Engine, Risk, SlotValue};

use super::meaning::Meaning;
use super::plan::Plan;
use super::roles::Roles;
use crate::ops::{cut_line, word_stems};
use switchboard_search::is_stop_word;

/// What a change is told that is to stay as it is.
pub(super) const SPARED: &str = "spared";

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
    match !inner.to_lowercase().contains("not ") && sparing().is_some_and(|sparing| sparing.is_match(inner)) {
        true => format!("{}, {inner}", before.trim_end().trim_end_matches([',', '.'])).into(),
        false => text.into(),
    }
}

fn sparing() -> Option<&'static Regex> {
    static SPARING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&Roles::get().sparing).ok());
    SPARING.as_ref()
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
    plan.risk == Risk::Write && one && !several && edit.is_some_and(|edit| Roles::get().single.contains(edit))
}

/// What is said about an aside, if the words are one.
fn aside(plan: &mut Plan, request: &str) -> Option<String> {
    static REMARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&Roles::get().remark).ok());
    let words: Vec<String> =
        request.split(|c: char| !(c.is_alphanumeric() || c == '\'')).map(str::to_lowercase).collect();
    let lists = |names: &[&str], word: &String| names.iter().any(|list| Engine::shipped().lists(list, word));
    if let Some(found) = sparing().and_then(|sparing| sparing.captures(request)) {
        let thing = found.iter().skip(1).flatten().next().map_or("", |thing| thing.as_str());
        let says =
            |word: &&str| !is_stop_word(&word.to_lowercase()) && !Roles::get().others.contains(&word.to_lowercase());
        let named = plan.slots.values().map(SlotValue::text).collect::<Vec<_>>().join(" ");
        let named = word_stems(&named.replace(['_', '.'], " "));
        let is_named = |word: &str| word_stems(word).iter().any(|word| named.contains(word));
        // "the other ports" are not the port that is named.
        let others = thing.split_whitespace().any(|word| Roles::get().others.contains(&word.to_lowercase()));
        let spared: Vec<&str> =
            thing.split_whitespace().filter(says).filter(|word| !(others && is_named(word))).collect();
        let spared = spared.join(" ");
        // What is to stay is not what is named. Of rows that are taken out none is that one, though a part of its name is said.
        let of_rows = plan.steps.last().and_then(|step| step.edit.as_deref()) == Some("delete_rows");
        let is_the_same = match of_rows {
            true => spared.split_whitespace().all(is_named),
            false => is_named(&spared),
        };
        if is_the_same {
            return None;
        }
        plan.values.insert(SPARED.to_owned(), spared.into());
        return Some("I left the rest as it is.".to_owned());
    }
    let said = format!(" {} ", words.join(" "));
    let wishes = Roles::get().wishes.iter().any(|wish| said.contains(&format!(" {wish} ")));
    let plain = !wishes && !words.iter().any(|word| lists(&["weighty", "doubtful", "demanding"], word));
    let remark = plain && REMARK.as_ref().is_some_and(|remark| remark.is_match(request));
    remark.then(|| format!("I took “{}” as a remark.", cut_line(request.trim())))
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
