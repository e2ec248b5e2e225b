//! Claims about where words begin and end.

use super::*;

fn check(text: &str, expected: &[&str]) {
    assert_eq!(stems(text), expected, "{text}");
}

#[test]
fn identifiers_are_split() {
    check("file_read", &["file", "read"]);
    check("getHTTPResponseCode", &["get", "http", "respons", "code"]);
    check("read-file.v2/base64", &["read", "file", "v2", "base64"]);
}

#[test]
fn words_are_stemmed_and_stop_words_dropped() {
    check("The calculators were calculating what you've calculated", &["calcul", "calcul", "youv", "calcul"]);
}

#[test]
fn other_languages_are_words_too() {
    check("Größe ÉTÉ", &["größe", "été"]);
    check("读文件", &["读", "文", "件"]);
}

#[test]
fn an_identifier_becomes_text_without_its_numbers() {
    assert_eq!(spaced("weather__getHTTPCode_2"), "weather get HTTP Code");
    assert_eq!(spaced("base64.encode"), "base64 encode");
    assert_eq!(spaced("__"), "");
}
