//! Who is let in: by a token, or without one because the connection is the user's own.

use std::net::SocketAddr;

use anyhow::Context;

use super::login_key::login_key;
use crate::config::Config;
use crate::http::{Auth, Peers};

/// Who is let in by a token; logins that ended stay ended when the server starts anew.
pub(super) fn auth(config: &Config) -> anyhow::Result<Auth> {
    let ended = config.http.token().map(|_| config.paths.data.join("logins.ended"));
    let what = || format!("cannot use {}", config.paths.data.join("logins.ended").display());
    Auth::new(&config.http, login_key(config)?, ended).with_context(what)
}

/// How the user's own connections are told from others', which only matters while there is no token.
pub(super) fn peers(config: &Config, address: SocketAddr) -> Peers {
    if config.http.token().is_some() {
        return Peers::Anybody;
    }
    let peers = Peers::find(address.ip());
    if peers == Peers::Anybody {
        tracing::warn!(
            "the kernel does not say whose connections are whose, and no token is set: every user of this machine can \
             run tools here; set one with --auth-token-file FILE or --auth-token TOKEN"
        );
    }
    peers
}
