//! Answers questions from what the context and the conversation hold.

use serde_json::Value;
use switchboard_protocol::ValueType;

use super::fields::{self, find, from_lines};
use super::focus::Focus;
use super::goal::{About, Act, Given, Question, Role, Skill, Source, Unit};
use super::listing::entries;
use super::memories;
use super::shape::{counted, describe};
use super::show::{block, inline, shown};
use super::source::{Held, Looked, is_json_text, is_searched, load, look, parsed};
use super::words::PRONOUNS;
use switchboard_agent::{ReasonerError, TurnContext};
use switchboard_events::ArtifactValue;

/// How many variables are searched, the newest.
const MAX_VARIABLES: usize = 200;

/// How many equally good answers are listed.
const MAX_HITS: usize = 10;

/// What a question came to.
pub(super) enum Answer {
    /// The answer; `complete` when it is one.
    Said { text: String, complete: bool, why: String },
    /// A tool must run first.
    Needs(Act),
    /// It is rather something to do.
    Rather(Act),
    /// The context does not know; what there is to say if nobody else knows either.
    Unknown(Option<String>),
}

/// Answers, or says what is needed.
pub(super) async fn answer(
    question: &Question,
    scene: &TurnContext<'_>,
    focus: &Focus,
) -> Result<Answer, ReasonerError> {
    match &question.about {
        About::Stored(kind) => memories::stored(*kind, scene).await,
        About::Variables => Ok(memories::variables(scene)),
        About::Said => Ok(memories::said(question, scene)),
        About::Done => Ok(memories::done(scene)),
        About::Field(words) if question.source == Source::Context => anywhere(words, question, scene).await,
        About::Field(words) => field(words, question, scene, focus).await,
        About::Structure | About::Count(_) | About::Whole | About::Element(_) | About::Ending(_) | About::Line(_) => {
            whole(question, scene, focus).await
        }
    }
}

async fn whole(question: &Question, scene: &TurnContext<'_>, focus: &Focus) -> Result<Answer, ReasonerError> {
    let as_json = matches!(question.about, About::Structure | About::Element(_) | About::Count(Unit::Items));
    if let About::Element(number) = question.about
        && focus.listing.is_some()
        && (focus.listing == focus.variable || !is_list(focus, scene))
    {
        return Ok(Answer::Rather(Act::new(Skill::Read, &question.clause).with(Role::Path, Given::Nth(number))));
    }
    let held = match look(&question.source, scene, focus, as_json, &question.clause).await? {
        Looked::Found(held) => held,
        Looked::Needs(act) => return Ok(Answer::Needs(act)),
        Looked::Nothing(text) => return Ok(unanswered(text)),
    };
    let why = found_in(&held, scene);
    Ok(match question.about {
        About::Structure => said(describe(&held.label, &held.value), why),
        About::Count(unit) => match count(unit, &held) {
            Some(text) => said(text, why),
            None => unanswered(format!("{} has nothing that I could count.", held.label)),
        },
        About::Ending(lines) => match ending(lines, &held) {
            Some(text) => said(text, why),
            None => unanswered(format!("{} is no text.", held.label)),
        },
        About::Line(number) => match line(number, &held.value) {
            Some(text) => said(text, why),
            None => unanswered(format!("{} has no line with that number.", held.label)),
        },
        About::Element(number) => match element(number, &held.value) {
            Some(text) => said(text, why),
            None => unanswered(format!("{} has no element with that number.", held.label)),
        },
        _ => said(format!("{}:\n\n{}", held.label, shown(&held.value, None)), why),
    })
}

/// Whether the last result is a list of its own.
fn is_list(focus: &Focus, scene: &TurnContext<'_>) -> bool {
    let entry = focus.variable.as_ref().and_then(|name| scene.view.context.get(name));
    entry.is_some_and(|entry| entry.variable.value_type == ValueType::Array)
}

async fn field(
    words: &[String],
    question: &Question,
    scene: &TurnContext<'_>,
    focus: &Focus,
) -> Result<Answer, ReasonerError> {
    let held = match look(&question.source, scene, focus, true, &question.clause).await? {
        Looked::Found(held) => held,
        Looked::Needs(act) => return Ok(Answer::Needs(act)),
        Looked::Nothing(_) if question.source == Source::That => return anywhere(words, question, scene).await,
        Looked::Nothing(text) => return Ok(unanswered(text)),
    };
    let json = as_json(&held.value);
    let hits = find(&json, words, &[]);
    if !hits.is_empty() {
        return Ok(said(told(words, &hits, &held.label, question), found_in(&held, scene)));
    }
    if let Some(line) = line_with(words, &held.value) {
        return Ok(said(format!("{} says:\n\n> {line}", held.label), found_in(&held, scene)));
    }
    let note = not_found(words, &held, &json);
    if question.source != Source::That {
        return Ok(unanswered(note));
    }
    let points = question.clause.tokens.iter().any(|token| token.is(PRONOUNS));
    match anywhere(words, question, scene).await? {
        Answer::Unknown(_) if points => Ok(unanswered(note)),
        Answer::Unknown(_) => Ok(Answer::Unknown(Some(note))),
        found => Ok(found),
    }
}

/// Looks into every variable, the newest first.
async fn anywhere(words: &[String], question: &Question, scene: &TurnContext<'_>) -> Result<Answer, ReasonerError> {
    for variable in scene.view.context.variables().rev().take(MAX_VARIABLES).filter(|variable| is_searched(variable)) {
        // `file_write_result` says nothing about what is in it.
        let name: Vec<String> =
            Some(variable.name.clone()).filter(|name| !name.contains("_result")).into_iter().collect();
        let value = load(&variable.name, scene).await?;
        let value = if is_json_text(&value) { parsed(&value) } else { ArtifactValue::clone(&value) };
        let json = match value {
            ArtifactValue::Json(json) => json,
            ArtifactValue::Text(text) if fields::describes(words, &variable.name) => Value::String(text),
            _ => continue,
        };
        let hits = find(&json, words, &name);
        if hits.is_empty() {
            continue;
        }
        let label = format!("`{}`", variable.name);
        let place = match hits.first().map(|hit| hit.path.as_str()) {
            Some("") | None => label.clone(),
            Some(path) => format!("`{}.{path}`", variable.name),
        };
        let why = format!("\"{}\" is already available in context: {place}.", words.join(" "));
        return Ok(said(told(words, &hits, &label, question), why));
    }
    let mine = question.clause.has(&["my", "i"]);
    Ok(Answer::Unknown(mine.then(|| not_told(words))))
}

/// The value as JSON in which keys can be found.
fn as_json(value: &ArtifactValue) -> Value {
    match parsed(value) {
        ArtifactValue::Json(Value::String(text)) | ArtifactValue::Text(text) => from_lines(&text),
        ArtifactValue::Json(Value::Object(map)) => {
            Value::Object(map.into_iter().map(|(key, value)| (key, unfolded(value))).collect())
        }
        ArtifactValue::Json(json) => json,
        ArtifactValue::Bytes(_) => Value::Null,
    }
}

/// Of several files each one's text as the JSON that it is.
fn unfolded(value: Value) -> Value {
    match value {
        Value::String(text) => match parsed(&ArtifactValue::Text(text)) {
            ArtifactValue::Json(json) => json,
            ArtifactValue::Text(text) => Value::String(text),
            ArtifactValue::Bytes(_) => Value::Null,
        },
        other => other,
    }
}

/// The answer in a sentence: whose it is, what it is, where it stands.
fn told(words: &[String], hits: &[fields::Hit<'_>], label: &str, question: &Question) -> String {
    let what = spoken(words);
    let whose = if question.clause.has(&["my", "i"]) { "Your" } else { "The" };
    let place = |path: &str| if path.is_empty() { label.to_owned() } else { format!("`{path}` in {label}") };
    let counts = question.clause.starts("how many|much").is_some();
    match hits {
        [hit] if counts && matches!(hit.value, Value::Array(_) | Value::Object(_)) => {
            let count =
                hit.value.as_array().map_or_else(|| hit.value.as_object().map_or(0, serde_json::Map::len), Vec::len);
            format!("{label} has **{count}** {what}.")
        }
        [hit] => match hit.value {
            Value::Object(_) | Value::Array(_) => {
                format!("{whose} {what} ({}):\n\n{}", place(&hit.path), inline_block(hit.value))
            }
            value => {
                let source = if whose == "Your" && hit.path.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", place(&hit.path))
                };
                format!("{whose} {what} {} {}{source}.", verb(words), inline(value))
            }
        },
        hits => {
            let lines: Vec<String> =
                hits.iter().take(MAX_HITS).map(|hit| format!("- `{}`: {}", hit.path, inline(hit.value))).collect();
            let more = if hits.len() > MAX_HITS {
                format!("\n- … and {} more", hits.len() - MAX_HITS)
            } else {
                String::new()
            };
            format!("There are several values for {what} in {label}:\n\n{}{more}", lines.join("\n"))
        }
    }
}

/// The words for the value without those that only say where it is.
fn spoken(words: &[String]) -> String {
    const PLACES: &[&str] = &["server", "app", "application", "project", "package", "file", "json"];
    let said: Vec<&str> = words.iter().map(String::as_str).filter(|word| !PLACES.contains(word)).collect();
    if said.is_empty() { words.join(" ") } else { said.join(" ") }
}

fn verb(words: &[String]) -> &'static str {
    let plural = words.last().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && word.len() > 3);
    if plural && !words.last().is_some_and(|word| word == "address" || word == "status") { "are" } else { "is" }
}

fn inline_block(value: &Value) -> String {
    shown(&ArtifactValue::Json(value.clone()), None)
}

/// For text without keys: the first line that has all the words.
fn line_with(words: &[String], value: &ArtifactValue) -> Option<String> {
    let ArtifactValue::Text(text) = value else { return None };
    let line = text.lines().take(20_000).find(|line| {
        let lower = line.to_lowercase();
        line.len() <= 1000 && words.iter().all(|word| lower.contains(word.as_str()))
    })?;
    Some(line.trim().to_owned())
}

fn not_told(words: &[String]) -> String {
    let what = words.join(" ");
    format!("You have not told me your {what} yet. Say, for example: *My {what} is …*, and I will remember it.")
}

fn not_found(words: &[String], held: &Held, json: &Value) -> String {
    let keys: Vec<String> = match json {
        Value::Object(map) => map.keys().take(20).map(|key| format!("`{key}`")).collect(),
        _ => Vec::new(),
    };
    let there = if keys.is_empty() { String::new() } else { format!(" Its keys are {}.", keys.join(", ")) };
    format!("I looked in {}, but found nothing for \"{}\".{there}", held.label, words.join(" "))
}

fn count(unit: Unit, held: &Held) -> Option<String> {
    let text = match held.value.as_ref() {
        ArtifactValue::Text(text) => Some(text.clone()),
        ArtifactValue::Json(json) => json.get("output").and_then(Value::as_str).map(str::to_owned),
        ArtifactValue::Bytes(_) => None,
    };
    let number = |text: &str| match unit {
        Unit::Lines => counted(text.lines().count(), "line"),
        Unit::Words => counted(text.split_whitespace().count(), "word"),
        Unit::Characters => counted(text.chars().count(), "character"),
        Unit::Bytes | Unit::Items => counted(text.len(), "byte"),
    };
    let counted_text = match (unit, held.value.as_ref(), text) {
        (Unit::Bytes, ArtifactValue::Bytes(bytes), _) => counted(bytes.len(), "byte"),
        (Unit::Items, value, _) => return items(value).map(|text| format!("{} has {text}.", held.label)),
        (_, _, Some(text)) => number(&text),
        (_, value, None) => items(value)?,
    };
    let (number, unit) = counted_text.split_once(' ')?;
    Some(format!("{} has **{number}** {unit}.", held.label))
}

/// In how many files the matches of a search are; `None` if it is no search.
fn matched_files(json: &Value) -> Option<usize> {
    let matches = json.as_array()?;
    let files = matches.iter().map(|found| found.get("line").and(found.get("path")?.as_str()));
    Some(files.collect::<Option<std::collections::BTreeSet<_>>>()?.len())
}

/// Of a list of files how many of each, of JSON its keys or elements.
fn items(value: &ArtifactValue) -> Option<String> {
    let names = entries(value);
    let bold = |count: usize, what: &str| {
        let text = counted(count, what);
        text.split_once(' ').map_or(text.clone(), |(number, what)| format!("**{number}** {what}"))
    };
    match value {
        ArtifactValue::Json(Value::Array(items)) if items.is_empty() => Some("**0** entries".to_owned()),
        ArtifactValue::Json(Value::Array(items)) if names.is_empty() => Some(bold(items.len(), "element")),
        ArtifactValue::Json(Value::Object(map)) if names.is_empty() && !map.contains_key("matches") => {
            Some(bold(map.len(), "key"))
        }
        ArtifactValue::Text(text) => Some(bold(text.lines().count(), "line")),
        _ if names.iter().any(|name| name.ends_with('/')) => {
            let folders = names.iter().filter(|name| name.ends_with('/')).count();
            Some(format!("{} and {}", bold(names.len() - folders, "file"), bold(folders, "folder")))
        }
        ArtifactValue::Json(json) => match matched_files(json) {
            Some(files) => Some(format!("{} in {}", bold(names.len(), "match"), bold(files, "file"))),
            None => Some(bold(names.len(), "file")),
        },
        ArtifactValue::Bytes(_) => None,
    }
}

fn ending(lines: u64, held: &Held) -> Option<String> {
    let ArtifactValue::Text(text) = held.value.as_ref() else { return None };
    let all: Vec<&str> = text.lines().collect();
    let from = all.len().saturating_sub(usize::try_from(lines).unwrap_or(usize::MAX));
    Some(format!("{} ends:\n\n{}", held.label, block(&all[from..].join("\n"), "text")))
}

fn line(number: i64, value: &ArtifactValue) -> Option<String> {
    let ArtifactValue::Text(text) = value else { return None };
    let mut lines = text.lines();
    let line = if number < 0 { lines.next_back() } else { lines.nth(usize::try_from(number).ok()?) };
    line.map(|line| block(line, "text"))
}

fn element(number: i64, value: &ArtifactValue) -> Option<String> {
    let ArtifactValue::Json(Value::Array(items)) = value else { return None };
    let place = if number < 0 { items.len().checked_sub(1)? } else { usize::try_from(number).ok()? };
    items.get(place).map(|item| match item {
        Value::Object(_) | Value::Array(_) => inline_block(item),
        item => inline(item),
    })
}

/// Why no tool is needed, or where the answer was found.
fn found_in(held: &Held, scene: &TurnContext<'_>) -> String {
    match scene.attempts.is_empty() {
        true => format!("What is asked for is already available in context: `{}`.", held.variable),
        false => format!("The answer is in `{}`.", held.variable),
    }
}

pub(super) fn said(text: String, why: String) -> Answer {
    Answer::Said { text: sentence(text), complete: true, why }
}

/// The text with a capital letter at its beginning.
fn sentence(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => text,
    }
}

pub(super) fn unanswered(text: String) -> Answer {
    let why = "The context does not hold what is asked for.".to_owned();
    Answer::Said { why, text: sentence(text), complete: false }
}
