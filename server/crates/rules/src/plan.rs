//! What is left to do in a turn, clause by clause. A message that joins the turn adds its clauses at the end.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde_json::Value;

use super::asked::act_for;
use super::clause::{self, Clause, split};
use super::follow_up::{Restated, said_anew};
use super::goal::{About, Act, Given, Goal, Role, Skill, Source, Talk};
use super::intents::{Known, understand};
use super::lexer::lex;
use switchboard_agent::TurnContext;

/// The goals of a turn.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) goals: VecDeque<Goal>,
    /// How many messages were taken in.
    seen: usize,
    /// Some of it was too long to be looked at.
    pub(super) cut: bool,
    /// What the latest message was taken to ask for, if it only changes something of the one before it.
    pub(super) meant: Option<String>,
}

impl Plan {
    /// Takes in the messages that were not seen yet.
    pub(super) fn take_in(&mut self, scene: &TurnContext<'_>) {
        let Some(messages) = scene.messages.get(self.seen..).filter(|messages| !messages.is_empty()) else { return };
        let first = self.seen == 0;
        self.seen = scene.messages.len();
        let tools = scene.registry.names();
        let context = &scene.view.context;
        let mut made: Vec<String> = Vec::new();
        for (place, message) in messages.iter().enumerate() {
            let mut text = Cow::Borrowed(message.text.as_str());
            let mut split = split(&text);
            match said_anew(&message.text, &split.clauses, scene.view, messages.len() - place) {
                Restated::No => {}
                Restated::As(meant) => {
                    split = clause::split(&meant);
                    self.meant = Some(meant.clone());
                    text = Cow::Owned(meant);
                }
                Restated::Unclear(why) => {
                    self.add(Goal::Unclear(why));
                    continue;
                }
            }
            self.cut |= split.cut;
            if let Some(tool) = message.tool.as_deref().filter(|_| first) {
                let is_variable = |name: &str| context.get(name).is_some();
                let known =
                    Known { is_variable: &is_variable, variables: context.len(), tools: &tools, follows: false };
                self.add(Goal::Act(act_for(tool, &text, &split.clauses, &known)));
                continue;
            }
            let mut understood: Vec<Goal> = Vec::new();
            for (place, clause) in split.clauses.iter().enumerate() {
                let is_variable = |name: &str| context.get(name).is_some() || made.iter().any(|made| made == name);
                let variables = context.len() + made.len();
                let known = Known { is_variable: &is_variable, variables, tools: &tools, follows: place > 0 };
                let goals = understand(clause, &known);
                goals.iter().for_each(|goal| name(goal, &mut made));
                understood.extend(goals);
            }
            let bare = context.is_empty() && scene.view.operations.is_empty();
            if let Some(whole) = as_one(&text, &understood, &tools, bare) {
                understood = vec![whole];
            }
            understood.into_iter().for_each(|goal| self.add(goal));
        }
        self.drop_idle_talk();
    }

    fn add(&mut self, goal: Goal) {
        match goal {
            Goal::Name(name) => {
                let last = self.goals.iter_mut().rev().find_map(|goal| match goal {
                    Goal::Act(act) => Some(act),
                    _ => None,
                });
                if let Some(act) = last {
                    act.output = Some(name);
                }
            }
            goal => self.goals.push_back(goal),
        }
    }

    /// `Hello, can you …`: the greeting needs no answer of its own.
    fn drop_idle_talk(&mut self) {
        let idle = |goal: &Goal| matches!(goal, Goal::Talk(talk) if is_idle(*talk));
        if self.goals.iter().any(|goal| !matches!(goal, Goal::Talk(_))) {
            self.goals.retain(|goal| !idle(goal));
        }
    }
}

/// Takes in the names that a goal gives to results.
fn name(goal: &Goal, made: &mut Vec<String>) {
    match goal {
        Goal::Name(name) => made.push(name.clone()),
        Goal::Act(act) => {
            made.extend(act.output.clone());
            let stored = act.given.iter().find(|(role, _)| *role == Role::Name);
            if let Some((_, Given::Value(Value::String(name)))) = stored {
                made.push(name.clone());
            }
        }
        _ => {}
    }
}

/// A message as one request, if none of its clauses is for a tool that the rules know: a search sees more in the whole,
/// and what one sentence says often fills what another one asks for.
fn as_one(text: &str, goals: &[Goal], tools: &[String], bare: bool) -> Option<Goal> {
    let foreign = |goal: &Goal| match goal {
        Goal::Act(act) => {
            let known = act.skill.tool().is_some_and(|name| tools.iter().any(|tool| tool == name));
            // What is missing for the web is said by its own rule.
            let open = !known && !act.skill.is_of_the_web();
            act.tool.is_none() && open && (act.skill != Skill::Other || act.is_foreign())
        }
        Goal::Ask(question) => {
            bare && matches!(question.source, Source::Context | Source::That)
                && matches!(question.about, About::Field(_) | About::Whole | About::Count(_))
        }
        Goal::Talk(talk) => is_idle(*talk),
        Goal::Name(_) | Goal::Unclear(_) => false,
    };
    let acts = goals.iter().filter(|goal| matches!(goal, Goal::Act(_))).count();
    let others = goals.iter().filter(|goal| !matches!(goal, Goal::Talk(_))).count();
    let known = goals.iter().any(|goal| matches!(goal, Goal::Act(act) if act.skill != Skill::Other));
    let wanted = acts > 0 && (others > 1 || known) && goals.iter().all(foreign);
    wanted.then(|| {
        Goal::Act(Act::new(Skill::Other, &Clause::new(text, &lex(text).tokens, text.trim_end().ends_with('?'))))
    })
}

fn is_idle(talk: Talk) -> bool {
    matches!(talk, Talk::Greeting | Talk::Thanks | Talk::Acknowledgement | Talk::Mood | Talk::Goodbye)
}
