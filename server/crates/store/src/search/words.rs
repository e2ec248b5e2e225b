//! What happens to text on its way into the index, to what is looked for, and to what was found.

use switchboard_events::TextPiece;

/// How many bytes of a text are one place: a long message is several, so that showing what was found costs little.
const PLACE_BYTES: usize = 8 * 1024;
/// How many words are looked for at most; those behind them do not count.
const WORDS: usize = 16;
/// Around what was found, in text that cannot have them: control characters are taken out of all that is indexed.
const BEGIN: char = '\u{2}';
const END: char = '\u{3}';

/// The text in pieces that are indexed one by one, cut between words.
pub(super) fn places(text: &str) -> Vec<String> {
    let clean = cleaned(text);
    let mut rest = clean.as_str();
    let mut places = Vec::new();
    while rest.len() > PLACE_BYTES {
        let end = rest.floor_char_boundary(PLACE_BYTES);
        let cut = rest[..end].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(end);
        places.push(rest[..cut].to_owned());
        rest = &rest[cut..];
    }
    if !rest.trim().is_empty() {
        places.push(rest.to_owned());
    }
    places
}

/// Text without control characters; line breaks stay.
pub(super) fn cleaned(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() && letter != '\n' { ' ' } else { letter }).collect()
}

/// What FTS5 looks for: every word, each by its beginning, and whatever was typed as plain words. `None` if there is
/// nothing to look for.
pub(super) fn expression(typed: &str) -> Option<String> {
    let typed = cleaned(typed).to_lowercase();
    let words = typed.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
    let phrases: Vec<String> = words.take(WORDS).map(either).collect();
    (!phrases.is_empty()).then(|| phrases.join(" AND "))
}

/// A word, or the same with ß for ss or the other way round: those who cannot type the one type the other.
fn either(word: &str) -> String {
    let other = if word.contains('ß') { word.replace('ß', "ss") } else { word.replace("ss", "ß") };
    if other == word { phrase(word) } else { format!("({} OR {})", phrase(word), phrase(&other)) }
}

/// In quotes nothing is an operator. A single letter is looked for as a word: almost every text has a word that begins with it.
fn phrase(word: &str) -> String {
    let star = if word.chars().filter(|letter| letter.is_alphanumeric()).count() > 1 { "*" } else { "" };
    format!("\"{}\"{star}", word.replace('"', "\"\""))
}

/// How what was found is marked, for FTS5's functions.
pub(super) fn marks() -> (String, String) {
    (BEGIN.to_string(), END.to_string())
}

/// Marked text in pieces, each run of spaces as one.
pub(super) fn pieces(marked: &str) -> Vec<TextPiece> {
    let mut pieces: Vec<TextPiece> = Vec::new();
    for (at, part) in marked.split(BEGIN).enumerate() {
        let (found, around) = match part.split_once(END) {
            Some((found, around)) if at > 0 => (found, around),
            _ => ("", part),
        };
        add(&mut pieces, found, true);
        add(&mut pieces, around, false);
    }
    pieces
}

fn add(pieces: &mut Vec<TextPiece>, text: &str, found: bool) {
    let text = one_line(text);
    if !text.is_empty() {
        pieces.push(TextPiece { text, found });
    }
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if !letter.is_whitespace() {
            line.push(letter);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_plain_words() {
        assert_eq!(expression("tabl").as_deref(), Some("\"tabl\"*"));
        assert_eq!(expression(" a  NOT sales.csv ").as_deref(), Some("\"a\" AND \"not\"* AND \"sales.csv\"*"));
        assert_eq!(expression("say \"hi\" OR").as_deref(), Some("\"say\"* AND \"\"\"hi\"\"\"* AND \"or\"*"));
        assert_eq!(expression("Straße").as_deref(), Some("(\"straße\"* OR \"strasse\"*)"));
        assert_eq!(expression("password").as_deref(), Some("(\"password\"* OR \"paßword\"*)"));
        assert_eq!(expression("STRASSE").as_deref(), Some("(\"strasse\"* OR \"straße\"*)"));
        for nothing in ["", "  ", "* ( \" -", "…", "\0"] {
            assert_eq!(expression(nothing), None, "{nothing:?}");
        }
        assert_eq!(expression(&"word ".repeat(100)).map(|found| found.matches("AND").count()), Some(WORDS - 1));
    }

    #[test]
    fn long_text_is_cut_between_words_and_nothing_is_lost() {
        let text = "Füße laufen ".repeat(3000);

        let places = places(&text);

        assert!(places.len() > 3 && places.iter().all(|place| place.len() <= PLACE_BYTES));
        assert!(places.iter().all(|place| place.split_whitespace().all(|word| ["Füße", "laufen"].contains(&word))));
        assert_eq!(places.concat().trim(), text.trim());
        assert_eq!(super::places(&"ü".repeat(PLACE_BYTES)).concat(), "ü".repeat(PLACE_BYTES));
        assert!(super::places(" \n ").is_empty());
    }

    #[test]
    fn marked_text_comes_in_pieces() {
        let piece = |text: &str, found| TextPiece { text: text.to_owned(), found };

        assert_eq!(
            pieces("the \u{2}sales\u{3} of\n  \u{2}May\u{3}"),
            [piece("the ", false), piece("sales", true), piece(" of ", false), piece("May", true)]
        );
        assert_eq!(pieces("plain"), [piece("plain", false)]);
        assert_eq!(pieces(""), []);
    }
}
