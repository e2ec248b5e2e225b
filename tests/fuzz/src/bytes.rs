//! Bytes as texts that get further than the first character.

/// The most that is read of an input: more makes no new path, only a slow one.
const MAX_BYTES: usize = 512;

/// The bytes as text: below 128 as themselves, so that a fuzzer can spell; above as one of the parts.
pub(super) fn text(data: &[u8], parts: &[&str], between: &str) -> String {
    let mut text = String::new();
    for byte in data.iter().take(MAX_BYTES) {
        match byte.checked_sub(128) {
            Some(number) => {
                text.push_str(parts[usize::from(number) % parts.len()]);
                text.push_str(between);
            }
            None => text.push(char::from(*byte)),
        }
    }
    text
}
