//! What the manager adds to a call of a tool that does nothing, beside a task that does nothing.
//!
//! `cargo bench -p switchboard-tools --bench manager [-- CALLS]`. The session is one in memory that keeps no events, so
//! what is measured is lookup, references, validation, repeats, rules, files, the two events and the result. No
//! sandbox, no disk.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_accounts::Principal;
use switchboard_context::ContextManager;
use switchboard_events::{
    ArtifactValue, FileHistory, FileImage, MemoryLog, NewEvent, Receipt, RecordError, Recorder, Values,
};
use switchboard_protocol::{CallId, Decision, MessageId, Risk, ServerMessage, SessionId, ToolDefinition};
use switchboard_runtime::Shutdown;
use switchboard_tools::{
    Approval, ApprovalAsk, ApproveMode, CallHost, Effect, Invocation, Policy, QueryAnswer, QueryAsk, Rule, RuleSet,
    RuleSource, Tool, ToolContext, ToolManager, ToolManagerConfig, ToolRegistry, ToolResult, ToolSpec,
};
use switchboard_workspace::Workspace;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

fn main() {
    let calls = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(20_000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let task = measured(calls, async |_| {
            let mut tasks = JoinSet::new();
            tasks.spawn(async {});
            tasks.join_next().await;
        })
        .await;
        println!("| what | figure | beside |");
        println!("|---|---|---|");
        for (name, rules, size) in
            [("no rules", 0, 100), ("100 rules", 100, 100), ("arguments of 64 KiB, no rules", 0, 64 * 1024)]
        {
            let manager = TestManager::new(rules);
            let ours = measured(calls, async |number| manager.call(number, size).await).await;
            println!(
                "| manager around a no-op tool, {name} | p50 {} µs, p99 {} µs | a task that does nothing: p50 {} µs |",
                micros(&ours, 0.5),
                micros(&ours, 0.99),
                micros(&task, 0.5)
            );
        }
    });
}

async fn measured(calls: u64, call: impl AsyncFn(u64)) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..calls + calls / 10 {
        let began = Instant::now();
        call(number).await;
        times.push(began.elapsed());
    }
    // The first tenth warms up.
    let mut times = times.split_off(usize::try_from(calls / 10).expect("a count"));
    times.sort();
    times
}

fn micros(times: &[Duration], part: f64) -> String {
    let at = ((times.len() as f64 - 1.0) * part) as usize;
    format!("{:.1}", times[at].as_secs_f64() * 1e6)
}

struct TestManager {
    manager: ToolManager,
    host: Host,
    context: ContextManager,
    turn: MessageId,
    _folder: tempfile::TempDir,
}

impl TestManager {
    fn new(rules: usize) -> Self {
        let registry = Arc::new(ToolRegistry::new());
        registry.insert(Arc::new(NoOp(spec()))).expect("a tool");
        let folder = tempfile::tempdir().expect("a folder");
        let rule = |number: usize| {
            let text = format!("no_op(text=never {number} *)");
            Rule::parse(Effect::Ask, &text, RuleSource::Session).expect("a rule")
        };
        let manager = ToolManager::new(ToolManagerConfig {
            registry,
            policy: Arc::new(Policy::with_rules(ApproveMode::Auto, RuleSet::new((0..rules).map(rule).collect()))),
            workspace: Arc::new(Workspace::open(folder.path(), &[]).expect("a workspace")),
            principal: Principal::local(),
            shutdown: Shutdown::new(),
            checkpoints: None,
        });
        let host = Host(Values::new(Arc::new(MemoryLog::new()), SessionId::random()));
        Self { manager, host, context: ContextManager::default(), turn: "m1".to_owned(), _folder: folder }
    }

    async fn call(&self, number: u64, size: usize) {
        let arguments = json!({"text": "x".repeat(size), "number": number});
        let Value::Object(arguments) = arguments else { unreachable!() };
        let invocation = Invocation {
            call_id: CallId::random(),
            parent: None,
            turn_id: Some(&self.turn),
            tool: "no_op",
            within: None,
            reply: None,
            arguments,
            output: None,
            request: "do nothing",
            by_user: false,
            answered: None,
            sees_pictures: false,
            context: &self.context,
            cancellation: CancellationToken::new(),
        };
        let outcome = self.manager.call(invocation, &self.host).await.expect("recorded");
        assert!(outcome.started && outcome.result.is_success());
        black_box(outcome);
        self.manager.clear_current_turn();
    }
}

fn spec() -> ToolSpec {
    ToolSpec::new(ToolDefinition {
        name: "no_op".to_owned(),
        description: "Does nothing.".to_owned(),
        module: "tests".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"text": {"type": "string"}, "number": {"type": "integer"}},
            "required": ["text", "number"],
            "additionalProperties": false,
        }),
        output: None,
        example: json!({"text": "", "number": 1}),
        risk: Risk::Read,
        examples: Vec::new(),
    })
}

struct NoOp(ToolSpec);

#[async_trait]
impl Tool for NoOp {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn preview(&self, _result: &ToolResult, _max_lines: usize) -> Vec<String> {
        Vec::new()
    }

    async fn execute(&self, _context: &ToolContext, _arguments: &Map<String, Value>) -> ToolResult {
        ToolResult::success(ArtifactValue::Json(Value::Null))
    }
}

/// A session that forgets everything at once.
struct Host(Values);

#[async_trait]
impl Recorder for Host {
    async fn record(&self, event: NewEvent, _urgent: bool) -> Result<Receipt, RecordError> {
        black_box(event);
        let (sender, receiver) = oneshot::channel();
        let _ = sender.send(Ok(()));
        Ok(Receipt::new(receiver))
    }

    async fn transient(&self, message: ServerMessage) {
        black_box(message);
    }
}

#[async_trait]
impl CallHost for Host {
    fn values(&self) -> &Values {
        &self.0
    }

    async fn context(&self) -> Result<ContextManager, RecordError> {
        Ok(ContextManager::default())
    }

    async fn ask_approval(&self, _ask: ApprovalAsk) -> Approval {
        Approval { decision: Decision::Deny, arguments: None, reason: None }
    }

    async fn ask_query(&self, _ask: QueryAsk) -> QueryAnswer {
        unreachable!("the tool asks nothing")
    }

    async fn file_history(&self) -> Result<FileHistory, RecordError> {
        Ok(FileHistory::default())
    }

    async fn file_images(&self, _started: u64) -> Result<Vec<FileImage>, RecordError> {
        Ok(Vec::new())
    }
}
