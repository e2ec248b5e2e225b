//! What plans came to, and the parts of the reply.

use jiff::Zoned;
use serde_json::Value;

use super::account;
use super::asides;
use super::look_up;
use super::meaning::{Meaning, Unknown};
use super::refuse::undone;
use super::replies;
use super::roles::Roles;
use super::running::Running;
use super::shown::value_in;
use super::tabular;
use super::turn::RulesTurn;
use crate::ops::{IN_SHORT, Stepped};
use switchboard_agent::{Reply, TurnContext};

impl RulesTurn {
    /// What a plan came to.
    pub(super) fn told(&mut self, running: &Running, scene: &TurnContext<'_>) {
        if running.plan.reply.as_deref() == Some(look_up::SEARCHES) {
            return self.searched(running);
        }
        let now = Zoned::now();
        let asked_any = tabular::is_about_tables(running.plan.reply.as_deref()) && !running.has_a_path();
        let (text, complete) = match replies::told(running, scene, &self.earlier, &now) {
            Ok(_) if self.asks_after_trying(running) => return,
            Ok(text) => {
                let taken = running.plan.guessed().map(|taken| format!("{taken}\n\n")).unwrap_or_default();
                let left = running.left_over();
                let told = match left.is_empty() || running.is_accepted() {
                    true => String::new(),
                    false => format!(
                        "\n\nI left this out, because I do not know what it means here: {}.",
                        account::told(&left)
                    ),
                };
                let asides = running.plan.values.get(asides::ASIDES).and_then(Value::as_str);
                let asides = asides.map(|asides| format!("\n\n{asides}")).unwrap_or_default();
                let complete = running.plan.values.get("complete") != Some(&Value::Bool(false));
                (format!("{taken}{text}{asides}{told}"), complete && told.is_empty())
            }
            // It was a question to no table here: a tool that the search finds may know.
            Err(text) if asked_any && self.otherwise.is_none() => {
                let unknown = Unknown { request: running.plan.request.clone(), said: Some(text), ..Unknown::default() };
                self.queue.push_front(Meaning::Unknown(unknown));
                return;
            }
            Err(text) => return self.failed(running, text),
        };
        self.otherwise = None;
        self.before = running.steps.last().and_then(Stepped::as_reference).or(self.before.take());
        // Without sentences enough there is no summary that could be taken on.
        let told_only = running.plan.reply.as_deref() == Some("summary") && !text.contains(IN_SHORT);
        self.shown = value_in(&text).filter(|_| !told_only);
        let name = running.plan.output.clone().filter(|_| complete);
        let stored = running.named.as_ref().and(running.steps.last()).and_then(|step| step.variable.as_ref());
        let text = stored.map_or(text.clone(), |name| format!("{text}\n\nIt is stored as `{name}`."));
        if complete {
            self.say(text, true);
        } else {
            self.stop(text);
        }
        // The name is for what was worked out.
        match (name, self.shown.clone()) {
            (Some(name), Some(value)) => {
                self.running = Some(Running::of(Roles::get().keep_value(&name, value), None, None));
            }
            (Some(name), None) => self.stop(format!("There was nothing that could be called `{name}`.")),
            (None, _) => {}
        }
    }

    pub(super) fn say(&mut self, text: String, complete: bool) {
        self.sections.push(Reply { text, complete });
    }

    /// Says why something is not done; what was to follow is not done either.
    pub(super) fn stop(&mut self, text: String) {
        self.say(text, false);
        let rest: Vec<String> =
            self.queue.drain(..).filter_map(|meaning| meaning.request().map(str::to_owned)).collect();
        if !rest.is_empty() {
            self.say(undone(&rest), false);
        }
    }

    pub(super) fn reply(&self) -> Reply {
        let text = self.sections.iter().map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n\n");
        let complete = self.sections.iter().all(|section| section.complete);
        match text.is_empty() {
            true => Reply { text: "I found nothing in your message to do.".to_owned(), complete: false },
            false => Reply { text, complete },
        }
    }
}
