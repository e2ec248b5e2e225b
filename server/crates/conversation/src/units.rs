//! The messages in units that a window takes or leaves: a message, or one with calls together with the results of all
//! of them, for models refuse a call without its result and a result without its call.
//!
//! A clone shares everything; adding a message copies a page of units at most, however long the conversation is.

use std::sync::Arc;

use switchboard_protocol::CallId;

use super::clip::{preview, usual_form};
use super::tokens::estimate;
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_runtime::Pages;

/// How many calls may wait for their result; older ones never get it.
const MAX_OPEN: usize = 256;

/// The conversation's units, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Units {
    units: Pages<Unit>,
    /// Calls without a result, and the units that they are in.
    open: Vec<(CallId, usize)>,
    /// The latest reply with calls, its unit, and where in it the calls stand that are there.
    reply: Option<(CallId, usize, Vec<u32>)>,
    messages: usize,
}

/// A message, or a message with calls and their results.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Unit {
    pub(super) kept: Vec<KeptMessage>,
    /// How many calls wait for their result.
    open: usize,
    /// No model can be given it: a result without call, or nothing at all.
    unfit: bool,
}

/// A message as it was said, and as a window usually has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptMessage {
    pub(super) whole: Form,
    /// The same, or a short form of a large one.
    pub(super) usual: Form,
    /// The event that brought it.
    pub(super) seq: u64,
}

/// A message with its number of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    pub(super) message: Arc<ChatMessage>,
    pub(super) tokens: u64,
}

impl Form {
    pub(super) fn of(message: ChatMessage) -> Self {
        let tokens = estimate(&message);
        Self { message: Arc::new(message), tokens }
    }
}

impl KeptMessage {
    fn new(message: ChatMessage, seq: u64) -> Self {
        let short = if message.role == ChatRole::Tool { preview(&message) } else { usual_form(&message) };
        let whole = Form::of(message);
        let usual = short.map_or_else(|| whole.clone(), Form::of);
        Self { whole, usual, seq }
    }
}

impl Unit {
    /// Whether a model can be given it.
    pub(super) fn fits_a_model(&self) -> bool {
        self.open == 0 && !self.unfit
    }

    pub(super) fn usual_tokens(&self) -> u64 {
        self.kept.iter().map(|kept| kept.usual.tokens).sum()
    }

    pub(super) fn whole_tokens(&self) -> u64 {
        self.kept.iter().map(|kept| kept.whole.tokens).sum()
    }

    /// Where a result belongs: for a model's reply in the order of its calls, however long each took; else at the end.
    fn place_of_result(&self, id: Option<&CallId>) -> usize {
        let end = self.kept.len();
        let Some(reply) = self.kept.first().map(|kept| &kept.whole.message).filter(|said| said.reply.is_some()) else {
            return end;
        };
        let order = |id: Option<&CallId>| reply.tool_calls.iter().position(|call| Some(&call.id) == id);
        let own = order(id);
        let later = |kept: &KeptMessage| order(kept.whole.message.tool_call_id.as_ref()) > own;
        self.kept.iter().skip(1).position(later).map_or(end, |at| at + 1)
    }

    /// The event that brought the last of it.
    pub(super) fn last_seq(&self) -> u64 {
        self.kept.iter().map(|kept| kept.seq).max().unwrap_or(0)
    }
}

#[cfg(test)]
thread_local! {
    /// How many units were looked at, for the test that holds a window's cost.
    pub(super) static LOOKS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Units {
    /// How many units there are.
    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// How many messages there are.
    pub(super) fn messages(&self) -> usize {
        self.messages
    }

    pub(super) fn get(&self, place: usize) -> Option<&Unit> {
        #[cfg(test)]
        LOOKS.set(LOOKS.get() + 1);
        self.units.get(place)
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Unit> {
        self.units.iter()
    }

    /// Takes a message; the place of its unit. A call of a reply that has a unit joins it: models are given their replies
    /// as they wrote them.
    pub(super) fn add(&mut self, message: ChatMessage, seq: u64) -> usize {
        if let Some(place) = self.joined(&message) {
            return place;
        }
        self.messages += 1;
        if message.role == ChatRole::Tool
            && let Some(place) = message.tool_call_id.as_ref().and_then(|id| self.answered(id))
            && let Some(unit) = self.units.get_mut(place)
        {
            unit.open -= 1;
            let at = unit.place_of_result(message.tool_call_id.as_ref());
            unit.kept.insert(at, KeptMessage::new(message, seq));
            return place;
        }
        let place = self.len();
        if let Some(part) = &message.reply {
            self.reply = Some((part.id.clone(), place, vec![part.place]));
        }
        let mut unit = Unit::default();
        for (number, call) in message.tool_calls.iter().enumerate() {
            unit.unfit |= message.tool_calls[..number].iter().any(|earlier| earlier.id == call.id);
            unit.open += 1;
            self.open.push((call.id.clone(), place));
        }
        let surplus = self.open.len().saturating_sub(MAX_OPEN);
        self.open.drain(..surplus);
        let empty = message.content.is_blank() && message.tool_calls.is_empty();
        unit.unfit |= message.role == ChatRole::Tool || empty;
        unit.kept.push(KeptMessage::new(message, seq));
        self.units.push(unit);
        place
    }

    /// The unit of the reply that this call is part of, which has the call now.
    fn joined(&mut self, message: &ChatMessage) -> Option<usize> {
        let (part, call) = (message.reply.as_ref()?, message.tool_calls.first()?);
        let (_, place, places) = self.reply.as_mut().filter(|(reply, ..)| *reply == part.id)?;
        let unit = self.units.get_mut(*place)?;
        let first = unit.kept.first_mut()?;
        let at = places.partition_point(|other| *other < part.place);
        let mut whole = ChatMessage::clone(&first.whole.message);
        whole.tool_calls.insert(at, call.clone());
        *first = KeptMessage::new(whole, first.seq);
        unit.open += 1;
        places.insert(at, part.place);
        self.open.push((call.id.clone(), *place));
        Some(*place)
    }

    /// The unit whose call has its result now.
    fn answered(&mut self, id: &CallId) -> Option<usize> {
        let at = self.open.iter().rposition(|(open, _)| open == id)?;
        Some(self.open.remove(at).1)
    }
}
