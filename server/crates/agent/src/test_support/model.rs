//! A language model that says what a test has written down, and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::Value;
use switchboard_protocol::{ReasonerInfo, ReasonerKind, Usage};

use crate::{ByModel, Reasoner, Reasoning};
use switchboard_events::ToolCall;
use switchboard_llm::{FinishReason, LlmClient, LlmError, LlmReply, LlmRequest, ModelInfo, TextSink, UnreadableCall};

/// The model.
pub struct ScriptedModel {
    info: ModelInfo,
    script: Mutex<VecDeque<Result<LlmReply, LlmError>>>,
    asked: Mutex<Vec<LlmRequest>>,
}

impl ScriptedModel {
    /// One that gives these answers, one after the other.
    pub fn of(script: impl IntoIterator<Item = Result<LlmReply, LlmError>>) -> Arc<Self> {
        let info = ModelInfo {
            provider: "test".to_owned(),
            name: "scripted".to_owned(),
            context_tokens: Some(8192),
            supports_tools: true,
            sees_pictures: true,
            searches_web: false,
        };
        Arc::new(Self { info, script: Mutex::new(script.into_iter().collect()), asked: Mutex::default() })
    }

    /// What it was asked.
    pub fn asked(&self) -> Vec<LlmRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where the agent finds it.
    pub fn reasoner(self: &Arc<Self>, kind: ReasonerKind) -> Arc<ByModel> {
        let model = Arc::clone(self);
        let current = Box::new(move || Some(Arc::clone(&model) as _));
        Arc::new(ByModel::new(Some(kind), current, Arc::new(|_| false), Arc::new(NoOther)))
    }
}

/// This text.
pub fn says(text: &str) -> Result<LlmReply, LlmError> {
    Ok(LlmReply {
        text: text.to_owned(),
        tool_calls: Vec::new(),
        unreadable_calls: Vec::new(),
        sources: Vec::new(),
        usage: Some(Usage { input_tokens: 10, output_tokens: 5 }),
        finish: FinishReason::Stop,
    })
}

/// This text, ended so.
pub fn ends(text: &str, finish: FinishReason) -> Result<LlmReply, LlmError> {
    says(text).map(|reply| LlmReply { finish, ..reply })
}

/// These calls, `(id, tool, arguments)`.
pub fn calls(calls: &[(&str, &str, Value)]) -> Result<LlmReply, LlmError> {
    let call = |(id, name, arguments): &(&str, &str, Value)| ToolCall {
        id: (*id).into(),
        name: (*name).to_owned(),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
    };
    says("").map(|reply| LlmReply {
        tool_calls: calls.iter().map(call).collect(),
        finish: FinishReason::ToolCalls,
        ..reply
    })
}

/// A call whose arguments cannot be read.
pub fn garbled(id: &str, tool: &str) -> Result<LlmReply, LlmError> {
    let call = UnreadableCall {
        id: id.to_owned(),
        name: tool.to_owned(),
        arguments: "{\"path\":".to_owned(),
        problem: "no JSON object: EOF at column 8".to_owned(),
    };
    says("").map(|reply| LlmReply { unreadable_calls: vec![call], finish: FinishReason::ToolCalls, ..reply })
}

#[async_trait]
impl LlmClient for ScriptedModel {
    fn model(&self) -> &ModelInfo {
        &self.info
    }

    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, LlmError> {
        self.stream(request, &mut ()).await
    }

    async fn stream(&self, request: &LlmRequest, sink: &mut (dyn TextSink + Send)) -> Result<LlmReply, LlmError> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let next = self.script.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let reply = next.expect("the script has an answer")?;
        let letters: Vec<char> = reply.text.chars().collect();
        for piece in letters.chunks(3) {
            sink.text(&piece.iter().collect::<String>());
            tokio::task::yield_now().await;
        }
        Ok(reply)
    }
}

/// Nobody decides but the model.
struct NoOther;

impl Reasoner for NoOther {
    fn info(&self) -> ReasonerInfo {
        unreachable!("there is always a model")
    }

    fn begin_turn(&self) -> Reasoning {
        unreachable!("there is always a model")
    }
}
