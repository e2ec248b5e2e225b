//! What of the conversation a model is given: the first request, the request that is being answered, and as many of the
//! newest units as there is room for, in the order in which they were said.
//!
//! The walk goes from the newest unit back and ends where the room does, so it never goes over the whole conversation.

use std::sync::Arc;

use super::clip::clip;
use super::summary::Summary;
use super::units::{Form, KeptMessage, Unit, Units};
use switchboard_events::{ChatMessage, ChatRole};

/// What a window may hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Tokens of all messages together.
    pub(super) tokens: u64,
    /// How many messages, if that is limited.
    pub(super) messages: Option<usize>,
}

/// What a model is given.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) messages: Vec<Arc<ChatMessage>>,
    /// All their tokens.
    pub(super) tokens: u64,
    /// The first unit of those that reach to the end without a gap.
    pub(super) begin: usize,
}

/// Where the conversation is, and what must be in every window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversation<'a> {
    pub(super) units: &'a Units,
    /// The user's first request.
    pub(super) first: Option<usize>,
    /// The user's last request.
    pub(super) request: Option<usize>,
    pub(super) summary: Option<&'a Summary>,
}

/// The window of a conversation.
pub(super) fn window(conversation: Conversation<'_>, room: Room) -> Window {
    let mut walk = Walk::new(conversation, room);
    walk.take_requests();
    walk.take_newest();
    walk.finish()
}

struct Walk<'a> {
    conversation: Conversation<'a>,
    room: Room,
    left: u64,
    messages_left: Option<usize>,
    /// Tokens of the units of the running turn that were not walked over yet, in their usual form.
    fresh: u64,
    first: Vec<Form>,
    request: Vec<Form>,
    /// From the newest back, each unit's messages in order.
    newest: Vec<Vec<Form>>,
    begin: usize,
}

impl<'a> Walk<'a> {
    fn new(conversation: Conversation<'a>, room: Room) -> Self {
        Self {
            conversation,
            room,
            left: room.tokens,
            messages_left: room.messages,
            fresh: usual_tokens_after(conversation),
            first: Vec::new(),
            request: Vec::new(),
            newest: Vec::new(),
            begin: conversation.units.len(),
        }
    }

    /// The first request with the summary of what is left out, and the last one: each in a quarter of the room at most.
    fn take_requests(&mut self) {
        let Conversation { units, first, request, summary } = self.conversation;
        if let Some(unit) = first.and_then(|place| units.get(place)) {
            self.first = self.at_most(unit, self.room.tokens / 4);
            if let Some((summary, bare)) = summary.zip(self.first.first()) {
                let first = with_summary(bare, summary, self.room.tokens / 8);
                self.spend(first.tokens.saturating_sub(bare.tokens), 0);
                self.first = vec![first];
            }
        }
        if let Some(unit) = request.filter(|_| request != first).and_then(|place| units.get(place)) {
            self.request = self.at_most(unit, self.room.tokens / 4);
        }
    }

    /// A unit in its usual form, or cut to `limit` tokens.
    fn at_most(&mut self, unit: &Unit, limit: u64) -> Vec<Form> {
        let forms: Vec<Form> = match unit.usual_tokens() <= limit {
            true => unit.kept.iter().map(|kept| kept.usual.clone()).collect(),
            false => cut(unit, limit),
        };
        self.spend_all(&forms);
        forms
    }

    fn take_newest(&mut self) {
        let Conversation { units, first, request, summary } = self.conversation;
        let end = first.map_or(0, |first| first + 1);
        let summarised = summary.map_or(0, |summary| summary.to_seq);
        let mut newest = true;
        while self.begin > end {
            let place = self.begin - 1;
            let Some(unit) = units.get(place) else { break };
            if unit.last_seq() <= summarised && !newest {
                break;
            }
            if request == Some(place) {
                self.newest.push(std::mem::take(&mut self.request));
                newest = false;
            } else if unit.fits_a_model() {
                let Some(forms) = self.form(unit, place, newest) else { break };
                self.spend_all(&forms);
                self.newest.push(forms);
                newest = false;
            }
            self.begin = place;
        }
    }

    /// The unit as it can stand here: whole in the running turn while that leaves room for the turn's older ones, which are
    /// cut first, else in its usual form; the newest is cut to what is left, all others end the walk.
    fn form(&mut self, unit: &Unit, place: usize, newest: bool) -> Option<Vec<Form>> {
        if self.messages_left.is_some_and(|left| unit.kept.len() > left) && !newest {
            return None;
        }
        let (whole, usual) = (unit.whole_tokens(), unit.usual_tokens());
        let fresh = self.conversation.request.is_some_and(|request| place > request);
        if fresh {
            self.fresh = self.fresh.saturating_sub(usual);
        }
        if fresh && whole + self.fresh <= self.left {
            return Some(unit.kept.iter().map(|kept| kept.whole.clone()).collect());
        }
        if usual <= self.left {
            return Some(unit.kept.iter().map(|kept| kept.usual.clone()).collect());
        }
        // A unit of very many calls may be too much even so.
        newest.then(|| cut(unit, self.left)).filter(|forms| tokens(forms) <= self.left)
    }

    fn spend_all(&mut self, forms: &[Form]) {
        self.spend(tokens(forms), forms.len());
    }

    fn spend(&mut self, tokens: u64, messages: usize) {
        self.left = self.left.saturating_sub(tokens);
        self.messages_left = self.messages_left.map(|left| left.saturating_sub(messages));
    }

    fn finish(self) -> Window {
        let newest = self.newest.into_iter().rev().flatten();
        let forms: Vec<Form> = self.first.into_iter().chain(self.request).chain(newest).collect();
        Window {
            tokens: tokens(&forms),
            messages: forms.into_iter().map(|form| form.message).collect(),
            begin: self.begin,
        }
    }
}

/// The tokens of all units behind the last request in their usual form.
fn usual_tokens_after(conversation: Conversation<'_>) -> u64 {
    let Conversation { units, request, .. } = conversation;
    let Some(request) = request else { return 0 };
    (request + 1..units.len()).filter_map(|place| units.get(place)).map(Unit::usual_tokens).sum()
}

fn tokens(forms: &[Form]) -> u64 {
    forms.iter().map(|form| form.tokens).sum()
}

/// The unit's messages, cut so that all of them have about `limit` tokens together.
fn cut(unit: &Unit, limit: u64) -> Vec<Form> {
    let share = limit / unit.kept.len().max(1) as u64;
    let cut = |kept: &KeptMessage| match kept.usual.tokens <= share {
        true => kept.usual.clone(),
        false => Form::of(clip(&kept.usual.message, share)),
    };
    unit.kept.iter().map(cut).collect()
}

/// The first request with the summary behind it: a message of its own would be a second one of the user in a row, which
/// some models refuse.
fn with_summary(first: &Form, summary: &Summary, limit: u64) -> Form {
    let note = format!(
        "[Summary of what was said and done after this point, in place of messages that no longer fit]\n{}\n[End of \
         the summary]",
        summary.text
    );
    let note = clip(&ChatMessage::new(ChatRole::User, note), limit);
    let mut first = (*first.message).clone();
    first.content.push_text("\n\n");
    first.content.push_text(note.content.text());
    Form::of(first)
}
