//! What a file of servers may say, and what it is told when it is wrong.

use serde_json::json;

use super::*;

/// Reads a file with these servers; `FILE` and `FOLDER` stand for its place.
fn read(servers: &Value) -> Result<ServerFile, String> {
    read_text(&json!({"mcpServers": servers}).to_string())
}

fn read_text(text: &str) -> Result<ServerFile, String> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("mcp.json");
    fs::write(&path, text).expect("the file is written");
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    let environment = [("PATH", "/bin"), ("HOME", "/home/ada"), ("TOKEN", "t0ken"), ("AWS_SECRET", "canary")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    ServerFile::read(&path, &environment)
        .map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
}

fn command(file: &ServerFile) -> &StdioTransport {
    match &file.servers[0].transport {
        ServerTransport::Stdio(transport) => transport,
        ServerTransport::Http(_) => panic!("a command"),
    }
}

#[test]
fn i15_a_command_is_taken_word_by_word_and_sees_a_part_of_the_environment() {
    let file = read(&json!({"files": {
        "command": "npx", "args": ["-y", "server; rm -rf ~", "$(id)", "--key=${TOKEN}", "${NONE:-some}"],
        "env": {"API_KEY": "${TOKEN}", "HOME": "/elsewhere"},
    }}))
    .expect("the file is right");

    let transport = command(&file);
    assert_eq!(transport.program, "npx");
    assert_eq!(transport.arguments, ["-y", "server; rm -rf ~", "$(id)", "--key=t0ken", "some"]);
    let environment: Vec<_> =
        transport.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(environment, [("API_KEY", "t0ken"), ("HOME", "/elsewhere"), ("PATH", "/bin")]);
    assert!(!file.servers[0].trusted);
}

#[test]
fn i15_a_path_is_one_from_the_files_folder_and_so_is_its_working_folder() {
    let file = read(&json!({"own": {"command": "./bin/server", "cwd": "sub"}})).expect("the file is right");

    let transport = command(&file);
    let folder = transport.folder.parent().expect("the file's folder");
    assert_eq!(transport.folder, folder.join("sub"));
    assert_eq!(PathBuf::from(&transport.program), folder.join("./bin/server"));
}

#[test]
fn an_address_comes_with_headers() {
    let file = read(&json!({"web": {
        "type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"},
        "trust": true, "timeout": 5,
    }}))
    .expect("the file is right");

    let server = &file.servers[0];
    let ServerTransport::Http(transport) = &server.transport else { panic!("an address") };
    let (name, value) = &transport.headers[0];
    assert_eq!((transport.url.as_str(), name.as_str()), ("https://example.com/mcp", "Authorization"));
    assert!(value.is("Bearer t0ken"));
    assert_eq!((server.trusted, server.timeout), (true, Some(Duration::from_secs(5))));
    assert!(!format!("{server:?}").contains("t0ken"));
}

#[test]
fn what_is_disabled_need_not_be_right() {
    let file = read(&json!({"old": {"disabled": true, "command": "${NONE}"}})).expect("the file is right");

    assert_eq!((file.servers.len(), file.disabled), (0, vec!["old".to_owned()]));
}

#[test]
fn keys_that_mean_nothing_are_told_and_left_out() {
    let file = read(&json!({"a": {"command": "x", "arg": [], "autoApprove": ["y"]}})).expect("the file is right");

    assert_eq!(
        file.warnings,
        [
            "MCP server \"a\": \"arg\" is not a setting and is ignored; did you mean \"args\"?",
            "MCP server \"a\": \"autoApprove\" is not a setting and is ignored",
        ]
    );
}

#[test]
fn what_is_wrong_is_told_with_the_server_and_the_key() {
    for (server, said) in [
        (json!({}), "\"command\": it has neither"),
        (json!({"command": ""}), "\"command\": it is empty"),
        (json!({"command": 5}), "\"command\": each value must be a string"),
        (json!({"command": "x", "url": "http://a"}), "\"url\": it has a \"command\" too"),
        (json!({"command": "x", "args": "y"}), "\"args\": it must be a list of strings"),
        (json!({"command": "x", "args": [1]}), "\"args\": each value must be a string"),
        (json!({"command": "x", "env": {"A": "${NOPE}"}}), "\"env\": NOPE is not set in the environment"),
        (json!({"command": "x", "env": ["A"]}), "\"env\": it must be an object"),
        (json!({"command": "x", "cwd": "nowhere"}), "\"cwd\": "),
        (json!({"command": "x", "disabled": "yes"}), "\"disabled\": it must be true or false"),
        (json!({"command": "x", "timeout": 100_000}), "\"timeout\": it must be a number of seconds from 1 to 3600"),
        (json!({"url": "ftp://a"}), "\"url\": \"ftp://a\" is not an address"),
        (json!({"url": "http://a", "headers": {"a b": "c"}}), "\"headers\": \"a b\" is not a valid header"),
        (json!({"url": "http://a", "headers": {"a": "b\nc"}}), "\"headers\": \"a\" is not a valid header"),
        (json!({"url": "http://a", "type": "sse"}), "\"type\": the old SSE transport"),
        (json!({"command": "x", "type": "pipe"}), "\"type\": \"pipe\" is neither"),
    ] {
        let error = read(&json!({"one": server})).expect_err("the file is wrong");
        let start = format!("read the MCP servers in FILE: server \"one\", {said}");
        assert!(error.starts_with(&start), "{error}\nis not: {start}");
    }
}

#[test]
fn names_that_would_meet_in_the_names_of_tools_are_refused() {
    let error = read(&json!({"my-files": {"command": "x"}, "My Files": {"command": "y"}})).expect_err("it is wrong");

    assert!(error.contains("server \"My Files\", \"name\": it looks the same as \"my-files\""), "{error}");
}

#[test]
fn a_file_that_is_none_is_told() {
    for (text, said) in [
        ("{", "read the MCP servers in FILE: it is not JSON: EOF while parsing"),
        ("{}", "read the MCP servers in FILE: it has no \"mcpServers\""),
        (r#"{"mcpServers": []}"#, "read the MCP servers in FILE: \"mcpServers\" must be an object"),
        (r#"{"mcpServers": {"a": "npx"}}"#, "read the MCP servers in FILE: server \"a\" must be an object"),
    ] {
        let error = read_text(text).expect_err("the file is wrong");
        assert!(error.starts_with(said), "{error}");
    }
    let missing = ServerFile::read(Path::new("/no/such/file.json"), &BTreeMap::new()).expect_err("it is not there");
    assert!(missing.to_string().contains("/no/such/file.json"), "{missing}");
}
