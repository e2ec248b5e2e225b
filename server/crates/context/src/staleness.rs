//! What a change makes stale: everything that was made from it, and what was made from that.

use std::collections::BTreeSet;

use switchboard_protocol::Variable;

use super::artifacts::ContextManager;

impl ContextManager {
    /// What was made from `name` and is not yet marked, as it looks when marked; `name` itself is left out.
    pub(super) fn made_stale(&self, name: &str) -> Vec<Variable> {
        let mut changed = BTreeSet::from([name]);
        let mut waiting = vec![name];
        while let Some(input) = waiting.pop() {
            for variable in self.variables().filter(|variable| made_from(variable, input)) {
                if changed.insert(&variable.name) {
                    waiting.push(&variable.name);
                }
            }
        }
        if changed.len() == 1 {
            return Vec::new();
        }
        self.variables()
            .filter(|variable| variable.name != name && !variable.stale && changed.contains(variable.name.as_str()))
            .map(|variable| Variable { stale: true, ..variable.clone() })
            .collect()
    }
}

fn made_from(variable: &Variable, input: &str) -> bool {
    variable.origin.inputs.iter().any(|name| name == input)
}
