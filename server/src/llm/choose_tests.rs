//! Claims about which model is used, from settings, dialog and environment.

use std::collections::BTreeMap;

use super::super::config::Environment;
use super::*;

fn config(variables: &[(&str, &str)]) -> LlmConfig {
    let variables: BTreeMap<_, _> =
        variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    LlmConfig { environment: Environment(variables), ..LlmConfig::default() }
}

fn set(provider: &str, base_url: &str, model: &str, key: &str, variables: &[(&str, &str)]) -> LlmConfig {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    LlmConfig {
        provider: some(provider),
        base_url: some(base_url),
        model: some(model),
        api_key: some(key).map(Secret::new),
        ..config(variables)
    }
}

fn check(config: &LlmConfig, expected: &str) {
    let chosen = match choose(config, &Stored::default()) {
        Ok(None) => "nothing".to_owned(),
        Err(error) => error.to_string(),
        Ok(Some(choice)) => format!(
            "{} {} {} {:?}",
            choice.endpoint.provider.id,
            choice.endpoint.base_url,
            choice.model.as_deref().unwrap_or("-"),
            choice.key_from
        ),
    };
    assert_eq!(chosen, expected);
}

#[test]
fn without_settings_a_key_in_the_environment_chooses() {
    check(&config(&[]), "nothing");
    check(
        &config(&[("ANTHROPIC_API_KEY", "k")]),
        "anthropic https://api.anthropic.com/v1/ claude-sonnet-4-5 Environment(\"ANTHROPIC_API_KEY\")",
    );
    check(
        &config(&[("ANTHROPIC_API_KEY", "k"), ("OPENAI_API_KEY", "k")]),
        "openai https://api.openai.com/v1/ gpt-4.1-mini Environment(\"OPENAI_API_KEY\")",
    );
    check(
        &config(&[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")]),
        "openai http://127.0.0.1:9/v1 gpt-4.1-mini Environment(\"OPENAI_API_KEY\")",
    );
    for base in ["http://127.0.0.1:9", "http://127.0.0.1:9/", "http://127.0.0.1:9/v1"] {
        check(
            &config(&[("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_BASE_URL", base)]),
            "anthropic http://127.0.0.1:9/v1/ claude-sonnet-4-5 Environment(\"ANTHROPIC_API_KEY\")",
        );
    }
}

#[test]
fn settings_stand_over_the_environment_and_do_not_fall_back() {
    let key = [("OPENAI_API_KEY", "k")];
    check(
        &set("gemini", "", "", "", &key),
        "no API key found for provider gemini; set GEMINI_API_KEY or --llm-api-key",
    );
    check(
        &set("gemini", "", "flash", "AIzaX", &key),
        "gemini https://generativelanguage.googleapis.com/v1beta/openai/ flash Setting",
    );
    check(&set("", "", "m", "", &key), "openai https://api.openai.com/v1/ m Environment(\"OPENAI_API_KEY\")");
    check(&set("", "", "m", "", &[]), "ollama http://127.0.0.1:11434/v1/ m Nowhere");
    check(&set("compatible", "", "", "", &key), &ChooseError::NoAddress("compatible").to_string());
    check(&set("", "", "", "sk-ant-x", &[]), "anthropic https://api.anthropic.com/v1/ claude-sonnet-4-5 Setting");
    check(&set("", "", "", "whose", &[]), &ChooseError::WhoseKey.to_string());
    let nearly = choose(&set("openay", "", "", "", &[]), &Stored::default()).expect_err("there is none").to_string();
    assert!(nearly.contains("did you mean openai"), "{nearly}");
}

#[test]
fn an_address_alone_is_enough_and_gets_no_key_of_somebody_else() {
    let key = [("OPENAI_API_KEY", "k")];
    check(&set("", "http://127.0.0.1:9/v1", "m", "", &key), "compatible http://127.0.0.1:9/v1 m Nowhere");
    check(&set("", "http://127.0.0.1:9/v1", "m", "x", &key), "compatible http://127.0.0.1:9/v1 m Setting");
    check(
        &set("", "https://api.openai.com/v1", "m", "", &key),
        "openai https://api.openai.com/v1 m Environment(\"OPENAI_API_KEY\")",
    );
    for bad in ["ftp://x", "nonsense", "http://user:pass@host/v1"] {
        assert!(choose(&set("", bad, "", "", &[]), &Stored::default()).is_err(), "{bad}");
    }
}

#[test]
fn what_was_chosen_in_the_dialog_stands_over_the_environment_and_under_the_settings() {
    let mut stored = Stored::default();
    stored.choose("compatible", "mine", Some(&Secret::new("k")), Some("http://127.0.0.1:9/v1"));
    let config = config(&[("OPENAI_API_KEY", "k")]);

    let chosen = choose(&config, &stored).expect("a choice").expect("a choice");
    assert_eq!(
        (chosen.endpoint.provider.id, chosen.model.as_deref(), chosen.key_from),
        ("compatible", Some("mine"), KeyFrom::Stored)
    );
    assert!(!chosen.is_explicit);

    let explicit = LlmConfig { provider: Some("openai".to_owned()), ..config };
    let chosen = choose(&explicit, &stored).expect("a choice").expect("a choice");
    assert_eq!((chosen.endpoint.provider.id, chosen.is_explicit), ("openai", true));
}

#[test]
fn where_ollama_is_can_be_said_in_its_own_variable() {
    for (host, url) in [
        ("127.0.0.1:9", "http://127.0.0.1:9/v1/"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1/"),
        ("https://ollama.example", "https://ollama.example/v1/"),
    ] {
        check(&set("ollama", "", "m", "", &[("OLLAMA_HOST", host)]), &format!("ollama {url} m Nowhere"));
    }
}
