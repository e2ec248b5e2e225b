//! Understands messages: reads them, decides how sure it is, and takes what goes on with the last file or table for that.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use switchboard_nlu::{Anaphor, Candidate, Clause, Engine, Entity, Intent, Risk, SlotType, SlotValue, World};

use super::asides::is_single_change;
use super::bound::{in_its_place, leans, only_asks, passes_over_a_demand};
use super::charts;
use super::foreign::CALLS;
use super::meaning::{
    Decided, Meaning, Settled, Unknown, ambiguous, is_control, is_refusal, names_a_missing_path, names_a_path,
    unread_of, which,
};
use super::plan::{Plan, filled_text};
use super::recent::Recent;
use super::refer::Known;
use super::roles::Roles;
use super::tabular;
use super::thresholds::{EXACT, MISSING, Trust};
use super::world::Seen;

/// How many requests are looked back at: one may follow the other.
pub(super) const LOOK_BACK: usize = 8;

/// A reading with the last file named is taken if it costs this much less.
const NEARER: f32 = 0.02;

/// … or this much more, if the clause before is about the file, and the clause alone reads not better than this.
const BESIDE: f32 = 0.2;

/// A reading that costs this much more does not take the place of one against which something stands.
const MARGIN: f32 = 0.15;

/// What cannot be done is said of readings below this cost.
const REFUSES: f32 = 0.2;

/// A reading is offered below this cost.
const NEAR_ENOUGH: f32 = 1.0;

/// How many readings of a clause are tried.
const MAX_READINGS: usize = 4;

/// Understands messages.
pub(super) struct Mind<'m> {
    pub(super) engine: &'m Engine,
    pub(super) world: &'m Seen<'m>,
    pub(super) recent: &'m Recent,
    /// The replies, the last one last, and that one.
    pub(super) replies: &'m [String],
    pub(super) said: Option<&'m str>,
    /// What the messages before mean, by how many there are and where they end: each is read once.
    pub(super) read: RefCell<HashMap<(usize, usize), Vec<Meaning>>>,
    /// Whether a message before is read: what it asked to be made may be there now.
    pub(super) past: Cell<bool>,
    /// How many requests came before the message.
    pub(super) heard: usize,
    /// Whether a whole request is read that a message stands for which goes on with the last one.
    pub(super) whole: Cell<bool>,
}

impl Mind<'_> {
    /// What a message means after those before it, the latest last.
    pub(super) fn understand(&self, text: &str, earlier: &[String]) -> Vec<Meaning> {
        if let Some((request, name)) = Roles::get().named(text) {
            let mut meanings = self.understand(request, earlier);
            meanings.push(Meaning::Name(name));
            return meanings;
        }
        if let Some(request) = Roles::get().led(text) {
            return self.understand(request, earlier);
        }
        if let Some(request) = Roles::get().without_purpose(text)
            && let meanings = self.understand(request, earlier)
            && matches!(meanings.as_slice(), [Meaning::Do(plan)] if is_single_change(plan))
        {
            return meanings;
        }
        if let Some((tool, given)) = Roles::get().called(text) {
            return vec![match self.world.is_tool(tool) {
                true => Meaning::Tool { tool: tool.to_owned(), rest: given.to_owned(), agreed: None },
                false => Meaning::Stop(format!("There is no tool `{tool}` here. The tools that there are: /tools")),
            }];
        }
        let gone_on = || self.gone_on(text, earlier).or_else(|| self.gone_back(text, earlier));
        let gone_on = || gone_on().or_else(|| self.chosen(text, earlier).map(|meaning| vec![meaning]));
        let placed = || self.in_the_place(text, earlier).or_else(gone_on);
        if let Some(meanings) = placed().or_else(|| self.in_the_file_beside(text, earlier)) {
            return meanings;
        }
        let earlier = &earlier[earlier.len().saturating_sub(LOOK_BACK)..];
        if let Some(said) = self.said.filter(|said| said.contains(CALLS) && Roles::get().consents(text)) {
            return self.agreed(said, earlier);
        }
        let reading = self.engine.read(text, self.world);
        let plain = |clause: &Clause| clause.candidates.first().is_some_and(|first| first.score < EXACT);
        let whole = matches!(reading.clauses.as_slice(), [only] if plain(only));
        if !whole && let Some(meanings) = self.corrected(text, earlier) {
            return meanings;
        }
        if let Some(plan) = self.next_question(text, earlier, &reading) {
            return vec![Meaning::Do(plan)];
        }
        if let Some(meanings) = self.beside(text, earlier) {
            return meanings;
        }
        // What the shell would only read is read by a tool that need not ask: `ls`, `cat notes.txt`.
        let exact = |candidate: &Candidate| {
            let run = &Roles::get().run.tool;
            let runs =
                candidate.intent.steps.iter().any(|step| !step.run.is_empty() || step.tool.as_ref() == Some(run));
            candidate.score < EXACT
                && !runs
                && !candidate.intent.steps.is_empty()
                && self.is_usable(&candidate.intent)
                && candidate.intent.risk <= Risk::Read
        };
        let reads = matches!(reading.clauses.as_slice(), [clause] if clause.candidates.first().is_some_and(exact));
        if let Some(command) = reading.command.as_ref().filter(|command| command.sure && !reads) {
            return vec![Meaning::Do(Roles::get().command(&command.line, text))];
        }
        let mut meanings: Vec<Meaning> = Vec::new();
        for clause in &reading.clauses {
            let before: Vec<Plan> = meanings.iter().filter_map(|meaning| meaning.plan().cloned()).collect();
            match self.follow_up(clause, &before, earlier) {
                Some(more) => meanings.extend(more),
                None => {
                    let meaning = self.clause(clause, &before, earlier);
                    let more = reading.clauses.len() > 1;
                    let meaning = in_its_place(meaning, clause, before.last(), !earlier.is_empty(), more);
                    meanings.extend(self.with_first(meaning, &before, earlier));
                }
            }
        }
        let open = meanings.iter().all(|meaning| matches!(meaning, Meaning::Unknown(_)));
        if let Some(command) = reading.command.filter(|_| open) {
            // `which of them` is a question before it is a program.
            let asked = vec![Meaning::Ask(Roles::get().command(&command.line, text))];
            return self.or_tables(text, &reading.clauses, earlier, asked);
        }
        if meanings.iter().all(|meaning| matches!(meaning, Meaning::Unknown(_) | Meaning::Lacks(_)))
            && let Some(answered) = self.answer(text, earlier)
        {
            return vec![answered];
        }
        // What reads by itself like the request before rather goes on with that: "and 9 july?"
        let intent = |meanings: &[Meaning]| meanings.first().and_then(Meaning::planned).map(|plan| plan.intent.clone());
        // The table that was asked last knows better what a fragment means for it.
        if self.to_the_table(text, earlier, false).is_none()
            && let Some(substituted) = self.substituted(text, earlier)
            && (!meanings.iter().all(Meaning::is_sure) || intent(&meanings) == intent(&substituted))
        {
            return substituted;
        }
        self.or_tables(text, &reading.clauses, earlier, meanings)
    }

    /// What is not sure, or was taken apart, may be a question to the tables as a whole: they answer only what they
    /// understand word for word.
    fn or_tables(&self, text: &str, clauses: &[Clause], earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        let asked = text.trim_end().ends_with('?');
        let asks = |meaning: &Meaning| match meaning {
            Meaning::Do(plan) => tabular::is_about_tables(plan.reply.as_deref()),
            meaning => !is_sure(meaning),
        };
        let sure = |meaning: &Meaning| match meaning {
            Meaning::Tool { .. } | Meaning::Name(_) => true,
            Meaning::Lacks(lacks) => lacks.intent.risk >= Risk::Write,
            Meaning::Ask(plan) if plan.risk == Risk::Execute || asked => false,
            meaning => meaning.changes(),
        };
        let whole = match meanings.as_slice() {
            [only] => !is_sure(only) || (asked && matches!(only, Meaning::Ask(_))),
            several => several.first().is_some_and(asks),
        };
        if !whole
            || meanings.iter().any(sure)
            || !(clauses.iter().any(tabular::may_ask_tables) || meanings.iter().all(Meaning::is_unread))
            || clauses.iter().any(names_a_missing_path)
        {
            return meanings;
        }
        let points =
            |entity: &Entity| matches!(entity.value, SlotValue::Reference { anaphor: Anaphor::Them { .. }, .. });
        if !earlier.is_empty() && clauses.iter().flat_map(|clause| &clause.entities).any(points) {
            return meanings;
        }
        let named = clauses.iter().flat_map(|clause| &clause.entities).find_map(|entity| match &entity.value {
            SlotValue::Path { path, exists: true, folder: false, said, .. } if tabular::may_hold(path) => {
                Some((path.clone(), said.contains(['.', '/'])))
            }
            _ => None,
        });
        let leans = !earlier.is_empty() && leans(text);
        let any = || {
            if leans {
                return None;
            }
            let files = tabular::files_for("table", self.world, &self.recent.files, text);
            (!files.is_empty()).then(|| tabular::unnamed(&files, text))
        };
        let plans = match named {
            Some((path, true)) => vec![Roles::get().tables("table", &[path], text)],
            // The most points are not those of points.csv, if that does not know.
            // … nor does it tell that nothing was found.
            Some((path, false)) => any().into_iter().chain([tabular::unnamed(&[path], text)]).collect(),
            None => self.to_the_table(text, earlier, true).or_else(any).into_iter().collect::<Vec<Plan>>(),
        };
        plans.into_iter().fold(meanings, |otherwise, plan| vec![Meaning::Tables { plan, otherwise }])
    }

    /// A clause of its own, or one that goes on with the table or file that was last spoken of.
    fn clause(&self, clause: &Clause, before: &[Plan], earlier: &[String]) -> Meaning {
        let decided = self.decide(clause, before, earlier);
        let asks = asks_tables(&decided.meaning);
        // "show them": whatever was spoken of last.
        let shows = matches!(&decided.meaning, Meaning::Do(plan) if plan.slots.is_empty() && plan.reply.as_deref() == Some("show"));
        let open = asks || shows || matches!(decided.meaning, Meaning::Unknown(_) | Meaning::Lacks(_));
        let of_key = matches!(&decided.meaning, Meaning::Do(plan) if plan.reply.as_deref() == Some("value_at") || charts::draws(plan));
        if (open || decided.refers || decided.cost > EXACT)
            && !decided.meaning.changes()
            && !of_key
            && !names_a_path(clause, self.recent.file())
            && let Some(plan) = self.to_the_table(&clause.text, earlier, asks)
        {
            return Meaning::Do(plan);
        }
        // What follows in the same message is rather about the same file.
        let nearer = if before.is_empty() || decided.cost < EXACT { NEARER } else { -BESIDE };
        match self.in_the_file(clause, before, earlier) {
            Some(other) if other.cost + nearer < decided.cost && !(of_key && asks_tables(&other.meaning)) => {
                other.meaning
            }
            _ => decided.meaning,
        }
    }

    /// The clause as it reads with the last file named, if it names none: `tell me the port` after `read config.json`.
    fn in_the_file(&self, clause: &Clause, before: &[Plan], earlier: &[String]) -> Option<Decided> {
        let named = names_a_path(clause, None);
        let is_folder = |_: &str| false;
        let known = Known { recent: self.recent, before, is_folder: &is_folder, last: &|| None };
        let SlotValue::Path { path, folder: false, .. } = known.unsaid(SlotType::File).filter(|_| !named)? else {
            return None;
        };
        let text = format!("{} in {path}", clause.text.trim_end_matches(['?', '!', '.', ' ']));
        let reading = self.engine.read(&text, self.world);
        let [again] = reading.clauses.as_slice() else { return None };
        let mut decided = self.decide(again, before, earlier);
        let Meaning::Do(plan) = &mut decided.meaning else { return None };
        // Words that are only looked for say nothing of the file.
        if plan.values.contains_key("tables") {
            return None;
        }
        // A sentence that takes any words says nothing of the file.
        if decided.said < 2 && plan.reply.as_deref() != Some("value_at") {
            return None;
        }
        if plan.slots.values().all(|slot| slot.text() != path) {
            return None;
        }
        plan.request.clone_from(&clause.text);
        if plan.risk >= Risk::Write && before.is_empty() {
            decided.meaning = Meaning::Ask(plan.clone());
        }
        Some(decided)
    }

    fn decide(&self, clause: &Clause, before: &[Plan], earlier: &[String]) -> Decided {
        let mut second: Option<Decided> = None;
        let mut near = None;
        let usable = clause.candidates.iter().filter(|candidate| self.is_usable(&candidate.intent));
        let mut read: Vec<(&Candidate, Result<Settled, String>)> =
            usable.map(|candidate| (candidate, self.settled(candidate, before, earlier))).collect();
        let cost = |(candidate, settled): &(&Candidate, Result<Settled, String>)| {
            let (cost, slots) = match settled {
                Ok(settled) => (settled.cost, &settled.slots),
                Err(_) => (candidate.score, &candidate.slots),
            };
            cost + self.leaning(candidate, slots)
        };
        let said = |(candidate, _): &(&Candidate, Result<Settled, String>)| std::cmp::Reverse(candidate.slots.len());
        read.sort_by(|one, other| cost(one).total_cmp(&cost(other)).then_with(|| said(one).cmp(&said(other))));
        let mut rejected_change = false;
        for (candidate, settled) in read.into_iter().take(MAX_READINGS) {
            if second.as_ref().is_some_and(|second| candidate.score > second.cost + MARGIN) {
                break;
            }
            // A change that was asked for and cannot be made is not answered by something that only sees a part of it.
            let changes = candidate.intent.risk >= Risk::Write;
            if candidate.intent.steps.iter().any(|step| step.edit.is_some()) && only_asks(&clause.text) {
                continue;
            }
            if rejected_change && !changes && !candidate.unread.is_empty() {
                continue;
            }
            rejected_change |= changes;
            if !changes && passes_over_a_demand(candidate, &clause.text) {
                continue;
            }
            let refers = candidate.slots.values().any(|slot| matches!(slot, SlotValue::Reference { .. }));
            let decided = |meaning, cost| Decided { meaning, cost, refers, said: candidate.said };
            let say = |text: String, cost| decided(Meaning::Say { text, complete: false }, cost);
            // A file's own rows are put in order where it is named; "sort it" is said of what was shown.
            let named = candidate.intent.constants.contains_key("names_it");
            if named && (refers || matches!(&settled, Ok(settled) if settled.unsaid)) {
                continue;
            }
            let Settled { slots, missing, cost, unsaid } = match settled {
                Ok(settled) => settled,
                Err(why) if !why.is_empty() && Trust::of(candidate.score, candidate.intent.risk) != Trust::Refuse => {
                    second.get_or_insert_with(|| say(why, candidate.score));
                    continue;
                }
                Err(_) => continue,
            };
            let lacking: f32 = missing.iter().map(|_| MISSING).sum();
            let trust = Trust::of(cost - lacking, candidate.intent.risk);
            if trust == Trust::Refuse {
                if near.is_none() && missing.is_empty() && cost < NEAR_ENOUGH {
                    near = self.offered(Plan::of(&candidate.intent, slots, &clause.text));
                }
                continue;
            }
            if let Some((slot, paths)) = ambiguous(&candidate.intent, &slots, self.world) {
                second
                    .get_or_insert_with(|| decided(which(candidate, slots.clone(), &slot, &paths, &clause.text), cost));
                continue;
            }
            if let Some(slot) = missing.first() {
                let lacks = || self.lacks(&candidate.intent, slots.clone(), slot, &clause.text);
                second.get_or_insert_with(|| decided(lacks(), cost));
                continue;
            }
            let planned = self.shaped(Plan::read(candidate, slots, &clause.text));
            let planned = planned.and_then(|plan| self.check(&candidate.intent, &plan, before).map(|()| plan));
            let plan = match planned {
                Ok(plan) => plan,
                Err(text) if text.is_empty() => continue,
                Err(text) => {
                    second.get_or_insert_with(|| say(text, cost));
                    continue;
                }
            };
            if is_refusal(&plan) {
                if cost > REFUSES {
                    continue;
                }
                let said = filled_text(plan.say.as_deref().unwrap_or_default(), &plan.as_said());
                let unknown = Unknown { request: clause.text.clone(), said, ..Unknown::default() };
                return decided(Meaning::Unknown(unknown), cost);
            }
            let unsure = plan.guesses_a_path() || (unsaid && before.is_empty());
            let ask_first = plan.values.contains_key("ask_first");
            if trust == Trust::Act && !ask_first && !(unsure && plan.risk >= Risk::Write) {
                return Decided { refers: refers || unsaid, ..decided(Meaning::Do(plan), cost) };
            }
            return second.unwrap_or_else(|| decided(Meaning::Ask(plan), cost));
        }
        second.unwrap_or_else(|| {
            let unread = unread_of(clause.candidates.first());
            let unknown = Unknown { request: clause.text.clone(), near, unread, ..Unknown::default() };
            Decided { meaning: Meaning::Unknown(unknown), cost: f32::INFINITY, refers: false, said: 0 }
        })
    }

    /// Whether the tools are there that it calls.
    pub(super) fn is_usable(&self, intent: &Intent) -> bool {
        if is_control(intent) {
            return false;
        }
        if intent.steps.is_empty() && tabular::is_about_tables(intent.reply.as_deref()) && self.recent.tables.is_empty()
        {
            return false;
        }
        let is_there = |tool: &String| self.world.can_use(tool);
        intent.steps.iter().all(|step| match &step.tool {
            Some(tool) => is_there(tool),
            None => step.run.is_empty() || is_there(&Roles::get().run.tool),
        })
    }
}

/// Whether it is understood, so that the tables need not be asked.
fn is_sure(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Unknown(unknown) => unknown.said.is_some(),
        Meaning::Ask(plan) => plan.risk >= Risk::Write && plan.risk < Risk::Execute,
        Meaning::Say { complete, .. } => *complete,
        Meaning::Lacks(lacks) => lacks.intent.risk >= Risk::Write,
        _ => true,
    }
}

/// Whether it is a question to tables.
fn asks_tables(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Do(plan) if tabular::is_about_tables(plan.reply.as_deref()))
}
