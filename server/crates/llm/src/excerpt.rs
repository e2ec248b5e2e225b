//! What foreign text looks like in an error: short, on one line, without what may be a key.

use switchboard_runtime::redact;

use super::calls::beginning;

/// The longest excerpt.
const MAX_BYTES: usize = 500;

/// The beginning of a text.
pub(super) fn excerpt(text: &str) -> String {
    // What is cut off may be half a key: redact first, and no more of a long text than is needed.
    let text = redact(beginning(text, 4 * MAX_BYTES));
    let mut line = String::with_capacity(MAX_BYTES);
    for word in text.split(|sign: char| sign.is_whitespace() || sign.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > MAX_BYTES {
            return format!("{}…", beginning(&line, MAX_BYTES));
        }
    }
    line
}
