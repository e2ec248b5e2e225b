//! A change without what is said beside it: a reason in front ("people can't upload, so allow 64 megabytes"), and behind it
//! what is to stay as it is.

use switchboard_nlu::{Risk, SlotValue};

use super::asides::{ASIDES, Asides, is_single_change, spare, taken_as_remark};
use super::gather::only_whole;
use super::meaning::Meaning;
use super::mind::Mind;

/// How many things that are to stay a message names at most.
const MOST: usize = 3;

/// A message without what is said beside its request.
#[derive(Debug, PartialEq, Eq)]
struct Parted<'t> {
    request: &'t str,
    reason: Option<&'t str>,
    spared: Vec<&'t str>,
}

impl<'t> Parted<'t> {
    /// The parts of a message that has asides.
    fn read(text: &'t str) -> Option<Self> {
        let asides = Asides::get();
        let mut parted = Self { request: text.trim(), reason: None, spared: Vec::new() };
        while let Some(at) = parted.request.trim_end_matches(['.', '!', ' ']).rfind(['.', ',', ';', '!']) {
            let (before, tail) = (&parted.request[..at], parted.request[at + 1..].trim());
            // A full stop divides only before a blank: not `a.txt`.
            let divides = parted.request[at + 1..].starts_with(' ') && parted.spared.len() < MOST;
            let Some(spared) = asides.spared(tail).filter(|_| divides) else { break };
            parted.spared.push(spared);
            parted.request = before.trim_end();
        }
        if let Some(found) = asides.reason.captures(parted.request)
            && let (Some(remark), Some(rest)) = (found.name("remark"), found.name("rest"))
            && asides.is_plain(remark.as_str())
            && !remark.as_str().contains(|c: char| c.is_ascii_digit())
            && !asides.leans.is_match(rest.as_str())
        {
            parted.reason = Some(remark.as_str());
            parted.request = rest.as_str();
        }
        (parted.reason.is_some() || !parted.spared.is_empty()).then_some(parted)
    }
}

impl Parted<'_> {
    /// Tells a change, and what it is otherwise, what is said beside it; nothing if what is to stay is what it names.
    fn add_to(&self, meaning: &mut Meaning) -> Option<()> {
        let (plan, otherwise) = match meaning {
            Meaning::Do(plan) => (plan, None),
            Meaning::Tables { plan, otherwise } => (plan, Some(otherwise)),
            _ => return Some(()),
        };
        let mut said: Vec<String> = self.reason.iter().map(|reason| taken_as_remark(reason)).collect();
        for spared in &self.spared {
            said.push(spare(plan, spared)?);
        }
        said.dedup();
        plan.values.insert(ASIDES.to_owned(), said.join(" ").into());
        otherwise.into_iter().flatten().try_for_each(|meaning| self.add_to(meaning))
    }
}

impl Mind<'_> {
    /// The meanings of a message, or, if they are not sure, the one change that it asks for without what is said beside.
    pub(super) fn or_without_asides(&self, text: &str, earlier: &[String], meanings: Vec<Meaning>) -> Vec<Meaning> {
        let told = |meaning: &Meaning| matches!(meaning, Meaning::Tables { plan, .. } if plan.risk == Risk::Write);
        let asks = |meaning: &Meaning| matches!(meaning, Meaning::Tables { plan, .. } if plan.risk <= Risk::Read);
        if meanings.iter().all(Meaning::is_sure) || meanings.iter().any(asks) || text.contains('?') {
            return meanings;
        }
        let Some(parted) = Parted::read(text) else { return meanings };
        let request = &*Asides::get().with_its_noun(parted.request, parted.reason);
        let refers = |value: &SlotValue| matches!(value, SlotValue::Reference { .. });
        if self.engine.entities(request, self.world).iter().any(|entity| refers(&entity.value)) {
            return meanings;
        }
        let alone = only_whole(self.understand(request, earlier), request);
        let alone = self.or_told(request, earlier, alone);
        let changes = match alone.as_slice() {
            [Meaning::Do(plan)] => is_single_change(plan) || (plan.risk == Risk::Write && parted.spared.is_empty()),
            [only] => told(only),
            _ => false,
        };
        let Some(mut meant) = alone.into_iter().next().filter(|_| changes) else { return meanings };
        if parted.add_to(&mut meant).is_none() {
            return meanings;
        }
        // The whole message may be told of one place, with what seems to be said beside ("420 now, not 395"); but never of
        // one that is to stay.
        let names_some = parted.spared.iter().any(|spared| !spared.contains(|c: char| c.is_ascii_digit()));
        match meanings.as_slice() {
            [only @ Meaning::Tables { otherwise, .. }] if told(only) && names_some => {
                vec![or_else(meant, otherwise.clone())]
            }
            [only @ Meaning::Tables { plan, otherwise }] if told(only) => {
                let otherwise = vec![or_else(meant, otherwise.clone())];
                vec![Meaning::Tables { plan: plan.clone(), otherwise }]
            }
            _ => vec![or_else(meant, meanings)],
        }
    }
}

/// A change, or, if it cannot be made, what the whole message means.
pub(super) fn or_else(change: Meaning, whole: Vec<Meaning>) -> Meaning {
    match change {
        Meaning::Tables { plan, otherwise } => {
            let otherwise = match otherwise.into_iter().next() {
                Some(other @ Meaning::Tables { .. }) => vec![or_else(other, whole)],
                _ => whole,
            };
            Meaning::Tables { plan, otherwise }
        }
        Meaning::Do(plan) => Meaning::Tables { plan, otherwise: whole },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_without_what_is_said_beside() {
        for (text, request, reason, spared) in [
            (
                "people can't upload long shows, allow 64 megabytes in nginx",
                "allow 64 megabytes in nginx",
                Some("people can't upload long shows"),
                vec![],
            ),
            ("cone 05 should be 1046, cone 5 is right", "cone 05 should be 1046", None, vec!["cone 5"]),
            (
                "set the port to 80. the other ports stay as they are",
                "set the port to 80",
                None,
                vec!["the other ports"],
            ),
        ] {
            let parted = Parted::read(text);

            assert_eq!(parted, Some(Parted { request, reason, spared }), "{text}");
        }
        for text in [
            "set it to 5 in a.txt",
            "the timeout is wrong, should be 50 instead of 60",
            "if it rains, set wet to yes",
            "on staging, set the port to 80",
        ] {
            assert_eq!(Parted::read(text), None, "{text}");
        }
    }
}
