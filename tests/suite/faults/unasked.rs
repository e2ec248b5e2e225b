//! N21: words that describe what is to be written are not written, and no file is replaced by them.

use std::collections::BTreeMap;

use switchboard_tests::{ServerOptions, TestServer};

const FILES: &[(&str, &str)] = &[
    ("cli.py", "import sys\n\nprint(sys.argv)\n"),
    ("README.md", "# Tool\n\nIt does things. It does them well.\n"),
    ("config.json", "{\"port\": 3000}\n"),
    ("users.json", "[{\"name\": \"Ada\"}, {\"name\": \"Bob\"}]\n"),
];

/// Each describes what a file is to hold, and holds nothing of it.
const REQUESTS: &[&str] = &[
    "add import os at the top of cli.py",
    "add a docstring to the top of cli.py",
    "insert import json into cli.py",
    "put the license header at the top of cli.py",
    "write a haiku about the sea to README.md",
    "save the list of users from users.json to README.md",
    "store a copy of config.json in README.md",
    "export the names in users.json to config.json",
    "create README.md with its first line in capitals",
    "write a list of the names from users.json to names.txt",
    "put the sum of the ports in config.json into total.txt",
    "generate a test for cli.py",
    "dump the first line of README.md into first.txt",
    "save everything you know about me to profile.txt",
    "add a badge to README.md",
    "append a new entry for Bob to users.json",
    "create file.txt containing its first line",
    "output the users sorted by age as sorted.txt",
    "put something nice in README.md",
    "create summary.md with a summary of README.md",
    "overwrite README.md with a better introduction",
    "replace the contents of cli.py with a hello world program",
    "change the port in config.json to something better",
    "make a file called todo.txt with three tasks",
    "write unit tests to test_cli.py",
    "extract the names from users.json into names.txt",
    "append import os to cli.py",
    "replace every name in users.json with its initial",
    "write a poem titled \"Sea\" to poem.txt",
    "apply a patch to cli.py that adds import os",
    "Please add import os at the top of cli.py and then list the files",
];

fn files(server: &TestServer) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(server.workspace()).expect("a workspace").map(|entry| entry.expect("an entry"));
    let file = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, std::fs::read(entry.path()).ok()?))
    };
    entries.filter_map(file).collect()
}

#[tokio::test]
async fn n21_words_that_describe_are_not_written_and_replace_nothing() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    FILES.iter().for_each(|(path, text)| server.file(path, text));
    let before = files(&server);
    for request in REQUESTS {
        let mut client = server.connect().await;

        let turn = client.ask(request).await;

        assert_eq!(files(&server), before, "{request}: {:#}", turn.end);
        assert_ne!(turn.end["complete"], true, "{request}: {:#}", turn.end);
    }
    // What may also ask for an answer is answered, and nothing is written.
    let mut client = server.connect().await;
    client.ask("write a summary of README.md").await;
    assert_eq!(files(&server), before);
    client.ask("Read users.json and write the names to users.txt").await.answered();
    assert_eq!(server.content("users.txt"), "name\nAda\nBob\n");
    client.ask("write the number of users to count.txt").await.answered();
    assert_eq!(server.content("count.txt"), "2");
    client.ask("save a backup of config.json").await.answered();
    assert_eq!(server.content("config.json.bak"), server.content("config.json"));
    client.ask("add \"import os\" at the top of cli.py").await.answered();
    assert_eq!(server.content("cli.py"), "import os\nimport sys\n\nprint(sys.argv)\n");
    // Baseline: a text that is said is written by the same rules, and replaces a file that the request says to replace.
    let mut client = server.connect().await;
    client.ask("create file.txt with \"Ada, Bob\"").await.answered();
    client.ask("overwrite README.md with \"# Tool\"").await.answered();
    assert_eq!((server.content("file.txt"), server.content("README.md")), ("Ada, Bob".into(), "# Tool".into()));
}

#[tokio::test]
async fn n21_a_file_that_is_there_stays_until_the_user_says_to_replace_it() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    FILES.iter().for_each(|(path, text)| server.file(path, text));
    let before = files(&server);
    let mut client = server.connect().await;

    for request in ["write \"x\" to cli.py", "save \"x\" to README.md", "copy cli.py to config.json"] {
        let turn = client.ask(request).await.says("is there already");
        assert_eq!(turn.end["complete"], false, "{request}: {:#}", turn.end);

        assert!(turn.all("approval-request").is_empty(), "{request}: nobody is asked about what cannot be done");
        assert_eq!(files(&server), before, "{request}");
    }
}
