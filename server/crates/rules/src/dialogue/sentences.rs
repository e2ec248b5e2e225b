//! Messages of several sentences of which one is the request, as people write who tell why they ask: "hi, my mum wants to
//! come! Where do we play on the 17th?". The others are taken as remarks: around a question whatever neither asks nor
//! restricts; around a change only what states something that cannot be a wish.

use switchboard_nlu::{Anaphor, Risk, SlotValue};

use super::asides::{ASIDES, Asides, is_single_change, taken_as_remark};
use super::courtesy::without_courtesy;
use super::gather::only_whole;
use super::meaning::Meaning;
use super::mind::Mind;
use super::parted::or_else;
use super::tabular::is_about_tables;

/// A message of more sentences tells a story.
const MOST: usize = 4;

/// The sentences of a message. What stands in quotation marks or behind a colon is a text, and is not divided.
fn sentences(text: &str) -> Vec<&str> {
    let asides = Asides::get();
    let free = text.find(['"', '`', '“', ':']).unwrap_or(text.len());
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, sign) in text.char_indices().filter(|(at, sign)| *at < free && matches!(sign, '.' | '!' | '?' | ',' | ';'))
    {
        if at < start {
            continue;
        }
        let (before, behind) = (&text[start..at], text[at + sign.len_utf8()..].trim_start_matches(['.', '!', '?']));
        let ends = match sign {
            ',' => asides.is_divided(before, behind),
            '.' if is_abbreviated(before) => false,
            _ => behind.starts_with(char::is_whitespace),
        };
        if ends && before.split_whitespace().count() > 1 {
            let end = text.len() - behind.len();
            parts.push(text[start..end].trim_end_matches(',').trim());
            start = end;
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| part.contains(char::is_alphanumeric));
    parts
}

/// Whether a text ends in what is written with a full stop: "Mr", "e.g".
fn is_abbreviated(text: &str) -> bool {
    let last = text.split_whitespace().last().unwrap_or_default();
    last.contains('.') || (last.len() <= 3 && last.starts_with(char::is_uppercase))
}

impl Mind<'_> {
    /// The meanings of a message, or, if they are not sure, those of the one sentence of it that asks for something.
    pub(super) fn or_one_sentence(&self, text: &str, earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        let done = |meaning: &Meaning| match meaning {
            // A table is asked whatever has words, so one of several sentences is not sure to be a question to it.
            Meaning::Do(plan) if meanings.len() > 1 => !is_about_tables(plan.reply.as_deref()),
            Meaning::Tool { .. } | Meaning::Stop(_) => true,
            meaning => meaning.is_sure(),
        };
        if meanings.iter().all(done) {
            return meanings;
        }
        let plain = without_courtesy(text);
        let parts = sentences(&plain);
        if parts.len() > MOST || (parts.len() < 2 && plain == text) {
            return meanings;
        }
        let asides = Asides::get();
        let asked: Vec<usize> = (0..parts.len()).filter(|at| asides.asks(parts[*at])).collect();
        let alone = |at: usize| self.alone(&parts, at, earlier);
        let others = |at: usize| parts.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, part)| *part);
        let question = match asked.as_slice() {
            [only] if others(*only).all(|other| self.is_beside_a_question(other, earlier)) => {
                let answers = |meaning: &Meaning| {
                    meaning.planned().is_some_and(|plan| {
                        plan.risk != Risk::Write && (!plan.steps.is_empty() || !plan.slots.is_empty())
                    })
                };
                alone(*only).filter(answers).map(|meant| with_remarks(meant, others(*only)))
            }
            _ => None,
        };
        match question.map(|meant| vec![meant]).or_else(|| self.one_change(&parts, earlier, &meanings)) {
            Some(meant) => meant,
            None => meanings,
        }
    }

    /// Whether a sentence beside a question asks for nothing and restricts nothing.
    pub(super) fn is_beside_a_question(&self, sentence: &str, earlier: &[String]) -> bool {
        let asks = |meaning: &Meaning| meaning.changes() || matches!(meaning, Meaning::Lacks(_) | Meaning::Ask(_));
        Asides::get().is_beside_a_question(sentence) && !self.understand(sentence, earlier).iter().any(asks)
    }

    /// The one change that a sentence asks for, if all others only state something; or, if it cannot be made, what the whole
    /// message means.
    fn one_change(&self, parts: &[&str], earlier: &[String], whole: &[Meaning]) -> Option<Vec<Meaning>> {
        let stated: Vec<bool> = parts.iter().map(|part| Asides::get().states(part)).collect();
        let mut open = (0..parts.len()).filter(|at| !stated[*at]);
        // What is stated may be a wish, too: if nothing else asks, the last sentence does.
        let at = open.next().unwrap_or(parts.len() - 1);
        if open.next().is_some() {
            return None;
        }
        let meant = self.alone(parts, at, earlier)?;
        let changes = match &meant {
            Meaning::Do(plan) if plan.risk <= Risk::Read => {
                !stated[at] && !Asides::get().asks(parts[at]) && !plan.steps.is_empty()
            }
            Meaning::Do(plan) => is_single_change(plan),
            Meaning::Ask(plan) => is_single_change(plan),
            Meaning::Tables { plan, .. } => plan.risk == Risk::Write,
            _ => false,
        };
        let others = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| *part);
        changes.then(|| vec![or_else(with_remarks(meant, others), whole.to_vec())])
    }

    /// What a sentence means by itself, if that is one thing and needs of the others only what the one before is about.
    fn alone(&self, parts: &[&str], at: usize, earlier: &[String]) -> Option<Meaning> {
        let before = at.checked_sub(1).map(|before| parts[before]);
        let sentence = &*Asides::get().with_its_noun(parts[at], before);
        // What was said before the message is not meant; in its first one "it" may mean nothing, as in "is it Friday".
        let refers = |value: &SlotValue| match value {
            SlotValue::Reference { anaphor: Anaphor::It { .. } | Anaphor::Them { .. }, said } => {
                !earlier.is_empty() || said != "it"
            }
            SlotValue::Reference { .. } => !earlier.is_empty(),
            _ => false,
        };
        if self.engine.entities(sentence, self.world).iter().any(|entity| refers(&entity.value)) {
            return None;
        }
        let meanings = only_whole(self.understand(sentence, earlier), sentence);
        let meanings = self.or_told(sentence, earlier, meanings);
        let meanings = self.or_without_asides(sentence, earlier, meanings);
        <[Meaning; 1]>::try_from(meanings).ok().map(|[only]| only)
    }
}

/// A plan that says what was taken as a remark.
fn with_remarks<'t>(mut meaning: Meaning, remarks: impl Iterator<Item = &'t str>) -> Meaning {
    let mut said: Vec<String> = remarks.map(taken_as_remark).collect();
    if let Meaning::Do(plan) | Meaning::Ask(plan) | Meaning::Tables { plan, .. } = &mut meaning
        && !said.is_empty()
    {
        said.extend(plan.values.get(ASIDES).and_then(|more| more.as_str()).map(str::to_owned));
        plan.values.insert(ASIDES.to_owned(), said.join(" ").into());
    }
    meaning
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_divided_into_its_sentences() {
        for (text, expected) in [
            (
                "the Rennie team just called, they cant make it. can you take BK-1012 out of the bookings?",
                vec!["the Rennie team just called", "they cant make it.", "can you take BK-1012 out of the bookings?"],
            ),
            (
                "releasing in an hour, so make the version in pyproject 1.4.0 pls",
                vec!["releasing in an hour", "so make the version in pyproject 1.4.0 pls"],
            ),
            ("write to a.txt: we won. The end", vec!["write to a.txt: we won. The end"]),
            ("delete the red, the blue and the green", vec!["delete the red, the blue and the green"]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }
}
