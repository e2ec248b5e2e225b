//! What clients send: the text of a frame.

use serde_json::Value;

use super::bytes::text;
use super::edits::edit;

/// A frame of each type.
const FRAMES: [&str; 13] = [
    include_str!("../../../protocol/fixtures/answer-query.json"),
    include_str!("../../../protocol/fixtures/approve-tool.json"),
    include_str!("../../../protocol/fixtures/call-tool.json"),
    include_str!("../../../protocol/fixtures/cancel.json"),
    include_str!("../../../protocol/fixtures/clear-context.json"),
    include_str!("../../../protocol/fixtures/delete-variable.json"),
    include_str!("../../../protocol/fixtures/get-context.json"),
    include_str!("../../../protocol/fixtures/ping.json"),
    include_str!("../../../protocol/fixtures/rename-variable.json"),
    include_str!("../../../protocol/fixtures/send-message.json"),
    include_str!("../../../protocol/fixtures/set-title.json"),
    include_str!("../../../protocol/fixtures/set-variable.json"),
    include_str!("../../../protocol/fixtures/window-closed.json"),
];

/// What is put into the text of a frame.
const PARTS: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "1e999",
    "-0",
    "\u{feff}",
    "ß",
    "\\ud800",
    " ",
    "[[[[[[[[[[[[[[[[",
];

/// A text is refused in words, or it is a frame, which is written and read back as it is; whether it is one.
pub fn frames(data: &[u8]) -> bool {
    let Some(([which, splice], rest)) = data.split_first_chunk() else { return false };
    let mut frame: Value = serde_json::from_str(FRAMES[usize::from(*which) % FRAMES.len()]).expect("JSON");
    let (edits, spliced) = rest.split_at(rest.len().min(6));
    edits.chunks_exact(2).for_each(|pair| edit(&mut frame, pair[0], pair[1]));
    let mut sent = frame.to_string();
    if splice % 4 == 0 {
        let place = usize::from(*splice) * 7 % (sent.len() + 1);
        let place = (place..=sent.len()).find(|at| sent.is_char_boundary(*at)).unwrap_or_default();
        sent.insert_str(place, &text(spliced, &PARTS, ""));
    }
    let Ok(frame) = switchboard::socket::decode(&sent) else { return false };
    let written = serde_json::to_string(&frame).expect("a frame is JSON");
    assert_eq!(switchboard::socket::decode(&written).ok(), Some(frame), "{written}");
    true
}
