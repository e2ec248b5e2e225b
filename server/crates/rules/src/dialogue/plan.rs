//! A plan: what a request is taken to ask for, as a value that can be written to the log and read back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use switchboard_nlu::{Candidate, Engine, Given, Intent, Risk, SlotValue, Slots, Step, commands};

use super::paths::is_guessed;
use crate::ops::{Stepped, WHETHER, as_text, cut_line, entries, listed, text_of};
use switchboard_context::literal;
use switchboard_events::ArtifactValue;

/// How many paths of a result are taken on.
const MAX_PATHS: usize = 50;

/// Where the path stands of the file that a plan's source is the text of.
pub(crate) const HELD: &str = "held";

/// Marks a plan that the user has seen and takes as it is.
const ACCEPTED: &str = "accepted";

/// What is to be done for a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) intent: String,
    /// The request's words.
    pub(crate) request: String,
    pub(crate) risk: Risk,
    /// What was said, references resolved.
    pub(crate) slots: Slots,
    /// The same as JSON, with the intent's constants and defaults.
    pub(crate) values: Map<String, Value>,
    pub(crate) steps: Vec<Step>,
    /// A value that is there, in the place of a step that would read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reply: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) say: Option<String>,
    /// The name that the user gives to the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    /// How it is told: typed, it means the same.
    pub(crate) summary: String,
    /// The words of the request that its sentence has no place for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unread: Vec<String>,
}

impl Plan {
    /// Whether a file is meant whose name is only like what was typed.
    pub(super) fn guesses_a_path(&self) -> bool {
        self.slots.values().any(|slot| match slot {
            SlotValue::Path { path, said, exists: true, .. } => is_guessed(path, said),
            _ => false,
        })
    }

    /// The plan of a candidate whose slots are resolved.
    pub(crate) fn of(intent: &Intent, slots: Slots, request: &str) -> Self {
        let mut values = values(intent, &slots);
        if asks_whether(request) {
            values.insert(WHETHER.to_owned(), true.into());
        }
        let summary = told_text(&intent.summary, &as_said(&values, &slots));
        Self {
            intent: intent.name.clone(),
            request: request.to_owned(),
            risk: intent.risk,
            steps: intent.steps.clone(),
            source: None,
            reply: intent.reply.clone(),
            say: intent.say.clone(),
            output: None,
            values,
            slots,
            summary,
            unread: Vec::new(),
        }
    }

    /// The plan of a reading, which may have no place for some words.
    pub(crate) fn read(candidate: &Candidate, slots: Slots, request: &str) -> Self {
        Self { unread: candidate.unread.clone(), ..Self::of(&candidate.intent, slots, request) }
    }

    /// The values as they are told.
    pub(crate) fn as_said(&self) -> Map<String, Value> {
        as_said(&self.values, &self.slots)
    }

    /// The plan as it is done once the user has seen what it leaves out.
    pub(super) fn accepted(mut self) -> Self {
        self.values.insert(ACCEPTED.to_owned(), true.into());
        self
    }

    /// Whether the user has seen it and takes it as it is.
    pub(super) fn is_accepted(&self) -> bool {
        self.values.contains_key(ACCEPTED)
    }

    /// Fills a slot.
    pub(crate) fn give(&mut self, name: &str, slot: SlotValue) {
        self.values.insert(name.to_owned(), slot.json());
        self.values.insert(format!("{name}_reference"), Value::Bool(true));
        self.slots.insert(name.to_owned(), slot);
    }

    /// What is said of a path that was taken for another one, which was typed.
    pub(crate) fn guessed(&self) -> Option<String> {
        self.slots.values().find_map(|slot| match slot {
            SlotValue::Path { path, said, exists: true, .. } if said.contains('.') && is_guessed(path, said) => {
                Some(format!("There is no `{}`; I took `{path}`.", cut_line(said)))
            }
            _ => None,
        })
    }

    /// Whether a step is made, by the slots that it depends on.
    pub(crate) fn makes(&self, step: &Step) -> bool {
        let is_filled = |slot: &String| self.values.get(slot).is_some_and(|value| !value.is_null());
        step.only_if.as_ref().is_none_or(is_filled) && !step.unless.as_ref().is_some_and(is_filled)
    }
}

/// Whether a request asks whether something is so, rather than which or what.
fn asks_whether(request: &str) -> bool {
    let lower = request.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let lists = |list: &str, word: &str| Engine::shipped().lists(list, word);
    words.find(|word| lists("whether", word) || lists("wh-words", word)).is_some_and(|word| lists("whether", word))
}

/// The values as they are told: a text that was quoted in quotation marks again.
fn as_said(values: &Map<String, Value>, slots: &Slots) -> Map<String, Value> {
    let quoted = |slot: &SlotValue| match slot {
        SlotValue::Text { text, how } | SlotValue::Value { value: Value::String(text), how } => {
            let mark = if text.contains('"') { '`' } else { '"' };
            (!matches!(how, Given::Plain | Given::Data)).then(|| format!("{mark}{text}{mark}"))
        }
        SlotValue::Paths { paths } => Some(paths.join(" ")),
        _ => None,
    };
    let mut told = values.clone();
    told.extend(slots.iter().filter_map(|(name, slot)| Some((name.clone(), Value::String(quoted(slot)?)))));
    told
}

fn values(intent: &Intent, slots: &Slots) -> Map<String, Value> {
    let mut values = Map::new();
    let data = intent.defaults.iter().chain(&intent.constants);
    values.extend(data.map(|(name, value)| (name.clone(), value.clone())));
    for (name, slot) in slots {
        match slot {
            SlotValue::Lines { from, to } if from != to => {
                values.insert(name.clone(), json!({"from": from, "to": to}));
            }
            SlotValue::Percent { .. } => {
                values.insert(name.clone(), Value::String(slot.text()));
            }
            SlotValue::Variable { name: variable, .. } if intent.constants.contains_key("by_name") => {
                values.insert(name.clone(), variable.as_str().into());
                continue;
            }
            slot => {
                values.insert(name.clone(), slot.json());
            }
        }
        if let SlotValue::Path { said, .. } = slot {
            values.insert(format!("{name}_said"), said.as_str().into());
        }
        let mut mark = |what: &str| values.insert(format!("{name}_{what}"), Value::Bool(true));
        match slot {
            SlotValue::Path { exists: true, folder: true, .. } => mark("folder"),
            SlotValue::Path { exists: true, .. } => mark("exists"),
            SlotValue::Text { how: Given::Quoted | Given::Code, .. }
            | SlotValue::Value { how: Given::Quoted | Given::Code, .. } => mark("quoted"),
            SlotValue::Variable { .. } => mark("reference"),
            _ => None,
        };
    }
    // A list of things that is to stand line by line.
    if let Some(list) = intent.constants.get("lines_of").and_then(Value::as_str).and_then(|slot| values.get(slot)) {
        let lines = listed(&as_text(list)).join("\n") + "\n";
        values.insert("content".to_owned(), lines.into());
    }
    values
}

/// The text with slots in their places; nothing if one has no value.
pub(crate) fn filled_text(template: &str, values: &Map<String, Value>) -> Option<String> {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        let Some(end) = rest[start..].find('}').map(|end| start + end) else { break };
        // Only a name in braces is a slot.
        if !rest[start + 1..end].starts_with(|c: char| c.is_ascii_lowercase())
            || !rest[start + 1..end].chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        {
            filled.push_str(&rest[..=start]);
            rest = &rest[start + 1..];
            continue;
        }
        filled.push_str(&rest[..start]);
        filled.push_str(&as_text(values.get(&rest[start + 1..end]).filter(|value| !value.is_null())?));
        rest = &rest[end + 1..];
    }
    filled.push_str(rest);
    Some(filled)
}

/// The same without the slots that have no value, and without what stands in square brackets with one of these.
fn told_text(template: &str, values: &Map<String, Value>) -> String {
    let mut whole = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, (part, behind))) =
        rest.split_once('[').and_then(|(before, part)| Some((before, part.split_once(']')?)))
    {
        whole.push_str(before);
        whole.push_str(filled_text(part, values).map_or("", |_| part));
        rest = behind;
    }
    whole.push_str(rest);
    let names = whole.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    let mut filled: Map<String, Value> = values.clone();
    for name in names {
        filled.entry(name).or_insert_with(|| "".into());
    }
    let text = filled_text(&whole, &filled).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Fills the arguments of steps.
pub(crate) struct Filler<'p> {
    pub(crate) values: &'p Map<String, Value>,
    pub(crate) done: &'p [Stepped],
}

impl Filler<'_> {
    /// The same with the request's own texts as regular expressions that find them.
    pub(crate) fn sought(&self, arguments: &Map<String, Value>, slots: &Slots) -> Map<String, Value> {
        let mut values = self.values.clone();
        for name in slots.keys() {
            if let Some(Value::String(text)) = values.get_mut(name) {
                *text = regex::escape(text);
            }
        }
        Filler { values: &values, done: self.done }.arguments(arguments)
    }

    /// The arguments of a call; those are left out whose slots are not filled.
    pub(crate) fn arguments(&self, arguments: &Map<String, Value>) -> Map<String, Value> {
        let filled = arguments.iter().filter_map(|(name, value)| Some((name.clone(), self.value(value)?)));
        filled.collect()
    }

    /// The command line of an argv.
    pub(crate) fn line(&self, argv: &[String]) -> String {
        let mut words = Vec::new();
        for element in argv {
            match element.strip_prefix('{').and_then(|rest| rest.strip_suffix("...}")) {
                Some(slot) => match self.values.get(slot) {
                    Some(Value::Array(items)) => words.extend(items.iter().map(as_text)),
                    Some(value) => words.push(as_text(value)),
                    None => {}
                },
                None => words.extend(filled_text(element, self.values)),
            }
        }
        commands::quoted(&words)
    }

    fn value(&self, template: &Value) -> Option<Value> {
        match template {
            Value::String(text) => self.text(text),
            Value::Array(items) => Some(Value::Array(items.iter().filter_map(|item| self.value(item)).collect())),
            Value::Object(fields) => Some(Value::Object(self.arguments(fields))),
            other => Some(other.clone()),
        }
    }

    fn text(&self, template: &str) -> Option<Value> {
        let slot =
            template.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|slot| !slot.contains('{'));
        match slot {
            Some("result" | "result_text") => {
                self.done.last().and_then(|last| handed_on(last, slot == Some("result_text")))
            }
            Some("result_paths") => Some(json!(paths_in(self.done.last()?.value.as_ref()?))),
            Some(slot) => {
                let value = self.values.get(slot).filter(|value| !value.is_null())?;
                let is_reference = self.values.get(&format!("{slot}_reference")) == Some(&Value::Bool(true));
                Some(if is_reference { value.clone() } else { literally(value.clone()) })
            }
            None => {
                let mut values = self.values.clone();
                if let Some(text) = self.done.last().and_then(|last| text_of(last.value.as_ref()?)) {
                    values.insert("result_text".to_owned(), text.trim_end().into());
                    values.insert("result".to_owned(), text.trim_end().into());
                }
                filled_text(template, &values).map(|text| Value::String(literal(&text)))
            }
        }
    }
}

/// What only looks like a reference stays a text.
pub(crate) fn literally(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(literal(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(literally).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, literally(value))).collect())
        }
        other => other,
    }
}

/// A step's value for the next one: by reference where it has a name.
fn handed_on(last: &Stepped, as_plain_text: bool) -> Option<Value> {
    let is_command = last.arguments.contains_key("command");
    if let Some(name) = &last.variable {
        return Some(Value::String(if is_command { format!("@{name}.output") } else { format!("@{name}") }));
    }
    match last.value.as_ref()? {
        value if as_plain_text || is_command => Some(Value::String(literal(&text_of(value)?))),
        ArtifactValue::Json(json) => Some(literally(json.clone())),
        value => Some(Value::String(literal(&text_of(value)?))),
    }
}

/// The paths in a result: of matches, of names.
pub(crate) fn paths_in(value: &ArtifactValue) -> Vec<String> {
    let mut paths: Vec<String> = entries(value).into_iter().filter(|path| !path.ends_with('/')).collect();
    paths.dedup();
    paths.truncate(MAX_PATHS);
    paths
}
