//! Claims about tokens.

use super::*;

fn kinds(text: &str) -> Vec<(Kind, String)> {
    lex(text).tokens.into_iter().map(|token| (token.kind, token.text)).collect()
}

fn check(text: &str, expected: &[(Kind, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
    assert_eq!(kinds(text), expected, "{text}");
}

#[test]
fn each_piece_has_its_kind() {
    use Kind::{Email, Filter, Glob, Math, Number, Operator, Path, Reference, Url, Word};
    let pieces = [
        ("read", Word),
        ("42", Number),
        ("-3.5", Number),
        ("1,000", Number),
        ("15%", Number),
        ("*", Operator),
        ("2+2", Math),
        ("42x37", Math),
        ("@answer+1", Math),
        ("sqrt(16)", Math),
        ("config.json", Path),
        ("src/main.rs", Path),
        ("./x", Path),
        ("..", Path),
        ("*.rs", Glob),
        ("src/**/*.ts", Glob),
        ("https://example.org/a?b=c", Url),
        ("Example.com", Url),
        ("notes.org", Path),
        ("bob@example.org", Email),
        ("@cfg.db[0].host", Reference),
        (".db.host", Filter),
        ("and/or", Word),
        ("e.g", Word),
        ("3.5.1", Word),
        ("2026-03-05", Word),
    ];
    for (text, kind) in pieces {
        check(text, &[(kind, text)]);
    }
}

#[test]
fn quotations_and_code_are_one_token() {
    check(
        "'a [b' \"it's\" `x y` “ö”",
        &[(Kind::Quoted, "a [b"), (Kind::Quoted, "it's"), (Kind::Code, "x y"), (Kind::Quoted, "ö")],
    );
    check("```rust\nfn x() {}\n```", &[(Kind::Code, "fn x() {}")]);
    check("{\"a\": [1]} x", &[(Kind::Json, "{\"a\": [1]}"), (Kind::Word, "x")]);
}

#[test]
fn a_quotation_that_does_not_end_is_only_a_mark() {
    check("don't say \"hello", &[(Kind::Word, "don't"), (Kind::Word, "say"), (Kind::Word, "hello")]);
    check("`x", &[(Kind::Word, "`x")]);
    check("(3+4)*(5+6)", &[(Kind::Math, "(3+4)*(5+6)")]);
}

#[test]
fn marks_at_the_end_of_a_word_stand_alone() {
    check(
        "Read a.txt, (b.txt)!",
        &[
            (Kind::Word, "Read"),
            (Kind::Path, "a.txt"),
            (Kind::Mark, ","),
            (Kind::Mark, "("),
            (Kind::Path, "b.txt"),
            (Kind::Mark, ")"),
            (Kind::Mark, "!"),
        ],
    );
    check("5!", &[(Kind::Math, "5!")]);
}

#[test]
fn contractions_are_two_words() {
    let lowered: Vec<String> = lex("What's it").tokens.into_iter().map(|token| token.lower).collect();
    assert_eq!(lowered, ["what", "is", "it"]);
}

#[test]
fn what_is_looked_at_has_an_end() {
    let words = lex(&"word ".repeat(200_000));
    assert_eq!((words.tokens.len(), words.cut), (MAX_TOKENS, true));

    let one = lex(&"x".repeat(1 << 20));
    assert_eq!((one.tokens.len(), one.cut), (1, false));

    let quotes = lex(&"\" ".repeat(1 << 19));
    assert!(quotes.cut);

    let long = format!("\"{}\" to x.txt", "y".repeat(1 << 20));
    let lexed = lex(&long);
    assert_eq!((lexed.tokens[0].text.len(), lexed.tokens.len(), lexed.cut), (1 << 20, 3, false));
}
