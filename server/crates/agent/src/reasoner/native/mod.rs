//! `native`: the model's own function calling. One call of the model does stages 1, 3 and 5: it answers, or it calls
//! tools that the search found.

mod definitions;
mod text_tool_calls;

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Usage};

use super::model::{
    Asker, Prompt, TOLD, claims_a_call, cut_short, failed, load_pictures, longer, name_sources, own_limit,
    system_prompt, tidy, with_sight,
};
use super::staged::{self, StagedTurn};
use super::{CallingReasoner, CandidateTool, Move, ReasonerError, Reply, TurnContext, TurnReasoner, WantedCall};
use switchboard_conversation::estimate_tokens;
use switchboard_events::{ChatMessage, ChatRole, ToolCall};
use switchboard_llm::{FinishReason, LlmClient, LlmError, LlmReply, LlmRequest, ModelInfo, Pictures};

pub(crate) use definitions::FIND_TOOLS;

/// The tool that asks the user.
const ASK_USER: &str = "ask_user";

const HOW: &str = include_str!("../prompts/native.md");

/// Hears of a model that was offered functions and wrote its calls into its text, and says whether it is one that does
/// not call functions.
pub type WritesCalls = Arc<dyn Fn(&ModelInfo) -> bool + Send + Sync>;

/// The model in one turn.
pub(super) struct NativeTurn {
    asker: Asker,
    writes_calls: WritesCalls,
    /// Whether it has turned out that the model does not call functions.
    calls_none: bool,
}

impl NativeTurn {
    pub(super) fn new(client: Arc<dyn LlmClient>, writes_calls: WritesCalls) -> Self {
        Self { asker: Asker::new(client), writes_calls, calls_none: false }
    }

    fn request(&self, context: &TurnContext<'_>, offered: &[CandidateTool]) -> LlmRequest {
        let config = context.view.conversation.config();
        let prompt = Prompt::of(context, self.asker.model());
        let tools = match context.bound_to() {
            Some(_) => definitions::functions(&prompt.fitting(offered, |_| true), false),
            None => definitions::functions(&prompt.offered(context, offered), true),
        };
        let system = with_sight(&[system_prompt(&context.view.conversation), HOW.trim()], self.asker.model());
        let asked = context.bound_to().map_or_else(String::new, asked_for);
        let situation = [prompt.surroundings(context).trim(), &asked].join("\n\n").trim().to_owned();
        let counted = config.system_prompt.as_deref().map_or(0, estimate_tokens);
        let defined = serde_json::to_string(&tools).map_or(0, |text| estimate_tokens(&text));
        let others = (estimate_tokens(&system) + estimate_tokens(&situation) + defined).saturating_sub(counted);
        LlmRequest {
            system: system.into(),
            situation: situation.into(),
            messages: context.view.conversation.window_beside(others),
            pictures: Pictures::new(),
            web_search: self.asker.model().searches_web,
            tools,
            schema: None,
            temperature: config.temperature,
            max_tokens: config.max_tokens,
        }
    }

    /// Asks; what may be a call is not shown as a reply while it is written.
    async fn ask(&mut self, context: &TurnContext<'_>, request: &LlmRequest) -> Result<LlmReply, LlmError> {
        context.reply.restart();
        let (mut text, mut shown) = (String::new(), 0);
        let mut take = |piece: &str| {
            text.push_str(piece);
            let end = text_tool_calls::showable(&text);
            if let Some(ready) = text.get(shown..end).filter(|ready| !ready.is_empty()) {
                context.reply.text(ready);
                shown = end;
            }
        };
        let mut reply = self.asker.stream(request, &mut take).await?;
        if reply.tool_calls.is_empty() && reply.unreadable_calls.is_empty() {
            reply.tool_calls = text_tool_calls::text_tool_calls(&reply.text, |name| known(context, name));
            if reply.tool_calls.is_empty() {
                context.reply.text(&text[shown..]);
                name_sources(&mut reply, context.reply);
            } else {
                self.calls_none |= (self.writes_calls)(self.asker.model());
            }
        }
        Ok(reply)
    }

    /// Asks once more after a reply that only claims a call. If the next one does too, it has to be asked otherwise.
    async fn ask_for_the_call(
        &mut self,
        context: &TurnContext<'_>,
        request: &mut LlmRequest,
        offered: &[CandidateTool],
    ) -> Result<Move, ReasonerError> {
        request.situation = [request.situation.trim(), TOLD].join("\n\n").trim().into();
        let reply = self.ask(context, request).await.map_err(|error| failed(&error, context.reply))?;
        match judged(context, reply, request.max_tokens)? {
            Move::Reply(Reply { text, .. }) if claims_a_call(context, &text, offered) => Ok(Move::ByStages),
            next => Ok(next),
        }
    }

    /// Asks again with a larger limit, of which the model is told. One that writes less than that says how much.
    async fn ask_longer(
        &mut self,
        context: &TurnContext<'_>,
        request: &mut LlmRequest,
        cut: LlmReply,
        limit: u32,
    ) -> Result<LlmReply, ReasonerError> {
        let (before, situation) = (request.max_tokens, Arc::clone(&request.situation));
        let within = cut_off_within(&cut).unwrap_or_default();
        let mut longer = |limit: u32| {
            let told = format!(
                "Your last reply reached its limit of {before} tokens {within}, and nothing was run. Reply again; the \
                 limit is {limit} tokens now."
            );
            request.situation = [situation.trim(), &told].join("\n\n").trim().into();
            request.max_tokens = limit;
            request.clone()
        };
        let again = match self.ask(context, &longer(limit)).await {
            Err(error) => match own_limit(&error, limit, before) {
                Some(own) => self.ask(context, &longer(own)).await,
                None => Err(error),
            },
            again => again,
        };
        match again {
            // It takes no longer replies: what counts is that the first was cut off.
            Err(LlmError::BadRequest { .. } | LlmError::ContextTooLong(_)) => {
                request.max_tokens = before;
                Ok(cut)
            }
            again => again.map_err(|error| failed(&error, context.reply)),
        }
    }
}

/// What was being written when a reply that is of no use reached its limit.
fn cut_off_within(reply: &LlmReply) -> Option<String> {
    let call = reply.unreadable_calls.last().map(|call| &call.name).or(reply.tool_calls.last().map(|call| &call.name));
    match call {
        _ if reply.finish != FinishReason::Length => None,
        Some(tool) => Some(format!("in the middle of a call of `{tool}`")),
        None if prose(&reply.text).len() < reply.text.trim().len() => Some("in the middle of a call".to_owned()),
        None => reply.text.trim().is_empty().then(|| "before it said anything".to_owned()),
    }
}

/// The user has chosen the tool.
fn asked_for(tool: &str) -> String {
    format!(
        "The user asked for the tool `{tool}` for this request, and no other tool is offered until it has succeeded. \
         Call it with what the request says, even if you would have answered differently; if it cannot be called, say \
         what is missing."
    )
}

#[async_trait]
impl CallingReasoner for NativeTurn {
    async fn next_move(&mut self, context: &TurnContext<'_>, offered: &[CandidateTool]) -> Result<Move, ReasonerError> {
        // Shown the results of calls that it wrote, such a model goes on to write results too.
        if self.calls_none && !context.attempts.is_empty() {
            return Ok(Move::ByStages);
        }
        let mut request = self.request(context, offered);
        load_pictures(&mut request, context.values, self.asker.model()).await;
        let reply = match self.ask(context, &request).await {
            Err(LlmError::ContextTooLong(_)) => {
                request.messages = shortened(&request.messages);
                self.ask(context, &request).await
            }
            other => other,
        };
        let mut reply = reply.map_err(|error| failed(&error, context.reply))?;
        if cut_off_within(&reply).is_some()
            && let Some(limit) = longer(&request, &context.view.conversation, self.asker.model())
        {
            reply = self.ask_longer(context, &mut request, reply, limit).await?;
        }
        // Where the provider has searched the web, the model may say so.
        let acted = !context.attempts.is_empty() || !reply.sources.is_empty();
        let next = judged(context, reply, request.max_tokens)?;
        match next {
            Move::Reply(reply) if !acted && claims_a_call(context, &reply.text, offered) => {
                self.ask_for_the_call(context, &mut request, offered).await
            }
            next => Ok(next),
        }
    }

    fn searches_for(&self, context: &TurnContext<'_>) -> Vec<String> {
        let all = Prompt::of(context, self.asker.model()).offers_all(context);
        if all { Vec::new() } else { context.said_before() }
    }

    fn sees_pictures(&self) -> bool {
        self.asker.model().sees_pictures
    }

    fn usage(&self) -> Option<Usage> {
        self.asker.usage()
    }

    fn kept(&self, mind: &Value) -> bool {
        staged::kept(mind)
    }

    fn by_stages(self: Box<Self>) -> Box<dyn TurnReasoner> {
        Box::new(StagedTurn::after_claims(self.asker))
    }
}

fn known(context: &TurnContext<'_>, name: &str) -> bool {
    name == FIND_TOOLS || context.registry.get(name).is_some()
}

/// What the reply means. Nothing that was cut off counts as an answer, and none of its calls is made.
fn judged(context: &TurnContext<'_>, reply: LlmReply, limit: u32) -> Result<Move, ReasonerError> {
    if let Some(within) = cut_off_within(&reply) {
        let ran = if within.starts_with("before") { "" } else { ", so nothing was run" };
        let message = format!("the reply reached its length limit of {limit} tokens {within}{ran}");
        return Err(ReasonerError::cut_off(&message));
    }
    let LlmReply { text, tool_calls, unreadable_calls, finish, .. } = reply;
    match finish {
        FinishReason::Filtered => {
            let said = if text.trim().is_empty() { "it gave no reason" } else { text.trim() };
            Err(failed(&LlmError::Filtered(said.to_owned()), context.reply))
        }
        FinishReason::Length => Ok(Move::Reply(cut_short(&text))),
        _ if tool_calls.is_empty() && unreadable_calls.is_empty() => match text.trim() {
            "" => Err(failed(&LlmError::Empty, context.reply)),
            _ => {
                let complete = context.latest().is_none_or(|attempt| attempt.outcome.result.is_success());
                Ok(Move::Reply(Reply { text, complete }))
            }
        },
        _ => {
            let calls = tool_calls.into_iter().map(|call| wanted(context, call));
            let unreadable = unreadable_calls.into_iter().map(|call| WantedCall {
                tool: call.name,
                output: None,
                arguments: Err(call.problem),
                id: own_id(context, call.id.as_str().into()),
            });
            let mut calls: Vec<WantedCall> = calls.chain(unreadable).collect();
            let mut ids = HashSet::new();
            for call in &mut calls {
                if !ids.insert(call.id.clone()) {
                    call.id = CallId::random();
                }
            }
            Ok(Move::Calls { calls, said: prose(&text) })
        }
    }
}

fn wanted(context: &TurnContext<'_>, call: ToolCall) -> WantedCall {
    let ToolCall { id, name, mut arguments } = call;
    let output = definitions::take_output(&name, &mut arguments, context.registry);
    if let Some(tool) = context.registry.get(&name) {
        tidy(&mut arguments, &tool.spec().definition.parameters);
    }
    let arguments = match hands_back(context.request(), &name, &arguments) {
        true => Err("the user has just asked you this: answer it yourself, without this tool".to_owned()),
        false => Ok(arguments),
    };
    WantedCall { id: own_id(context, id), tool: name, arguments, output }
}

/// Whether a call would ask the user what the user has just asked, as small models do.
fn hands_back(request: &str, tool: &str, arguments: &Map<String, Value>) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let question = arguments.get("question").and_then(Value::as_str).filter(|_| tool == ASK_USER);
    question.map(words).is_some_and(|question| !question.is_empty() && words(request).starts_with(&question))
}

/// The model's id of the call, unless the session may have seen it before: many models count from nought in every
/// reply, those of specialists too.
fn own_id(context: &TurnContext<'_>, id: CallId) -> CallId {
    let seen = context.inside || context.view.conversation.has_call(&id);
    let usable = !id.0.is_empty() && id.0.len() <= 64 && !id.0.chars().any(char::is_control);
    if seen || !usable { CallId::random() } else { id }
}

/// What the model says beside its calls, without the calls.
fn prose(text: &str) -> String {
    text[..text_tool_calls::showable(text)].trim().to_owned()
}

/// Fewer messages: the first request, and the last half from a message of the user or the model on.
fn shortened(messages: &[Arc<ChatMessage>]) -> Vec<Arc<ChatMessage>> {
    let begins = |message: &Arc<ChatMessage>| message.role != ChatRole::Tool;
    let half = messages.len() / 2;
    let from = messages[half..].iter().position(begins).map_or(messages.len(), |at| half + at);
    let first = messages.iter().take(1).filter(|message| message.role == ChatRole::User && from > 0);
    first.chain(&messages[from..]).cloned().collect()
}

#[cfg(test)]
mod long_tests;
