//! A model that is played and is honest: it makes the calls of its case one after the other, uses a variable only if it
//! was shown that variable, and gives its reply only if what the reply says stands in what it was given. So a fact that
//! Switchboard lost is missing in the reply.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked};

use super::case::{Exchange, Step};
use crate::models::{completes, goes_on, needs_none, needs_tools};

/// What it says when it was not given what it would have to know.
const LOST: &str = "I was not given what I would need to answer that.";

/// The model.
#[derive(Clone, Default)]
pub(super) struct HonestModel(Arc<Mutex<Part>>);

/// Its part in one exchange.
#[derive(Default)]
struct Part {
    exchange: Exchange,
    /// How many of the steps it has made.
    made: usize,
    has_searched: bool,
}

impl HonestModel {
    /// What comes is this exchange.
    pub(super) fn expect(&self, exchange: &Exchange) {
        *self.part() = Part { exchange: exchange.clone(), ..Part::default() };
    }

    /// The model's answer.
    pub(super) fn answer(&self, asked: &Asked) -> Answer {
        let mut part = self.part();
        match asked.schema() {
            Some("need") if part.exchange.steps.is_empty() && part.exchange.lacks.is_none() => needs_none(),
            Some("need") => needs_tools(),
            Some("selection") => part.selects(asked),
            Some(_) => part.decides(asked),
            None if asked.tools().is_empty() => Answer::text(part.reply(asked)),
            None => part.calls(asked),
        }
    }

    fn part(&self) -> MutexGuard<'_, Part> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Part {
    /// `staged`, stage 3.
    fn selects(&mut self, asked: &Asked) -> Answer {
        let step = self.next_step(asked);
        let chosen = |step: Step| {
            json!({"reasoning": format!("{} does what is wanted.", step.tool), "selectedTool": step.tool,
                "parameters": step.with, "outputVariable": step.output})
        };
        let none = || json!({"reasoning": "None of them does it.", "selectedTool": null, "parameters": {}, "outputVariable": null});
        Answer::json(&step.map_or_else(none, chosen))
    }

    /// `staged`, stage 5.
    fn decides(&self, asked: &Asked) -> Answer {
        match self.exchange.steps.get(self.made) {
            Some(step) => goes_on(&step.next),
            None => completes(&self.reply(asked)),
        }
    }

    /// `native`.
    fn calls(&mut self, asked: &Asked) -> Answer {
        if let Some(wish) = self.exchange.lacks.as_ref().filter(|_| !self.has_searched) {
            self.has_searched = true;
            return Answer::calls([("find_tools", json!({"query": wish}))]);
        }
        let Some(Step { tool, mut with, output, next }) = self.next_step(asked) else {
            return Answer::text(self.reply(asked));
        };
        if let Some(output) = output {
            with.insert("output_variable".to_owned(), output.into());
        }
        Answer::calls([(tool.as_str(), Value::Object(with))]).saying(next)
    }

    fn next_step(&mut self, asked: &Asked) -> Option<Step> {
        let step = self.exchange.steps.get(self.made)?.clone();
        let given = given(asked);
        if !references(&Value::Object(step.with.clone())).iter().all(|name| given.contains(name)) {
            return None;
        }
        self.made += 1;
        Some(step)
    }

    fn reply(&self, asked: &Asked) -> String {
        let given = given(asked);
        let knows = self.exchange.knows.iter().all(|fact| given.contains(fact));
        if knows { self.exchange.reply.clone() } else { LOST.to_owned() }
    }
}

/// All that it is told, but for the definitions of tools.
fn given(asked: &Asked) -> String {
    let mut text = String::new();
    asked.messages().iter().for_each(|message| collect(message, &mut text));
    while let Some(from) = text.find("<tools-") {
        let end = text[from..].find("</tools-").map_or(text.len(), |end| from + end + "</tools-".len());
        text.replace_range(from..end, "");
    }
    text
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(said) => {
            text.push_str(said);
            text.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, text)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, text)),
        _ => {}
    }
}

/// The variables that arguments refer to.
fn references(arguments: &Value) -> Vec<String> {
    let mut text = String::new();
    collect(arguments, &mut text);
    let name = |line: &str| {
        let rest = line.strip_prefix('@').filter(|rest| !rest.starts_with('@'))?;
        Some(rest.split(['.', '[']).next().unwrap_or_default().to_owned())
    };
    text.lines().filter_map(name).collect()
}
