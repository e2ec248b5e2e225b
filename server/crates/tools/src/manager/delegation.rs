//! What a tool needs to make calls of its own, as a specialist does: the session's host, and a manager with fewer tools
//! under the same rules.

use std::any::Any;
use std::sync::{Arc, PoisonError};

use super::{ToolManager, ToolManagerConfig};
use crate::host::CallHost;
use crate::permissions::RuleSet;
use crate::registry::ToolRegistry;
use crate::tool::ToolContext;

/// The right to make calls in the session of another call.
#[derive(Clone)]
pub struct Delegation {
    /// Where the calls are recorded and the user is asked.
    pub host: Arc<dyn CallHost>,
    config: ToolManagerConfig,
    /// The session's own rules.
    rules: Arc<RuleSet>,
}

impl Delegation {
    /// The right that a call was given; none where there is no session.
    #[must_use]
    pub fn of(context: &ToolContext) -> Option<&Self> {
        context.delegation.as_deref()?.downcast_ref()
    }

    /// A manager of these tools, for the same owner, in the same workspace, under the same policy and rules.
    #[must_use]
    pub fn manager(&self, registry: Arc<ToolRegistry>) -> ToolManager {
        let manager = ToolManager::new(ToolManagerConfig { registry, ..self.config.clone() });
        manager.set_rules(RuleSet::clone(&self.rules));
        manager
    }
}

impl ToolManager {
    /// What a tool that makes calls of its own gets.
    pub(super) fn delegation(&self, host: &dyn CallHost) -> Option<Arc<dyn Any + Send + Sync>> {
        let rules = Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner));
        Some(Arc::new(Delegation { host: host.shared()?, config: self.config.clone(), rules }))
    }
}
