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

fn url(text: &str) -> Url {
    text.parse().expect("an address")
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
    stored.choose("compatible", "mine");
    stored.keep_key("compatible", &Secret::new("k"), &url("http://127.0.0.1:9/v1"));
    stored.keep_address("compatible", &url("http://127.0.0.1:9/v1"));
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

/// Where the key of a provider goes after the dialog kept this, if it goes anywhere.
fn kept(config: &LlmConfig, id: &str, keep: impl Fn(&mut Stored)) -> String {
    let mut stored = Stored::default();
    stored.choose(id, "m");
    keep(&mut stored);
    match endpoint(known(id).expect("it is known"), config, &stored) {
        Ok((Endpoint { base_url, key, .. }, _)) => {
            format!("{} to {base_url}", key.as_ref().map_or("-", Secret::reveal))
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn n01_a_key_goes_to_the_address_that_it_was_given_for_and_to_no_other() {
    let environment = config(&[("OPENAI_API_KEY", "env")]);
    let new = url("http://127.0.0.1:9/v1");
    let refused = "the known key of provider openai belongs to https://api.openai.com/v1/ and is not sent to \
                   http://127.0.0.1:9/v1; set --llm-base-url to the intended address and --llm-api-key to its key";

    // An address that was kept without a key.
    assert_eq!(kept(&environment, "openai", |stored| stored.keep_address("openai", &new)), refused);
    // One that was kept with a key: the environment's key overrides keys, and is for another address.
    let pair = |stored: &mut Stored| {
        stored.keep_address("openai", &new);
        stored.keep_key("openai", &Secret::new("new"), &new);
    };
    assert_eq!(kept(&environment, "openai", pair), "new to http://127.0.0.1:9/v1");
    // Settings mean their own address.
    for set in [set("openai", "", "", "set", &[]), set("openai", "https://api.openai.com/v1", "", "set", &[])] {
        let said = kept(&set, "openai", pair);
        assert!(said.starts_with("set to https://api.openai.com/v1"), "{said}");
    }
    // A key that was kept for one address, when environment or settings name another one.
    let moved = config(&[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")]);
    let own = |stored: &mut Stored| stored.keep_key("openai", &Secret::new("own"), &url("https://api.openai.com/v1"));
    for moved in [moved, set("openai", "http://127.0.0.1:9/v1", "", "", &[])] {
        assert_eq!(kept(&moved, "openai", own), refused.replace("com/v1/ ", "com/v1 "));
    }
    assert_eq!(kept(&config(&[]), "openai", own), "own to https://api.openai.com/v1/", "a slash makes no difference");
    // Providers that need none are asked without.
    let named = config(&[("OLLAMA_API_KEY", "env")]);
    assert_eq!(kept(&named, "ollama", |stored| stored.keep_address("ollama", &new)), "- to http://127.0.0.1:9/v1");
}

#[test]
fn n01_what_the_operator_pairs_is_paired() {
    check(
        &set("openai", "http://127.0.0.1:9/v1", "m", "", &[("OPENAI_API_KEY", "k")]),
        "openai http://127.0.0.1:9/v1 m Environment(\"OPENAI_API_KEY\")",
    );
    check(&set("openai", "http://127.0.0.1:9/v1", "m", "k", &[]), "openai http://127.0.0.1:9/v1 m Setting");
    // Over plain HTTP it is not where the key belongs.
    check(
        &set("", "http://api.openai.com:443/v1", "m", "", &[("OPENAI_API_KEY", "k")]),
        "compatible http://api.openai.com:443/v1 m Nowhere",
    );
}

#[test]
fn n01_a_new_address_of_a_provider_with_a_key_needs_a_key_of_its_own() {
    let check = |config: &LlmConfig, id: &str, address: &str, key: Option<&str>, expected: Option<&str>| {
        let provider = known(id).expect("it is known");
        let (stored, key) = (Stored::default(), key.map(Secret::new));
        let found = proposed(provider, config, &stored, Some(address), key.as_ref());
        match (&found, expected) {
            (Ok(found), Some(expected)) => {
                assert_eq!(found.key.as_ref().map_or("-", Secret::reveal), expected, "{id} {address}");
            }
            (Err(ChooseError::KeyElsewhere { .. }), None) => {}
            _ => panic!("{id} {address}: {found:?}"),
        }
    };
    let openai = config(&[("OPENAI_API_KEY", "env")]);
    for elsewhere in [
        "http://127.0.0.1:9/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:444/v1",
        "https://api.openai.com.evil.example/v1",
        "https://api.openai.com/v1/files",
    ] {
        check(&openai, "openai", elsewhere, None, None);
        check(&openai, "openai", elsewhere, Some("new"), Some("new"));
    }
    for own in ["https://api.openai.com/v1", "https://API.openai.com:443/v1/"] {
        check(&openai, "openai", own, None, Some("env"));
    }
    let nowhere = config(&[("LLM_API_KEY", "env")]);
    check(&nowhere, "compatible", "http://127.0.0.1:9/v1", None, None);
    check(&config(&[]), "compatible", "http://127.0.0.1:9/v1", None, Some("-"));
    let settings = set("compatible", "http://127.0.0.1:9/v1", "", "set", &[]);
    check(&settings, "compatible", "http://127.0.0.1:9/v1/", None, Some("set"));
    check(&settings, "compatible", "http://127.0.0.1:8/v1", None, None);
}
