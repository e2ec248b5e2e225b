//! Pictures: a model that sees is shown them, in its provider's way; whoever does not see is told what they are. They are
//! blobs in the log, never base64 in a frame or in a prompt's text, and they come through export and import.

use std::process::Command;

use serde_json::{Value, json};
use switchboard_tests::{
    Answer, Asked, McpFolder, ScriptedLlm, ServerOptions, TestClient, TestServer, binary, request,
};

use super::{completes, needs_tools, one_tool, options, selects};

/// A red PNG of 4 × 3 pixels.
pub(super) const PNG: [u8; 73] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x04, 0x00, 0x00, 0x00, 0x03, 0x08, 0x02, 0x00, 0x00, 0x00, 0x3b, 0x96, 0x39, 0x91, 0x00, 0x00, 0x00, 0x10, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x47, 0x0c, 0x38, 0x39, 0x00, 0xf5, 0x31, 0x0b, 0xf5,
    0xdd, 0x7a, 0x54, 0x0d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];
/// The same in base64.
pub(super) const BASE64: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR42mP4z8AARww4OQD1MQv13XpUDQAAAABJRU5ErkJggg==";
/// What is said of it.
pub(super) const WORDS: &str = "PNG picture of 4 × 3 pixels, 73 bytes";
const NOT_SEEN: &str = "No model that can see pictures is connected.";

fn url() -> String {
    format!("data:image/png;base64,{BASE64}")
}

fn picture() -> Value {
    json!({"type": "image_url", "image_url": {"url": url()}})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A server whose model sees, with the picture in its workspace.
async fn seeing(llm: &ScriptedLlm, kind: &str) -> TestServer {
    let mut options = options(llm, kind);
    options.arguments.extend(["--llm-vision", "on"].map(ToOwned::to_owned));
    with_picture(options).await
}

async fn with_picture(options: ServerOptions) -> TestServer {
    let server = TestServer::start_with(options).await;
    std::fs::write(server.workspace().join("logo.png"), PNG).expect("a picture");
    server
}

fn reads() -> Answer {
    Answer::calls([("file_read", json!({"path": "logo.png"}))])
}

async fn transcript(server: &TestServer, session: &str) -> Value {
    let path = format!("/api/sessions/{session}/transcript");
    request(server.address(), "GET", &path, &[], b"").await.json()["messages"].clone()
}

/// The pictures of a request of OpenAI's kind, and all else of it.
fn split(asked: &Asked) -> (Vec<String>, String) {
    let parts = asked.messages().iter().filter_map(|message| message["content"].as_array()).flatten();
    let urls: Vec<String> = parts.filter_map(|part| part["image_url"]["url"].as_str().map(ToOwned::to_owned)).collect();
    let rest = urls.iter().fold(asked.body.to_string(), |rest, url| rest.replace(url, ""));
    (urls, rest)
}

#[track_caller]
fn no_base64(client: &TestClient) {
    let frames = client.frames.iter().map(Value::to_string).collect::<String>();
    assert!(!frames.contains(&BASE64[..40]), "a frame has the picture's bytes");
}

#[tokio::test]
async fn a_model_that_sees_is_shown_what_it_reads_and_the_export_is_what_it_was_given() {
    let both = [("file_read", json!({"path": "logo.png"})), ("file_read", json!({"path": "a.txt"}))];
    let answers = [Answer::calls(both), Answer::text("A red box."), Answer::text("Red."), Answer::text("Still red.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = seeing(&llm, "native").await;
    server.file("a.txt", "hello");
    let mut client = server.connect().await;

    let turn = client.ask("What do logo.png and a.txt show?").await.answered();
    client.ask("Which colour is it?").await.answered().says("Red.");

    let card = turn.all("tool-call-end").into_iter().find(|end| end["preview"].to_string().contains("logo.png"));
    let card = card.expect("the picture's card");
    assert_eq!(card["preview"], json!(["=== logo.png ===", format!("A {WORDS}.")]));
    let asked = llm.asked(2).await;
    let [user, calls, first, second, shown] = &asked.messages()[1..] else { panic!("{:#}", asked.body) };
    assert_eq!((&user["role"], &calls["role"]), (&json!("user"), &json!("assistant")));
    assert!(first["role"] == "tool" && first["content"].as_str().is_some_and(|text| text.contains(WORDS)), "{first:#}");
    assert!(second["role"] == "tool" && second["content"].as_str().is_some_and(|text| text.contains("hello")));
    assert!(asked.messages()[0].to_string().contains("You can see pictures"), "it is told that it can");
    let call = calls["tool_calls"][0]["id"].as_str().expect("an id");
    let parts = json!([text(&format!("Shown by the result of {call}:")), picture()]);
    assert_eq!(*shown, json!({"role": "user", "content": parts}), "a tool's message takes only text");
    let (urls, rest) = split(&asked);
    assert!(urls == [url()] && !rest.contains(&BASE64[..40]), "{rest}");
    let asked = llm.asked(3).await;
    let last = [parts[0].clone(), picture()];
    let after = asked.messages().iter().position(|message| message["content"] == json!(last)).expect("it is there");
    assert_eq!(asked.messages()[after + 1]["content"], "A red box.", "and stays where it was");

    // It is in the log: after a restart it is shown again, and it is exported as it was given.
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(client.session(), 0).await;
    client.ask("And now?").await.answered().says("Still red.");
    no_base64(&client);
    let asked = llm.asked(4).await;
    let given = &asked.messages()[1..];
    assert_eq!(split(&asked).0, [url()]);
    let exported = transcript(&server, &client.session().to_string()).await;
    assert_eq!(exported.as_array().expect("messages")[..given.len()], *given, "what is exported is what it was given");
}

#[tokio::test]
async fn pictures_come_through_both_kinds_of_export_and_import() {
    let llm =
        ScriptedLlm::of([reads(), Answer::text("Red."), Answer::text("Here too."), Answer::text("Here as well.")])
            .await;
    let server = seeing(&llm, "native").await;
    let mut client = server.connect().await;
    client.ask("What does logo.png show?").await.answered();
    let session = client.session().to_string();
    let said = transcript(&server, &session).await;
    let file = server.data().with_file_name("talk.json");
    let url = format!("http://{}", server.address());
    let cli = |arguments: &[&str]| {
        let run = Command::new(binary()).arg("sessions").args(arguments).args(["--url", &url]).output();
        let run = run.expect("it runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).trim().to_owned()
    };
    let path = file.to_str().expect("a path");

    cli(&["export", "--format", "openai", &session, "--output", path]);
    let imported = cli(&["import", "--format", "openai", path]);
    std::fs::remove_file(&file).expect("it was there");
    cli(&["export", &session, "--output", path]);
    let whole = cli(&["import", path]);

    for (number, session) in [imported, whole].iter().enumerate() {
        assert_eq!(transcript(&server, session).await, said, "{number}");
        let mut client = server.connect_to(session.parse().expect("an id"), 0).await;
        client.ask("And here?").await.answered();
        no_base64(&client);
        let asked = llm.asked(number + 3).await;
        assert_eq!(asked.messages()[1..=4], said.as_array().expect("messages")[..4], "{number}");
    }
}

#[tokio::test]
async fn pictures_of_the_user_are_imported_shown_and_exported_between_the_words() {
    let llm = ScriptedLlm::of([Answer::text("Two boxes.")]).await;
    let server = seeing(&llm, "native").await;
    let mixed = json!([text("This "), picture(), text(" and that: "), picture()]);
    let far = json!({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}});
    let messages = json!([
        {"role": "user", "content": mixed},
        {"role": "assistant", "content": "Two."},
        {"role": "user", "content": [picture()]},
        {"role": "assistant", "content": "One."},
        {"role": "user", "content": [text("Look: "), far]},
        {"role": "assistant", "content": "I cannot."},
    ]);
    let file = server.data().with_file_name("talk.json");
    std::fs::write(&file, json!({"messages": messages}).to_string()).expect("a file");
    let url = format!("http://{}", server.address());
    let import = Command::new(binary())
        .args(["sessions", "import", "--format", "openai", "--url", &url])
        .arg(&file)
        .output()
        .expect("it runs");
    assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
    let session = String::from_utf8_lossy(&import.stdout).trim().to_owned();

    let mut client = server.connect_to(session.parse().expect("an id"), 0).await;
    client.ask("What did I show?").await.answered().says("Two boxes.");

    no_base64(&client);
    let mut expected = messages.as_array().expect("a list").clone();
    expected[4]["content"] = json!("Look: [picture at https://example.com/a.png]");
    let asked = llm.asked(1).await;
    assert_eq!(asked.messages()[1..=6], expected[..], "nothing is fetched, and all else is as it was");
    let exported = transcript(&server, &session).await;
    assert_eq!(exported.as_array().expect("a list")[..6], expected[..]);
    let told: Vec<&Value> = client.frames.iter().filter(|frame| frame["type"] == "user-message").collect();
    assert_eq!(told[1]["text"], format!("[{WORDS}]"), "people are told what it is");
}

#[tokio::test]
async fn anthropic_is_shown_them_in_the_result_itself() {
    let llm = ScriptedLlm::of([reads(), Answer::text("Red.")]).await;
    let options = ServerOptions::with(&["--approve", "auto"]);
    let server = with_picture(options.anthropic(&llm.base_url(), "native", "sk-ant-test")).await;
    let mut client = server.connect().await;

    client.ask("What does logo.png show?").await.answered().says("Red.");

    let asked = llm.asked(2).await;
    let result = &asked.messages()[2]["content"][0];
    assert_eq!(result["type"], "tool_result", "{:#}", asked.body);
    assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains(WORDS)), "{result:#}");
    let source = json!({"type": "base64", "media_type": "image/png", "data": BASE64});
    assert_eq!(result["content"][1], json!({"type": "image", "source": source}));
    assert_eq!(asked.body.to_string().matches(BASE64).count(), 1);
    no_base64(&client);
}

#[tokio::test]
async fn a_staged_model_that_sees_is_shown_them_with_its_questions() {
    let answers = [needs_tools(), selects("file_read", json!({"path": "logo.png"}), None), completes("A red box.")];
    let llm = ScriptedLlm::of(answers).await;
    let server = seeing(&llm, "staged").await;
    let mut client = server.connect().await;

    client.ask("What does logo.png show?").await.answered().says("A red box.");

    assert_eq!(split(&llm.asked(2).await).0, Vec::<String>::new(), "it is not read yet");
    let (urls, rest) = split(&llm.asked(3).await);
    assert!(urls == [url()] && rest.contains(WORDS) && !rest.contains(&BASE64[..40]), "{rest}");
    no_base64(&client);
}

#[tokio::test]
async fn a_model_that_does_not_see_is_told_what_it_is_and_that_nobody_sees_it() {
    for kind in super::KINDS {
        let llm = ScriptedLlm::of(one_tool(kind, "file_read", json!({"path": "logo.png"}), "It is a small PNG.")).await;
        let server = with_picture(options(&llm, kind)).await;
        let mut client = server.connect().await;

        let turn = client.ask("What does logo.png show?").await.answered();

        let card = turn.all("tool-call-end")[0];
        assert_eq!(card["success"], true, "{kind}: {card:#}");
        assert_eq!(card["preview"], json!(["=== logo.png ===", format!("A {WORDS}."), NOT_SEEN]), "{kind}");
        let asked = llm.all().pop().expect("a request").body.to_string();
        assert!(asked.contains(WORDS) && asked.contains(NOT_SEEN), "{kind}: {asked}");
        assert!(!asked.contains(&BASE64[..40]) && !asked.contains("image_url"), "{kind}: {asked}");
    }
}

#[tokio::test]
async fn without_a_model_the_user_is_told_what_it_is() {
    let server = with_picture(ServerOptions::auto()).await;
    let mut client = server.connect().await;
    for request in ["Read logo.png", "show me logo.png", "what is in logo.png?"] {
        let turn = client.ask(request).await;
        let said = turn.end["text"].as_str().unwrap_or_default();
        assert!(said.contains(WORDS) && said.contains(NOT_SEEN), "{request}: {said}");
    }
    no_base64(&client);
}

#[tokio::test]
async fn a_provider_that_refuses_pictures_is_asked_again_in_words() {
    // The second is what llama.cpp says.
    for refused in [
        Answer::status(400, "this model does not support image input"),
        Answer::status(500, "image input is not supported - hint: you may need to provide the mmproj"),
    ] {
        let answers = [reads(), refused, Answer::text("A small PNG."), Answer::text("Still that.")];
        let llm = ScriptedLlm::of(answers).await;
        let server = seeing(&llm, "native").await;
        let mut client = server.connect().await;

        client.ask("What does logo.png show?").await.answered().says("A small PNG.");
        client.ask("And now?").await.answered().says("Still that.");

        assert_eq!(split(&llm.asked(2).await).0, [url()]);
        for number in [3, 4] {
            let (urls, rest) = split(&llm.asked(number).await);
            assert!(urls.is_empty() && rest.contains(WORDS), "{rest}");
        }
        assert_eq!(llm.count(), 4, "it is not shown a picture again");
    }
}

#[tokio::test]
async fn a_picture_of_an_mcp_server_is_shown_too() {
    let folder = McpFolder::default();
    let llm = ScriptedLlm::of([Answer::calls([("test__photo", json!({}))]), Answer::text("A red box.")]).await;
    let mut options = folder.options(json!({"test": folder.scripted("photos")}), &["--approve", "auto"]);
    options = options.model(&llm.base_url(), "native");
    options.arguments.extend(["--llm-vision", "on"].map(ToOwned::to_owned));
    let server = TestServer::start_with(options).await;
    server.until_tool("test__photo").await;
    let mut client = server.connect().await;

    let turn = client.ask("Take a photo of the harbour with test__photo").await.answered();

    let card = turn.all("tool-call-end")[0];
    assert!(card["preview"].to_string().contains(WORDS), "{card:#}");
    let (urls, rest) = split(&llm.asked(2).await);
    assert!(urls == [url()] && rest.contains("The harbour:") && !rest.contains(&BASE64[..40]), "{rest}");
    no_base64(&client);
}
