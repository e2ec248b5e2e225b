//! A specialist as a tool: a call of it is a turn of its own, with limits that it inherits from whoever called it.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value};
use switchboard_protocol::{ErrorType, Risk, ServerMessage, Usage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::definition::AgentDefinition;
use super::host::SpecialistHost;
use super::reasoner_factory::ReasonerFactory;
use super::toolboxes::{Toolbox, Toolboxes};
use crate::host::{TurnEnd, UserMessage};
use crate::process::ToolUsingChatAgent;
use switchboard_events::ArtifactValue;
use switchboard_tools::{
    CallChain, Delegation, Tool, ToolContext, ToolFailure, ToolRegistry, ToolResult, ToolSpec, preview_lines,
};

/// How long a specialist whose time is over may take to end what runs.
const GRACE: Duration = Duration::from_secs(6);

/// Why a specialist does not go on that another version began.
const UNREAD: &str = "what it had done was written down by another version of Switchboard, and cannot be read: it did not \
                      continue from there";

/// A specialist in the registry.
pub(super) struct Delegate {
    definition: AgentDefinition,
    spec: ToolSpec,
    thinking: ReasonerFactory,
    /// All tools, of which it has some; it is one of them itself.
    registry: Weak<ToolRegistry>,
    /// Those of them that it has; they hold other specialists, and so must not be held by one.
    toolboxes: Weak<Toolboxes>,
}

impl Delegate {
    pub(super) fn new(
        definition: AgentDefinition,
        thinking: ReasonerFactory,
        registry: &Arc<ToolRegistry>,
        toolboxes: &Arc<Toolboxes>,
    ) -> Self {
        let spec = definition.spec(toolboxes.of(registry, &definition).reach);
        let (registry, toolboxes) = (Arc::downgrade(registry), Arc::downgrade(toolboxes));
        Self { spec, definition, thinking, registry, toolboxes }
    }

    /// What the specialist inherits; refuses cycles, too deep a chain, and one whose rounds are used up.
    fn inherited(&self, above: CallChain) -> Result<CallChain, ToolFailure> {
        let id = &self.definition.id;
        let chain = above.agents.iter().map(String::as_str).chain([id.as_str()]).collect::<Vec<_>>().join(" → ");
        let refused = |message: String| {
            ToolFailure::new(ErrorType::Validation, message)
                .suggesting("Use the other tools, or answer with what is already known.")
        };
        if above.agents.contains(id) {
            return Err(refused(format!("a specialist cannot call itself, not even through others: {chain}")));
        }
        if above.depth_left == Some(0) {
            return Err(refused(format!("the chain of specialists cannot be any deeper: {chain}")));
        }
        let calls_left = above.calls_left.unwrap_or_else(|| Arc::new(self.thinking.rounds.into()));
        if calls_left.load(Ordering::Relaxed) == 0 {
            return Err(refused("the specialists of this chain have used up their calls".to_owned()));
        }
        let below = above.depth_left.map_or(u32::MAX, |left| left - 1);
        let agents = above.agents.iter().cloned().chain([id.clone()]).collect();
        let depth_left = Some(self.definition.max_depth.min(below));
        Ok(CallChain { agents, depth_left, calls_left: Some(calls_left) })
    }

    async fn delegate(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Result<ToolResult, ToolFailure> {
        let Some(delegation) = Delegation::of(context) else {
            return Err(ToolFailure::new(ErrorType::System, "there is no session for it to work in"));
        };
        let call_chain = self.inherited(delegation.host.call_chain())?;
        let rounds = call_chain.calls_left.as_ref().map_or(self.thinking.rounds, |left| left.load(Ordering::Relaxed));
        let (reasoner, chat) = self.thinking.of(&self.definition).map_err(|why| {
            ToolFailure::new(ErrorType::System, format!("it has nothing to think with: {why}"))
                .suggesting("Give the agent another model, or leave its model out to use the server's.")
        })?;
        let Toolbox { registry, index, .. } = self.toolbox();
        let agent = ToolUsingChatAgent::new(reasoner, registry, index, rounds);
        let agent = agent.with_declared_tools(self.definition.tools.is_some());
        let manager = delegation.manager(Arc::clone(&agent.registry));
        let outer = Arc::clone(&delegation.host);
        let cut = outer.cut_specialist(&context.call_id).await;
        let (call, output) = (context.call_id.clone(), Arc::clone(&context.output));
        let host = SpecialistHost::new(outer, call, output, call_chain, chat);
        let cut = match cut {
            Some(cut) => Some(host.take_up(cut).ok_or_else(|| ToolFailure::new(ErrorType::System, UNREAD))?),
            None => None,
        };
        let message = UserMessage {
            id: context.call_id.to_string(),
            text: AgentDefinition::message(arguments),
            ..UserMessage::default()
        };
        let cancellation = context.cancellation.child_token();
        let working = agent.run(vec![message], cut, &manager, &host, &cancellation);
        let ended = self.in_time(&host, &cancellation, working).await;
        Ok(ended.map_or_else(|usage| ToolResult { usage, ..self.too_late().into() }, |end| self.told(end)))
    }

    fn toolbox(&self) -> Toolbox {
        let all = self.registry.upgrade().unwrap_or_default();
        match self.toolboxes.upgrade() {
            Some(toolboxes) => toolboxes.of(&all, &self.definition),
            None => Toolbox::at_the_end(&all, &self.definition),
        }
    }

    /// Waits for the work; the clock stands still while the user is asked. When the time is over, what runs is ended,
    /// and what it has cost is the error.
    async fn in_time(
        &self,
        host: &SpecialistHost,
        cancellation: &CancellationToken,
        work: impl Future<Output = TurnEnd>,
    ) -> Result<TurnEnd, Option<Usage>> {
        let (began, limit) = (Instant::now(), Duration::from_secs(self.definition.timeout_secs));
        let mut work = std::pin::pin!(work);
        loop {
            let worked = began.elapsed().saturating_sub(host.waited());
            if worked >= limit {
                break;
            }
            tokio::select! {
                done = &mut work => return Ok(done),
                () = tokio::time::sleep((limit - worked).max(Duration::from_millis(50))) => {}
            }
        }
        cancellation.cancel();
        Err(tokio::time::timeout(GRACE, work).await.ok().and_then(|end| end.usage))
    }

    fn too_late(&self) -> ToolFailure {
        let message = format!("took longer than its limit of {} s", self.definition.timeout_secs);
        ToolFailure::new(ErrorType::Timeout, message)
            .suggesting("Ask for less at once, or give the agent a larger timeoutSecs.")
    }

    fn told(&self, TurnEnd { message: end, usage, .. }: TurnEnd) -> ToolResult {
        let result = match end {
            ServerMessage::AgentResponse { text, complete: true, tools_used, .. } => {
                let value = match &self.definition.output {
                    Some(_) => answer(&text),
                    None => ArtifactValue::Text(text),
                };
                ToolResult::success(value).with_field("tools_used", tools_used.join(", "))
            }
            ServerMessage::AgentResponse { text, .. } => ToolResult::failure(ErrorType::User, text),
            ServerMessage::AgentError { text, suggestions, .. } => {
                let suggestion = suggestions.into_iter().next();
                ToolFailure { suggestion, ..ToolFailure::new(ErrorType::System, text) }.into()
            }
            _ => ToolResult::failure(ErrorType::System, "it did not say how it ended"),
        };
        ToolResult { usage, ..result }
    }
}

#[async_trait]
impl Tool for Delegate {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// What its tools can do now, which may be more than when it was registered.
    fn risk(&self, _arguments: &Map<String, Value>) -> Risk {
        self.toolbox().reach.risk
    }

    fn repeatable(&self) -> bool {
        self.toolbox().reach.repeatable
    }

    fn title(&self, _arguments: &Map<String, Value>) -> Option<String> {
        Some(self.definition.name.clone())
    }

    fn preview(&self, result: &ToolResult, max_lines: usize) -> Vec<String> {
        match &result.value {
            Some(ArtifactValue::Text(text)) => preview_lines(text, max_lines),
            Some(value) => preview_lines(&value.to_json().to_string(), max_lines),
            None => Vec::new(),
        }
    }

    async fn execute(&self, context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        self.delegate(context, arguments).await.into()
    }
}

/// An answer that should be JSON: as it is, or the fenced block in it. Other text stays text, which the manager marks
/// as not fitting the schema.
fn answer(text: &str) -> ArtifactValue {
    let fenced = text.split("```").nth(1).map(|block| block.strip_prefix("json").unwrap_or(block));
    let found = [Some(text), fenced].into_iter().flatten().find_map(|text| serde_json::from_str(text.trim()).ok());
    found.map_or_else(|| ArtifactValue::Text(text.to_owned()), ArtifactValue::Json)
}
