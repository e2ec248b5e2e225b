//! Claims about what is found, how sure it is, and why.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::json;
use switchboard_protocol::Risk;

use super::*;

pub(crate) fn tool(name: &str, description: &str, parameters: &[(&str, &str)]) -> ToolDefinition {
    let properties: serde_json::Map<_, _> =
        parameters.iter().map(|(name, text)| ((*name).to_owned(), json!({"description": text}))).collect();
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        module: "files".to_owned(),
        parameters: json!({"type": "object", "properties": properties}),
        output: None,
        example: json!({}),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

fn index() -> ToolIndex {
    let index = ToolIndex::new();
    for tool in [
        tool("file_read", "Read text files of the workspace. Several at once are a map.", &[("path", "The file.")]),
        tool("file_write", "Write text to a file.", &[("path", "The file."), ("content", "What to write.")]),
        tool(
            "list_directory",
            "List the files in a directory, in order of their names.",
            &[("path", "The directory.")],
        ),
        tool("calculator", "Calculate arithmetic expressions with units.", &[("expression", "What to calculate.")]),
        tool("current_time", "Tell the current date and time.", &[("timezone", "The time zone.")]),
        tool("bash", "Run a shell command.", &[("command", "The command line.")]),
    ] {
        index.insert(&tool);
    }
    index
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.name.as_str()).collect()
}

#[track_caller]
fn check_first(query: &str, name: &str, confidence: std::ops::RangeInclusive<f64>) {
    let found = index().search(query, 10, 0.0);
    let first = found.first().unwrap_or_else(|| panic!("nothing found for {query}"));
    assert_eq!(first.name, name, "{query}");
    assert!(confidence.contains(&first.confidence), "{query}: {}", first.confidence);
}

#[test]
fn a_clear_request_finds_its_tool_and_is_sure() {
    check_first("read the file", "file_read", 0.6..=1.0);
    check_first("Calculate 42 * 37", "calculator", 0.6..=1.0);
    check_first("What time is it?", "current_time", 0.6..=1.0);
    check_first("which files are in this directory?", "list_directory", 0.6..=1.0);
}

#[test]
fn names_and_values_in_a_request_do_not_hide_what_is_wanted() {
    check_first("Read the file notes/hello.txt", "file_read", 0.5..=1.0);
    check_first("Write \"Read the directory!\" to file notes/read.txt", "file_write", 0.3..=1.0);
    check_first("Run ls -la", "bash", 0.3..=1.0);
}

#[test]
fn a_request_that_no_tool_fits_finds_nothing_above_the_threshold() {
    for query in ["bake me a pizza", "Hello", "book a flight to Paris", "play some music", "", "???", "42"] {
        assert_eq!(index().search(query, 10, 0.3), [], "{query}");
    }
    // One word in common, by chance, is never enough to stand in for another tool.
    let chance = index().search("order me a pizza", 10, 0.0);
    assert!(chance.iter().all(|found| found.confidence < 0.5), "{chance:?}");
}

#[test]
fn a_tool_that_is_named_comes_first() {
    check_first("use file_write to list the files of a directory", "file_write", 0.95..=1.0);
}

#[test]
fn names_of_variables_are_hints_and_nothing_is_held_against_them() {
    let index = index();
    let alone = index.search("read the file", 10, 0.0);
    let hinted = index.search("read the file (available data: command_result, colour, directory_list)", 10, 0.0);
    assert_eq!((&*hinted[0].name, hinted[0].confidence), (&*alone[0].name, alone[0].confidence));
}

#[test]
fn it_says_which_words_matched_and_where() {
    let found = index().search("Reading a directory", 10, 0.0);
    let reasons: Vec<_> = found.iter().map(|found| (&*found.name, found.reasons.join("; "))).collect();
    let expected = [
        ("list_directory", "\"directory\" in the name; similar meaning (72 %)".to_owned()),
        ("file_read", "\"reading\" in the name; similar meaning (53 %)".to_owned()),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn tools_come_and_go_while_it_is_used() {
    let index = index();

    index.insert(&tool("bash", "Order a pizza.", &[]));
    assert_eq!(names(&index.search("bake me a pizza", 10, 0.3)), ["bash"]);
    assert_eq!(names(&index.search("shell command", 10, 0.3)), [""; 0]);
    assert_eq!(index.len(), 6);

    assert!(index.remove("bash") && !index.remove("bash"));
    assert_eq!(names(&index.search("bake me a pizza", 10, 0.3)), [""; 0]);
    index.insert(&tool("pizza", "Order a pizza.", &[]));
    assert_eq!(names(&index.search("bake me a pizza", 10, 0.3)), ["pizza"]);
    for name in ["pizza", "file_read", "file_write", "list_directory", "calculator", "current_time"] {
        assert!(index.remove(name), "{name}");
    }
    assert!(index.is_empty());
    assert_eq!(index.search("read the file", 10, 0.0), []);
}

#[test]
fn the_order_of_insertion_does_not_matter() {
    let forth = ToolIndex::new();
    let back = ToolIndex::new();
    let tools: Vec<_> = ["tool_2", "tool_1", "tool_3"].map(|name| tool(name, "Sort a list.", &[])).into();
    tools.iter().for_each(|tool| forth.insert(tool));
    tools.iter().rev().for_each(|tool| back.insert(tool));

    let found = forth.search("sort the list", 2, 0.3);

    assert_eq!(names(&found), ["tool_1", "tool_2"]);
    assert_eq!(found, back.search("sort the list", 2, 0.3));
}

#[test]
fn what_stands_behind_a_thousand_others_is_found_too() {
    let index = ToolIndex::new();
    for number in 0..REFINED + 50 {
        index.insert(&tool(&format!("tool_{number}"), "Sort a list.", &[]));
    }
    index.insert(&tool(
        "shuffle_cards",
        "Shuffle the cards, and much else. It may well do so with a list or without.",
        &[],
    ));

    let found = index.search("sort a list", 2000, 0.0);
    assert_eq!((found.len(), &*found[REFINED + 50].name), (REFINED + 51, "shuffle_cards"));
    assert_eq!(index.search("sort a list", 2000, 0.0), found);
    assert_eq!(names(&index.search("sort a list by shuffle_cards", 1, 0.0)), ["shuffle_cards"]);
}

#[test]
fn strange_schemas_are_read_as_far_as_they_go() {
    let index = ToolIndex::new();
    let mut odd = tool("odd", "", &[]);
    odd.parameters = json!({"properties": {"where": {"items": {"properties": {"zip_code": {}}}}, "other": 7}});
    index.insert(&odd);
    odd.name = "none".to_owned();
    odd.parameters = json!([1, "two"]);
    index.insert(&odd);

    assert_eq!(names(&index.search("zip code", 10, 0.0)), ["odd"]);
}

#[test]
fn a_tool_is_found_by_what_it_means_without_a_common_word() {
    let index = index();
    index.insert(&tool("get_weather_forecast", "Forecast of rain, snow and temperature.", &[]));

    let found = index.search("will it be sunny or cloudy", 1, 0.0);

    assert_eq!(names(&found), ["get_weather_forecast"]);
    assert!(found[0].reasons.iter().any(|reason| reason.starts_with("similar meaning")), "{found:?}");
}

#[test]
fn it_says_how_alike_the_whole_request_and_its_best_sentence_are() {
    let found = index().search("My desk is full of paper today. Calculate with units!", 1, 0.0);

    let Likeness { whole, best } = found[0].likeness;
    assert_eq!((names(&found).as_slice(), whole > 0.2, best > whole + 0.1), (["calculator"].as_slice(), true, true));
}

proptest! {
    #[test]
    fn the_best_comes_first_and_is_the_surest(
        words in proptest::collection::vec("read|write|list|file|files|directory|time|order|pizza|\\PC{0,4}", 0..9),
        limit in 0..9_usize,
        threshold in 0.0..1.0_f64,
    ) {
        static INDEX: LazyLock<ToolIndex> = LazyLock::new(index);
        let found = INDEX.search(&words.join(" "), limit, threshold);

        let figures: Vec<f64> = found.iter().map(|found| found.confidence).collect();
        prop_assert!(figures.is_sorted_by(|before, after| before >= after), "{:?}", figures);
        prop_assert!(figures.iter().all(|figure| (threshold..=1.0).contains(figure)) && figures.len() <= limit);
    }
}
