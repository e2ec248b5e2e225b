//! `staged`: one structured question per stage, for any chat model. A reply that does not fit is sent back with what is
//! wrong, twice at most; after that the model just answers, no tool
//! is chosen, or, if it was to decide what came of a tool, the turn ends with what is wrong.

mod question;
mod schemas;

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use switchboard_protocol::{Step, Usage};

use self::question::{Shape, StagePrompt};
use super::model::{
    Asker, Prompt, cut_short, failed, load_pictures, name_sources, noted, system_prompt, tidy, undone, with_pictures,
    with_sight,
};
use super::{
    Attempt, CandidateTool, Decision, Keeps, NeedAnalysis, NextAction, ReasonerError, Reply, ToolSelection,
    TurnContext, TurnReasoner,
};
use switchboard_llm::{FinishReason, LlmClient, LlmError, LlmRequest, Pictures, is_broken_off};
use switchboard_tools::ToolRegistry;

const NEED: &str = include_str!("../prompts/need.md");
const SELECTION: &str = include_str!("../prompts/selection.md");
const DECISION: &str = include_str!("../prompts/decision.md");
const REPLY: &str = include_str!("../prompts/reply.md");
const LIMITATIONS: &str = include_str!("../prompts/limitations.md");

/// The model in one turn.
pub(super) struct StagedTurn {
    asker: Asker,
    /// Whether the model has claimed calls in this turn that it did not make.
    has_claimed: bool,
    /// What it decided to do next.
    next: Option<String>,
}

/// What it keeps in mind from stage to stage, as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Mind {
    Staged { has_claimed: bool, next: Option<String> },
}

/// Whether a model that was asked stage by stage kept this in mind.
pub(super) fn kept(mind: &Value) -> bool {
    Mind::deserialize(mind).is_ok()
}

impl StagedTurn {
    pub(super) fn new(client: Arc<dyn LlmClient>) -> Self {
        Self { asker: Asker::new(client), has_claimed: false, next: None }
    }

    /// The rest of a turn whose model was to call tools itself, and only claimed to.
    pub(super) fn after_claims(asker: Asker) -> Self {
        Self { asker, has_claimed: true, next: None }
    }

    fn prompt(&self, context: &TurnContext<'_>) -> Prompt {
        Prompt::of(context, self.asker.model())
    }

    /// Answers in plain words, shown while they are written.
    async fn reply(
        &mut self,
        context: &TurnContext<'_>,
        instructions: &str,
        prompt: String,
    ) -> Result<Reply, ReasonerError> {
        let config = context.view.conversation.config();
        let mut request = LlmRequest {
            situation: "".into(),
            system: with_sight(&[system_prompt(&context.view.conversation), instructions.trim()], self.asker.model())
                .into(),
            messages: vec![with_pictures(&prompt, context, self.asker.model())],
            pictures: Pictures::new(),
            web_search: self.asker.model().searches_web,
            tools: Vec::new(),
            schema: None,
            temperature: config.temperature,
            max_tokens: config.max_tokens,
        };
        load_pictures(&mut request, context.values, self.asker.model()).await;
        context.reply.restart();
        let mut take = |piece: &str| context.reply.text(piece);
        let mut reply = self.asker.stream(&request, &mut take).await.map_err(|error| failed(&error, context.reply))?;
        name_sources(&mut reply, context.reply);
        match reply.finish {
            FinishReason::Filtered => Err(failed(&LlmError::Filtered(reply.text), context.reply)),
            _ if reply.text.trim().is_empty() => Err(failed(&LlmError::Empty, context.reply)),
            FinishReason::Length => Ok(cut_short(&reply.text)),
            _ => Ok(Reply { text: reply.text, complete: true }),
        }
    }

    /// What is to be done after the last call; `told` is what it is told beside all that it sees.
    async fn decide(&mut self, context: &TurnContext<'_>, told: &str) -> Result<Map<String, Value>, ReasonerError> {
        let prompt = self.all(context) + told;
        let question = StagePrompt { name: "decision", instructions: DECISION, prompt, schema: schemas::decision() };
        question.ask(&mut self.asker, context, Shape::Schema).await
    }

    /// Everything that a reply may be made of.
    fn all(&self, context: &TurnContext<'_>) -> String {
        let prompt = self.prompt(context);
        [prompt.history(context), prompt.surroundings(context), prompt.calls(context), prompt.request(context)].concat()
    }
}

#[async_trait]
impl TurnReasoner for StagedTurn {
    async fn analyze_tool_need(
        &mut self,
        context: &TurnContext<'_>,
        found: &[CandidateTool],
    ) -> Result<NeedAnalysis, ReasonerError> {
        if let Some(tool) = context.bound_to() {
            let action = NextAction {
                text: context.request().to_owned(),
                tools: vec![tool.to_owned()],
                ..NextAction::default()
            };
            return Ok(NeedAnalysis::tools(action, format!("You asked for {tool}.")));
        }
        let prompt = [self.prompt(context).likely_tools(found), self.all(context)].concat();
        let question = StagePrompt { name: "need", instructions: NEED, prompt, schema: schemas::need() };
        // Nothing is done yet, so a model that cannot decide may still answer.
        let (need, reasoning) = match question.ask(&mut self.asker, context, Shape::Schema).await {
            Err(ReasonerError::Answer(problem)) => (Map::new(), format!("I answer without tools: {problem}.")),
            need => need.map(|need| (need.clone(), text(&need, "reasoning")))?,
        };
        if need.get("needsTools") == Some(&Value::Bool(true)) {
            let mut text = context.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
            if found.is_empty() {
                // In the user's words nothing was found; the model's own say what has to be done.
                text = format!("{text}\n{reasoning}");
            }
            let all = self.prompt(context).offers_all(context);
            let parts = if all { Vec::new() } else { context.said_before() };
            return Ok(NeedAnalysis::tools(NextAction { text, parts, ..NextAction::default() }, reasoning));
        }
        let reply = self.reply(context, REPLY, self.all(context)).await?;
        let reply = if self.has_claimed { noted(context, reply, found) } else { reply };
        Ok(NeedAnalysis::answered(reply, reasoning))
    }

    async fn select_best_tool(
        &mut self,
        context: &TurnContext<'_>,
        candidates: &[CandidateTool],
        failed: Option<&Attempt>,
    ) -> Result<ToolSelection, ReasonerError> {
        if candidates.is_empty() {
            return Ok(ToolSelection::none("The search found no tool for this."));
        }
        let p = self.prompt(context);
        let candidates = &if failed.is_some() { p.fitting(candidates, |_| false) } else { candidates.to_vec() };
        let mut prompt = [p.tools(candidates), p.history(context), p.surroundings(context), p.calls(context)].concat();
        if let Some(tool) = context.bound_to() {
            prompt.push_str(&format!(
                "The user asked for {tool} himself. Choose it, unless its parameters cannot be filled in; then choose \
                 null.\n\n"
            ));
        }
        if let Some(attempt) = failed {
            prompt.push_str(&format!(
                "{} failed. Choose another tool only if it can do the same; otherwise choose null.\n\n",
                attempt.tool
            ));
        }
        let searches = failed.is_none() && context.bound_to().is_none() && !p.offers_all(context);
        if searches {
            prompt.push_str(SEARCHES);
        }
        prompt.push_str(&p.request(context));
        if let Some(next) = &self.next {
            prompt.push_str(&format!("## Next action\n{}\n", super::model::fence("action", next)));
        }
        let schema = schemas::selection(candidates, !context.view.context.is_empty(), searches);
        let question = StagePrompt { name: "selection", instructions: SELECTION, prompt, schema };
        let chosen = match question.ask(&mut self.asker, context, Shape::Selection(candidates)).await {
            Err(ReasonerError::Answer(problem)) => return Ok(ToolSelection::none(problem)),
            chosen => chosen?,
        };
        Ok(ToolSelection {
            selected_tool: chosen["selectedTool"].as_str().map(ToOwned::to_owned),
            reasoning: text(&chosen, "reasoning"),
            parameters: parameters(&chosen, context.registry),
            output_variable: some_text(&chosen, "outputVariable").map(|name| name.trim_start_matches('@').to_owned()),
            search_for: some_text(&chosen, "searchFor").filter(|_| searches && chosen["selectedTool"].is_null()),
            lacking: None,
        })
    }

    fn offered(&self, context: &TurnContext<'_>, found: &[CandidateTool]) -> Vec<CandidateTool> {
        self.prompt(context).offered(context, found)
    }

    async fn decide_continue_or_complete(&mut self, context: &TurnContext<'_>) -> Result<Decision, ReasonerError> {
        let is_complete = |decided: &Map<String, Value>| decided.get("complete") == Some(&Value::Bool(true));
        let mut decided = self.decide(context, "").await?;
        let mut contradiction = None;
        if is_complete(&decided)
            && let Some(undone) = undone(context)
        {
            let told = format!(
                "## Your last decision\nIt says that all is done. {undone} If the request asks for that, it is not done: \
                 `complete` is false, and `nextAction` says what a tool has to do now.\n"
            );
            decided = self.decide(context, &told).await?;
            contradiction = is_complete(&decided).then_some(undone);
        }
        let complete = is_complete(&decided);
        let reasoning = text(&decided, "reasoning");
        if let Some(next) = some_text(&decided, "nextAction").filter(|_| !complete) {
            context.reply.restart();
            self.next = Some(next.clone());
            return Ok(Decision::go_on(NextAction { text: next, ..NextAction::default() }, reasoning));
        }
        let mut reply = match some_text(&decided, "userResponse").filter(|text| !is_broken_off(text)) {
            Some(text) => Reply { text, complete },
            None => {
                let reply = self.reply(context, REPLY, self.all(context)).await?;
                Reply { complete: reply.complete && complete, ..reply }
            }
        };
        if let Some(undone) = contradiction.filter(|undone| undone.is_claimed(context.request(), &reply.text)) {
            let note = format!("\n\n*({undone})*");
            context.reply.text(&note);
            reply = Reply { text: reply.text + &note, complete: false };
        }
        Ok(Decision::ended(reply, reasoning))
    }

    fn asks_model(&self) -> bool {
        true
    }

    fn keeps(&self, _context: &TurnContext<'_>, _step: Step) -> Keeps {
        let mind = Mind::Staged { has_claimed: self.has_claimed, next: self.next.clone() };
        serde_json::to_value(mind).map_or(Keeps::TooMuch, Keeps::Mind)
    }

    async fn recall(&mut self, _context: &TurnContext<'_>, mind: Value) -> bool {
        let Ok(Mind::Staged { has_claimed, next }) = Mind::deserialize(mind) else { return false };
        (self.has_claimed, self.next) = (has_claimed, next);
        true
    }

    async fn explain_tool_limitations(
        &mut self,
        context: &TurnContext<'_>,
        candidates: &[CandidateTool],
        selection: &ToolSelection,
    ) -> Result<String, ReasonerError> {
        let why = super::model::fence("why", &selection.reasoning);
        let p = self.prompt(context);
        let tools = p.tools(&p.fitting(candidates, |_| false));
        let prompt = [tools, format!("## Why none fits\n{why}\n\n"), self.all(context)].concat();
        Ok(self.reply(context, LIMITATIONS, prompt).await?.text)
    }

    fn sees_tools_first(&self) -> bool {
        true
    }

    fn sees_pictures(&self) -> bool {
        self.asker.model().sees_pictures
    }

    fn usage(&self) -> Option<Usage> {
        self.asker.usage()
    }
}

/// What a model is told that does not see all tools.
const SEARCHES: &str = "There are more tools than these. If none of them can do it, choose null and say in `searchFor`, in a \
                        few words, what the tool must do; otherwise leave `searchFor` null.\n\n";

/// The parameters of the chosen tool, without those that say nothing.
fn parameters(chosen: &Map<String, Value>, registry: &ToolRegistry) -> Map<String, Value> {
    let mut parameters = chosen.get("parameters").and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(tool) = chosen["selectedTool"].as_str().and_then(|name| registry.get(name)) {
        tidy(&mut parameters, &tool.spec().definition.parameters);
    }
    parameters
}

fn text(object: &Map<String, Value>, field: &str) -> String {
    object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn some_text(object: &Map<String, Value>, field: &str) -> Option<String> {
    Some(text(object, field)).filter(|text| !text.trim().is_empty() && text != "null")
}
