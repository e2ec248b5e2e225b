//! What requests want changed.

use super::*;

fn read(request: &str) -> Option<String> {
    let wish = Wish::read(request)?;
    let value = |said: &Said| format!("{:?} {}", said.role, said.text);
    let words: Vec<&str> = wish.words.iter().filter(|word| !word.optional).map(|word| word.text.as_str()).collect();
    Some(format!("{}: {}", wish.values.iter().map(value).collect::<Vec<_>>().join(", "), words.join(" ")))
}

#[test]
fn old_and_new_values_and_the_words_for_the_place_are_told_apart() {
    for (request, expected) in [
        ("the port moves from 8450 to 8460", "Old 8450, New 8460: port"),
        ("pillow 11.0.0 please, instead of 10.4.0", "Any 11.0.0, Old 10.4.0: pillow"),
        ("rendering may take 60 s, no longer 45", "Any 60, Old 45: rendering"),
        ("3 retries at the barrier are too few, 5 please", "Old 3, Any 5: retries barrier"),
        ("the accent colour becomes #2a6f97", "New #2a6f97: accent colour"),
        ("diesel on Wednesdays instead of Tuesdays", "Old Tuesdays, New Wednesdays: diesel"),
        ("keep_days in backup.yml up a week", "Step(1.0) 1: keep_days backup.yml"),
        ("take 20 off Tom Okafor's fee, but only if he's a junior", "Step(-1.0) 20: Tom Okafor fee but only if junior"),
        ("nginx on both checked, tick that in the shop runbook", "New  checked: nginx shop runbook"),
        ("what is the port?", ""),
        ("show the first 20 lines", ""),
    ] {
        assert_eq!(read(request).unwrap_or_default(), expected, "{request}");
    }
}
