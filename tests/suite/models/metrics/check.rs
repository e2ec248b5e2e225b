//! Whether an exchange came out right: what was said, what ran, what is there afterwards, and what the user was told of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use switchboard_tests::Turn;

use super::case::{End, Exchange};
use super::play::texts;

/// A call of the turn that is no specialist's.
struct Ran<'a> {
    tool: &'a str,
    worked: bool,
    started: bool,
    start: Option<&'a Value>,
}

fn ran(turn: &Turn) -> Vec<Ran<'_>> {
    let starts = turn.all("tool-call-start");
    let start_of = |end: &Value| starts.iter().find(|start| start["callId"] == end["callId"]).copied();
    let ends = turn.all("tool-call-end").into_iter().map(|end| Ran {
        tool: end["tool"].as_str().unwrap_or_default(),
        worked: end["success"] == true,
        started: end["started"] == true,
        start: start_of(end),
    });
    ends.filter(|ran| ran.start.is_none_or(|start| start["parentCallId"].is_null())).collect()
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

/// What the case wants.
///
/// # Errors
/// What is not so.
pub(super) fn outcome(exchange: &Exchange, turn: &Turn, variables: &[String], folder: &Path) -> Result<(), String> {
    let ran = ran(turn);
    let names: Vec<&str> = ran.iter().map(|ran| ran.tool).collect();
    ended(exchange.ends, turn)?;
    says(&exchange.says, turn.text())?;
    let worked: Vec<&str> = ran.iter().filter(|ran| ran.worked).map(|ran| ran.tool).collect();
    let mut rest = worked.iter();
    let in_order = exchange.used.iter().all(|tool| rest.any(|ran| ran == tool));
    ensure(in_order, || format!("{:?} are not among the tools that worked: {worked:?}", exchange.used))?;
    for tool in &exchange.failed {
        ensure(ran.iter().any(|ran| ran.tool == tool && !ran.worked), || format!("{tool} did not fail: {names:?}"))?;
    }
    for tool in &exchange.avoids {
        let starts = ran.iter().filter(|ran| ran.started).any(|ran| ran.tool == tool);
        ensure(!starts, || format!("{tool} ran: {names:?}"))?;
    }
    ensure(exchange.calls.is_none_or(|most| names.len() <= most), || format!("there were the calls {names:?}"))?;
    refers(exchange, &ran)?;
    for name in &exchange.stored {
        ensure(variables.contains(name), || format!("there is no @{name}, only {variables:?}"))?;
    }
    files(exchange, folder)
}

fn ended(ends: End, turn: &Turn) -> Result<(), String> {
    let complete = turn.end["type"] == "agent-response" && turn.end["complete"] == true;
    match ends {
        End::Answered => ensure(complete, || format!("it ended as {} ({})", turn.end["type"], turn.end["code"])),
        End::Failed => ensure(!complete, || "it ended as if all were done".to_owned()),
        // What a model, or the server, could not do is no failure of a tool.
        End::Any => {
            ensure(!matches!(turn.end["code"].as_str(), Some("internal" | "model-failed" | "max-iterations")), || {
                format!("it ended as {}", turn.end["code"])
            })
        }
    }
}

fn says(wanted: &[String], said: &str) -> Result<(), String> {
    let said = said.to_lowercase();
    let has = |part: &String| part.to_lowercase().split('|').any(|one| said.contains(one));
    match wanted.iter().find(|part| !has(part)) {
        Some(part) => Err(format!("it does not say {part:?}")),
        None => Ok(()),
    }
}

fn refers(exchange: &Exchange, ran: &[Ran<'_>]) -> Result<(), String> {
    let starts: Vec<&Value> = ran.iter().filter_map(|ran| ran.start).collect();
    let references: Vec<&str> = starts
        .iter()
        .filter_map(|start| start["references"].as_object())
        .flat_map(|all| all.values())
        .filter_map(Value::as_str)
        .collect();
    for reference in &exchange.refers {
        ensure(references.contains(&reference.as_str()), || format!("no call refers to {reference}: {references:?}"))?;
    }
    for text in &exchange.resolved {
        let resolved = starts.iter().any(|start| start["arguments"].to_string().contains(text.as_str()));
        ensure(resolved, || format!("{text:?} is in no arguments: {starts:?}"))?;
    }
    Ok(())
}

fn files(exchange: &Exchange, folder: &Path) -> Result<(), String> {
    let read = |path: &String| fs::read_to_string(folder.join(path)).map_err(|error| format!("{path}: {error}"));
    let compare = |wanted: &BTreeMap<String, String>, fits: fn(&str, &str) -> bool| {
        wanted.iter().try_for_each(|(path, wanted)| {
            let text = read(path)?;
            ensure(fits(&text, wanted), || format!("{path} holds {text:?} and not {wanted:?}"))
        })
    };
    compare(&exchange.files, |text, part| text.contains(part))?;
    compare(&exchange.exactly, |text, wanted| text.trim_end() == wanted.trim_end())?;
    for (path, other) in &exchange.same {
        ensure(read(path)? == read(other)?, || format!("{path} is not the same as {other}"))?;
    }
    let there = exchange.missing.iter().find(|path| folder.join(path).exists());
    there.map_or(Ok(()), |path| Err(format!("{path} is there")))
}

/// That the turn says what was used and why.
///
/// # Errors
/// What it does not say.
pub(super) fn told(turn: &Turn) -> Result<(), String> {
    let ran = ran(turn);
    let mut tools: Vec<&str> = Vec::new();
    for Ran { tool, .. } in ran.iter().filter(|ran| ran.started) {
        if !tools.contains(tool) {
            tools.push(tool);
        }
    }
    let end = &turn.end;
    if end["type"] == "agent-error" {
        ensure(texts(end, "attemptedTools") == tools, || format!("{} were tried, told is {end}", tools.join(", ")))?;
        ensure(!texts(end, "suggestions").is_empty(), || "it suggests nothing".to_owned())?;
        ensure(end["error"].as_str().is_some_and(|error| !error.is_empty()), || "it names no error".to_owned())?;
    } else {
        ensure(texts(end, "toolsUsed") == tools, || format!("{} were used, told is {end}", tools.join(", ")))?;
        let started = ran.iter().filter(|ran| ran.started).count();
        ensure(end["operationCount"] == started, || format!("{started} calls, told is {}", end["operationCount"]))?;
        ensure(end["reasoning"].as_str().is_some_and(|why| !why.is_empty()), || "it does not say why".to_owned())?;
        let set: Vec<&str> = turn.all("context-update").into_iter().flat_map(set_by_calls).collect();
        let told = texts(end, "contextUpdated");
        ensure(set.iter().all(|name| told.contains(name)), || format!("{set:?} are set, told is {told:?}"))?;
    }
    steps(turn, &tools)
}

fn set_by_calls(update: &Value) -> Vec<&str> {
    let set = update["set"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fresh = set.iter().filter(|variable| variable["stale"] != true);
    fresh.filter_map(|variable| variable["name"].as_str()).filter(|name| !name.ends_with("_error")).collect()
}

fn steps(turn: &Turn, tools: &[&str]) -> Result<(), String> {
    let thinking = turn.all("agent-thinking");
    let of = |step: &str| thinking.iter().filter(|frame| frame["step"] == step).copied().collect::<Vec<_>>();
    let silent = thinking.iter().find(|frame| frame["message"].as_str().is_none_or(str::is_empty));
    ensure(silent.is_none(), || format!("a step says nothing: {silent:?}"))?;
    let needs = of("analyzing").iter().find_map(|frame| frame["needsTools"].as_bool());
    ensure(needs.is_some(), || "whether tools are needed is not told".to_owned())?;
    if tools.is_empty() {
        return Ok(());
    }
    ensure(needs == Some(true), || "tools ran, though none was needed".to_owned())?;
    ensure(of("searching").iter().any(|frame| frame["foundTools"].is_u64()), || "the search is not told".to_owned())?;
    let candidates: Vec<&Value> =
        of("selecting").iter().flat_map(|frame| frame["candidates"].as_array().into_iter().flatten()).collect();
    let confident =
        |one: &&Value| one["confidence"].as_f64().is_some_and(|confidence| (0.0..=1.0).contains(&confidence));
    ensure(!candidates.is_empty() && candidates.iter().all(confident), || {
        format!("the candidates are {candidates:?}")
    })?;
    let shown: String = of("selecting").iter().chain(&of("executing")).map(ToString::to_string).collect();
    let untold = tools.iter().find(|tool| !shown.contains(**tool));
    untold.map_or(Ok(()), |tool| Err(format!("no step says that {tool} is used")))
}
