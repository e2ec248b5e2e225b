//! Claims about whole turns that the rules decide: real tools, a real workspace, the session in memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde_json::json;
use switchboard_nlu::Paths;

use crate::{Rules, WorkspaceNames};
use switchboard_agent::test_support::{TestSession, Turned};

const CONFIG: &str = "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}}\n";

/// The names in the folder of a test's session.
#[derive(Default)]
struct Names(OnceLock<PathBuf>);

#[async_trait]
impl WorkspaceNames for Names {
    async fn paths(&self) -> Arc<Paths> {
        let Some(root) = self.0.get() else { return Arc::default() };
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        walk(root, root, &mut files, &mut folders);
        Arc::new(Paths::new(files, folders))
    }

    fn is_program(&self, name: &str) -> bool {
        ["ls", "git", "echo", "cat"].contains(&name)
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<String>, folders: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("below it").to_string_lossy().into_owned();
        if path.is_dir() {
            folders.push(name);
            walk(root, &path, files, folders);
        } else {
            files.push(name);
        }
    }
}

pub(crate) fn session(files: &[(&str, &str)]) -> TestSession {
    let names = Arc::new(Names::default());
    let session = TestSession::with_files(Arc::new(Rules::new(Arc::clone(&names) as _)), files);
    names.0.set(session.folder().to_owned()).expect("it is set once");
    session
}

pub(crate) fn read(session: &TestSession, path: &str) -> String {
    fs::read_to_string(session.folder().join(path)).expect("it is there")
}

pub(crate) async fn last(session: &TestSession, messages: &[&str]) -> Turned {
    let mut turned = None;
    for message in messages {
        turned = Some(session.say(message).await);
    }
    turned.expect("something is said")
}

#[tokio::test]
async fn what_the_context_holds_needs_no_tool() {
    let session = session(&[]);
    session.set("user_data", json!({"name": "John"})).await;

    let turned = session.say("What's my name?").await;

    assert!(turned.tools.is_empty(), "{turned:?}");
    assert_eq!(turned.text, "`name` in `user_data` is **John**.");
}

#[tokio::test]
async fn a_message_of_two_clauses_is_two_plans() {
    let session = session(&[("config.json", CONFIG)]);

    let turned = session.say("Read config.json and tell me the port number").await;

    assert!(turned.text.ends_with("`port` in `config.json` is **3000**."), "{turned:?}");
    assert!(turned.complete);
}

#[tokio::test]
async fn nothing_is_written_that_was_not_said() {
    for (request, path) in [
        ("add import os at the top of cli.py", "cli.py"),
        ("write a summary of README.md", "README.md"),
        ("create file.txt with the names from users.json", "users.json"),
        ("append 5 to notes.txt", "notes.txt"),
        ("append \"x\" to notes.txt but not if it is empty", "notes.txt"),
        ("delete notes.txt unless it is empty", "notes.txt"),
        ("write it to notes.txt", "notes.txt"),
    ] {
        let before = "[\"a\"]\nprint(1)\n";
        let session = session(&[(path, before), ("other.txt", "x\n")]);

        let turned = session.say(request).await;

        assert_eq!(read(&session, path), before, "{request}: {turned:?}");
        assert!(!turned.tools.iter().any(|tool| tool == "file_write"), "{request}: {turned:?}");
    }
}

#[tokio::test]
async fn an_existing_file_is_replaced_only_if_that_is_said() {
    let session = session(&[("a.txt", "one\ntwo\n")]);

    let written = session.say("write \"new\" to a.txt").await;
    let kept = read(&session, "a.txt");
    let replaced = session.say("replace the content of a.txt with \"new\"").await;

    assert_eq!((kept.as_str(), written.complete), ("one\ntwo\n", false), "{written:?}");
    assert!(replaced.text.contains("I replaced 2 lines") && replaced.text.contains("undo"), "{replaced:?}");
    assert_eq!(read(&session, "a.txt"), "new");
}

#[tokio::test]
async fn a_value_is_changed_in_its_place() {
    let session = session(&[("pyproject.toml", "[server]\ntimeout = 30 # seconds\n")]);

    let turned = session.say("change the timeout in pyproject.toml to 60").await;

    assert!(turned.complete, "{turned:?}");
    assert_eq!(read(&session, "pyproject.toml"), "[server]\ntimeout = 60 # seconds\n");
}

#[tokio::test]
async fn a_line_is_removed_and_comes_back() {
    let session = session(&[("a.txt", "one\ntwo\nthree\n")]);

    session.say("remove line 2 of a.txt").await;
    let removed = read(&session, "a.txt");
    session.say("undo that").await;

    assert_eq!((removed.as_str(), read(&session, "a.txt").as_str()), ("one\nthree\n", "one\ntwo\nthree\n"));
}

#[tokio::test]
async fn references_in_arithmetic_are_told_apart() {
    let session = session(&[("config.json", CONFIG)]);

    let turned = last(&session, &["Read config.json and call it cfg", "Calculate @cfg.port + @cfg.db.port"]).await;

    assert!(turned.text.contains("8432"), "{turned:?}");
}

#[tokio::test]
async fn what_was_worked_out_gets_the_name() {
    let session = session(&[("a.txt", "one two\nthree\n")]);

    let turned = last(&session, &["count the words in a.txt and call it total", "what is total?"]).await;

    assert!(turned.text.contains("**3**"), "{turned:?}");
}

#[tokio::test]
async fn try_again_is_the_last_request_also_a_failed_one() {
    let session = session(&[]);

    let turned = last(&session, &["create a.txt with \"one\"", "read b.txt", "try again"]).await;

    assert!(!turned.complete && !turned.tools.iter().any(|tool| tool == "file_write"), "{turned:?}");
    assert!(turned.text.contains("b.txt"), "{turned:?}");
}

#[tokio::test]
async fn follow_ups_change_what_is_of_their_type() {
    let session = session(&[("a.txt", "one\ntwo\n"), ("b.txt", "one\n")]);

    let other = last(&session, &["how many lines are in a.txt", "and b.txt?"]).await;
    let same = session.say("how many words does it have?").await;

    assert!(other.text.contains("`b.txt` has **1 line**"), "{other:?}");
    assert!(same.text.contains("`b.txt` has **1 word**"), "{same:?}");
}

#[tokio::test]
async fn the_last_one_is_a_line_after_a_line() {
    let session = session(&[("a.txt", "one\ntwo\nthree\n")]);

    let turned = last(&session, &["first line of a.txt", "and the last one?"]).await;

    assert!(turned.complete && turned.text.contains("three"), "{turned:?}");
}

#[tokio::test]
async fn yes_does_nothing_a_second_time() {
    let session = session(&[("a.txt", "one\n")]);

    let turned = last(&session, &["append \"x\" to a.txt and then append \"y\" to a.txt", "yes"]).await;

    assert_eq!(read(&session, "a.txt"), "one\nx\ny\n", "{turned:?}");
}

#[tokio::test]
async fn no_edit_makes_json_or_toml_unreadable() {
    for (path, text) in [("config.json", CONFIG), ("app.toml", "port = 1\n")] {
        let session = session(&[(path, text)]);

        let turned = session.say(&format!("append \"Hello there\" to {path}")).await;

        assert!(!turned.complete && turned.text.contains("I changed nothing"), "{turned:?}");
        assert_eq!(read(&session, path), text);
    }
}

#[tokio::test]
async fn yes_takes_what_was_asked_and_nothing_else() {
    let session = session(&[("a.txt", "one\n")]);

    let asked = last(&session, &["read a.txt", "append x to it"]).await;
    let before = read(&session, "a.txt");
    let taken = session.say("yes").await;

    assert!(!asked.complete && before == "one\n", "{asked:?}");
    assert!(taken.complete && read(&session, "a.txt").contains("one\nx"), "{taken:?}");
    assert!(session.say("yes").await.tools.is_empty());
}

#[tokio::test]
async fn a_request_that_is_not_understood_is_answered_in_two_lines() {
    let session = session(&[]);

    let first = session.say("frobnicate the gizmo").await;
    let again = session.say("defenestrate the widget").await;

    assert!(!first.complete && first.tools.is_empty(), "{first:?}");
    assert!(first.text.contains("not a language model") && !again.text.contains("not a language model"), "{again:?}");
    assert!(first.text.lines().filter(|line| !line.is_empty()).count() <= 2, "{first:?}");
}

#[tokio::test]
async fn tables_are_asked_and_asked_on() {
    let orders = "name,status,price\na,refunded,10\nb,paid,20\nc,refunded,30\n";
    let session = session(&[("data/orders.csv", orders)]);

    let first = session.say("what is the total price in orders.csv").await;
    let on = session.say("only the refunded ones").await;

    assert!(first.text.contains("**60**"), "{first:?}");
    assert!(on.text.contains("**40**"), "{on:?}");
}

const HUT: &[(&str, &str)] = &[
    ("notes/hut.md", "# Hut\n\nwarden: Ida, tel 0555 310 77\ncleaning on 30 November by Maud\n"),
    ("src/sync.py", "MAX_RETRIES = 4\n\ndef sync(retries):\n    return retries * 2\n"),
];

#[tokio::test]
async fn facts_are_found_by_other_words_and_around_manners() {
    for (say, expected) in [
        ("hi! the phone of the warden please, thanks", "0555 310 77"),
        ("who does the cleaning on 2026-11-30?", "Maud"),
        ("sorry to bother you, how many attempts do we make?", "1: MAX_RETRIES = 4"),
    ] {
        let turned = session(HUT).say(say).await;
        assert!(turned.complete && turned.text.contains(expected), "{say}: {turned:?}");
    }
}

#[tokio::test]
async fn a_passage_that_lacks_a_word_of_the_question_is_no_answer() {
    for say in
        ["what is the phone of the night warden?", "who does the cleaning on 1 December?", "change the warden phone"]
    {
        let turned = session(HUT).say(say).await;
        assert!(!turned.complete && !turned.text.contains("This is what I found"), "{say}: {turned:?}");
    }
}

#[tokio::test]
async fn manners_are_not_cut_from_what_is_written() {
    let session = session(&[("a.txt", "one\n")]);

    session.say("append to a.txt: see you soon, thanks").await;

    assert_eq!(read(&session, "a.txt"), "one\nsee you soon, thanks\n");
}

#[tokio::test]
async fn yes_takes_the_part_that_was_understood() {
    let session = session(&[("a.txt", "one\n")]);

    let held = last(&session, &["append \"x\" to a.txt and then frobnicate the gizmo"]).await;
    let before = read(&session, "a.txt");
    let taken = session.say("yes").await;

    assert!(!held.complete && before == "one\n", "{held:?}");
    assert_eq!(read(&session, "a.txt"), "one\nx\n", "{held:?}");
    assert!(!taken.complete && taken.text.contains("Not done") && taken.text.contains("frobnicate"), "{taken:?}");
}

#[tokio::test]
async fn a_fragment_takes_the_place_of_what_is_like_it() {
    let kennel = "[{\"pen\": \"N1\", \"dogs\": 4}, {\"pen\": \"N2\", \"dogs\": 7}, {\"pen\": \"N3\", \"dogs\": 2}]";
    for (first, then, says) in [
        ("how many dogs are in pen N1", "and in N2?", "**7**"),
        ("how many dogs are in pen N1", "pen n3?", "**2**"),
        ("what day of the week is 3 march 2027", "and 4 april?", "2027-04-04"),
        ("what is 30 percent of 90", "what about 45 percent?", "**40.5**"),
    ] {
        let session = session(&[("kennel.json", kennel)]);
        let turned = last(&session, &[first, then]).await;
        assert!(turned.text.contains(says), "{then}: {}", turned.text);
    }
}

#[tokio::test]
async fn a_fragment_that_fits_nowhere_changes_nothing() {
    let session = session(&[("config.json", CONFIG)]);

    let turned = last(&session, &["set port to 4000 in config.json", "and blue too"]).await;

    assert!(!turned.complete, "{}", turned.text);
    assert_eq!(read(&session, "config.json"), CONFIG.replace("3000", "4000"));
}

#[tokio::test]
async fn a_part_is_not_offered_if_the_rest_may_say_how_it_is_meant() {
    for rest in ["in the gizmo only", "but not the frobnicated ones", "except for the gizmo"] {
        let session = session(&[("a.txt", "one\n")]);

        let held = last(&session, &[&format!("append \"x\" to a.txt, {rest}"), "yes"]).await;

        assert!(!held.complete && read(&session, "a.txt") == "one\n", "{rest}: {held:?}");
    }
}

#[tokio::test]
async fn nothing_found_answers_only_what_asks_whether_there_is_any() {
    let files = [("soup.md", "# Soup\n\n## Spices\n- salt\n- pepper\n"), ("notes.txt", "milk\n")];
    for (request, is_answer) in [
        ("find \"gizmo\" in notes.txt", true),
        ("does notes.txt mention gizmo", true),
        ("is there any gizmo in notes.txt", true),
        ("show the lines with gizmo in notes.txt", false),
        ("how often does gizmo occur in notes.txt", false),
    ] {
        let turned = session(&files).say(request).await;
        assert_eq!(turned.complete, is_answer, "{request}: {turned:?}");
    }
}

#[tokio::test]
async fn why_is_answered_only_by_what_is_known() {
    let session = session(&[("a.txt", "one\n")]);

    let turned = last(&session, &["how many lines has a.txt", "why?"]).await;

    assert!(!turned.complete, "{turned:?}");
}

#[tokio::test]
async fn a_word_alone_names_no_new_file() {
    let session = session(&[]);

    session.say("add a new member: 115,Yusuf").await;
    session.say("yes").await;
    let named = session.say("create a file called member with the text \"115\"").await;

    assert!(named.complete && read(&session, "member").contains("115"), "{named:?}");
}

#[tokio::test]
async fn a_path_that_ends_in_a_slash_is_a_folder() {
    let session = session(&[("notes/ideas.md", "one\n")]);

    let turned = session.say("move notes/ideas.md into docs/").await;

    assert!(turned.complete && read(&session, "docs/ideas.md") == "one\n", "{turned:?}");
}
