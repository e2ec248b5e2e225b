//! The tools of each specialist with their index, made once and again only when the registry has changed: to read the
//! words of every tool anew at every call would cost more than the call.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::definition::AgentDefinition;
use switchboard_search::ToolIndex;
use switchboard_tools::ToolRegistry;

/// The tools of one specialist. Cheap to clone.
#[derive(Clone)]
pub(super) struct Toolbox {
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) index: Arc<ToolIndex>,
}

/// Those of all specialists, by id.
#[derive(Default)]
pub(super) struct Toolboxes(Mutex<Made>);

#[derive(Default)]
struct Made {
    /// The registry as they were made from it; each change of an agent is one of the registry too.
    generation: u64,
    boxes: BTreeMap<String, Toolbox>,
}

impl Toolbox {
    /// The specialist's part of all tools. A cycle is told as one, so the tools of those above it are not taken out.
    pub(super) fn make(all: &ToolRegistry, definition: &AgentDefinition) -> Self {
        let registry = all.only(|tool| tool.name != definition.id && definition.may_use(tool));
        let index = ToolIndex::new();
        registry.definitions().iter().for_each(|definition| index.insert(definition));
        Self { registry: Arc::new(registry), index: Arc::new(index) }
    }
}

impl Toolboxes {
    /// The specialist's tools as they are now.
    pub(super) fn of(&self, all: &ToolRegistry, definition: &AgentDefinition) -> Toolbox {
        // Read first: a change meanwhile makes them out of date, never up to date by mistake.
        let generation = all.generation();
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if made.generation != generation {
            *made = Made { generation, boxes: BTreeMap::new() };
        }
        let toolbox = made.boxes.entry(definition.id.clone()).or_insert_with(|| Toolbox::make(all, definition));
        toolbox.clone()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use switchboard_protocol::Risk;

    use super::*;
    use switchboard_tools::test_support::{Scripted, spec};
    use switchboard_tools::{Tool, ToolResult};

    fn tool(name: &str) -> Arc<dyn Tool> {
        Scripted::tool(spec(name, Risk::Read), |_, _| async {
            ToolResult::success(switchboard_events::ArtifactValue::Json(json!(1)))
        })
    }

    #[test]
    fn tools_are_indexed_once_until_the_registry_changes() {
        let (all, toolboxes) = (ToolRegistry::new(), Toolboxes::default());
        all.insert(tool("look")).expect("a new tool");
        let text = r#"{"id": "looker", "name": "Looker", "instructions": "Look."}"#;
        let looker = AgentDefinition::parse(text).expect("an agent");

        let first = toolboxes.of(&all, &looker);
        let second = toolboxes.of(&all, &looker);
        all.insert(tool("see")).expect("a new tool");
        let third = toolboxes.of(&all, &looker);
        all.remove("look");
        let fourth = toolboxes.of(&all, &looker);

        assert!(Arc::ptr_eq(&first.index, &second.index) && Arc::ptr_eq(&first.registry, &second.registry));
        assert_eq!(
            (first.registry.names(), third.registry.names()),
            (vec!["look".to_owned()], vec!["look".to_owned(), "see".to_owned()])
        );
        assert_eq!(fourth.registry.names(), ["see"]);
    }

    #[test]
    fn two_specialists_have_their_own_tools() {
        let (all, toolboxes) = (ToolRegistry::new(), Toolboxes::default());
        for name in ["look", "see"] {
            all.insert(tool(name)).expect("a new tool");
        }
        let agent = |id: &str, tools: &[&str]| {
            let text = json!({"id": id, "name": id, "instructions": "Do.", "tools": tools}).to_string();
            AgentDefinition::parse(&text).expect("an agent")
        };

        let (one, other) = (agent("one", &["look"]), agent("other", &["see"]));

        assert_eq!(toolboxes.of(&all, &one).registry.names(), ["look"]);
        assert_eq!(toolboxes.of(&all, &other).registry.names(), ["see"]);
        assert_eq!(toolboxes.of(&all, &one).registry.names(), ["look"]);
    }
}
