//! Messages that go on with what was shown or done last: "put candles on it", "set her email to …", "which weekday is that".
//! Each stands for a whole request, which is read anew. How they look is data; what they lean on must have been told.

use std::sync::LazyLock;

use regex::Captures;
use serde::Deserialize;
use switchboard_nlu::{Anaphor, Risk, SlotType, SlotValue};

use super::meaning::{Meaning, is_refusal, read_as};
use super::mind::Mind;
use super::plan::Plan;
use super::roles::Roles;
use super::shown::{figure, list_items, person, row, shows_rows};
use super::tabular;
use crate::data::{self, Pattern};
use crate::ops::{UNSURE, lines_shown};

/// A way to go on.
#[derive(Debug, Deserialize)]
struct Going {
    says: Pattern,
    /// The request that it stands for.
    request: String,
    /// How the request before must look.
    after: Option<Pattern>,
    /// What would change something is shown first.
    #[serde(default)]
    asks: bool,
    /// It also stands for a request when nothing was said before.
    #[serde(default)]
    alone: bool,
}

#[derive(Debug, Deserialize)]
struct GoesOn {
    going: Vec<Going>,
}

fn ways() -> &'static [Going] {
    static DATA: LazyLock<GoesOn> = LazyLock::new(|| data::read(include_str!("goes_on.toml")));
    &DATA.going
}

impl Mind<'_> {
    /// What a message means that goes on with the last one: the request that it stands for.
    pub(super) fn gone_on(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        if self.whole.get() {
            return None;
        }
        let last = earlier.last().map_or("", String::as_str);
        let typed = std::cell::OnceCell::new();
        let has_a_path = || *typed.get_or_init(|| self.has_a_typed_path(text));
        ways().iter().find_map(|way| {
            let found = way.says.captures(text).filter(|_| way.alone || !earlier.is_empty())?;
            if way.after.as_ref().is_some_and(|after| !after.is_match(last)) {
                return None;
            }
            if found.name("aside").is_some_and(|aside| self.may_ask(aside.as_str(), earlier)) {
                return None;
            }
            let in_a_file = ["{file}", "{list}", "{settings}"].iter().any(|file| way.request.contains(file));
            // "set it to 9": what "it" is, the one value that was told says.
            let it = || text.split_whitespace().any(|word| Roles::get().it.iter().any(|it| it == &word.to_lowercase()));
            if in_a_file && (has_a_path() || (way.asks && it())) {
                return None;
            }
            let request = self.told_whole(&way.request, &found, earlier)?;
            self.whole.set(true);
            let meanings = self.understand(&request, earlier);
            self.whole.set(false);
            // What is to be done in a file is no program.
            let runs = |plan: &Plan| in_a_file && plan.risk == Risk::Execute;
            match meanings.as_slice() {
                [Meaning::Do(plan) | Meaning::Ask(plan)] if runs(plan) => None,
                [Meaning::Do(plan)] if way.asks && plan.risk >= Risk::Write => Some(vec![Meaning::Ask(plan.clone())]),
                [Meaning::Do(plan) | Meaning::Ask(plan)] if !is_refusal(plan) => Some(meanings),
                [Meaning::Say { complete: true, .. } | Meaning::Tables { .. }] => Some(meanings),
                _ => None,
            }
        })
    }

    /// Whether what is said beside a request may ask for more, or restrict it.
    fn may_ask(&self, aside: &str, earlier: &[String]) -> bool {
        Roles::get().commands(aside.trim()) || !self.is_beside_a_question(aside.trim(), earlier)
    }

    /// Whether a text has a path as it is typed, not only a word that is like a file's name.
    fn has_a_typed_path(&self, text: &str) -> bool {
        let entities = self.engine.entities(text, self.world);
        entities.iter().any(|entity| match &entity.value {
            SlotValue::Path { said, .. } => said.contains(['.', '/']) && said.contains(char::is_alphabetic),
            _ => false,
        })
    }

    /// A request with what the message says and what was told before; nothing if that was not told.
    fn told_whole(&self, template: &str, found: &Captures<'_>, earlier: &[String]) -> Option<String> {
        let mut request = String::new();
        found.expand(template, &mut request);
        let nth = || Some(found.name("nth")?.as_str());
        let mut whole = String::new();
        let mut rest = request.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}')?;
            whole.push_str(before);
            whole.push_str(&self.told(name, nth(), earlier)?);
            rest = after;
        }
        whole.push_str(rest);
        Some(whole)
    }

    /// What was told under this name.
    fn told(&self, name: &str, nth: Option<&str>, earlier: &[String]) -> Option<String> {
        let said = || self.said_before(earlier);
        match name {
            "file" | "renamed" => self.last_file(earlier),
            "list" => self.last_file(earlier).filter(|path| tabular::is_text(path) && self.is_spoken_of(path)),
            "settings" => self.last_file(earlier).filter(|path| tabular::is_settings(path) && self.is_spoken_of(path)),
            "copy" => self.last_copy(earlier).map(|(_, copy)| copy),
            "original" => self.last_copy(earlier).map(|(original, _)| original),
            "row" => row(said()?),
            "person" => person(said()?, earlier.last()?),
            // Of a table of figures none is the one.
            "figure" => figure(said().filter(|said| !shows_rows(said))?).map(|figure| figure.to_string()),
            "date" => date(said()?),
            "item" => {
                let items = list_items(said()?);
                counted(&items, self.place(nth?)?).cloned()
            }
            "counted" => {
                let counts = |base: &Plan| matches!(base.reply.as_deref(), Some("count" | "count_matches" | "matches"));
                let base = self.last_plan(earlier).filter(counts)?;
                base.values.get("text")?.as_str().map(str::to_owned)
            }
            "entry" => counted(&self.recent.list, nth?.parse().ok()?).cloned(),
            _ => None,
        }
    }

    /// The place that words count to: "the second one", from the end below zero.
    fn place(&self, words: &str) -> Option<i64> {
        let words = words.trim().trim_start_matches("the ");
        let noun = words.split(' ').nth(1).is_some();
        let named = if noun { format!("the {words}") } else { format!("the {words} one") };
        match read_as(self.engine, self.world, &named, SlotType::Ref)? {
            SlotValue::Reference { anaphor: Anaphor::Nth { place, .. }, .. } => Some(place),
            _ => None,
        }
    }

    /// The file that the last request was about, or that its reply told.
    fn last_file(&self, earlier: &[String]) -> Option<String> {
        let base = self.last_plan(earlier);
        let made = base.as_ref().and_then(|base| self.made(base)).map(|(_, made)| made);
        let told = made.or_else(|| base.and_then(|base| self.file_told(&base, earlier)));
        let changed = || self.recent.file().filter(|_| self.recent.changed).map(str::to_owned);
        told.or_else(changed).or_else(|| match self.recent.list.as_slice() {
            [only] if self.world.is_file(only) => Some(only.clone()),
            _ => None,
        })
    }

    /// Whether nothing else was spoken of since that file.
    fn is_spoken_of(&self, path: &str) -> bool {
        let file = self.recent.file() == Some(path) && !self.recent.value_is_newer();
        file || self.recent.list == [path] || self.said.is_some_and(|said| said.contains(&format!("`{path}`")))
    }

    /// The last copy that was made, and what it was made of.
    fn last_copy(&self, earlier: &[String]) -> Option<(String, String)> {
        let copies = |plan: &Plan| plan.steps.iter().any(|step| step.edit.as_deref() == Some("copy_file"));
        (1..=earlier.len()).rev().find_map(|until| {
            let before = self.before(&earlier[..until])?;
            before
                .iter()
                .rev()
                .filter_map(Meaning::planned)
                .filter(|plan| copies(plan))
                .find_map(|plan| self.made(plan))
        })
    }

    /// The file that a plan copied or renamed, and what that became.
    fn made(&self, plan: &Plan) -> Option<(String, String)> {
        let makes = |edit: &str| matches!(edit, "copy_file" | "rename_file");
        if !plan.steps.iter().filter_map(|step| step.edit.as_deref()).any(makes) {
            return None;
        }
        let (from, to) = (plan.slots.get("file")?.text(), plan.slots.get("path")?.text());
        let (folder, name) = from.rsplit_once('/').unwrap_or(("", &from));
        let within = format!("{}/{name}", to.trim_end_matches('/'));
        let made = [to.clone(), format!("{folder}/{to}"), within].into_iter().find(|path| self.world.is_file(path))?;
        Some((from, made))
    }
}

/// The one day that a reply tells; of several lines that were only near it is not known which one is meant.
fn date(said: &str) -> Option<String> {
    if said.starts_with(UNSURE) && lines_shown(said).is_none() {
        return None;
    }
    let roles = Roles::get();
    let pattern = [&roles.day, &roles.day_in_words].into_iter().find(|pattern| pattern.is_match(said))?;
    let mut days: Vec<&str> = pattern.find_iter(said).map(|found| found.as_str()).collect();
    days.dedup();
    match days.as_slice() {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

/// The entry at a place, from 1, or from the end below zero.
fn counted(entries: &[String], place: i64) -> Option<&String> {
    let at = match place {
        1.. => usize::try_from(place - 1).ok()?,
        _ => entries.len().checked_sub(usize::try_from(-place).ok()?)?,
    };
    entries.get(at)
}
