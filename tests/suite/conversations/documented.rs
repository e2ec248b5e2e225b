//! Every row of docs/rules.md, each in a session of its own.

use std::path::Path;

use super::player::play;
use super::script::{Conversation, Stage, says};

/// How long the text of a row is in the name of its record.
const LONGEST: usize = 60;

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let document = std::fs::read_to_string(document).expect("docs/rules.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| *")).filter_map(|row| row.split_once("* |"));
    let conversations = rows.map(|(said, _)| {
        let said = said.replace("\\*", "*");
        says(format!("rules-{}", name(&said)), said.split("* then *"))
    });
    vec![(Stage::auto(), conversations.collect())]
}

fn name(said: &str) -> String {
    let signs = said.to_lowercase().replace(|sign: char| !sign.is_ascii_alphanumeric(), "-");
    let words: Vec<&str> = signs.split('-').filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(LONGEST);
    name.trim_end_matches('-').to_owned()
}

#[tokio::test]
async fn the_documented_requests_are_answered_as_recorded() {
    play(played()).await;
}
