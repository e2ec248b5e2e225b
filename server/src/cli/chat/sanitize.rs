//! Makes text from the server harmless before a terminal sees it: tools print what files and programs contain, and an
//! escape sequence in there could move the cursor, rewrite what was shown or worse.

use std::iter::Peekable;
use std::str::Chars;

use switchboard_tools::text::is_unseen;

/// Spaces that stand for a tab.
const TAB: &str = "    ";

/// The text with everything that cannot be seen shown as a sign, as the page shows it; newlines stay. For what has to be
/// seen exactly as it is, such as the arguments that somebody is asked to allow.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        push_visible(&mut shown, character, rest.peek().copied());
    }
    shown
}

/// The text without escape sequences, and what is left of control characters shown as signs. For output of programs,
/// which is full of colors.
pub(super) fn without_escapes(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let mut ahead = rest.clone();
        match character {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\x1b' if skip_sequence(&mut ahead) => rest = ahead,
            '\u{9b}' if skip_csi(&mut ahead) => rest = ahead,
            _ => push_visible(&mut shown, character, rest.peek().copied()),
        }
    }
    shown
}

/// One line of at most `limit` characters, for titles and previews; what is cut is marked.
pub(in crate::cli) fn short(text: &str, limit: usize) -> String {
    let line = visible(text).replace('\n', " ");
    if line.chars().count() <= limit {
        return line;
    }
    let kept: String = line.chars().take(limit.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Shows one character between what is shown and what comes next.
fn push_visible(shown: &mut String, character: char, next: Option<char>) {
    match character {
        '\n' => shown.push('\n'),
        '\t' => shown.push_str(TAB),
        '\0'..='\x1f' => shown.push(sign_of(character)),
        '\x7f' => shown.push('␡'),
        JOINER if shown.chars().next_back().is_some_and(is_picture) && next.is_some_and(is_picture) => {
            shown.push(JOINER);
        }
        _ if is_unseen(character) => shown.push_str(&format!("[U+{:04X}]", u32::from(character))),
        _ => shown.push(character),
    }
}

/// Between two pictures it makes one of them: 👩‍💻.
const JOINER: char = '\u{200d}';

fn is_picture(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// The picture of a control character, such as `␛`.
fn sign_of(control: char) -> char {
    char::from_u32(0x2400 + u32::from(control)).unwrap_or('\u{fffd}')
}

/// Skips what follows an ESC, if it is a whole sequence.
fn skip_sequence(rest: &mut Peekable<Chars<'_>>) -> bool {
    match rest.next() {
        Some('[') => skip_csi(rest),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(rest),
        Some(' '..='/') => rest.any(|character| ('0'..='~').contains(&character)),
        Some('0'..='~') => true,
        _ => false,
    }
}

/// Parameters, intermediates and one final character.
fn skip_csi(rest: &mut Peekable<Chars<'_>>) -> bool {
    while rest.next_if(|character| (' '..='?').contains(character)).is_some() {}
    rest.next().is_some_and(|character| ('@'..='~').contains(&character))
}

/// Up to BEL or ST. One that does not end hides nothing.
fn skip_string(rest: &mut Peekable<Chars<'_>>) -> bool {
    while let Some(character) = rest.next() {
        match character {
            '\x07' | '\u{9c}' => return true,
            '\x1b' if rest.next_if_eq(&'\\').is_some() => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown_as_signs() {
        assert_eq!(visible("a\x1b[31mb\x07\x08\r\x7f\u{85}c\td\n"), "a␛[31mb␇␈␍␡[U+0085]c    d\n");
        assert_eq!(visible("rm \u{202e}txt.exe\u{2066}"), "rm [U+202E]txt.exe[U+2066]");
        assert_eq!(visible("Grüße, 世界 👩‍💻 ❤️‍🔥"), "Grüße, 世界 👩‍💻 ❤️‍🔥");
    }

    #[test]
    fn n12_what_has_no_width_and_letters_that_are_blank_are_shown() {
        assert_eq!(visible("pay\u{200b}pal a\u{200d}b"), "pay[U+200B]pal a[U+200D]b");
        assert_eq!(visible("rm\u{3164}-rf \u{e0041}\u{feff}"), "rm[U+3164]-rf [U+E0041][U+FEFF]");
        assert_eq!(without_escapes("so\u{ad}ft \u{115f}"), "so[U+00AD]ft [U+115F]");
    }

    #[test]
    fn escape_sequences_are_taken_out_of_output() {
        for (text, shown) in [
            ("\x1b[1;31mred\x1b[0m and plain", "red and plain"),
            ("\x1b]0;a title\x07text", "text"),
            ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1b(Bx\x1b=y\x1bcz", "xyz"),
            ("\u{9b}2Jgone?", "gone?"),
            ("one\r\ntwo\rthree", "one\ntwo␍three"),
            ("\x1bP+q544e\x1b\\after", "after"),
        ] {
            assert_eq!(without_escapes(text), shown, "{text:?}");
        }
    }

    #[test]
    fn a_sequence_that_does_not_end_hides_nothing() {
        assert_eq!(without_escapes("\x1b]0;all of this stays"), "␛]0;all of this stays");
        assert_eq!(without_escapes("end\x1b"), "end␛");
        assert_eq!(without_escapes("end\x1b["), "end␛[");
    }

    #[test]
    fn a_short_form_is_one_line() {
        assert_eq!(short("two\nlines", 20), "two lines");
        assert_eq!(short("a very long title", 6), "a ver…");
        assert_eq!(short("exact", 5), "exact");
    }
}
