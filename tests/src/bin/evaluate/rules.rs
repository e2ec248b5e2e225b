//! The rules reasoner on one query: its stages as the pipeline runs them, but no tool is run. Each call is taken to have
//! worked, so that a request for several shows them all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Map, Value};
use switchboard_agent::{
    Attempt, CandidateTool, NextAction, Reasoner, Reasoning, ReplyStream, ToolSelection, TurnContext, TurnView,
    UserMessage,
};
use switchboard_events::{ArtifactValue, MemoryLog, Values};
use switchboard_protocol::{CallId, Operation, SessionId};
use switchboard_rules::{NoNames, Rules};
use switchboard_search::{Found, ToolIndex};
use switchboard_tools::{CallOutcome, ToolRegistry, ToolResult};

use crate::folder::Tools;

/// How many tools the pipeline's search shows, and from which confidence on.
const LIMIT: usize = 10;
const MIN_CONFIDENCE: f64 = 0.3;

/// How many more it shows for each part of a request for several things.
const PART_LIMIT: usize = 4;

/// How many rounds a turn takes.
const MAX_ROUNDS: usize = 10;

/// Decides on queries, each in a session without variables or history.
pub(crate) struct Decider {
    view: TurnView,
    values: Values,
    registry: ToolRegistry,
    reply: ReplyStream,
}

/// What was decided.
#[derive(Default)]
pub(crate) struct Decided {
    /// The calls, in order.
    pub(crate) calls: Vec<(String, Map<String, Value>)>,
    /// The tool that the user is asked about, and what the request says for it, where no call is made.
    pub(crate) asked: Option<(String, Map<String, Value>)>,
    /// How sure the search was of its best candidate, the first time it was asked.
    pub(crate) confidence: Option<f64>,
    /// How long it took, searches included.
    pub(crate) took: Duration,
}

impl Default for Decider {
    fn default() -> Self {
        Self {
            view: TurnView::default(),
            values: Values::new(Arc::new(MemoryLog::new()), SessionId::random()),
            registry: ToolRegistry::new(),
            reply: ReplyStream::default(),
        }
    }
}

impl Decider {
    /// Goes through the stages for `text`, with the tools of `index`.
    pub(crate) async fn decide(&self, text: &str, tools: &Tools, index: &ToolIndex) -> Result<Decided> {
        let messages = [UserMessage { id: "query".to_owned(), text: text.to_owned(), ..UserMessage::default() }];
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut decided = Decided::default();
        let begun = Instant::now();
        let Reasoning::ByStages(mut turn) = Rules::new(Arc::new(NoNames)).begin_turn() else {
            bail!("the rules decide stage by stage")
        };
        let found = match turn.sees_tools_first() {
            true => candidates(&whole(text), tools, index).await,
            false => Vec::new(),
        };
        let need = turn.analyze_tool_need(&self.context(&messages, &attempts), &found).await?;
        let mut next = need.needs_tools.then(|| need.next_action.unwrap_or_else(|| whole(text)));
        while let Some(action) = next.take().filter(|_| attempts.len() < MAX_ROUNDS) {
            let candidates = candidates(&action, tools, index).await;
            decided.confidence = decided.confidence.or(candidates.first().map(|tool| tool.confidence));
            let context = self.context(&messages, &attempts);
            let selection = turn.select_best_tool(&context, &candidates, None).await?;
            let lacking = selection.lacking.clone().filter(|_| attempts.is_empty());
            decided.asked = lacking.map(|lacking| (lacking.tool, lacking.arguments));
            let Some(attempt) = worked(selection) else { break };
            attempts.push(attempt);
            let decision = turn.decide_continue_or_complete(&self.context(&messages, &attempts)).await?;
            next = decision.next_action;
        }
        decided.took = begun.elapsed();
        decided.calls = attempts.into_iter().map(|attempt| (attempt.tool, attempt.arguments)).collect();
        Ok(decided)
    }

    fn context<'a>(&'a self, messages: &'a [UserMessage], attempts: &'a [Attempt]) -> TurnContext<'a> {
        let Self { view, values, registry, reply } = self;
        TurnContext { messages, view, values, registry, declared: false, attempts, inside: false, reply }
    }
}

fn whole(text: &str) -> NextAction {
    NextAction { text: text.to_owned(), ..NextAction::default() }
}

async fn candidates(action: &NextAction, tools: &Tools, index: &ToolIndex) -> Vec<CandidateTool> {
    let candidate = |found: Found| Some(CandidateTool::found(tools.named(&found.name)?.clone().into(), found));
    let whole = index.find(&action.text, LIMIT, MIN_CONFIDENCE).await.into_iter();
    let mut candidates: Vec<CandidateTool> = whole.filter_map(candidate).collect();
    for part in &action.parts {
        let found = index.search(part, PART_LIMIT, MIN_CONFIDENCE).into_iter();
        let new = found.filter(|tool| !candidates.iter().any(|known| known.definition.name == tool.name));
        let new = new.filter_map(|found| Some(CandidateTool { of_part: true, ..candidate(found)? }));
        let new: Vec<CandidateTool> = new.collect();
        candidates.extend(new);
    }
    candidates
}

/// The call that was selected, as if it had worked.
fn worked(selection: ToolSelection) -> Option<Attempt> {
    let (tool, call_id) = (selection.selected_tool?, CallId::random());
    let outcome = CallOutcome {
        result: ToolResult::success(ArtifactValue::Text("done".to_owned())),
        started: true,
        repeated: false,
        variable: None,
        operation: Operation {
            call_id: call_id.clone(),
            tool: tool.clone(),
            request: None,
            inputs: selection.parameters.clone(),
            outputs: "done".to_owned(),
            output_variable: None,
            timestamp: String::new(),
            success: true,
        },
        view: "done".to_owned(),
    };
    Some(Attempt { call_id, tool, arguments: selection.parameters, outcome, error_variable: None })
}
