//! What a message means that changes the one before it.

use proptest::prelude::*;

use super::*;

fn anew(before: &[&str], used: &[&str], text: &str) -> Restated {
    let used = || used.iter().map(ToString::to_string).collect();
    restated(text, &split(text).clauses, before, &used)
}

#[track_caller]
fn check(before: &str, used: &[&str], cases: &[(&str, &str)]) {
    for (text, meant) in cases {
        assert_eq!(anew(&[before], used, text), Restated::As((*meant).to_owned()), "{text}");
    }
}

#[test]
fn what_is_new_takes_the_place_of_its_sort() {
    let lines = "How many lines has src/a.txt?";
    check(
        lines,
        &["src/a.txt"],
        &[
            ("do it again for src/b.txt", "How many lines has src/b.txt?"),
            ("And src/b.txt?", "How many lines has src/b.txt?"),
            ("now for src/b.txt", "How many lines has src/b.txt?"),
            ("What about @notes?", "How many lines has @notes?"),
            ("The same with b.txt and c.txt, please", "How many lines has b.txt and c.txt?"),
        ],
    );
    check(
        "What is the weather in Berlin for 3 days?",
        &["Berlin", "3"],
        &[
            ("and Paris?", "What is the weather in Paris for 3 days?"),
            ("do the same for New York", "What is the weather in New York for 3 days?"),
            ("again for 5", "What is the weather in Berlin for 5 days?"),
            ("and for 5 days?", "What is the weather in Berlin for 5 days?"),
        ],
    );
}

#[test]
fn values_of_calls_are_known_in_small_letters_and_quotations_stay_quoted() {
    check("weather in berlin", &["berlin"], &[("and new york?", "weather in new york")]);
    check("Find \"to do\" in src", &["to do"], &[("once more for FIXME", "Find \"FIXME\" in src")]);
    check(
        "Add the note \"lives in Paris\" to Ada",
        &["Ada", "lives in Paris"],
        &[
            ("and \"works in Rome\"", "Add the note \"works in Rome\" to Ada"),
            ("do the same for Bob", "Add the note \"lives in Paris\" to Bob"),
        ],
    );
    check("Read a.txt and b.txt", &["a.txt", "b.txt"], &[("the same for c.txt", "Read c.txt")]);
    check(
        "The total by region in a.csv",
        &["a.csv"],
        &[
            ("and by quarter?", "The total by quarter in a.csv"),
            ("do the same for quarter", "The total by quarter in a.csv"),
        ],
    );
    check("List the files", &[], &[("do it again with sizes", "List the files with sizes")]);
}

#[test]
fn one_follow_up_follows_the_other() {
    let before = ["Weather in Berlin", "and Paris?", "and Rome?"];
    assert_eq!(anew(&before, &["Berlin", "Paris", "Rome"], "and Oslo?"), Restated::As("Weather in Oslo".to_owned()));
}

#[test]
fn where_several_things_could_be_meant_the_user_is_asked() {
    let Restated::Unclear(question) = anew(&["Convert 42 in base 7"], &[], "do it again for 5") else {
        panic!("it is not clear")
    };
    assert!(question.contains("of 42 or of 7"), "{question}");
    let Restated::Unclear(question) = anew(&["Sum a.csv"], &["a.csv"], "do the same for quarters") else {
        panic!("it is not clear")
    };
    assert!(question.contains("quarters takes the place of"), "{question}");
}

#[test]
fn other_messages_are_taken_as_they_are() {
    for text in [
        "do it again",
        "and now read b.txt",
        "And now?",
        "Ok, thanks",
        "Then what?",
        "and the second one?",
        "What about the others?",
        "Read b.txt",
        "how about a joke?",
    ] {
        assert_eq!(anew(&["Read a.txt"], &["a.txt"], text), Restated::No, "{text}");
    }
    assert_eq!(anew(&[], &[], "and Paris?"), Restated::No);
}

proptest! {
    #[test]
    fn any_messages_can_follow_each_other(
        before in "[\"']?\\PC{0,40}[0-9]{0,2} ?[dK\u{212a}é]{0,3} \\PC{0,9}[\"']?",
        lead in prop::sample::select(vec!["and ", "do it again for ", "what about ", "now with "]),
        text in "[\"']?(\\PC{0,20}|[0-9]{1,2} [dK\u{212a}é]{0,3}|[A-Z]é \\PC{0,9})[\"']?",
        used in "\\PC{0,10}",
    ) {
        anew(&[&before], &[&used], &format!("{lead}{text}"));
    }
}
