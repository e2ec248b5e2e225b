//! Claims about the arithmetic of ranking and confidence.

use super::*;

fn index(documents: &[(&str, &str)]) -> KeywordIndex {
    let mut index = KeywordIndex::default();
    for (name, text) in documents {
        index.insert(name, &[(Field::Name, (*name).to_owned()), (Field::Summary, (*text).to_owned())]);
    }
    index
}

fn confidence(index: &KeywordIndex, query: &str) -> f64 {
    index.search(query, 1, 0.0).first().map_or(0.0, |hit| hit.confidence)
}

#[test]
fn a_rare_word_weighs_more_than_a_common_one() {
    let index = index(&[("x", "common rare"), ("y", "common"), ("z", "common"), ("w", "common")]);
    let hits: Vec<String> = index.search("rare common", 2, 0.0).into_iter().map(|hit| hit.name).collect();
    assert_eq!(hits, ["x", "w"]);
}

#[test]
fn confidence_is_absolute_and_does_not_depend_on_how_others_match() {
    let alone = index(&[("weather", "forecast")]);
    let among = index(&[("weather", "forecast"), ("pizza", "food"), ("time", "zone")]);

    let (alone, among) = (confidence(&alone, "weather in Berlin"), confidence(&among, "weather in Berlin"));

    assert!((alone - among).abs() < 0.02, "{alone} {among}");
}

#[test]
fn each_more_matching_word_makes_it_surer_and_each_missing_one_less_sure() {
    let index = index(&[("send", "send an email message")]);
    let figures = ["send pizza car", "send pizza", "send email pizza", "send"].map(|query| confidence(&index, query));
    assert!(figures.is_sorted(), "{figures:?}");
    assert!((figures[3] - 1.0).abs() < 1e-9);
}

#[test]
fn a_hundred_strange_words_are_no_worse_than_a_few() {
    let index = index(&[("send", "send an email message")]);
    let story: String = (0..50).map(|number| format!(" strange{number}")).collect();
    assert!(confidence(&index, &format!("send email message{story}")) > 0.5);
}

#[test]
fn numbers_stay_between_0_and_1_in_an_empty_index_and_after_removals() {
    let mut index = index(&[("send", "send an email message")]);
    index.remove("send");
    assert_eq!(index.search("send", 9, 0.0), []);
    assert_eq!((index.length, index.postings.len()), (0.0, 0));
}
