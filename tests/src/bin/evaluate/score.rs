//! What a prediction is worth, by the rules of the scorer that comes with the data (`score.py`).

use serde_json::Value;

use crate::equal::calls_fit;
use crate::folder::{Query, Tools};

/// How many ranked tools count for the mean reciprocal rank.
const RANKS: usize = 10;

/// A figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// The share of the wanted tools that stand first.
    First,
    /// The share of them among the first five.
    Five,
    /// One divided by the place of the first wanted one.
    Reciprocal,
    /// The right tool, and no other, was settled on.
    Selection,
    /// The arguments are exactly right.
    Arguments,
    /// None was settled on where none fits.
    Irrelevance,
    /// One was settled on where one is due.
    Need,
}

/// What the prediction for a query is worth, from 0 to 1, in all figures that the query measures.
pub(crate) fn score(query: &Query, prediction: &Value, tools: &Tools) -> Vec<(Measure, f64)> {
    let group = |id: &str| tools.group(id).to_owned();
    let gold = gold_of(query, &group);
    let calls = calls_of(prediction);
    let mut figures = Vec::new();
    if !gold.is_empty() {
        figures.extend(ranking(&gold, prediction, &group));
    }
    let chosen = |yes: bool| f64::from(u8::from(yes));
    match query.needs_tool {
        true => figures.push((Measure::Need, chosen(!calls.is_empty()))),
        false => figures.push((Measure::Irrelevance, chosen(calls.is_empty()))),
    }
    if let [wanted] = gold.as_slice() {
        let right = |(tool, _): &(Option<&str>, Value)| tool.is_some_and(|tool| wanted.contains(&group(tool)));
        figures.push((Measure::Selection, chosen(!calls.is_empty() && calls.iter().all(right))));
    }
    if !query.args.is_empty() {
        let fit = calls_fit(&calls, &query.args, &group, query.source == "bfcl");
        figures.push((Measure::Arguments, chosen(fit)));
    }
    figures
}

/// The wanted tools, each with those that count as it, by group.
fn gold_of(query: &Query, group: &dyn Fn(&str) -> String) -> Vec<Vec<String>> {
    let mut gold: Vec<Vec<String>> = Vec::new();
    for id in &query.gold {
        let others = query.alternatives.get(id).into_iter().flatten();
        let mut same: Vec<String> = std::iter::once(id).chain(others).map(|id| group(id)).collect();
        same.sort();
        same.dedup();
        if !gold.contains(&same) {
            gold.push(same);
        }
    }
    gold
}

fn ranking(gold: &[Vec<String>], prediction: &Value, group: &dyn Fn(&str) -> String) -> [(Measure, f64); 3] {
    let mut top: Vec<String> = Vec::new();
    for id in prediction["ranked"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let group = group(id);
        if top.len() < RANKS && !top.contains(&group) {
            top.push(group);
        }
    }
    let found = |most: usize| {
        let near = &top[..most.min(top.len())];
        share(gold.iter().filter(|wanted| wanted.iter().any(|group| near.contains(group))).count(), gold.len())
    };
    let first = top.iter().position(|group| gold.iter().any(|wanted| wanted.contains(group)));
    let reciprocal = first.map_or(0.0, |place| share(1, place + 1));
    [(Measure::First, found(1)), (Measure::Five, found(5)), (Measure::Reciprocal, reciprocal)]
}

#[expect(clippy::cast_precision_loss, reason = "a few tools")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// The calls that were made, or the one tool that was settled on.
fn calls_of(prediction: &Value) -> Vec<(Option<&str>, Value)> {
    let empty = || Value::Object(serde_json::Map::new());
    let arguments = |of: &Value| of.get("arguments").cloned().unwrap_or_else(empty);
    match &prediction["calls"] {
        Value::Array(calls) => calls.iter().map(|call| (call["tool"].as_str(), arguments(call))).collect(),
        _ => match prediction["selected"].as_str() {
            Some(tool) => vec![(Some(tool), arguments(prediction))],
            None => Vec::new(),
        },
    }
}
