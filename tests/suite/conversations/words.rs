//! What is asked without a model beside the rows of docs/rules.md.

use super::player::play;
use super::script::{Conversation, Stage, says};

const PEOPLE: &str =
    "name,city,age,salary\nAda,Berlin,36,5200\nGrace,Paris,45,6100\nAlan,London,41,4800\nLinus,Berlin,29,5900\n";

const PLUMS: &str = "The server keeps every event in a log. Nothing is lost when the server dies. The log of events is \
                     stored in SQLite, and each session has its own events.\n\nIt rained a lot in May. Somebody bought a \
                     machine for coffee. The team measures how fast the server answers.\n";

pub(super) fn played() -> Vec<(Stage, Vec<Conversation>)> {
    let gauge = Stage { arguments: &["--approve", "auto", "--context-tokens", "4000"], ..Stage::default() };
    vec![(Stage::auto(), talk().into_iter().chain(work()).chain(data()).collect()), (gauge, vec![window()])]
}

fn talk() -> Vec<Conversation> {
    vec![
        says("words-greeting", ["Hello", "Who are you?", "Thank you", "What can you do?"]),
        says("words-nothing-fits", ["Order me a pizza", "do the same for everybody", "Why is the sky blue?"]),
        says("words-sums", ["What is 42 times 37?", "how much is 15% of 80", "2 + 2", "Calculate 1 / 0"]),
        says("words-memory", ["My name is Ada", "What is my name?", "Keep in mind that the deadline is Friday"]),
        says("words-numbers", ["Store the number 42 as my_number", "What number did I store earlier?"]),
        says("words-time", ["What time is it?", "what's the time in Tokyo?", "What time is it in Atlantis?"]),
        says("words-odd-signs", ["nul \u{0} bidi \u{202e}x\u{202c} zero\u{200b}width \u{1f600} line\u{2028}end"]),
        says(
            "words-secret",
            [concat!("Remember that my token is ghp_", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2"), "/context"],
        ),
    ]
}

fn work() -> Vec<Conversation> {
    vec![
        says("words-commands", ["Run `echo hi there`", "Run `echo out; echo err >&2; exit 3`", "execute `pwd`"]),
        says("words-destruction", ["Run `rm -rf /`", "Run `shutdown -h now`", "Run `dd if=/dev/zero of=/dev/sda`"]),
        says("words-missing-file", ["Read confg.json", "Read nowhere/at-all.txt", "Read ../outside.txt"]),
        says("words-folder-for-file", ["Read notes"]).file("notes/shopping.txt", "milk\n"),
        says("words-two-steps", ["List the files in src and find TODO in them", "Read a.txt, then calculate 2 + 3"])
            .file("src/main.rs", "fn main() {\n    // TODO: say hello\n}\n")
            .file("src/lib.rs", "pub fn nothing() {}\n"),
        says(
            "words-write-and-copy",
            ["Write \"Hello!\" to file new/hello.txt", "Read the file new/hello.txt", "save that to copy.txt"],
        ),
        says("words-large-file", ["Read large.txt", "How many words are in it?"])
            .file("large.txt", "0123456789 ".repeat(20_000)),
        says("words-patterns", ["Find all *.csv files", "search for second in notes.txt", "which files are in src?"])
            .file("src/lib.rs", "pub fn nothing() {}\n"),
        says("words-web", ["Fetch http://127.0.0.1:1/page", "Search the web for plums"]),
    ]
}

fn data() -> Vec<Conversation> {
    vec![
        says(
            "words-people",
            [
                "Read people.csv",
                "How many people are there?",
                "Who is the oldest?",
                "What is the average age?",
                "What is the salary of Ada?",
                "Which people live in Berlin?",
            ],
        )
        .file("people.csv", PEOPLE),
        says("words-json-variable", ["Read users.json and call it people", "What is the average age in @people?"])
            .file("users.json", r#"{"users": [{"name": "Ada", "age": 36}, {"name": "Grace", "age": 45}]}"#),
        says("words-summary", ["Summarise log.txt", "Summarise that file in one sentence"]).file("log.txt", PLUMS),
        says("words-structure", ["Open config.json; which port does it use?", "What tags are in config.json?"]),
        says("words-broken-json", ["What's the port in broken.json?"]).file("broken.json", "{\"port\": 30"),
        says("words-of-the-tools", [r#"Use calculator with {"expression": "2^10"}"#, r#"use json_query {"json": 1}"#]),
    ]
}

fn window() -> Conversation {
    says("words-window", ["Calculate 6 * 7", "Show me notes.txt", "Read config.json and analyze its structure"])
}

#[tokio::test]
async fn requests_without_a_model_are_answered_as_recorded() {
    play(played()).await;
}
