//! Claims about what a model is asked in a conversation that is far longer than its window: every request is one that
//! providers take, and fits.

use proptest::prelude::*;
use serde_json::{Map, json};
use switchboard_protocol::{CallId, Risk, SessionId, ToolDefinition};

use super::*;
use crate::test_support::ScriptedModel;
use crate::{ReplyStream, TurnView, UserMessage};
use switchboard_conversation::{ChatConfig, Summary, ToolAwareChatEngine, extract, test_support};
use switchboard_events::{MemoryLog, Values};
use switchboard_search::Likeness;
use switchboard_tools::ToolRegistry;

/// The window of the model, in tokens.
const WINDOW: u64 = 8000;

/// What is said in a conversation.
#[derive(Debug, Clone)]
enum Said {
    /// A request, calls of tools side by side with results of so many bytes, and an answer.
    Turn { calls: usize, bytes: usize },
    /// The turn is canceled when so many of its calls have their result.
    Cancelled { calls: usize, answered: usize },
    /// The user says more while the calls run.
    Steered { calls: usize },
    /// A pasted text.
    Pasted(usize),
}

/// A session with a model, and how many messages of it are there.
struct Talk {
    engine: ToolAwareChatEngine,
    seq: u64,
    calls: usize,
    requests: usize,
}

impl Talk {
    fn new(summaries: bool) -> Self {
        let config =
            ChatConfig { context_tokens: Some(WINDOW), enable_summarization: summaries, ..ChatConfig::default() };
        Self { engine: ToolAwareChatEngine::new(Arc::new(config)), seq: 0, calls: 0, requests: 0 }
    }

    fn add(&mut self, message: ChatMessage) {
        self.seq += 1;
        self.engine.add_at(message, self.seq);
    }

    fn user(&mut self, text: &str) {
        self.add(ChatMessage::new(ChatRole::User, text));
        self.asks();
    }

    fn calls(&mut self, count: usize) -> Vec<CallId> {
        let ids: Vec<CallId> = (0..count).map(|number| format!("c{}", self.calls + number).as_str().into()).collect();
        self.calls += count;
        let arguments = Map::from_iter([("path".to_owned(), json!("notes.txt"))]);
        let call =
            |id: &CallId| ToolCall { id: id.clone(), name: "file_read".to_owned(), arguments: arguments.clone() };
        let message =
            ChatMessage { tool_calls: ids.iter().map(call).collect(), ..ChatMessage::new(ChatRole::Assistant, "") };
        self.add(message);
        ids
    }

    fn result(&mut self, id: &CallId, bytes: usize) {
        self.add(ChatMessage::result(
            id,
            format!("{}\n(stored as @value_{})", "some words of it\n".repeat(bytes / 17), id.0),
        ));
    }

    fn turn(&mut self, said: &Said) {
        match said {
            Said::Turn { calls, bytes } => {
                self.user(&format!("request {}", self.seq));
                if *calls > 0 {
                    for id in self.calls(*calls) {
                        self.result(&id, *bytes);
                    }
                    self.asks();
                }
                self.add(ChatMessage::new(ChatRole::Assistant, "It is done."));
            }
            Said::Cancelled { calls, answered } => {
                self.user(&format!("request {}", self.seq));
                for id in self.calls(*calls).iter().take(*answered) {
                    self.result(id, 100);
                }
                self.add(ChatMessage::new(ChatRole::Assistant, "This was cancelled."));
            }
            Said::Steered { calls } => {
                self.user(&format!("request {}", self.seq));
                let ids = self.calls(*calls);
                self.add(ChatMessage::new(ChatRole::User, "and be quick"));
                ids.iter().for_each(|id| self.result(id, 3000));
                self.asks();
                self.add(ChatMessage::new(ChatRole::Assistant, "It is done."));
            }
            Said::Pasted(bytes) => {
                self.user(&"a pasted text ".repeat(bytes / 14));
                self.add(ChatMessage::new(ChatRole::Assistant, "Read."));
            }
        }
        if let Some(overflow) = self.engine.overflow() {
            let (from_seq, to_seq) = (overflow.from_seq, overflow.to_seq);
            self.engine.summarized(Summary { text: extract(&overflow), from_seq, to_seq });
        }
    }

    /// What the model is asked now, checked as a provider would; and what it is asked if that was still too long.
    fn asks(&mut self) {
        self.requests += 1;
        let request = self.request();
        assert_valid(&request.messages);
        // What it is asked if that was still too long.
        assert_valid(&shortened(&request.messages));
        let reply = u64::from(request.max_tokens).min(WINDOW / 4);
        let size = tokens(&request);
        assert!(size + reply <= WINDOW, "{size} and {reply} for the reply");
        let heard = request.messages.iter().rev().find(|message| message.role == ChatRole::User);
        assert!(heard.is_some(), "the request that is being answered is in it");
    }

    fn request(&self) -> LlmRequest {
        let view = TurnView { conversation: self.engine.clone(), ..TurnView::default() };
        let values = Values::new(Arc::new(MemoryLog::new()), SessionId::random());
        let (registry, reply) = (ToolRegistry::new(), ReplyStream::default());
        let messages = [UserMessage { id: "m".to_owned(), text: "request".to_owned(), ..UserMessage::default() }];
        let context = TurnContext {
            declared: false,
            inside: false,
            messages: &messages,
            view: &view,
            values: &values,
            registry: &registry,
            attempts: &[],
            reply: &reply,
        };
        NativeTurn::new(ScriptedModel::of([]), Arc::new(|_| false)).request(&context, &offered())
    }
}

/// As many tools as a search finds.
fn offered() -> Vec<CandidateTool> {
    let tool = |number: usize| {
        CandidateTool {
        definition: ToolDefinition {
            name: format!("tool_{number}"),
            description: "Reads a file of the workspace and gives its text, or a part of it.".to_owned(),
            module: "files".to_owned(),
            parameters: json!({"type": "object", "properties": {"path": {"type": "string", "description": "The file"}}}),
            output: None,
            example: json!({"path": "notes.txt"}),
            risk: Risk::Read,
            examples: Vec::new(),
        }
        .into(),
        confidence: 0.5,
        likeness: Likeness::default(),
        reasons: Vec::new(),
        of_part: false,
    }
    };
    (0..10).map(tool).collect()
}

fn tokens(request: &LlmRequest) -> u64 {
    let messages: u64 = request
        .messages
        .iter()
        .map(|message| {
            let cost = |call: &ToolCall| 8 + estimate_tokens(&call.name) + json_tokens(&call.arguments);
            4 + estimate_tokens(message.content.text()) + message.tool_calls.iter().map(cost).sum::<u64>()
        })
        .sum();
    let told = estimate_tokens(&request.system) + estimate_tokens(&request.situation);
    told + json_tokens(&request.tools) + messages
}

fn json_tokens(json: &impl serde::Serialize) -> u64 {
    estimate_tokens(&serde_json::to_string(json).expect("JSON"))
}

/// What every provider asks of a request's messages.
fn assert_valid(messages: &[Arc<ChatMessage>]) {
    assert_eq!(messages.first().map(|first| first.role), Some(ChatRole::User), "a conversation begins with the user");
    test_support::assert_valid(messages);
}

#[test]
fn every_request_of_two_thousand_messages_with_large_results_is_valid_and_fits() {
    for summaries in [false, true] {
        let mut talk = Talk::new(summaries);
        for _ in 0..500 {
            talk.turn(&Said::Turn { calls: 1, bytes: 20_000 });
        }
        assert_eq!((talk.engine.len(), talk.calls, talk.requests), (2000, 500, 1000));
    }
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        6 => (0..6_usize, 0..25_000_usize).prop_map(|(calls, bytes)| Said::Turn { calls, bytes }),
        1 => (1..5_usize, 0..5_usize).prop_map(|(calls, answered)| Said::Cancelled { calls, answered }),
        1 => (1..4_usize).prop_map(|calls| Said::Steered { calls }),
        1 => (0..100_000_usize).prop_map(|bytes| Said::Pasted(bytes + 14)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_of_any_conversation_is_valid_and_fits(
        conversation in proptest::collection::vec(said(), 1..40),
        summaries in any::<bool>(),
    ) {
        let mut talk = Talk::new(summaries);
        conversation.iter().for_each(|said| talk.turn(said));
        prop_assert!(talk.requests >= conversation.len());
    }
}
