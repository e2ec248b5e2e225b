//! Claims about where one request ends and the next begins.

use super::*;

fn check(message: &str, expected: &[&str]) {
    let clauses: Vec<String> = split(message).clauses.into_iter().map(|clause| clause.text).collect();
    assert_eq!(clauses, expected, "{message}");
}

#[test]
fn sentences_and_verbs_divide() {
    check("Read config.json and tell me the port number", &["Read config.json", "tell me the port number"]);
    check("Open config.json; which port does it use?", &["Open config.json", "which port does it use"]);
    check("Calculate 6 * 7, then call it answer.", &["Calculate 6 * 7", "call it answer"]);
    check("List src and find TODO in them", &["List src", "find TODO in them"]);
    check("Read a.txt. Then read b.txt!", &["Read a.txt", "read b.txt"]);
    check("read a.txt\nread b.txt", &["read a.txt", "read b.txt"]);
    check("Hello, can you read a.txt?", &["Hello", "read a.txt"]);
}

#[test]
fn lists_and_quotations_do_not_divide() {
    check("Read a.txt and b.txt", &["Read a.txt and b.txt"]);
    check("Write \"read this. And that\" to x.txt", &["Write \"read this. And that\" to x.txt"]);
    check("what is the sum of 1, 2 and 3?", &["what is the sum of 1, 2 and 3"]);
    check("run `a; b` and tell me", &["run `a; b`", "tell me"]);
}

#[test]
fn a_command_is_not_divided_by_its_own_signs() {
    check("run echo one; echo two", &["run echo one; echo two"]);
    check("run echo a. b", &["run echo a. b"]);
    check("run ls and tell me how many", &["run ls", "tell me how many"]);
}

#[test]
fn courtesies_fall_away() {
    check("Could you please read a.txt for me, thanks", &["read a.txt"]);
    check("please", &["please"]);
    check("I'd like you to read a.txt", &["read a.txt"]);
}

#[test]
fn a_question_is_known_by_its_mark_or_first_word() {
    let asks = |message: &str| split(message).clauses[0].asks();
    assert!(asks("a port?") && asks("what port"));
    assert!(!asks("read it"));
}

#[test]
fn only_so_many_clauses_are_looked_at() {
    let split = split(&"Read a. ".repeat(500));
    assert_eq!((split.clauses.len(), split.cut), (MAX_CLAUSES, true));
}

#[test]
fn nothing_is_no_clause() {
    for message in ["", "  ", "...", "\n\n", "?!"] {
        check(message, &[]);
    }
}
