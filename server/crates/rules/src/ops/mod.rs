//! What an intent's data can name: replies made from what steps gave, and edits of texts that were read. OPERATIONS.md
//! lists them with their slots.

mod along;
mod amounts;
mod cells;
mod change;
mod code;
mod columns;
mod commands;
mod counts;
mod dates;
mod digest;
mod done;
mod edited;
mod edits;
mod entries;
mod files;
mod fits;
mod items;
mod keys;
mod kin;
mod lines;
mod listing;
mod lookups;
mod memory;
mod names;
mod numbers;
mod outline;
mod passages;
mod places;
mod record_edits;
mod records;
mod row_entry;
mod row_places;
mod row_told;
mod row_values;
mod row_ways;
mod rows;
mod said;
mod settings;
mod shape;
mod show;
mod slots;
mod spots;
mod text;
mod told;
mod told_ways;
mod unmade;
mod windows;
mod wishes;

use serde_json::{Map, Value};

use done::Reply;
use edited::Edit;

pub(crate) use change::{Change, arguments, gone_or_moved};
pub(crate) use commands::takes_failures;
pub(crate) use digest::IN_SHORT;
pub(crate) use done::{Done, Stepped, WHETHER};
pub(crate) use edited::Edited;
pub(crate) use kin::{all_kin, kin_of, month_in, pattern_of_day, with_days};
pub(crate) use listing::entries;
pub(crate) use outline::{kin_stems, kin_words, word_stems};
pub(crate) use passages::{FOUND, LIGHT, Sought, UNSURE, lines_shown};
pub(crate) use row_told::tells_row;
pub(crate) use settings::{plain, value_called};
pub(crate) use shape::counted;
pub(crate) use show::{block, cut_line, inline, sentence};
pub(crate) use slots::{Slots, Used, as_text, listed, text_of};
pub(crate) use told::{
    Telling, Untold, change_again, change_shown, change_told, is_aside, is_only_a_value, tells_more_than_words, wants,
    wishes,
};
pub(crate) use unmade::Unmade;

/// The reply of that name.
pub(crate) fn reply(name: &str) -> Option<Reply> {
    let all = [
        text::REPLIES,
        counts::REPLIES,
        lookups::REPLIES,
        files::REPLIES,
        commands::REPLIES,
        numbers::REPLIES,
        dates::REPLIES,
        memory::REPLIES,
        passages::REPLIES,
        windows::REPLIES,
    ];
    all.into_iter().flatten().find(|(own, _)| *own == name).map(|(_, reply)| *reply)
}

/// Whether a reply is about a text or value, which the slots do not give.
pub(crate) fn needs_value(name: &str, values: &Map<String, Value>) -> bool {
    let of = |replies: &[(&str, Reply)]| replies.iter().any(|(own, _)| *own == name);
    let given = ["text", "numbers"].iter().any(|slot| values.contains_key(*slot));
    let listed =
        matches!(name, "list" | "matches" | "count_matches" | "files_with" | "command_output" | "count_output");
    of(text::REPLIES)
        || of(counts::REPLIES)
        || of(lookups::REPLIES)
        || listed
        || (matches!(name, "convert_text" | "of_numbers") && !given)
}

/// Whether a reply tells a tool's value as it is.
pub(crate) fn gives_its_value(name: &str) -> bool {
    ["show", "recall", "calculate", "convert", "command_output", "list", "matches", "remembered", "time"]
        .contains(&name)
}

/// The edit of that name.
pub(crate) fn edit(name: &str) -> Option<Edit> {
    let all = [
        edits::EDITS,
        lines::EDITS,
        keys::EDITS,
        code::EDITS,
        cells::EDITS,
        columns::EDITS,
        items::EDITS,
        record_edits::EDITS,
        row_entry::EDITS,
        row_told::EDITS,
    ];
    all.into_iter().flatten().find(|(own, _)| *own == name).map(|(_, edit)| *edit)
}
