//! What of the conversation a model would be given.
//!
//! Models refuse a call without its result and a result without its call, so the cut is made between groups: a
//! message, or a message with calls together with the results of all of them.

use std::collections::BTreeSet;

use super::engine::Kept;
use crate::events::ChatRole;

/// The messages of the window, oldest first: at most `limit`, but never less than the newest group and the first
/// request of the user.
pub(super) fn window(kept: &[Kept], limit: Option<usize>) -> impl Iterator<Item = &Kept> {
    let groups = groups(kept);
    let first = groups.iter().position(|group| group[0].message.role == ChatRole::User);
    let begin = match limit {
        None => 0,
        Some(limit) => first_that_fits(&groups, limit.saturating_sub(usize::from(first.is_some()))),
    };
    let request = first.filter(|&first| first < begin).map(|first| groups[first].clone());
    request.into_iter().chain(groups.into_iter().skip(begin)).flatten()
}

/// The number of the oldest group that is still inside.
fn first_that_fits(groups: &[Vec<&Kept>], limit: usize) -> usize {
    let mut room = limit;
    let mut begin = groups.len();
    while let Some(group) = begin.checked_sub(1).map(|number| &groups[number]) {
        let newest = begin == groups.len();
        if group.len() > room && !newest {
            break;
        }
        room = room.saturating_sub(group.len());
        begin -= 1;
    }
    begin
}

/// The messages in groups; calls that have no result, and results that have no call, are left out.
fn groups(kept: &[Kept]) -> Vec<Vec<&Kept>> {
    let mut groups = Vec::new();
    let mut messages = kept.iter().peekable();
    while let Some(first) = messages.next() {
        if first.message.role == ChatRole::Tool {
            continue;
        }
        let mut group = vec![first];
        let mut open: BTreeSet<_> = first.message.tool_calls.iter().map(|call| &call.id).collect();
        while let Some(result) = messages.next_if(|next| !open.is_empty() && next.message.role == ChatRole::Tool) {
            if result.message.tool_call_id.as_ref().is_some_and(|id| open.remove(id)) {
                group.push(result);
            }
        }
        if open.is_empty() {
            groups.push(group);
        }
    }
    groups
}
