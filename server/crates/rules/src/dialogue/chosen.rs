//! Answers to "which one?" that tell one of several files from the others: "the one from 2024".

use std::collections::BTreeSet;

use switchboard_nlu::SlotValue;
use switchboard_search::is_stop_word;

use super::meaning::{Meaning, WHICH_ONE, without_tables};
use super::mind::Mind;
use super::roles::Roles;
use crate::ops::word_stems;

impl Mind<'_> {
    /// The request that was asked about, with the one file that the message chooses; none if it says anything else.
    pub(super) fn chosen(&self, text: &str, earlier: &[String]) -> Option<Meaning> {
        // What was said before is read again only then: that costs most, and few messages need it.
        self.said_before(earlier).filter(|said| said.contains(WHICH_ONE))?;
        let lacks = without_tables(self.before(earlier)?).into_iter().find_map(|meaning| match meaning {
            Meaning::Lacks(lacks) if !lacks.choices.is_empty() => Some(lacks),
            _ => None,
        })?;
        let path = one_of(&lacks.choices, text)?.clone();
        let mut slots = lacks.slots.clone();
        slots.insert(lacks.slot.clone(), SlotValue::Path { said: path.clone(), path, exists: true, folder: false });
        Some(self.ready(&lacks.intent, slots, &lacks.request))
    }
}

/// The one choice that has all that a text says beside what answers are made of.
fn one_of<'c>(choices: &'c [String], text: &str) -> Option<&'c String> {
    let said = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let says = |word: &String| !word.is_empty() && !is_stop_word(word) && !Roles::get().choosing.contains(word);
    let said: BTreeSet<String> = said.filter(says).flat_map(|word| word_stems(&word)).collect();
    let has_all = |path: &&String| said.is_subset(&word_stems(&path.replace('_', " ")));
    let mut fitting = choices.iter().filter(has_all);
    fitting.next().filter(|_| !said.is_empty() && fitting.next().is_none())
}
