//! What a yes takes: what was shown and asked about before it.

use switchboard_nlu::Risk;

use super::gather::{only_whole, planned, taken};
use super::meaning::{Meaning, Unknown, without_tables};
use super::mind::Mind;
use super::refuse::NEAREST;
use super::roles::Roles;
use super::thresholds::Trust;

impl Mind<'_> {
    /// Whether a message as a whole is a yes, or a no.
    pub(super) fn says_yes(&self, text: &str) -> Option<bool> {
        if Roles::get().consents(text) {
            return Some(true);
        }
        let reading = self.engine.read(text, self.world);
        let [clause] = reading.clauses.as_slice() else { return None };
        let first = clause.candidates.first().filter(|first| Trust::of(first.score, Risk::Read) == Trust::Act)?;
        match first.intent.reply.as_deref() {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => None,
        }
    }

    /// What the reply before named as the nearest, as it is done now that the user says yes. What was asked about waits as
    /// a plan of its own; one that was left is not taken up by its words.
    pub(super) fn accepted(&self, earlier: &[String]) -> Vec<Meaning> {
        if self.said.is_some_and(|said| said.contains(NEAREST)) { self.taken(earlier) } else { Vec::new() }
    }

    /// The calls of other tools that this reply has shown; what else the message asked for was done before.
    pub(super) fn agreed(&self, said: &str, earlier: &[String]) -> Vec<Meaning> {
        let agreed = Some(said.to_owned());
        let open = |meaning: &Meaning| matches!(meaning, Meaning::Unknown(_) | Meaning::Tool { .. } | Meaning::Name(_));
        let mut meanings = self.before(earlier).map(without_tables).unwrap_or_default();
        if let Some(last) = earlier.last() {
            meanings = only_whole(meanings, last);
        }
        meanings.retain(open);
        if !meanings.iter().any(|meaning| matches!(meaning, Meaning::Unknown(_) | Meaning::Tool { .. })) {
            let request = earlier.last().cloned().unwrap_or_default();
            meanings.insert(0, Meaning::Unknown(Unknown { request, ..Unknown::default() }));
        }
        for meaning in &mut meanings {
            match meaning {
                Meaning::Unknown(unknown) => unknown.agreed.clone_from(&agreed),
                Meaning::Tool { agreed: shown, .. } => shown.clone_from(&agreed),
                _ => {}
            }
        }
        meanings
    }

    /// The same of a yes that was said: what the message before it offered.
    pub(super) fn taken(&self, earlier: &[String]) -> Vec<Meaning> {
        let Some(meanings) = self.before(earlier).map(without_tables) else { return Vec::new() };
        let offers = |meaning: &Meaning| match meaning {
            Meaning::Ask(_) => true,
            Meaning::Unknown(unknown) => unknown.near.is_some(),
            _ => false,
        };
        // A message that changes something was only shown if a part of it was not understood.
        let held = meanings.iter().any(Meaning::changes) && !meanings.iter().all(Meaning::is_sure);
        if !(meanings.iter().any(offers) || (meanings.len() > 1 && held)) {
            return Vec::new();
        }
        let nearest = |meaning| match meaning {
            Meaning::Unknown(Unknown { near: Some(plan), .. }) if plan.risk <= Risk::Read => Meaning::Ask(plan),
            other => other,
        };
        let offered = planned(meanings.into_iter().map(nearest).collect());
        if offered.plans.is_empty() { Vec::new() } else { taken(offered) }
    }
}
