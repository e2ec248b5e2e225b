//! Messages that amend what was just told or done: another value for it, a correction, what two figures come to together,
//! how many were shown. Each is made a whole request, from what the last one spoke of and what was told, and read anew.

use switchboard_nlu::{Candidate, Given, Risk, SlotType, SlotValue, Slots};

use super::meaning::{Meaning, is_control};
use super::mind::Mind;
use super::plan::Plan;
use super::roles::Roles;
use super::shown::{cell, figure, items, only_value, shows_rows};
use super::tabular;
use super::thresholds::EXACT;

/// So many figures of the last replies are taken together at most.
const MAX_FIGURES: usize = 12;

impl Mind<'_> {
    /// What the last request spoke of with another value: "make it 30", "raise it by 10 percent".
    pub(super) fn change_to(&self, candidate: &Candidate, earlier: &[String]) -> Option<Vec<Meaning>> {
        let (_, rest) = earlier.split_last()?;
        let before = self.before(earlier)?;
        let base = before.iter().rev().find_map(Meaning::planned)?;
        // Of a whole text nothing is the value.
        let shown = matches!(base.reply.as_deref(), Some("show" | "lines"));
        let told = self.said_before(earlier).and_then(only_value).filter(|_| !shown);
        let wanted = match candidate.slots.get("value") {
            Some(value) => value.text(),
            None => changed_by(told.as_deref()?.parse().ok()?, candidate)?,
        };
        if base.risk == Risk::Write {
            return self.with_slots(base, &[(SlotType::Value, &wanted)]);
        }
        // What was told stands in one file, under a key or by itself.
        let file = self.file_told(base, earlier)?;
        let key = ["key", "name", "setting"].iter().find_map(|name| base.slots.get(*name)).map(SlotValue::text);
        let by_row = self.said_before(earlier).and_then(cell).filter(|_| tabular::is_table(&file));
        let by_row = by_row.map(|(column, row)| format!("set the {column} of {row} to {wanted} in {file}"));
        let by_key = key.map(|key| format!("set {key} to {wanted} in {file}"));
        let by_value = told.map(|told| format!("change the only \"{told}\" to \"{wanted}\" in {file}"));
        let read = by_row.into_iter().chain(by_key).chain(by_value).map(|request| self.understand(&request, rest));
        read.into_iter().find(|read| matches!(read.as_slice(), [Meaning::Do(plan)] if plan.risk == Risk::Write))
    }

    /// The plan before with other values in the slots of these types; nothing if it has not just one for each.
    fn with_slots(&self, base: &Plan, values: &[(SlotType, &str)]) -> Option<Vec<Meaning>> {
        let intent = self.engine.intent(&base.intent)?;
        let mut slots: Slots = base.slots.clone();
        for (kind, text) in values {
            let of_kind = |name: &&String| {
                let own = intent.slots.get(*name).map(|slot| slot.kind);
                own == Some(*kind) || (*kind == SlotType::Key && own == Some(SlotType::Column))
            };
            let places: Vec<String> = base.slots.keys().filter(of_kind).cloned().collect();
            let [place] = places.as_slice() else { return None };
            let own = intent.slots.get(place)?.kind;
            let json = serde_json::from_str(text).ok().filter(serde_json::Value::is_number);
            let plain = || SlotValue::Value { value: json.unwrap_or_else(|| (*text).into()), how: Given::Plain };
            slots.insert(place.clone(), self.engine.named(text, self.world, own).unwrap_or_else(plain));
        }
        Some(vec![self.ready(intent, slots, &base.request)])
    }

    /// "and the time to 19:30": another key and its value, in the same place.
    pub(super) fn other_pair(&self, what: &str, base: &Plan) -> Option<Vec<Meaning>> {
        let pair = Roles::get().paired(what).filter(|_| base.risk == Risk::Write)?;
        self.with_slots(base, &[(SlotType::Key, pair.0), (SlotType::Value, pair.1)])
    }

    /// What is said in the place of something in the request before: "no, the other one", "sorry, I meant october". What
    /// that one changed is put back first.
    pub(super) fn corrected(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let what = Roles::get().corrected(text);
        let leaves = Roles::get().leaves(text);
        if what.is_none() && !leaves {
            return None;
        }
        let (_, rest) = earlier.split_last()?;
        if leaves {
            return self.recent.changed.then(|| self.understand(&Roles::get().undo, rest));
        }
        // "sry, once more?" corrects nothing.
        let controls = |text: &str| {
            let reading = self.engine.read(text, self.world);
            let first = reading.clauses.first().and_then(|clause| clause.candidates.first()).cloned();
            first.is_some_and(|first| {
                let fills = first.slots.is_empty() && reading.clauses.len() == 1;
                fills && is_control(&first.intent) && first.score < EXACT
            })
        };
        if let Some(what) = what.filter(|what| controls(what)) {
            return Some(self.understand(what, earlier));
        }
        let base = self.before(earlier)?.into_iter().rev().find_map(|meaning| meaning.planned().cloned());
        let Some(base) = base else { return self.put_in_place(what?, what?, true, earlier) };
        let what = what?;
        let number = what.parse::<f64>().is_ok().then(|| self.with_slots(&base, &[(SlotType::Value, what)])).flatten();
        let other = number
            .or_else(|| self.put_in_place(what, what, true, earlier))
            .or_else(|| self.again_for(what, &[], earlier))?;
        let changed = base.risk == Risk::Write && self.recent.changed && other.iter().any(Meaning::changes);
        let undo = if changed { self.understand(&Roles::get().undo, rest) } else { Vec::new() };
        let undo = undo.into_iter().filter(|meaning| matches!(meaning, Meaning::Do(_)));
        Some(undo.chain(other).collect())
    }

    /// What the figures of the last replies come to: "both together?", "what's the difference".
    pub(super) fn figures(&self, candidate: &Candidate, rest: &[String]) -> Option<Vec<Meaning>> {
        let text = |slot: &str| candidate.slots.get(slot).map(SlotValue::text);
        let told = self
            .replies
            .iter()
            .rev()
            .take(MAX_FIGURES)
            .map_while(|reply| Some((figure(reply).filter(|_| !shows_rows(reply))?, reply)));
        let told: Vec<(f64, &String)> = told.collect();
        let operator = text("op")?;
        let alike = || told.iter().take_while(|(_, reply)| kind(reply) == kind(told[0].1)).count();
        let most = match text("n").and_then(|n| n.parse().ok()) {
            Some(n) => n,
            None if operator == "-" || candidate.intent.constants.contains_key("two") => 2,
            // What was told of something else before is not meant, too.
            None => alike(),
        };
        let mut told: Vec<f64> = told.into_iter().map(|(figure, _)| figure).collect();
        if told.len() < most.max(2) {
            let text = "I have not told figures enough for that. Please say the whole request.";
            return Some(vec![Meaning::Stop(text.to_owned())]);
        }
        told.truncate(most);
        if operator == "-" {
            told.sort_by(|one, other| other.total_cmp(one));
        }
        let sum = told.iter().map(f64::to_string).collect::<Vec<_>>().join(&format!(" {operator} "));
        let request = match candidate.intent.constants.contains_key("mean") {
            true => format!("calculate ({sum}) / {}", told.len()),
            false => format!("calculate {sum}"),
        };
        Some(self.understand(&request, rest))
    }

    /// How many were shown last: "how many is that".
    pub(super) fn how_many_shown(&self, earlier: &[String]) -> Option<Vec<Meaning>> {
        // "which files …": so many files as the reply says, rather than lines.
        let request = earlier.last().map(|request| request.to_lowercase()).unwrap_or_default();
        if let Some((count, noun)) = self.said.and_then(|said| counted_as(said, &request)) {
            return Some(vec![Meaning::Say { text: format!("**{count} {noun}**, as I listed them."), complete: true }]);
        }
        let count = self.said.and_then(items)?;
        Some(vec![Meaning::Say { text: format!("**{count}**, as I listed them."), complete: true }])
    }

    /// The reply to the last of these requests.
    pub(super) fn said_before(&self, earlier: &[String]) -> Option<&str> {
        let since = self.heard.checked_sub(earlier.len())?;
        self.replies.iter().rev().nth(since).map(String::as_str)
    }

    /// The one file that the last reply or its plan names.
    pub(super) fn file_told(&self, base: &Plan, earlier: &[String]) -> Option<String> {
        let named = base.slots.values().find_map(|slot| match slot {
            SlotValue::Path { path, exists: true, folder: false, .. } => Some(path.clone()),
            _ => None,
        });
        let parts = self.said_before(earlier).unwrap_or_default().split('`').skip(1).step_by(2);
        let mut told: Vec<&str> =
            parts.map(|part| part.split(':').next().unwrap_or(part)).filter(|part| self.world.is_file(part)).collect();
        told.dedup();
        match told.as_slice() {
            [only] => named.or_else(|| Some((*only).to_owned())),
            _ => named,
        }
    }
}

/// What a reply tells a figure of: of what and where, without the conditions.
fn kind(said: &str) -> String {
    let plain: String = said.split("**").step_by(2).collect();
    let told = plain.lines().next().unwrap_or_default();
    let told = told.split_once(" where ").map_or(told, |(told, _)| told);
    // A calculation is like any other.
    if told.contains(" in `") { told.to_owned() } else { String::new() }
}

/// The count in a reply's first line of what the request asks for: "7 lines of 2 files" to "which files".
fn counted_as(said: &str, request: &str) -> Option<(usize, String)> {
    let words: Vec<&str> = said.lines().next()?.split_whitespace().collect();
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut counts = words.windows(2).filter_map(|pair| Some((plain(pair[0]).parse().ok()?, plain(pair[1]))));
    let asked = |noun: &str| request.split(|c: char| !c.is_alphanumeric()).any(|word| word == noun);
    counts.find(|(_, noun): &(usize, String)| noun.len() > 2 && asked(noun))
}

/// A figure raised or lowered, with as many digits behind the point as it needs.
fn changed_by(told: f64, candidate: &Candidate) -> Option<String> {
    let down = candidate.slots.get("way").is_some_and(|way| way.text() == "-");
    let (by, percent) = match (candidate.slots.get("percent"), candidate.slots.get("n")) {
        (Some(percent), _) => (percent.text().trim_end_matches(['%', ' ']).parse::<f64>().ok()?, true),
        (None, by) => (by?.text().parse::<f64>().ok()?, false),
    };
    let by = if percent { told * by / 100.0 } else { by };
    let value = if down { told - by } else { told + by };
    let rounded = (value * 10_000.0).round() / 10_000.0;
    Some(rounded.to_string())
}
