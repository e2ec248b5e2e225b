//! The composition root: the one file that names every room. What is built first ends last.

use std::fs;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::config::{Config, ReasonerChoice};
use crate::http::{self, ApiState, Auth};
use crate::runtime::{Live, Shutdown};

/// How long tasks may take to end once they were cut off.
const CUT_OFF_LIMIT: Duration = Duration::from_secs(10);

/// The server, not yet started.
pub struct App;

/// The server while it runs.
pub struct RunningApp {
    address: SocketAddr,
    config: Config,
    drain: Live<Duration>,
    shutdown: Shutdown,
}

impl App {
    /// Builds everything and listens; ready when this returns.
    ///
    /// # Errors
    /// When a setting asks for what is not there, or a folder or the address cannot be used.
    pub async fn start(config: Config) -> anyhow::Result<RunningApp> {
        check(&config)?;
        let shutdown = Shutdown::new();
        let listener = TcpListener::bind(config.listen).await.with_context(|| {
            format!("cannot listen at {}; is another server there? --listen takes another", config.listen)
        })?;
        let address = listener.local_addr().context("cannot tell the address")?;

        let auth = Auth::new(&config.http, login_key(&config)?);
        let state = ApiState { auth, shutdown: shutdown.clone() };
        let router = http::router(state, &config.http, address.ip().is_loopback());
        drop(shutdown.spawn(http::serve(listener, router, shutdown.clone())));
        Ok(RunningApp { address, drain: Live::new(config.drain), config, shutdown })
    }
}

impl RunningApp {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for a browser on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}")
    }

    /// What a person wants to know at the start: names and values.
    #[must_use]
    pub fn about(&self) -> Vec<(&'static str, String)> {
        vec![("workspace", self.config.workspace.display().to_string())]
    }

    /// Takes up what can change; the names of settings that changed but need a new start.
    pub fn reload(&self, config: &Config) -> Vec<&'static str> {
        self.drain.set(config.drain);
        let now = &self.config;
        let fixed = [
            ("listen", now.listen != config.listen),
            ("workspace", now.workspace != config.workspace),
            ("data", now.data != config.data),
            ("reasoner", now.reasoner != config.reasoner),
            ("auth-token", now.http.auth_token != config.http.auth_token),
            ("public-url", now.http.public_url != config.http.public_url),
        ];
        fixed.into_iter().filter_map(|(key, changed)| changed.then_some(key)).collect()
    }

    /// Ends it: no new work, running turns drain to the deadline, the rest is cut off, the log is flushed.
    pub async fn stop(self) {
        self.shutdown.stop();
        if timeout(self.drain.get(), self.shutdown.ended()).await.is_err() {
            self.shutdown.cut_off();
            if timeout(CUT_OFF_LIMIT, self.shutdown.ended()).await.is_err() {
                tracing::error!("some tasks did not end");
            }
        }
    }
}

fn check(config: &Config) -> anyhow::Result<()> {
    if !config.listen.ip().is_loopback() && config.http.auth_token.is_none() {
        bail!(
            "{} can be reached from other machines, and no token is set: whoever finds it could run tools here. \
             Say --auth-token TOKEN (`openssl rand -hex 32` makes one), or listen at 127.0.0.1",
            config.listen
        );
    }
    if let ReasonerChoice::Staged | ReasonerChoice::Native = config.reasoner {
        let name = if config.reasoner == ReasonerChoice::Staged { "staged" } else { "native" };
        bail!(
            "--reasoner {name} needs a language model, and no model can be set in this version. \
             Say --reasoner rules, which needs none, or leave the setting out"
        );
    }
    if !config.workspace.is_dir() {
        bail!("the workspace {} is no folder; make it, or say --workspace DIR", config.workspace.display());
    }
    Ok(())
}

/// The key that signs login cookies: made at the first start, kept beside the sessions, read by the owner only.
fn login_key(config: &Config) -> anyhow::Result<[u8; 32]> {
    let mut key = [0; 32];
    if config.http.auth_token.is_none() {
        return Ok(key);
    }
    let path = config.data.join("login.key");
    let what = || format!("cannot read or make {}", path.display());
    if !path.exists() {
        make_key(&path).with_context(what)?;
    }
    fs::File::open(&path).and_then(|mut file| file.read_exact(&mut key)).with_context(what)?;
    Ok(key)
}

fn make_key(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let key: Vec<u8> = (0..2).flat_map(|_| uuid::Uuid::new_v4().into_bytes()).collect();
    options.open(path)?.write_all(&key)
}
