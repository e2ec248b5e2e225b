//! Whole conversations over the socket, checked against what was recorded of them: `tests/conversations/<name>.jsonl`.
//! They show that a change which should change nothing changes nothing, and which words another one changes.
//!
//! Record anew: `SWITCHBOARD_RECORD=1 cargo test -p switchboard-tests --all-features --test suite conversations`, with the
//! program built first (`cargo build --workspace --all-features`); `git diff tests/conversations` is then the list of what
//! differs. Without the variable, the same command compares, and prints what differs.
//!
//! A line is a frame of the server as it came, its fields in their order; or what the player did: `{"sent": …}` is a frame of
//! the client, `{"connects": …}` a socket that was opened and took the place of the one before, `{"http": …}` a request with
//! its answer, `{"file": …}` a file that was written beside the server, `{"model": …}` what the scripted model was asked
//! (its messages, the names of its tools and of the schema).
//!
//! What is not the same from run to run is named ([`normal`]): ids become `<call-1>` in the order in which they first come,
//! times `<time>`, durations `<ms>`, today's date `<day>`, ports `<port>`, folders `<workspace>` and the like. Three orders
//! belong to the scheduler and are made one ([`order`]):
//! - Pieces (`agent-delta`, `tool-output-chunk`) are joined: one line for each reply, before its turn's next kept frame,
//!   and one for each output of a call, before the call's end. Where a piece ended is not kept.
//! - Calls that a model makes side by side are told one after the other, in the order of their tools and arguments; each
//!   one's start, approval, end and variables stay together and in order, and the numbers (`seq`) are given out again. What
//!   the model is then asked (`native-side-by-side`) has the variables in the order in which the calls ended: not recorded.
//! - Frames that come after a turn's end come before whatever the client does next: the player asks for the context and
//!   waits for the answer before it does anything. That question and its answer are not recorded.
//!
//! Nothing else is left out or sorted. What keeps the commands of this machine is named too: `<sandbox>`.

mod agents;
mod approvals;
mod commands;
mod context;
mod documented;
mod errors;
mod mcp;
mod models;
mod normal;
mod order;
mod player;
mod record;
mod script;
mod sessions;
mod turns;
mod words;

use std::collections::BTreeSet;

use script::{Conversation, Stage};

/// Each stage with the conversations on it.
fn all() -> Vec<(Stage, Vec<Conversation>)> {
    [
        documented::played(),
        words::played(),
        context::played(),
        commands::played(),
        approvals::played(),
        turns::played(),
        errors::played(),
        sessions::played(),
        agents::played(),
        mcp::played(),
        models::played(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn there_are_enough_conversations_and_each_record_has_its_own() {
    let stages = all();
    let names: Vec<&str> = stages.iter().flat_map(|(_, played)| played).map(|one| one.name.as_str()).collect();

    let different: BTreeSet<String> = names.iter().map(|name| format!("{name}.jsonl")).collect();
    let recorded = std::fs::read_dir(record::folder()).into_iter().flatten().flatten();
    let recorded: BTreeSet<String> = recorded.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let unused: Vec<&String> = recorded.difference(&different).collect();

    assert!(names.len() >= 80, "{} conversations", names.len());
    assert_eq!(different.len(), names.len(), "two have the same name");
    assert!(unused.is_empty(), "delete what is a record of nothing: {unused:?}");
}
