//! One turn: what the message means is done meaning by meaning, each as a plan whose steps are calls; what none of the
//! data's intents fits goes to the tools that the search finds.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use switchboard_nlu::{Engine, Paths};

use super::call::Call;
use super::foreign::Foreign;
use super::gather::{heard, offered, put_to_the_table, taken};
use super::meaning::{Meaning, Unknown};
use super::mind::{LOOK_BACK, Mind};
use super::offer::Offered;
use super::recent::Recent;
use super::refuse::{not_understood, undone};
use super::replies;
use super::roles::Roles;
use super::running::{Running, stepped};
use super::tabular::{self, Heard};
use super::tool_sentences::ToolSentences;
use super::windows::in_window;
use super::world::{Seen, WorkspaceNames};
use crate::ops::takes_failures;
use switchboard_agent::{
    Attempt, CandidateTool, Decision, Keeps, NeedAnalysis, NextAction, PlanAsk, ReasonerError, Reply, ToolSelection,
    TurnContext, TurnReasoner, without_attachments,
};
use switchboard_events::ChatRole;
use switchboard_protocol::Step;

/// The dialogue in one turn.
pub(crate) struct RulesTurn {
    pub(super) names: Arc<dyn WorkspaceNames>,
    sentences: Arc<ToolSentences>,
    pub(super) queue: VecDeque<Meaning>,
    pub(super) running: Option<Running>,
    /// What the message means if the tables that are asked now do not know, and which files hold tables.
    pub(super) otherwise: Option<Vec<Meaning>>,
    pub(super) tables: Vec<String>,
    /// The workspace's files as they were when the message came.
    pub(super) paths: Arc<Paths>,
    /// Whether its words were looked for in the texts.
    pub(super) looked_up: bool,
    /// The latest message, as a whole request and as it was typed.
    pub(super) message: String,
    pub(super) typed: String,
    /// A request for tools that the search finds, and the calls that are left of it.
    pub(super) foreign: Option<Foreign>,
    /// The next call.
    pub(super) call: Option<Call>,
    /// What the clause before gave, as a reference.
    pub(super) before: Option<String>,
    /// What the clause before showed.
    pub(super) shown: Option<Value>,
    /// The parts of the reply.
    pub(super) sections: Vec<Reply>,
    pub(super) seen: usize,
    pub(super) recent: Recent,
    /// What the user said before this message.
    pub(super) earlier: Vec<Heard>,
    /// What it says of the plan that waited.
    says_of_plan: Option<bool>,
    /// The plan that the reply asks about.
    pub(super) asks: Option<PlanAsk>,
}

/// What comes next.
enum Next {
    Act(NextAction, String),
    Done(String),
}

impl RulesTurn {
    pub(crate) fn new(names: Arc<dyn WorkspaceNames>, sentences: Arc<ToolSentences>) -> Self {
        Self {
            names,
            sentences,
            queue: VecDeque::new(),
            running: None,
            otherwise: None,
            tables: Vec::new(),
            paths: Arc::default(),
            looked_up: false,
            message: String::new(),
            typed: String::new(),
            foreign: None,
            call: None,
            before: None,
            shown: None,
            sections: Vec::new(),
            seen: 0,
            recent: Recent::default(),
            earlier: Vec::new(),
            says_of_plan: None,
            asks: None,
        }
    }

    /// Sees what there is beside so many new messages: the world, the last replies, and what the user said before.
    pub(super) async fn look_around<'s>(
        &mut self,
        scene: &'s TurnContext<'_>,
        names: &'s dyn WorkspaceNames,
        new: usize,
    ) -> (Seen<'s>, Vec<String>, Vec<String>) {
        let mut world = Seen::of(scene, names).await;
        self.recent = Recent::of(scene, &world).await;
        world.keys.clone_from(&self.recent.keys);
        let said = scene.messages.last().map(|message| message.text.as_str()).unwrap_or_default();
        self.tables = tabular::files_for("table", &world, &self.recent.files, said);
        self.paths = Arc::clone(&world.paths);
        let by = |role: ChatRole| scene.view.conversation.messages().filter(move |message| message.role == role);
        let replies = by(ChatRole::Assistant).filter(|message| message.tool_calls.is_empty()).rev().take(LOOK_BACK);
        let mut replies: Vec<String> = replies.map(|message| message.content.text().to_owned()).collect();
        replies.reverse();
        self.recent.hear(&replies, &world);
        // No more than what is looked back at: a long session has thousands.
        let earlier = by(ChatRole::User).rev().skip(new).take(LOOK_BACK);
        let mut earlier: Vec<String> =
            earlier.map(|message| without_attachments(message.content.text()).to_owned()).collect();
        earlier.reverse();
        (world, replies, earlier)
    }

    /// Takes in the messages that were not seen yet.
    async fn take_in(&mut self, scene: &TurnContext<'_>) {
        let Some(messages) = scene.messages.get(self.seen..).filter(|messages| !messages.is_empty()) else { return };
        let first = self.seen == 0;
        self.seen = scene.messages.len();
        let names = Arc::clone(&self.names);
        let (world, replies, mut earlier) = self.look_around(scene, names.as_ref(), messages.len()).await;
        let with_tools = self.sentences.engine(scene.registry);
        for message in messages {
            let mind = Mind {
                engine: match &with_tools {
                    Some(engine) => engine,
                    None => Engine::shipped(),
                },
                world: &world,
                recent: &self.recent,
                replies: &replies,
                said: replies.last().map(String::as_str),
                read: RefCell::default(),
                past: Cell::new(false),
                heard: earlier.len(),
                whole: Cell::new(false),
            };
            let waiting = scene.view.plan.as_ref().filter(|_| first && message.tool.is_none());
            self.says_of_plan = waiting.map_or(self.says_of_plan, |_| mind.says_yes(&message.text));
            let offered =
                waiting.filter(|_| self.says_of_plan == Some(true)).and_then(|asked| Offered::read(&asked.plan));
            let meanings = match message.tool.as_deref().filter(|_| first) {
                Some(tool) => mind.by_tool(tool, &message.text, &earlier),
                None if offered.is_some() => offered.map(taken).unwrap_or_default(),
                None => heard(&mind, &message.text, &earlier),
            };
            self.message.clone_from(&message.text);
            self.typed.clone_from(&message.text);
            earlier.push(message.text.clone());
            self.queue.extend(meanings);
        }
        earlier.pop();
        self.earlier = Heard::all(&earlier, &replies, messages.len() - 1);
    }

    /// Does what needs no call until one is needed.
    async fn advance(&mut self, scene: &TurnContext<'_>) -> Result<Next, ReasonerError> {
        self.take_in(scene).await;
        let mut why = "Everything that was asked for is done.".to_owned();
        loop {
            if let Some(mut running) = self.running.take() {
                match running.next(scene, &self.recent, &self.earlier).await {
                    Ok(Some(call)) => {
                        if let Some(left) = running.says_more() {
                            self.asks_about(running.plan, &left);
                            continue;
                        }
                        let action = NextAction {
                            text: running.plan.request.clone(),
                            tools: vec![call.tool.clone()],
                            ..NextAction::default()
                        };
                        let why = format!("I take the request to mean: {}.", running.plan.summary);
                        self.call = Some(call);
                        self.running = Some(running);
                        return Ok(Next::Act(action, why));
                    }
                    Ok(None) => self.told(&running, scene),
                    Err(text) => self.failed(&running, text),
                }
                continue;
            }
            if let Some(foreign) = &self.foreign {
                let next = foreign.calls.front().map(|(tool, _)| tool.clone());
                if !foreign.chosen || next.is_some() {
                    let (action, why) = foreign.action(next);
                    return Ok(Next::Act(action, why));
                }
                self.foreign = None;
            }
            let Some(meaning) = self.queue.pop_front().map(put_to_the_table) else { return Ok(Next::Done(why)) };
            if self.looks_up(&meaning) || self.tries(&meaning) {
                continue;
            }
            match meaning {
                Meaning::Do(plan) => {
                    let plan = match in_window(self.recent.without_reading(plan), &scene.view.windows) {
                        Ok(plan) => plan,
                        Err(text) => {
                            self.stop(text);
                            continue;
                        }
                    };
                    if plan.steps.is_empty() && plan.source.is_some() {
                        why = "What it asks for is already available in context.".to_owned();
                    }
                    self.running = Some(Running::of(plan, self.before.as_deref(), self.shown.as_ref()));
                }
                Meaning::Tables { plan, otherwise } => {
                    self.otherwise = Some(otherwise);
                    self.running = Some(Running::of(self.recent.without_reading(plan), None, None));
                }
                Meaning::Ask(_) | Meaning::Offer { .. } => {
                    if let Some((text, offered)) = offered(&meaning) {
                        self.asks = offered.ask(&text);
                        self.stop(text);
                    }
                }
                Meaning::Lacks(lacks) => self.stop(lacks.question),
                Meaning::Say { text, complete: true } => {
                    why = "No tool is needed for that.".to_owned();
                    self.say(text, true);
                }
                Meaning::Say { text, complete: false } | Meaning::Stop(text) => self.stop(text),
                Meaning::Undone(requests) => self.say(undone(&requests), false),
                Meaning::Name(name) => match self.recent.value.clone() {
                    Some(value) => self.running = Some(Running::of(Roles::get().keep(&name, &value), None, None)),
                    None => self.stop("There is nothing yet that could get a name.".to_owned()),
                },
                Meaning::Tool { tool, rest, agreed } => {
                    let unknown = Unknown { request: rest, agreed, ..Unknown::default() };
                    self.foreign = Some(Foreign { unknown, tool: Some(tool), ..Foreign::default() });
                }
                Meaning::Unknown(unknown) => {
                    if self.queue.is_empty() && self.sections.is_empty() {
                        self.message.clone_from(&unknown.request);
                    }
                    let output = self.name_that_follows();
                    let look_up = self.look_up();
                    self.foreign = Some(Foreign { unknown, output, look_up, ..Foreign::default() });
                }
            }
        }
    }

    /// The name that the next clause gives to this one's result.
    fn name_that_follows(&mut self) -> Option<String> {
        match self.queue.front() {
            Some(Meaning::Name(_)) => match self.queue.pop_front() {
                Some(Meaning::Name(name)) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }
}

#[async_trait]
impl TurnReasoner for RulesTurn {
    async fn analyze_tool_need(
        &mut self,
        scene: &TurnContext<'_>,
        found: &[CandidateTool],
    ) -> Result<NeedAnalysis, ReasonerError> {
        self.take_in(scene).await;
        self.give_way(found);
        Ok(match self.advance(scene).await? {
            Next::Act(action, why) => NeedAnalysis::tools(action, why),
            Next::Done(why) => NeedAnalysis::answered(self.reply(), why),
        })
    }

    async fn select_best_tool(
        &mut self,
        scene: &TurnContext<'_>,
        candidates: &[CandidateTool],
        failed: Option<&Attempt>,
    ) -> Result<ToolSelection, ReasonerError> {
        if failed.is_some() {
            return Ok(ToolSelection::none("What was asked for is not done another way."));
        }
        let Some(call) = self.call.take() else {
            return Ok(self.choose_foreign(candidates, scene).await);
        };
        let why = self
            .running
            .as_ref()
            .map_or_else(String::new, |running| format!("To {} I use {}.", running.plan.summary, call.tool));
        Ok(call.selected(why))
    }

    async fn decide_continue_or_complete(&mut self, scene: &TurnContext<'_>) -> Result<Decision, ReasonerError> {
        if let (Some(running), Some(attempt)) = (&mut self.running, scene.latest()) {
            running.take(attempt);
        } else if let (Some(foreign), Some(attempt)) = (&mut self.foreign, scene.latest()) {
            let step = stepped(attempt);
            let mut text = replies::of_tool(&step);
            if let (Some(_), Some(name)) = (&foreign.output, &step.variable) {
                text.push_str(&format!("\n\nIt is stored as `{name}`."));
            }
            let left = if foreign.calls.is_empty() { std::mem::take(&mut foreign.undone) } else { Vec::new() };
            self.before = step.as_reference().or(self.before.take());
            self.say(text, true);
            if !left.is_empty() {
                self.say(undone(&left), false);
            }
        }
        Ok(match self.advance(scene).await? {
            Next::Act(action, why) => Decision::go_on(action, why),
            Next::Done(why) => Decision::ended(self.reply(), why),
        })
    }

    /// All but the choice of a call follows from what was there before, but for a plan to which the user has just said yes.
    fn keeps(&self, scene: &TurnContext<'_>, step: Step) -> Keeps {
        let takes_a_plan = step == Step::Analyzing && self.says_of_plan == Some(true);
        match step == Step::Selecting || takes_a_plan {
            true => self.written(scene).map_or(Keeps::TooMuch, Keeps::Mind),
            false => Keeps::NothingNew,
        }
    }

    async fn recall(&mut self, scene: &TurnContext<'_>, mind: Value) -> bool {
        self.read(mind, scene).await.is_some()
    }

    fn says_of_plan(&self) -> Option<bool> {
        self.says_of_plan
    }

    fn asks_plan(&mut self) -> Option<PlanAsk> {
        self.asks.take()
    }

    fn sees_tools_first(&self) -> bool {
        true
    }

    fn answers_failure(&self) -> bool {
        let plan = self.running.as_ref().map(|running| &running.plan);
        plan.is_some_and(|plan| takes_failures(plan.reply.as_deref().unwrap_or_default(), &plan.values))
    }

    fn reads_first(&self) -> bool {
        true
    }

    async fn explain_tool_limitations(
        &mut self,
        scene: &TurnContext<'_>,
        _candidates: &[CandidateTool],
        _selection: &ToolSelection,
    ) -> Result<String, ReasonerError> {
        if self.sections.iter().all(|section| section.complete) {
            let unknown = Unknown { request: scene.request().to_owned(), ..Unknown::default() };
            let text = not_understood(&unknown, scene);
            self.stop(text);
        }
        Ok(self.reply().text)
    }
}
