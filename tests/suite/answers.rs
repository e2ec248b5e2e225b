//! Conversations about tables and texts without a model, as a user would type them: each answer says where it comes from.

use switchboard_tests::{TestClient, TestServer};

const PEOPLE: &str =
    "name,city,age,salary\nAda,Berlin,36,5200\nGrace,Paris,45,6100\nAlan,London,41,4800\nLinus,Berlin,29,5900\n";

async fn with(path: &str, content: &str) -> (TestServer, TestClient) {
    let server = TestServer::start().await;
    server.file(path, content);
    let client = server.connect().await;
    (server, client)
}

#[tokio::test]
async fn a_table_that_was_read_answers_questions_without_a_tool() {
    let (_server, mut client) = with("people.csv", PEOPLE).await;
    client.ask("Read people.csv").await.answered();

    for (question, says) in [
        ("How many people are there?", "`people.csv` has **4** rows"),
        ("Who is the oldest?", "**Grace** has the highest age in `people.csv`: **45**"),
        ("What is the highest salary?", "**6100**"),
        ("What is the average age?", "**37.75**"),
        ("What is the salary of Ada?", "**5200**"),
        ("How many are older than 40?", "**2** of the 4 rows in `people.csv`"),
        ("Which people live in Berlin?", "| Linus | Berlin |"),
    ] {
        let turn = client.ask(question).await.answered().says(says);
        assert!(turn.tools().is_empty(), "{question}: {:?}", turn.tools());
        assert_eq!(turn.need()["needsTools"], false, "{question}");
    }
}

#[tokio::test]
async fn a_table_in_a_file_is_read_for_the_question() {
    let (_server, mut client) = with("people.csv", PEOPLE).await;

    let turn = client.ask("What is the highest salary in people.csv?").await.answered().says("**6100**");
    let again = client.ask("Who is the youngest?").await.answered().says("Linus");

    assert_eq!(turn.tools(), ["file_read"]);
    assert!(again.tools().is_empty());
}

#[tokio::test]
async fn json_in_a_variable_answers_by_its_name() {
    let users = r#"{"users": [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 45}]}"#;
    let (_server, mut client) = with("users.json", users).await;
    client.ask("Read users.json and call it people").await.answered();
    client.ask("Calculate 6 * 7").await.answered().says("42");

    client.ask("What is the average age in @people?").await.answered().says("**40.5**");
    client.ask("Who is the oldest?").await.answered().says("**Grace** has the highest age");
}

#[tokio::test]
async fn a_text_is_summarised_in_its_own_best_sentences() {
    let notes = "The server keeps every event in a log. Nothing is lost when the server dies. \
                 The log of events is stored in SQLite, and each session has its own events.\n\n\
                 It rained a lot in May. Somebody bought a machine for coffee. The team measures how fast the server answers.\n";
    let (_server, mut client) = with("notes.txt", notes).await;

    let first = client.ask("Summarise notes.txt").await.answered().says("The server keeps every event in a log.");
    let again = client.ask("Summarise that file in one sentence").await.answered().says("in its own words");

    assert!(first.text().contains("`notes.txt` in short"), "{}", first.text());
    assert!(!first.text().contains("coffee"), "{}", first.text());
    assert_eq!(again.text().matches("\n- ").count(), 1, "{}", again.text());
    assert!(again.tools().is_empty(), "{:?}", again.tools());
}

#[tokio::test]
async fn a_request_that_changes_the_one_before_says_how_it_was_taken() {
    let (server, mut client) = with("people.csv", PEOPLE).await;
    server.file("others.csv", "name,age\nMary,52\nJohn,50\n");
    client.ask("How many rows has people.csv?").await.answered().says("**4** rows");

    let other = client.ask("And others.csv?").await.answered().says("`others.csv` has **2** rows");
    let unclear = client.ask("do the same for everybody").await;

    let why = other.need()["reasoning"].as_str().unwrap_or_default().to_owned();
    assert_eq!(why, "I take the request to mean: count the rows of others.csv.");
    assert_eq!((unclear.tools().len(), &unclear.end["complete"]), (0, &serde_json::json!(false)), "{:#}", unclear.end);
}

#[tokio::test]
async fn a_question_is_answered_by_the_passages_that_have_all_its_words() {
    let (server, mut client) = with("notes/boat.md", "# Boat\n\n## Berth\nharbour: Wyk\nkey box: 8814\n").await;
    server.file("crew.csv", "name,phone\nUlla Behn,04681 77\nOke Hansen,04681 12\n");

    let berth = client.ask("whats in the key box of the boat").await.answered().says("5: key box: 8814");
    let row = client.ask("phone number of ulla pls").await.answered().says("04681 77");
    let lacking = client.ask("where is the anchor of the boat?").await;

    assert!(berth.tools().contains(&"grep"), "{:?}", berth.tools());
    assert!(!row.text().contains("04681 12"), "{}", row.text());
    assert!(!lacking.text().contains("8814"), "{}", lacking.text());
}

#[tokio::test]
async fn one_thing_is_and_twelve_are() {
    let (server, mut client) = with("0.txt", "a").await;

    client.ask("How many files are here?").await.answered().says("There is **1 file** ");
    (1..12).for_each(|number| server.file(&format!("{number}.txt"), "a"));
    let counted = client.ask("How many files are here?").await.answered().says("There are **12 files** ");
    assert_eq!(counted.tools(), ["glob"]);
}
