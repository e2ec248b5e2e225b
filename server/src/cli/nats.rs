//! What the subcommands that work on NATS itself have in common: how it is reached, and what they run in.

use std::collections::BTreeMap;

use anyhow::Context;
use clap::ValueHint;
use tokio::runtime::{Builder, Runtime};

/// The flags that say how NATS is reached.
#[derive(Debug, clap::Args)]
pub(super) struct Access {
    /// The file with the credentials for NATS [default: the settings']
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    store_credentials: Option<String>,
    /// The certificates that NATS servers are trusted with, as PEM [default: the settings', or the system's]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    store_ca: Option<String>,
    /// The certificate that NATS servers are shown, and its key, in one file as PEM [default: the settings']
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    store_identity: Option<String>,
}

impl Access {
    /// The settings among these flags and one more of the subcommand's own, by key.
    pub(super) fn settings(&self, key: &str, value: Option<&String>) -> BTreeMap<String, String> {
        let given = [
            ("store-credentials", self.store_credentials.as_ref()),
            ("store-ca", self.store_ca.as_ref()),
            ("store-identity", self.store_identity.as_ref()),
            (key, value),
        ];
        given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.clone()))).collect()
    }
}

/// What they run in, with what connections to NATS need.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    // Whoever uses TLS first decides with which cryptography.
    switchboard_net::install_crypto();
    Builder::new_current_thread().enable_all().build().context("cannot start the runtime")
}
