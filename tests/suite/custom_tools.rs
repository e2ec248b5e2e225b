//! Tools of the user's own, as files beside the settings: those that `docs/tools.md` shows, and what goes wrong with files.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::Response;
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestServer, WebServer, request, soon};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

/// The folder of the tools, with these files.
fn folder(server: &TestServer, files: &[(&str, String)]) -> PathBuf {
    let folder = server.settings().parent().expect("a folder").join("tools");
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

/// The block of `docs/tools.md` that follows the name of this file.
fn shown(name: &str) -> String {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tools.md")).expect("the page");
    let (_, rest) = page.split_once(&format!("\n`{name}`")).expect("the file is shown");
    let (_, block) = rest.split_once("```").expect("a block");
    let (_, text) = block.split_once('\n').expect("a text");
    text.split_once("\n```").expect("an end").0.to_owned()
}

async fn tools(server: &TestServer) -> Value {
    request(server.address(), "GET", "/api/tools", &[], b"").await.json()
}

/// The tools, once they are as wanted.
async fn until_tools(server: &TestServer, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    soon(what, async {
        loop {
            let list = tools(server).await;
            if fits(&list) {
                return list;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
}

fn has(list: &Value, name: &str) -> bool {
    list["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name))
}

async fn started(options: ServerOptions, files: &[(&str, String)]) -> TestServer {
    let mut server = TestServer::prepare(options);
    folder(&server, files);
    server.start_again().await;
    server
}

/// A mail server that takes one mail, and what it was told.
async fn mail_server() -> (u16, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let told = Arc::<Mutex<String>>::default();
    let kept = Arc::clone(&told);
    #[expect(clippy::disallowed_methods, reason = "the task ends with the test's runtime")]
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a client");
        let (reader, mut writer) = stream.into_split();
        let mut lines = BufReader::new(reader).lines();
        writer.write_all(b"220 here\r\n").await.expect("a greeting");
        let mut in_mail = false;
        while let Ok(Some(line)) = lines.next_line().await {
            kept.lock().expect("the mail").push_str(&format!("{line}\n"));
            let answer: &[u8] = match (in_mail, line.as_str()) {
                (true, ".") => {
                    in_mail = false;
                    b"250 taken\r\n"
                }
                (true, _) => continue,
                (false, "data" | "DATA") => {
                    in_mail = true;
                    b"354 go on\r\n"
                }
                (false, "quit" | "QUIT") => b"221 bye\r\n",
                (false, _) => b"250 ok\r\n",
            };
            writer.write_all(answer).await.expect("an answer");
        }
    });
    (port, told)
}

fn weather(_path: &str) -> Response<Body> {
    let now = json!({"weatherDesc": [{"value": "Light rain"}], "temp_C": "11", "windspeedKmph": "20"});
    Response::new(Body::from(json!({"current_condition": [now]}).to_string()))
}

#[tokio::test]
async fn the_weather_of_new_york_is_sent_by_mail_with_the_two_files_of_the_page() {
    let web = WebServer::start(weather).await;
    let (port, mail) = mail_server().await;
    let address = web.address();
    let arguments = ["--approve", "auto", "--reasoner", "rules", "--web-allow-local", &address];
    let mut options = ServerOptions::with(&arguments);
    let variables = [
        // 127.0.0.1 by its number, which programs do not take for their own loopback.
        ("WEATHER_URL", format!("http://2130706433:{}", web.port())),
        ("SMTP_HOST", "127.0.0.1".to_owned()),
        ("SMTP_PORT", port.to_string()),
        ("MAIL_TO", "ada@example.org".to_owned()),
    ];
    options.environment.extend(variables.map(|(name, value)| (name.to_owned(), value)));
    let files = ["weather.json", "weather.py", "send_email.json", "send_email.py"].map(|name| (name, shown(name)));
    let server = started(options, &files).await;
    let mut client = server.connect().await;

    let first = client.ask("what's the weather in Tokyo?").await.answered().says("Tokyo: Light rain, 11 °C");
    let id = client.post("Get weather for New York and send it via email").await;
    let asked = client.until_type("approval-request").await;
    assert_eq!(asked["tool"], "send_email", "{asked:#}");
    assert!(mail.lock().expect("the mail").is_empty());
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once"})).await;
    let both = client.end_of(&id).await.answered();

    assert_eq!(first.tools(), ["weather"]);
    assert_eq!(both.tools(), ["weather", "send_email"]);
    assert_eq!(both.first("agent-response")["complete"], true);
    assert!(web.requests().iter().any(|request| request.starts_with("/New%20York?")), "{:?}", web.requests());
    let mail = mail.lock().expect("the mail").clone();
    assert!(mail.contains("To: ada@example.org") && mail.contains("New York: Light rain, 11 "), "{mail}");
}

/// A tool that runs this shell script with its argument.
fn script(risk: &str, more: &Value) -> String {
    let mut tool = json!({
        "name": "note",
        "description": "Keep a note.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        "command": ["sh", "./note.sh", "{text}"],
        "risk": risk,
        "examples": ["keep the note {text:content}"],
    });
    let fields = tool.as_object_mut().expect("an object");
    fields.extend(more.as_object().cloned().unwrap_or_default());
    tool.to_string()
}

#[tokio::test]
async fn a_tool_that_reads_asks_nobody_and_can_change_nothing() {
    let note =
        "printf '%s' \"$1\" > note.txt; printf 'told: %s, secret: %s\\n' \"$1\" \"$SECRET\"; cat keep.txt; exit 0"
            .to_owned();
    let files = [("note.json", script("read", &json!({"environment": ["PASSED"]}))), ("note.sh", note)];
    let mut options = ServerOptions::with(&["--reasoner", "rules"]);
    options.environment.push(("SECRET".to_owned(), "hidden".to_owned()));
    let server = started(options, &files).await;
    server.file("keep.txt", "kept");
    let mut client = server.connect().await;

    let turn = client.ask("keep the note \"a; rm -rf $HOME `id`\"").await.answered();

    assert_eq!(turn.tools(), ["note"]);
    let turn = turn.says("told: a; rm -rf $HOME `id`, secret: ").says("kept");
    assert!(!turn.text().contains("hidden"), "{}", turn.text());
    assert!(turn.all("approval-request").is_empty());
    assert!(!server.workspace().join("note.txt").exists());
}

#[tokio::test]
async fn a_file_is_taken_up_changed_and_left_while_the_server_runs() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    let sh = ("note.sh", "echo one; echo two".to_owned());
    let folder = folder(&server, &[("note.json", script("write", &json!({"format": "lines"}))), sh]);
    let list = until_tools(&server, "the new tool", |list| has(list, "note")).await;
    assert_eq!(list["problems"], Value::Null);
    let mut client = server.connect().await;
    let call = json!({"type": "call-tool", "callId": "c0", "tool": "note", "arguments": {"text": "x"}});
    client.send(call).await;
    let end = client.until("the end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "c0").await;
    assert!(end["preview"].to_string().contains("two"), "{end:#}");

    fs::write(folder.join("note.json"), script("write", &json!({"command": ["sh", "-c", "echo {text}"]})))
        .expect("a file");
    let list = until_tools(&server, "the refusal", |list| list["problems"].is_array()).await;

    assert!(!has(&list, "note"));
    let told = list["problems"][0].as_str().unwrap_or_default();
    assert!(
        told.starts_with("note.json is skipped:") && told.contains("a placeholder must be a whole argument"),
        "{told}"
    );
    let told = client.command("/tools").await["text"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("**skipped**: note.json"), "{told}");

    fs::write(folder.join("note.json"), script("write", &json!({"format": "json"}))).expect("a file");
    until_tools(&server, "the tool again", |list| has(list, "note")).await;
    let call = json!({"type": "call-tool", "callId": "c1", "tool": "note", "arguments": {"text": "x"}});
    client.send(call).await;
    let end = client.until("the end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "c1").await;
    assert!(end["error"].as_str().is_some_and(|why| why.contains("its output is not JSON")), "{end:#}");

    fs::remove_file(folder.join("note.json")).expect("it was there");
    until_tools(&server, "no such tool", |list| !has(list, "note") && list["problems"].is_null()).await;
}

#[tokio::test]
async fn files_that_cannot_be_tools_say_which_field_and_the_others_work() {
    let wrong = [
        ("a.json", "{".to_owned(), "it is not a JSON object"),
        ("b.json", script("read", &json!({"risk": "harmless"})), "`risk`"),
        ("c.json", script("read", &json!({"name": "bash"})), "bash"),
        ("d.json", script("read", &json!({"examples": ["(keep {text"]})), "one of its examples cannot be read"),
        ("e.json", script("read", &json!({"examples": ["keep {words}"]})), "{words}, which is none of its parameters"),
        ("f.json", script("read", &json!({"shell": true})), "`shell`"),
    ];
    let mut files: Vec<(&str, String)> = wrong.iter().map(|(name, text, _)| (*name, text.clone())).collect();
    files.push(("z.json", script("read", &json!({}))));
    files.push(("y.json", script("read", &json!({"name": "silent", "examples": []}))));
    let server = started(ServerOptions::auto(), &files).await;

    let list = tools(&server).await;

    assert!(has(&list, "note") && has(&list, "silent"), "{list:#}");
    let problems = list["problems"].to_string();
    for (name, _, part) in &wrong {
        assert!(problems.contains(part), "{name}: {part}: {problems}");
    }
}

#[tokio::test]
async fn the_folder_of_the_tools_is_closed_to_commands_and_other_tools() {
    let server = started(ServerOptions::auto(), &[("note.json", script("write", &json!({})))]).await;
    let path = server.settings().parent().expect("a folder").join("tools/note.json");
    let mut client = server.connect().await;
    let command = format!("echo x >> {}; cat {}", path.display(), path.display());

    client.send(json!({"type": "call-tool", "callId": "c1", "tool": "bash", "arguments": {"command": command}})).await;
    let end = client.until("the end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "c1").await;

    assert_eq!(end["success"], false, "{end:#}");
    assert_eq!(fs::read_to_string(path).expect("the file"), script("write", &json!({})));
}

#[tokio::test]
async fn what_a_tool_of_ones_own_changes_is_shown_and_undone() {
    let note = "printf '%s' \"$1\" > note.txt; rm keep.txt".to_owned();
    let files = [("note.json", script("write", &json!({}))), ("note.sh", note)];
    let server = started(ServerOptions::auto(), &files).await;
    server.file("keep.txt", "kept\n");
    let mut client = server.connect().await;

    let call = json!({"type": "call-tool", "callId": "c", "tool": "note", "arguments": {"text": "new"}});
    client.send(call).await;
    let end = client.until("the end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "c").await;
    let undone = client.command("/undo").await;

    assert_eq!(end["undoable"], true, "{end:#}");
    assert!(end["diff"].as_str().is_some_and(|diff| diff.contains("+new") && diff.contains("-kept")), "{end:#}");
    assert_eq!(undone["type"], "command-response", "{undone:#}");
    assert_eq!(server.content("keep.txt"), "kept\n");
    assert!(!server.workspace().join("note.txt").exists());
}
