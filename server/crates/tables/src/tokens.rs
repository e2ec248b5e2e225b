//! Texts as tokens: the same for questions, cells and names of columns, so that they can be compared.

use std::sync::LazyLock;

use regex::Regex;
use switchboard_search::stem;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// As it is written.
    pub(crate) text: String,
    pub(crate) lower: String,
    pub(crate) stem: String,
    pub(crate) kind: TokenKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// With its sign and its unit.
    Number,
    Quoted,
    /// A path or a name with an ending.
    Path,
    /// `2024-03-01`, with a time or without.
    Date,
    /// `10:30`
    Time,
    /// A sign that has a meaning in questions: `,`, `<`, `>=`, `=`, `&`, `%`, `*`.
    Mark,
}

/// How many tokens of a text are looked at.
const MAX_TOKENS: usize = 80;

static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r#"(?P<quoted>"[^"\n]{1,200}"|“[^”\n]{1,200}”|`[^`\n]{1,200}`|(?:^|[\s(])'[^'\n]{1,200}'(?:[\s?!.,)]|$))"#,
        r"|(?P<date>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\b)",
        r"|(?P<time>\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?\b)",
        r"|(?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}\b)",
        r"|(?P<path>(?:\.{0,2}/)?[\w-]+(?:[/.][\w-]+)*\.[A-Za-z]\w{0,5}\b|(?:\B|^)/[\w./-]*)",
        r"|(?P<number>[-−+]?[$€£¥₹]\s?\d[\d,.]*\d?\s?[kKmM]?\b|\d+(?:[.,]\d+)*\s?[€%](?:\b|\s|$|[?!.,])",
        r"|-?\d+(?:,\d{3})+(?:\.\d+)?\b|-?\d+\.\d+[a-zA-Z]{0,4}\b|-?\d+[a-zA-Z]{0,4}\b)",
        r"|(?P<word>\b[wW]/o\b|[\p{L}\d][\p{L}\p{M}\d]*(?:['’][\p{L}]+)*)",
        r"|(?P<mark><=|>=|!=|<>|≠|[<>=&%,;/#*×÷?]|\s[-−+]\s)",
    );
    Regex::new(pattern).expect("a pattern of the program")
});

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for caught in TOKEN.captures_iter(text) {
        let of = |name: &str| caught.name(name).map(|part| part.as_str());
        if let Some(quoted) = of("quoted") {
            let inner = quoted.trim_matches(|c: char| c.is_whitespace() || ",.?!()".contains(c));
            found.push(token(inner.trim_matches(['"', '“', '”', '`', '\'']), TokenKind::Quoted));
        } else if let Some(date) = of("date") {
            found.push(token(date, TokenKind::Date));
        } else if let Some(time) = of("time") {
            found.push(token(time, TokenKind::Time));
        } else if let Some(path) = of("path").or_else(|| of("ip")) {
            found.push(token(path, TokenKind::Path));
        } else if let Some(number) = of("number") {
            push_number(
                &mut found,
                number,
                caught.get(0).is_some_and(|all| all.start() > 0 && joined(text, all.start())),
            );
        } else if let Some(word) = of("word") {
            push_word(&mut found, word);
        } else if let Some(mark) = of("mark") {
            // What ends the text divides nothing.
            let rest = caught.get(0).map_or("", |all| &text[all.end()..]);
            if mark == "?" && !rest.contains(char::is_alphanumeric) {
                continue;
            }
            found.push(token(mark.trim(), TokenKind::Mark));
        }
        if found.len() >= MAX_TOKENS {
            break;
        }
    }
    found
}

/// Whether what stands here hangs on a word before it, as the 1 of `web-1`: its sign is a hyphen.
fn joined(text: &str, at: usize) -> bool {
    text[at..].starts_with('-') && text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
}

fn push_number(found: &mut Vec<Token>, number: &str, joined: bool) {
    let number = number.trim_end_matches(|c: char| c.is_whitespace() || "?!.,".contains(c));
    let number = if joined { number.trim_start_matches('-') } else { number };
    found.push(token(number, TokenKind::Number));
}

/// `Grace's` is `grace` and `'s`; `isn't` stays one.
fn push_word(found: &mut Vec<Token>, word: &str) {
    let straight = word.replace('’', "'");
    match straight.rsplit_once('\'') {
        Some((before, end @ ("s" | "re" | "ve" | "d"))) if !before.is_empty() => {
            found.push(token(before, TokenKind::Word));
            found.push(token(&format!("'{end}"), TokenKind::Word));
        }
        _ => found.push(token(&straight, TokenKind::Word)),
    }
}

fn token(text: &str, kind: TokenKind) -> Token {
    let lower = text.to_lowercase();
    Token {
        stem: if kind == TokenKind::Word { stem(&lower) } else { lower.clone() },
        lower,
        text: text.to_owned(),
        kind,
    }
}

/// The words of a text in lower case, as phrases are looked up.
pub(crate) fn key(text: &str) -> String {
    joined_by(text, |token| &token.lower)
}

/// The stems of a text's words.
pub(crate) fn stems(text: &str) -> String {
    joined_by(text, |token| &token.stem)
}

fn joined_by(text: &str, part: impl Fn(&Token) -> &String) -> String {
    tokens(text)
        .iter()
        .filter(|token| token.text != "?")
        .map(|token| part(token).as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The words of a column's or a table's name: `hireDate`, `hire_date` and `Hire date` are the same.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 4);
    let (mut before, mut letters) = (' ', 0);
    for letter in name.chars() {
        // `pH` is one word.
        let begins = letter.is_uppercase() && before.is_lowercase() && letters > 1;
        if begins || !letter.is_alphanumeric() {
            spaced.push(' ');
        }
        // `Inv#` is the number of the invoice.
        if letter == '#' {
            spaced.push_str("number ");
        }
        if letter.is_alphanumeric() {
            spaced.extend(letter.to_lowercase());
        }
        before = letter;
        letters = if letter.is_alphanumeric() && !begins { letters + 1 } else { usize::from(begins) };
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}
