//! What a tool needs to make calls of its own, as a specialist does: the session's host, and a manager with fewer tools
//! under the same rules.

use std::sync::Arc;

use super::host::CallHost;
use super::manager::{ToolManager, ToolManagerConfig};
use super::permissions::RuleSet;
use super::registry::ToolRegistry;

/// The right to make calls in the session of another call.
#[derive(Clone)]
pub struct Delegation {
    /// Where the calls are recorded and the user is asked.
    pub host: Arc<dyn CallHost>,
    pub(super) config: ToolManagerConfig,
    /// The session's own rules.
    pub(super) rules: Arc<RuleSet>,
}

impl Delegation {
    /// A manager of these tools, for the same owner, in the same workspace, under the same policy and rules.
    #[must_use]
    pub fn manager(&self, registry: Arc<ToolRegistry>) -> ToolManager {
        let manager = ToolManager::new(ToolManagerConfig { registry, ..self.config.clone() });
        manager.set_rules(RuleSet::clone(&self.rules));
        manager
    }
}
