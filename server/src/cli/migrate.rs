//! `switchboard migrate`: all sessions from one store to another, while no server has either.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::ValueHint;

use super::backup::{list, several, watched};
use super::config::print;
use super::nats::{self, Access};
use crate::config::{Loader, StoreConfig};
use switchboard_store::{LogPlace, Migrated, NatsOptions, migrate};

const AFTER_HELP: &str = "\
Stop the servers first, and run this as their user. Sessions are copied as they are, with their variables, titles, pins and \
unfinished turns, and read back. What --from has stays. If it is interrupted, run it again: it goes on where it stopped. A \
session that is damaged, or that --to has with other contents, is named and left out; then the exit code is 1.

Examples:
  switchboard migrate --from sqlite:/var/lib/switchboard --to nats://10.0.0.1:4222,10.0.0.2:4222
  switchboard migrate --from nats://10.0.0.1:4222 --to sqlite:/var/lib/switchboard";

/// Copy all sessions from a data folder to NATS, or back
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Where the sessions are: sqlite:DIR or nats://HOST:PORT,…
    #[arg(long, value_name = "STORE", value_parser = place, value_hint = ValueHint::Other)]
    from: Place,
    /// Where they are to be
    #[arg(long, value_name = "STORE", value_parser = place, value_hint = ValueHint::Other)]
    to: Place,
    #[command(flatten)]
    access: Access,
    /// How many servers of a NATS cluster keep each message, if the log is made there [default: the settings', or 1]
    #[arg(long, value_name = "N")]
    store_replicas: Option<String>,
}

/// A store as the command line names it.
#[derive(Debug, Clone)]
enum Place {
    Sqlite(PathBuf),
    Nats(Vec<String>),
}

fn place(text: &str) -> Result<Place, String> {
    match text.strip_prefix("sqlite:") {
        Some("") => Err("the data folder is missing; write it like sqlite:/var/lib/switchboard".to_owned()),
        Some(folder) => Ok(Place::Sqlite(folder.into())),
        None if text.contains("://") => NatsOptions::parse_servers(text).map(Place::Nats),
        None => Err(format!("\"{text}\" is neither sqlite:DIR nor nats://HOST:PORT")),
    }
}

impl Place {
    fn resolved(self, store: &StoreConfig) -> LogPlace {
        match self {
            Self::Sqlite(folder) => LogPlace::Sqlite(folder),
            // Sessions that are copied belong to the workspace of the server that takes them up first.
            Self::Nats(servers) => LogPlace::Nats(store.nats(servers)),
        }
    }
}

impl Args {
    /// The settings among the arguments, by key.
    pub(super) fn settings(&self) -> BTreeMap<String, String> {
        self.access.settings("store-replicas", self.store_replicas.as_ref())
    }

    /// Does it.
    pub(super) fn run(self, loader: &Loader) -> anyhow::Result<()> {
        let store = loader.load()?.config.store;
        let (from, to) = (self.from.resolved(&store), self.to.resolved(&store));
        let scratch = tempfile::tempdir().context("a temporary folder cannot be made")?;
        let runtime = nats::runtime()?;
        let done = watched(|watch| runtime.block_on(migrate((&from, &to), scratch.path(), watch)))?;
        tell(&to, &done)
    }
}

fn tell(to: &LogPlace, done: &Migrated) -> anyhow::Result<()> {
    let Migrated { copied, there, events, values, left } = done;
    let (events, values) = (several(*events, "event"), several(*values, "large value"));
    let there = match there {
        0 => String::new(),
        there => format!("; {} had been there already, and are the same", several(*there, "session")),
    };
    let copied = several(*copied, "session");
    print(&format!("{to}: copied {copied} with {events} and {values}, and read them back{there}\n"))?;
    if left.is_empty() {
        return Ok(());
    }
    list(left);
    bail!("left out {}", several(left.len() as u64, "session"))
}
