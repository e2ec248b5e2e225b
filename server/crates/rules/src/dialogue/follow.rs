//! Messages that are about the conversation: again, yes, why, the same for another file, the answer to a question.

use std::sync::Arc;

use switchboard_nlu::{Anaphor, Candidate, Clause, Given, Intent, Reading, Risk, SlotType, SlotValue, Slots, World};

use super::charts;
use super::meaning::{Meaning, Unknown, is_control, names_a_path, read_as, takes_any_words, without_tables};
use super::mind::Mind;
use super::plan::Plan;
use super::refer::Known;
use super::roles::Roles;
use super::shown::{row, shows_rows};
use super::tabular::{self, Heard};
use super::thresholds::Trust;
use crate::ops::cut_line;
use switchboard_tables::Schema;

/// A message that may go on with the one before does, if that reads worse by less than this.
const BESIDE: f32 = 0.1;

/// The numbers in a slot that holds more than a number.
fn numbers(slot: Option<&SlotValue>) -> Vec<String> {
    let Some(SlotValue::Expression { .. } | SlotValue::Text { .. }) = slot else { return Vec::new() };
    let text = slot.map(SlotValue::text).unwrap_or_default();
    let parts = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    parts.filter(|part| part.parse::<f64>().is_ok()).map(str::to_owned).collect()
}

/// Whether what a plan told is one value rather than a whole text.
fn tells_a_value(plan: &Plan) -> bool {
    matches!(plan.reply.as_deref(), Some("value_at" | "table" | "count" | "is_there"))
}

impl Mind<'_> {
    /// A clause that is about the conversation rather than a request of its own.
    pub(super) fn follow_up(&self, clause: &Clause, before: &[Plan], earlier: &[String]) -> Option<Vec<Meaning>> {
        let controls = |candidate: &&Candidate| is_control(&candidate.intent);
        let first = clause.candidates.iter().find(|one| controls(one) || self.is_usable(&one.intent))?;
        // "and b.txt?" goes on with the request before rather than being one of its own.
        let goes_on = |one: &&Candidate| {
            matches!(one.intent.reply.as_deref(), Some("again_for")) && one.score < first.score + BESIDE
        };
        let changes = first.intent.risk >= Risk::Write;
        let other = clause.candidates.iter().filter(|_| !earlier.is_empty() && !changes).find(goes_on);
        // "raise it by 10 percent", where it stands in a file: it is changed there, rather than only reckoned with.
        let of_file = || {
            self.last_plan(earlier).is_some_and(|base| tells_a_value(&base) && self.file_told(&base, earlier).is_some())
        };
        let there =
            |one: &&Candidate| one.intent.reply.as_deref() == Some("change_to") && one.score < first.score + BESIDE;
        let changed = clause.candidates.iter().find(there).filter(|_| !changes && !earlier.is_empty() && of_file());
        // "the sum of both": of the figures that were told, not of a text.
        let sums =
            |one: &&Candidate| one.intent.reply.as_deref() == Some("figures") && one.score < first.score + BESIDE;
        let summed = clause.candidates.iter().find(sums).filter(|_| !earlier.is_empty());
        // "what do they come to", of rows that were shown.
        let shown = || self.said_before(earlier).is_some_and(shows_rows);
        let candidate = changed.or(summed).or(other).unwrap_or(first);
        let control = candidate.intent.reply.as_deref().filter(|_| is_control(&candidate.intent))?;
        let text = |slot: &str| candidate.slots.get(slot).map(SlotValue::text);
        if Trust::of(candidate.score, Risk::Read) != Trust::Act {
            return None;
        }
        // Behind a change in the same message it says how that is meant: "append x to a.txt, but not …".
        if control == "only" && before.iter().any(|plan| plan.risk >= Risk::Write) {
            let unknown = Unknown { request: clause.text.clone(), ..Unknown::default() };
            return Some(vec![Meaning::Unknown(unknown)]);
        }
        if matches!(control, "again_for" | "only" | "more" | "less")
            && let Some(plan) = self.to_the_table(&clause.text, earlier, false)
        {
            return Some(vec![Meaning::Do(plan)]);
        }
        if control == "figures"
            && shown()
            && let Some(plan) = self.to_the_table(&clause.text, earlier, true)
        {
            return Some(vec![Meaning::Do(plan)]);
        }
        if control == "again_for"
            && before.is_empty()
            && let Some(meanings) = self.substituted(&clause.text, earlier)
        {
            return Some(meanings);
        }
        if matches!(control, "again_for" | "only" | "more" | "less")
            && let Some(plan) = self.before(earlier).unwrap_or_default().iter().filter_map(Meaning::planned).next_back()
            && tabular::is_about_tables(plan.reply.as_deref())
            && !names_a_path(clause, None)
        {
            return Some(vec![Meaning::Do(Plan { request: clause.text.clone(), output: None, ..plan.clone() })]);
        }
        let say = |text: &str, complete| Some(vec![Meaning::Say { text: text.to_owned(), complete }]);
        match control {
            "change_to" => self.change_to(candidate, earlier).or_else(|| {
                let text = "I cannot tell which value you want changed. Please name the file and the key.";
                changed.map(|_| vec![Meaning::Stop(text.to_owned())])
            }),
            "figures" => self.figures(candidate, earlier.split_last()?.1),
            "how_many_shown" => self.how_many_shown(earlier),
            "name_it" => Some(vec![Meaning::Name(text("name")?)]),
            "use_tool" => {
                Some(vec![Meaning::Tool { tool: text("tool")?, rest: text("rest").unwrap_or_default(), agreed: None }])
            }
            "yes" => match self.accepted(earlier) {
                meanings if meanings.is_empty() => say("Nothing is waiting for a yes. What shall I do?", false),
                meanings => Some(meanings),
            },
            "no" => say("All right, I leave it.", true),
            "why" => match self.failed_command() {
                Some(plan) => Some(vec![Meaning::Do(plan)]),
                None => {
                    let (text, is_known) = self.why(earlier);
                    say(&text, is_known)
                }
            },
            "again" => match self.before(earlier) {
                Some(meanings) => Some(meanings),
                None => say("There is nothing yet that I could do again.", false),
            },
            "again_for" | "only" => {
                let what = text("what")?;
                let unplaced = || {
                    let request = cut_line(earlier.last()?);
                    let text = format!(
                        "I cannot tell what {what} takes the place of in \"{request}\". Please say the whole request."
                    );
                    Some(vec![Meaning::Stop(text)])
                };
                let whole = candidate.intent.constants.contains_key("whole");
                self.again_for(&what, before, earlier).or_else(|| if whole { unplaced() } else { None })
            }
            _ => None,
        }
    }

    /// The clause as the next question to the table that was asked or read last; `asks`: it is one to some table.
    pub(super) fn to_the_table(&self, text: &str, earlier: &[String], asks: bool) -> Option<Plan> {
        let (file, follows) = self.of_the_tables(text, earlier, asks)?;
        follows.map(|_| Roles::get().tables("table", &[file], text))
    }

    /// The file of the tables that were spoken of last, and whether a text asks them and goes on with the question before.
    /// After a question to all tables it is the one that this was about.
    fn of_the_tables(&self, text: &str, earlier: &[String], asks: bool) -> Option<(String, Option<bool>)> {
        let now = self.world.now();
        let earlier = self.with_replies(earlier);
        if let Some(file) = self.recent.file() {
            return Some((file.to_owned(), tabular::follows(&self.recent.tables, text, &earlier, &now, asks)));
        }
        let all = self.recent.all_tables();
        let file = tabular::subject(all, &earlier, &now)?;
        // The tables of one file stand together.
        let mut files = all.chunk_by(|one, other| one.source == other.source);
        let own = files.find(|own| own.first().is_some_and(|schema| schema.source == file))?;
        Some((file, tabular::follows(own, text, &earlier, &now, asks)))
    }

    /// What is asked of the row that was told before the last thing: "back to that host, what is its ip".
    pub(super) fn gone_back(&self, text: &str, earlier: &[String]) -> Option<Vec<Meaning>> {
        let (noun, asked) = Roles::get().back(text)?;
        let heard = self.with_replies(earlier);
        let now = self.world.now();
        let all = self.recent.all_tables().chunk_by(|one, other| one.source == other.source);
        let tables: Vec<&[Schema]> = all.chain([self.recent.tables.as_slice()]).collect();
        (0..heard.len()).rev().find_map(|at| {
            heard[at].reply.as_deref().and_then(row)?;
            let told =
                |own: &&&[Schema]| own.iter().any(|schema| heard[at].may_tell(&schema.source) && schema.calls(noun));
            let own = tables.iter().find(told)?;
            tabular::follows(own, asked, &heard[..=at], &now, false).filter(|follows| *follows)?;
            Some(vec![Meaning::Do(Roles::get().tables("table", &[own[0].source.clone()], asked))])
        })
    }

    /// These messages with the replies to them.
    fn with_replies(&self, earlier: &[String]) -> Vec<Heard> {
        let later = self.heard.saturating_sub(earlier.len());
        Heard::all(earlier, &self.replies[..self.replies.len().saturating_sub(later)], 0)
    }

    /// The whole message as one that changes the question before, if that was asked of a table.
    pub(super) fn next_question(&self, text: &str, earlier: &[String], reading: &Reading) -> Option<Plan> {
        // "and of those, still open?" is rather one question than two.
        let single = reading.clauses.len() == 1;
        let known = |clause: &Clause| {
            let first = clause.candidates.first();
            first.is_some_and(|first| single && is_control(&first.intent) && first.score < BESIDE)
                || names_a_path(clause, self.recent.file())
                || charts::is_asked_for(clause)
        };
        if earlier.is_empty() || reading.clauses.iter().any(known) {
            return None;
        }
        // The messages before are read last: that costs most, and few messages need it.
        let (file, follows) = self.of_the_tables(text, earlier, false)?;
        let goes_on = follows? && tabular::is_about_tables(self.last_plan(earlier)?.reply.as_deref());
        goes_on.then(|| Roles::get().tables("table", &[file], text))
    }

    /// What the message before means.
    pub(super) fn before(&self, earlier: &[String]) -> Option<Vec<Meaning>> {
        let (last, rest) = earlier.split_last()?;
        let key = (earlier.as_ptr().addr(), earlier.len());
        if let Some(meanings) = self.read.borrow().get(&key) {
            return Some(meanings.clone());
        }
        let taken = if Roles::get().consents(last) { self.taken(rest) } else { Vec::new() };
        let before = self.past.replace(true);
        let meanings = if taken.is_empty() { self.understand(last, rest) } else { taken };
        self.past.set(before);
        // Thanks and the like change no subject.
        let talk = |meaning: &Meaning| matches!(meaning, Meaning::Do(plan) if plan.steps.is_empty() && plan.say.is_some() && plan.slots.is_empty());
        let meanings = match meanings.iter().all(talk) {
            true => self.before(rest).unwrap_or(meanings),
            false => meanings,
        };
        self.read.borrow_mut().insert(key, meanings.clone());
        Some(meanings)
    }

    /// What was asked for last.
    pub(super) fn last_plan(&self, earlier: &[String]) -> Option<Plan> {
        self.before(earlier)?.iter().rev().find_map(Meaning::planned).cloned()
    }

    /// What the command put out that failed last.
    fn failed_command(&self) -> Option<Plan> {
        let failure = self.recent.failure.as_ref().filter(|operation| operation.tool == Roles::get().run.tool)?;
        let name = failure.output_variable.as_ref().filter(|name| self.world.is_variable(name))?;
        Some(Roles::get().failure(&format!("@{name}")))
    }

    /// Why the last request was not done, and whether that is known.
    fn why(&self, earlier: &[String]) -> (String, bool) {
        if let Some(operation) = &self.recent.failure {
            return (format!("`{}` failed: {}", operation.tool, cut_line(operation.outputs.trim())), true);
        }
        let mut meanings = self.before(earlier).map(without_tables).into_iter().flatten();
        let open = meanings.find(|meaning| !matches!(meaning, Meaning::Do(_)));
        let is_known = !matches!(open, Some(Meaning::Unknown(_)));
        let text = match open {
            Some(Meaning::Unknown(unknown)) if !unknown.unread.is_empty() => {
                format!("I did not understand: {}.", unknown.unread.join(", "))
            }
            Some(Meaning::Unknown(unknown)) => format!("I did not understand \"{}\".", cut_line(&unknown.request)),
            Some(Meaning::Lacks(lacks)) => format!("Your request does not say it: {}", lacks.question),
            Some(Meaning::Say { text, .. } | Meaning::Stop(text)) => text,
            Some(Meaning::Ask(plan)) => format!("I was not sure that you mean: {}.", plan.summary),
            _ => {
                let said = self.said.map(|said| cut_line(said.trim()));
                let said = said.map(|said| format!("I know no more than what I said: {said}"));
                return (said.unwrap_or_else(|| "Nothing has failed.".to_owned()), false);
            }
        };
        (text, is_known)
    }

    /// The request before, with this in the place of what is of its type.
    pub(super) fn again_for(&self, what: &str, before: &[Plan], earlier: &[String]) -> Option<Vec<Meaning>> {
        if Roles::get().commands(what) {
            return None;
        }
        // "bump it in a.toml and in b.toml": the clause before, with the other file.
        let meanings = match before.last() {
            Some(plan) => vec![Meaning::Do(plan.clone())],
            None => without_tables(self.before(earlier)?),
        };
        let (plan, intent, sure) = meanings.iter().rev().find_map(|meaning| match meaning {
            Meaning::Do(plan) | Meaning::Ask(plan) => {
                Some((plan.slots.clone(), Arc::clone(self.engine.intent(&plan.intent)?), meaning.is_sure()))
            }
            Meaning::Lacks(lacks) => Some((lacks.slots.clone(), Arc::clone(&lacks.intent), true)),
            _ => None,
        })?;
        let is_folder = |path: &str| self.world.is_folder(path);
        let known = Known { recent: self.recent, before: &[], is_folder: &is_folder, last: &|| None };
        let lines = intent.slots.values().any(|slot| matches!(slot.kind, SlotType::Line | SlotType::Lines));
        let read = |kind| match (read_as(self.engine, self.world, what, kind), kind) {
            (Some(SlotValue::Reference { anaphor: Anaphor::Nth { .. }, .. }), kind)
                if lines && !matches!(kind, SlotType::Line | SlotType::Lines) =>
            {
                None
            }
            (Some(SlotValue::Reference { anaphor, .. }), kind) => known.meant(kind, &anaphor).ok(),
            (None, SlotType::Line | SlotType::Lines) => match read_as(self.engine, self.world, what, SlotType::Ref) {
                Some(SlotValue::Reference { anaphor: Anaphor::Nth { place, .. }, .. }) => {
                    Some(SlotValue::Lines { from: place, to: place })
                }
                _ => None,
            },
            (value, _) => value,
        };
        let typed = intent.slots.iter().filter_map(|(name, slot)| Some((name, read(slot.kind)?)));
        let is_there = |value: &SlotValue| !matches!(value, SlotValue::Path { exists: false, .. });
        let mut places: Vec<(&String, SlotValue)> = typed.filter(|(_, value)| is_there(value)).collect();
        if places.is_empty() {
            let text = || SlotValue::Text { text: what.trim().trim_matches(['"', '`']).to_owned(), how: Given::Plain };
            let free = |kind: SlotType| takes_any_words(kind) && !matches!(kind, SlotType::Content | SlotType::NewPath);
            // Another place in the same message is one that is there, or the first would be changed alone.
            let is_open = |name: &str| plan.contains_key(name) && (name != "where" || before.is_empty());
            let open = intent.slots.iter().filter(|(name, slot)| free(slot.kind) && is_open(name));
            places = open.map(|(name, _)| (name, text())).collect();
        }
        // A file that is there is meant as one.
        let is_path = |value: &SlotValue| matches!(value, SlotValue::Path { exists: true, .. });
        if places.iter().any(|(_, value)| is_path(value)) {
            places.retain(|(_, value)| is_path(value));
        }
        // What was said before is changed rather than something new added.
        if places.iter().any(|(name, _)| plan.contains_key(*name)) {
            places.retain(|(name, _)| plan.contains_key(*name));
        }
        let last = before.last().map(|plan| plan.request.as_str());
        let request = last.or(earlier.last().map(String::as_str)).unwrap_or_default();
        match places.as_slice() {
            [] => None,
            [(name, value)] if value.text().parse::<f64>().is_ok() && numbers(plan.get(*name)).len() > 1 => {
                let told = numbers(plan.get(*name)).join(" or of ");
                let text =
                    format!("I cannot tell whether {what} takes the place of {told}. Please say the whole request.");
                Some(vec![Meaning::Stop(text)])
            }
            [(name, value)] => {
                let mut slots = plan;
                let old = slots.insert((*name).clone(), value.clone());
                // What is asked of a table is read from the request itself.
                let request = match (&old, value) {
                    (Some(SlotValue::Path { said, .. }), SlotValue::Path { path, .. }) if !said.is_empty() => {
                        request.replace(said.as_str(), path)
                    }
                    _ if tabular::is_about_tables(intent.reply.as_deref()) => return None,
                    _ => request.to_owned(),
                };
                Some(vec![match self.ready(&intent, slots, &request) {
                    Meaning::Do(plan) if !sure => Meaning::Ask(plan),
                    ready => ready,
                }])
            }
            [(one, _), .., (other, _)] => {
                let text =
                    format!("I cannot tell whether {what} is the {one} or the {other}. Please say the whole request.");
                Some(vec![Meaning::Stop(text)])
            }
        }
    }

    /// A plan with these slots, if nothing stands against it.
    pub(super) fn ready(&self, intent: &Arc<Intent>, slots: Slots, request: &str) -> Meaning {
        let unfilled = intent.slots.iter().find(|(name, slot)| slot.required && !slots.contains_key(*name));
        if let Some((name, _)) = unfilled {
            return self.lacks(intent, slots.clone(), &name.clone(), request);
        }
        let ready = self.shaped(Plan::of(intent, slots, request)).and_then(|plan| {
            self.check(intent, &plan, &[])?;
            Ok(plan)
        });
        match ready {
            Ok(plan) => Meaning::Do(plan),
            Err(text) => Meaning::Say { text, complete: false },
        }
    }

    /// The message as the answer to what was asked before it.
    pub(super) fn answer(&self, text: &str, earlier: &[String]) -> Option<Meaning> {
        let lacks = without_tables(self.before(earlier)?).into_iter().find_map(|meaning| match meaning {
            Meaning::Lacks(lacks) => Some(lacks),
            _ => None,
        })?;
        let kind = lacks.intent.slots.get(&lacks.slot)?.kind;
        let plain = text.trim().trim_matches(['"', '`', '\'']).to_owned();
        let any = || {
            let (path, exists) = (plain.clone(), self.world.is_path(&plain));
            match kind {
                SlotType::NewPath => Some(SlotValue::Path { said: path.clone(), path, exists, folder: false }),
                // Whoever was asked for the text has said it.
                kind if takes_any_words(kind) => Some(SlotValue::Text { text: plain.clone(), how: Given::Quoted }),
                _ => None,
            }
        };
        let value = read_as(self.engine, self.world, text, kind).or_else(any)?;
        let mut slots = lacks.slots.clone();
        slots.insert(lacks.slot.clone(), value);
        Some(self.ready(&lacks.intent, slots, &lacks.request))
    }

    /// What a message asks of a tool that the user has chosen for it.
    pub(super) fn by_tool(&self, tool: &str, text: &str, earlier: &[String]) -> Vec<Meaning> {
        let calls = |meaning: &Meaning| {
            let first = meaning.plan().and_then(|plan| plan.steps.first());
            first.is_some_and(|step| step.tool.as_deref() == Some(tool))
        };
        let meanings = without_tables(self.understand(text, earlier));
        match meanings.len() == 1 && meanings.iter().all(calls) {
            true => meanings,
            false => vec![Meaning::Tool { tool: tool.to_owned(), rest: text.to_owned(), agreed: None }],
        }
    }
}
