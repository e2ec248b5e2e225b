//! Which tools a model is offered: all that it has room for; beyond that those of the conversation, and what it searches for.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, McpFolder, ScriptedLlm, ServerOptions, TestServer, request};

use super::{KINDS, completes, needs_tools, selects};

/// The names of all tools of a server, in order.
async fn all(server: &TestServer) -> Vec<String> {
    let tools = request(server.address(), "GET", "/api/tools", &[], b"").await.json();
    let mut names: Vec<String> = tools["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| Some(tool["name"].as_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// A server whose model has a window of 32,000 tokens.
async fn server(llm: &ScriptedLlm, kind: &str) -> TestServer {
    let options = ServerOptions::with(&["--approve", "auto", "--context-tokens", "32000"]);
    TestServer::start_with(options.model(&llm.base_url(), kind)).await
}

/// A server whose model has room for so many tokens of definitions.
async fn with_room(llm: &ScriptedLlm, kind: &str, tokens: &str) -> TestServer {
    let options = ServerOptions::with(&["--approve", "auto", "--tool-tokens", tokens]);
    TestServer::start_with(options.model(&llm.base_url(), kind)).await
}

/// What the model is told of tools in the question of a stage.
fn shows(asked: &Asked, tool: &str) -> bool {
    asked.last_text().contains(&format!("- {tool}: "))
}

#[tokio::test]
async fn n31_every_tool_that_fits_is_offered_in_the_same_order_each_time() {
    let llm = ScriptedLlm::of([Answer::text("Gladly."), Answer::text("Bye.")]).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;

    client.ask("Could you tidy up in here?").await.answered();
    client.ask("Thanks, bye").await.answered();

    let expected = all(&server).await;
    let (first, second) = (llm.asked(1).await, llm.asked(2).await);
    let (last, offered) =
        first.tools().split_last().map(|(last, all)| ((*last).to_owned(), all.to_vec())).expect("tools");
    assert_eq!((offered, last.as_str()), (expected.iter().map(String::as_str).collect(), "find_tools"));
    assert_eq!(first.tools(), second.tools());
}

#[tokio::test]
async fn n31_a_staged_model_chooses_from_every_tool_that_fits() {
    let choose = selects("calculator", json!({"expression": "6 * 7"}), None);
    let llm = ScriptedLlm::of([needs_tools(), choose, completes("It is 42.")]).await;
    let server = server(&llm, "staged").await;

    server.connect().await.ask("Surprise me").await.answered().says("42");

    let selection = llm.asked(2).await;
    let missing: Vec<String> = all(&server).await.into_iter().filter(|tool| !shows(&selection, tool)).collect();
    assert_eq!((selection.schema(), missing), (Some("selection"), Vec::new()));
}

#[tokio::test]
async fn what_was_spoken_of_is_offered_where_not_all_tools_fit() {
    let answers = [Answer::text("The port is wrong. Shall I edit the file and replace it?"), Answer::text("Done.")];
    let llm = ScriptedLlm::of(answers).await;
    let server = with_room(&llm, "native", "1200").await;
    let mut client = server.connect().await;

    client.ask("What do you think of my config?").await.answered();
    client.ask("Yes, please do").await.answered();

    let asked = llm.asked(2).await;
    let offered = asked.tools();
    assert!(offered.len() < all(&server).await.len() && offered.last() == Some(&"find_tools"), "{offered:?}");
    assert!(offered.contains(&"file_edit"), "{offered:?}");
}

#[tokio::test]
async fn what_was_used_in_the_session_stays_offered_where_not_all_tools_fit() {
    let call = Answer::calls([("json_query", json!({"data": [1, 2], "query": "length"}))]);
    let llm = ScriptedLlm::of([call, Answer::text("Two."), Answer::text("I see.")]).await;
    let server = with_room(&llm, "native", "1200").await;
    let mut client = server.connect().await;

    client.ask("How many are in [1, 2]?").await.answered();
    client.command("/new").await;
    client.ask("Look at the weather page").await;

    let (first, last) = (llm.asked(1).await, llm.asked(3).await);
    assert!(last.tools().contains(&"json_query"), "{:?}", last.tools());
    assert!(last.tools().len() < all(&server).await.len() && first.tools().len() < all(&server).await.len());
}

#[tokio::test]
async fn what_a_specialists_file_names_is_offered_to_it_always() {
    let tools = ["apply_patch", "bash", "calculator", "file_edit", "file_read", "file_write", "grep", "json_query"];
    let helper = json!({"id": "helper", "name": "Helper", "instructions": "Help.", "tools": tools});
    let asks = Answer::calls([("helper", json!({"message": "Count the files"}))]);
    let llm = ScriptedLlm::of([asks, Answer::text("Three."), Answer::text("Three.")]).await;
    let options = ServerOptions::with(&["--approve", "auto", "--tool-tokens", "300"]);
    let mut server = TestServer::prepare(options.model(&llm.base_url(), "native"));
    crate::agents::agent(&server, &helper);
    server.start_again().await;

    server.connect().await.ask("Ask the helper how many files there are").await.answered().says("Three");

    let inner = llm.asked(2).await;
    assert_eq!(inner.tools().split_last(), Some((&"find_tools", &tools[..])));
    assert!(llm.asked(1).await.tools().len() < tools.len(), "not all fit");
}

/// The names and confidences stand there whatever the window is.
#[tokio::test]
async fn a_selection_tells_each_tools_module_and_confidence() {
    for window in ["4096", "32000"] {
        let choose = selects("calculator", json!({"expression": "6 * 7"}), None);
        let llm = ScriptedLlm::of([needs_tools(), choose, completes("It is 42.")]).await;
        let options = ServerOptions::with(&["--approve", "auto", "--context-tokens", window]);
        let server = TestServer::start_with(options.model(&llm.base_url(), "staged")).await;

        server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");

        let selection = llm.asked(2).await;
        let text = selection.last_text();
        let offered: Vec<&str> = text.split("\n- ").filter(|part| part.contains("\n  Module: ")).collect();
        let named = |part: &&str| part.split(':').next().unwrap_or_default().to_owned();
        let names: Vec<String> = offered.iter().map(named).collect();
        assert!(names.iter().any(|name| name == "calculator"), "{window}: {names:?}");
        for name in &names {
            let confidence = text.lines().find(|line| line.starts_with(&format!("- {name}: ")) && line.ends_with('%'));
            assert!(confidence.is_some(), "{window}: no confidence of {name}");
        }
    }
}

#[tokio::test]
async fn our_own_tools_are_offered_beside_more_of_others_than_there_is_room_for() {
    for kind in KINDS {
        let (folder, llm) = (McpFolder::default(), ScriptedLlm::of([needs_tools(), completes("Well.")]).await);
        let about = "Looks up the opening hours of a museum.";
        let tool = |number: u32| json!({"name": format!("museum_{number}"), "description": about, "inputSchema": {"type": "object"}});
        let tools: Vec<Value> = (0..500).map(tool).collect();
        std::fs::write(folder.path().join("tools.json"), json!(tools).to_string()).expect("the tools");
        let arguments = ["--context-tokens", "32000"];
        let options = folder.options(json!({"museums": folder.scripted("catalogue")}), &arguments);
        let server = TestServer::start_with(options.model(&llm.base_url(), kind)).await;
        server.until_tool("museums__museum_499").await;

        server.connect().await.ask("whats 17.5% of 2384.60").await;

        let asked = llm.all();
        let asked = asked.iter().find(|asked| asked.schema() != Some("need")).expect("a question");
        let offered = |tool: &str| asked.tools().contains(&tool) || shows(asked, tool);
        assert!(offered("calculator") && offered("file_read"), "{kind}: {:?}", asked.tools());
        assert!((0..500).any(|number| !offered(&format!("museums__museum_{number}"))), "{kind}");
    }
}

#[tokio::test]
async fn a_staged_model_searches_in_its_own_words_twice_at_most() {
    let again = |query: &str| {
        let parameters: Value = json!({});
        Answer::json(&json!({"reasoning": "None fits.", "selectedTool": null, "parameters": parameters,
            "outputVariable": null, "searchFor": query}))
    };
    let choose = selects("calculator", json!({"expression": "6 * 7"}), None);
    let llm = ScriptedLlm::of([
        needs_tools(),
        again("undo a change of a file"),
        again("evaluate arithmetic"),
        choose,
        completes("It is 42."),
    ])
    .await;
    let server = with_room(&llm, "staged", "400").await;

    let turn = server.connect().await.ask("Look at the weather page").await.answered().says("42");

    let (first, third) = (llm.asked(2).await, llm.asked(4).await);
    assert!(!shows(&first, "calculator") && shows(&third, "calculator"), "{}", third.last_text());
    assert_eq!(turn.tools(), ["calculator"]);
}

#[tokio::test]
async fn the_same_call_twice_in_one_reply_runs_once() {
    let read = || ("file_read", json!({"file_paths": ["a.txt"]}));
    let append = || ("bash", json!({"command": "echo x >> log.txt"}));
    let llm = ScriptedLlm::of([
        Answer::calls([read(), read()]),
        Answer::calls([append(), append()]),
        Answer::text("Read and written."),
    ])
    .await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "hello");

    let turn = server.connect().await.ask("Read a.txt, then add a line to log.txt").await.answered();

    let started = turn.frames.iter().filter(|frame| frame["type"] == "tool-call-end" && frame["started"] == true);
    assert_eq!((started.count(), server.content("log.txt").as_str()), (2, "x\n"));
    let results = llm.asked(3).await.messages().iter().filter(|message| message["role"] == "tool").count();
    assert_eq!(results, 4, "each call has its result");
}
