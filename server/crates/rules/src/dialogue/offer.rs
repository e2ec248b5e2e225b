//! A plan that is shown and asked about: written down with the question, so that a yes carries out just that, after a restart,
//! too, and whatever the message would be read as then.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gather::asked;
use super::meaning::Meaning;
use super::plan::Plan;
use switchboard_agent::PlanAsk;

/// What a yes carries out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Offered {
    plans: Vec<Plan>,
    /// What of the request stays undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
}

impl Offered {
    /// What a meaning offers, and the words in which it does.
    pub(super) fn of(meaning: &Meaning) -> Option<(String, Self)> {
        match meaning {
            Meaning::Ask(plan) => Some((asked(&plan.summary), Self { plans: vec![plan.clone()], left: Vec::new() })),
            Meaning::Offer { text, plans, left } => {
                Some((text.clone(), Self { plans: plans.clone(), left: left.clone() }))
            }
            _ => None,
        }
    }

    /// As it was written down; nothing of one that another version or another reasoner wrote.
    pub(super) fn read(plan: &Value) -> Option<Self> {
        Self::deserialize(plan).ok().filter(|offered| !offered.plans.is_empty())
    }

    pub(super) fn ask(&self, message: &str) -> Option<PlanAsk> {
        let plan = serde_json::to_value(self).ok()?;
        Some(PlanAsk { message: message.to_owned(), plan })
    }

    /// What is done now that the user says yes.
    pub(super) fn taken(self) -> Vec<Meaning> {
        let left = (!self.left.is_empty()).then_some(Meaning::Undone(self.left));
        self.plans.into_iter().map(Meaning::Do).chain(left).collect()
    }
}
