//! Every setting, declared once: its name, what it takes, its default, what it means, and where its value goes.
//!
//! Flags, environment, settings file, `switchboard config`, the tables in the documents and the tests are all made from
//! [`SETTINGS`].

use std::path::PathBuf;
use std::time::Duration;

use super::env::Environment;
use super::plain::{PLAIN, address, key, number};
use super::sections::ReasonerChoice;
use super::settings::{Config, Fallback, Kind, Setting};
use super::{commands, models, storage};
use crate::http::{PublicUrl, check_token};
use switchboard_runtime::{Secret, check_log_filter};
use switchboard_tools::{Effect, Rule, RuleSource};

/// Every setting, in the order of the help.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "listen",
        kind: Kind::Text("ADDR"),
        default: Fallback::Text("127.0.0.1:7878"),
        help: "Where the server listens; port 0 picks a free one. Any address other than loopback needs a token",
        take: |config, value| {
            let address = value.replace("localhost:", "127.0.0.1:");
            config.service.listen = address
                .parse()
                .map_err(|_| format!("\"{value}\" is not an address with a port; write it like 127.0.0.1:7878"))?;
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "workspace",
        kind: Kind::Text("DIR"),
        default: Fallback::Found("the current folder", |environment| Some(environment.current_dir())),
        help: "The folder that tools work in; they cannot reach anything outside it",
        take: |config, value| {
            config.paths.workspace = PathBuf::from(value);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "data",
        kind: Kind::Text("DIR"),
        default: Fallback::Found("the platform's data folder", Environment::data_dir),
        help: "Where sessions are stored; created if it does not exist",
        take: |config, value| {
            config.paths.data = PathBuf::from(value);
            Ok(())
        },
        ..PLAIN
    },
    storage::STORE,
    storage::STORE_REPLICAS,
    storage::STORE_CREDENTIALS,
    storage::STORE_CA,
    storage::STORE_IDENTITY,
    storage::CLUSTER_KEY_FILE,
    storage::CLUSTER_ADDRESS,
    storage::WORKSPACE_ID,
    storage::NEW_LOG,
    storage::MAX_SESSIONS,
    storage::MAX_STORED,
    storage::KEEP_DAYS,
    storage::KEEP_SESSIONS,
    Setting {
        key: "approve",
        kind: Kind::Choice(&["ask", "auto", "deny"]),
        default: Fallback::Text("ask"),
        help: "What happens with tools that write, execute or use the network: ask the user, run without asking \
               (auto), or be denied; reading never asks",
        reloads: true,
        take: |config, value| {
            config.permissions.approve = value.parse()?;
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "allow",
        kind: Kind::List("RULES"),
        help: "What runs without asking, such as file_write(docs/**) or bash(git status *); see docs/permissions.md",
        reloads: true,
        take_each: |config, rule, place| take_rule(config, Effect::Allow, rule, place),
        ..PLAIN
    },
    Setting {
        key: "ask",
        kind: Kind::List("RULES"),
        help: "What always asks first, even where it would otherwise run; takes precedence over allow",
        reloads: true,
        take_each: |config, rule, place| take_rule(config, Effect::Ask, rule, place),
        ..PLAIN
    },
    Setting {
        key: "deny",
        kind: Kind::List("RULES"),
        help: "What never runs, such as file_read(.env) or bash(git push *); takes precedence over ask and allow, in \
               every approve mode",
        reloads: true,
        take_each: |config, rule, place| take_rule(config, Effect::Deny, rule, place),
        ..PLAIN
    },
    Setting {
        key: "always-confirm",
        kind: Kind::List("NAMES"),
        help: "Tools and modules whose calls always ask, with --approve auto too, such as bash, web or \
               github__create_issue; an allow rule that names the tool alone still lets them run",
        reloads: true,
        take_each: |config, name, place| {
            if name.is_empty() || !name.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-.:".contains(sign)) {
                return Err(format!("{place}: \"{name}\" is not the name of a tool or module"));
            }
            config.permissions.always_confirm.push(name.to_owned());
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "approval-minutes",
        kind: Kind::Number("MINUTES"),
        help: "How long an approval or a question waits for an answer before it is denied or dismissed; without it, as \
               long as it takes",
        take: |config, value| {
            config.permissions.approval_limit = Some(Duration::from_secs(60 * number::<u64>(value, 1, 100_000)?));
            Ok(())
        },
        ..PLAIN
    },
    commands::SANDBOX,
    commands::NETWORK,
    commands::CHECKPOINTS,
    commands::TIMEOUT,
    commands::READABLE,
    Setting {
        key: "web-allow-local",
        kind: Kind::Text("HOSTS"),
        help: "Hosts of your own network that web_fetch and the proxy of commands may reach, as HOST or HOST:PORT, separated by commas; all others are refused",
        take: |config, value| {
            config.web.local = value.parse()?;
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "web-search",
        kind: Kind::Choice(&["off", "searxng", "brave", "tavily"]),
        default: Fallback::Text("off"),
        help: "The service that web_search uses; searxng needs web-search-url, brave and tavily need web-search-key",
        take: |config, value| {
            config.web.search = if value == "off" { None } else { Some(value.parse()?) };
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "web-search-url",
        kind: Kind::Text("URL"),
        help: "The address of the search service, such as http://127.0.0.1:8888 for a SearXNG instance; brave and \
               tavily have their own",
        take: |config, value| {
            let url = address(value).ok_or_else(|| format!("\"{value}\" is not an http or https address"))?;
            config.web.search_url = Some(url);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "web-search-key",
        kind: Kind::Text("KEY"),
        help: "The key for the search service",
        secret: true,
        take: |config, value| {
            config.web.search_key = Some(key(value, usize::MAX)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "reasoner",
        kind: Kind::Choice(&["auto", "rules", "staged", "native"]),
        default: Fallback::Text("auto"),
        help: "Who makes the decisions: rules needs no language model, staged and native need one; auto picks the \
               best one available",
        take: |config, value| {
            config.reasoning.reasoner = match value {
                "rules" => ReasonerChoice::Rules,
                "staged" => ReasonerChoice::Staged,
                "native" => ReasonerChoice::Native,
                _ => ReasonerChoice::Auto,
            };
            Ok(())
        },
        ..PLAIN
    },
    models::LLM,
    models::PROVIDER,
    models::BASE_URL,
    models::MODEL,
    models::API_KEY,
    models::VISION,
    models::WEB_SEARCH,
    models::TEMPERATURE,
    models::MAX_TOKENS,
    models::CONNECT,
    models::FIRST_BYTE,
    models::IDLE,
    models::TOTAL,
    models::RETRIES,
    models::MAX_WAIT,
    models::PARALLEL,
    Setting {
        key: "max-iterations",
        kind: Kind::Number("COUNT"),
        default: Fallback::Text("10"),
        help: "How many rounds of tool calls a turn may take before it ends with what has been done",
        take: |config, value| {
            config.reasoning.max_iterations = number(value, 1, 1000)?;
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "context-tokens",
        kind: Kind::Number("TOKENS"),
        help: "The maximum number of tokens for a request to the model and its reply together; if not set, what the \
               model reports, or 8192",
        take: |config, value| {
            config.conversation.context_tokens = Some(number(value, 1000, 10_000_000)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "tool-tokens",
        kind: Kind::Number("TOKENS"),
        help: "The maximum number of tokens for the definitions of the tools that a model is offered; if not set, a \
               quarter of its window. Tools that do not fit are searched for",
        take: |config, value| {
            config.conversation.tool_tokens = Some(number(value, 100, 10_000_000)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "max-history",
        kind: Kind::Number("MESSAGES"),
        help: "The maximum number of messages of the conversation in a request; if not set, as many as there is room \
               for",
        take: |config, value| {
            config.conversation.max_history = Some(number(value, 2, 1_000_000)?);
            Ok(())
        },
        ..PLAIN
    },
    models::SYSTEM_PROMPT,
    models::EMBEDDINGS_URL,
    models::EMBEDDINGS_MODEL,
    models::EMBEDDINGS_KEY,
    Setting {
        key: "summarize",
        kind: Kind::Choice(&["on", "off"]),
        default: Fallback::Text("off"),
        help: "Whether messages that no longer fit into the context window are summarized, by the model if there is \
               one; each summary is shown",
        take: |config, value| {
            config.conversation.summarize = value == "on";
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "mcp",
        kind: Kind::Text("FILE"),
        help: "The file that names MCP servers, in the \"mcpServers\" shape; their tools are offered like any others",
        take: |config, value| {
            config.mcp.file = Some(PathBuf::from(value));
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "auth-token",
        kind: Kind::Text("TOKEN"),
        help: "The token that clients must present, as a bearer token or on the login page; at least 16 characters",
        secret: true,
        take: |config, value| {
            check_token(value)?;
            config.http.auth_token = Some(Secret::new(value));
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "auth-token-file",
        kind: Kind::Text("FILE"),
        help: "The file that holds the token when auth-token is not set; if it does not exist, it is created with a \
               random token, which is printed once",
        take: |config, value| {
            config.http.token_file = Some(PathBuf::from(value));
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "chat-token",
        kind: Kind::Text("TOKEN"),
        help: "A second token for clients that only chat: they cannot change providers, permissions, MCP servers or \
               agents, nor approve calls that run programs or use the network; needs auth-token or auth-token-file",
        secret: true,
        take: |config, value| {
            check_token(value)?;
            config.http.chat_token = Some(Secret::new(value));
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "public-url",
        kind: Kind::Text("URL"),
        help: "The address that browsers use when the server is behind a reverse proxy, such as \
               https://chat.example.com",
        take: |config, value| {
            config.http.public_url = Some(PublicUrl::parse(value)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "idle-minutes",
        kind: Kind::Number("MINUTES"),
        default: Fallback::Text("10"),
        help: "How long a session with no client and no work stays in memory; it is loaded from its log again when \
               somebody asks for it",
        take: |config, value| {
            config.service.idle = Duration::from_secs(60 * number::<u64>(value, 1, 100_000)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "drain-seconds",
        kind: Kind::Number("SECONDS"),
        default: Fallback::Text("8"),
        help: "How long running turns may continue after SIGTERM before they are cut off",
        reloads: true,
        take: |config, value| {
            config.service.drain = Duration::from_secs(number(value, 0, 3600)?);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "log",
        kind: Kind::Text("FILTER"),
        default: Fallback::Text("info"),
        help: "What is logged: off, error, warn, info, debug, trace, or a filter such as switchboard=debug,warn",
        reloads: true,
        take: |config, value| {
            check_log_filter(value).map_err(|error| format!("\"{value}\" is not a log filter: {error}"))?;
            value.clone_into(&mut config.service.log);
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "echo",
        kind: Kind::Switch,
        default: Fallback::Text("off"),
        help: "Whether /ws sends back what it gets, for tests of the WebSocket protocol on this machine; there are no sessions \
               then",
        hidden: true,
        take: |config, value| {
            config.service.echo = value == "on";
            Ok(())
        },
        ..PLAIN
    },
    Setting {
        key: "sync",
        kind: Kind::Choice(&["on", "off"]),
        default: Fallback::Text("on"),
        help: "Whether a commit waits until it is on disk. Off is for measurements only: data can be lost",
        hidden: true,
        take: |config: &mut Config, value| {
            config.events.sync = value == "on";
            Ok(())
        },
        ..PLAIN
    },
];

fn take_rule(config: &mut Config, effect: Effect, rule: &str, place: String) -> Result<(), String> {
    config.permissions.rules.push(Rule::parse(effect, rule, RuleSource::Settings(place))?);
    Ok(())
}
