//! The settings of commands: how they are confined, how long they run, whether what they change can be put back.
//! `declared.rs` lists them with the others.

use std::path::PathBuf;
use std::time::Duration;

use super::plain::{PLAIN, number};
use super::sections::{NetworkChoice, SandboxChoice};
use super::settings::{Fallback, Kind, Setting};

pub(super) const SANDBOX: Setting = Setting {
    key: "sandbox",
    kind: Kind::Choice(&["on", "strict", "off"]),
    default: Fallback::Text("on"),
    help: "Whether the kernel confines commands to the workspace and keeps them off the network; strict: they run \
           only where it gives namespaces; off: a command can do everything the server can",
    take: |config, value| {
        config.commands.sandbox = match value {
            "off" => SandboxChoice::Off,
            "strict" => SandboxChoice::Strict,
            _ => SandboxChoice::On,
        };
        Ok(())
    },
    ..PLAIN
};

pub(super) const NETWORK: Setting = Setting {
    key: "command-network",
    kind: Kind::Choice(&["proxy", "host"]),
    default: Fallback::Text("proxy"),
    help: "What a command gets that may use the network: a proxy in the server, which asks about each new domain and reaches \
           public addresses only; or this machine's own network, local addresses included",
    take: |config, value| {
        config.commands.network = if value == "host" { NetworkChoice::Host } else { NetworkChoice::Proxy };
        Ok(())
    },
    ..PLAIN
};

pub(super) const CHECKPOINTS: Setting = Setting {
    key: "checkpoints",
    kind: Kind::Choice(&["on", "off"]),
    default: Fallback::Text("on"),
    help: "Whether the workspace is noted before a command runs, so that what it changed is shown and can be undone",
    take: |config, value| {
        config.commands.checkpoints = value == "on";
        Ok(())
    },
    ..PLAIN
};

pub(super) const TIMEOUT: Setting = Setting {
    key: "bash-timeout",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("5"),
    help: "How long a command may run if the call does not say, from 1 to 60 seconds",
    take: |config, value| {
        config.commands.timeout = Duration::from_secs(number(value, 1, 60)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const READABLE: Setting = Setting {
    key: "sandbox-read",
    kind: Kind::Text("DIRS"),
    help: "Folders that commands may read in addition to the system's, such as toolchains; absolute, separated by \
           :",
    take: |config, value| {
        config.commands.readable = value.split(':').filter(|part| !part.is_empty()).map(PathBuf::from).collect();
        match config.commands.readable.iter().find(|path| path.is_relative()) {
            Some(path) => Err(format!("\"{}\" is not an absolute path", path.display())),
            None => Ok(()),
        }
    },
    ..PLAIN
};
