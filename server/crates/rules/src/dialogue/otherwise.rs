//! What is tried when a request is not understood, or what it was taken for came to nothing: the tables, the tools that the
//! search finds, and the texts in which its words stand. If all fail, why is said.

use serde_json::{Map, Value};
use switchboard_nlu::{Risk, SlotValue};

use super::call::Call;
use super::foreign::{doubted, with_earlier};
use super::gather::{offered, only_whole};
use super::look_up::{self, LookUp};
use super::meaning::{Meaning, Unknown};
use super::offer::Offered;
use super::plan::Plan;
use super::refuse::{lacking, not_understood};
use super::roles::Roles;
use super::running::Running;
use super::tabular;
use super::tried::without_offer;
use super::turn::RulesTurn;
use super::value;
use crate::ops::UNSURE;
use crate::tools::{Choice, fitness};
use switchboard_agent::{CandidateTool, Lacking, ToolSelection, TurnContext};

/// A foreign tool takes what a sentence of our own would do as well from this certainty on, as log odds.
const FITS_MUCH_BETTER: f64 = 4.0;

impl RulesTurn {
    /// Leaves a request that sentences of our own take to a foreign tool that is made for it: `area of a triangle` where
    /// somebody has connected a calculator of triangles. What is about the workspace or was spoken of before stays ours.
    pub(super) fn give_way(&mut self, found: &[CandidateTool]) {
        let gives_way = |meaning: &Meaning| match meaning {
            Meaning::Do(plan) => plan.risk <= Risk::Read && is_general(plan),
            _ => false,
        };
        if self.queue.is_empty() || !self.queue.iter().all(gives_way) {
            return;
        }
        let request = self.message.clone();
        let is_open = |tool: &&CandidateTool| Roles::get().is_open(&tool.definition, &request);
        let open: Vec<&CandidateTool> = found.iter().filter(is_open).collect();
        if !open.is_empty() && fitness(&request, &open).is_some_and(|fitness| fitness >= FITS_MUCH_BETTER) {
            self.queue.clear();
            self.queue.push_back(Meaning::Unknown(Unknown { request, ..Unknown::default() }));
        }
    }

    /// What a plan that came to nothing leaves: what else the message means, a question to the tables, or why.
    pub(super) fn failed(&mut self, running: &Running, text: String) {
        let plan = &running.plan;
        if running.decided {
            self.otherwise = None;
            return self.queue.push_front(Meaning::Say { text, complete: false });
        }
        if let Some(otherwise) = self.otherwise.take() {
            let mut otherwise = if plan.is_tried() { without_offer(otherwise) } else { otherwise };
            // What may be told otherwise is not tried as it was once more.
            if let [Meaning::Tables { otherwise: last, .. }] = otherwise.as_mut_slice()
                && matches!(last.as_slice(), [Meaning::Do(same)] if same == plan)
                && !text.is_empty()
            {
                *last = vec![Meaning::Say { text: text.clone(), complete: false }];
            }
            let refuses =
                matches!(otherwise.as_slice(), [Meaning::Say { complete: false, .. } | Meaning::Lacks(_), ..]);
            let otherwise = match self.looked_up {
                // The lines that come nearest say more than that nothing fits.
                true if refuses && text.starts_with(UNSURE) => vec![Meaning::Say { text, complete: false }],
                true => otherwise,
                false => only_whole(otherwise, &plan.request),
            };
            otherwise.into_iter().rev().for_each(|meaning| self.queue.push_front(meaning));
            return;
        }
        // What was only nearly understood is not taken for something else yet.
        if plan.is_tried() {
            return self.queue.push_front(Meaning::Say { text, complete: false });
        }
        // Any words may be the name of a value: if none here has it, a tool may know it.
        if plan.values.contains_key("tables") && !running.has_a_path() {
            let request = plan.request.clone();
            let alone = plan.risk <= Risk::Read && self.queue.is_empty() && self.sections.is_empty();
            let unknown = Meaning::Unknown(Unknown { request, said: Some(text), ..Unknown::default() });
            // It may be the name of a column as well.
            return self.queue.push_front(match alone && !self.tables.is_empty() {
                true => {
                    Meaning::Tables { plan: tabular::unnamed(&self.tables, &self.message), otherwise: vec![unknown] }
                }
                false => unknown,
            });
        }
        let open = plan.risk <= Risk::Read && self.queue.is_empty() && self.sections.is_empty();
        let asks_tables = tabular::is_about_tables(plan.reply.as_deref());
        // What else was said and not understood may belong to the question: `the average, absent people don't count`.
        let unread = self.queue.iter().all(|meaning| matches!(meaning, Meaning::Unknown(_) | Meaning::Lacks(_)));
        let whole = plan.risk <= Risk::Read && unread && self.sections.is_empty();
        // "total expenses for boats": what is the name of a file, too, need not be meant as one.
        let guessed = running.has_paths_by_words();
        let unnamed = !asks_tables && running.steps.is_empty() && !running.has_a_path();
        if whole && (guessed || unnamed) && !self.tables.is_empty() {
            let plan = tabular::unnamed(&self.tables, &self.message);
            let said = Meaning::Say { text, complete: false };
            let otherwise = std::iter::once(said).chain(self.queue.drain(..)).collect();
            self.queue.push_front(Meaning::Tables { plan, otherwise });
            return;
        }
        let said = Meaning::Say { text, complete: false };
        if !open || !self.looks_up(&said) {
            self.queue.push_front(said);
        }
    }

    /// A search of the texts for the words of the message; once.
    pub(super) fn look_up(&self) -> Option<Plan> {
        if self.looked_up {
            return None;
        }
        let (data, before) = (LookUp::get(), self.earlier.last().map(|heard| heard.text.as_str()));
        // A short question that goes on with the one before may have been read as a whole one.
        let mut plan = data.plan(&self.message, before).or_else(|| data.plan(&self.typed, before))?;
        if let Some(path) = self.recent.file() {
            plan.values.insert("recent".to_owned(), path.into());
        }
        Some(plan)
    }

    /// Begins such a search in the place of a question or a refusal, which is said if nothing is found.
    pub(super) fn looks_up(&mut self, instead_of: &Meaning) -> bool {
        let open = match instead_of {
            Meaning::Ask(plan) => plan.risk <= Risk::Read,
            Meaning::Lacks(lacks) => lacks.intent.risk <= Risk::Read,
            Meaning::Say { complete, .. } => !complete,
            _ => false,
        };
        open && self.begins_to_look_up(instead_of)
    }

    fn begins_to_look_up(&mut self, instead_of: &Meaning) -> bool {
        // What follows would not be done either: a message of several parts may be one question.
        let is_open = |meaning: &Meaning| match meaning {
            Meaning::Lacks(lacks) => lacks.intent.risk <= Risk::Read,
            Meaning::Tool { .. } | Meaning::Name(_) | Meaning::Offer { .. } | Meaning::Undone(_) => false,
            meaning => meaning.planned().is_none_or(|plan| plan.risk <= Risk::Read),
        };
        let alone = self.queue.iter().all(is_open) && self.sections.is_empty();
        let Some(plan) = self.look_up().filter(|_| alone) else { return false };
        self.looked_up = true;
        self.otherwise = Some(std::iter::once(instead_of.clone()).chain(self.queue.drain(..)).collect());
        self.running = Some(Running::of(plan, None, None));
        true
    }

    /// Shows the passages that a search led to.
    pub(super) fn searched(&mut self, running: &Running) {
        match look_up::passages(&running.plan, running.steps.last(), &self.paths) {
            Some(plan) => self.running = Some(Running::of(self.recent.without_reading(plan), None, None)),
            None => self.failed(running, String::new()),
        }
    }

    /// Chooses for a request that no intent fits.
    pub(super) async fn choose_foreign(
        &mut self,
        candidates: &[CandidateTool],
        scene: &TurnContext<'_>,
    ) -> ToolSelection {
        let Some(foreign) = &mut self.foreign else { return ToolSelection::none("There is nothing to do.") };
        let earlier = self.before.clone().or(self.recent.value.clone());
        if foreign.chosen {
            let why = "The request asks for one more call.".to_owned();
            return self.call_foreign(candidates, scene, why).await;
        }
        let request = foreign.unknown.request.clone();
        match foreign.choose(candidates, scene, earlier.is_some()) {
            Choice::Calls { calls, why } => {
                foreign.calls = calls.into();
                self.call_foreign(candidates, scene, why).await
            }
            Choice::Doubtful { calls, doubts } => {
                self.stop(doubted(&calls, &doubts));
                ToolSelection::none("Some words have no part in the call that fits best, so I ask first.")
            }
            Choice::Missing { name, arguments, parameters } => {
                self.lacks_for(candidates, &request, name, arguments, parameters)
            }
            Choice::None => {
                let text = not_understood(&foreign.unknown, scene);
                let instead = match foreign.unknown.offered.take() {
                    Some(Offered { plans, left }) => Meaning::Offer { text: text.clone(), plans, left },
                    None => Meaning::Say { text: text.clone(), complete: false },
                };
                let is_found = |name: &String| candidates.iter().any(|tool| tool.definition.name == *name);
                let may_call = |plan: &Plan| plan.steps.iter().filter_map(|step| step.tool.as_ref()).all(is_found);
                if foreign.look_up.take().as_ref().is_some_and(may_call)
                    && self.begins_to_look_up(&instead)
                    && let Some(running) = &mut self.running
                    && let Ok(Some(call)) = running.next(scene, &self.recent, &self.earlier).await
                {
                    self.foreign = None;
                    let why = "No tool is made for this request: its words may stand in a text here.".to_owned();
                    return call.selected(why);
                }
                self.running = None;
                self.asks = offered(&instead).and_then(|(text, offered)| offered.ask(&text));
                self.stop(text);
                ToolSelection::none("No tool that was found is made for this request.")
            }
        }
    }
}

impl RulesTurn {
    /// The next call of the request, with what came before it.
    async fn call_foreign(
        &mut self,
        candidates: &[CandidateTool],
        scene: &TurnContext<'_>,
        why: String,
    ) -> ToolSelection {
        let earlier = self.before.clone().or(self.recent.value.clone());
        let Some(foreign) = &mut self.foreign else { return ToolSelection::none("There is nothing to do.") };
        let Some((tool, mut arguments)) = foreign.calls.pop_front() else {
            return ToolSelection::none("There is nothing to call.");
        };
        let missing = with_earlier(&mut arguments, earlier.as_deref());
        if !missing.is_empty() {
            let request = foreign.unknown.request.clone();
            return self.lacks_for(candidates, &request, tool, arguments, missing);
        }
        let mut call = Call { tool, arguments, output: foreign.output.clone() };
        value::fit(&mut call, scene).await;
        call.selected(why)
    }

    /// Says what the request does not say for the tool that fits.
    fn lacks_for(
        &mut self,
        candidates: &[CandidateTool],
        request: &str,
        tool: String,
        arguments: Map<String, Value>,
        parameters: Vec<String>,
    ) -> ToolSelection {
        if let Some(found) = candidates.iter().find(|found| found.definition.name == tool) {
            let text = lacking(request, &found.definition, &parameters);
            self.stop(text);
        }
        let reasoning = format!("{tool} fits, but the request does not say all that it needs.");
        let lacking = Some(Lacking { tool, arguments, parameters });
        ToolSelection { lacking, ..ToolSelection::none(reasoning) }
    }
}

/// Whether a plan is about nothing that is here or was said before.
fn is_general(plan: &Plan) -> bool {
    let is_here = |slot: &SlotValue| {
        matches!(
            slot,
            SlotValue::Path { .. }
                | SlotValue::Paths { .. }
                | SlotValue::Glob { .. }
                | SlotValue::Ambiguous { .. }
                | SlotValue::Variable { .. }
                | SlotValue::Reference { .. }
        )
    };
    plan.steps.is_empty()
        && plan.source.is_none()
        && !plan.values.contains_key("files")
        && !tabular::is_about_tables(plan.reply.as_deref())
        && !plan.slots.values().any(is_here)
}
