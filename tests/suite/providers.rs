//! Which language model is used, over real sockets: settings, `/model`, `/api/providers`, and what clients hear of it.

use std::process::Output;

use serde_json::{Value, json};
use switchboard_tests::{
    Answer, Reply, ScriptedLlm, ServerOptions, TestServer, WebServer, page, redirect, request, soon,
};

const KEY: &str = "k-test-0123456789abcdef";

/// A server on whose machine there is no model: no key, no Ollama.
async fn bare() -> TestServer {
    bare_with(&[]).await
}

/// The same with this environment.
pub(crate) async fn bare_with(environment: &[(&str, &str)]) -> TestServer {
    let bare = [("SWITCHBOARD_LLM", "on"), ("OLLAMA_HOST", "127.0.0.1:1")];
    let all = bare.iter().chain(environment);
    let environment = all.map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    TestServer::start_with(ServerOptions { environment, ..ServerOptions::auto() }).await
}

async fn with_model(llm: &ScriptedLlm) -> TestServer {
    let url = llm.base_url();
    let arguments = ["--llm-provider", "compatible", "--llm-base-url", &url, "--llm-model", "scripted"];
    TestServer::start_with(ServerOptions::with(&arguments)).await
}

async fn choose(server: &TestServer, body: Value) -> Reply {
    let headers = [("Content-Type", "application/json")];
    request(server.address(), "POST", "/api/providers", &headers, body.to_string().as_bytes()).await
}

async fn providers(server: &TestServer) -> Value {
    request(server.address(), "GET", "/api/providers", &[], b"").await.json()
}

/// What a start says that does not succeed.
async fn refused_start(arguments: &[&str]) -> String {
    let environment =
        vec![("SWITCHBOARD_LLM".to_owned(), "on".to_owned()), ("OLLAMA_HOST".into(), "127.0.0.1:1".into())];
    let server = TestServer::prepare(ServerOptions { environment, ..ServerOptions::with(arguments) });
    let Output { status, stderr, .. } =
        soon("the end of the start", server.command("127.0.0.1:0").output()).await.expect("it is started");
    assert!(!status.success());
    String::from_utf8_lossy(&stderr).into_owned()
}

#[tokio::test]
async fn what_is_asked_for_and_missing_stops_the_start_and_is_named() {
    let key = "no API key found for provider openai; set OPENAI_API_KEY or --llm-api-key";
    for (arguments, said) in [
        (&["--llm-provider", "openai"][..], key),
        (&["--llm-provider", "compatible"], "--llm-base-url"),
        (&["--llm-provider", "opnai"], "is not one of openai"),
        (&["--reasoner", "native"], "--reasoner native needs a language model"),
        (&["--reasoner", "staged", "--llm", "off"], "disabled by SWITCHBOARD_LLM"),
        (&["--llm-provider", "vllm", "--llm-base-url", "http://127.0.0.1:1/v1"], "cannot be asked for its models"),
        (&["--temperature", "3"], "not a number from 0 to 2"),
    ] {
        let error = refused_start(arguments).await;
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[tokio::test]
async fn what_runs_on_the_machine_is_found_by_who_looks_and_not_used() {
    let llm = ScriptedLlm::of([]).await;
    let host = llm.base_url().trim_end_matches("/v1").trim_start_matches("http://").to_owned();
    let arguments = ["--llm-provider", "compatible", "--llm-base-url", "http://127.0.0.1:1/v1", "--llm-model", "mine"];
    let environment = [("SWITCHBOARD_LLM", "on"), ("OLLAMA_HOST", &host)];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let server = TestServer::start_with(ServerOptions { environment, ..ServerOptions::with(&arguments) }).await;
    let ollama = async |path: &str| {
        let list = request(server.address(), "GET", path, &[], b"").await.json();
        let all = list["providers"].as_array().cloned().unwrap_or_default();
        let found = all.into_iter().find(|provider| provider["id"] == "ollama").expect("it is known");
        (found["models"].clone(), list["active"]["model"].clone())
    };

    assert_eq!(ollama("/api/providers").await, (json!([]), json!("mine")));
    assert_eq!(ollama("/api/providers?look=1").await, (json!(["scripted"]), json!("mine")));
    assert_eq!(request(server.address(), "GET", "/api/providers?find=1", &[], b"").await.status, 400);
}

#[tokio::test]
async fn without_a_model_the_server_says_why_and_how_to_get_one() {
    let server = bare().await;
    let mut client = server.connect().await;

    let said = client.command("/model").await;
    let list = providers(&server).await;

    assert!(said["text"].as_str().is_some_and(|text| text.contains("OPENAI_API_KEY")), "{said:#}");
    assert_eq!(list["active"], Value::Null);
    assert!(list["why"].is_string());
    assert_eq!(list["providers"].as_array().map(Vec::len), Some(8));
    assert!(client.command("/model other").await["type"] == "command-error");
}

#[tokio::test]
async fn a_model_of_the_settings_is_shown_with_its_provider() {
    let llm = ScriptedLlm::of([]).await;
    let server = with_model(&llm).await;
    let mut client = server.connect().await;

    let list = providers(&server).await;
    let said = client.command("/model").await;

    assert_eq!(list["active"]["model"], "scripted");
    assert_eq!(list["providers"][0]["id"], "compatible");
    assert!(said["text"].as_str().is_some_and(|text| text.contains("`scripted` of OpenAI-compatible")), "{said:#}");
}

#[tokio::test]
async fn a_choice_is_proved_used_told_to_clients_and_kept_without_showing_its_key() {
    let llm = ScriptedLlm::start(|_| Answer::text("OK")).await;
    let mut server = bare().await;
    let mut client = server.connect().await;
    let body = json!({"provider": "compatible", "baseUrl": llm.base_url(), "apiKey": KEY});

    let reply = choose(&server, body).await;

    assert_eq!((reply.status, &reply.json()["model"]), (200, &json!("scripted")), "{}", reply.text());
    let update = client.until_type("session-update").await;
    assert!(update["reasoner"]["kind"].is_string() && update["seq"].is_u64(), "{update:#}");
    let list = request(server.address(), "GET", "/api/providers", &[], b"").await.text();
    assert!(list.contains("\"stored\"") && !list.contains(KEY), "{list}");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(server.data().join("models.json")).expect("it is kept").permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);

    server.kill().await;
    server.start_again().await;

    assert_eq!(providers(&server).await["active"]["model"], "scripted");
    let gone = request(server.address(), "DELETE", "/api/providers/compatible", &[], b"").await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    assert_eq!(providers(&server).await["active"], Value::Null);
    assert!(!server.stderr().contains(KEY));
}

#[tokio::test]
async fn a_choice_that_does_not_answer_is_refused_with_the_field_that_is_wrong() {
    let llm = ScriptedLlm::start(|_| Answer::status(401, &format!("wrong key {KEY}"))).await;
    let server = bare().await;
    let base_url = llm.base_url();

    for (body, status, field) in [
        (json!({"provider": "compatible", "baseUrl": base_url, "apiKey": KEY}), 422, "apiKey"),
        (json!({"provider": "compatible", "baseUrl": "ftp://x"}), 422, "baseUrl"),
        (json!({"provider": "compatible"}), 422, "baseUrl"),
        (json!({"provider": "openai"}), 422, "apiKey"),
        (json!({"provider": "nobody"}), 422, "provider"),
        (json!({"provider": "openai", "key": "x"}), 422, "body"),
        (json!({"provider": 7}), 422, "provider"),
    ] {
        let reply = choose(&server, body.clone()).await;
        assert_eq!((reply.status, &reply.json()["field"]), (status, &json!(field)), "{body}: {}", reply.text());
        let said = reply.text();
        assert!(!said.contains(KEY) && !said.contains("--"), "no key, and no flags of a command line: {said}");
    }
    assert_eq!(providers(&server).await["active"], Value::Null);
    let nothing = request(server.address(), "DELETE", "/api/providers/openai", &[], b"").await;
    assert_eq!(nothing.status, 404);
}

#[tokio::test]
async fn the_model_is_asked_with_the_temperature_and_the_length_of_the_settings() {
    let llm = ScriptedLlm::of([Answer::text("Hello from the model.")]).await;
    let url = llm.base_url();
    let endpoint = ["--llm-provider", "compatible", "--llm-base-url", &url, "--llm-model", "scripted"];
    let style = ["--reasoner", "native", "--temperature", "0.25", "--max-tokens", "99"];
    let server = TestServer::start_with(ServerOptions::with(&[endpoint, style].concat())).await;
    let mut client = server.connect().await;

    client.ask("Hello").await.answered().says("Hello from the model.");

    let asked = llm.asked(1).await;
    assert_eq!((&asked.body["temperature"], &asked.body["max_tokens"]), (&json!(0.25), &json!(99)));
    assert!(asked.streams());
}

#[tokio::test]
async fn the_model_is_told_the_system_prompt_of_the_file_first() {
    for kind in ["native", "staged"] {
        let answers = [Answer::text("Arr."), Answer::text("Arr.")].into_iter().skip(usize::from(kind == "native"));
        let need = Answer::json(&json!({"reasoning": "None.", "needsTools": false}));
        let llm = ScriptedLlm::of((kind == "staged").then_some(need).into_iter().chain(answers)).await;
        let mut server = TestServer::prepare(ServerOptions::auto().model(&llm.base_url(), kind));
        let file = server.settings().with_file_name("prompt.md");
        std::fs::write(&file, "\u{feff}Speak like a pirate.\n").expect("a file");
        std::fs::write(server.settings(), format!("system-prompt = {:?}\n", file.display().to_string()))
            .expect("settings");
        server.start_again().await;
        let mut client = server.connect().await;

        client.ask("Hello").await.answered().says("Arr.");

        let asked = llm.asked(1).await;
        assert!(
            asked.messages()[0]["content"].as_str().is_some_and(|text| text.starts_with("Speak like a pirate.\n")),
            "{asked:?}"
        );
    }
}

#[tokio::test]
async fn a_system_prompt_that_cannot_be_used_stops_the_start_and_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.display().to_string()
    };
    let missing = folder.path().join("missing.md").display().to_string();
    for (path, said) in [
        (missing, "cannot be read"),
        (folder.path().display().to_string(), "cannot be read"),
        (file("empty.md", b" \n"), "is empty"),
        (file("large.md", &[b'x'; 64 * 1024 + 1]), "has more than 65536 bytes"),
        (file("bytes.md", &[0xff, 0xfe]), "is not UTF-8 text"),
    ] {
        let error = refused_start(&["--system-prompt", &path]).await;
        assert!(error.contains("--system-prompt") && error.contains(&path) && error.contains(said), "{error}");
    }
}

/// An OpenAI-compatible API that remembers all that it is asked, lists of models too.
async fn api() -> WebServer {
    WebServer::start(|path| {
        let body = match path.ends_with("/models") {
            true => json!({"data": [{"id": "scripted"}]}),
            false => json!({"choices": [{"message": {"role": "assistant", "content": "OK"}, "finish_reason": "stop"}]}),
        };
        page("application/json", body.to_string())
    })
    .await
}

/// What is kept of the choice.
fn kept(server: &TestServer) -> Option<String> {
    std::fs::read_to_string(server.data().join("models.json")).ok()
}

#[tokio::test]
async fn n01_a_known_key_is_not_sent_to_a_new_address() {
    let (own, elsewhere) = (api().await, api().await);
    let url = own.url("/v1");
    let environment = [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &url)];
    let settings =
        [("SWITCHBOARD_LLM_PROVIDER", "openai"), ("SWITCHBOARD_LLM_API_KEY", KEY), ("SWITCHBOARD_LLM_BASE_URL", &url)];
    for (from, environment) in [("environment", &environment[..]), ("settings", &settings), ("stored", &[])] {
        let server = bare_with(environment).await;
        let provider = if from == "stored" { "compatible" } else { "openai" };
        if from == "stored" {
            let reply = choose(&server, json!({"provider": provider, "baseUrl": url, "apiKey": KEY})).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
        }
        let (before, file) = (providers(&server).await["active"].clone(), kept(&server));

        let reply = choose(&server, json!({"provider": provider, "baseUrl": elsewhere.url("/v1")})).await;

        let problem = reply.json();
        assert_eq!((reply.status, &problem["field"]), (422, &json!("apiKey")), "{from}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(&url)), "{from}: {problem}");
        assert!(problem["suggestion"].as_str().is_some_and(|next| next.contains("enter the key")), "{problem}");
        assert!(!reply.text().contains(KEY), "{problem}");
        assert_eq!(elsewhere.requests(), Vec::<String>::new(), "{from}");
        assert_eq!((&providers(&server).await["active"], kept(&server)), (&before, file), "{from}");
        assert_eq!(before["provider"], provider);
        // Its own address gets it, however it is written.
        let reply = choose(&server, json!({"provider": provider, "baseUrl": own.url("/v1/")})).await;
        assert_eq!(reply.status, 200, "{from}: {}", reply.text());
        assert!(own.requests().last().is_some_and(|request| request.contains(KEY)), "{from}");
    }
}

#[tokio::test]
async fn n01_a_new_address_gets_its_own_key_now_and_after_the_next_start() {
    let new_key = "k-new-0123456789abcdef";
    let (own, elsewhere) = (api().await, api().await);
    let mut server = bare_with(&[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &own.url("/v1"))]).await;

    let body = json!({"provider": "openai", "baseUrl": elsewhere.url("/v1"), "apiKey": new_key, "model": "scripted"});
    let reply = choose(&server, body).await;
    server.kill().await;
    server.start_again().await;
    let asked_at_own = own.requests().len();
    server.connect().await.ask("Hello").await.answered().says("OK");

    assert_eq!(reply.status, 200, "{}", reply.text());
    let requests = elsewhere.requests();
    assert!(requests.len() >= 3, "the list, the proof and the turn: {requests:?}");
    assert!(requests.iter().all(|request| request.contains(new_key) && !request.contains(KEY)), "{requests:?}");
    assert_eq!(own.requests().len(), asked_at_own);
    // Forgotten, the provider is again where the operator says it is.
    let gone = request(server.address(), "DELETE", "/api/providers/openai", &[], b"").await;
    let reply = choose(&server, json!({"provider": "openai", "model": "scripted"})).await;
    assert_eq!((gone.status, reply.status), (204, 200), "{}", reply.text());
    assert!(own.requests().last().is_some_and(|request| request.contains(KEY) && !request.contains(new_key)));
}

#[tokio::test]
async fn n01_a_choice_that_fails_or_cannot_be_kept_leaves_all_as_it_was() {
    let (own, elsewhere) = (api().await, api().await);
    let target = elsewhere.url("/v1/chat/completions");
    let moved = WebServer::start(move |_| redirect(&target)).await;
    let server = bare().await;
    let reply = choose(&server, json!({"provider": "compatible", "baseUrl": own.url("/v1"), "apiKey": KEY})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let (before, file) = (providers(&server).await, kept(&server).expect("it is kept"));
    let path = server.data().join("models.json");

    // A redirect takes no key along.
    let body =
        json!({"provider": "compatible", "baseUrl": moved.url("/v1"), "apiKey": "k-redirected-0123", "model": "other"});
    let reply = choose(&server, body).await;
    assert_eq!(reply.status, 422, "{}", reply.text());
    assert!(!moved.requests().is_empty());
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
    assert_eq!((&providers(&server).await, kept(&server)), (&before, Some(file.clone())));

    // It answers, and the file cannot be written.
    std::fs::remove_file(&path).expect("the file is there");
    std::fs::create_dir(&path).expect("a folder in its place");
    let body = json!({"provider": "compatible", "baseUrl": elsewhere.url("/v1"), "apiKey": "k-lost-0123456789"});
    let reply = choose(&server, body).await;
    assert_eq!(reply.status, 422, "{}", reply.text());
    assert!(reply.text().contains("cannot be saved"), "{}", reply.text());
    assert_eq!(providers(&server).await, before);
    std::fs::remove_dir(&path).expect("it is empty");
    // What is written next is what is in use, and nothing of what failed.
    let reply = choose(&server, json!({"provider": "compatible", "model": "scripted"})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(kept(&server), Some(file));
}
