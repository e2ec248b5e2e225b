//! What the rules must understand, in many words: each request with the tools that run and a part of the reply.

use std::sync::Arc;

use crate::Rules;
use switchboard_agent::test_support::TestSession;

const CONFIG: &str = "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}, \"tags\": [\"a\", \"b\"]}\n";

const FILES: &[(&str, &str)] = &[
    ("config.json", CONFIG),
    ("config2.json", "{\"port\": 4000}\n"),
    ("package.json", "{\"name\": \"demo\", \"version\": \"1.2.3\"}\n"),
    ("notes.txt", "first line\nsecond line with port\nthird\n"),
    ("a.txt", "content of a\n"),
    ("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.9.0\"\n"),
    ("src/main.rs", "fn main() {\n    // TODO: write it\n    let x = \"a [b\";\n}\n"),
    ("src/lib.rs", "pub fn parse_config() {} // TODO\n"),
    ("docs/guide.md", "# Guide\n\nHello port.\n\n## More\n"),
];

/// What was said before, separated by `|`; the request; the tools that run; a part of the reply.
type Case = (&'static str, &'static str, &'static [&'static str], &'static str);

async fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (before, request, tools, part) in cases {
        let session = TestSession::with_files(Arc::new(Rules), FILES);
        for said in before.split('|').filter(|said| !said.is_empty()) {
            session.say(said).await;
        }
        let turned = session.say(request).await;
        if turned.tools != *tools || !turned.text.contains(part) {
            wrong.push(format!("{request:?} gave {:?}, {:?}: {}", turned.tools, turned.code, turned.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

const CALC: &[&str] = &["calculator"];
const READ: &[&str] = &["file_read"];
const READ_PARSE: &[&str] = &["file_read", "json_parse"];
const READ_QUERY: &[&str] = &["file_read", "json_query"];
const LIST: &[&str] = &["list_directory"];
const GREP: &[&str] = &["grep"];
const GLOB: &[&str] = &["glob"];
const BASH: &[&str] = &["bash"];
const TIME: &[&str] = &["current_time"];
const STORE: &[&str] = &["store_variable"];
const EDIT: &[&str] = &["file_read", "file_edit"];
const UNDO: &[&str] = &["file_undo"];
const NONE: &[&str] = &[];

#[tokio::test]
async fn arithmetic() {
    check(&[
        ("", "Calculate 42 * 37", CALC, "**1554**"),
        ("", "What is 42 times 37?", CALC, "**1554**"),
        ("", "what's 42x37", CALC, "**1554**"),
        ("", "compute 15% of 80", CALC, "**12**"),
        ("", "what is 15 percent of 80?", CALC, "**12**"),
        ("", "how much is 3 feet in meters", CALC, "0.9144 meters"),
        ("", "convert 3 feet to meters", CALC, "0.9144 meters"),
        ("", "How many seconds are in 3 hours?", CALC, "10800 seconds"),
        ("", "2+2", CALC, "**4**"),
        ("", "(4 + 5) * 3", CALC, "**27**"),
        ("", "Evaluate 3 * (4 + 5)", CALC, "**27**"),
        ("", "Work out 17 * 3, please", CALC, "**51**"),
        ("", "add 5 and 7", CALC, "**12**"),
        ("", "subtract 3 from 10", CALC, "**7**"),
        ("", "what's the square root of 144?", CALC, "**12**"),
        ("", "what is the sum of 1, 2 and 3?", CALC, "**6**"),
        ("", "the average of 4, 8 and 12", CALC, "**8**"),
        ("", "2 to the power of 10", CALC, "**1024**"),
        ("", "three plus four", CALC, "**7**"),
        ("", "calcualte 2 + 2", CALC, "**4**"),
        ("", "Calculate 6 * 7 and call it answer", CALC, "It is stored as `answer`."),
        ("Calculate 6 * 7 and call it answer", "Calculate @answer + 1", CALC, "**43**"),
        ("Calculate 6 * 7 and call it answer", "answer plus 1", CALC, "**43**"),
        ("Calculate 6 * 7", "double it", CALC, "**84**"),
        ("Calculate 6 * 7", "add 1 to that", CALC, "**43**"),
        ("Calculate 6 * 7", "do it again", CALC, "**42**"),
        ("", "Calculate @answer + 1", CALC, "@answer"),
        ("", "Calculate 2 + 3 and 4 + 5", CALC, "`2 + 3` = **5**\n\n`4 + 5` = **9**"),
        ("", "set total = 6 * 7", CALC, "It is stored as `total`."),
        ("", "store the result of 6 * 7 as total", CALC, "It is stored as `total`."),
        ("set x to 5|set y to 7", "x + y", CALC, "**12**"),
    ])
    .await;
}

#[tokio::test]
async fn reading() {
    check(&[
        ("", "Show me the contents of config.json", READ, "\"port\": 3000"),
        ("", "cat config.json", READ, "\"port\": 3000"),
        ("", "Could you open the file called notes.txt?", READ, "second line"),
        ("", "what does notes.txt say?", READ, "second line"),
        ("", "What's in notes.txt?", READ, "second line"),
        ("", "take a look at notes.txt", READ, "second line"),
        ("", "notes.txt", READ, "second line"),
        ("", "raed notes.txt", READ, "second line"),
        ("", "Hello, can you read notes.txt please?", READ, "second line"),
        ("", "Read the first 2 lines of notes.txt", READ, "`notes.txt` (2 lines)"),
        ("", "show me lines 2 to 3 of notes.txt", READ, "second line with port\nthird"),
        ("", "show me the last line of notes.txt", READ, "third"),
        ("", "Read config.json and config2.json", READ, "\"port\": 4000"),
        ("", "Read missing.json", READ, "does not exist"),
        ("", "Read confg.json", READ, "config.json"),
        ("", "Read ../secret", READ, "leads out of the workspace"),
        ("", "Read src", &["file_read", "list_directory"], "`main.rs`"),
        ("ls", "the second one", READ, "content of a"),
        ("ls", "open the second file", READ, "content of a"),
        ("Find all *.rs files", "read the first one", READ, "parse_config"),
        ("Read a.txt", "what does it say?", NONE, "content of a"),
        ("Read a.txt", "read it again", READ, "content of a"),
        ("", "read a.txt into content_a", READ, "It is stored as `content_a`."),
        ("store the content of notes.txt as notes", "what is notes", NONE, "second line"),
    ])
    .await;
}

#[tokio::test]
async fn values_in_files() {
    check(&[
        ("", "Read config.json and tell me the port number", READ_PARSE, "The port number is **3000**"),
        ("", "Open config.json; which port does it use?", READ_PARSE, "The port is **3000**"),
        ("", "Could you read config.json? Then tell me the db host.", READ_PARSE, "**localhost**"),
        ("", "what's the database host in config.json?", READ_PARSE, "**localhost**"),
        ("", "what's db.port in config.json?", READ_PARSE, "**5432**"),
        ("", "extract the db port from config.json", READ_PARSE, "**5432**"),
        ("", "What is the version in package.json?", READ_PARSE, "**1.2.3**"),
        ("", "Read Cargo.toml and tell me the version", READ, "**0.9.0**"),
        ("", "Read config.json and tell me the color", READ_PARSE, "Its keys are `port`, `db`, `tags`"),
        ("", "how many tags are in config.json?", READ_PARSE, "**2** tags"),
        ("", "port of config.json", READ_PARSE, "**3000**"),
        ("", "What ports are in config.json?", READ_PARSE, "`db.port`: **5432**"),
        ("", "Read config.json and config2.json and tell me the port", READ, "`config2.json.port`: **4000**"),
        ("", "Please open the config.json file and let me know what the database host is", READ_PARSE, "**localhost**"),
        ("", "I'd like to know the version in package.json", READ_PARSE, "**1.2.3**"),
        ("", "what is .db.host in config.json", READ_QUERY, "**localhost**"),
        ("", "run jq '.port' on config.json", READ_QUERY, "**3000**"),
        ("", "apply jq .db.port to config.json", READ_QUERY, "**5432**"),
        ("", "what is .tags | length in config.json", READ_QUERY, "**2**"),
        ("Read config.json", "Parse @file_content as JSON", &["json_parse"], "3 top-level keys"),
        ("Read config.json|parse it", "which port?", NONE, "**3000**"),
        ("Read config.json and call it cfg", "what is @cfg", NONE, "\"port\": 3000"),
        ("", "parse {\"a\": [1, 2]} as JSON", &["json_parse"], "`a`: array of 2 elements"),
    ])
    .await;
}

#[tokio::test]
async fn structure_and_counts() {
    check(&[
        ("", "Read config.json and analyze its structure", READ_PARSE, "3 top-level keys, 2 levels deep"),
        ("", "What does config.json look like?", READ_PARSE, "`db`: object with 2 keys (`host`, `port`)"),
        ("", "describe the structure of config.json", READ_PARSE, "`tags`: array of 2 elements (text)"),
        ("", "what keys does config.json have?", READ_PARSE, "`port`: number `3000`"),
        ("", "summarize docs/guide.md", READ, "- Guide"),
        ("", "count the lines of notes.txt", READ, "`notes.txt` has **3** lines."),
        ("", "how many words are in notes.txt?", READ, "**7** words"),
        ("", "how many files are in src?", LIST, "`src` has **2** files."),
        ("", "how many *.rs files are there?", GLOB, "**2** files"),
        ("", "how many TODOs are in src?", GREP, "**2** matches in **2** files"),
        ("Find all *.rs files", "how many are there?", NONE, "**2** files"),
    ])
    .await;
}

#[tokio::test]
async fn folders() {
    check(&[
        ("", "What files are in the current directory?", LIST, "- `config.json`"),
        ("", "ls", LIST, "2 folders and 6 files"),
        ("", "list the files here", LIST, "- `src/`"),
        ("", "what's here?", LIST, "- `src/`"),
        ("", "show files", LIST, "- `src/`"),
        ("", "list everything", LIST, "- `src/`"),
        ("", "which files are in src?", LIST, "`src` has 2 files"),
        ("", "ls -la src", LIST, "- `lib.rs`"),
        ("", "list src", LIST, "- `lib.rs`"),
        ("", "what's in the src folder?", LIST, "- `lib.rs`"),
        ("", "what is in docs/", LIST, "- `guide.md`"),
        ("", "Look at src with list_directory", LIST, "- `lib.rs`"),
        ("", "use list_directory on docs", LIST, "- `guide.md`"),
        ("", "call list_directory with {\"path\": \"src\"}", LIST, "- `lib.rs`"),
    ])
    .await;
}

#[tokio::test]
async fn searching() {
    check(&[
        ("", "find TODO in src", GREP, "src/main.rs:2:"),
        ("", "List the files in src and find TODO in them", &["list_directory", "grep"], "src/main.rs:2:"),
        ("", "search for TODO in the files of src", GREP, "src/main.rs:2:"),
        ("", "search src for todo", GREP, "src/main.rs:2:"),
        ("", "grep TODO src", GREP, "src/main.rs:2:"),
        ("", "use grep to find TODO in src", GREP, "src/main.rs:2:"),
        ("", "which files contain the word port", GREP, "docs/guide.md:3:"),
        ("", "find lines containing \"second line\"", GREP, "notes.txt:2:"),
        ("", "Find the text 'a [b' in src", GREP, "src/main.rs:3:"),
        ("", "where is parse_config defined?", GREP, "src/lib.rs:1:"),
        ("", "search for `fn \\w+` as a regex in src", GREP, "in 2 lines"),
        ("", "find nonsense_word in src", GREP, "I found no `nonsense_word`"),
        ("", "Find all *.rs files", GLOB, "- `src/main.rs`"),
        ("", "find all rust files", GLOB, "- `src/main.rs`"),
        ("", "list all *.md files in docs", GLOB, "- `docs/guide.md`"),
        ("", "find files named notes.txt", GLOB, "- `notes.txt`"),
        ("", "where is config.json?", GLOB, "- `config.json`"),
        ("", "are there any python files?", GLOB, "No file matches"),
    ])
    .await;
}

#[tokio::test]
async fn memory() {
    check(&[
        ("", "Store the number 42 as my_number", STORE, "`my_number` is **42**"),
        ("", "remember 42 as my_number", STORE, "`my_number` is **42**"),
        ("Store the number 42 as my_number", "What number did I store earlier?", NONE, "**42**"),
        ("Store the number 42 as my_number", "what did I ask you to remember?", NONE, "**42**"),
        ("", "Remember that my favorite color is blue", STORE, "**blue**"),
        ("", "Keep in mind that my favorite color is blue", STORE, "`favorite_color` is **blue**"),
        ("Remember that my favorite color is blue", "What was my favorite color?", NONE, "favorite color is **blue**"),
        ("My favourite colour is blue", "do you remember my favorite color?", NONE, "**blue**"),
        ("My favorite color is red|My favorite color is blue", "what's my favorite color", NONE, "**blue**"),
        ("", "My name is Ada", STORE, "**Ada**"),
        ("My name is Ada", "What is my name?", NONE, "Your name is **Ada**."),
        ("call me Ada", "who am I?", NONE, "**Ada**"),
        ("", "What is my name?", NONE, "You have not told me your name yet."),
        ("", "set x to 5", STORE, "`x` is **5**"),
        ("set x to 5", "what is x?", NONE, "**5**"),
        ("x = 5", "x * 3", CALC, "**15**"),
        ("", "store \"hello world\" as greeting", STORE, "**hello world**"),
        ("Calculate 6 * 7", "call it answer", STORE, "`answer` is **42**"),
        ("set x to 5", "list my variables", NONE, "- `x` (number): 5"),
        ("set x to 5", "what did I just say?", NONE, "> set x to 5"),
        ("set x to 5", "what did you just do?", NONE, "`store_variable`"),
        ("", "What number did I store earlier?", NONE, "You have not stored a number yet."),
    ])
    .await;
}

#[tokio::test]
async fn time() {
    check(&[
        ("", "What time is it?", TIME, "It is **"),
        ("", "what's the time in Tokyo?", TIME, "(Asia/Tokyo)"),
        ("", "what time is it in Germany", TIME, "(Europe/Berlin)"),
        ("", "current time in UTC", TIME, "UTC"),
        ("", "Hi! What time is it?", TIME, "It is **"),
        ("", "what day is it", TIME, "day, "),
        ("", "what's today's date?", TIME, "day, "),
        ("", "date", TIME, "day, "),
    ])
    .await;
}

#[tokio::test]
async fn talk() {
    check(&[
        ("", "hi", NONE, "Hello!"),
        ("", "Hello", NONE, "Hello!"),
        ("", "good morning!", NONE, "Hello!"),
        ("", "thanks", NONE, "welcome"),
        ("", "thank you very much", NONE, "welcome"),
        ("", "who are you", NONE, "not a language model"),
        ("", "Are you ChatGPT?", NONE, "not a language model"),
        ("", "what can you do?", NONE, "No language model"),
        ("", "help", NONE, "`file_read`"),
        ("", "which tools do you have?", NONE, "`file_read`"),
        ("", "bye", NONE, "Goodbye"),
    ])
    .await;
}

#[tokio::test]
async fn what_no_tool_does_is_said_plainly() {
    check(&[
        ("", "Order me a pizza", NONE, "no suitable tool for \"Order me a pizza\""),
        ("", "book a flight", NONE, "**What is missing:**"),
        ("", "send an email to bob", NONE, "**Instead**"),
        ("", "what is the capital of France?", NONE, "no suitable tool"),
        ("", "asdfgh qwerty", NONE, "no suitable tool"),
        ("", "run away", NONE, "no suitable tool"),
        ("", "run the tests", NONE, "no suitable tool"),
        ("", "rnu ls", NONE, "no suitable tool"),
        ("", "delete notes.txt", NONE, "Run `rm notes.txt`"),
        ("", "git status", NONE, "Run `git status`"),
        ("", "what's the difference between config.json and config2.json", NONE, "no suitable tool"),
        ("", "I live in Berlin", NONE, "*Remember that I live in Berlin*"),
        ("", "remember", NONE, "`name`"),
        ("", "Read config.json and order me a pizza", READ, "no suitable tool for \"order me a pizza\""),
        ("", "…", NONE, "no suitable tool"),
        ("", "   ", NONE, "I found nothing in your message to do."),
    ])
    .await;
}

#[tokio::test]
async fn what_points_back() {
    check(&[
        ("How many lines has notes.txt?", "do it again for a.txt", READ, "**1** line"),
        ("How many lines has notes.txt?", "and a.txt?", READ, "**1** line"),
        ("How many lines has notes.txt?|and a.txt?", "now for docs/guide.md", READ, "**5** lines"),
        ("Find TODO in src", "and \"parse_config\"?", GREP, "lib.rs"),
        ("Calculate 6 * 7", "do it again for 5", NONE, "of 6 or of 7"),
        ("convert 3 feet to meters", "and 5 feet?", CALC, "1.524 meters"),
        ("What's the port in config.json?", "What about config2.json?", READ_PARSE, "**4000**"),
        ("list src", "and docs?", LIST, "guide.md"),
        ("Read notes.txt", "the second line", NONE, "second line with port"),
        ("ls|Read notes.txt", "what does the last line say?", NONE, "third"),
        ("Read notes.txt", "show me the 9th line of that", NONE, "no line with that number"),
    ])
    .await;
}

#[tokio::test]
async fn commands() {
    check(&[
        ("", "run `echo one`", BASH, "one"),
        ("", "Run ls -la", BASH, "config.json"),
        ("", "execute echo hi", BASH, "`echo hi` ran (exit code 0):\n\n```text\nhi\n```"),
        ("", "please run the command: echo now", BASH, "now"),
        ("", "execute the command \"echo hello world\"", BASH, "hello world"),
        ("", "run the shell command echo hi | wc -c", BASH, "3"),
        ("", "in the terminal, run echo here", BASH, "here"),
        ("", "run echo one; echo two", BASH, "one\ntwo"),
        ("", "run printf 'a\\nb\\n' and tell me how many lines it printed", BASH, "**2** lines"),
        ("", "run `echo x; exit 3`", BASH, "exited with code 3"),
        ("run `echo kept`", "do it again", BASH, "kept"),
    ])
    .await;
}

#[tokio::test]
async fn what_was_written_can_be_read_and_copied() {
    let cases: &[(&str, &str, &str)] = &[
        ("Write \"Hello, World!\" to file notes/hello.txt", "notes/hello.txt", "Hello, World!"),
        ("Create a file notes/hello.txt containing Hello, World!", "notes/hello.txt", "Hello, World!"),
        ("put 'abc' into x.txt", "x.txt", "abc"),
        ("copy a.txt to b.txt", "b.txt", "content of a\n"),
        ("Read a.txt, then save that to copy.txt", "copy.txt", "content of a\n"),
        ("Read a.txt and write it to copy.txt", "copy.txt", "content of a\n"),
        ("Calculate 6 * 7 and write the result to answer.txt", "answer.txt", "42\n"),
        ("make a new file test.txt that says hi there", "test.txt", "hi there"),
        ("create an empty file empty.txt", "empty.txt", ""),
        ("write ```\nline1\nline2\n``` to multi.txt", "multi.txt", "line1\nline2"),
        ("Write 'mail @bob' to mail.txt", "mail.txt", "mail @bob"),
        ("Write \"@a\" to literal.txt", "literal.txt", "@a"),
        ("run `echo out` and save it to out.txt", "out.txt", "out\n"),
        ("Write hello to file greeting", "greeting", "hello"),
    ];
    for (request, path, expected) in cases {
        let session = TestSession::with_files(Arc::new(Rules), FILES);

        let turned = session.say(request).await;

        assert_eq!(session.file(path).as_deref(), Some(*expected), "{request}: {}", turned.text);
        assert!(turned.complete, "{request}: {}", turned.text);
    }
}

#[tokio::test]
async fn editing_and_undoing() {
    check(&[
        ("", "Replace \"first\" with \"1st\" in notes.txt", EDIT, "+1st line"),
        ("", "replace first with 1st in the file notes.txt", EDIT, "+1st line"),
        ("", "In notes.txt, replace third by the 3rd one", EDIT, "+the 3rd one"),
        ("", "change \"port\": 4000 to \"port\": 4001 in config2.json", EDIT, "config2.json"),
        ("", "please change all occurrences of line to row in notes.txt", EDIT, "2 places"),
        ("Read notes.txt", "replace first with last in it", &["file_edit"], "+last line"),
        ("Write hello to new.txt", "undo that", UNDO, "Removed 1 file"),
        ("Write hello to new.txt", "Undo the last change", UNDO, "new.txt"),
        ("replace first with 1st in notes.txt", "revert it", UNDO, "Put back 1 file as before: notes.txt"),
        ("Write hello to x.txt|Write hi to y.txt", "undo the last two changes", UNDO, "Removed 2 files"),
        ("Write hello to x.txt", "Can you undo your last change?", UNDO, "x.txt"),
    ])
    .await;
}
