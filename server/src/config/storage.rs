//! The settings of what is kept: where, with which other servers, how many sessions, and how much of them. `declared.rs` lists them with the others.

use std::path::PathBuf;

use super::plain::{PLAIN, number};
use super::settings::{Fallback, Kind, Setting};

/// Pages of 4 KiB in a mebibyte.
const PAGES_PER_MIB: u32 = 256;

pub(super) const STORE: Setting = Setting {
    key: "store",
    kind: Kind::Text("STORE"),
    default: Fallback::Text("sqlite"),
    help: "Where sessions are kept: sqlite is a file in the data folder; nats://HOST:PORT,… (tls:// with TLS) is NATS JetStream, \
           which several servers can share, if the program was built with --features nats; see docs/operations.md",
    take: |config, value| {
        config.store.servers = if value == "sqlite" { Vec::new() } else { nats_servers(value)? };
        Ok(())
    },
    ..PLAIN
};

pub(super) const STORE_REPLICAS: Setting = Setting {
    key: "store-replicas",
    kind: Kind::Number("N"),
    default: Fallback::Text("1"),
    help: "How many servers of a NATS cluster keep each message; it counts when the log is made there",
    take: |config, value| {
        config.store.replicas = number(value, 1, 5)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const STORE_CREDENTIALS: Setting = Setting {
    key: "store-credentials",
    kind: Kind::Text("FILE"),
    help: "The file with the credentials for NATS: as `nsc` writes it, or one line USER:PASSWORD, the seed of an NKey, or a token",
    take: |config, value| {
        config.store.credentials = Some(PathBuf::from(value));
        Ok(())
    },
    ..PLAIN
};

pub(super) const STORE_CA: Setting = Setting {
    key: "store-ca",
    kind: Kind::Text("FILE"),
    help: "The certificates that NATS servers are trusted with, as PEM; without it, the system's",
    take: |config, value| {
        config.store.certificates = Some(PathBuf::from(value));
        Ok(())
    },
    ..PLAIN
};

pub(super) const STORE_IDENTITY: Setting = Setting {
    key: "store-identity",
    kind: Kind::Text("FILE"),
    help: "The certificate that this server shows NATS servers that ask for one, and its key, both in one file as PEM",
    take: |config, value| {
        config.store.identity = Some(PathBuf::from(value));
        Ok(())
    },
    ..PLAIN
};

pub(super) const CLUSTER_KEY_FILE: Setting = Setting {
    key: "cluster-key-file",
    kind: Kind::Text("FILE"),
    help: "The file with the key that servers with the same log in NATS have in common: 32 bytes as base64, readable by the server \
           only. With it they share logins, the choice of a model with its key, and approvals of MCP servers, encrypted; without \
           it, each server keeps them in its data folder",
    take: |config, value| {
        config.store.cluster_key = Some(PathBuf::from(value));
        Ok(())
    },
    ..PLAIN
};

pub(super) const CLUSTER_ADDRESS: Setting = Setting {
    key: "cluster-address",
    kind: Kind::Text("HOST:PORT"),
    help: "Where other servers that share the log in NATS reach this one, to pass clients on to it; without it, the address \
           that it listens on, if others can use that",
    take: |config, value| {
        let authority = value.parse::<axum::http::uri::Authority>().ok();
        let is_address = authority.is_some_and(|parsed| parsed.port().is_some() && !parsed.as_str().contains('@'));
        if !is_address {
            return Err(format!("\"{value}\" is not an address with a port; write it like 10.0.0.5:7878"));
        }
        config.cluster.address = Some(value.to_owned());
        Ok(())
    },
    ..PLAIN
};

pub(super) const WORKSPACE_ID: Setting = Setting {
    key: "workspace-id",
    kind: Kind::Text("NAME"),
    help: "The name of the workspace, for servers that share the log in NATS: a session goes on only at a server that has its \
           workspace. Give the same name where the same folder is; without it, the name is made of the machine's and the folder's",
    take: |config, value| {
        if value.is_empty() || value.len() > 200 || value.chars().any(|sign| sign.is_control() || sign.is_whitespace())
        {
            return Err(format!("\"{value}\" is not a name: it must have 1 to 200 characters, and no spaces"));
        }
        config.cluster.workspace_id = Some(value.to_owned());
        Ok(())
    },
    ..PLAIN
};

fn nats_servers(value: &str) -> Result<Vec<String>, String> {
    if !value.contains("://") {
        return Err(format!("\"{value}\" is neither sqlite nor nats://HOST:PORT"));
    }
    #[cfg(feature = "nats")]
    return switchboard_store::NatsOptions::parse_servers(value);
    #[cfg(not(feature = "nats"))]
    return Err(WITHOUT_NATS.to_owned());
}

/// What a program says that is asked for NATS and was built without.
#[cfg(not(feature = "nats"))]
pub(crate) const WITHOUT_NATS: &str = "this program was built without NATS: build it with `cargo build --release --features nats`, or use the container image";

pub(super) const NEW_LOG: Setting = Setting {
    key: "new-log",
    kind: Kind::Switch,
    default: Fallback::Text("off"),
    help: "Whether to begin with an empty log when the data folder has been used and its database is gone; without it, such a \
           folder is refused. For one start: nothing that is there is removed",
    take: |config, value| {
        config.events.new_log = value == "on";
        Ok(())
    },
    ..PLAIN
};

pub(super) const MAX_SESSIONS: Setting = Setting {
    key: "max-sessions",
    kind: Kind::Number("N"),
    default: Fallback::Text("100000"),
    help: "How many sessions there may be; at that point no new one begins until some are deleted",
    take: |config, value| {
        config.events.max_sessions = Some(number(value, 1, 1_000_000_000)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const KEEP_DAYS: Setting = Setting {
    key: "keep-days",
    kind: Kind::Number("DAYS"),
    help: "How long a session is kept after its last change, in days; then it is deleted with its variables, unless it is pinned, \
           open, or has a turn that has not ended. Without it, sessions are kept indefinitely",
    take: |config, value| {
        config.retention.days = Some(number(value, 1, 100_000)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const KEEP_SESSIONS: Setting = Setting {
    key: "keep-sessions",
    kind: Kind::Number("N"),
    help: "How many sessions are kept for each user; beyond them, those that changed longest ago are deleted, but never one \
           that is pinned, open, or has a turn that has not ended. Without it, their number is not limited",
    take: |config, value| {
        config.retention.sessions = Some(number(value, 1, 1_000_000_000)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const MAX_STORED: Setting = Setting {
    key: "max-stored-mib",
    kind: Kind::Number("MIB"),
    default: Fallback::Text("51200"),
    help: "How large the file with all sessions and their variables may become, in MiB; at that point nothing more is \
           accepted until sessions are deleted",
    take: |config, value| {
        config.events.max_pages = Some(number::<u32>(value, 16, 16_000_000)?.saturating_mul(PAGES_PER_MIB));
        Ok(())
    },
    ..PLAIN
};
