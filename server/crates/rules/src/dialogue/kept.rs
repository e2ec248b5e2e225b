//! What the dialogue keeps in mind in the middle of a turn, as it is written to the log and read back after a restart. What a
//! message means was found in the workspace as it was then; it is not looked for again in one that has changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::Call;
use super::foreign::Foreign;
use super::meaning::Meaning;
use super::plan::Plan;
use super::running::Running;
use super::tabular::Heard;
use super::turn::RulesTurn;
use crate::ops::Stepped;
use switchboard_agent::{PlanAsk, Reply, TurnContext, TurnView};
use switchboard_context::Entry;
use switchboard_events::ArtifactValue;

/// A larger value of a variable is not written a second time.
const MAX_WRITTEN_BYTES: u64 = 1024;

/// A value that no variable holds is written up to this size.
const MAX_ALONE_BYTES: usize = 64 * 1024;

/// What is written. The name says whose it is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kept {
    Rules(Box<Middle>),
}

/// The fields of [`RulesTurn`] that cannot be found again.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Middle {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    queue: Vec<Meaning>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    running: Option<KeptRunning>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    otherwise: Option<Vec<Meaning>>,
    looked_up: bool,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    foreign: Option<Foreign>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<Call>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sections: Vec<Reply>,
    seen: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asks: Option<PlanAsk>,
}

/// A plan that is carried out, with what it came to.
#[derive(Serialize, Deserialize)]
struct KeptRunning {
    plan: Plan,
    at: usize,
    steps: Vec<KeptStep>,
    named: Option<String>,
    used: Vec<String>,
}

/// A step that was done, and where its value is.
#[derive(Serialize, Deserialize)]
struct KeptStep {
    step: Stepped,
    value: Held,
}

/// Where a value is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Held {
    /// There is none.
    Nothing,
    Text(String),
    Json(Value),
    /// In this version of a variable.
    In {
        name: String,
        version: u32,
    },
}

impl RulesTurn {
    /// What a turn goes on from; nothing if it holds too much that is nowhere else.
    pub(super) fn written(&self, scene: &TurnContext<'_>) -> Option<Value> {
        let running = match &self.running {
            Some(running) => Some(KeptRunning::of(running, scene)?),
            None => None,
        };
        let middle = Middle {
            queue: self.queue.iter().map(Meaning::as_written).collect(),
            running,
            otherwise: self.otherwise.as_ref().map(|all| all.iter().map(Meaning::as_written).collect()),
            looked_up: self.looked_up,
            message: self.message.clone(),
            foreign: self.foreign.clone(),
            call: self.call.clone(),
            before: self.before.clone(),
            shown: self.shown.clone(),
            sections: self.sections.clone(),
            seen: self.seen,
            asks: self.asks.clone(),
        };
        serde_json::to_value(Kept::Rules(Box::new(middle))).ok()
    }

    /// Goes on from what was written; nothing if another reasoner wrote it, or a value of it is gone.
    pub(super) async fn read(&mut self, written: Value, scene: &TurnContext<'_>) -> Option<()> {
        let Kept::Rules(middle) = Kept::deserialize(written).ok()?;
        self.running = match middle.running {
            Some(running) => Some(running.restored(scene).await?),
            None => None,
        };
        let view = before_the_turn(scene);
        let names = std::sync::Arc::clone(&self.names);
        let scene = TurnContext { view: &view, ..*scene };
        let (_, replies, mut earlier) = self.look_around(&scene, names.as_ref(), scene.messages.len()).await;
        let seen = scene.messages.len().min(middle.seen);
        earlier.extend(scene.messages.iter().take(seen).map(|message| message.text.clone()));
        self.typed = earlier.pop().unwrap_or_default();
        self.earlier = Heard::all(&earlier, &replies, seen.saturating_sub(1));
        self.queue = middle.queue.into();
        self.otherwise = middle.otherwise;
        self.looked_up = middle.looked_up;
        self.message = middle.message;
        self.foreign = middle.foreign;
        self.call = middle.call;
        self.before = middle.before;
        self.shown = middle.shown;
        self.sections = middle.sections;
        self.seen = middle.seen;
        self.asks = middle.asks;
        Some(())
    }
}

/// The session as it was when the message came.
fn before_the_turn(scene: &TurnContext<'_>) -> TurnView {
    let is_own = |call: &switchboard_protocol::CallId| scene.attempts.iter().any(|attempt| attempt.call_id == *call);
    let operations = scene.view.operations.iter().filter(|operation| !is_own(&operation.call_id)).cloned().collect();
    TurnView { operations, ..scene.view.clone() }
}

impl KeptRunning {
    fn of(running: &Running, scene: &TurnContext<'_>) -> Option<Self> {
        let steps = running.steps.iter().map(|step| Some(KeptStep { step: step.clone(), value: held(step, scene)? }));
        Some(Self {
            plan: running.plan.clone(),
            at: running.at,
            steps: steps.collect::<Option<_>>()?,
            named: running.named.clone(),
            used: running.used.lock().map_or_else(|_| Vec::new(), |used| used.iter().cloned().collect()),
        })
    }

    async fn restored(self, scene: &TurnContext<'_>) -> Option<Running> {
        let Self { plan, at, steps: kept, named, used } = self;
        let mut steps = Vec::with_capacity(kept.len());
        for KeptStep { step, value } in kept {
            steps.push(Stepped { value: value.loaded(scene).await?, ..step });
        }
        Some(Running {
            plan,
            at,
            steps,
            named,
            used: std::sync::Mutex::new(used.into_iter().collect()),
            decided: false,
        })
    }
}

/// Where a step's value is from now on; nothing if that is nowhere.
fn held(step: &Stepped, scene: &TurnContext<'_>) -> Option<Held> {
    let Some(value) = &step.value else { return Some(Held::Nothing) };
    let name = step.variable.as_ref();
    // A value that was there may be a part of what its name holds.
    let holds = |entry: &&Entry| step.call.is_some() && entry.variable.origin.call_id == step.call;
    let entry = name.and_then(|name| scene.view.context.get(name)).filter(holds);
    let is_bytes = matches!(value, ArtifactValue::Bytes(_));
    if let Some(entry) = entry.filter(|entry| is_bytes || entry.variable.bytes > MAX_WRITTEN_BYTES) {
        return Some(Held::In { name: entry.variable.name.clone(), version: entry.variable.version });
    }
    match value {
        ArtifactValue::Text(text) if text.len() <= MAX_ALONE_BYTES => Some(Held::Text(text.clone())),
        ArtifactValue::Json(json) if serde_json::to_string(json).ok()?.len() <= MAX_ALONE_BYTES => {
            Some(Held::Json(json.clone()))
        }
        _ => None,
    }
}

impl Held {
    /// The value, or none where there was none; nothing if the variable is gone.
    async fn loaded(self, scene: &TurnContext<'_>) -> Option<Option<ArtifactValue>> {
        Some(match self {
            Self::Nothing => None,
            Self::Text(text) => Some(ArtifactValue::Text(text)),
            Self::Json(json) => Some(ArtifactValue::Json(json)),
            Self::In { name, version } => {
                let context = &scene.view.context;
                let entry = context.get(&name)?;
                let stored = match entry.variable.version == version {
                    true => &entry.value,
                    false => &entry.earlier.iter().find(|earlier| earlier.variable.version == version)?.value,
                };
                let value = scene.values.load(stored).await.ok()?;
                Some(ArtifactValue::clone(&value))
            }
        })
    }
}

impl Meaning {
    /// As it is written: of what lacks something, only the question is asked.
    fn as_written(&self) -> Self {
        match self {
            Self::Lacks(lacks) => Self::Stop(lacks.question.clone()),
            Self::Tables { plan, otherwise } => {
                Self::Tables { plan: plan.clone(), otherwise: otherwise.iter().map(Self::as_written).collect() }
            }
            other => other.clone(),
        }
    }
}
