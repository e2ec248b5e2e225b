//! A text as rows of the table: `WordPiece` over words in lower case without accents, as the table was made.
//!
//! A word that cannot be put together from pieces is left out.

use super::table::row_of;
use super::words::is_ideograph;

/// How much of a text is read, in characters.
const MAX_TEXT: usize = 8192;

/// The longest word that is looked up, in characters.
const MAX_WORD: usize = 100;

/// No piece is longer, in bytes.
const MAX_PIECE: usize = 32;

/// What a piece that continues a word begins with.
const CONTINUES: &[u8] = b"##";

/// Calls `take` with the row of each piece.
pub(super) fn each_row(text: &str, mut take: impl FnMut(usize)) {
    let mut word = String::new();
    let mut rows = Vec::new();
    let mut finish = |word: &mut String| {
        if split(word, &mut rows) {
            rows.iter().copied().for_each(&mut take);
        }
        word.clear();
    };
    for character in text.chars().take(MAX_TEXT) {
        if is_mark(character) {
            continue;
        }
        let alone = is_ideograph(character) || !character.is_alphanumeric();
        if alone {
            finish(&mut word);
        }
        if !character.is_whitespace() {
            word.extend(character.to_lowercase().filter(|lower| !is_mark(*lower)).map(without_accent));
        }
        if alone {
            finish(&mut word);
        }
    }
    finish(&mut word);
}

/// Takes the longest piece first; false if there is none.
fn split(word: &str, rows: &mut Vec<usize>) -> bool {
    rows.clear();
    if word.is_empty() || word.chars().count() > MAX_WORD {
        return false;
    }
    let mut start = 0;
    let mut key = Vec::with_capacity(MAX_PIECE + CONTINUES.len());
    while start < word.len() {
        let longest = word.floor_char_boundary((start + MAX_PIECE).min(word.len()));
        let mut ends = (start + 1..=longest).rev().filter(|end| word.is_char_boundary(*end));
        let found = ends.find_map(|end| {
            key.clear();
            if start > 0 {
                key.extend_from_slice(CONTINUES);
            }
            key.extend_from_slice(&word.as_bytes()[start..end]);
            Some((end, row_of(&key)?))
        });
        let Some((end, row)) = found else { return false };
        rows.push(row);
        start = end;
    }
    true
}

/// Whether it is a mark above or below a letter.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

/// The letter without its accent; those of the Latin script that many languages use.
fn without_accent(character: char) -> char {
    match character {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str) -> Vec<usize> {
        let mut rows = Vec::new();
        each_row(text, |row| rows.push(row));
        rows
    }

    fn pieces(pieces: &[&str]) -> Vec<usize> {
        pieces.iter().map(|piece| row_of(piece.as_bytes()).unwrap_or_else(|| panic!("no piece {piece}"))).collect()
    }

    #[test]
    fn a_text_is_split_as_the_table_was_made() {
        assert_eq!(rows("Hello, World!"), pieces(&["hello", ",", "world", "!"]));
        assert_eq!(rows("tokenization"), pieces(&["token", "##ization"]));
        assert_eq!(rows("café Zu\u{308}rich"), pieces(&["cafe", "zurich"]));
    }

    #[test]
    fn what_the_table_does_not_know_is_left_out() {
        assert_eq!(rows(""), [0_usize; 0]);
        assert_eq!(rows(&"x".repeat(1000)), [0_usize; 0]);
        assert_eq!(rows("\u{10ffff} weather"), pieces(&["weather"]));
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in any::<String>()) {
            rows(&text);
        }
    }
}
