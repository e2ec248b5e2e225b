//! Text about calls: short forms for messages and cards. Whatever leaves here can be shown in a terminal or a page: no
//! control characters, no escape sequences, no text that turns the reading direction.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// The longest value in a call's short form, in characters.
const MAX_VALUE_CHARS: usize = 60;

/// How many arguments a call's short form names.
const MAX_ARGUMENTS: usize = 6;

/// The longest line of a preview, in characters.
const MAX_LINE_CHARS: usize = 200;

/// A call in short: `file_read(file_paths=["a.txt"], limit=10)`; long values are cut.
#[must_use]
pub fn call_text(tool: &str, arguments: &Map<String, Value>) -> String {
    let mut parts: Vec<String> = arguments
        .iter()
        .take(MAX_ARGUMENTS)
        .map(|(name, value)| format!("{}={}", sanitize_line(name), value_text(value)))
        .collect();
    if arguments.len() > MAX_ARGUMENTS {
        parts.push("…".to_owned());
    }
    format!("{tool}({})", parts.join(", "))
}

/// A value in short, as JSON.
fn value_text(value: &Value) -> String {
    match value {
        // Cut before quoting, so that the closing quote stays and a large text is not copied.
        Value::String(text) => Value::String(cut(text, MAX_VALUE_CHARS).into_owned()).to_string(),
        other => sanitize_line(&cut(&other.to_string(), MAX_VALUE_CHARS)),
    }
}

/// At most `max` characters, with `…` for what was cut.
#[must_use]
pub fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// At most about `max` bytes: the beginning and the end, and between them how much there is in all.
#[must_use]
pub fn head_and_tail(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return Cow::Borrowed(text);
    }
    let head = text.floor_char_boundary(max / 2);
    let tail = text.ceil_char_boundary(text.len() - max / 2);
    let left_out = tail - head;
    Cow::Owned(format!("{}\n… {left_out} of {} bytes left out here …\n{}", &text[..head], text.len(), &text[tail..]))
}

/// One line that can be shown anywhere: control characters gone, at most 200 characters.
#[must_use]
pub fn sanitize_line(text: &str) -> String {
    let cleaned = Sanitizer::default().push(&cut(text, 4 * MAX_LINE_CHARS));
    let line: String = cleaned.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c }).collect();
    cut(line.trim_end(), MAX_LINE_CHARS).into_owned()
}

/// The text without control characters and escape sequences; line ends and tabs stay.
#[must_use]
pub fn sanitize(text: &str) -> String {
    Sanitizer::default().push(text)
}

/// Whether a reader cannot see the character, though it may change what is read: control characters but line ends and
/// tabs, what turns the reading direction, marks without width, letters that are blank, tags.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control(),
    }
}

/// The first `max` lines, each one cleaned; the last says how many more there are.
#[must_use]
pub fn preview_lines(text: &str, max: usize) -> Vec<String> {
    let total = text.lines().count();
    let shown = if total > max { max.saturating_sub(1) } else { total };
    let mut lines: Vec<String> = text.lines().take(shown).map(sanitize_line).collect();
    if total > shown && max > 0 {
        lines.push(format!("… {} more lines", total - shown));
    }
    lines
}

/// `1 file`, `2 files`.
#[must_use]
pub fn counted(count: impl Into<u64>, what: &str) -> String {
    let count = count.into();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Takes escape sequences and control characters out of text that comes in pieces.
#[derive(Debug, Default)]
pub struct Sanitizer {
    state: Sequence,
}

/// Where in an escape sequence the text is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Sequence {
    /// In none.
    #[default]
    Outside,
    /// A carriage return came: a line end follows, or it was one itself.
    Return,
    /// Behind ESC.
    Escape,
    /// `ESC [ …` up to a letter.
    Control,
    /// `ESC ] …` and its like, up to BEL or `ESC \`, for so many more characters at most.
    Text(u16),
}

impl Sanitizer {
    /// The next piece, cleaned.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            self.state = self.step(c, &mut out);
        }
        out
    }

    fn step(&self, c: char, out: &mut String) -> Sequence {
        match (self.state, c) {
            (Sequence::Return, '\n') => {
                out.push('\n');
                Sequence::Outside
            }
            (Sequence::Return, _) => {
                out.push('\n');
                plain(c, out)
            }
            (Sequence::Escape, '[') => Sequence::Control,
            (Sequence::Escape, ']' | 'P' | 'X' | '^' | '_') => Sequence::Text(4096),
            (Sequence::Escape, '(' | ')' | '#' | ' ') => Sequence::Escape,
            (Sequence::Escape, '\u{20}'..='\u{7e}') => Sequence::Outside,
            (Sequence::Control, '\u{20}'..='\u{3f}') => Sequence::Control,
            (Sequence::Control, '\u{40}'..='\u{7e}') => Sequence::Outside,
            (Sequence::Text(_), '\u{7}' | '\u{9c}') => Sequence::Outside,
            (Sequence::Text(_), '\u{1b}') => Sequence::Escape,
            (Sequence::Text(left @ 1..), _) => Sequence::Text(left - 1),
            (Sequence::Outside | Sequence::Escape | Sequence::Control | Sequence::Text(0), c) => plain(c, out),
        }
    }
}

fn plain(c: char, out: &mut String) -> Sequence {
    match c {
        '\u{1b}' => return Sequence::Escape,
        '\u{9b}' => return Sequence::Control,
        '\r' => return Sequence::Return,
        '\n' | '\t' => out.push(c),
        // Control pictures: a control character is seen and does nothing.
        '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
        '\u{7f}' => out.push('\u{2421}'),
        '\u{80}'..='\u{9f}' => out.push('\u{fffd}'),
        // They turn the reading direction or are not seen at all.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => out.push('\u{fffd}'),
        c => out.push(c),
    }
    Sequence::Outside
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn a_call_in_short_names_its_arguments_and_cuts_long_ones() {
        let long = "x".repeat(100);
        let arguments = map(json!({"path": "a \"b\"", "limit": 3, "content": long}));

        let text = call_text("file_write", &arguments);

        let cut = "x".repeat(60);
        assert_eq!(text, format!("file_write(path=\"a \\\"b\\\"\", limit=3, content=\"{cut}…\")"));
    }

    #[test]
    fn a_call_in_short_never_names_more_than_six_arguments() {
        let arguments = map(json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}));

        assert_eq!(call_text("t", &arguments), "t(a=1, b=2, c=3, d=4, e=5, f=6, …)");
    }

    #[test]
    fn escape_sequences_and_control_characters_do_nothing() {
        let given = "a\u{1b}[31mred\u{1b}[0m\u{1b}]52;c;secret\u{7}b\u{0}c\u{202e}d\re\r\nf\tg";

        assert_eq!(sanitize(given), "aredb\u{2400}c\u{fffd}d\ne\nf\tg");
    }

    #[test]
    fn an_escape_sequence_cut_between_pieces_is_still_taken_out() {
        let mut cleaner = Sanitizer::default();

        let cleaned: Vec<String> = ["a\u{1b}", "[3", "1mb\r", "\nc"].map(|piece| cleaner.push(piece)).into();

        assert_eq!(cleaned, ["a", "", "b", "\nc"]);
    }

    #[test]
    fn preview_lines_say_how_many_more_there_are() {
        assert_eq!(preview_lines("a\nb\nc", 3), ["a", "b", "c"]);
        assert_eq!(preview_lines("a\nb\nc\nd", 3), ["a", "b", "… 2 more lines"]);
        assert_eq!(preview_lines("", 3), Vec::<String>::new());
    }

    #[test]
    fn head_and_tail_are_cut_between_characters() {
        let text = "ä".repeat(100);

        let short = head_and_tail(&text, 21);

        assert_eq!(short, format!("{}\n… 180 of 200 bytes left out here …\n{}", "ä".repeat(5), "ä".repeat(5)));
        assert_eq!(head_and_tail("short", 21), "short");
    }
}
