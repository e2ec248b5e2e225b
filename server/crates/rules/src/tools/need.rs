//! Does a request need a tool at all? Asking for something to be found, done or looked after does; a question of general
//! knowledge, a piece of writing or an exercise in words does not.
//!
//! A small linear model over classes of words and marks, each counted once. The classes were written by hand, their
//! weights fitted on one half of public data and tried on the other, see `docs/search.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How many words of a request are looked at.
const MAX_WORDS: usize = 400;

/// What speaks for a tool where nothing else does.
const BIAS: f64 = 0.1;

/// What each class of words speaks for a tool, or against one, and its words.
const CLASSES: &[(f64, &str)] = &[
    // Asking.
    (0.2, "curious interested looking need trying want wish"),
    (0.6, "please"),
    // What is the user's own.
    (0.7, "i i'd i'm i've me my our us we"),
    // Finding and looking up.
    (
        0.8,
        "access browse check discover display explore fetch fill find get give list locate look lookup monitor retrieve \
         search see show track view",
    ),
    (0.5, "advise ideas options recommend recommendations suggest suggestions"),
    // Doing.
    (
        1.1,
        "add analyze book buy calculate convert create deploy download edit export extract generate open order play remind \
         reserve save scan schedule send set summarize test transcribe transform translate upload visualize",
    ),
    // What changes from day to day.
    (
        0.6,
        "current currently happening latest live month news now recent recently today tomorrow tonight trend trending \
         trends upcoming week",
    ),
    // What lies outside of a conversation.
    (
        0.8,
        "account api app apps article articles course courses data database document event events file flight flights hotel \
         hotels image images job jobs link map movie movies music online page pages pdf photo podcast podcasts price \
         prices product products recipe recipes resource resources restaurant restaurants site stock stocks store stores \
         ticket tickets url video videos weather web website websites",
    ),
    (0.6, "available comprehensive detailed reliable specific specifically various"),
    // Writing of one's own.
    (
        -1.2,
        "character describe dialogue essay haiku imagine joke letter lyrics poem pretend rap slogan speech story style \
         tagline tweet write",
    ),
    // Judging and explaining.
    (-0.8, "difference explain feel feeling meaning should think why would"),
    // Exercises in words.
    (
        -1.2,
        "answer blank categories category choice choose classify complete correct determine false following given identify \
         input output paragraph paraphrase passage predict question replace rewrite select sentence sentences statement \
         table text true word words",
    ),
    // Telling of others, and in general.
    (-1.0, "did had he her his she they was were"),
    (-0.8, "dogs human life man people person someone world"),
    (-0.8, "how"),
    (-0.5, "what"),
    (-0.3, "where"),
];

/// Words in a row, and what they speak for a tool; each group counts once.
const ROWS: &[(f64, &[&[&str]])] = &[
    (1.0, &[&["can", "you"], &["could", "you"]]),
    (
        1.0,
        &[
            &["i", "need"],
            &["i", "want"],
            &["i'm", "looking"],
            &["i'd", "like"],
            &["i", "am", "looking"],
            &["i", "would", "like"],
        ],
    ),
];

/// Marks, and what they speak for a tool: several lines, a colon or semicolon, figures, a quotation.
const LINES: f64 = -0.7;
const COLON: f64 = -0.7;
const FIGURES: f64 = 0.4;
const QUOTATION: f64 = 0.5;

/// How much a request's words speak for a tool: as log odds, above 0 if one is rather needed.
pub(super) fn need(request: &str) -> f64 {
    static CLASS_OF: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let words = |(class, (_, words)): (usize, &(f64, &'static str))| {
            words.split_ascii_whitespace().map(move |word| (word, class)).collect::<Vec<_>>()
        };
        CLASSES.iter().enumerate().flat_map(words).collect()
    });
    let request = request.trim();
    let lower = request.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_ascii_lowercase() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .collect();
    let mut named = [false; CLASSES.len()];
    words.iter().filter_map(|word| CLASS_OF.get(word)).for_each(|class| named[*class] = true);
    let by_words: f64 = CLASSES.iter().zip(named).filter(|(_, named)| *named).map(|((weight, _), _)| weight).sum();
    let has = |row: &&[&str]| words.windows(row.len()).any(|window| window == *row);
    let by_rows: f64 = ROWS.iter().filter(|(_, rows)| rows.iter().any(has)).map(|(weight, _)| weight).sum();
    let colon =
        request.as_bytes().windows(2).any(|pair| matches!(pair[0], b':' | b';') && pair[1].is_ascii_whitespace());
    let marks = [
        (LINES, request.contains('\n')),
        (COLON, colon),
        (FIGURES, request.contains(|c: char| c.is_ascii_digit())),
        (QUOTATION, request.contains('"')),
    ];
    let by_marks: f64 = marks.into_iter().filter(|(_, there)| *there).map(|(weight, _)| weight).sum();
    BIAS + by_words + by_rows + by_marks
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_class_counts_once_and_a_word_is_in_one_class() {
        let words: Vec<&str> = CLASSES.iter().flat_map(|(_, words)| words.split_ascii_whitespace()).collect();
        assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len());
        assert!((need("find search") - need("find")).abs() < 1e-9 && need("") == BIAS);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_figure(text in "\\PC{0,200}") {
            proptest::prop_assert!(need(&text).is_finite());
        }
    }

    #[test]
    fn what_a_tool_must_do_needs_one() {
        for request in [
            "Can you find me a hotel near the river for tomorrow?",
            "I'm looking for the latest articles on coral reefs",
            "Please convert my video to a podcast",
            "Book a table for \"four\" tonight",
        ] {
            assert!(need(request) > 0.0, "{request}");
        }
    }

    #[test]
    fn knowledge_writing_and_exercises_need_none() {
        for request in [
            "Why do people yawn?",
            "Write a short story about a lighthouse keeper",
            "Choose the correct word: He (was/were) late.",
            "How did the Romans heat their baths?",
        ] {
            assert!(need(request) < 0.0, "{request}");
        }
    }
}
