//! What a call may write for what a request says.

use serde_json::json;

use super::*;
use std::sync::Arc;

use switchboard_agent::test_support::TestSession;

use crate::Rules;
use crate::clause::split;

const FILES: &[(&str, &str)] = &[("a.txt", "one\n"), ("cli.py", "print(1)\n"), ("users.json", "[\"Ada\"]\n")];

/// Whether the call is understood, and then whether it may replace a file.
fn replaces(request: &str, path: &str, content: &str) -> Option<bool> {
    let act = Act::new(Skill::Write, &split(request).clauses[0]);
    let mut arguments = Map::from_iter([("path".to_owned(), json!(path)), ("content".to_owned(), json!(content))]);
    understood(&act, "file_write", &mut arguments).ok().map(|()| arguments["overwrite"] == true)
}

#[test]
fn what_is_marked_or_a_value_is_written_and_replaces_only_if_that_is_said() {
    for (request, content, expected) in [
        ("write \"x y\" to a.txt", "x y", Some(false)),
        ("write to a.txt: the summary of it all", "the summary of it all", Some(false)),
        ("save @cfg to a.txt", "@cfg", Some(false)),
        ("save it to a.txt", "@last", Some(false)),
        ("write hello to a.txt", "hello", Some(false)),
        ("create an empty file a.txt", "", Some(false)),
        ("create a.txt that says hello friends", "hello friends", Some(false)),
        ("overwrite a.txt with \"x\"", "x", Some(true)),
        ("write \"x\" to a.txt, replacing the old content", "x", Some(true)),
        ("write \"x\" to a.txt but do not overwrite it", "x", Some(false)),
        ("write \"overwrite\" to a.txt", "overwrite", Some(false)),
        ("overwrite a.txt with hello", "hello", None),
    ] {
        assert_eq!(replaces(request, "a.txt", content), expected, "{request}");
    }
}

#[test]
fn words_that_describe_and_words_without_a_part_are_asked_about() {
    for (request, content) in [
        ("add import os at the top of a.txt", "import os"),
        ("write a summary of b.md to a.txt", "a summary of b.md"),
        ("create a.txt with the names from users.json", "the names from users.json"),
        ("create a.txt containing its first line", "its first line"),
        ("write a poem titled \"Sea\" to a.txt", "Sea"),
        ("save a summary of @cfg to a.txt", "@cfg"),
        ("write \"x\" and \"y\" to a.txt", "x"),
        ("generate tests in a.txt", "tests"),
        ("make a file called a.txt with three tasks", "three tasks"),
        ("write hello to a.txt", "something else"),
        ("make a backup in a.txt", ""),
    ] {
        assert_eq!(replaces(request, "a.txt", content), None, "{request}");
    }
}

#[tokio::test]
async fn a_question_names_what_to_say_and_what_else_was_not_done() {
    let session = TestSession::with_files(Arc::new(Rules), FILES);

    let asked = session.say("Write a summary of a.txt to new.txt and then list the files").await;

    assert!(asked.text.starts_with("What exactly is to be written to `new.txt`?"), "{}", asked.text);
    assert!(asked.text.contains("Write \"…\" to new.txt") && asked.text.contains("- list the files"), "{}", asked.text);
    let more = session.say("add \"import os\" at the top of new.py").await;
    assert!(more.text.starts_with("What do you mean by \"top\", \"of\" here?"), "{}", more.text);
    let names = session.say("create new.txt with the names from users.json").await;
    assert!(names.text.contains("Write \"…\" to new.txt"), "{}", names.text);
    assert_eq!((asked.complete, asked.tools.len(), session.file("new.txt")), (false, 0, None));
}

#[tokio::test]
async fn a_file_that_is_there_is_replaced_when_the_user_says_what_the_refusal_names() {
    let session = TestSession::with_files(Arc::new(Rules), FILES);

    let refused = session.say("Write \"two\" to a.txt").await;
    let kept = session.file("a.txt");
    session.say("Overwrite a.txt with \"two\"").await;

    assert_eq!(
        (refused.complete, refused.code.as_deref(), kept.as_deref()),
        (false, Some("tool-failed"), Some("one\n"))
    );
    assert!(refused.text.contains("say: Overwrite a.txt with \"…\""), "{}", refused.text);
    assert_eq!(session.file("a.txt").as_deref(), Some("two"));
}

#[tokio::test]
async fn every_way_to_say_that_a_file_is_replaced_replaces_it() {
    for (request, expected) in [
        ("overwrite a.txt with \"x\"", "x"),
        ("Please overwrite the contents of a.txt with 'x y'", "x y"),
        ("overwrite the file a.txt with: hello there", "hello there"),
        ("replace the contents of a.txt with: hello there", "hello there"),
        ("Replace the whole content of the file a.txt by `x`", "x"),
        ("Read users.json and overwrite a.txt with it", "[\"Ada\"]\n"),
        ("write \"x\" to a.txt, overwriting it", "x"),
    ] {
        let session = TestSession::with_files(Arc::new(Rules), FILES);

        let turned = session.say(request).await;

        assert!(turned.complete, "{request}: {}", turned.text);
        assert_eq!(session.file("a.txt").as_deref(), Some(expected), "{request}: {}", turned.text);
    }
}

#[tokio::test]
async fn no_way_round_leads_over_a_file_that_is_there() {
    for requests in [
        &["write \"hello\" to b.txt", "do it again for a.txt"][..],
        &["write \"hello\" to b.txt", "and a.txt?"],
        &["Read users.json and write it to a.txt"],
        &["copy cli.py to a.txt"],
        &["list the files and write \"x\" to a.txt"],
        &["file_write {\"path\": \"a.txt\", \"content\": \"x\"}"],
        &["use file_write to put \"x\" into a.txt"],
        &["create an empty file a.txt"],
        &["touch a.txt"],
        &["replace the contents of a.txt with the names from users.json"],
        &["overwrite a.txt with a better text"],
        &["change the one in a.txt to something better"],
    ] {
        let session = TestSession::with_files(Arc::new(Rules), FILES);
        for request in requests {
            session.say(request).await;
        }
        session.try_tool("file_write", requests[requests.len() - 1]).await;

        assert_eq!(session.file("a.txt").as_deref(), Some("one\n"), "{requests:?}");
    }
}
