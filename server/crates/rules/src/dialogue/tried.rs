//! What would be asked about is tried first, up to the change itself: what cannot be done is not offered.

use switchboard_nlu::{Risk, Step};

use super::gather::more_than;
use super::meaning::{Meaning, Unknown};
use super::offer::Offered;
use super::plan::Plan;
use super::roles::Roles;
use super::running::Running;
use super::turn::RulesTurn;

/// Marks a plan that stops before its change.
const TRIED: &str = "tried";

impl Plan {
    /// The plan as it is tried, if that can be done without a change or a command.
    fn to_try(&self) -> Option<Self> {
        let edits = self.steps.iter().any(|step| step.edit.is_some());
        let keeps = Some(&Roles::get().store.tool);
        let by_tools = |step: &Step| step.run.is_empty() && step.tool.is_some() && step.tool.as_ref() != keeps;
        let by_tools = self.steps.iter().all(by_tools);
        let can_be = self.risk <= Risk::Read || (self.risk == Risk::Write && edits);
        let mut plan = (can_be && by_tools && !self.is_tried() && !self.is_accepted()).then(|| self.clone())?;
        plan.values.insert(TRIED.to_owned(), true.into());
        Some(plan)
    }

    /// Whether it is, or was, tried.
    pub(super) fn is_tried(&self) -> bool {
        self.values.contains_key(TRIED)
    }
}

impl RulesTurn {
    /// Begins to try what a meaning would ask about; whether there is anything to try.
    pub(super) fn tries(&mut self, meaning: &Meaning) -> bool {
        let unknown = match meaning {
            Meaning::Ask(_) => None,
            Meaning::Offer { text, plans, left } => {
                let offered = Some(Offered { plans: plans.clone(), left: left.clone() });
                Some(Unknown { request: self.message.clone(), said: Some(text.clone()), offered, ..Unknown::default() })
            }
            Meaning::Unknown(unknown) => Some(unknown.clone()),
            _ => return false,
        };
        let plans = unknown.iter().filter_map(|unknown| unknown.offered.as_ref()).flat_map(|offered| &offered.plans);
        let Some(plan) = meaning.plan().into_iter().chain(plans).find_map(Plan::to_try) else { return false };
        if let Some(unknown) = unknown {
            self.otherwise = Some(vec![Meaning::Unknown(unknown)]);
        }
        let (before, shown) = (self.before.as_deref(), self.shown.as_ref());
        self.running = Some(Running::of(self.recent.without_reading(plan), before, shown));
        true
    }

    /// Asks about a plan that leaves these words of the request out.
    pub(super) fn asks_about(&mut self, plan: Plan, left: &[String]) {
        let plan = plan.accepted();
        let meaning = self.tried_offer(&plan).unwrap_or_else(|| more_than(plan, left));
        self.queue.push_front(meaning);
    }

    /// What offers a plan that was tried, with the plan as it turned out.
    fn tried_offer(&mut self, plan: &Plan) -> Option<Meaning> {
        let mut otherwise = self.otherwise.take_if(|_| plan.is_tried())?;
        let [Meaning::Unknown(Unknown { offered: Some(Offered { plans, left }), said, .. })] = otherwise.as_mut_slice()
        else {
            return None;
        };
        if let Some(offered) = plans.iter_mut().find(|offered| offered.to_try().is_some()) {
            *offered = plan.clone();
        }
        let alone = plans.len() == 1 && left.is_empty();
        if alone && let Meaning::Offer { text, .. } = more_than(plan.clone(), &[]) {
            *said = Some(text);
        }
        otherwise.pop()
    }

    /// Asks about a plan that only reads and could be carried out; whether it is one that was tried.
    pub(super) fn asks_after_trying(&mut self, running: &Running) -> bool {
        let tried = running.plan.is_tried() && !running.is_accepted();
        if tried {
            self.asks_about(running.plan.clone(), &[]);
        }
        tried
    }
}

/// What is left of a message when a plan that was offered for it cannot be done.
pub(super) fn without_offer(otherwise: Vec<Meaning>) -> Vec<Meaning> {
    let plain = |meaning| match meaning {
        Meaning::Unknown(unknown) => Meaning::Unknown(Unknown { said: None, offered: None, ..unknown }),
        meaning => meaning,
    };
    otherwise.into_iter().map(plain).collect()
}
