//! Who is let in: by a token, or without one because the connection is the user's own.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context;

use super::login_key::login_key;
use crate::config::Config;
use crate::http::{Auth, ENDED_LOGINS, Peers};
use switchboard_runtime::{KeyValueStore, Shutdown};

/// Who is let in by a token; logins that ended stay ended when the server starts anew, and end at every server that shares them.
pub(super) fn auth(config: &Config, values: &Arc<dyn KeyValueStore>, shutdown: &Shutdown) -> anyhow::Result<Auth> {
    let ended = config.http.token().map(|_| Arc::clone(values));
    let what = || format!("cannot use {}", values.place(ENDED_LOGINS));
    let auth = Auth::new(&config.http, login_key(config, &**values)?, ended).with_context(what)?;
    if config.http.token().is_some() {
        let (auth, mut changes) = (auth.clone(), values.changes());
        drop(shutdown.spawn(shutdown.stopping().clone().run_until_cancelled_owned(async move {
            while changes.changed().await.is_ok() {
                auth.take_up_ended();
            }
        })));
    }
    Ok(auth)
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

/// Says where tokens and cookies can be read on their way.
pub(super) fn warn_of_plain_http(config: &Config, address: SocketAddr) {
    let is_behind_https = config.http.public_url.as_ref().is_some_and(|url| url.https);
    if config.http.token().is_some() && !address.ip().is_loopback() && !is_behind_https {
        tracing::warn!(
            "tokens, logins and conversations go over the network without TLS, so others can read them on their way: \
             put a proxy that speaks TLS in front of the server (docs/operations.md) and set --public-url https://NAME"
        );
    }
}
