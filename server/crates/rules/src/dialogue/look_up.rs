//! Questions that nothing else answers, whose answer may stand somewhere in the workspace's texts: "wifi password for
//! guests?". The files are searched for the question's words; of those that have most of them the passages are shown that
//! have what is asked.
//!
//! Not every word of a question stands in its answer. Those must that say of what something is asked: names, numbers, what
//! stands behind "of" or "for", and "iban" in "what is the iban of …".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use switchboard_nlu::{Engine, Paths, Risk, Step};
use switchboard_search::{is_stop_word, stem};

use super::courtesy::{without, without_courtesy};
use super::plan::Plan;
use super::roles::{Roles, plan};
use crate::data::{self, Pattern};
use crate::ops::{LIGHT, Sought, Stepped, all_kin, kin_of, kin_words, pattern_of_day, with_days};
use switchboard_events::ArtifactValue;

/// The name of the plan's reply while it only searches.
pub(super) const SEARCHES: &str = "look_up";

/// How many lines a search gives.
const MAX_MATCHES: usize = 1000;

/// How many files are read for a question.
const MAX_FILES: usize = 16;

/// How many words a question may have that are looked for.
const MAX_WORDS: usize = 10;

/// What a word weighs that only says what is done, and, in a question that goes on with another one, the other one's.
const DONE: f64 = 0.5;
const BEFORE: f64 = 0.6;

/// How questions look that texts answer, and how their answers: data.
#[derive(Debug, Deserialize)]
pub(super) struct LookUp {
    tool: String,
    files: Pattern,
    ahead: Pattern,
    behind: Pattern,
    wh: Pattern,
    asking: Pattern,
    phrase: Pattern,
    never: Pattern,
    #[serde(deserialize_with = "stems")]
    unsaid: BTreeSet<String>,
    expects: Vec<Expected>,
    how_many: Pattern,
    number: String,
    attribute: Pattern,
    twofold: Pattern,
    single: Pattern,
    prepositions: BTreeSet<String>,
    telling: BTreeSet<String>,
    doers: BTreeSet<String>,
    whether: Pattern,
    commands: Pattern,
    leans: Pattern,
    follows: Pattern,
    code: Pattern,
    constant: Pattern,
}

/// What the answer has to a question that has something; the words that ask for it need not stand there.
#[derive(Debug, Deserialize)]
struct Expected {
    asked: Pattern,
    has: String,
    /// Whether much else has that, too.
    #[serde(default)]
    loosely: bool,
}

/// What is looked for.
#[derive(Debug, Clone)]
struct Question {
    words: Vec<Sought>,
    /// Patterns of what its answer has, and whether they tell an answer from most other lines.
    has: Vec<String>,
    typed: bool,
    /// Whether only what has all of it is an answer: it need not be a question.
    whole: bool,
}

fn stems<'de, D: Deserializer<'de>>(source: D) -> Result<BTreeSet<String>, D::Error> {
    Ok(Vec::<String>::deserialize(source)?.iter().map(|word| stem(word)).collect())
}

impl LookUp {
    pub(super) fn get() -> &'static Self {
        static DATA: LazyLock<LookUp> = LazyLock::new(|| data::read(include_str!("look_up.toml")));
        &DATA
    }

    /// Whether a question asks for two things.
    pub(super) fn asks_two(&self, question: &str) -> bool {
        self.twofold.is_match(question)
    }

    /// A question without manners and what leads to it: "hi, could you tell me when it ends" is "when it ends".
    pub(super) fn direct(&self, text: &str) -> String {
        let plain = without_courtesy(text);
        let direct = self.bare(&plain);
        if self.wh.is_match(direct) { direct.to_owned() } else { plain }
    }

    /// A text without what leads to a question, and what is said behind it.
    fn bare<'t>(&self, text: &'t str) -> &'t str {
        without(without(text, &self.behind), &self.ahead)
    }

    /// A plan that searches the texts for what a question asks; none if it is not such a question. `before`: the message
    /// before, which a short question may go on with.
    pub(super) fn plan(&self, request: &str, before: Option<&str>) -> Option<Plan> {
        let asked = self.question(request, before.is_some());
        let Question { words, has, typed, whole } = asked.or_else(|| self.followed(request, before?))?;
        let told: Vec<&str> = words.iter().map(|sought| sought.word.as_str()).collect();
        let is_light = |sought: &&Sought| sought.weight <= LIGHT;
        let all_light = words.iter().all(|sought| is_light(&sought));
        let searched = words.iter().filter(|sought| all_light || !is_light(sought));
        let pattern = searched.map(|sought| any_kin(&sought.word)).collect::<Vec<_>>().join("|");
        let pattern = format!(r"(?:\b|_)(?:{pattern})");
        let mut values = Map::new();
        values.insert("sought".to_owned(), serde_json::to_value(&words).ok()?);
        values.insert("has".to_owned(), has.into());
        values.insert("typed".to_owned(), typed.into());
        values.insert("single".to_owned(), self.single.is_match(request).into());
        values.insert("whole".to_owned(), (whole || self.asks_two(request)).into());
        values.insert("pattern".to_owned(), pattern.into());
        values.insert("code".to_owned(), self.code.as_str().into());
        values.insert("constant".to_owned(), self.constant.as_str().into());
        let arguments =
            [("pattern", Value::from("{pattern}")), ("ignore_case", true.into()), ("max_results", MAX_MATCHES.into())];
        let arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let step = Step { tool: Some(self.tool.clone()), arguments, ..Step::default() };
        let summary = format!("look up where {} stand", told.join(", "));
        Some(plan("look_up", request, Risk::Read, step, values, SEARCHES, summary))
    }

    /// What a question asks for, if it is one that texts may answer.
    fn question(&self, request: &str, follows: bool) -> Option<Question> {
        let question = without_courtesy(&Engine::shipped().spelled(request));
        let question = with_days(self.bare(&question)).into_owned();
        let (asks, names) = (self.asking.is_match(&question), self.phrase.is_match(&question));
        let wonders = self.whether.is_match(&question);
        let is_first = !follows && question.trim_end().ends_with('?');
        let may_ask = asks || names || is_first || wonders;
        let commands = !asks && !wonders && (self.commands.is_match(&question) || Roles::get().commands(&question));
        if !may_ask || commands || self.never.is_match(&question) || (follows && self.leans.is_match(&question)) {
            return None;
        }
        let fewest = if asks || names { 1 } else { 2 };
        let mut asked = self.asked(&question);
        asked.whole = wonders || (!asks && !question.trim_end().ends_with('?'));
        // "What is sold out?" is told by no one word.
        let says_enough = asked.words.len() > 1 || !asked.has.is_empty() || asked.words.iter().any(|word| word.needed);
        (says_enough && (fewest..=MAX_WORDS).contains(&asked.words.len())).then_some(asked)
    }

    /// What a question asks for that goes on with the one before: "and the bank?".
    fn followed(&self, request: &str, before: &str) -> Option<Question> {
        let found = self.follows.captures(request)?;
        let goes_on = found.name("lead").is_some() || request.trim_end().ends_with('?');
        let what = found.name("what")?.as_str();
        if !goes_on || self.leans.is_match(what) || self.never.is_match(what) {
            return None;
        }
        // What was asked before may have been told in a few words: "log level on staging".
        let told = || (!self.commands.is_match(before) && !self.never.is_match(before)).then(|| self.asked(before));
        let before = self.question(before, false).or_else(told)?;
        let mut on = self.asked(&with_days(what));
        on.words.iter_mut().for_each(|sought| sought.needed = sought.weight > LIGHT);
        let is_new = |sought: &Sought| !on.words.iter().any(|own| own.word == sought.word);
        let kept: Vec<Sought> = before.words.into_iter().filter(is_new).collect();
        on.words.extend(kept.into_iter().map(|sought| Sought {
            weight: if sought.weight > LIGHT { (sought.weight * BEFORE).max(LIGHT * 1.1) } else { sought.weight },
            needed: false,
            ..sought
        }));
        if on.has.is_empty() {
            (on.has, on.typed) = (before.has, before.typed);
        }
        Some(on)
    }

    /// The words that a question asks with, and what its answer has.
    fn asked(&self, question: &str) -> Question {
        let found = self.expects.iter().filter_map(|expected| Some((expected.asked.find(question)?.range(), expected)));
        let expected: Vec<_> = found.collect();
        let counted = self.counted(question);
        let typed = counted.is_some() || expected.iter().any(|(_, expected)| !expected.loosely);
        let has = expected.iter().map(|(_, expected)| expected.has.clone()).chain(counted).collect();
        let attribute: BTreeSet<String> = self.attribute.captures(question).map_or_else(BTreeSet::new, |found| {
            found.iter().skip(1).flatten().flat_map(|part| words(part.as_str()).map(|(word, _)| word)).collect()
        });
        let (mut sought, mut covered): (Vec<Sought>, Vec<Sought>) = (Vec::new(), Vec::new());
        let (mut before, mut of) = (String::new(), false);
        for (word, place) in words(question) {
            let is_light = self.unsaid.contains(&stem(&word));
            let is_stop = is_stop_word(&word);
            of = self.prepositions.contains(&word) || (of && (!is_stop || self.prepositions.contains(&before)));
            let is_name = place > 0 && question[place..].starts_with(char::is_uppercase);
            let weight = match () {
                () if is_light => LIGHT,
                () if self.doers.contains(&before) => DONE,
                () => 1.0,
            };
            let rest = question.get(place + word.len()..).unwrap_or_default();
            let tells = || self.telling.contains(&word) && rest.contains(char::is_alphanumeric);
            let told = of || is_name || attribute.contains(&word) || tells();
            let told = told || word.contains(char::is_numeric);
            before.clone_from(&word);
            let to = if expected.iter().any(|(range, _)| range.contains(&place)) { &mut covered } else { &mut sought };
            if !is_stop && !to.iter().any(|other| other.word == word) {
                to.push(Sought { word, weight, needed: told && !is_light });
            }
        }
        // If only the kind of the answer was asked for, it is called so: "what is the licence?"
        let only = !sought.iter().any(|sought| sought.weight > LIGHT);
        let by_name = only && covered.iter().any(|sought| sought.needed);
        covered.retain(|sought| !by_name || sought.needed);
        for word in covered {
            let weight = if only { 1.0 } else { LIGHT };
            if !sought.iter().any(|other| other.word == word.word) {
                sought.push(Sought { weight, needed: only && word.needed, ..word });
            }
        }
        Question { words: sought, has, typed, whole: false }
    }

    /// What the answer has to the question how many of something there are: a number, and that beside it.
    fn counted(&self, question: &str) -> Option<String> {
        let noun = self.how_many.captures(question)?.get(1)?.as_str().to_lowercase();
        let (noun, number) = (any_kin(&noun).replace(r"(?:\b|_)", ""), &self.number);
        Some(format!(r"(?i)\b{number}\b[\s-]*(?:\w+\s+)?(?:{noun})|(?:{noun})\w*\W{{1,6}}{number}\b"))
    }
}

/// The words of a text in lower case, and where each begins; `1.4.2` is one.
fn words(text: &str) -> impl Iterator<Item = (String, usize)> + '_ {
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d+(?:\.\d+)+|[\p{L}\d][\p{L}\d'’]*").unwrap_or_else(|error| panic!("{error}")));
    WORD.find_iter(text).map(|found| {
        let word = found.as_str().to_lowercase().replace('’', "'");
        let word = word.trim_end_matches('\'');
        (word.strip_suffix("'s").unwrap_or(word).replace('\'', ""), found.start())
    })
}

/// A pattern that finds a word, those that mean the same, and a day however it is written.
fn any_kin(word: &str) -> String {
    pattern_of_day(word).unwrap_or_else(|| all_kin(word).into_iter().map(any_form).collect::<Vec<_>>().join("|"))
}

/// A pattern that finds a word in each of its forms, and others that begin like it, where a word begins.
fn any_form(word: &str) -> String {
    /// A longer word is found by its beginning.
    const ROOT: usize = 5;
    match word.char_indices().nth(ROOT) {
        Some((end, _)) => regex::escape(&word[..end]),
        None => format!(r"{}s?(?:\b|_)", regex::escape(word.strip_suffix('s').unwrap_or(word))),
    }
}

/// The plan that shows the passages of the files that have most of the words, after the search of `searched`.
pub(super) fn passages(searched: &Plan, found: Option<&Stepped>, paths: &Paths) -> Option<Plan> {
    let sought: Vec<Sought> = serde_json::from_value(searched.values.get("sought")?.clone()).ok()?;
    let stems: Vec<String> = sought.iter().map(|sought| stem(kin_of(&sought.word))).collect();
    let had_by = |text: &str| {
        let words = kin_words(text);
        let has =
            |stem: &String| words.contains_key(stem) || words.values().any(|word| word.starts_with(stem.as_str()));
        stems.iter().enumerate().filter(|(_, stem)| has(stem)).map(|(at, _)| at).collect::<BTreeSet<usize>>()
    };
    let data = LookUp::get();
    let may_hold = |path: &str| data.files.is_match(path) || data.code.is_match(path);
    let mut files: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    if let Some(ArtifactValue::Json(Value::Array(matches))) = found.and_then(|step| step.value.as_ref()) {
        for found in matches {
            let (path, text) = (found["path"].as_str()?, found["text"].as_str()?);
            files.entry(path.to_owned()).or_default().extend(had_by(text));
        }
    }
    // A file may be called what is asked for.
    let hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    for path in paths.files().filter(|path| !hidden(path)) {
        let had = had_by(path);
        if files.contains_key(path) || !had.is_empty() {
            files.entry(path.to_owned()).or_default().extend(had);
        }
    }
    files.retain(|path, _| may_hold(path));
    let in_files = |at: usize| files.values().filter(|had| had.contains(&at)).count();
    #[expect(clippy::cast_precision_loss, reason = "a number of files")]
    let weight = |at: usize| sought[at].weight * (1.0 + files.len() as f64 / in_files(at).max(1) as f64).ln();
    let weights: Vec<f64> = (0..sought.len()).map(weight).collect();
    let mut ranked: Vec<(f64, &String)> =
        files.iter().map(|(path, had)| (had.iter().map(|at| weights[*at]).sum(), path)).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let files: Vec<String> = ranked.into_iter().take(MAX_FILES).map(|(_, path)| path.clone()).collect();
    let mut plan = Roles::get().tables("passages", &files, &searched.request);
    // The user may have told it.
    if files.is_empty() {
        plan.steps.clear();
    }
    plan.intent.clone_from(&searched.intent);
    plan.values.extend(searched.values.iter().map(|(name, value)| (name.clone(), value.clone())));
    Some(plan)
}
