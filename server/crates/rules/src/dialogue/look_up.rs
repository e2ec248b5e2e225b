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

use super::courtesy::{without, without_courtesy};
use super::plan::Plan;
use super::roles::{Roles, plan};
use crate::ops::{Stepped, all_kin, has_word, kin_of, kin_stems, pattern_of_day, with_days};
use switchboard_events::ArtifactValue;

/// The name of the plan's reply while it only searches.
pub(super) const SEARCHES: &str = "look_up";

/// How many lines a search gives.
const MAX_MATCHES: usize = 1000;

/// What stands in more files than these answers no question.
const MAX_FILES: usize = 6;

/// How many words a question may have that are looked for.
const MAX_WORDS: usize = 8;

/// How questions look that texts answer, and how their answers: data.
#[derive(Debug, Deserialize)]
pub(super) struct LookUp {
    tool: String,
    #[serde(deserialize_with = "pattern")]
    files: Regex,
    #[serde(deserialize_with = "pattern")]
    ahead: Regex,
    #[serde(deserialize_with = "pattern")]
    behind: Regex,
    #[serde(deserialize_with = "pattern")]
    wh: Regex,
    #[serde(deserialize_with = "pattern")]
    asking: Regex,
    #[serde(deserialize_with = "pattern")]
    phrase: Regex,
    #[serde(deserialize_with = "pattern")]
    never: Regex,
    #[serde(deserialize_with = "stems")]
    unsaid: BTreeSet<String>,
    expects: Vec<Expected>,
    #[serde(deserialize_with = "pattern")]
    how_many: Regex,
    number: String,
    #[serde(deserialize_with = "pattern")]
    whether: Regex,
    #[serde(deserialize_with = "pattern")]
    commands: Regex,
    #[serde(deserialize_with = "pattern")]
    leans: Regex,
    #[serde(deserialize_with = "pattern")]
    code: Regex,
    #[serde(deserialize_with = "pattern")]
    constant: Regex,
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

    /// A question without manners and what leads to it: "hi, could you tell me when it ends" is "when it ends".
    pub(super) fn direct(&self, text: &str) -> String {
        let plain = without_courtesy(text);
        let direct = self.bare(&plain);
        if self.wh.is_match(direct) { direct.to_owned() } else { plain }
    }

    /// A text without what leads to a question, and what is said behind it.
    fn bare<'t>(&self, text: &'t str) -> &'t str {
        without(without(text, Some(&self.behind)), Some(&self.ahead))
    }

    /// A plan that searches the texts for what a question asks; none if it is not such a question. `follows`: whether
    /// something was said before, which a short question may go on with.
    pub(super) fn plan(&self, request: &str, follows: bool) -> Option<Plan> {
        let question = without_courtesy(&Engine::shipped().spelled(request));
        let question = with_days(self.bare(&question)).into_owned();
        let lower = question.to_lowercase().replace("'s", "").replace("’s", "");
        let (asks, names) = (self.asking.is_match(&question), self.phrase.is_match(&question));
        let is_first = !follows && question.trim_end().ends_with('?');
        let may_ask = asks || names || is_first || self.whether.is_match(&question);
        let commands = !asks && (self.commands.is_match(&question) || Roles::get().commands(&question));
        if !may_ask || commands || self.never.is_match(&question) || (follows && self.leans.is_match(&question)) {
            return None;
        }
        let said = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !is_stop_word(word));
        let (beside, said): (BTreeSet<&str>, BTreeSet<&str>) = said.partition(|word| self.unsaid.contains(&stem(word)));
        let fewest = if asks || names { 1 } else { 2 };
        if !(fewest..=MAX_WORDS).contains(&said.len()) {
            return None;
        }
        let stems = |words: &BTreeSet<&str>| words.iter().map(|word| stem(kin_of(word))).collect::<Vec<_>>().join(" ");
        let expected = || self.expects.iter().find(|expected| expected.asked.is_match(&question));
        let has = self.counted(&question).or_else(|| Some(expected()?.has.clone()));
        let mut values = Map::new();
        values.insert("words".to_owned(), stems(&said).into());
        values.insert("beside".to_owned(), stems(&beside).into());
        values.insert("pattern".to_owned(), said.iter().map(|word| any_kin(word)).collect::<Vec<_>>().join("|").into());
        values.extend(has.map(|has| ("has".to_owned(), has.into())));
        values.insert("code".to_owned(), self.code.as_str().into());
        values.insert("constant".to_owned(), self.constant.as_str().into());
        let arguments =
            [("pattern", Value::from("{pattern}")), ("ignore_case", true.into()), ("max_results", MAX_MATCHES.into())];
        let arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let step = Step { tool: Some(self.tool.clone()), arguments, ..Step::default() };
        let words: Vec<&str> = said.into_iter().collect();
        let summary = format!("look up where {} stand", words.join(", "));
        Some(plan("look_up", request, Risk::Read, step, values, SEARCHES, summary))
    }

    /// What the answer has to the question how many of something there are: a number, and that beside it.
    fn counted(&self, question: &str) -> Option<String> {
        let noun = self.how_many.captures(question)?.get(1)?.as_str().to_lowercase();
        let (noun, number) = (any_kin(&noun).replace(r"\b", ""), &self.number);
        Some(format!(r"(?i)\b{number}\b[\s-]*(?:\w+\s+)?(?:{noun})|(?:{noun})\w*\W{{1,6}}{number}\b"))
    }
}

/// A pattern that finds a word, those that mean the same, and a day however it is written.
fn any_kin(word: &str) -> String {
    pattern_of_day(word).unwrap_or_else(|| all_kin(word).into_iter().map(any_form).collect::<Vec<_>>().join("|"))
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
            files.entry(path.to_owned()).or_default().extend(kin_stems(text));
        }
    }
    let data = LookUp::get();
    let may_hold = |path: &str| data.files.is_match(path) || data.code.is_match(path);
    // A file may be called what is asked for.
    let hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    for path in paths.files().filter(|path| may_hold(path) && !hidden(path)) {
        let of_path = kin_stems(path);
        if files.contains_key(path) || words.iter().all(|word| has_word(&of_path, word)) {
            files.entry(path.to_owned()).or_default().extend(of_path);
        }
    }
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
