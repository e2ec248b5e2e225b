//! Claims about the arithmetic of scores and coverage.

use super::*;

fn index(documents: &[(&str, &str)]) -> KeywordIndex {
    let mut index = KeywordIndex::default();
    for (name, text) in documents {
        index.insert(name, &[(Field::Name, (*name).to_owned()), (Field::Summary, (*text).to_owned())]);
    }
    index
}

fn coverage(index: &KeywordIndex, query: &str) -> f64 {
    ranked(index, query).first().map_or(0.0, |(_, found)| found.coverage)
}

/// How well a tool's words match.
#[derive(Debug, PartialEq)]
struct Match {
    score: f32,
    described: f32,
    coverage: f64,
}

/// The tools that have a word of the query, the best first.
fn ranked(index: &KeywordIndex, query: &str) -> Vec<(String, Match)> {
    let (query, mut tallies) = (Query::from(query), Vec::new());
    let asked = index.asked(&query);
    index.tally(&asked, &mut tallies);
    let judge = |tally: &Tally| Match {
        score: tally.score,
        described: tally.described / asked.weight,
        coverage: asked.coverage(tally),
    };
    let found = tallies.iter().enumerate().filter(|(_, tally)| tally.score > 0.0);
    let mut ranked: Vec<_> = found.map(|(slot, tally)| (index.name(slot).to_owned(), judge(tally))).collect();
    ranked.sort_by(|left, right| right.1.score.total_cmp(&left.1.score).then_with(|| left.0.cmp(&right.0)));
    ranked
}

#[test]
fn a_rare_word_weighs_more_than_a_common_one() {
    let index = index(&[("x", "common rare"), ("y", "common"), ("z", "common"), ("w", "common")]);
    let names: Vec<String> = ranked(&index, "rare common").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["x", "w", "y", "z"]);
}

#[test]
fn coverage_is_absolute_and_does_not_depend_on_how_others_match() {
    let alone = index(&[("weather", "forecast")]);
    let among = index(&[("weather", "forecast"), ("pizza", "food"), ("time", "zone")]);

    let (alone, among) = (coverage(&alone, "weather in Berlin"), coverage(&among, "weather in Berlin"));

    assert!((alone - among).abs() < 0.02, "{alone} {among}");
}

#[test]
fn each_more_matching_word_covers_more_and_each_missing_one_less() {
    let index = index(&[("send", "send an email message")]);
    let figures = ["send pizza car", "send pizza", "send email pizza", "send"].map(|query| coverage(&index, query));
    assert!(figures.is_sorted(), "{figures:?}");
    assert!((figures[3] - 1.0).abs() < 1e-9);
}

#[test]
fn a_hundred_strange_words_are_no_worse_than_a_few() {
    let index = index(&[("send", "send an email message")]);
    let story: String = (0..50).map(|number| format!(" strange{number}")).collect();
    assert!(coverage(&index, &format!("send email message{story}")) > 0.5);
}

#[test]
fn numbers_stay_between_0_and_1_in_an_empty_index_and_after_removals() {
    let mut index = index(&[("send", "send an email message")]);
    index.remove("send");
    assert_eq!(ranked(&index, "send"), []);
    assert_eq!((index.length, index.postings.len()), (0.0, 0));
}

#[test]
fn what_the_description_speaks_of_is_told_apart() {
    let index = index(&[("send", "letter"), ("post", "message")]);
    let described: Vec<f32> = ranked(&index, "send message").into_iter().map(|(_, found)| found.described).collect();
    assert_eq!(described, [0.0, 0.5]);
}

#[test]
fn a_slot_that_is_free_again_is_filled_and_every_word_is_found_where_it_stands() {
    let mut index = index(&[("x", "common rare"), ("y", "common"), ("z", "common seldom")]);
    index.remove("x");
    index.insert("w", &[(Field::Details, "common seldom".to_owned())]);

    let query = Query::from("common seldom");
    let reasons = ["w", "z"].map(|name| index.asked(&query).reasons(index.slot(name).expect("a slot")).join(", "));

    let both = "\"common\" in the description, \"seldom\" in the description";
    assert_eq!(reasons, [both, both]);
    let names: Vec<String> = ranked(&index, "common").into_iter().map(|(name, _)| name).collect();
    assert_eq!((index.slot("w"), names.len()), (Some(0), 3));
}
