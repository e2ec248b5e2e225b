//! The tools as the model is offered them: what the search found, and one more that searches.

use serde_json::{Map, Value, json};
use switchboard_protocol::FunctionDefinition;

use crate::reasoner::CandidateTool;
use switchboard_tools::ToolRegistry;

/// The function that searches for tools; the pipeline answers it with another search.
pub(crate) const FIND_TOOLS: &str = "find_tools";

/// The parameter that every tool has beside its own: the variable for its result.
const OUTPUT: &str = "output_variable";

/// The functions in the order in which they are offered, the search for `more` last.
pub(super) fn functions(offered: &[CandidateTool], more: bool) -> Vec<FunctionDefinition> {
    let tools = offered.iter().map(|CandidateTool { definition, .. }| FunctionDefinition {
        name: definition.name.clone(),
        description: definition.description.clone(),
        parameters: with_output(&definition.parameters),
    });
    tools.chain(more.then(find_tools)).collect()
}

fn find_tools() -> FunctionDefinition {
    FunctionDefinition {
        name: FIND_TOOLS.to_owned(),
        description:
            "Finds more tools by what they do. Use it when none of the offered tools can do what is wanted; the tools \
             it finds can be called afterwards."
                .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What you want to do, in a few words."}},
            "required": ["query"],
        }),
    }
}

fn with_output(parameters: &Value) -> Value {
    let mut parameters = parameters.clone();
    let own = json!({"type": "string", "description": "Optional: the variable to store the result in."});
    match parameters.get_mut("properties").and_then(Value::as_object_mut) {
        Some(properties) if properties.contains_key(OUTPUT) => {}
        Some(properties) => {
            properties.insert(OUTPUT.to_owned(), own);
        }
        None => {
            if let Some(schema) = parameters.as_object_mut() {
                schema.insert("properties".to_owned(), json!({ OUTPUT: own }));
            }
        }
    }
    parameters
}

/// Takes the variable's name out of the arguments, unless the tool itself has a parameter of this name.
pub(super) fn take_output(tool: &str, arguments: &mut Map<String, Value>, registry: &ToolRegistry) -> Option<String> {
    let registered = registry.get(tool)?;
    let properties = registered.spec().definition.parameters.get("properties");
    if properties.is_some_and(|properties| properties.get(OUTPUT).is_some()) {
        return None;
    }
    let name = arguments.shift_remove(OUTPUT)?;
    name.as_str().map(|name| name.trim_start_matches('@')).filter(|name| !name.is_empty()).map(ToOwned::to_owned)
}
