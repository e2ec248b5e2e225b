//! `switchboard rebuild-list`: what is missing in the list of sessions in NATS, made again.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use clap::ValueHint;

use super::backup::{list, several};
use super::config::print;
use super::nats::{self, Access};
use crate::config::Loader;
use switchboard_store::{RebuiltList, rebuild_list};

const AFTER_HELP: &str = "\
Servers can keep running. Entries that are there stay as they are; for each session that has none, or one that cannot be read, \
the entry is made again from the session's own messages. A pin that was set since a server last took the session is lost. When \
all of the list is lost, the next server that starts does this by itself.

Example:
  switchboard rebuild-list --store nats://10.0.0.1:4222,10.0.0.2:4222";

/// Make missing entries in the list of sessions in NATS again
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Where the sessions are: nats://HOST:PORT,… [default: the settings']
    #[arg(long, value_name = "STORE", value_hint = ValueHint::Other)]
    store: Option<String>,
    #[command(flatten)]
    access: Access,
}

impl Args {
    /// The settings among the arguments, by key.
    pub(super) fn settings(&self) -> BTreeMap<String, String> {
        self.access.settings("store", self.store.as_ref())
    }

    /// Does it.
    pub(super) fn run(self, loader: &Loader) -> anyhow::Result<()> {
        let store = loader.load()?.config.store;
        if !store.is_nats() {
            bail!("the sessions are in a file of the data folder, which has its list in it; name NATS with --store");
        }
        let options = store.nats(store.servers.clone());
        let rebuilt =
            nats::runtime()?.block_on(rebuild_list(&options)).map_err(|error| anyhow!("failed to {error}"))?;
        tell(&rebuilt)
    }
}

fn tell(RebuiltList { sessions, made, left }: &RebuiltList) -> anyhow::Result<()> {
    let made = match made {
        0 if left.is_empty() => "the list has all of them".to_owned(),
        1 => "made 1 entry in the list again".to_owned(),
        made => format!("made {made} entries in the list again"),
    };
    print(&format!("{}; {made}\n", several(*sessions, "session")))?;
    if left.is_empty() {
        return Ok(());
    }
    list(left);
    bail!("left out {}", several(left.len() as u64, "session"))
}
