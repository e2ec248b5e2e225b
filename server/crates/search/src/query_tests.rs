//! Claims about what of a request is what.

use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<(String, Kind)> {
    Query::from(text).words.into_iter().map(|word| (word.written, word.kind)).collect()
}

fn check(text: &str, expected: &[(&str, Kind)]) {
    let expected: Vec<_> = expected.iter().map(|(word, kind)| ((*word).to_owned(), *kind)).collect();
    assert_eq!(words(text), expected, "{text}");
}

#[test]
fn paths_references_quotations_and_options_are_data() {
    use Kind::{Asked, Data};
    check("Read src/main.rs", &[("read", Asked), ("src", Data), ("main", Data), ("rs", Data)]);
    check("Write \"hello there\" now", &[("write", Asked)]);
    check("Write \"big hat\" to `out`", &[("write", Asked), ("big", Data), ("hat", Data)]);
    check("parse @answer, please!", &[("parse", Asked), ("answer", Data)]);
    check("ls --recursive", &[("ls", Asked), ("recursive", Data)]);
}

#[test]
fn a_word_counts_once_and_by_its_weightiest_use() {
    use Kind::{Asked, Hint};
    check("files of files (available data: file, hat)", &[("files", Asked), ("hat", Hint)]);
    check("read.me reads", &[("read", Asked)]);
}

#[test]
fn numbers_are_values_and_no_words() {
    check("add 42 and 3.14 to sha256", &[("add", Kind::Asked), ("sha256", Kind::Asked)]);
}

#[test]
fn an_unclosed_quotation_is_plain_text() {
    check("say \"yes", &[("say", Kind::Asked), ("yes", Kind::Asked)]);
}

#[test]
fn a_long_request_is_read_as_far_as_words_count() {
    let text: String = (0..100_000).map(|number| format!("word{number} ")).collect();
    assert_eq!(words(&text).len(), MAX_WORDS);
}

#[test]
fn what_is_asked_is_the_text_without_quotations_and_hints() {
    let query = Query::from("Write \"big hat\" to the list, and send it. Then mail Ann (available data: hat)");
    assert_eq!(query.request, "Write  to the list, and send it. Then mail Ann ");
    assert_eq!(query.sentences, ["Write to the list, ", "Then mail Ann "]);
    assert_eq!(Query::from("\"What is the weather in Rome?\"").request, "\"What is the weather in Rome?\"");
    assert_eq!(Query::from("What is the weather in Rome?").sentences, [""; 0]);
}

proptest! {
    #[test]
    fn any_text_is_a_request(text in any::<String>()) {
        prop_assert!(Query::from(text.as_str()).words.len() <= MAX_WORDS);
    }
}
