//! A plan that is shown and asked about: written down with the question, so that a yes carries out just that, after a restart,
//! too, and whatever the message would be read as then.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::Plan;
use switchboard_agent::PlanAsk;

/// What a yes carries out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Offered {
    pub(super) plans: Vec<Plan>,
    /// What of the request stays undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left: Vec<String>,
}

impl Offered {
    /// As it was written down; nothing of one that another version or another reasoner wrote.
    pub(super) fn read(plan: &Value) -> Option<Self> {
        Self::deserialize(plan).ok().filter(|offered| !offered.plans.is_empty())
    }

    pub(super) fn ask(&self, message: &str) -> Option<PlanAsk> {
        let plan = serde_json::to_value(self).ok()?;
        Some(PlanAsk { message: message.to_owned(), plan })
    }
}
