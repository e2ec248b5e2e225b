//! Windows over the socket, without a model: what is shown, in which window, and what its content is (seed 003).

use serde_json::{Value, json};
use switchboard_tests::{Reply, TestClient, TestServer, request};

/// The smallest PNG there is.
const CAT: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0,
    0x1f, 0, 5, 0, 1, 0xff, 0x56, 0xc7, 0x2f, 0x0d, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

async fn server() -> TestServer {
    let server = TestServer::start().await;
    server.file("README.md", "# The project\n\nIt is small.\n");
    server.file("config.json", "{\"port\": 8080}\n");
    server.file("notes.txt", "milk\nbread\n");
    server.file("src/main.rs", "fn main() {}\n");
    std::fs::write(server.workspace().join("cat.png"), CAT).expect("the picture is written");
    server
}

async fn viewer(server: &TestServer) -> TestClient {
    TestClient::connect(server.address(), "?viewer=1").await
}

async fn content(server: &TestServer, client: &TestClient, handle: &str, headers: &[(&str, &str)]) -> Reply {
    let handle = handle.replace('/', "%2F");
    let path = format!("/api/sessions/{}/resources/{handle}", client.session());
    request(server.address(), "GET", &path, headers, b"").await
}

async fn context(client: &mut TestClient) -> Value {
    client.send(json!({"type": "get-context"})).await;
    client.until_type("context-state").await
}

#[tokio::test]
async fn what_is_to_be_shown_is_shown_in_a_window() {
    let server = server().await;
    let mut client = viewer(&server).await;

    let readme = client.ask("Show me README.md").await.answered();
    let cat = client.ask("Show cat.png").await.answered();
    let folder = client.ask("Open the folder src").await.answered();
    let config = client.ask("Read config.json, then show it").await.answered();
    server.file("report.pdf", "%PDF-1.4\nwhat a PDF says");
    let report = client.ask("Show report.pdf").await.answered();

    let shown = |turn: &switchboard_tests::Turn| {
        let frame = turn.first("display-resource").clone();
        (frame["viewerType"].clone(), frame["resource"]["handle"].clone(), frame["title"].clone())
    };
    assert_eq!(shown(&readme), (json!("markdown"), json!("file:README.md"), json!("README.md")));
    assert_eq!(shown(&cat), (json!("image"), json!("file:cat.png"), json!("cat.png")));
    assert_eq!(shown(&folder), (json!("directory"), json!("file:src"), json!("src")));
    assert_eq!(shown(&config), (json!("editor"), json!("file:config.json"), json!("config.json")));
    assert_eq!(config.tools(), ["file_read", "display_resource"]);
    assert_eq!(shown(&report), (json!("pdf"), json!("file:report.pdf"), json!("report.pdf")));
    assert_eq!(report.first("display-resource")["resource"]["mimeType"], "application/pdf");
    // A part from its middle is one of a PDF too.
    let part = content(&server, &client, "file:report.pdf", &[("range", "bytes=9-12")]).await;
    assert_eq!((part.status, part.text().as_str()), (206, "what"));
    assert_eq!(part.header("content-type"), Some("application/pdf"));
    assert_eq!(part.header("content-range"), Some("bytes 9-12/24"));
    let picture = content(&server, &client, "file:cat.png", &[]).await;
    assert_eq!(
        (picture.status, picture.header("content-type"), picture.body.as_slice()),
        (200, Some("image/png"), CAT)
    );
}

#[tokio::test]
async fn a_window_is_used_again_and_closed() {
    let server = server().await;
    let mut client = viewer(&server).await;
    let first = client.ask("Show me README.md").await.answered().first("display-resource").clone();

    let second = client.ask("Show notes.txt in the same window").await.answered();
    let replaced = second.first("display-resource").clone();
    client.ask("Show cat.png").await.answered();
    let text = client.ask("Show cat.png as text").await.answered().first("display-resource").clone();
    let closed = client.ask("Close the window").await.answered().first("close-window").clone();

    assert_eq!(replaced["windowId"], first["windowId"]);
    assert_eq!(replaced["resource"]["handle"], "file:notes.txt");
    assert_eq!(replaced["earlier"][0]["resource"]["handle"], "file:README.md");
    assert_eq!((&text["viewerType"], &text["resource"]["handle"]), (&json!("editor"), &json!("file:cat.png")));
    assert_eq!(closed["windowId"], text["windowId"]);
    let open = context(&mut client).await["openWindows"].clone();
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open:#}");
    assert_eq!(open[0]["windowId"], first["windowId"]);
}

#[tokio::test]
async fn a_question_is_asked_and_its_answer_stored() {
    let server = server().await;
    let mut client = viewer(&server).await;

    let turn = client.post("Ask me for a name and store it").await;
    let query = client.until_type("user-query").await;
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "Ada"})).await;
    let turn = client.end_of(&turn).await.answered().says("Ada");

    assert_eq!(query["message"], "What is the name?");
    assert_eq!(turn.stored(), ["name"]);
}

#[tokio::test]
async fn without_a_client_that_shows_windows_a_file_is_read() {
    let server = server().await;
    let mut client = server.connect().await;

    let turn = client.ask("Show me README.md").await.answered().says("It is small.");
    let shown = client.ask(r#"use display_resource {"resource_handle": "README.md"}"#).await.answered();

    assert_eq!(turn.tools(), ["file_read"]);
    assert_eq!(shown.first("tool-call-end")["fields"]["viewers"], 0);
    assert_eq!(shown.first("display-resource")["resource"]["handle"], "file:README.md");
}

#[tokio::test]
async fn read_always_reads() {
    let server = server().await;
    let mut client = viewer(&server).await;

    for request in ["Read README.md", "What is in README.md?"] {
        assert_eq!(client.ask(request).await.answered().tools(), ["file_read"], "{request}");
    }
}

#[tokio::test]
async fn windows_are_state_of_the_session() {
    let server = server().await;
    let mut client = viewer(&server).await;
    client.ask("Show me README.md").await.answered();
    client.ask("remember that my favorite color is blue").await.answered();

    let query = format!("?session={}&tail=1&viewer=1", client.session());
    let other = TestClient::connect(server.address(), &query).await;
    client.command("/clear").await;
    let after_clear = context(&mut client).await;
    client.command("/new").await;
    let after_new = context(&mut client).await;

    assert_eq!(other.ready["snapshot"]["openWindows"][0]["title"], "README.md");
    assert_eq!(after_clear["openWindows"][0]["title"], "README.md");
    assert_eq!(after_new["openWindows"], json!([]));
}

#[tokio::test]
async fn twelve_windows_are_open_at_most() {
    let server = server().await;
    let mut client = viewer(&server).await;

    for number in 1..=13 {
        server.file(&format!("page{number}.txt"), "text\n");
        client.ask(&format!("Show page{number}.txt")).await.answered();
    }

    let open = context(&mut client).await["openWindows"].clone();
    let titles: Vec<&str> = open.as_array().into_iter().flatten().filter_map(|open| open["title"].as_str()).collect();
    assert_eq!(titles.len(), 12);
    assert_eq!((titles[0], titles[11]), ("page2.txt", "page13.txt"));
}

#[tokio::test]
async fn progress_ends_with_its_turn_and_what_stays_stays() {
    let server = server().await;
    let mut client = viewer(&server).await;
    client.ask(r#"use notify_user {"message": "Processing...", "type": "progress"}"#).await.answered();
    let stays = client.ask(r#"use notify_user {"message": "Done", "type": "success", "duration": 0}"#).await.answered();

    let query = format!("?session={}&tail=0&viewer=1", client.session());
    let other = TestClient::connect(server.address(), &query).await;

    let kept = other.ready["snapshot"]["notifications"].clone();
    assert_eq!(kept.as_array().map(Vec::len), Some(1), "{kept:#}");
    assert_eq!((&kept[0]["message"], &kept[0]["durationMs"]), (&json!("Done"), &json!(0)));
    assert_eq!(stays.first("notification")["level"], "success");
}

#[tokio::test]
async fn content_is_given_in_parts_and_as_what_it_is() {
    let server = server().await;
    let mut client = viewer(&server).await;
    server.file("page.html", "<script>alert(1)</script>");
    client.send(json!({"type": "set-variable", "name": "report", "value": "# Report"})).await;
    client.until_type("context-update").await;

    let part = content(&server, &client, "file:notes.txt", &[("range", "bytes=5-9")]).await;
    let beyond = content(&server, &client, "file:notes.txt", &[("range", "bytes=500-")]).await;
    let page = content(&server, &client, "file:page.html", &[]).await;
    let folder = content(&server, &client, "file:src", &[]).await;
    let variable = content(&server, &client, "var:report@1", &[]).await;
    let gone = content(&server, &client, "var:report@7", &[]).await;
    let outside = content(&server, &client, "file:../../etc/passwd", &[]).await;
    let missing = content(&server, &client, "file:nothing.txt", &[]).await;
    let stranger = format!("/api/sessions/{}/resources/file:notes.txt", uuid::Uuid::new_v4());
    let stranger = request(server.address(), "GET", &stranger, &[], b"").await;

    assert_eq!((part.status, part.text().as_str()), (206, "bread"));
    assert_eq!(part.header("content-range"), Some("bytes 5-9/11"));
    assert_eq!((beyond.status, beyond.header("content-range")), (416, Some("bytes */11")));
    assert_eq!(page.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(page.header("content-disposition"), Some("inline; filename*=UTF-8''page.html"));
    assert!(page.header("content-security-policy").is_some_and(|policy| policy.ends_with("; sandbox")));
    assert_eq!(folder.json()["entries"][0]["name"], "main.rs");
    let name = server.workspace().file_name().expect("a folder").to_string_lossy().into_owned();
    assert_eq!((&folder.json()["workspace"], &client.ready["workspace"]), (&json!(name), &json!(name)));
    assert_eq!(variable.text(), "# Report");
    assert_eq!((gone.status, outside.status, missing.status, stranger.status), (404, 403, 404, 404));
}

#[tokio::test]
async fn a_picture_that_a_call_gave_has_a_handle_without_a_model_after_a_restart_and_in_an_import() {
    let mut server = TestServer::start().await;
    std::fs::write(server.workspace().join("logo.png"), CAT).expect("a picture");
    let mut client = server.connect().await;
    let turn = client.ask("Read logo.png").await.answered();
    let call = turn.first("tool-call-end").clone();
    let handle = call["pictures"][0]["handle"].as_str().expect("a handle").to_owned();

    assert_eq!(handle, format!("call:{}/0", call["callId"].as_str().expect("an id")));
    assert_eq!(call["pictures"], json!([{"handle": handle, "mimeType": "image/png", "bytes": CAT.len()}]));
    std::fs::remove_file(server.workspace().join("logo.png")).expect("removed");
    server.kill().await;
    server.start_again().await;
    let picture = content(&server, &client, &handle, &[]).await;
    assert_eq!((picture.header("content-type"), picture.body.as_slice()), (Some("image/png"), CAT));
    assert_eq!(content(&server, &client, &handle.replace("/0", "/1"), &[]).await.status, 404);

    let export =
        request(server.address(), "GET", &format!("/api/sessions/{}/export", client.session()), &[], b"").await;
    let imported = request(
        server.address(),
        "POST",
        "/api/sessions/import",
        &[("content-type", "application/x-ndjson")],
        &export.body,
    )
    .await
    .json();
    let path = format!(
        "/api/sessions/{}/resources/{}",
        imported["sessionId"].as_str().expect("an id"),
        handle.replace('/', "%2F")
    );
    assert_eq!(request(server.address(), "GET", &path, &[], b"").await.body, CAT);
}

/// What `var:report@2` is in this session; `None` if there is no such thing.
async fn second_report(server: &TestServer, session: &str) -> Option<String> {
    let path = format!("/api/sessions/{session}/resources/var:report@2");
    let reply = request(server.address(), "GET", &path, &[], b"").await;
    (reply.status == 200).then(|| reply.text())
}

#[tokio::test]
async fn the_same_handle_is_each_sessions_own_in_forks_and_imports() {
    let server = server().await;
    let mut client = viewer(&server).await;
    let origin = client.session().to_string();
    set(&mut client, "first").await;
    let forked = client.command("/fork").await;
    let fork = forked["sessionId"].as_str().expect("the fork").to_owned();
    let export = request(server.address(), "GET", &format!("/api/sessions/{origin}/export"), &[], b"").await;
    let kind = [("content-type", "application/x-ndjson")];
    let imported = request(server.address(), "POST", "/api/sessions/import", &kind, &export.body).await.json();
    let import = imported["sessionId"].as_str().expect("the import").to_owned();
    assert_eq!(second_report(&server, &fork).await, None, "there is one version only");

    set(&mut client, "of the origin").await;
    let mut in_fork = TestClient::connect(server.address(), &format!("?session={fork}&tail=0&viewer=1")).await;
    set(&mut in_fork, "of the fork").await;

    assert_eq!(second_report(&server, &origin).await.as_deref(), Some("of the origin"));
    assert_eq!(second_report(&server, &fork).await.as_deref(), Some("of the fork"));
    assert_eq!(second_report(&server, &import).await, None);
    // What they began with stays theirs when the origin is gone.
    request(server.address(), "DELETE", &format!("/api/sessions/{origin}"), &[], b"").await;
    for session in [&fork, &import] {
        let path = format!("/api/sessions/{session}/resources/var:report@1");
        assert_eq!(request(server.address(), "GET", &path, &[], b"").await.text(), "first", "{session}");
    }
    assert_eq!(second_report(&server, &origin).await, None);
}

async fn set(client: &mut TestClient, value: &str) {
    client.send(json!({"type": "set-variable", "name": "report", "value": value})).await;
    client.until_type("context-update").await;
}
