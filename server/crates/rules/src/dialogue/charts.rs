//! Requests for charts: questions to tables whose answer is drawn. What is asked of the tables and what it is drawn as are values
//! of the intent; what of the answer is drawn the tables tell.

use jiff::Zoned;
use serde_json::{Map, Value};
use switchboard_nlu::{Candidate, Clause, Engine, Paths, Step, World};
use switchboard_tables::{Answer, Axes};

use super::plan::{Plan, filled_text, literally};
use super::tabular::{self, Heard};
use super::thresholds::{EXACT, Trust};
use crate::ops::{Done, Stepped, counted};

/// The step that draws, as intents name it.
const STEP: &str = "chart";

/// The values of a plan that say what is drawn: as what, and what is asked.
pub(super) const KIND: &str = "chart";
pub(super) const ASKS: &str = "asks";

/// The answer that is drawn, as it is told.
pub(super) const DRAWN: &str = "drawn";

/// What is drawn as lines over time, else as bars.
const AUTO: &str = "auto";

/// More rows than these are not drawn.
const MAX_ROWS: usize = 5_000;

/// What is asked of the tables if that is not the request as it stands; empty: what was asked before.
fn question(plan: &Plan) -> Option<String> {
    plan.values.get(ASKS)?.as_str().map(str::to_owned)
}

/// A plan that asks tables, with what this one says of a chart.
pub(super) fn drawn_too(mut asking: Plan, plan: &Plan) -> Plan {
    let Some(asks) = question(plan).and_then(|asks| filled_text(&asks, &plan.values)) else { return asking };
    asking.values.insert(ASKS.to_owned(), asks.trim().into());
    asking.values.extend(plan.values.get(KIND).map(|kind| (KIND.to_owned(), kind.clone())));
    asking.steps.extend(plan.steps.iter().filter(|step| is_step(step)).cloned());
    asking
}

/// Whether a plan draws what the tables answer.
pub(super) fn draws(plan: &Plan) -> bool {
    plan.steps.iter().any(is_step)
}

/// Whether a plan draws what was answered before.
pub(super) fn goes_on(plan: &Plan) -> bool {
    draws(plan) && question(plan).is_some_and(|question| question.is_empty())
}

/// Whether a clause asks for a chart in so many words.
pub(super) fn is_asked_for(clause: &Clause) -> bool {
    clause.candidates.iter().any(|one| one.score < EXACT && one.intent.steps.iter().any(is_step))
}

/// Whether a step draws.
pub(super) fn is_step(step: &Step) -> bool {
    step.edit.as_deref() == Some(STEP)
}

/// What drew the chart, and the answer that it shows.
pub(super) fn drawn<'s>(plan: &'s Plan, done: &'s [Stepped]) -> Option<(&'s Stepped, &'s str)> {
    let tool = plan.steps.last().filter(|step| is_step(step))?.tool.as_ref();
    let chart = done.last().filter(|last| tool == Some(&last.tool))?;
    Some((chart, plan.values.get(DRAWN)?.as_str()?))
}

/// What the tables answer to a plan that asks them, from what its steps have read.
pub(super) fn answered(plan: &Plan, done: &Done<'_>, earlier: &[Heard]) -> Result<Answer, String> {
    let question = question(plan).unwrap_or_else(|| plan.request.clone());
    let now = done.now;
    if !question.is_empty() {
        return tabular::answered(done, &Engine::shipped().spelled(&question), earlier, now);
    }
    let files: Vec<String> = done.texts()?.into_iter().map(|(path, _)| path).collect();
    let world = Files { paths: Paths::new(files, Vec::<String>::new()), now };
    let asked = |heard: &Heard| match asked_in(&heard.text, &world) {
        Some(text) => Heard { text, ..heard.clone() },
        None => heard.clone(),
    };
    let asked: Vec<Heard> = earlier.iter().map(asked).collect();
    tabular::answered(done, "", &asked, now)
}

/// What a request for a chart asks of the tables.
fn asked_in(text: &str, world: &Files<'_>) -> Option<String> {
    let reading = Engine::shipped().read(text, world);
    let [clause] = reading.clauses.as_slice() else { return None };
    let draws =
        |one: &&Candidate| one.intent.steps.iter().any(is_step) && Trust::of(one.score, one.intent.risk) == Trust::Act;
    let found = clause.candidates.iter().find(draws)?;
    let plan = Plan::of(&found.intent, found.slots.clone(), text);
    question(&plan).and_then(|asks| filled_text(&asks, &plan.values))
}

/// The files with tables, which is all that a request for a chart names.
struct Files<'n> {
    paths: Paths,
    now: &'n Zoned,
}

impl World for Files<'_> {
    fn paths(&self) -> &Paths {
        &self.paths
    }

    fn now(&self) -> Zoned {
        self.now.clone()
    }
}

/// What is said of the chart before the answer that it shows.
pub(super) fn told(chart: &Stepped) -> String {
    let kind = chart.arguments.get("type").and_then(Value::as_str).unwrap_or_default();
    let article = if kind.starts_with('a') { "an" } else { "a" };
    let kept = chart.variable.as_ref().map(|name| format!(", kept as `{name}`")).unwrap_or_default();
    format!("Drawn as {article} {kind} chart{kept}.")
}

/// What the chart's tool is called with.
pub(super) fn arguments(answer: &Answer, plan: &Plan) -> Result<Map<String, Value>, String> {
    let several = "A chart needs several figures and what tells them apart: say by what, such as \"plot the total amount \
                   by region\".";
    let Axes { x, y, series, over_time } = answer.axes().ok_or(several)?;
    if answer.rows.len() > MAX_ROWS {
        let rows = counted(answer.rows.len(), "row");
        return Err(format!("These are {rows}, more than a chart shows. Put them together first, such as by month."));
    }
    let text = |text: &str| literally(text.into());
    let kind = match plan.values.get(KIND).and_then(Value::as_str) {
        None | Some(AUTO) if over_time => "line",
        None | Some(AUTO) => "bar",
        Some(kind) => kind,
    };
    let mut arguments = Map::new();
    let mut give = |name: &str, value: Value| arguments.insert(name.to_owned(), value);
    give("data", literally(answer.records()));
    give("type", text(kind));
    give("x", text(&x));
    give("y", text(&y));
    if let Some(series) = series {
        give("series", text(&series));
    }
    Ok(arguments)
}
