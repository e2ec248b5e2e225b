//! Claims about messages that go on with what was shown or done before: whole turns, with real tools in a workspace.

use crate::dialogue_tests::{last, read, session};

const FILES: &[(&str, &str)] = &[
    ("list.txt", "milk\neggs\n"),
    ("todo.md", "# To do\n\n- [ ] buy stamps\n- [ ] call Ann\n"),
    ("prod.toml", "port = 1\nlevel = 3\n"),
    ("dev.toml", "port = 2\nlevel = 4\n"),
    ("2026-q1.csv", "id,name,email,paid\n7,Ann,a@b.example,yes\n8,Bo,,no\n9,Cy,c@d.example,no\n"),
    ("2026-q2.csv", "id,name,email,paid\n7,Ann,a@b.example,no\n8,Bo,,no\n9,Cy,c@d.example,no\n"),
    ("notes.md", "# Notes\n\nKeys of the cellar: Wilma Holt\nWilma Holt: 0555 77\n"),
];

#[tokio::test]
async fn a_change_goes_on_in_the_file_that_was_told() {
    for (messages, path, text) in [
        (&["show list.txt", "add rice to it", "yes"][..], "list.txt", "milk\neggs\nrice\n"),
        (&["show list.txt", "and take milk off"], "list.txt", "eggs\n"),
        (
            &["show todo.md", "tick off the second one", "yes"],
            "todo.md",
            "# To do\n\n- [ ] buy stamps\n- [x] call Ann\n",
        ),
        (
            &["tick off call Ann in todo.md", "yes", "buy stamps too", "yes"],
            "todo.md",
            "# To do\n\n- [x] buy stamps\n- [x] call Ann\n",
        ),
        (&["copy prod.toml to new.toml", "set port to 5 there"], "new.toml", "port = 5\nlevel = 3\n"),
        (&["copy prod.toml to new.toml", "in the copy, set level to 6"], "new.toml", "port = 1\nlevel = 6\n"),
        (&["copy prod.toml to new.toml", "set level to 6 in the original"], "prod.toml", "port = 1\nlevel = 6\n"),
        (&["set port to 9 in prod.toml", "and in dev too"], "dev.toml", "port = 9\nlevel = 4\n"),
        (&["what is the port in prod.toml?", "set it to 7"], "prod.toml", "port = 7\nlevel = 3\n"),
        (&["show prod.toml", "set port to 7", "yes"], "prod.toml", "port = 7\nlevel = 3\n"),
        (&["set port to 9 in prod.toml", "and back to 1"], "prod.toml", "port = 1\nlevel = 3\n"),
        (&["show dev.toml", "level should be 8"], "dev.toml", "port = 2\nlevel = 8\n"),
        (&["create new.txt with the line \"a\"", "add \"b\" below"], "new.txt", "a\nb"),
        (&["set port to 9 in prod.toml", "oops, that was the wrong one. undo"], "prod.toml", "port = 1\nlevel = 3\n"),
        (&["set port to 9 in prod.toml, the level stays as is"], "prod.toml", "port = 9\nlevel = 3\n"),
        (&["rename list.txt to a.txt", "hm, don't like it. buy.txt is better"], "buy.txt", "milk\neggs\n"),
        (&["we need rice as well, put it on list.txt", "yes"], "list.txt", "milk\neggs\nrice\n"),
    ] {
        let session = session(FILES);

        let turned = last(&session, messages).await;

        assert_eq!(read(&session, path), text, "{messages:?}: {turned:?}");
    }
}

#[tokio::test]
async fn what_was_not_named_is_neither_deleted_nor_forgotten_nor_run() {
    for messages in [
        &["how many rows has 2026-q1.csv?", "delete them"][..],
        &["add rice to list.txt", "yes", "delete it"],
        &["ls", "delete it"],
        &["ls", "who has not paid in 2026-q1.csv?", "delete the second one"],
        &["search for call", "run them"],
    ] {
        let session = session(FILES);

        let turned = last(&session, messages).await;

        assert!(!turned.complete, "{messages:?}: {turned:?}");
        assert!(FILES.iter().all(|(path, _)| session.folder().join(path).is_file()), "{messages:?}: {turned:?}");
        assert!(
            !turned.tools.iter().any(|tool| tool == "bash" || tool == "delete_variable"),
            "{messages:?}: {turned:?}"
        );
    }
}

#[tokio::test]
async fn neither_a_question_nor_the_name_of_a_file_changes_a_folder_or_list() {
    const FOLDER: &[(&str, &str)] = &[("minutes/2025-03.md", "# March\n"), ("list.txt", "milk\neggs\n")];
    for message in ["is there milk on it already?", "rename the minutes to committee.md"] {
        let session = session(FOLDER);

        let turned = last(&session, &[message, "yes"]).await;

        assert!(FOLDER.iter().all(|(path, text)| read(&session, path) == *text), "{message}: {turned:?}");
    }
}

#[tokio::test]
async fn what_belongs_to_what_was_told_is_found() {
    for (messages, said) in [
        (&["what is the email of Bo in 2026-q1.csv?", "set his email to bo@b.example"][..], "`bo@b.example`"),
        (&["who has the keys of the cellar?", "what is her number"], "0555 77"),
        (&["where is Wilma mentioned?", "open that file"], "# Notes"),
        (&["how many lines has 2026-q1.csv?", "do the same for Q2"], "2026-q2.csv"),
        (&["what date is 2 days after 2026-01-01?", "which weekday is that"], "Saturday"),
        (&["what is 15% of 80?", "and 20%?"], "16"),
        (&["how often does call occur in todo.md?", "which ones?"], "- [ ] call Ann"),
    ] {
        let session = session(FILES);

        let turned = last(&session, messages).await;

        assert!(turned.complete && turned.text.contains(said), "{messages:?}: {turned:?}");
    }
}

#[tokio::test]
async fn a_request_among_other_sentences_is_done_and_they_are_told() {
    for (message, path, text, remark) in [
        (
            "Hi! The neighbours complained. Please set port in prod.toml to 5. Thanks a lot",
            "prod.toml",
            "port = 5\nlevel = 3\n",
            "“The neighbours complained.”",
        ),
        (
            "releasing in an hour, so set port to 5 in dev.toml",
            "dev.toml",
            "port = 5\nlevel = 4\n",
            "“releasing in an hour”",
        ),
    ] {
        let session = session(FILES);

        let turned = last(&session, &[message]).await;

        assert_eq!(read(&session, path), text, "{message}: {turned:?}");
        assert!(turned.complete && turned.text.contains(remark), "{message}: {turned:?}");
    }
    let session = session(FILES);

    let turned =
        last(&session, &["good morning, my boss wants that. what is the port in dev.toml? we are in a hurry"]).await;

    assert!(turned.complete && turned.text.contains('2'), "{turned:?}");
}

#[tokio::test]
async fn a_sentence_that_may_be_a_wish_or_restrict_one_is_not_passed_over() {
    for message in
        ["Delete list.txt. But only if it is empty", "We need milk no more. Delete the rest. Remove list.txt"]
    {
        let session = session(FILES);

        let turned = last(&session, &[message]).await;

        assert!(FILES.iter().all(|(path, text)| read(&session, path) == *text), "{message}: {turned:?}");
    }
}

#[tokio::test]
async fn what_was_shown_is_changed_counted_to_and_put_back() {
    const FILES: &[(&str, &str)] = &[
        ("fees.md", "# Fees\n\nFamily ticket: 25 pounds\nAdult: 9 pounds\n"),
        ("tour.md", "# Tour\n\nThe premiere of Tin Sparrow is on 6 December 2031.\n"),
        ("list.txt", "milk\neggs\n"),
    ];
    let changed = "# Fees\n\nFamily ticket: 27 pounds\nAdult: 9 pounds\n";
    for (messages, path, text) in [
        (&["how much is the family ticket?", "make it 27"][..], "fees.md", changed),
        (&["how much is the family ticket?", "hm that's too low. 27 please"], "fees.md", changed),
        (&["delete list.txt", "oh wait we do need that. put it back where it was"], "list.txt", "milk\neggs\n"),
        (&["delete list.txt", "undo, marijke needs it"], "list.txt", "milk\neggs\n"),
        (&["delete list.txt", "hm sorry, we still need some. put it back"], "list.txt", "milk\neggs\n"),
        (&["delete list.txt", "undo, she still needs it"], "list.txt", "milk\neggs\n"),
    ] {
        let session = session(FILES);

        let turned = last(&session, messages).await;

        assert!(turned.complete && read(&session, path) == text, "{messages:?}: {turned:?}");
    }
    let session = session(FILES);

    let turned = last(&session, &["when is the premiere of tin sparrow?", "how many days is that from today"]).await;

    assert!(turned.complete && turned.text.contains("6 December 2031"), "{turned:?}");
}

#[tokio::test]
async fn an_undo_that_may_be_restricted_is_not_done_as_if_it_were_not() {
    const FILES: &[(&str, &str)] = &[("list.txt", "milk\neggs\n")];
    let session = session(FILES);

    let turned = last(&session, &["append \"tea\" to list.txt", "only the first one was wrong, undo it"]).await;

    assert!(!turned.complete && read(&session, "list.txt") == "milk\neggs\ntea\n", "{turned:?}");
}
