//! The test cases and error cases of seed 002, and both examples of seed 000.

use serde_json::json;
use switchboard_tests::{Answer, McpFolder, ScriptedLlm, ServerOptions, TestServer, WebServer, page};

use super::{KINDS, completes, goes_on, needs_tools, one_tool, options, reply, selects};

const TOKYO: &str = "Tokyo weather: 72°F, sunny";

/// What stands for the web's search: it knows the weather of Tokyo and the news of Python.
async fn web() -> WebServer {
    WebServer::start(|path| {
        let about = if path.to_lowercase().contains("python") { "Python 3.15 is out" } else { TOKYO };
        let found = json!({"results": [{"title": about, "url": "http://example.com/", "content": about}]});
        page("application/json", found.to_string())
    })
    .await
}

fn with_search(mut options: ServerOptions, web: &WebServer) -> ServerOptions {
    let url = web.url("/");
    let more = ["--web-search", "searxng", "--web-search-url", &url, "--web-allow-local", &web.address()];
    options.arguments.extend(more.map(ToOwned::to_owned));
    options
}

#[tokio::test]
async fn seed_002_case_1_simple_web_search() {
    for kind in KINDS {
        let web = web().await;
        let answers = one_tool(kind, "web_search", json!({"query": "current weather Tokyo"}), "72°F and sunny.");
        let llm = ScriptedLlm::of(answers).await;
        let server = TestServer::start_with(with_search(options(&llm, kind), &web)).await;
        let mut client = server.connect().await;

        let turn = client.ask("What's the weather in Tokyo?").await.answered().says("72°F and sunny");

        assert_eq!(turn.tools(), ["web_search"], "{kind}");
        assert!(web.requests()[0].contains("Tokyo"), "{:?}", web.requests());
        let last = llm.all().pop().expect("a request").body.to_string();
        assert!(last.contains(TOKYO), "{kind}: the model sees the result: {last}");
        if kind == "native" {
            let asked = llm.all();
            assert!(asked[0].tools().contains(&"web_search"), "{:?}", asked[0].tools());
            let [call, result] = &asked[1].messages()[asked[1].messages().len() - 2..] else { panic!("two messages") };
            assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &call["tool_calls"][0]["id"]));
        }
    }
}

/// Without a search engine the specialist of that name fetches pages itself.
#[tokio::test]
async fn seed_002_case_1_without_a_search_engine() {
    for kind in KINDS {
        let web = WebServer::start(|_| page("text/html", format!("<html><body>{TOKYO}</body></html>"))).await;
        let ask = json!({"query": "current weather Tokyo"});
        let fetch = json!({"url": web.url("/tokyo")});
        let specialist = one_tool(kind, "web_fetch", fetch, TOKYO);
        let mut answers = one_tool(kind, "web_search", ask, "72°F and sunny.");
        let last = answers.pop().into_iter();
        let llm = ScriptedLlm::of(answers.into_iter().chain(specialist).chain(last)).await;
        let mut options = options(&llm, kind);
        options.arguments.extend(["--web-allow-local".to_owned(), web.address()]);
        let server = TestServer::start_with(options).await;
        let mut client = server.connect().await;

        let turn = client.ask("What's the weather in Tokyo?").await.answered().says("72°F and sunny");

        assert_eq!(turn.tools(), ["web_search"], "{kind}");
        assert_eq!(web.requests().len(), 1, "{kind}: the specialist fetched a page");
        let last = llm.all().pop().expect("a request").body.to_string();
        assert!(last.contains(TOKYO), "{kind}: the model sees the specialist's answer: {last}");
    }
}

#[tokio::test]
async fn seed_002_case_2_no_tool_needed() {
    for kind in KINDS {
        let llm = ScriptedLlm::of(reply(kind, "4")).await;
        let server = super::server(&llm, kind).await;
        let mut client = server.connect().await;

        let turn = client.ask("What is 2+2?").await.answered();

        assert_eq!((turn.text(), turn.tools().len()), ("4", 0), "{kind}");
        assert_eq!(turn.need()["needsTools"], false);
        assert!(turn.all("tool-call-end").is_empty());
    }
}

#[tokio::test]
async fn seed_002_case_3_multiple_tools_available() {
    for kind in KINDS {
        let web = web().await;
        let answers = one_tool(kind, "web_search", json!({"query": "latest Python news"}), "Python 3.15 is out.");
        let llm = ScriptedLlm::of(answers).await;
        let server = TestServer::start_with(with_search(options(&llm, kind), &web)).await;
        let mut client = server.connect().await;

        let turn = client.ask("Search for the latest Python news").await.answered();

        assert_eq!(turn.tools(), ["web_search"], "{kind}");
        let offered = llm.all()[if kind == "native" { 0 } else { 1 }].body.to_string();
        assert!(offered.contains("web_search") && offered.contains("code_gen"), "{offered}");
        assert!(web.requests()[0].to_lowercase().contains("python"));
    }
}

#[tokio::test]
async fn seed_002_error_1_a_tool_that_is_not_found() {
    for kind in KINDS {
        let arguments = json!({"path": "a.txt"});
        let answers = match kind {
            "native" => vec![
                Answer::calls([("web_serch", arguments.clone())]),
                Answer::calls([("file_read", arguments)]),
                Answer::text("hello"),
            ],
            _ => vec![
                needs_tools(),
                selects("web_serch", arguments.clone(), None),
                selects("file_read", arguments, None),
                completes("hello"),
            ],
        };
        let llm = ScriptedLlm::of(answers).await;
        let server = super::server(&llm, kind).await;
        server.file("a.txt", "hello");
        let mut client = server.connect().await;

        let turn = client.ask("Read the file a.txt").await.answered().says("hello");

        assert_eq!(turn.end["operationCount"], 1, "{kind}");
        let told = llm.all()[if kind == "native" { 1 } else { 2 }].last_text().to_owned();
        assert!(told.contains("there is no tool"), "{kind}: {told}");
    }
}

#[tokio::test]
async fn seed_002_error_2_a_tool_that_is_disabled() {
    for kind in KINDS {
        let answers = one_tool(kind, "bash", json!({"command": "echo no"}), "I may not run commands here.");
        let llm = ScriptedLlm::of(answers).await;
        let mut options = options(&llm, kind);
        options.arguments.extend(["--deny".to_owned(), "bash".to_owned()]);
        let server = TestServer::start_with(options).await;
        let mut client = server.connect().await;

        let turn = client.ask("Run the shell command `echo no`").await;

        let end = turn.first("tool-call-end");
        assert_eq!(
            (&end["started"], &end["errorType"]),
            (&json!(false), &json!("permission_error")),
            "{kind}: {end:#}"
        );
        assert_eq!(turn.end["type"], if kind == "native" { "agent-response" } else { "agent-error" }, "{:#}", turn.end);
    }
}

#[tokio::test]
async fn seed_002_error_2_a_specialist_that_is_disabled() {
    for kind in KINDS {
        let call = json!({"message": "What is in a.txt?"});
        let read = json!({"path": "a.txt"});
        let answers = match kind {
            "native" => {
                vec![Answer::calls([("reader", call)]), Answer::calls([("file_read", read)]), Answer::text("hello")]
            }
            _ => {
                vec![needs_tools(), selects("reader", call, None), selects("file_read", read, None), completes("hello")]
            }
        };
        let llm = ScriptedLlm::of(answers).await;
        let server = super::server(&llm, kind).await;
        server.file("a.txt", "hello");
        let mut client = server.connect().await;
        client.command("/agents off reader").await;

        client.ask("Read the file a.txt").await.answered().says("hello");

        // `staged` chooses among what the search found, and what is off is not found; `native` may call what it likes.
        let (request, says) = match kind {
            "native" => (1, "the tool is currently disabled"),
            _ => (2, "there is no tool `reader` here"),
        };
        let told = llm.all()[request].last_text().to_owned();
        assert!(told.contains(says), "{kind}: {told}");
    }
}

#[tokio::test]
async fn seed_002_error_3_a_tool_that_takes_too_long() {
    for kind in KINDS {
        let folder = McpFolder::default();
        let answers = one_tool(kind, "test__hang", json!({}), "It did not answer in time.");
        let llm = ScriptedLlm::of(answers).await;
        let mut entry = folder.scripted("");
        entry["timeout"] = json!(1);
        let mut options = options(&llm, kind);
        options.arguments.extend(folder.options(json!({"test": entry}), &[]).arguments);
        let server = TestServer::start_with(options).await;
        server.until_tool("test__hang").await;
        let mut client = server.connect().await;

        let turn = client.ask("Use the tool test__hang").await;

        let end = turn.first("tool-call-end");
        assert_eq!((&end["started"], &end["errorType"]), (&json!(true), &json!("timeout_error")), "{kind}: {end:#}");
        if kind == "native" {
            assert_eq!(turn.text(), "It did not answer in time.");
            assert_eq!(turn.end["complete"], false);
        }
    }
}

#[tokio::test]
async fn seed_002_error_4_arguments_that_are_invalid() {
    for kind in KINDS {
        let answers = match kind {
            "native" => vec![
                Answer::call_with("file_read", "{\"path\": "),
                Answer::calls([("file_read", json!({"path": 7}))]),
                Answer::calls([("file_read", json!({"path": "a.txt"}))]),
                Answer::text("hello"),
            ],
            _ => vec![
                needs_tools(),
                selects("file_read", json!({"path": 7}), None),
                selects("file_read", json!({"path": "a.txt"}), None),
                completes("hello"),
            ],
        };
        let llm = ScriptedLlm::of(answers).await;
        let server = super::server(&llm, kind).await;
        server.file("a.txt", "hello");
        let mut client = server.connect().await;

        let turn = client.ask("Read the file a.txt").await.answered().says("hello");

        assert_eq!((turn.end["operationCount"].as_u64(), turn.all("tool-call-start").len()), (Some(1), 1), "{kind}");
    }
}

#[tokio::test]
async fn seed_000_parameter_resolution_reads_a_file_and_analyzes_it() {
    const PORT: &str = "The port is 3000, and there is a database.";
    for kind in KINDS {
        let read = json!({"path": "config.json"});
        let answers = match kind {
            "native" => vec![
                Answer::calls([("file_read", json!({"path": "config.json", "output_variable": "file_content"}))]),
                Answer::calls([("json_parse", json!({"content": "@file_content", "output_variable": "parsed_data"}))]),
                Answer::text(PORT),
            ],
            _ => vec![
                needs_tools(),
                selects("file_read", read, Some("file_content")),
                goes_on("parse the JSON to see its structure"),
                selects("json_parse", json!({"content": "@file_content"}), Some("parsed_data")),
                completes(PORT),
            ],
        };
        let llm = ScriptedLlm::of(answers).await;
        let server = super::server(&llm, kind).await;
        server.file("config.json", "{\"port\": 3000, \"db\": {\"host\": \"localhost\"}}");
        let mut client = server.connect().await;

        let turn = client.ask("Read config.json and analyze its structure").await.answered().says("3000");

        assert_eq!(
            (turn.tools(), turn.stored()),
            (vec!["file_read", "json_parse"], vec!["file_content", "parsed_data"])
        );
        let parse = turn.all("tool-call-start")[1];
        assert_eq!(parse["references"], json!({"content": "@file_content"}), "{kind}");
        client.send(json!({"type": "get-context"})).await;
        let state = client.until_type("context-state").await;
        let names: Vec<_> = state["variables"].as_array().into_iter().flatten().map(|v| v["name"].clone()).collect();
        assert_eq!(names, ["file_content", "parsed_data"]);
    }
}

#[tokio::test]
async fn seed_000_a_chain_of_three_tools_sends_the_weather_by_mail() {
    const SENT: &str = "I sent the weather of New York.";
    for kind in KINDS {
        let folder = McpFolder::default();
        let steps = [
            ("test__weather_api", json!({"location": "New York"}), "weather_data", "compose an email with the weather"),
            ("test__email_compose", json!({"content": "@weather_data"}), "email_draft", "send the email"),
            ("test__email_send", json!({"message": "@email_draft"}), "send_result", ""),
        ];
        let mut answers = Vec::new();
        if kind == "staged" {
            answers.push(needs_tools());
        }
        for (tool, arguments, output, next) in steps {
            if kind == "native" {
                let mut arguments = arguments;
                arguments["output_variable"] = output.into();
                answers.push(Answer::calls([(tool, arguments)]));
            } else {
                answers.push(selects(tool, arguments, Some(output)));
                answers.push(if next.is_empty() { completes(SENT) } else { goes_on(next) });
            }
        }
        answers.push(Answer::text(SENT));
        let llm = ScriptedLlm::of(answers).await;
        let mut options = options(&llm, kind);
        options.arguments.extend(folder.options(json!({"test": folder.scripted("office")}), &[]).arguments);
        let server = TestServer::start_with(options).await;
        server.until_tool("test__email_send").await;
        let mut client = server.connect().await;

        let turn = client.ask("Get weather for New York and send it via email").await.answered().says(SENT);

        assert_eq!(turn.tools(), ["test__weather_api", "test__email_compose", "test__email_send"], "{kind}");
        assert_eq!(turn.stored(), ["weather_data", "email_draft", "send_result"]);
        let sent = folder.told().into_iter().find(|line| line.contains("sent")).expect("it was sent");
        assert!(sent.contains("Subject: The weather") && sent.contains("New York: 72°F, sunny"), "{sent}");
    }
}

#[tokio::test]
async fn without_a_model_the_seeds_requests_are_done_or_what_is_missing_is_said() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "auto"])).await;
    server.file("config.json", "{\"port\": 3000, \"db\": {\"host\": \"localhost\"}}");
    let mut client = server.connect().await;

    for (request, missing) in [
        ("What's the weather in Tokyo?", "cannot look up the weather"),
        ("Search for the latest Python news", "do not know the news"),
        ("Get weather for New York and send it via email", "cannot look up the weather"),
    ] {
        let turn = client.ask(request).await.says(missing);
        assert_eq!(turn.end["complete"], false, "{request}");
    }
    let turn = client.ask("Read config.json and analyze its structure").await.answered().says("port");
    assert_eq!(turn.tools(), ["file_read", "json_parse"]);
    client.ask("What is 2+2?").await.answered().says("4");
    client.ask("What files are in the current directory?").await.answered().says("config.json");
}
