//! Who decides: a [`Reasoner`] makes the decisions of stages 1, 3 and 5 and writes the replies.
//!
//! There is one reasoner per process, without state. What it must remember between the stages of a turn (a plan, a
//! model's messages) lives in the [`TurnReasoner`] that it makes for each turn.

mod by_model;
mod decisions;
mod model;
mod native;
mod staged;
mod summaries;
mod turn_context;

use async_trait::async_trait;
use serde_json::Value;
use switchboard_protocol::{ReasonerInfo, Step, Usage};

use crate::host::PlanAsk;
pub use by_model::{ByModel, CurrentModel};
pub use decisions::{
    Decision, Lacking, Move, NeedAnalysis, NextAction, ReasonerError, Reply, ToolSelection, WantedCall,
};
pub(super) use native::FIND_TOOLS;
pub use native::WritesCalls;
pub use summaries::ModelSummaries;
pub(crate) use turn_context::add_candidates;
pub use turn_context::{Attempt, CandidateTool, TurnContext};

/// Makes the decisions of turns.
pub trait Reasoner: Send + Sync {
    /// What it is, for `session-ready`.
    fn info(&self) -> ReasonerInfo;

    /// Begins a turn.
    fn begin_turn(&self) -> Reasoning;
}

/// How a turn is reasoned about.
pub enum Reasoning {
    /// Stage by stage.
    ByStages(Box<dyn TurnReasoner>),
    /// By a model that calls tools itself: stages 1, 3 and 5 in one.
    ByCalls(Box<dyn CallingReasoner>),
}

/// Makes the decisions of one turn, all stages at once: each time it answers, or wants calls made.
///
/// As with [`TurnReasoner`], `context.messages` may have grown, and the future may be dropped. What the calls came to is
/// in `context.view.conversation`.
#[async_trait]
pub trait CallingReasoner: Send + Sync {
    /// What comes next. `offered` are the tools that searches have found in this turn.
    async fn next_move(&mut self, context: &TurnContext<'_>, offered: &[CandidateTool]) -> Result<Move, ReasonerError>;

    /// What is searched for beside the latest message: nothing if all tools are offered anyway.
    fn searches_for(&self, context: &TurnContext<'_>) -> Vec<String>;

    /// Whether its model can be shown pictures.
    fn sees_pictures(&self) -> bool;

    /// What the turn's model calls cost so far.
    fn usage(&self) -> Option<Usage>;

    /// Whether this is what the same model kept in mind when it was asked stage by stage.
    fn kept(&self, mind: &Value) -> bool;

    /// The same model, asked stage by stage for the rest of the turn, after [`Move::ByStages`].
    fn by_stages(self: Box<Self>) -> Box<dyn TurnReasoner>;
}

/// What a reasoner keeps in mind after a stage.
#[derive(Debug, PartialEq)]
pub enum Keeps {
    /// What it kept before: it would do this stage again at no cost.
    NothingNew,
    /// This.
    Mind(Value),
    /// More than is written to the log: nobody can go on from here.
    TooMuch,
}

/// Makes the decisions of one turn.
///
/// Stages come in this order: need once, then rounds of selection and decision; [`Self::explain_tool_limitations`] ends
/// the turn. `context.messages` may have grown at any stage: those are messages that the user sent to steer the turn.
/// Every future may be dropped when the turn is canceled.
#[async_trait]
pub trait TurnReasoner: Send + Sync {
    /// Stage 1: can the request be met with what the context and the conversation hold, or are tools needed? `found` are
    /// the tools that a search finds for the request, if [`Self::sees_tools_first`].
    async fn analyze_tool_need(
        &mut self,
        context: &TurnContext<'_>,
        found: &[CandidateTool],
    ) -> Result<NeedAnalysis, ReasonerError>;

    /// What stage 3 chooses from, after a search found these: a model sees all tools that it has room for.
    fn offered(&self, _context: &TurnContext<'_>, found: &[CandidateTool]) -> Vec<CandidateTool> {
        found.to_vec()
    }

    /// Stage 3: which of `candidates` does the next action, with which parameters? After a failed call (`failed`) the
    /// candidates are the alternatives to it, and only one that can do the same belongs in the answer.
    async fn select_best_tool(
        &mut self,
        context: &TurnContext<'_>,
        candidates: &[CandidateTool],
        failed: Option<&Attempt>,
    ) -> Result<ToolSelection, ReasonerError>;

    /// Stage 5: is the request fulfilled after the latest of `context.attempts`, which worked?
    async fn decide_continue_or_complete(&mut self, context: &TurnContext<'_>) -> Result<Decision, ReasonerError>;

    /// Whether a model answers. What it says is durable before anything follows from it, so that it is not asked again.
    fn asks_model(&self) -> bool {
        false
    }

    /// What it has to keep in mind after this stage to go on from there, to be written to the log.
    fn keeps(&self, _context: &TurnContext<'_>, _step: Step) -> Keeps {
        Keeps::NothingNew
    }

    /// Takes up the turn after a restart, with what it kept in mind; whether that is its own. Asked in place of the first
    /// stages.
    async fn recall(&mut self, _context: &TurnContext<'_>, _mind: Value) -> bool {
        false
    }

    /// No candidate fits: why, what is missing, what could be asked instead, what in the context could help.
    async fn explain_tool_limitations(
        &mut self,
        context: &TurnContext<'_>,
        candidates: &[CandidateTool],
        selection: &ToolSelection,
    ) -> Result<String, ReasonerError>;

    /// Whether it is shown at stage 1 what the search finds: who knows that there is a tool for it decides better.
    fn sees_tools_first(&self) -> bool {
        false
    }

    /// Whether the failure of the latest call is itself what was asked for, as the exit code of a test is: then nothing else
    /// is tried.
    fn answers_failure(&self) -> bool {
        false
    }

    /// What the message that the turn began with says of the plan in `context.view`, known after stage 1: `true` takes it,
    /// `false` leaves it, nothing is about something else.
    fn says_of_plan(&self) -> Option<bool> {
        None
    }

    /// A plan that the reply asks about, at the turn's end.
    fn asks_plan(&mut self) -> Option<PlanAsk> {
        None
    }

    /// Whether files that a chosen call would change are read for it first, if nobody has read them: right where the
    /// change is what the user said, and not what somebody thought of without having seen the file.
    fn reads_first(&self) -> bool {
        false
    }

    /// Whether there is a model that can be shown pictures.
    fn sees_pictures(&self) -> bool {
        false
    }

    /// What the turn's model calls cost so far, if a model was asked.
    fn usage(&self) -> Option<Usage> {
        None
    }
}
