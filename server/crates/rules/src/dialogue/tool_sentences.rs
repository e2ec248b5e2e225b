//! The sentences that tools bring (`examples` in their definitions), read with those of this program by one engine.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use switchboard_nlu::{Engine, Intent, Risk, Step};
use switchboard_protocol::{Risk as ToolRisk, ToolDefinition};
use switchboard_tools::ToolRegistry;

/// The topic of such intents.
pub(super) const TOPIC: &str = "tools";

/// What a tool's own sentence costs less than one of this program: whoever wrote it means that tool.
pub(super) const PREFERRED: f32 = 0.15;

/// How many sentences all tools together may bring.
const MAX_SENTENCES: usize = 2000;

/// The engine with the sentences of the tools that there are; made anew only when these change.
#[derive(Default)]
pub(crate) struct ToolSentences(Mutex<Known>);

#[derive(Default)]
struct Known {
    generation: Option<u64>,
    tools: Vec<ToolDefinition>,
    engine: Option<Arc<Engine>>,
}

impl ToolSentences {
    /// The engine, if any tool brings sentences.
    pub(super) fn engine(&self, registry: &ToolRegistry) -> Option<Arc<Engine>> {
        let generation = registry.generation();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.generation != Some(generation) {
            known.generation = Some(generation);
            let tools: Vec<ToolDefinition> =
                registry.definitions().into_iter().filter(|tool| !tool.examples.is_empty()).collect();
            if known.tools != tools {
                known.engine = made(&tools);
                known.tools = tools;
            }
        }
        known.engine.clone()
    }
}

/// The engine with the sentences of these tools, which were checked when they came (`problem_with`).
fn made(tools: &[ToolDefinition]) -> Option<Arc<Engine>> {
    let mut room = MAX_SENTENCES;
    let mut intents: Vec<Intent> = Vec::new();
    for tool in tools {
        if let Some(left) = room.checked_sub(tool.examples.len()) {
            room = left;
            intents.push(intent(tool));
        }
    }
    if intents.is_empty() {
        return None;
    }
    Engine::shipped().with_intents(TOPIC, intents).map(Arc::new).ok()
}

/// What is wrong with a tool's sentences, if something is: which, and why.
#[must_use]
pub fn problem_with(tool: &ToolDefinition) -> Option<String> {
    // Without sentences the engine need not be made, which takes a tenth of a second.
    if tool.examples.is_empty() {
        return None;
    }
    let names = properties(tool);
    let given = |sentence: &String| {
        let slots = sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let mut slots = slots.map(|(slot, _)| slot.split_once(':').map_or(slot, |(name, _)| name));
        slots.find(|slot| !names.contains_key(*slot)).map(str::to_owned)
    };
    if let Some((sentence, slot)) = tool.examples.iter().find_map(|sentence| Some((sentence, given(sentence)?))) {
        return Some(format!("the example {sentence:?} has {{{slot}}}, which is none of its parameters"));
    }
    let wrong = Engine::shipped().problem_with(&intent(tool))?;
    Some(format!("one of its examples cannot be read: {wrong}"))
}

/// What a tool's sentences ask for: a call of it with what they say.
fn intent(tool: &ToolDefinition) -> Intent {
    let names = properties(tool);
    let sentences: Vec<String> = tool.examples.iter().map(|sentence| typed(sentence, &names)).collect();
    let argument = |name: &String| (name.clone(), Value::String(format!("{{{name}}}")));
    let said = |name: &&String| tool.examples.iter().any(|sentence| has_slot(sentence, name));
    let arguments: Map<String, Value> = names.keys().filter(said).map(argument).collect();
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name.as_str()));
    let unsaid = |(name, schema): (&String, &Value)| {
        let default = schema.get("default").cloned().unwrap_or_default();
        (!is_required(name)).then(|| (name.clone(), default))
    };
    Intent {
        name: format!("tool_{}", tool.name),
        risk: match tool.risk {
            ToolRisk::Read | ToolRisk::Ui => Risk::Read,
            ToolRisk::Write => Risk::Write,
            ToolRisk::Execute | ToolRisk::Network => Risk::Execute,
        },
        summary: tool.examples.first().map(|sentence| plain(sentence)).unwrap_or_default(),
        steps: vec![Step { tool: Some(tool.name.clone()), arguments, ..Step::default() }],
        defaults: names.iter().filter_map(unsaid).collect(),
        sentences,
        ..Intent::default()
    }
}

fn properties(tool: &ToolDefinition) -> Map<String, Value> {
    tool.parameters.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn has_slot(sentence: &str, name: &str) -> bool {
    sentence.contains(&format!("{{{name}}}")) || sentence.contains(&format!("{{{name}:"))
}

/// A sentence whose slots have the types of the parameters, where it does not say them itself.
fn typed(sentence: &str, names: &Map<String, Value>) -> String {
    let with_type = |text: String, (name, schema): (&String, &Value)| {
        text.replace(&format!("{{{name}}}"), &format!("{{{name}:{}}}", kind(schema)))
    };
    names.iter().fold(sentence.to_owned(), with_type)
}

/// What a sentence's slot takes for a parameter of this schema.
fn kind(schema: &Value) -> String {
    let choices = schema.get("enum").and_then(Value::as_array);
    if let Some(choices) = choices.filter(|choices| choices.iter().all(Value::is_string)) {
        let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return format!("choice={}", choices.join(","));
    }
    let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    let kind = match (text("type"), text("format")) {
        ("integer" | "number", _) => "number",
        (_, "date") => "date",
        (_, "time") => "time",
        (_, "uri") => "url",
        _ => "phrase",
    };
    kind.to_owned()
}

/// A sentence with the first of its ways, without what may be left out, and without its slots' types.
fn plain(sentence: &str) -> String {
    let mut told = String::new();
    let mut depth = 0_usize;
    let mut skipped = None;
    let mut in_type = false;
    for c in sentence.chars() {
        in_type = (in_type || c == ':') && c != '}';
        match c {
            _ if in_type => {}
            '(' | '[' => {
                depth += 1;
                if c == '[' && skipped.is_none() {
                    skipped = Some(depth);
                }
            }
            '|' if skipped.is_none() => skipped = Some(depth),
            ')' | ']' => {
                if skipped == Some(depth) {
                    skipped = None;
                }
                depth = depth.saturating_sub(1);
            }
            c if skipped.is_none() => told.push(c),
            _ => {}
        }
    }
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(examples: &[&str]) -> ToolDefinition {
        ToolDefinition {
            name: "weather".to_owned(),
            description: "Tell the weather.".to_owned(),
            module: "own".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"place": {"type": "string"}, "days": {"type": "integer"}, "units": {"enum": ["celsius", "kelvin"]}},
                "required": ["place"],
            }),
            output: None,
            example: json!({}),
            risk: ToolRisk::Read,
            examples: examples.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_tools_sentences_take_the_types_of_its_parameters() {
        let intent = intent(&tool(&["(weather|forecast) in {place} [for {days} days] [in {units}]"]));

        assert_eq!(
            intent.sentences,
            ["(weather|forecast) in {place:phrase} [for {days:number} days] [in {units:choice=celsius,kelvin}]"]
        );
        assert_eq!(intent.summary, "weather in {place}");
        assert_eq!(plain("(send|mail) {body:content} [to {to:word}] (now|later)"), "send {body} now");
        assert_eq!(intent.defaults.keys().collect::<Vec<_>>(), ["days", "units"]);
    }

    #[test]
    fn a_sentence_that_cannot_be_read_says_why() {
        assert_eq!(problem_with(&tool(&[])), None);
        assert_eq!(problem_with(&tool(&["weather in {place}"])), None);
        assert!(problem_with(&tool(&["weather in {town}"])).is_some_and(|why| why.contains("{town}")));
        assert!(problem_with(&tool(&["(weather in {place}"])).is_some_and(|why| why.contains("bracket")));
        assert!(problem_with(&tool(&["<please_do> {place}"])).is_some_and(|why| why.contains("phrase")));
    }
}
