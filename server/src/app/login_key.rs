//! The key that signs login cookies: who logged in stays logged in when the server starts anew, and at every server that shares
//! the key.

use anyhow::{Context, anyhow};
use switchboard_runtime::KeyValueStore;

use crate::config::Config;

/// The name of its value.
pub(super) const LOGIN_KEY: &str = "login.key";

/// The key that signs login cookies, made at the first start.
pub(super) fn login_key(config: &Config, values: &dyn KeyValueStore) -> anyhow::Result<[u8; 32]> {
    if config.http.token().is_none() {
        return Ok([0; 32]);
    }
    let what = || format!("cannot read or create {}", values.place(LOGIN_KEY));
    let key = match values.get(LOGIN_KEY).with_context(what)? {
        Some(key) => key,
        None => {
            values.update(LOGIN_KEY, &mut |there| Ok(there.map_or_else(new_key, <[u8]>::to_vec))).with_context(what)?
        }
    };
    let key = key.first_chunk().ok_or_else(|| anyhow!("it is too short")).with_context(what)?;
    Ok(*key)
}

fn new_key() -> Vec<u8> {
    (0..2).flat_map(|_| uuid::Uuid::new_v4().into_bytes()).collect()
}
