//! What is read, and at what cost.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use crate::slots::{Anaphor, Given, SlotValue};
use crate::test_support::{Desk, best, engine, read};
use crate::{Engine, SlotType};

fn names(text: &str) -> Vec<String> {
    let clauses = read(text).clauses;
    clauses
        .iter()
        .map(|clause| clause.candidates.first().map_or(String::new(), |best| best.intent.name.clone()))
        .collect()
}

#[test]
fn a_sentence_as_it_stands_costs_nothing() {
    for text in ["show notes.txt", "How many lines are in notes.txt?", "list files by size"] {
        let best = best(text);

        assert!(best.score < 0.001, "{text}: {}", best.score);
        assert!(best.missing.is_empty() && best.unread.is_empty());
    }
}

#[test]
fn small_slips_cost_little() {
    for text in
        ["shwo notes.txt", "please show me the notes.txt", "count the line in notes.txt", "can you show notes.txt"]
    {
        let best = best(text);

        assert!((0.0..0.3).contains(&best.score), "{text}: {}", best.score);
    }
}

#[test]
fn a_word_without_a_part_costs_more_than_any_limit() {
    let translated = best("show notes.txt underwater");
    assert!(translated.score > 1.0 && translated.unread.contains(&"underwater".to_owned()), "{translated:?}");

    let spared = best("delete everything except notes.txt");
    assert!(spared.score > 1.0, "{spared:?}");

    let negated = best("don't delete notes.txt");
    assert!(negated.score > 1.0, "{negated:?}");
}

#[test]
fn a_word_of_the_intents_other_sentences_costs_less() {
    let best = best("first 3 show lines of notes.txt");

    assert_eq!(best.intent.name, "first_lines");
    assert!((0.2..0.4).contains(&best.score), "{}", best.score);
}

#[test]
fn plain_words_need_words_of_the_sentence_beside_them() {
    // "in" alone would let the sentence take whatever stands before it.
    let swallowed = best("median salary in notes.txt");
    assert!(swallowed.score > 0.4, "{swallowed:?}");

    let said = best("search for salary in notes.txt");
    assert!(said.intent.name == "search" && said.score < 0.2, "{said:?}");
}

#[test]
fn what_the_data_has_otherwise_need_not_be_said() {
    let best = best("show the first lines of notes.txt");

    assert!(best.score < 0.1 && best.missing.is_empty());
    assert!(!best.slots.contains_key("n"));
}

#[test]
fn text_to_be_written_is_marked_as_such() {
    let given = |text: &str| best(text).slots.get("text").cloned();
    let text = |text: &str, how| Some(SlotValue::Text { text: text.to_owned(), how });

    assert_eq!(given("append \"hello there\" to notes.txt"), text("hello there", Given::Quoted));
    assert_eq!(given("append `let x;` to notes.txt"), text("let x;", Given::Code));
    assert_eq!(given("append to notes.txt: buy milk, eggs"), text("buy milk, eggs", Given::Colon));
    assert_eq!(given("append the line go to b.txt to notes.txt"), text("go to b.txt", Given::Lead));
}

#[test]
fn what_describes_text_is_not_text() {
    for request in
        ["append a summary of README.md to notes.txt", "add its first line to notes.txt", "append 5 to notes.txt"]
    {
        let best = best(request);

        assert!(best.score >= 1.0, "{request}: {best:?}");
    }
}

#[test]
fn choices_hold_what_they_stand_for() {
    let best = best("list files by how big they are");

    assert_eq!(best.slots["by"], SlotValue::Word { word: "size".to_owned() });
    assert!(best.score < 0.001);
}

#[test]
fn a_text_is_divided_where_its_parts_read_better() {
    assert_eq!(names("read notes.txt and then count the lines of README.md"), ["show", "count_lines"]);
    assert_eq!(names("count lines in notes.txt; delete notes.txt"), ["count_lines", "delete_file"]);
    assert_eq!(names("show notes.txt, and README.md"), ["show", "again_for"]);
    assert_eq!(names("search for salt and pepper in notes.txt"), ["search"]);
    assert_eq!(names("append to notes.txt: first this, then that"), ["append"]);
    assert_eq!(names("append the line to notes.txt: rm -r out && make all"), ["append"]);
    assert_eq!(names("append to notes.txt: a = 1; delete notes.txt"), ["append"]);
}

#[test]
fn a_clause_that_cannot_be_read_is_told_apart() {
    let clauses = read("count lines in notes.txt and send them to my grandmother").clauses;

    assert_eq!(clauses.len(), 2);
    assert_eq!(clauses[0].candidates[0].intent.name, "count_lines");
    assert!(clauses[1].candidates.first().is_none_or(|best| best.score > 0.6), "{:?}", clauses[1]);
    assert_eq!((clauses[1].joint.as_str(), clauses[1].text.as_str()), ("and", "send them to my grandmother"));
}

#[test]
fn a_long_text_of_line_ends_is_where_it_says() {
    let text = format!("see\n{}", "\n".repeat(70));

    let clauses = read(&text).clauses;
    assert!(!clauses.is_empty());
    for clause in clauses {
        assert_eq!(text[clause.span.clone()].trim_end(), clause.text.trim_end(), "{:?}", clause.span);
    }
}

#[test]
fn references_fill_slots_that_can_hold_them() {
    let it = best("count the lines of it");
    let that_file = best("delete that file");

    assert_eq!(it.slots["file"], SlotValue::Reference { anaphor: Anaphor::It { noun: None }, said: "it".to_owned() });
    let noun = Some("file".to_owned());
    assert_eq!(
        that_file.slots["file"],
        SlotValue::Reference { anaphor: Anaphor::It { noun }, said: "that file".to_owned() }
    );
    assert!(it.score < 0.1 && that_file.score < 0.1);
}

#[test]
fn owners_may_stand_before_what_they_own() {
    let its = best("count its lines");
    let named = best("count all notes.txt's lines");

    assert_eq!((its.intent.name.as_str(), its.score < 0.1), ("count_lines", true), "{its:?}");
    assert_eq!(its.slots["file"], SlotValue::Reference { anaphor: Anaphor::It { noun: None }, said: "it".to_owned() });
    assert_eq!((named.slots["file"].text().as_str(), named.score < 0.1), ("notes.txt", true), "{named:?}");
}

#[test]
fn requests_are_read_in_another_order_of_their_words() {
    for (text, name, file) in [
        ("in notes.txt, count all lines", "count_lines", "notes.txt"),
        ("notes.txt - count the lines", "count_lines", "notes.txt"),
        ("lines in notes.txt, count them", "count_lines", "notes.txt"),
        ("notes.txt should be deleted", "delete_file", "notes.txt"),
        ("README.md can go", "delete_file", "README.md"),
        ("i want notes.txt removed", "delete_file", "notes.txt"),
    ] {
        let best = best(text);

        assert_eq!((best.intent.name.as_str(), best.slots["file"].text().as_str()), (name, file), "{text}: {best:?}");
        assert!(best.score < 0.3, "{text}: {}", best.score);
    }
}

#[test]
fn no_word_is_dropped_to_read_a_change_in_another_order() {
    for text in [
        "notes.txt should not be deleted",
        "why should notes.txt be deleted",
        "notes.txt should be deleted tomorrow if nobody minds",
        "i want notes.txt removed except its first line",
    ] {
        let changes = read(text).clauses.iter().any(|clause| {
            let first = clause.candidates.first();
            first.is_some_and(|best| best.intent.name == "delete_file" && best.score < 0.5)
        });

        assert!(!changes, "{text}: {:?}", read(text));
    }
}

#[test]
fn command_lines_are_told() {
    let command = |text: &str| read(text).command.map(|command| command.sure);

    assert_eq!(command("git log"), Some(true));
    assert_eq!(command("find . -name x"), Some(true));
    assert_eq!(command("make salt"), Some(false));
    assert_eq!(command("make words of salt"), None);
    assert_eq!(command("find salt in notes.txt"), None);
    assert_eq!(command("git, what changed?"), None);
    assert_eq!(command("show notes.txt"), None);
}

#[test]
fn wrong_data_is_named_by_file_intent_and_sentence() {
    let wrong = |sentence: &str| {
        let intent = json!({ "intent": [{ "name": "x", "risk": "read", "sentences": [sentence] }] });
        let text = toml::to_string(&intent).unwrap_or_default();
        Engine::from_sources([("odd.toml", text.as_str())]).map(|_| ()).map_err(|error| error.to_string())
    };

    assert_eq!(
        wrong("show (a|b").unwrap_err(),
        "odd.toml, intent x, sentence \"show (a|b\": the bracket at character 6 lacks its `)`"
    );
    assert!(wrong("show {file:fiel}").unwrap_err().contains("there is no slot type `fiel`"));
    assert!(wrong("<nothing> here").unwrap_err().contains("words.toml has no phrase <nothing>"));
    assert!(wrong("show [the] lines|rows").is_ok());
}

#[test]
fn more_intents_can_be_added() {
    let intent = crate::Intent {
        name: "weather".to_owned(),
        sentences: vec!["weather in {place:phrase}".to_owned()],
        ..crate::Intent::default()
    };

    let engine = engine().with_intents("tools", vec![intent]).unwrap();

    let reading = engine.read("weather in New York", &Desk::new());
    assert_eq!(reading.clauses[0].candidates[0].intent.name, "weather");
    assert_eq!(reading.clauses[0].candidates[0].slots["place"].text(), "New York");
}

#[test]
fn the_data_of_this_crate_holds_together() {
    let engine = Engine::shipped();

    assert!(engine.intents().next().is_some());
    let untold = engine.intents().filter(|intent| intent.summary.is_empty() && !intent.steps.is_empty());
    assert_eq!(untold.map(|intent| intent.name.as_str()).collect::<Vec<_>>(), [""; 0], "a plan is told by its summary");
}

#[test]
fn long_texts_take_no_long_time() {
    let engine = engine();
    let texts = ["count lines and ", "it them 3 to 5 ", "(((((", "a.txt, ", "append: \"x ", "not "];
    for part in texts {
        let text = part.repeat(8192 / part.len());
        let began = Instant::now();

        let reading = engine.read(&text, &Desk::new());

        assert!(!reading.clauses.is_empty());
        assert!(began.elapsed() < Duration::from_secs(2), "{part:?} took {:?}", began.elapsed());
    }
}

#[test]
fn a_long_text_to_be_written_is_taken_whole() {
    let long = "all work and no play; ".repeat(300);
    let best = best(&format!("append to notes.txt: {long}"));

    assert_eq!(best.slots["text"].text(), long.trim());
    assert!(best.score < 0.1);
}

#[test]
fn all_types_have_their_own_name() {
    let names: std::collections::BTreeSet<_> = SlotType::ALL.iter().map(|kind| json!(kind).to_string()).collect();

    assert_eq!(names.len(), SlotType::ALL.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,120}") {
        let reading = engine().read(&text, &Desk::new());
        for clause in reading.clauses {
            prop_assert_eq!(&text[clause.span.clone()], clause.text.as_str());
        }
    }

    #[test]
    fn no_mix_of_its_words_makes_it_panic(words in proptest::collection::vec(prop::sample::select(vec![
        "show", "notes.txt", "the", "last", "3", "lines", ":", "\"", "'s", "it", "and", "then", "to", "5-7", "@x.y", "in", "half",
        "an", "hour", "march", "31", "february", "30", "%", "of", "*", "-", "--", "(", ")", "`", "\n", "not", "append", "saying", "»", "’s", "ß", "1e999", "99999999999999999999",
    ]), 0..24)) {
        let reading = engine().read(&words.join(" "), &Desk::new());
        for clause in &reading.clauses {
            for candidate in &clause.candidates {
                prop_assert!(candidate.score >= 0.0);
                let written = serde_json::to_string(&candidate.slots).unwrap();
                let read: crate::Slots = serde_json::from_str(&written).unwrap();
                prop_assert_eq!(&read, &candidate.slots);
            }
        }
    }

    #[test]
    fn no_sentence_makes_the_template_parser_panic(sentence in "[a-c\\[\\](){}<>|:=, ]{0,40}") {
        let intent = json!({ "intent": [{ "name": "x", "risk": "read", "sentences": [sentence] }] });
        let text = toml::to_string(&intent).unwrap_or_default();
        let engine = Engine::from_sources([("odd.toml", text.as_str())]);
        if let Ok(engine) = engine {
            prop_assert!(engine.read("a b c", &Desk::new()).clauses.len() < 2);
        }
    }
}
