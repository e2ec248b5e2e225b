//! Logins: cookies that stand for a token until their time is over, the token changes, or somebody logs out. A cookie is
//! a date, a random name and a keyed hash over both and the token, so it tells nothing about the token. Those that ended
//! early are written down by name, so that they stay ended when the server starts anew, and end at every server that shares them.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use switchboard_runtime::{KeyValueStore, Secret, now};

/// The name of the value with those that ended early.
pub const ENDED_LOGINS: &str = "logins.ended";

/// How long a login lasts.
pub(super) const LIFETIME_SECONDS: i64 = 30 * 24 * 60 * 60;

/// All logins.
pub(super) struct Logins {
    key: [u8; 32],
    values: Option<Arc<dyn KeyValueStore>>,
    known: Mutex<Known>,
}

/// What there is to know of single logins.
#[derive(Default)]
struct Known {
    /// Those that ended early, with the second at which they would have ended.
    ended: HashMap<String, i64>,
    /// What ends with a login: its connections.
    connections: HashMap<String, CancellationToken>,
}

/// A cookie in its parts; the hash is not checked.
struct Cookie<'a> {
    until: &'a str,
    name: &'a str,
    mac: &'a str,
}

impl Logins {
    /// Signed with `key`; those that end early are kept among `values`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn open(key: [u8; 32], values: Option<Arc<dyn KeyValueStore>>) -> io::Result<Self> {
        let logins = Self { key, values, known: Mutex::default() };
        logins.take_up()?;
        Ok(logins)
    }

    /// Ends those that ended at other servers.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn take_up(&self) -> io::Result<()> {
        let Some(values) = &self.values else { return Ok(()) };
        let ended = read(values.get(ENDED_LOGINS)?.as_deref());
        let mut known = self.known();
        for (name, until) in ended {
            if let Some(connections) = known.connections.remove(&name) {
                connections.cancel();
            }
            known.ended.insert(name, until);
        }
        Ok(())
    }

    /// A new cookie for this token.
    pub(super) fn begin(&self, token: &Secret) -> String {
        let (until, name) = ((now().as_second() + LIFETIME_SECONDS).to_string(), Uuid::new_v4().simple().to_string());
        let mac = self.mac(token, &until, &name);
        format!("{until}.{name}.{mac}")
    }

    /// Whether this cookie stands for the token now.
    pub(super) fn is_valid(&self, token: &Secret, cookie: &str) -> bool {
        let Some(Cookie { until, name, mac }) = parts(cookie) else { return false };
        let right: bool = self.mac(token, until, name).as_bytes().ct_eq(mac.as_bytes()).into();
        let lasts = until.parse::<i64>().is_ok_and(|second| second > now().as_second());
        right && lasts && !self.known().ended.contains_key(name)
    }

    /// Ends a login for good, with its connections; the cookie is a valid one.
    ///
    /// # Errors
    /// When it cannot be written down; it has ended all the same, until the server starts anew.
    pub(super) fn end(&self, cookie: &str) -> io::Result<()> {
        let Some(Cookie { until, name, .. }) = parts(cookie) else { return Ok(()) };
        let until = until.parse().unwrap_or(i64::MAX);
        {
            let mut known = self.known();
            if let Some(connections) = known.connections.remove(name) {
                connections.cancel();
            }
            if known.ended.insert(name.to_owned(), until).is_some() {
                return Ok(());
            }
        }
        let Some(values) = &self.values else { return Ok(()) };
        let mut add = |there: Option<&[u8]>| {
            let mut ended = read(there);
            ended.insert(name.to_owned(), until);
            Ok(ended.iter().flat_map(|(name, until)| format!("{until} {name}\n").into_bytes()).collect())
        };
        values.update(ENDED_LOGINS, &mut add).map(drop)
    }

    /// Is cancelled when the login of this valid cookie ends early.
    pub(super) fn until_ended(&self, cookie: &str) -> CancellationToken {
        let name = parts(cookie).map_or("", |cookie| cookie.name);
        self.known().connections.entry(name.to_owned()).or_default().clone()
    }

    fn mac(&self, token: &Secret, until: &str, name: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length will do");
        mac.update(b"switchboard login\0");
        for part in [until, name, token.reveal()] {
            mac.update(part.as_bytes());
            mac.update(b"\0");
        }
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parts(cookie: &str) -> Option<Cookie<'_>> {
    let (until, rest) = cookie.split_once('.')?;
    let (name, mac) = rest.split_once('.')?;
    Some(Cookie { until, name, mac })
}

/// Those that are not over anyway; the others are forgotten when the next one is added.
fn read(there: Option<&[u8]>) -> HashMap<String, i64> {
    let text = String::from_utf8_lossy(there.unwrap_or_default());
    let line = |line: &str| {
        let (until, name) = line.split_once(' ')?;
        Some((name.to_owned(), until.parse::<i64>().ok()?))
    };
    let now = now().as_second();
    text.lines().filter_map(line).filter(|(_, until)| *until > now).collect()
}
