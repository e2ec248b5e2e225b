//! Claims about the model in use and how it is changed, against a scripted provider.

use tempfile::TempDir;

use super::*;
use crate::scripted::{Answer, ScriptedLlm};
use crate::{Environment, Proposal};
use switchboard_runtime::Secret;

const KEY: &str = "k-test-0123456789abcdef";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn config(base_url: &str, model: Option<&str>) -> LlmConfig {
    LlmConfig {
        provider: Some("compatible".to_owned()),
        base_url: Some(base_url.to_owned()),
        model: model.map(ToOwned::to_owned),
        ..LlmConfig::default()
    }
}

/// Settings that say nothing, on a machine without an Ollama.
fn silent() -> LlmConfig {
    let variables = [("OLLAMA_HOST".to_owned(), "127.0.0.1:1".to_owned())];
    LlmConfig { environment: Environment(variables.into()), ..LlmConfig::default() }
}

async fn started(config: LlmConfig, data: &TempDir) -> Result<Models, String> {
    Models::start(config, Arc::new(FileValues::new(data.path())), &Shutdown::new()).await
}

fn name(models: &Models) -> Option<String> {
    models.current().map(|client| client.model().name.clone())
}

fn proposal(base_url: &str, key: Option<&str>, model: Option<&str>) -> Proposal {
    Proposal {
        provider: "compatible".to_owned(),
        base_url: Some(base_url.to_owned()),
        key: key.map(Secret::new),
        model: model.map(ToOwned::to_owned),
    }
}

#[tokio::test]
async fn a_model_that_is_named_is_there_without_asking_anybody() {
    let models = started(config("http://127.0.0.1:1/v1", Some("mine")), &folder()).await.expect("it starts");

    assert_eq!(name(&models).as_deref(), Some("mine"));
    assert_eq!(models.required().await, Ok(()));
}

#[tokio::test]
async fn without_a_name_the_first_that_is_listed_is_taken_or_the_start_fails() {
    let llm = ScriptedLlm::of([]).await;

    let models = started(config(&llm.base_url(), None), &folder()).await.expect("it starts");
    assert_eq!(name(&models).as_deref(), Some("scripted"));

    let error = started(config("http://127.0.0.1:1/v1", None), &folder()).await.err().expect("nobody is there");
    assert!(error.contains("--llm-model") && error.contains("127.0.0.1:1"), "{error}");
}

#[tokio::test]
async fn off_means_none_whatever_else_is_said() {
    let models = started(LlmConfig { off: true, ..config("http://127.0.0.1:1/v1", Some("mine")) }, &folder()).await;
    let models = models.expect("it starts");

    assert_eq!(name(&models), None);
    let why = models.required().await.expect_err("there is none");
    assert!(why.contains("disabled by SWITCHBOARD_LLM"), "{why}");
}

#[tokio::test]
async fn without_anything_there_is_none_and_that_is_said() {
    let models = started(silent(), &folder()).await.expect("it starts");

    let why = models.required().await.expect_err("there is none");

    assert!(why.contains("no provider is configured"), "{why}");
}

#[tokio::test]
async fn a_local_ollama_is_found_and_asked_what_its_model_can_do() {
    let llm = ScriptedLlm::start(|asked| {
        assert_eq!(asked.path, "/api/show");
        Answer::page("application/json", r#"{"capabilities": ["completion", "tools", "vision"]}"#)
    })
    .await;
    let host = llm.base_url().trim_end_matches("/v1").trim_start_matches("http://").to_owned();
    let environment = Environment([("OLLAMA_HOST".to_owned(), host)].into());

    let models = started(LlmConfig { environment, ..LlmConfig::default() }, &folder()).await.expect("it starts");
    models.required().await.expect("it is found");

    let client = models.current().expect("it is used");
    assert_eq!(client.model().provider, "ollama");
    assert!(client.model().supports_tools && client.model().sees_pictures);
    assert_eq!(client.model().context_tokens, Some(4096));
}

#[tokio::test]
async fn who_looks_finds_a_local_ollama_beside_the_model_in_use() {
    let llm = ScriptedLlm::of([]).await;
    let host = llm.base_url().trim_end_matches("/v1").trim_start_matches("http://").to_owned();
    let environment = Environment([("OLLAMA_HOST".to_owned(), host)].into());
    let mine = LlmConfig { environment, ..config("http://127.0.0.1:1/v1", Some("mine")) };
    let models = started(mine.clone(), &folder()).await.expect("it starts");
    let listed = |models: &Models| {
        let ollama = models.providers().into_iter().find(|status| status.provider.id == "ollama");
        ollama.expect("it is known").models
    };
    assert_eq!(listed(&models), Vec::<String>::new());

    models.look_for_local().await;

    assert_eq!(listed(&models), ["scripted"]);
    assert_eq!(name(&models).as_deref(), Some("mine"));
    drop(llm);
    models.look_for_local().await;
    assert_eq!(listed(&models), Vec::<String>::new(), "it is gone");
    let off = started(LlmConfig { off: true, ..mine }, &folder()).await.expect("it starts");
    off.look_for_local().await;
    assert_eq!(listed(&off), Vec::<String>::new());
}

#[tokio::test]
async fn a_choice_that_answers_is_used_kept_and_there_at_the_next_start() {
    let llm = ScriptedLlm::start(|_| Answer::text("OK")).await;
    let data = folder();
    let models = started(silent(), &data).await.expect("it starts");
    let mut changes = models.changes();

    let proved = models.probe(proposal(&llm.base_url(), Some(KEY), None)).await.expect("it answers");

    assert_eq!(proved.model.name, "scripted");
    assert!(changes.has_changed().expect("it is there"));
    changes.mark_unchanged();
    let again = started(silent(), &data).await.expect("it starts again");
    assert_eq!(name(&again).as_deref(), Some("scripted"));
    let head = llm.asked(1).await.head.to_lowercase();
    assert!(head.contains(&format!("bearer {KEY}")), "{head}");
    let status = again.providers().swap_remove(0);
    assert_eq!((status.provider.id, status.key_from, status.active), ("compatible", KeyFrom::Stored, true));

    assert!(again.forget(status.provider).await.expect("it is written"));
    assert_eq!(name(&again), None);
    assert_eq!(name(&started(silent(), &data).await.expect("it starts")), None);
}

#[tokio::test]
async fn a_choice_that_does_not_answer_changes_nothing_and_names_the_field() {
    let data = folder();
    let models = started(config("http://127.0.0.1:1/v1", Some("before")), &data).await.expect("it starts");
    let refusing = |status: u16| ScriptedLlm::start(move |_| Answer::status(status, &format!("not {KEY}")));
    let (locked, unknown) = (refusing(401).await, refusing(404).await);
    for (url, field) in [
        (locked.base_url(), "apiKey"),
        (unknown.base_url(), "model"),
        ("http://127.0.0.1:1/v1".to_owned(), "baseUrl"),
        ("nonsense".to_owned(), "baseUrl"),
    ] {
        let problem = models.probe(proposal(&url, Some(KEY), Some("mine"))).await.expect_err("it does not answer");
        assert_eq!(problem.field, field, "{problem:?}");
        assert!(!format!("{problem:?}").contains(KEY), "{problem:?}");
    }
    let spaced = models.probe(proposal(&locked.base_url(), Some("a key"), None)).await.expect_err("no key");
    assert_eq!(spaced.field, "apiKey");
    let nobody = Proposal { provider: "opnai".to_owned(), ..proposal("http://127.0.0.1:1/v1", None, None) };
    let problem = models.probe(nobody).await.expect_err("there is none");
    assert!(problem.field == "provider" && problem.problem.contains("openai"), "{problem:?}");

    assert_eq!(name(&models).as_deref(), Some("before"));
    assert!(!data.path().join("models.json").exists());
}

#[tokio::test]
async fn n01_a_choice_that_cannot_be_kept_is_not_used_and_not_kept_later() {
    let llm = ScriptedLlm::start(|_| Answer::text("OK")).await;
    let data = folder();
    let models = started(config("http://127.0.0.1:1/v1", Some("before")), &data).await.expect("it starts");
    std::fs::remove_dir(data.path()).expect("it is empty");

    let problem = models.probe(proposal(&llm.base_url(), Some(KEY), None)).await.expect_err("it cannot be kept");

    assert!(problem.problem.contains("cannot be saved"), "{problem:?}");
    assert_eq!(name(&models).as_deref(), Some("before"));
    std::fs::create_dir(data.path()).expect("the folder is back");
    models.keep_changed(|_| ()).await.expect("it is written");
    let kept = std::fs::read_to_string(data.path().join("models.json")).expect("it is there");
    assert!(!kept.contains(KEY) && !kept.contains("scripted"), "{kept}");
}

#[tokio::test]
async fn another_model_of_the_provider_is_taken_if_it_is_listed() {
    let llm = ScriptedLlm::of([]).await;
    let data = folder();
    let models = started(config(&llm.base_url(), None), &data).await.expect("it starts");

    let problem = models.use_model("scriptd").expect_err("there is none");
    assert!(problem.contains("Did you mean `scripted`?"), "{problem}");
    assert_eq!(models.use_model("scripted").map(|info| info.name).as_deref(), Ok("scripted"));

    let none = started(silent(), &folder()).await.expect("it starts");
    assert!(none.use_model("scripted").is_err());
}

#[tokio::test]
async fn e04_one_key_has_one_rate_limit() {
    let llm = ScriptedLlm::of([]).await;
    let models = started(config(&llm.base_url(), None), &folder()).await.expect("it starts");
    let endpoint = models.lock().active.clone().expect("it is used").endpoint;
    let other = Endpoint { key: Some(Secret::new("another")), ..endpoint.clone() };

    assert!(Arc::ptr_eq(&models.0.limiters.limiter(&endpoint, 5), &models.0.limiters.limiter(&endpoint, 7)));
    assert!(!Arc::ptr_eq(&models.0.limiters.limiter(&endpoint, 5), &models.0.limiters.limiter(&other, 5)));
}

#[tokio::test]
async fn a_model_that_writes_its_calls_counts_as_one_that_calls_no_functions() {
    let models = started(config("http://127.0.0.1:1/v1", Some("small")), &folder()).await.expect("it starts");
    let calls = || models.current().is_some_and(|client| client.model().supports_tools);
    let small = models.current().expect("a model").model().clone();
    assert!(calls());

    assert!(!models.writes_calls(&ModelInfo { name: "another".to_owned(), ..small.clone() }));
    assert!(calls(), "another model says nothing about this one");
    assert!(models.writes_calls(&small) && !calls());
    assert!(models.writes_calls(&small), "in a turn that began before");

    let variables = [("OPENAI_API_KEY".to_owned(), KEY.to_owned())];
    let cloud = LlmConfig { environment: Environment(variables.into()), ..LlmConfig::default() };
    let models = started(cloud, &folder()).await.expect("it starts");
    let large = models.current().expect("a model").model().clone();
    assert!(!models.writes_calls(&large));
    assert!(models.current().is_some_and(|client| client.model().supports_tools), "one slip says nothing");
}
