//! Logins: cookies that stand for a token until their time is over, the token changes, or somebody logs out. A cookie is
//! a date, a random name and a keyed hash over both and the token, so it tells nothing about the token. Those that ended
//! early are written down by name, so that they stay ended when the server starts anew.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use switchboard_runtime::{Secret, now};

/// How long a login lasts.
pub(super) const LIFETIME_SECONDS: i64 = 30 * 24 * 60 * 60;

/// All logins.
pub(super) struct Logins {
    key: [u8; 32],
    file: Option<PathBuf>,
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
    /// Signed with `key`; those that end early are kept in `file`.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(super) fn open(key: [u8; 32], file: Option<PathBuf>) -> io::Result<Self> {
        let ended = file.as_deref().map(read).transpose()?.unwrap_or_default();
        Ok(Self { key, file, known: Mutex::new(Known { ended, connections: HashMap::new() }) })
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
        let mut known = self.known();
        if let Some(connections) = known.connections.remove(name) {
            connections.cancel();
        }
        if known.ended.insert(name.to_owned(), until.parse().unwrap_or(i64::MAX)).is_some() {
            return Ok(());
        }
        self.file.as_deref().map_or(Ok(()), |file| append(file, until, name))
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

/// Those of the file that are not over anyway; the others leave it.
fn read(file: &Path) -> io::Result<HashMap<String, i64>> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        read => read?,
    };
    let line = |line: &str| {
        let (until, name) = line.split_once(' ')?;
        Some((name.to_owned(), until.parse::<i64>().ok()?))
    };
    let now = now().as_second();
    let ended: HashMap<_, _> = text.lines().filter_map(line).filter(|(_, until)| *until > now).collect();
    if ended.len() < text.lines().count() {
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut shorter = tempfile::NamedTempFile::new_in(folder)?;
        for (name, until) in &ended {
            writeln!(shorter, "{until} {name}")?;
        }
        shorter.as_file().sync_all()?;
        shorter.persist(file)?;
    }
    Ok(ended)
}

fn append(file: &Path, until: &str, name: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
    file.write_all(format!("{until} {name}\n").as_bytes())?;
    file.sync_all()
}
