//! What is left to do in a turn, clause by clause. A message that joins the turn adds its clauses at the end.

use std::collections::VecDeque;

use super::clause::split;
use super::goal::{Goal, Role, Talk};
use super::intents::{Known, understand};
use crate::agent::reasoner::Scene;

/// The goals of a turn.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) goals: VecDeque<Goal>,
    /// How many messages were taken in.
    seen: usize,
    /// Some of it was too long to be looked at.
    pub(super) cut: bool,
}

impl Plan {
    /// Takes in the messages that were not seen yet.
    pub(super) fn take_in(&mut self, scene: &Scene<'_>) {
        let Some(messages) = scene.messages.get(self.seen..).filter(|messages| !messages.is_empty()) else { return };
        self.seen = scene.messages.len();
        let tools = scene.registry.names();
        let context = &scene.view.context;
        let mut made: Vec<String> = Vec::new();
        for message in messages {
            let split = split(&message.text);
            self.cut |= split.cut;
            for (place, clause) in split.clauses.iter().enumerate() {
                let is_variable = |name: &str| context.get(name).is_some() || made.iter().any(|made| made == name);
                let variables = context.len() + made.len();
                let known = Known { is_variable: &is_variable, variables, tools: &tools, follows: place > 0 };
                let goals = understand(clause, &known);
                goals.into_iter().for_each(|goal| self.add(goal, &mut made));
            }
        }
        self.drop_idle_talk();
    }

    fn add(&mut self, goal: Goal, made: &mut Vec<String>) {
        match goal {
            Goal::Name(name) => {
                made.push(name.clone());
                let last = self.goals.iter_mut().rev().find_map(|goal| match goal {
                    Goal::Act(act) => Some(act),
                    _ => None,
                });
                if let Some(act) = last {
                    act.output = Some(name);
                }
            }
            Goal::Act(act) => {
                made.extend(act.output.clone());
                let stored = act.given.iter().find(|(role, _)| *role == Role::Name);
                if let Some((_, super::goal::Given::Value(serde_json::Value::String(name)))) = stored {
                    made.push(name.clone());
                }
                self.goals.push_back(Goal::Act(act));
            }
            goal => self.goals.push_back(goal),
        }
    }

    /// `Hello, can you …`: the greeting needs no answer of its own.
    fn drop_idle_talk(&mut self) {
        let idle = |goal: &Goal| {
            matches!(
                goal,
                Goal::Talk(Talk::Greeting | Talk::Thanks | Talk::Acknowledgement | Talk::Mood | Talk::Goodbye)
            )
        };
        if self.goals.iter().any(|goal| !matches!(goal, Goal::Talk(_))) {
            self.goals.retain(|goal| !idle(goal));
        }
    }
}
