//! Every setting, declared once: its name, what it takes, its default, what it means, and where its value goes.
//!
//! Flags, environment, settings file, `switchboard config`, the README's table and the tests are all made from
//! [`SETTINGS`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::env::Environment;
use crate::http::{HttpConfig, PublicUrl};
use crate::runtime::{Secret, check_log_filter};

/// All settings, ready for use.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where the server listens.
    pub listen: SocketAddr,
    /// The tools' world.
    pub workspace: PathBuf,
    /// Where sessions are kept.
    pub data: PathBuf,
    /// What the HTTP side needs.
    pub http: HttpConfig,
    /// Who makes the decisions.
    pub reasoner: ReasonerChoice,
    /// How long running turns may go on after a stop.
    pub drain: Duration,
    /// What is logged.
    pub log: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7878)),
            workspace: PathBuf::new(),
            data: PathBuf::new(),
            http: HttpConfig::default(),
            reasoner: ReasonerChoice::Auto,
            drain: Duration::from_secs(30),
            log: "info".to_owned(),
        }
    }
}

/// What `--reasoner` may say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonerChoice {
    /// The best there is.
    Auto,
    /// No model.
    Rules,
    /// One prompt a stage.
    Staged,
    /// The model's own function calling.
    Native,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text, called so in the help.
    Text(&'static str),
    /// A whole number, called so in the help.
    Number(&'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// One setting.
pub struct Setting {
    /// Its name: the flag without dashes, the key in the file, the variable in capitals.
    pub key: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its default, as it would be written.
    pub default: Fallback,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// Whether `SIGHUP` changes it while the server runs.
    pub reloads: bool,
    /// Whether its value must not be shown.
    pub secret: bool,
    take: fn(&mut Config, &str) -> Result<(), String>,
}

/// What holds when nothing was said.
pub enum Fallback {
    /// Nothing.
    None,
    /// This text.
    Text(&'static str),
    /// Something that depends on where the program runs; the words describe it.
    Found(&'static str, fn(&Environment) -> Option<PathBuf>),
}

impl Setting {
    /// Puts a value where it belongs.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn take(&self, config: &mut Config, value: &str) -> Result<(), String> {
        match self.kind {
            Kind::Choice(words) if !words.contains(&value) => {
                Err(format!("\"{value}\" is none of {}", words.join(", ")))
            }
            _ => (self.take)(config, value),
        }
    }

    /// What its value is called in the help.
    #[must_use]
    pub fn value_name(&self) -> String {
        match self.kind {
            Kind::Text(name) | Kind::Number(name) => name.to_owned(),
            Kind::Choice(words) => words.join("|"),
        }
    }

    /// Its default, for people.
    #[must_use]
    pub fn default_words(&self) -> &'static str {
        match self.default {
            Fallback::None => "none",
            Fallback::Text(text) => text,
            Fallback::Found(words, _) => words,
        }
    }
}

/// Every setting, in the order of the help.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "listen",
        kind: Kind::Text("ADDR"),
        default: Fallback::Text("127.0.0.1:7878"),
        help: "Where the server listens; port 0 takes a free one. Another address than loopback needs auth-token",
        reloads: false,
        secret: false,
        take: |config, value| {
            let address = value.replace("localhost:", "127.0.0.1:");
            config.listen = address
                .parse()
                .map_err(|_| format!("\"{value}\" is no address with a port; write it as 127.0.0.1:7878"))?;
            Ok(())
        },
    },
    Setting {
        key: "workspace",
        kind: Kind::Text("DIR"),
        default: Fallback::Found("the current folder", |environment| Some(environment.current_dir())),
        help: "The folder that tools work in; nothing outside it is reached",
        reloads: false,
        secret: false,
        take: |config, value| {
            config.workspace = PathBuf::from(value);
            Ok(())
        },
    },
    Setting {
        key: "data",
        kind: Kind::Text("DIR"),
        default: Fallback::Found("the platform's data folder", Environment::data_dir),
        help: "Where sessions are kept; made if it is not there",
        reloads: false,
        secret: false,
        take: |config, value| {
            config.data = PathBuf::from(value);
            Ok(())
        },
    },
    Setting {
        key: "reasoner",
        kind: Kind::Choice(&["auto", "rules", "staged", "native"]),
        default: Fallback::Text("auto"),
        help: "Who makes the decisions: rules needs no language model, staged and native need one; auto takes the best there is",
        reloads: false,
        secret: false,
        take: |config, value| {
            config.reasoner = match value {
                "rules" => ReasonerChoice::Rules,
                "staged" => ReasonerChoice::Staged,
                "native" => ReasonerChoice::Native,
                _ => ReasonerChoice::Auto,
            };
            Ok(())
        },
    },
    Setting {
        key: "auth-token",
        kind: Kind::Text("TOKEN"),
        default: Fallback::None,
        help: "What clients must show, as a bearer token or at the login page; at least 16 characters",
        reloads: false,
        secret: true,
        take: |config, value| {
            if value.chars().count() < 16 || value.chars().any(|sign| sign.is_whitespace() || sign.is_control()) {
                return Err("a token has at least 16 characters and no spaces; `openssl rand -hex 32` makes one".into());
            }
            config.http.auth_token = Some(Secret::new(value));
            Ok(())
        },
    },
    Setting {
        key: "public-url",
        kind: Kind::Text("URL"),
        default: Fallback::None,
        help: "The address that browsers use when a reverse proxy stands before the server, such as https://chat.example.com",
        reloads: false,
        secret: false,
        take: |config, value| {
            config.http.public_url = Some(PublicUrl::parse(value)?);
            Ok(())
        },
    },
    Setting {
        key: "drain-seconds",
        kind: Kind::Number("SECONDS"),
        default: Fallback::Text("30"),
        help: "How long running turns may go on after SIGTERM before they are interrupted",
        reloads: true,
        secret: false,
        take: |config, value| {
            config.drain = Duration::from_secs(number(value, 0, 3600)?);
            Ok(())
        },
    },
    Setting {
        key: "log",
        kind: Kind::Text("FILTER"),
        default: Fallback::Text("info"),
        help: "What is logged: off, error, warn, info, debug, trace, or a filter such as switchboard=debug,warn",
        reloads: true,
        secret: false,
        take: |config, value| {
            check_log_filter(value).map_err(|error| format!("\"{value}\" is no log filter: {error}"))?;
            value.clone_into(&mut config.log);
            Ok(())
        },
    },
];

fn number(value: &str, least: u64, most: u64) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("\"{value}\" is no whole number from {least} to {most}"))
}
