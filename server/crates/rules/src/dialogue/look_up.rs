//! Questions that nothing else answers, whose answer may stand somewhere in the workspace's texts: "wifi password for
//! guests?". The files are searched for the question's words; the passages are shown in which all of them stand.
//!
//! What a question says is never left out: a passage that lacks one of its words is no answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use switchboard_nlu::{Engine, Paths, Risk, Step};
use switchboard_search::{is_stop_word, stem};

use super::plan::Plan;
use super::roles::{Roles, plan};
use crate::ops::{Stepped, has_word, word_stems};
use switchboard_events::ArtifactValue;

/// The name of the plan's reply while it only searches.
pub(super) const SEARCHES: &str = "look_up";

/// How many lines a search gives.
const MAX_MATCHES: usize = 1000;

/// What stands in more files than these answers no question.
const MAX_FILES: usize = 6;

/// How many words a question may have that are looked for.
const MAX_WORDS: usize = 6;

/// How questions look that texts answer, and how their answers: data.
#[derive(Debug, Deserialize)]
pub(super) struct LookUp {
    pub(super) tool: String,
    #[serde(deserialize_with = "pattern")]
    files: Regex,
    #[serde(deserialize_with = "pattern")]
    asking: Regex,
    #[serde(deserialize_with = "pattern")]
    phrase: Regex,
    #[serde(deserialize_with = "pattern")]
    never: Regex,
    #[serde(deserialize_with = "stems")]
    unsaid: BTreeSet<String>,
    expects: Vec<Expected>,
}

/// What the answer has to a question that has something.
#[derive(Debug, Deserialize)]
struct Expected {
    #[serde(deserialize_with = "pattern")]
    asked: Regex,
    has: String,
}

fn pattern<'de, D: Deserializer<'de>>(source: D) -> Result<Regex, D::Error> {
    Regex::new(&String::deserialize(source)?).map_err(de::Error::custom)
}

fn stems<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeSet<String>, D::Error> {
    Ok(Vec::<String>::deserialize(source)?.iter().map(|word| stem(word)).collect())
}

impl LookUp {
    pub(super) fn get() -> &'static Self {
        static DATA: LazyLock<LookUp> =
            LazyLock::new(|| toml::from_str(include_str!("look_up.toml")).unwrap_or_else(|error| panic!("{error}")));
        &DATA
    }

    /// A plan that searches the texts for what a question asks; none if it is not such a question. `follows`: whether
    /// something was said before, which a short question may go on with.
    pub(super) fn plan(&self, request: &str, follows: bool) -> Option<Plan> {
        let question = Engine::shipped().spelled(request);
        let asks = self.asking.is_match(&question) || self.phrase.is_match(&question);
        let may_ask = asks || (question.trim_end().ends_with('?') && !follows);
        if !may_ask || self.never.is_match(&question) {
            return None;
        }
        let lower = question.to_lowercase().replace("'s", "").replace("’s", "");
        let said = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !is_stop_word(word));
        let (beside, said): (BTreeSet<&str>, BTreeSet<&str>) = said.partition(|word| self.unsaid.contains(&stem(word)));
        let fewest = if asks { 1 } else { 2 };
        if !(fewest..=MAX_WORDS).contains(&said.len()) {
            return None;
        }
        let stems = |words: &BTreeSet<&str>| words.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" ");
        let has = self.expects.iter().find(|expected| expected.asked.is_match(&question));
        let mut values = Map::new();
        values.insert("words".to_owned(), stems(&said).into());
        values.insert("beside".to_owned(), stems(&beside).into());
        values
            .insert("pattern".to_owned(), said.iter().map(|word| any_form(word)).collect::<Vec<_>>().join("|").into());
        values.extend(has.map(|expected| ("has".to_owned(), expected.has.as_str().into())));
        let arguments =
            [("pattern", Value::from("{pattern}")), ("ignore_case", true.into()), ("max_results", MAX_MATCHES.into())];
        let arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let step = Step { tool: Some(self.tool.clone()), arguments, ..Step::default() };
        let words: Vec<&str> = said.into_iter().collect();
        let summary = format!("look up where {} stand", words.join(", "));
        Some(plan("look_up", request, Risk::Read, step, values, SEARCHES, summary))
    }
}

/// A pattern that finds a word in each of its forms, and others that begin like it.
fn any_form(word: &str) -> String {
    /// A longer word is found by its beginning.
    const ROOT: usize = 5;
    match word.char_indices().nth(ROOT) {
        Some((end, _)) => format!(r"\b{}", regex::escape(&word[..end])),
        None => format!(r"\b{}s?\b", regex::escape(word.strip_suffix('s').unwrap_or(word))),
    }
}

/// The plan that shows the passages of the files in which all words stand, after the search of `searched`.
pub(super) fn passages(searched: &Plan, found: Option<&Stepped>, paths: &Paths) -> Option<Plan> {
    let words: BTreeSet<&str> = searched.values.get("words")?.as_str()?.split(' ').collect();
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    if let Some(ArtifactValue::Json(Value::Array(matches))) = found.and_then(|step| step.value.as_ref()) {
        for found in matches {
            let (path, text) = (found["path"].as_str()?, found["text"].as_str()?);
            files.entry(path.to_owned()).or_default().extend(word_stems(text));
        }
    }
    // A file may be called what is asked for.
    let hidden = |path: &&str| path.split('/').any(|part| part.starts_with('.'));
    for path in paths.files().filter(|path| !hidden(path)) {
        let of_path = word_stems(path);
        if files.contains_key(path) || words.iter().all(|word| has_word(&of_path, word)) {
            files.entry(path.to_owned()).or_default().extend(of_path);
        }
    }
    let may_hold = |path: &str| LookUp::get().files.is_match(path);
    files.retain(|path, stems| may_hold(path) && words.iter().all(|word| has_word(stems, word)));
    let files: Vec<String> = files.into_keys().collect();
    if !(1..=MAX_FILES).contains(&files.len()) {
        return None;
    }
    let mut plan = Roles::get().tables("passages", &files, &searched.request);
    plan.intent.clone_from(&searched.intent);
    plan.values.extend(searched.values.iter().map(|(name, value)| (name.clone(), value.clone())));
    Some(plan)
}
