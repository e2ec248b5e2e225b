//! Claims about the layers of settings and what is said when one is wrong.

use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::config::sections::{ClusterConfig, PathsConfig, StoreConfig};
use crate::config::{NetworkChoice, ReasonerChoice, SandboxChoice, list};
use switchboard_builtin::SearchProvider;
use switchboard_llm::{LlmConfig, LlmLimits};
use switchboard_runtime::Secret;
use switchboard_tools::ApproveMode;

/// Loads with these flags, this environment and this file; `FILE` in an error stands for the file's path.
fn load(flags: &[(&str, &str)], environment: &[(&str, &str)], file: &str) -> Result<Loaded, String> {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("switchboard.toml");
    std::fs::write(&path, file).expect("the file is written");
    let path = path.display().to_string();
    let mut all = vec![("HOME", "/home/ada"), ("SWITCHBOARD_CONFIG", path.as_str())];
    all.extend(environment);
    let flags = flags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Loader::new(flags, Environment::of(all)).load().map_err(|error| error.to_string().replace(&path, "FILE"))
}

fn source_of(loaded: &Loaded, key: &str) -> Source {
    loaded.resolved.iter().find(|resolved| resolved.setting.key == key).expect("a setting").source.clone()
}

#[test]
fn flags_stand_over_the_environment_over_the_file_over_defaults() {
    let file = "drain-seconds = 1\n\nlog = \"warn\"\nmax-iterations = 3\n";
    let environment = [("SWITCHBOARD_DRAIN_SECONDS", "2"), ("SWITCHBOARD_LOG", "error")];

    let loaded = load(&[("log", "debug")], &environment, file).expect("settings");

    let config = &loaded.config;
    assert_eq!(
        (config.service.log.as_str(), config.service.drain, config.reasoning.max_iterations),
        ("debug", Duration::from_secs(2), 3)
    );
    assert_eq!(config.service.idle, Duration::from_secs(600));
    assert_eq!(source_of(&loaded, "log"), Source::Flag("--log".to_owned()));
    assert_eq!(source_of(&loaded, "drain-seconds"), Source::Environment("SWITCHBOARD_DRAIN_SECONDS".to_owned()));
    assert!(matches!(source_of(&loaded, "max-iterations"), Source::File(_, 4)));
    assert_eq!(source_of(&loaded, "idle-minutes"), Source::Default);
}

#[test]
fn the_declared_defaults_are_those_of_a_config_that_nobody_changed() {
    let loaded = load(&[], &[], "").expect("settings");

    let expected = Config {
        paths: PathsConfig {
            workspace: PathBuf::from("."),
            data: PathBuf::from("/home/ada/.local/share/switchboard"),
            home: Some(PathBuf::from("/home/ada")),
            settings: loaded.file.clone(),
        },
        ..Config::default()
    };
    assert_eq!(format!("{:?}", loaded.config), format!("{expected:?}"));
}

#[test]
fn every_key_is_taken_from_the_file() {
    let file = r#"
        listen = "localhost:0"
        workspace = "/work"
        data = "/data"
        store = "sqlite"
        store-replicas = 3
        store-credentials = "/data/nats.creds"
        store-ca = "/data/ca.pem"
        store-identity = "/data/own.pem"
        cluster-key-file = "/data/cluster.key"
        cluster-address = "10.0.0.5:7878"
        workspace-id = "shop"
        new-log = "on"
        max-sessions = 30
        max-stored-mib = 64
        keep-days = 90
        keep-sessions = 20
        approve = "auto"
        allow = ["file_read", "bash(git status *)"]
        ask = "bash(git push *), risk:network"
        deny = ["file_read(.env)"]
        always-confirm = ["bash"]
        sandbox = "off"
        command-network = "host"
        checkpoints = "off"
        bash-timeout = 20
        sandbox-read = "/opt/rust:/opt/node"
        web-allow-local = "wiki.local:8080"
        web-search = "brave"
        web-search-url = "http://127.0.0.1:9/"
        web-search-key = "battery-staple"
        reasoner = "rules"
        llm = "off"
        llm-provider = "compatible"
        llm-base-url = "http://127.0.0.1:9/v1"
        llm-model = "mine"
        llm-api-key = "staple-battery"
        llm-vision = "on"
        llm-web-search = "on"
        temperature = 0.25
        max-tokens = 99
        llm-connect-seconds = 1
        llm-first-byte-seconds = 2
        llm-idle-seconds = 3
        llm-total-seconds = 4
        llm-retries = 5
        llm-max-wait-seconds = 6
        llm-parallel = 7
        max-iterations = 3
        context-tokens = 4000
        tool-tokens = 900
        max-history = 50
        summarize = "on"
        embeddings-url = "http://127.0.0.1:9/v1"
        embeddings-model = "small"
        embeddings-key = "embedded-battery"
        system-prompt = "PROMPT"
        mcp = "servers.json"
        auth-token = "correct-horse-battery"
        auth-token-file = "/data/token"
        chat-token = "only-chats-here-today"
        public-url = "https://chat.example.com"
        approval-minutes = 7
        idle-minutes = 1
        drain-seconds = 0
        log = "switchboard=debug,warn"
        sync = "off"
        echo = "on"
    "#;

    let prompt = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(prompt.path(), "Be brief.\n").expect("the file is written");
    let file = file.replace("PROMPT", &prompt.path().display().to_string());

    let loaded = load(&[], &[], &file).expect("settings");

    let config = &loaded.config;
    assert_eq!(config.conversation.system_prompt.as_deref(), Some("Be brief."));
    assert_eq!(config.service.listen.to_string(), "127.0.0.1:0");
    assert_eq!((config.paths.workspace.to_str(), config.paths.data.to_str()), (Some("/work"), Some("/data")));
    let cluster = ClusterConfig { address: Some("10.0.0.5:7878".to_owned()), workspace_id: Some("shop".to_owned()) };
    assert_eq!(config.cluster, cluster);
    let store = StoreConfig {
        servers: Vec::new(),
        replicas: 3,
        credentials: Some(PathBuf::from("/data/nats.creds")),
        certificates: Some(PathBuf::from("/data/ca.pem")),
        identity: Some(PathBuf::from("/data/own.pem")),
        cluster_key: Some(PathBuf::from("/data/cluster.key")),
    };
    assert_eq!(config.store, store);
    assert_eq!((config.events.max_sessions, config.events.max_pages), (Some(30), Some(64 * 256)));
    assert_eq!((config.retention.days, config.retention.sessions), (Some(90), Some(20)));
    assert_eq!((config.permissions.approve, config.commands.sandbox), (ApproveMode::Auto, SandboxChoice::Off));
    let rules: Vec<String> =
        config.permissions.rules.iter().map(|rule| format!("{} {}", rule.effect(), rule.text())).collect();
    assert_eq!(
        rules,
        [
            "allow file_read",
            "allow bash(git status *)",
            "ask bash(git push *)",
            "ask risk:network",
            "deny file_read(.env)"
        ]
    );
    assert_eq!(config.permissions.always_confirm, ["bash"]);
    assert_eq!(config.permissions.approval_limit, Some(Duration::from_secs(420)));
    assert!(!config.commands.checkpoints);
    assert_eq!(config.commands.network, NetworkChoice::Host);
    assert_eq!(config.commands.readable, [PathBuf::from("/opt/rust"), PathBuf::from("/opt/node")]);
    assert_eq!(
        (config.web.local.to_string().as_str(), config.web.search),
        ("wiki.local:8080", Some(SearchProvider::Brave))
    );
    assert_eq!(config.web.search_url.as_ref().map(url::Url::as_str), Some("http://127.0.0.1:9/"));
    assert!(config.web.search_key.as_ref().is_some_and(|key| key.is("battery-staple")));
    assert_eq!((config.reasoning.reasoner, config.reasoning.max_iterations), (ReasonerChoice::Rules, 3));
    let expected = LlmConfig {
        provider: Some("compatible".to_owned()),
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        model: Some("mine".to_owned()),
        api_key: Some(Secret::new("staple-battery")),
        off: true,
        vision: Some(true),
        web_search: true,
        temperature: 0.25,
        max_tokens: 99,
        limits: LlmLimits {
            connect: Duration::from_secs(1),
            first_byte: Duration::from_secs(2),
            idle: Duration::from_secs(3),
            total: Duration::from_secs(4),
            retries: 5,
            max_wait: Duration::from_secs(6),
            parallel: 7,
        },
        environment: config.llm.environment.clone(),
    };
    assert_eq!(config.llm, expected);
    assert_eq!(
        (config.conversation.context_tokens, config.conversation.max_history, config.conversation.summarize),
        (Some(4000), Some(50), true)
    );
    assert_eq!(config.embeddings.url.as_ref().map(url::Url::as_str), Some("http://127.0.0.1:9/v1"));
    assert_eq!(config.embeddings.model.as_deref(), Some("small"));
    assert!(config.embeddings.key.as_ref().is_some_and(|key| key.is("embedded-battery")));
    assert_eq!(config.mcp.file, Some(PathBuf::from("servers.json")));
    assert!(config.http.auth_token.as_ref().is_some_and(|token| token.is("correct-horse-battery")));
    assert!(config.http.chat_token.as_ref().is_some_and(|token| token.is("only-chats-here-today")));
    assert_eq!(config.http.token_file, Some(PathBuf::from("/data/token")));
    assert_eq!(config.http.public_url.as_ref().map(|url| url.authority.as_str()), Some("chat.example.com"));
    assert_eq!(
        (config.service.idle, config.service.drain, config.events.sync, config.service.echo),
        (Duration::from_secs(60), Duration::ZERO, false, true)
    );
    assert!(loaded.resolved.iter().all(|resolved| matches!(resolved.source, Source::File(..))));
    let listed = list(&loaded);
    assert!(!listed.contains("correct-horse") && !listed.contains("battery"), "{listed}");
}

#[test]
fn what_is_wrong_in_the_file_is_told_with_its_line_and_what_would_be_right() {
    for (file, said) in [
        (
            "log = \"warn\"\nlisten-adress = \"x\"",
            "FILE:2: there is no setting \"listen-adress\"; did you mean \"listen\"?",
        ),
        ("max_iterations = 3", "FILE:1: there is no setting \"max_iterations\"; did you mean \"max-iterations\"?"),
        (
            "[server]\nlisten = \"x\"",
            "FILE:1: there are no sections: remove [server], its settings belong at the top \
                                      level",
        ),
        ("\n\ndrain-seconds = \"soon\"", "FILE:3: drain-seconds: \"soon\" is not a whole number from 0 to 3600"),
        ("drain-seconds = 1.5", "FILE:1: \"drain-seconds\" takes a whole number, not a number with a fraction"),
        ("log = true", "FILE:1: \"log\" takes a string in quotes, not true or false"),
        ("reasoner = \"clever\"", "FILE:1: reasoner: \"clever\" is not one of auto, rules, staged, native"),
        (
            "log = \"warn\"\nallow = [\n  \"file_read\",\n  \"bash(ls\",\n]",
            "FILE:4: allow: the rule \"bash(ls\" has no \")\" at its end",
        ),
        ("deny = [\"file_read\",\n 5]", "FILE:2: \"deny\" takes a list of strings in quotes, not a number"),
        ("deny = true", "FILE:1: \"deny\" takes a list of strings in quotes, not true or false"),
        ("store = \"postgres\"", "FILE:1: store: \"postgres\" is neither sqlite nor nats://HOST:PORT"),
        (
            "auth-token = \"short\"",
            "FILE:1: auth-token: a token has at least 16 characters and no spaces; `openssl rand -hex 32` makes one",
        ),
    ] {
        assert_eq!(load(&[], &[], file).err().as_deref(), Some(said), "{file}");
    }
    let broken = load(&[], &[], "log = \"info\"\nlisten = 127").err().expect("an error");
    assert!(broken.starts_with("FILE:2: "), "{broken}");
}

#[test]
fn what_is_wrong_elsewhere_is_told_with_its_name() {
    let flag = load(&[("listen", "7878")], &[], "").err();
    let variable = load(&[], &[("SWITCHBOARD_PUBLIC_URL", "chat.example.com")], "").err();

    assert_eq!(flag.as_deref(), Some("--listen: \"7878\" is not an address with a port; write it like 127.0.0.1:7878"));
    let variable = variable.expect("an error");
    assert!(
        variable.starts_with("SWITCHBOARD_PUBLIC_URL: \"chat.example.com\" is not an address such as"),
        "{variable}"
    );
}

#[test]
fn a_variable_that_sets_nothing_is_warned_about() {
    let loaded = load(&[], &[("SWITCHBOARD_LISTEM", "x"), ("SWITCHBOARD_SKIP_UI", "1")], "").expect("settings");

    assert_eq!(
        loaded.warnings,
        ["SWITCHBOARD_LISTEM in the environment is not a setting; did you mean SWITCHBOARD_LISTEN?"]
    );
}

#[test]
fn a_file_that_was_named_and_is_not_there_is_an_error() {
    let missing = "/nowhere/settings.toml";
    let by_flag =
        Loader::new([("config".to_owned(), missing.to_owned())].into(), Environment::of([("HOME", "/home/ada")]));
    let by_variable = Loader::new([].into(), Environment::of([("HOME", "/home/ada"), ("SWITCHBOARD_CONFIG", missing)]));
    let by_nobody = Loader::new([].into(), Environment::of([("HOME", "/nowhere/ada")]));

    for loader in [by_flag, by_variable] {
        let error = loader.load().err().map(|error| error.to_string()).expect("an error");
        assert!(error.starts_with("there is no settings file /nowhere/settings.toml; "), "{error}");
    }
    assert!(by_nobody.load().is_ok());
}

#[test]
fn the_platforms_folders_are_the_defaults() {
    let xdg = Environment::of([("XDG_DATA_HOME", "/x/data"), ("XDG_CONFIG_HOME", "relative"), ("HOME", "/home/ada")]);

    assert_eq!(xdg.data_dir(), Some(PathBuf::from("/x/data/switchboard")));
    assert_eq!(xdg.config_file(), Some(PathBuf::from("/home/ada/.config/switchboard/switchboard.toml")));
    assert_eq!(Environment::of([]).data_dir(), None);
}

#[test]
fn rules_of_a_flag_stand_in_the_place_of_those_of_the_file() {
    let file = "allow = [\"file_read\"]\ndeny = [\"bash\"]\n";

    let loaded = load(&[("allow", "file_write(docs/**), bash(a, b)\nrisk:read")], &[], file).expect("settings");

    let rules: Vec<(&str, String)> =
        loaded.config.permissions.rules.iter().map(|rule| (rule.text(), format!("{:?}", rule.source()))).collect();
    let texts: Vec<&str> = rules.iter().map(|(text, _)| *text).collect();
    assert_eq!(texts, ["file_write(docs/**)", "bash(a, b)", "risk:read", "bash"]);
    assert!(rules[0].1.contains("--allow") && rules[3].1.contains(":2"), "{rules:?}");
}
