//! The tools of each specialist with their index, made once and again only when the registry has changed: to read the
//! words of every tool anew at every call would cost more than the call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::definition::{AgentDefinition, MODULE};
use super::reach::Reach;
use switchboard_protocol::Risk;
use switchboard_search::ToolIndex;
use switchboard_tools::ToolRegistry;

/// The tools of one agent. Cheap to clone.
#[derive(Clone)]
pub(super) struct Toolbox {
    pub(super) registry: Arc<ToolRegistry>,
    pub(super) index: Arc<ToolIndex>,
    pub(super) reach: Reach,
}

/// Those of all agents, by id.
#[derive(Default)]
pub(super) struct Toolboxes(Mutex<Made>);

#[derive(Default)]
struct Made {
    /// What the specialists are, to look through them.
    agents: BTreeMap<String, AgentDefinition>,
    /// The registry as they were made from it; each change of an agent is one of the registry too.
    generation: u64,
    boxes: BTreeMap<String, Toolbox>,
}

impl Toolbox {
    /// The agent's part of all tools. A cycle is told as one, so the tools of those above it are not taken out.
    fn make(all: &ToolRegistry, definition: &AgentDefinition, reach: Reach) -> Self {
        let registry = all.only(|tool| definition.may_use(tool));
        let index = ToolIndex::new();
        registry.definitions().iter().for_each(|definition| index.insert(definition));
        Self { registry: Arc::new(registry), index: Arc::new(index), reach }
    }

    /// When nobody knows any more what the specialists are: the server ends.
    pub(super) fn at_the_end(all: &ToolRegistry, definition: &AgentDefinition) -> Self {
        Self::make(all, definition, Reach::EVERYTHING)
    }
}

impl Toolboxes {
    /// Takes in what the specialists are now. The registry changes after this, for those that changed.
    pub(super) fn know(&self, agents: BTreeMap<String, AgentDefinition>) {
        let mut made = self.made();
        made.agents = agents;
        made.boxes.clear();
    }

    /// The agent's tools as they are now.
    pub(super) fn of(&self, all: &ToolRegistry, definition: &AgentDefinition) -> Toolbox {
        // Read first: a change meanwhile makes them out of date, never up to date by mistake.
        let generation = all.generation();
        let mut made = self.made();
        if made.generation != generation {
            (made.generation, made.boxes) = (generation, BTreeMap::new());
        }
        if let Some(toolbox) = made.boxes.get(&definition.id) {
            return toolbox.clone();
        }
        let mut seen = BTreeSet::from([definition.id.clone()]);
        let reach = reach(&made.agents, all, definition, &mut seen);
        let toolbox = Toolbox::make(all, definition, reach);
        made.boxes.insert(definition.id.clone(), toolbox.clone());
        toolbox
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an agent can do: of specialists not what they say of themselves counts, but what is in them. `seen` are those
/// that are counted already.
fn reach(
    agents: &BTreeMap<String, AgentDefinition>,
    all: &ToolRegistry,
    definition: &AgentDefinition,
    seen: &mut BTreeSet<String>,
) -> Reach {
    let mut sum = Reach::NOTHING;
    for tool in all.all() {
        let spec = tool.spec();
        let (name, own) = (&spec.definition.name, spec.definition.risk);
        if !definition.may_use(&spec.definition) {
            continue;
        }
        let below = agents.get(name).filter(|_| spec.definition.module == MODULE);
        sum = sum.and(match below {
            Some(_) if !seen.insert(name.clone()) => Reach::NOTHING,
            Some(below) => reach(agents, all, below, seen),
            None => Reach { risk: own, repeatable: spec.repeatable || own == Risk::Read },
        });
    }
    sum
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
    fn what_a_specialist_can_do_is_what_its_tools_can_do_at_each_depth() {
        let (all, toolboxes) = (ToolRegistry::new(), Toolboxes::default());
        for (name, risk) in [("look", Risk::Read), ("fetch", Risk::Network), ("change", Risk::Write)] {
            let mut spec = spec(name, risk);
            spec.repeatable = name == "fetch";
            all.insert(Scripted::tool(spec, |_, _| async { ToolResult::default() })).expect("a new tool");
        }
        let agent = |id: &str, tools: &[&str]| {
            let text = json!({"id": id, "name": id, "instructions": "Do.", "tools": tools}).to_string();
            (id.to_owned(), AgentDefinition::parse(&text).expect("an agent"))
        };
        let agents = BTreeMap::from([
            agent("looker", &["look"]),
            agent("fetcher", &["look", "fetch"]),
            agent("changer", &["change", "round"]),
            agent("round", &["look", "changer"]),
        ]);
        toolboxes.know(agents.clone());
        for definition in agents.values() {
            let spec = definition.spec(Reach::NOTHING);
            all.insert(Scripted::tool(spec, |_, _| async { ToolResult::default() })).expect("a new tool");
        }

        let reach = |id: &str| toolboxes.of(&all, &agents[id]).reach;

        assert_eq!(reach("looker"), Reach { risk: Risk::Read, repeatable: true });
        assert_eq!(reach("fetcher"), Reach { risk: Risk::Network, repeatable: true });
        assert_eq!(reach("changer"), Reach { risk: Risk::Write, repeatable: false });
        assert_eq!(reach("round"), Reach { risk: Risk::Write, repeatable: false });
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
